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
# # The search moves inside
#
# In every chapter so far a *program* has searched. It kept the tree, asked the model for a step here and a verdict there, and decided where to
# go on. Today's reasoning models do it the other way round. They get one question and write one long reply, which contains tries, doubts,
# dead ends, "wait", and another try. Nobody outside keeps a tree. What is going on in there, and is it search?

# %% tags=["remove-input"]
from treebook import show
from treebook.nbsetup import setup

setup()
show.concepts.inside()

# %% [markdown]
# **Figure.** Two places where a search can happen.
#
# A large model cannot be taken apart on your desk, but a small one can. In this chapter the pocket model learns to write a whole search of ours
# in one go, a **stream of search** {cite}`gandhi2024stream`. Here is one of its replies, with a word on what each line does.
#
# <aside class="margin">Who plays: the stream model, which is the pocket model of 0.9 million parameters after further practice. Its rivals are the chains and
# trees of the pocket model itself. Everything is recorded.</aside>

# %% tags=["set-up"]
# Imports, and the results of `make stream`
from math import fsum
from statistics import fmean

import tot
from tot.stats import wilson
from treebook.players.streaming import searching, stream
from treebook.studies.learned import Streams
from treebook.studies.results import compared, rate
from treebook.studies.streams import read_stream, retold

study = Streams("../studies/results/stream.json")
DEPTH, BEST = "depth-first", "best-first"


def solved(shares):
    i = rate(shares)
    return f"{i.rate:.0%} [{i.low:.0%}, {i.high:.0%}]"


# %%
stream_model = tot.Cassette("cassettes/19_stream.jsonl")
x = "2 6 10 13"
[reply] = stream_model([searching(x).samples(0, 4)])
text = reply.texts[2]
told = read_stream(x, text)
does = {"step": "tries", "turn": "turns to", "answer": "answers"}
lines = enumerate(told.lines, 1)
show.transcript(
    (f"{n} {does[line.kind]}", line.text) for n, line in lines
)

# %%
print(len(told.steps), "steps,", len(told.unread), "unread lines")
asked = searching(x).samples(2, 1)
tree = tot.run(retold(told, asked), stream_model)
tree.trace.result["answer"] = told.answer  # it tells one only
show.explorer(tree, details=False)

# %% [markdown]
# **Figure.** The reply, and the tree that it tells. Play it: the order is that of the lines. (*Impossible* is the value 0.001, *sure* 20.)
#
# (We chose this reply of four: it is short, and its first tries fail.) The model tries three first steps and calls each state *impossible*. The fourth it calls *sure* and turns there,
# tries two steps below it, turns once more, finds 24, and writes the answer. No program was in the loop. This is a single reply of about a hundred
# tokens, and the model never practised this puzzle. To draw the tree, a strict reader checked every line against the rules.
#
# In a hurry? Read [what a stream is worth](#what-is-a-stream-worth) and [strategy, or the look of one](#strategy-or-the-look-of-one).
#
# ## Learning objectives
#
# After this chapter you can
#
# - turn the trace of a search into text that a model can learn from, and read a reply as a tree again;
# - compare a stream with chains and trees at equal generated tokens;
# - test whether a model follows a strategy, or only writes what looks like one;
# - say what a reasoning model is from outside, and when a tree around it may help.
#
# ## A search as text
#
# What should the model practise? From solutions alone it would learn to guess. So it practises *searches*, those of this package. One teacher is
# depth-first search ([chapter 8](08_tot_dfs_crosswords.ipynb)). Its steps are those that the pocket model proposes, and then all other legal ones.
# Its values are the pocket model's own verdicts, right or wrong. Each step becomes one line, with the verdict on the state that it leads to. Where the search goes on from another state than
# the line before, one more line says so. The other teacher is best-first search ([chapter 11](11_best_first_itot_astar.ipynb)): it tries five steps at once and
# turns to the state that looks best, wherever that is. No solver takes part, though one helped to train the pocket model.
#
# The rows of practice are searches of all puzzles that are not held out, half by each teacher, solvable or not. A search longer than
# 384 tokens is cut off there. The model begins with the weights of the pocket model, has room for 512 tokens, and practises on 28 million tokens. That takes less than an hour on two cores. There was one training.
#
# ## What is a stream worth?
#
# A hundred hard puzzles, all held out, are each put to the stream model sixteen times for either strategy. Beside them stand forty chains of the pocket model and three shapes of its tree, as in
# [chapter 16](16_when_search_pays.ipynb).
#
# ### Predict: one stream, or as many chains as its tokens buy?
#
# One chain writes 44 tokens and is right 17 times in a hundred. A depth-first stream writes about 200. For these you may
# have four chains, and a program picks a right one if there is one. The stream is alone: nobody checks it, and it stops where it believes that it has 24.


