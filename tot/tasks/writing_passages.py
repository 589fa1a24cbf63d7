"""Passages of Creative Writing: how they are read in short replies, and the check of the constraint."""

import re
import unicodedata

from ..parse import LONG_REPLY, MAX_REPLY, Read, bad, shorten
from ..reply import data_in, records, unmarked
from ..state import Thought
from .plan_vote import PASSAGES

# ---------------------------------------------------------------- readers

_NEW = r"(?:(?:the|final|refined|revised|improved|better|new)[ ])"
_LABEL = re.compile(  # "Passage:", "### Final passage"; of more words, on a line of its own
    rf"^(?=[ \t]*[*#]|.*[:：])[ \t*#]*"
    rf"(?:(?:{_NEW}?passage|{PASSAGES})[ \u00a0\u202f\t*]*(?:[:：]|$)|{_NEW}{{2,3}}passage[ \t*]*:?[ \t*]*$"
    rf"|(?:now,?[ ])?(?:(?:here(?:['’]s|[ ]is)|below[ ]is)[ ])?{_NEW}{{1,2}}passage[ \t*]*:[ \t*]*$)[ \t*]*\s*",
    re.IGNORECASE | re.MULTILINE,
)
_LEAD_IN = re.compile(r"[^\n]{0,120}[:：]\s*\n\s*")  # "Here is the passage:"


def untagged(text: str) -> str:
    """A reply without marks and tags, up to ``LONG_REPLY`` characters."""
    return re.sub(r"</?(?:answer|passage)>", "\n\n", unmarked(text)[:LONG_REPLY]).strip()


def read_passage(text: str, x: str = "", *, final: bool, labelled: bool = False) -> Read[Thought]:
    """The passage in a reply, whatever ``x``, without label or lead-in; ``labelled``: only what follows "Passage:"."""
    *_, passage = parts = _LABEL.split(untagged(text), maxsplit=1)
    if labelled and len(parts) == 1:
        return bad("no passage below the plan", text)
    passage = _LEAD_IN.sub("", passage.strip(), count=1) if _LEAD_IN.match(passage.strip()) else passage.strip()
    if not re.search(r"\w", passage):
        return bad("no passage in the reply", text)
    return Read(Thought(passage, None, passage, final))


def read_chain(text: str, x: str) -> Read[Thought]:
    """The passage below its label. A reply without one is an attempt without a passage."""
    passage = read_passage(text, final=True, labelled=True)
    attempt = passage.value or Thought(shorten(text.strip(), MAX_REPLY), final=True)
    return Read(attempt, passage.why, passage.text)


# ---------------------------------------------------------------- the check

_RULE = re.compile(r"\W{0,3}(?:[-*_=~]\s?){3}[\W_]*")
_POLITE = re.compile(
    r"[\s*_#>]*(?:(?:sure|certainly|of course|absolutely|okay)\b[!.]?|here(?:['’]s| is)|below is)", re.IGNORECASE
)
_CHANGED = re.compile(
    r"I(?:['’]ve| have)? (?:changed|revised|refined|rewr\w+|improved|edited)\b[^\n]*\b(?:passage|paragraphs?|version)\b"
)
_BEHIND = re.compile(  # behind the last sentence: of the passage, or a question to the reader
    r"\b(?:passage|(?:paragraph|transition|sentence|revision|refinement|improvement)s?|changes|revised|refined|rewr\w+"
    r"|version|explanation|coheren\w+|I(?:['’]ve)? (?:changed|improved))\b|\b(?:you|this)\b[^\n]*\?\W*\Z",
    re.IGNORECASE,
)
_BEFORE = re.compile(  # before the first one, in a line: what the last passage was like, what was done or will be
    r"\W*(?:not|no(?=[,.])|the|this|your|my|overall|while|although)\b[^\n]{0,60}\b(?:coherence"
    r"|(?:perfectly|mostly|largely|fully|quite|more|already|generally|not) coherent"
    r"|passage (?:is|flows|could|can|needs|lacks|works|reads|seems|feels|does|has|contains|would|jumps|as written"
    r"|was (?:not|somewhat|mostly|fairly|quite)))\b[^\n]{0,200}"
    r"|[^\n]*\b(?:transitions|rewr\w+|revised|refined|(?:the|these|given|four) sentences|coheren(?:ce|t story))\b[^\n]*"
    r"|\W*(?:let me (?:write|weave|tell)|sure, I)\b[^\n]*",
    re.IGNORECASE,
)
_WORD = r"(?:[A-Z\d][\w'’-]*|an?|the|of|and|or|in|on|at|to|for|from|with|by|[–—&-])"  # of a title
_TITLE = re.compile(
    rf"\s*(?:[*_\"“]{_WORD}(?:[,:;]?\s{_WORD}){{1,12}}[!?]?[*_\"”]|"
    r"#{1,6}\s[^\n]{1,100}|(\*\*|__)[^\n]{1,100}\1|[*_\s]*(?:[Tt]itle|标题)[*_]*[:：][^\n]{1,100}|《[^》\n]{1,60}》"
    rf"|{_WORD}(?:[,:;]?\s{_WORD}){{0,12}}[!?]?)\s*"
)
_MARKED = r"(?:#{1,6}\s[^\n]{1,100}|\*\*[^\n*]{1,100}\*\*:?)\s*"
_TITLED = re.compile(_MARKED)  # "**Paragraph 2: The town**"
_HEADING = re.compile(  # "### Changes", "**Why it works:** ...", and no further paragraph
    rf"(?!\W*(?:paragraph|sentence|part)\b)(?:{_MARKED}(?:\n|\Z)|\*\*[^\n*]{{1,60}}(?::\*\*|\*\*:))", re.IGNORECASE
)
_REMARK = re.compile(
    r"[\W_]*(?:(?:note|explanation|changes)(?=\W{0,3}:| that| made)"
    r"|(?:word|total|words)(?= count| words|\W*\d)|\d{2,4} words|(?:each|every) paragraph|the end(?=\W*\Z)"
    r"|let me know|i hope (?:you|this|it|that|the)"
    r"|(?:i have|i['’]ve) (?:now )?(?:writ|kept|tried|made|us|end|includ|ensur|add|follow|revis)\w*"
    r"|hope this|enjoy(?=\W*\Z)|is there anything|feel free|would you"
    r"|(?:user|human|assistant|question|confidence)(?=\W{0,3}:)"
    r"|(?:this|the|in this) (?:refined |revised |new )?(?:passage|version)|this story"
    r"|[^\n.]{0,60}perfectly coherent)\b"
    r"|[\W_]*(?:希望(?=[您你这对本])|如果(?:您|你)?需要|注[:：]|(?:全文)?完(?=\W*\Z)|每个?段落?[都均的]|以上(?=[是为]))",
    re.IGNORECASE,
)


