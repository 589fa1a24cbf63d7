"""Interactive panels for notebooks: ``Lab`` to choose, run and inspect searches, ``Stepper`` to step through one.

With a running kernel they are ipywidgets panels; in a static page they show precomputed pictures with a slider. A page
that runs in a browser has no widgets, and builds its own from the same ``form``. Both run a ``Session``.
"""

from . import form
from .choice import Choice
from .lab import Lab
from .panel import Panel
from .session import Meter, Session
from .stepper import Stepper

__all__ = ["Choice", "Lab", "Meter", "Panel", "Session", "Stepper", "form"]
