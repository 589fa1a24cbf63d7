"""What other distributions bring: by name, loaded when it is asked for, and never in the way of what tot has itself."""

import json
import os
import shutil
import subprocess
import sys
import warnings
from dataclasses import make_dataclass
from html import unescape
from pathlib import Path

import pytest

from tot import METHODS, TASKS, Cassette, Scripted, doors, solve
from tot.cli import main
from tot.experiments import grid, run_experiment
from tot.lm.opening import open as open_lm
from tot.lm.opening import spellings
from tot.methods import Recipe, knob, method, usual
from tot.tasks import task
from tot.views import shown

ROOT = Path(__file__).parents[2]
EXAMPLE = Path(__file__).with_name("example")


@pytest.fixture(scope="session")
def vowels(tmp_path_factory):
    """The folder into which the example package is installed, by pip and from nowhere."""
    source, target = tmp_path_factory.mktemp("source") / "example", tmp_path_factory.mktemp("target")
    shutil.copytree(EXAMPLE, source)
    offline = ("--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check")
    command = [sys.executable, "-m", "pip", "install", "-q", *offline, "--target", str(target), str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture
def outside(vowels, tmp_path):
    """Runs Python with the example installed, in another process and an empty folder."""

    def run(*arguments, **environment):
        path = os.pathsep.join([str(vowels), str(ROOT)])
        done = subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", **environment},
        )
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.fixture
def bring(tmp_path, monkeypatch):
    """Puts a distribution on the path: bring("name", {"tot.tasks": {"chess": "mod:Chess"}}, mod="source")."""

    def bring(name, entries, *, info="dist-info", **modules):
        place = tmp_path / f"{name}.{info}"
        about = place / f"{name.replace('-', '_')}-1.{info}"
        about.mkdir(parents=True)
        text = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n"
        (about / ("METADATA" if info == "dist-info" else "PKG-INFO")).write_text(text)
        lines = [f"[{group}]\n" + "".join(f"{n} = {v}\n" for n, v in named.items()) for group, named in entries.items()]
        (about / "entry_points.txt").write_text("\n".join(lines))
        for module, source in modules.items():
            (place / f"{module}.py").write_text(source)
            monkeypatch.delitem(sys.modules, module, raising=False)
        monkeypatch.syspath_prepend(str(place))

    return bring


CHESS = "class Chess:\n    name, summary = 'chess', 'x'\n    def splits(self): return {}\n"


# -------------------------------------------------------------------- each group, from an installed package


def test_a_task_a_method_and_a_model_of_another_distribution_work_by_name(outside):
    words = ("-m", "tot", "solve", "vowels", "fig", "--method", "twice", "--k", "3", "--lm", "parrot:1", "--json")
    status, out, err = outside(*words)
    line = json.loads(out)
    assert (status, err) == (0, "") and line["answers"] == ["1"] * 3 and line["correct"] and line["lm"] == "parrot:1"
    code = "import tot; print(tot.solve('vowels', 'fig', 'twice', lm='parrot:2').verdict, tot.lm.open('parrot').name)"
    told = outside("-c", code)[1].split()
    assert told[0] == "not" and told[-1] == "parrot"


def test_what_stands_after_the_colon_is_another_model_for_results_and_recordings(outside):
    run = ("-m", "tot", "run", "vowels", "--problems", "fruit[:1]", "--out", "r.jsonl", "--cassette", "a.jsonl")
    for text, correct in (("9", "0%"), ("1", "100%"), ("9", "0%")):  # a fig has one
        status, out, _ = outside(*run, "--method", "twice", "--lm", f"parrot:{text}")
        [row] = [line.split() for line in out.splitlines() if f"parrot:{text}" in line]
        assert status == 0 and row[3] == correct, out


def test_listings_and_help_have_them(outside):
    assert "vowels: count the vowels of a word" in outside("-m", "tot", "tasks")[1]
    assert "twice: direct answers" in outside("-m", "tot", "methods")[1]
    told = " ".join(outside("-m", "tot", "solve", "--help")[1].split())
    assert "parrot: a model that always says the same: parrot:TEXT" in told
    assert "pocket: the small models included with tot" in told and "openai:MODEL" in told
    assert "count the vowels of a word" in outside("-m", "tot", "--help")[1]


