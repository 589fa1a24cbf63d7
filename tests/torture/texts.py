"""Hostile texts: what a model, a server or a web page may write, by chance or on purpose."""

from collections.abc import Sequence
from random import Random

from tot.testing import NASTY

WORDS = """answer is |Answer: |The answer is |答案是|#### |\\boxed{|Action: |Search[|Finish[|Thought 1:
|best choice is |choice|Score: |score|sure|likely|impossible|yes|no| or | and | but |Plan:|Strategy:|Passage:
|Step 1.|h1. |v5. apple (high)|(left: 4 4 10)|13 - 9 = 4| = |24|not |most likely |I think | to |million|e9|10^
|<think>|</think>|<script>|</style>|-->|\x1b[31m|\x1b]0;x\x07|&lt;|javascript:|__import__('os')|%s%n|{0}|null|NaN"""
PIECES = [
    *"0123456789+-*/()=[]{}<>.,:;!?\"'`|\\_#$%&@^~ \n\t\r\0",
    *"×÷−²⁶½٣①Ⅷ﷽é\u0301\u200b\u200d\u202e\u2066\ufeff\ud800\udc00\uffff\U0001f984\x1b\x07\x85\u2028",
    *WORDS.replace("\n|", "|").split("|"),
    *("9" * 50, "(" * 60, ",//", "Passage:\n"),
]
TAG = "<x-tot-payload"  # no page of ours may hold this as it stands
PAYLOADS = [
    f"{TAG}>alert(1)</x-tot-payload>",
    f'"{TAG} onload="x" x-tot-attribute="',
    f"'{TAG} x-tot-attribute='",
    f"</script></style></svg></title></details></pre>{TAG}>",
    f"]]>-->{TAG}>",
    f"`{TAG}>` | {TAG}> | **{TAG}>**",
    f"\x1b]8;;http://x{TAG}\x07 \x1b[2J \x9b31m \u202e",
    f"\u2028{TAG}>\r\n\0{TAG}>",
    "at $4 each, of $10 \\(x\\) \\[y\\] $$z$$ \\begin{align}q\\end{align}",
]


def text(rng: Random, pieces: Sequence[str] = PIECES) -> str:
    """Pieces in any order; now and then one of them a thousand times, or a text that nobody should write at all."""
    chance = rng.random()
    if chance < 0.02:
        return rng.choice(NASTY)
    if chance < 0.06:
        return (rng.choice(pieces) + rng.choice(pieces)) * rng.randrange(1000) + rng.choice(pieces)
    if chance < 0.1:
        return "".join(chr(rng.randrange(0x110000)) for _ in range(rng.randrange(40)))
    return "".join(rng.choices(pieces, k=rng.randrange(25)))
