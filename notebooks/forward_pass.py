# %% [markdown]
# # Inside the model: one forward pass
#
# [Chapter 2](02_a_distribution.ipynb) looked at a language model from outside: a request goes in, samples come out. What happens
# between? Here is a model small enough to open, the **pocket model**: a transformer with fewer than a
# million parameters that was trained on one thing, the Game of 24. Large models have the same parts, only wider and more
# of them. No other chapter needs this page, and this one needs only chapter 2 and twenty minutes; it is for those who want to see the numbers move.
#
# You will follow one computation from tokens to probabilities, write it yourself and check it against the
# package, sample a text with it, find out by experiment which part knows its tables, and see where that knowledge
# ends.

# %% tags=["set-up"]
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np

import tot
from treebook.figures import concepts
from treebook.figures.wrapping import wrapped
from treebook.nbsetup import setup
from treebook.players import Pocket, model as transformer
from treebook.players.model import relu_squared, rms_norm, softmax
from treebook.players.template import prompt_tokens
from treebook.players.tokens import (
    CONTROL_TOKEN,
    END,
    VOCABULARY,
    decode,
    encode,
    show,
)
from treebook.show import table

setup()
game = tot.task("game24")
pocket = Pocket()
weights = pocket.model

# %% [markdown]
# ## The plan
#
# The whole model fits into one picture, with tokens at the left and scores of the next token at the right.

# %% tags=["remove-input"]
concepts.transformer()

# %% [markdown]
# **Figure.** Each part of a layer reads the stream of vectors and adds to it. Nothing else connects them.
#
# Every token becomes a list of 128 numbers, a **vector**: its *embedding*. Four layers change these vectors, one after the other, and each layer
# has two parts. In *attention* each token looks at itself and at the tokens before it; in the *MLP* (multilayer perceptron) each is worked
# on by itself. A *norm* first scales what a part reads to a standard length. Both parts only *add* to the vector, so nothing is ever
# overwritten, and the running sum is called the *residual stream*. At the end the last vector is compared with each word of
# the vocabulary, and the likeness is that word's score.
#
# All that the model knows is in its arrays of numbers. Training began with random ones. It took a batch of example
# texts, asked for the probability of each next token, and moved every number a little in the direction that makes the right token
# more probable, thousands of times (the [model's card](../book/pocket_card.md) counts them). Nothing in that procedure mentions
# sums or products. If the model can add, it is because adding is the cheapest way to predict what stands
# behind an equals sign.

# %%
parts = [weights.embed, weights.position, weights.norm]
for layer in weights.layers:
    parts += [layer.norm1, layer.qkv, layer.out]  # attention
    parts += [layer.norm2, layer.up, layer.down]  # MLP
print(
    f"{len(weights.layers)} layers of {weights.heads} heads;", end=" "
)
print(f"{sum(part.size for part in parts):,} numbers in all")

# %% [markdown]
# ## Text becomes numbers
#
# Text is cut into **tokens**, and each token is a row number in a list, the **vocabulary**. A large model has about a
# hundred thousand tokens, learnt from the web. Ours has 251, chosen by hand.
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
# numbers *are* spelled; the last section shows how that goes.
#
# A request becomes tokens through a **chat template**. Large models get the examples of a few-shot prompt as text. The
# pocket model was trained on the formats, so its template keeps one token for the instruction, then the question. Below,
# it is asked to judge `4 6`, and we pretend that it has already written `4 * 6 =`.

# %%
prompt = prompt_tokens(game.value(tot.State("4 6")))
tokens = [*prompt, *encode("4 * 6 = ")]
print(show(tokens))
print(tokens)

# %%
x = weights.embed[tokens] + weights.position[: len(tokens)]
print("x:", x.shape, "(tokens, width)")

# %% [markdown]
# A token starts as a row of `embed`, which says what stands here, plus a row of `position`, which says where.
#
# ## Attention: tokens look back
#
# The `=` must somehow get hold of the 4, the `*` and the 6. Attention lets it fetch them, much as you fetch something from
# a row of labelled boxes. Each token makes three short vectors from its own:
#
# - a *query*: what am I looking for?
# - a *key*: the label on my box, what do I have?
# - a *value*: what is in the box, what do I hand over?
#
# A query is multiplied with the key of every token up to its own place: the more alike, the higher the
# score. (Dividing by the root of `size` keeps long vectors from making every choice extreme.) Later tokens are hidden by a **mask**, a score of
# minus infinity. They are what the model learns to guess, and whoever sees them need not guess. The softmax of [chapter 2](02_a_distribution.ipynb) turns the scores into shares that add up to 1, and the token receives
# the values in these shares. That is one **head**:

