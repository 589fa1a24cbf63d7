"""What the book *Thinking in Trees* has beside its reference package ``tot``: pictures, a lab, models without a server.

``treebook.show`` draws, ``treebook.lab`` is a panel, ``treebook.players`` are the pocket models, ``treebook.cluster``
runs experiments on many machines, ``treebook.studies`` has what chapters need of a study. It builds on ``tot``, never
the other way round: ``tot`` finds it by entry points (``tot.doors``), as it would find anybody's package.
"""

from tot.show.tree import Traced

from .explorer.page import explorer
from .figures.page import HTML


def view(solution: Traced) -> HTML:
    """How a solution shows itself in a notebook (``tot.views``): in the explorer, at the end of the search."""
    return explorer(solution, step="end")
