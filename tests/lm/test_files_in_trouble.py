"""A recording or a results file that is deleted, replaced or cut while it is written: told, and nothing is lost."""

import dis
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from itertools import count, pairwise

import pytest
from fake_server import FakeServer, answering

from tot import LM, Budget, Cassette, LMError, OpenAI, Reply, Sample, Scripted, solve, task, user
from tot.experiments import grid, run_experiment
from tot.experiments.results import read_results
from tot.jsonlines import Appender, FileTrouble
from tot.lm import cassette
from tot.lm.checking import check
from tot.lm.tape import Tape

OTHER = '{"somebody": "else\'s"}\n'


def replaced(path):
    path.with_name("other").write_text(OTHER)
    os.replace(path.with_name("other"), path)


def emptied(path):
    with path.open("wb"):
        pass


def moved(path):
    os.rename(path.parent, path.parent.with_name("elsewhere"))


HARMS = {
    "deleted": lambda path: path.unlink(),
    "replaced": replaced,
    "emptied": emptied,
    "cut": lambda path: os.truncate(path, path.stat().st_size // 2),
    "written by another": lambda path: path.open("a").write(OTHER),
    "in a folder that was renamed": moved,
}
POSIX = pytest.mark.skipif(os.name == "nt", reason="Windows does not let go of an open file")
harmed = pytest.mark.parametrize("harm", HARMS.values(), ids=list(HARMS))


@pytest.fixture
def path(tmp_path):
    (tmp_path / "here").mkdir()
    return tmp_path / "here" / "c.jsonl"


def talker(name="m"):
    return Scripted(lambda request, i: f"{request.messages[-1].content} {i}", name)


def restored(path, said):
    """What the message says to do: the file that was saved is put in the place of the one that is lost."""
    kept = path.with_name(f"{path.name}.saved")
    assert str(kept) in said and "run the same command again" in said
    os.replace(kept, path)


@POSIX
@harmed
def test_a_recording_that_is_taken_away_is_told_and_saved(path, harm):
    with Cassette(path, talker()) as earlier:
        earlier([user("from an earlier run")])
    told, paid = pytest.raises(FileTrouble, match=r"c\.jsonl was .*while it was written"), []
    lm = Cassette(path, Scripted(lambda request, i: paid.append(i) or f"{request.messages[-1].content} {i}", "m"))
    lm([user("a", n=2), user("b")])
    harm(path)
    for asked in ("c", "d"):  # calls that were in flight
        with told:
            lm.record(user(asked), talker()([user(asked)])[0])
    with told as refused:
        lm([user("e")])
    assert len(paid) == 3, "nothing is asked after that"
    lm.close()  # it has been told
    restored(path, str(refused.value))
    assert check(path) == []
    wanted = [user("from an earlier run"), user("a", n=2), user("b"), user("c"), user("d")]
    assert [reply.texts[0] for reply in Cassette(path)(wanted)] == [f"{each.messages[-1].content} 0" for each in wanted]


@POSIX
@harmed
def test_what_happens_after_the_last_write_is_told_at_the_end(path, harm):
    with pytest.raises(FileTrouble) as refused, Cassette(path, talker()) as lm:
        lm([user("a", n=2), user("b")])
        harm(path)
    restored(path, str(refused.value))
    assert check(path) == [] and len(Tape(path).samples) == 3


@POSIX
@harmed
def test_results_that_are_taken_away_are_told_and_saved(path, harm):
    jobs, seen = grid(task("game24"), ["io"], task("game24").problems("easy")[:6]), []

    def says(request, i):
        seen.append(request)
        if len(seen) == 4:
            harm(path)
        return "Answer: 1"

    with pytest.raises(FileTrouble, match=r"c\.jsonl was .*while it was written") as refused:
        run_experiment(jobs, Scripted(says), out=path, at_once=1, progress=False)
    restored(path, str(refused.value))
    assert len(read_results(path)) == 4
    assert len(run_experiment(jobs, Scripted(says), out=path, progress=False)) == 6 and len(seen) == 6


@POSIX
@pytest.mark.parametrize("which", [["out"], ["tape"], ["out", "tape"]], ids=str)
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.filterwarnings("ignore:nothing more is asked")
def test_calls_in_flight_are_recorded_when_a_file_is_in_trouble_and_no_further_one_begins(tmp_path, which, full):
    files = {name: tmp_path / f"{name}.jsonl" for name in ("out", "tape")}
    jobs, troubled = grid(task("game24"), [("io", {"k": 1}), "cot"], task("game24").problems("easy")[:20]), []
    writers = {}
    write = Appender.write

    def watched(self, *records):
        writers[self.path.stem] = self
        if self.path == files[which[0]] and len(server.requests) > 12 and not troubled:
            troubled.append(len(server.requests))
            for writer in (writers[name] for name in which):
                writer.path.unlink() if not full else setattr(writer, "_file", Full(writer._file))
        write(self, *records)

    with FakeServer(answering("Answer: 1", delay=0.2)) as server, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Appender, "write", watched)
        with Cassette(files["tape"], OpenAI("m", base_url=server.url, max_concurrency=8)) as lm:
            told = ".*; .*".join("disk is full" if full else f"{name}.*saved" for name in which)
            with pytest.raises(FileTrouble, match=told):
                run_experiment(jobs, lm, out=files["out"], progress=False)
            sent = len(server.requests)
            assert sent <= troubled[0] + 16 < 40 and len(lm.tape.samples) == sent
            for writer in (lm._writer,) if full and "tape" in which else ():
                writer._file = writer._file.file  # there is room again
        for name, file in files.items():
            saved = file.with_name(f"{name}.jsonl.saved")
            assert saved.exists() == (name in which and not full)
            saved.exists() and os.replace(saved, file)
        with Cassette(files["tape"], OpenAI("m", base_url=server.url)) as lm:
            assert len(run_experiment(jobs, lm, out=files["out"], progress=False)) == 40
        assert len(server.requests) == 40 and check(files["tape"]) == []


