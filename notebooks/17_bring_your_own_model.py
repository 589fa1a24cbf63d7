# %% [markdown]
# # Bring your own model
#
# [Part one](17_bring_your_own.ipynb) built a task. Now it is the model's turn: yours, on your laptop or behind somebody's
# server. What must the package know about it, what does it add to plain dice, and what will it cost to record a
# chapter with it?
#
# The models written here are **dice**, so that everything runs offline; a recorded model is named where it is quoted. We
# have no recording of the errands, so the task is the Game of 24. In a hurry? Read [what the model adds](#what-does-the-model-add) and
# [what a recording costs](#what-a-recording-costs).

# %% tags=["remove-input"]
from treebook import show
from treebook.nbsetup import setup

setup()
show.concepts.anybody()

# %% [markdown]
# **Figure.** Dice, a function, a server: to a search each of them is what answers a list of requests with a list of replies.
#
# ## Learning objectives
#
# After this chapter you can
#
# - make a model of any function or any HTTP server, and check it with `tot.testing`;
# - say what a recorded model adds to what dice achieve in the same search;
# - name the settings of a server that change what you measure, and say how many calls to keep in flight;
# - estimate what a recording costs in calls, dollars and minutes, make one, interrupt it, and resume it.

# %% tags=["set-up"]
# Imports, and the ten puzzles of chapters 5 and 6
import json
import re
import tempfile
import threading
import urllib.error
import urllib.request
from collections import Counter
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from math import ceil
from pathlib import Path
from random import Random
from statistics import fmean
from textwrap import fill

import tot
from tot import stats
from tot.jsonlines import read_lines
from tot.testing import check_lm
from treebook.lab import Lab
from treebook.studies.results import compared

game = tot.task("game24")
ten = game.problems("starter")[::4]

# %% [markdown]
# ## A model is a function
#
# The smallest model is a function from a request and a **sample index** to a text. Here are dice for the Game of 24. They read the
# numbers in the prompt; they can calculate; they cannot think. (`move` throws a step: two of the numbers and a sign.)


# %% tags=["set-up"]
# A random step
def move(luck, numbers):
    a, b = luck.sample(numbers, 2)
    sign = luck.choice("+-*" if b == "0" else "+-*/")
    x, y = Fraction(a), Fraction(b)
    made = {"+": x + y, "-": x - y, "*": x * y, "/": x / (y or 1)}
    return f"{a} {sign} {b} = {made[sign]}"


# %%
def throw(request, i):
    system, asked = (request.messages[at].content for at in (0, -1))
    numbers = re.findall(r"-?\d+(?:/\d+)?", asked)
    if len(numbers) < 2:
        said = "the dice see no numbers: ask them a Game of 24"
        raise tot.LMError(said)
    luck = Random(f"{asked} {i}")
    if "impossible" in system:
        return luck.choice(["sure", "likely", "impossible"])
    if "next steps" in system:
        return "\n".join(move(luck, numbers) for _ in range(8))
    luck.shuffle(numbers)
    thrown = "".join(n + luck.choice("+-*/") for n in numbers)
    return f"Answer: {thrown[:-1]}"


dice = tot.Scripted(throw, name="dice")

# %% [markdown]
# `tot.Scripted` makes of it what every model is for `tot`: something that answers a **list of requests** with a **list of
# replies**, in order. A model of your own may be a class instead, if it keeps to this (`tot.ask` has it member by member):
#
# - `name` says which model it is, and is part of a recording's identity. `batched` is True for a model that computes in this
#   process and should get all open requests in one list.
# - A `Request` has messages and settings, and says *which* samples are wanted: `first` to `first + n - 1`.
# - A `Reply` has the samples in index order, and two bills: `asked` is for all of them, `paid` only for those that were not recorded yet.
# - `on_reply` is called with each request and its reply as soon as it is there: a recorder listens.
# - `LMError` is the one exception to raise, with a sentence that says what to do next. Then a run ends with `stopped = "error"` and
#   keeps what it found.
#
# The sample index is the unusual part. *Sample 3 of this request* is the same text in every run. So a recording (a
# **cassette**) can replay exactly, and if it holds three samples and you ask for five, you pay for two. `check_lm`
# asks each request about ten times, alone, twice in one list, for other indices, from four threads. To see it
# fail, here is the classic mistake, a model that forgets *which* sample it is asked for.