# %% tags=["set-up"]
# One stream beside what its tokens buy
def practised(k, puzzles="chains"):
    """One of k chains is right, the mean of both trainings."""
    both = study.control(k, puzzles)
    return [fmean(two) for two in zip(*both, strict=True)]


deep = study.within("stream", DEPTH, 512)
wide = study.within("stream", BEST, 512)
each, rows = study.chain_tokens, []
control = study.figures["control"]
more = fmean(one["chains"]["tokens"] for one in control)
rivals = [
    ("one chain", study.chains(1), each),
    ("four checked chains", study.chains(4), 4 * each),
    ("one, practised", practised(1), more),
    ("four, practised", practised(4), 4 * more),
    ("stream, depth-first", deep, study.tokens("stream", DEPTH)),
    ("stream, best-first", wide, study.tokens("stream", BEST)),
]
trees = study.figures["pocket"]["trees"]
rivals += [(f"tree {name}", *study.tree(name)) for name in trees]
for name, shares, cost in rivals:
    row = {"method": name, "tokens": f"{cost:,.0f}"}
    row["solved"] = solved(shares)
    gap = "" if shares is deep else str(compared(deep, shares))
    rows.append(row | {"stream minus it": gap.split(", p")[0]})
note = "n = 100 puzzles, 95%; differences in points"
show.Predict(
    "How often is one depth-first stream right?",
    round(100 * rate(deep).rate),
    low=0,
    high=100,
    unit="%",
    shows=show.table(rows, caption=note, highlight=4),
)

# %% [markdown]
# **Table.** One stream beside chains and trees of the model that it came from. (Trees: $b$ states kept, and replies of proposals from each. Every state has three verdicts.)
#
# The stream is ahead of four checked chains by 16 points, for about as many tokens. The cheapest tree writes more than five times as much and solves about as many (+3 [−6, +13] for the
# stream). The tree that asks three times is 30 points ahead, for twelve times the tokens.
#
# ### A fair comparison?
#
# One caution: stream and four chains write equally many tokens, but the stream model was trained for longer. So the table's rows *practised* give the chains as many further tokens, of ways to 24 that a
# solver found (mean of two trainings). One chain gains 7 points by it. Four checked chains show no gain, because they now resemble each other
# more: forty of them hold a right one for 69 puzzles in a hundred, down from 86.
#
# On a hundred fresh puzzles, which are easier, the stream is 8 points ahead of four chains [+3, +13]. Of four with
# more practice it is 7 ahead, which may be chance (p = 0.07). The tree with five states is 10 ahead of the stream (p = 0.017). So on the hard puzzles longer practice explains little of the lead over chains; on the fresh ones that is not certain. (With a hundred puzzles, a true lead of 9 points over four chains, or 14 over the cheapest tree, would be detected four times in five.) But all this is over puzzles, for *one* training of the stream. A claim about streams in general needs several trainings, as in [chapter 18](18_the_tree_teaches_the_model.ipynb).
#
# ### Where the lead begins
#
# A stream can be cut off early, and several can be written. How much is solved after so many tokens?

