"""What the book *Thinking in Trees* has beside its reference package ``tot``: pictures, a lab, models without a server.

``treebook.show`` draws, ``treebook.lab`` is a panel, ``treebook.players`` are the pocket models, ``treebook.cluster``
runs experiments on many machines, ``treebook.studies`` has what chapters need of a study. It builds on ``tot``, never
the other way round: ``tot`` finds it by entry points (``tot.doors``), as it would find anybody's package.
"""

from tot.show.tree import Traced

from .figures.page import HTML, html


def view(solution: Traced) -> HTML:
    """How a solution shows itself in a notebook (``tot.views``): the tree, which opens to what was asked and said."""
    return html(solution)
