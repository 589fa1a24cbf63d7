"""The tree as a page: what was asked about each node, and what was replied."""

from html import escape
from xml.etree import ElementTree

from traces import THOUGHT, solved, thoughtful, trip

from treebook.show import html


def test_html_shows_what_was_asked_and_replied() -> None:
    page = str(html(solved()))
    root = ElementTree.fromstring(page)
    assert "13 + 13 = 27" in page and "operand is not there" in page
    assert page.count("List up to eight possible next steps") == 1, "shared instructions are shown once"
    assert page.count("<details") == page.count("</details>") > 40
    opened = [element for element in root.iter("details") if element.get("open") is not None]
    assert len(opened) == 5, "the chosen path is open"
    meters = list(root.iter("meter"))
    assert meters and all(
        float(m.get("min", "")) <= float(m.get("value", "")) <= float(m.get("max", "")) for m in meters
    )


def test_html_places_a_vote_and_unread_ballots() -> None:
    request = {
        "about": None,
        "messages": [{"role": "user", "content": "which is best?"}],
        "samples": [{"text": "the second"}],
    }
    trace = trip()
    nodes = [{"id": f"0.{i}"} for i in range(3)]
    trace.events.insert(1, {"kind": "asked", "role": "evaluator", "round": 2, "requests": [request], "nodes": nodes})
    trace.events[2]["unread"] = [{"node": None, "why": "no number", "text": "the second"}, {"why": "no node"}]
    page = html(trace)
    assert "evaluator asked across 3 thoughts, round 2: 1 reply" in page
    assert "no number" in page and "no node" in page
    ElementTree.fromstring(page)


def test_thinking_is_folded_and_escaped():
    page = html(thoughtful())
    assert page.count("<summary>thinking</summary>") == 2 and escape(THOUGHT[0]) in page and "<img" not in page
    assert "(thinking)" in page, "why the last reply ended"
