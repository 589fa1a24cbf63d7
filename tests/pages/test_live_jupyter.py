"""``make live JUPYTER=1`` as far as it needs no browser: pins, checksums, the kernel's wheel and its lock file."""

import re
import zipfile

import pytest

from live.unmade import unmade
from tools.live.jupyter import NAME, SETTINGS, Wheel, book_wheel, lock, read_wheels
from tools.live.packages import SetUpError
from tools.live.site import ROOT, add_button, lab_page

GOOD = Wheel("good_thing-1.2-py3-none-any.whl", "0" * 64, "kernel")


def test_each_wheel_is_pinned_and_runs_everywhere():
    wheels = read_wheels(ROOT / "live" / "pins.toml")
    assert all(re.fullmatch("[0-9a-f]{64}", each.sha256) for each in wheels)
    assert all(each.file.endswith("-none-any.whl") for each in wheels)  # no compiled parts
    assert {each.use for each in wheels} == {"builds", "extension", "kernel"}
    assert GOOD.requirement == f"good_thing==1.2 --hash=sha256:{'0' * 64}"


def test_the_kernels_wheel_has_the_book_and_a_script_for_the_first_cell(tmp_path):
    with zipfile.ZipFile(tmp_path / "book.zip", "w") as book:
        book.writestr("tot/__init__.py", "x = 1")
        book.writestr("notebooks/cassettes/06.jsonl", "{}")
        book.writestr(f"{NAME}-0.dist-info/METADATA", "")
    book_wheel(tmp_path / "book.zip", tmp_path / "book.whl")
    with zipfile.ZipFile(tmp_path / "book.whl") as wheel:
        files = {name: wheel.read(name).decode() for name in wheel.namelist()}
    assert files["tot/__init__.py"] == "x = 1" and "notebooks/cassettes/06.jsonl" in files
    (script,) = (text for name, text in files.items() if name.endswith("data/etc/ipython/startup/00-book.py"))
    compile(script, "startup", "exec")
    assert any(name.endswith(".dist-info/METADATA") for name in files)


def test_the_lock_file_names_what_is_here_and_nothing_else(tmp_path):
    core = {"info": {"python": "3"}, "packages": {
        "numpy": {"name": "numpy", "version": "2", "depends": [], "sha256": "n"},
        "good-thing": {"name": "good-thing", "version": "1.2", "depends": ["own"], "sha256": "theirs"},
    }}  # fmt: skip
    files = [tmp_path / GOOD.file, tmp_path / "own-3-py3-none-any.whl", tmp_path / f"{NAME}-0-py3-none-any.whl"]
    for file in files:
        file.write_bytes(b"x")
    entries = lock(core, files)["packages"]
    assert set(entries) == {"good-thing", "own", NAME.replace("_", "-")}
    assert entries["good-thing"]["depends"] == ["own"] and entries["good-thing"]["sha256"] != "theirs"
    assert entries[NAME.replace("_", "-")]["depends"] == ["good-thing", "own"]  # all are loaded with the book
    core["packages"]["good-thing"]["version"] = "1.3"
    with pytest.raises(SetUpError, match="Pyodide's good-thing is 1.3, not 1.2"):
        lock(core, files)


def test_nothing_in_its_settings_leads_elsewhere():
    settings = SETTINGS.read_text(encoding="utf-8")
    assert "://" not in settings and "disablePyPIFallback" in settings


def test_chapters_and_the_lab_lead_to_it_only_where_it_is():
    page = '<html><head></head><body><p class="tot-facts-line"></p></body></html>'
    frame = '<html><head><title>x</title></head><body><article class="bd-article"></article></body></html>'
    link = ' · <a href="../jupyter/lab/index.html?path=notebooks/06_x.ipynb">in JupyterLab</a>'
    assert add_button(page, "../", "06_x").replace(link, "") == add_button(page, "../")
    assert "jupyter" not in lab_page(frame) and 'href="jupyter/lab/' in lab_page(frame, jupyter=True)


CELL = """numbers, answers = range(3), {}
figure = plt.figure()
for n in numbers:
    answers[n] = n
    table.rows.append({"n": n})
    print(sorted(numbers), n.real)
def late(x):
    inside = x
"""


def test_what_a_cell_did_not_come_to_is_unmade():
    assert unmade(CELL, 2) == {"figure", "n", "answers", "table", "late"}  # and not numbers, which is whole
    assert unmade(CELL, 4) == {"n", "answers", "table", "late"}  # a loop that stopped in its middle
    assert unmade(CELL, 1) - unmade(CELL, 2) == {"numbers"}
