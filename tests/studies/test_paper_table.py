"""The papers' tables on a model of one's own: plans against the printed numbers, forecasts against sums by hand, and
whole runs against a server that writes as GPT-4 does.
"""

import io
import json
import re
import time
from collections import Counter

import gpt4_like
import pytest
from fake_server import Answer, always, answering, completion, error, giving_at_most, html, when

import tools.tables as page
import tot
from studies import papers
from studies.paper_table.__main__ import main
from studies.paper_table.filling import MEASURES, Filled, Summary, cells_of, printed
from studies.paper_table.forecast import Amount, from_pilot
from studies.paper_table.plans import PLANS
from studies.paper_table.session import Models, Session
from studies.paper_table.spending import Metered, Purse, Spent
from tot.jsonlines import FileTrouble
from tot.lm.base import Usage, user
from tot.tasks.base import ROOM

EACH_PLAN = pytest.mark.parametrize("name", PLANS)


def player(messages, i):
    return gpt4_like.play(messages, None, i)


def numbers(plan):
    """Every number of the paper that stands beside a row."""
    rows = [row for run in PLANS[plan].runs for row in run.rows]
    found = [n for row in rows for n in row.there.values()]
    return Counter(x for n in found for x in (n if isinstance(n, tuple) else (n,)) if x is not None)


def every(*tables):
    """Every number in nested dictionaries and tuples, without None."""
    found = Counter()
    for table in tables:
        if isinstance(table, dict):
            found += every(*table.values())
        elif isinstance(table, tuple):
            found += every(*table)
        elif table is not None:
            found[table] += 1
    return found


@pytest.mark.parametrize(
    ("plan", "printed"),
    [
        ("tot-table2", every(papers.GAME24)),
        ("tot-figure3", every(papers.BREADTHS, papers.LOST_AT, (33.0, 49.0))),
        ("tot-figure5", every(papers.COHERENCE, papers.SPREAD, papers.READERS)),
        ("tot-table3", every(papers.CROSSWORDS, 100 * papers.NOT_PRUNED["found"] / papers.NOT_PRUNED["games"])),
        ("tot-table4", every(papers.ZERO_SHOT_TOT)),
        ("tot-table5", every(papers.WEAKER, papers.SWAP)),
        ("tot-table7", every({name: x for name, x in papers.COSTS.items() if name.startswith("Game")})),
        ("tot-table8", every({name: x for name, x in papers.COSTS.items() if name.startswith("Creative")})),
        ("itot-table1", every({name: 100 * x for name, x in papers.HOTPOTQA.items() if x})),
        ("mcts-table1", every(papers.ZERO_SHOT, papers.COT_PLAN, papers.MCTS_PLAN, papers.MEANS)),
        ("mcts-table2", every(papers.DEPTH_AND_ROLLOUTS)),
        ("mcts-table3", every(papers.ONE_JUDGE)),
        ("mcts-table4", every(papers.ROLES)),
    ],
)
def test_every_printed_number_has_its_row(plan, printed):
    assert numbers(plan) == printed


def test_every_table_with_measured_rates_has_a_plan():
    """Without the set-ups of table 1, table 6 (figure 5 with a weaker model), and an example of one word."""
    covered = {(plan.paper, plan.table) for plan in PLANS.values()}
    places = {(paper, table) for paper, tables in papers.PLACES.items() for table in tables}
    tot_paper, _, planning = papers.PLACES
    assert places - covered == {(tot_paper, "Table 1"), (tot_paper, "Table 6"), (planning, "Figures 2 to 4")}
    assert covered <= places


def test_rows_are_where_the_paper_has_them():
    """The numbers alone could be swapped between rows: some of each paper, row by row."""
    rows = {name: {row.name: row.there for run in plan.runs for row in run.rows} for name, plan in PLANS.items()}
    assert rows["tot-table2"]["CoT-SC (k=100)"] == {"GPT-4": 9.0}
    assert rows["tot-table5"]["weak generates, strong judges"] == {"GPT-4 and GPT-3.5": 31.0}
    assert rows["tot-table3"]["-backtrack"] == {"GPT-4": (54.6, 20, 5)}
    gsm8k = {"0.5B": 29.8, "1.5B": 64.29, "7B": 90.14, "8B": 77.28, "mean": 65.38}
    assert rows["mcts-table1"]["GSM8K, MCTS Plan"] == gsm8k
    assert rows["mcts-table2"]["rollouts 10"] == {"8B": 76.19, "7B": 90.14}
    assert rows["mcts-table4"]["SVAMP: small, large, small"] == {"1.5B": 81.4, "2b": 84.0}
    assert rows["mcts-table4"]["SVAMP: large, large, large"] == {"72B": 93.4}


