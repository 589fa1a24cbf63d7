"""The textbook searches on explicit graphs: what informed Tree of Thoughts takes its names from."""

from .astar import Graph, Path, astar
from .dstar_lite import DStarLite
from .walk import Walk, walk

__all__ = ["DStarLite", "Graph", "Path", "Walk", "astar", "walk"]
