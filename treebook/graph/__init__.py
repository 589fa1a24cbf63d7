"""The textbook searches on explicit graphs that lend informed Tree of Thoughts its names. They need nothing else."""

from .a_star import Graph, Path, astar
from .dstar_lite import DStarLite
from .walking import Walk, walk

__all__ = ["DStarLite", "Graph", "Path", "Walk", "astar", "walk"]
