"""Actions: how Search[entity], Lookup[string] and Finish[answer] are read, and the call that each makes of a tool.

The format is that of Yao et al. 2022 (ReAct, section 3): a thought, then one action. Whatever a model writes after its
first action, such as an observation of its own invention, is ignored.

A tool answers requests as a language model does (``tot.lm.base.LM``), so that cassettes record it and ``tot.run``
counts it. The one message of such a request is the call in JSON. It holds everything that the tool must know, so that
the tool can answer as a pure function. The sample index is the attempt: trying again asks for the next sample.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass

from ..lm.base import LMError, Message, Request
from ..parse import MAX_REPLY, Read, bad, shorten
from ..state import State, Thought

SEARCH, LOOKUP, FINISH = TOOLS = ("Search", "Lookup", "Finish")

# ---------------------------------------------------------------- an action, and how it is read

MAX_ARGUMENT = 200  # characters; titles and short answers are far shorter
MAX_THOUGHT = 400  # characters of a thought that are kept
_ACTION = re.compile(r"\b(search|look[ -]?up|finish)\s?\[((?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]", re.IGNORECASE)
_MARK = re.compile(r"[*_#\s]{0,8}\baction\W{0,4}\d{0,3}\W{0,8}$", re.IGNORECASE)
_LABEL = re.compile(r"^\W*thought\W{0,4}\d{0,3}\W{0,4}:[*_]{0,3}", re.IGNORECASE)
_INVENTED = re.compile(r"\n\W{0,20}observation\b", re.IGNORECASE)


@dataclass(frozen=True)
class Action:
    """What a model wants to do: ``tool`` is one of ``TOOLS``, ``argument`` stands in its brackets."""

    tool: str
    argument: str

    def __str__(self) -> str:
        return f"{self.tool}[{self.argument}]"

    @property
    def same(self) -> tuple[str, str]:
        """Equal for actions that ask for the same thing: case and spaces do not count."""
        return self.tool, plain(self.argument)


def plain(text: str) -> str:
    """The text in lower case, with single spaces."""
    return " ".join(text.casefold().split())


def read_action(text: str, most: int = MAX_THOUGHT) -> list[Read[Thought]]:
    """The thought and the action of a reply, as one ``Thought`` whose ``data`` is the ``Action``; or one failed read.

    The first action after the word "Action" counts, otherwise the first of all. Finish makes a final thought with its
    answer. ``most``: characters of a thought that are kept.
    """
    said = _INVENTED.split(text[: max(MAX_REPLY, most)], maxsplit=1)[0]
    said = "".join(c if c.isprintable() or c == "\n" else " " for c in said)
    found = [*_ACTION.finditer(said)]
    if not found:
        return [bad("no action", text)]
    match = next((m for m in found if _MARK.search(said, max(0, m.start() - 40), m.start())), found[0])
    tool = next(tool for tool in TOOLS if tool[0] == match[1][0].upper())
    argument = " ".join(match[2].split()).strip("\"'")
    if not re.search(r"\w", argument):
        return [bad(f"{tool} of nothing", match[0])]
    if len(argument) > MAX_ARGUMENT:
        return [bad(f"an argument of more than {MAX_ARGUMENT} characters", match[0])]
    before = _LABEL.sub("", _MARK.sub("", said[: match.start()]))
    why = shorten(" ".join(before.split()), most)
    action = Action(tool, argument)
    answer = argument if tool == FINISH else None
    return [Read(Thought(f"{why}\nAction: {action}".lstrip(), action, answer, final=tool == FINISH))]


# ---------------------------------------------------------------- the call of a tool that an action makes


@dataclass(frozen=True)
class Call:
    """One call of a tool. ``corpus`` names where it looks.

    For Lookup, ``page`` is the argument of the last Search that worked ("" if none did), and ``times`` says how often
    the same string was found on that page before. With a ``rank``, Search takes its argument for words, not for a
    title: 1 asks for the whole article that goes best with them, 2 for the next. ``failures`` sets which calls fail on
    purpose (see ``tot.tools.Failures``); it is part of the request, so that a recording tells its settings apart.
    """

    tool: str
    argument: str
    corpus: str
    page: str = ""
    times: int = 0
    failures: str = ""
    rank: int = 0

    def request(self, attempt: int = 0) -> Request:
        """The request for this call. ``attempt``: how often the same call has failed before."""
        given = {name: value for name, value in asdict(self).items() if value or name == "argument"}
        return Request((Message("user", json.dumps(given, ensure_ascii=False)),), temperature=None, first=attempt)

    @classmethod
    def read(cls, request: Request) -> Call:
        """The call in a request. Raises LMError if it holds none: then it was meant for a language model."""
        try:
            call = cls(**json.loads(request.messages[0].content))
            if call.tool in (SEARCH, LOOKUP):
                return call
        except (ValueError, TypeError, IndexError):
            pass
        raise LMError(
            'the tools were asked something that is no tool call: give them the role "tool" only, and a language model'
            ' as "default"'
        )


def next_call(state: State, corpus: str, failures: str = "") -> Request | None:
    """The request for the action of the newest thought; None if there is nothing to call (Finish, or no action).

    A Lookup is about the page of the last Search on the path that worked.
    """
    action = state.last.data if state.last else None
    if not isinstance(action, Action) or action.tool == FINISH:
        return None
    page, found, failed = "", 0, 0
    for thought in state.thoughts[:-1]:
        seen, earlier = thought.observation, thought.data
        if seen is None or not isinstance(earlier, Action):
            continue
        if earlier.tool == SEARCH and not seen.failed:
            page, found, failed = earlier.argument, 0, failed if action.tool == SEARCH else 0
        if earlier.same == action.same:
            found, failed = found + (not seen.failed), failed + bool(seen.failed)
    if action.tool == SEARCH:
        return Call(SEARCH, action.argument, corpus, failures=failures).request(failed)
    return Call(LOOKUP, action.argument, corpus, page, found, failures).request(failed)
