"""Files that somebody may need are not overwritten; what is cut off a torn file is kept; a terminal is not steered."""

import json
import os
import re
import shlex
import subprocess
import sys

import pytest

from tot.trace import Trace


def player(messages, i):
    return "Answer: (13 - 9) * (10 - 4)"


SOLVE = 'solve game24 "4 9 10 13" --method io LIVE'


def sample(**changes):
    line = {"type": "sample", "key": "k", "model": "m", "messages": [], "params": {}, "index": 0, "text": "a"}
    return line | {"finish": "stop", "prompt_tokens": 1, "completion_tokens": 1, "session": "s1"} | changes


def tape(*samples, **session):
    head = {"type": "session", "schema": 1, "id": "s1", "model": "m"} | session
    return "".join(json.dumps(line) + "\n" for line in [head, *samples])


@pytest.mark.parametrize("mark", [("utf-8", ""), ("utf-8-sig", ""), ("utf-16", ""), ("utf-8", "\r\n \n")])
@pytest.mark.parametrize("what", ["cassette", "results", "other", "list", "notes"])
def test_a_trace_is_not_written_over_what_was_paid_for(tot_, tmp_path, what, mark):
    kept, (encoding, before) = tmp_path / "kept.jsonl", mark
    other = {"other": '{"a": 1', "list": "[1]", "notes": "# what I tried"}
    text = {"cassette": tape(sample()), "results": '{"task": "game24"}\n', **other}[what]
    kept.write_text(before + text, encoding)
    before = kept.read_bytes()
    status, _, err = tot_(f"{SOLVE} --trace {kept}")
    assert status == 2 and "choose another file" in err and kept.read_bytes() == before


def test_an_answer_is_shown_whatever_becomes_of_its_trace(tot_, tmp_path, monkeypatch):
    def save(self, path):
        raise OSError(None, "the disk is full", path)

    monkeypatch.setattr(Trace, "save", save)
    status, printed, err = tot_(f"{SOLVE} --json --trace {tmp_path / 'trace.json'}")
    assert status == 1 and "answer" in json.loads(printed) and "cannot write the trace" in err


def test_a_trace_may_replace_a_trace_or_nothing(tot_, tmp_path):
    trace = tmp_path / "trace.json"
    trace.touch()
    for _ in range(2):
        assert tot_(f"{SOLVE} --trace {trace}")[0] == 0


def test_a_right_answer_of_which_a_part_is_read_is_told_once_in_a_sentence(tot_, tmp_path):
    (tmp_path / "mine.csv").write_text("question,answer\nWhich two towns?,Canberra - Sydney\n")
    _, _, err = tot_(f"run hotpotqa --method io --problems {tmp_path}/mine.csv LIVE --out {tmp_path}/r.jsonl")
    assert [line[:5] for line in err.splitlines() if "Canberra - Sydney" in line] == ["tot: "]


@pytest.mark.parametrize("fails", ["verify(self, problem, answer)", "read_io(self, state, text)"])
def test_a_verifier_or_a_reader_that_fails_leaves_the_trace_of_what_was_searched(tot_, tmp_path, fails):
    (tmp_path / "own.py").write_text(
        "from tot.tasks.game24 import Game24\n"
        "class Own(Game24):\n"
        "    name = 'own'\n"
        f"    def {fails}:\n"
        "        return {}[0]\n"
    )
    trace = tmp_path / "trace.json"
    with pytest.raises(KeyError) as told:  # with its traceback, for whoever wrote it
        tot_(f'solve {tmp_path / "own.py"}:Own "4 9 10 13" --method io LIVE --trace {trace}')
    status, *_ = tot_(f"show {trace}")
    assert status == 0 and "correct" not in Trace.load(trace).result
    assert "(13 - 9) * (10 - 4)" in str(Trace.load(trace).events) == str(told.value.trace.events)


def test_a_search_that_does_not_begin_leaves_no_empty_trace(tot_, tmp_path):
    trace = tmp_path / "trace.json"
    assert tot_(f'solve game24 "4 9 10 13" --method io --lm openai:fake --base-url nowhere --trace {trace}')[0] != 0
    assert not trace.exists()


def test_a_search_that_never_asked_and_a_full_disk_leave_the_old_trace(tot_, tmp_path, monkeypatch):
    trace = tmp_path / "trace.json"
    assert tot_(f"{SOLVE} --trace {trace}")[0] == 0
    before = trace.read_bytes()
    assert tot_(
        f'solve game24 "4 9 10 13" --method io --lm openai:fake --base-url http://127.0.0.1:1/v1 --trace {trace}'
    )[0]
    assert trace.read_bytes() == before

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    status, _, err = tot_(f"{SOLVE} --trace {trace}")
    assert status and "No space left" in err and [*tmp_path.glob("trace*")] == [trace] and trace.read_bytes() == before


