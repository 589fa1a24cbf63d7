"""Each method on a scripted model; and gold stays out of every search."""

import json
from dataclasses import replace

import pytest
from one_way_to_24 import OTHER, RIGHT, WRONG, X, tree_player
from telling import Telling
from tiny_task import Tiny

from tot import METHODS, TASKS, Job, Problem, Scripted, State, method, solve, task
from tot.experiments.results import identity
from tot.methods.answers import most_agreed
from tot.runner import run_one
from tot.state import Node, Thought
from tot.tasks.base import FreeCheck, Refinable, Searchable, Task
from tot.tasks.game24 import EXAMPLES, Game24


def replies(*texts):
    """A model that says texts[i] as sample i, whatever it is asked."""
    return Scripted(lambda request, i: texts[i % len(texts)], name="scripted")


def short(solution):
    return solution.answer, solution.first, solution.any, solution.chosen


def test_io_samples_answers_in_order():
    lm = replies(f"Answer: {WRONG}", RIGHT, "no idea", f"Answer: {RIGHT}")
    solution = solve("game24", X, "io", lm=lm, k=4)
    assert solution.answers == [WRONG, RIGHT, None, RIGHT]
    assert [s.correct for s in solution.scores] == [False, True, False, True]
    assert short(solution) == (RIGHT, False, True, True)  # the most frequent of equal value
    assert lm.requests == [replace(Game24().io(State(X)), n=4)] and solution.result.ledger.rounds == 1
    assert solution.result.unread == 1 and solution.correct == solution.chosen
    assert solve("game24", X, "io", lm=lm, first=1).answers == [RIGHT]  # k = 1


def test_cot_reads_the_answer_behind_the_steps():
    chain = f"13 - 9 = 4 (left: 4 4 10)\n10 - 4 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\nAnswer: {RIGHT}"
    lm = replies(chain, "13 - 9 = 4")
    solution = solve("game24", X, "cot", lm=lm, k=2)
    assert solution.answers == [RIGHT, None] and short(solution) == (RIGHT, True, True, True)
    assert lm.requests == [replace(Game24().cot(State(X)), n=2)]
    assert EXAMPLES[0][1][0] in lm.requests[0].messages[2].content


def test_self_consistency_takes_the_most_frequent_answer_up_to_spaces():
    votes = [
        f"Answer: {WRONG}",
        "nothing",
        f"Answer: {RIGHT}",
        f"Answer: {WRONG}",
        f"Answer: {RIGHT.replace(' ', '')} = 24",
    ]
    lm = replies(*votes, f"Answer: {RIGHT}", "answer: none", "answer: none", "answer: none", "answer: none")
    solution = solve("game24", X, "cot-sc", lm=lm)
    assert len(solution.answers) == 10 and solution.answer == RIGHT and solution.chosen
    assert [n.value for n in solution.result.best] == [3, 3, 3, 2, 2, 0, 0, 0, 0, 0]
    tied = solve("game24", X, "cot-sc", lm=replies(f"Answer: {OTHER}", f"Answer: {RIGHT}"), k=2)
    assert tied.answer == OTHER  # of equals the first
    assert short(solve("game24", X, "cot-sc", lm=replies("?"), k=3)) == (None, False, False, False)


@pytest.mark.parametrize("picks", ["check", "gold"])
@pytest.mark.parametrize("prompt", ["io", "cot"])
def test_the_best_of_k_is_one_that_passes(prompt, picks):
    how = {"prompt": prompt, "picks": picks}
    lm = replies(*[f"Answer: {WRONG}"] * 4, f"Answer: {RIGHT}", f"Answer: {OTHER}")
    best, usual = solve("game24", X, "best-of", lm=lm, k=6, **how), solve("game24", X, prompt, lm=lm, k=6)
    assert best.answers == usual.answers and best.answer == RIGHT and best.chosen
    assert usual.answer == WRONG and not usual.chosen and usual.any
    assert len(lm.requests) == 2 and lm.requests[0] == lm.requests[1]
    none = solve("game24", X, "best-of", lm=replies("?", f"Answer: {WRONG}", f"Answer: {WRONG}"), k=3, **how)
    assert none.answer == WRONG and not none.chosen
    assert len(solve("game24", X, "best-of", lm=lm, **how).answers) == 10  # by default


