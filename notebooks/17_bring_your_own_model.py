# %% [markdown]
# # Bring your own model
#
# [Part one](17_bring_your_own.ipynb) built a task. Now it is the model's turn: yours, on your laptop or behind somebody's server. What must
# the package know about it, how good must it be to beat a pair of dice, and what will it cost to record a chapter with it?
#
# The models written here are **dice**, so that everything runs offline. Where a recorded model is quoted, its name stands beside the
# number.

# %% tags=["remove-input"]
from treebook import show
from treebook.nbsetup import setup

setup()
show.concepts.anybody()

# %% [markdown]
# **Figure.** What stands on the right is one thing to a search: it answers a list of requests with a list of replies.
#
# ## Learning objectives
#
# After this chapter you can
#
# - make a model of any function or any HTTP server, and check it with `tot.testing`;
# - say what a recorded model adds to what dice achieve in the same search;
# - name the settings of a server that change what you measure;
# - estimate what a recording costs in calls, dollars and hours, make it, stop it, and go on.

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
from pathlib import Path
from random import Random
from textwrap import fill

import tot
from tot import stats
from tot.jsonlines import read_lines
from tot.testing import check_lm
from treebook.lab import Lab

game = tot.task("game24")
ten = game.problems("starter")[::4]

# %% [markdown]
# ## What a model has to be
#
# A language model, for `tot`, is anything that answers a **list of requests** with a **list of replies**, in order.
#
# - `name` says which model this is; it is part of a recording's identity. `batched` is True if it computes here, and wants all open
#   requests in one list.
# - A `Request` has messages and settings, and says *which* samples are wanted: `first` to `first + n - 1`.
# - A `Reply` has the samples in index order, and two bills: `asked` (as if nothing were recorded) and `paid`.
# - `on_reply` is called with each request and its reply as soon as it is there: a recorder listens.
# - `LMError` is the one exception to raise, with a sentence that says what to do next.
#
# The sample index is the unusual part. *Sample 3 of this request* is one fixed thing, whoever asks for it and whenever. That makes replays
# exact, and it is why asking for five samples after three costs two.
#
# Here is the contract in two small classes. `Model` wants one method from its subclasses, `text(request, i)`, and takes words for tokens.


# %%
class Texts:
    batched = False

    def sample(self, request, i):
        text = self.text(request, i)
        return tot.Sample(text, completion_tokens=len(text.split()))

    def answer(self, request):
        wanted = range(request.first, request.first + request.n)
        samples = tuple(self.sample(request, i) for i in wanted)
        prompt = sum(len(m.content.split()) for m in request.messages)
        spent = sum(sample.completion_tokens for sample in samples)
        bill = tot.Usage(1, request.n, prompt, spent)
        return tot.Reply(samples, asked=bill, paid=bill)


# %%
class Model(Texts):
    def __call__(self, requests, on_reply=None):
        replies = []
        for request in requests:
            replies.append(self.answer(request))
            if on_reply:
                on_reply(request, replies[-1])
        return replies


# %% [markdown]
# To put something into it: dice that read the numbers in a Game-of-24 prompt. They can calculate; they cannot think. A proposed
# step is two of the numbers and a sign (`move`, folded).


# %% tags=["set-up"]
# A random step
def move(luck, numbers):
    a, b = luck.sample(numbers, 2)
    sign = luck.choice("+-*" if b == "0" else "+-*/")
    x, y = Fraction(a), Fraction(b)
    made = {"+": x + y, "-": x - y, "*": x * y, "/": x / (y or 1)}
    return f"{a} {sign} {b} = {made[sign]}"


# %%
class Dice(Model):
    name = "dice"

    def text(self, request, i):
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


# %% [markdown]
# `check_lm` holds a model to the contract. It asks each request about ten times: alone, twice in one list, for other indices, from four threads. To
# see that it can fail, here is the classic mistake, a model that forgets *which* sample it is asked for.


