"""JupyterLab in a real browser: a chapter run whole, the panel of the lab, and nothing asked of another server."""

import json
import shutil

import pytest

from benchmarks.live_pages import served
from tests.pages.conftest import CACHE
from tools.live.jupyter import add_jupyter, read_wheels
from tools.live.site import PLACE, ROOT

KERNEL = "() => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel"
RUN_ALL = """async () => { await jupyterapp.shell.currentWidget.sessionContext.ready;
  await jupyterapp.commands.execute("notebook:run-all-cells");
  return jupyterapp.shell.currentWidget.content.model.toJSON(); }"""
RUN = """async (code) => { const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
  const future = kernel.requestExecute({ code });
  let said = ""; future.onIOPub = ({ content }) => { said += content.text ?? content.evalue ?? ""; };
  return [(await future.done).content.status, said]; }"""


@pytest.fixture(scope="module")
def jupyter(runtime, tmp_path_factory):
    """The served folder; skipped where nobody has fetched JupyterLite."""
    wheels = read_wheels(ROOT / "live" / "pins.toml")
    if not all((CACHE / wheel.file).exists() for wheel in wheels):
        pytest.skip("no JupyterLab in the browser: it was not fetched; make live-runtime JUPYTER=1 does")
    folder = tmp_path_factory.mktemp("jupyter")
    shutil.copytree(runtime / PLACE, folder / PLACE)
    add_jupyter(folder / "jupyter", folder / PLACE, wheels, CACHE, ROOT)
    settings = folder / "jupyter" / "jupyter-lite.json"
    shown = json.loads(settings.read_text("utf-8"))
    shown["jupyter-config-data"]["exposeAppInBrowser"] = True  # so that a test can ask what a notebook holds
    settings.write_text(json.dumps(shown), "utf-8")
    with served(folder) as server:
        yield server


@pytest.fixture
def notebook(jupyter, tab):
    """``notebook(name)`` opens it and runs it whole; its cells."""

    def visit(name):
        tab.goto(f"{jupyter.url}/jupyter/lab/index.html?path=notebooks/{name}.ipynb")
        tab.wait_for_function(KERNEL)
        return tab.evaluate(RUN_ALL)["cells"]

    yield visit
    assert tab.trouble == [] and all(url.startswith((jupyter.url, "blob:", "data:")) for url in tab.asked)


def text(cell):
    """What a reader sees of a cell's outputs: of each the representation that a notebook prefers."""
    seen = []
    for output in cell["outputs"]:
        data = output.get("data", {})
        best = next(
            (data[kind] for kind in ("text/html", "image/svg+xml", "text/markdown", "text/plain") if kind in data), ""
        )
        seen += [*output.get("text", best or output.get("evalue", ""))]
    return "".join(seen)


def test_a_chapter_prints_what_is_stored_or_says_why_not(notebook, tab):
    stored = json.loads((ROOT / "notebooks" / "06_tot_bfs_game24.ipynb").read_text("utf-8"))["cells"]
    cells = [
        (now, was) for now, was in zip(notebook("06_tot_bfs_game24"), stored, strict=True) if now["cell_type"] == "code"
    ]
    others = [text(now) for now, was in cells if text(now) != text(was)]
    assert len(cells) - len(others) >= 25 and sum(bool(text(was)) for _, was in cells) > 20
    assert all(each.startswith("matplotlib is not in the browser") and each.count("\n") == 1 for each in others)

    run = lambda code: tab.evaluate(RUN, code)  # noqa: E731
    assert run("print(lm.name and len(lm.tape.samples) > 100)") == ["ok", "True\n"]
    assert run('print(tot.solve("game24", "4 9 10 13", lm="pocket").lm)') == ["ok", "pocket\n"]  # found by its door
    assert run('print("tot-explorer" in show.explorer(tot.solve("game24", "4 9 10 13", "io", lm="pocket")))')[0] == "ok"
    assert run('print(len(open("../studies/stream/stream.safetensors", "rb").read()) > 1e6)') == ["ok", "True\n"]
    status, said = run("made = plt.figure()\n")
    assert status == "ok" and said.startswith("matplotlib is not in the browser")
    status, said = run("made.axes")
    assert status == "ok" and said.startswith("made is missing, which is made above from what is not in the browser: ")
    assert run("typo") == ["error", "name 'typo' is not defined"]  # an error of one's own stays one


def test_the_panel_of_the_lab_runs_there(notebook, tab):
    notebook("study_game24")
    button = tab.locator(".jp-OutputArea button", has_text="Run").first
    button.scroll_into_view_if_needed()
    button.click()
    tab.locator(".jp-OutputArea .tot-meter", has_text="best so far").first.wait_for()
    tab.locator(".jp-OutputArea .tot-explorer").last.wait_for()
