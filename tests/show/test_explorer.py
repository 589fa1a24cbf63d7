"""The data behind the explorer: it must be the trace again, at every step; and the page around it must be safe."""

import itertools
import json
import os
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest
import test_itot
import test_plans
from test_show import BAD, EDGES, HOSTILE, filled, hostile, large, solved, trip
from test_show_tools import Q, sleuth
from test_tot_vote import player
from trees import grow, judge, model, root

import tot
from tot import Budget, run, show
from tot.search import best_first, bfs, dfs, mcts
from tot.show.view import BIRTH, FIELDS, _plain, view
from tot.show.words import block, line
from tot.trace import Trace

ROOT = Path(__file__).parents[2]

#            r
#      a 3        b 5      c 1       values; a capital letter is an answer; what follows "?" cannot be read
#    D 2  e 4     F 5
TREE = {"r": "a b ? c", "ra": "D e", "rb": "F", "rc": "", "rae": ""}
VALUES = {"ra": 3, "rb": 5, "rc": 1, "raD": 2, "rae": 4, "rbF": 5}


def beam():
    return run(bfs(root(), grow(), judge(), depth=2, breadth=2), model(TREE, VALUES)).trace


def deep():
    return run(dfs(root(), grow(), judge(), depth=3, threshold=1), model(TREE, VALUES)).trace


def greedy():
    return run(best_first(root(), grow(), judge(), depth=3, rounds=9), model(TREE, VALUES)).trace


def rollouts():
    tree = {"r": "a b", "ra": "c d", "rb": "e"}
    values = {"r": 0.5, "ra": 0.6, "rb": 0.4, "rac": 0.9, "rad": 0.2, "rbe": "?"}
    return run(mcts(root(), grow(), judge(), depth=3, rollouts=7), model(tree, values)).trace


def tools():
    return run(test_itot.dstar(), test_itot.world(down=["rad", "rc"])).trace


def sleuthed():
    return tot.solve("hotpotqa", Q, "itot-dstar", lm=tot.Scripted(sleuth), rounds=4).trace


def planned():
    lm = test_plans.team(test_plans.LUCKY, test_plans.LUCK)
    return tot.solve("gsm8k", test_plans.X, "mcts-plan", lm=lm, rollouts=6, revisions=2).trace


def voted():
    return tot.solve("gsm8k", "What is 7 + 9?", "tot-vote", lm=player()).trace


TRACES = {
    "bfs": beam,
    "dfs": deep,
    "best-first": greedy,
    "mcts": rollouts,
    "itot": tools,
    "itot-tools": sleuthed,
    "mcts-plan": planned,
    "vote": voted,
    "game24": lambda: solved(breadth=2).trace,
    "crosswords": lambda: filled().trace,
    "react": lambda: tot.solve("hotpotqa", Q, "react", lm=tot.Scripted(sleuth)).trace,
    **{name: (lambda trace=trace: trace) for name, trace in EDGES.items() if name != "chain"},
}
every_trace = pytest.mark.parametrize("name", TRACES)


def replay(told):
    """What the page knows after each step: node -> its fields. Written again from the docstring of ``view``."""
    nodes = {}
    for step in told["steps"]:
        for field, value, *numbers in step["set"]:
            for i in numbers:
                nodes[i] = {**nodes.get(i, {field: BIRTH.get(field) for field in FIELDS}), field: value}
        yield dict(nodes)


def moments(trace):
    """How many events there were after each step: an "introduced" event belongs to the next one."""
    yield 0
    yield from (i for i, event in enumerate(trace.events, 1) if event.get("kind") != "introduced")
    yield len(trace.events)


def ids(told):
    """The nodes' ids: those that are left out are their parent's and a number."""
    found, children = [], {}
    for node in told["nodes"]:
        n = children[node["parent"]] = children.get(node["parent"], -1) + 1
        found.append(node.get("id", f"{found[node['parent']]}.{n}" if node["parent"] >= 0 else "?"))
    return found


# ------------------------------------------------------------------------------------------------ the steps


