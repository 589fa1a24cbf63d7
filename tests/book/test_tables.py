"""book/tables.md, studies/tables and studies/papers.py: one says what the other computes, and nothing is left out."""

import json
import re
from pathlib import Path
from runpy import run_path
from statistics import fmean

import pytest

import tot
from studies import papers, tables
from studies.figures import numbers, of_samples
from studies.plans_pay import power
from studies.tables import tree_of_thoughts
from studies.tables.cells import FEWEST, blank, chosen, compared, difference, verdict
from studies.tables.recordings import CASSETTES, Recordings
from tools import pooled
from tot import stats

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "book" / "tables.md").read_text(encoding="utf-8")
STORED = json.loads(tables.RESULTS.read_text(encoding="utf-8"))
TOOL = run_path(str(ROOT / "tools" / "tables.py"))
PARTS = re.split(r"^### ", PAGE, flags=re.M)[1:]  # each begins with its title
STALE = "run: make tables"


def cells(part):
    """The cells of all tables of a part, heads left out."""
    rows = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("|")]
    return [cell.strip() for row in rows for cell in row[1:]]


# ---------------------------------------------------------------- page, figures and program agree


def test_the_page_is_what_the_stored_figures_say():
    assert TOOL["page"](STORED) == PAGE, STALE


@pytest.fixture(scope="module")
def book():
    return Recordings()


def test_page_and_program_have_the_same_parts():
    assert list(STORED) == list(tables.SECTIONS) == list(TOOL["PARTS"]) and len(PARTS) == len(STORED)


LONG = ("hotpotqa", "tasks", "tool costs", "rollouts", "planning", "roles")  # thousands of searches to replay
SECTIONS = [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in tables.SECTIONS]


@pytest.mark.parametrize("name", SECTIONS)
def test_the_stored_figures_are_what_the_recordings_give(name, book):
    assert json.loads(json.dumps(tables.SECTIONS[name](book))) == STORED[name], STALE


def test_no_figure_of_ours_is_typed():
    """With other figures in the file, none of the old ones is left on the page."""

    def doctored(value):
        if isinstance(value, dict):
            return {key: doctored(one) for key, one in value.items()}
        if isinstance(value, list) and len(value) == 3 and all(isinstance(x, float) for x in value):
            return [0.4321, 0.4311, 0.4331]  # an estimate and its interval
        return [doctored(one) for one in value] if isinstance(value, list) else value

    interval = r"[+-]?\d[\d.]*%? \[[-+\d][^]]+\]"
    assert len(re.findall(interval, PAGE)) > 100
    left = set(re.findall(interval, TOOL["page"](doctored(STORED), others=doctored(pooled.more()))))
    example = "64% [54, 73]"
    assert left == {example, "43% [43, 43]", "0.43 [0.43, 0.43]", "+43 [+43, +43]", "+0.43 [+0.43, +0.43]"}


# ---------------------------------------------------------------- the picture


def test_the_counts_beside_the_picture_are_those_of_the_comparisons():
    counted = [
        (one, name, cell)
        for part in STORED.values()
        for one in part.get("differences", ())
        for name, cell in one["here"].items()
        if name != "SIMULATED" and (one["there"] is not None or "claim" in one)
    ]

    def can_decide(one, cell):
        gap = abs(one["there"] or 0) / 100
        return one["unit"] == "points" and power.found(cell["n"], max(gap, 0.3), gap, 0.05) >= power.POWER

    able = [(name, cell) for one, name, cell in counted if can_decide(one, cell)]
    weak = [(name, cell) for one, name, cell in counted if not can_decide(one, cell)]
    verdicts = [cell["verdict"] for _, cell in able]
    pocket = [sum("pocket" in name for name, _ in part) for part in (able, weak)]
    [words] = re.findall(r"^\*\*In \d.*can decide\*\*:.*", PAGE, flags=re.M)
    assert [int(n) for n in re.findall(r"\d+", words)] == [
        *(len(able), len(counted)),
        *(verdicts.count(said) for said in ("agrees", "the other way round", "cannot tell")),
        *(len(weak), sum(cell["verdict"] == "cannot tell" for _, cell in weak)),
        *(pocket[0], sum(pocket), len(able) - pocket[0], len(counted) - sum(pocket)),
    ]
    assert {TOOL["size"](cell) for _, cell in able if cell["verdict"] == "cannot tell"} == {"excluded"}  # "in each"


