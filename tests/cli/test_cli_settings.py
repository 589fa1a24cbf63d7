"""Models that think, on the command line: settings for each role, what is refused, what was only thought."""

import json
from pathlib import Path

import pytest
from fake_server import Answer, always
from families import FAMILIES, by_name

from tot import Scripted
from tot.experiments.results import read_results
from tot.tasks.game24 import Game24
from tot.trace import Trace

X = Game24().problems("starter")[0].x
NO_LIMIT = "--lm-option max_tokens=none"


def player(messages, i):
    raise AssertionError("the servers here are families")


@pytest.fixture
def families(server):
    server.behave = by_name(thinks=40)
    return server


def lm(model):
    return f"--lm openai:{model} --base-url URL --max-concurrency 4"


def sentence(text):
    assert text.startswith("tot: ") and text.endswith("\n") and text.count("\n") == 1 and len(text) < 600
    return text


def test_the_flags_are_short_for_options(tot_, families):
    more = "--lm-option top_k=3 --lm-option chat_template_kwargs.enable_thinking=true"
    flags = f"--temperature none --think-tokens 500 {more}"
    long = f"--lm-option temperature=none --lm-option think_tokens=500 {more}"
    bodies = []
    for given in (flags, long):
        families.requests.clear()
        tot_(f'solve game24 "{X}" --method io --k 1 {lm("vllm")} {given}')
        bodies.append(families.requests[0])
    assert bodies[0] == bodies[1] and "temperature" not in bodies[0]
    assert bodies[0]["max_tokens"] > 500
    assert bodies[0]["top_k"] == 3 and bodies[0]["chat_template_kwargs"] == {"enable_thinking": True}


def test_each_role_has_settings_of_its_own(tot_, families, tmp_path):
    status, out, err = tot_(
        f'solve game24 "{X}" --method tot-bfs --breadth 1 {lm("vllm")} --think-tokens 400'
        " --evaluator-lm openai:openai --evaluator-lm-option profile=reasoning"
        " --evaluator-lm-option reasoning_effort=low --json --trace t.json"
    )
    assert status in (0, 1) and not err.startswith("tot: the"), err
    line = json.loads(out)
    assert line["lm"] == "default=vllm, evaluator=openai"
    evaluator = {"temperature": None, "top_p": None, "stop": None, "reasoning_effort": "low", "think_tokens": 8000}
    assert line["settings"] == {"default": {"think_tokens": 400}, "evaluator": evaluator}
    assert Trace.load("t.json").head["settings"] == line["settings"]
    sent = {body["model"]: body for body in families.requests}
    assert sent["openai"]["reasoning_effort"] == "low" and "temperature" not in sent["openai"]
    assert "temperature" in sent["vllm"] and "reasoning_effort" not in sent["vllm"]


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ("--temperature hot", "--temperature: the option temperature needs a number of at least 0"),
        ("--lm-option effort", "--lm-option: cannot read the option 'effort'"),
        ("--lm-profile ''", "--lm-profile: the option profile is empty: choose one of reasoning"),
        ("--temperature 1 --lm-option temperature=none", "the option temperature is given twice: give it once"),
        ("--budget dollars=1", "a budget in dollars needs a price for openai:vllm: add --prices FILE"),
        ("--budget calls=1,calls=2", "'calls=2' (a second time) in a budget"),
        ("--evaluator-lm openai:a --evaluator-lm-option x", "--evaluator-lm-option: cannot read"),
        ("--evaluator-lm-option x=1", "add --evaluator-lm openai:MODEL"),
    ],
)
def test_a_setting_that_cannot_be_is_wrong_usage(tot_, families, flags, words):
    status, _, err = tot_(f'solve game24 "{X}" --method tot-bfs {lm("vllm")} {flags}')
    assert status == 2 and words in sentence(err) and not families.requests


def test_dollars_need_a_price_whatever_the_model(tot_, monkeypatch):
    guest = Scripted(lambda request, i: "")
    guest.unpriced = True
    monkeypatch.setattr("tot.cli.open_lm", lambda *names, **how: guest)
    status, _, err = tot_(f'solve game24 "{X}" --method io --lm guest:x --budget dollars=1')
    assert status == 2 and "needs a price for guest:x" in sentence(err)