@every_trace
def test_the_sum_of_the_steps_is_the_picture_at_every_moment(name):
    trace = TRACES[name]()
    told = view(trace)
    order = list(show.picture(trace).items)
    moments_, replayed = list(moments(trace)), list(replay(told))
    assert len(moments_) == len(replayed) == len(told["steps"])
    for k, (upto, nodes) in enumerate(zip(moments_, replayed, strict=True)):
        seen = show.picture(trace, None if k == len(replayed) - 1 else upto).items
        if k:
            assert [order[i] for i in sorted(nodes)] == sorted(seen, key=order.index)
        for i, state in nodes.items():
            item = seen[order[i]]
            assert state["status"] == item.status and state["why"] == line(item.why)
            assert (state["value"], state["visits"], state["mean"]) == tuple(
                map(_plain, (item.value, item.visits, item.mean))
            )
            assert (state["g"], state["f"], state["cost"]) == tuple(map(_plain, (item.g, item.f, item.cost)))
            assert state["failed"] == line(item.failed)
            assert state["verdict"] == (item.verdict if k == len(replayed) - 1 else "")
            said = state["observation"]
            assert (None if said is None else told["texts"][said]) == (item.observation and block(item.observation))


@every_trace
def test_nodes_and_the_chosen_path_are_those_of_the_picture(name):
    trace = TRACES[name]()
    told, seen = view(trace), show.picture(trace)
    items = list(seen.items.values())
    assert ids(told) == [show.words.clean(item.id) for item in items]
    for node, item in zip(told["nodes"], items, strict=True):
        assert told["texts"][node["thought"]] == block(item.thought)
        assert items[node["parent"]].id == item.parent if item.parent is not None else node["parent"] == -1
        assert node.get("final", False) is item.final and ("answer" in node) is (item.answer is not None)
    best = told["best"][len(told["steps"]) - 1]
    ends = [i for i, item in enumerate(items) if item.end]
    assert best[:1] == ends
    path = set()
    at = best[0] if best else -1
    while at >= 0:
        path.add(at)
        at = told["nodes"][at]["parent"]
    assert path == {i for i, item in enumerate(items) if item.chosen}


def test_the_steps_of_a_beam_by_hand():
    told = view(beam())
    names = ids(told)
    short = [(step["kind"], [names[i] for i in step["nodes"]]) for step in told["steps"]]
    assert short == [
        ("start", ["0"]),
        ("asked", ["0"]),
        ("expanded", ["0.0", "0.1", "0.2"]),
        ("asked", ["0.0", "0.1", "0.2"]),
        ("evaluated", ["0.0", "0.1", "0.2"]),
        ("best", ["0.1", "0.0"]),
        ("asked", ["0.1", "0.0"]),
        ("expanded", ["0.1.0", "0.0.0", "0.0.1"]),
        ("asked", ["0.1.0", "0.0.0", "0.0.1"]),
        ("evaluated", ["0.1.0", "0.0.0", "0.0.1"]),
        ("best", ["0.1.0", "0.0.1"]),
        ("finished", ["0.1.0"]),
    ]
    assert told["steps"][5]["set"] == [
        ["status", "kept", 2, 1],
        ["open", True, 2, 1],
        ["open", False, 0],
        ["status", "dropped", 3],
    ]
    assert told["measures"] == {"value": (0.0, 5.0)}


# ------------------------------------------------------------------------------------------------ what was asked


@every_trace
def test_every_prompt_and_reply_is_found_and_stored_once(name):
    trace = TRACES[name]()
    told = view(trace)
    texts = told["texts"]
    assert len(set(texts)) == len(texts)
    events = [event for event in trace.events if event.get("kind") == "asked"]
    plain = [(event, request) for event in events for request in event["requests"]]
    order = list(show.picture(trace).items)
    assert len(plain) == len(told["requests"])
    for (event, request), asked in zip(plain, told["requests"], strict=True):
        about = [n["id"] for n in event["nodes"]] if request["about"] is None else [request["about"]]
        assert [order[i] for i in asked["nodes"]] == about
        assert [texts[text] for _, text in asked["messages"]] == [block(m["content"]) for m in request["messages"]]
        assert [texts[text] for text, _, _ in asked["replies"]] == [block(s["text"]) for s in request["samples"]]
        assert [tokens for _, _, tokens in asked["replies"]] == [s["tokens"] for s in request["samples"]]
        step = told["steps"][asked["step"]]
        assert step["kind"] == "asked" and step["role"] == asked["role"] == line(event["role"])


@every_trace
def test_the_steps_add_up_to_the_bill(name):
    trace = TRACES[name]()
    if usage := trace.result.get("usage"):
        steps = view(trace, prompts=False)["steps"]
        assert sum(step.get("requests", 0) for step in steps) == usage["calls"]
        assert sum(step.get("tokens", 0) for step in steps) == usage["prompt_tokens"] + usage["completion_tokens"]
        assert max((step.get("round", 0) for step in steps), default=0) == usage["rounds"]


