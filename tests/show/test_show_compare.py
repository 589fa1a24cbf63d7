"""Runs side by side, ledgers by role and tool, the Pareto front: against ledgers, by hand, and as drawn."""

import json
import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_show import BAD, HOSTILE, player, solved
from test_show_tools import Q, sleuth
from toys import make_dfs, make_mcts, oracle

from tot import Budget, Scripted, Trace, run, show, solve
from tot.experiments.results import summarise
from tot.show import Prices, compare, compare_rows, front, ledger, ledger_rows, spent
from tot.show.compare import lanes
from tot.stats import Interval, wilson
from tot.trace import tool_bill

names = st.builds("tree{}".format, st.integers(0, 10**6))


def total(rows, key):
    return sum(row[key] for row in rows)


def same_bill(rows, bill):
    return all(
        total(rows, key) == getattr(bill, key) for key in ("calls", "samples", "prompt_tokens", "completion_tokens")
    )


# ------------------------------------------------------------------------------------------------ what was spent


@settings(max_examples=25)
@given(names, st.integers(1, 12))
def test_rounds_add_up_to_the_ledger(x, rollouts):
    for search in (make_dfs(x)(), make_mcts(x, rollouts=rollouts, depth=3)()):
        result = run(search, oracle())
        rows = spent(result)
        assert same_bill(rows, result.ledger.total)
        assert [row["round"] for row in rows] == list(range(1, result.ledger.rounds + 1))
        for role, bill in result.ledger.asked.items():
            assert same_bill([row for row in rows if row["role"] == role], bill)


def test_equal_requests_of_a_round_are_paid_once():
    solution = solved()
    events = [event for event in solution.trace.events if event["kind"] == "asked"]
    asked = sum(len(event["requests"]) for event in events)
    assert asked > solution.result.ledger.total.calls  # different steps leave the same numbers
    assert same_bill(spent(solution), solution.result.ledger.total)
    longest = max(sample["tokens"] for r in events[1]["requests"] for sample in r["samples"])
    assert spent(solution)[1]["longest"] == longest > 0


@pytest.fixture(scope="module")
def tools():
    return solve("hotpotqa", Q, "itot-dstar", lm=Scripted(sleuth), rounds=4)


def test_tools_are_told_apart(tools):
    rows, bill = spent(tools), tool_bill(tools.trace)
    searches = [row for row in rows if row["who"] == "tool: Search"]
    assert {row["role"] for row in searches} == {"tool"} and bill["failed"] > 0
    assert (total(searches, "calls"), total(searches, "failed"), total(searches, "tool_cost")) == (
        bill["calls"],
        bill["failed"],
        bill["total"],
    )
    lookup = Trace(events=json.loads(json.dumps(tools.trace.events).replace('\\"Search\\"', '\\"Lookup\\"')))
    assert {row["who"] for row in spent(lookup)} >= {"tool: Lookup"}
    broken = Trace(events=json.loads(json.dumps(tools.trace.events).replace('{\\"tool', "{tool")))
    assert "tool" in {row["who"] for row in spent(broken)}
    assert total(spent(broken), "tool_cost") == bill["total"]


def test_prices_are_by_role():
    bill = {"prompt_tokens": 2_000_000, "completion_tokens": 500_000, "tool_cost": 3}
    assert Prices(1.5, 4.0, 0.25).of(bill) == 3.0 + 2.0 + 0.75 and Prices(9, 9).of({}) == 0
    solution = solved()
    apart = {"default": Prices(), "evaluator": Prices(0, 1e6)}
    evaluator = solution.result.ledger.asked["evaluator"].completion_tokens
    assert total(spent(solution, apart), "dollars") == pytest.approx(evaluator)
    assert "dollars" not in spent(solution)[0]
    with pytest.raises(ValueError, match="'generator'"):
        spent(solution, {"evaluator": Prices()})


# ------------------------------------------------------------------------------------------------ the ledger


def test_the_ledger_of_a_run():
    solution = solved()
    *parts, whole = ledger_rows(solution)
    assert [row["role"] for row in parts] == ["generator", "evaluator"] and whole["role"] == "all"
    assert same_bill([whole], solution.result.ledger.total)
    assert sum(row["share"] for row in parts) == pytest.approx(whole["share"]) == pytest.approx(1)
    assert ledger_rows(solution) == ledger_rows(solution.trace) == ledger_rows(solution.result)
    written = Prices(0, 1.0)
    paid = {row["role"]: row["share"] for row in ledger_rows(solution, prices=written)}
    tokens = {role: bill.completion_tokens for role, bill in solution.result.ledger.asked.items()}
    assert paid["evaluator"] == pytest.approx(tokens["evaluator"] / sum(tokens.values()))
    assert ledger(solution).columns == ("role", "calls", "samples", "tokens read", "tokens written", "of all tokens")
    assert ledger(solution, prices=written).columns[-2:] == ("dollars", "of all dollars")
    assert ledger_rows(Trace()) == [] and ledger(Trace()).cells == ()


