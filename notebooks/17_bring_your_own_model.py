# %% [markdown]
# # Bring your own model
#
# [Part one](17_bring_your_own.ipynb) built a task. This part builds a **model**: first in thirty lines, then behind HTTP, then a real one on a
# server of your own. It says what recording a chapter with a strong model costs, how to stop and go on, and how to read what goes wrong.
#
# The models written here are **dice**. They show how a model plugs in, and what a search achieves with no understanding at all. Where a
# recorded model is quoted, its name stands beside the number.
#
# ## Learning objectives
#
# After this chapter you can
#
# - write a language model from any function or any HTTP server: requests, replies, tokens, errors;
# - check it with `tot.testing`, and say what the sample index is for;
# - serve a model with llama.cpp, Ollama or vLLM, and name the settings that change what you measure;
# - estimate what a recording costs, make it, stop it, and go on;
# - read a failure: cut off, refused, unread, not recorded, too many requests.

# %% tags=["set-up"]
# Imports
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

# %% tags=["set-up"]
# The game, and the ten puzzles of chapters 5 and 6
import tot
from tot import show, stats
from tot.jsonlines import read_lines
from tot.lab import Lab
from tot.nbsetup import setup
from tot.testing import check_lm

setup()
game = tot.task("game24")
ten = game.problems("starter")[::4]

# %% [markdown]
# ## What a model has to be
#
# A language model, for `tot`, is anything that answers a **list of requests** with a **list of replies**, in order.
#
# | part | what it says |
# |---|---|
# | `name` | which model this is; part of a recording's identity |
# | `batched` | True if it computes here, and wants all open requests in one list |
# | `Request` | messages, temperature, max_tokens, stop ...; and *which* samples: `first` to `first + n - 1` |
# | `Reply` | the samples in index order, and two bills: `asked` (as if nothing were recorded) and `paid` |
# | `on_reply` | call it with each request and its reply as soon as it is there: a recorder listens |
# | `LMError` | the one exception to raise: a sentence that says what to do next |
#
# The sample index is the unusual part. *Sample 3 of this request* is one fixed thing, whoever asks for it and whenever. That makes replays
# exact, and it is why asking for five samples after three costs two.
#
# Here is the contract as a class. It wants one method from its subclasses: `text(request, i)`. It takes words for tokens.


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
# ## Dice
#
# To put something into it: a model that reads the numbers in a Game-of-24 prompt and throws dice. It can calculate; it cannot think. A proposed
# step is two of the numbers and a sign.


# %%
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
# `check_lm` holds it to the contract. It asks each request about ten times: alone, twice in one list, for other indices, from four threads. And the
# package has the same already: `tot.Scripted` makes a model of any function. The two agree.

# %%
root = tot.State(ten[0].x)
prompts = [game.io(root), game.propose(root, "lean"), game.value(root)]
dice = Dice()
check_lm(dice, prompts)
assert dice(prompts) == tot.Scripted(dice.text, name="dice")(prompts)
for reply in dice(prompts):
    print(fill(reply.texts[0].replace("\n", ", "), 70))

# %% [markdown]
# What would the check have caught? The classic mistake is a model that forgets *which* sample it is asked for.


# %%
class Forgetful(Dice):
    thrown = 0

    def text(self, request, i):
        self.thrown += 1
        return super().text(request, self.thrown)


try:
    check_lm(Forgetful(), prompts[1:2])
except AssertionError as found:
    print(fill(str(found), 70))

# %% [markdown]
# Live models fail this check honestly: their samples are new each time. For them it is `check_lm(..., deterministic=False)`, and a cassette makes them
# repeatable.
#
# ### Predict: how well do dice play?
#
# Chapter 6 ran ToT with breadth 5 on these ten puzzles, with a recorded model of 1.5 billion parameters. Steps were checked by program, and so was the
# number at the end. How many of the ten do dice solve in the same search? Twenty throws of the dice for each puzzle, to be sure.


