"""Tools in the manner of ReAct: Search, Lookup and Finish, what they cost, and how they fail."""

from .act import actor, ran
from .actions import FINISH, LOOKUP, SEARCH, TOOLS, Action, read_action
from .calls import Call, next_call
from .corpus import Corpus, Offline, Page, ToolError, sentences
from .costs import Costs, Failures
from .service import Tools, lookup, search
from .wikipedia import Wikipedia

__all__ = [
    "FINISH",
    "LOOKUP",
    "SEARCH",
    "TOOLS",
    "Action",
    "Call",
    "Corpus",
    "Costs",
    "Failures",
    "Offline",
    "Page",
    "ToolError",
    "Tools",
    "Wikipedia",
    "actor",
    "lookup",
    "next_call",
    "ran",
    "read_action",
    "search",
    "sentences",
]
