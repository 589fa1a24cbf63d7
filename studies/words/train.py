"""Train the worded pocket model, in one go that resumes: the same command goes on from the last checkpoint.

    python -m studies.words.train [--out FOLDER] [--tokens 24e6] [--threads 1] ...

Two rounds. In the first, after some of its tokens, it stops to learn judging: it writes plans for training problems,
carries them out (``judging``), and goes on with judgements and votes among its sequences; its judges give their score
at once. FOLDER/early.safetensors, from late in this round, is the small model. The finished model then tries out many
more problems, and a second, shorter round learns to judge those plans by working the problem out first:
FOLDER/again/weights.safetensors is the large model, FOLDER/again/after_2M.safetensors and so on are worse judges.
"""

from __future__ import annotations

from argparse import Namespace
from functools import partial
from pathlib import Path

from studies.training import Muon, arguments, train
from studies.words.data import CONTEXT, words_shard
from studies.words.judging import AGAIN_PROBLEMS, FROM, PROBLEMS, Judged, judge
from treebook.players.worded import worded
from treebook.players.worded.vocabulary import VOCABULARY

TOKENS = 24e6  # of the first round
BATCH = 3072  # tokens
SMALL = 2 / 3  # share of the first round after which the small model is kept: it has just begun to judge
AGAIN, AGAIN_RATE = 12e6, 2e-3  # the second round: tokens, highest learning rate
KEPT = [1e6, 2e6, 4e6, 8e6]  # tokens of the second round after which a judge's checkpoint is kept


def main() -> None:
    parser = arguments(__doc__, Path("_build/words"), TOKENS)
    parser.set_defaults(context=CONTEXT, batch=BATCH, early=0, threads=1)
    parser.add_argument("--problems", type=int, default=PROBLEMS, help="training problems whose plans are tried out")
    parser.add_argument("--again", type=float, default=AGAIN, help="tokens of the second round")
    parser.add_argument("--again-problems", type=int, default=AGAIN_PROBLEMS, help="tried out for the second round")
    a = parser.parse_args()
    a.early = a.early or SMALL * a.tokens
    first(a)
    second(Namespace(**vars(a) | {"out": a.out / "again", "start": a.out / "weights.safetensors"}))


def first(a: Namespace) -> None:
    """From nothing: the formats, then also judging."""
    train(a, words_shard, len(VOCABULARY), FROM * a.tokens, Muon)
    player = a.out / "player.safetensors"  # the model as it is now: a resumed run tries out with the same one
    if not player.exists():
        player.write_bytes((a.out / "weights.safetensors").read_bytes())
    judged = tried_out(player, a.out, a.seed, a.problems)
    train(a, partial(words_shard, judged=judged), len(VOCABULARY), optimiser_for=Muon)


def second(a: Namespace) -> None:
    """From the first round's model: judging of its own plans, after having worked the problem out."""
    a.tokens, a.rate, a.early, a.keep, a.seed = a.again, AGAIN_RATE, 0, KEPT, a.seed + 1
    judged = tried_out(a.start, a.out, a.seed, a.again_problems)
    train(a, partial(words_shard, judged=judged, working=True), len(VOCABULARY), optimiser_for=Muon)


def tried_out(player: Path, out: Path, seed: int, problems: int) -> list[Judged]:
    """Training problems with that model's plans, and how they came out; kept in ``out``."""
    out.mkdir(parents=True, exist_ok=True)
    return judge(worded(weights=player), out / "tried.jsonl", seed, problems)


if __name__ == "__main__":
    main()