def test_the_best_of_k_verifies_equal_answers_once():
    asked = []

    class Paid(Game24):
        def verify(self, problem, answer):
            asked.append(answer)
            return super().verify(problem, answer)

    solve(Paid(), X, "best-of", lm=replies(*[f"Answer: {WRONG}"] * 4), k=4, picks="gold")
    assert len([*filter(None, asked)]) == 2  # for the choice, and for its outputs


OLD_NAMES = {
    "io-best-of-k": {"prompt": "io"},
    "cot-best-of-k": {"prompt": "cot"},
    "io-best-of-k-gold": {"prompt": "io", "picks": "gold"},
    "cot-best-of-k-gold": {"prompt": "cot", "picks": "gold"},
    "best-of-gold": {"picks": "gold"},
}


@pytest.mark.parametrize("name", OLD_NAMES)
def test_older_names_of_best_of_still_run_and_say_gold_where_gold_picks(name):
    lm = replies(f"Answer: {WRONG}", f"Answer: {RIGHT}")
    old, new = solve("game24", X, name, lm=lm, k=2), solve("game24", X, "best-of", lm=lm, k=2, **OLD_NAMES[name])
    assert lm.requests[0] == lm.requests[1] and old.answer == new.answer == RIGHT and old.params == new.params
    assert old.method == name == old.trace.head["method"] and name in METHODS and name not in list(METHODS)
    gold = OLD_NAMES[name].get("picks") == "gold"
    assert new.method == new.trace.head["method"] == ("best-of-gold" if gold else "best-of")
    assert METHODS[new.method].independent and ("gold" in old.method) == gold
    line = new.to_dict()
    assert identity({**line, "method": name, "params": {"k": 2, **COMMON}}) == identity({**line, "method": name})


def test_refine_shows_all_earlier_attempts_and_stops_when_the_verifier_is_content():
    texts = [f"Answer: {WRONG}", "Hm.", f"Answer: {RIGHT}", "never asked"]
    lm = Scripted(texts)
    solution = solve("game24", X, "io-refine-checked", lm=lm)
    assert solution.result.stopped == "until" and short(solution) == (RIGHT, True, True, True)
    assert [len(r.messages) for r in lm.requests] == [12, 14, 16] and solution.result.ledger.rounds == 3
    talk = [m.content for m in lm.requests[2].messages[11:]]
    assert talk[0] == f"Numbers: {X}" and talk[1] == texts[0] and talk[3] == "Hm." and talk[2] == talk[4]
    assert "not correct" in talk[2] and lm.requests[2].messages[12].role == "assistant"
    assert lm.requests[0].messages == Game24().io(State(X)).messages


def test_refine_gives_up_after_k_rewritings():
    lm = replies(f"Answer: {WRONG}")
    solution = solve("game24", X, "io-refine-checked", lm=lm, k=3)
    assert (
        len(lm.requests) == 4 and solution.result.stopped == "done" and short(solution) == (WRONG, False, False, False)
    )
    assert len(solve("game24", X, "io-refine-checked", lm=lm).result.trace.nodes()) == 12  # 10 by default: root, 1 + 10


@pytest.mark.parametrize("compose", [True, False])
@pytest.mark.parametrize("style", Game24().styles)
def test_tree_of_thoughts_finds_the_way(compose, style):
    lm = Scripted(tree_player)
    solution = solve("game24", X, "tot-bfs", lm=lm, breadth=2, compose=compose, style=style)
    assert solution.chosen and solution.first and len(solution.answers) == 2 and not solution.scores[1].correct
    assert solution.answer == RIGHT if not compose else solution.scores[0].correct
    values = [e["nodes"][0].get("value") for e in solution.trace.events if e["kind"] == "best"]
    assert values == [60.0, 60.0, 60.0, 60.0]
    assert {r.n for r in lm.requests} == {1, 3} and solution.result.ledger.rounds <= (6 if compose else 8)
    first = solution.trace.events[1]
    assert [u["why"] for u in first["unread"]] == ["wrong arithmetic", "not a step"]


