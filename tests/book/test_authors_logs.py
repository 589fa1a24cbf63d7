"""book/authors_logs.md and its figures: they are what studies/results/authors.json says, and the sentences hold."""

import json
import re
from importlib.metadata import version
from pathlib import Path
from runpy import run_path

import pytest

ROOT = Path(__file__).parents[2]
TOOL = run_path(str(ROOT / "tools" / "authors.py"))
PAGE = TOOL["PAGE"].read_text(encoding="utf-8")
FOUND = json.loads(TOOL["RESULTS"].read_text(encoding="utf-8"))
LOCKED = dict(re.findall(r"^([\w-]+)==([\w.]+)", (ROOT / "requirements.lock").read_text(encoding="utf-8"), flags=re.M))
STALE = "run: python -m tools.authors"


def test_the_page_is_what_the_stored_figures_say():
    assert TOOL["page"](FOUND) == PAGE, STALE


@pytest.mark.parametrize("name", TOOL["DRAWINGS"])
def test_the_figures_are_those_of_the_stored_figures(name):
    if version("matplotlib") != LOCKED["matplotlib"]:
        pytest.skip("another version of matplotlib draws other paths")
    assert TOOL["drawing"](name, FOUND) == (TOOL["STATIC"] / name).read_text(encoding="utf-8"), STALE


def doctored(value, key=""):
    """The same file with another number in the place of each of ours; what is the paper's stays."""
    if isinstance(value, dict):
        return {k: one if k.startswith("paper") else doctored(one, k) for k, one in value.items()}
    if isinstance(value, list) and len(value) == 3 and all(isinstance(x, float) for x in value):
        return [0.4321, 0.4311, 0.4331]
    return [doctored(one, key) for one in value] if isinstance(value, list) else value


def test_no_rate_is_typed():
    """With other figures in the file, none of the old intervals is left on the page."""
    interval = r"[+-]?\d[\d.]*%? (?:points )?\[[-+\d][^]]+\]"
    assert len(re.findall(interval, PAGE)) > 90
    left = {re.sub(r"[%+\s]|points|\.\d+", "", x) for x in re.findall(interval, TOOL["page"](doctored(FOUND)))}
    assert left <= {"43[43,43]", "0[0,0]"}


def test_there_is_no_text_of_the_logs_on_the_page_or_in_the_file():
    text = json.dumps(FOUND)
    equation = r"\d+ [-+*/] \d+ = "
    assert not re.search(equation, text) and not re.search(equation, PAGE)
    assert max(len(x) for x in re.findall(r'"((?:[^"\\]|\\.)*)"', text)) < 400