def test_the_forest_plot_has_every_comparison_and_leads_to_its_line_and_its_chapter():
    every = [*pooled.rows(STORED, pooled.more())]
    tables = [part.get("differences", ()) for part in STORED.values()]
    assert len(every) == sum(len(one["here"]) for part in (*tables, *pooled.more().values()) for one in part)
    [drawn] = re.findall(r"<table.*</table>", PAGE)
    found = re.findall(
        r'<tr><td><a href="#([\w-]+)">(.*?)</a>.*?/notebooks/(\w+)\.html">.*?--m:([\d.]+)%.*?<td>([a-z ]+)</td></tr>',
        drawn,
    )
    said = [(row.place, pooled.said(row), row.chapter[1], row.verdict, 50 + 50 * row.ours[0]) for row in every]
    at = sorted((*words, verdict, float(middle)) for *words, middle, verdict in found)
    assert [one[:-1] for one in at] == [one[:-1] for one in sorted(said)]
    assert all(abs(a[-1] - b[-1]) < 0.06 for a, b in zip(at, sorted(said), strict=True))
    assert all(PAGE.count(f'<span id="{place}"></span>') == 1 for place, *_ in found)
    assert all((ROOT / "notebooks" / f"{chapter}.py").exists() for _, _, chapter, *_ in found)


# ---------------------------------------------------------------- nothing is left out


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.splitlines()[0])
def test_every_blank_has_a_reason_and_every_reason_a_blank(part):
    blanks = dict(re.findall(r'<abbr title="([^"]+)">–</abbr>(<sup>[a-z]</sup>)', "".join(cells(part))))
    reasons = {text: letter for letter, text in re.findall(r"^- (<sup>[a-z]</sup>) (\w.*\.)$", part, flags=re.M)}
    assert blanks == {re.sub(r"\[(.*?)\]\(.*?\)", r"\1", text): letter for text, letter in reasons.items()}
    assert (
        all(cells(part))
        and not any("<br>" in cell and "n=" not in cell for cell in cells(part))
        and "None" not in part
        and "{" not in re.sub(r"\{cite\}", "", part)
    )


def test_every_table_of_the_papers_is_covered():
    numbered = {
        paper: {f"Table {n}" for n in range(1, most + 1)} for paper, most in zip(papers.PLACES, (8, 1, 4), strict=True)
    }
    assert all(numbered[paper] <= set(places) for paper, places in papers.PLACES.items())
    titles = dict(re.findall(r"^## (.*)\n((?:(?!^## ).*\n)+)", PAGE, flags=re.M))
    for paper, places in papers.PLACES.items():
        headings = "\n".join(re.findall(r"^### (.*)$", next(v for k, v in titles.items() if paper in k), flags=re.M))
        for place in places:  # "Tables 7 and 8" has table 8
            kind, _, number = place.partition(" ")
            assert re.search(rf"{kind}s? (\d+ and )?{number}\b|{kind[1:]} {number}\b", headings), (paper, place)


@pytest.mark.parametrize(
    ("title", "numbers"),
    [
        ("Table 2: Game of 24", papers.GAME24.values()),
        ("Figure 5", [x for pair in papers.COHERENCE.values() for x in pair]),
        ("Table 3: Mini", [x for row in papers.CROSSWORDS.values() for x in row]),
        ("Table 4: zero", [x for row in papers.ZERO_SHOT_TOT.values() for x in row.values()]),
        ("Table 5", [x for row in papers.WEAKER.values() for x in row.values()] + [*papers.SWAP.values()]),
        ("Table 1: exact", [x and round(100 * x) for x in papers.HOTPOTQA.values()]),
        ("Table 1: search", [x for row in papers.MEANS.values() for x in row]),
        ("Table 1: search", [row[2] for row in (*papers.ZERO_SHOT.values(), *papers.COT_PLAN.values())]),
        ("Table 1: search", [row[2] for row in papers.MCTS_PLAN.values()]),
        ("Table 2: rollouts", [x for pair in papers.DEPTH_AND_ROLLOUTS.values() for row in pair for x in row]),
        ("Table 3: one", [row[2] for row in papers.ONE_JUDGE.values()]),
        ("Table 4: who", [row[2] for row in papers.ROLES.values()]),
    ],
)  # fmt: skip
def test_every_number_of_the_paper_stands_in_its_part(title, numbers):
    [part] = [part for part in PARTS if part.startswith(title)]
    shown = {float(n) for cell in cells(part) for n in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?=%|<|$)", cell)}
    assert {x for x in numbers if x is not None} <= shown


