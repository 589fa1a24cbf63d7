"""The verdict on a state, such as sure, likely or impossible, in its own or other words of seven languages."""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache

from ..parse import MAX_REPLY, Read, bad
from ..reply import data_in, ended, member, one_of, unwrapped, words


@cache
def _verdicts(kinds: tuple[str, ...]) -> re.Pattern[str]:
    groups = "|".join(rf"(?P<{kind}>{one_of(kind)})" for kind in kinds)
    return re.compile(rf"(?<![^\W\d_])(?:{groups})(?![a-zäöüéа-я])", re.I)


# no verdict: denied, supposed, asked, one of a list, a word of the sentence
@cache
def _denied() -> re.Pattern[str]:
    listed = r"(?:/\s?|\b(?:sure|likely|impossible)[ |,/]+|\bor\s|\botherwise\s|\bif\b[^.\n]{0,40},\s)\Z"
    return re.compile(rf"{listed}|(?:\b{one_of('verdict_denied')}|n['’]t)\s(?:[\w%]+\s){{0,3}}\Z", re.I)


@cache
def _label() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){one_of('verdict_labels')}\W{{0,6}}(?:is|are|ist|est|es|to|是|为|は)?\W{{0,6}}\Z", re.I)


_NONE_AFTER = re.compile(
    r"[ |,/]+(?:sure|likely|impossible)\b|\s(?:or|and)\s(?:sure|likely|maybe|impossible)|\s?\?|\s?/\s?\w"
    r"|\s(?:to\b(?!\s(?:reach|make|get)\b)|whether|that|combinations?|values?|way|candidates?|if\b)",
    re.I,
)


_I_AM = re.compile(r"\bI(?:['’]?m|\sam)\s(?:\w+\s)?\Z")
_ENDS = re.compile(r"[^\w\n]*(?:\Z|\n)|[*_\"”]{0,3}[.!](?:\s|\Z)")  # of a line or a sentence


def verdict(text: str, worth: Mapping[str, float]) -> Read[float]:
    """What the verdict of a reply is worth, by ``worth``: its words ("sure", "likely" ...) -> values.

    The verdict after a label counts ("Verdict: sure", "I change my verdict to impossible"), else the last that stands
    alone or ends a sentence, else the last. A word that is denied, supposed, or one of a list is no verdict.
    """
    text = ended(text)[-MAX_REPLY:].strip()
    if "{" in text and (said := member(data_in(text), "verdict_members")) is not None:
        flags = [name for name, flag in said.items() if flag is True] if isinstance(said, dict) else []
        text = flags[0] if len(flags) == 1 else str(said) if isinstance(said, str) else ""
    text = unwrapped(unicodedata.normalize("NFKC", text))
    kinds = tuple(kind for kind in worth if kind in words())
    behind = {one: text[max(one.start() - 40, 0) : one.start()] for one in _verdicts(kinds).finditer(text)}
    found = [one for one in behind if not _denied().search(behind[one]) and not _NONE_AFTER.match(text, one.end())]
    remarks = [one for one in found if _I_AM.search(behind[one])]  # "It is impossible, I'm sure."
    found = [one for one in found if one not in remarks] or remarks
    labelled = [one for one in found if _label().search(behind[one])]
    alone = [one for one in found if _ENDS.match(text, one.end())]
    lines = {
        one.lastgroup for one in found if text[text.rfind("\n", 0, one.start()) + 1 : one.start()].strip(" *-") == ""
    }
    if len(lines) > 2:
        return bad("several verdicts in the reply", text)
    told = (labelled or alone or found)[-1:]
    if not told:
        return bad("no verdict in the reply", text)
    kind = told[0].lastgroup or ""
    return Read(worth[kind], text=told[0][0])
