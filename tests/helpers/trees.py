"""A tree written down as text, and scripted models that grow it and judge it: for golden tests of searches.

A state is a word; its thoughts are letters. ``TREE`` maps a word to the letters that may follow and ``VALUES`` to what
it is worth. A capital letter ends its branch with the word as its answer.
"""

from tot import Scripted, State, Thought, generator, user, value
from tot.parse import Read, bad
from tot.state import Node


def word(state):
    return state.x + "".join(thought.text for thought in state.thoughts)


def read_letters(state, text):
    """One thought for each letter; "?" is a proposal that cannot be read."""
    for letter in text.split():
        if letter == "?":
            yield bad("no letter", letter)
        else:
            answer = word(state) + letter if letter.isupper() else None
            yield Read(Thought(letter, answer=answer, final=letter.isupper()))


def read_number(text):
    return Read(float(text)) if text.replace(".", "", 1).isdigit() else bad("no number", text)


def grow(**more):
    return generator(lambda state: user(f"grow {word(state)}", temperature=0), read_letters, **more)


def judge(**more):
    return value(lambda state: user(f"judge {word(state)}", temperature=0), read_number, **{"n": 1, **more})


def model(tree, values, name="toy"):
    """Answers "grow WORD" and "judge WORD" from two tables; an entry may be a list with one text for each sample."""

    def answer(request, i):
        kind, _, asked = request.messages[0].content.partition(" ")
        entry = (tree if kind == "grow" else values).get(asked, "" if kind == "grow" else 0)
        return str(entry[i] if isinstance(entry, list) else entry)

    return Scripted(answer, name=name)


def root(x="r"):
    return Node(State(x))


def asked(lm):
    """What a scripted model was asked, as text, in order."""
    return [request.messages[0].content for request in lm.requests]


def picture(trace):
    """A trace in short: (kind, ids) for each event, with values where an event gives them."""
    short = []
    for event in trace.events:
        ids = " ".join(node["id"] + (f"={node['value']:g}" if "value" in node else "") for node in event["nodes"])
        short.append(f"{event['kind']} {ids}".strip())
    return short
