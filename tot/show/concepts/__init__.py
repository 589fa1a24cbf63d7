"""Drawings of ideas, one file each: the book's chapters show them in a cell, such as ``show.concepts.methods()``.

Each is drawn from real data where there is any, and says in words (``about``) what it shows. ``kit`` is what they are
drawn with.
"""

from .asking import asking
from .cassette import cassette
from .casts import casts
from .dstar_turns import dstar_turns
from .injection import injection
from .methods import methods
from .orders import orders
from .roles import roles
from .thumbnails import thumbnails
from .transformer import transformer
from .ucb_step import ucb_step
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