# %%
T, width = x.shape
size = width // weights.heads  # of a query, a key, a value
later = np.triu(np.ones((T, T), dtype=bool), k=1)


def head(x, layer, number):
    """What one head hands over [T, size], and its shares [T, T]."""
    own = slice(number * size, (number + 1) * size)
    normed = rms_norm(x, layer.norm1)
    thirds = np.split(layer.qkv, 3, axis=1)
    query, key, value = (normed @ third[:, own] for third in thirds)
    scores = query @ key.T / np.sqrt(size)
    shares = softmax(np.where(later, -np.inf, scores))
    return shares @ value, shares


# %% [markdown]
# Four heads do this side by side, each with its own queries, keys and values, so each can look for something else. `out`
# mixes what they bring, and the result is added to the stream. Then the MLP works on each vector alone: `up`
# to four times the width, negative numbers to zero and the rest squared (the *squared ReLU*), `down` again, and added. Four such layers, and a last comparison with `embed`, are the whole model.


# %%
def layer_step(x, layer):
    brought = [head(x, layer, n)[0] for n in range(weights.heads)]
    x = x + np.concatenate(brought, axis=1) @ layer.out
    hidden = rms_norm(x, layer.norm2) @ layer.up
    return x + relu_squared(hidden) @ layer.down


stream = x
for layer in weights.layers:
    stream = layer_step(stream, layer)
logits = rms_norm(stream, weights.norm) @ weights.embed.T
best = logits[-1].argmax()
print(f"most likely after '4 * 6 = ': {VOCABULARY[best]!r}")

# %% tags=["checked"]
# the package's forward pass gives the same scores
theirs = transformer.forward(weights, tokens)
assert np.allclose(logits, theirs, atol=1e-3)
print("the same scores for every token of the vocabulary")

# %% [markdown]
# Is this the real model? The package's own forward pass gives the same 251 scores at each of the eight places, to within 0.001.
#
# ### Predict: where does the last token look?
#
# After `4 * 6 =` the next token should be 24. Which earlier tokens must the last one look at, to know that?

# %% mystnb={"image": {"alt": "For each layer and head a row of shades over the tokens of the prompt: where the last token looks. In the first layer one head is dark at the first operand, one at the operator, two at the second operand; later layers are mixed."}} tags=["plot", "predict", "nbval-ignore-output"]
stream, rows = x, []
for layer in weights.layers:
    for number in range(weights.heads):
        rows.append(head(stream, layer, number)[1][-1])
    stream = layer_step(stream, layer)
figure, axis = plt.subplots(figsize=(6, 4.7), layout="constrained")
axis.imshow(rows, cmap="Blues", vmin=0, vmax=1, aspect="auto")
words = [repr(word) for word in show(tokens)]
axis.set_xticks(range(len(words)), words, rotation=90)
pairs = [(i + 1, h + 1) for i in range(4) for h in range(4)]
heads = [f"layer {i}, head {h}" for i, h in pairs]
axis.set_yticks(range(len(heads)), heads)
plt.show()

# %% [markdown]
# **Figure.** In the first layer one head fetches the first operand, one the operator, two the second operand.
#
# One row is one head, and the last token, `=`, may also look at itself; dark fields are where the last token took most from. Nobody told the heads of the
# first layer to divide their labour; training found it. Later layers work with vectors that are mixtures
# already, and are harder to read.
#
# ## Who knows the tables?
#
# Attention brings the operands together. But what turns 4, `*` and 6 into 24? You can find out by taking a part away. Set one
# attention or one MLP to zero, and count how many of the 169 sums `a + b =` and products `a * b =` of the numbers 1 to 13 the crippled
# model still continues correctly.


# %% tags=["set-up"]
# Asking for a result, and taking a part away
def right(model, a, op, b, result):
    """Is the result, or its first digit, the likeliest next token?"""
    known = encode(f"{min(a, b)} {max(a, b)}")
    marks = CONTROL_TOKEN["<value>"], CONTROL_TOKEN["<reply>"]
    start = [marks[0], *known, marks[1], *encode(f"{a} {op} {b} = ")]
    logits = transformer.forward(model, start)[-1]
    return bool(logits.argmax() == encode(str(result))[0])


OPERATIONS = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}


def count(model, op, numbers):
    pairs = [(a, b) for a in numbers for b in numbers]
    return sum(
        right(model, a, op, b, OPERATIONS[op](a, b)) for a, b in pairs
    )


