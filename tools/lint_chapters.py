"""Hold notebooks/NN_name.ipynb to the chapter template that contributing/chapters.md describes.

    python -m tools.lint_chapters [FILE.ipynb ...]

A notebook whose name has no number is an appendix, to look at: it needs no sections and no exercises. How many words a
chapter has is counted on its page (tests/book/test_length.py). Prints a line for each breach; exits with 1 if there is.
"""

import re
import sys
from pathlib import Path
from typing import Any

from tools.stored import read

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
SECTIONS = ["Learning objectives", "Predict", "Summary", "Exercises", "Further reading"]  # in this order
CELLS, LONGEST, USUAL, SHARE, EXERCISES = 60, 25, 12, 0.7, 4
COLUMNS = 72  # of code and of printed text: what fits beside the lists of a page on a laptop, and on paper
# Chapters of the third edition, a growing list: what a prediction reveals stands nowhere above it; numbers that may.
FINISHED: dict[str, set[str]] = {f"{number:02}": set() for number in range(1, 7)}
FINISHED |= {"07": set(), "08": set(), "10": set(), "11": set(), "12": set(), "18": set(), "19": {"100"}, "20": set()}
FOLDED = {"set-up", "plot", "checked"}  # their code is behind a summary: it may be long
MACHINE_PATH = re.compile(r"(?<![\w.:/])/(?:home|root|Users|tmp|work)/\w|(?<!\w)[A-Za-z]:\\\w")


def is_chapter(name: str) -> bool:
    return re.match(r"\d\d_", name) is not None


def notebooks() -> list[Path]:
    return sorted(NOTEBOOKS.glob("*.ipynb"))


def headings(source: str) -> list[tuple[int, str]]:
    """The (level, text) of each heading of a text cell, not looking into fenced code."""
    plain = re.sub(r"^(```|~~~|:::).*?^\1", "", source, flags=re.M | re.S)
    return [(len(hashes), text.strip()) for hashes, text in re.findall(r"^(#{1,6}) +(.+?) *$", plain, flags=re.M)]


def tags(cell: Any) -> list[str]:
    return list(cell.metadata.get("tags", []))


def code_lines(cell: Any) -> int:
    return sum(bool(line.strip()) for line in cell.source.splitlines())


def unlabelled_svgs(markup: str) -> int:
    """How many inline SVGs a screen reader would pass over or spell out."""
    bad = 0
    for attributes, body in re.findall(r"<svg\b([^>]*)>(.*?)</svg>", markup, flags=re.S):
        label = re.search(r"""aria-label(?:ledby)?=["'][^"']*\w""", attributes) or re.search(r"<title[^>]*>\s*\w", body)
        if 'aria-hidden="true"' not in attributes and not (re.search('role="(img|group)"', attributes) and label):
            bad += 1
    return bad


def has_prediction(cell: Any) -> bool:
    """Whether it shows a ``show.Predict``, which hides its own answer."""
    return any(
        'class="tot-predict"' in "".join(o.get("data", {}).get("text/html", "")) for o in cell.get("outputs", [])
    )


def texts(cell: Any) -> list[str]:
    """The source of a cell and everything it printed, as text (no base64)."""
    found = [cell.source]
    for output in cell.get("outputs", []):
        found += [output.get("text", ""), *output.get("traceback", []), output.get("evalue", "")]
        found += [v for k, v in output.get("data", {}).items() if k.startswith("text/") or k == "image/svg+xml"]
    return ["".join(t) for t in found]


def all_headings(nb: Any) -> list[tuple[int, str]]:
    return [h for cell in nb.cells if cell.cell_type == "markdown" for h in headings(cell.source)]


def check_title(nb: Any) -> list[str]:
    first = headings(nb.cells[0].source) if nb.cells and nb.cells[0].cell_type == "markdown" else []
    if not first or first[0][0] != 1 or sum(level == 1 for level, _ in all_headings(nb)) != 1:
        return ["the first cell must start with the only first-level title ('# ...')"]
    return []


def check_sections(nb: Any) -> list[str]:
    found, problems, places = all_headings(nb), [], []
    for name in SECTIONS:
        place = next((i for i, (level, text) in enumerate(found) if level in (2, 3) and text.startswith(name)), None)
        if place is None:
            problems.append(f"no heading '## {name}'")
        else:
            places.append(place)
    if places != sorted(places):
        problems.append(f"sections must come in this order: {', '.join(SECTIONS)}")
    return problems


