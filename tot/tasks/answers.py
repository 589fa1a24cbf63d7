"""Answers of question tasks: how to ask for one, how to read it from a reply, and when two are the same.

There are five formats: a number, yes or no, the letter of a choice, one word, and a short answer in a few words. Short
answers are compared as in HotpotQA: by their normal form (``normal_answer``), exact match and F1.

An answer comes after a mark: "the answer is", "Answer:", "答案是" (there is a Chinese translation of the paper), "####"
(GSM8K) or "\\boxed". The last mark counts. A reply without one is read only if the prompt asked for the answer alone.
"""

import re
import string
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial

from ..parse import MAX_REPLY, Read, bad, number
from ..reply import LIKELY, data_in, ended, marked, member, one_of, put_right, taken_back, unwrapped
from .numbers import european, number_in, numbers_in, tidy


@dataclass(frozen=True)
class Format:
    """What an answer looks like.

    ``ask`` completes "Then write the line ...". ``read(reply, bare)`` finds the answer; with ``bare``, also in a reply
    that is an answer without a mark. ``same(answer)`` is its normal form: equal forms are the same answer.
    ``given(question)``: what the question gives to choose from, where ``read`` takes that as its third argument.
    """

    ask: str
    read: Callable[[str, bool], Read[str]]
    same: Callable[[str], str]
    given: Callable[[str], Mapping[str, str]] | None = None


def _said_in_json(text: str) -> str | None:
    """The answer in a reply that is a JSON object; None for any other reply."""
    said = member(data_in(text), "answer_members") if re.match(r"\W{0,9}(?:json\s*)?[{]", text, re.IGNORECASE) else None
    return str(said) if isinstance(said, str | int | float) else None


# ---------------------------------------------------------------- numbers


def read_number(reply: str, bare: bool = False) -> Read[str]:
    """The number that a reply gives as its answer, as "1234.50", "-3" or "3/4": ``tot.parse.number`` reads these.

    Commas, currency and what follows (units, full stops) are dropped; in "x = 5 + 3 = 8" the 8 counts; "2 1/2" becomes
    "5/2", "1.5 million", "1.5e6" and "1.5 x 10^6" become "1500000"; of "not 3 but 4" the 4 counts. Refused are "3 or 4"
    and "3, 4", "6 * 7", "4^2", a time (12:30), "5 hours and 30 minutes", and a number with odd commas. With ``bare``,
    the only number on the last line is enough, or a first line that is no more than a number.
    """
    text = tidy(ended(reply))
    if (said := _said_in_json(text)) is not None:
        return _or_bad(number_in(tidy(said)), reply)
    marks = marked(text)
    if marks:
        last = marks[-1]
        reads = [number_in(european(mark.said) if mark.european else mark.said) for mark in marks[-3:]]
        if len({read.value for read in reads}) > 2 and last.at - marks[-3].at < 80:
            return bad("goes through several answers", reply)
        return bad("the answer is taken back", reply) if taken_back(text[last.at :]) else _or_bad(reads[-1], reply)
    if not bare:
        return bad("no answer named", reply)
    first, end = _ends(text) or ("", "")
    if numbers_in(end.rpartition("=")[2]) == 1 and (read := number_in(end)).ok:
        return read
    if _PLAIN.fullmatch(first) and (read := number_in(first)).ok:
        return read
    return _or_bad(number_in(end), reply) if numbers_in(end) < 2 else bad("several numbers in the answer", reply)


# a line that is no more than a number and its unit
_PLAIN = re.compile(r"[\s*_$]*[-$€£¥]{0,2}[\d.,'/]+\s?[^\W\d]{0,12}[\s*_.]*")


def _or_bad(read: Read[str], reply: str) -> Read[str]:
    return read if read.ok else bad(read.why, reply)


def same_number(answer: str) -> str:
    """The value to six places, so that 1/3 equals 0.333333333; a text without a number stays as it is."""
    value = number(read_number(answer, bare=True).value or "")
    return " ".join(answer.split()) if value is None else str(round(value, 6))


# ---------------------------------------------------------------- what comes before an answer and leaves it as it is