def without(place, array):
    """The model with one array of one layer set to zero."""
    layers = list(weights.layers)
    zero = np.zeros_like(getattr(layers[place], array))
    layers[place] = replace(layers[place], **{array: zero})
    return replace(weights, layers=tuple(layers))


# %% [markdown]
# ### Predict: which loss hurts most?
#
# Attention or MLP? The first layer or the last?

# %% tags=["set-up", "predict", "nbval-ignore-output"]
# Eight models with a part missing
low = range(1, 14)
row = {"of 169": "nothing missing", "sums": count(weights, "+", low)}
rows = [row | {"products": count(weights, "*", low)}]
for array, name in (("out", "attention"), ("down", "MLP")):
    for place in range(4):
        model = without(place, array)
        row = {"of 169": f"without {name} {place + 1}"}
        row["sums"] = count(model, "+", low)
        rows.append(row | {"products": count(model, "*", low)})
table(rows)

# %% [markdown]
# **Table.** Without the first layer nearly nothing is right. After it, each MLP is missed more than the attention beside it.
#
# So fetching happens in the first layer: take its attention away, and the numbers never arrive. In the later layers the attention can be
# spared, and each MLP costs some sums and some products: the tables seem to be spread over the last three MLPs. Of MLP 1 the
# table says only that hardly anything works without it. (Removing a part shows what is *needed* in a model that was trained with all its
# parts. It does not prove that nothing else takes part.)
#
# ## From scores to a text
#
# A softmax makes probabilities of the scores. Here are the three likeliest next tokens after four beginnings of a reply.


# %% tags=["nbval-ignore-output"]
def next_token(text, top=3):
    start = [*prompt, *encode(text)]
    p = softmax(transformer.forward(weights, start)[-1])
    best = np.argsort(-p)[:top]
    return "  ".join(f"{VOCABULARY[i]!r} {p[i]:.3f}" for i in best)


for text in ("", "4 * 6", "4 * 6 = ", "4 * 6 = 24"):
    print(f"{text!r:12} -> {next_token(text)}")

# %% [markdown]
# At the start there is a choice: which number should the attempt start with? After `4 * 6 =` there is none. That is what a good
# distribution looks like, uncertain where many continuations are fine and certain where one is right.
#
# A text is made by drawing one token, appending it, and asking again. The loop is the same in every chat program:


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
# The other chapters use a faster implementation. At temperature 0 there is nothing to draw, so both must say the same; for four states that
# are to be judged they do, token by token.

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
# Our loop computes all positions again for each new token, although no token looks at later ones, and so nothing of the
# past can change. For a prompt of 4 tokens and a reply of 40, how many positions does it compute, and how many would be enough?

# %% tags=["set-up", "predict"]
# Positions with and without a cache
again = sum(len(prompt) + i for i in range(40))
print(f"positions computed in our loop: {again};", end=" ")
print(f"with a cache of keys and values: {len(prompt) + 39}")
print("(the last token that is drawn is never read)")

# %% [markdown]
# So a server keeps the keys and values of earlier tokens: the **key-value cache**. It also computes many replies at
# once, since what has to be fetched and set up once then serves many rows. (With 256 samples in flight, the pocket model
# writes several times as many tokens a second as with one; `benchmarks/results.json` has the numbers.) That is one reason
# why this book's searches ask everything that does not depend on each other in one round.
#
# ## Where its knowledge ends
#
# How far do its tables reach? We ask for the result of every `a + b =`, `a - b =` and `a * b =` with numbers up to
# 30 (differences only where they are not negative), 900 pairs for sums and products. Where a result is spelled, every
# digit must be right.


# %% tags=["set-up"]
# The whole result, and how sure the model is of its first token
def answered(a, op, b, result):
    """Is each token of the result the likeliest, and how likely?"""
    marks = CONTROL_TOKEN["<value>"], CONTROL_TOKEN["<reply>"]
    start = [marks[0], *encode(f"{min(a, b)} {max(a, b)}"), marks[1]]
    start += encode(f"{a} {op} {b} = ")
    wanted = encode(str(result))
    logits = transformer.forward(weights, start + wanted[:-1])
    logits = logits[len(start) - 1 :]
    good = logits.argmax(axis=1).tolist() == list(wanted)
    return good, float(softmax(logits[0]).max())