def test_a_command_of_its_own_and_a_flag_of_run_that_runs_the_work(outside, tmp_path):
    assert outside("-m", "tot", "vowels", "banana")[:2] == (0, "3\n")
    run = ("-m", "tot", "run", "vowels", "--method", "io", "--problems", "fruit", "--lm", "parrot:1")
    assert outside(*run, "--out", "there", "--one-by-one")[0] == outside(*run, "--out", "here")[0] == 0
    assert (tmp_path / "here").read_text() == (tmp_path / "there").read_text()


def test_the_users_setting_chooses_among_views(outside):
    code = "import tot; print(tot.solve('vowels', 'fig', 'io', lm='parrot:<1>')._repr_html_())"
    assert outside("-c", code, TOT_VIEW="big")[1] == "<h1>&lt;1&gt;</h1>\n"
    assert 'class="tot-explorer' in outside("-c", code)[1]
    plain = outside("-c", code, TOT_VIEW="plain")[1]
    assert "<pre>" in plain and "&lt;1&gt;" in plain and "tot-explorer" not in plain


def test_nothing_is_looked_for_before_it_is_asked_for(outside):
    code = "import sys, tot; print({'importlib.metadata', 'tot_vowels'} & {*sys.modules})"
    assert outside("-c", code)[1] == "set()\n"
    code = (
        "import sys, tot; s = tot.solve('game24', '1 2 3 4', 'io', lm=tot.Scripted(['x'] * 9))\n"
        "print('importlib.metadata' in sys.modules, 'tot.methods.acting' in sys.modules)"
    )
    assert outside("-c", code)[1] == "False False\n"
    code = "import sys, tot; tot.lm.open('pocket'); 'vowels' in tot.TASKS; print('tot_vowels' in sys.modules)"
    assert outside("-c", code)[1] == "False\n"


def test_the_manual_has_the_example_as_it_is_installed_here():
    page = (ROOT / "book" / "manual" / "doors.md").read_text(encoding="utf-8")
    for name in ("pyproject.toml", "tot_vowels.py"):
        assert (EXAMPLE / name).read_text(encoding="utf-8") in page


# -------------------------------------------------------------------- what can be wrong


def test_a_broken_entry_is_a_sentence_where_it_is_asked_for_and_in_listings(bring, capsys):
    entries = {group: {"broken": "mod_broken:thing"} for group in doors.GROUPS}
    bring("some-thing", entries, mod_broken="raise RuntimeError('no\\nluck')")
    said = "in some-thing cannot be loaded (RuntimeError: no luck): update or uninstall some-thing"
    for ask in (task, method, open_lm, lambda name: solve("game24", "1 2 3 4", lm=name)):
        with pytest.raises(ValueError, match="cannot be loaded") as raised:
            ask("broken")
        assert said in str(raised.value)
    for words in (["tasks"], ["methods"]):
        assert main(words) == 0 and f"broken: the entry 'broken' of tot.{words[0]} {said}" in capsys.readouterr().out
    assert "broken" not in [*TASKS] and "broken" not in dict(METHODS.items()) and "broken" in METHODS
    assert said in spellings() and usual(task("game24")).name == "tot-bfs"
    assert main(["solve", "game24", "1 2 3 4", "--lm", "broken"]) == 2 and said in capsys.readouterr().err
    assert main(["--version"]) == 0 and f"tot: the entry 'broken' of tot.commands {said}" in capsys.readouterr().err


@pytest.mark.parametrize("source", ["import sys; sys.exit()", "def f(:", "import no_such_module", "thing = 3"])
def test_whatever_is_wrong_with_a_module_is_a_sentence(bring, source):
    bring("some-thing", {group: {"odd": "mod_odd:thing"} for group in doors.GROUPS}, mod_odd=source)
    for group, own in (("tot.tasks", TASKS), ("tot.methods", METHODS)):
        assert f"the entry 'odd' of {group} in some-thing" in own.refused()["odd"]
    assert "odd" in doors.load_all("tot.views")[1] and "odd" in doors.load_all("tot.models")[1]


