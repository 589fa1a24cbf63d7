"""The small encyclopedia: its form and that of its questions. ``test_hotpotqa`` answers each of them with the tools."""

import operator
import re
from collections import Counter

import pytest

from tot.tasks.bundled import records_of

ARTICLES, QUESTIONS = records_of("encyclopedia.jsonl"), records_of("encyclopedia_questions.jsonl")
TEXT = {article["title"]: article["text"] for article in ARTICLES}
COMPARISONS = [q for q in QUESTIONS if q["kind"] == "comparison"]
BY_ID = {"ids": lambda q: q["id"]}


def sentences(text):
    return re.split(r"(?<=[.?!])\s+", text)


def name(title):
    """How a text speaks of the article: without the word in brackets that tells it from its namesakes."""
    return re.sub(r" \(.+\)$", "", title)


def says(text, phrase):
    """Whether the phrase is in the text as whole words, in any case."""
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text, re.IGNORECASE) is not None


def test_an_article_is_short_and_says_what_it_is_about():
    assert len({title.casefold() for title in TEXT}) == len(ARTICLES) > 140
    shared = {each for each, times in Counter(map(name, TEXT)).items() if times > 1}
    assert {"Mercury", "Java"} <= shared and not shared & set(TEXT)  # a search for the bare name finds only their list
    for title, text in TEXT.items():
        assert 60 <= len(text.split()) <= 120 and says(sentences(text)[0], name(title)), title
        assert text == " ".join(text.split()) and not re.search(r"[<>{}\[\]|*_#]|https?:", text), title


@pytest.mark.parametrize("q", QUESTIONS, **BY_ID)
def test_a_question_is_well_formed_and_does_not_give_its_answer_away(q):
    assert set(q) == {"id", "question", "answer", "kind", "supporting", "easy"} and type(q["easy"]) is bool
    assert q["question"].endswith("?") and 1 <= len(q["answer"].split()) <= 4
    assert len(set(q["supporting"])) == len(q["supporting"]) >= 2 and set(q["supporting"]) <= set(TEXT)
    if q["kind"] == "bridge":
        assert not says(q["question"], q["answer"])
        assert len(q["supporting"]) <= 3
    else:
        first, second = (rf"\b{re.escape(name(title))}\b" for title in q["supporting"])
        assert re.search(f"{first}.*{second}", q["question"], re.IGNORECASE)  # in the order of the question
        assert q["answer"] in {"yes", "no", *map(name, q["supporting"])}


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
