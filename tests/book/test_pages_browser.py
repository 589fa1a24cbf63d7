"""Every page in a real browser, from file://, on a laptop and on a phone. Skipped without a browser."""

import pytest

pytestmark = pytest.mark.slow


def note_failure(page, request):
    if request.failure != "net::ERR_ABORTED":  # the browser gives up what it no longer needs when it leaves a page
        page.trouble.append(f"{request.failure}: {request.url}")


@pytest.fixture
def tab(chromium):
    """Gives a new page of the browser; ``trouble`` has what it told the console, and what failed."""

    def open_tab(width, **settings):
        page = chromium.new_page(viewport={"width": width, "height": 844}, **settings)
        page.set_default_timeout(60_000)  # a hang, not a slow machine
        page.trouble = []
        page.on("console", lambda message: page.trouble.append(message.text))
        page.on("pageerror", lambda error: page.trouble.append(str(error)))
        page.on("requestfailed", lambda request: note_failure(page, request))
        opened.append(page)
        return page

    opened = []
    yield open_tab
    for page in opened:
        page.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_pages_are_silent_and_as_wide_as_the_screen(html, tab, width):
    page, wide = tab(width), {}
    files = [f for f in sorted(html.rglob("*.html")) if "_static" not in f.parts and f != html / "index.html"]
    for file in files:  # index.html only sends its reader on
        page.goto(file.as_uri(), wait_until="load")
        page.wait_for_timeout(50)  # the theme goes on a little after that
        if (found := page.evaluate("document.documentElement.scrollWidth")) != width:
            wide[file.name] = found
    assert len(files) > 50 and page.trouble == [] and wide == {}


# What is written and cannot be read without scrolling sideways, also behind folds: the start of each such block.
CUT = """() => {
  for (const fold of document.querySelectorAll(".bd-article details:is(.tot-fold, .tot-mark)")) fold.open = true;
  return [...document.querySelectorAll(".bd-article :is(pre, .tot-table)")]
    .filter(e => e.checkVisibility() && !e.closest(".tot-explorer, .tot-reveal") && e.scrollWidth > e.clientWidth + 1)
    .map(e => e.innerText.slice(0, 60));
}"""


def found_on_pages(html, page, script):
    """File name -> what the script finds there, of every page of the book where it finds anything."""
    found, files = {}, sorted([*html.glob("notebooks/*.html"), *html.glob("book/*.html")])
    for file in files:
        page.goto(file.as_uri())
        found[file.name] = page.evaluate(script)
    assert len(files) > 30
    return {name: each for name, each in found.items() if each}


def test_nothing_written_is_cut_on_a_laptop(html, tab):
    assert found_on_pages(html, tab(1280), CUT) == {}


# The marks that open code stand between paragraphs: those that stand on one.
ON_TEXT = """() => {
  const seen = what => [...document.querySelectorAll(`.bd-article ${what}`)].filter(e => e.checkVisibility());
  const boxes = what => seen(what).map(e => e.getBoundingClientRect());
  const on = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom - 6 && b.top < a.bottom - 6;
  const written = boxes("p").filter(p => p.height);
  return boxes(".tot-mark > summary").filter(mark => written.some(p => on(mark, p))).map(mark => mark.top);
}"""


def test_no_mark_stands_on_text(html, tab):
    assert found_on_pages(html, tab(1500), ON_TEXT) == {}


# A tree that would need a scroll bar at 1280: its own least width against that of its box.
WIDER = """() => {
  for (const fold of document.querySelectorAll(".bd-article details:is(.tot-fold, .tot-mark)")) fold.open = true;
  return [...document.querySelectorAll(".bd-article .tot-scroll")]
    .filter(e => e.checkVisibility() && e.clientWidth && e.scrollWidth > e.clientWidth + 1).length;
}"""


def test_pictures_fit_a_laptop(html, tab):
    assert found_on_pages(html, tab(1280), WIDER) == {}


def search(page, words):
    page.keyboard.press("Control+k")
    field = page.locator("#pst-search-dialog input")
    field.fill(words)
    page.locator("#pst-search-dialog .tot-found-status:not(:empty)").wait_for()
    page.wait_for_timeout(100)
    return page.locator("#pst-search-dialog .tot-found li").all_inner_texts()