def test_the_ledger_of_an_experiment(tools):
    runs = [solved("io", k=2), solved("io", k=4), solved()]
    by_run, by_line = ledger_rows(runs), ledger_rows([s.to_dict() for s in runs])
    assert by_run == by_line
    assert [(row["method"], row["role"]) for row in by_run] == [
        ("io", "generator"),
        *(("tot-bfs", role) for role in ("generator", "evaluator", "all")),
    ]
    assert by_run[0]["samples"] == 3 and by_run[0]["calls"] == 1
    named = {row["role"]: row for row in ledger_rows([tools])}
    plain = {row["role"]: row for row in ledger_rows([tools.to_dict()])}
    assert named["tool: Search"]["tool_cost"] == plain["tool"]["tool_cost"] == tool_bill(tools.trace)["total"]
    assert named["tool: Search"]["failed"] == plain["tool"]["failed"] > 0
    priced = {row["role"]: row["dollars"] for row in ledger_rows([tools], prices=Prices(0, 0, 0.5))}
    assert priced["tool: Search"] == priced["all"] == tool_bill(tools.trace)["total"] / 2


def test_without_prices_dollars_are_what_was_charged():
    line = solved().to_dict()
    line["usage"]["by_role"]["evaluator"]["dollars"] = 0.03
    line["usage"]["by_role"]["generator"]["dollars"] = 0.01
    assert [row["share"] for row in ledger_rows([line])] == pytest.approx([0.25, 0.75, 1])
    trace = Trace(events=solved().trace.events, result={"usage": line["usage"]})
    assert [row["dollars"] for row in ledger_rows(trace)] == pytest.approx([0.01, 0.03, 0.04])


def test_bars_stack_the_ledger(tools):
    pytest.importorskip("matplotlib")
    runs = [solved("io", k=2), solved(), tools]
    rows = [row for row in ledger_rows(runs) if row["role"] != "all"]
    ax = show.ledger_bars(runs).axes[0]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["io", "tot-bfs", "itot-dstar"]
    drawn = {(-bar.get_y() - 0.3, bar.get_width()) for bars in ax.containers for bar in bars}
    placed = {"io": 0, "tot-bfs": 1, "itot-dstar": 2}
    wanted = {(placed[row["method"]], row["completion_tokens"]) for row in rows}
    assert {(round(y), w) for y, w in drawn} == wanted
    assert len({bars[0].get_hatch() for bars in ax.containers}) == len(ax.containers) == 3
    assert show.ledger_bars([]).axes


# ------------------------------------------------------------------------------------------------ side by side


def test_milestones_by_hand():
    """One kept state a step: three rounds of proposals, two of verdicts; the last numbers are judged by program."""
    solution = solved(breadth=1)
    [lane] = lanes([solution], "rounds")
    assert lane.parts == [(role, 1.0) for role in ("generator", "evaluator", "generator", "evaluator", "generator")]
    assert [moment.at for moment in lane.moments] == [2, 4, 5]
    assert [moment.chosen for moment in lane.moments] == [False, False, True]
    assert lane.moments[-1].text == solution.answer and lane.verdict == "right" and lane.total == 5
    [row] = compare_rows([solution], "calls")
    assert row["spent"] == row["reached"] == solution.result.ledger.total.calls and row["first"] < row["reached"]


@settings(max_examples=25)
@given(names, st.integers(2, 30))
def test_a_budget_shows_the_same_beginning(x, calls):
    search = make_mcts(x, rollouts=20, depth=3)
    whole, cut = run(search(), oracle()), run(search(), oracle(), budget=Budget(calls=calls))
    [full], [short] = lanes([whole], "calls"), lanes([cut], "calls")
    assert short.parts == full.parts[: len(short.parts)] and short.total <= calls
    assert short.total == cut.ledger.total.calls and full.total == whole.ledger.total.calls
    assert full.reached is not None and full.reached.at <= full.total
    assert [m.at for m in full.moments] == sorted(m.at for m in full.moments)