def alone(passage: str, x: str) -> str:
    """The passage without a title, tags or JSON, and without what is said around it. Nothing is left out that ends in
    one of the sentences of ``x``.
    """
    if re.match(r"(?:```\w*)?\s*[{\[]", passage):
        texts = [str(text) for _, given in records(data_in(passage)) for text in given.values()]
        passage = "\n\n".join(texts) or passage
    if fenced := re.fullmatch(r"\s*`{3}\w*[ ]*\n(.*?)\n?`{3}\s*", passage, re.DOTALL):
        passage = fenced[1]
    passage = re.sub(r"</?\w{1,9}>", "", re.sub(r"</?(?:p|br|div)\s?/?>", "\n\n", passage))
    blocks = [block.strip() for block in re.split(r"\n[^\S\n]*\n", passage) if block.strip()]
    sentences = x.split("\n")

    def around(block: str, what: bool) -> bool:
        return len(blocks) > 1 and what and not any(ends_with(block, sentence) for sentence in sentences)

    while blocks and around(blocks[0], _introduces(blocks[0])):
        del blocks[0]
    ends = [max((i for i, block in enumerate(blocks) if ends_with(block, each)), default=-1) for each in sentences]
    if -1 not in ends:  # all paragraphs are there
        end = next((i for i in range(ends[-1] + 1, len(blocks)) if _remarks(blocks[i])), len(blocks))
        begin = next((i for i in range(ends[0]) if not _BEFORE.fullmatch(blocks[i])), ends[0])
        blocks = [block for block in blocks[begin:end] if not around(block, bool(_TITLED.fullmatch(block)))]
    while blocks and around(blocks[-1], bool(_RULE.fullmatch(blocks[-1]) or _REMARK.match(blocks[-1]))):
        del blocks[-1]
    passage = "\n\n".join(block for block in blocks if not _RULE.fullmatch(block))
    first, _, rest = passage.partition("\n")
    if rest and _introduces(first) and not any(ends_with(first, sentence) for sentence in sentences):
        passage = rest.strip()
    rest, _, last = passage.rpartition("\n")
    if rest and _REMARK.match(last) and not any(ends_with(last, sentence) for sentence in sentences):
        passage = rest
    return passage


def _remarks(block: str) -> bool:
    """Is it what stands behind a passage: a remark, or a heading with what it is about?"""
    return bool(_REMARK.match(block) or _HEADING.match(block) or _BEHIND.search(block))


def _introduces(block: str) -> bool:
    """Is it a line before the passage: "Here is the passage:", a title, a rule?"""
    if "\n" in block or len(block) > 200:
        return False
    polite = (said := _POLITE.match(block)) and (
        said[0].endswith(("!", ".")) or re.search(r":\W*$|\b(?:passage|version|story|paragraphs)\b", block)
    )
    polite = polite or _CHANGED.match(block)
    return bool(polite or block.endswith((":", "：")) or _TITLE.fullmatch(block) or _RULE.fullmatch(block))


def paragraphs(passage: str) -> list[str]:
    """The paragraphs of a passage: blocks between empty lines, or its lines if there are none.

    Headings ("Paragraph 2:", "**3.**") do not count.
    """
    blocks = re.split(r"\n[^\S\n]*\n", passage.strip())
    blocks = blocks if len(blocks) > 1 else passage.splitlines()

    def heading(line: str) -> bool:
        plain = re.sub(r"[\W_]+", " ", line).strip().lower()
        return bool(re.fullmatch(r"(?:paragraphe?|absatz|párrafo|段落)?[ \d]{0,3}", plain))

    texts = ("\n".join(line for line in block.splitlines() if not heading(line)) for block in blocks)
    return [text for text in texts if text]


def ends_with(paragraph: str, sentence: str) -> bool:
    """Are the last words of ``paragraph`` those of ``sentence``? Closing quotes and full stops are ignored."""
    text, end = plain(paragraph), plain(sentence)
    return bool(end) and text.endswith(end) and not text.removesuffix(end)[-1:].isalnum()


_QUOTES = str.maketrans("‘’`“”„«»", "'''" + 5 * '"')


def plain(text: str) -> str:
    """The text with plain quotes, single spaces and small letters, up to its last letter or digit."""
    text = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    text = re.sub("« ?([^«»]{0,300}?) ?»", r"«\1»", text) if "«" in text else text  # as in French
    text = text.translate(_QUOTES)
    end = len(text)
    while end and not text[end - 1].isalnum():
        end -= 1
    return text[:end]