def test_equal_requests_of_a_round_are_billed_once():
    def search():
        yield tot.Ask("evaluate", [root(), root()], [tot.user("the same"), tot.user("the same")])

    trace = run(search(), tot.Scripted(["ten words"])).trace
    [asked] = [step for step in view(trace)["steps"] if step["kind"] == "asked"]
    bill = trace.result["usage"]
    assert (asked["requests"], asked["tokens"]) == (1, bill["prompt_tokens"] + bill["completion_tokens"])
    assert bill["calls"] == 1


def test_what_was_made_of_a_reply():
    told = view(beam())
    names = ids(told)
    first, second = told["requests"][:2]
    assert [names[i] for i in first["made"]] == ["0.0", "0.1", "0.2"] and first["unread"] == [["no letter", "?"]]
    assert second["values"] == [[1, 3]] and "made" not in second
    assert [step["kind"] for step in told["steps"]].count("voted") == 0

    told = view(voted())
    ballots = [request for request in told["requests"] if len(request["nodes"]) > 1]
    kinds = [step["kind"] for step in told["steps"]]
    assert len(ballots) == kinds.count("voted") == 2
    for request in ballots:
        assert sorted(i for i, _ in request["values"]) == sorted(request["nodes"])

    told = view(planned())
    judged = [request for request in told["requests"] if request["role"] == "judge"]
    assert judged and all(
        {judge for judge, _, _ in request["scores"]} == {"logic", "feasibility"} for request in judged
    )


def test_prompts_may_be_left_out_and_texts_cut():
    told = view(beam(), prompts=False)
    kinds = [[step["kind"] for step in view(voted(), prompts=prompts)["steps"]] for prompts in (True, False)]
    assert kinds[0] == kinds[1] and "voted" in kinds[0]
    assert told["requests"] == [] and sum(step.get("requests", 0) for step in told["steps"]) > 0
    assert told["texts"] == ["r", "a", "b", "c", "F", "D", "e"], "thoughts, no prompts"
    cut = view(hostile(), limit=50)
    assert max(map(len, cut["texts"])) < 50 + 40 and any("more characters" in text for text in cut["texts"])


# ------------------------------------------------------------------------------------------------ the frontier


def frontiers(trace):
    """(kind of step, ids that are open after it) for every step."""
    told = view(trace)
    names = ids(told)
    for step, nodes in zip(told["steps"], replay(told), strict=True):
        yield step["kind"], {names[i] for i, state in nodes.items() if state["open"]}


def test_the_beam_is_the_last_incumbents():
    trace = beam()
    last = {"0"}
    for (kind, open_), upto in zip(frontiers(trace), moments(trace), strict=True):
        if kind == "best":
            last = {node["id"] for node in trace.events[upto - 1]["nodes"]}
        assert open_ == last
    assert view(trace)["frontier"] == {"title": "Beam, best first", "order": "value"}


@pytest.mark.parametrize("name", ["itot", "itot-tools"])
def test_the_open_list_is_that_of_the_table(name):
    trace = TRACES[name]()
    counts = [len(open_) for kind, open_ in frontiers(trace) if kind == "taken"]
    assert counts == [int(row[2]) for row in show.open_list(trace).cells] and len(counts) > 2
    assert view(trace)["frontier"]["order"] == "f"


def test_the_open_list_of_best_first_search_by_hand():
    taken = [(kind, " ".join(sorted(open_))) for kind, open_ in frontiers(greedy()) if kind in ("taken", "evaluated")]
    assert taken == [
        ("taken", ""),
        ("evaluated", "0.0 0.1 0.2"),
        ("taken", "0.0 0.2"),
        ("evaluated", "0.0 0.1.0 0.2"),
        ("taken", "0.0 0.2"),
    ]


def test_the_waiting_candidates_of_depth_first_search_by_hand():
    waiting = [
        (kind, " ".join(sorted(open_))) for kind, open_ in frontiers(deep()) if kind in ("expanded", "evaluated")
    ]
    assert waiting[:5] == [
        ("expanded", "0.0 0.1 0.2"),
        ("evaluated", "0.1 0.2"),
        ("expanded", "0.0.0 0.0.1 0.1 0.2"),
        ("evaluated", "0.0.1 0.1 0.2"),
        ("evaluated", "0.1 0.2"),
    ]
    assert waiting[-1] == ("evaluated", "") and view(deep())["frontier"]["order"] == "depth"


