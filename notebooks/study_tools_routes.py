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
# # Study: routes of tools
#
# Side studies of chapters [11](11_best_first_itot_astar.ipynb) and [12](12_itot_dstar.ipynb), all **simulated**: no model is asked. On the maps forty pages lie on
# a grid, and a call costs its distance or up to twice that. In the trees of thoughts three finds make the answer. The programs are `studies/tool_routes.py` and
# `studies/tools_pay`; intervals are 95% unless a line says otherwise.

# %% tags=["remove-input"]
from statistics import fmean

from treebook import show
from treebook.graph import astar
from treebook.nbsetup import setup
from treebook.studies.results import load, tiles
from treebook.studies.routes import make_world

setup()

# %% tags=["remove-input"]
routes = load("../studies/results/tool_routes.json")["routes"]
pays = load("../studies/results/tools_pay.json")


def say(estimate, digits=1):
    mid, low, high = (f"{x:.{digits}f}" for x in estimate)
    return f"{mid} [{low}, {high}]"


# %% [markdown]
# ## How much dearer is the way if the guess is inflated?
#
# A\* on a known map, with the guess $h$ multiplied by a factor.

# %% tags=["remove-input"]
maps = [make_world(seed) for seed in range(200)]
least = [astar(m.graph, m.start, {m.goal}).cost for m in maps]


def inflated(w):
    def plan(m):
        h = lambda v: w * m.left(v)  # noqa: E731
        return astar(m.graph, m.start, {m.goal}, h)

    return [plan(m) for m in maps]


# %% tags=["remove-input"]
rows = []
for w in (0, 0.5, 1, 1.5, 2, 4):
    ways = inflated(w)
    pairs = zip(ways, least, strict=True)
    extra = [way.cost / cost - 1 for way, cost in pairs]
    assert max(extra) <= max(w, 1) - 1
    seen = [way.expanded for way in ways]
    row = {"h times": w, "expanded": fmean(map(len, seen))}
    row["reopened"] = sum(len(e) - len({*e}) for e in seen)
    row["too dear"] = f"{fmean(extra):.1%}"
    rows.append(row | {"at worst": f"{max(extra):.1%}"})
show.table(
    rows, caption=f"means of {len(maps)} maps; reopened: the sum"
)

# %% [markdown]
# **Table.** Up to a factor of 1 nothing is reopened and every way is a cheapest one; beyond it a way is never too dear by more than the factor, and on
# average by much less.
#
# ## Who pays least on a map, when calls fail?
#
# Six agents, three calls in ten down. **Greedy** follows the guess, like ReAct, and never goes back. **Best-first**, **A\*** and **eager A\*** may go on from
# any page they have seen *at no cost*, because a transcript can be continued from any point. **Replan** (A\* from scratch) and **D\* Lite** walk: they
# know the whole map, and pay for going back. At most sixty calls.

# %% tags=["remove-input"]
names = {"greedy": "greedy", "best-first": "best-first", "astar": "A*"}
names |= {"eager": "eager A*", "replan": "replan", "dstar": "D* Lite"}
rows, extra = [], []

# %% tags=["remove-input"]
for key, name in names.items():
    at = routes["agents"][key]["0.3"]
    row = {"agent": name, "arrives": say(at["success"], 2)}
    row |= {"spent": say(at["spent"], 0), "rounds": say(at["rounds"])}
    planned = "expanded" in at
    row["planning expands"] = (
        say(at["expanded"], 0) if planned else None
    )
    more = {"spent": say(at["extra"]["spend per failure"])}
    more["rounds"] = say(at["extra"]["rounds per failure"])
    extra.append({"agent": name, **more})
    rows.append(row)
note = f"{routes['graphs']} maps, of which "
note += f"{say(routes['reachable']['0.3'], 2)} have a way that works"
show.table(rows, caption=note)