_OPINION = (
    r"(?:I\s(?:think|believe|guess|suppose|assume)|(?:I\swould|I['’]d)\s(?:(?:therefore|thus|also)\s)?(?:say|guess|think|go\swith|pick|choose)"
    r"|my\s(?:best\s)?guess\sis|in\smy\s(?:opinion|view))(?:\sthat\b)?(?:\s(?:it|that)(?:\sis|['’]s)\b)?"
)
# possessive at its end: the copula 是 is not the answer 是
_LIKELY_CHINESE = r"(?:(?:最|很|极)?有?可能|大概率?|应该|或许|也许|我认为|我觉得|我想)(?:会)?是?+"
_HEDGE = rf"(?:\b(?:{LIKELY}|{_OPINION})(?:\s(?:to\s)?be)?\b|{_LIKELY_CHINESE})"
# only what leaves the answer as it is: never "not" or "unlikely"
_HEDGES = rf"(?:[^\w\n]{{0,6}}{_HEDGE}){{1,3}}[)\],:*]{{0,3}}"
# reads the piece of a reply that has been found to hold the answer
Within = Callable[[str], Read[str]]


@cache
def _polite() -> re.Pattern[str]:
    return re.compile(rf"[\W_]{{0,6}}{one_of('polite')}(?!\w)(?=.*[:!?.]\W*$)", re.IGNORECASE)


def _ends(text: str) -> list[str]:
    """The first and the last line of a text that say something and are not mere politeness."""
    lines = [line for line in text.splitlines() if re.search(r"\w", line)]
    lines = [line for line in lines if not _polite().match(line)] or lines
    return [lines[0], lines[-1]] if lines else []


def _in_reply(
    reply: str, bare: bool, within: Within, nothing: str, ends: slice = slice(2), choice: bool = False
) -> Read[str]:
    """Reads the last marked answer of a reply; with ``bare``, of a reply without a mark its first or last line."""
    text = tidy(ended(reply))
    if (said := _said_in_json(text)) is not None:
        return _or_bad(within(unwrapped(said)), reply)
    marks = [mark for mark in marked(text, choice) if not mark.bold or within(unwrapped(mark.said)).ok]
    if not marks:
        reads = [within(unwrapped(line)) for line in _ends(put_right(text))[ends]] if bare else []
        read = next((read for read in reads if read.ok), next(iter(reads), bad("no answer named")))
        return read if read.ok else bad(read.why if bare and reads else nothing, reply)
    line = text.rfind("\n", 0, marks[-1].at) + 1
    marks = [mark for mark in marks if mark is marks[-1] or not taken_back(text[mark.at : marks[-1].at])]
    reads = [within(unwrapped(mark.said)) for mark in marks if mark.at >= line]
    found = {read.value for read in reads if read.ok}
    if len(found) > 1:
        return bad("several answers on a line", reply)
    if taken_back(text[marks[-1].at :]):
        return bad("the answer is taken back", reply)
    return reads[-1] if reads[-1].ok else bad(reads[-1].why, reply)


# ---------------------------------------------------------------- yes or no


@cache
def _yes_no() -> dict[str, re.Pattern[str]]:
    word = rf"(?P<word>{one_of('yes', 'no')})(?![\w-])"
    ends = r"(?=[^\w\n]*$|\s?[^\w\s]|\s(?:because|since|as|given|but|and|or)\b)"  # not "probably no one"
    claim = r"(?:(?:(?:the|this|that)\s)?(?:statement|claim|it|that)(?:\sis|['’]s)\s)?"
    dressed = claim + r"(?:(?:that|a|an)\s(?:(?:clear|definite|firm|resounding|simple|strong)\s)?)?"
    verdict = rf"(?P<hedge>{_HEDGES})?\W{{0,8}}{dressed}{word}(?(hedge){ends})"
    alone = r"(?=\W*$|[.,!;:。！，]|\s[-–—]|\s(?:because|since|as)\b)"
    return {
        "verdict": re.compile(verdict, re.I | re.M),
        "or else": re.compile(
            rf"(?:\W{{0,6}}(?:or|and|but|/|,|或者?|还是|和|oder|ou|o|или)(?:{_HEDGES})?\W{{0,6}}|\s)"
            rf"(?P<word>{one_of('yes', 'no')})(?!\w){ends}",
            re.I,
        ),
        # "no telescope is needed", "no one", but "No it is not"
        "determiner": re.compile(
            r"no\s(?!(?:it|they|he|she|we|you|i|there|this|that|not|because|since|as|given|but|and|or)\b)\w", re.I
        ),
        "denied": re.compile(rf"\W{{0,8}}{one_of('denied')}(?!\w){alone}", re.I),
        "affirmed": re.compile(rf"\W{{0,8}}{one_of('affirmed')}(?!\w){alone}", re.I),
        "yes": re.compile(one_of("yes"), re.I),
    }


