"""A changed knob asks what was not recorded: the pocket model in the page answers, or the reader's server."""

import contextlib
import io
import os

import pytest
from fake_server import FakeServer, answering

import tot
from benchmarks.live_pages import CELLS, press, run_page, wait_for_end
from live.answers import Answers
from tests.pages.live.test_behaviour import type_into
from tot.lm.cassette import Cassette
from tot.solution import Job
from treebook.players import Pocket

SOLVE = """import tot
lm = tot.Cassette("cassettes/06.jsonl")
solution = tot.solve("game24", "3 4 4 6", "tot-bfs", lm=lm, style="lean", breadth=5)
print(solution.answer)"""
CHANGED = (
    SOLVE.replace('"3 4 4 6"', '"1 5 7 11"')
    + """
print(solution.to_dict())
for sample in solution.trace.samples():
    print(sample["text"])"""
)
KEY = "sk-0123456789-secret"
STORED = """async () => {
  const found = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie, location.href];
  for (const name of await caches.keys()) for (const request of await (await caches.open(name)).keys()) {
    found.push(request.url, JSON.stringify([...request.headers]));
  }
  for (const { name, version } of await indexedDB.databases()) found.push(name, String(version));
  return found.join(" ");
}"""


@pytest.fixture(scope="module")
def page_of_a_solution(site):
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(SOLVE.replace("cassettes/", str(tot.__path__[0]) + "/../notebooks/cassettes/"), {})
    return site.write("knob", [(SOLVE, said.getvalue()), ("print(solution.correct)", "True\n")])


def said_in(tab, number):
    return tab.evaluate(CELLS)[number - 1]["said"]


def output(tab, number):
    return tab.locator("div.cell").nth(number - 1).locator(".tot-live-output").inner_text().strip()


def choose(tab, words):
    panel = tab.locator(".tot-live-answers")
    if panel.get_attribute("open") is None:
        panel.locator("summary").click()
    panel.get_by_label(words).check()
    return panel


def bring(tab, url, name="", key=""):
    panel = choose(tab, "a model of your own")
    panel.get_by_label("Address").fill(url)
    panel.get_by_label("Model", exact=True).fill(name)
    panel.get_by_label("Key").fill(key)
    panel.get_by_role("button", name="Try it").click()
    said = panel.locator("[role=status]")
    said.filter(has_not_text="Asking").filter(has_text=".").wait_for()
    return said.inner_text()


def pocket_serves(body):
    """The pocket model behind an API: a faithful server for the prompts of this page."""
    messages = [tot.Message(each["role"], each["content"]) for each in body["messages"]]
    asked = tot.Request(tuple(messages), n=body.get("n", 1), temperature=body.get("temperature"))
    [reply] = Pocket(seed=3)([asked])
    return answering(lambda messages, i: reply.texts[i])(body)


def test_a_changed_knob_gives_what_python_gives_elsewhere(page_of_a_solution, tab, monkeypatch):
    assert [cell["state"] for cell in run_page(tab, page_of_a_solution)] == ["same", "same"]
    type_into(tab, 1, CHANGED, "Control+Enter")
    wait_for_end(tab)
    assert "come from the pocket model, not from the recording" in said_in(tab, 1), tab.evaluate(CELLS)

    theirs = ((Cassette, "__call__"), (Cassette, "batched"), (Cassette, "unpriced"), (Job, "finish"))
    for place, name in theirs:  # put back at the end
        monkeypatch.setattr(place, name, getattr(place, name))
    monkeypatch.chdir(os.path.join(tot.__path__[0], "..", "notebooks"))
    answers = Answers()
    answers.install()
    answers.choose('{"who": "pocket"}')
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(CHANGED, {})
    assert output(tab, 1) == said.getvalue().strip() and f"; {answers.given} replies" in said_in(tab, 1)

    choose(tab, "nobody")
    type_into(tab, 1, CHANGED, "Control+Enter")
    wait_for_end(tab)
    assert "not recorded: choose who answers at the top" in said_in(tab, 1)


def test_a_model_of_the_readers_answers_and_its_key_is_kept_nowhere(page_of_a_solution, site, tab):
    run_page(tab, page_of_a_solution)
    with FakeServer(pocket_serves, models=[{"id": "mine", "owned_by": "tests"}], origins=site.url) as server:
        assert "Its models: mine" in bring(tab, server.url, key=KEY)
        type_into(tab, 1, CHANGED, "Control+Enter")
        wait_for_end(tab)
        assert "come from mine, not from the recording" in said_in(tab, 1), tab.evaluate(CELLS)
        asked = "from tot.lm.openai import OpenAI\nprint(OpenAI('mine').url, OpenAI('mine').describe()['server'])"
        type_into(tab, 2, asked, "Control+Enter")  # a cell finds it, too
        wait_for_end(tab)
        assert output(tab, 2) == f"{server.url} tests"
        tab.wait_for_timeout(500)  # whatever is kept is kept by now
        assert KEY not in tab.evaluate(STORED)
        assert {each["authorization"] for each in server.headers} == {f"Bearer {KEY}"} and len(server.requests) > 5
        elsewhere = [url for url in tab.asked if not url.startswith((site.url, "blob:"))]
        assert elsewhere and all(url.startswith(server.url) for url in elsewhere)
    tab.reload()
    press(tab)
    wait_for_end(tab)
    assert KEY not in tab.content() and tab.locator(".tot-live-answers input[type=password]").input_value() == ""