def test_the_search_finds_sections_and_puts_the_chapter_that_explains_first(html, tab):
    page = tab(1280)
    page.goto((html / "book/index.html").as_uri())
    assert page.evaluate("typeof totSections") == "undefined"  # nothing is loaded before somebody searches
    for words in ("backpropagation", "backup"):
        first = search(page, words)[0].splitlines()
        assert first[0] == "13 Monte Carlo tree search from scratch" and len(first) == 3
        page.keyboard.press("Escape")
    assert search(page, "zzzz nothing") == []
    page.keyboard.press("Escape")
    found = search(page, "backpropagation")
    assert any(entry.startswith("Glossary") for entry in found[1:])
    marks = page.locator("#pst-search-dialog .tot-found li").first.locator(".tot-found-text mark")
    assert marks.first.inner_text().lower().startswith("backprop")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url("**/13_mcts_from_scratch.html#*")
    page.goto((html / "search.html").as_uri() + "?q=Wilson")
    page.locator(".bd-search-container .tot-found li").first.wait_for()
    assert page.trouble == []


def test_what_is_searched_for_is_never_markup(html, tab):
    page = tab(1280)
    page.goto((html / "search.html").as_uri() + "?q=<img src=x onerror=console.log(1)>")
    page.locator(".bd-search-container .tot-found-status:not(:empty)").wait_for()
    assert page.locator(".bd-search-container img").count() == 0 and page.trouble == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_colour_menu_works_and_formulas_take_the_colour_of_the_text(html, tab, scheme):
    page = tab(1280, color_scheme=scheme)
    page.goto((html / "notebooks/11_best_first_itot_astar.html").as_uri())
    theme = "document.documentElement.dataset.theme"
    assert page.evaluate(theme) == scheme
    other = {"light": "dark", "dark": "light"}[scheme]
    page.locator(".theme-switch-button").first.click()
    page.locator(f".theme-change-button[data-mode={other}]").first.click()
    assert page.evaluate(theme) == other
    fill, colour = page.locator("article .tot-formula svg").first.evaluate(
        "e => [getComputedStyle(e.querySelector('use')).fill, getComputedStyle(e.parentElement).color]"
    )
    assert fill == colour and page.trouble == []


# Left and right edge of each, in pixels: the text's, those of what is wide, and those of what stands in the margin.
EDGES = """() => {
  const edges = e => { const box = e.getBoundingClientRect(); return [Math.round(box.left), Math.round(box.right)] };
  const shown = which => [...document.querySelectorAll(which)].filter(e => e.checkVisibility()).map(edges);
  return [shown(".bd-article > section > p")[0], shown(".bd-article .wide"), shown(".bd-article .margin")];
}"""


@pytest.mark.parametrize("width, wide", [(1280, 960), (1680, 1000), (390, 358)])
def test_a_page_has_a_text_what_is_wide_and_a_margin(html, tab, width, wide):
    page = tab(width)
    for name in ("06_tot_bfs_game24", "13_mcts_from_scratch"):
        page.goto((html / "notebooks" / f"{name}.html").as_uri())
        (left, right), pictures, notes = page.evaluate(EDGES)
        assert right - left == min(680, wide) and notes
        assert all(end - start <= wide and end <= left + wide for start, end in pictures)
        for start, end in notes:
            assert (start, end) == ((left, right) if width == 390 else (left + wide - 240, left + wide))


# What the keyboard passes before it reaches the article.
STOPS = """() => [...document.querySelectorAll("a[href], button, input, summary, [tabindex='0']")].filter(
  e => e.checkVisibility() && e.tabIndex >= 0
    && document.querySelector("article").compareDocumentPosition(e) & Node.DOCUMENT_POSITION_PRECEDING
).length"""


def test_the_keyboard_is_soon_in_a_chapter_and_at_once_by_the_first_link(html, tab):
    page, far = tab(1280), {}
    for file in [html / "book/index.html", *html.glob("notebooks/[0-9]*.html")]:
        page.goto(file.as_uri())
        if (stops := page.evaluate(STOPS)) >= 25:
            far[file.name] = stops
    assert far == {}
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('article') !== null")