# %%
class Forgetful(Dice):
    thrown = 0

    def text(self, request, i):
        self.thrown += 1
        return super().text(request, self.thrown)


root = tot.State(ten[0].x)
prompts = [game.io(root), game.propose(root, "lean"), game.value(root)]
dice = Dice()
check_lm(dice, prompts)
try:
    check_lm(Forgetful(), prompts[1:2])
except AssertionError as found:
    print(fill(str(found), 70))

# %% tags=["checked"]
# tot.Scripted makes the same model of a function
assert dice(prompts) == tot.Scripted(dice.text, name="dice")(prompts)
for reply in dice(prompts):
    print(fill(reply.texts[0].replace("\n", ", "), 70))

# %% [markdown]
# Live models fail this check honestly, since their samples are new each time. For them, call `check_lm(..., deterministic=False)`; a
# cassette makes them repeatable.
#
# ## What does the model add?
#
# ### Predict: how well do dice play?
#
# Chapter 6 searched these ten puzzles with breadth 5 and a recorded model of 1.5 billion parameters. Steps were checked by program, and so was the
# number at the end. In how many of a hundred such searches do *dice* find 24? (We throw twenty times for each puzzle.)


# %%
def solved(one, lm, method, **knobs):
    return tot.solve(game, one, method, lm=lm, **knobs).correct


def thrown(method, **knobs):
    """Twenty throws for each of the ten puzzles."""
    knobs |= {"lm": dice, "method": method}
    firsts = range(0, 200, 10)
    return [[solved(p, first=i, **knobs) for i in firsts] for p in ten]


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

# %% tags=["set-up"]
# The model against the dice, puzzle by puzzle
gaps = [w - sum(d) / 20 for w, d in zip(won, by_dice, strict=True)]
print(
    f"model against dice in the tree: p = {stats.sign_flips(gaps):.3f}"
)

# %% [markdown]
# A direct throw is luck. What the tree adds to it is the program's: it refuses what is not arithmetic, writes the answer down, and knows 24 when it
# sees it. The rest of the way to the recorded model's number is the model's, and on these ten easy puzzles it is more than chance.
# (They are not quite ten independent trials: at least two of them pass through the same numbers and share replies.) **Whatever a model achieves in a
# tree, put beside it what dice achieve in the same tree.** It costs nothing to find out.
#
# ## A model behind HTTP
#
# Most models live behind a server. For those that speak the OpenAI protocol there is `tot.lm.openai.OpenAI`, with retries, concurrency and readable
# errors. For any other, write a `text` that sends the request. What goes wrong becomes an `LMError` with advice: then a
# run ends with `stopped = "error"` and keeps what it found. Any other exception would tear it down, so a reply that is no such JSON
# has its own line below.


# %%
class Http(Model):
    name = "dice by HTTP"
    proxies = urllib.request.ProxyHandler({})  # none
    direct = urllib.request.build_opener(proxies)

    def __init__(self, url):
        self.url = url

    def text(self, request, i):
        messages = [[m.role, m.content] for m in request.messages]
        body = {"messages": messages, "index": i, **request.params}
        try:
            data = json.dumps(body).encode()
            with self.direct.open(self.url, data, timeout=30) as reply:
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


# %% [markdown]
# To try it offline, a server on your own machine throws the dice; at the path `/busy` it says 429, *too many requests*.


# %% tags=["set-up"]
# A server with dice in it
class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        size = int(self.headers["Content-Length"])
        asked = json.loads(self.rfile.read(size))
        messages = tuple(tot.Message(*one) for one in asked["messages"])
        text = dice.text(tot.Request(messages), asked["index"])
        self.send_response(429 if self.path == "/busy" else 200)
        self.end_headers()
        self.wfile.write(json.dumps({"text": text}).encode())

    def log_message(self, *about):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}"