# %% tags=["plot"] mystnb={"image": {"alt": "Solved puzzles against tokens written, on a logarithmic axis. The curve of checked chains rises from 17 percent at 44 tokens to 86 at 1,800. The depth-first stream starts near zero at 45 tokens, meets the chains near 90, and lies above them from there on, at 60 percent against 47 near 200 tokens and 90 against 76 near 800; the best-first stream stays below the chains. Points: the tree with one reply at 57 percent and 1,100 tokens, with three replies at 90 percent and 2,400 tokens, with five states at 61 percent and 2,660 tokens."}}
rows = [
    {"method": "chains, checked", "tokens": k * each}
    | {"rate": rate(study.chains(k))}
    for k in (1, 2, 4, 8, 16, 40)
]
cuts = [(budget, 1) for budget in (45, 60, 80, 110, 160, 250, 512)]
for strategy in (DEPTH, BEST):
    for budget, k in [*cuts, (512, 2), (512, 4), (512, 8)]:
        cost = k * study.tokens("stream", strategy, budget)
        row = {"method": f"streams, {strategy}", "tokens": cost}
        if budget > 500:
            row["label"] = {1: "one", 8: "eight"}.get(k)
        shares = study.within("stream", strategy, budget, k)
        rows.append(row | {"rate": rate(shares)})
for name in trees:
    shares, cost = study.tree(name)
    row = {"method": f"tree {name}", "tokens": cost}
    rows.append(row | {"rate": rate(shares)})
show.plots.success_by_cost(rows, log=True)

# %% [markdown]
# **Figure.** Success against generated tokens, n = 100 puzzles, 95%. Up to *one*, a curve is a single stream, cut off later and later. From there on it is
# several, of which a program picks, as it does for the chains.
#
# With few tokens the chains are ahead, since a stream has hardly begun. At about ninety tokens they are level, and from there on the depth-first stream leads. Why is it so much
# cheaper than a tree that knows the same things? A verdict of the pocket model writes a try or two before it says
# its word, and every tree asks for three such verdicts on each state proposed. The stream says the word alone, and only of the few states that it tries.
#
# The word alone is worth something. Take the states with three numbers. Of those from which 24 can still be reached (*living*), the stream calls a quarter *impossible*. Its teacher, which writes its tries out and was asked three times, so called a tenth. Both call nearly all dead ones
# impossible. So it judges without working, and not badly. Perhaps it knows the verdicts by heart, because most of these states also lie below puzzles of its practice.
#
# ## Strategy, or the look of one?
#
# A text can *look* like a search without being one. Give the tree so far, line by line, with the
# stream's own verdicts, to the package's depth-first search, and ask where *it* would try its next step. Did the stream go there? A stream that goes to any of its states at random would sometimes be right, so that rate is given, too.
#
# ### Predict: which move has it not learned?
#
# The search may ask to *stay* (another step from the same state), to *go down* (a first step from the state just made), or to *back up* (to the nearest state above with steps left). Depth-first never goes to a state called impossible.

# %% tags=["set-up"]
# Where each strategy wants the next step, and where it was written
names = {"stay": "stay here", "down": "go down", "back": "back up"}
rows = []
for strategy in (DEPTH, BEST):
    often = study.figures["practised"][strategy]
    for move, name in names.items():
        i, chance = study.moves("stream", strategy, move)
        row = {"strategy": strategy, "it should": name}
        row |= {"it did": str(i), "n": i.n}
        row["at random"] = f"{chance:.0%}"
        share = often[move] / fsum(often.values())
        rows.append(row | {"of its practice": f"{share:.1%}"})
note = "legal steps of four streams a puzzle; 95% over steps"
show.Predict(
    "Which of the three has the depth-first stream not learned?",
    "back up",
    choices=list(names.values()),
    shows=show.table(rows, caption=note, highlight=2),
)

# %% [markdown]
# **Table.** Where the next legal step was written. *Of its practice*: how often the teachers' searches ask for it (the rest are the first steps of a puzzle).
#
# In depth-first streams two of the moves are all but perfect, and the third is made less often than chance would make it: when everything below a state has been tried, the stream goes on from another state than the search would. (Lines that
# try a step twice, or use a number that is not there, are not counted.) Its teacher hardly ever had to back up, so rarity may be one reason. But best-first goes *down* as rarely, and does it nine times
# in ten. Going down follows a word just written, whereas backing up means finding an old state again. Which of the two it is, we have not tested.
#
# ### Predict: does it read its own verdicts?
#
# Its turns agree with its verdicts, but perhaps both follow from the numbers alone. So we stop a stream after a line that says *impossible*, write *sure* in its place, and let the model go on. Elsewhere
# we turn a *sure* or *likely* into *impossible*. If the verdicts are decoration, it goes on as before. To *obey* is to turn to the first state, and not to the second, in the very next line.

