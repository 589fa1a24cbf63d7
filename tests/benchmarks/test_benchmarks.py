"""The benchmarks' own server and player: what is timed is a real search, and every promise can fail."""

import asyncio

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

import tot
from benchmarks import chapters, mcts, wire
from benchmarks.player import play
from benchmarks.report import Row, at_least, at_most, table, under
from benchmarks.server import running
from tot.lm.openai import OpenAI


@pytest.mark.parametrize(
    "prompt, said",
    [
        ("Input: 4 4 6\nAnswer: 4 * (10 - 4) = 24\nInput: 4 6\nWhich steps can come next?\n", "4 * 6 = 24 (left: 24)"),
        ("Numbers: 4 6", "4 * 6 = 24 (left: 24)"),
        (
            "Input: 4 9 10 13\nSteps:13 - 9 = 4 (left: 4 4 10)\n10 - 4 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n",
            "Answer: ",
        ),
        ("Numbers: 4 9 10 13\nAnswer: (13 - 9) * (10 - 4)", "sure"),
        ("Input: 4 9 10 13\nAnswer: (13 - 9) * 10 - 4 = 24\nJudge:", "impossible"),
    ],
)
def test_the_player_reads_prompts_of_every_client(prompt, said):
    assert said in play([{"role": "user", "content": prompt}], None, 0)


def test_verdicts_are_mostly_true_and_depend_on_the_choice_alone():
    def verdicts(numbers):
        return [play([{"role": "user", "content": f"Can they?\n{numbers}\n"}], 1, i) for i in range(200)]

    assert verdicts("4 6") == verdicts("4 6") and verdicts("4 6").count("sure") > 120
    assert verdicts("1 1").count("impossible") > 120 and "likely" in verdicts("1 1")


def test_the_clients_that_are_compared_get_the_same_answers():
    requests = wire.questions()[:5]

    async def plainly(url):
        session = await wire.opened()
        async with session:
            return await wire.with_aiohttp(session, url, requests)

    with running() as server:
        one, two = asyncio.run(plainly(server.url(0))), wire.with_http_client(server.url(0), requests)
        assert one == two and server.stats()["calls"] == 10
        with OpenAI("player", base_url=server.url(0)) as lm:
            assert len(lm(requests)) == 5 == server.stats()["calls"]
        assert server.stats()["seconds"] >= 0


@pytest.mark.parametrize("compose, rounds", [(True, 5), (False, 7)])
def test_a_search_against_the_server(compose, rounds):
    with running() as server, OpenAI("player", base_url=server.url(0, jitter=True)) as lm:
        solution = tot.solve("game24", "4 9 10 13", "tot-bfs", lm=lm, compose=compose)
        assert solution.correct and solution.result.ledger.rounds == rounds
        assert server.stats()["calls"] == solution.result.ledger.total_paid.calls
        assert server.stats()["calls"] == 0


def test_the_search_of_the_mcts_benchmark_goes_deep_and_repeats_itself():
    (_, one), (_, two) = mcts.search(1, rollouts=200), mcts.search(1, rollouts=200)
    assert one.visits == 200 and mcts.deepest(one) > 3 and one.mean == two.mean != mcts.search(2, rollouts=200)[1].mean


def test_rows():
    assert [row.ok for row in (at_most("", 2, 2), under("", 2, 2), at_least("", 2, 2))] == ["yes", "NO", "yes"]
    assert (Row("", None, "under 1").ok, Row("", 1.0).ok) == ("skipped", "")
    lines = list(table([at_most("speed", 1.2345, 1.3, "s", note="why"), Row("rounds", 12_345.6)]))
    assert lines[2].split("|")[1:] == ["           1.23 s ", " at most 1.3      ", " yes"]
    assert lines[3].strip() == "why" and "12,346" in lines[4]


def test_a_chapter_is_timed_with_its_kernel_and_one_that_fails_says_so(tmp_path):
    for name, code in (("good", "1 + 1"), ("bad", "1 / 0")):
        nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
        nb.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.write(nb, tmp_path / f"{name}.ipynb")
    assert 0 < chapters.seconds(tmp_path / "good.ipynb") < 60
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        chapters.seconds(tmp_path / "bad.ipynb")