def test_a_trace_does_not_go_into_the_cassette_of_the_same_run(tot_, tmp_path):
    status, _, err = tot_(f"{SOLVE} --cassette {tmp_path / 'a.jsonl'} --trace {tmp_path / '.' / 'a.jsonl'}")
    assert status == 2 and "a file that this command reads" in err and not (tmp_path / "a.jsonl").exists()


def test_show_writes_over_neither_its_input_nor_a_recording(tot_, tmp_path):
    trace, kept = tmp_path / "trace.json", tmp_path / "kept.jsonl"
    assert tot_(f"{SOLVE} --trace {trace}")[0] == 0
    kept.write_text(tape(sample()))
    (tmp_path / "mine.csv").write_text("question,answer\n")
    for target in (trace, kept, tmp_path / "mine.csv"):
        before = target.read_bytes()
        status, _, err = tot_(f"show {trace} --format html -o {target}")
        assert status == 2 and "choose another" in err and target.read_bytes() == before
    page = tmp_path / "page.html"
    for _ in range(2):
        assert tot_(f"show {trace} --format html -o {page}")[0] == 0


def test_what_looks_like_a_torn_line_is_kept_beside_the_results(tot_, tmp_path):
    out = tmp_path / "p.txt"
    out.write_text("{ my notes, no newline")
    assert tot_(f"run game24 --method io --problems starter[:1] --out {out} LIVE")[0] == 0
    assert "my notes" in (tmp_path / "p.txt.torn").read_text() and "my notes" not in out.read_text()


def test_a_file_of_an_old_mac_is_not_taken_for_a_torn_one(tot_, tmp_path):
    out = tmp_path / "p.jsonl"
    out.write_bytes(b'{"a": 1}\r{"b": 2}\r')
    status, _, err = tot_(f"run game24 --method io --problems starter[:1] --out {out} LIVE")
    assert status == 2 and "not a JSON Lines file" in err and out.read_bytes() == b'{"a": 1}\r{"b": 2}\r'


@pytest.mark.parametrize(
    "edit", [("13 - 9", "13 - 8"), ('"finish": "stop"', '"finish": "length"'), (r'"index": 0', '"index": 1')]
)
def test_check_finds_a_line_that_was_edited_by_hand(tot_, tmp_path, edit):
    path = tmp_path / "c.jsonl"
    assert tot_(f"{SOLVE} --cassette {path}")[0] == 0
    sound = f"{path}: sound, 1 samples of 1 requests, fake\n"
    assert tot_(f"cassette check {path}") == (0, sound, "")
    edited = tmp_path / "edited.jsonl"
    edited.write_text(path.read_text().replace(*edit))
    status, out, _ = tot_(f"cassette check {edited} {path}")
    assert status == 1 and "was it edited?" in out and out.endswith(sound)


def test_an_empty_line_does_no_harm(tot_, tmp_path):
    path = tmp_path / "c.jsonl"
    path.write_text(tape(sample()).replace("\n", "\n\n"))
    assert "is not a JSON object" not in tot_(f"cassette check {path}")[1]


def test_an_error_message_does_not_steer_the_terminal(tot_):
    status, _, err = tot_('solve game24 "\x1b]0;title\x07 1 2"')
    assert status == 2 and "\x1b" not in err and "\x07" not in err
    assert tot_('solve "\u202egame" "1 2 3 4"')[2].count("\\u202e") == 1


@pytest.mark.treebook
@pytest.mark.parametrize("form", ["text", "svg", "html"])
def test_show_draws_a_number_that_no_float_can_hold(tot_, tmp_path, form):
    trace = tmp_path / "trace.json"
    assert tot_(f"{SOLVE} --trace {trace}")[0] == 0
    document = json.loads(trace.read_text())
    for event in document["events"]:
        for node in event["nodes"]:
            node["value"] = -(10**400)
    trace.write_text(json.dumps(document))
    status, out, _ = tot_(f"show {trace} --format {form}")
    assert status == 0 and "-1e400" in out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
@pytest.mark.parametrize(
    "words",
    [
        "solve game24 '4 9 10 13' --method io --cassette PIPE",
        "solve game24 '4 9 10 13' --method io --cassette PIPE --lm openai:x --base-url http://127.0.0.1:9/v1",
        "run game24 --method io --problems starter[:1] --lm openai:x --base-url http://127.0.0.1:9/v1 --out PIPE",
        "cassette check PIPE",
    ],
)
def test_a_pipe_is_refused_and_not_waited_for(tmp_path, words):
    os.mkfifo(tmp_path / "PIPE")
    done = subprocess.run(
        [sys.executable, "-m", "tot", *shlex.split(words)], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2 and re.search("not a file|no file", done.stderr) and done.stderr.count("\n") == 1