@pytest.mark.parametrize("axis", ["tokens", "prompt_tokens", "completion_tokens", "calls", "rounds", "dollars"])
def test_every_axis_ends_at_the_ledger(axis):
    runs = [solved(), solved("io", k=3)]
    prices = Prices(1.0, 3.0)
    for row, solution in zip(compare_rows(runs, axis, prices=prices), runs, strict=True):
        bill = solution.result.ledger.total
        wanted = {"rounds": solution.result.ledger.rounds, "tokens": bill.tokens, "calls": bill.calls}
        wanted |= {"prompt_tokens": bill.prompt_tokens, "completion_tokens": bill.completion_tokens}
        wanted["dollars"] = (bill.prompt_tokens + 3 * bill.completion_tokens) / 1e6
        assert row["spent"] == pytest.approx(wanted[axis])


def test_tools_have_an_axis(tools):
    [row] = compare_rows([tools], "tool_cost")
    assert row["spent"] == tool_bill(tools.trace)["total"] and row["reached"] <= row["spent"]
    assert ">evaluator<" not in compare([tools], "tool_cost") and ">evaluator<" in compare([tools])


def test_names_tell_runs_apart():
    runs = [solved(breadth=1), solved(breadth=5), solved("io", k=1), solved("io", k=1)]
    assert [row["run"] for row in compare_rows(runs)] == ["tot-bfs breadth=1", "tot-bfs breadth=5", "io", "io (2)"]
    assert [row["run"] for row in compare_rows({"a": runs[0], "b": runs[2]})] == ["a", "b"]


def test_how_a_run_ended_is_said():
    stopped = solve("game24", "4 9 10 13", lm=Scripted(player), budget=Budget(calls=3))
    failed = solve("game24", "4 9 10 13", lm=Scripted(["13 - 9 = 4"]))
    rows = compare_rows([stopped, failed, solved("io", k=1)])
    assert [row["stopped"] for row in rows] == ["calls", "error", "done"]
    assert [row["answer"] is None for row in rows] == [True, True, False] and rows[2]["verdict"] == "right"
    drawn = compare([stopped, failed, solved("io", k=1)])
    assert "no answer" in drawn and "stopped: calls" in drawn and "stopped: error" in drawn and "right: " in drawn
    unchecked = solved("io", k=1)
    del unchecked.trace.result["correct"]
    assert compare_rows([unchecked])[0]["verdict"] == ""


def test_two_problems_and_wrong_axes_are_refused():
    other = solve("game24", "1 1 4 6", "io", lm=Scripted(player), k=1)
    with pytest.raises(ValueError, match="2 problems"):
        compare([solved(), other])
    with pytest.raises(ValueError, match="no axis 'time'"):
        compare([solved()], "time")
    with pytest.raises(ValueError, match="prices"):
        compare([solved()], "dollars")


def test_the_picture_is_to_scale_and_legible():
    runs = [solved(), solved("io", k=3), solved(breadth=1)]
    drawn = compare(runs)
    ElementTree.fromstring(drawn)
    assert drawn == compare(runs) and drawn.about.count("right") >= 1 and 'role="img"' in drawn
    rects = re.findall(r'<rect class="tot-part-(\d)" x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="([\d.]+)"', drawn)
    ends = [float(x) for x in re.findall(r'class="tot-end" d="M([\d.]+) ', drawn)]
    spent_ = [row["spent"] for row in compare_rows(runs)]
    left = min(float(x) for _, x, _, _ in rects)
    assert [(end - left) / (ends[0] - left) for end in ends] == pytest.approx([s / spent_[0] for s in spent_], abs=1e-3)
    heights = {kind: {float(height) for one, _, _, height in rects if one == kind} for kind in "01"}
    assert max(heights["0"]) / max(heights["1"]) > 1.5  # shade and height both tell the role, also in the legend
    hits = [float(x) for x in re.findall(r'class="tot-full" d="M([\d.]+) ', drawn)]
    reached = [row["reached"] for row in compare_rows(runs)]
    wanted = [left + at / spent_[0] * (ends[0] - left) - 5 for at in reached]
    assert hits[: len(runs)] == pytest.approx(wanted, abs=0.11)
    for nothing in (compare([]), compare([Trace()])):
        ElementTree.fromstring(nothing)


@pytest.mark.parametrize("bad", HOSTILE)
def test_hostile_texts_stay_text(bad):
    def stranger(request, index):
        return f"Answer: {bad}" if index else bad

    solution = solve("game24", "4 9 10 13", "io", lm=Scripted(stranger), k=2)
    solution.trace.head["lm"] = bad
    for drawn in (compare({bad: solution}), compare([solution], "rounds")):
        ElementTree.fromstring(drawn)
        assert not BAD.search(drawn) and "<script" not in drawn and "<img" not in drawn and len(drawn) < 60_000


