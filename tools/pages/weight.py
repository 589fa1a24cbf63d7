"""Pages that load fast: what no page of this book uses is taken out of the theme's style sheets and scripts.

A rule of a style sheet stays if every class and id that it asks for stands as a word somewhere in a page or in a
script. Most of the theme's rules are about some thousand icons, and about parts that the book does not have.

Style and script that several outputs of a page have in common are kept once, where they first stand. In a notebook each
output carries its own, because it may be shown alone. On a page the second copy of a style sheet changes nothing; a
script may be left out as well if it says so with ``data-tot-once``: that of the first output serves those below it.
"""

import re
import shutil
from collections import Counter
from html import unescape
from pathlib import Path
from typing import Any

import tinycss2

WORD = re.compile(r"[\w-]+")
NAMES = re.compile(r"[.#](-?[A-Za-z_][\w-]*)")
# What else may be there or must not be, and values of attributes: they do not tell which classes a rule asks for.
WITHIN = re.compile(r":(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\]")
UNUSED = ("scripts/fontawesome.js*", "**/*.map", "vendor", "locales", "*webpack-macros.html")
UNUSED += ("searchtools.js", "language_data.js", "*stemmer.js")
DESIGN = ("sphinx-design", "design-tabs")
# A script without a mark may mean to run again, and a script's data is never a copy of anything.
TAG, HANDLER = re.compile(r"<[a-z]+\b[^<>]*\son[^<>]*>"), re.compile(r'(\son[a-z]+=")([^"]{200,})"')
# each drawing brings the rules of its colours
DARK = re.compile(r':is\(\[data-theme="dark"\],[^{}]*\.tot-svg [^{}]*\{[^{}]*\}')
COMMON = re.compile(r"<style\b[^>]*>.*?</style>|<script\b[^>]*\bdata-tot-once\b[^>]*>.*?</script>", re.DOTALL)


def shrink(css: str, words: set[str]) -> str:
    """A style sheet without the rules that cannot apply where the only class names and ids are ``words``."""
    return "".join(_rules(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True), words))


def _rules(rules: Any, words: set[str]) -> list[str]:
    kept = []
    for rule in rules:
        if rule.type == "qualified-rule":
            selectors = [""]
            for part in rule.prelude:  # a comma within brackets is inside its part
                selectors += [""] if part == "," else [selectors.pop() + part.serialize()]
            used = [s.strip() for s in selectors if set(NAMES.findall(WITHIN.sub("", s))) <= words]
            if used:
                kept.append(f"{','.join(used)}{{{tinycss2.serialize(rule.content).strip()}}}\n")
        elif rule.type == "at-rule" and rule.lower_at_keyword in ("media", "supports", "layer") and rule.content:
            inside = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            if within := "".join(_rules(inside, words)):
                kept.append(f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{within}}}\n")
        elif not (rule.type == "at-rule" and "fontawesome" in rule.serialize()):  # the font of the icons
            kept.append(rule.serialize() + "\n")
    return kept


def once(body: str) -> str:
    """The page's body without second copies."""
    seen: set[str] = set()

    def keep(found: re.Match[str]) -> str:
        if found[0] in seen:
            return ""
        seen.add(found[0])
        return DARK.sub(keep, found[0]) if found[0].startswith("<style") else found[0]

    return COMMON.sub(keep, body)


def handled_once(body: str) -> str:
    """What several elements do, such as the boxes of predictions, is written once, as a function of the page."""
    counts = Counter(does for tag in TAG.findall(body) for _, does in HANDLER.findall(tag))
    names = {does: f"totDoes{place}" for place, does in enumerate(counts) if counts[does] > 1}

    def call(tag: re.Match[str]) -> str:
        return HANDLER.sub(lambda m: f'{m[1]}{names[m[2]]}.call(this,event)"' if m[2] in names else m[0], tag[0])

    made = "".join(f"function {name}(event){{{unescape(does)}}}" for does, name in names.items())
    return f"<script>{made}</script>\n{TAG.sub(call, body)}" if made else body


def keep_once(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    if context.get("body"):
        context["body"] = handled_once(once(context["body"]))


def make_room(app: Any) -> None:
    """Sphinx refuses to copy a file of the theme over one that differs, such as the smaller one of the last build."""
    if app.builder.format == "html":
        static = Path(app.outdir, "_static")
        for file in (*static.rglob("*.css"), *static.glob("scripts/*.js")):
            file.unlink()


def leave_out(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Tabs and dropdowns are on one page of the reference only: the others do without their style and script."""
    if "sd-" not in context.get("body", ""):
        for files in ("css_files", "script_files"):
            context[files] = [f for f in context[files] if not any(name in str(f.filename) for name in DESIGN)]


def lighten(app: Any, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    static = Path(app.outdir, "_static")
    for pattern in UNUSED:
        for path in sorted(static.glob(pattern)):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    words = set()
    for file in (*Path(app.outdir).rglob("*.html"), *static.rglob("*.js")):
        words.update(WORD.findall(file.read_text(encoding="utf-8")))
    for sheet in sorted(static.rglob("*.css")):
        text = sheet.read_text(encoding="utf-8")
        own = sheet.parent.name == "css"  # the book's, of which all is used: only its remarks and its indents go
        sheet.write_text(
            re.sub(r"/\*.*?\*/|\s+", " ", text, flags=re.S) if own else shrink(text, words), encoding="utf-8"
        )
    for script in sorted(static.glob("scripts/*.js")):  # the theme tells the console about each of its steps
        text = script.read_text(encoding="utf-8").replace("console.log(", "void(")
        script.write_text(re.sub(r"\n//# sourceMappingURL=\S+", "", text), encoding="utf-8")


def setup(app: Any) -> dict[str, bool]:
    app.connect("builder-inited", make_room)
    app.connect("html-page-context", keep_once)
    app.connect("html-page-context", leave_out, priority=900)
    app.connect("build-finished", lighten, priority=900)
    return {"parallel_read_safe": True}
