"""HotpotQA with prompts of the papers' design, for models that write at length: the iToT poster, ReAct and LATS.

The poster prints no prompts; it takes "CoT + ReAct" from Yao et al. 2022, whose design this is: six examples, thoughts
as long as they need to be, and the same examples without actions and observations for chains of thought, and without
thoughts for direct answers. The evaluator reasons before it gives its score. Thoughts, reasons and lessons are kept
whole. Examples and words are ours.

What stays ours: our scores are from 0 to 1 (LATS asks for 1 to 10, the poster does not say); a Search shows three
sentences of an article (ReAct: five); steps bear no numbers."""

from ..parse import LONG_REPLY, MAX_REPLY
from . import questions_paper
from .bundled import text_of
from .style import Prompt, Style

# the last thought of each goes through the whole argument, so that it is also its chain of thought
STEPS = text_of("hotpotqa_examples.txt").strip().split("\n\n")
RULES = """Answer a question with the help of an encyclopedia, step by step. A step is a thought and an action, after \
which an observation shows what the action has found.
A thought says what is known by now, what is still missing, and how to go on, in as many words as that takes.
An action stands on a line of its own, and is one of these three:
  Search[title] shows the beginning of the article with that title, or similar titles if there is none
  Lookup[word] shows the next sentence with that word in the article that was found last
  Finish[answer] gives the answer, in a few words, and ends
Here are six examples.

"""
NEXT = (
    'Now write the next thought and the next action, as "Thought: ..." and "Action: ...". Once the observations say'
    ' what the answer to "{x}" is, the action is Finish[answer].'
)
CHAIN = 'Answer the question. Think step by step, and end with the line "The answer is" and the answer in a few words.'


def _after_examples(how: str, form: str) -> Prompt:
    """The question after the six others, as a conversation whose answers have the ``form``."""
    shown = []
    for steps in STEPS:
        question, _, rest = steps.partition("\n")
        argument, _, answer = rest.rpartition("Thought: ")[2].partition("\nAction: Finish")
        shown.append((question, form.format(argument=argument, answer=answer.strip("[]"))))
    return Prompt("Question: {x}", how, tuple(shown))


def _prospect(end: str) -> Prompt:
    return Prompt(
        "{known}\n\nDiscuss what the observations have shown, what is missing, and whether the steps are on the right"
        f' track. Then write the line "Score: N", where N, from 0 to 1, says how likely it is {end}.'
    )


PAPER = Style(
    {
        **questions_paper.PAPER.prompts,
        "few_shot": _after_examples("Answer the question in a few words.", "{answer}"),
        "cot": _after_examples(CHAIN, "{argument}\nThe answer is {answer}."),
        "act": Prompt(f"{{known}}{{memory}}\n\n{NEXT}", RULES + "\n\n".join(STEPS), stop=("\nObservation",)),
        "conclude": Prompt(
            '{unanswered}\n\nWhat is the answer to "{x}"? Go through what is known, and end with the line {ask}.'
        ),
        "prospect": _prospect("that this leads to the answer"),
        "prospect, of an answer": _prospect("that this answer is right, by what was observed"),
        "reflect": Prompt(
            "{known}\n\nThis has not led to a good answer. Explain what went wrong, and write a short plan for the next"
            " attempt."
        ),
    },
    questions_paper.PAPER.readers,
    {"thought": LONG_REPLY, "lesson": MAX_REPLY},
    parts=questions_paper.PAPER.parts,
    name="paper",
    about=f"{__doc__}\n\n{questions_paper.PAPER.about}",
)
