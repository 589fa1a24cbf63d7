"""An article without what needs a screen: folds are open, widgets are pictures, answers stand at the chapter's end.

- Code stays, all of it. What a page folds (set-up, what draws a figure, checks) is in small print: class "small".
- Hints stay with their exercise; solutions move into a section of their own at the end, and so do the answers of
  predictions, with what discusses them.
- A prediction shows its choices, and its figure without the data. Frames behind a slider: those that the page prints.
  Explorers: the finished tree as a picture.
- Scripts, buttons, tips, the style of the dark page and what a page hides go.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from copy import copy

from bs4 import BeautifulSoup, Tag

GONE = {
    "headerlink", "tot-tip", "d-print-none", "tot-slider", "sd-hide-link-text", "sd-summary-icon", "pst-js-only",
    "sd-summary-state-marker", "tot-begin", "tot-down", "tot-first", "tot-scale", "tot-handle", "tot-guessed",
}  # fmt: skip
GONE_NAMES = {
    "script", "form", "button", "input", "iframe", "object", "embed", "meta", "link", "base", "video", "audio",
}  # fmt: skip
GONE_ATTRIBUTES = {"tabindex", "data-tot-once", "aria-describedby"}  # the last points at tips
SMALL = {"tot-code", "tot-imports", "tot-checked"}
SOLUTIONS, ANSWERS = "Solutions", "Answers"


def still(article: Tag) -> Tag:
    """Change the article so; returns it."""
    soup = BeautifulSoup("", "html.parser")
    for style in article.find_all("style"):  # a page has each once, perhaps in what goes
        article.append(style.extract())
    found = _by_class(article)
    for box in found["tot-explorer"]:
        picture = box.find(class_="tot-x-still")
        picture["class"] = ["tot-scroll"]
        box.replace_with(picture.extract())
    for form in found["tot-guess"]:
        choices = [one.find("span").get_text(" ", strip=True) for one in form.find_all(["label", "button"])]
        if choices:
            line = soup.new_tag("p", attrs={"class": "choices"})
            line.string = " · ".join(choices)
            form.replace_with(line)
    for frame in found["tot-frame"]:
        _frame(frame, soup)
    for label in article.select(".tot-dial [checked] + span"):  # where it stands, on which all that it shows hangs
        label.string.wrap(soup.new_tag("mark"))
    for tabs in found["sd-tab-set"]:
        _all_tabs(tabs)
    _answers_last(article, found["tot-predicted"], soup)
    _solutions_last(article, found["tot-solved"], soup)
    for fold in article.find_all("details"):
        _open(fold)
    for facts in found["tot-facts-line"]:  # how long it takes, and what it builds on
        for span in facts.find_all("span", recursive=False):
            if span.find(class_="d-print-none") or not span.get_text(strip=True):
                span.decompose()
        if not facts.get_text(strip=True):
            facts.decompose()
    for element in article.find_all(True):
        if element.decomposed:
            continue
        if element.has_attr("hidden") or element.name in GONE_NAMES or not GONE.isdisjoint(element.get("class", ())):
            element.decompose()
            continue
        for name in [name for name in element.attrs if name.startswith("on") or name in GONE_ATTRIBUTES]:
            del element[name]
    for paragraph in article.find_all("p"):
        bold = paragraph.find("strong", recursive=False)
        if paragraph.find(["div", "figure", "table"]):  # a picture, which is a box
            paragraph.name = "div"
        elif bold and bold.get_text(strip=True) == paragraph.get_text(strip=True):  # a small heading
            paragraph["class"] = [*paragraph.get("class", []), "run-in"]
    return article


def _by_class(article: Tag) -> defaultdict[str, list[Tag]]:
    """Its elements by their classes: one walk through the page, where a selector for each would take many."""
    found: defaultdict[str, list[Tag]] = defaultdict(list)
    for element in article.find_all(True):
        for name in element.get("class", ()):
            found[name].append(element)
    return found


def _frame(frame: Tag, soup: BeautifulSoup) -> None:
    if "tot-printed" not in frame.get("class", []):
        frame.decompose()
        return
    frame.attrs.pop("hidden", None)
    if label := frame.attrs.pop("data-label", ""):
        line = soup.new_tag("p", attrs={"class": "frame-label"})
        line.string = str(label)
        frame.insert(0, line)


def _all_tabs(tabs: Tag) -> None:
    """One below the other, each below its name."""
    for button in tabs.find_all("input", recursive=False):
        button.decompose()
    for label in tabs.find_all("label", recursive=False):
        label.name, label.attrs = "p", {"class": ["tab-name"]}
    for content in tabs.find_all(class_="sd-tab-content"):
        content["class"] = ["tab-content"]
    tabs["class"] = ["tabs"]


def _answers_last(article: Tag, boxes: list[Tag], soup: BeautifulSoup) -> None:
    """Each answer below its question's title, and its figure once more, with the data."""
    section = _last_section(article, ANSWERS, soup) if boxes else None
    for box in boxes:
        title = box.find(["h2", "h3"])
        if section is None or not title:
            continue
        heading = soup.new_tag("h3")
        heading.string = title.get_text().removesuffix("#").strip()
        section.append(heading)
        for plot in box.select(".tot-predict > .tot-scroll"):
            empty = copy(plot)
            for part in empty.select(".tot-data, defs"):  # what is defined in the other one serves both
                part.decompose()
            plot.replace_with(empty)
            section.append(plot)
        for part in box.select(".tot-reveal, .tot-discussed"):
            section.append(part.extract())


def _last_section(article: Tag, name: str, soup: BeautifulSoup) -> Tag:
    """A new section at the article's end."""
    section = soup.new_tag("section", attrs={"class": name.lower(), "id": name.lower()})
    section.append(soup.new_tag("h2"))
    section.h2.string = name
    (article.find("section") or article).append(section)
    return section


def _solutions_last(article: Tag, solved: list[Tag], soup: BeautifulSoup) -> None:
    """Each solution below a heading that leads back to its exercise; a link to it stays there."""
    if not solved:
        return
    section = _last_section(article, SOLUTIONS, soup)
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
            there.contents[0].string = "Solution"
            one.insert_before(there)
        section.append(one.extract())


def _open(fold: Tag) -> None:
    """<details> becomes a box, its summary a line."""
    kinds = set(fold.get("class", []))
    summary = fold.find("summary", recursive=False)
    fold.name = "div"
    fold.attrs.pop("open", None)
    fold.attrs.pop("ontoggle", None)
    kept = sorted(kinds - {"tot-fold", "tot-mark", "tot-reveal"})
    fold["class"] = ["opened", *(["small"] if SMALL & kinds else []), *kept]
    if not summary:
        return
    if kinds & {"tot-reveal", "tot-discussed", "tot-solution", "tot-long"}:  # nothing to reveal, no button to press
        summary.decompose()
        return
    summary.name = "p"
    summary.string = summary.attrs.pop("title", summary.get_text())
    summary["class"] = ["opened-title"]


def styles(articles: Iterable[Tag]) -> str:
    """The style sheets inside the articles, each once, taken out of them."""
    found: dict[str, None] = {}
    for article in articles:
        for style in article.find_all("style"):
            text = style.get_text()
            if not text.lstrip().startswith("@media screen{html[data-theme"):
                found[text] = None
            style.decompose()
    return "\n".join(found)
