"""Language models: what one is, recordings, servers, the pocket model; ``open`` makes one from a word."""

from .opening import open

__all__ = ["open"]
