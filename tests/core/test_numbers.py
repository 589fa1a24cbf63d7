"""Numbers near the largest float, and beyond: an evaluator of somebody's own may give any."""

import json
from math import inf, nan
from random import Random

import pytest
from trees import model, root

from tot import Event, Thought, Trace, bfs, dfs, mcts, run
from tot.jsonlines import Appender, dumps, read_lines
from tot.show.terminal import text

HUGE = (1e308, -1e308, 1.7e308, -1.7e308, inf, -inf, nan, 5e-324, 1.0)
SEARCHES = {
    "bfs": lambda grows, judges: bfs(root(), grows, judges, depth=3, breadth=2),
    "dfs": lambda grows, judges: dfs(root(), grows, judges, depth=3),
    "mcts": lambda grows, judges: mcts(root(), grows, judges, depth=3, rollouts=12),
}


def strict(text):
    """What a program reads that knows JSON's standard only."""

    def refuse(word):
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.mark.parametrize("name", SEARCHES)
def test_a_trace_is_json_whatever_the_values(name, tmp_path):
    for seed in range(20):
        rng = Random(seed)

        def generate(nodes):
            new = [child for node in nodes for child in node.grow(map(Thought, "ab"))]
            yield Event("expanded", new, {"of": [node.id for node in nodes], "unread": []})
            return new

        def evaluate(nodes, rng=rng):
            for node in nodes:
                node.value = rng.choice(HUGE)
            yield Event("evaluated", list(nodes), {"unread": []})

        result = run(SEARCHES[name](generate, evaluate), model({}, {}))
        document = strict(result.trace.to_json())
        assert len(document["events"]) == len(result.trace.events)
        result.trace.save(tmp_path / "t.json")
        assert text(Trace.load(tmp_path / "t.json"))


def test_what_is_finite_is_written_as_ever(tmp_path):
    plain = {"a": [1, 0.1, 1e308, -0.0, "NaN", True, None], "b": {"c": "Infinity é \u2028"}}
    assert dumps(plain) == json.dumps(plain, ensure_ascii=False)
    wild = {"a": [inf, -inf, nan], "b": {"c": (inf, 2)}}
    most = 1.7976931348623157e308
    assert strict(dumps(wild)) == {"a": [most, -most, None], "b": {"c": [most, 2]}}
    with Appender(tmp_path / "r.jsonl") as file:
        file.write(wild, plain)
    assert [strict(line) for line in (tmp_path / "r.jsonl").read_text("utf-8").split("\n")[:-1]][1] == plain
    assert len(list(read_lines(tmp_path / "r.jsonl"))) == 2
