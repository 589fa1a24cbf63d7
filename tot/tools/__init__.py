"""Tools as in ReAct: Search, Lookup and Finish, what their calls are charged, and how they fail."""

from .actions import FINISH, LOOKUP, SEARCH, TOOLS, Action, Call, next_call, read_action
from .corpus import Corpus, Offline, Page, ToolError, sentences
from .costs import Costs, Failures
from .observations import actor, one_line, ran, retrieve
from .service import Tools, lookup, search

__all__ = [
    "FINISH", "LOOKUP", "SEARCH", "TOOLS", "Action", "Call", "Corpus", "Costs", "Failures", "Offline", "Page",
    "ToolError", "Tools", "actor", "lookup", "next_call", "one_line", "ran", "read_action", "retrieve",
    "search", "sentences",
]  # fmt: skip