_NEXT = re.compile(r"[\s!]{1,3}(?P<word>yes|no)\b", re.IGNORECASE)  # of a loop


def _yes_no_in(said: str) -> Read[str]:
    patterns = _yes_no()
    found = patterns["verdict"].match(said)
    if found and patterns["determiner"].match(said, found.start("word")):
        found = re.search(r"(?s:.)[:—–]\s(?P<word>yes|no)\W*$", said, re.IGNORECASE)
    if found:
        words = [found["word"]]
        if other := patterns["or else"].match(said, found.end("word")) or _NEXT.match(said, found.end("word")):
            words.append(other["word"])
        verdicts = {bool(patterns["yes"].fullmatch(word)) for word in words}
        if len(verdicts) > 1:
            return bad("both yes and no in the answer", said)
        return Read("yes" if verdicts.pop() else "no", text=words[-1])
    if colon := re.search(r"[:—–]\s(?P<word>yes|no)(?:[.!]|\W*$)", said, re.IGNORECASE):
        return Read(colon["word"].lower(), text=colon[0])
    for name, verdict in (("denied", "no"), ("affirmed", "yes")):
        if plain := patterns[name].match(said):
            return Read(verdict, text=plain[0].strip())
    return bad("no yes or no in the answer", said)


def read_yes_no(reply: str, bare: bool = False) -> Read[str]:
    """The "yes" or "no" that a reply gives as its answer, in seven languages; true, false, "correct", "not at all" too.

    Hedges before it count for nothing: "probably yes" is yes, "probably not" is no. "Unlikely" is neither, nor is the
    "no" of "no longer". A line that gives both ("yes or no", an echo of the prompt) is refused. With ``bare``, the
    first words of the reply or of its last line are enough.
    """
    return _in_reply(reply, bare, _yes_no_in, "no yes or no in the answer")


# ---------------------------------------------------------------- the letter of a choice

_DRESSED = r"[\s*_:\"'`“”‘’$({}\[]{0,8}"
_NAMED = (
    r"(?:(?:the|die|der|das|la|le|el|l['’])\s?)?"
    r"(?:(?:choice|option|letter|选项|antwort|opción|choix|lettre|buchstabe|letra|вариант|буква)\s?)?"
)
_PICK = rf"{_DRESSED}(?:\\(?:text|mathrm|mathbf)\{{)?{_NAMED}{_DRESSED}(?P<letter>[A-Za-z])(?![A-Za-z0-9'’])"
_PICKED = re.compile(rf"(?P<hedge>{_HEDGES})?{_PICK}(?P<close>[)\]])?", re.IGNORECASE)
_LISTED = re.compile(
    rf"(?P<hedge>{_HEDGES})?{_PICK}(?:[)\].:]|[\s*_\"'`”’]*\.?$|(?(hedge)[*_\"'”’]{{0,3}}(?:[,;.]|\s(?:because|since|as)\b)|(?!)))",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"\s+(?!because\b|since\b|as\b|is\b|in\b|rather\b|depend)[a-z]")
_LETTER = r"(?:[(\[]\s?[A-Z]\s?[)\]]|(?-i:[B-HJ-Z])(?![\w'’])|(?-i:A)(?=[^\w\n]*$|[.,;]))"
_ON = r"(?:(?!\b(?:because|since|as|not|nor|neither|than)\b)[^.;:!?\n]){0,60}?"
_OTHER = re.compile(
    r"[\s*_)\]]{0,4}(?:or|and|/|&|或|和|oder|ou|или)[\s*_(\[]{0,4}[A-Z](?![A-Za-z])"
    rf"|{_ON}(?:\b(?:or|but)\b|或者?|还是|,)(?:{_HEDGES})?[\s*_]{{0,4}}(?:(?:choice|option|选项)\s?)?[*_]{{0,2}}{_LETTER}"
    r"(?!\W{0,3}(?:is|was|would|could|might|comes|came|may)\b)",
    re.IGNORECASE,
)
_CHOSEN = re.compile(  # "so B", "but I choose B", "not A; it is B", "which is A", "option B is correct"
    rf"(?<!\banything\s)(?:\b(?:so|hence|thus|therefore|but|it\sis|it['’]s|rather|instead|is|be|(?:I\s|I['’]d\s|I\swould\s)(?:choose|pick|select|chose|say|go\swith))\s{{1,3}}){{1,3}}"
    rf"{_NAMED}(?P<letter>[(\[*]{{0,3}}(?-i:[A-HJ-Z])(?![\w'’]))(?!\s[a-z])"
    rf"|(?P<right>(?<!\w)[(\[*]{{0,3}}(?-i:[A-HJ-Z])[)\]*]{{0,3}})\s(?:is|seems|must\sbe)\s(?:the\s)?(?:correct|right|best|answer|most|only)",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"(?:\bcould|\bmight|\bmay|\bnot|n['’]t|\bneither|\bnever|\bif|\bunless|\bwhether)\s(?:\w{1,10}\s){0,2}\Z",
    re.IGNORECASE,
)


