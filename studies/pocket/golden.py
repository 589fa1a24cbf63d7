"""Logits of the shipped weights in PyTorch, kept so that a test without PyTorch can hold numpy against them.

    python -m studies.pocket.golden

Needs the extra pocket-training; writes tests/treebook/players/golden/pocket_logits.npz. Run it after the weights have
changed.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import torch

from studies.pocket.network import Network
from tot.lm.base import Message, Request
from tot.state import State
from tot.tasks.game24 import Game24
from treebook.players import FILE
from treebook.players.model import load, read
from treebook.players.template import prompt_tokens
from treebook.players.tokens import AGAIN, encode

GOLDEN = Path(__file__).parents[2] / "tests/treebook/players/golden/pocket_logits.npz"
LAST = 20  # positions that are kept of each prompt, at most: one has 251 numbers


def prompts() -> list[list[int]]:
    """A proposal and a value with the start of a reply, and a conversation that nearly fills the context."""
    game, state = Game24(), State("4 9 10 13")
    refused = (Message("assistant", "Answer: (13 - 9) * 10 - 4"), Message("user", AGAIN)) * 18
    return [
        [*prompt_tokens(game.propose(state, "one-shot")), *encode("13 - 9 = 4 (left: 4 4 10)\n")],
        [*prompt_tokens(game.value(State("8/3 9 -2"))), *encode("8/3 * 9 = 24, 24")],
        prompt_tokens(Request((*game.io(state).messages, *refused))),
    ]


def main() -> None:
    data = FILE.read_bytes()
    tensors, metadata = read(data)
    settings = json.loads(metadata["settings"])
    sizes = {name: settings[name] for name in ("width", "layers", "heads", "context")}
    network = Network(len(tensors["embed"]), **sizes)
    network.load_state_dict({name: torch.from_numpy(tensor) for name, tensor in tensors.items()})
    kept = {"weights": np.array(load(FILE).sha256)}
    for i, tokens in enumerate(prompts()):
        with torch.no_grad():
            logits = network(torch.tensor([tokens]))[0, -LAST:].numpy()
        kept |= {f"tokens {i}": np.array(tokens), f"logits {i}": logits}
    np.savez_compressed(GOLDEN, **kept)
    print(f"wrote {GOLDEN}: {GOLDEN.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
