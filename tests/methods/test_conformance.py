"""Every method keeps the rules of a search on every task of the papers, with tools that fail and in each ablation."""

import pytest
from gpt4_like import play

from tot import Scripted, method, task
from tot.methods import PLACES
from tot.tasks.base import ToolUsing
from tot.testing import check_search

SMALL = {"k": 3, "breadth": 2, "rollouts": 4, "rounds": 99, "steps": 8, "depth": 3, "plans": 4, "proposals": 2}
SMALL |= {"width": 3, "particles": 3, "subtrees": 2, "samples": 2, "trees": 3}
SIDE_BY_SIDE = ("dvts", "rebase", "particles")  # with one verdict, and not twice on many questions to a state: quick
TASKS = {name: task(name) for name in ("game24", "crosswords", "writing", "gsm8k", "strategyqa", "hotpotqa")}
METHODS = {name: method(name) for name in PLACES}
CASES = [(name, each, {}) for name, m in METHODS.items() for each in TASKS if not m.missing(TASKS[each])]
CASES = [case for case in CASES if case[1] != "crosswords" or case[0] not in SIDE_BY_SIDE[:2]]
CASES += [("tot-dfs", "crosswords", ablation) for ablation in ({"prune": False}, {"backtrack": False})]
CASES += [(name, "hotpotqa", {"failures": "0.3"}) for name, m in METHODS.items() if m.needs is ToolUsing]
CASES += [(name, "hotpotqa", {"answer": "asked"}) for name, m in METHODS.items() if "answer" in m.defaults]
CASES += [("tot-bfs", "game24", {"style": "paper"}), ("ab-mcts", "game24", {"models": 2})]
CASES += [("cot-sc", "game24", knobs) for knobs in ({"stop": 0.6, "k": 9}, {"weights": "judge"})]
LONG = [(name, "hotpotqa") for name in ("react-best-first", "itot-astar", "itot-dstar", "lats")]
LONG += [("tot-bfs", "crosswords")]  # tot-dfs is quick there, and those four where tools fail
CASES = [pytest.param(*c, marks=[pytest.mark.slow] * (c[:2] in LONG and "failures" not in c[2])) for c in CASES]


def world(request, i):
    """A model that knows no answer, and says of each prompt what fits; tools answer as they do."""
    if request.messages[0].content.startswith("{"):
        return TASKS["hotpotqa"].tools([request.samples(i, 1)])[0].samples[0]
    return play([{"role": m.role, "content": m.content} for m in request.messages], i, 0)


@pytest.mark.parametrize(("name", "each", "knobs"), CASES)
def test_a_method_keeps_the_rules_of_a_search(name, each, knobs):
    one = TASKS[each]
    x = one.problems(next(iter(one.splits())))[3].x
    small = {**SMALL, **({"values": 1, "breadth": 1} if name in SIDE_BY_SIDE else {})}
    small = {knob: value for knob, value in small.items() if knob in METHODS[name].defaults}
    full = check_search(lambda: METHODS[name].search(one, x, **small | knobs), Scripted(world), copies=2, budgets=8)
    assert full.ledger.total.calls > 0