# %%
remote = Http(f"{url}/answer")
check_lm(remote, prompts[1:])
mine, theirs = dice(prompts), remote(prompts)
assert [r.texts for r in mine] == [r.texts for r in theirs]
for where in (f"{url}/busy", "http://127.0.0.1:9/answer"):
    ended = tot.solve(game, ten[0], "io", lm=Http(where))
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
# [Serving and recording](../book/manual/serving.md) in the manual has the commands. (`make local-lm` brings a very small model and serves
# it.) Three habits change what you measure.
#
# - **What you do not send, the server decides.** Our requests set temperature and `max_tokens`. A server may add cuts of its own, such as a
#   top-k of 40 or a top-p of 0.95, so the same weights draw other samples. Note the server and its version beside every number.
# - **A model that thinks** needs room before its answer, and may refuse a temperature: `--lm-profile reasoning` ([today's
#   models](../book/manual/todays_models.md)).
# - **Not every server takes `n`.** One that does reads the prompt once and writes $n$ samples. One that does not is asked $n$ times, and
#   reads, and charges for, the prompt each time.
#
# ## What a recording costs
#
# With your model the same code gives other trees, other rates, and perhaps another moral. Before you record a chapter, estimate. Our recordings
# know what they cost, and another model will need about as many calls.


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
# **Table.** A server that takes `n` reads far less: chapter 3 (03) asked 40 questions ten times each, and paid for the prompts of 400 calls.
#
# Mind the column before you compare dollars. Only 08 was recorded with `n`; in the others each sample is a call that paid for its prompt, while the
# [bills of chapter 16](16_what_does_it_cost.ipynb) count a prompt once per request. The minutes count the writing alone, at the speed that the
# code assumes; tokens per second differ greatly from machine to machine, so time your own on a pilot. A talkative model multiplies what is written. So
# pilot on three problems, and then:
#
#     make record CHAPTER=06 MODEL=your-model BASE_URL=http://127.0.0.1:8080/v1
#     make notebooks ONLY=06_
#
# Chapters share cassettes. Record 02, 03, 04 and 06 with one model; 09 and 14 with one, since the chains of 09 are compared with the plans
# of 14; and 15 with a *smaller* one beside that of 14 (`--small-model`), because its question is which role needs the large model.
#
# The first lines of a cassette say who answered: model, date, server, settings, and for a file of weights its hash. Each sample is
# written as it arrives. If the connection breaks, your account runs dry, or you press Ctrl-C, run the same command
# again, and it pays for what is missing. Here the dice fall off the table after ten throws.


# %%
class Flaky(Dice):
    def __init__(self, left):
        self.left = left

    def text(self, request, i):
        self.left -= 1
        if self.left < 0:
            raise tot.LMError("the dice fell off the table: run again")
        return super().text(request, i)


def search(lm, breadth=3):
    knobs = {"lm": lm, "breadth": breadth, "values": 1}
    return tot.solve(game, ten[0], "tot-bfs", **knobs)


# %%
folder = tempfile.TemporaryDirectory()
path = Path(folder.name) / "dice.jsonl"
for live in (Flaky(10), Flaky(10**6)):
    with tot.Cassette(path, live) as lm:
        run = search(lm)
    bill = run.result.ledger
    samples, paid = bill.total.samples, bill.total_paid.samples
    print(f"{run.result.stopped}: {samples} samples, {paid} paid")
assert search(tot.Cassette(path)).to_dict() == run.to_dict()
folder.cleanup()

# %% [markdown]
# Two sessions, one tree: what was thrown before the fall was kept, and the replay equals the run.
#
# **What changes in the outputs?** Every number of the chapter, every tree, and the sentences about them. The code does not. Read the whole chapter
# again. A strong model may solve all the puzzles that were chosen for a weak one, and then a comparison has nothing left to show: take harder problems,
# not another conclusion.
#
# ### When one process is too small
#
# A hundred problems are an evening's work for a laptop; ten thousand are not. `tot run` spreads them over the cores of a machine, or over a
# [Dask](https://docs.dask.org) cluster:
#
#     tot run game24 --method io,tot-bfs --problems hard --dask auto \
#         --lm openai:your-model --cassette mine.jsonl --out results.jsonl
#
# The processes that do the work are *workers*. Only the process that you started writes files, so results and recording are as if there were
# no others; a worker that dies costs the problems it was at, and keys stay in the workers' own environment. [The manual](../book/manual/clusters.md) says how to start
# a cluster. [A study](study_clusters.ipynb) computes how many puzzles an hour a few servers can do, and in which order the jobs should run,
# since servers remember the beginnings of prompts.
#
# ## Where it fails, and how to see it
#
# Look at the ends of samples first. Here is how those of the small recorded model ended.

