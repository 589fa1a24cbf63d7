"""The study of one claim: what is played and counted, by hand, with a scripted model; and its rule for n."""

import json
from shutil import copytree
from statistics import fmean

import pytest

import tot
from studies import claim
from studies.figures import against, holm, read
from studies.plans_pay.power import found as mcnemar_power
from tot.experiments import read_results
from tot.stats import sign_flips

NAME = "Test-0.5B-Instruct"
GOLD = {p.x: p.gold for name in claim.SETS for part in claim.problems(name) for p in part}


def player(request, i):
    """Plan 0 and plans of revisions are wrong, other plans right; a judge likes every plan as well; chains are right
    every other time, short ones two times of three.
    """
    text = request.messages[-1].content
    x = text.removeprefix("Question: ").split("\n\n", 1)[0]
    if "Score: N" in text:
        return "It would do.\nScore: 0.5"
    if "Carry out the plan" in text:
        return f"So it is. The answer is {GOLD[x] if 'well' in text else 'minus 1: -1'}"
    if "Write a plan" in text or "better plan" in text:
        return f"1. Begin {'well' if i and 'Plan:' not in text else 'badly'}, way {i} of {len(text)}."
    if "60 words" in text:
        return f"The answer is {GOLD[x] if i % 3 else 7000}"
    return f"The answer is {GOLD[x] if i % 2 else 8000 + i}"


SMALL = {"PILOT": 3, "LEAST": 2, "MOST": 4, "TRIES": 1}


@pytest.fixture
def small(monkeypatch):
    for name, value in SMALL.items():
        monkeypatch.setattr(claim, name, value)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("claim")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SMALL.items():
            patch.setattr(claim, name, value)
        claim.record(tot.Scripted(player, name=NAME), folder)
    return folder


@pytest.fixture
def played(small, recorded, tmp_path):
    return copytree(recorded, tmp_path, dirs_exist_ok=True)


def lines_of(folder):
    return read_results(folder / f"{NAME}.lines.jsonl")


def test_what_each_arm_solved_is_counted(played):
    lines, (pilot, main) = lines_of(played), claim.problems("multiarith")
    for chosen in (pilot, main):
        found, n = claim.columns(lines, chosen), len(chosen)
        assert found["tree"] == [0] * n, "it carries out the first plan, or a revision"
        assert found["plan"] == found["short plan"] == [0.8] * n, "four of five plans"
        assert found["short tree"] == [0] * n and found["short plan, samples"] == [10] * n
        assert found["chain, one"] == [0.5] * n and found["chain"] == [1] * n
        chains = [line for line in lines if (line["method"], line["params"]["style"]) == ("zero-shot-cot", "")]
        share = [sum(line["corrects"]) / line["params"]["k"] for line in chains]
        assert found["vote"] == [1] * n and set(found["vote, one"]) <= {round(s, 6) for s in share}
        assert found["chain, samples"] == [claim.CHAINS] * n
        assert all(found[f"{arm}, failed"] == [0] * n for arm in claim.ARMS.values())


def test_it_goes_on_where_it_stopped_and_asks_nothing_twice(played):
    file, samples = played / f"{NAME}.lines.jsonl", played / f"{NAME}.samples.jsonl"
    whole, said = lines_of(played), samples.read_bytes()
    file.write_text("".join(f"{json.dumps(line)}\n" for line in whole[:-5]) + json.dumps(whole[-5])[:20])
    lm = tot.Scripted(player, name=NAME)
    claim.record(lm, played)
    assert sorted(map(json.dumps, lines_of(played))) == sorted(map(json.dumps, whole))
    assert samples.read_bytes() == said and not lm.requests


def test_the_report_says_what_was_played(played):
    found = claim.report(played)
    about = found["models"][NAME]
    for name, of in about["sets"].items():
        assert of["n"] == 4 and of["claimed"] == pytest.approx(claim.claimed(NAME)[name] / 100)
        assert of["rates"]["tree"][0] == 0 and of["rates"]["plan"][0] == 0.8
        assert of["gains"]["plan"]["difference"] == [-0.8, -0.8, -0.8] and of["gains"]["vote"]["alone"] == [0, 4]
        assert of["of the failures"][0] == pytest.approx(-4), "of 0.2 that one plan fails it fails 0.8 more"
        assert sum(n for _, n in of["by story"].values()) == 4
        assert of["gains"]["plan"]["p"] == 0.125 and of["gains"]["plan"]["p, Holm"] == 0.5
        assert of["gains"]["plan"]["p of theirs"] < 0.05
    assert about["design"] == json.loads((played / f"{NAME}.design.json").read_text())
    assert set(about["sha256"]) == {f"{NAME}.samples.jsonl", f"{NAME}.lines.jsonl"}


def test_the_headline_is_what_the_stored_outcomes_say():
    gains = []
    for name, about in read(claim.RESULTS)["models"].items():
        for task, of in about["sets"].items():
            right, theirs = of["problems"], claim.claimed(name)[task] / 100
            assert {len(values) for values in right.values()} == {of["n"]} == {about["design"][task]["n"]}
            assert about["design"][task]["votes"] == claim.VOTES, "a column of book/tables.md is named after them"
            assert all(rate[0] == pytest.approx(fmean(right[arm]), abs=1e-4) for arm, rate in of["rates"].items())
            assert of["room"]["p of theirs"] == pytest.approx(against([1 - x for x in right["plan"]], theirs))
            if "gains" in of:
                gaps = [a - b for a, b in zip(right["tree"], right["plan"], strict=True)]
                gains.append(of["gains"]["plan"])
                assert gains[-1]["difference"][0] == pytest.approx(fmean(gaps), abs=1e-4)
                assert gains[-1]["p"] == pytest.approx(sign_flips(gaps))
                assert gains[-1]["p of theirs"] == pytest.approx(against(gaps, theirs))
    assert gains
    for p in ("p", "p of theirs"):
        all_four = [gain[p] for gain in gains] + [1.0] * (4 - len(gains))
        assert [gain[f"{p}, Holm"] for gain in gains] == pytest.approx(holm(all_four)[: len(gains)])


def pilot(gaps, tokens=1000):
    n = len(gaps)
    columns = {"tree": [0.5 + g for g in gaps], "plan": [0.5] * n}
    return columns | {f"{arm}, written": [tokens] * n for arm in claim.ARMS.values()}


def test_n_shows_a_third_of_the_claim_with_the_power_told():
    gaps = [0.5, -0.5] * 10
    rule = claim.design({"multiarith": pilot(gaps), "singleeq": pilot(gaps)}, {"multiarith": 45, "singleeq": 60}, 9**9)
    found = rule["multiarith"]
    assert found["spread"] == pytest.approx(1.18 * 0.51299, abs=1e-4)
    assert found["n"] == found["wanted"] == 233 and rule["singleeq"]["n"] == 131
    changed = found["spread"] ** 2 + 0.15**2  # of wins and losses of 1 with that spread and a mean of 15 points
    assert 0.85 < mcnemar_power(found["n"], changed, 0.15, claim.LEVEL) < 0.93
    assert found["votes"] == claim.CHAINS, "a search writes as much as the pilot's chains"
