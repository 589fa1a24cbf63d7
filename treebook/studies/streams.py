"""A search as text, read as a search again: what a stream of chapter 19 looks like, and its strict reader.

    6 - 4 = 2 (left: 2 5 10). impossible
    10 - 4 = 6 (left: 5 6 6). sure
    Numbers: 5 6 6
    5 * 6 = 30 (left: 6 30). likely
    Numbers: 6 30
    30 - 6 = 24 (left: 24)
    Answer: 5 * (10 - 4) - 6

Each step has its verdict; ``Numbers:`` says to which state the search turns, forwards or back. The last line is the
answer.
"""

import re
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tot.ask import Ask, Search
from tot.events import Best, Evaluated, Expanded
from tot.lm.base import Request
from tot.state import Node, State, Thought
from tot.tasks.game24 import left
from tot.tasks.game24_rules import TARGET, Numbers, Step, read_step
from tot.tasks.game24_style import VERDICTS

_STEP = re.compile(r"(?P<step>[^.]*\))(?:\. (?P<verdict>sure|likely|impossible))?", re.ASCII)
_GO = re.compile(r"Numbers: (?P<numbers>[-\d/ ]{1,60})", re.ASCII)
_ANSWER = re.compile(r"Answer: (?P<answer>[-+*/() \d]{1,80})", re.ASCII)


@dataclass(frozen=True)
class Line:
    """``kind``: "step", "turn", "answer" or "unread"; ``node``: the state that it made or turned to; ``place``: the
    state from which it was written; ``why``: what is wrong with it, else "".
    """

    kind: str
    text: str
    place: Node | None
    node: Node | None = None
    why: str = ""


@dataclass
class Stream:
    """A stream as a tree: ``root``, the ``lines`` that were read, and the ``answer`` (None if it names none)."""

    root: Node
    lines: list[Line] = field(default_factory=list)
    answer: str | None = None

    @property
    def steps(self) -> list[Line]:
        """The lines that made a state."""
        return [line for line in self.lines if line.kind == "step"]

    @property
    def unread(self) -> list[Line]:
        """The lines that could not be read."""
        return [line for line in self.lines if line.kind == "unread"]

    @property
    def turns(self) -> list[Line]:
        """The lines by which the search goes to another state."""
        return [line for line in self.lines if line.kind == "turn"]


def read_stream(x: str, text: str, strategy: str = "depth-first", *, whole: bool = True) -> Stream:
    """The tree that a stream about the puzzle ``x`` describes, read strictly: every step is checked against the state
    that the stream has turned to, and a turn must lead to a state that it has made. What fails is kept as "unread".

    ``strategy``: decides which state is meant where several have the same numbers left. ``whole``: False for a text
    that was cut off, whose last line may be a part of one and is left out. Values are those of the verdicts. Nothing is
    evaluated: the answer is only text (``Game24.check`` judges it).
    """
    root = Node(State(x))
    stream = Stream(root)
    current: Node | None = root
    by_numbers: dict[Numbers, list[Node]] = {left(root.state): [root]}
    lines = text.split("\n")
    for text_line in lines if whole else lines[:-1]:
        line = _line(text_line, current, by_numbers, strategy)
        stream.lines.append(line)
        if line.kind == "step" and line.node:
            by_numbers.setdefault(left(line.node.state), []).append(line.node)
        elif line.kind == "turn" or _GO.fullmatch(text_line):
            current = line.node  # None after a turn to nowhere: what follows has no place in the tree
        elif line.kind == "answer":
            stream.answer = text_line.removeprefix("Answer: ")
            break
    return stream


def _line(text: str, current: Node | None, by_numbers: dict[Numbers, list[Node]], strategy: str) -> Line:
    if _ANSWER.fullmatch(text):
        return Line("answer", text, current)
    if found := _GO.fullmatch(text):
        try:
            numbers = tuple(sorted(map(Fraction, found["numbers"].split())))
        except (ValueError, ZeroDivisionError):
            return Line("unread", text, current, why="not numbers")
        node = _meant(by_numbers.get(numbers, []), current, strategy)
        return Line("turn", text, current, node) if node else Line("unread", text, current, why="no such state")
    found = _STEP.fullmatch(text)
    if not found:
        return Line("unread", text, current, why="not a line of a search")
    if current is None:
        return Line("unread", text, None, why="below a state that is not there")
    step = read_step(found["step"], left(current.state))
    if step.value is None:
        return Line("unread", text, current, why=step.why)
    over = len(step.value.left) == 1
    if over == bool(found["verdict"]):
        return Line("unread", text, current, why="a verdict too many" if over else "no verdict")
    if any(step_of(child) == step.value for child in current.children):
        return Line("unread", text, current, why="the same step again")
    [node] = current.grow([as_thought(step.value)])
    word = found["verdict"] or ("sure" if step.value.left == (TARGET,) else "impossible")
    node.value = VERDICTS[word]
    return Line("step", text, current, node)


def _meant(nodes: list[Node], current: Node | None, strategy: str) -> Node | None:
    """Of the states with these numbers, the one that the strategy would mean: depth-first, a child of where the search
    is, or a state above it; best-first, the best one that was not expanded. Of equals, the oldest.
    """
    above = [*current.path][1:] if current else []

    def fit(node: Node) -> tuple[bool, bool, bool, float]:
        fresh = not node.children
        near = strategy == "depth-first" and fresh and node.parent is current
        return near, strategy == "depth-first" and node in above, fresh, node.value or 0.0

    return max(nodes, key=fit, default=None)


def retold(stream: Stream, request: Request | None = None) -> Search:
    """The stream as a search: its states in the order in which it wrote them, so that ``tot.run`` makes a trace of it,
    to look at. It asks nothing but ``request``, the one that the stream answered, for its bill. The output is the state
    that the answer follows from, which states it as the stream does, or the last one.
    """
    if request:
        yield Ask("generator", [stream.root], [request])
    last = stream.root
    ends = [line.node for line in stream.steps if line.node and line.node.terminal]
    for end in ends[-1:]:
        [*before, final] = end.state.thoughts
        end.state = State(end.state.x, (*before, replace(final, answer=stream.answer)))
    for line in stream.steps:
        if line.node and line.node.parent:
            last, value = line.node, line.node.value
            last.value = None  # not before it is told
            yield Expanded([last], [line.node.parent])
            last.value = value
            yield Evaluated([last])
    yield Best(ends[-1:] or [last])


def step_of(node: Node) -> Step:
    """The equation that led to the node. Raises TypeError at the root."""
    step = node.state.last.data if node.state.last else None
    if not isinstance(step, Step):
        raise TypeError(f"node {node.id} has no equation")
    return step


def as_thought(step: Step) -> Thought:
    """An equation as a thought; final if it leaves 24."""
    return Thought(str(step), step, final=step.left == (TARGET,))
