"""What the masters promise: points, rubrics, a reference with full points, mistakes that lose the right ones."""

import ast
import re
import zipfile
from types import SimpleNamespace

import hand_in
import nbformat
import pytest

pytest.importorskip("nbgrader", reason="the course needs the extra `course`: pip install -e '.[course]'")

from course.build import _zip, build
from course.masters import BEGIN, assignment, assignments
from course.scope import Scope

ALL = assignments()
every = pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
LONG, LONG_ONES = ("03_bfs", "04_dfs_with_undo"), [pytest.mark.slow]  # searches of seconds: daily one mistake of each
MISTAKES = [
    pytest.param(one, m, id=f"{one.name[:2]} {m.name}", marks=LONG_ONES * bool(one.name in LONG and number))
    for one in ALL
    for number, m in enumerate(one.mistakes)
]


def play(one, sources, folder, monkeypatch, plain=None):
    """Task -> points of its tests, with these sources in the cells to be written; no kernel, so it takes no time.
    ``plain``: the names of a plain kernel, for somebody's nbgrader that knows nothing of ours.

    The slow tests see that nbgrader comes to the same.
    """
    for path in one.data:
        (folder / path.name).write_bytes(path.read_bytes())
    monkeypatch.chdir(folder)
    scope, won = Scope({"__name__": "__main__"}, one.roles), dict.fromkeys(one.points("test", "hidden"), 0)
    for cell, made in zip(one.cells, one.notebook().cells, strict=True):
        if cell.cell_type != "code":
            continue
        source = sources.get(made.metadata.get("nbgrader", {}).get("grade_id"), made.source)
        names = scope.enter(source) if plain is None else plain
        try:
            for statement in ast.parse(source).body:  # IPython, too, runs each by itself
                exec(compile(ast.Module([statement], []), f"{one.name}, {cell.metadata['role']}", "exec"), names)
        except Exception:  # as in a notebook, the next cell runs all the same
            continue
        if cell.metadata["role"] in ("test", "hidden"):
            won[cell.metadata["task"]] += cell.metadata["points"]
    return won


@every
def test_the_points_add_up_and_every_task_is_graded(one):
    points = one.points()
    assert sum(points.values()) == 100 and 4 <= len(points) <= 7
    graded = [cell for cell in one.cells if cell.metadata["role"] in ("test", "hidden", "written")]
    assert all(cell.metadata["points"] > 0 for cell in graded)
    assert one.points("written") and one.points("hidden"), "some words, and some hidden tests"
    assert len([m for m in one.mistakes if m.loses]) >= 3 and all(m.why for m in one.mistakes)
    names = [c.metadata["nbgrader"]["grade_id"] for c in one.notebook().cells if "nbgrader" in c.metadata]
    assert len(names) == len(set(names))
    assert 1 <= one.settings["weeks"] <= 2 and one.settings["seconds"] and one.settings["chapters"]
    assert f"# {one.settings['title']}\n" in one.cells[0].source + "\n"


@every
def test_rubric_and_first_page_name_the_same_points(one):
    rubric = (one.folder / "rubric.md").read_text(encoding="utf-8")
    rows = {task: cells for task, *cells in re.findall(r"^\| (\d+) \| *(\d*) *\| *(\d*) *\|", rubric, re.M)}
    tests, hand = one.points("test", "hidden"), one.points("written")
    told = {task: tuple(int(n or 0) for n in cells) for task, cells in rows.items()}
    assert told == {task: (tests.get(task, 0), hand.get(task, 0)) for task in one.points()}
    front = dict(re.findall(r"^\| (\d+) \| [^|]+\| ([\d +]+) \|", one.cells[0].source, re.M))
    assert {task: sum(map(int, n.split("+"))) for task, n in front.items()} == one.points()
    for task, points in hand.items():  # the criteria add up to what is given by hand
        part = re.search(rf"^## Task {task}\n(.*?)(?=^## |\Z)", rubric, re.M | re.S)[1]
        assert sum(map(int, re.findall(r"^- \*\*(\d+)", part, re.M))) == points, f"task {task}"


@pytest.mark.parametrize("one", [pytest.param(one, id=one.name, marks=LONG_ONES * (one.name in LONG)) for one in ALL])
def test_the_reference_has_all_points_whatever_its_helpers_are_called(one, tmp_path, monkeypatch):
    sources = hand_in.with_helpers(one, hand_in.solutions(one))
    assert play(one, sources, tmp_path, monkeypatch) == one.points("test", "hidden")
    plain = {"__name__": "__main__"}
    assert play(one, hand_in.solutions(one), tmp_path, monkeypatch, plain) == one.points("test", "hidden")


@pytest.mark.parametrize("one", [pytest.param(one, id=one.name, marks=LONG_ONES * (one.name in LONG)) for one in ALL])
def test_the_tests_of_a_task_need_no_other_tasks_tests(one, tmp_path, monkeypatch):
    made = one.notebook().cells
    tests = {
        cell.metadata["nbgrader"]["grade_id"]: its.metadata["task"]
        for cell, its in zip(made, one.cells, strict=True)
        if its.metadata["role"] in ("test", "hidden")
    }
    for task, points in one.points("test", "hidden").items():
        (tmp_path / task).mkdir()
        left_out = {name: "assert False" for name, its in tests.items() if its != task}
        assert play(one, left_out, tmp_path / task, monkeypatch)[task] == points, f"task {task}"


