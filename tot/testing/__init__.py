"""Conformance kits: the rules that a model, a task and a search must keep. Use them in the tests of your own.

Each kit raises AssertionError with a sentence that says what it expected.
"""

from .lm import check_lm
from .search import Shuffled, check_search
from .task import NASTY, check_task

__all__ = ["NASTY", "Shuffled", "check_lm", "check_search", "check_task"]
