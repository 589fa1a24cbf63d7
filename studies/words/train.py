"""Train the worded pocket model, in one go that resumes: the same command goes on from the last checkpoint.

    python -m studies.words.train [--out FOLDER] [--tokens 24e6] [--threads 1] ...

After some of its tokens it stops to learn judging: it writes plans for training problems, carries them out
(``judging``), and goes on with judgements and votes among its sequences. Unfinished models are kept on the way:
FOLDER/early.safetensors is the small model, FOLDER/after_18M.safetensors and so on are worse judges.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from studies.pocket.train import arguments, train
from studies.words.data import CONTEXT, words_shard
from studies.words.judging import judge
from studies.words.vocabulary import VOCABULARY
from studies.words.worded import worded

TOKENS, BEFORE = 24e6, 0.6  # tokens of the training, and which share of them before there are judgements
PROBLEMS = 2_500  # tried out
BATCH = 3072  # tokens
SMALL = 0.2  # share of the training after which the small model is kept: before it has learned to judge
KEPT = [15e6, 16e6, 18e6, 21e6]  # tokens after which a judge's checkpoint is kept


def main() -> None:
    parser = arguments(__doc__, Path("_build/words"), TOKENS)
    parser.set_defaults(context=CONTEXT, batch=BATCH, early=SMALL * TOKENS, keep=KEPT, threads=1)
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