# %% tags=["predict"]
def solved(one, lm, method, **knobs):
    return tot.solve(game, one, method, lm=lm, **knobs).correct


def thrown(method, **knobs):
    """Twenty throws for each of the ten puzzles."""
    firsts, groups = range(0, 200, 10), []
    knobs |= {"lm": dice, "method": method}
    for one in ten:
        groups.append([solved(one, first=i, **knobs) for i in firsts])
    return stats.bootstrap(groups)


print("dice, one direct answer:", thrown("io"))
for b in (1, 5):
    rate = thrown("tot-bfs", style="lean", breadth=b)
    print(f"dice, ToT b={b}:", rate)

# %% tags=["predict"]
recorded = tot.Cassette("cassettes/06.jsonl")
knobs = {"style": "lean", "breadth": 5}
won = [solved(one, recorded, "tot-bfs", **knobs) for one in ten]
dates = {session["date"] for session in recorded.tape.sessions.values()}
print(f"{recorded.name}, recorded {', '.join(sorted(dates))}")
print("ToT b=5:", stats.wilson(sum(won), len(won)))

# %% [markdown]
# A direct throw is luck. What the tree adds to it is the program's: it refuses what is not arithmetic, writes the answer down, and knows 24 when it
# sees it. (These ten puzzles are easy ones.) The rest of the way to the recorded model's number is the model's. **Whatever a model achieves in a tree, put beside it
# what dice achieve in the same tree.** It costs nothing to find out.
#
# ## A model behind HTTP
#
# Most models live behind a server. For those that speak the OpenAI protocol there is `tot.lm.openai.OpenAI`, with retries, concurrency and readable
# errors. For any other one, write a `text` that sends the request. To try that offline, here is a server on your own machine, which
# throws the dice; at the path `/busy` it says 429, *too many requests*.


# %%
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


# %% [markdown]
# The model is one method again. Everything that can go wrong becomes an `LMError` with advice: then a run ends with `stopped = "error"` and keeps
# what it found. Any other exception would tear it down.


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
        except OSError as error:
            raise tot.LMError("no server there: start it") from error


# %%
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}"
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
# ## Serving a model yourself
#
# Three servers that speak the OpenAI protocol. With each of them only the name and the URL change in your code. (Read in their documentation in
# November 2026. They change quickly: `--help` has the last word.)
#
# **llama.cpp**: a GGUF file on a laptop, with or without a GPU. With `-np 8` there are eight slots, and `-c` is the context of *all of them together*: eight times
# 4,096 tokens. Requests beyond the slots wait. Name the port; the default has changed.
#
# ```console
# $ llama-server -hf Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF:Q4_K_M --alias coder-1.5b -np 8 -c 32768 --port 8080
# ```
#
# **Ollama**: easy to install. Unless told otherwise it serves one request at a time for a model, with a short context (4,096 tokens on small machines).
# It does not know `n`: one sample for each call. `OpenAI` notices, and asks for the rest.
#
# ```console
# $ OLLAMA_NUM_PARALLEL=4 OLLAMA_CONTEXT_LENGTH=8192 ollama serve
# $ ollama pull qwen2.5-coder:1.5b
# ```
#
# **vLLM**: for a GPU and many requests at once. It takes `n`.
#
# ```console
# $ vllm serve Qwen/Qwen2.5-Coder-1.5B-Instruct --max-model-len 8192 --generation-config vllm --port 8000
# ```
#
# ```python
# OpenAI("coder-1.5b", base_url="http://127.0.0.1:8080/v1", max_concurrency=8)
# OpenAI("qwen2.5-coder:1.5b", base_url="http://127.0.0.1:11434/v1", max_concurrency=4)
# OpenAI("Qwen/Qwen2.5-Coder-1.5B-Instruct", base_url="http://127.0.0.1:8000/v1")
# ```
#
# No model at hand? `make local-lm` brings a very small one and serves it. What to know before you measure anything:
#
# - **What you do not send, the server decides.** Our requests set temperature and max_tokens. llama.cpp then adds a top-k of 40, a top-p of 0.95 and a
#   min-p of 0.05 of its own. vLLM takes what the model's makers wrote into `generation_config.json`, unless `--generation-config vllm` forbids it. The
#   same weights draw other samples. So note the server and its version beside every number.
# - **Tokens when n > 1.** llama.cpp counts those of the first sample alone. `OpenAI` then estimates the others by their length. With `tokens_from="logprobs"` it
#   counts them exactly, from larger answers. With `native_n=False` each sample is a call of its own: exact as well, and the prompt is paid for each time.
# - **Slots.** Give `max_concurrency` about the number of slots. More calls only wait, and a wait counts towards `timeout`.
# - **Reasoning models** spend tokens before the answer. The caps of this book's prompts would cut them off: raise `max_tokens` in the task, and record anew.
#
# ## Recording a chapter with a strong model
#
# Every chapter replays a cassette. With your model the same code gives other trees, other rates, and perhaps another moral. Before you start,
# estimate. A recording knows what it cost, and another model will need about as many calls.


