"""``Lab``: a panel to choose, run and inspect searches.

With a running kernel it is made of ipywidgets; in a static page it is precomputed frames with a slider. A page that
runs in a browser has no widgets, and builds its own from the same ``form``. Panel and page run a ``Session``.
"""

from . import form
from .choice import Choice
from .lab import Lab
from .panel import Panel
from .session import Meter, Session

__all__ = ["Choice", "Lab", "Meter", "Panel", "Session", "form"]