# %%
root = tot.State(ten[0].x)
prompts = [game.io(root), game.propose(root, "lean"), game.value(root)]
check_lm(dice, prompts)
turn = count()
forgetful = tot.Scripted(lambda r, i: throw(r, next(turn)), name="dice")
try:
    check_lm(forgetful, [game.propose(root, "lean")])
except AssertionError as found:
    print(fill(str(found), 70))

# %% [markdown]
# A live model fails this check, too, because it draws new samples each time. For such a model call `check_lm(...,
# deterministic=False)`; a cassette makes it repeatable.
#
# ## What does the model add?
#
# ### Predict: how well do dice play?
#
# Chapter 6 searched these ten puzzles with breadth 5 and a recorded model of 1.5 billion parameters. A program checked the
# steps, and the number at the end. Now *dice* write and judge the steps, twenty times for each puzzle.


# %%
def solved(one, lm, method, **knobs):
    return tot.solve(game, one, method, lm=lm, **knobs).correct


def thrown(method, lm=dice, **knobs):
    """Twenty runs of each puzzle: from sample 0, 10, 20 ... on."""
    firsts = range(0, 200, 10)
    return [
        [solved(p, lm, method, first=i, **knobs) for i in firsts]
        for p in ten
    ]


knobs = {"style": "lean", "breadth": 5}
recorded = tot.Cassette("cassettes/06.jsonl")
by_dice = thrown("tot-bfs", **knobs)
won = [solved(one, recorded, "tot-bfs", **knobs) for one in ten]
rows = [
    ("dice, one direct answer", stats.bootstrap(thrown("io"))),
    ("dice in the tree", stats.bootstrap(by_dice)),
    (f"{recorded.name} in the tree", stats.wilson(sum(won), 10)),
]
show.Predict(
    "In how many of a hundred searches do dice find 24?",
    round(100 * stats.bootstrap(by_dice).rate),
    low=0,
    high=100,
    shows=show.table(
        {"who": who, "solved": rate} for who, rate in rows
    ),
)

# %% tags=["predict", "remove-input"]
gap = compared(won, [fmean(each) for each in by_dice])
show.results({"the model in the tree against dice in the tree": gap})

# %% [markdown]
# A direct throw is luck. What the tree adds to it comes from the program, which refuses what is not arithmetic, writes the
# answer down, and knows 24 when it sees it. Only the difference between dice and the recorded model comes from the model, and on
# these ten easy puzzles it is more than chance. (Puzzles that pass through the same numbers share replies, so $p$
# is probably a little too small.) **Whatever a model achieves in a tree, put beside it what dice achieve in
# the same tree.**
#
# ## A model behind HTTP
#
# Most models live behind a server. For those that speak the OpenAI protocol there is `tot.lm.openai.OpenAI`. For any other, write a function that sends the request, and turn what goes wrong into an
# `LMError` with advice. Any other exception would come out of `solve` itself, so the code also catches a reply that is not the JSON it expects. `tot.Scripted` counts a request as one
# call, however many samples it draws, and has no price: where your server charges for each, limit `tokens`, not `calls` or `dollars`.


# %%
proxies = urllib.request.ProxyHandler({})  # none
direct = urllib.request.build_opener(proxies)


def by_http(url):
    def ask(request, i):
        messages = [[m.role, m.content] for m in request.messages]
        body = {"messages": messages, "index": i, **request.params}
        try:
            data = json.dumps(body).encode()
            with direct.open(url, data, timeout=30) as reply:
                return json.load(reply)["text"]
        except urllib.error.HTTPError as error:
            busy = error.code == 429
            advice = "wait, run again" if busy else "see its log"
            said = f"it says {error.code}: {advice}"
            raise tot.LMError(said) from error
        except OSError as error:  # nobody there, or too slow
            raise tot.LMError("no server there: start it") from error
        except (ValueError, KeyError, TypeError) as error:
            raise tot.LMError("no text in the reply") from error

    return tot.Scripted(ask, name="dice by HTTP")


