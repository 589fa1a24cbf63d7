"""Train the worded pocket model, in one go that resumes: the same command goes on from the last checkpoint.

    python -m studies.words.train [--out FOLDER] [--tokens 14e6] [--threads 1] ...

After some of its tokens it stops to learn judging: it writes plans for training problems, carries them out
(``judging``), and goes on with judgements and votes among its sequences. Unfinished models are kept on the way:
FOLDER/early.safetensors is the small model, FOLDER/after_10M.safetensors and so on are worse judges.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from studies.pocket.train import arguments, train
from studies.words.data import words_shard
from studies.words.judging import judge
from tot.lm.pocket.words import VOCABULARY
from tot.lm.pocket.worded import worded

TOKENS, BEFORE = 14e6, 0.45  # tokens of the training, and which share of them before there are judgements
PROBLEMS = 2_500  # tried out
CONTEXT, BATCH = 256, 3072  # tokens
SMALL = 0.55  # share of the training after which the small model is kept
KEPT = [0.48, 0.51, 0.6, 0.7, 0.85]  # shares of the training at which a judge's checkpoint is kept


def main() -> None:
    parser = arguments(__doc__, Path("_build/words"), TOKENS)
    kept = [round(share * TOKENS, -5) for share in KEPT]
    parser.set_defaults(context=CONTEXT, batch=BATCH, early=SMALL * TOKENS, keep=kept, threads=1)
    parser.add_argument("--problems", type=int, default=PROBLEMS, help="training problems whose plans are tried out")
    a = parser.parse_args()
    train(a, words_shard, len(VOCABULARY), until=BEFORE * a.tokens)
    tried = a.out / "tried.jsonl"
    player = a.out / "player.safetensors"  # the model as it is now: a resumed run tries out with the same one
    if not player.exists():
        player.write_bytes((a.out / "weights.safetensors").read_bytes())
    judged = judge(worded(weights=player), tried, a.seed, a.problems)
    train(a, partial(words_shard, judged=judged), len(VOCABULARY))


if __name__ == "__main__":
    main()
