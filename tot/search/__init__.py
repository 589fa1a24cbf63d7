"""Search algorithms, one file each. A search asks; it never calls a model."""

from .bfs import bfs

__all__ = ["bfs"]
