"""A task in the small form: find the secret word that a problem's letters spell in the order that is asked for."""

import tot


class Letters(tot.Stepwise):
    """Write the letters in the order of the alphabet."""

    name = "letters"
    rules = "Take one letter at a time, in the order of the alphabet."
    inputs = ("c a b", "d b a c", "b  a")

    def read(self, x, done, line):
        letters = x.split()
        if not all(len(letter) == 1 for letter in letters):
            raise ValueError("not letters")
        if len(line) != 1 or line not in letters:
            return None
        if line in done:
            raise ValueError("taken")
        return line

    def whole(self, x, done):
        return len(done) == len(x.split())

    def wrong(self, x, done):
        return "" if list(done) == sorted(done) else "not in order"

    steps = 9
