"""``setup()``, called at the top of every notebook, makes figures look the same on every machine.

Figures are SVG, so that they are sharp on any screen and the page can show them in its own colours. Their text is the
same on every machine (``treebook.figures.plain_svg``), and nbval compares it.
"""

from typing import Any


def setup() -> None:
    """Inline figures in this book's style, whatever the user's matplotlib settings."""
    import matplotlib as mpl
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    if shell is None:  # run as a plain script: python notebooks/NN_name.py
        mpl.use("agg")  # no window
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
    if shell.display_formatter:
        shell.display_formatter.formatters["image/svg+xml"].for_type(Figure, plain_svg)