def test_the_leaves_of_monte_carlo_search_are_those_selected():
    trace = rollouts()
    leaves = {"0"}
    for (kind, open_), upto in zip(frontiers(trace), moments(trace), strict=True):
        if kind == "selected":
            leaves = {node["id"] for node in trace.events[upto - 1]["nodes"]}
        assert open_ == leaves


def test_a_shorter_run_has_the_same_first_steps():
    whole = view(filled().trace)["steps"]
    short = run(dfs(root(), grow(), judge(), depth=3, threshold=1), model(TREE, VALUES), budget=Budget(calls=4)).trace
    long = view(deep())["steps"]
    assert len(whole) > 30 and len(view(short)["steps"]) < len(long)
    for a, b in zip(view(short)["steps"][:-1], long, strict=False):
        assert {**a, "set": sorted(map(str, a["set"]))} == {**b, "set": sorted(map(str, b["set"]))}


# ------------------------------------------------------------------------------------------------ the page


def data_of(page):
    [text] = re.findall(r'<script type="application/json">(.*?)</script>', str(page), re.S)
    return json.loads(text)


@every_trace
def test_the_page_is_safe_and_always_the_same(name):
    page = show.explorer(TRACES[name]())
    assert page == show.explorer(TRACES[name]()) and not BAD.search(page)
    lower = page.lower()
    assert (lower.count("<script"), lower.count("</script"), lower.count("<style"), lower.count("</style")) == (
        2,
        2,
        1,
        1,
    )
    [text] = re.findall(r'<script type="application/json">(.*?)</script>', str(page), re.S)
    assert "<" not in text
    assert "<img" not in page and "http" not in re.sub(r"http://www.w3.org/2000/svg", "", page.split("</details>")[1])
    assert " id=" not in page, "nothing to clash with another one on the page"
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|fetch\(|import\(", page)


@every_trace
def test_the_packed_tables_are_the_view(name):
    trace = TRACES[name]()
    told, packed = view(trace), data_of(show.explorer(trace, size=None))
    for table in ("nodes", "steps", "requests"):
        columns, *rows = packed[table]
        unpacked = [dict(zip(columns, row, strict=False)) for row in rows]
        for row in unpacked:
            if table == "steps":
                row["kind"] = packed["kinds"][row["kind"]]
                row["set"] = [[packed["fields"][field], *more] for field, *more in row["set"]]
        assert [{k: v for k, v in row.items() if v is not None} for row in unpacked] == json.loads(
            json.dumps([{k: v for k, v in row.items() if v is not None} for row in told[table]])
        )


def test_the_page_does_not_depend_on_the_hash_seed():
    code = "import sys; sys.path[:0] = ['tests/show', 'tests/helpers']\n"
    code += "import test_explorer as t; from tot import show\n"
    code += "import hashlib; print(hashlib.sha256(show.explorer(t.beam()).encode()).hexdigest())"
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1] and len(runs[0]) == 65


def test_a_page_that_grows_too_large_is_cut_and_says_so():
    trace = filled(100).trace
    whole = show.explorer(trace, size=None)
    assert data_of(whole)["notice"] == "" and show.explorer(trace) == whole
    long = hostile()
    most = len(show.explorer(long, size=None).encode()) - 5_000
    cut = show.explorer(long, size=most)
    assert len(cut.encode()) <= most and "Texts are cut after 800" in data_of(cut)["notice"]
    bare = show.explorer(trace, size=1)
    assert data_of(bare)["requests"] == [[]] and "Prompts and replies are left out" in data_of(bare)["notice"]
    assert data_of(bare)["steps"] == data_of(whole)["steps"], "the search itself is never cut"
    with pytest.raises(ValueError, match="at least 100"):
        show.explorer(trace, height=10)


def test_it_can_be_opened_at_a_step_and_with_a_thought():
    trace = deep()
    usual, opened = data_of(show.explorer(trace)), data_of(show.explorer(trace, step=4, node="0.1"))
    assert opened["start"] == usual["start"] | {"step": 4, "node": ids(view(trace)).index("0.1")}
    last = len(view(trace)["steps"]) - 1
    show.explorer(trace, step=last)
    for step in (-1, last + 1):
        with pytest.raises(ValueError, match=f"from 0 to {last}"):
            show.explorer(trace, step=step)
    with pytest.raises(ValueError, match="no node '0.9'"):
        show.explorer(trace, node="0.9")


def test_the_script_is_one_line_without_comments():
    script = str(show.explorer(beam())).rpartition("<script>")[2].partition("</script>")[0]
    assert "\n" not in script and "// " not in script and "  " not in script
    assert 'createElementNS("http://www.w3.org/2000/svg", tag)' in script


@pytest.mark.parametrize("name", ["whole", "folded"])
def test_no_two_boxes_of_a_level_overlap(name):
    trace = large(800)
    data = data_of(show.explorer(trace))
    columns, *rows = data["nodes"]
    parents = [row[columns.index("parent")] for row in rows]
    depth = []
    for parent in parents:
        depth.append(0 if parent < 0 else depth[parent] + 1)
    layout, look = data["layouts"][name], data["look"]
    boxes = [
        (depth[i], y, look["tall"] if layout["tall"][i] == "1" else look["low"])
        for i, y in enumerate(layout["y"])
        if y >= 0
    ] + [(depth[parent] + 1, y, look["low"]) for parent, y, _ in layout["stubs"]]
    for (level, y, h), (next_, z, g) in itertools.pairwise(sorted(boxes)):
        assert level != next_ or z - y >= (h + g) / 2, "one below the other, apart"
    hidden = [i for _, _, folded in layout["stubs"] for i in folded]
    assert len(hidden) == len(set(hidden)) and all(layout["y"][i] == -1 for i in hidden)
    assert bool(hidden) is (name == "folded")


def test_what_came_to_nothing_is_folded_with_the_pruned_and_never_the_chosen_path():
    trace = solved(breadth=2).trace
    data, items = data_of(show.explorer(trace)), list(show.picture(trace).items.values())
    folded = [items[i] for _, _, hidden in data["layouts"]["folded"]["stubs"] for i in hidden]
    assert folded and all(item.status in ("dropped", "pruned", "valued", "new") for item in folded)
    assert not any(item.chosen or item.children for item in folded)
    pruned = trip()
    pruned.events[2]["nodes"] = [{"id": "0.1"}, {"id": "0.2"}]
    pruned.events.insert(3, {"kind": "expanded", "of": ["0"], "nodes": [{"id": "0.3", "parent": "0", "thought": "x"}]})
    [[parent, _, hidden]] = data_of(show.explorer(pruned))["layouts"]["folded"]["stubs"]
    assert parent == 0 and len(hidden) == 2


def test_the_text_stands_in_the_page_for_those_without_script():
    page = show.explorer(solved(breadth=2).trace)
    text = page.partition("<pre>")[2].partition("</pre>")[0]
    assert "+" in text and "chosen" in text and "4 9 10 13" in text
    assert len(show.explorer(large(3000)).partition("<pre>")[2].partition("</pre>")[0].splitlines()) == 151


def test_it_saves_a_document_and_shows_in_a_notebook(tmp_path):
    page = show.explorer(hostile())
    page.save(tmp_path / "tree.html")
    saved = (tmp_path / "tree.html").read_text(encoding="utf-8")
    assert saved.startswith("<!DOCTYPE html>") and str(page) in saved
    assert page._repr_html_() == str(page) and repr(page).startswith("<HTML: Search tree.")
    assert all(isinstance(text, str) for text in HOSTILE)


def test_large_trees_take_seconds_not_minutes():
    import time

    began = time.perf_counter()
    page = show.explorer(large(5000))
    assert time.perf_counter() - began < 60
    assert len(page.encode()) < 1_000_000


def test_what_is_no_python_is_in_the_wheel():
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["*"]
    files = [p for p in (ROOT / "tot").rglob("*") if p.is_file() and "__pycache__" not in p.parts and p.suffix != ".py"]
    assert {"explorer.js", "explorer.css"} <= {path.name for path in files}
    assert [path for path in files if not any(fnmatch(path.name, one.rpartition("/")[2]) for one in patterns)] == []


def test_an_empty_trace_is_a_page_too():
    told = view(Trace())
    assert [step["kind"] for step in told["steps"]] == ["start", "finished"] and ids(told) == ["0"]


SAME = """
import hashlib, sys, tot
from tot import show
lm = tot.Cassette(sys.argv[1])
solution = tot.solve("game24", "2 3 7 10", "tot-bfs", lm=lm, breadth=5)
print(hashlib.sha256(show.explorer(solution).encode()).hexdigest())
"""


def test_equal_traces_give_equal_pages_whatever_the_order_of_sets():
    cassette = ROOT / "notebooks" / "cassettes" / "06_pocket.jsonl"
    pages = {
        subprocess.run(
            [sys.executable, "-c", SAME, str(cassette)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(pages) == 1
