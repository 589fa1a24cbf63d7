"""The glossary, the index from the paper to the code and the map of the field name only what exists."""

import inspect
import re
from pathlib import Path
from runpy import run_path

import pytest

import tot
from tools.reference.chapters import find
from tot import cli
from tot.tasks.game24 import Game24

ROOT = Path(__file__).parents[2]
NAMES = ("glossary", "paper_to_code", "field")
PAGES = {name: (ROOT / "book" / f"{name}.md").read_text(encoding="utf-8") for name in NAMES}
KNOBS = {knob for method in tot.METHODS.values() for knob in method.defaults}
CITED = re.compile(r"\{cite\}`[^`]+`|```")
LINES = [(name, CITED.sub("", line)) for name, page in PAGES.items() for line in page.splitlines()]
LINES = [(name, line) for name, line in LINES if "`" in line]


def parts(found):
    """Fields, methods and parameters of an object."""
    names = {*dir(found), *getattr(found, "__annotations__", {})}
    return names | set(inspect.signature(found).parameters) if callable(found) else names


def unknown(line):
    """Code names on a line that mean nothing: neither a name in tot nor a part of one that the same line names."""
    tokens = re.findall(r"`([^`]+)`", line)
    ours = [token for token in tokens if token.startswith(("tot.", "treebook."))]
    objects = [find(token) for token in ours]
    bad = [token for token, found in zip(ours, objects, strict=True) if found is None]
    allowed = {"yield", "best-of-gold", *tot.METHODS, *KNOBS, *Game24().styles, *Game24().splits()}
    for found in objects:
        allowed |= parts(found)
    for token in tokens:
        if token.startswith("tot "):
            words = [*token.split()[1:], "MODEL", "x"] if token.split()[-1].startswith("--") else token.split()[1:]
            bad += [token] * bool(cli._parser(words).parse_known_args([words[0], "game24", *words[1:]])[1])
        elif token not in ours and token not in allowed and not (ROOT / token).exists():
            bad.append(token)
    return bad


@pytest.mark.parametrize("page", PAGES)
def test_every_code_name_exists(page):
    assert {line[:60]: unknown(line) for name, line in LINES if name == page and unknown(line)} == {}


def test_the_detector_sees_a_wrong_name():
    assert unknown("`tot.Stat`, `tot.State`, its `thoughts` and `minds`") == ["tot.Stat", "minds"]
    assert unknown("knob `breadth`, knob `breadht`") == ["breadht"]
    assert unknown("`tot.run`, its `until`; `tot.search.bfs`; `tests/helpers/toys.py`; `tot.methods.planning`") == []
    assert unknown("`tests/toy.py`; `tot solve --evaluator-ml`") == ["tests/toy.py", "tot solve --evaluator-ml"]


def test_each_term_has_a_sentence_and_a_chinese_word():
    terms = re.findall(r"(?m)^(\S.*)\n  (.+)\n\n  (.+)$", PAGES["glossary"])
    assert len(terms) > 50 and len({term for term, _, _ in terms}) == len(terms)
    assert all(sentence.endswith(".") for _, sentence, _ in terms)
    assert all(re.search(r"中文: \S", facts) for _, _, facts in terms)


OTHERWISE = """in-context example: few-shot example; iterative refine: ## refine; to sample thoughts: sample or propose;
to propose thoughts: sample or propose; size limit: $k$; coroutine: is a **generator**; paired comparison: mcnemar's;
weight of a value: verdict by a weight; cumulative tool cost: $g$; final value: $$ f = g - v; living state: alive;
cost propagation: propagate; exploration constant: $c$; visits and mean reward: **visits** $n$; prefix sharing: cache;
backing up rewards: back up; conformance kit: tot.testing"""
OTHERWISE = dict(
    re.findall(r"([^;:]+): ([^;]+)", OTHERWISE.replace(";\n", ";").replace("; ", ";"))
)  # as chapters say it


def unsaid(page):
    """Terms of the glossary of which a chapter that is said to explain them never speaks."""
    for term, facts in re.findall(r"(?m)^(\S.*)\n(?:  .+\n)+\n  (.+)$", page):
        names = [OTHERWISE[term]] if term in OTHERWISE else re.split(r", | \(", re.sub(r"[)*\\]", "", term).lower())
        for chapter in re.findall(r"notebooks/(\w+)\.ipynb", facts):
            text = (ROOT / "notebooks" / f"{chapter}.py").read_text(encoding="utf-8").lower()
            text = text if term in OTHERWISE else re.sub(r"\s+", " ", re.sub(r"\n# ?|[*\\]", " ", text))
            if not any(re.sub(r"(s|y|e|ing|ion)$", "", name) in text for name in names):
                yield term, chapter


def test_a_chapter_speaks_of_the_terms_that_lead_to_it():
    assert list(unsaid(PAGES["glossary"])) == []


def test_the_matrix_of_methods_and_tasks_is_what_the_package_says():
    page = run_path(str(ROOT / "tools" / "matrix.py"))["page"]()
    assert page == (ROOT / "book" / "matrix.md").read_text(encoding="utf-8"), "run: python tools/matrix.py"
    rows = dict(re.findall(r"^\| (`?[\w-]+`?) \| (.*) \|$", page, flags=re.M))
    heads = rows["method"].split(" | ")
    cell = {(m.strip("`"), h): c for m, row in rows.items() for h, c in zip(heads, row.split(" | "), strict=True)}
    assert {m for m, _ in cell} == {*tot.METHODS, "best-of-gold", "method", "---"}
    assert cell["tot-bfs", "`game24`"] == "[6]{.tot-dot}" and "[8]" in cell["tot-dfs", "`crosswords`"]
    assert cell["react", "`hotpotqa`"] == "[12]{.tot-dot}" and cell["react", "`game24`"].startswith("{abbr}`i (")
    assert cell["restarts", "`game24`"] == "[works]{.tot-ring}" and "`c (" in cell["io-refine", "`crosswords`"]
