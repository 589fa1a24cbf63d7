# %% [markdown]
# # One forward pass
#
# [Chapter 2](02_a_distribution.ipynb) looked at a language model from outside: a request goes in, samples come out. Here is a
# model that is small enough to open. This book carries it along: the **pocket model**, a transformer with fewer than a
# million parameters that was trained on one thing, the Game of 24. Large models have the same parts, only wider and more
# of them.
#
# ## Learning objectives
#
# After this chapter you will be able to
#
# - turn text into tokens and back, and say why the choice of tokens matters;
# - follow one forward pass from token numbers to probabilities, and name what each part does;
# - write the loop that samples a text, and check it against a real implementation;
# - explain what a key-value cache saves, and test where a model's knowledge ends.

# %% tags=["set-up"]
import inspect
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np

import tot
from tot.lm.pocket import Pocket
from tot.lm.pocket import model as transformer
from tot.lm.pocket.template import prompt_tokens
from tot.lm.pocket.tokens import CONTROL_TOKEN, END, VOCABULARY
from tot.lm.pocket.tokens import decode, encode, show
from tot.nbsetup import setup
from tot.show import wrapped

setup()
game = tot.task("game24")
pocket = Pocket()
weights = pocket.model
depth, width = len(weights.layers), weights.embed.shape[1]
size = f"width {width}, {depth} layers, {weights.heads} heads"
print(f"{pocket.name}: {size}")

# %% [markdown]
# ## Text becomes numbers
#
# A network computes with numbers, so text is cut into **tokens**, and each token is a row number in a list, the
# **vocabulary**. A large model has about a hundred thousand tokens, learnt from the web. Ours has 251, chosen by hand.
#
# ### Predict: how many tokens?
#
# How many tokens would you spend on `10 + 14 = 24. sure`? And on `1320`?

# %% tags=["predict"]
texts = ("10 + 14 = 24. sure", "8/3 * 9 = 24", "1320", "4 9 10 13")
for text in texts:
    tokens = encode(text)
    assert decode(tokens) == text
    print(f"{text!r}, {len(tokens)} tokens:", *map(repr, show(tokens)))

# %% [markdown]
# Each whole number up to 199 is one token. So "10 plus 14 is 24" is a fact about three tokens that can be learnt like
# a word of a foreign language. Were the numbers spelled in digits, the model would have to learn to carry. Larger
# numbers *are* spelled, and further down you will see what that costs.
#
# A request becomes tokens through the model's **chat template**. Large models get the examples of a few-shot prompt as text. The
# pocket model was trained on the formats, so its template keeps one token for the instruction, then the question.

# %%
request = game.value(tot.State("4 6"))
prompt = prompt_tokens(request)
print("the last message:", repr(request.messages[-1].content))
print("as tokens:", show(prompt), prompt)

# %% [markdown]
# ## What was learnt
#
# All knowledge of the model is in these arrays of numbers. Training began with random ones. Then it took a batch of example texts,
# asked the network for the probability of each next token, and moved every number a little in the direction that makes the right token more
# probable. After thousands of such steps (the [model's card](../book/pocket_card.md) counts them) the arrays were
# frozen and put into a file. Nothing in that procedure mentions sums or products: if the
# model can add, it is because adding is the cheapest way to predict what stands behind an equals sign.

# %%
parts = {"embed": [weights.embed], "position": [weights.position]}
parts["final norm"] = [weights.norm]
for name in ("qkv", "out", "up", "down", "norm1", "norm2"):
    arrays = [getattr(layer, name) for layer in weights.layers]
    parts[f"{name} (all layers)"] = arrays
size = 0
for name, arrays in parts.items():
    shape, numbers = arrays[0].shape, sum(a.size for a in arrays)
    print(f"{name:20} {len(arrays)} x {shape!s:12} {numbers:8,}")
    size += numbers
print(f"{'together':33} {size:12,}")

# %% [markdown]
# ## The whole model
#
# Before the code, the plan of it: from tokens at the top to scores of the next token at the bottom.

# %% tags=["remove-input"]
tot.show.concepts.transformer(weights)

# %% [markdown]
# **Figure.** Each part of a layer reads the residual stream and adds to it. Nothing else connects them.
#
# Here is the function, all of it. It needs nothing but matrix products and a few elementwise operations. Read it once
# from top to bottom; the sections below go through it. The letters are sizes: T tokens, D the width of a vector, H heads.
# The loop runs over the layers. Each has two parts, one line or a few each, and each part adds its result to `x`.