@EACH_PLAN
@pytest.mark.parametrize("style", ["", "paper"])
def test_each_plans_jobs_can_be_built(name, style):
    for run in PLANS[name].runs:
        jobs = run.jobs(run.problems(own=True, most=2), style)
        requests = jobs[0].start({}).feed().requests
        assert len(jobs) == 2 and requests
        if style:  # a model may be verbose
            assert all(request.max_tokens is None or request.max_tokens >= 1000 for request in requests), run
        assert {row.measure for row in run.rows} <= MEASURES.keys()
        assert set(run.small) <= set(jobs[0].method.roles)


def test_the_papers_settings():
    """Depths, samples and n that the papers give."""
    runs = {run.rows[0].name: run for name in ("tot-table2", "tot-table3", "tot-table4") for run in PLANS[name].runs}
    assert {run.most for run in runs.values()} == {100, 20}
    assert runs["CoT"].knobs["k"] == 10  # of the crosswords, which come last here
    assert runs["-prune"].knobs == {"steps": 100, "prune": False} and runs["-backtrack"].knobs == {"backtrack": False}
    assert [run.knobs["breadth"] for run in PLANS["tot-figure3"].runs[:5]] == [1, 2, 3, 4, 5]
    trio = {run.small for run in PLANS["mcts-table4"].runs}
    assert trio == {(), ("planner",), ("planner", "executor"), ("planner", "judge"), ("planner", "judge", "executor")}
    alone = [run.knobs for run in PLANS["mcts-table3"].runs[:3]]
    assert alone == [{"rollouts": 10, "logic": 0}, {"rollouts": 10, "feasibility": 0}, {"rollouts": 10}]


def line(read, written, **more):
    used = {"calls": 2, "prompt_tokens": read, "completion_tokens": written}
    return {"usage": {**used, "by_role": {"generator": used}}, **more}


def test_a_pilot_of_three():
    """Tokens 90, 100, 110: mean 100, s = 10; t = 4.30 at two degrees of freedom; 97 problems are left."""
    done = [line(60, 30), line(60, 40), line(60, 50)]
    found = from_pilot(done, 97, {"generator": (1.0, 2.0)})
    assert (found.calls, found.read, found.written) == (194, 97 * 60, 97 * 40)
    assert found.dollars == pytest.approx(97 * (60 + 2 * 40) / 1e6)
    for prices, rate in (
        ({}, 10 / 100),
        ({"generator": (1.0, 2.0)}, 20 / 140),
    ):  # what varies is dear
        wide = 4.30 * rate * (1 / 3 + 1 / 97) ** 0.5
        assert from_pilot(done, 97, prices).band == pytest.approx((9700 * (1 - wide), 9700 * (1 + wide)))
    runs, judge = Amount(1, 1000, 0, 1.0, 0.9, 1.1), Amount(1, 1000, 0, 9.0, 0.5, 2.0)  # a judge that is dear
    assert ((runs + judge).low, (runs + judge).high) == pytest.approx((0.54, 1.91))


class Paid(tot.LM):
    name, price = "paid", (10.0, 1_000_000.0)  # a dollar for each token that is written

    def __call__(self, requests, on_reply=None):
        replies = []
        for request in requests:
            bill = Usage(1, request.n, 0, 2 * request.n, 2.0 * request.n)
            replies.append(tot.Reply((tot.Sample("x y", "stop", 2),) * request.n, bill, bill))
            if on_reply:
                on_reply(request, replies[-1])
        return replies


def test_the_purse_is_asked_before_the_model():
    """What a round can cost at most, as no more is known of its replies than their limit."""
    purse = Purse(limit=50.0)
    lm = Metered(Paid(), purse)
    held = lm.most([user("abcd" * 1000, n=3, max_tokens=7)])
    assert held == pytest.approx(3 * (4016 * 10 / 1e6 + 7))  # a token for each byte; the prompt in each of three calls
    lm([user("a", max_tokens=3)])
    assert purse.spent == 2.0 and not purse.held
    with pytest.raises(Spent, match=r"may take \$120"):
        lm([user("a", n=40, max_tokens=3)])
    with pytest.raises(Spent):
        lm([user("a")])  # nobody limits its length
    assert purse.spent == 2.0 and not purse.held and purse.used["paid"].samples == 1
    assert not isinstance(Spent(""), tot.LMError)  # it fails no problem

    free = Purse()  # without a limit nothing is refused
    Metered(Paid(), free)([user("a", n=50)] * 50)
    assert free.spent == 5000.0


def test_what_is_paid_for_is_told_apart_by_its_address():
    live = [tot.OpenAI("m", base_url=f"http://127.0.0.1:{port}/v1", api_key="k") for port in (1, 2)]
    assert [Metered(lm, Purse()).source for lm in live] == [lm.source for lm in live]


