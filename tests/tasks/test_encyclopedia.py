"""The small encyclopedia: its form and that of its questions. ``test_hotpotqa`` answers each of them with the tools."""

import operator
import re

import pytest

from tot.tasks.bundled import records_of

ARTICLES, QUESTIONS = records_of("encyclopedia.jsonl"), records_of("encyclopedia_questions.jsonl")
TEXT = {article["title"]: article["text"] for article in ARTICLES}
COMPARISONS = [q for q in QUESTIONS if q["kind"] == "comparison"]
BY_ID = {"ids": lambda q: q["id"]}


def name(title):
    """How a text speaks of the article: without the word in brackets that tells it from its namesakes."""
    return re.sub(r" \(.+\)$", "", title)


least, most = operator.lt, operator.gt
# words that one kind of question has -> what to read in each article, and which of the two values wins
FIRST_WINS = {
    "born earlier": (r"\bborn in .*?(\d{4})", least),
    "died later": (r"\b(?:died|disappeared) .*?(\d{4})", most),
    "is higher": (r"([\d,]+) metres high", most),
    "is longer": (r"about ([\d,]+) kilometres long", most),
    "was opened earlier": (r"\bopened in (\d{4})", least),
    "higher atomic number": (r"the atomic number (\d+)", most),
    "published earlier": (r"\bpublished in (\d{4})", least),
    "longer to go round the Sun": (r"about (\d+) years to go round the Sun", most),
    "first performed earlier": (r"\bfirst performed in \w+ in (\d{4})", least),
    "discovered earlier": (r"\bdiscovered it in (?:\w+ )?(\d{4})", least),
    "discovered before": (r"\bdiscovered it in (\d{4})", least),
    "begun earlier": (r"\b(?:begun in|built between) (\d{4})", least),
}
SAME = {
    "born in the same city": r"\bborn in ([A-Z][\w ]+?) in \d{4}",
    "die in the same city": r"\bdied in ([A-Z][\w ]+?) in \d{4}",
    "born in the same year": r"\bborn in .*?(\d{4})",
    "end in the same sea": r"\bends .*?([A-Z]\w+ Sea)\b",
    "by the same composer": r"\bopera .*?by ([A-Z]\w+ [A-Z]\w+)",
}


def read(pattern, title):
    return re.search(pattern, TEXT[title])[1].replace(",", "")


def decide(question, a, b):
    for words, pattern in SAME.items():
        if words in question:
            return "yes" if read(pattern, a) == read(pattern, b) else "no"
    if "lived longer" in question:
        age = {t: int(read(r"\bdied .*?(\d{4})", t)) - int(read(r"\bborn .*?(\d{4})", t)) for t in (a, b)}
        assert abs(age[a] - age[b]) > 1  # or the months would matter
        return name(max(age, key=age.get))
    [(pattern, wins)] = [rule for words, rule in FIRST_WINS.items() if words in question]
    first, second = int(read(pattern, a)), int(read(pattern, b))
    assert first != second
    if "discovered before" in question:
        return "yes" if wins(first, second) else "no"
    return name(a if wins(first, second) else b)


@pytest.mark.parametrize("q", COMPARISONS, **BY_ID)
def test_the_two_articles_decide_a_comparison(q):
    assert decide(q["question"], *q["supporting"]) == q["answer"]