# %%
for name in ("03", "04", "06", "08"):
    lm = tot.Cassette(f"cassettes/{name}.jsonl")
    ends = Counter(s.sample.finish for s in lm.tape.samples.values())
    n = sum(ends.values())
    print(f"{name}: {n:5,} samples, {ends['length'] / n:.0%} cut off")

# %% [markdown]
# > **Where it breaks.** A sample that was cut off is not lost, since what came before may be read. But if many are, the cap decides what you
# > measure. Models that think spend tokens before the answer, and the caps of this book's prompts leave no room for that: give them
# > some with `--think-tokens`, and record anew.
#
# | What you see | What it means | What to do |
# |:---|:---|:---|
# | finish "length", often | replies are cut off | raise the cap, or ask for less |
# | finish "thinking" | cut off before the answer | `--think-tokens 4000` |
# | finish "refusal" | the model would not answer | read what it said |
# | many unread, one reason | the form is not kept | an example in the prompt |
# | "not in" a cassette, a miss | this sample was not recorded | record it, or turn the knob back |
# | 429 after all retries | too many requests for your account | fewer at once; run again, it resumes |
# | no tokens in the ledger | the server counts none | let the client count, or budget in calls |
#
# **Table.** Seven signs of trouble; [the manual](../book/manual/serving.md) has more, and the commands.
#
# In Jupyter the next cell is a panel with the dice, the pocket model and the recording to choose from: turn the knobs, press *Run*, stop,
# step through the tree. In the static page it is a slider over searches that were recorded.

# %% tags=["nbval-ignore-output"]
from treebook.players import Pocket

models = {"dice": dice, "pocket": Pocket()}
more = {"problem": ten[7].x, "knobs": {"style": "lean"}}
settings = [{"breadth": b} for b in (1, 3, 5)]
Lab(models, settings=settings, recorded=recorded, **more)

# %% [markdown]
# **Figure.** Recorded searches, step by step; in Jupyter, the whole panel.
#
# ## Summary
#
# - One method, from a request and a sample index to a text, makes a model. The index is what `check_lm` tests first.
# - In the same tree dice solve about a quarter of ten easy puzzles. Only the rest of a model's rate is its own.
# - A number needs the server's name beside it, for the settings that you did not send.
# - Most tokens of a search are prompts. A server that takes `n` would read less than half of them for chapter 6, where only the evaluator asks for
#   several samples, and a tenth for chapter 3. Estimate from a recording that exists, pilot, record, resume; then read the chapter again.
#
# ## Exercises
#
# ### Exercise 1: what is a token?
#
# `Texts` takes words for tokens. Write `Letters`, dice that count a token for every four characters, rounded up. It must pass `check_lm`. For one
# search: what changes in the tree, and what in the bill?
#
# <details><summary>Hint</summary>
#
# Override `sample`. The prompt is counted in `answer`; leave it.
#
# </details>

# %% [markdown]
# #### Solution 1