# %% [markdown]
# To try it offline, a server on your own machine throws the dice; at the path `/busy` it says 429, *too many requests*.


# %% tags=["set-up"]
# A server with dice in it
class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        size = int(self.headers["Content-Length"])
        asked = json.loads(self.rfile.read(size))
        messages = tuple(tot.Message(*one) for one in asked["messages"])
        text = throw(tot.Request(messages), asked["index"])
        self.send_response(429 if self.path == "/busy" else 200)
        self.end_headers()
        self.wfile.write(json.dumps({"text": text}).encode())

    def log_message(self, *about):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}"

# %%
remote = by_http(f"{url}/answer")
check_lm(remote, prompts[1:])
mine, theirs = dice(prompts), remote(prompts)
assert [r.texts for r in mine] == [r.texts for r in theirs]
for where in (f"{url}/busy", "http://127.0.0.1:9/answer"):
    ended = tot.solve(game, ten[0], "io", lm=by_http(where))
    print(ended.result.stopped, "|", ended.error)
server.shutdown()
server.server_close()

# %% [markdown]
# Three free servers speak the OpenAI protocol: llama.cpp (a file on a laptop), Ollama (easy to install), vLLM (a GPU and many
# requests at once). With each of them only the name and the URL change in your code:
#
# ```python
# OpenAI("coder-1.5b", base_url="http://127.0.0.1:8080/v1", max_concurrency=8)
# ```
#
# [Serving and recording](../book/manual/serving.md) in the manual has the commands; `make local-lm` brings a very small model and
# serves it. Three things change what you measure.
#
# - **The server decides every setting that you do not send.** Our requests set temperature and `max_tokens`. A server may add cuts of its
#   own, such as a top-k of 40 or a top-p of 0.95, so the same weights draw other samples. Note the server and its version beside
#   every number.
# - **A model that thinks** needs room before its answer, and may refuse a temperature: `--lm-profile reasoning` ([today's
#   models](../book/manual/todays_models.md)).
# - **Not every server takes `n`.** One that does reads the prompt once and writes $n$ samples. One that does not is asked $n$
#   times, and reads, and charges for, the prompt each time.
#
# ### Several calls in flight
#
# A search waits for its slowest call, round after round. `max_concurrency` says how many calls may be open at once. Take the
# ten recorded searches, and count how long they wait if every sample is a call, as without `n`, and every call takes equally long.

# %%
runs = [
    tot.solve(game, p, "tot-bfs", lm=recorded, **knobs) for p in ten
]
asked = [
    [
        sum(len(request["samples"]) for request in event["requests"])
        for event in run.trace.events
        if event["kind"] == "asked"
    ]
    for run in runs
]
print("the rounds of the first search, in calls:", asked[0])
show.table(
    {
        "calls in flight": most,
        "a search waits, in calls": fmean(
            sum(ceil(calls / most) for calls in rounds)
            for rounds in asked
        ),
    }
    for most in (1, 4, 8, 32, 128)
)

# %% [markdown]
# **Table.** Means of ten searches, in units of one call. The rounds alternate: one call proposes, 12 ask three times about each of four
# states, 4 propose again. In each of the five a search waits for at least one call. ([Chapter 16](16_what_does_it_cost.ipynb) counts fewer calls, since there a request for
# three verdicts is one, and 69.3 samples: a request that stands twice in a round is billed once.)
#
# Eight in flight save most of the waiting, and beyond thirty-two there is almost nothing left to save. That is the best case,
# in which a call among many is as quick as a call alone. A server has a number of **slots**; what comes on top of them
# waits in its queue, and on a small machine even the slots share one processor. So time your server with 1, 4, 8 ... in
# flight, and stop where the tokens a second no longer grow. For more searches than one process can run there are
# [clusters](../book/manual/clusters.md) ([a study](study_clusters.ipynb)).
#
# ## What a recording costs
#
# With your model the same code gives other trees, other rates, and perhaps another moral. Before you record a chapter,
# estimate. Our recordings know what they cost, and another model will need about as many calls.


