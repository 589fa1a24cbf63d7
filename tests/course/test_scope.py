"""Whose name is whose, cell by cell."""

from course.scope import Scope, mark

GIVEN, SEEN, SEEN_TOO, HIDDEN, HIDDEN_TOO, LOOKS, LOOKED = cells = {
    "from math import floor, inf\nclass Tree: pass": "given",
    "tree = 'of the test'; assert helped() == 'tree, of the student'": "test",
    "tree += ', later'": "test",
    "other = tree; limit = inf; assert helped() == 'tree, of the student'": "hidden",
    "assert (other, limit, sum([floor(2.5)])) == ('of the test, later', inf, 2)": "hidden",
    "def look(): return asked(Tree)": "test",
    "assert look() == ()": "hidden",
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
    names = play(GIVEN, "def helped(): return 'tree, of the student'", SEEN, "mine = tree", SEEN_TOO)
    assert names["mine"] == "of the test" and names["tree"] == "of the test, later"


def test_what_a_student_redefines_is_what_is_tested():
    play(
        GIVEN,
        "def asked(tree): return None",
        LOOKS,
        "class Tree(Tree): kids = ()",
        "def asked(tree): return tree.kids",
        LOOKED,
    )


def test_what_a_student_has_imported_before_is_the_assignments_where_it_imports_it():
    play("from math import floor, inf", GIVEN, STUDENT, SEEN, "floor = inf = 3", SEEN_TOO, HIDDEN, SPOILS, HIDDEN_TOO)
