"""The small encyclopedia: its form, and that each question can be answered from it by searches and look-ups alone."""

import json
import re
import sqlite3
from collections import Counter
from importlib.resources import files

import pytest

FOLDER = files("tot") / "tasks"


def lines(name):
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


ARTICLES, QUESTIONS = lines("encyclopedia.jsonl"), lines("encyclopedia_questions.jsonl")
TEXT = {article["title"]: article["text"] for article in ARTICLES}
BRIDGES = [q for q in QUESTIONS if q["kind"] == "bridge"]
COMPARISONS = [q for q in QUESTIONS if q["kind"] == "comparison"]
BY_ID = {"argvalues": QUESTIONS, "ids": lambda q: q["id"]}


def sentences(text):
    return re.split(r"(?<=[.?!])\s+", text)


def name(title):
    """How a text speaks of the article: without the word in brackets that tells it from its namesakes."""
    return re.sub(r" \(.+\)$", "", title)


def says(text, phrase):
    """Whether the phrase is in the text as whole words, in any case."""
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text, re.IGNORECASE) is not None


def links(title):
    return {other for other in TEXT if name(other) != name(title) and says(TEXT[title], name(other))}


# ---------------------------------------------------------------- the articles

AGES = r"currently|today|now|nowadays|recently|at present|modern-day|this year|last year|is still alive"


def test_the_articles_are_about_150_and_each_title_is_there_once():
    assert 140 <= len(ARTICLES) <= 165
    assert all(set(article) == {"title", "text"} for article in ARTICLES)
    assert len({title.casefold() for title in TEXT}) == len(ARTICLES)


@pytest.mark.parametrize("title", TEXT)
def test_an_article_is_short_plain_and_does_not_age(title):
    text = TEXT[title]
    assert 60 <= len(text.split()) <= 120 and 3 <= len(sentences(text)) <= 6
    assert says(sentences(text)[0], name(title)) and text.endswith(".")
    assert title == title.strip() and text == " ".join(text.split()) and not re.search(r"[<>{}\[\]|*_#]|https?:", text)
    assert not re.search(rf"\b(?:{AGES})\b", text, re.IGNORECASE)


@pytest.mark.parametrize(
    "title", [t for t in TEXT if re.search(r"^(?:He|She|\w+ \w+) was born", sentences(TEXT[t])[1])]
)
def test_nobody_in_it_is_alive(title):
    born = int(re.search(r"\bborn .*?(\d{4})", TEXT[title])[1])
    died = re.search(r"\b(?:died|killed|beheaded|disappeared) .*?(\d{4})", TEXT[title])
    assert (5 < int(died[1]) - born < 105) if died else born < 1800


def test_the_articles_are_a_web():
    """Each leads to another one, two or more in the mean, and from any article one comes to most of the others."""
    to = {title: links(title) for title in TEXT}
    assert all(to.values()), [title for title in to if not to[title]]
    assert sum(map(len, to.values())) >= 2.25 * len(to)
    both_ways = {title: to[title] | {other for other in to if title in to[other]} for title in to}
    reached, ahead = set(), ["Napoleon"]
    while ahead:
        title = ahead.pop()
        if title not in reached:
            reached.add(title)
            ahead += both_ways[title]
    assert len(reached) >= 0.95 * len(TEXT)


def test_some_titles_are_alike_on_purpose():
    alike = Counter(map(name, TEXT))
    shared = {each for each, times in alike.items() if times > 1}
    assert {"Mercury", "Ceres", "Java", "David", "Peer Gynt", "Guernica", "Kiwi", "Crane"} <= shared
    assert not shared & set(TEXT)  # a search for the bare name finds none of them, only their list
    asked = {name(title) for q in QUESTIONS for title in q["supporting"]}
    assert len(shared & asked) >= 5


# ---------------------------------------------------------------- the questions


def test_sixty_questions_a_third_comparisons_a_third_easy():
    assert [q["id"] for q in QUESTIONS] == [f"e{i:02}" for i in range(1, 61)]
    assert len({q["question"] for q in QUESTIONS}) == 60
    assert len(BRIDGES) == 40 and len(COMPARISONS) == 20
    assert sum(q["easy"] for q in BRIDGES) == 13 and sum(q["easy"] for q in COMPARISONS) == 7
    for start in range(0, 60, 15):  # so the first n are a fair sample
        part = QUESTIONS[start : start + 15]
        assert sum(q["kind"] == "bridge" for q in part) == 10 and 4 <= sum(q["easy"] for q in part) <= 6


