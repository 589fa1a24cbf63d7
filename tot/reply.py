"""What every reader does with a reply before it reads it as its kind: where the reply ends, and what it has marked.

One way through a reply: thinking is taken off (``tot.lm.thinking``), then the reply is read up to where it ends, then
what it marks as its answer is found, and only that is read as a number, a letter, a plan. The words of the languages
are data, in ``replies.toml``.
"""

import json
import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Any

# marks of chat templates: what follows one that stands behind a text is no part of the reply
_TEMPLATE = re.compile(
    r"<\|[^<>|\n]{1,40}\|>|</?s>|<(?:start|end)_of_turn>|<[be]os>|\[/?INST\]|<<?/?SYS>?>|<\|END_RESPONSE\|>"
)
_RULE = re.compile(r"(?m)^[ \t]*(?:[-*_=~#][ \t]?){3,}$")


@cache
def words() -> dict[str, Any]:
    """What is in ``replies.toml``: words of the languages that models reply in, for regular expressions."""
    from importlib.resources import files  # here, because it is half of what `import tot` would cost

    return tomllib.loads((files("tot") / "replies.toml").read_text(encoding="utf-8"))


def one_of(*names: str) -> str:
    """A group of a regular expression that matches any of the words in these lists of ``replies.toml``."""
    told = words()
    found = sorted((word for name in names for word in told[name]), key=len, reverse=True)
    return f"(?:{'|'.join(found)})"


@cache
def _next_example() -> re.Pattern[str]:
    heads, roles = one_of("heads"), one_of("roles")
    return re.compile(
        rf"(?m)^#{{1,6}}[ ]*passage[ ]\d+[ ]*$|^[ \t>]{{0,3}}(?:#{{1,6}}[ ]*)?[*_]{{0,3}}(?:(?:next|another|new)[ ])?"
        rf"(?:{one_of('phrases')}\b|{heads}(?:[ ]?#?\d{{1,3}})?[*_ ]{{0,4}}[:：]"
        rf"|{heads}[ ]?#?\d{{1,3}}[*_]{{0,3}}[.)]?[ ]*$|{roles}[*_ ]{{0,4}}:)",
        re.IGNORECASE,
    )


_LOOP = re.compile(r"\A\W{0,4}(\w.{0,80}?)(?:[\s,.;|]{1,3}\1(?!\w)){2,}", re.DOTALL)
WIDE = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)} | {0x3000: " "}  # full-width forms -> ASCII
_LEADS = re.compile(r"[:：]\W{0,20}\Z|\A[^\n]{0,80}[!]\W{0,20}\Z")  # "Let us see:", "Sure!" is no reply yet


def ended(text: str) -> str:
    """The reply up to where it ends.

    The marks of chat templates fall off, and so does what a model runs on into: "Question: ...", "### Problem 2",
    "user:", a new example in the form of the prompt. A reply may begin by repeating what was asked, and one that
    says the same over and over says it once.
    """
    text = next((part for part in _TEMPLATE.split(text) if part.strip()), "")
    if looped := _LOOP.match(text):
        rest = text[looped.end() :].strip(" \n,.;|")
        if looped[1].startswith(rest) or not rest:
            return looped[1]
    for head in _next_example().finditer(text):
        before = text[: head.start()].strip()
        if re.search(r"\w", before) and not _LEADS.search(before if len(before) < 120 else before[-40:]):
            return text[: head.start()].rstrip().removesuffix("---").rstrip()
    return text


_QUOTES = str.maketrans("“”„‘’：，", '"""\'\':,')


def data_in(text: str) -> Any:
    """The JSON object or list that a reply holds, alone or in a fence or a sentence; None if there is none, or several
    of which none is said to be right. Read are other quotes, names without them, a trailing comma, comments behind a
    line, a raw line break in a text, and full-width digits.
    """
    if "{" not in text and "[" not in text:
        return None
    found, end = list[Any](), 0
    for start in [place.start() for place in re.finditer(r"[{\[]", text)][:40]:
        if start < end or len(found) > 8:
            continue
        for tried in (text[start:], _mended(text[start:])):
            try:
                data, length = json.JSONDecoder(strict=False).raw_decode(tried)
            except (ValueError, RecursionError):
                continue
            if isinstance(data, dict) or (isinstance(data, list) and not found):
                found.append(data)
                end = start + length
                break
    if not found or all(data == found[0] for data in found):
        return found[0] if found else None
    return found[-1] if _RATHER.search(text) else None  # of two different ones the last, if it puts the first right