COMMON = {"first": 0, "style": "", "max_tokens": 0}  # the knobs of every method


def test_the_knobs_of_tree_of_thoughts():
    lm = Scripted(tree_player)
    solve("game24", X, "tot-bfs", lm=lm, breadth=1, values=5, proposals=2, first=7)
    assert {(r.n, r.first) for r in lm.requests} == {(2, 7), (5, 7)}
    assert METHODS["tot-bfs"].defaults["breadth"] == 5 and METHODS["tot-bfs"].defaults["values"] == 3
    with pytest.raises(ValueError, match="game24 has no style 'fat': choose one of one-shot, three-shot, lean"):
        solve("game24", X, "tot-bfs", lm=lm, style="fat")


@pytest.mark.parametrize("values", [1, 3, 10, 17])
def test_trimming_drops_what_every_verdict_calls_impossible(values):
    def says(verdict):
        return lambda r, i: tree_player(r, i) if r.messages[0].content.startswith("Combine") else verdict

    dead = solve("game24", X, "tot-bfs", lm=Scripted(says("impossible")), trim=True, values=values)
    assert dead.answers == [] and dead.answer is None and not dead.chosen and dead.result.ledger.rounds == 2
    kept = solve("game24", X, "tot-bfs", lm=Scripted(says("impossible")), values=values)
    assert kept.answers and kept.result.ledger.rounds > 2
    once = Scripted(lambda r, i: says("impossible")(r, i) if i else says("likely")(r, i))
    assert solve("game24", X, "tot-bfs", lm=once, trim=True, values=values).result.ledger.rounds > 2


def test_an_unsolvable_puzzle_is_searched_and_not_solved():
    solution = solve("game24", "1 1 1 1", "tot-bfs", lm=Scripted(lambda r, i: "1 + 1 = 2\nlikely"))
    assert solution.result.stopped == "done" and not solution.any and not solution.chosen


def test_the_table_of_methods():
    assert {name for name, m in METHODS.items() if m.check} - {"levin"} == {"io-refine-checked", "restarts"}
    assert not any(m.settings({}).gold for m in METHODS.values())
    for name, m in METHODS.items():
        assert m.name == name and m.summary and m.defaults["first"] == 0 and method(name) is m
        assert any(not m.missing(task(each)) for each in TASKS)
    with pytest.raises(ValueError, match="there is no method 'tot': choose one of io, cot, cot-sc"):
        method("tot")
    with pytest.raises(ValueError, match="there is no task 'game25': choose one of game24"):
        task("game25")
    with pytest.raises(ValueError, match="io has no knob 'breadth': it has k, first"):
        solve("game24", X, "io", lm=replies("x"), breadth=3)
    for knobs, least in (({"k": 0}, 1), ({"k": 1.5}, 1), ({"k": True}, 1), ({"first": -1}, 0)):
        with pytest.raises(ValueError, match=f"{next(iter(knobs))} must be a whole number of at least {least}, not"):
            solve("game24", X, "io", lm=replies("x"), **knobs)
    with pytest.raises(ValueError, match="trim must be True or False, not 'yes'"):
        solve("game24", X, "tot-bfs", lm=replies("x"), trim="yes")


def test_every_knob_says_what_it_does_and_its_default_is_allowed():
    """Its sentence stands alone: it names no other knob, and refers to nothing above it."""
    for m in METHODS.values():
        for one in m.knobs():
            one.check(one.default)
            assert one.doc[0].isupper() and one.doc.endswith(".") and len(one.doc) > 20, (m.name, one.name)
            assert "``" not in one.doc and "see " not in one.doc and "as above" not in one.doc, (m.name, one.name)
            if one.kind in ("int", "float") and one.least is not None:
                with pytest.raises(ValueError, match=f"{one.name} must be a"):
                    one.check(one.least - 1)
            if one.choices:
                with pytest.raises(ValueError, match="must be one of"):
                    one.check("no such choice")
    assert METHODS["tot-dfs"].defaults["proposals"] == 5 and METHODS["cot"].defaults == {"k": 1, **COMMON}
    styles = next(k for k in METHODS["tot-bfs"].knobs(task("game24")) if k.name == "style").choices
    assert styles[:4] == ("", "one-shot", "three-shot", "lean")