def test_the_sentences():
    """Where one of these fails after a new study, the sentence in tools/authors.md.jinja must be written anew."""
    tree, reach, words = FOUND["game24 tree"], FOUND["game24 reach"], FOUND["crosswords tree"]
    picked = tree["selections"]
    assert [one["a duplicate"] for one in picked["not the same"]] == [True]  # "in the other one"
    for name in ("with pruning", "without pruning"):
        states = words[name]["selections"]
        assert states["states"]["count"] == states["states"]["n"] == states["scorers agree"]["count"]  # "on none"
    beam = reach["beam"]
    assert beam["step 1"]["b=8"]["rate"][0] > beam["step 1"]["b=5"]["rate"][2] - 0.1 > beam["step 1"]["b=1"]["rate"][2]
    for step in ("step 2", "step 3"):  # "the three best as often as the fifteen best"
        assert beam[step]["b=3"] == beam[step]["b=15"] == beam[step]["all that was proposed"]
    by_step = [tree["fails"]["by step"][f"step {step}"]["count"] for step in (1, 2, 3, 4)]
    assert by_step[0] > sum(by_step[1:]) and sum(by_step) + tree["fails"]["solved"]["count"] == 100  # "mostly here"
    two, three = (reach["verdicts"][f"{n} numbers left"] for n in ("two", "three"))
    assert two["auc"]["auc"] == [1.0, 1.0, 1.0] and three["auc"]["auc"][1] > 0.5  # "always", "guesses well"
    assert three["dead states called sure at least once"]["rate"][2] < 0.05  # "hardly ever promises too much"
    assert TOOL["between"](three, "dead") > 0.5 > TOOL["between"](three, "living") > 0.2  # "costs more"
    places = {k: v["share of the ballots, by place"] for k, v in FOUND["writing"]["votes"].items() if k != "how"}
    assert places["plans"]["choice 1"]["rate"][2] < 0.2 < places["plans"]["choice 5"]["rate"][1]  # "a habit"
    assert places["passages"]["choice 2"]["rate"][1] > 0.2
    kept = FOUND["writing"]["constraint"]
    assert kept["IO minus CoT"]["p"] < 0.05 < kept["ToT minus CoT"]["p"]  # "less often", "does not win it back"
    for step in ("step 1", "step 2", "step 3"):
        one = reach["steps"][step]
        assert (
            one["at least one line of a reply does"]["rate"][1]
            > one["one of as many moves drawn at random does"]["rate"][2]
        )
        assert one["a line does, mean of puzzles"]["rate"][1] > one["a legal move drawn at random does"]["rate"][0]
    success = tree["success"]
    assert success["right answers below a path with an illegal step"]["count"] == 0  # "wasted"
    low, _, high = success["any of five (checked)"]["rate"][1:2] + [0] + success["any of five (checked)"]["rate"][2:]
    assert low < success["paper"] / 100 < high  # "well within chance"
    assert success["program against GPT-4's own answers"]["only the second"] == 0  # "in ... more puzzles"
    both = words["some state solved, with pruning against without"]
    assert both["p"] > 0.05  # "no clear difference"
    depth = [
        words[f"{name} pruning"]["progress"]["deepest without a wrong letter"]["mean"] for name in ("with", "without")
    ]
    assert depth[0][1] >= depth[1][2]  # "depth in the right place"
    samples = FOUND["game24 samples"]
    for row, cell in (("IO", samples["IO"]), ("CoT", samples["CoT"]), ("CoT-SC (k=100)", samples["CoT-SC (k=100)"])):
        assert round(100 * cell["rate"][0], 1) == samples["paper"][row]  # "as printed"
    for name in ("IO", "CoT"):
        assert (
            100 * samples["best of k (checked)"][name]["k=100"]["rate"][0] == samples["paper"][f"{name}, best of 100"]
        )
        score = FOUND["writing"]["coherence, by GPT-4"]
        assert round(score[name]["score, 1 to 10"]["mean"][0], 2) == score["paper"][name]
        assert samples["length"][name]["our count of tokens / the bill"] == 1.0  # "is what the logs were billed"
    for name, run in (("ToT", "with pruning"), ("+best state", "with pruning"), ("-prune", "without pruning")):
        output = "best state (gold picks)" if name.startswith("+") else "first deepest state"
        mine = words[run]["success"]
        assert {k: round(100 * v["rate"][0], 1) for k, v in mine[output].items()} == mine["paper"][name]


def test_chapter_7_says_what_the_count_says():
    """The chapter prints the rates and tests itself; here its prose is held to them."""
    source = (ROOT / "notebooks" / "07_votes_creative_writing.py").read_text(encoding="utf-8").replace("\n# ", " ")
    shown = (ROOT / "notebooks" / "07_votes_creative_writing.ipynb").read_text(encoding="utf-8")
    kept, votes = FOUND["writing"]["constraint"], FOUND["writing"]["votes"]
    for name in ("IO", "CoT", "ToT"):
        assert f"{kept[name]['kept']['rate'][0]:.0%}" in shown
    assert "keeps the constraint less often when it plans first (CoT)" in source
    assert kept["IO minus CoT"]["difference"][0] > 0 and kept["IO minus CoT"]["p"] < 0.001
    assert "the tree does not make up for it" in source and kept["ToT minus CoT"]["p"] > 0.05
    assert "the winners keep it no more often" in source and kept["chosen minus all five"]["difference"][0] < 0
    assert f"{votes['plans']['unanimous']['count']} of its hundred elections" in source