def _letter_in(said: str, *, listed: bool) -> Read[str]:
    """``listed``: the line has no mark, and begins with a letter as in a list, or is all of it."""
    said = said[:300]
    found = (_LISTED if listed else _PICKED).match(said)
    several = bool(found and _OTHER.match(said, found.end("letter")))
    if found and not several:
        letter, after = found["letter"], said[found.end("letter") :]
        word_follows = bool(_ARTICLE.match(after)) and "(" not in said[: found.start("letter")]
        if not ((letter.islower() or letter in "AI") and word_follows):  # "A bank", "I believe"
            return Read(letter.upper(), text=found[0].strip())
    chosen = [
        one for one in _CHOSEN.finditer(said) if not _NEGATED.search(said[max(one.start() - 30, 0) : one.start()])
    ]
    letters = {re.sub(r"\W", "", one["letter"] or one["right"]).upper() for one in chosen}
    if len(letters) == 1 and not _OTHER.match(said, chosen[-1].end()):
        return Read(letters.pop(), text=chosen[-1][0].strip())
    return bad("several letters in the answer" if several or letters else "no letter in the answer", said)


_CHOICE = re.compile(
    r"(?<![A-Za-z])[(\[]?([A-Z])[)\].:]\s*(.+?)(?=[\s,;]*(?<![A-Za-z])[(\[]?[A-Z][)\].:]\s|\s*\Z)", re.DOTALL
)


def choices_of(question: str) -> dict[str, str]:
    """The choices that a question gives, "(A) a bank (B) a shop" or a line each: letter -> its words."""
    found = {letter: " ".join(words.split()).strip(" ,;.") for letter, words in _CHOICE.findall(question[-MAX_REPLY:])}
    return found if [*found] == [chr(ord("A") + i) for i in range(len(found))] else {}


def read_letter(reply: str, bare: bool = False, choices: Mapping[str, str] | None = None) -> Read[str]:
    """The letter of the choice that a reply gives as its answer, as a capital: "B", "(b)", "B) a bird", "option B".

    Hedges before it count for nothing: "most likely (C)" is C, "not (C)" is no letter. "A" before a word is an article,
    a small letter must stand in brackets or alone, and "A or B" is refused. With ``bare``, a letter is enough that
    begins the first or last line as in a list, or is all of it. ``choices``: letter -> its words, where they are known.
    A letter that none has is refused, and an answer in the words of one is its letter.
    """
    text = tidy(ended(reply))
    listed = not marked(text, True) and _said_in_json(text) is None
    if len(ticked := set(_TICKED.findall(text))) == 1:
        return Read(ticked.pop(), text="ticked")
    if listed and re.search(r"\bdepend(?:s|ing)\b", text) and not re.search(r"\bI\b", text):
        return bad("no letter in the answer", reply)
    if listed:
        reply = text = _without_list(text)
    read = _in_reply(
        reply,
        bare,
        partial(_letter_in, listed=listed),
        "no letter in the answer" if bare else "no answer named",
        choice=True,
    )
    if not choices or (read.value or "A") not in choices:
        return read if not choices else bad(f"there is no choice {read.value}", reply)
    if read.ok:
        return read
    said = [mark.said for mark in marked(text, True)[-1:]] or (_ends(text)[-1:] if bare else [])
    ends = [re.split(r"(?<=[a-z)][.!?])\s", line.rstrip())[-1] for line in said]
    for part in ([re.split(r",?\s(?:since|because|as)\b", end)[0] for end in ends], said):
        named = {letter for letter, words in choices.items() for line in part if _has(line, words)}
        if len(named) == 1 and not any(_NO.search(line) for line in part):
            return Read(named.pop(), text=said[0][:200])
    return read


