"""The reference is made from the code: nothing public is unexplained, and files on disk keep their schemas."""

import argparse
import json
import re
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, Protocol

import pytest
import yaml
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

import tot
from studies.plans import PLANS
from tools import reference
from tools.reference import command_line, formats, knobs, names
from tools.reference.chapters import find
from tot import cli
from tot.events import Acted, Best, Event, Reflected, Unfinished
from tot.experiments.running import grid, run_experiment
from tot.methods.base import COMMON

ROOT = Path(__file__).parents[2]
CASSETTES = sorted((ROOT / "notebooks" / "cassettes").glob("*.jsonl"))


@pytest.fixture(scope="module")
def pages():
    return reference.pages()


def test_the_pages_are_those_of_the_table_of_contents_wherever_they_are_made(pages):
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    [part] = [part for part in toc["parts"] if part["caption"] == "Reference"]
    listed = [entry["file"] for chapter in part["chapters"] for entry in (chapter, *chapter.get("sections", ()))]
    made = [name for name in listed if not name.startswith("book/manual/")]  # written by hand
    assert sorted(made) == sorted(f"book/reference/{name}" for name in pages)
    assert not [name for name, page in pages.items() if re.search(r"\b0x[0-9a-f]{6,}|/(home|root|tmp|work)/", page)]
    everything = "\n".join(pages.values())
    for name in tot.__all__:
        known = names.where()[id(getattr(tot, name))]
        form = f".. py:data:: {name}" if known.kind == "data" else f".. auto{known.kind}:: {known.dotted}\n"
        assert form in everything and f"<{known.dotted}>`" in pages["package"], name


class Promise(Protocol):
    """What others implement."""

    def promised(self) -> None:
        """Explained here."""


class HalfDocumented:
    """This one is explained, some of its methods are not."""

    def explained(self) -> None:
        """What it does."""

    def silent(self) -> None: ...

    def promised(self) -> None: ...

    @property
    def quiet(self) -> int:
        return 1

    def _private(self) -> None: ...


def test_what_is_public_and_not_explained_fails_the_build():
    half, promise = (names.Public(__name__, t.__name__, "class", t, "said") for t in (HalfDocumented, Promise))
    bare = dataclass(type("Bare", (), {"__annotations__": {"x": int}}))
    assert not names._docstring(bare)  # a dataclass without one gets its signature
    assert next(names.unexplained(half._replace(doc=""), set())) == f"{__name__}.HalfDocumented"
    limit = names.Public(__name__, "LIMIT", "data", 3, "")
    with pytest.raises(names.Missing, match=r"for \S+HalfDocumented\.silent, \S+HalfDocumented\.quiet, \S+LIMIT$"):
        names.complain({"core": {"json": [promise, half, limit]}})  # a protocol explains ``promised``
    names.complain({"core": {"json": [limit._replace(doc="the most that is tried")]}})


def drawn(fmt: Literal["svg", "png"] = "svg") -> None: ...


def test_signatures_are_those_of_the_source():
    parameters, result = reference.signature(tot.bfs)
    assert parameters.startswith("(root: ~tot.state.Node, generate: ~tot.ask.Generate, evaluate: ~tot.ask.Evaluate, *,")
    assert result == "~tot.ask.Search"
    assert reference.signature(tot.Trace.load) == ("(path: str | Path)", "~tot.trace.Trace")
    assert reference.signature(tot.Thought)[0].startswith("(text: str, data: Any = None, answer: str | None = None,")
    assert reference.signature(tot.Ask)[0].startswith("(role: str, nodes: list[~tot.state.Node], requests: list[")
    assert reference.signature(tot.Event)[0].endswith("data: dict[str, Any] = ...)")
    assert "Recipe], needs: type | tuple[type, ...] = Task, check: bool" in reference.signature(tot.Method)[0]
    every = {known.dotted: reference.signature(known.found) for known in names.where().values() if known.kind != "data"}
    addresses = [name for name, told in every.items() if told and re.search("0x|<[a-z_.]+ ", told[0])]
    assert len(every) > 300 and not addresses
    assert reference.signature(drawn) == ("(fmt: Literal['svg', 'png']='svg')", "None")
    assert reference.signature(tot.METHODS["tot-bfs"].recipe)[0].startswith("(*, ")


def test_every_command_and_option_is_on_the_page_of_the_command_line(pages):
    page = pages["command_line"]
    assert cli.__doc__ in page and set(command_line.commands()) == {
        "solve", "run", "report", "compare", "show", "cassette", "methods", "tasks", "serve",
    }  # fmt: skip
    for name, parser in command_line.commands().items():
        section = page.partition(f"\ntot {name}\n")[2].partition("\n.. _command-")[0]
        for action in parser._actions:
            if action.dest != "help":
                assert command_line.spelled(action) in section, (name, action.dest)
                assert f"\n     - {command_line.explained(action)}".rstrip() in section, (name, action.dest)
    for line in (
        "   tot run TASK --method METHOD --problems PROBLEMS --out FILE [OPTIONS]\n",
        "   tot cassette check FILE ...\n",
        "   tot methods [NAME]\n",
        "* - ``-o, --out FILE``\n",
        "* - ``--format text|svg|html``\n     - (default: ``text``)\n",
    ):
        assert line in page
    flag = argparse.ArgumentParser().add_argument("--rate", default=50, help="at most 100 %% of them")
    assert command_line.explained(flag) == "at most 100 % of them (default: ``50``)"