# %% tags=["set-up"]
# Adding up a recording
def tally(name):
    """Calls; prompt tokens as paid, and once per request; written."""
    calls, once = {}, {}
    for _, line in read_lines(Path(f"cassettes/{name}.jsonl")):
        if line["type"] == "sample":
            call = line["session"], line["call"], line["key"]
            calls.setdefault(call, [line["prompt_tokens"], 0])
            calls[call][1] += line["completion_tokens"]
            once[line["key"]] = line["prompt_tokens"]
    read, written = map(sum, zip(*calls.values(), strict=True))
    return len(calls), read, sum(once.values()), written


def dollars(read, written, price):  # per million tokens
    return (read * price[0] + written * price[1]) / 1e6


# %%
price = 1, 4  # dollars per million tokens read and written: made up
speed = 24  # tokens a second: about what our recorder wrote, no GPU
rows = []
for name in ("03", "04", "06", "08"):
    calls, read, once, written = tally(name)
    row = {"cassette": name, "calls": calls, "read": read}
    row |= {"read, with n": once, "written": written}
    row["dollars"] = f"{dollars(read, written, price):.2f}"
    row["with n"] = f"{dollars(once, written, price):.2f}"
    rows.append(row | {"minutes": f"{written / speed / 60:.0f}"})
show.table(rows)

# %% [markdown]
# **Table.** Cassettes by chapter. A server that takes `n` reads far less: chapter 3 asked 40 questions ten times each, and paid for the
# prompts of 400 calls.
#
# Before you compare dollars, see which of the two a bill counts. Only 08 was recorded with `n`, so its columns agree; in the others each sample is a call that
# paid for its prompt, while chapter 16 counts a prompt once per request. The minutes count
# only the writing, at the speed assumed. Time your own on a [pilot of three problems](17_bring_your_own.ipynb#the-pilot-three-problems), and then:
#
#     make record CHAPTER=06 MODEL=your-model BASE_URL=http://127.0.0.1:8080/v1
#     make notebooks ONLY=06_
#
# The first lines of a cassette say who answered: model, date, server, settings, and for a file of weights its hash. Each
# sample is written as it arrives. If the connection breaks, your account runs dry, or you press Ctrl-C, run the same command
# again, and it pays for what is missing. Here the dice fall off the table after ten throws.

# %%
left = [10]


def slippery(request, i):
    left[0] -= 1
    if left[0] < 0:
        raise tot.LMError("the dice fell off the table: run again")
    return throw(request, i)


def search(lm, breadth=3):
    more = {"lm": lm, "breadth": breadth, "values": 1}
    return tot.solve(game, ten[0], "tot-bfs", **more)


# %%
folder, rows = tempfile.TemporaryDirectory(), []
path = Path(folder.name) / "dice.jsonl"
for left[0] in (10, 10**6):
    with tot.Cassette(path, tot.Scripted(slippery, name="dice")) as lm:
        run = search(lm)
    bill = run.result.ledger
    rows.append({"session": len(rows) + 1, "ended": run.result.stopped})
    rows[-1]["samples"] = bill.total.samples
    rows[-1]["paid for"] = bill.total_paid.samples
assert search(tot.Cassette(path)).to_dict() == run.to_dict()
folder.cleanup()
show.table(rows)