@pytest.mark.treebook
def test_the_pocket_model_has_a_temperature(tot_):
    pytest.importorskip("numpy")
    status, out, _ = tot_('solve game24 "4 9 10 13" --method io --k 2 --temperature 0 --json')
    assert json.loads(out)["settings"] == {"temperature": 0} and status in (0, 1)
    status, _, err = tot_('solve game24 "4 9 10 13" --method io --lm-option reasoning_effort=low')
    assert status == 2 and "the pocket model has no reasoning_effort=low" in sentence(err)


@pytest.mark.parametrize("model", FAMILIES)
def test_a_refusal_says_what_to_type_and_that_works(tot_, families, model):
    """What a user does: run it, read the sentence, type what it says."""
    status, _, err = tot_(f"run game24 --method io --problems starter[:2] {lm(model)} --out a.jsonl {NO_LIMIT}")
    flags, tries = "", 0
    while status and "refuses" in err and tries < 4:
        tries += 1
        sentence(err)
        flags += " --temperature none" if "--temperature none" in err else " --lm-option stop=none"
        assert flags.split()[-1] in err
        status, _, err = tot_(
            f"run game24 --method io --problems starter[:2] {lm(model)} --out b{tries}.jsonl {NO_LIMIT} {flags}"
        )
    assert (status, err) == (0, ""), (flags, err)
    assert bool(tries) == (model in ("openai", "kimi", "anthropic"))
    status, out, err = tot_(
        f"run game24 --method io --problems starter[:2] {lm(model)} --out c.jsonl --lm-profile reasoning"
    )
    assert (status, err) == (0, "") and "temperature=none" in out


@pytest.mark.treebook
def test_a_refusal_by_the_model_of_a_role_names_the_flag_of_roles(tot_, families):
    """--temperature is the default model's: a user who typed it would see the same refusal for ever."""
    pytest.importorskip("numpy")
    both = f'solve game24 "{X}" --method tot-bfs --lm pocket --evaluator-lm openai:kimi --base-url URL'
    status, _, err = tot_(both)
    assert status == 1 and "--ROLE-lm-option temperature=none where a role has a model of its own" in sentence(err)
    _, _, err = tot_(f"{both} --evaluator-lm-option temperature=none")
    assert "refuses" not in err


@pytest.mark.parametrize("model", [name for name in FAMILIES if name not in ("anthropic", "template")])
def test_a_run_that_was_all_thinking_says_so_and_fails(tot_, families, model):
    families.behave = by_name(thinks=900)
    common = f"run game24 --method io --problems starter[:2] {lm(model)} --lm-profile reasoning"
    status, out, err = tot_(f"{common} --think-tokens 100 --out r.jsonl --cassette c.jsonl")
    assert status == 1 and "0%" not in out
    assert "replies ended while the model was still thinking, at " in sentence(err) and "--think-tokens N" in err
    status, out, err = tot_(f"{common} --think-tokens 1000 --out r.jsonl --cassette c.jsonl")
    assert (status, err) == (0, "") and "thinking" in out, "another setting is another identity: it is asked anew"
    lines = read_results("r.jsonl")
    assert len(lines) == 4 and sorted(line.get("still_thinking", 0) > 0 for line in lines) == [False, False, True, True]


def test_what_was_cut_while_thinking_is_shown(tot_, families):
    families.behave = by_name(thinks=900)
    status, out, _ = tot_(f'solve game24 "{X}" --method io --k 3 {lm("vllm")} --think-tokens 50')
    assert status == 1 and "still thinking: 3 replies ended before an answer; --think-tokens gives more" in out
    assert "not read: 3 of 3" in out or "still thinking at" in out
    assert "of them thinking)" in out and "cut off" not in out


def test_thinking_that_a_stop_string_ended_is_mended_by_what_is_said(tot_, families, monkeypatch):
    """More room to think would change nothing, so it is not what the sentence asks for."""
    monkeypatch.setattr("families.MUSING", "Let me see.\nObservation: hm. ")
    react = f"hotpotqa --method react {lm('vllm')} --think-tokens 4000"
    status, out, _ = tot_(f"solve {react} 'Who was it?'")
    assert status == 1 and "1 reply ended before an answer; --lm-option stop=none mends it" in out
    assert "--think-tokens gives more" not in out
    status, _, err = tot_(f"run {react} --problems book[:1] --out r.jsonl")
    assert status == 1 and "(or, if stop strings end it, --lm-option stop=none)" in sentence(err)
    _, out, _ = tot_(f"solve {react} 'Who was it?' --lm-option stop=none")
    assert "still thinking" not in out and "Dinant" in out