def test_links_to_the_errata_lead_somewhere():
    errata = (ROOT / "book" / "errata.md").read_text(encoding="utf-8")
    titles = re.findall(r"^### (.*)$", errata, flags=re.M)
    anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
    linked = set(re.findall(r"\(errata\.md#([^)]*)\)", PAGE))
    assert len(linked) >= 9 and linked <= anchors
    assert all((ROOT / "book" / path).exists() for path in re.findall(r"\((\.\./[^)#]*|\w+\.md)", PAGE))


# ---------------------------------------------------------------- what the sentences say


def found(section, row, column):
    return STORED[section]["rows"][row][column]


def said(section, what):
    [one] = [one for one in STORED[section]["differences"] if one["what"] == what]
    return {name: here["verdict"] for name, here in one["here"].items()}


def test_the_sentences_below_the_tables():
    """Where one of these fails after a new recording, the sentence in tools/tables.md.jinja must be written anew."""
    breadth = said("game24", "ToT b=5 minus ToT b=1")
    assert breadth["pocket model, helped"] == "cannot tell"  # "a narrow beam loses little"
    ways = {way: cell["pocket model"]["rate"][0] for way, cell in STORED["game24"]["help"].items()}
    assert ways["helped"] == found("game24", "ToT b=5", "pocket model")["rate"][0] > ways["no help, any of five"]
    study = json.loads((ROOT / "studies" / "results" / "game24_pocket.json").read_text(encoding="utf-8"))
    assert not any(kind["valued"] for kind in study["help"]["single numbers"].values())  # "chosen among ties"
    shares = (
        found("lost", "CoT, lost at step 1", "pocket model")["share"],
        found("lost", "CoT, lost at step 1", "recorded model")["rate"][0],
    )
    assert min(shares) > 0.5  # "most chains"
    more = STORED["coherence"]["more"]
    wins, losses, ties = map(int, more["pairs"]["recorded model"]["text"].split(" / "))
    assert float(more["spread"]["recorded model"]["text"]) > 2 * papers.SPREAD and ties > wins + losses  # "a poor one"
    words = {
        row: sides["SIMULATED"]["parts"]["words"][0]
        for row, sides in STORED["crosswords"]["SIMULATED"].items()
        if row != "CoT"
    }
    assert words["-backtrack"] > words["-prune"]  # "not the worst row"
    ours = [found("questions", f"StrategyQA, {row}", "our questions")["rate"][0] for row in ("IO", "CoT", "ToT")]
    assert max(ours) <= 0.5  # "nothing is above a coin"
    costs = {one["what"]: one["here"]["pocket models"]["difference"][0] for one in STORED["weaker"]["differences"]}
    assert costs["a weaker generator costs"] > 2 * costs["a weaker evaluator costs"]  # "bottleneck"
    written, read = found("bills", "Game of 24, ToT", "recorded model")["tokens"]
    assert read > written and min(STORED["bills"]["times"].values()) > 5  # "reads more", "many chains"
    asked = {row: columns["easy"]["rate"][0] for row, columns in STORED["hotpotqa"]["rows"].items()}
    retrieved = asked.pop("retrieve, then read")
    assert retrieved > max(asked.values())  # "ahead of all its searches"
    assert found("planning", "CoT Plan", "recorded model")["rate"][0] > papers.COT_PLAN["1.5B"][2] / 100  # "higher"
    assert {row["recorded model"].get("text") for row in STORED["long word"]["rows"].values()} - {None}


