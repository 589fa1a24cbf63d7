"""A search as text: ``written`` makes of its events the lines that ``treebook.studies.streams`` describes and reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tot.events import Evaluated, Event
from tot.state import Node
from tot.tasks.game24 import VERDICTS, left, numbers_of
from tot.tasks.game24_rules import Step, expression, show_numbers
from treebook.studies.streams import step_of


def verdict_of(node: Node) -> str:
    return next(word for word in ("sure", "likely", "impossible") if VERDICTS[word] == node.value)


def line_of(node: Node) -> str:
    """A step and its verdict; one number left speaks for itself."""
    step = step_of(node)
    return str(step) if len(step.left) == 1 else f"{step}. {verdict_of(node)}"


def turn_to(node: Node) -> str:
    return f"Numbers: {show_numbers(left(node.state))}"


def answer_of(node: Node) -> str:
    steps = [thought.data for thought in node.state.thoughts if isinstance(thought.data, Step)]
    return f"Answer: {expression(numbers_of(node.state.x), steps)}"


def written(events: Iterable[Event]) -> Iterator[str]:
    """The lines of a search, as it goes. It ends with the answer once a way to 24 is found."""
    current = None  # the root needs no line: it is the question
    for event in events:
        if not isinstance(event, Evaluated):
            continue
        for node in event.nodes:
            if current and node.parent and node.parent is not current:
                yield turn_to(node.parent)
            current = node.parent
            yield line_of(node)
        for node in event.nodes:
            if node.terminal:
                yield answer_of(node)
                return
