"""Pages are light: what they load is counted, and style sheets lose only rules that cannot apply."""

import re

import pytest

from benchmarks.pages import first_load
from tools.pages.weight import shrink


@pytest.mark.parametrize(
    "css, left",
    [
        (".a{color:red}.gone{color:red}", ".a{color:red}\n"),
        (".a,.gone,.a .gone{color:red}", ".a{color:red}\n"),
        ("@media print{.gone{color:red}}", ""),
        ("@media print{.a{color:red}.gone{x:y}}", "@media print{.a{color:red}\n}\n"),
        (".a:not(.gone){x:y}:is(.gone,.a) p{x:y}", ".a:not(.gone){x:y}\n:is(.gone,.a) p{x:y}\n"),
        ("p{x:y}#b{x:y}#gone{x:y}", "p{x:y}\n#b{x:y}\n"),
        ("@font-face{src:url(../vendor/fontawesome/x.woff2)}@font-face{src:url(f)}", "@font-face{src:url(f)}\n"),
        ('.a[title=".gone, b"]{x:y}', '.a[title=".gone, b"]{x:y}\n'),
    ],
)
def test_rules_stay_that_can_apply(css, left):
    assert shrink(css, {"a", "b"}) == left


def test_the_first_load_of_every_page_is_below_nine_tenths_of_a_megabyte(html):
    pages = [p for p in html.rglob("*.html") if "_static" not in p.parts]
    heavy = {p.name: size for p in pages if (size := first_load(p)) > 900_000}
    assert len(pages) > 50 and heavy == {}


def test_nothing_is_loaded_that_is_not_there_or_not_used(html):
    for page in html.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"(fontawesome|searchindex|searchtools|togglebutton)[\w.]*\.(js|css)", text), page.name
    assert not (html / "searchindex.js").exists() and not list(html.rglob("*.map"))
    icons = set(re.findall(r"\.(fa-[\w-]+) \{ --tot-icon", (html / "_static/css/furniture.css").read_text()))
    asked = {c for p in html.rglob("*.html") for c in re.findall(r"(?<=[\" ])fa-(?!solid|lg|fw)[a-z-]+", p.read_text())}
    assert asked and asked <= icons


def test_the_face_is_light_is_there_and_has_its_licence(html):
    faces = [*(html / "_static/fonts").glob("*.woff2")]
    asked = set(re.findall(r"fonts/([\w-]+\.woff2)", (html / "_static/css/type.css").read_text()))
    assert {face.name for face in faces} == asked and sum(face.stat().st_size for face in faces) < 100_000
    assert "SIL OPEN FONT LICENSE" in (html / "_static/fonts/OFL.txt").read_text().upper()