def check_exercises(nb: Any) -> list[str]:
    """Split what follows '## Exercises' at '### Exercise N' and at '#### Solution N', and look at each part."""
    problems, parts, inside = [], [], False
    for cell in nb.cells:
        heads = headings(cell.source) if cell.cell_type == "markdown" else []
        for level, text in heads:
            if level <= 2:
                inside = level == 2 and text.startswith("Exercises")
            elif inside and level == 3 and (m := re.match(r"Exercise (\d+)\b", text)):
                parts.append((int(m[1]), [], []))
            elif inside and level == 4 and text.startswith("Solution") and parts:
                if text != f"Solution {parts[-1][0]}":
                    problems.append(f"exercise {parts[-1][0]}: its solution is headed '#### {text}'")
                parts[-1][2].append(cell)
        if inside and parts and (not heads or not any(t.startswith("Solution") for _, t in heads)):
            parts[-1][2 if parts[-1][2] else 1].append(cell)
    if len(parts) < EXERCISES or [n for n, _, _ in parts] != list(range(1, len(parts) + 1)):
        problems.append(f"under '## Exercises': {EXERCISES} or more headings '### Exercise N', numbered from 1")
    for number, question, solution in parts:
        where = f"exercise {number}"
        if not any(re.search(r"<summary>\s*Hint\b", c.source) for c in question if c.cell_type == "markdown"):
            problems.append(f"{where}: no hint (<details><summary>Hint</summary> ... </details>)")
        code = [c for c in solution if c.cell_type == "code"]
        if not code:
            problems.append(f"{where}: no code cell under a heading '#### Solution {number}' of its own cell")
        if any("hide-cell" not in tags(c) for c in code):
            problems.append(f"{where}: every code cell of a solution carries the tag hide-cell")
        if any(c.execution_count is None for c in code):
            problems.append(f"{where}: its solution was not executed")
        shown = "\n\n".join(c.source for c in solution if c.cell_type == "markdown")
        shown = re.sub(r"<details>.*?</details>|^#### Solution \d+ *$", "", shown, flags=re.M | re.S)
        if shown.strip():
            problems.append(f"{where}: text of the solution shows: put it into <details>, or into the code cell")
    return problems


