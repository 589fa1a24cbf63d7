"""What a reader does to a page that runs: edit, stop, reset, come back. In a real browser: ``make test-live-pages``."""

import hashlib
import json
import os
from pathlib import Path

from benchmarks.live_pages import CELLS, press, run_page, wait_for_end
from tools.live.site import PLACE, ROOT


def editor(page, number):
    return page.locator("div.cell").nth(number - 1).locator(".cm-content")


def type_into(page, number, code, key="Shift+Enter"):
    editor(page, number).click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(code)
    page.keyboard.press(key)  # the page is busy when this returns, or done


def states(page):
    return [cell["state"] for cell in page.evaluate(CELLS)]


def test_editing_errors_keeping_and_reset(site, tab):
    address = site.write("edited", [("x = 1", ""), ("print(x)", "1\n")])
    assert [cell["state"] for cell in run_page(tab, address)] == ["same", "same"]
    type_into(tab, 2, "print(x + 1)")
    wait_for_end(tab)
    assert tab.locator("div.cell").nth(1).locator(".tot-live-output").inner_text().strip() == "2"
    type_into(tab, 1, "y = 2\nx = 1 / 0")
    wait_for_end(tab)
    assert "Line 2 of cell 1: ZeroDivisionError" in tab.evaluate(CELLS)[0]["error"]
    assert tab.locator(".tot-live-fault").inner_text() == "x = 1 / 0"

    tab.reload()  # what was edited is kept
    assert "What you changed" in tab.inner_text(".tot-live-offer")
    press(tab)
    wait_for_end(tab)
    assert editor(tab, 2).inner_text() == "print(x + 1)" and states(tab) == ["error", "waiting"]
    with tab.expect_download() as given:
        tab.get_by_role("button", name="Download").click()
    book = json.loads(Path(given.value.path()).read_text("utf-8"))
    assert [cell["source"] for cell in book["cells"]] == ["y = 2\nx = 1 / 0", "print(x + 1)"]
    assert book["cells"][0]["outputs"][0]["ename"] == "ZeroDivisionError"

    tab.on("dialog", lambda dialog: dialog.accept())
    tab.get_by_role("button", name="Reset").click()
    assert tab.locator(".tot-live-tools").count() == 0 and tab.locator("pre").nth(0).inner_text() == "x = 1"
    tab.reload()
    assert "What you changed" not in tab.inner_text(".tot-live-offer")


def test_what_a_cell_printed_before_a_figure_is_shown_and_kept(site, tab):
    tab.goto(site.write("shown", [("plt.plot([1])", "a stored figure")]))
    press(tab)
    wait_for_end(tab)
    type_into(tab, 1, "print('measured: 7')\nimport matplotlib.pyplot as plt\nplt.plot([1])")
    wait_for_end(tab)
    assert states(tab) == ["absent"] and "measured: 7" in tab.locator(".tot-live-output").inner_text()
    assert tab.get_by_text("a stored figure").is_visible()
    with tab.expect_download() as given:
        tab.get_by_role("button", name="Download").click()
    book = json.loads(Path(given.value.path()).read_text("utf-8"))
    assert "measured: 7" in str(book["cells"][0]["outputs"])


def test_an_error_and_a_value_are_shown_however_much_was_printed(site, tab):
    code = "for i in range(3000):\n    print(i)\nprint('x' * 2_000_000)\n"
    address = site.write("printed", [(code + "x = 1 / 0", "0\n"), ("print(x)", "1\n")])
    run_page(tab, address)
    assert states(tab) == ["error", "waiting"] and "ZeroDivisionError" in tab.evaluate(CELLS)[0]["error"]
    type_into(tab, 1, code + "display('shown')\n40 + 2")
    wait_for_end(tab)
    shown = tab.locator("div.cell").nth(0).locator(".tot-live-output > *").all_inner_texts()
    assert shown[0].startswith("0\n1\n2\n") and "2999\nxxx" in shown[0] and len(shown[0]) < 1_000_001
    assert [text.strip() for text in shown[1:]] == ["(more is not shown)", "'shown'", "42"]


def test_an_output_that_may_differ_stays_until_a_cell_is_changed(site, tab):
    tag = "nbval-ignore-output"
    address = site.write("tagged", [("x = 2", ""), ("print(x)", "stored\n", tag), ("print(x)", "stored\n", tag)])
    assert [cell["state"] for cell in run_page(tab, address)] == ["same"] * 3
    type_into(tab, 2, "print('mine')\nx = 3")
    wait_for_end(tab)
    tab.get_by_role("button", name="Run all").click()
    wait_for_end(tab)
    assert states(tab) == ["same", "different", "different"]
    assert [text.strip() for text in tab.locator(".tot-live-output").all_inner_texts()] == ["mine", "3"]


