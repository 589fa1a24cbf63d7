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
# A side study of [chapter 17, part two](17_bring_your_own_model.ipynb): how long a large sweep takes on a few servers, and in which
# order its jobs should run. How to start a cluster is in [the manual](../book/manual/clusters.md).

# %% tags=["set-up"]
# What chapter 12 recorded: each job's requests, round by round
import matplotlib.pyplot as plt

import tot
from studies.prefix_cache import BLOCK, Prompts, orders, rounds, served
from tot import show
from tot.nbsetup import setup

setup()
easy = {"k": 3, "depth": 5}
METHODS = [
    ("io", {}),
    ("cot", {}),
    ("retrieve-read", {"articles": 5}),
    ("react", {"depth": 6}),
    ("react-dfs", {**easy, "steps": 16}),
    ("react-best-first", {**easy, "rounds": 8}),
]
wiki, lm = tot.task("hotpotqa"), tot.Cassette("cassettes/12.jsonl")
questions = wiki.problems("easy")
prompts = Prompts()

# %% tags=["set-up"]
# Replayed, and cut into blocks
jobs = [
    [
        rounds(tot.Job(wiki, p, tot.method(name), knobs), lm, prompts)
        for p in questions
    ]
    for name, knobs in METHODS
]
everything = [
    prompt
    for row in jobs
    for job in row
    for batch in job
    for prompt in batch
]
blocks = len({block for _, own in everything for block in own})
tokens = sum(count for count, _ in everything)

# %% [markdown]
# ## How many puzzles an hour?
#
# **A sweep is done when its tokens are.** Take what one problem reads and writes from a recording, and what one of your servers
# reads and writes in a second from a pilot, all of its requests together; divide. The recording below is that of
# [chapter 6](06_tot_bfs_game24.ipynb): the search with breadth 5 on ten puzzles, with a server that takes `n`. The two speeds are made up.

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
        f"{n} servers": f"{n * 3600 / work:,.0f}" for n in (1, 4, 16)
    }
    rows.append(row)
print(f"a puzzle reads {reads:,.0f} tokens and writes {writes:,.0f}")
show.table(rows)

# %% [markdown]
# **Table.** Puzzles an hour: more servers help as long as each of them has enough to do.
#
# ## In which order?
#
# **All methods on one problem, then on the next.** A server such as vLLM keeps what it has computed of a prompt in blocks of 16 tokens, and a
# prompt that begins alike is read from there, up to the first block that differs. When its memory is full, the block that was not used
# for longest goes. In a tree with tools every prompt repeats the path above it, and the methods on one question begin with the same question.

# %% tags=["set-up"]
# What a cache of each size serves, for each order of the jobs
SIZES = [100, 200, 300, 500, 1000, 2000, 4000, 8000]


def curve(lines, at_once):
    """The mean over the shuffles, for each size."""
    found = [
        [served(line, size, at_once) for line in lines]
        for size in SIZES
    ]
    return [sum(each) / len(each) for each in found]


shares = {
    at_once: {
        name: curve(lines, at_once)
        for name, lines in orders(jobs).items()
    }
    for at_once in (1, 8, 32)
}

# %%
print(f"simulated on the requests of {lm.name}:")
print(
    f"{len(METHODS)} methods on {len(questions)} questions with tools,"
)
print(f"{len(everything)} prompts of {tokens:,} tokens (words, signs),")
print(f"{blocks:,} different blocks of {BLOCK}")

# %%
show.table(
    {"at once": at_once, "blocks": size}
    | {name: f"{at[SIZES.index(size)]:.0%}" for name, at in of.items()}
    for at_once, of in shares.items()
    for size in (100, 300, 1000, 8000)
)

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
# **Figure.** Eight jobs at once: problem by problem gets from a small cache what the other orders get from one several times as large.
#
# This is how `run_experiment` and `tot run` order their jobs in one process. On a cluster the jobs stay in the order in which they are
# given, method by method: with a recording, what one method has asked is then known when the next one comes, while two workers that ask
# for the same sample at the same moment both pay for it.
#
# Two limits. The random order is the mean of five. And words and signs are not the model's tokens, so read the shares and not the
# sizes: with more questions, method by method needs a cache that grows with them, and problem by problem does not.
