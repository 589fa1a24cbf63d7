"""Tree of Thoughts on the Game of 24, breadth first: the program of chapter 6, with nothing of this book's package.

    python tot24.py "4 9 10 13" MODEL

asks MODEL with the client ``openai``, which reads OPENAI_API_KEY and OPENAI_BASE_URL. Or call ``solve`` yourself, with
any function from a prompt to a model's reply.
"""

import re
import sys
from collections import Counter
from fractions import Fraction
from functools import cache
from math import fsum
from operator import add, mul, sub, truediv

PROPOSE = """\
Combine two of the numbers with + - * or /. List up to eight \
possible next steps.

Numbers: 3 5 9 12
3 + 5 = 8
12 - 9 = 3
3 * 9 = 27
12 / 3 = 4
9 - 5 = 4
12 + 9 = 21
5 - 3 = 2
12 - 5 = 7

Numbers: 2 6 7
2 * 6 = 12
7 - 2 = 5
6 / 2 = 3
6 + 7 = 13
7 - 6 = 1

Numbers: 4 6
4 * 6 = 24
4 + 6 = 10
6 - 4 = 2

Numbers: """

VALUE = """\
Can the numbers make 24 with + - * /, each used once? Try in one \
line: end with sure, likely or impossible.

10 14
10 + 14 = 24. sure

11 12
11 + 12 = 23, 12 - 11 = 1, 11 * 12 = 132. impossible

4 4 10
4 * 4 = 16, 16 + 10 = 26; (10 - 4) * 4 = 24. sure

1 3 3
at most (1 + 3) * 3 = 12, too small. impossible

10 10 11
10 + 10 + 11 = 31, (11 - 10) * 10 = 10. impossible

5 7 8
5 + 7 + 8 = 20, (8 - 5) * 7 = 21, close to 24. likely

"""

N = r"(-?\d{1,12}(?:\.\d{1,12}|/[1-9]\d{0,11})?)"  # 7, 2.5, -3 or 8/3
LINE = re.compile(rf"{N} ([-+*/]) {N} = {N}")
SIGNS = {"+": add, "-": sub, "*": mul, "/": truediv}
WORTH = {"sure": 20, "likely": 1, "impossible": 0.001}


def take(numbers, line):
    """The numbers after a step, or None if it is not legal."""
    if not (found := LINE.fullmatch(line.strip())):
        return None
    a, b, result = (Fraction(found[i]) for i in (1, 3, 4))
    sign, rest = found[2], Counter(numbers)
    if Counter([a, b]) - rest or (sign == "/" and b == 0):
        return None
    if SIGNS[sign](a, b) != result:
        return None
    return tuple(sorted([*(rest - Counter([a, b])).elements(), result]))


@cache
def propose(numbers, ask):
    """The legal steps among the model's, and what each leaves."""
    reply = ask(PROPOSE + " ".join(map(str, numbers)))
    lines = dict.fromkeys(line.strip() for line in reply.splitlines())
    steps = [(line, take(numbers, line)) for line in lines]
    return [(line, left) for line, left in steps if left]


@cache
def value(numbers, ask):
    """Three verdicts, added up. A single number is 24 or it is not."""
    if len(numbers) == 1:
        return 60 if numbers[0] == 24 else 0.003
    prompt = VALUE + " ".join(map(str, numbers))
    ends = [ask(prompt).split()[-1:] for _ in range(3)]
    words = [word.strip(".*").lower() for end in ends for word in end]
    return fsum(WORTH.get(word, 0) for word in words)


def solve(x, ask, b=5, steps=3):
    """The b best states in the end, each with its steps and numbers."""
    frontier = [([], tuple(sorted(map(Fraction, x.split()))))]  # S_0
    for _ in range(steps):
        candidates = []  # S'_t
        for path, numbers in frontier:
            for line, left in propose(numbers, ask):
                candidates.append(([*path, line], left))
        candidates.sort(key=lambda s: value(s[1], ask), reverse=True)
        frontier = candidates[:b]  # S_t
    return frontier


def written(x, path):
    """The steps of a path as one expression."""
    terms = [(Fraction(number), number) for number in x.split()]

    def used(number):
        worths = [worth for worth, _ in terms]
        return terms.pop(worths.index(Fraction(number)))[1]

    for line in path:
        a, sign, b, _, result = line.split()
        made = f"({used(a)} {sign} {used(b)})"
        terms.append((Fraction(result), made))
    return terms[-1][1]


if __name__ == "__main__":
    from openai import OpenAI

    puzzle, model = sys.argv[1:]
    client = OpenAI()

    def ask(prompt):
        said = [{"role": "user", "content": prompt}]
        how = {"temperature": 0.7, "max_tokens": 200, "stop": ["\n\n"]}
        made = client.chat.completions.create(model=model, messages=said, **how)
        return made.choices[0].message.content or ""

    for path, left in solve(puzzle, ask):
        print("; ".join(path), "->", *left, written(puzzle, path))
