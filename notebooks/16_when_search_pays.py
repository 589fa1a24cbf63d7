# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # When does search pay?
#
# You have a model that is sometimes wrong. You can take its first answer, ask it many times, or build a search around
# it. Fifteen chapters have shown how; this one says *when*. It needs none of them.
#
# Everything hangs on one question: **who can check?** And on how early.

# %%
import json
from functools import cache
from pathlib import Path

from tot import odds, show, stats
from tot.nbsetup import setup

setup()
results = Path("../studies/results")
study = json.loads((results / "search_pays.json").read_text())
WEAK, *_, STRONG = NAMES = list(study["players"])
COIN, ORACLE = "random verdicts", "perfect judge (oracle)"
N = study["n"]


def rate(found):
    return stats.Interval(*found, N)


def search(generator, judge, breadth=1, proposals=1, help=True):
    """The row of one search of the study."""
    wanted = generator, judge, breadth, proposals, help
    keys = "generator", "judge", "breadth", "proposals", "help"
    return next(c for c in study["cells"] if tuple(c[k] for k in keys) == wanted)


print(f"{len(study['cells'])} searches, each on {N} puzzles, {study['date']}")
