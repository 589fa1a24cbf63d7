"""An article without what needs a screen: folds are open, widgets are pictures, solutions stand at the chapter's end.

- Code stays, all of it. What a page folds (set-up, what draws a figure, checks) is in small print: class "small".
- Hints stay with their exercise; solutions move into a section of their own at the end.
- A prediction shows its choices, then its answer. Frames behind a slider: those that the page prints. Explorers: the
  finished tree as a picture.
- Scripts, buttons, tips and the style of the dark page go.
"""

import re
from collections.abc import Iterable

from bs4 import BeautifulSoup, Tag

from tools.editions.explorers import drawing
from tools.editions.volume import cased

GONE = (
    "script, form, button, .headerlink, .tot-tip, .d-print-none, .tot-slider, .sd-hide-link-text, .sd-summary-icon, "
    ".sd-summary-state-marker, .sd-stretched-link:empty, .tot-start, .tot-facts-line:empty, .pst-js-only"
)
SMALL = {"tot-set-up", "tot-plot", "tot-checked"}
SOLUTIONS = "Solutions"


def still(article: Tag) -> Tag:
    """Change the article so; returns it."""
    soup = BeautifulSoup("", "html.parser")
    for box in article.select(".tot-explorer"):
        _replaced(box, f'<div class="tot-scroll">{drawing(box)}</div>')
    for form in article.select("form.tot-guess"):
        choices = [label.get_text(" ", strip=True) for label in form.find_all("label")]
        if choices:
            line = soup.new_tag("p", attrs={"class": "choices"})
            line.string = " · ".join(choices)
            form.replace_with(line)
    for frame in article.select(".tot-frame"):
        _frame(frame, soup)
    for tabs in article.select(".sd-tab-set"):
        _all_tabs(tabs, soup)
    _solutions_last(article, soup)
    for fold in article.find_all("details"):
        _open(fold, soup)
    for facts in article.select(".tot-facts-line"):  # how long it takes, and what it builds on
        for span in facts.find_all("span", recursive=False):
            if not span.find(class_="d-print-none") and span.get_text(strip=True):
                continue
            span.decompose()
    for element in article.select(GONE):
        if not element.decomposed:
            element.decompose()
    for element in article.find_all(True):
        for name in [name for name in element.attrs if name.startswith("on") or name in ("tabindex", "data-tot-once")]:
            del element[name]
    return article


def _replaced(element: Tag, html: str) -> None:
    """Put what the text says in the element's place."""
    made = BeautifulSoup(html, "html.parser")
    cased(made)
    element.replace_with(made)


def _frame(frame: Tag, soup: BeautifulSoup) -> None:
    if "tot-printed" not in frame.get("class", []):
        frame.decompose()
        return
    frame.attrs.pop("hidden", None)
    if label := frame.attrs.pop("data-label", ""):
        line = soup.new_tag("p", attrs={"class": "frame-label"})
        line.string = str(label)
        frame.insert(0, line)


def _all_tabs(tabs: Tag, soup: BeautifulSoup) -> None:
    """One below the other, each below its name."""
    for button in tabs.find_all("input", recursive=False):
        button.decompose()
    for label in tabs.find_all("label", recursive=False):
        label.name, label.attrs = "p", {"class": ["tab-name"]}
    for content in tabs.select(".sd-tab-content"):
        content["class"] = ["tab-content"]
    tabs["class"] = ["tabs"]


def _solutions_last(article: Tag, soup: BeautifulSoup) -> None:
    solved = article.select("section.tot-solved")
    if not solved:
        return
    heading = soup.new_tag("h2")
    heading.string = SOLUTIONS
    section = soup.new_tag("section", attrs={"class": "solutions", "id": "solutions"})
    section.append(heading)
    for one in solved:
        exercise = one.find_parent("section", class_="tot-exercise")
        title = one.find(["h4", "h3"])
        if title and exercise and exercise.get("id"):
            title.name = "h3"
            number = re.search(r"\d+", title.get_text())
            link = soup.new_tag("a", href=f"#{exercise['id']}")
            link.string = f"Exercise {number[0]}" if number else title.get_text()
            title.clear()
            title.append(link)
            there = soup.new_tag("p", attrs={"class": "to-solution"})
            there.append(soup.new_tag("a", href=f"#{one['id']}"))
            there.a.string = "Solution"
            one.insert_before(there)
        section.append(one.extract())
    top = article.find("section") or article
    top.append(section)


def _open(fold: Tag, soup: BeautifulSoup) -> None:
    """<details> becomes a box, its summary a line."""
    kinds = set(fold.get("class", []))
    summary = fold.find("summary", recursive=False)
    fold.name = "div"
    fold.attrs.pop("open", None)
    fold.attrs.pop("ontoggle", None)
    fold["class"] = ["opened", *(["small"] if SMALL & kinds else []), *sorted(kinds - {"tot-fold", "tot-reveal"})]
    if not summary:
        return
    if kinds & {"tot-revealed", "tot-reveal", "tot-solution"}:  # there is nothing to reveal, and no button to press
        summary.decompose()
        return
    summary.name = "p"
    summary["class"] = ["opened-title"]


def styles(articles: Iterable[Tag]) -> str:
    """The style sheets inside the articles, each once, taken out of them. Those of pictures are for the dark page."""
    found: dict[str, None] = {}
    for article in articles:
        for style in article.find_all("style"):
            text = style.get_text()
            if not style.find_parent("svg") and not text.lstrip().startswith("@media screen{html[data-theme"):
                found[text] = None
            style.decompose()
    return "\n".join(found)
