"""Conformance kits: what a model, a task and a search must keep to. For the tests of whoever adds one.

Each kit raises AssertionError with a sentence that says what was expected.
"""

from .lm import check_lm
from .search import Shuffled, check_search
from .task import NASTY, check_task

__all__ = ["NASTY", "Shuffled", "check_lm", "check_search", "check_task"]
