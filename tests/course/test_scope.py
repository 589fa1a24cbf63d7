"""Whose name is whose, cell by cell."""

from course.scope import Scope, mark

GIVEN, SEEN, SEEN_TOO, HIDDEN, HIDDEN_TOO = cells = {
    "from math import floor, inf\nclass Tree: pass": "given",
    "tree = 'of the test'; assert helped() == 'tree, of the test'": "test",
    "tree += ', later'": "test",
    "other = tree; limit = inf; assert helped() == 'tree, of the student'": "hidden",
    "assert (other, limit, sum([floor(2.5)])) == ('of the test, later', inf, 2)": "hidden",
}
STUDENT = "tree = 'of the student'\ndef helped(): return 'tree, ' + tree"
SPOILS = "other = sum = 1\nfloor = lambda number: 3"


def play(*sources):
    """The student's names after these cells."""
    names = {"__name__": "__main__"}
    scope = Scope(names, {mark(source): role for source, role in cells.items()})
    for source in sources:
        exec(source, scope.enter(source))
    scope.enter("")
    return names


def test_neither_side_replaces_what_the_other_leans_on():
    names = play(GIVEN, STUDENT, SEEN, SEEN_TOO, HIDDEN, SPOILS, HIDDEN_TOO)
    assert names["tree"] == "of the student" and names["other"] == 1 and "limit" not in names


def test_a_visible_test_leaves_what_it_makes_as_at_home():
    names = play(GIVEN, STUDENT.partition("\n")[2], SEEN, "mine = tree", SEEN_TOO)
    assert names["mine"] == "of the test" and names["tree"] == "of the test, later"


def test_a_given_class_may_be_extended():
    more = "class Tree(Tree): kids = ()"
    hidden = "assert Tree.kids == ()"
    cells[hidden] = "hidden"
    play(GIVEN, more, hidden)
