"""Takes off what a model thought before it answered, in the forms in which the families write it into the text.

A server that knows its model tells the thinking apart; others send it along: in tags of many names, in the channels of
gpt-oss and Gemma, or between two sentences (Granite, Apriel). What is cut off inside it was never an answer.
"""

import re

_ABOUT = r"(?:\w{1,12}:)?(?:\w{0,12}(?:think|thought|reason|reflect|scratch|monolog|deliberat)\w{0,12}|analysis|cot)"
# DeepSeek, Qwen and most others; Mistral; Kimi; Cohere, OpenThinker, Apertus; gpt-oss; Gemma, MedGemma
_OPENS = (
    rf"<{_ABOUT}(?:\s[^<>\n]{{0,80}})?>|\[think(?:ing)?\]|◁think▷"
    r"|<\|(?:start_|begin_|begin_of_)?(?:think(?:ing)?|thought|inner_prefix)\|>"
    r"|(?:<\|start\|>assistant)?<\|channel\|>\s?(?:analysis|commentary)[^<>]{0,60}<\|message\|>"
    r"|<\|channel>\s?thought\b|<unused94>(?:thought\b)?"
)
_FINAL = r"(?:<\|end\|>)?(?:<\|start\|>assistant)?<\|channel\|>\s?final(?:[^<>]|<\|constrain\|>){0,60}<\|message\|>"
_CLOSES = (
    rf"</{_ABOUT}>|\[/think(?:ing)?\]|◁/think▷|<\|(?:end_|/|end_of_)(?:think(?:ing)?|thought)\|>|<\|inner_suffix\|>"
    r"|<channel\|>|<unused95>"
)
# that end other things as well, so only inside of thinking
_ENDS = r"<\|(?:end|call|return)\|>"
_MARK = re.compile(rf"(?P<final>{_FINAL})|(?P<open>{_OPENS})|(?P<close>{_CLOSES})|(?P<end>{_ENDS})", re.IGNORECASE)
_SAID = (  # forms in words: how the thinking begins, and how the answer does
    (re.compile(r"\s*analysis(?=[A-Z\d(\"'])"), re.compile(r"assistant\s?final")),  # gpt-oss, its marks taken out
    (
        re.compile(r"\W{0,9}here(?:['’]s| is) my (?:thought process|thinking|reasoning)\b\W{0,4}:", re.IGNORECASE),
        re.compile(r"\bhere(?:['’]s| is) my (?:final )?(?:response|answer)\b\W{0,4}:[*_]{0,3}", re.IGNORECASE),
    ),
    (re.compile(r"\W{0,9}here are my reasoning steps\W{0,4}:", re.IGNORECASE), re.compile(r"\[BEGIN FINAL RESPONSE\]")),
)
_QUOTES = "`\"'“‘"  # before a tag: a text that quotes the tag
_ANSWERS = re.compile(r"\banswer\b|####|\\boxed|</\w|\A\W*\d[\d.,]*\W*\Z", re.IGNORECASE)  # "The answer is 18."
# "the answer is 18. I hope", not "perhaps the answer is 12, let me verify. Then"
_CONCLUDED = re.compile(
    r"(?:(?<!maybe\sthe\s)(?<!perhaps\sthe\s)\banswer\b[*_ ]{0,4}(?:is\b(?!\s(?:not|going)\b)|:)|####|\\boxed\{)"
    r"(?![\s\S]*\b(?:wait|but|hmm|let(?:['’]s|\sme)\s(?!know)|verify|actually|hold on|alternatively|is that|to be"
    r"\ssure)\b)\W{0,9}(?:[^\n.!?]|\.(?=\d|\s[A-Z][.a-z])){1,60}(?:[.!}\n]|\Z)",
    re.IGNORECASE,
)
_LEAD = re.compile(r"(?:^|\n|[.!?:。！])\s*\Z")  # what may stand before the first tag: nothing, lines, a sentence


def split_thinking(text: str, cut: bool = False) -> tuple[str, str, bool]:
    """(thinking, answer, whether the thinking ended) of a text that may begin with what the model thought.

    The mark that opens it may be missing, since some chat templates put it into the prompt. Marks count only before the
    answer, which may speak of ``<think>`` itself; a line before them ("Let me see.") goes with the thinking, unless
    nothing follows or it gives an answer, and several lines with the answer. No character of the answer is lost but
    white space before it.
    ``cut``: the text was cut off; one that was not, or names an answer, and begins "Here is my reasoning:" alone,
    answers with it.
    """
    for begin, end in _SAID:
        if begun := begin.match(text):
            ended = end.search(text, begun.end())
            if not ended and begun[0].endswith(":") and not (cut and not _CONCLUDED.search(text, begun.end())):
                break
            thought = text[begun.end() : ended.start() if ended else len(text)].strip()
            return thought, text[ended.end() :].lstrip() if ended else "", bool(ended)
    thoughts, depth, at, lead, outer = list[str](), 0, 0, "", ""
    begins = len(text) - len(text.lstrip())  # what stands behind the last mark
    for mark in _MARK.finditer(text):
        outside = depth == 0 and begins < mark.start()  # something stands before this mark that is no thinking
        if outside and at:
            break  # the answer has begun
        if outside and text[mark.start() - 1] in _QUOTES and not mark["final"]:
            continue
        before = text[at : mark.start()]  # only now: a quotation may go on for long
        if outside:
            if mark["open"] and _LEAD.search(before[-40:]):
                lead = before.strip()
            elif (mark["close"] and not _opened(text, mark.start())) or mark["final"]:
                thoughts.append(before.strip())
            else:
                break
        elif depth == 0 and mark["end"]:
            continue
        elif depth:
            thoughts.append(before.strip())
        outer = outer or _named(mark[0])
        depth = 0 if mark["final"] else depth + 1 if mark["open"] else max(depth - 1, 0)
        at = begins = mark.end()
        while begins < len(text) and text[begins].isspace():
            begins += 1
    rest = text[at:].lstrip() if at else text
    if depth and (cut or not mark["close"] or _named(mark[0]) != outer):  # else another mark was only spoken of
        return "\n".join(filter(None, [lead, *thoughts, rest.strip()])), "", False
    if lead and ("\n" in lead or not rest.strip() or _ANSWERS.search(lead)):
        return "\n".join(filter(None, thoughts)), f"{lead}\n{rest}".strip(), True
    return "\n".join(filter(None, [lead, *thoughts])), rest, True


def _opened(text: str, end: int) -> bool:
    return any(mark["open"] for mark in _MARK.finditer(text, 0, end))


def _named(mark: str) -> str:
    """The name that an opening and a closing mark have in common: "think" of ``</think>``."""
    return re.sub(r"[\W_]|begin_|start_|end_|of_", "", mark.split()[0].lower())
