"""One layer of the pocket model, with its real sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..drawing import SVG
from .kit import NOTE, Sketch

if TYPE_CHECKING:  # numpy comes only with the model
    from ...lm.pocket.model import Weights

STREAM = 112.0  # height of the residual stream
TOKENS = ("4", "*", "6", "=")


def transformer(weights: Weights) -> SVG:
    """From tokens to scores of the next token: embedding, a layer with attention and MLP beside the residual stream, and
    the way back to words. All sizes are read from ``weights`` (``Pocket().model``).
    """
    words, width = weights.embed.shape
    depth, heads = len(weights.layers), weights.heads
    hidden = weights.layers[0].up.shape[1]
    sketch = Sketch(720, 316)
    for i, token in enumerate(TOKENS):
        sketch.box(16, STREAM - 53 + 27 * i, 34, 23, token, look="root")
    sketch.label(33, STREAM + 76, "tokens", "faint", size=NOTE, anchor="middle")
    embed = sketch.box(70, STREAM - 32, 98, 64, "embedding", "+ position", look="kept", size=12)
    sketch.label(119, STREAM + 52, f"{words} × {width}", "faint", size=NOTE, anchor="middle")
    sketch.arrow((50, STREAM), embed.left)
    layer = sketch.panel(200, 20, 368, 252, "one layer", note=f"{depth} of them, one after the other")
    # the stream: what every part reads and adds to
    back = sketch.box(596, STREAM - 32, 66, 64, "× em-", "bedding", look="kept", size=12)
    sketch.arrow(embed.right, back.left, colour="bar", thick=5)
    sketch.label(layer.x + 12, STREAM - 30, f"residual stream: {width} numbers for each token", "chosen", size=NOTE)
    parts = (
        (222.0, "attention", (f"{heads} heads of {width // heads}", f"{width} → 3 × {width} → {width}"),
         "looks at earlier tokens"),
        (400.0, "MLP", ("squared ReLU", f"{width} → {hidden} → {width}"), "each token by itself"),
    )  # fmt: skip
    for x, name, facts, note in parts:
        box = sketch.box(x, 164, 148, 70, look="chosen")
        sketch.label(x + 74, 184, name, anchor="middle", bold=True)
        for i, fact in enumerate(facts):
            sketch.label(x + 74, 203 + 17 * i, fact, size=NOTE, anchor="middle")
        sketch.label(x + 74, 254, note, "faint", size=NOTE, anchor="middle")
        sketch.arrow((x + 14, STREAM + 3), (x + 14, box.y))
        sketch.arrow((x + 132, box.y), (x + 132, STREAM + 11), colour="chosen", thick=2)
        sketch.dot(x + 132, STREAM, 10, "+", look="chosen")
        sketch.label(x + 22, 142, "norm", "faint", size=NOTE)
        sketch.label(x + 124, 142, "add", "faint", size=NOTE, anchor="end")
    sketch.label(629, STREAM + 52, f"{width} → {words}", "faint", size=NOTE, anchor="middle")
    sketch.arrow(back.right, (680, STREAM))
    sketch.label(708, STREAM + 76, "a score for each next token", "faint", size=NOTE, anchor="end")
    sketch.dot(694, STREAM, 14, "24", look="chosen", size=12)
    return sketch.svg("A layer of the pocket model", ABOUT.format(**_sizes(words, width, depth, heads, hidden)))


ABOUT = (
    "From left to right: the tokens 4 * 6 = become vectors by an embedding of {words} words with {width} numbers each, "
    "plus a vector for the position. A thick line, the residual stream, carries these {width} numbers for each token "
    "through {depth} layers. In a layer two parts read a normed copy of the stream and add their result to it: first "
    "attention with {heads} heads of {share} numbers, which looks at earlier tokens, then an MLP from {width} to "
    "{hidden} and back, which treats each token by itself. At the end the same embedding turns {width} numbers into "
    "{words} scores, one for each possible next token; here it should be 24."
)


def _sizes(words: int, width: int, depth: int, heads: int, hidden: int) -> dict[str, int]:
    return {"words": words, "width": width, "depth": depth, "heads": heads, "share": width // heads, "hidden": hidden}
