"""The Game of 24 in our own style: prompts, solved examples, and the readers that the paper's style replaces.

The design is that of the paper's prompts: five examples for IO and CoT, one example with four numbers for every propose
step (three examples as a variant for weak models, appendix B.2), and a value prompt whose last word is sure, likely or
impossible. In the propose prompts one-shot (the paper's) and three-shot the model writes down the numbers left; lean
(ours) has three examples without them: the program keeps count, for half the tokens.
"""

from fractions import Fraction

from ..parse import MAX_REPLY, Read, bad, last_word
from ..state import Thought
from .game24_rules import Numbers, read_step
from .style import Prompt, Style

# the numbers are those of the authors' code; the paper gives none
VERDICTS = {"sure": 20.0, "likely": 1.0, "maybe": 1.0, "impossible": 0.001}

# input, three equations, answer; none is in the splits `hard` and `starter`
EXAMPLES = (
    ("2 4 6 8", ("6 * 8 = 48 (left: 2 4 48)", "4 - 2 = 2 (left: 2 48)", "48 / 2 = 24 (left: 24)"), "6 * 8 / (4 - 2)"),
    ("1 5 6 12", ("6 - 5 = 1 (left: 1 1 12)", "1 + 1 = 2 (left: 2 12)", "2 * 12 = 24 (left: 24)"), "(6 - 5 + 1) * 12"),
    ("3 4 7 11", ("11 - 7 = 4 (left: 3 4 4)", "4 + 4 = 8 (left: 3 8)", "3 * 8 = 24 (left: 24)"), "3 * (4 + (11 - 7))"),
    ("2 5 7 10", ("2 + 5 = 7 (left: 7 7 10)", "7 + 7 = 14 (left: 10 14)", "10 + 14 = 24 (left: 24)"), "2 + 5 + 7 + 10"),
    ("3 8 9 9", ("9 / 9 = 1 (left: 1 3 8)", "3 * 8 = 24 (left: 1 24)", "1 * 24 = 24 (left: 24)"), "9 / 9 * (3 * 8)"),
)

# input, possible next steps
_NEXT = (
    ("3 5 9 12", "3 + 5 = 8\n12 - 9 = 3\n3 * 9 = 27\n12 / 3 = 4\n9 - 5 = 4\n12 + 9 = 21\n5 - 3 = 2\n12 - 5 = 7"),
    ("2 6 7", "2 * 6 = 12\n7 - 2 = 5\n6 / 2 = 3\n6 + 7 = 13\n7 - 6 = 1"),
    ("4 6", "4 * 6 = 24\n4 + 6 = 10\n6 - 4 = 2"),
)
PROPOSALS = tuple(  # the same, with the numbers that are left
    (x, tuple(str(read_step(step, tuple(map(Fraction, x.split()))).value) for step in steps.splitlines()))
    for x, steps in _NEXT
)

VALUES = (
    ("10 14", "10 + 14 = 24. sure"),
    ("11 12", "11 + 12 = 23, 12 - 11 = 1, 11 * 12 = 132. impossible"),
    ("4 4 10", "4 * 4 = 16, 16 + 10 = 26; (10 - 4) * 4 = 24. sure"),
    ("1 3 3", "at most (1 + 3) * 3 = 12, too small. impossible"),
    ("10 10 11", "10 + 10 + 11 = 31, (11 - 10) * 10 = 10. impossible"),
    ("5 7 8", "5 + 7 + 8 = 20, (8 - 5) * 7 = 21, close to 24. likely"),
)

JUDGED = (
    ("Numbers: 4 4 6 8\nAnswer: (4 + 8) * (6 - 4)", "12 * 2 = 24, each number once. sure"),
    ("Numbers: 2 9 10 12\nAnswer: 2 * 12 * (11 - 10)", "11 is not one of the numbers. impossible"),
    ("Numbers: 1 4 5 8\nAnswer: 8 * (5 - 4 + 1)", "8 * 2 = 16, not 24. impossible"),
)

RULES = "Use each number exactly once, with + - * / and brackets, to make 24."


def read_line(line: str, there: str, numbers: Numbers) -> Read[Thought]:
    """One line of a proposal as a step that is checked exactly against the ``numbers`` left; ``there`` is not used."""
    step = read_step(line, numbers)
    return Read(Thought(str(step.value), step.value), text=line) if step.value else bad(step.why, line)


def lines_of(text: str) -> list[str]:
    """The lines of a reply that may be steps: not empty ones, nor headings."""
    return [line for line in text[:MAX_REPLY].splitlines() if line.strip() and not line.rstrip().endswith(":")]


def read_verdict(text: str) -> Read[float]:
    """What the last verdict in a reply is worth."""
    word = last_word(text, VERDICTS)
    return Read(VERDICTS[word.value], text=word.text) if word.value else bad(word.why, text)


SOLVED = tuple((f"Numbers: {x}", "\n".join(steps), f"Answer: {answer}") for x, steps, answer in EXAMPLES)
LISTED = tuple((f"Numbers: {x}", "\n".join(steps)) for x, steps in PROPOSALS)
_LEAN = tuple((f"Numbers: {x}", steps) for x, steps in _NEXT)
_DIRECT = tuple((x, answer) for x, _, answer in SOLVED)
_CHAINS = tuple((x, f"{steps}\n{answer}") for x, steps, answer in SOLVED)
_ENDS = tuple((f"{x}\n{steps}", answer) for x, steps, answer in SOLVED)
_COMBINE = (
    "Combine two of the numbers with + - * or / and say which numbers are left. List up to eight possible next steps."
)

OWN = Style(
    prompts={
        "io": Prompt("Numbers: {x}", f"{RULES} Reply with one line: the answer.", _DIRECT, max_tokens=40),
        "cot": Prompt("Numbers: {x}", f"{RULES} Write three steps, then the answer.", _CHAINS, max_tokens=110),
        "one-shot": Prompt("Numbers: {left}", _COMBINE, LISTED[:1], max_tokens=180),
        "three-shot": Prompt("Numbers: {left}", _COMBINE, LISTED, max_tokens=180),
        "lean": Prompt(
            "Numbers: {left}",
            "Combine two of the numbers with + - * or /. List up to eight possible next steps.",
            _LEAN,
            max_tokens=90,
        ),
        "answer": Prompt(
            "Numbers: {x}\n{steps}", f"{RULES} Write the three steps as one expression.", _ENDS, max_tokens=40
        ),
        "value": Prompt(
            "{left}",
            "Can the numbers make 24 with + - * /, each used once? Try in one line: end with sure, likely or"
            " impossible.",
            VALUES,
            max_tokens=48,
        ),
        "judge": Prompt(
            "Numbers: {x}\nAnswer: {answer}",
            f"{RULES} Judge in one line whether the answer does: end with sure or impossible.",
            JUDGED,
            max_tokens=48,
        ),
    },
    readers={"line": read_line, "lines": lines_of, "value": read_verdict},
    limits={"end": 0},
    variants=("one-shot", "three-shot", "lean"),
)