def test_a_reply_is_kept_though_its_bill_cannot_be_and_the_other_way_round():
    class Gone:
        def write(self, *_):
            raise FileTrouble("paid.jsonl is gone")

    heard = []
    with pytest.raises(FileTrouble):
        Metered(Paid(), Purse(file=Gone()))([user("a")], lambda *told: heard.append(told))
    assert len(heard) == 1
    purse = Purse()
    with pytest.raises(FileTrouble):
        Metered(Paid(), purse)([user("a")], Gone().write)
    assert purse.spent == 2.0


def result(correct, *, k=1, first=None, tokens=(10, 5), method="io", **more):
    """A results line of k samples."""
    usage = {"calls": 1, "prompt_tokens": tokens[0], "completion_tokens": tokens[1], "dollars": 0.25, "nodes": 3}
    scores = {"correct": correct[0], "first": correct[0] if first is None else first, "any": any(correct)}
    rest = {"corrects": correct, "answers": ["a"] * k, "answer": "a", "stopped": "done", "usage": usage}
    return {"method": method, "params": {"k": k}, **scores, **rest, **more}


def test_a_hundred_samples_are_three_rows():
    run = PLANS["tot-table2"].runs[1]
    lines = [result([False, True], k=2), result([False, False], k=2)]
    cells = cells_of(PLANS["tot-table2"], {run: Filled(lines, [])})
    assert list(cells) == ["CoT", "CoT-SC (k=100)", "CoT, best of 100"]
    assert [cell["rate"][0] for cell in cells.values()] == [0.25, 0.0, 0.5] and cells["CoT"]["n"] == 2


@pytest.mark.parametrize(
    "first",
    ["4 + 8 = 12 (left: 4 6 12)", "First, 4 + 8 = 12 (left: 4 6 12)", "Step one: 4 + 8 = 12 (left: 4 6 12)"]
    + ["a) 4 + 8 = 12 (left: 4 6 12)", "4 + 8 = 12 (remaining: 4 6 12)"]
    + ["To reach 24, think of 4 * 6 = 24.\n4 + 8 = 12 (left: 4 6 12)"],
)
def test_words_around_the_steps_of_a_chain_lose_no_step(first):
    chain = f"{first}\n6 - 4 = 2 (left: 2 12)\n2 * 12 = 24 (left: 24)\nAnswer: (4 + 8) * (6 - 4)"
    puzzle = tot.Problem("4 4 6 8", "4 4 6 8")
    bare = re.sub(r" \(left.*?\)", "", chain)
    texts = [chain, chain.replace("= 12", "= 13"), *([bare] if "think" not in first else [])]
    found = [Filled([result([True])], [puzzle], [[text]]) for text in texts]
    assert [MEASURES["CoT, lost at step 1"](one)["rate"][0] for one in found] == [0, 1, 0][: len(texts)]


def test_parts_oracles_costs_and_failures():
    board = {"parts": {"letters": 0.5, "words": 0.2}, "all_parts": [], "method": "tot-dfs"}
    board |= {"oracle": {"correct": True, "parts": {"letters": 1, "words": 1}}}
    found = Filled([result([False], **board), result([True], **board, error="lost")], [])
    assert MEASURES["parts"](found)["parts"]["letters"][0] == 0.25  # the failed one has none
    assert MEASURES["parts of the best state"](found)["parts"]["games"][0] == 0.5
    assert MEASURES["games of the best state"](found)["rate"][0] == 0.5
    priced = Filled([result([False], **board), result([True], **board)], [])
    priced.lines[0]["usage"]["dollars"] = 0  # there were no prices yet
    assert MEASURES["cost"](priced) == {"tokens": [5, 10], "n": 2, "dollars": 0.25}
    assert printed(MEASURES["cost"](priced)) == "5 / 10, $0.25"
    found.lines[1]["usage"] |= {"completion_tokens": 0, "prompt_tokens": 0, "dollars": 0}
    assert MEASURES["cost"](found)["tokens"] == [5, 10] and MEASURES["cost"](found)["n"] == 1
    assert MEASURES["answer and states"](Filled([result([True], k=100)], []))["states"] == 100


@EACH_PLAN
def test_a_filled_table_stands_on_the_page(name):
    """Each row of the plan once, and in each of its places: in a column with the model's name, n and date."""
    plan = PLANS[name]
    rows = {row.name: row for run in plan.runs for row in run.rows}
    cells = {row: {"rate": [0.1234, 0.1, 0.9], "n": 77} for row in rows}
    summary = Summary(name, {"large": "a<b|c", "small": "d"}, ["2030-01-02"], ["own problems"], cells, {})
    stored = json.loads(page.RESULTS.read_text("utf-8"))
    said = page.page(stored, [summary])
    assert said.count("12% [10, 90]") == sum(max(1, len(row.places)) for row in rows.values())
    assert "a b c" in said and "<b|c" not in said and "2030-01-02<br>own problems<br>n=77" in said
    assert page.page(stored, []) != said and "*Not run with this model" not in page.page(stored, [])


