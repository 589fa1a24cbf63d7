"""Search algorithms, one file each. A search asks; it never calls a model."""

from .best_first import best_first
from .bfs import bfs
from .dfs import dfs
from .itot import itot_astar, itot_dstar
from .mcts import mcts

__all__ = ["best_first", "bfs", "dfs", "itot_astar", "itot_dstar", "mcts"]
