"""Search algorithms. A search yields requests (``tot.ask``); it never calls a model."""

from .breadth_first import bfs
from .depth_first import dfs
from .informed import best_first, itot_astar, itot_dstar
from .monte_carlo import mcts

__all__ = ["best_first", "bfs", "dfs", "itot_astar", "itot_dstar", "mcts"]
