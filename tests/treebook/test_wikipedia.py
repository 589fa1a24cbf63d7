"""Live Wikipedia against a small server of our own that speaks as MediaWiki does. No test asks the real one."""

import contextlib
import json
import pickle
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from tot.tasks.hotpotqa import HotpotQA
from tot.tools import Call, Page, ToolError, Tools, search
from tot.tools.service import article
from treebook.wikipedia import Wikipedia


def page(title, extract=None, **more):
    return {"query": {"pages": [{"title": title} | ({"extract": extract} if extract is not None else {}) | more]}}


def links(*titles):
    return [{"ns": 0, "title": title} for title in titles]


MEANT = links("Mercury (planet)", "Mercury (element)", "Mercury")
ANSWERS = {  # what the server says to titles=... or srsearch=...
    "Oslo": page("Oslo", "Oslo is a city.\nIt lies on a fjord. It is old. It rains."),
    "Kristiania": page("Oslo", "Oslo is a city.\nIt lies on a fjord. It is old. It rains."),  # a redirect
    "Mercury": page("Mercury", "Mercury may refer to:", pageprops={"disambiguation": ""}, links=MEANT),
    "search Oslo": {"query": {"search": links("Oslo", "A B")}},
    "Nowhere": {"query": {"pages": [{"title": "Nowhere", "missing": True}]}},
    "search Nowhere": {"query": {"search": links("Nowhere Man", "Neverland", 3, "a", "b", "c", "d")}},
    "Half": {"query": {"pages": [{"title": "Half", "extract": 7, "pageprops": 3, "links": 9}]}},
    "search Half": {"query": {"search": {"title": "x"}}},
    "A B": page("A B", "Fine."),
}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        query = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        self.server.asked.append(query)
        self.server.agents.append(self.headers["User-Agent"])
        title = query.get("titles") or f"search {query['srsearch']}"
        if title == "Slow":
            self.server.release.wait(600)
        said = {"Down": b"", "HTML": b"<html>", "Long": b"x" * 5_000_000, "List": b"[]", "Null": b'{"query": null}'}
        body = said.get(title, json.dumps(ANSWERS.get(title, {"query": {}})).encode())
        with contextlib.suppress(OSError):  # a client that gave up, or has read enough
            self.send_response(503 if title == "Down" else 200)
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.asked, server.agents, server.release, server.daemon_threads = [], [], threading.Event(), True
        server.url = f"http://127.0.0.1:{server.server_port}/w/api.php"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield server
        server.release.set()
        server.shutdown()
        thread.join()


def test_a_page_and_its_redirect(server):
    wiki = Wikipedia(server.url)
    oslo = Page("Oslo", ("Oslo is a city.", "It lies on a fjord.", "It is old.", "It rains."))
    assert wiki.page("Oslo") == wiki.page("Kristiania") == oslo
    assert search(wiki, "Oslo") == ("Oslo is a city. It lies on a fjord. It is old.", "stop")
    assert len(server.asked) == 2  # pages are kept
    first = server.asked[0]
    assert (first["action"], first["format"], first["redirects"], first["explaintext"]) == ("query", "json", "1", "1")
    assert all("thinking-in-trees" in agent for agent in server.agents)
    assert Wikipedia(server.url, agent="me (me@example.org)").page("Oslo") == oslo
    assert server.agents[-1] == "me (me@example.org)"


def test_a_disambiguation_page_gives_its_links_and_asks_nothing_more(server):
    wiki = Wikipedia(server.url)
    similar = "Could not find Mercury. Similar: Mercury (planet); Mercury (element); Mercury."
    assert search(wiki, "Mercury") == (similar, "not found")
    assert len(server.asked) == 1  # although it links to itself


def test_a_missing_page_gives_what_the_server_finds(server):
    wiki = Wikipedia(server.url)
    assert search(wiki, "Nowhere") == ("Could not find Nowhere. Similar: Nowhere Man; Neverland; a; b; c.", "not found")
    assert [q.get("list") for q in server.asked] == [None, "search"]
    assert search(wiki, "Half") == ("Could not find Half.", "not found")  # an answer of odd types


def test_words_that_are_a_title_find_articles_too(server):
    first, second, none = (article(Wikipedia(server.url), "Oslo", rank)[0] for rank in (1, 2, 3))
    assert first.startswith("Oslo: Oslo is a city.") and second == "A B: Fine." and none.startswith("There is no")


def test_a_search_has_the_first_20_words_and_at_most_300_characters(server):
    for question, searched in (
        (" ".join(f"w{i}" for i in range(60)), " ".join(f"w{i}" for i in range(20))),
        ("“Who, in Oslo?” -- he", "“Who, in Oslo?” -- he"),
        ("long" * 100, "long" * 75),
        ("?!", "?!"),
    ):
        Wikipedia(server.url).similar(question)
        assert server.asked[-1]["srsearch"] == searched


@pytest.mark.parametrize("title", ["#<>[]{}|_", " ", "\n"])
def test_what_cannot_be_a_title_is_not_asked_for(server, title):
    assert Wikipedia(server.url).page(title) is None and server.asked == []


def test_titles_are_made_safe(server):
    wiki = Wikipedia(server.url)
    assert wiki.page("A|B").title == "A B" and wiki.page("A_B").title == "A B" and wiki.page("A\x00\ud800") is None
    assert [q["titles"] for q in server.asked][:2] == ["A B", "A B"]


TROUBLE = {"Down": "status 503", "Long": "far too long", "Slow": "did not answer in time"}
TROUBLE |= dict.fromkeys(("HTML", "List", "Null"), "not what was asked for")


@pytest.mark.parametrize(("title", "why"), TROUBLE.items())
def test_trouble_is_one_sentence_and_is_asked_again(server, title, why):
    wiki = Wikipedia(server.url, timeout=0.3 if title == "Slow" else 60)
    for times in (1, 2):
        with pytest.raises(ToolError, match=why):
            wiki.page(title)
        assert len(server.asked) == times
    tools = Tools(lambda name: wiki)
    [reply] = tools([Call("Search", title, "wikipedia").request()])
    assert reply.samples[0].finish == "error" and reply.samples[0].text.startswith("Search failed: the ")


def test_a_server_that_is_not_there():
    with pytest.raises(ToolError, match="cannot be reached"):
        Wikipedia("http://127.0.0.1:9/w/api.php", timeout=60).page("Oslo")


def test_a_task_that_looks_on_wikipedia_can_be_pickled(server):
    task = pickle.loads(pickle.dumps(HotpotQA(corpora={"wikipedia": Wikipedia(server.url, timeout=3.0, agent="me")})))
    wiki = task.tools.corpus("wikipedia")
    assert (wiki.url, wiki.timeout, wiki.agent) == (server.url, 3.0, "me") and wiki.page("Oslo").title == "Oslo"
