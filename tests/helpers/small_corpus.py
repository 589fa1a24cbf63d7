"""A small corpus for the tests of the tools, and thoughts with actions."""

from tot import Thought
from tot.state import Observation
from tot.tools import Offline, Page

PAGES = [
    Page("Oslo", ("Oslo is a city.", "It lies on a fjord.", "It has an opera house.", "The fjord is deep.", "Ø is æ.")),
    Page("Bergen", ("Bergen is a city, too.", "It rains there.")),
    Page("Mercury (planet)", ("Mercury is a planet.",)),
    Page("Mercury (god)", ("Mercury is a god.",)),
    Page("The Kon-Tiki", ("A raft.", "It was built of balsa.")),
    Page("Empty", ("",)),
]
CORPUS = Offline(PAGES)


def corpora(name):
    if name != "book":
        raise ValueError(f"there is no corpus {name!r}")
    return CORPUS


def step(action, observation=None, failed=""):
    seen = None if observation is None else Observation(observation, 1.0, failed)
    return Thought(str(action), action, observation=seen)
