"""The tokenizer of the worded pocket model: a token for each word of its world, and for each number from 0 to 199.

Spaces need no tokens: one stands before every token but marks like the full stop, and not at the start of a line.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from ..tokens import END, Refusal

LARGEST = 199  # the largest number that the model can read

# the end of a reply, where a reply and a part of a prompt begin, and the instructions
CONTROL = (
    *("<end>", "<reply>", "<part>", "<choice>"),
    *("<io>", "<cot>", "<strategy>", "<follow>", "<plan>", "<revise>", "<logic>", "<feasibility>", "<execute>"),
    *("<vote strategy>", "<vote answer>"),
)
MARKS = (".", ",", "?", ":", "\n")  # no space before them
OTHERS = ("$", "+", "-", "*", "/", "=")
WORDS = tuple(Path(__file__).with_name("words.txt").read_text(encoding="utf-8").split())
SCORES = tuple(f"{i / 10:.1f}" for i in range(11))
VOCABULARY: tuple[str, ...] = (*CONTROL, *(str(n) for n in range(LARGEST + 1)), *SCORES, *MARKS, *OTHERS, *WORDS)
NUMBER = len(CONTROL)  # the token of the number 0
TOKEN = {text: i for i, text in enumerate(VOCABULARY)}
_PIECE = re.compile(r"[01]\.\d(?!\d)|\d+|[A-Za-z]+|\S|\n")


def encode(text: str) -> list[int]:
    """Text -> tokens; ``decode`` restores exactly the same text.

    Raises Refusal for a word, a number or a spacing that no tokens stand for, and names it.
    """
    pieces = _PIECE.findall(text)
    for piece in pieces:
        if piece not in TOKEN:
            raise Refusal(f"the pocket model cannot read {piece!r}")
    tokens = [TOKEN[piece] for piece in pieces]
    if (back := decode(tokens)) != text:
        at = next((i for i, (a, b) in enumerate(zip(text, back, strict=False)) if a != b), min(len(text), len(back)))
        raise Refusal(f"the pocket model cannot read the spacing of {text[max(0, at - 10) : at + 10]!r}")
    return tokens


def decode(tokens: Iterable[int]) -> str:
    """Tokens -> text, up to the first ``END``. Other control tokens appear as their names."""
    text = ""
    for token in tokens:
        if token == END:
            break
        piece = VOCABULARY[token]
        text += piece if piece in MARKS or not text or text[-1] in "\n$" else f" {piece}"
    return text
