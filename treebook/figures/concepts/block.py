"""One layer of the pocket model, with its real sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tot.show.drawing import SVG

from ..kit import Sketch

if TYPE_CHECKING:  # numpy comes only with the model
    from ...players.model import Weights

STREAM = 112.0  # height of the residual stream
TOKENS, NEXT = ("4", "*", "6", "="), "24"


def transformer(weights: Weights) -> SVG:
    """From tokens to scores of the next one: embedding, a layer with attention and MLP beside the residual stream, and
    the way back to words. All sizes are read from ``weights`` (``Pocket().model``).
    """
    words, width = weights.embed.shape
    depth, heads = len(weights.layers), weights.heads
    hidden = weights.layers[0].up.shape[1]
    sketch = Sketch(720, 290)
    for i, token in enumerate(TOKENS):
        sketch.box(16, STREAM - 53 + 27 * i, 34, 23, token, look="root")
    sketch.note(33, STREAM + 76, "tokens", anchor="middle")
    embed = sketch.box(70, STREAM - 32, 90, 64, "embedding", "+ position", size=12)
    sketch.note(115, STREAM + 52, f"{words} → {width}", anchor="middle")
    sketch.arrow((50, STREAM), embed.left)
    layer = sketch.panel(182, 18, 356, 254, "one layer", note=f"{depth} of them, one after the other")
    back = sketch.box(560, STREAM - 32, 90, 64, "norm, then", "embedding", size=12)
    sketch.arrow(embed.right, back.left, colour="bar", thick=5)
    sketch.note(layer.x + 12, STREAM - 30, f"residual stream: {width} numbers for each token", colour="chosen")
    attends = f"{heads} heads of {width // heads}", f"{width} → 3 × {width} → {width}"
    thinks = "squared ReLU", f"{width} → {hidden} → {width}"
    for x, name, how, note in (
        (198.0, "attention", attends, "looks at the tokens so far"),
        (372.0, "MLP", thinks, "each token by itself"),
    ):
        part = sketch.box(x, 164, 150, 70, look="chosen")
        sketch.label(x + 75, 184, name, anchor="middle", bold=True)
        sketch.note(x + 75, 203, *how, colour="ink", anchor="middle", lead=18)
        sketch.note(x + 75, 255, note, anchor="middle")
        sketch.arrow((x + 14, STREAM + 3), (x + 14, part.y))
        sketch.arrow((x + 134, part.y), (x + 134, STREAM + 11), colour="chosen", thick=2)
        sketch.dot(x + 134, STREAM, 10, "+", look="chosen")
        sketch.note(x + 22, 142, "norm")
        sketch.note(x + 126, 142, "add", anchor="end")
    sketch.note(605, STREAM + 52, f"{width} → {words}", anchor="middle")
    sketch.arrow(back.right, (674, STREAM))
    sketch.dot(690, STREAM, 15, NEXT, look="chosen", size=12)
    sketch.note(706, STREAM + 76, "a score for each", "possible next token", anchor="end")
    sizes = {"words": words, "width": width, "depth": depth, "heads": heads, "share": width // heads, "hidden": hidden}
    return sketch.svg("A layer of the pocket model", ABOUT.format(**sizes, next=NEXT))


ABOUT = (
    "From left to right: the tokens 4 * 6 = become vectors by an embedding of {words} words with {width} numbers each, "
    "plus a vector for the position. A thick line, the residual stream, carries these {width} numbers for each token "
    "through {depth} layers. In a layer two parts read a normed copy of the stream and add their result to it: first "
    "attention with {heads} heads of {share} numbers, which looks at the tokens so far, then an MLP from {width} to "
    "{hidden} and back, which treats each token by itself. At the end, after one more norm, the same "
    "embedding turns {width} numbers into {words} scores, one for each possible next token; here it should be {next}."
)