@pytest.fixture
def table(server, capsys, tmp_path):
    """Run the command with a model and a folder; gives (status, stdout, stderr)."""
    prices = {"fake": {"input": 10, "output": 30}, "tiny": {"input": 1, "output": 2}}
    (tmp_path / "prices.json").write_text(json.dumps(prices))

    def call(name, *more, out="kept"):
        common = f"--lm openai:fake --base-url {server.url} --out".split()
        return main([name, *common, out, "--prices", "prices.json", *more]), *capsys.readouterr()

    return call


SMALL = ("--own-problems", "--own-prompts", "--n", "4")


def test_it_says_what_it_will_take_and_asks_for_nothing(table, server, monkeypatch):
    status, said, _ = table("tot-table4", *SMALL, "--dry-run")
    assert status == 0 and "gsm8k tot-vote" in said and "add --pilot 2" in said
    for keys in ("", "\n", "no\n"):  # of a terminal: Ctrl-D first
        monkeypatch.setattr("sys.stdin", io.StringIO(keys))
        monkeypatch.setattr("sys.stdin.isatty", lambda: True)
        status, said, _ = table("tot-table4", *SMALL)
        assert status == 0 and "nothing more is asked: add --yes" in said and not server.requests


def test_no_plan_no_model_no_price(table, capsys, server):
    assert main([]) == 0 and "mcts-table4" in capsys.readouterr().out
    status, _, said = table("table2")
    assert status == 2 and "choose one of tot-table2" in said
    assert main(["tot-table2"]) == 2 and "add --lm" in capsys.readouterr().err
    bare = ["tot-table2", "--lm", "openai:fake", "--base-url", server.url]
    assert main([*bare, "--budget-dollars", "5"]) == 2 and "--prices" in capsys.readouterr().err
    assert main([*bare, "--n", "0"]) == 2 and "--n is at least 1" in capsys.readouterr().err
    assert table("tot-table2", "--lm", "gpt")[0] == 2 and not server.requests
    small = ["--small-lm", "openai:fake", "--small-base-url", "http://localhost:1/v1"]
    status, _, err = table("mcts-table4", *SMALL, *small, "--yes")
    assert status == 2 and "openai:fake is at two addresses" in err and not server.requests


def test_fewer_problems_take_no_row_from_the_figures(table, tmp_path):
    """`--n 1` after `--n 3` put rows of one problem there, and rows of a run with --only replaced all others."""
    file = tmp_path / "kept" / "tot-table4.json"
    assert table("tot-table4", *SMALL[:2], "--n", "3", "--yes")[0] == 0
    before = Summary.load(file).cells
    assert table("tot-figure5", *SMALL[:2], "--only", "deviatIO")[0] == 2  # words, and no parts of them
    for more in ([], ["--only", "GSM8K, IO"]):
        status, said, _ = table("tot-table4", *SMALL[:2], "--n", "1", *more)
        assert status == 0 and "left as they were: GSM8K, IO" in said and Summary.load(file).cells == before
    assert table("tot-table4", *SMALL[:2], "--n", "4", "--only", "GSM8K, IO", "--yes")[0] == 0
    after = {row: cell["n"] for row, cell in Summary.load(file).cells.items()}
    assert after == {row: 3 + (row == "GSM8K, IO") for row in before}
    file.write_text('{"cut', "utf-8")
    assert table("tot-table4", *SMALL[:2], "--n", "3")[0] == 0 and Summary.load(file).cells == before

    def summary(n):
        return Summary("tot-figure5", {}, [], [], {"CoT": {"n": n}, "ToT against CoT": {"text": str(n)}}, {})

    assert summary(2).beside(summary(6)).cells == summary(6).cells and summary(6).beside(summary(2)) == summary(6)


def test_other_prompts_and_other_models_have_figures_of_their_own(table, tmp_path):
    """They took the place of a whole table's, also where --only asked for one row."""
    kept, only = tmp_path / "kept", ("--n", "1", "--only", "GSM8K, IO", "--yes")
    assert table("tot-table4", *SMALL[:2], "--n", "2", "--yes")[0] == 0
    before = (kept / "tot-table4.json").read_bytes()
    for _ in range(2):
        assert (
            table("tot-table4", SMALL[0], *only)[0]
            == table("tot-table4", *SMALL[:2], *only, "--lm", "openai:tiny")[0]
            == 0
        )
    assert (kept / "tot-table4.json").read_bytes() == before
    assert table("tot-table4", *SMALL[:2], "--n", "1", "--only", "GSM8K, IO", "--yes", out="trial")[0] == 0
    made = page.collect(kept, tmp_path / "page")
    older = made[0].read_bytes()
    page.collect(tmp_path / "trial", tmp_path / "page")  # of fewer rows and problems
    assert made[0].read_bytes() == older
    assert [Summary.load(path).cells.keys() for path in made].count({"GSM8K, IO"}) == 2 == len(made) - 1


