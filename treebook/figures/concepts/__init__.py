"""Drawings of ideas, one file each: the book's chapters show them in a cell, such as ``show.concepts.methods()``.

Each is drawn from real data where there is any, and says in words (``about``) what it shows. They are drawn with
``treebook.figures.kit``.
"""

from .block import transformer as transformer
from .bounds import ucb_step as ucb_step
from .conversation import asking as asking
from .injected_page import injection as injection
from .judging import orders as orders
from .look_alikes import reliabilities as reliabilities
from .lookup import cassette as cassette
from .parts import thumbnails as thumbnails
from .plausible import wilson as wilson
from .repairing import dstar_turns as dstar_turns
from .role_changes import casts as casts
from .side_by_side import methods as methods
from .teaching import lessons as lessons
from .turning import turned as turned
from .who_sees_what import roles as roles