def test_a_task_that_cannot_be_built_and_a_command_that_leaves_are_sentences(bring, capsys):
    chess = f"{CHESS}    def __init__(self): raise OSError('no data')\ndef leaves(commands): raise SystemExit('no')\n"
    entries = {"tot.tasks": {"chess": "mod_chess:Chess"}, "tot.commands": {"leaves": "mod_chess:leaves"}}
    bring("some-thing", entries, mod_chess=chess)
    with pytest.raises(ValueError, match="cannot be loaded .OSError: no data."):
        task("chess")
    assert main(["tasks"]) == 0 and "OSError: no data" in capsys.readouterr().out
    assert main(["run", "game24", "--method", "nobody"]) == 2 and "'leaves'" in capsys.readouterr().err


@pytest.mark.parametrize(("code", "status"), [("", 0), ("3", 3), ("'the check failed'", 1)])
def test_a_command_of_ones_own_may_leave_with_a_status_and_a_word(bring, capsys, code, status):
    source = f"""def check(commands):
    def leaves(options): raise SystemExit({code})
    commands.add_parser("check").set_defaults(do=leaves)
"""
    bring("some-thing", {"tot.commands": {"check": "mod_check:check"}}, mod_check=source)
    assert main(["check"]) == status and ("the check failed" in capsys.readouterr().err) == ("failed" in code)


def test_the_annotations_of_knobs_may_be_classes():
    own = make_dataclass("Own", [("k", int, knob(2, "How many.", least=1))], bases=(Recipe,), kw_only=True)
    assert [each.kind for each in own.knobs() if each.name == "k"] == ["int"]


def test_a_thing_under_another_name_is_refused(bring):
    bring("some-thing", {"tot.tasks": {"checkers": "mod_chess:Chess"}}, mod_chess=CHESS)
    with pytest.raises(ValueError, match="'checkers' of tot.tasks in some-thing is not a class of tasks"):
        task("checkers")


def test_no_entry_replaces_a_name_of_tot(bring):
    entries = {"tot.tasks": {"game24": "mod_x:X"}, "tot.methods": {"tot-bfs": "mod_x:X"}}
    entries["tot.models"] = dict.fromkeys(("openai", "replay", "cassette"), "mod_x:X")
    bring("some-thing", entries, mod_x="raise AssertionError('loaded')")
    assert task("game24").name == "game24" and method("tot-bfs").name == "tot-bfs"
    assert "in some-thing has a name that is tot's own" in TASKS.refused()["game24"]
    assert list(METHODS.refused()) == ["tot-bfs"] and len(TASKS) == len({*TASKS})
    assert open_lm("openai:x").name == "x" and "tot's own" in spellings()


def test_a_name_that_two_distributions_bring_is_refused(bring):
    for name in ("one-thing", "other-thing"):
        bring(name, {"tot.tasks": {"chess": "mod_chess:Chess"}}, mod_chess=CHESS)
    with pytest.raises(ValueError, match="in other-thing and one-thing is there more than once"):
        task("chess")


MINE = """
from dataclasses import dataclass
import tot
from tot.methods import Recipe, knob
@dataclass
class Mine(Recipe):
    budget: int = knob(1, "How much.", least=1)
mine = tot.Method("mine", "direct answers", Mine)
"""


def test_a_knob_that_is_called_like_an_option_is_refused_in_a_sentence(bring, capsys):
    bring("some-thing", {"tot.methods": {"mine": "mod_mine:mine"}}, mod_mine=MINE)
    assert main(["solve", "game24", "1", "--method", "mine", "--lm", "pocket"]) == 2
    assert "the knob budget of mine is called like the option --budget: rename it" in capsys.readouterr().err


def test_a_slow_entry_works_and_is_named(bring, monkeypatch):
    monkeypatch.setattr(doors, "SLOW", 0.01)
    bring("some-thing", {"tot.tasks": {"chess": "mod_slow:Chess"}}, mod_slow=f"import time; time.sleep(0.05)\n{CHESS}")
    with pytest.warns(UserWarning, match="'chess' of tot.tasks in some-thing took 0.* seconds to load"):
        assert task("chess").name == "chess"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert task("chess").name == "chess"  # it is there now