def test_two_models_whose_names_are_one_file_s_name_have_a_file_each(tmp_path):
    first, last = (Summary("tot-table4", {"large": name}, [], [], {}, {}) for name in ("org/m:7b", "org-m-7b"))
    for folder, names in ((tmp_path / "kept", ["tot-table4"]), (tmp_path / "page", [])):
        folder.mkdir()
        for one in (first, last, first):
            one.save(one.place(folder, *names))
        there = [Summary.load(path).models["large"] for path in folder.glob("*.json")]
        assert sorted(there) == ["org-m-7b", "org/m:7b"]
    judged = [Summary("tot-figure5", {"large": "w", "judge": name}, [], ["2026-01-01"], {}, {}) for name in "ab"]
    assert len({page.head(one, "large") for one in judged}) == 2
    made = page.collect(tmp_path / "kept", tmp_path / "again")
    assert len({*made}) == 2 == len(page.collect(tmp_path / "kept", tmp_path / "again"))


def test_a_full_disk_leaves_the_figures_that_are_there(tmp_path, monkeypatch):
    file, summary = tmp_path / "tot-table4.json", Summary("tot-table4", {"large": "a"}, [], [], {}, {})
    summary.save(file)

    def cut(self, text, **how):
        with self.open("w") as half:
            half.write(text[:9])
        raise OSError("full")

    monkeypatch.setattr("pathlib.Path.write_text", cut)
    with pytest.raises(OSError, match="full"):
        summary.save(file)
    assert Summary.load(file) == summary


def test_a_row_without_its_data_is_left_out_and_names_the_file(table, monkeypatch, tmp_path):
    data = [{"question": "How many?", "answer": "#### 3"}] * 3
    (tmp_path / "gsm8k_test.jsonl").write_text("\n".join(map(json.dumps, data)))
    monkeypatch.setenv("TOT_DATA_DIR", str(tmp_path))
    status, said, _ = table("tot-table4", "--own-prompts", "--yes")
    assert status == 0 and "left out: StrategyQA, IO, StrategyQA, CoT, StrategyQA, ToT" in said
    assert "strategyqa.json" in said and "GSM8K, ToT" in said.partition("row")[2]
    kept = Summary.load(tmp_path / "kept" / "tot-table4.json")
    assert (
        kept.cells.keys() == {"GSM8K, IO", "GSM8K, CoT", "GSM8K, ToT"}
        and "strategyqa.json" in kept.why["StrategyQA, IO"]
    )
    monkeypatch.delenv("TOT_DATA_DIR")
    status, said, error = table("tot-table4", "--own-prompts", "--yes")
    assert status == 2 and "gsm8k_test.jsonl" in said and "nothing of this table can be run" in error


def test_a_pilot_is_kept_and_its_forecast_holds(table, server, tmp_path):
    """Of 12 problems 4 are the pilot; what the other 8 take lies in the band that was said."""
    few = ("--own-problems", "--own-prompts", "--n", "12")
    status, said, _ = table("tot-table4", *few, "--pilot", "4")
    assert status == 0 and "after 4 problems of each run" in said and "nothing more is asked" in said
    assert "expected: " in said and "$" in said
    lines = (tmp_path / "kept" / "results.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 6 * 4 and not (tmp_path / "kept" / "tot-table4.json").exists()
    with Models({"large": ("openai:fake", {"base_url": server.url})}, tmp_path / "kept", None) as models:
        session = Session(PLANS["tot-table4"], models, tmp_path / "kept", True, "", 12)
        expected = sum((amount for *_, amount in session.forecast()), Amount())
        pilot = models.recorded().usage
        assert session.left() == 6 * 8
    asked = len(server.requests)
    status, said, _ = table("tot-table4", *few, "--yes")
    assert status == 0 and "figures: " in said and len(server.requests) > asked
    after = [json.loads(text) for text in (tmp_path / "kept" / "results.jsonl").read_text("utf-8").splitlines()]
    rest = sum(x["usage"]["prompt_tokens"] + x["usage"]["completion_tokens"] for x in after[24:])
    assert len(after) == 6 * 12 and expected.band[0] <= rest <= expected.band[1] and pilot.tokens < expected.tokens
    asked = len(server.requests)
    assert "nothing is asked" in table("tot-table4", *few, "--yes")[1] and len(server.requests) == asked


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("tot-table4", ["tot-figure3", "--n", "6"]),  # whose runs have most of their samples in common
        pytest.param("tot-table4", ["tot-table4", "--n", "10", "--lm", "openai:tiny"], marks=pytest.mark.slow),
        pytest.param("mcts-table2", [], marks=pytest.mark.slow),  # one run stands there twice
    ],
)
def test_a_forecast_is_of_its_own_runs(table, server, name, before):
    """What other tables and models of the folder paid, or had in common, made it a tenth and a half of the truth."""
    billed = []

    def behave(body):
        answer = answering(player)(body)
        billed.append(answer.payload["usage"]["prompt_tokens"] * 10 + answer.payload["usage"]["completion_tokens"] * 30)
        return answer

    server.behave, few = behave, (*SMALL[:2], "--n", "10")
    if before:
        assert table(before[0], *SMALL[:2], *before[1:], "--yes")[0] == 0
    said = table(name, *few, "--pilot", "3")[1].rpartition("expected: ")[2]
    low, high = map(float, re.search(r"\(\$([\d.]+) to \$([\d.]+)\)", said).groups())
    pilot = sum(billed)
    assert table(name, *few, "--yes")[0] == 0
    assert low - 0.01 <= (sum(billed) - pilot) / 1e6 <= high + 0.01 and high < 1.5 * low


