"""Where names went: an import of an old one fails with a sentence that says where it is now.

The reference has the same table as a page. It holds what moved in November 2026, when the book's figures, lab and
pocket models became a package of their own; nothing else of ``tot`` needs it.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec

FIGURES = (
    "agreements bills call_trees captions crossword decision dials efficiency gain_map labels lanes maps one_chain"
    " plain_svg plan_changes plots predict rollout_moments rollout_phases rollout_sheet rollout_words slider tiles"
    " wrapping concepts"
)
SHOWN = (  # names that tot.show had, and treebook.show has
    "Branch Decision Dials Frames PlanDiff Predict Prices agreement board board_strip boards chain compare"
    " explorer frames front gains ledger ledger_bars ledger_rows open_list pareto phases plan_diff road_map"
    " side_by_side spent tool_calls tool_trees view visit_rows winners wrapped"
)
MOVED = {  # old name -> new name, of modules with all that is in them and of single names
    **{f"tot.show.{name}": f"treebook.figures.{name}" for name in FIGURES.split()},
    **{f"tot.show.{name}": f"treebook.show.{name}" for name in SHOWN.split()},
    "tot.experiments.board": "treebook.cluster.board",
    "tot.experiments.cluster": "treebook.cluster.client",
    "tot.experiments.worker": "treebook.cluster.worker",
    "tot.graph": "treebook.graph",
    "tot.lab": "treebook.lab",
    "tot.lm.pocket": "treebook.players",
    "tot.nbsetup": "treebook.nbsetup",
    "tot.odds": "treebook.studies.odds",
    "tot.policy": "tot.likely, tot.search.levin and tot.methods.guided",
    "tot.show.explorer_data": "treebook.explorer.data",
    "tot.show.explorer_growing": "treebook.explorer.growing",
    "tot.show.explorer_page": "treebook.explorer.page",
    "tot.tasks.crosswords_simulated": "treebook.studies.crosswords_simulated",
    "tot.tasks.game24_unchecked": "tot.tasks.game24",
    "tot.tasks.writing_judge": "treebook.studies.writing_judge",
    "tot.tasks.zero_shot_paper": "tot.tasks.questions_paper",
}


def place(name: str) -> str:
    """Where a name is now, such as "treebook.players.engine" for "tot.lm.pocket.engine"; "" if it has not moved."""
    old = next((old for old in MOVED if name == old or name.startswith(f"{old}.")), "")
    return MOVED[old] + name.removeprefix(old) if old else ""


def refusal(name: str) -> ModuleNotFoundError | None:
    """The error that says where a name is now, None if it has not moved."""
    return ModuleNotFoundError(f"{name} is now {to}: import it from there", name=name) if (to := place(name)) else None


class Finder:
    """Asked by ``import`` when nobody has found a module. Raises ModuleNotFoundError for one that has moved."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        """None: it finds nothing, it only knows where things went."""
        if error := refusal(name):
            raise error
        return None


def explain() -> None:
    """From now on imports of old names are explained."""
    if Finder not in sys.meta_path:
        sys.meta_path.append(Finder)
