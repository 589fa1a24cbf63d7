"""Search algorithms, one file each. A search asks; it never calls a model."""

from .bfs import bfs
from .dfs import dfs
from .mcts import mcts

__all__ = ["bfs", "dfs", "mcts"]