_TICKED = re.compile(r"(?m)^\W{0,4}([A-J])\b[^\n]{0,60}?(?:✅|✓|✔|☑|\|\s?yes\b)")
_IN_LIST = re.compile(r"\W{0,6}[A-Z][.):]\s")


def _without_list(text: str) -> str:
    """The text without a list of the choices, but with an answer that has the form of one and stands before it."""
    lines = [line for line in text.splitlines() if re.search(r"\w", line)]
    listed = [bool(_IN_LIST.match(line)) for line in lines]
    if sum(listed) < 3:
        return text
    first = listed[0] and not listed[1]
    return "\n".join(
        line for i, (line, in_list) in enumerate(zip(lines, listed, strict=True)) if not in_list or (first and not i)
    )


_NO = re.compile(r"\b(?:not|never)\b|n['’]t\b", re.IGNORECASE)


def _has(line: str, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words.casefold())}(?!\w)", line.casefold()) is not None


# ---------------------------------------------------------------- a word

_SPELLED = re.compile(r"(?:[A-Za-z][\s,.\-+]{1,3}){1,39}[A-Za-z](?![A-Za-z])")
_QUOTED = re.compile(r"[\"'`“‘*]{1,3}([A-Za-z]{1,40})[.,]?[\"'`”’*]{1,3}")
_ONE = re.compile(r"(?:the (?:word|string|letters?) )?([A-Za-z]{1,40})(?![A-Za-z\d]|[ \-]+[A-Za-z\d])", re.IGNORECASE)


def _word_in(said: str) -> Read[str]:
    said = unwrapped(said[:300].rpartition("=")[2]).lstrip(" *_`:$({[\"'“‘")
    spelled, one, quoted = _SPELLED.match(said), _ONE.match(said), _QUOTED.search(said)
    if spelled:
        return Read(re.sub(r"[^A-Za-z]", "", spelled[0]).lower(), text=said)
    found = one or quoted
    return Read(found[1].lower(), text=said) if found else bad("not one word in the answer", said)


def read_word(reply: str, bare: bool = False) -> Read[str]:
    """The one word that a reply gives as its answer, in small letters: yajo, "Yajo", y-a-j-o and y a j o are the same.

    Several words are refused. With ``bare``, a last line that is only one word is enough.
    """
    return _in_reply(reply, bare, _word_in, "no answer named", slice(1, 2))


# ---------------------------------------------------------------- a short answer, as in HotpotQA

MAX_SHORT = 200  # characters of a short answer
MAX_WORDS = 12
_AROUND = "：*_`\"'“”«»「」『』[]{}$: \t>#-"
_FINISH = re.compile(r"\bFinish\s?\[([^\[\]\n]{1,200})\]?", re.IGNORECASE)
_SPAN = re.compile(
    r"\s*(?:the\s)?(?:\*{1,3}([^*\n]{1,120})\*{1,3}|\"([^\"\n]{1,120})\"|“([^”\n]{1,120})”|「([^」\n]{1,80})」|`([^`\n]{1,120})`)",
    re.I,
)
_TAIL = re.compile(
    r"\s\(|,\s(?:which|who|whose|where|because|since|as|so|although|though|not|an?|the\s\w+\sof)\b|\s(?:because|since|as\s\w+\s(?:is|was))\b"
    r"|(?<=[\w)\]\"*”’][\w)\]\"*”’][\w)\]\"*”’])[.!?](?=\s|$)|[。！；;]|\s[—–-]\s|です"
)
_IS_NAMED = re.compile(
    r"\A\W*(?i:the|it|this|that|he|she|his|her|they|its|their|in|both|based|according|so)\b.{0,200}\b(?:is|was|are|were)\s(?:called\s|named\s|\w+(?:ed|en)\sby\s)?(?=[\W_]*(?:the\s)?[\W_]*[A-Z\d])",
    re.DOTALL,
)


@cache
def _unknown() -> re.Pattern[str]:
    return re.compile(rf"\W{{0,8}}{one_of('unknown')}(?!\w)", re.IGNORECASE)