def test_every_knob_is_on_the_page_with_its_values_those_of_all_methods_once(pages):
    shown = {"knobs-of-all": [knob for knob in tot.METHODS["io"].knobs() if knob.name in COMMON]}
    for method in tot.METHODS.values():
        shown[f"method-{method.name}"] = [knob for knob in method.knobs() if knob.name not in COMMON]
    assert len(shown["knobs-of-all"]) == len(COMMON) == 3
    for label, its in shown.items():
        section = pages["knobs"].partition(f".. _{label}:\n")[2].partition("\n.. _")[0]
        assert [knob.name for knob in its] == re.findall(r"\* - ``(\w+)``", section)
        for knob in its:
            assert f"     - {knobs.default(knob)}\n     - {knobs.values(knob)}\n     - " in section


@pytest.mark.parametrize(
    ("kind", "bounds", "said"),
    [
        ("int", {"least": 1}, "at least 1"), ("float", {"least": 0, "most": 1}, "0 to 1"), ("float", {}, "any"),
        ("float", {"most": 1}, "at most 1"), ("str", {"choices": ("", "lean")}, '``""``, ``lean``'),
        ("bool", {}, "True or False"),
    ],
)  # fmt: skip
def test_the_values_of_a_knob_in_words(kind, bounds, said):
    assert knobs.values(tot.methods.Knob("k", kind, None, "How many.", **bounds)) == said


@cache
def validator(name):
    schemas = {each: formats.load(each) for each in ("cassette", "trace", "results")}
    known = [(f"{each}.schema.json", Resource.from_contents(schema)) for each, schema in schemas.items()]
    Draft202012Validator.check_schema(schemas[name])
    return Draft202012Validator(schemas[name], registry=Registry().with_resources(known))


def complaints(name, document):
    return [f"{error.json_path}: {error.message[:200]}" for error in validator(name).iter_errors(document)]


def shape(line):
    """The members of a line and what kind of value each has."""
    return tuple((name, type(value)) for name, value in line.items())


