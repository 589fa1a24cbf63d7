"""``setup()``, called at the top of every notebook, makes figures look the same on every machine.

PNG is the default because nbval does not compare images: another processor may round a curve differently. The numbers
behind a figure are printed next to it, and those are compared.
"""

from typing import Literal


def setup(fmt: Literal["png", "svg"] = "png") -> None:
    """Inline figures in format ``fmt`` with fixed fonts, sizes and ids, whatever the user's matplotlib settings."""
    import matplotlib as mpl
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    if shell is None:  # run as a plain script: python notebooks/NN_name.py
        mpl.use("agg")  # no window
        return
    from matplotlib_inline.backend_inline import set_matplotlib_formats

    shell.run_line_magic("matplotlib", "inline")
    mpl.rcdefaults()  # ignores the user's matplotlibrc but keeps the backend
    mpl.rcParams.update(
        {
            "font.family": "DejaVu Sans",  # ships inside matplotlib
            "figure.figsize": (6.0, 3.5),
            "figure.dpi": 144,
            "savefig.dpi": 144,
            "figure.constrained_layout.use": True,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "svg.hashsalt": "tot",  # otherwise clip paths get random ids
        }
    )
    metadata = {"Date": None, "Creator": None} if fmt == "svg" else {"Software": None}
    set_matplotlib_formats(fmt, metadata=metadata, bbox_inches=None)  # type: ignore[no-untyped-call]
