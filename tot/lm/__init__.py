"""Language models: the interface, recordings, servers, the pocket model; ``open`` makes one from a string."""

from .opening import open

__all__ = ["open"]
