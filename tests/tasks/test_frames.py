"""Whatever stands around an answer, it is read as a person reads it, or not at all. The parts are in frames.toml."""

import random
import re
import tomllib
from itertools import product
from pathlib import Path

import pytest

from tot.parse import number
from tot.tasks.answers import choices_of, exact_match, read_letter, read_number, read_short, read_word, read_yes_no
from tot.tasks.ballots import choice
from tot.tasks.game24_style import VERDICTS, read_verdict
from tot.tasks.scores import score

PARTS = tomllib.loads((Path(__file__).parent / "frames.toml").read_text(encoding="utf-8"))
AT_ONCE = 1500  # of each frame, by chance, but the same ones on every machine
CHOICES = choices_of(
    "What do people open to stay dry in the rain?\nChoices: (A) an envelope (B) a window (C) an umbrella (D) a drawer"
    " (E) a book"
)
SHORT = {  # with a sentence that says it
    "Johanna Spyri": "The author of Heidi is {}",
    "1827": "Johanna Spyri was born in {}",
    "Martin Luther King Jr.": "The speaker was {}",
    "12 June 1827": "She was born on {}",
    "Norway and Sweden": "It lies in {}",
}


def frame(name, *more):
    """Replies of a frame as their parts, with one of each of what ``more`` lists."""
    parts = [PARTS[name].get(part, [""]) for part in ("above", "leads", "forms", "ends")]
    rows = [*map(list, parts), *more]
    chance = random.Random(name)
    return [[chance.choice(row) for row in rows] for _ in range(AT_ONCE)]


def filled(text, **words):
    return re.sub(r"\{(\w*)\}", lambda found: words.get(found[1], found[0]), text)


def joined(above, lead, said, end):
    """The reply; a full stop is not said twice."""
    whole = filled(lead, **{"": said})
    return above + (whole.rstrip(".。") if end[:1] in (",", ".") else whole) + end


def judged(read, most):
    """No reading is another answer, and few replies are unread. ``read``: each reply, its reading, what is right."""
    wrong = [(reply, got) for reply, got, right in read if got not in (right, None)]
    assert len(wrong) <= 0.002 * len(read), wrong[:9]
    assert sum(got is None for _, got, _ in read) <= most * len(read)


def test_a_number():
    read = []
    for _, lead, form, end in frame("number"):
        reply = joined("", lead, form.replace("@", "42") + end, random.Random(end).choice([".", ""]))
        got = read_number(reply).value
        read.append((reply, got and number(got), number("42")))
    judged(read, 0.6)


@pytest.mark.parametrize("bare", [True, False])
def test_yes_or_no(bare):
    read = []
    for above, lead, form, end, right in frame("yes_no", ["yes", "no"]):
        if "json" in lead and re.search(r"[\"\\]", form):
            continue
        words = {"v": right, "V": right.capitalize(), "VV": right.upper(), "other": "no" if right == "yes" else "yes"}
        words |= {"s": f"it could {'not ' * (right == 'no')}be done", "tf": "true" if right == "yes" else "false"}
        reply = joined(filled(above, **words), lead, filled(form, **words), filled(end, **words))
        read.append((reply, read_yes_no(reply, bare).value, right))
    judged(read, 0.2 if bare else 0.25)


@pytest.mark.parametrize("bare", [True, False])
def test_a_letter(bare):
    read = []
    for above, lead, form, end, right in frame("letter", ["C", "A", "E"]):
        letters = re.search(r"(?i)letter|option|choice (?:is|\{)", lead)
        if (letters and "w}" in form.lower()[:5]) or ("json" in lead and re.search(r"[\"\\]", form)):
            continue
        its = CHOICES[right]
        words = {"L": right, "l": right.lower(), "w": its, "W": its.capitalize(), "bare": its.split(" ", 1)[1]}
        reply = joined(above, lead, filled(form, **words), filled(end, **words))
        read.append((reply, read_letter(reply, bare, CHOICES).value, right))
    judged(read, 0.25 if bare else 0.4)  # much stands behind them in these frames


