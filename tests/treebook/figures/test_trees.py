"""Trees as text, picture and page at once: what they say is safe, the same in every process, and quick to make."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest
from growth import grows_in_step
from traces import BAD, EDGES, every_view, hostile, large, sleuthed, solved, trip

import tot
from tot.trace import Trace
from treebook import show
from treebook.show import explorer, svg, text

GOLDEN = Path(__file__).parent / "golden"
ROOT = Path(__file__).parents[3]


# ------------------------------------------------------------------------------------------------ safety


@pytest.mark.slow
@pytest.mark.parametrize("name", EDGES)
def test_views_are_valid_xml_without_anything_invisible(name: str) -> None:
    for view, markup in every_view(EDGES[name]).items():
        root = ElementTree.fromstring(markup)
        assert not BAD.search(markup), view
        tags = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert not tags & {"script", "img", "iframe", "a", "foreignObject"}, view
        for element in root.iter():
            assert not any(key.startswith("on") for key in element.attrib), view
    plain = text(EDGES[name])
    assert not BAD.search(plain.replace("\n", ""))


def test_a_megabyte_is_cut_with_a_notice() -> None:
    trace = hostile()
    assert len(text(trace)) < 10_000
    assert len(svg(trace)) < 100_000
    assert "998,500 more characters" in svg(trace, max_dropped=None)


def test_hostile_text_is_still_there_to_read() -> None:
    elements = ElementTree.fromstring(svg(hostile(), max_dropped=None)).iter()
    titles = [element.text or "" for element in elements if element.tag.endswith("title")]
    assert any("<script>alert('x')</script>" in title for title in titles)
    assert any("[31mred[0m" in title for title in titles)


# ------------------------------------------------------------------------------------------------ failures


@pytest.fixture(scope="module")
def trace():
    return sleuthed(rounds=4).trace


def test_failures_stand_out_and_say_why(trace):
    text, picture = show.text(trace), show.svg(trace)
    node = trace.nodes()["0.0"]
    g, f = f"{node['g']:g}", f"{node['f']:g}"
    assert g == "1.5" and "tool failed" in text and f"value 0.5, g {g}, f {f}" in text
    assert "tot-n-failed" in picture and ">tool failed<" in picture and f"f {f}, g {g}, V 0.5" in picture


def test_a_failed_run_says_why() -> None:
    views = [svg(EDGES["error"]), explorer(EDGES["error"]), text(EDGES["error"])]
    assert all("set OPENAI_API_KEY" in view for view in views)

    def broken(request: tot.Request, index: int) -> str:
        raise tot.LMError("The server is down: start it.")

    s = tot.solve("game24", "4 9 10 13", lm=tot.Scripted(broken))
    assert all("The server is down" in view and "stopped: error" in view for view in (svg(s), explorer(s), text(s)))


# ------------------------------------------------------------------------------------------------ the same, and quick


def test_golden() -> None:
    """After a wanted change: TOT_GOLDEN=write pytest FILE -k golden, and look at the picture."""
    made = {"trip.svg": f"{svg(trip())}\n", "trip.txt": f"{text(trip())}\n"}
    for name, content in made.items():
        if os.environ.get("TOT_GOLDEN") == "write":
            (GOLDEN / name).write_text(content, encoding="utf-8")
        assert (GOLDEN / name).read_text(encoding="utf-8") == content


def loaded(code: str) -> set[str]:
    command = [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)"]
    return set(subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout.split())


def test_drawing_needs_the_standard_library_and_printing_loads_no_picture() -> None:
    assert not {"numpy", "matplotlib"} & loaded("from treebook.show import explorer, svg, table")
    printing = loaded("from tot.show.terminal import text; from tot.show.escaping import visible")
    assert "treebook" not in printing and "tot.show.tables" not in printing


@pytest.mark.slow
@pytest.mark.parametrize("view", [svg, text])
def test_a_drawing_takes_as_long_as_its_tree_is_large(view: Callable[[Trace], str]) -> None:
    grows_in_step(partial(view, large(1250)), partial(view, large(5000)))


def test_saved_files_open(tmp_path: Path) -> None:
    svg(solved()).save(tmp_path / "tree.svg")
    ElementTree.parse(tmp_path / "tree.svg")
    explorer(solved()).save(tmp_path / "tree.html")
    assert (tmp_path / "tree.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert len(repr(svg(solved()))) < 600 and repr(explorer(solved())).startswith("<HTML: Search tree.")