def test_stop_ends_a_cell_that_never_ends_and_the_next_run_begins_anew(site, tab):
    tab.set_viewport_size({"width": 390, "height": 800})
    tab.goto(site.write("long", [("x = 5", ""), ("print(x)", "5\n")]))
    press(tab)
    wait_for_end(tab)
    type_into(tab, 2, "print(y)")
    wait_for_end(tab)
    assert states(tab) == ["same", "error"]
    type_into(tab, 2, "while True: pass", "Control+Enter")
    tab.locator('[data-tot-live="running"]').wait_for()
    assert tab.locator(".tot-live-error").count() == 0  # nor when it is stopped: it is of another run
    assert tab.evaluate("1 + 1") == 2  # the page is awake
    tab.get_by_role("button", name="Stop").click()
    assert "Stopped" in tab.inner_text("[role=status]") and states(tab)[1] == "waiting"
    editor(tab, 2).click()
    tab.keyboard.press("Control+a")
    tab.keyboard.insert_text("x + " * 60 + "x")
    tab.locator(".cm-scroller").nth(1).evaluate("box => { box.scrollLeft = 200; }")
    numbers = tab.locator(".cm-gutters").nth(1).bounding_box()
    assert numbers["x"] + numbers["width"] < tab.locator(".cm-scroller").nth(1).bounding_box()["x"]  # not over the code
    type_into(tab, 2, "print(x)")  # needs the cell above, which runs again by itself
    wait_for_end(tab)
    assert states(tab) == ["same", "same"]


def test_a_cell_that_ends_python_says_so_and_the_next_run_begins_anew(site, tab):
    refused = "    ast.parse('(' * 199 + '1' + ')' * 199)"
    deep = f"import ast\ntry:\n{refused}\nexcept SyntaxError as error:\n    print(error)"
    tab.goto(site.write("deep", [(deep, "too many nested parentheses\n"), ("x = 5", ""), ("print(x)", "5\n")]))
    press(tab)
    wait_for_end(tab)
    assert states(tab) == ["same"] * 3
    type_into(tab, 2, "compile('-' * 4000 + '1', 'deep', 'eval')", "Control+Enter")
    assert "Cell 2 ended Python" in wait_for_end(tab)
    type_into(tab, 2, "x = 5", "Control+Enter")
    wait_for_end(tab)
    assert states(tab) == ["same"] * 3


KEPT = """async () => {
  const [name] = await caches.keys();
  const urls = (await (await caches.open(name)).keys()).map((request) => request.url);
  return [".wasm", "python_stdlib.zip", "book.zip", ".gz"].every((end) => urls.some((url) => url.endsWith(end)));
}"""


def test_a_second_visit_takes_the_runtime_from_the_cache(site, tab, runtime):
    os.utime(runtime / PLACE / "settings.json", (0, 0))  # so old that a browser's ordinary cache would not ask again
    address = site.write("again", [("print(1)", "1\n")])
    run_page(tab, address)
    tab.wait_for_function(KEPT)  # the browser writes them while the page runs
    before = len(site.sent)
    run_page(tab, address)
    again = site.sent[before:]
    assert any(path.endswith("settings.json") for path, _ in again)  # which says whether what is kept is still right
    assert not [path for path, status in again if status == 200 and path.endswith((".wasm", ".zip", ".gz"))], again


def test_what_comes_by_a_door_is_found_and_a_tree_opens(site, tab):
    """The zip has the entry points: ``pocket`` is a model there, and a solution shows itself as the book's page."""
    solve = 'import tot\ns = tot.solve("game24", "4 9 10 13", lm="pocket")\nprint(s.lm, s.result.stopped)'
    cells = [(solve, "pocket done\n"), ("s", ""), ("from treebook import show\nshow.explorer(s)", "")]
    run_page(tab, site.write("doors", cells))
    assert states(tab)[0] == "same" and not any(cell["error"] for cell in tab.evaluate(CELLS)), tab.evaluate(CELLS)
    tab.locator(".tot-explorer").first.wait_for(state="attached")
    tab.locator(".tot-explorer svg").first.wait_for(state="attached")


def test_a_large_file_comes_when_a_cell_reads_it_and_not_before(site, tab):
    name = "studies/stream/stream.safetensors"
    read = f'import hashlib, pathlib\nprint(hashlib.sha256(pathlib.Path("../{name}").read_bytes()).hexdigest())'
    address = site.write("later", [("print(1)", "1\n"), (read, hashlib.sha256((ROOT / name).read_bytes()).hexdigest())])
    tab.goto(address)
    before = len(site.sent)
    press(tab)
    wait_for_end(tab)
    assert states(tab) == ["same", "same"]
    assert {path for path, _ in site.sent[before:] if "safetensors" in path} == {f"/{PLACE}/later/{name}"}


def test_ten_runs_do_not_pile_up_memory(site, tab):
    run_page(tab, site.write("often", [("data = list(range(500_000))", ""), ("print(len(data))", "500000\n")]))
    session = tab.context.new_cdp_session(tab)

    def used():
        session.send("HeapProfiler.collectGarbage")
        return tab.evaluate("performance.memory.usedJSHeapSize")

    after_one = used()
    for _ in range(9):
        tab.get_by_role("button", name="Run all").click()
        wait_for_end(tab)
    assert states(tab) == ["same", "same"] and used() < 2 * after_one
