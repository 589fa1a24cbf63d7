"""Players that answer the paper's prompts as a strong chat model does: at length, with markup and remarks.

They know the answers: what is tested is that nothing of their long replies is cut off, lost or misread.
"""

import re

from tot.tasks.crosswords_board import SLOTS, fits
from tot.tasks.crosswords_state import puzzles

ANSWERS = {
    clue: word
    for kind in ("mini", "prompt")
    for each in puzzles(kind)
    for clue, word in zip(each.clues, each.words, strict=True)
}
FILLER = "It is worth a second look, because the choice of words matters here and every one of them has its place. "
CLUE = re.compile(r"^([hv][1-5])\. (.*): ([a-z_]{5})$", re.MULTILINE)


TABLE = "| clue | word | confidence |\n|---|---|---|\n"
DRESSES = (  # one list of proposals (name, clue, word, confidence), as models write it
    lambda items: "\n".join(f"{name}. {word} ({sure})" for name, _, word, sure in items),
    lambda items: "\n".join(f"- **{n}. {w.upper()}** ({s}) – because “{c}” is just that." for n, c, w, s in items),
    lambda items: TABLE + "\n".join(f"| {n} | {w} | {s} |" for n, _, w, s in items),
    lambda items: "\n\n".join(f"### {n}. {c}\n1. {w.capitalize()} ({s} confidence): it fits." for n, c, w, s in items),
    lambda items: "\n".join(f"{i}. {n}: {' '.join(w.upper())} — *{s}*" for i, (n, _, w, s) in enumerate(items, 1)),
)
LEVELS = ("certain", "high", "medium", "low")


def crossword_player(request, i):
    """Proposes all ten words that it knows, filled ones among them; judges each clue rightly, after long reasoning."""
    system, asked = request.messages[0].content, request.messages[-1].content
    if system.startswith("This is a crossword in progress"):
        found = CLUE.findall(asked)
        items = [(name, clue, ANSWERS[clue], LEVELS[(i + at) % 4]) for at, (name, clue, _) in enumerate(found)]
        return f"Sure! {FILLER * 40}\n\nHere are my ideas:\n\n{DRESSES[i % 5](items)}\n\nLet me know if you want more."
    if system.startswith("A crossword clue"):
        clue, letters = re.fullmatch(r"[hv][1-5]\. (.*): ([a-z_ ]{9})", asked).groups()
        good = fits(ANSWERS[clue], letters.replace(" ", ""))
        verdict = "Sure" if good else "Impossible"
        return f"**Reasoning:** is it impossible? I am not sure yet. {FILLER * 30}\n\nVerdict:\n\n**{verdict}**."
    words = [ANSWERS[line.partition(". ")[2]] for line in asked.split("\n")]
    rows = "\n".join(" ".join(word.upper()) for word in words[:5])
    chain = "\n".join(
        f"{name}. {line}: {word}" for name, line, word in zip(SLOTS, asked.split("\n"), words, strict=True)
    )
    if "Rows:" in system:
        return f"Let us think. {FILLER * 50}\n\n{chain}\n\n**Rows:**\n{rows}\n\nI hope this helps!"
    return f"Certainly! {FILLER * 10}\n\nThis is the grid:\n\n```\n{rows}\n```\n\nLet me know if you have questions."


PLAN = "1. **A beginning**: a tin is found.\n\n2. A middle, in two parts.\n3. An end, at last. "
BALLOT = (
    "### Analysis\n\nChoice 1: {0}\n\nChoice 2 is weaker. {0}\n\nChoice {n} stands out, unlike choice 1 or choice 2."
)


def passage_of(sentences, i):
    """Four long paragraphs, different for each ``i``."""
    return "\n\n".join(f"Telling {i} goes on. {FILLER * 11}{sentence}" for sentence in sentences)


def ballot_for(n):
    filled = BALLOT.format(FILLER * 25, n=n)
    return f"{filled}\n\nI conclude: **the best choice is Choice {n}**, since choice 1 is dull."


def writing_player(request, i):
    """Plans, passages of 5,000 characters, ballots with a long analysis for choice 2; refines once and is content."""
    asked = request.messages[0].content
    sentences = re.findall(r"^[1-4]\. (.*)$", asked, re.MULTILINE)[:4]
    if "The best choice is" in asked:
        return ballot_for(2)
    if "Refined passage:" in asked:
        if "Telling 9" in asked:
            return f"I have read it twice. {FILLER * 5}In my view the passage is already **perfectly coherent**."
        return f"The passage is not perfectly coherent. {FILLER}\n\n**Refined passage:**\n\n{passage_of(sentences, 9)}"
    if asked.endswith("Passage:"):
        return f"{passage_of(sentences, i)}\n\n---\n\n*This passage follows the plan.*"
    if "Passage:" in asked and request.stop:
        return f"Certainly! Here is a plan.\n\n**Plan:**\n\n{PLAN}{i}"
    if "Passage:" in asked:
        return f"**Plan:**\n{PLAN}{i}\n\n**Passage:**\n\n### The Tin\n\n{passage_of(sentences, i)}"
    return (
        f"Sure! Here is a coherent passage:\n\n**The Tin**\n\n{passage_of(sentences, i)}\n\nLet me know what you think!"
    )


def question_player(answer):
    """Strategies, long solutions that end in ``answer``, ballots with a long analysis for choice 2."""

    def says(request, i):
        asked = request.messages[0].content
        if "The best choice is" in asked:
            return ballot_for(2)
        worked = f"First, 1 of 3. {FILLER * 50}\n\nAttempt {i}.\n\n**The answer is {answer}.**"
        if asked.endswith("Answer:"):
            return f"{worked}\n\nLet me know if you need more!"
        if request.stop:
            return f"Strategy:\nStrategy number {i}: {FILLER * 12}\n\n- read\n- work it out"
        return f"**Strategy:** number {i}. {FILLER}\n\n**Answer:**\n{worked}"

    return says
