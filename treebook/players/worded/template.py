"""The worded model's chat template: the prompts of ``gsm8k`` as tokens, and of other tasks whose answer is a number.

One control token stands for each instruction. The question, and what the prompt quotes of plans, of judges and of
choices, is kept.
"""

import re
from functools import cache

from tot.lm.base import Request
from tot.state import State, Thought
from tot.tasks.zero_shot import GSM8K

from ..tokens import Refusal
from .vocabulary import TOKEN, encode

WORLD = (
    "worded problems of my small world, in the prompts of the task gsm8k (a direct answer, a chain, a plan, its judges,"
    " its execution, votes): people who get, lose and share things, with numbers up to 199, such as"
    ' "Mia has 6 bags with 4 plums each. Then Mia sells 5 plums. How many plums does Mia have now?"'
)
REFUSAL = f"I am the worded pocket model, and I know {WORLD}. For anything else bring another model: --lm openai:MODEL."
ROOM = 1500  # most characters of a prompt


def prompt_tokens(request: Request) -> list[int]:
    """``[instruction] question [part] plan [part] feedback [reply]``, or ``... [choice] text [choice] text [reply]``.

    Raises Refusal for any other prompt.
    """
    kind, question, parts = _read(request)
    mark = TOKEN["<choice>" if kind.startswith("<vote") else "<part>"]
    quoted = [token for part in parts for token in (mark, *encode(part))]
    return [TOKEN[kind], *encode(question), *quoted, TOKEN["<reply>"]]


def knows(request: Request) -> bool:
    """Is it one of the prompts, whatever its question?"""
    try:
        _read(request)
    except Refusal:
        return False
    return True


def _read(request: Request) -> tuple[str, str, list[str]]:
    """The instruction's control token, the question, and the parts that the prompt quotes. Raises Refusal."""
    if len(request.messages) != 1 or request.messages[0].role != "user":
        raise Refusal
    text = request.messages[0].content
    question, *parts, how = text.split("\n\n") if "\n\n" in text else (text, "")
    kind = instructions().get(how)
    if kind is None or not question.startswith("Question: ") or len(text) > ROOM:
        raise Refusal
    found = [_part(part) for part in parts]
    wanted = {"<revise>": (1, 2), **dict.fromkeys(("<follow>", "<logic>", "<feasibility>", "<execute>"), (1, 1))}
    least, most = wanted.get(kind, (1, 9) if kind.startswith("<vote") else (0, 0))
    if not least <= len(found) <= most:
        raise Refusal
    return kind, question.removeprefix("Question: "), found


def _part(text: str) -> str:
    """A part of a prompt without its label. Of the judges' words, scores are rounded to tenths."""
    label, _, said = text.partition(":")
    if label == "Judges say":
        return re.sub(r"(?<= )[01](?:\.\d+)?(?=:|$)", lambda n: f"{float(n[0]):.1f}", said.strip(), flags=re.MULTILINE)
    return said.strip()


@cache
def instructions() -> dict[str, str]:
    """Maps the last paragraph of each of the task's prompts to its control token."""
    task, asked = GSM8K(), State("x")
    planned = asked.then(Thought("y"))
    answered = planned.then(Thought("z"))
    requests = {
        "<io>": task.io(asked),
        "<cot>": task.cot(asked),
        "<strategy>": task.step(asked),
        "<follow>": task.step(planned),
        "<plan>": task.plan(asked, ""),
        "<revise>": task.plan(planned, ""),
        "<logic>": task.assess(planned, "logic"),
        "<feasibility>": task.assess(planned, "feasibility"),
        "<execute>": task.execute(planned),
        "<vote strategy>": task.ballot([planned]),
        "<vote answer>": task.ballot([answered]),
    }
    return {request.messages[-1].content.split("\n\n")[-1]: kind for kind, request in requests.items()}