# %%
def tally(name):
    """Calls, prompt tokens and generated tokens of a recording."""
    calls = {}
    for _, line in read_lines(Path(f"cassettes/{name}.jsonl")):
        if line["type"] == "sample":
            call = line["session"], line["call"], line["key"]
            calls.setdefault(call, [line["prompt_tokens"], 0])
            calls[call][1] += line["completion_tokens"]
    return len(calls), *map(sum, zip(*calls.values(), strict=True))


def dollars(prompt, out, price):  # per million tokens, in and out
    return (prompt * price[0] + out * price[1]) / 1e6


# %%
rows = []
for name in ("03", "04", "06", "08"):
    calls, prompt, out = tally(name)
    row = {"cassette": name, "calls": calls, "in": prompt, "out": out}
    cost = f"${dollars(prompt, out, (1, 4)):.2f}"
    rows.append(row | {"at $1 and $4": cost})
note = "Tokens, and made-up prices per million of them."
show.table(rows, caption=note)

# %% [markdown]
# Most of it is prompts, as chapter 5 found. A talkative model multiplies the tokens that come out. So pilot on three problems, and then:
#
#     make record CHAPTER=06 MODEL=your-model BASE_URL=http://127.0.0.1:8080/v1
#     make notebooks ONLY=06_
#
# Chapters share cassettes: record 02, 03, 04 and 06 with one model, and 09, 14 and 15 with one.
#
# **Provenance.** The first line of a cassette says who answered: model, date, server, settings, and for a file of weights its hash (`studies/record.py --weights FILE`).
# Other weights under the same name are refused. The old recording of another model is moved aside, not mixed in. No key is ever written.
#
# **Resuming.** Each sample is written as it arrives. If the connection breaks, your account runs dry, or you press Ctrl-C: run the same command
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
here = {"server": "this notebook"}
for live in (Flaky(10), Flaky(10**6)):
    with tot.Cassette(path, live, settings=here) as lm:
        run = search(lm)
    bill = run.result.ledger
    samples, paid = bill.total.samples, bill.total_paid.samples
    print(f"{run.result.stopped}: {samples} samples, {paid} paid")
again = tot.Cassette(path)
assert search(again).to_dict() == run.to_dict()
for who in again.tape.sessions.values():
    print({k: who[k] for k in ("id", "model", "server", "schema")})

# %% [markdown]
# Two sessions, one tree: what was thrown before the fall was kept, and the replay equals the run. Now turn a knob that nobody recorded:

# %%
missed = search(again, breadth=6)
print(fill(missed.error.replace("; ", ";\n"), 70))
folder.cleanup()