# %%
print(inspect.getsource(transformer.forward))

# %% [markdown]
# ### Step 1: what stands here, and where
#
# Each token starts as a row of `embed`, a list of 128 numbers, plus a row of `position`. From now on a token is such a list,
# a vector, and the layers change it step by step. Each layer *adds* something; nothing is ever overwritten.

# %%
tokens = [*prompt, *encode("4 * 6 = ")]
x = weights.embed[tokens] + weights.position[: len(tokens)]
print(show(tokens))
print("x:", x.shape, "(tokens, width)")

# %% [markdown]
# ### Step 2: attention, where tokens look at each other
#
# Every vector makes a **query** ("what am I looking for?"), a **key** ("what do I have?") and a **value** ("what do I hand
# over?"). A query is compared with all keys up to its own place, never later ones. The softmax of
# [chapter 2](02_a_distribution.ipynb) makes shares of these scores, and the token receives the values in these shares.
# Four **heads** do this side by side, each with its own idea of what to look for.
#
# ### Predict: where does the last token look?
#
# After `4 * 6 = ` the next token should be 24. Which earlier tokens must the last one look at, to know that?


# %%
def attention(weights, tokens):
    """Shares [layers, heads, T, T]: row i is what token i looks at."""
    T, D, H = len(tokens), weights.embed.shape[1], weights.heads
    future = np.triu(np.full((T, T), -np.inf), k=1)
    x, shares = weights.embed[tokens] + weights.position[:T], []
    for layer in weights.layers:
        qkv = transformer.rms_norm(x, layer.norm1) @ layer.qkv
        q, k, v = qkv.reshape(T, 3, H, D // H).transpose(1, 2, 0, 3)
        scores = q @ k.swapaxes(1, 2) / np.sqrt(D // H) + future
        shares.append(transformer.softmax(scores))
        mixed = (shares[-1] @ v).swapaxes(0, 1).reshape(T, D)
        x = x + mixed @ layer.out
        hidden = transformer.rms_norm(x, layer.norm2) @ layer.up
        x = x + transformer.relu_squared(hidden) @ layer.down
    return np.array(shares)


# %% mystnb={"image": {"alt": "For each layer and head a row of shades over the tokens of the prompt: where the last token looks. In the first layer one head is dark at the first operand, one at the operator, two at the second operand; later layers are mixed."}} tags=["plot", "predict", "nbval-ignore-output"]
shares = attention(weights, tokens)
last = shares[:, :, -1].reshape(-1, len(tokens))
figure, axis = plt.subplots(figsize=(6, 4.5))
axis.imshow(last, cmap="Blues", vmin=0, vmax=1, aspect="auto")
words = [repr(word) for word in show(tokens)]
axis.set_xticks(range(len(words)), words, rotation=45)
pairs = [(i + 1, h + 1) for i in range(4) for h in range(4)]
heads = [f"layer {i}, head {h}" for i, h in pairs]
axis.set_yticks(range(len(heads)), heads)
plt.show()

# %% [markdown]
# **Figure.** In the first layer one head fetches the first operand, one the operator, two the second operand.
#
# One row is one head of one layer. Dark fields are where the last token took most from. Nobody told the heads of the
# first layer to divide their labour; it is what training found. The later layers work with vectors that are mixtures
# already, and are harder to read.
#
# ### Step 3: each token by itself
#
# After attention has brought the pieces together, a small network works on each vector alone: `up` to four times the width,
# negative numbers to zero and the rest squared, `down` again. Attention moves information; this part is where the sums are known.
#
# ### Step 4: scores for the next token
#
# At the end each vector is compared with every row of `embed`: the more alike, the higher the score (**logit**) of that token. A
# softmax makes probabilities of them.


# %% tags=["nbval-ignore-output"]
def next_token(text, top=3):
    """The most probable next tokens after this beginning of a reply."""
    start = [*prompt, *encode(text)]
    p = transformer.softmax(transformer.forward(weights, start)[-1])
    best = np.argsort(-p)[:top]
    return "  ".join(f"{VOCABULARY[i]!r} {p[i]:.3f}" for i in best)


for text in ("", "4 * 6", "4 * 6 = ", "4 * 6 = 24"):
    print(f"{text!r:12} -> {next_token(text)}")

# %% [markdown]
# At the start there is a choice: with which number shall the try begin? After `4 * 6 = ` there is none. That is what a good distribution
# looks like: uncertain where many continuations are fine, certain where one is right.
#
# ## From one token to a text
#
# The model gives a distribution over *one* token. A text is made by drawing one, appending it, and asking again. The loop is
# the same in every chat program:


# %%
def sample(prompt, temperature=0.7, limit=48, seed=0):
    rng, tokens = np.random.default_rng(seed), list(prompt)
    while len(tokens) < len(prompt) + limit:
        logits = transformer.forward(weights, tokens)[-1]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = transformer.softmax(logits.astype(float) / temperature)
            token = int(rng.choice(len(p), p=p / p.sum()))
        if token == END:
            break
        tokens.append(token)
    return decode(tokens[len(prompt) :])


# %% tags=["nbval-ignore-output"]
for seed in range(3):
    request = game.value(tot.State("3 5 8"))
    print(sample(prompt_tokens(request), seed=seed))

# %% [markdown]
# Is this loop right? The package has a fast implementation, which the other chapters use. At temperature 0 there is nothing to
# draw, so both must say the same.

# %% tags=["checked"]
for state in ("4 6", "3 5 8", "4 4 10", "2 7 9"):
    cold = replace(game.value(tot.State(state)), temperature=0.0)
    [reply] = pocket([cold])
    mine = sample(prompt_tokens(cold), temperature=0)
    assert reply.texts[0] == mine, state
print("the same texts, token by token")

# %% [markdown]
# ### Predict: what does the loop waste?
#
# Our loop computes all positions again for each new token. What of that work is new? Nothing of the past can change, because no
# token looks at later ones.

# %% tags=["predict"]
prompt_length, reply_length = len(prompt), 40
again = sum(prompt_length + i for i in range(reply_length))
cached = prompt_length + reply_length
print(f"positions computed in our loop: {again};", end=" ")
print(f"with a cache of keys and values: {cached}")
print("multiplications and additions for each position:", end=" ")
print(f"about {2 * size / 1e6:.1f} million")

# %% [markdown]
# So a server keeps the keys and values of earlier tokens: the **key-value cache**. It also computes many replies at
# once: what has to be fetched and set up once then serves many rows. (With 256 samples in flight, the pocket model
# writes several times as many tokens a second as with one; `benchmarks/results.json` has the numbers. On a GPU the gain
# is larger.) That is one reason why this book's searches ask everything that does not depend on each other in one
# round.
#
# ## Where its knowledge ends
#
# How well does it know its tables? We ask for the next token after `a + b = `, for all numbers up to 30, and count.


# %% tags=["nbval-ignore-output"]
def knows(a, op, b, result):
    """Is the result, or its first digit, the likeliest next token?"""
    known = encode(f"{min(a, b)} {max(a, b)}")
    marks = CONTROL_TOKEN["<value>"], CONTROL_TOKEN["<reply>"]
    start = [marks[0], *known, marks[1], *encode(f"{a} {op} {b} = ")]
    logits = transformer.forward(weights, start)[-1]
    return logits.argmax() == encode(str(result))[0]


def table(op, compute, numbers):
    pairs = [(a, b) for a in numbers for b in numbers]
    pairs = [(a, b) for a, b in pairs if compute(a, b) >= 0]
    right = sum(knows(a, op, b, compute(a, b)) for a, b in pairs)
    return f"{right} of {len(pairs)}"


operations = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}
for op, compute in operations.items():
    small = table(op, compute, range(1, 14))
    larger = table(op, compute, range(14, 31))
    print(f"{op}  1 to 13: {small} right; 14 to 30: {larger} right")

# %% [markdown]
# A prompt that is cut short in the middle of a sum is not something that the model saw in training, by the way. It does not matter: to a model that
# predicts one token at a time, every beginning is a place to go on from. That is also how few-shot prompts work.
#
# The tables of small numbers are nearly perfect: they occur all the time in the game. Larger numbers are rarer there, and beyond 199 they are
# spelled (we only looked at the first digit, which is generous). The model never had a reason to learn those. It does not say so: it answers
# just as fluently.
#
# ## Summary
#
# - Text becomes tokens, tokens become vectors; attention moves information between positions, the rest of a layer works on each
#   position alone; at the end every token of the vocabulary gets a score.
# - A forward pass is a pure function of the tokens so far. Chance enters only when a token is drawn.
# - A text is drawn token by token. A cache of keys and values makes that affordable; batches make it cheap.
# - What a model knows is what it was trained on. Outside it is not silent but confidently wrong, unless a program refuses.
#
# ## Exercises
#
# ### Exercise 1: no look into the future
#
# Change the last token of a sequence and compare the logits at all earlier positions. How large is the largest difference?
#
# <details><summary>Hint</summary>
#
# `transformer.forward(weights, tokens)` gives one row for each position; leave out the last row.
#
# </details>

# %% [markdown]
# #### Solution 1

# %% tags=["hide-cell"]
one = transformer.forward(weights, tokens)
other = transformer.forward(weights, [*tokens[:-1], END])
difference = np.abs(one[:-1] - other[:-1]).max()
assert difference < 1e-3
print("earlier positions do not change when a later token does")

# %% [markdown]
# ### Exercise 2: without positions
#
# Set all position vectors to zero. Which of `4 * 6 = `, `9 - 4 = ` and `4 - 9 = ` does the model still get right? Guess first: for which of
# them does the order of the tokens matter?
#
# <details><summary>Hint</summary>
#
# `dataclasses.replace(weights, position=np.zeros_like(weights.position))`.
#
# </details>

# %% [markdown]
# #### Solution 2

# %% tags=["hide-cell", "nbval-ignore-output"]
lost = replace(weights, position=np.zeros_like(weights.position))
models = {"with positions": weights, "without": lost}
for text in ("4 * 6 = ", "9 - 4 = ", "4 - 9 = "):
    known = "4 6" if "6" in text else "4 9"
    asked = prompt_tokens(game.value(tot.State(known)))
    for name, whose in models.items():
        logits = transformer.forward(whose, [*asked, *encode(text)])
        p = transformer.softmax(logits[-1])
        top = [
            f"{VOCABULARY[i]!r} {p[i]:.2f}" for i in np.argsort(-p)[:3]
        ]
        print(f"{text} {name:15}", *top)

# %% [markdown]
# <details><summary>Discussion</summary>
#
# Attention is a sum over tokens, and a sum does not know the order of its terms. Only the mask of the future and the position
# vectors tell first from second.
#
# </details>
#
# ### Exercise 3: a temperature of your own
#
# Draw 200 first tokens of the reply to the prompt `3 5 8` at temperatures 0.3, 0.7 and 1.5 and count how many different ones there are.
# One forward pass is enough for all draws. Why?
#
# <details><summary>Hint</summary>
#
# The distribution of the first token is the same for all samples. `rng.choice(len(p), size=200, p=p)`.
#
# </details>

# %% [markdown]
# #### Solution 3

# %% tags=["hide-cell", "nbval-ignore-output"]
start = prompt_tokens(game.value(tot.State("3 5 8")))
logits = transformer.forward(weights, start)[-1].astype(float)
rng = np.random.default_rng(0)
for temperature in (0.3, 0.7, 1.5):
    p = transformer.softmax(logits / temperature)
    draws = rng.choice(len(p), size=200, p=p / p.sum())
    different = len(set(draws.tolist()))
    print(
        f"T = {temperature}: {different} different tokens in 200 draws"
    )

# %% [markdown]
# ### Exercise 4: what does a refusal cost?
#
# Ask the pocket model for a poem. What is the stop reason of the sample, and how many tokens were generated? Where in the code is the
# refusal made: in the network, or before it?
#
# <details><summary>Hint</summary>
#
# `pocket([tot.user("A poem, please.")])` and `tot.lm.pocket.template`.
#
# </details>

# %% [markdown]
# #### Solution 4

# %% tags=["hide-cell"]
[reply] = pocket([tot.user("A poem, please.")])
print(reply.samples[0].finish, reply.samples[0].completion_tokens)
print(wrapped(reply.texts[0][:90] + " ..."))

# %% [markdown]
# <details><summary>Discussion</summary>
#
# The template refuses, before the network is asked. The network itself cannot refuse: given any tokens it gives a distribution. A large
# model that says "I cannot help with that" was trained to; this one is protected by a program.
#
# </details>
#
# ## Further reading
#
# - {cite}`vaswani2017attention`, the transformer.
# - {cite}`radford2019language`, the decoder-only form with the norm before each part.
# - The [model card](../book/pocket_card.md) of the pocket model.
