"""The papers' style of HotpotQA, for models that write at length: the iToT poster, ReAct and LATS."""

from ..parse import LONG_REPLY, MAX_REPLY
from . import questions_paper
from .style import Prompt, Style

ABOUT = """\
HotpotQA with prompts of the papers' design, for models that write at length: the iToT poster, ReAct and LATS.

The poster prints no prompts; it takes "CoT + ReAct" from Yao et al. 2022, whose design this is: six examples, thoughts
as long as they need to be, and the same examples without actions and observations for chains of thought, and without
thoughts for direct answers. The evaluator reasons before it gives its score. Thoughts, reasons and lessons are kept
whole. Examples and words are ours.

What stays ours: our scores are from 0 to 1 (LATS asks for 1 to 10, the poster does not say); a Search shows three
sentences of an article (ReAct: five); steps bear no numbers."""

STEPS = (  # the last thought of each goes through the whole argument, so that it is also its chain of thought
    """Question: In which country was the author of The Moomins and the Great Flood born?
Thought: The question is about an author, but names only the book. So I first have to find out who wrote The Moomins \
and the Great Flood, and then where that person was born.
Action: Search[The Moomins and the Great Flood]
Observation: The Moomins and the Great Flood is a book for children from 1945. It was written and drawn by Tove Jansson.
Thought: The author is Tove Jansson. Now I need the country in which she was born, which her own article should give.
Action: Search[Tove Jansson]
Observation: Tove Jansson was a writer and painter who created the Moomins. She came from a family of artists.
Thought: The beginning of the article does not say where she was born, but it may do so further down. I look for the \
word born in it.
Action: Lookup[born]
Observation: (Result 1 of 1) She was born in Helsinki, in Finland, in 1914.
Thought: The Moomins and the Great Flood was written by Tove Jansson, and she was born in Helsinki, which is in Finland.
Action: Finish[Finland]""",
    """Question: Which is longer, the Congo or the Oder?
Thought: I have to compare the lengths of two rivers, so I need an article about each of them. I begin with the Congo.
Action: Search[Congo]
Observation: The Congo is a river in Africa. It is about 4,700 kilometres long.
Thought: The Congo is about 4,700 kilometres long. Now I need the length of the Oder to compare it with.
Action: Search[Oder]
Observation: The Oder is a river in Europe. It is about 840 kilometres long.
Thought: The Congo is about 4,700 kilometres long and the Oder about 840 kilometres, so the Congo is longer.
Action: Finish[the Congo]""",
    """Question: Do coconuts and walnuts both grow on trees?
Thought: This is a question to be answered with yes or no. I have to find out for each of the two on what kind of \
plant it grows. First the coconut.
Action: Search[Coconut]
Observation: The coconut is the fruit of the coconut palm, a tree that can be 30 metres tall. It grows by the sea.
Thought: Coconuts grow on a palm, which is a tree. Now the walnut: is its plant a tree as well, or a shrub?
Action: Search[Walnut]
Observation: A walnut is the edible seed of a tree of the genus Juglans. The common walnut tree comes from Asia.
Thought: Coconuts grow on the coconut palm, which is a tree, and walnuts on trees of the genus Juglans, so both do.
Action: Finish[yes]""",
    """Question: What is the capital of the country in which the Geirangerfjord lies?
Thought: I need to know in which country the Geirangerfjord lies before I can look for the capital.
Action: Search[Geirangerfjord]
Observation: Could not find Geirangerfjord. Similar: Geiranger; Hardangerfjord.
Thought: There is no article of that title. Geiranger is probably the village by the same fjord, and its article \
should name the country, too.
Action: Search[Geiranger]
Observation: Geiranger is a village in the west of Norway. It lies at the head of the Geirangerfjord.
Thought: The fjord is in Norway. I believe that I know the capital of Norway, but I had better check it.
Action: Search[Norway]
Observation: Norway is a country in the north of Europe. Its capital is Oslo.
Thought: The Geirangerfjord lies at the village of Geiranger, which is in Norway, and the capital of Norway is Oslo.
Action: Finish[Oslo]""",
    """Question: Who was born earlier, the author of Heidi or the author of Pippi Longstocking?
Thought: Two authors are to be compared by their years of birth, and neither is named. I need the author of each book \
first, then the dates. I begin with Heidi.
Action: Search[Heidi]
Observation: Heidi is a novel for children by Johanna Spyri. It is about a girl who lives in the Alps.
Thought: Heidi was written by Johanna Spyri. Her article should begin with her dates.
Action: Search[Johanna Spyri]
Observation: Johanna Spyri (1827-1901) was a Swiss writer.
Thought: Johanna Spyri was born in 1827. Now the other author: who wrote Pippi Longstocking?
Action: Search[Pippi Longstocking]
Observation: Pippi Longstocking is the heroine of a series of books by Astrid Lindgren. The first appeared in 1945.
Thought: Pippi Longstocking is by Astrid Lindgren. Somebody who published a first book in 1945 can hardly have been \
born before 1827, but I make sure of the year.
Action: Search[Astrid Lindgren]
Observation: Astrid Lindgren (1907-2002) was a Swedish writer of books for children.
Thought: Heidi is by Johanna Spyri, who was born in 1827, and Pippi Longstocking is by Astrid Lindgren, who was born \
in 1907. 1827 is earlier.
Action: Finish[Johanna Spyri]""",
    """Question: Into which sea does the river flow that runs through Cairo?
Thought: I need the river that runs through Cairo first. The article on Cairo should name it.
Action: Search[Cairo]
Observation: Cairo is the capital of Egypt and its largest city. It lies on the Nile.
Thought: The river is the Nile. The next thing to find out is into which sea the Nile flows.
Action: Search[Nile]
Observation: The Nile is a river in Africa. It is about 6,650 kilometres long.
Thought: The beginning of the article gives only the length. The word sea is likely to stand in the sentence I need.
Action: Lookup[sea]
Observation: (Result 1 of 1) North of Cairo it divides into several arms, which flow into the Mediterranean Sea.
Thought: The river that runs through Cairo is the Nile, and the Nile flows into the Mediterranean Sea.
Action: Finish[Mediterranean Sea]""",
)
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
    "paper",
    f"{ABOUT}\n\n{questions_paper.ABOUT}",
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
    questions_paper.PAPER.parts,
)
