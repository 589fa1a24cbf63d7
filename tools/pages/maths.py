"""Formulas in the pages, without a network."""

import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

# The wheel sphinx-mathjax-offline carries MathJax 3 (Apache-2.0). As an extension it would copy 15 MB; its single file
# tex-svg.js holds all that is needed.
_mathjax = Path(find_spec("sphinx-mathjax-offline").submodule_search_locations[0]) / "static/mathjax/tex-svg.js"


def copy_mathjax(app, exception):
    if exception is None and app.builder.format == "html":
        target = Path(app.outdir, "_static/mathjax")
        target.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_mathjax, target / "tex-svg.js")


def setup(app: Any) -> dict[str, bool]:
    app.config.mathjax_path = "mathjax/tex-svg.js"
    app.config.mathjax3_config = {"options": {"enableMenu": False}}
    app.connect("build-finished", copy_mathjax)
    return {"parallel_read_safe": True}
