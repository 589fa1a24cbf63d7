"""A scripted model that writes as GPT-4 does, for the prompts of every plan: nine proposals, rounded decimals,
headings, reasons before the verdict. It knows no answer: what it says depends on the prompt, the seed and the choice.

    with FakeServer(fixed_delay(0.05)) as server: ...
    python tests/helpers/gpt4_like.py --delay 0.02      # serves it in a process of its own
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Mapping, Sequence

from fake_server import Answer, Behaviour, FakeServer, completion

Messages = Sequence[Mapping[str, str]]
TALK = "the first step matters since a later one relies on what it says and nothing after it can repair a slip"
VERDICTS = {
    "game24": ("sure", "likely", "likely", "impossible"),
    "crosswords": ("sure", "maybe", "maybe", "impossible"),
}
FIVE = ("arena", "peril", "place", "laser", "exert", "apple", "relax", "erase", "nicer", "alert", "bring", "lover")


def play(messages: Messages, seed: int | None, choice: int) -> str:
    """One choice of the reply."""
    whole = "\n".join(message["content"] for message in messages)
    chance = random.Random(f"{whole}|{seed}|{choice}")
    return _reply(messages[-1]["content"], whole, chance)


def _reply(text: str, whole: str, chance: random.Random) -> str:
    end = text.rstrip().rsplit("\n", 1)[-1]
    talk = _talk(chance, 40)
    if "Score: N" in text or '"Score:"' in text:
        return f"Let's look at it closely.\n\n1. {talk}\n2. {_talk(chance, 30)}\n\n**Score: 0.{chance.randint(2, 9)}**"
    if '"The score is"' in text:
        return f"The score is {chance.randint(4, 9)}."
    if "more coherent passage is" in text:
        return f"The more coherent passage is {chance.choice('12')}."
    if "The best choice is" in text:
        choices = max(1, len(re.findall(r"^Choice \d+", text, flags=re.M)))
        said = "\n\n".join(f"**Choice {i}**: {_talk(chance, 30)}" for i in range(1, choices + 1))
        return f"{said}\n\nThe best choice is {chance.randint(1, choices)}."
    if "perfectly coherent" in text:
        done = chance.random() < 0.4
        return "The passage is perfectly coherent." if done else f"Refined passage:\n\n{_passage(text, chance)}"
    if "plan" in text and re.search(r"Write (?:a|only)\b.*plan", text):
        steps = "\n".join(f"{i}. **Step {i}:** {_talk(chance, 20)}" for i in range(1, 7))
        return f"Certainly! Here's a plan:\n\n{steps}\n\nThis one is number {chance.randrange(10**6)}."
    if '"Action: ' in text:
        done = text.count("Observation")
        finish = chance.random() < 0.2 * done
        action = "Finish[Dinant]" if finish else f"Search[{chance.choice(['Adolphe Sax', 'Dinant', 'Heidi', 'Nile'])}]"
        return f"Thought: {talk}\nAction: {action}"
    if "went wrong" in text:
        return f"**What went wrong:** {talk}\n\n**Next time:** look at {chance.randrange(1000)} other articles."
    if "crossword" in text or re.search(r"^[hv]\d\. ", text, flags=re.M):
        return _crossword(text, whole, chance)
    if "Numbers:" in whole or re.fullmatch(r"[\d. /-]+", end):
        return _game24(text, whole, chance)
    if "paragraphs" in text:
        plan = "Plan:\n" + "\n".join(f"- {_talk(chance, 15)}" for _ in range(4))
        if text.rstrip().endswith("Passage:") or ("Passage:" not in text and "plan" not in text.lower()):
            return _passage(text, chance)
        return f"{plan}\n\nPassage:\n{_passage(text, chance)}"
    answer = (
        "yes" if '"The answer is yes"' in text else "C" if "letter of the choice" in text else chance.randint(3, 20)
    )
    if "Strategy:" in text and not text.rstrip().endswith("Answer:"):
        return f"Strategy:\n{talk}\n\nAnswer:\n{_talk(chance, 30)}\nThe answer is {answer}"
    if "in a few words" in whole and "The answer is" not in whole:
        return "Dinant"
    return f"**Step 1.** {talk}\n\n**Step 2.** {_talk(chance, 30)}\n\nThe answer is {answer}."


def _talk(chance: random.Random, about: int) -> str:
    words = [chance.choice(TALK.split()) for _ in range(chance.randint(about // 2, about * 3 // 2))]
    return " ".join(words).capitalize() + "."


def _passage(text: str, chance: random.Random) -> str:
    """Four paragraphs that end in the four sentences."""
    ends = re.findall(r"^\d\. (.+)$", text, flags=re.M)[:4]
    return "\n\n".join(f"{_talk(chance, 40)} {end}" for end in ends or ["The end."] * 4)


def _crossword(text: str, whole: str, chance: random.Random) -> str:
    if "Open clues" in text or "your confidence" in whole:
        clues = re.findall(r"^([hv]\d)\. ", text.partition("Filled clues")[0], flags=re.M)[:10]
        sure = ("certain", "high", "medium", "low")
        lines = (f"{clue}. {chance.choice(FIVE)} ({chance.choice(sure)})" for clue in clues)
        return "Here are some words that might fit:\n\n" + "\n".join(lines)
    if len(text.strip().splitlines()) < 5:
        return f"{_talk(chance, 25)}\n{chance.choice(VERDICTS['crosswords'])}"
    rows = [chance.choice(FIVE) for _ in range(5)]
    board = "\n".join(" ".join(row.upper()) for row in rows)
    words = "\n".join(f"{kind}{i}. {chance.choice(FIVE)}" for kind in "hv" for i in range(1, 6))
    return f"{words}\nRows:\n{board}" if "Rows:" in whole else board


def _game24(text: str, whole: str, chance: random.Random) -> str:
    asked = text.strip()
    if "Judge" in whole:
        return f"Let's see what that gives. {_talk(chance, 15)}\n{chance.choice(['sure', 'impossible'])}"
    lines = [line for line in asked.splitlines() if line.strip()]
    given = next((line for line in reversed(lines) if re.search(r"\d", line) and "=" not in line), "1 2 3 4")
    numbers = [float(n) for n in re.findall(r"\d+(?:\.\d+)?", given)][:4] or [1.0]
    if lines[-1].startswith("Possible next steps") or ("next steps" in whole and "Steps:" not in lines[-1]):
        return "\n".join(_step(numbers, chance)[0] for _ in range(9))
    if lines[-1].startswith("Steps"):
        steps, left = [], numbers
        while len(left) > 1:
            line, left = _step(left, chance)
            steps.append(line)
        return "\n".join([*steps, f"Answer: {_expression(numbers, chance)} = 24"])
    if re.fullmatch(r"[\d. /-]+", lines[-1]):
        tries = "\n".join(_step(numbers, chance)[0].partition(" (")[0] for _ in range(3)) if numbers[1:] else ""
        return f"{tries}\n{_talk(chance, 12)}\n{chance.choice(VERDICTS['game24'])}"
    return f"Answer: {_expression(numbers, chance)} = 24"


def _step(numbers: Sequence[float], chance: random.Random) -> tuple[str, list[float]]:
    """A step as GPT-4 writes it, with rounded decimals, and what is left."""
    rest = list(numbers)
    chance.shuffle(rest)
    if len(rest) < 2:
        return f"{rest[0]:g} = {rest[0]:g}", rest
    a, b = rest.pop(), rest.pop()
    made = {"+": a + b, "-": a - b, "*": a * b, "/": a / b if b else 0.0}
    sign = chance.choice("+-*/" if b else "+-*")
    left = sorted([*rest, round(made[sign], 2)])
    return f"{a:g} {sign} {b:g} = {left[left.index(round(made[sign], 2))]:g} (left: {_list(left)})", left


def _list(numbers: Sequence[float]) -> str:
    return " ".join(f"{n:g}" for n in numbers)


def _expression(numbers: Sequence[float], chance: random.Random) -> str:
    return " ".join(f"{n:g} {chance.choice('+*')}" for n in numbers)[:-2]


def fixed_delay(delay: float = 0.0) -> Behaviour:
    """Answers after ``delay`` seconds; four letters are a token, in prompts and in replies. Nothing is cut off unless
    the request says so.
    """

    def behave(body: dict) -> Answer:
        time.sleep(delay)
        texts = [play(body["messages"], body.get("seed"), i) for i in range(body.get("n") or 1)]
        for stop in body.get("stop") or ():
            texts = [text.partition(stop)[0] for text in texts]
        read = sum(len(message["content"]) for message in body["messages"]) // 4
        made = completion(texts, read)
        made["usage"]["completion_tokens"] = sum(len(text) // 4 + 1 for text in texts)
        for choice in made["choices"]:
            room = body.get("max_tokens") or body.get("max_completion_tokens")
            if room and len(choice["message"]["content"]) > 4 * room:
                choice["finish_reason"] = "length"
                choice["message"]["content"] = choice["message"]["content"][: 4 * room]
        return Answer(made)

    return behave


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delay", type=float, default=0.05, help="seconds before each answer")
    parser.add_argument("--port", type=int, default=0, help="0: any free port")
    options = parser.parse_args()
    with FakeServer(fixed_delay(options.delay), models=[{"id": "gpt-4-like"}], port=options.port) as it:
        print(it.url, flush=True)
        it.ending.wait()


if __name__ == "__main__":
    main()