# %% tags=["hide-cell"]
class Letters(Dice):
    def sample(self, request, i):
        text = self.text(request, i)
        return tot.Sample(text, completion_tokens=-(-len(text) // 4))


check_lm(Letters(), prompts)
words, letters = search(dice), search(Letters())
assert words.answers == letters.answers
for run in (words, letters):
    print(run.result.ledger.total.completion_tokens, "tokens")
print(
    "The same tree, another bill: compare tokens of one counter only."
)

# %% [markdown]
# ### Exercise 2: patience
#
# Write `Patient(lm, tries)`, a model around another one which asks again when that one raises an `LMError`, at most `tries` times. Test it on dice that fail
# at every third throw. Which name should it have?
#
# <details><summary>Hint</summary>
#
# Only `text` is needed: `lm([request.samples(i, 1)])[0].texts[0]`. A recording should not care how often a reply was asked for.
#
# </details>

# %% [markdown]
# #### Solution 2


# %% tags=["hide-cell"]
class Slippery(Dice):
    thrown = 0

    def text(self, request, i):
        self.thrown += 1
        if self.thrown % 3 == 0:
            raise tot.LMError(
                "a die rolled under the table: throw again"
            )
        return super().text(request, i)


class Patient(Model):
    def __init__(self, lm, tries=3):
        self.lm, self.name, self.tries = lm, lm.name, tries

    def text(self, request, i):
        for left in reversed(range(self.tries)):
            try:
                return self.lm([request.samples(i, 1)])[0].texts[0]
            except tot.LMError:
                if not left:
                    raise


print(search(Slippery()).result.stopped, "|", search(Slippery()).error)
assert search(Patient(Slippery())).to_dict() == search(dice).to_dict()
print("with patience: the same as dice that never roll away")

# %% [markdown]
# <details><summary>Discussion</summary>
#
# The name is that of the model inside: it identifies what was drawn, not how. `OpenAI` does the same with growing waits, and it does not repeat what
# cannot get better, such as a wrong key.
#
# </details>
#
# ### Exercise 3: what does a dollar buy?
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
# #### Solution 3

# %% tags=["hide-cell"]
bills = [
    tot.solve(game, one, "tot-bfs", lm=recorded, **knobs).result.ledger
    for one in ten
]
written = sum(bill.total.completion_tokens for bill in bills)
once = sum(bill.total.prompt_tokens for bill in bills)
judged = sum(bill.asked["evaluator"].prompt_tokens for bill in bills)
for what, read in (("with n", once), ("without n", once + 2 * judged)):
    for talk in (1, 3):
        each = dollars(read, talk * written, (0.5, 2.0)) / 10
        print(f"{what}, {talk} x the words:", end=" ")
        print(f"${each:.4f} a search, {1 / each:.0f} for a dollar")

# %% [markdown]
# ### Exercise 4: two models in one run
#
# Roles may have models of their own (chapter 5). Let the dice propose and a judge decide who really knows: a scripted model that says *sure* or
# *impossible* by trying everything (`tot.tasks.game24_rules.solvable`). Predict: ToT with breadth 5, how many of the ten puzzles? What does that say about
# where the paper's search loses?
#
# <details><summary>Hint</summary>
#
# `lm={"generator": dice, "evaluator": judge}`. The last message of a value prompt is the numbers that are left; `tot.tasks.game24.numbers_of` reads them.
#
# </details>

# %% [markdown]
# #### Solution 4

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
judged = [
    [
        solved(one, pair, "tot-bfs", first=10 * t, **knobs)
        for t in range(20)
    ]
    for one in ten
]
print("dice propose, an oracle judges, b=5:", stats.bootstrap(judged))

# %% [markdown]
# <details><summary>Discussion</summary>
#
# With a perfect judge even random proposals go far, if there are enough of them. Compare with the swap of roles in
# [chapter 6](06_tot_bfs_game24.ipynb): what limits a search is the weaker role, and that may be either.
#
# </details>
#
# ## Further reading
#
# - [Serving and recording](../book/manual/serving.md) in the manual: commands, settings, what goes wrong. `tot.ask` has the contract, member by member.
# - The documentation of [llama.cpp's server](https://github.com/ggml-org/llama.cpp/tree/master/tools/server), of [Ollama](https://docs.ollama.com) and of
#   [vLLM](https://docs.vllm.ai).
# - The paper {cite}`yao2023tree`, appendix B.2: another model, the same tree.
