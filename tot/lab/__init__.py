"""A place to play: choose, run, watch the bill, stop, look into the tree; or step through one search.

With a kernel these are ipywidgets panels. In a static page they are what was computed beforehand, behind one slider:
nothing there is dead.
"""

from .choice import AtTemperature, Choice
from .lab import Lab
from .panel import Panel
from .session import Meter, Session
from .stepper import Stepper

__all__ = ["AtTemperature", "Choice", "Lab", "Meter", "Panel", "Session", "Stepper"]
