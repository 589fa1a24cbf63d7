"""Formulas as a line of plain text, for places that show no pictures: "w(1 − v)", "√n", "x²", "Q/N"."""

import re
import xml.etree.ElementTree as ET

from tools.pages.maths import mathml

RAISED = str.maketrans("0123456789+−-=()ni*", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ*")
LOWERED = str.maketrans("0123456789+−-=()aeioxhklmnpst", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑᵢₒₓₕₖₗₘₙₚₛₜ")
SPACED = "=+−±×÷<>≤≥≈≠∈∝→∼∣"  # operators between spaces, unless they begin something
JOINED = "([|"  # after these a sign is no operator

NAMED = re.compile(r"_\w+$")  # a subscript in letters: the next letter is not a part of it


def plain(tex: str) -> str:
    """A formula as text. It leaves out the bars above letters, and what else a line of text cannot have."""
    return " ".join(_text(mathml(tex, inline=True)).split())


def _text(element: ET.Element) -> str:
    kind = element.tag.rpartition("}")[2]
    if kind == "mtable":
        return "; ".join(_text(row) for row in element)
    parts = [_text(child) for child in element]
    if kind == "mfrac":
        return "/".join(map(_grouped, parts))
    if kind in ("msqrt", "mroot"):
        return "√" + _grouped(parts[0] if kind == "mroot" else "".join(parts))
    if kind in ("msup", "mover"):
        return parts[0] + (_raised(parts[1]) if kind == "msup" else "")
    if kind in ("msub", "munder"):
        return parts[0] + _lowered(parts[1])
    if kind in ("msubsup", "munderover"):
        return parts[0] + _lowered(parts[1]) + _raised(parts[2])
    if kind == "mspace":
        return " "
    return _row(element, parts) if parts else element.text or ""


def _row(row: ET.Element, parts: list[str]) -> str:
    text = ""
    for child, part in zip(row, parts, strict=True):
        begins = not text.strip() or text.rstrip()[-1] in JOINED + SPACED
        if part in SPACED and part and not begins:
            part = f" {part} "
        elif part == ",":
            part = ", "
        elif len(part) > 1 and part.isalpha() and child.tag.endswith("mi"):  # a function, such as ln
            part = f" {part} "
        text += " " * (NAMED.search(text) is not None and part[:1].isalnum()) + part
    return text


def _grouped(text: str) -> str:
    return f"({text.strip()})" if any(sign in text.strip() for sign in f" /{SPACED}") else text.strip()


def _raised(text: str) -> str:
    if not text.strip("′"):
        return text
    moved = text.translate(RAISED)
    return moved if all(a != b or a == "*" for a, b in zip(text, moved, strict=True)) else f"^{_grouped(text)}"


def _lowered(text: str) -> str:
    moved = text.translate(LOWERED)
    return moved if all(a != b for a, b in zip(text, moved, strict=True)) else f"_{_grouped(text)}"