def check_figures(nb: Any) -> list[str]:
    problems = []
    for number, cell in enumerate(nb.cells):
        where = f"cell {number}"
        if cell.cell_type == "markdown" and re.search(r"!\[\s*\]\(", cell.source):
            problems.append(f"{where}: an image without alt text: ![what it shows](file)")
        alt = str(cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")).strip()
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            html, svg = "".join(data.get("text/html", "")), "".join(data.get("image/svg+xml", ""))
            # an SVG of its own becomes an <img>, whose alt text comes from the cell or from its <title>
            alone = svg and not html and not alt
            if unlabelled_svgs(html) or (alone and (unlabelled_svgs(svg) or "<title" not in svg)):
                problems.append(f'{where}: an SVG without role="img" and <title> (or aria-label, in HTML)')
            if re.search(r"""<img\b(?![^>]*\balt=["'][^"']*\w)""", html):
                problems.append(f"{where}: an <img> without alt text")
            if any(k in data for k in ("image/png", "image/jpeg")) and not html and not svg and not alt:
                problems.append(f'{where}: a figure without alt text: # %% mystnb={{"image": {{"alt": "..."}}}}')
    return problems


def is_folded(cell: Any) -> bool:
    """Whether the page shows the code of a cell only to those who ask for it."""
    return bool({"hide-cell", *FOLDED} & {*tags(cell)}) or has_prediction(cell)


def check_size(nb: Any) -> list[str]:
    """Cells that the page folds do not count: neither how many they are, nor how long."""
    problems = []
    shown = {n: c for n, c in enumerate(nb.cells) if not is_folded(c)}
    if len(shown) >= CELLS:
        problems.append(f"{len(shown)} cells: keep it under {CELLS}")
    code = {n: code_lines(c) for n, c in shown.items() if c.cell_type == "code"}
    problems += [f"cell {n}: {lines} lines of code, at most {LONGEST}" for n, lines in code.items() if lines > LONGEST]
    short = sum(lines <= USUAL for lines in code.values())
    if code and short < SHARE * len(code):
        problems.append(f"{short} of {len(code)} code cells have {USUAL} lines or fewer, at least {SHARE:.0%} must")
    return problems


def check_leftovers(nb: Any) -> list[str]:
    problems = []
    for number, cell in enumerate(nb.cells):
        if cell.cell_type == "markdown" and re.search(r"^%", cell.source, re.MULTILINE):
            problems.append(f"cell {number}: a line that starts with % is a comment and vanishes: write 33%, not 33 %")
        if re.search(r"\b(TODO|FIXME)\b", cell.source):
            problems.append(f"cell {number}: TODO or FIXME left over")
        if any(MACHINE_PATH.search(text) for text in texts(cell)):
            problems.append(f"cell {number}: a path of one machine, in the source or in the output")
    return problems


def printed(cell: Any) -> list[str]:
    """The text that a page shows as text: streams, and results that have no other form."""
    texts = []
    for output in cell.get("outputs", []) if "remove-output" not in tags(cell) else []:
        data = output.get("data", {})
        plain = data.get("text/plain", "") if set(data) <= {"text/plain"} else ""
        texts.append("".join(output.get("text", plain)))
    return texts


def check_columns(nb: Any) -> list[str]:
    problems = []
    for number, cell in enumerate(nb.cells):
        if cell.cell_type == "code":
            source = [] if "remove-input" in tags(cell) else [cell.source]
            for kind, shown in (("code", source), ("output", printed(cell))):
                widest = max((len(line) for text in shown for line in text.splitlines()), default=0)
                if widest > COLUMNS:
                    problems.append(f"cell {number}: {widest} columns of {kind}, at most {COLUMNS}")
    return problems


def check_predictions(nb: Any) -> list[str]:
    """The first output below "Predict: ..." is behind Reveal."""
    problems, asked = [], ""
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            for _, text in headings(cell.source):
                if asked:
                    problems.append(f"'{asked}': no cell with its answer before the next heading")
                asked = text if text.startswith("Predict") else ""
        elif asked and cell.get("outputs"):
            if "predict" not in tags(cell) and not has_prediction(cell):
                problems.append(f"'{asked}': its answer stands open: tag the cell predict, or end it with show.Predict")
            asked = ""
    return problems + ([f"'{asked}': no cell with its answer"] if asked else [])


NUMBER = re.compile(r"(?<![\w.,])[+−-]?(\d[\d,]*(?:\.\d+)?)(?![\d,.]*\w)(\s?%)?")
CAPTION = re.compile(r"\*\*(?:Figure|Table)\.\*\*.*?(?=\n\s*\n|\Z)", re.DOTALL)
SMALL = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
PLACES = ["none", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]


def said(cell: Any) -> str:
    """What the page says in a cell, in words: text without addresses and code, printed text, tables and answers."""
    if cell.cell_type == "markdown":
        return re.sub(r"\]\([^)]*\)|`[^`]*`", "]", cell.source)
    told = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        html, plain = "".join(data.get("text/html", "")), "".join(data.get("text/plain", ""))
        drawn = html and not re.search("<table|tot-predict|tot-results", html)
        told.append("".join(output.get("text", "")) + ("" if drawn else plain))
    return "\n".join(told)


def check_given_away(nb: Any, allowed: set[str]) -> list[str]:
    """A number that a prediction reveals does not stand above it; one of up to ten, in no caption of its section."""
    problems, above = [], ""
    for cell in nb.cells:
        text = said(cell)
        answer = NUMBER.fullmatch(text.partition("\nAnswer: ")[2].partition("\n")[0]) if has_prediction(cell) else None
        if answer and answer[1] not in allowed:
            value = float(answer[1].replace(",", ""))
            same = [
                n
                for n in NUMBER.finditer(above)
                if float(n[1].replace(",", "")) == value and bool(n[2]) >= bool(answer[2])
            ]
            if value <= 10 and value == int(value):
                words = "|".join((SMALL[int(value)], PLACES[int(value)], str(int(value))))
                captions = CAPTION.findall(above[max(above.rfind("\n## "), 0) :])
                same = [n for caption in captions for n in re.finditer(rf"\b(?:{words})\b", caption)]
            problems += [f"{text.partition(chr(10))[0]!r}: its answer {answer[0]} stands above it" for _ in same[:1]]
        above += f"\n\n{text}"
    return problems


ALWAYS = (check_title, check_figures, check_size, check_leftovers, check_columns)
TEMPLATE = (check_sections, check_exercises, check_predictions)


def lint(nb: Any, name: str) -> list[str]:
    """What is wrong. ``name``, such as "06_tot_bfs_game24", says whether it is a chapter."""
    checks = [*ALWAYS, *(TEMPLATE if is_chapter(name) else ())]
    problems = [problem for check in checks for problem in check(nb)]
    allowed = FINISHED.get(name[:2]) if is_chapter(name) else None
    return problems if allowed is None else problems + check_given_away(nb, allowed)


def main(arguments: list[str]) -> int:
    paths = [Path(a) for a in arguments] or notebooks()
    problems = [f"{path}: {problem}" for path in paths for problem in lint(read(path), path.stem)]
    print(*problems, sep="\n", end="\n" if problems else "")
    chapters = sum(is_chapter(path.stem) for path in paths)
    print(f"{chapters} chapters and {len(paths) - chapters} appendices checked, {len(problems)} problems")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