def test_the_tree_whose_end_a_practised_copy_judges_is_that_of_its_results_file():
    own, study = (
        json.loads((tables.RESULTS.parent / f"{name}.json").read_text()) for name in ("alone", "game24_pocket")
    )
    assert [problem.x for problem in tot.task("game24").problems("hard")] == study["puzzles"]  # both in this order
    finished = [cell for cell in own["hard"]["cells"] if (cell["generator"], cell["proposals"]) == ("final", 1)]
    narrow, wide = (list(map(int, cell["solved"])) for cell in sorted(finished, key=lambda cell: cell["breadth"]))
    [way] = [way for way in STORED["game24"]["help"] if "copy" in way]
    assert STORED["game24"]["help"][way]["pocket model"]["rate"] == numbers(stats.wilson(sum(wide), 100))
    chains = [n / 100 for n in study["right of 100"]["CoT"]]
    rivals = {"CoT": chains, "CoT-SC (k=100)": study["solved"]["cot-sc"], "ToT b=1": narrow}
    rivals["CoT, best of 100"] = [float(n > 0) for n in chains]
    for rival, theirs in rivals.items():
        gaps = [a - b for a, b in zip(wide, theirs, strict=True)]
        [row] = [one for one in STORED["game24"]["differences"] if one["what"] == f"ToT b=5 minus {rival}"]
        here = row["here"][f"pocket model, {way}"]
        assert here["difference"][0] == pytest.approx(fmean(gaps), abs=1e-4)
        clear = "agrees" if fmean(gaps) > 0 else "the other way round"  # the paper's trees are ahead of all four
        assert here["verdict"] == (clear if stats.sign_flips(gaps) < 0.05 else "cannot tell")


# ---------------------------------------------------------------- the parts of the program


def values(*numbers):
    return {str(i): n for i, n in enumerate(numbers)}


def test_a_verdict_asks_the_sign_of_the_paper_and_a_test_of_ours():
    ten, none = values(*[1.0] * 10), values(*[0.0] * 10)
    assert compared(ten, none, 3.0)["verdict"] == "agrees"
    assert compared(none, ten, 3.0) == {"difference": [-1.0, -1.0, -1.0], "n": 10, "verdict": "the other way round"}
    assert compared(ten, none, 0)["verdict"] == "clear here"
    assert compared(ten, ten, 3.0)["verdict"] == "cannot tell"
    one_apart = values(*[1.0] * 5, *[0.0] * 5)
    assert compared(one_apart, none, 3.0)["verdict"] == "cannot tell"  # five to none: p = 0.0625, though above 0
    assert compared(values(*[0.5] * 5, *[0.4] * 5), none, 1.0)["verdict"] == "agrees"  # no counts
    few = values(*[0.5] * (FEWEST - 1))
    assert compared(few, none, 1.0)["verdict"] == "cannot tell" and compared({}, ten, 1.0) is None
    assert verdict(-1, -0.2, clear=True) == "agrees"


def test_a_second_verdict_is_about_the_size_where_the_paper_has_a_figure():
    a, b = values(*[1.0] * 6, *[0.0] * 34), values(*[0.0] * 34, *[1.0] * 6)  # six to six
    [small, large] = (difference("a minus b", there, {"x": (a, b)})["here"]["x"] for there in (10.0, 42.0))
    size = TOOL["size"]
    assert size(small) == "fits" and size(large) == "excluded"  # though the sign cannot be told
    assert small["verdict"] == large["verdict"] == "cannot tell"
    assert size(difference("a minus b", None, {"x": (a, b)}, claim=1)["here"]["x"]) == ""
    scores = difference("a minus b", 0.6, {"x": ({"1": 9.0, "2": 1.0}, {"1": 1.0, "2": 9.0})}, "points of the score")
    assert size(scores["here"]["x"]) == "fits"