def test_a_limit_stops_the_whole_and_the_rest_goes_on_later(table, server, tmp_path):
    status, _, error = table("tot-table4", *SMALL, "--yes", "--budget-dollars", "0.1", "--at-once", "1")
    spent = sum(json.loads(line)["dollars"] for line in (tmp_path / "kept" / "paid.jsonl").read_text().splitlines())
    assert status == 1 and f"${spent:.2f} of $0.10 are spent" in error and "the same command goes on" in error
    some = len((tmp_path / "kept" / "results.jsonl").read_text("utf-8").splitlines())
    asked = len(server.requests)
    assert 0 < some < 24 and not (tmp_path / "kept" / "tot-table4.json").exists()
    status, _, error = table("tot-table4", *SMALL, "--yes", "--budget-dollars", "0.1", "--at-once", "1")
    assert status == 1 and len(server.requests) <= asked + 1  # what was spent before counts
    status = table("tot-table4", *SMALL, "--yes", "--budget-dollars", "50")[0]
    lines = [json.loads(text) for text in (tmp_path / "kept" / "results.jsonl").read_text("utf-8").splitlines()]
    assert status == 0 and len(lines) == 24 and not any("error" in one for one in lines)
    status, _, _ = table("tot-table4", *SMALL, "--yes", out="at once")
    assert kept(tmp_path / "kept", "tot-table4") == kept(tmp_path / "at once", "tot-table4")


@pytest.mark.parametrize("length", [20, ROOM])
def test_no_length_of_the_replies_breaks_the_limit_and_short_ones_all_find_room(table, server, length):
    """8 problems at once, each of which may take $6 for its hundred replies."""

    def behave(body):
        time.sleep(0.05)  # all that may be asked at once is asked
        answer = answering(player)(body)
        answer.payload["usage"] = {"prompt_tokens": 10, "completion_tokens": length * body.get("n", 1)}
        return answer

    server.behave = behave
    few = ("--own-problems", "--n", "8", "--only", "CoT-SC", "--yes", "--budget-dollars", "13")
    assert table("tot-table2", *few)[0] == (length == ROOM)
    assert 0 < sum(body.get("n", 1) for body in server.requests) * length * 30 / 1e6 <= 13


def test_a_server_that_gives_one_sample_a_call_is_paid_each_time(table, server, tmp_path):
    """Every prompt of a hundred, and calls that failed: in the limit of the next session, and in the forecast."""
    billed = []

    def behave(body):
        answer = Answer({"choices": [], "usage": {"prompt_tokens": 50}})  # the first fails, and is on the bill
        answer = giving_at_most(1, answering(player))(body) if billed else answer
        used = answer.payload["usage"]
        billed.append((used["prompt_tokens"] * 10 + used.get("completion_tokens", 0) * 30) / 1e6)
        return answer

    server.behave = behave
    few = ("--own-problems", "--n", "4", "--only", "CoT-SC")
    assert table("tot-table2", *few, "--pilot", "2")[0] == 0
    pilot, (_, said, _) = sum(billed), table("tot-table2", *few, "--dry-run")
    assert len(billed) == 201 and f"paid so far: ${pilot:,.2f}" in said and "expected: 201 calls" in said
    status, _, error = table("tot-table2", *few, "--yes", "--budget-dollars", f"{1.01 * pilot}")
    assert status == 1 and f"${pilot:.2f} of" in error and len(billed) == 201
    assert table("tot-table2", *few, "--yes")[0] == 0 and len(billed) == 401

    bills = tmp_path / "kept" / "paid.jsonl"
    unknown = bills.read_text("utf-8").replace('"dollars": ', '"dollars": 0, "then": ')  # as without prices
    bills.write_text(unknown, "utf-8")
    assert f"paid so far: ${sum(billed):,.2f}" in table("tot-table2", *few, "--n", "5", "--dry-run")[1]
    bills.write_text('{"model": "fake"}\n', "utf-8")
    assert table("tot-table2", *few, "--dry-run")[0] == 2
    bills.unlink()  # of an older version: at least what is recorded
    assert "paid so far: $0.1" in table("tot-table2", *few, "--n", "5", "--dry-run")[1]


