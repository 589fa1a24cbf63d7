"""Traces to show: small searches of every kind, edge cases, hostile texts; and how to read what is shown of them."""

import json
import random
import re
from fractions import Fraction
from xml.etree import ElementTree

import planners
from trees import grow, judge, model, root

import tot
from tot import run
from tot.search import best_first, bfs, dfs, mcts
from tot.tasks.game24_rules import moves, solvable
from tot.trace import Trace

Q = "In which town was the inventor of the saxophone born?"

BAD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")

HOSTILE = [
    "<script>alert('x')</script>",
    '"><img src=x onerror="alert(1)">',
    "]]> --> </svg></title></style></details></div>",
    "\x1b[31mred\x1b[0m \x00\x07\x08 bell",
    "right\u202eto\u2066left\u2069 \u200f",
    "lone \ud800 surrogate \ufffe \uffff",
    "two\nlines\r\nand\ttabs \u2028 more",
    "x" * 1_000_000,
    "海辺を歩く " * 40,
    "",
    "   ",
    "&lt;b&gt; &amp; $x^2$ `code` | pipe \\",
]


def player(request: tot.Request, index: int) -> str:
    """Proposes legal moves (and one that is not), and knows which numbers reach 24."""
    system, last = request.messages[0].content, request.messages[-1].content
    if "List up to eight" in system:
        steps = moves(tuple(sorted(map(Fraction, last.split(": ")[1].split()))))
        ranked = sorted(steps, key=lambda step: not solvable(step.left))
        return "\n".join(map(str, [*ranked[:3], *ranked[-5:]])) + "\n13 + 13 = 27"
    if system.startswith("Can the numbers"):
        return "sure" if solvable(tuple(sorted(map(Fraction, last.split())))) else "impossible"
    return "Answer: (13 - 9) * (10 - 4)" if index % 3 == 0 else "Answer: 4 * 9 - 13"


def solved(method: str = "tot-bfs", **params: object) -> tot.Solution:
    return tot.solve("game24", "4 9 10 13", method, lm=tot.Scripted(player), **params)


def node(id: str, **more: object) -> dict[str, object]:
    parent = id.rpartition(".")[0] or None
    return {"id": id, "parent": parent, "thought": f"thought {id}", **more}


def trip() -> Trace:
    """A small depth-first search: one branch pruned, one child that was never valued, an answer that is wrong."""
    events = [
        {
            "kind": "expanded",
            "of": ["0"],
            "nodes": [node("0", thought="plan a trip"), node("0.0"), node("0.1"), node("0.2")],
        },
        {"kind": "evaluated", "nodes": [{"id": f"0.{i}", "value": value} for i, value in enumerate((7.5, 4.0, 1.0))]},
        {"kind": "pruned", "nodes": [{"id": "0.1"}], "why": "no night train in November"},
        {"kind": "expanded", "of": ["0.0"], "nodes": [node("0.0.0", answer="museum", final=True), node("0.0.1")]},
        {"kind": "best", "nodes": [{"id": "0.0.0"}]},
    ]
    result = {"stopped": "done", "answer": "museum", "correct": False, "scores": [{"correct": False, "why": ""}]}
    return Trace({"task": "trip", "problem": "plan a trip", "method": "tot-dfs"}, events, result)


def hostile() -> Trace:
    """Every text of the trace is hostile, and some numbers are not numbers."""
    kids = [node(f"0.{i}", thought=bad, answer=bad, prior=bad) for i, bad in enumerate(HOSTILE)]
    values = [float("nan"), float("inf"), -1e308, "ten", None, True, 3, 0.1, 1e20, -2, 0, 7]
    judged = [
        {"id": kid["id"], "value": value, "note": kid["thought"]} for kid, value in zip(kids, values, strict=True)
    ]
    asked = [
        {
            "about": kid["id"],
            "messages": [{"role": bad, "content": bad}, {"role": "user", "content": bad}],
            "samples": [{"text": bad, "finish": bad, "tokens": 1}],
            "first": 0,
        }
        for kid, bad in zip(kids, HOSTILE, strict=True)
    ]
    unread = [{"node": kid["id"], "why": bad, "text": bad} for kid, bad in zip(kids, HOSTILE, strict=True)]
    events = [
        {"kind": "expanded", "of": ["0"], "nodes": [node("0", thought=HOSTILE[0]), *kids], "unread": unread},
        {"kind": "asked", "role": HOSTILE[1], "round": 1, "requests": asked, "nodes": judged},
        {"kind": "evaluated", "nodes": judged, "unread": [{"node": None, "why": HOSTILE[3], "text": HOSTILE[7]}]},
        {"kind": "pruned", "nodes": [{"id": "0.1"}], "why": HOSTILE[2]},
        {"kind": "best", "nodes": [{"id": "0.0"}, {"id": "0.5"}]},
    ]
    head = dict(zip(("task", "problem", "method", "lm"), HOSTILE, strict=False))
    scores = [{"correct": True, "why": ""}, {"correct": False, "why": ""}]
    return Trace(head, events, {"stopped": HOSTILE[1], "error": HOSTILE[3], "answer": HOSTILE[0], "scores": scores})


