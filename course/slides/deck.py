"""A deck as one HTML file: nbconvert's slides, with reveal.js, styles, formulas and pictures inside.

It asks no other file and no network for anything, so it can be carried on a stick. reveal.js comes with the package
sphinx-revealjs, of which nothing else is used.
"""

from __future__ import annotations

import re
from copy import deepcopy
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from nbconvert import SlidesExporter
from nbformat import NotebookNode
from pygments.formatters import HtmlFormatter
from traitlets.config import Config

from tools.pages.figures import dark_css, part_of_page
from tools.pages.maths import Formulas
from tot.show.escaping import escape
from treebook.figures import looks

HERE = Path(__file__).resolve().parent
FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\\$\w])\$([^$\n]+?)\$(?!\w)", re.DOTALL)
CODE = re.compile(r"(`+[^`]*`+)")
FORMS = re.compile(r'<form class="tot-guess".*?</form>|<summary [^>]*><span class="tot-closed">.*?</summary>', re.S)
REVEALED = re.compile(r'<details class="tot-reveal".*</details>', re.DOTALL)
FIRST = re.compile(r'<p class="tot-first".*?</p>', re.DOTALL)  # which asks for a guess
STYLE = re.compile(r"<style.*?</style>", re.DOTALL)
STYLES = {"light": "a11y-high-contrast-light", "dark": "a11y-high-contrast-dark"}  # as in the book


def reveal_folder() -> Path:
    """Where the installed copy of reveal.js is. Raises RuntimeError if there is none."""
    found = find_spec("sphinx_revealjs")
    if not found or not found.submodule_search_locations:
        raise RuntimeError("reveal.js is missing: `make slides` installs it, or run pip install sphinx-revealjs.")
    return Path(found.submodule_search_locations[0]) / "_static" / "revealjs"


def export(notebook: NotebookNode) -> str:
    """The deck of an assembled notebook, as HTML."""
    nb = deepcopy(notebook)
    nb.cells = [cell for cell in nb.cells if cell.metadata.slideshow.slide_type != "skip"]
    formulas, colours = Formulas(), set[str]()
    drawn: dict[str, str] = {}
    for number, cell in enumerate(nb.cells):
        if cell.cell_type == "markdown":
            cell.source = _formulas(cell.source, formulas, drawn)
        else:
            cell.source = re.sub(r"\n{3,}", "\n\n", cell.source)  # two empty lines are one on a slide
            colours |= _outputs(cell, f"s{number}")
    config = Config()
    config.TemplateExporter.extra_template_basedirs = [str(HERE)]
    config.TagRemovePreprocessor.enabled = True
    config.TagRemovePreprocessor.remove_input_tags = {"remove-input"}
    config.TagRemovePreprocessor.remove_all_outputs_tags = {"remove-output"}
    exporter = SlidesExporter(
        config=config, template_name="template", exclude_input_prompt=True, exclude_output_prompt=True
    )
    page, _resources = exporter.from_notebook_node(nb, resources={"deck": _parts() | {"dark": dark_css(colours)}})
    page = re.sub(r"FORMULA\d+X", lambda found: drawn.get(found[0], found[0]), page)
    return page.replace("LETTERS-OF-FORMULAS", formulas.sprite(page))


def _formulas(markdown: str, formulas: Formulas, drawn: dict[str, str]) -> str:
    """Markdown with a token for each formula, whose drawing ``drawn`` has. Code is left alone."""

    def draw(found: re.Match[str]) -> str:
        token = f"FORMULA{len(drawn)}X"
        tex = " ".join((found[1] or found[2]).split())
        block = found[1] is not None
        picture = formulas.draw(tex, inline=not block)
        drawn[token] = f'<span class="tot-formula{" block" if block else ""}">{picture}</span>'
        return token

    parts = CODE.split(markdown)
    return "".join(part if part.startswith("`") else FORMULA.sub(draw, part) for part in parts)


