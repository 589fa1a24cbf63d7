"""Train the stream model: the pocket model again, with a longer context, on searches as text. See
``studies.training``.

python -m studies.stream.train [--out FOLDER] [--tokens 28e6] [--threads 2] ...
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import torch

from studies.pocket.network import Network, load, save
from studies.stream.data import BATCH, CONTEXT, stream_shard
from studies.stream.judging import read_known
from studies.training import Muon, arguments, train
from treebook.players import FILE
from treebook.players.tokens import VOCABULARY


def lengthened(start: Path, out: Path, *, width: int, layers: int, heads: int) -> Path:
    """The weights at ``start`` in a file with room for CONTEXT tokens: new places start with small random vectors."""
    short = Network(len(VOCABULARY), width=width, layers=layers, heads=heads, context=256)
    load(short, start)
    torch.manual_seed(0)
    long = Network(len(VOCABULARY), width=width, layers=layers, heads=heads, context=CONTEXT)
    places = long.position.detach().clone()
    places[:256] = short.position.detach()
    long.load_state_dict({**short.state_dict(), "position": places})
    save(long, out)
    return out


def main() -> None:
    parser = arguments(__doc__, Path("_build/stream/model"), 28e6)
    parser.set_defaults(context=CONTEXT, rate=2e-3, batch=BATCH, early=0)
    a = parser.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    a.start = a.start or lengthened(FILE, a.out / "start.safetensors", width=a.width, layers=a.layers, heads=a.heads)
    train(a, partial(stream_shard, known=read_known(a.out.parent)), optimiser_for=Muon)


if __name__ == "__main__":
    main()
