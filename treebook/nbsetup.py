"""``setup()``, called at the top of every notebook, makes figures look the same on every machine.

Figures are SVG, so that they are sharp on any screen and the page can show them in its own colours. Their text is the
same on every machine (``treebook.figures.plain_svg``), and nbval compares it.
"""

import os
import sys
from pathlib import Path
from typing import Any


def as_images(shell: Any) -> None:
    """What cells show has images in the place of drawings (``treebook.figures.stored``). ``shell``: IPython's."""
    from .figures.stored import stored

    formatter = shell.display_formatter
    plain = formatter.format

    def form(shown: object, *args: Any, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = plain(shown, *args, **options)
        return stored(data), metadata

    formatter.format = form


def setup() -> None:
    """Inline figures in this book's style, whatever the user's matplotlib settings."""
    import matplotlib as mpl
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    if shell is None:  # run as a plain script: python notebooks/NN_name.py
        mpl.use("agg")  # no window
        if script := getattr(sys.modules["__main__"], "__file__", ""):
            os.chdir(Path(script).resolve().parent)  # from any folder: recordings lie beside it
        return
    from cycler import cycler
    from matplotlib.figure import Figure
    from matplotlib_inline.backend_inline import set_matplotlib_formats

    from .figures.plain_svg import plain_svg
    from .figures.plots import COLOURS, SETTINGS

    shell.run_line_magic("matplotlib", "inline")
    mpl.rcdefaults()  # ignores the user's matplotlibrc but keeps the backend
    settings: dict[Any, Any] = {**SETTINGS, "axes.prop_cycle": cycler(color=COLOURS), "figure.dpi": 192}
    mpl.rcParams.update(settings)
    set_matplotlib_formats("svg", bbox_inches=None)  # type: ignore[no-untyped-call]
    assert shell.display_formatter
    shell.display_formatter.formatters["image/svg+xml"].for_type(Figure, plain_svg)
    as_images(shell)
