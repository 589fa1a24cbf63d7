"""The textbook searches on explicit graphs: what informed Tree of Thoughts takes its names from."""

from .a_star import Graph, Path, astar
from .dstar_lite import DStarLite
from .walking import Walk, walk

__all__ = ["DStarLite", "Graph", "Path", "Walk", "astar", "walk"]
