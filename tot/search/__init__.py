"""Search algorithms. A search yields requests (``tot.ask``); it never calls a model."""

from .adaptive import ab_mcts
from .breadth_first import bfs
from .depth_first import dfs
from .informed import best_first, itot_astar
from .monte_carlo import mcts
from .replanning import itot_dstar

__all__ = ["ab_mcts", "best_first", "bfs", "dfs", "itot_astar", "itot_dstar", "mcts"]