_RATHER = re.compile(r"\b(?:but|wait|corrected|correction|instead|actually|rather|better|final)\b", re.IGNORECASE)


def _mended(piece: str) -> str:
    piece = piece.translate(_QUOTES)
    piece = piece if '"' in piece else piece.replace("'", '"')
    piece = re.sub(r"([{,]\s*)([A-Za-z_]\w{0,30})(?=\s*:)", r'\1"\2"', piece)
    piece = re.sub(r"(?m)(?<=[,\[{\"\d])[ \t]*//[^\n\"]*$", "", piece)
    piece = re.sub(r":\s*([０-９．]+)", lambda digits: ": " + unicodedata.normalize("NFKC", digits[1]), piece)
    return re.sub(r",(\s*[}\]])", r"\1", piece)


def member(data: Any, names: str) -> Any:
    """The member of a JSON object with one of the ``names`` (a list of ``replies.toml``); None if it has none."""
    if not isinstance(data, dict):
        return None
    plain = {re.sub(r"[\W_]+", " ", str(name)).strip().casefold(): value for name, value in data.items()}
    return next((plain[name] for name in words()[names] if name in plain), None)


_DRESS = re.compile(r"\\(?:text|mathrm|mathbf|textbf|boxed|emph)\s?\{([^{}]{0,300})\}")
_PICTURES = re.compile(r"[\u2600-\u27bf\U0001f000-\U0001faff\ufe0f\u200d]")


def unwrapped(text: str) -> str:
    """``text`` without LaTeX's commands for text around its words, tags, and small pictures."""
    for _ in range(3):
        text = _DRESS.sub(r"\1", text)
    return _PICTURES.sub("", re.sub(r"</?\w{1,20}>", " ", text.replace("\\boxed{", "")))


# ---------------------------------------------------------------- the marked answer

LIKELY = (
    r"(?:(?:(?:most|very|quite|more)\s)?(?:likely|probably)|almost\scertainly|presumably|possibly|perhaps|maybe|apparently"
    r"|(?:most\s)?(?:certainly|definitely)|clearly|surely|obviously|actually|really|in\sall\slikelihood)"
)


@dataclass(frozen=True)
class Marked:
    """What stands behind a mark: ``said``, to the end of its line; ``european``, if the mark is in a language that
    writes 1.234,5; ``at``, where it begins in the text; ``bold``, if bold type is all that marks it.
    """

    said: str
    european: bool
    at: int
    bold: bool = False


@cache
def _mark(choice: bool) -> re.Pattern[str]:
    a_choice = r"[\s*_]{1,4}(?:option\s)?(?:[(\[][A-Z][)\]]|(?:yes|no)\b(?!\s\w)|(?-i:[A-HJ-Z])(?![\w'’]|\s[a-z]))"
    be = (
        rf"(?:\W{{0,4}}\b(?:is|was|equals|would(?:\s{LIKELY})?\sbe|could\sbe|comes\sto)\b(?:\sthat\b)?"
        rf"|\s(?:should|must|seems\sto|appears\sto)(?:\s{LIKELY})?\sbe(?={a_choice})"  # not "should be rounded up"
        r"|[*_\s]{0,4}[:：=|])"
    )
    about = r"(?:\s?\([^()\n]{0,60}\)|\s(?:to|for|of)\s[^.:\n]{1,80}?|\s(?:that\s)?I\s\w{1,12})?"
    english = rf"\b{one_of('answer_en')}\b{about}(?:,?\s{LIKELY}\b,?)?{be}"
    a_letter = r"(?=\W{0,6}(?:option\s)?\W{0,2}[A-Za-z](?!\w))"
    option = rf"|\b(?:correct|right|best|my)\s(?:option|choice|letter|pick)\b{be}{a_letter}" if choice else ""
    nouns = one_of("answer_other", "choice_other") if choice else one_of("answer_other")
    other = (
        rf"(?<!\w){nouns}(?!\w)(?:\s[^.:：\n]{{1,60}}?)??"
        rf"(?:\s{one_of('is_other')}(?!\w)(?:\s{one_of('also_other')}(?!\w))?(?:\s?[:：])?|\s?[*_]{{0,3}}\s?[:：=]|\s[—–-]\s)"
    )
    cjk = rf"{one_of('answer_cjk')}\s?(?:{one_of('is_cjk')}|[:：=])?"
    line = r"^\W{0,8}(?:(?:final|my|the)\s)?answer\W{0,4}$"
    tags = r"<(?:final[_ ]?)?(?:answer|response|output|result|solution)>"
    return re.compile(
        rf"(?P<english>{english}{option})|(?P<other>{other})|(?P<cjk>{cjk})|{line}|{tags}|####|\\boxed\s?\{{",
        re.IGNORECASE | re.MULTILINE,
    )


