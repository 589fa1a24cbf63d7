"""Drawings of ideas, one file each: the book's chapters show them in a cell, such as ``show.concepts.methods()``.

Each is drawn from real data where there is any, and says in words (``about``) what it shows. ``kit`` is what they are
drawn with.
"""

from .asking import asking
from .bounds import ucb_step
from .cassette import cassette
from .casts import casts
from .injection import injection
from .judging import orders
from .methods import methods
from .repairing import dstar_turns
from .roles import roles
from .thumbnails import thumbnails
from .transformer import transformer
from .wilson import wilson

__all__ = [
    "asking",
    "cassette",
    "casts",
    "dstar_turns",
    "injection",
    "methods",
    "orders",
    "roles",
    "thumbnails",
    "transformer",
    "ucb_step",
    "wilson",
]
