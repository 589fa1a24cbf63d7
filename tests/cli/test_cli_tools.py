"""The command line where tools are used: hotpotqa with any model, recorded and replayed, with knobs for the tools."""

import json

import pytest

from tot.experiments.results import read_results
from tot.trace import Trace

SAX = "In which town was the inventor of the saxophone born?"


def player(messages, i):
    """Searches twice and answers, with control characters in the answer."""
    text = messages[-1]["content"]
    if "with a score" in text:
        return "Score: 0.5"
    if "Action: Search[Adolphe Sax]" in text:
        return "Thought: There.\nAction: Finish[\x1b\x07Dinant\x9b]"
    return "Action: Search[Adolphe Sax]" if "Observation" in text else "Thought: Who?\nAction: Search[Saxophone]"


def test_solve_with_tools(tot_):
    status, out, err = tot_(f'solve hotpotqa "{SAX}" --method itot-astar LIVE --trace t.json')
    assert (status, err) == (0, "") and "\nanswer: Dinant (correct)\n" in out and "\x1b" not in out
    assert "tools: 2 calls, 0 of them failed, 2 in all, 2 on the path above" in out
    assert "note: the facts are in Saxophone, Adolphe Sax" in out
    trace = Trace.load("t.json")
    assert {"acted", "opened", "taken"} <= {event["kind"] for event in trace.events}
    assert tot_("show t.json")[0] == 0 and tot_("show t.json --format html -o t.html")[0] == 0


def test_itot_is_the_default_method_and_its_knobs_are_flags(tot_):
    flags = '--weight 2.5 --lazy --memory tree --corpus encyclopedia --costs Search=2 --failures "0.5,permanent,seed=3"'
    _, out, _ = tot_(f'solve hotpotqa "{SAX}" LIVE --json {flags}')
    line = json.loads(out)
    assert line["method"] == "itot-astar" and line["params"]["weight"] == 2.5 and line["params"]["lazy"] is True
    assert line["params"]["failures"] == "0.5,permanent,seed=3" and "tools" in line


def test_too_few_rounds_say_unfinished(tot_):
    status, out, err = tot_(f'solve hotpotqa "{SAX}" --rounds 2 LIVE')
    assert status == 1 and "unfinished: 2 rounds are used up; this is the best so far" in out and "answer: none" in out
    assert err == ""


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        ("--corpus moon", "no corpus 'moon': choose one of encyclopedia, paragraphs"),
        ("--corpus paragraphs", "set TOT_DATA_DIR"),
        ("--failures 2", "a number from 0 to 1"),
        ("--costs Search=dear", "a number of at least 0"),
        ("--weight -1", "--weight: needs a number of at least 0, not '-1'"),
        ("--method itot-dstar --propagate all", "--propagate: needs one of path, parent, none, not 'all'"),
    ],
)
def test_wrong_knobs(tot_, flags, says):
    status, out, err = tot_(f'solve hotpotqa "{SAX}" LIVE {flags}')
    assert (status, out) == (2, "") and says in err and err.count("\n") == 1


def test_tool_calls_are_recorded_and_replayed(tot_):
    record = f'solve hotpotqa "{SAX}" --method itot-dstar --json --cassette lm.jsonl --tool-cassette tools.jsonl'
    status, out, err = tot_(f"{record} LIVE")
    assert err == "" and json.loads(out)["lm"] == "fake"
    assert tot_(record)[:2] == (status, out)  # from the recordings alone
    assert tot_(record.replace("--tool-cassette tools.jsonl", ""))[1] == out  # the corpus is here all the same
    assert tot_("cassette check lm.jsonl tools.jsonl")[0] == 0
    status, _, err = tot_(f"{record} --failures 1 --k 1")
    assert status == 1 and "is not in" in err  # another setting is another recording
    status, _, err = tot_('solve game24 "4 9 10 13" LIVE --tool-cassette t.jsonl')
    assert status == 2 and "game24 has no tools" in err


def test_run_compares_the_methods(tot_):
    flags = "--problems easy[:2] --out r.jsonl --cassette c.jsonl --tool-cassette t.jsonl --rounds 3"
    status, out, _ = tot_(f"run hotpotqa --method io,few-shot,cot,react,itot-astar,lats {flags} --rollouts 2 LIVE")
    lines = read_results("r.jsonl")
    assert status == 0 and len(lines) == 12 and {line["lm"] for line in lines} == {"fake"} and "f1" in out
    assert all(("tools" in line) == (line["method"] in ("react", "itot-astar", "lats")) for line in lines)


def test_a_table_of_methods_says_what_tools_cost(tot_):
    status, out, _ = tot_("run hotpotqa --problems book[:1] --method react,itot-astar LIVE --out r.jsonl")
    head, _, *body = (line.split() for line in out.splitlines()[:4])
    assert status == 0 and head[-2:] == ["path", "spent"] and [row[-2:] for row in body] == [["2", "2"]] * 2
    _, out, _ = tot_("run hotpotqa --problems book[:1] --method io LIVE --out io.jsonl")
    assert "spent" not in out
