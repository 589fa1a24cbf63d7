"""What the tools say, and the tools as a model: recorded, timed out, failing on purpose."""

import threading

import pytest
from small_corpus import CORPUS, corpora

from tot import Cassette, LMError, user
from tot.testing import check_lm
from tot.tools import Call, Offline, Page, ToolError, Tools, lookup, search
from tot.tools.service import article


def test_search_gives_the_first_passage():
    assert search(CORPUS, "Oslo") == ("Oslo is a city. It lies on a fjord. It has an opera house.", "stop")
    assert search(CORPUS, "  oSLO ") == search(CORPUS, "Oslo") == search(CORPUS, "the Oslo!")
    assert search(CORPUS, "kon tiki")[0] == "A raft. It was built of balsa."
    assert search(CORPUS, "Empty") == ("The page is empty.", "stop")


def test_search_says_what_could_not_be_found_and_what_is_similar():
    similar = "Could not find Mercury. Similar: Mercury (god); Mercury (planet)."
    assert search(CORPUS, "Mercury") == (similar, "not found")
    assert search(CORPUS, "rafts of balsa") == ("Could not find rafts of balsa. Similar: The Kon-Tiki.", "not found")
    assert search(CORPUS, "qwertz") == ("Could not find qwertz.", "not found")


def test_a_typographic_sign_is_looked_up_as_a_plain_one():
    corpus = Offline([Page("Avon", ("He was born in Stratford-upon-Avon.", "It’s a town."))])
    for string, place in (("Stratford‑upon‑Avon", 0), ("it's", 1)):
        assert lookup(corpus, "Avon", string, 0) == (f"(Result 1 of 1) {corpus.page('Avon').sentences[place]}", "stop")


def test_lookup_is_a_pure_function_of_page_string_and_times():
    assert lookup(CORPUS, "Oslo", "fjord", 0) == ("(Result 1 of 2) It lies on a fjord.", "stop")
    assert lookup(CORPUS, "oslo", "FJORD", 1) == ("(Result 2 of 2) The fjord is deep.", "stop")
    assert lookup(CORPUS, "Oslo", "fjord", 2) == ("No more results.", "not found")
    assert lookup(CORPUS, "Oslo", "whale", 0) == ("Could not find whale on the page Oslo.", "not found")
    assert lookup(CORPUS, "", "fjord", 0) == ("There is no page to look at: use Search first.", "not found")
    assert lookup(CORPUS, "Nowhere", "fjord", 0) == lookup(CORPUS, "", "fjord", 0)


def test_retrieve_gives_whole_articles_by_the_words_of_a_question():
    titles = CORPUS.similar("the fjord of Oslo")
    assert titles[0] == "Oslo"
    for rank, title in enumerate(titles, 1):
        page = CORPUS.page(title)
        assert article(CORPUS, "the fjord of Oslo", rank) == (f"{title}: {' '.join(page.sentences)}", "stop")
    end = len(titles) + 1
    assert article(CORPUS, "the fjord of Oslo", end) == (f"There is no article {end} for these words.", "not found")
    assert article(CORPUS, "qwertz", 1)[1] == article(CORPUS, "Oslo", 0)[1] == "not found"


REQUESTS = [
    Call("Search", "Oslo", "book").request(),
    Call("Search", "Nowhere", "book").request(),
    Call("Lookup", "fjord", "book", "Oslo", 1).request(),
    Call("Search", "Oslo", "book", failures="0.5").request(2),
    Call("Search", "a city on a fjord", "book", rank=1).request(),
]


def texts(tools, *requests):
    return [(s.text, s.finish) for reply in tools(list(requests)) for s in reply.samples]


def test_tools_conform_and_are_recorded_like_a_model(tmp_path):
    tools = Tools(corpora)
    check_lm(tools, REQUESTS)
    with Cassette(tmp_path / "tools.jsonl", tools) as recorder:
        check_lm(recorder, REQUESTS)
    replay = Cassette(tmp_path / "tools.jsonl")
    check_lm(replay, REQUESTS)
    assert texts(replay, *REQUESTS) == texts(tools, *REQUESTS)
    alone = [search(CORPUS, "Oslo"), search(CORPUS, "Nowhere"), lookup(CORPUS, "Oslo", "fjord", 1)]
    assert texts(replay, *REQUESTS)[:3] == alone
    assert all(reply.asked.tokens == 0 and reply.asked.calls == 1 for reply in replay(REQUESTS))


@pytest.mark.parametrize("text", ["hello", "[]", "{}", '{"tool": "Finish", "argument": "x", "corpus": "book"}', "3"])
def test_what_is_no_tool_call_is_refused(text):
    with pytest.raises(LMError, match='the role "tool" only'):
        Tools(corpora)([user(text)])


def test_an_unknown_corpus_is_refused():
    with pytest.raises(LMError, match="there is no corpus 'moon'"):
        Tools(corpora)([Call("Search", "Oslo", "moon").request()])


class Slow:
    """A corpus that hangs, fails, or is broken, by title."""

    def __init__(self):
        self.release = threading.Event()

    def page(self, title):
        if title == "hang":
            self.release.wait(600)
        if title == "down":
            raise ToolError("the server cannot be reached.")
        if title == "bug":
            raise ZeroDivisionError
        return Page(title, (f"{title}.",))

    def similar(self, title):
        return []


def test_a_tool_that_hangs_is_timed_out_and_does_not_hold_up_the_others():
    slow = Slow()
    tools = Tools(lambda name: slow, timeout=1, at_once=1)
    said = texts(tools, *(Call("Search", title, "x").request() for title in ("hang", "fine")))
    assert said == [("Search failed: no answer in 1 seconds.", "timeout"), ("fine.", "stop")]
    slow.release.set()  # only now: nobody waited for it


def test_trouble_is_a_failure_and_a_bug_is_a_bug():
    tools = Tools(lambda name: Slow())
    [said] = texts(tools, Call("Search", "down", "x").request())
    assert said == ("Search failed: the server cannot be reached.", "error")
    with pytest.raises(ZeroDivisionError):
        tools([Call("Search", "bug", "x").request()])


def test_failures_on_purpose():
    tools = Tools(corpora)
    asked = [Call("Search", "Oslo", "book", failures="0.3").request(i) for i in range(200)]
    hit = [i for i, (_, how) in enumerate(texts(tools, *asked)) if how != "stop"]
    assert 30 < len(hit) < 90  # transient: drawn anew for each attempt
    said = texts(tools, asked[hit[0]])
    assert said == [("Search failed: the tool is out of order.", "error")]
    assert texts(tools, Call("Search", "Oslo", "book", failures="1").request()) == said
    assert texts(tools, Call("Search", "Oslo", "book", failures="Lookup=1").request())[0][1] == "stop"
    assert texts(tools, Call("Lookup", "fjord", "book", "Oslo", failures="Lookup=1").request())[0][1] == "error"


def test_a_megabyte_is_neither_recorded_nor_shown_whole(tmp_path):
    big = Offline([Page("Big", ("x" * 1_000_000,))])
    with Cassette(tmp_path / "c.jsonl", Tools(lambda name: big)) as recorder:
        [(said, how)] = texts(recorder, Call("Search", "Big", "b").request())
    assert how == "stop" and len(said) < 4100 and said.endswith("more characters]")
    assert (tmp_path / "c.jsonl").stat().st_size < 6000
