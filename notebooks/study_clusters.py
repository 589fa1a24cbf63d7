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
# # Study: many servers
#
# You have a few thousand problems and some servers of your own. How long will it take, and does the order of the jobs matter? A side study
# of [chapter 17, part two](17_bring_your_own_model.ipynb); how to start a cluster is in [the manual](../book/manual/clusters.md).

# %% tags=["set-up"]
# What the study wrote: python -m studies.prefix_cache
import matplotlib.pyplot as plt

import tot
from treebook import show
from treebook.nbsetup import setup
from treebook.studies.results import load

setup()
study = load("../studies/results/prefix_cache.json")
SIZES = study["sizes"]
shares = {int(n): of for n, of in study["shares"].items()}

# %% [markdown]
# ## How many puzzles an hour?
#
# **As many as the tokens of one puzzle go into those that your servers read and write in an hour.** A recording tells how many tokens
# one puzzle reads and writes; a pilot tells how many one of your servers reads and writes in a second, all of its requests together.
# The recording below is that of [chapter 6](06_tot_bfs_game24.ipynb), a model of 1.5 billion parameters: the search with breadth 5 on
# ten puzzles, counted as for a server that takes `n`. The two speeds are made up: put in your own.

# %%
game = tot.task("game24")
puzzles = game.problems("starter")[::4]
recorded = tot.Cassette("cassettes/06.jsonl")
how = {"lm": recorded, "style": "lean", "breadth": 5}
runs = [tot.solve(game, p, "tot-bfs", **how) for p in puzzles]
bills = [run.result.ledger.total for run in runs]
reads = sum(bill.prompt_tokens for bill in bills) / len(bills)
writes = sum(bill.completion_tokens for bill in bills) / len(bills)

# %%
read_a_second, written_a_second = 20_000, 2_000  # of one server
rows = []
for cached in (0, 0.7):
    work = reads * (1 - cached) / read_a_second
    work += writes / written_a_second
    row = {"prompt tokens from a cache": f"{cached:.0%}"}
    row |= {
        f"servers: {n}": f"{n * 3600 / work:,.0f}" for n in (1, 4, 16)
    }
    rows.append(row)
print(f"a puzzle reads {reads:,.0f} tokens and writes {writes:,.0f}")
show.table(rows)

# %% [markdown]
# **Table.** Puzzles an hour, if nothing waits: computed, not measured. It supposes that every server has enough to do all the time.
#
# ## In which order?
#
# **Run all methods on one problem, then on the next.** A server such as vLLM keeps what it has computed for a prompt, in blocks of 16
# tokens. A later prompt that begins in the same way takes its first blocks from this cache, up to the first one that differs. When the memory is full,
# the block that has not been used for longest is dropped. In a tree with tools every prompt repeats the path above it, and all
# methods on a question begin with that question. So the same requests are served better or worse, depending on their order.

# %%
print(f"simulated on the requests of {study['requests of']}:")
print(f"{study['methods']} methods on", end=" ")
print(f"{study['questions']} questions with tools,")
print(f"{study['prompts']} prompts of", end=" ")
print(f"{study['tokens']:,} tokens (words, signs),")
print(f"{study['blocks']:,} different blocks of", end=" ")
print(study["tokens of a block"])

# %%
show.table(
    {"jobs at once": at_once, "blocks in the cache": size}
    | {name: f"{at[SIZES.index(size)]:.0%}" for name, at in of.items()}
    for at_once, of in shares.items()
    for size in (100, 300, 1000, 8000)
)

# %% [markdown]
# **Table.** Share of the prompt tokens that come from the cache, for three orders of the jobs. With a cache that holds
# everything (the last row of each group) the order does not matter; below that, problem by problem is ahead, by up to 14 points.

# %% tags=["plot"] mystnb={"image": {"alt": "Share of prompt tokens that come from a cache, against the size of the cache, for eight jobs at once: three curves that rise from below a half to more than three quarters. The curve for problem by problem is on top everywhere and gets there first; method by method and random order need several times the cache."}}
fig, ax = plt.subplots(figsize=(6.4, 3.6))
for (name, line), marker in zip(shares[8].items(), "os^", strict=True):
    ax.plot(SIZES, line, marker=marker, label=name)
ax.set_xscale("log")
ax.set_xticks(SIZES, [f"{size:,}" for size in SIZES])
ax.minorticks_off()
ax.set_xlabel("blocks in the cache")
ax.set_ylabel("prompt tokens served from it")
ax.set_ylim(0, 1)
ax.legend()
plt.show()

# %% [markdown]
# **Figure.** Eight jobs at once. Problem by problem comes within a point of its best share with 500 blocks; the other orders need several times as many.
#
# In one process, `run_experiment` and `tot run` order their jobs in this way. On a cluster they keep the order in which the jobs are
# given, which for `tot run` is method by method, and give up some of the cache for it. The reason is the recording: two workers that ask for the
# same sample at the same moment both pay for it, and method by method, what the first method asked is usually recorded before the next one starts.
#
# Three limits. This is a simulation of one server's cache. The random order is the mean of five shuffles. And the tokens counted here are words and signs,
# not the model's own, so trust the order of the curves more than the sizes on the axis. The requests are those of twenty questions; with more,
# method by method needs a larger cache, since it must keep all questions until the next method comes round.