def test_a_task_that_provides_less():
    assert isinstance(Tiny(), Task) and not isinstance(Tiny(), Refinable) and not isinstance(Tiny(), Searchable)
    assert solve(Tiny(), "four", "cot-sc", lm=replies("3", "4", "4"), k=3).correct
    for name in ("tot-bfs", "io-refine-checked"):
        with pytest.raises(ValueError, match=f"the task tiny does not provide what {name} needs .*: try io or cot"):
            solve(Tiny(), "four", name, lm=replies("4"))


def nodes(*pairs):
    top = Node(State(X))
    made = top.grow(Thought(str(i), answer=answer, final=True) for i, (answer, _) in enumerate(pairs))
    for node, (_, value) in zip(made, pairs, strict=True):
        node.value = value
    return made


def test_the_choice_without_gold():
    game = Game24()
    made = nodes(("1", 2.0), ("2", 3.0), ("3", 3.0), (" 3", 3.0), ("1", 2.0), ("1", 2.0), (None, 9.0))
    assert most_agreed(game, made) is made[2]  # of the highest value, the most frequent; of those, the first
    assert most_agreed(game, made[:2]) is made[1] and most_agreed(game, made[-1:]) is None
    assert most_agreed(game, []) is None


def test_a_solution_as_plain_data():
    solution = solve("game24", X, "io", lm=replies(f"Answer: {RIGHT}"), k=2)
    line, params = solution.to_dict(), {"k": 2, **COMMON}
    assert json.loads(json.dumps(line)) == line and "error" not in line
    said = {"task": "game24", "problem": X, "method": "io", "params": params, "lm": "scripted", "answer": RIGHT}
    said |= {"stopped": "done", "unread": 0, "corrects": [True, True]}
    said |= dict.fromkeys(("correct", "first", "any", "chosen"), True)
    assert {name: line[name] for name in said} == said and line["usage"]["calls"] == 1
    assert solve("game24", X, "io", lm=replies(f"Answer: {RIGHT}"), k=2).to_dict() == line
    assert solution.trace.head["params"] == params and solution.trace.head["problem"] == X
    assert solution.trace.result["answer"] == RIGHT and solution.trace.result["correct"] is True


class Sealed:
    """A gold answer that may be looked at only while the verifier has opened it."""

    allowed = False

    def __init__(self, numbers):
        self._numbers = numbers

    def look(self):
        assert Sealed.allowed, "gold was looked at outside the verifier"
        return self._numbers

    def refuse(self, *_):
        raise AssertionError("gold was touched outside the verifier")

    __str__ = __repr__ = __eq__ = __hash__ = __iter__ = __bool__ = __len__ = __getitem__ = __reduce_ex__ = refuse


def test_each_answer_is_verified_once():
    """A verifier may ask a judge."""

    class Counting(Game24):
        def verify(self, problem, answer):
            judged.append(answer)
            return replace(super().verify(problem, answer), parts={"numbers": 1.0})

    judged = []
    job = Job(Counting(), Problem(X, X), method("io"), {"k": 5})
    solution = job.finish(run_one(job.start(Scripted(lambda r, i: f"Answer: {RIGHT if i % 2 else WRONG}"))))
    assert sorted(judged) == sorted({RIGHT, WRONG})
    assert [score.correct for score in solution.scores] == [False, True, False, True, False]


class SealedGame(Game24):
    """Game of 24 whose verifier goes by the gold alone: which numbers to use is a secret."""

    def verify(self, problem, answer):
        Sealed.allowed = True
        try:
            return super().verify(Problem("", problem.gold.look()), answer)
        finally:
            Sealed.allowed = False


class Asked(Telling):
    """Tells how likely its replies were, too, and remembers its requests."""

    requests = property(lambda self: self.lm.requests)


