"""Actions of the ReAct kind: Search[entity], Lookup[string], Finish[answer]; and how they are read from a reply.

The format is that of Yao et al. 2022 (ReAct, section 3): a thought, then one action. What a model writes after its
first action, such as an observation of its own making, is not looked at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..parse import Read, bad, shorten
from ..state import Thought

SEARCH, LOOKUP, FINISH = TOOLS = ("Search", "Lookup", "Finish")
MOST = 200  # characters of an argument; titles and short answers are far shorter
_REPLY = 4000  # characters of a reply that are looked at
_THOUGHT = 400  # characters of a thought that are kept
_ACTION = re.compile(r"\b(search|look[ -]?up|finish)\s?\[((?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]", re.IGNORECASE)
_MARK = re.compile(r"[*_#\s]{0,8}\baction\W{0,4}\d{0,3}\W{0,4}$", re.IGNORECASE)
_LABEL = re.compile(r"^\W*thought\W{0,4}\d{0,3}\W{0,4}:", re.IGNORECASE)
_INVENTED = re.compile(r"\n\W*observation\b", re.IGNORECASE)


@dataclass(frozen=True)
class Action:
    """One call: ``tool`` is one of ``TOOLS``."""

    tool: str
    argument: str

    def __str__(self) -> str:
        return f"{self.tool}[{self.argument}]"

    @property
    def same(self) -> tuple[str, str]:
        """Equal for actions that ask for the same thing: case and spaces do not count."""
        return self.tool, plain(self.argument)


def plain(text: str) -> str:
    """Lower case, single spaces."""
    return " ".join(text.casefold().split())


def read_action(text: str) -> list[Read[Thought]]:
    """The thought and the action of a reply, as one ``Thought`` whose ``data`` is the ``Action``; or one failed read.

    The first action behind the word "Action" counts, else the first. Finish makes a final thought with its answer.
    """
    said = _INVENTED.split(text[:_REPLY], maxsplit=1)[0]
    said = "".join(c if c.isprintable() or c == "\n" else " " for c in said)
    found = [*_ACTION.finditer(said)]
    if not found:
        return [bad("no action", text)]
    match = next((m for m in found if _MARK.search(said, max(0, m.start() - 40), m.start())), found[0])
    tool = next(tool for tool in TOOLS if tool[0] == match[1][0].upper())
    argument = " ".join(match[2].split()).strip("\"'")
    if not re.search(r"\w", argument):
        return [bad(f"{tool} of nothing", match[0])]
    if len(argument) > MOST:
        return [bad(f"an argument of more than {MOST} characters", match[0])]
    before = _LABEL.sub("", _MARK.sub("", said[: match.start()]))
    why = shorten(" ".join(before.split()), _THOUGHT)
    action = Action(tool, argument)
    answer = argument if tool == FINISH else None
    return [Read(Thought(f"{why}\nAction: {action}".lstrip(), action, answer, final=tool == FINISH))]