def test_the_sizes_are_counted():
    said, listed = TOOL["verdicts"](STORED), "\n".join(re.findall("^- .*; .*, n=.*$", PAGE, flags=re.M))
    for word in ("fits", "excluded"):
        assert said[word] == listed.count(f"*theirs {word}*") and f"**{word} in {said[word]}**" in PAGE
    assert said["fits"] + said["excluded"] + said["no figure"] == said["all"]
    assert 0 < said["excluded of all"] <= said["excluded"]


def test_a_difference_takes_the_problems_that_both_have():
    a, b = {"x": 1.0, "y": 0.0}, {"y": 1.0, "z": 1.0}
    assert difference("a minus b", 1.0, {"here": (a, b)})["here"]["here"]["n"] == 1
    assert difference("a minus b", None, {"here": (a, {})}, claim=-1) == {
        "what": "a minus b",
        "there": None,
        "claim": -1,
        "unit": "points",
        "here": {},
    }


def test_an_interval_has_a_width_where_all_agree():
    assert of_samples([[0.0, 0.0]] * 8)[2] > 0.3 and of_samples([[1.0]] * 8)[1] < 0.7
    assert of_samples([[1.0, 0.0], [0.0, 0.0]])[0] == 0.25


def test_recordings_of_two_models_are_not_compared_as_one(tmp_path):
    for chapter, model in (("09", "new"), ("14", "old")):
        with tot.Cassette(tmp_path / f"{chapter}.jsonl", tot.Scripted(["x"], model)) as cassette:
            cassette([tot.user("a")])
    with pytest.raises(SystemExit, match=r"09.jsonl of new, 14.jsonl of old"):
        tables.compute(Recordings(tmp_path))


def test_a_row_counts_only_if_all_problems_of_its_plan_replay(tmp_path):
    lines = (CASSETTES / "03.jsonl").read_text(encoding="utf-8").splitlines()
    (tmp_path / "03.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    whole = Recordings(tmp_path)
    io = whole.whole("03", "io")
    assert len(io) == 40 and whole.whole("03", "io") == io and whole.source("03")["dates"]
    assert set(chosen(whole.again(io[:3], "03", "io", k=2))) == {s.problem for s in io[:3]}
    (tmp_path / "03.jsonl").write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")  # a sample of the last problem
    less = Recordings(tmp_path)
    assert less.whole("03", "io") == [] and less.whole("04", "cot") == []
    section = tables.SECTIONS["game24"](less)
    assert section["rows"]["IO"]["recorded model"] == blank("recording")
    assert "Not recorded yet" in TOOL["page"]({**STORED, "game24": section | {"source": STORED["game24"]["source"]}})


def test_results_of_another_model_do_not_stand_under_the_recorded_models_name(monkeypatch):
    read = tree_of_thoughts.read
    new = {"heart.json": lambda held: held | {"model": ["new"]}}
    new["benchmark_samples.json"] = lambda held: held | {"gsm8k": {"io": held["gsm8k"]["io"] | {"model": "new"}}}
    monkeypatch.setattr(tree_of_thoughts, "read", lambda path: new.get(path.name, dict)(read(path)))
    game24, questions = (tables.SECTIONS[name](Recordings()) for name in ("game24", "questions"))
    assert tree_of_thoughts.LONG not in str(game24["differences"]) and {
        cell["blank"] for row in game24["again"].values() for cell in row.values()
    } == {"recording"}
    assert questions["rows"]["GSM8K, IO"]["public sample"] == blank("public")
    kept = STORED["questions"]["rows"]["StrategyQA, IO"]["public sample"]
    assert questions["rows"]["StrategyQA, IO"]["public sample"] == kept
    assert "Not recorded yet" in TOOL["page"]({**STORED, "game24": game24, "questions": questions})
    (book := Recordings()).tape("09").settings = {"top_p": 0.9}  # as a model that has settings
    new["benchmark_samples.json"] = lambda held: {
        task: {name: one | {"model": f"{one['model']} (top_p=0.9)"} for name, one in every.items()}
        for task, every in held.items()
    }
    assert tables.SECTIONS["questions"](book)["rows"]["StrategyQA, IO"]["public sample"] == kept