# %% mystnb={"image": {"alt": "Three maps of 30 times 30 pairs, for sums, differences and products; a red field is a wrong answer. Differences are right nearly everywhere. Sums are wrong mostly where the first number is large and the larger one. Products are mostly right below 200 and red beyond, along a curve."}} tags=["plot", "nbval-ignore-output"]
numbers, answers = range(1, 31), {}
figure, axes = plt.subplots(1, 3, figsize=(9, 3.3), sharey=True)
for axis, (op, compute) in zip(axes, OPERATIONS.items(), strict=True):
    field = np.full((30, 30), np.nan)
    for a in numbers:
        for b in numbers:
            if compute(a, b) >= 0:
                found = answered(a, op, b, compute(a, b))
                answers[a, op, b], field[a - 1, b - 1] = found, found[0]
    look = {"cmap": "RdYlBu", "vmin": -0.2, "vmax": 1.2}
    look |= {"origin": "lower", "extent": (0.5, 30.5, 0.5, 30.5)}
    axis.imshow(field, **look)
    asked, known = np.isfinite(field).sum(), np.nansum(field)
    axis.set(title=f"a {op} b: {known:.0f} of {asked}", xlabel="b")
axes[0].set_ylabel("a")
plt.show()

# %% [markdown]
# **Figure.** Blue is right, red is wrong. Differences are known nearly everywhere. Sums fail mostly where the larger number
# comes first, products where the result is spelled.

# %% tags=["set-up", "nbval-ignore-output"]
# Four groups of pairs, counted
groups = {
    "sums, smaller number first": lambda a, op, b: op == "+" and a < b,
    "sums, larger number first": lambda a, op, b: op == "+" and a > b,
    "products from 150 to 199, one token": lambda a, op, b: (
        op == "*" and 150 <= a * b <= 199
    ),
    "products from 200 to 249, spelled": lambda a, op, b: (
        op == "*" and 200 <= a * b <= 249
    ),
}
rows = []
for name, belongs in groups.items():
    found = [
        good for key, (good, _) in answers.items() if belongs(*key)
    ]
    rows.append({"which": name, "right": sum(found), "of": len(found)})
table(rows)

# %% [markdown]
# **Table.** The sums are the same pairs turned round; the products differ little in size.
#
# The first pair of rows tells of the training texts. They nearly always write the smaller number of a sum first, and to a model that learnt
# three tokens by heart, b + a is not a + b.

# %% tags=["checked"]
# training texts write the smaller number first
from treebook.studies.results import load

said = load("../studies/results/pocket_texts.json")
turned, sums = said["larger first"], said["sums"]
fifties = said["products 150 to 199"], said["products 200 to 249"]
assert turned < sums / 50
print(f"{turned} of {sums} sums have the larger number first")
print(f"products from 150 to 199: {fifties[0]};", end=" ")
print(f"from 200 to 249: {fifties[1]}")

# %% [markdown]
# The second pair shows the price of spelling, though not quite alone: results from 200 on are rarer in the training texts, too.
#
# Does the model know that it does not know? Its text never says so. Its probabilities do, a little:

# %% tags=["nbval-ignore-output"]
for op in "+-":  # their results are one token
    sure = {True: [], False: []}
    for key, (good, p) in answers.items():
        if key[1] == op:
            sure[good].append(p)
    for good, name in ((True, "right"), (False, "wrong")):
        middle = np.median(sure[good])
        print(f"{op} {name}: likeliest token, median p {middle:.2f}")

# %% [markdown]
#
# ## Summary
#
# - Tokens become vectors; in attention they fetch from the tokens so far by comparing queries with keys; MLPs work on each one alone;
#   at the end every token of the vocabulary gets a score.
# - A forward pass is a pure function of the tokens so far. Chance enters only when a token is drawn.
# - Parts can be tested by removing them. Here the first attention fetches the operands, and the tables seem to be spread over the later MLPs.
# - What was common in training is known, down to the order of the operands. Outside it the model is not silent: it answers, and only its
#   probabilities show some doubt.
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
print(f"largest difference at earlier positions: {difference:.0g}")

# %% [markdown]
# ### Exercise 2: without positions
#
# Set all position vectors to zero. Which of `4 * 6 =`, `9 - 4 =` and `4 - 9 =` does the model still get right? Guess first: for which of
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
# ### Exercise 3: what does a refusal cost?
#
# Ask the pocket model for a poem. What is the stop reason of the sample, and how many tokens were generated? Where in the code is the
# refusal made: in the network, or before it?
#
# <details><summary>Hint</summary>
#
# `pocket([tot.user("A poem, please.")])` and `treebook.players.template`.
#
# </details>

# %% [markdown]
# #### Solution 3

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
