"""Search algorithms, one file each. A search asks; it never calls a model."""

from .best_first import best_first
from .breadth_first import bfs
from .depth_first import dfs
from .informed import itot_astar, itot_dstar
from .monte_carlo import mcts

__all__ = ["best_first", "bfs", "dfs", "itot_astar", "itot_dstar", "mcts"]