THOUGHT = ('"><img src=x onerror="alert(1)"> Let me see.', "second thoughts")


def thoughtful() -> Trace:
    """One question with three replies, before two of which the model thought; the last was cut while it did."""
    samples = [
        tot.lm.base.Sample("Answer: (13 - 9) * (10 - 4)", "stop", 9, THOUGHT[0], 5),
        tot.lm.base.Sample("Answer: 4 * 9 - 13", "stop", 4),
        tot.lm.base.Sample("", "thinking", 7, THOUGHT[1], 7),
    ]
    lm = tot.Scripted(lambda request, i: samples[i])
    return tot.solve("game24", "4 9 10 13", "io", k=3, lm=lm).trace


def large(n: int = 5000) -> Trace:
    """A tree of n nodes, every tenth of them kept."""
    rng = random.Random(0)
    ids = ["0"]
    born = [node("0")]
    sizes = {"0": 0}
    while len(ids) < n:
        parent = rng.choice(ids[-400:])
        id = f"{parent}.{sizes[parent]}"
        sizes[parent] += 1
        sizes[id] = 0
        ids.append(id)
        born.append({"id": id, "parent": parent, "thought": f"a thought of some length, number {len(ids)}"})
    values = [{"id": id, "value": rng.random()} for id in ids]
    return Trace(
        {"problem": "a large one"},
        [
            {"kind": "expanded", "of": ids[:1], "nodes": born},
            {"kind": "evaluated", "nodes": values},
            {"kind": "best", "nodes": values[::10]},
        ],
    )


def chain(n: int) -> Trace:
    ids = [".".join(["0"] * (i + 1)) for i in range(n)]
    born = [{"id": str(i), "parent": str(i - 1) if i else None, "thought": f"step {i}"} for i in range(n)]
    return Trace(
        {}, [{"kind": "expanded", "of": [], "nodes": born}, {"kind": "best", "nodes": [{"id": str(len(ids) - 1)}]}]
    )


EDGES = {
    "empty": Trace(),
    "root": Trace({"problem": "1 2 3 4"}, [{"kind": "best", "nodes": [node("0")]}]),
    "error": Trace(
        {"task": "game24", "problem": "1 2 3 4"}, [], {"stopped": "error", "error": "No key: set OPENAI_API_KEY."}
    ),
    "orphan": Trace({}, [{"kind": "evaluated", "nodes": [node("0"), {"id": "7.7", "parent": "7", "thought": "lost"}]}]),
    "trip": trip(),
    "hostile": hostile(),
    "chain": chain(1500),
}


def filled(steps: int = 30) -> tot.Solution:
    """A depth-first search, by a simulation that errs: nodes are kept, pruned, and never visited."""
    from treebook.studies.crosswords_simulated import SimulatedSolver

    return tot.solve("crosswords", "mini-09", lm=SimulatedSolver(know=0.6), steps=steps)


def sleuth(request, i):
    text = request.messages[-1].content
    if "with a score" in text:
        return "Score: 0.5"
    if "Adolphe Sax]" in text:
        return ["Action: Finish[Dinant]", "Action: Search[Nowhere at all]"][i % 2]
    return ["Thought: He?\nAction: Search[Adolphe Sax]", "Action: Search[Sax]", "Action: Search[Saxophone]"][i % 3]


def voter(request: tot.Request, index: int) -> str:
    """For plan, vote, solve, vote: two thoughts win votes in turn."""
    asked = request.messages[0].content
    if "The best choice is" in asked:
        return f"The best choice is {1 + index % 2}"
    return f"The answer is {16 - index}." if "Strategy: " in asked or "\nPlan:\n" in asked else f"Strategy: way {index}"


