"""One call at the top of every notebook: figures that come out the same for everybody.

PNG is the default because nbval does not compare it: another processor may round a curve differently, and a chapter's
numbers are printed next to its figure, where they are compared.
"""

from typing import Literal


def setup(fmt: Literal["png", "svg"] = "png") -> None:
    """Inline figures with fixed fonts, sizes and ids, whatever the reader's own matplotlib settings are."""
    import matplotlib as mpl
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    if shell is None:  # run as a plain script: python notebooks/NN_name.py
        mpl.use("agg")
        return
    from matplotlib_inline.backend_inline import set_matplotlib_formats

    shell.run_line_magic("matplotlib", "inline")
    mpl.rcdefaults()  # forgets a reader's matplotlibrc, keeps the backend
    mpl.rcParams.update(
        {
            "font.family": "DejaVu Sans",  # ships inside matplotlib
            "figure.figsize": (6.0, 3.5),
            "figure.dpi": 144,
            "savefig.dpi": 144,
            "figure.constrained_layout.use": True,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "svg.hashsalt": "tot",  # else clip paths get random ids
        }
    )
    metadata = {"Date": None, "Creator": None} if fmt == "svg" else {"Software": None}
    set_matplotlib_formats(fmt, metadata=metadata, bbox_inches=None)  # type: ignore[no-untyped-call]
