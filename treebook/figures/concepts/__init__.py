"""Drawings of ideas, one file each: the book's chapters show them in a cell, such as ``show.concepts.methods()``.

Each is drawn from real data where there is any, and says in words (``about``) what it shows.
``treebook.figures.kit`` is what they are drawn with.
"""

from .block import transformer
from .bounds import ucb_step
from .conversation import asking
from .injected_page import injection
from .judging import orders
from .look_alikes import reliabilities
from .lookup import cassette
from .parts import thumbnails
from .plausible import wilson
from .repairing import dstar_turns
from .role_changes import casts
from .side_by_side import methods
from .teaching import lessons
from .turning import turned
from .who_sees_what import roles

__all__ = [
    "asking",
    "cassette",
    "casts",
    "dstar_turns",
    "injection",
    "lessons",
    "methods",
    "orders",
    "reliabilities",
    "roles",
    "thumbnails",
    "transformer",
    "turned",
    "ucb_step",
    "wilson",
]
