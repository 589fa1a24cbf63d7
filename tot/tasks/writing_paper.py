"""Creative Writing in the paper's style: the readers of long replies. The prompts are in ``writing.toml``."""

import re

from ..parse import LONG_REPLY, Read, bad
from ..state import Thought
from .plan_vote import label, read_long_plan
from .style import style_of
from .writing_passages import ends_with

PARTS = ("Plan", "Passage")
_RULE = re.compile(r"\W{0,3}(?:[-*_=~]\s?){3}[\W_]*")
_POLITE = re.compile(r"\W*(?:sure|certainly|of course|absolutely|okay|here(?:['’]s| is)|below is)\b", re.IGNORECASE)
_TITLE = re.compile(r"\s*(?:#{1,6}\s[^\n]{1,100}|(\*\*|__)[^\n]{1,100}\1|title:[^\n]{1,100})\s*", re.IGNORECASE)
_REMARK = re.compile(
    r"[\W_]*(?:note|explanation|word count|changes|let me know|i hope|i have|i['’]ve|feel free|would you"
    r"|(?:this|the|in this) (?:refined |revised |new )?(?:passage|version|story))\b",
    re.IGNORECASE,
)
_CALLED = re.compile(r"(?P<before>[^.!?\n]{0,80})\bperfectly coherent\b(?P<after>[^.!?\n]{0,80})", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|\w+n['’]t|never|less|make|making|become|if|whether|almost|nearly|more)\b", re.IGNORECASE)


def read_long_passage(text: str, x: str, *, final: bool) -> Read[Thought]:
    """The passage in a long reply: below the last label, without a title and without what is said around it.

    Nothing is left out that ends in one of the given sentences.
    """
    said = text[:LONG_REPLY].strip()
    pieces = label(PARTS[1]).split(said)
    below = next((piece for piece in reversed(pieces[1:] or pieces) if re.search(r"\w", piece)), "")
    blocks = [block.strip() for block in re.split(r"\n[^\S\n]*\n", below) if block.strip()]
    sentences = x.split("\n")

    def around(block: str, what: bool) -> bool:
        return len(blocks) > 1 and what and not any(ends_with(block, sentence) for sentence in sentences)

    while blocks and around(blocks[0], _introduces(blocks[0])):
        del blocks[0]
    while blocks and around(blocks[-1], bool(_RULE.fullmatch(blocks[-1]) or _REMARK.match(blocks[-1]))):
        del blocks[-1]
    passage = "\n\n".join(block for block in blocks if not _RULE.fullmatch(block))
    first, _, rest = passage.partition("\n")
    if rest and _introduces(first) and not any(ends_with(first, sentence) for sentence in sentences):
        passage = rest.strip()
    if not re.search(r"\w", passage):
        return bad("no passage in the reply", text)
    return Read(Thought(passage, None, passage, final))


def _introduces(block: str) -> bool:
    """Is it a line before the passage: "Here is the passage:", a title, a rule?"""
    if "\n" in block or len(block) > 200:
        return False
    polite = _POLITE.match(block) and re.search(r"[:!]\W*$|\b(?:passage|version|story|paragraphs)\b", block)
    return bool(polite or block.endswith(":") or _TITLE.fullmatch(block) or _RULE.fullmatch(block))


def content(text: str, done: str) -> bool:
    """Does the reply call the passage ``done``, in a sentence without a "not", and offer no other passage?"""
    if label(PARTS[1]).search(text[:LONG_REPLY]):
        return False
    called = [*_CALLED.finditer(text[:LONG_REPLY])]
    return (
        bool(called)
        and done in text.lower()
        and not any(_NOT.search(match["before"]) or match["after"].rstrip("*_ ").endswith(":") for match in called[:1])
    )


def read_plan(text: str) -> Read[Thought]:
    """The plan of a reply, whole."""
    return read_long_plan(text, PARTS)


def read_chain(text: str, x: str) -> Read[Thought]:
    """The passage below its label. A reply without the label is an attempt without a passage."""
    if label(PARTS[1]).search(text[:LONG_REPLY]):
        return read_long_passage(text, x, final=True)
    return Read(Thought(text[:LONG_REPLY].strip(), final=True), "no passage below the plan", text[:200])


PAPER = style_of(
    "writing", "paper", {"passage": read_long_passage, "chain": read_chain, "plan": read_plan, "content": content}
)
