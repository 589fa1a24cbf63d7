"""A number from 1 to 10 as a state's value: the prompt, its reader, the practice, and the results file."""

import json
import re
from pathlib import Path
from random import Random

import pytest

from studies.figures import holm
from studies.pocket.data import puzzles
from studies.pocket.scalar import NumberMaker, Rated, read_number
from studies.scalar import JUDGES, NUMBERS, SHAPES, WORDS, power
from tot.state import State
from tot.stats import mcnemar, wilson
from tot.tasks.game24 import Game24, numbers_of
from tot.tasks.game24_rules import solvable
from treebook.players.tokens import decode, encode

RESULTS = Path(__file__).parents[2] / "studies" / "results" / "scalar.json"


def test_a_number_is_read_at_the_end_or_not_at_all():
    said = {"10 + 14 = 24. 10": 10, "far off\n 1.": 1, "**7**": 7, "I say 3": 3}
    assert {text: read_number(text).value for text in said} == said
    for text in ("0", "11", "10.5", "7/10 sure", "-", "", "7 of 10, sure", "110"):
        assert read_number(text).value is None, text


def test_the_question_differs_from_the_usual_one_in_words_and_ends_only():
    one, other = Rated().value(State("4 9 10 13")), Game24().value(State("4 9 10 13"))
    assert one.messages[-1] == other.messages[-1] and one.max_tokens == other.max_tokens
    ends = [text.content.split()[-1] for text in one.messages if text.role == "assistant"]
    words = [text.content.split()[-1] for text in other.messages if text.role == "assistant"]
    assert ends == [{"sure": "10", "likely": "5", "impossible": "1"}[word] for word in words]


def test_practice_rates_by_the_nearest_try():
    """Read again what a sequence says: its number is that of its equations, and 10 exactly where they reach 24."""
    maker, seen = NumberMaker(Random(3), own=Random(3).sample(puzzles(), 12)), set()
    for _ in range(150):
        control, asked, reply = maker.number(3)
        ends = [re.findall(r"= (-?[\d/]+)$", part)[0] for part in re.sub(r"\. \d+$", "", reply).split("; ")]
        far = min(abs(float(numbers_of(end)[0] - 24)) for end in ends)
        number = int(reply.split()[-1])
        bands = ((0, 10), (1, 5), (3, 4), (7, 3), (15, 2))
        assert number == next((worth for most, worth in bands if far <= most), 1)
        assert (number == 10) == solvable(numbers_of(asked)) and control == "<judge>"
        assert decode(encode(reply)) == reply
        seen.add(number)
    assert seen >= {10, 4, 1}


def test_the_results_are_what_their_outcomes_say():
    found = json.loads(RESULTS.read_text(encoding="utf-8"))
    solved = {(row["judge"], row["shape"]): row["solved"] for row in found["rows"]}
    assert solved.keys() == {(judge, shape) for judge in JUDGES for shape in SHAPES} and found["n"] == 200
    for row in found["rows"]:
        rate = wilson(row["solved"].count("1"), 200)
        assert row["rate"] == pytest.approx([rate.rate, rate.low, rate.high], abs=1e-4)
    ps = []
    for shape in SHAPES:
        pairs = list(zip(solved[NUMBERS, shape], solved[WORDS, shape], strict=True))
        ps.append(mcnemar(pairs.count(("1", "0")), pairs.count(("0", "1"))))
        assert found["numbers minus"][shape][WORDS]["p"] == pytest.approx(ps[-1])
    assert list(found["Holm"].values()) == pytest.approx(holm(ps)) and found["power"] == power(200)
    assert min(found["Holm"].values()) > 0.05  # "no difference", and the rest that the study's page says of it
    gap = [100 * x for x in found["AUC, numbers minus"][WORDS]]
    page = (RESULTS.parents[2] / "notebooks" / "study_game24.py").read_text(encoding="utf-8")
    assert "by {:.1f} points [{:.1f}, {:.1f}]".format(*gap) in page
    assert all(solved[WORDS, shape] == solved["the same words: 10, 5, 1", shape] for shape in SHAPES)