def test_what_an_earlier_build_left_in_the_clone_does_not_count(bring):
    """A stale egg-info stands first on the path of whoever runs in the clone; the installed dist-info counts."""
    bring("some-thing", {"tot.tasks": {"chess": "mod_chess:Chess"}}, mod_chess=CHESS)
    bring("some-thing", {"tot.tasks": {"chess": "gone:Gone", "old": "gone:Old"}}, info="egg-info")
    assert doors.names("tot.tasks") == ["chess"] and task("chess").name == "chess"


def test_an_egg_info_alone_counts(bring):
    bring("some-thing", {"tot.tasks": {"chess": "mod_chess:Chess"}}, info="egg-info", mod_chess=CHESS)
    assert task("chess").name == "chess"


@pytest.mark.parametrize("adds", ["add_parser('tasks')", "choices['run'].add_argument('--timeout')"])
def test_a_command_or_a_flag_that_is_there_already_leaves_the_first(bring, capsys, adds):
    bring("some-thing", {"tot.commands": {"again": "mod_again:add"}}, mod_again=f"def add(c): c.{adds}")
    assert main(["tasks"]) == 0 and capsys.readouterr().err == ""  # nobody was asked
    assert main(["run"]) == 2 and "'again' of tot.commands in some-thing failed (" in capsys.readouterr().err


# -------------------------------------------------------------------- views, and a model from a text


@pytest.fixture
def solution():
    return solve("game24", "1 2 3 4", "io", lm=Scripted(["<b>\u202e answer: 1 * 2 * 3 * 4 = 24"] * 3), k=3)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("def view(s): return 3", "failed (TypeError: it returned 3 in place of text)"),
        ("def view(s): raise KeyError('<i>')", "failed (KeyError: '<i>')"),
        ("view = 3", "is not a function of a tot.Solution"),
        ("1 / 0", "cannot be loaded (ZeroDivisionError: division by zero)"),
    ],
)
def test_a_broken_view_is_the_plain_one_and_a_sentence(bring, monkeypatch, solution, source, why):
    bring("some-thing", {"tot.views": {"mine": "mod_view:view"}}, mod_view=source)
    monkeypatch.setenv("TOT_VIEW", "mine")
    page = shown(solution)
    assert "<pre>" in page and "<i>" not in page
    assert f"the entry 'mine' of tot.views in some-thing {why}" in unescape(page)


def test_a_view_that_nobody_brings(monkeypatch, solution):
    monkeypatch.setenv("TOT_VIEW", "<none>")
    assert "there is no view &#x27;&lt;none&gt;&#x27;: set TOT_VIEW to one of plain" in shown(solution)


@pytest.mark.treebook
def test_without_a_setting_the_books_page_is_shown_and_other_views_are_not(bring, monkeypatch, solution):
    monkeypatch.delenv("TOT_VIEW", raising=False)
    bring("some-thing", {"tot.views": {"aaa": "mod_gone:view"}})
    from treebook.show import explorer

    assert solution._repr_html_() == explorer(solution.trace, step="end")


def test_the_plain_view_escapes_what_models_say(monkeypatch, solution):
    monkeypatch.setenv("TOT_VIEW", "plain")
    page = solution._repr_html_()
    assert "&lt;b&gt;" in page and "<b>" not in page and "\u202e" not in page


def test_a_notebook_stores_no_trace_beside_the_page(solution):
    assert repr(solution).startswith(f"<Solution: {solution.answer!r}, ") and len(repr(solution)) < 300


@pytest.mark.treebook
def test_a_text_is_opened_wherever_a_model_goes(tmp_path):
    assert solve("game24", "4 9 10 13", "io", lm="pocket").lm.startswith("pocket")
    assert solve("game24", "4 9 10 13", "io", lm={"default": "pocket"}).lm.startswith("pocket")
    with Cassette(tmp_path / "c.jsonl", "pocket") as lm:
        kept = solve("game24", "4 9 10 13", "io", lm=lm)
    assert solve("game24", "4 9 10 13", "io", lm=f"cassette:{tmp_path / 'c.jsonl'}").to_dict() == kept.to_dict()
    jobs = grid(task("game24"), ["io"], task("game24").problems("easy")[:2])
    lines = run_experiment(jobs, "pocket", out=tmp_path / "r.jsonl")
    assert [line["lm"] for line in lines] == ["pocket", "pocket"]
    with pytest.raises(ValueError, match="cannot read 'no such model'"):
        solve("game24", "4 9 10 13", lm="no such model")