def test_another_end_is_shown(tot_, families):
    filtered = {"choices": [{"message": {"content": None}, "finish_reason": "content_filter\x1b[31m"}], "usage": {}}
    families.behave = always(Answer(filtered))
    status, out, _ = tot_(f'solve game24 "{X}" --method io --k 1 {lm("vllm")}')
    assert status == 1 and "ended otherwise: 1 reply with content_filter" in out and "\x1b" not in out


def test_no_thinking_keeps_no_text_of_it(tot_, families):
    run = f'solve game24 "{X}" --method io --k 2 {lm("vllm")} --think-tokens 100'
    tot_(f"{run} --cassette with.jsonl --trace with.json")
    tot_(f"{run} --cassette without.jsonl --trace without.json --no-thinking")
    for kind in ("jsonl", "json"):
        with_it, without = (Path(f"{name}.{kind}").read_text("utf-8") for name in ("with", "without"))
        assert "What do they want?" in with_it and "What do they want?" not in without
        assert '"thinking_tokens": 3' in with_it and '"thinking_tokens": 3' in without
    for more in ("", lm("vllm")):  # of a recording that has it
        tot_(f'solve game24 "{X}" --method io --k 2 {more} --cassette with.jsonl --trace again.json --no-thinking')
        assert "What do they want?" not in Path("again.json").read_text("utf-8")


def test_a_replay_knows_its_settings_and_is_the_same(tot_, families):
    live = f'solve game24 "{X}" --method tot-bfs --breadth 1 {lm("vllm")} --lm-profile thinking --cassette c.jsonl'
    _, first, _ = tot_(f"{live} --json")
    sent = len(families.requests)
    _, again, _ = tot_(f'solve game24 "{X}" --method tot-bfs --breadth 1 --cassette c.jsonl --json')
    assert json.loads(again) == json.loads(first) and len(families.requests) == sent
    status, _, err = tot_(f'solve game24 "{X}" --method io --cassette c.jsonl --temperature none')
    assert status == 2 and "stop=none, think_tokens=8000; not with temperature=none" in sentence(err)


def test_runs_with_different_settings_are_different_rows(tot_, families):
    common = f"run game24 --method io --problems starter[:3] {lm('vllm')} --out r.jsonl"
    for effort in ("low", "high"):
        status, out, _ = tot_(f"{common} --think-tokens 300 --lm-option reasoning_effort={effort}")
        assert status == 0 and f"Settings of the model: reasoning_effort={effort}, think_tokens=300." in out
    lines = read_results("r.jsonl")
    assert len(lines) == 6
    from tot.experiments import compare, summarise
    from tot.show import results_table

    rows = summarise(lines)
    labels = [f"io with vllm (reasoning_effort={effort}, think_tokens=300)" for effort in ("high", "low")]
    assert [row.label for row in rows] == labels and all(row.thinking > 0 and row.cached > 0 for row in rows)
    shown = str(results_table(rows))
    assert "thinking" in shown and "cached" in shown and "still thinking" not in shown
    assert "Settings of the model" not in shown, "they differ, and stand in the labels"
    assert compare(lines, *labels).n == 3


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ("io", "io: 0% says nothing here, since both replies ended at the limit of tokens: --max-tokens N raises it"),
        ("cot --lm-profile thinking", "nothing could be read in both replies: `tot solve` with one"),
        ("tot-bfs --lm-profile thinking --budget tokens=500", "the budget of tokens ended both problems before there"),
    ],
)
def test_a_rate_of_zero_that_says_nothing_is_explained(tot_, families, flags, words):
    """A server that does not look for the thinking, and does not know schemas: nothing fails, and nothing is solved."""
    plays = {"plays": lambda messages, most, i: "Who can tell?"} if flags.startswith("cot") else {}
    families.behave = by_name(thinks=300, **plays)
    status, out, err = tot_(f"run game24 --problems starter[:2] {lm('template')} --out r.jsonl --method {flags}")
    assert (status, err) == (0, "") and words in out.rpartition("\n\n")[2]