def test_a_wrong_address_spends_nothing_and_says_so(table, server, tmp_path):
    """A page was billed as the longest reply: all was "spent", and the address never told."""
    server.behave = html()
    few = ("--own-problems", "--n", "12", "--only", "CoT-SC", "--yes", "--budget-dollars", "20")
    status, _, error = table("tot-table2", *few)
    assert status == 1 and "/v1" in error and not (tmp_path / "kept" / "paid.jsonl").read_text("utf-8")
    server.behave = answering(player)
    assert table("tot-table2", *few)[0] == 0


def test_a_problem_that_the_server_refuses_counts_as_not_solved_and_the_table_is_stored(table, server, tmp_path):
    few = ("--own-problems", "--own-prompts", "--n", "4", "--only", "GSM8K, IO", "--yes")
    refused = []

    def refuses(body):
        refused[:] = refused or [body["messages"]]
        return body["messages"] == refused[0]

    server.behave = when(refuses, always(error(400, "content filter")), answering(player))
    status, _, said = table("tot-table4", *few)
    assert status == 1 and "1 problems failed, they count as not solved" in said
    [cell] = [cell for cell in Summary.load(tmp_path / "kept" / "tot-table4.json").cells.values() if cell.get("n")]
    assert cell["n"] == 4
    server.behave = answering(player)
    assert table("tot-table4", *few)[0] == 0


def test_a_model_that_only_thinks_has_no_figures_until_it_has_room(table, server, tmp_path):
    few = ("--own-problems", "--own-prompts", "--n", "2", "--only", "GSM8K, IO", "--yes")

    def thinks(body):
        choice = {"message": {"content": "", "reasoning_content": "Hm."}, "finish_reason": "length"}
        return Answer({**completion(["x"]), "choices": [choice]})

    server.behave = when(lambda body: body["max_tokens"] < 5000, thinks, answering(player))
    status, said, error = table("tot-table4", *few)
    assert status == 1 and "while the model was still thinking" in said and "think_tokens=8000" in error
    assert not (tmp_path / "kept" / "tot-table4.json").exists()
    assert table("tot-table4", *few, "--lm-option", "think_tokens=8000")[0] == 0
    assert max(body["max_tokens"] for body in server.requests) > 8000


def test_a_model_with_settings_has_a_table_of_its_own(table, tmp_path):
    few = (*SMALL[:2], "--n", "2", "--only", "GSM8K, IO", "--yes")
    assert table("tot-table4", *few)[0] == 0
    status, said, _ = table("tot-table4", *few, "--lm-option", "reasoning_effort=high")
    assert status == 0 and "fake (reasoning_effort=high)" in said
    found = [Summary.load(path) for path in sorted((tmp_path / "kept").glob("tot-table4*.json"))]
    assert {one.models["large"] for one in found} == {"fake", "fake (reasoning_effort=high)"}
    made = page.collect(tmp_path / "kept", tmp_path / "page")
    assert len(made) == 2


def test_a_row_tells_of_replies_that_were_no_answer(table, server, tmp_path):
    few = (*SMALL[:2], "--n", "4", "--only", "GSM8K, IO", "--yes")
    first = []

    def late(body):
        first[:] = first or [body["messages"]]
        return body["messages"] == first[0]

    choice = {"message": {"content": "", "reasoning_content": "Hm."}, "finish_reason": "length"}
    server.behave = when(late, always(Answer({**completion(["x"]), "choices": [choice]})), answering(player))
    status, said, _ = table("tot-table4", *few)
    assert status == 0 and "1 of 4 replies still thinking" in said
    [cell] = [cell for cell in Summary.load(tmp_path / "kept" / "tot-table4.json").cells.values() if "note" in cell]
    assert cell["n"] == 4


