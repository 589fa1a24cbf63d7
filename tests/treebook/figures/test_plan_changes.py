"""What a revision changed in a plan: by hand, by properties, and with hostile text."""

import pytest
from growth import read_in_step
from hypothesis import given
from hypothesis import strategies as st

from tot.testing import NASTY
from treebook.figures.plan_changes import plan_diff

OLD = "1. Find the cost of the notebooks.\n2. Find the cost of the pencils.\n3. Subtract the total from $100."

NEW = "1. Count the things.\n2. find the cost of the notebooks\n3. Subtract the sum of both costs from $100.\n4. Check."


def kinds(diff):
    return [(change.kind, " ".join(text for _, text in change.words)) for change in diff.changes]


def test_by_hand():
    diff = plan_diff(OLD, NEW, title="0.0 became 0.0.1", feedback="logic 0.5: vague\nfeasibility 1")
    assert str(diff).split("\n") == [
        "0.0 became 0.0.1",
        "  judges   logic 0.5: vague",
        "  judges   feasibility 1",
        "+ added    Count the things.",
        "  kept     find the cost of the notebooks",
        "- dropped  Find the cost of the pencils.",
        "~ changed  Subtract the [-total-] {+sum of both costs+} from $100.",
        "+ added    Check.",
    ]


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("", "", []),
        ("A b c.", "A b c", [("kept", "A b c")]),
        ("1. Add. 2. Divide.", "- Add\n- **Divide**", [("kept", "Add"), ("kept", "Divide")]),
        ("Step 1: Add 3 and 4.", "1) Add 3 and 4.", [("kept", "Add 3 and 4.")]),
        ("Add 3.5 and 4.", "Add 3.5 and 5.", [("changed", "Add 3.5 and 4. 5.")]),
        ("Add.\nDivide.", "Divide.\nAdd.", [("added", "Divide."), ("kept", "Add."), ("dropped", "Divide.")]),
        ("**1. Add.**", "3.5 plus 4", [("dropped", "Add."), ("added", "3.5 plus 4")]),
        ("Add.", "", [("dropped", "Add.")]),
        ("one two", "three four", [("dropped", "one two"), ("added", "three four")]),
    ],
)
def test_steps(before, after, found):
    assert kinds(plan_diff(before, after)) == found


WORD = st.sampled_from(["add", "the", "sum", "of", "all", "3", "apples"])

STEPS = st.lists(st.lists(WORD, min_size=1, max_size=6), max_size=6)


def written(steps):
    return "\n".join(f"{i}. {' '.join(step)}" for i, step in enumerate(steps, 1))


@given(STEPS, STEPS)
def test_both_plans_can_be_read_from_it(old, new):
    changes = plan_diff(written(old), written(new)).changes
    for steps, without in ((old, "added"), (new, "dropped")):
        mine = [[text for kind, text in c.words if kind != without] for c in changes if c.kind != without]
        assert [" ".join(words) for words in mine] == [" ".join(step) for step in steps]


def test_the_page_says_in_words_what_colours_say_and_is_escaped():
    page = plan_diff(OLD, NEW + "\n5. <script>alert(1)</script>", title='"><b>', feedback="<i>")._repr_html_()
    assert "<script>" not in page and "<i>" not in page and "&lt;script&gt;" in page and "<b>kept</b>" in page
    assert "<del>total</del> <ins>sum of both costs</ins>" in page and 'role="group"' in page
    assert page.count("<div") == page.count("</div>") == 1 and page.count("<li") == page.count("</li>") == 6


@pytest.mark.parametrize("text", [*NASTY, "1. a b\n" * 50_000, "word " * 100_000])
def test_hostile_plans_are_compared_in_step_with_their_length(text):
    def compare(text):
        diff = plan_diff(text, text[::-1])
        return diff._repr_html_() + str(diff)

    read_in_step(compare, text)
    page = compare(text)
    assert len(page) < 60_000
    assert "\x1b" not in page and "\u202e" not in page