@pytest.mark.parametrize("bare", [True, False])
def test_a_short_answer(bare):
    read = []
    for above, lead, form, end, right in frame("short", [*SHORT]):
        told = form in ("{s}", "{sb}")
        odd = told and re.search(r"(?i)answer (is|to|must|would|we)|réponse|respuesta|Antwort|答|oxed", lead)
        odd = odd or ('"answer":' in lead and re.search(r'["\\]', form)) or ("oxed" in lead and form[0] in "\\$-1")
        odd = odd or (form in ("- {a}", "1. {a}") and not lead.endswith("\n{}")) or (lead == "{}" and above)
        if odd or (form == "the {a}" and right[0].isdigit()) or (not bare and lead in ("{}", "A: {}")):
            continue
        words = {"a": right, "s": SHORT[right].format(right), "sb": SHORT[right].format(f"**{right}**")}
        reply = joined(above, lead, filled(form, **words), filled(end, **words))
        got = read_short(reply, bare).value
        read.append((reply, right if got and exact_match(got, right) else got, right))
    judged(read, 0.05 if bare else 0.2)


@pytest.mark.parametrize("bare", [True, False])
def test_a_word(bare):
    read = []
    for above, lead, form, end, right in frame("word", ["yajo", "au", "nnh", "area"]):
        if ('"answer"' in lead and re.search(r'["\\]', form)) or (lead[:2] == "**" and "*" in form):
            continue
        words = {"w": right, "W": right.capitalize(), "U": right.upper(), "d": "-".join(right), "s": " ".join(right)}
        words["q"] = " ".join(f'"{one}"' for one in right)
        reply = joined(above, lead, filled(form, **words), filled(end, **words))
        read.append((reply, read_word(reply, bare).value, right))
    judged(read, 0.2 if bare else 0.25)


def test_a_verdict():
    other, read = {"sure": "impossible", "likely": "impossible", "impossible": "sure"}, []
    for above, lead, _, end, right in frame("verdict", [*other]):
        reply = joined(above, lead, right, filled(end, other=other[right], self=right))
        read.append((reply, read_verdict(reply).value, VERDICTS[right]))
    judged(read, 0)


def test_a_ballot():
    named, read = {"R": "2", "O": "3", "P": "1"}, []
    for above, lead, _, end in frame("ballot"):
        if "second" not in end:
            reply = re.sub(r"(?<![A-Za-z])[ROP](?![A-Za-z])", lambda one: named[one[0]], joined(above, lead, "", end))
            read.append((reply, choice(reply, 5).value, 1))
    judged(read, 0.02)


@pytest.mark.parametrize("last", [True, False])
def test_a_score(last):
    read = []
    for above, lead, form, end in frame("score"):
        if "<" not in lead and "N: {" not in lead:
            reply = joined(above, lead.replace(": {}}", ': "{}"}') if "/" in form or "%" in form else lead, form, end)
            got = score(reply, last=last).value
            read.append((reply, got and round(got.score, 6), 0.8))
    judged(read, 0.2)


READERS = {"number": read_number, "yes_no": read_yes_no, "short": read_short, "word": read_word}
BARE = dict.fromkeys(READERS | {"letter": 0}, (True, False)) | {"number": (False,)}
READERS["letter"] = lambda reply, bare: read_letter(reply, bare, CHOICES)


@pytest.mark.parametrize("kind", READERS)
def test_what_is_no_answer_is_unread(kind):
    read = [
        reply
        for reply, end, bare in product(PARTS[kind]["none"], ("", ".", ".\n\nPlease tell me more."), BARE[kind])
        if READERS[kind](reply + end, bare).value not in (None, "both")
    ]
    assert len(read) <= 0.1 * len(PARTS[kind]["none"]), read


ROWS = (Path(__file__).parent / "readings.txt").read_text(encoding="utf-8").splitlines()[2:]
BY_KIND = {**READERS, "verdict": read_verdict, "ballot": lambda reply: choice(reply, 5), "score": score}
BY_KIND["last score"] = lambda reply: score(reply, last=True)


GOES_ON = "the reply goes on behind its answer"


@pytest.mark.parametrize("row", ROWS)
def test_what_was_read_otherwise_once(row):
    kind, reply, right = row.split(" | ")
    kind, _, choices = kind.partition(" of ")
    name, reply = kind.removeprefix("bare "), reply.replace("⏎", "\n")
    if name == "letter":
        given = dict(one.split("=") for one in choices.split(";")) if choices else None
        said = [read_letter(reply, bare, given) for bare in (kind != name, True)]
    else:
        read_it, ways = BY_KIND[name], [(kind != name,), (True,)] if name in READERS else [()]
        said = [read_it(reply, *way) for way in ways]
    read = said[-1] if said[0].why == GOES_ON and right != "-" else said[0]  # in a direct answer a sentence may follow
    if right == "-":
        assert not read.ok
    elif name == "verdict":
        assert read.value == VERDICTS[right]
    elif name == "ballot":
        assert read.value == int(right) - 1
    elif "score" in name:
        assert read.value and read.value.score == float(right)
    else:
        assert read.value == right