def attempt(name, gold, **more):
    texts = [f"Answer: {WRONG}", f"Answer: {RIGHT}", "?"]

    def says(request, i):
        system, turns = request.messages[0].content, len(request.messages)
        if "Reply with one line" in system or "Write three steps" in system:
            return texts[(i + (turns - 12) // 2) % 3]
        said = tree_player(request, i)
        lines = said.split("\n")
        return lines[i % len(lines)] if request.stop == ("\n",) else said  # a step is a line: the samples differ

    problem = Problem(X, X, Sealed(gold))
    knobs = ({"k": 3} if "k" in METHODS[name].defaults else {}) | more
    return Job(SealedGame(), problem, method(name), knobs), Asked(Scripted(says))


@pytest.mark.parametrize("name", [name for name, m in METHODS.items() if not m.missing(Game24())])
def test_gold_is_for_the_verifier_alone(name):
    """Another gold leaves every trace of an honest method as it is, and its choice."""
    outcomes = []
    for gold in (X, "1 2 3 4", "13 10 9 4"):
        job, lm = attempt(name, gold)
        run = run_one(job.start(lm))
        outcomes.append((run.result().trace.to_json(), lm.requests, job.finish(run)))
    traces, requests, solutions = zip(*outcomes, strict=True)
    assert traces[0] == traces[2] and solutions[0].answer == solutions[2].answer
    assert traces[0] == traces[1] and requests[0] == requests[1]
    assert solutions[0].answer == solutions[1].answer is not None
    assert [s.correct for s in solutions[0].scores] != [s.correct for s in solutions[1].scores]  # it does judge
    assert solutions[0].any and not solutions[1].any


@pytest.mark.parametrize("prompt", ["io", "cot"])
@pytest.mark.parametrize(("picks", "answers"), [("check", [RIGHT, RIGHT]), ("gold", [RIGHT, WRONG])])
def test_only_the_chosen_answer_depends_on_gold_and_only_where_gold_picks(prompt, picks, answers):
    ended = []
    for gold in (X, "1 2 3 4"):  # the second one is wrong
        job, lm = attempt("best-of", gold, prompt=prompt, picks=picks)
        run = run_one(job.start(lm))
        ended.append((job.finish(run), run.result().trace.to_json(), lm.requests))
    assert [solution.answer for solution, _, _ in ended] == answers and ended[0][0].chosen and not ended[1][0].chosen
    assert ended[0][1:] == ended[1][1:]


def test_best_of_k_is_for_tasks_with_a_free_check():
    """Gold stays out: such a method gets the input alone, and names the upper bound where no check is free."""
    assert isinstance(task("game24"), FreeCheck) and isinstance(task("writing"), FreeCheck)
    for name in ("gsm8k", "strategyqa", "crosswords", "hotpotqa"):
        assert not isinstance(task(name), FreeCheck)
    with pytest.raises(ValueError, match=r"gsm8k .* best-of needs \(FreeCheck\): set picks to gold"):
        method("best-of").search(task("gsm8k"), "How many?")
    method("best-of").search(task("gsm8k"), "How many?", picks="gold")


@pytest.mark.parametrize(
    "name, knob",
    [("io-best-of-k-gold", "picks=check"), ("io-best-of-k", "prompt=cot"), ("best-of-gold", "picks=check")],
)
def test_an_older_name_means_what_it_says(name, knob):
    with pytest.raises(ValueError, match="take best-of"):
        method(name).settings(dict([knob.split("=")]))
    assert method(name).settings(method(name).settled({"k": 3})).k == 3


def test_an_old_results_line_may_name_knobs_that_are_gone():
    """It is about the same as a new one, unless it had another value than the method has now."""
    for name, gone in (
        ("mcts-plan", {"leaves": 1, "least": 2, "first_counts": True}),
        ("tot-dfs", {"output_pruned": True, "structured": False}),
        ("tot-vote", {"structured": False}),
    ):
        now = METHODS[name].settled({})
        assert METHODS[name].settled({**now, **gone}) == now and not gone.keys() & now.keys()
        for knob in gone:
            assert METHODS[name].settled({**now, **gone, knob: 7}) == {**now, knob: 7}
        with pytest.raises(ValueError, match=f"{name} has no knob"):
            METHODS[name].settings(gone)
    now = METHODS["mcts-plan"].settled({"style": "paper"})
    assert METHODS["mcts-plan"].settled({**now, "leaves": 1, "least": 1, "first_counts": False}) == now