# %% tags=["set-up"]
# The next line, after a verdict was changed
asked = study.streams("stream", DEPTH)["changed verdicts"]
rows, total = [], 0
for change in ("to sure", "to impossible"):
    obeyed, n = asked[change]
    total += obeyed
    row = {"changed": change, "obeyed": wilson(obeyed, n), "n": n}
    rows.append(row)
there, n = asked["as they were"]
note = f"unchanged, it turned to {there} of these {n} states"
show.Predict(
    "In what share of the trials does it obey?",
    round(100 * total / n),
    low=0,
    high=100,
    unit="%",
    shows=show.table(rows, caption=note),
)

# %% [markdown]
# **Table.** It obeyed in all 173 trials.
#
# It acts on what it has written. The verdicts are its value function and the text is its memory. These are the evaluator and the search of [chapter 8](08_tot_dfs_crosswords.ipynb), in one reply.
#
# ### Longer than it has practised
#
# No search in training was longer than 384 tokens, and the model has room for 512. How many legal steps does it write beyond token 384?

# %% tags=["set-up"]
# What stands beyond token 384
for strategy in (DEPTH, BEST):
    found = study.streams("stream", strategy)
    beyond = fsum(n for _, n, _ in found["moves"]["beyond"].values())
    print(f"{strategy}: {beyond:.0f} legal steps")

# %% [markdown]
# None. Where a search was cut off in training, a new question began. There the model, too, begins a new question, and goes on with it until its room is full. It has learned the *length* of a search.
#
# ## It learns from its own streams
#
# Gandhi et al. go on to let the model learn from its own streams, as [chapter 18](18_the_tree_teaches_the_model.ipynb) does. We tried one round: four streams by each strategy for each of the 962 training puzzles that have a solution.
# Those that end in a right answer, without a single line that fails the rules, become practice. The control practises as many tokens of the teachers' searches.

# %% tags=["set-up"]
# After one round, and after more of the same
rows = []
kinds = {"stream": "before", "own 1": "own streams"}
kinds |= {"more 1": "more of the same"}
for strategy in (DEPTH, BEST):
    row, after = {"strategy": strategy}, {}
    for name, label in kinds.items():
        after[name] = study.within(name, strategy, 512)
        row[label] = f"{fmean(after[name]):.0%}"
    gap = compared(after["own 1"], after["more 1"])
    rows.append(row | {"own minus more, points": str(gap)})
    cost = [f"{study.tokens(name, strategy):.0f}" for name in kinds]
    back, _ = study.moves("own 1", strategy, "back")
    print(f"{strategy}: tokens {', '.join(cost)}; own backs up {back}")
show.table(rows, caption="n = 100 puzzles, 95%; one training of each")

# %% [markdown]
# **Table.** Own streams help the best-first searcher. Practising the teachers' searches for as long shows no gain.
#
# For depth-first the difference is a hint (p = 0.03, one of two tests). The right streams are short, and the model that practised them writes shorter ones: 186 tokens in place of 196, and 300 in place of 349. It did not
# learn to back up. Depth-first it hardly ever had, and a selection can only spread what is there. Best-first it had, and now does so less often (33% against 41%); why, we do not know.
#
# ## A reasoning model, from outside
#
# A **reasoning model** was trained to write such a stream before its answer. What it
# writes there is called *thinking*. Here is what can be said from outside.
#
# - **How it is made.** DeepSeek-R1-Zero was rewarded for right final answers, checked by rules, and for keeping to a form, and for nothing else. Its replies grew from hundreds to
#   thousands of tokens, and the habit of trying another way appeared without being programmed {cite}`guo2025deepseek`.
# - **Thinking is paid for.** Its tokens are billed as output, often they are not shown, and they can have a limit, here `--think-tokens 4000` ([models that think](../book/manual/todays_models.md)).
#   In *s1* a limit was enforced by cutting the thinking off, and a minimum by writing "Wait" when it wanted to end {cite}`muennighoff2025s1`. Lengthening helped a little, then no more.
# - **Long thinking is often in vain.** Here is how long our own streams are.

