"""What a reader wrote into a page that runs is never lost in silence: not to a new edition, not to a second window."""

import json
import shutil
import subprocess

import pytest

from tools.live.site import ROOT

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(not NODE, reason="there is no Node")
SETTING = """
const store = {};
globalThis.localStorage = { getItem: (key) => store[key] ?? null, setItem: (key, text) => { store[key] = text; },
                            removeItem: (key) => { delete store[key]; } };
globalThis.location = { pathname: "/notebooks/06.html" };
const { forget, keep, notebook, restore } = await import(%s);
const page = (...sources) => sources.map((source, i) => ({ number: i + 1, source, code: source }));
const codes = (cells) => cells.map((cell) => cell.code);
"""


def run(code):
    script = SETTING % json.dumps((ROOT / "live" / "keeping.js").as_uri()) + code
    done = subprocess.run([NODE, "--input-type=module", "-"], input=script, capture_output=True, text=True)
    assert not done.returncode, done.stderr
    return json.loads(done.stdout)


EDITED = """
const first = page("a", "b", "c");
first[1].code = "mine\\nof two lines"; keep(first[1]);
"""


@pytest.mark.parametrize(
    "sources, found",
    [
        (["a", "b", "c"], ["a", "mine\nof two lines", "c"]),
        (["new", "a", "b", "c"], ["new", "a", "mine\nof two lines", "c"]),  # the cell has moved
        (["a", "B", "c"], ["a", "B\n\n# {}\n# mine\n# of two lines", "c"]),  # it has changed
        (["a"], ["a\n\n# {}\n# mine\n# of two lines"]),  # it has gone
    ],
)
def test_an_edit_outlives_a_new_edition_of_the_book(sources, found):
    words = "The book has changed since you wrote this here:"
    told = f"const next = page(...{json.dumps(sources)}); restore(next); const again = page(...{json.dumps(sources)});"
    told += "restore(again); console.log(JSON.stringify([codes(next), codes(again)]))"
    once, twice = run(EDITED + told)
    assert once == [text.format(words) for text in found] and twice == once, "a second visit adds nothing"


def test_two_windows_of_one_page_keep_both_edits_and_reset_forgets_all():
    code = """
const second = page("a", "b", "c");
second[0].code = "other"; keep(second[0]);
const both = page("a", "b", "c"); restore(both);
second[0].code = "a"; keep(second[0]);
const one = page("a", "b", "c"); restore(one);
forget([second[2]]);
const still = page("a", "b", "c"); restore(still);
forget(first);
const none = page("a", "b", "c"); restore(none);
console.log(JSON.stringify([both, one, still, none].map(codes)));"""
    mine = "mine\nof two lines"
    assert run(EDITED + code) == [["other", mine, "c"], ["a", mine, "c"], ["a", mine, "c"], ["a", "b", "c"]]


@pytest.mark.parametrize("text", ['"no"', "[1]", '{"1": 5}', "{", '{"1": {"source": "a"}}', '{"1": null}', "null"])
def test_what_others_left_in_the_browser_does_no_harm(text):
    code = f"store['tot-live:/notebooks/06.html'] = {json.dumps(text)};"
    assert run(f"{code} const cells = page('a', 'b'); restore(cells); console.log(JSON.stringify(codes(cells)));") == [
        "a",
        "b",
    ]


def test_a_downloaded_cell_never_has_the_books_output_below_other_code():
    code = """
const stream = (text) => ({ output_type: "stream", name: "stdout", text });
const stored = (source) => ({ cell_type: "code", source, outputs: [stream("the book's")], execution_count: 1 });
const book = { cells: ["a", "b", "c", "d"].map(stored) };
const cells = page("a", "b", "c", "d");
cells[1].code = "b, edited and not run";
Object.assign(cells[2], { code: "c, edited, run, and a comment since", ran: true, outputs: [stream("the reader's")] });
Object.assign(cells[3], { ran: true, outputs: [] });
const told = notebook(book, cells).cells;
console.log(JSON.stringify(told.map((cell) => [cell.outputs.map((each) => each.text), cell.execution_count])));"""
    assert run(code) == [[["the book's"], 1], [[], None], [["the reader's"], 3], [[], 4]]