# %% [markdown]
# A **miss** names the recorded request that comes nearest, the first line where they differ, and what to do. (`tot.solve(..., live=...)` starts
# the run again on a live model instead. No run mixes two models.)
#
# **What changes in the outputs?** Every number of the chapter, every tree, and the sentences about them. The code does not. Read the whole chapter
# again. A strong model may solve all the puzzles that were chosen for a weak one, and then a comparison has nothing left to show: take harder problems,
# not another conclusion.
#
# ## Where it fails, and how to see it
#
# The recordings of this book hold what a small model really did. How did its samples end?

# %%
for name in ("03", "04", "06", "08"):
    lm = tot.Cassette(f"cassettes/{name}.jsonl")
    ends = Counter(sample.finish for sample in lm.tape.samples.values())
    share = ends["length"] / sum(ends.values())
    n = sum(ends.values())
    print(f"{name}: {n:5,} samples, {share:.0%} cut off")

# %% [markdown]
# A sample that was cut off is not lost: what came before may be read. But if many are, the cap decides what you measure.
#
# | what you see | what it means | what to do |
# |---|---|---|
# | finish "length", often | cut off at `max_tokens` | raise the cap, or ask for less |
# | finish "refusal" | the model would not answer | read what it said; the pocket model knows one task |
# | many `unread`, one reason | the form is not kept | an example in the prompt, fewer words asked for |
# | a **miss** | this sample was not recorded | record it, or turn the knob back |
# | 429 after all retries | too many requests for your account | lower `max_concurrency`, run again: it resumes |
# | "does not fit the context" | prompt and reply are longer than a slot | more context for each slot, or fewer slots |
# | no tokens in the ledger | the server counts none | `tokens_from="logprobs"`, or budget in calls |
# | `stopped` is "calls", "tokens" ... | your own `Budget` | the best so far is in `result.best` |
#
# ## The lab, with a model of your own
#
# In Jupyter the next cell is the panel of part one, with the dice and the pocket model to choose from, and the recording. In the static page it is a slider
# over searches that were recorded.

# %% tags=["nbval-ignore-output"]
from tot.lm.pocket import Pocket

models = {"dice": dice, "pocket": Pocket()}
more = {"problem": ten[7].x, "knobs": {"style": "lean"}}
settings = [{"breadth": b} for b in (1, 3, 5)]
Lab(models, settings=settings, recorded=recorded, **more)

# %% [markdown]
# **Figure.** Recorded searches, step by step; in Jupyter, the whole panel.
#
# ## Summary
#
# - A model answers lists of requests, hands out replies as they come, counts tokens, and fails with one sentence.
# - The sample index makes replies repeatable; `check_lm` finds a model that ignores it.
# - Dice are the baseline for every search with checks in it.
# - Note the server and its version beside the number: what you do not send, it decides.
# - Estimate, pilot, record, resume. Then read the whole chapter again.
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
# Your provider asks 0.50 dollars per million prompt tokens and 2.00 for generated ones. Chapter 6 recorded forty puzzles, each with several breadths. How many
# such puzzles does a dollar record? And if your model writes three times as much?
#
# <details><summary>Hint</summary>
#
# `tally("06")` and `dollars(...)`, divided by forty.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell"]
calls, prompt, out = tally("06")
for talk in (1, 3):
    each = dollars(prompt, talk * out, (0.5, 2.0)) / 40
    some = f"{1 / each:.0f} for a dollar"
    print(f"{talk} x the words: ${each:.4f} each, {some}")

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
won = [
    [
        solved(one, pair, "tot-bfs", first=10 * t, **knobs)
        for t in range(20)
    ]
    for one in ten
]
print("dice propose, an oracle judges, b=5:", stats.bootstrap(won))

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
# - `tot.ask`: the contract, with every member explained. A model of your own need not live in the package.
# - The documentation of [llama.cpp's server](https://github.com/ggml-org/llama.cpp/tree/master/tools/server), of [Ollama](https://docs.ollama.com) and of
#   [vLLM](https://docs.vllm.ai).
# - The paper {cite}`yao2023tree`, appendix B.2: another model, the same tree.