# %% tags=["plot"] mystnb={"image": {"alt": "Two histograms of the tokens that depth-first streams write. Right streams: a peak near 80 tokens, hardly any above 300. Wrong ones: spread out, with a tall bar at the end of the context near 500."}}
found, both = study.streams("stream", DEPTH), {1: [], 0: []}
for right, tokens in zip(found["right"], found["tokens"], strict=True):
    for r, n in zip(right, tokens, strict=True):
        both[r].append(n)
canvas = show.plots.new_figure(5.2, 2.4).add_subplot()
canvas.hist(both.values(), range(0, 540, 30), label=["right", "wrong"])
canvas.set(xlabel="tokens of a stream", ylabel="streams")
canvas.legend()
print(f"tokens, right {fmean(both[1]):.0f}, wrong {fmean(both[0]):.0f}")
canvas.figure

# %% [markdown]
# **Figure.** Depth-first streams on the hundred puzzles. Right ones are short. (Those that ran out of room can only be wrong.)
#
# So a limit costs little, and two streams of 200 tokens beat one of 400. Four of 100 do not, since many right ones need more ([exercise 2](#exercise-2-cut-it-short)). Large models, too, spend many tokens and several solutions on what is easy {cite}`chen2024overthinking`, and on hard
# problems, jumping from thought to thought goes with wrong answers {cite}`wang2025underthinking`.
#
# ## Does a tree around it still help?
#
# What can a tree add to a model that already searches? The simplest tree has one level: several streams, and something that picks.
#
# If streams were independent, $1 - (1 - 0.60)^k$ of the puzzles would be solved: 84, 97 and 99.9% with two, four and eight. Ours fail on the same puzzles more often than that. They solve
# 78, 90 and 95%, and chains with as many tokens 63, 76 and 84% ([figure 19.3](#figure-19-3)). So every doubling helps. **With a good outside check, search around such a model pays.** Whether its own judgement would add anything, we did not measure.
#
# Others report similar things of large models. OpenAI reports 74% for one sample of o1 on AIME 2024, 83% for
# a vote of 64, and 93% when a trained scorer picks among a thousand {cite}`openai2024o1`. In **Snell et al.** {cite}`snell2024scaling`, beam search against a trained judge beats sampling where the budget is small or the question
# hard. With large budgets on easy questions it finds what fools the judge, and the hardest questions hardly move. The makers of DeepSeek-R1 report that *training*
# with step judges and with Monte Carlo search failed: steps in free text are hard to delimit, judges get gamed, and the value of half-written text is hard to learn {cite}`guo2025deepseek`. We found no comparison at equal tokens of a tree and plain votes around such a model.
#
# > **In the paper.** Gandhi et al. train a transformer of about 257 million parameters (our count, from their settings) from nothing on 500,000 streams of twelve strategies for the game Countdown. Streams were 25% more accurate than a model that learned right ways alone, and after learning from
# > its own streams it solved 36% of problems that had been unsolved (abstract; we could not get the body of the paper). {cite}`qin2025backtrack` compare at equal compute: on Countdown, sampling direct answers beats
# > streams, and on Sudoku streams win. Ours win on a game like Countdown, with a teacher whose verdicts they could learn by heart.
#
# There is also a way between the two. The program keeps the tree and asks for no verdict, because what the model *thinks* stands in its probabilities. **Levin tree search** {cite}`orseau2018single` opens the state with the least depth divided
# by probability, and the number of states that it opens has a bound: the more probable the model makes the answer's way, the lower. With the pocket model it solves 64% for 1,978 tokens. In the same new samples the tree with five states solves 61% for 2,635, and forty checked chains 88% for 1,776
# (`treebook/guided`, `make study-likely`; the samples above gave 2,660 tokens and 86%).
#
# > **In practice.** Ask of a model that thinks how its success grows with its tokens, and what several shorter tries solve for the same. Set a limit, and if you have a check, spend the rest on new tries.
#
# > **Where it breaks.** One training, one game of three steps, one small model, whose teacher had itself been trained with a solver's knowledge of good steps. A stream
# > repeats steps, now and then invents a number, and does not back up reliably. Even when it ends by itself it may be wrong ([exercise 1](#exercise-1-can-it-be-trusted)), so let a program check.
#
# [The map of the field](../book/field.md) shows to which parts of a search twenty other works add.
#
# ## Summary
#
# - A search can be written as text, learned from, and read again as a tree. The model practised searches, not solutions alone.
# - From about ninety tokens on, one depth-first stream beats checked chains at equal tokens: four by 16 points, and by 8 on fresh puzzles; four with as much practice by 14, and by 7 (p = 0.07). That is one training. The cheapest tree solves about as much, for more than five times the tokens. (On fresh puzzles a tree with five states is ahead by 10.)
# - The stream acts on its own verdicts, in all 173 trials. It stays and goes down as its strategy asks. Depth-first, it does not back up, and it writes nothing beyond the length that it was taught.
# - A round on its own right streams made the best-first searcher better, in one training. More of its teachers' searches did not.
# - A reasoning model writes such a stream, which it learned from reward. A search around ours paid where an outside check picked.
#
# ## Exercises
#
# ### Exercise 1: can it be trusted?
#
# Of the depth-first streams that end by themselves, how many are right? Compare this with the share of all that are. What would you do with one that was cut off?
#
# <details><summary>Hint</summary>
#
# `study.streams("stream", DEPTH)` has "finished" and "right", [puzzle][stream].
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
right = [n for some in found["right"] for n in some]
ends = [n for some in found["finished"] for n in some]
ended = [r for r, e in zip(right, ends, strict=True) if e]
print(f"of all {fmean(right):.0%} are right, ", end="")
print(f"of the {len(ended)} that ended {fmean(ended):.0%}")
# Better, and no guarantee: an answer may rest on a wrong sum.