# ------------------------------------------------------------------------------------------------ the front


points = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12)


@given(points)
def test_the_front_is_what_nothing_dominates(places):
    rows = [{"method": i, "tokens": x, "rate": y / 6} for i, (x, y) in enumerate(places)]
    best = front(rows)

    def beats(a, b):
        at_least = a["tokens"] <= b["tokens"] and a["rate"] >= b["rate"]
        return at_least and (a["tokens"], a["rate"]) != (b["tokens"], b["rate"])

    assert not any(beats(a, b) for a in rows for b in best)
    for row in rows:
        assert row in best or any(beats(b, row) for b in best)
    assert [row["tokens"] for row in best] == sorted(row["tokens"] for row in best)
    assert sorted(row["method"] for row in front(rows[::-1])) == sorted(row["method"] for row in best)


def test_the_front_by_hand():
    table = {"a": (100, 0.2), "b": (300, 0.5), "c": (300, 0.4), "d": (500, 0.5), "e": (900, 0.9), "f": (100, 0.2)}
    rows = [{"method": m, "dollars": x, "rate": Interval(y, 0, 1, 9)} for m, (x, y) in table.items()]
    assert [row["method"] for row in front(rows, x="dollars")] == ["a", "f", "b", "e"]
    assert front([]) == []


def pareto_rows(n=7):
    made = [{"method": f"method {i}", "tokens": 50 * 2**i, "rate": wilson(3 + i % 5 * 2, 20)} for i in range(n)]
    return [*made, {"method": "best of 9, gold picks", "tokens": 200, "rate": wilson(19, 20)}]


def labels(figure):
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    [ax] = figure.axes
    return {note.get_text(): note.get_window_extent(canvas.get_renderer()) for note in ax.texts}, ax


@pytest.mark.parametrize(("rows", "log"), [(pareto_rows(), True), (pareto_rows(4), False), (pareto_rows(24), True)])
def test_labels_of_the_pareto_plot_do_not_overlap(rows, log):
    pytest.importorskip("matplotlib")
    figure = show.pareto(rows, log=log)
    written, ax = labels(figure)
    assert len(written) == len(rows)
    for (_, a), (_, b) in combinations(written.items(), 2):
        assert not a.overlaps(b)
    inside = ax.get_window_extent()
    for box in written.values():
        assert (
            inside.x0 - 1 <= box.x0 and box.x1 <= inside.x1 + 1 and inside.y0 - 1 <= box.y0 and box.y1 <= inside.y1 + 1
        )
    key = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    for row in rows:
        assert row["method"] in written or any(text.endswith(f"  {row['method']}") for text in key)
    width, height = figure.bbox.size
    for legend in figure.legends:
        box = legend.get_window_extent()
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= width and box.y1 <= height


def test_the_pareto_plot_joins_the_front_and_keeps_gold_out():
    pytest.importorskip("matplotlib")
    rows = pareto_rows()
    honest = [row for row in rows if "gold" not in row["method"]]
    ax = show.pareto(rows).axes[0]
    drawn = {line.get_label(): line for line in ax.lines}
    best = front(honest)
    assert list(drawn["efficient"].get_xdata()) == [row["tokens"] for row in best]
    assert list(drawn["dominated"].get_ydata()) == [row["rate"].rate for row in honest if row not in best]
    assert list(drawn["needs the gold answer"].get_xdata()) == [200]
    steps = [line for line in ax.lines if line.get_drawstyle() == "steps-post"]
    assert [list(line.get_xdata()) for line in steps] == [[row["tokens"] for row in best]]
    assert len({drawn[name].get_marker() for name in ("efficient", "dominated", "needs the gold answer")}) == 3
    assert show.pareto([]).axes


def test_the_pareto_plot_takes_results_and_an_axis():
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    figure = Figure()
    ax, canvas = figure.add_subplot(), figure.canvas
    runs = [solved(), solved("io", k=2), solved("io-best-of-k-gold", k=2)]
    rows = summarise([s.to_dict() for s in runs])
    assert show.pareto(rows, ax=ax) is figure and figure.canvas is canvas
    assert [row["method"] for row in front(rows)] == ["io", "io-best-of-k-gold"]
    assert {line.get_label(): list(line.get_xdata()) for line in ax.lines}["needs the gold answer"] == [rows[1].tokens]
