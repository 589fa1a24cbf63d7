"""Sphinx configuration: the source directory is the repository root, this folder is the configuration directory.

Build:  python -m sphinx -W --keep-going -n -b html -c book . _build/html
The result can be read from file:// with no network: styles, formulas and the search are all inside it.
"""

import gc
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from sphinx.pycode.parser import Parser

from tools import reference

project = html_title = "Thinking in Trees"
author = "The Thinking in Trees authors"
copyright = "2026, The Thinking in Trees authors; text CC BY 4.0, code MIT"
extensions = [
    "sphinx_external_toc",
    "sphinx.ext.autodoc",
    "myst_nb",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinxcontrib.bibtex",
    "tools.pages.components",
    "tools.pages.evidence",
    "tools.pages.figures",
    "tools.pages.furniture",
    "tools.pages.glossary_hover",
    "tools.pages.landing",
    "tools.pages.launch",
    "tools.pages.maths",
    "tools.pages.names",
    "tools.pages.plain",
    "tools.pages.search",
    "tools.pages.stored",
    "tools.pages.teaching",
    "tools.pages.translation",
    "tools.pages.unbroken",
    "tools.pages.weight",
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

# Translations: `make translations` and tools/pages/translation.py. A build in another language sets `language`.
language = "en"
locale_dirs = ["book/locale"]
gettext_compact = False  # a catalogue for each page
gettext_uuid = gettext_location = False  # they would change with every edit
gettext_last_translator = gettext_language_team = author
smartquotes_excludes = {"languages": ["ja"], "builders": ["man", "text"]}  # not "zh_CN": many of its pages are English

bibtex_bibfiles = ["references.bib"]
bibtex_default_style = "alpha"

html_theme = "sphinx_book_theme"
html_static_path = ["_static"]
html_css_files = [
    "css/outputs.css",
    "css/figures.css",
    "css/type.css",
    "css/tables.css",
    "css/components.css",
    "css/furniture.css",
    "css/search.css",
    "css/landing.css",
    "css/print.css",
]
html_js_files = [("search.js", {"defer": "defer"}), ("print.js", {"defer": "defer"})]
html_baseurl = os.environ.get("TOT_BOOK_URL", "")  # where the book will be, if anywhere: previews of links need it
html_favicon = "_static/favicon.svg"
templates_path = ["_templates"]
copybutton_selector = ".bd-article div:not(.output) > div.highlight > pre"  # code, and not what it printed
html_theme_options = {
    "use_download_button": False,
    "use_issues_button": False,
    "navbar_persistent": [],  # or the page has a second search field
    "primary_sidebar_end": [],  # the theme has a place for advertisements there
}
html_context = {"default_mode": "light"}  # where no script runs; else the page asks what the reader's system prefers
html_copy_source = False
html_last_updated_fmt = None  # two builds of one commit are identical


Parser.parse_definition = lambda self: None  # where a name is defined: no page asks; a tenth of the time
gc.set_threshold(100_000)  # nearly all that is imported and read stays until the end: looking for garbage takes long


def leave_alone(app, env):
    """What was read is not looked through any more."""
    gc.freeze()


def may_read_in_parallel(app):
    """It numbers the chapters when all is read, and does not say so."""
    app.extensions["sphinx_multitoc_numbering"].parallel_read_safe = True


def setup(app):
    app.connect("builder-inited", may_read_in_parallel)
    app.connect("env-updated", leave_alone)
