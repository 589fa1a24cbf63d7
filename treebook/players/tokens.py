"""The pocket model's tokenizer: about one token per symbol of Game-of-24 text.

A whole number from 0 to 199 is one token, so that the model can learn arithmetic as a table instead of an algorithm
over digits; larger numbers are spelled in digits. The space between two numbers needs no token.
"""

import re
from collections.abc import Iterable, Sequence

LARGEST = 199  # the largest number that is one token
AGAIN = "That is not correct. Reflect on your mistakes and reply with a refined answer, the expression only."

# control tokens: the end of a reply, the speaker, and the instruction at the start of a conversation
CONTROL = ("<end>", "<user>", "<reply>", "<io>", "<cot>", "<steps>", "<lean>", "<answer>", "<value>", "<judge>")
END = 0

PIECES = (
    *(" + ", " - ", " * ", " / ", " = ", " (left: ", ")\n", "; ", ", ", ". sure", ". likely", ". impossible"),
    *("Numbers: ", "Answer: ", "each number once", " is not one of the numbers", ", not 24", AGAIN),
    *("+", "-", "*", "/", "=", "(", ")", ":", ",", ".", ";", " ", "\n"),
)
VOCABULARY: tuple[str, ...] = (
    *CONTROL,
    *(str(n) for n in range(LARGEST + 1)),
    *(f"<{d}>" for d in range(10)),  # the digits of a larger number
    *PIECES,
)
NUMBER = len(CONTROL)  # the token of the number 0
DIGIT = NUMBER + LARGEST + 1  # the token of the digit 0 in a larger number
PIECE = {piece: DIGIT + 10 + i for i, piece in enumerate(PIECES)}
CONTROL_TOKEN = {name: i for i, name in enumerate(CONTROL)}
_SPLIT = re.compile("|".join(["[0-9]+", *map(re.escape, sorted(PIECES, key=len, reverse=True)), "."]), re.DOTALL)


class Refusal(ValueError):
    """A prompt that a small model was not trained for. The message says why, without a full stop; "" is for one that is
    none of its prompts. The model adds what it was trained for.
    """


def encode(text: str) -> list[int]:
    """Text -> tokens; ``decode`` restores exactly the same text.

    Raises Refusal for a character that no token covers (most letters), and names the first one.
    """
    tokens: list[int] = []
    for found in _SPLIT.finditer(text):
        piece = found.group()
        if piece.isascii() and piece.isdigit():
            tokens += number_tokens(piece)
        elif piece in PIECE:
            tokens.append(PIECE[piece])
        else:
            raise Refusal(f"the pocket model cannot read {piece!r} (at character {found.start()})")
    space = PIECE[" "]
    return [
        token
        for i, token in enumerate(tokens)
        if not (token == space and 0 < i < len(tokens) - 1 and _is_number(tokens[i - 1]) and _is_number(tokens[i + 1]))
    ]


def number_tokens(digits: str) -> list[int]:
    """``"13"`` -> one token; ``"200"`` or ``"007"`` -> one token for each digit."""
    if len(digits) <= 3 and str(int(digits)) == digits and int(digits) <= LARGEST:
        return [NUMBER + int(digits)]
    return [DIGIT + int(d) for d in digits]


def _is_number(token: int) -> bool:
    return NUMBER <= token < DIGIT


def decode(tokens: Iterable[int]) -> str:
    """Tokens -> text, up to the first ``END``. Other control tokens appear as their names."""
    parts: list[str] = []
    before = END
    for token in tokens:
        if token == END:
            break
        if _is_number(token) and _is_number(before):
            parts.append(" ")
        parts.append(VOCABULARY[token][1:-1] if DIGIT <= token < DIGIT + 10 else VOCABULARY[token])
        before = token
    return "".join(parts)


def show(tokens: Sequence[int]) -> list[str]:
    """The text of each token, for display."""
    return [VOCABULARY[token] for token in tokens]
