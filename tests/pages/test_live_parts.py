"""Parts of pages that run, in a real browser, without the runtime: these tests need nothing that was fetched."""

import pytest
from fake_server import FakeServer

from benchmarks.live_pages import press

pytestmark = pytest.mark.slow  # a browser does not care which Python drives it
PANEL = """async () => {
  const { Answering } = await import("/_static/live/answering.js");
  const answering = window.answering = new Answering(() => { window.changes = (window.changes ?? 0) + 1; });
  answering.panel.open = true;
  document.body.append(answering.panel);
}"""
KEY = "sk-0123456789-secret"


@pytest.fixture
def panel(parts, tab):
    tab.goto(parts.write("empty", [("print(1)", "1\n")]))
    tab.evaluate(PANEL)
    tab.get_by_label("a model of your own").check()
    return tab


def try_it(page, url, key=""):
    page.get_by_label("Address").fill(url)
    page.get_by_label("Key").fill(key)
    page.get_by_role("button", name="Try it").click()
    page.wait_for_function("() => /[.?]$/.test(answering.said.textContent)")
    return page.evaluate("answering.said.textContent")


def test_a_page_opened_as_a_file_says_how_to_serve_it(parts, tab):
    parts.write("opened", [("print(1)", "1\n")])
    tab.goto((parts.folder / "notebooks" / "opened.html").as_uri())
    press(tab)
    assert "python -m http.server" in tab.inner_text(".tot-live-offer span")
    assert tab.locator(".tot-live-tools").count() == 0 and tab.trouble == []


def test_a_page_whose_runtime_is_not_there_says_so_and_stays_as_it_is(parts, tab):
    tab.goto(parts.write("bare", [("print(1)", "1\n")]))
    press(tab)
    tab.get_by_text("This page cannot run here").wait_for()
    assert tab.locator("pre").all_inner_texts() == ["print(1)", "1\n"] and tab.trouble == []


def test_a_server_is_tried_and_the_page_says_what_is_wrong_with_it(panel, parts):
    with FakeServer(models=[{"id": "small"}, {"id": "large"}], origins=parts.url) as server:
        assert try_it(panel, server.url, KEY) == "It answers. Its models: small, large."
        assert panel.get_by_label("Model", exact=True).input_value() == "small"
        choice = {"who": "own", "url": server.url, "name": "small", "key": KEY}
        assert panel.evaluate("answering.choice") == choice
        server.models = None
        assert "most addresses end in /v1" in try_it(panel, server.url)
        server.origins = ""
        assert f"OLLAMA_ORIGINS={parts.url}" in try_it(panel, server.url)
    assert "Nothing answers" in try_it(panel, server.url)
    assert "Type the address" in try_it(panel, "ollama")
    assert KEY not in panel.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")


TAKEN = """async (outputs) => {
  const { taking } = await import("/_static/live/outputs.js"), taken = [];
  outputs.map((output) => structuredClone(output)).forEach(taking(taken)); // as a worker sends them
  return taken;
}"""
SAME = """async ([stored, other]) => (await import("/_static/live/outputs.js")).same(stored, other)"""


def test_outputs_are_compared_as_a_reader_sees_them(parts, tab):
    tab.goto(parts.write("outputs", [("print(1)", "1\n")]))

    def out(text, name="stdout"):
        return {"output_type": "stream", "name": name, "text": text}

    def rich(**data):
        return {"output_type": "display_data", "data": {media.replace("_", "/"): text for media, text in data.items()}}

    def same(stored, other):
        return tab.evaluate(SAME, [stored, other])

    assert same([out(["a\n", "b\n"])], [out("a\n"), out("b\n")])
    assert same([out("took 1.2 s\n")], [out("took 3.4 s")])
    assert not same([out("a\n")], [out("a\n", "stderr")])
    assert not same([out("1\n")], [])
    assert same([rich(text_html="<b>1</b>", text_plain="one")], [rich(text_html="<b>1</b>", text_plain="1")])
    assert not same([rich(text_html="<b>1</b>")], [rich(text_html="<b>2</b>")])


def test_what_is_cut_is_never_the_value_or_the_error_of_a_cell(parts, tab):
    tab.goto(parts.write("taken", [("print(1)", "1\n")]))
    ends = [{"output_type": "execute_result", "data": {"text/plain": "42"}}, {"output_type": "error", "ename": "E"}]

    def out(text, name="stdout"):
        return {"output_type": "stream", "name": name, "text": text}

    def taken(*outputs):
        return tab.evaluate(TAKEN, [*outputs, *ends])

    picture = {"output_type": "display_data", "data": {"text/plain": "a picture"}}
    more = out("\n(more is not shown)\n", "stderr")
    assert taken(*[out("a"), out("\n")] * 5000) == [out("a\n" * 5000), *ends]
    apart = [out("a"), picture, out("b"), out("c", "stderr")]
    assert taken(*apart) == [*apart, *ends]
    long = taken(out("a" * 700_000), out("b" * 700_000), picture, out("c"))
    assert long == [out("a" * 700_000 + "b" * 299_500), more, picture, *ends]
    assert taken(*[picture] * 3000) == [*[picture] * 2000, more, *ends]
    turns = taken(*[out("a"), out("b", "stderr")] * 5000)
    assert len(turns) < 2010 and turns[-3:] == [more, *ends]
