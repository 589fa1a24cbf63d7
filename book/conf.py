"""Sphinx configuration: the source directory is the repository root, this folder is the configuration directory.

Build:  python -m sphinx -W --keep-going -n -b html -c book . _build/html
The result can be read from file:// with no network: fonts, styles and MathJax are all inside it.
"""

import gc
import html
import re
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from docutils import nodes
from sphinx.util.nodes import make_refnode

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tools import reference

project = html_title = "Thinking in Trees"
author = "The Thinking in Trees authors"
copyright = "2026, The Thinking in Trees authors; text CC BY 4.0, code MIT"
extensions = [
    "sphinx_external_toc",
    "sphinx.ext.autodoc",
    "myst_nb",
    "sphinx_proof",
    "sphinx_design",
    "sphinx_togglebutton",
    "sphinxcontrib.bibtex",
]
nitpicky = True
numfig = True

external_toc_path = "_toc.yml"
external_toc_exclude_missing = True  # README.md, CONTRIBUTING.md and the like are no documents of the book
use_multitoc_numbering = True
exclude_patterns = ["_build", "build", ".*", "**/.*", "tests", "tot", "tools", "studies", "benchmarks"]

# The reference: its pages are written from the package before anything is read. A name of the package that a signature
# mentions must be there; names of Python and of other packages have no page to link to.
reference.write()
nitpick_ignore_regex = [("py:.*", r"(?!tot\b).*")]
add_module_names = False
toc_object_entries = False  # every page would carry all names of the package in its list of pages
autodoc_member_order = "bysource"
autodoc_use_type_comments = False
python_maximum_signature_line_length = 100

nb_execution_mode = "off"  # show the stored outputs: nbval is what checks them
nb_merge_streams = True
nb_ipywidgets_js = {}  # a live widget needs a kernel, so its cell is tagged remove-output and no script is loaded
myst_enable_extensions = ["amsmath", "attrs_inline", "colon_fence", "deflist", "dollarmath", "fieldlist"]
myst_heading_anchors = 3

bibtex_bibfiles = ["references.bib"]
bibtex_default_style = "alpha"

html_theme = "sphinx_book_theme"
html_static_path = ["_static"]
html_css_files = ["custom.css"]
html_theme_options = {
    "use_download_button": False,
    "use_issues_button": False,
    "navbar_persistent": [],  # or the page has a second search field
}
html_copy_source = False
html_last_updated_fmt = None  # two builds of one commit are identical
html_show_search_summary = False  # summaries need fetch(), which file:// forbids

# The wheel sphinx-mathjax-offline carries MathJax 3 (Apache-2.0). As an extension it would copy 15 MB; its single file
# tex-svg.js holds all that is needed.
_mathjax = Path(find_spec("sphinx-mathjax-offline").submodule_search_locations[0]) / "static/mathjax/tex-svg.js"
mathjax_path = "mathjax/tex-svg.js"
mathjax3_config = {"options": {"enableMenu": False}}


def copy_mathjax(app, exception):
    if exception is None and app.builder.format == "html":
        target = Path(app.outdir, "_static/mathjax")
        target.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_mathjax, target / "tex-svg.js")


def alt_from_svg(app, doctree, docname):
    """A cell's SVG becomes <img src=...>, whose inside screen readers do not see: its <title> becomes the alt text."""
    for image in doctree.findall(nodes.image):
        uri = image["uri"]
        if uri.endswith(".svg") and not image.get("alt"):
            file = Path(uri) if Path(uri).is_absolute() else Path(app.srcdir, uri)
            title = re.search(r"<title[^>]*>\s*([^<]+?)\s*</title>", file.read_text(encoding="utf-8"))
            if title:
                image["alt"] = html.unescape(title.group(1))


def source_signature(app, what, name, thing, options, signature, result):
    """Signatures as they are written: with Generate, and not with what that stands for."""
    return reference.signature(thing)


def type_target(app, env, node, contnode):
    """Sphinx looks for types among classes only: a name for a type, such as tot.ask.Search, is found here."""
    found = env.get_domain("py").objects.get(node.get("reftarget"))
    if node.get("refdomain") == "py" and found:
        return make_refnode(app.builder, node["refdoc"], found.docname, found.node_id, contnode)
    return None


def link_names(app, doctree, docname):
    """The package in running text, `tot.bfs`, `tot solve ...` or `tot-bfs`, becomes a link into the reference.

    In a chapter only the first of each, so that a page stays calm.
    """
    names = app.env.get_domain("py").objects
    labels = app.env.get_domain("std").anonlabels
    seen = set()
    for literal in list(doctree.findall(nodes.literal)):
        text = literal.astext()
        target = reference.defined_as(text)
        if target in names:
            page, place = names[target].docname, names[target].node_id
        else:
            command = re.match(r"tot (\w+)(?! \|)", text)
            target = f"command-{command[1]}" if command else f"method-{text}" if "-" in text else ""
            page, place = labels.get(target, ("", ""))
        if page and target not in seen and not isinstance(literal.parent, nodes.reference):
            literal.replace_self(make_refnode(app.builder, docname, page, place, literal.deepcopy()))
            if docname.startswith("notebooks/"):
                seen.add(target)


def leave_alone(app, env):
    """What is imported and read stays until the end: looking through it for garbage takes a sixth of the build."""
    gc.freeze()


def setup(app):
    app.connect("env-updated", leave_alone)
    app.connect("autodoc-process-signature", source_signature)
    app.connect("missing-reference", type_target)
    app.connect("doctree-resolved", link_names)
    app.connect("doctree-resolved", alt_from_svg)
    app.connect("build-finished", copy_mathjax)