def _short_in(said: str, *, sentence: bool) -> Read[str]:
    """``sentence``: the text has no mark, so that its last part may be a sentence about the answer."""
    said = unwrapped(said).strip()
    yes_no = _yes_no()["verdict"].match(said)
    if yes_no and re.match(r"\W*$|[.,;:!]|\s(?:because|since|as)\b", said[yes_no.end() :]):
        return _yes_no_in(said)
    if _unknown().match(said) or re.search(r"\b(?:Search|Lookup)\s?\[", said):
        return bad("no answer named", said)
    named = _IS_NAMED.match(said) if sentence else None
    said = said[named.end() :] if named else said
    span = _SPAN.match(said)
    tail = _TAIL.search(said)
    answer = next(filter(None, span.groups())) if span else said[: tail.start()] if tail else said
    answer = " ".join(answer.split()).lstrip(_AROUND).rstrip(_AROUND + ".,。")
    if not re.search(r"\w", answer):
        return bad("no answer named", said)
    if len(answer) > MAX_SHORT or (sentence and not named and not span and _is_sentence(answer)):
        return bad("not a short answer", said)
    return Read(answer, text=answer)


def _is_sentence(text: str) -> bool:
    """Does a text say something about the answer, as a name or a title does not?"""
    words = text.split()
    plain = [
        word
        for word in words
        if word.islower() and word not in ("of", "the", "and", "in", "a", "an", "to", "for", "on")
    ]
    return len(words) > MAX_WORDS or (len(words) > 4 and len(plain) > 2)


def read_short(reply: str, bare: bool = False) -> Read[str]:
    """The short answer at the end of a reply: what follows the last "answer is" or "Answer:" on its line.

    Quotes, brackets, markup, the full stop and a remark behind it ("..., which is in Norway", "(1997)") are dropped.
    With ``bare``, the first line of a reply without such a mark is enough, unless it says that there is no answer.
    """
    text = ended(reply).strip()[-MAX_REPLY:]
    if (said := _said_in_json(text)) is not None:
        return _or_bad(_short_in(said, sentence=False), reply)
    if finish := [*_FINISH.finditer(text)]:
        inner = marked(finish[-1][1])
        return _or_bad(_short_in(inner[-1].said if inner else finish[-1][1], sentence=False), reply)
    marks = marked(text)
    if not marks and not bare:
        return bad("no answer named", reply)
    if marks:
        return (
            bad("the answer is taken back", reply)
            if taken_back(text[marks[-1].at :])
            else _or_bad(_short_in(marks[-1].said, sentence=False), reply)
        )
    lines = _ends(text) or [""]
    read = _short_in(lines[0], sentence=True)
    if not read.ok and read.why == "not a short answer":
        last = re.split(r"(?<=[a-z)\d][.!?])\s+(?=[A-Z])", lines[-1])[-1]
        read = _short_in(last, sentence=True)
    return _or_bad(read, reply)


_PUNCTUATION = str.maketrans("", "", string.punctuation)
_CLOSED = ("yes", "no", "noanswer")


def normal_answer(answer: str) -> str:
    """An answer as SQuAD and HotpotQA compare it: small letters, no ASCII punctuation, no articles, single spaces."""
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", answer.lower().translate(_PUNCTUATION)).split())


def exact_match(answer: str, gold: str) -> bool:
    """EM of HotpotQA (Yang et al. 2018): equal after ``normal_answer``. Two answers without a word are equal."""
    return normal_answer(answer) == normal_answer(gold)


def f1(answer: str, gold: str) -> float:
    """F1 of HotpotQA's official evaluation: the harmonic mean of precision and recall over words, order ignored.

    Where one side is yes, no or noanswer, partial agreement counts as 0; so do answers that share no word.
    """
    said, right = normal_answer(answer), normal_answer(gold)
    if said != right and (said in _CLOSED or right in _CLOSED):
        return 0.0
    words, wanted = Counter(said.split()), Counter(right.split())
    common = (words & wanted).total()
    return 2 * common / (words.total() + wanted.total()) if common else 0.0


# ---------------------------------------------------------------- the formats


def _as_read(read: Callable[[str, bool], Read[str]], answer: str) -> str:
    """What ``read`` finds in an answer; a text in which it finds nothing, in lower case and with single spaces."""
    return read(answer, True).value or " ".join(answer.lower().split())


NUMBER = Format('"The answer is" and the number', read_number, same_number)
YES_NO = Format('"The answer is yes" or "The answer is no"', read_yes_no, partial(_as_read, read_yes_no))
LETTER = Format('"The answer is" and the letter of the choice', read_letter, partial(_as_read, read_letter), choices_of)
WORD = Format('"The answer is" and the word', read_word, partial(_as_read, read_word))
SHORT = Format('"The answer is" and the answer in one to five words', read_short, normal_answer)