class Full:
    """A file that has no room."""

    def __init__(self, file):
        self.file = file

    def write(self, data):
        raise OSError(None, "the disk is full")

    def __getattr__(self, name):
        return getattr(self.file, name)


@POSIX
def test_a_copy_in_its_place_is_told_as_soon_as_it_lacks_something(path):
    """A copy has all that there was, so it is found by what it does not get."""
    with pytest.raises(FileTrouble) as refused, Cassette(path, talker()) as lm:
        lm([user("a")])
        path.with_name("copy").write_bytes(path.read_bytes())
        os.replace(path.with_name("copy"), path)
        lm([user("b")])
    restored(path, str(refused.value))
    assert check(path) == [] and len(Tape(path).samples) == 2


@POSIX
def test_what_was_saved_before_is_not_written_over(path):
    for turn in range(2):
        with pytest.raises(FileTrouble) as refused, Cassette(path, talker()) as lm:
            lm([user(f"turn {turn}")])
            path.unlink()
    found = [Tape(each).messages for each in path.parent.iterdir()]
    assert len(found) == 2 and "c.jsonl.saved" in str(refused.value)
    assert sorted(content for messages in found for _, content in messages.values()) == ["turn 0", "turn 1"]


@POSIX
def test_a_program_may_change_its_folder_and_read_what_it_writes(path, monkeypatch, tmp_path):
    monkeypatch.chdir(path.parent)
    with Cassette("c.jsonl", talker()) as lm:
        lm([user("a")])
        monkeypatch.chdir(tmp_path)
        lm([user("b")])
        assert len(Tape(path).samples) == 2
    (path.parent / "link.jsonl").symlink_to(path)
    with Cassette(path.parent / "link.jsonl", talker()) as lm:
        lm([user("c")])
    with Appender(path):
        pass
    path.unlink()
    assert not list(path.parent.glob("*.saved")), "nothing was written, so nothing is lost"


@POSIX
def test_where_nothing_can_be_saved_that_is_told(path):
    lm = Cassette(path, talker())
    lm([user("a")])
    path.unlink()
    path.parent.rmdir()
    path.parent.write_text("a file in the place of the folder")
    with pytest.raises(FileTrouble, match="cannot be saved"):
        lm([user("b")])


def after_calls(code):
    """Where Python looks whether Ctrl-C was pressed: at the instructions that follow a call."""
    steps = list(dis.get_instructions(code))
    return {step.offset for before, step in pairwise(steps) if before.opname.startswith("CALL")}