@pytest.mark.parametrize("path", CASSETTES, ids=lambda path: path.stem)
def test_cassettes_keep_their_schema(path):
    """Every shape that lines have, and the values of every 20th line: all of 19,000 would take 15 seconds."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    shapes = {shape(line): line for line in lines}
    assert {line["type"] for line in lines} == {"session", "message", "sample"}
    for line in [*shapes.values(), *lines[::20]]:
        assert complaints("cassette", line) == []


REPLAYED = {  # the first plan of each method that a chapter recorded with one model
    f"{name} {plan.method}": (name, plan) for name, plans in PLANS.items() for plan in reversed(plans) if not plan.small
}


@cache
def solved(which):
    name, plan = REPLAYED[which]
    file = ROOT / "notebooks" / "cassettes" / f"{name}.jsonl"
    return plan.jobs()[0], tot.Cassette(file, model=tot.lm.tape.Tape(file).models[0])


@pytest.mark.parametrize("which", REPLAYED)
def test_traces_and_results_keep_their_schemas(which, tmp_path):
    job, lm = solved(which)
    solution = tot.solve(job.task, job.problem, job.method.name, lm=lm, **job.params)
    assert not solution.error
    file = tmp_path / "trace.json"
    solution.trace.save(file)
    assert complaints("trace", json.loads(file.read_text(encoding="utf-8"))) == []
    assert complaints("results", json.loads(json.dumps(solution.to_dict()))) == []


def test_a_results_file_keeps_its_schema(tmp_path):
    lm = tot.Scripted(lambda request, index: "Answer: 4 * 9 - 13")
    jobs = grid(tot.task("game24"), ["io"], tot.task("game24").problems("starter")[:2])
    run_experiment(jobs, lm, out=tmp_path / "r.jsonl", budget=tot.Budget(calls=5, seconds=60), progress=False)

    def failing(request, index):
        raise tot.LMError("the server is down: start it")

    run_experiment(jobs, tot.Scripted(failing, name="down"), out=tmp_path / "r.jsonl", progress=False)
    lines = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 4 and {"error" in line for line in lines} == {True, False} and "budget" in lines[0]
    assert [complaints("results", line) for line in lines] == [[]] * 4


def everything():
    """A search that reports what no recorded run does, and a fact of its own."""
    root = tot.Node(tot.State("x"))
    [child] = root.grow([tot.Thought("one", prior=0.5)])
    [leaf] = child.grow([tot.Thought("two", answer="2", final=True)])
    leaf.state = leaf.state.observed(tot.Observation("nothing", 2.0, "timeout"))
    leaf.value, leaf.note, leaf.visits, leaf.total, leaf.g, leaf.f = 0.5, "so", 2, 1.0, 3.0, 2.5
    yield Acted([leaf])
    yield Reflected(leaf, None, [{"node": leaf.id, "why": "empty", "text": ""}])
    yield Event("of my own", [leaf], {"more": [1]})
    yield Best([leaf])
    yield Unfinished([leaf], "rounds")


def test_the_schema_of_traces_knows_every_kind_of_event():
    document = json.loads(tot.run(everything(), tot.Scripted(lambda request, index: "")).trace.to_json())
    assert complaints("trace", document) == []
    kinds = {branch["if"]["properties"]["kind"]["const"] for branch in formats.load("trace")["$defs"]["event"]["allOf"]}
    assert {event["kind"] for event in document["events"]} - {"of my own"} <= kinds
    classes = {kind.__name__ for kind in Event.__subclasses__()}
    assert {"".join(word.capitalize() for word in kind.split("_")) for kind in kinds} == classes | {
        "Asked",
        "Introduced",
    }


def broken(document, path, value):
    copy = deepcopy(document)
    place = copy
    for step in path[:-1]:
        place = place[step]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return copy


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("cassette", ("index",), None),
        ("cassette", ("index",), -1),
        ("cassette", ("key",), "8be937f0726b978g"),
        ("cassette", ("params", "temprature"), 0.7),
        ("cassette", ("type",), "reply"),
        ("cassette", ("more",), 1),
        ("trace", ("schema",), 2),
        ("trace", ("events", 0, "kind"), None),
        ("trace", ("events", 0, "requests", 0, "samples", 0, "tokens"), "3"),
        ("trace", ("events", 0, "nodes", 0, "id"), "1.0"),
        ("trace", ("events", 1, "unread"), None),
        ("trace", ("events", 1, "why"), "?"),
        ("trace", ("events", 1, "nodes", 0, "clock"), 12.5),
        ("trace", ("result", "stopped"), "tired"),
        ("results", ("usage", "calls"), 1.5),
        ("results", ("usage",), None),
        ("results", ("correct",), "yes"),
        ("results", ("seconds",), 3),
        ("results", ("answers",), "24"),
    ],
)
def test_the_schemas_refuse_what_is_wrong(name, path, value):
    job, lm = solved("06 tot-bfs")
    solution = tot.solve(job.task, job.problem, job.method.name, lm=lm, **job.params)
    lines = CASSETTES[0].read_text(encoding="utf-8").splitlines()
    document = {
        "cassette": next(line for line in map(json.loads, lines) if line["type"] == "sample"),
        "trace": json.loads(solution.trace.to_json()),
        "results": json.loads(json.dumps(solution.to_dict())),
    }[name]
    assert complaints(name, document) == []
    assert complaints(name, broken(document, path, value)) != []


def test_the_page_of_the_formats_shows_every_member_and_a_real_example(pages):
    page = pages["formats"]
    for name in ("cassette", "trace", "results"):
        assert f":download:`{name}.schema.json </book/schemas/{name}.schema.json>`" in page
        for part in (formats.load(name), *formats.load(name)["$defs"].values()):
            for member, told in part.get("properties", {}).items() if "title" in part else ():
                assert "description" not in told or f"* - ``{member}``" in page, member
    assert '"problem": "1 2 3 4"' in page and '"correct": true' in page and '"type": "session"' in page
    assert formats.cut({"a": ["x" * 70, 2, 3, 4]}) == {"a": ["x" * 60 + " …", 2, "… 2 more"]}


def test_the_map_for_contributors_names_files_that_exist():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    steps, picture = re.search(r"\nWhat happens in (.*?)```text\n(.*?)```", page, flags=re.S).groups()
    table = page.partition("## Where to add something")[2].partition("\n## ")[0]
    in_steps = re.findall(r"`((?!tot/)[\w/]+(?:\.py|/))`", steps)
    in_picture = re.findall(r"\b(?:[a-z_]+/)?[\w]+\.py|\b(?:lm|methods|search)/\w+/?|\b\w+/(?=\s)", picture)
    in_table = re.findall(r"`((?:tot|tests)/[\w/]*(?:\.py)?)`", table)
    assert len(in_steps) > 20 and len(in_picture) > 12 and len(in_table) > 12
    for name in (*(f"tot/{name}" for name in (*in_steps, *in_picture)), *in_table):
        assert (ROOT / name).exists() or (ROOT / f"{name}.py").exists(), name
    for name in re.findall(r"`(tot\.[\w.]+)`", table):
        assert find(name) is not None, name
    assert {"task", "model", "tool", "method", "search"} == set(re.findall(r"^\| a (\w+) \|", table, flags=re.M))
