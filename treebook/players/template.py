"""The pocket model's chat template, which turns a request into prompt tokens or refuses it.

A large model learns the answer format from examples in the prompt. The pocket model was trained on the formats, so the
template replaces the instruction and its examples with one control token and keeps only the question.
"""

import re
from functools import cache

from tot.lm.base import Request
from tot.state import State, Thought
from tot.tasks.game24 import Game24, numbers_of
from tot.tasks.game24_rules import read_step

from .tokens import AGAIN, CONTROL_TOKEN, encode
from .tokens import Refusal as Refusal

REFUSAL = (
    "I am the pocket model and know one thing: the Game of 24, in the prompts of the task game24 (a direct answer,"
    ' a chain of thought, next steps, values). Ask me for example: tot solve game24 "4 9 10 13". For anything else'
    " bring another model: --lm openai:MODEL."
)
PAPER = "These are prompts in the paper's style, and I was trained on the usual ones: leave out --style paper"
IN_THE_PAPERS_STYLE = r"make 24 with|with \+ - \* / and brackets, to make 24|which numbers are left then"

# numbers as the task writes them; four two-digit numbers never give one of more than nine digits
_NUMBER = r"(?:0|[1-9]\d{0,8})(?:/[1-9]\d{0,8})?"
_NUMBERS = rf"{_NUMBER}(?: -?{_NUMBER})"  # intermediate results may be fractions or negative
_STEP = rf"-?{_NUMBER} [-+*/] -?{_NUMBER} = -?{_NUMBER} \(left: [-\d/ ]+\)"
QUESTIONS = {  # control token -> pattern of its questions
    "<io>": rf"Numbers: {_NUMBERS}{{3}}",
    "<cot>": rf"Numbers: {_NUMBERS}{{3}}",
    "<steps>": rf"Numbers: -?{_NUMBERS}{{1,3}}",
    "<lean>": rf"Numbers: -?{_NUMBERS}{{1,3}}",
    "<answer>": rf"Numbers: {_NUMBERS}{{3}}(?:\n{_STEP}){{3}}",
    "<value>": rf"-?{_NUMBERS}{{1,3}}",
    "<judge>": rf"Numbers: {_NUMBERS}{{3}}\nAnswer: [-+*/() \d]+",
}


def prompt_tokens(request: Request) -> list[int]:
    """``[instruction] question [reply]``, and for each refused attempt ``... attempt [user] again [reply]``.

    Raises Refusal for any other prompt.
    """
    if not request.messages:
        raise Refusal("An empty prompt")
    system, *turns = request.messages
    kind = instructions().get(system.content) if system.role == "system" else None
    if kind is None:
        raise Refusal(PAPER if re.search(IN_THE_PAPERS_STYLE, system.content) else "")
    asked = [i for i, turn in enumerate(turns) if turn.role == "user" and turn.content != AGAIN]
    question, later = (turns[asked[-1]].content, turns[asked[-1] + 1 :]) if asked else ("", [])
    if len(question) > 400 or not re.fullmatch(QUESTIONS[kind], question, re.ASCII):
        raise Refusal(f"I cannot read the question {question[:60]!r}")
    tokens = [CONTROL_TOKEN[kind], *encode(question), CONTROL_TOKEN["<reply>"]]
    for turn in later:  # earlier attempts, and what rejects them
        said = encode(turn.content)
        tokens += said if turn.role == "assistant" else [CONTROL_TOKEN["<user>"], *said, CONTROL_TOKEN["<reply>"]]
    return tokens


@cache
def instructions() -> dict[str, str]:
    """Maps the system message of each of the task's prompts to its control token."""
    task, state = Game24(), State("4 9 10 13")
    done = state
    for line in ("13 - 9 = 4", "10 - 4 = 6", "4 * 6 = 24"):
        step = read_step(line, numbers_of("4 9 10 13") if done.last is None else done.last.data.left).value
        done = done.then(Thought(str(step), step))
    answered = done.then(Thought("Answer: (13 - 9) * (10 - 4)", None, "(13 - 9) * (10 - 4)", final=True))
    requests = {
        "<io>": task.io(state),
        "<cot>": task.cot(state),
        "<steps>": task.propose(state, "one-shot"),
        "<lean>": task.propose(state, "lean"),
        "<answer>": task.propose(done, "one-shot"),
        "<value>": task.value(state),
        "<judge>": task.value(answered),
    }
    return {request.messages[0].content: kind for kind, request in requests.items()}
