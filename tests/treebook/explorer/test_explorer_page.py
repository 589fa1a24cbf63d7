"""The explorer's page: safe, not too large, and complete without script."""

import json
import re
from functools import partial
from pathlib import Path

import pytest
from growth import grows_in_step
from traces import BAD, THOUGHT, TRACES, beam, data_of, deep, filled, hostile, ids, large, solved, thoughtful

from treebook import show
from treebook.explorer.data import view

ROOT = Path(__file__).parents[3]

every_trace = pytest.mark.parametrize("name", TRACES)


@every_trace
def test_the_page_is_safe_and_always_the_same(name):
    page = show.explorer(TRACES[name]())
    assert page == show.explorer(TRACES[name]()) and not BAD.search(page)
    lower = page.lower()
    assert [lower.count(tag) for tag in ("<script", "</script", "<style", "</style")] == [2, 2, 2, 2]
    [text] = re.findall(r'<script type="application/json">(.*?)</script>', str(page), re.S)
    assert "<" not in text
    assert "<img" not in page and "http" not in re.sub(r"http://www.w3.org/2000/svg", "", page.split("</div>")[1])
    assert " id=" not in page, "nothing to clash with another one on the page"
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|fetch\(|import\(", page)


@every_trace
def test_the_packed_tables_are_the_view(name):
    trace = TRACES[name]()
    told, packed = view(trace), data_of(show.explorer(trace, size=None))
    for table in ("nodes", "steps", "requests"):
        columns, *rows = packed[table]
        unpacked = [dict(zip(columns, row, strict=False)) for row in rows]
        for row in unpacked:
            if table == "steps":
                row["kind"] = packed["kinds"][row["kind"]]
                row["set"] = [[packed["fields"][field], *more] for field, *more in row["set"]]
        assert [{k: v for k, v in row.items() if v is not None} for row in unpacked] == json.loads(
            json.dumps([{k: v for k, v in row.items() if v is not None} for row in told[table]])
        )


def test_a_page_that_grows_too_large_is_cut_and_says_so():
    trace = filled(100).trace
    whole = show.explorer(trace, size=None)
    assert data_of(whole)["notice"] == "" and show.explorer(trace) == whole
    long = hostile()
    most = len(show.explorer(long, size=None).encode()) - 5_000
    cut = show.explorer(long, size=most)
    assert len(cut.encode()) <= most and "Texts are cut after 800" in data_of(cut)["notice"]
    bare = show.explorer(trace, size=1)
    assert data_of(bare)["requests"] == [[]] and "Prompts and replies are left out" in data_of(bare)["notice"]
    assert data_of(bare)["steps"] == data_of(whole)["steps"], "the search itself is never cut"
    with pytest.raises(ValueError, match="at least 100"):
        show.explorer(trace, height=10)


def test_it_can_be_opened_at_a_step_and_with_a_thought():
    trace = deep()
    usual, opened = data_of(show.explorer(trace)), data_of(show.explorer(trace, step=4, node="0.1"))
    assert usual["start"]["step"] == 0
    assert opened["start"] == usual["start"] | {"step": 4, "node": ids(view(trace)).index("0.1")}
    last = len(view(trace)["steps"]) - 1
    for knobs in ({"step": last}, {"step": "end"}, {"step": -1}, {"node": "0.1"}):
        assert data_of(show.explorer(trace, **knobs))["start"]["step"] == last
    assert data_of(show.explorer(trace, step=-last - 1))["start"]["step"] == 0
    for step in (-last - 2, last + 1, "last"):
        with pytest.raises(ValueError, match=f"from 0 to {last}"):
            show.explorer(trace, step=step)
    with pytest.raises(ValueError, match="no node '0.9'"):
        show.explorer(trace, node="0.9")


def test_the_script_is_one_line_without_comments():
    script = str(show.explorer(beam())).rpartition('<script data-tot-once="">')[2].partition("</script>")[0]
    assert "\n" not in script and "// " not in script and "  " not in script
    assert 'createElementNS("http://www.w3.org/2000/svg", tag)' in script


def test_a_bare_one_has_the_search_and_none_of_the_prompts():
    trace = solved(breadth=2).trace
    whole, bare = data_of(show.explorer(trace)), data_of(show.explorer(trace, details=False, play=True))
    assert bare["start"]["bare"] and bare["start"]["play"] and "bare" not in whole["start"]
    assert bare["requests"] == [[]] and bare["notice"] == "" and len(bare["steps"]) == len(whole["steps"])
    assert len(show.explorer(trace, details=False)) < len(show.explorer(trace))


def test_the_drawn_tree_stands_in_the_page_for_paper_and_for_those_without_script():
    solution = solved(breadth=2)
    words = re.findall(r"<text[^>]*>([^<]*)</text>", show.explorer(solution.trace))
    assert words == re.findall(r"<text[^>]*>([^<]*)</text>", show.svg(solution)) and "chosen" in words
    large_one = show.explorer(large(3000))  # too large to be drawn for each reader: text
    assert len(large_one.partition("<pre>")[2].partition("</pre>")[0].splitlines()) == 151


@pytest.mark.slow
def test_large_trees_take_as_long_as_they_are_large():
    trace = large(5000)
    assert len(show.explorer(trace).encode()) < 1_000_000
    grows_in_step(partial(show.explorer, large(1250)), partial(show.explorer, trace))


def test_thinking_is_in_the_data_only_where_there_is_some():
    page, plain = show.explorer(thoughtful()), show.explorer(solved().trace)
    data = data_of(page)
    columns, *rows = data["requests"]
    [request] = [dict(zip(columns, row, strict=False)) for row in rows]
    texts = [data["texts"][i] if i >= 0 else None for i in request["thinking"]]
    assert texts == [THOUGHT[0], None, THOUGHT[1]] and "<img" not in page
    assert "thinking" not in data_of(plain)["requests"][0]