def _outputs(cell: NotebookNode, prefix: str) -> set[str]:
    """Keep of a cell what its piece shows; SVG becomes part of the page. Returns the colours that it uses."""
    kind, number = cell.metadata.tot.kind, cell.metadata.tot.output
    cell.metadata["tags"] = [] if kind in ("cell", "code") else ["remove-input"]
    outputs = cell.outputs[number - 1 : number] if number else cell.outputs
    colours: set[str] = set()
    for place, output in enumerate(outputs):
        data = output.get("data", {})
        alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
        if "image/svg+xml" in data:
            markup, used = part_of_page(data["image/svg+xml"], alt, f"{prefix}-{place}")
            colours |= used
            output.data = {"text/html": f'<div class="tot-picture">{markup}</div>'}
        elif "image/png" in data:
            source = f"data:image/png;base64,{data['image/png'].strip()}"
            output.data = {"text/html": f'<img class="tot-picture" alt="{escape(alt)}" src="{source}">'}
        elif "tot-predict" in data.get("text/html", ""):
            output.data = {"text/html": _predicted(data["text/html"], asked=kind == "ask")}
        if "text/html" in output.get("data", {}):
            opened = output.data["text/html"].replace("<details>", "<details open>")  # the roles of a bill
            output.data["text/html"] = _no_slides(opened)
    cell.outputs = [output for output in outputs if kind != "ask" or "tot-predict" in str(output.get("data", ""))]
    return colours


def _predicted(html: str, asked: bool) -> str:
    """The question with its slider and without its answer, or the question with its answer open."""
    html = FIRST.sub("", html)
    if asked:
        return REVEALED.sub("<details hidden></details>", html)  # as long as one is closed, a plot has no data
    opened = re.sub(r'<details class="tot-reveal"[^>]*>', '<div class="tot-reveal">', FORMS.sub("", html))
    return "</div>".join(opened.rsplit("</details>", 1))


def _no_slides(html: str) -> str:
    """Outputs use <section>, which is a slide to reveal.js wherever it stands: give them another element."""
    html = STYLE.sub(lambda found: re.sub(r"(?<![-\w])section(?![-\w])", "tot-section", found[0]), html)
    return re.sub(r'(</?|make\(")section\b', r"\1tot-section", html)


@cache
def _parts() -> dict[str, Any]:
    """What is the same in every deck."""
    folder = reveal_folder()
    text = {name: (folder / name).read_text(encoding="utf-8") for name in ("dist/reveal.css", "dist/reveal.js")}
    notes = (folder / "plugin/notes/notes.js").read_text(encoding="utf-8")
    code = [
        HtmlFormatter(style=name).get_style_defs(f'html[data-theme="{theme}"] .highlight')
        for theme, name in STYLES.items()
    ]
    own = [(HERE / "template" / name).read_text(encoding="utf-8") for name in ("deck.css", "deck.js")]
    return {
        "reveal_css": text["dist/reveal.css"],
        "reveal_js": _script(text["dist/reveal.js"]),
        "notes_js": _script(notes),
        "css": "\n".join([_colours(), *code, own[0]]),
        "js": own[1],
        "letters": "LETTERS-OF-FORMULAS",
    }


def _script(text: str) -> str:
    """A program that may stand in a page: without the address of its map, and without an end of a script in it."""
    return re.sub(r"//# sourceMappingURL=\S+", "", text).replace("</script", "<\\/script")


def _colours() -> str:
    """The book's colours as CSS variables, for both themes."""
    names = {
        "ground": looks.GROUND,
        "ink": looks.INK,
        "faint": looks.FAINT,
        "border": looks.BORDER,
        "accent": looks.CHOSEN,
        "tint": looks.LOOKS["chosen"].fill,
        "panel": looks.LOOKS["kept"].fill,
    }
    rules = []
    for place, theme in enumerate(("light", "dark")):
        values = ";".join(f"--{name}:{pair[place]}" for name, pair in names.items())
        rules.append(f'html[data-theme="{theme}"]{{{values};--pst-color-background:var(--ground)}}')
    return "\n".join([*rules, f"html{{--font:{looks.FONT}}}"])