_IF = re.compile(
    r"\b(?:not|instead of|rather than)\W{0,3}\Z"
    r"|(?:\b(?:if|whether|unless|suppose|assuming|wenn|ob|falls|si|если)|如果|もし)(?:\s\w{1,10}){0,3}\s?\Z",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(  # at the beginning of a sentence
    r"(?:\A|[.!?…:\n—–(-])\s{0,3}(?:(?:oh|hm+|no|but|ah)[,.]?\s)?(?:(?:wait|hold on|actually|scratch that"
    r"|on second thoughts?|moment|halt|attends|espera|подожди|стоп)\b|correction:|(?:i made a mistake|let me correct)\b"
    r"|that(?:['’]s| is) (?:wrong|not right)\b)|\?\s{0,3}(?:no|nein|non|нет)\b[:,.]|不对|等等|待って",
    re.IGNORECASE,
)


def marked(text: str, choice: bool = False) -> list[Marked]:
    """What a tidy text marks as its answer, in order, in whatever form and language: "the answer is", "####",
    ``\\boxed``, ``<answer>``, a heading, or else in bold type on the last
    line; with ``choice``, "the correct option is", too.

    A mark in a condition ("if the answer is 5") is none, nor is one at the end behind which the reply was cut off.
    """
    found = list[Marked]()
    for mark in _mark(choice).finditer(text):
        before = text[max(mark.start() - 120, 0) : mark.start()]
        supposed = "would" in mark[0] and re.search(r"\b(?:if|had|were)\b[^.!?\n]*\Z", before, re.IGNORECASE)
        if supposed or _IF.search(before[-40:]):
            continue
        rest = text[mark.end() :]
        said = next((line for line in rest.splitlines() if line.strip(" *_`:#>|-=")), "")
        if said:
            found.append(Marked(said, bool(mark["other"]), mark.end()))
    if len(found) > 1 and found[-2].said != (end := found[-1].said) and found[-2].said.startswith(end):
        found = found[:-1] if text.rstrip().endswith(end) else found  # cut off
    if not found:
        bold = [*_BOLD.finditer(line := _last_line(text))]
        if len(bold) == 1 and not _DENIED.search(line[: bold[0].start()] + " " + bold[0][1]):
            found.append(Marked(bold[0][1], False, text.rfind(bold[0][0]) + 2, bold=True))
    return found


_DENIED = re.compile(
    r"\b(?:not|never|neither|nor|un\w+|hardly|doubt|anything but|except|rather than|if|whether|or|between)\b|n['’]t\b",
    re.IGNORECASE,
)
_BOLD = re.compile(r"\*\*([^*\n]{1,80})\*\*(?!\s*[:：])(?<![:：]\*\*)")


def _last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if re.search(r"\w", line)), "")


def taken_back(text: str) -> bool:
    """Does what stands behind an answer take it back? ("Wait, that is wrong.")"""
    return bool(_TAKEN_BACK.search(text))


def struck(text: str) -> str:
    """The text without what its lines take back: of "CREED (medium) - wait, no, DATED first" the end is left."""
    return "\n".join(line[_back(line) :] for line in text.splitlines())


def put_right(text: str) -> str:
    """What follows the last place at which a text takes something back; all of it if it takes nothing back."""
    return text[_back(text) :]


def _back(text: str) -> int:
    found = [*_TAKEN_BACK.finditer(text)]
    return found[-1].end() if found else 0