def test_results_of_other_prompts_are_not_pooled(table, tmp_path):
    few = (*SMALL[:2], "--n", "4", "--only", "GSM8K, IO", "--yes")
    assert table("tot-table4", *few)[0] == 0
    results, stored = tmp_path / "kept" / "results.jsonl", tmp_path / "kept" / "tot-table4.json"
    first, *rest = [json.loads(line) for line in results.read_text("utf-8").splitlines()]
    results.write_text("".join(json.dumps(line) + "\n" for line in [{**first, "edition": "of before"}, *rest]), "utf-8")
    stored.unlink()
    status, _, error = table("tot-table4", *few)
    assert status == 1 and "prompts changed" in error and "edition of before" in error and not stored.exists()


def test_other_questions_under_the_same_names_are_not_asked_unasked(table, server, monkeypatch, tmp_path):
    monkeypatch.setenv("TOT_DATA_DIR", str(tmp_path))

    def data(words):
        lines = [json.dumps({"question": f"{words} {i} and {4 - i}?", "answer": "#### 4"}) for i in range(3)]
        (tmp_path / "gsm8k_test.jsonl").write_text("\n".join(lines))
        yes = ["--yes"] * (words == "How much is")
        return table("tot-table4", "--own-prompts", "--only", "GSM8K, IO", *yes)

    assert data("How much is")[0] == 0
    asked = len(server.requests)
    status, said, _ = data("What is the sum of")
    assert status == 0 and "nothing more is asked: add --yes" in said and len(server.requests) == asked
    results = tmp_path / "kept" / "results.jsonl"
    older = [json.loads(line) for line in results.read_text("utf-8").splitlines()]
    results.write_text("".join(json.dumps({n: v for n, v in one.items() if n != "x"}) + "\n" for one in older))
    status, said, _ = data("How much is")
    assert "all results are there: nothing is asked" in said and len(server.requests) == asked


def kept(folder, name):
    """Results without their order, and the stored figures."""
    lines = (folder / "results.jsonl").read_text("utf-8").splitlines()
    return sorted(lines), json.loads((folder / f"{name}.json").read_text("utf-8"))


def test_two_models_play_their_roles(table, server, tmp_path):
    status, said, _ = table("mcts-table4", *SMALL[:2], "--n", "1", "--dry-run")
    assert status == 0 and "it has two models: add --small-lm openai:MODEL" in said
    status, said, _ = table("mcts-table4", *SMALL[:2], "--n", "1", "--small-lm", "openai:tiny", "--yes")
    assert status == 0 and "left out" not in said
    lines = [json.loads(text) for text in (tmp_path / "kept" / "results.jsonl").read_text("utf-8").splitlines()]
    assert Counter(one["lm"] for one in lines) == {
        "fake": 8,
        "tiny": 8,
        "default=fake, planner=tiny": 8,
        "default=fake, planner=tiny, judge=tiny": 8,
        "default=fake, planner=tiny, executor=tiny": 8,
    }
    assert Summary.load(tmp_path / "kept" / "mcts-table4.json").models == {"large": "fake", "small": "tiny"}
    assert {body["model"] for body in server.requests} == {"fake", "tiny"}


@pytest.mark.parametrize(("flags", "room"), [(SMALL[:2], {10, 12}), (SMALL[:1], {ROOM})])
def test_passages_are_scored_by_the_judge(table, server, tmp_path, flags, room):
    """In the paper's style the judge has room to reason."""
    status, said, _ = table("tot-figure5", *flags, "--n", "2", "--judge-lm", "openai:tiny", "--yes")
    cells = Summary.load(tmp_path / "kept" / "tot-figure5.json").cells
    assert status == 0
    assert all(4 <= cells[name]["mean"][0] <= 9 and cells[name]["n"] == 2 for name in papers.COHERENCE)
    wins, losses, ties = map(int, cells["ToT against CoT"]["text"].split(" / "))
    assert wins + losses + ties == 2 and float(cells["standard deviation of a passage's scores"]["text"]) > 0
    scored = [body for body in server.requests if body["model"] == "tiny"]
    assert scored and all("coherent" in body["messages"][-1]["content"] for body in scored)
    assert {body["max_tokens"] for body in scored} == room
    asked = len(server.requests)
    assert table("tot-figure5", *flags, "--n", "2", "--judge-lm", "openai:tiny", "--only", "ToT", "--yes")[0] == 0
    status, said, _ = table("tot-figure5", *flags, "--n", "2", "--judge-lm", "openai:tiny", "--yes")
    assert status == 0 and len(server.requests) == asked  # scores are replayed
    assert "all results are there: nothing is asked" in said
    said = [table("tot-figure5", *flags, "--n", "2", "--judge-lm", f"openai:{judge}")[1] for judge in ("tiny", "fake")]
    assert "figures: " in said[0] and "nothing more is asked: add --yes" in said[1] and len(server.requests) == asked