# %% [markdown]
# **Table.** The two walkers arrive equally often and spend the same; D\* Lite expands half as many pages for it.
#
# ## What is re-planning efficiency?
#
# The poster names "dynamic re-planning efficiency" and never defines it. The table below is our definition: what runs that met failures *and arrived*
# spent, and how many rounds they took, beyond the same runs without any, for each failure met. **It hides as much as it shows.** A\* looks better than the walkers, because it has paid for
# its alternatives *before* the failure: compare what it spends in all. Eager A\* comes out below zero, because it arrives only on the few easy maps.
# Report path cost, total spend, success and n beside it.

# %% tags=["remove-input"]
show.table(extra, caption="more, for each failure met")

# %% [markdown]
# ## Where do price, replanning and plain best-first win, in trees?
#
# Three dials: the **error** of what the judge says, from exact to worthless; how **unequal prices** are; **how often** calls fail, one by one or by branch. All
# searches have lazy tools. D\* charges failures to their way ($\gamma = 0.5$); **next price** counts the price of the next call and nothing paid before.
# A coloured tile has a winner: the 99% intervals of the paired ratios of its bill per arrival to all others say so. ×1.2: the second pays 1.2
# times as much. A dashed tile names those of whom no other is clearly cheaper: nobody wins it.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Six maps of tiles, for three kinds of prices and for calls that fail one by one or by branch. At equal prices and failures one by one best-first wins nearly all; D* wins most where branches fail; at unequal prices next price and A* share the rest, and many tiles cannot be told."}}
look = {"x": "rate", "y": "error", "panel": "panel"}
look |= {"xlabel": "calls that fail"}
rows = [*tiles(pays, "trees", "{}, one by one")]
rows += tiles(pays, "trees", "{}, by branch", together=True)
front = pays["better of two in front"]
for error in pays["errors"]["tree"]:
    share = f"{front[f'tree, error {error}']:.0%}"
    print(f"error {error}: the better of two is in front in {share}")
print(f"{pays['worlds']} trees a tile, {pays['date']}")
players = ("best-first", "next price", "A*", "D*")
show.winners(rows, names=players, ylabel="error of the judge", **look)

# %% [markdown]
# **Figure.** Prices decide first: at equal prices, failing one by one, no bill is clearly below that of best-first. D\* wins only where branches fail.
# (D\* is iToT-D\* of chapter 12 and charges; it does not plan.)
#
# ## And on maps?
#
# **Searchers** go on from any page at no cost; **walkers** pay for their way. **Plan once** follows a cheapest way on the map and gives up when a call fails;
# **D\* Lite** plans again (replan, which finds the same plans, is left out). **Bound** is the guess of the last section, the plain distance, which is never
# too high. Failures strike one by one. A\*, eager A\* and greedy also take part, and win no tile.

# %% tags=["remove-input"] mystnb={"image": {"alt": "Six maps of tiles. Searchers: best-first wins every tile at equal prices, next price every other. Walkers: plan once wins where nothing fails, but for one tile; where calls fail D* Lite wins all but two, which cannot be told."}}
rows = [*tiles(pays, "searchers", "searchers, {}")]
walkers = [*tiles(pays, "walkers", "walkers, {}")]
open_ = [
    row for row in walkers if row["rate"] != "0%" and not row["winner"]
]
assert [row["left"] for row in open_] == [["D* Lite", "greedy"]] * 2
areas = [c for c in pays["cells"] if c["part"] == "walkers"]
areas = [cell["winner"] for cell in areas if cell["together"]]
assert set(areas) == {"plan once"}
rows += walkers
players = ("best-first", "next price", "plan once", "D* Lite")
show.winners(rows, names=players, ylabel="error of the guess", **look)

# %% [markdown]
# **Figure.** Searchers: best-first wins at equal prices, next price at all others. Walkers: once calls fail, planning again wins all tiles but two, in which a greedy walker with an exact guess
# cannot be told from it.
#
# The bill per arrival is for somebody with many questions, and forgives giving up: where whole areas of a map fail together, plan once wins every setting. In which settings each rule of thumb holds is counted in
# [chapter 16](16_when_search_pays.ipynb).