@pytest.mark.parametrize("q", **BY_ID)
def test_a_question_is_well_formed_and_does_not_give_its_answer_away(q):
    assert set(q) == {"id", "question", "answer", "kind", "supporting", "easy"} and type(q["easy"]) is bool
    assert q["question"].endswith("?") and q["answer"] == q["answer"].strip() and 1 <= len(q["answer"].split()) <= 4
    assert len(set(q["supporting"])) == len(q["supporting"]) >= 2 and set(q["supporting"]) <= set(TEXT)
    if q["kind"] == "bridge":
        assert not says(q["question"], q["answer"])
        assert len(q["supporting"]) <= 3
    else:
        first, second = (rf"\b{re.escape(name(title))}\b" for title in q["supporting"])
        assert re.search(f"{first}.*{second}", q["question"], re.IGNORECASE)  # in the order of the question
        assert q["answer"] in {"yes", "no", *map(name, q["supporting"])}


# ---------------------------------------------------------------- an agent that only searches and looks up

WORD = re.compile(r"\w{4,}")
COMMON = {"born", "city", "from", "have", "into", "name", "named", "that", "they", "this", "town", "what", "when"} | {
    *("where", "which", "whom", "whose", "with", "year", "island", "first", "about", "called")
}


@pytest.fixture(scope="module")
def find():
    """Titles for a text, best first: a full-text search as any backend has it, here SQLite's FTS5."""
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE articles USING fts5(title, text)")
    base.executemany("INSERT INTO articles VALUES (?, ?)", TEXT.items())

    def titles(text, most=5):
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", text))
        rows = base.execute("SELECT title FROM articles WHERE articles MATCH ? ORDER BY rank LIMIT ?", (words, most))
        return [title for (title,) in rows]

    yield titles
    base.close()


def seen(title, question):
    """What one reads of an article: its first two sentences, and those that contain a word of the question."""
    first, second, *rest = sentences(TEXT[title])
    words = [word for word in WORD.findall(question) if word.lower() not in COMMON]
    found = [sentence for sentence in rest if any(word.lower() in sentence.lower() for word in words)]
    return " ".join([first, second, *found])


@pytest.mark.parametrize("q", BRIDGES, ids=lambda q: q["id"])
def test_the_bridge_can_be_walked_and_only_by_walking_it(q, find):
    start, *ahead = q["supporting"]
    assert says(q["question"], name(start)) or start in find(q["question"])
    at = start
    for title in ahead:
        assert says(seen(at, q["question"]), name(title)), (at, title)
        assert not says(q["question"], name(title))
        assert not says(TEXT[at], q["answer"])  # so there is no shorter way
        at = title
    assert says(seen(at, q["question"]), q["answer"]) and q["answer"] in TEXT[at]


@pytest.mark.parametrize("q", [q for q in QUESTIONS if q["easy"]], ids=lambda q: q["id"])
def test_an_easy_question_needs_two_short_hops(q):
    start, end = q["supporting"]
    assert says(q["question"], name(start)) and len(q["answer"].split()) <= 3
    if q["kind"] == "bridge":
        assert name(end) in " ".join(sentences(TEXT[start])[:3])
        assert q["answer"] in " ".join(sentences(TEXT[end])[:3])
    else:
        assert " same " in q["question"] or q["answer"] in TEXT


# ---------------------------------------------------------------- comparisons, from the two texts alone


def least(a, b):
    return a < b


def most(a, b):
    return a > b


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


@pytest.mark.parametrize("q", COMPARISONS, ids=lambda q: q["id"])
def test_the_two_articles_decide_a_comparison(q):
    assert decide(q["question"], *q["supporting"]) == q["answer"]


def test_no_answer_of_a_comparison_is_a_good_guess():
    """Neither yes nor no, neither the first nor the second thing named is right much more often than the other."""
    yes_no = Counter(q["answer"] for q in COMPARISONS if q["answer"] in ("yes", "no"))
    assert min(yes_no["yes"], yes_no["no"]) >= 3
    chosen = [q for q in COMPARISONS if q["answer"] not in yes_no]
    first = sum(q["answer"] == name(q["supporting"][0]) for q in chosen)
    assert 5 <= first <= len(chosen) - 5