#            r
#      a 3        b 5      c 1       values; a capital letter is an answer; what follows "?" cannot be read
#    D 2  e 4     F 5
TREE = {"r": "a b ? c", "ra": "D e", "rb": "F", "rc": "", "rae": ""}

VALUES = {"ra": 3, "rb": 5, "rc": 1, "raD": 2, "rae": 4, "rbF": 5}


def beam():
    return run(bfs(root(), grow(), judge(), depth=2, breadth=2), model(TREE, VALUES)).trace


def deep(budget=None):
    return run(dfs(root(), grow(), judge(), depth=3, threshold=1), model(TREE, VALUES), budget=budget).trace


def greedy():
    return run(best_first(root(), grow(), judge(), depth=3, rounds=9), model(TREE, VALUES)).trace


def rollouts():
    tree = {"r": "a b", "ra": "c d", "rb": "e"}
    values = {"r": 0.5, "ra": 0.6, "rb": 0.4, "rac": 0.9, "rad": 0.2, "rbe": "?"}
    return run(mcts(root(), grow(), judge(), depth=3, rollouts=7), model(tree, values)).trace


def small(rollouts=5):
    """Monte Carlo search; rollouts go to r, a, b, ac (2.08 against 1.88), b (1.93 against 2.07)."""
    tree = {"r": "a b", "ra": "c d"}
    values = {"r": 0.5, "ra": 0.6, "rb": 0.4, "rac": 0.9, "rad": 0.2}
    return run(mcts(root(), grow(), judge(), rollouts=rollouts, depth=2), model(tree, values))


def sleuthed(method: str = "itot-dstar", **knobs: object) -> tot.Solution:
    """A search with tools, some of which fail."""
    return tot.solve("hotpotqa", Q, method, lm=tot.Scripted(sleuth), **knobs)


def planned() -> Trace:
    lm = planners.team(planners.LUCKY, planners.LUCK)
    return tot.solve("gsm8k", planners.X, "mcts-plan", lm=lm, rollouts=6, revisions=2).trace


def voted() -> Trace:
    return tot.solve("gsm8k", "What is 7 + 9?", "tot-vote", lm=tot.Scripted(voter)).trace


TRACES = {
    "bfs": beam,
    "dfs": deep,
    "best-first": greedy,
    "mcts": rollouts,
    "itot-astar": lambda: sleuthed("itot-astar", rounds=4).trace,
    "itot-dstar": lambda: sleuthed(rounds=4).trace,
    "mcts-plan": planned,
    "vote": voted,
    "game24": lambda: solved(breadth=2).trace,
    "crosswords": lambda: filled().trace,
    "react": lambda: sleuthed("react").trace,
    **{name: (lambda trace=trace: trace) for name, trace in EDGES.items() if name != "chain"},
}


def every_view(trace: Trace) -> dict[str, str]:
    from treebook.show import svg

    return {
        "svg": str(svg(trace)),
        "svg box": f"<div>{svg(trace)._repr_html_()}</div>",  # across, and downwards for phones
        "svg whole": str(svg(trace, max_dropped=None, max_children=None, title=False)),
    }


def boxes(picture_: str) -> list[tuple[float, float, float, float]]:
    root = ElementTree.fromstring(picture_)
    found = []
    for group in root.iter("{http://www.w3.org/2000/svg}g"):
        rect = group.find("{http://www.w3.org/2000/svg}rect")
        if rect is not None and group.find("{http://www.w3.org/2000/svg}title") is not None:
            found.append(tuple(float(rect.get(key, "0")) for key in ("x", "y", "width", "height")))
    return found


def replay(told):
    """What the page knows after each step: node -> its fields. Written again from the docstring of ``view``."""
    from treebook.explorer.data import BIRTH, FIELDS

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
    """The nodes' ids, as searches give them: their parent's and a number."""
    found, children = [], {}
    for node in told["nodes"]:
        n = children[node["parent"]] = children.get(node["parent"], -1) + 1
        found.append(f"{found[node['parent']]}.{n}" if node["parent"] >= 0 else "0")
    return found


def data_of(page):
    [text] = re.findall(r'<script type="application/json">(.*?)</script>', str(page), re.S)
    return json.loads(text)