# %% [markdown]
# **Table.** Two sessions, one tree: what was thrown before the fall was kept, and the replay equals the run.
#
# ### Two models, two tables
#
# Never count the replies of two models together. Suppose that A solves 20% and B 60%, with chains as with trees. A wrote 80
# of the hundred chains and 20 of the hundred trees; B wrote the rest. Then chains solve 28% and trees 52%, and the tree
# seems to win, though it helped neither model. So use the same model on both sides of a comparison, and for a task of your own
# one cassette for all methods. (Chapters 2, 3, 4 and 6 need one model; 9 and 14 one; 15 [a smaller
# one beside it](../book/manual/serving.md#recording-a-chapter).)
#
# **What changes in the outputs?** Every number of the chapter, every tree, and the sentences about them. The code does not.
# A strong model may solve all the puzzles that were chosen for a weak one, and then a comparison
# has nothing left to show: take harder problems, not another conclusion.
#
# ## Where it fails, and how to see it
#
# First look at how samples end. Here are those of the small recorded model.

# %%
rows = []
for name in ("03", "04", "06", "08"):
    lm = tot.Cassette(f"cassettes/{name}.jsonl")
    ends = Counter(s.sample.finish for s in lm.tape.samples.values())
    n = sum(ends.values())
    rows.append({"cassette": name, "samples": n})
    rows[-1]["cut off"] = f"{ends['length'] / n:.0%}"
show.table(rows)

# %% [markdown]
# > **Where it breaks.** A sample that was cut off is not lost, since what came before may be read. But if many are, the cap
# > decides what you measure. Models that think spend tokens before the answer, and the caps of this book's prompts leave no
# > room for that: give them some with `--think-tokens`, and record anew.
#
# | What you see | What it means | What to do |
# |:---|:---|:---|
# | finish "length", often | replies are cut off | raise the cap, or ask for less |
# | finish "thinking" | cut off before the answer | `--think-tokens 4000` |
# | finish "refusal" | the model would not answer | read what it said |
# | many refused lines, about the form | the form is not kept | an example in the prompt |
# | "not in" a cassette, a miss | this sample was not recorded | record it, or turn the knob back |
# | 429 after all retries | too many requests for your account | fewer at once; run again, it resumes |
# | no tokens in the ledger | the server counts none | let the client count, or budget in calls |
#
# **Table.** Seven signs of trouble; [the manual](../book/manual/serving.md) has more, and the commands.
#
# In Jupyter the next cell is a panel with the dice, the pocket model and the recording to choose from: turn the knobs, press
# *Run*, stop, step through the tree.

# %% tags=["nbval-ignore-output"]
from treebook.players import Pocket

models = {"dice": dice, "pocket": Pocket()}
more = {"problem": ten[7].x, "knobs": {"style": "lean"}}
settings = [{"breadth": b} for b in (1, 5)]
Lab(models, settings=settings, recorded=recorded, **more)

# %% [markdown]
# **Figure.** Two recorded searches, step by step; in Jupyter, the whole panel.
#
# ## Summary
#
# - A function from a request and a sample index to a text makes a model. The index is what `check_lm` tests first.
# - In the same tree dice solve about a quarter of ten easy puzzles. Put that number beside every model's.
# - Put the server's name beside every number, for the settings that you did not send, and use the same model on both sides of a comparison.
# - Calls in flight save waiting until each round is one wait, or the server's slots are full.
# - Most tokens of a search are prompts. A server that takes `n` would read less than half of them for chapter 6, and a tenth for
#   chapter 3. Estimate from an existing recording, run a pilot, and only then record.
#
# ## Exercises
#
# ### Exercise 1: patience
#
# Write `patient(lm, tries)`, a model around another one which asks again when that one raises an `LMError`, at most `tries`
# times. Test it on dice that fail at every third throw. Which name should it have?
#
# <details><summary>Hint</summary>
#
# `lm([request.samples(i, 1)])[0].texts[0]` is one sample. A recording should not care how often a reply was asked for.
#
# </details>

# %% [markdown]
# #### Solution 1


# %% tags=["hide-cell"]
def rolling(request, i):
    if next(turn) % 3 == 0:
        raise tot.LMError("a die rolled under the table: throw again")
    return throw(request, i)


def patient(lm, tries=3):
    def ask(request, i):
        for again in reversed(range(tries)):
            try:
                return lm([request.samples(i, 1)])[0].texts[0]
            except tot.LMError:
                if not again:
                    raise

    return tot.Scripted(ask, name=lm.name)