def test_ctrl_c_anywhere_in_a_write_leaves_a_file_and_a_memory_that_agree(path):
    places = {function.__code__: after_calls(function.__code__) for function in (Appender.write, Cassette.record)}

    def stopped(lm, at):
        """Record with a KeyboardInterrupt at place number ``at`` of the two functions; whether there was one."""
        left = at

        def step(frame, event, arg):
            nonlocal left
            frame.f_trace_opcodes = True
            left -= event == "opcode" and frame.f_lasti in places[frame.f_code]
            if left < 0:
                sys.settrace(None)
                raise KeyboardInterrupt
            return step

        before = sys.gettrace()
        sys.settrace(lambda frame, event, arg: step(frame, event, arg) if frame.f_code in places else None)
        try:
            lm([user("a", n=2)])
        except KeyboardInterrupt:
            return True
        finally:
            sys.settrace(before)
        return False

    both = [user("a", n=2), user("b")]
    for at in count():
        path.unlink(missing_ok=True)
        said = count()
        live = Scripted(lambda request, i, said=said: str(next(said)), "m")
        live.batched = True  # it computes here, where Ctrl-C comes
        with Cassette(path, live) as lm:
            more = stopped(lm, at)
            texts = [reply.texts for reply in lm(both)]
        assert check(path) == [] and [reply.texts for reply in Cassette(path)(both)] == texts
        if not more:
            break
    assert at > 40


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_process_that_was_forked_from_the_writer_pays_and_writes_nothing(path):
    asked = []
    with Cassette(path, Scripted(lambda request, i: asked.append(request) or "said", "m")) as lm:
        lm([user("a")])
        if not (child := os.fork()):
            try:
                lm([user("b")])
            except FileTrouble as error:
                os._exit("each process" in str(error) and len(asked) == 1)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
        lm([user("c")])
    assert check(path) == [] and len(Tape(path).samples) == 2


def test_a_count_that_no_recording_may_hold_is_the_models_fault_and_harms_nothing(path):
    class Count:  # as a numpy integer: JSON does not know it
        pass

    with Cassette(path, Scripted(lambda request, i: f"{i}", "m")) as lm:
        lm([user("a")])
        with pytest.raises(LMError, match="cannot be recorded"):
            lm.record(user("b"), Reply((Sample("b", completion_tokens=Count()),)))
        lm([user("b")])
    assert check(path) == [] and len(Tape(path).samples) == 2


def test_what_cannot_be_recorded_is_on_the_bill(path):
    lm = Cassette(path, Scripted(lambda request, i: Sample("b", finish=None), "m"))
    with lm, pytest.raises(LMError, match="cannot be recorded") as told:
        lm([user("a")])
    assert told.value.paid.calls == 1


def test_a_recording_that_was_closed_pays_nothing(path):
    asked = []
    with Cassette(path, Scripted(lambda request, i: asked.append(request) or "said", "m")) as lm:
        lm([user("a")])
    assert lm([user("a")])[0].texts == ("said",)  # what is known still is
    with pytest.raises(FileTrouble, match="was closed"):
        lm([user("b")])
    assert len(asked) == 1


class Slow(LM):
    """Answers after 0.5 seconds, and knows of no deadline."""

    name = "slow"

    def __call__(self, requests, on_reply=None):
        time.sleep(0.5)
        return Scripted(lambda request, i: "Answer: 4", name="slow")(requests, on_reply)


@POSIX
@pytest.mark.parametrize("left", ["by Ctrl-C", "at a deadline"])
def test_what_is_in_flight_when_the_block_is_left_is_recorded(path, left):
    budget = Budget(seconds=0.1) if left == "at a deadline" else None

    class Left(Slow):
        def __call__(self, requests, on_reply=None):
            if not budget:
                threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
            return super().__call__(requests, on_reply)

    waits = pytest.warns(UserWarning, match="calls in flight are waited for")
    with waits, suppress(KeyboardInterrupt), Cassette(path, Left()) as lm:
        solve("gsm8k", "2 + 2", "io", lm=lm, budget=budget)
        assert budget, "Ctrl-C came too late"
    assert solve("gsm8k", "2 + 2", "io", lm=Cassette(path)).answer == "4"


def test_a_recording_is_closed_after_a_while_and_at_the_next_ctrl_c_whatever_is_in_flight(path, monkeypatch):
    monkeypatch.setattr(cassette, "HOME", 0.2)
    hangs = threading.Event()

    class Hangs(Slow):
        def __call__(self, requests, on_reply=None):
            hangs.wait()
            return super().__call__(requests, on_reply)

    begun = time.monotonic()
    with pytest.warns(UserWarning, match="calls in flight"), Cassette(path, Hangs()) as lm:
        assert solve("gsm8k", "2 + 2", "io", lm=lm, budget=Budget(seconds=0.1)).result.stopped == "seconds"
    assert time.monotonic() - begun < 10
    hangs.set()