# %% [markdown]
# ### Exercise 2: cut it short
#
# You have 400 tokens for a puzzle, and a check. Is it better to let a stream run, or to cut streams at 100 tokens and start four?
#
# <details><summary>Hint</summary>
#
# `study.within("stream", DEPTH, budget, k)`.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
plans = {}
for k, budget in ((1, 400), (2, 200), (3, 133), (4, 100)):
    plans[k] = study.within("stream", DEPTH, budget, k)
    print(f"{k} of {budget}: {rate(plans[k])}")
print("two minus one:", compared(plans[2], plans[1]))
# Two: a stream that has found nothing by then is mostly lost, and a
# new one begins with other steps.

# %% [markdown]
# ### Exercise 3: change a verdict yourself
#
# Take the stream at the beginning of the chapter. Turn the verdict of its first line into *sure* and let the model go on. Where does it go?
# (This runs live, with the weights that come with the book.)
#
# <details><summary>Hint</summary>
#
# `searching(x, begun=...)` lets the model go on from lines that you wrote; end them with a line break. Ask `live`.
#
# </details>

# %%
live = stream("../studies/stream/stream.safetensors")

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
first = text.split("\n")[0]
begun = first.replace("impossible", "sure") + "\n"
[changed] = live([searching(x, begun=begun).samples(0, 1)])
print(begun + "\n".join(changed.texts[0].split("\n")[:3]))
# It turns to the state that we called sure.

# %% [markdown]
# ### Exercise 4: the other strategy
#
# Read a best-first stream of the same puzzle. How many states does it try before it turns to one, and does it turn to the best of these?
#
# <details><summary>Hint</summary>
#
# `searching(x, BEST)`, and `read_stream(x, text, BEST)` for the tree.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
[other] = stream_model([searching(x, BEST).samples(0, 4)])
of_best = read_stream(x, other.texts[0], BEST)
print("\n".join(line.text for line in of_best.lines[:9]))
# Five steps at once, all called impossible, and then the first of
# them: none is better, and best-first has no other rule.

# %% [markdown]
# ## Further reading
#
# - {cite}`gandhi2024stream`, where the name comes from; {cite}`lehnert2024beyond` taught a transformer to write what A* does.
# - {cite}`guo2025deepseek`, {cite}`muennighoff2025s1` and {cite}`snell2024scaling` on thinking longer; {cite}`qin2025backtrack` on when not to.
# - In the package: `studies/stream/`. `make stream` asks the pocket model, trains and measures again, in about four hours on two cores.