@pytest.mark.parametrize(("one", "mistake"), MISTAKES)
def test_a_typical_mistake_loses_its_points(one, mistake, tmp_path, monkeypatch):
    right = hand_in.solutions(one)
    assert sum(source.count(mistake.old) for source in right.values()) == 1, "the mistake is made in one place"
    won = play(one, hand_in.solutions(one, mistake), tmp_path, monkeypatch)
    full = one.points("test", "hidden")
    assert {task: full[task] - won[task] for task in full if won[task] != full[task]} == mistake.loses
    assert mistake.name != "a limit of Python" or all(3 * lost <= full[task] for task, lost in mistake.loses.items())


def test_a_tree_that_is_judged_by_dice_is_a_control(tmp_path, monkeypatch):
    """Also where the model that the test gives is dice, too: nothing but the judge's name is another."""
    [one] = [one for one in ALL if one.name.startswith("08")]
    control = """def experiment(lm):
    casts = {"tree": lm, "judged by dice": {"default": lm, "evaluator": dice}}
    problems = task.problems("problems")
    return {way: [tot.solve(task, p, "tot-bfs", lm=cast) for p in problems] for way, cast in casts.items()}
"""
    sources = hand_in.solutions(one) | {"solution-experiment": control}
    assert play(one, sources, tmp_path, monkeypatch) == one.points("test", "hidden")


@pytest.fixture(scope="module")
def built(request, tmp_path_factory):
    """An assignment, and the folder into which nbgrader built it."""
    out = tmp_path_factory.mktemp("course")
    build([request.param], out)
    return request.param, out


few = pytest.mark.parametrize(
    "built",
    [pytest.param(one, id=one.name, marks=[] if one.name[:2] == "01" else [pytest.mark.slow]) for one in ALL],
    indirect=True,
)


def telling(source):
    """Lines that would give something away."""
    return {line.strip() for line in source.splitlines() if len(line.strip()) > 24 and not line.strip().startswith("#")}


@few
def test_students_see_neither_solutions_nor_hidden_tests(built):
    one, folder = built
    secret, open_ = set(), set()
    for cell in one.cells:
        hidden = cell.metadata["role"] == "hidden"
        for inside in re.findall(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", cell.source, re.S):
            secret |= telling(inside)
        outside = re.sub(r"### BEGIN SOLUTION.*?### END SOLUTION", "", cell.source, flags=re.S)
        secret, open_ = (secret | telling(outside), open_) if hidden else (secret, open_ | telling(outside))
    with zipfile.ZipFile(folder / "students" / f"{one.name}.zip") as zipped:
        names = {name.split("/")[1] for name in zipped.namelist()}
        texts = "\n".join(zipped.read(name).decode() for name in zipped.namelist())
        notebook = nbformat.reads(zipped.read(f"{one.name}/{one.name}.ipynb").decode(), as_version=4)
    nbformat.validate(notebook)
    assert names == {"README.txt", f"{one.name}.ipynb", *(path.name for path in one.data)}
    lines = {line.strip() for cell in notebook.cells for line in cell.source.splitlines()}
    assert len(secret) > 20 and not (secret - open_) & lines
    assert "BEGIN SOLUTION" not in texts and BEGIN not in texts
    assert "YOUR CODE HERE" in texts and "YOUR ANSWER HERE" in texts
    with zipfile.ZipFile(folder / "graders" / f"{one.name}.zip") as zipped:
        handed = {name for name in zipped.namelist() if name.startswith(f"{one.name}/")}  # by an nbgrader of one's own
        assert handed == {f"{one.name}/{name}" for name in names - {"README.txt"}}
        beside = {f"for graders/{one.name}/{name}" for name in ("rubric.md", "assignment.toml")}
        assert beside <= set(zipped.namelist())
        assert BEGIN in zipped.read(f"{one.name}/{one.name}.ipynb").decode()


@few
def test_what_is_handed_out_has_no_points(built, tmp_path, monkeypatch):
    one, folder = built
    released = nbformat.read(folder / "release" / one.name / f"{one.name}.ipynb", as_version=4)
    marked = [cell for cell in released.cells if cell.metadata.get("nbgrader", {}).get("solution")]
    sources = {cell.metadata["nbgrader"]["grade_id"]: cell.source for cell in marked}
    assert sources.keys() == hand_in.solutions(one).keys()
    assert set(play(one, sources, tmp_path, monkeypatch).values()) == {0}


def test_the_table_of_assignment_7_is_what_its_program_makes():
    folder = assignment("7").folder
    made = SimpleNamespace()
    exec((folder / "make_table.py").read_text(encoding="utf-8"), made.__dict__, made.__dict__)
    assert made.table() == (folder / "table.csv").read_text(encoding="utf-8")


def test_a_zip_is_a_whole_one_or_the_old_one(tmp_path, monkeypatch):
    (file := tmp_path / "a.txt").write_text("old")
    zipped = tmp_path / "out" / "one.zip"
    _zip(zipped, {"one": [file]}, {})
    old = zipped.read_bytes()
    monkeypatch.setattr(zipfile.ZipFile, "writestr", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    file.write_text("new")
    with pytest.raises(KeyboardInterrupt):
        _zip(zipped, {"one": [file]}, {"one": {"README.txt": "more"}})
    assert zipped.read_bytes() == old


@pytest.mark.parametrize("sign", ["?", "["])
def test_a_path_that_nbgrader_takes_otherwise_is_refused(tmp_path, sign):
    with pytest.raises(RuntimeError, match="takes no"):
        build([], tmp_path / f"a{sign}b")
    assert not [*tmp_path.iterdir()]