shaky = tot.Scripted(rolling, name="dice")
print(search(shaky).result.stopped, "|", search(shaky).error)
assert search(patient(shaky)).to_dict() == search(dice).to_dict()
print("with patience: the same as dice that never roll away")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# The name is that of the model inside: it identifies what was drawn, not how it was drawn. `OpenAI` does the same with growing waits, and it does not repeat what
# cannot get better, such as a wrong key.
#
# </details>
#
# ### Exercise 2: what does a dollar buy?
#
# Your provider asks 0.50 dollars per million tokens read and 2.00 per million written. How many of chapter 6's searches (breadth 5, the ten puzzles)
# does a dollar buy, if the server takes `n`? And if it does not, so that each of the three verdicts on a state reads the prompt again? And if your
# model writes three times as much?
#
# <details><summary>Hint</summary>
#
# `run.result.ledger.asked` has the bill of each role, with `prompt_tokens` counted once per call. Only the evaluator asks for several samples.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell"]
bills = [run.result.ledger for run in runs]
written = sum(bill.total.completion_tokens for bill in bills)
once = sum(bill.total.prompt_tokens for bill in bills)
judged = sum(bill.asked["evaluator"].prompt_tokens for bill in bills)
for what, read in (("with n", once), ("without n", once + 2 * judged)):
    for talk in (1, 3):
        each = dollars(read, talk * written, (0.5, 2.0)) / 10
        print(f"{what}, {talk} x the words:", end=" ")
        print(f"${each:.4f} a search, {1 / each:.0f} for a dollar")

# %% [markdown]
# ### Exercise 3: two models in one run
#
# Roles may have models of their own (chapter 5). Let the dice propose and a judge decide who really knows: a scripted model that says *sure* or
# *impossible* by trying everything (`tot.tasks.game24_rules.solvable`). Predict: ToT with breadth 5, how many of the ten puzzles? What do
# the dice's own verdicts cost?
#
# <details><summary>Hint</summary>
#
# `lm={"generator": dice, "evaluator": judge}`. The last message of a value prompt is the numbers that are left; `tot.tasks.game24.numbers_of` reads them.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
from tot.tasks.game24 import numbers_of
from tot.tasks.game24_rules import solvable


def know(request, i):
    left = numbers_of(request.messages[-1].content)
    return "sure" if solvable(left) else "impossible"


pair = {
    "generator": dice,
    "evaluator": tot.Scripted(know, name="oracle"),
}
judged = thrown("tot-bfs", pair, **knobs)
print("dice propose, an oracle judges, b=5:", stats.bootstrap(judged))

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Most of the puzzles: with perfect ones in their place, the same random proposals, eight for a state, solve 90% instead of 26%. (Perfect proposals were not tried.) [Chapter 6](06_tot_bfs_game24.ipynb) tells what the paper's authors found when they swapped two.
#
# </details>
#
# ### Exercise 4: ten searches at once
#
# The first search leaves most of 32 slots empty in four of its five rounds. Let the ten recorded searches run at the same time,
# each waiting for its own round before it goes on to the next. In units of one call, how long do all ten take with 8, 32 and 128 calls in flight, if the rounds
# of all ten fall together? And one after the other?
#
# <details><summary>Hint</summary>
#
# `zip(*asked)` has the calls of all searches, round by round.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
for most in (8, 32, 128):
    joint = sum(ceil(sum(r) / most) for r in zip(*asked, strict=True))
    alone = sum(
        ceil(calls / most) for rounds in asked for calls in rounds
    )
    print(f"{most} in flight: {joint} together, {alone} in turn")

# %% [markdown]
# ## Further reading
#
# - [Serving and recording](../book/manual/serving.md) in the manual: commands, settings, what goes wrong.
# - The documentation of [llama.cpp's server](https://github.com/ggml-org/llama.cpp/tree/master/tools/server), of [Ollama](https://docs.ollama.com) and of
#   [vLLM](https://docs.vllm.ai).
# - The paper {cite}`yao2023tree`, appendix B.2: another model, the same tree.
