"""The training loop of all four small models: the pocket model, the worded one, the novice with its pupils, the stream.

Resumable: the same command goes on from the last checkpoint. Writes FOLDER/log.jsonl (a line every 50 steps), and as it
goes FOLDER/checkpoint.pt and FOLDER/weights.safetensors; with --early 20e6 --keep 4e6 also unfinished models,
FOLDER/early.safetensors and FOLDER/after_4M.safetensors.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import Parameter
from torch.nn import functional as F

from studies.options import shortly
from studies.pocket.forms import Shard
from studies.pocket.network import Network, load, save
from treebook.players.tokens import END, VOCABULARY

CHECK_EVERY = 120.0  # seconds between checkpoints
TIMES = 3.0  # of ``Muon``: the matrices' learning rate, as a multiple of the others'


def batches(shard: Shard, size: int, rng: random.Random) -> Iterator[tuple[Tensor, Tensor]]:
    """Sequences of like length together, about ``size`` tokens a batch, in random order.

    Yields tokens [rows, length] and targets [rows, length]: -1 where there is nothing to learn.
    """
    shard = sorted(shard, key=lambda s: (len(s[0]), rng.random()))
    groups: list[Shard] = [[]]
    for sequence in shard:
        if (len(groups[-1]) + 1) * len(sequence[0]) > size:
            groups.append([])
        groups[-1].append(sequence)
    rng.shuffle(groups)
    for group in groups:
        length = max(len(tokens) for tokens, _ in group) - 1
        inputs = np.full((len(group), length), END, dtype=np.int64)
        targets = np.full((len(group), length), -1, dtype=np.int64)
        for i, (tokens, learn) in enumerate(group):
            inputs[i, : len(tokens) - 1] = tokens[:-1]
            targets[i, learn - 1 : len(tokens) - 1] = tokens[learn:]
        yield torch.from_numpy(inputs), torch.from_numpy(targets)


def rate(done: float, highest: float) -> float:
    """Learning rate after a share ``done`` (0 to 1) of the training: a short warm-up, then half a cosine."""
    return highest * min(1.0, done / 0.01 + 0.01) * (0.5 + 0.5 * math.cos(math.pi * min(1.0, done))) + 1e-5


def commit() -> str:
    """The commit of the code, or "unknown" without git."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    try:
        return subprocess.check_output(command, cwd=Path(__file__).parent, text=True, stderr=subprocess.DEVNULL).strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def adamw(matrices: list[Parameter], others: list[Parameter], rate: float) -> torch.optim.Optimizer:
    """The optimiser of the published model: weights of matrices decay, others do not."""
    groups = [{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), fused=True)


class Muon:
    """Muon for the matrices, AdamW for the rest (Jordan et al. 2024, "Muon: An optimizer for hidden layers").

    A step changes all directions of a matrix alike. In a first look, at one million tokens, it was where AdamW alone
    came a fifth later; no other rate was tried.
    """

    def __init__(self, matrices: list[Parameter], others: list[Parameter], rate: float) -> None:
        self.parts = (
            torch.optim.Muon(matrices, lr=rate, momentum=0.95, weight_decay=0.1, adjust_lr_fn="match_rms_adamw"),
            torch.optim.AdamW(others, lr=rate, betas=(0.9, 0.98), weight_decay=0.0, fused=True),
        )
        for group in self.parts[0].param_groups:
            group["times"] = TIMES

    @property
    def param_groups(self) -> list[dict[str, Any]]:
        return [group for part in self.parts for group in part.param_groups]

    def zero_grad(self) -> None:
        for part in self.parts:
            part.zero_grad()

    def step(self) -> None:
        for part in self.parts:
            part.step()

    def state_dict(self) -> list[dict[str, Any]]:
        return [part.state_dict() for part in self.parts]

    def load_state_dict(self, state: list[dict[str, Any]]) -> None:
        for part, kept in zip(self.parts, state, strict=True):
            part.load_state_dict(kept)


def train(
    a: argparse.Namespace,
    make_shard: Callable[[int, int], Shard],
    vocabulary: int = len(VOCABULARY),
    until: float = math.inf,
    optimiser_for: Callable[..., Any] = adamw,
) -> None:
    """Trains a network on the shards that ``make_shard(seed, number)`` makes, in processes of their own.

    ``a.start``: weights to begin from; without it, from nothing. ``until``: pause after so many tokens; the same
    training goes on when it is called again. ``a.device``: "cuda" has the same shards and the same first weights, but
    rounds differently; the weights then say so. ``optimiser_for(matrices, others, rate)``: what ``adamw`` is; a group
    of its ``param_groups`` may have "times", a factor of its learning rate. Raises SystemExit if the folder holds
    another training.
    """
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    torch.set_flush_denormal(True)
    a.out.mkdir(parents=True, exist_ok=True)
    network = Network(vocabulary, width=a.width, layers=a.layers, heads=a.heads, context=a.context)
    if a.start:
        load(network, a.start)
    network.to(a.device)
    matrices = [p for name, p in network.named_parameters() if p.dim() == 2 and name not in ("embed", "position")]
    others = [p for p in network.parameters() if not any(p is m for m in matrices)]
    optimiser = optimiser_for(matrices, others, a.rate)
    aside = ("out", "threads", "early", "keep", "start", "device", "makers")
    settings = {k: v for k, v in vars(a).items() if k not in aside}
    about = {"settings": settings, "seed": a.seed, "commit": commit()}
    if a.device != "cpu":
        about["device"] = a.device
    unfinished = [(a.early, "early.safetensors"), *((n, f"after_{n / 1e6:g}M.safetensors") for n in a.keep)]
    place = {"shard": 0, "batch": 0, "step": 0, "tokens": 0, "seconds": 0.0}
    checkpoint = a.out / "checkpoint.pt"
    if checkpoint.exists():
        kept = torch.load(checkpoint, map_location=a.device)
        if kept["settings"] != settings:
            raise SystemExit(f"{checkpoint} was made with other settings: name another folder (make pocket OUT=...)")
        network.load_state_dict(kept["network"])
        optimiser.load_state_dict(kept["optimiser"])
        place = kept["place"]
        for tokens, name in unfinished[1:]:
            if tokens <= place["tokens"] and not (a.out / name).exists():
                raise SystemExit(f"{checkpoint} is past {name}, which was not kept: name another folder to have it")
    size = sum(p.numel() for p in network.parameters())
    print(f"{size:,} parameters; from step {place['step']}, {place['tokens'] / 1e6:.1f} M tokens", flush=True)

    def keep() -> None:
        state = {"network": network.state_dict(), "optimiser": optimiser.state_dict(), "place": place}
        torch.save({**state, "settings": settings}, checkpoint.with_suffix(".new"))
        checkpoint.with_suffix(".new").replace(checkpoint)
        save(network, a.out / "weights.safetensors", **about, tokens=place["tokens"])

    started = saved = time.monotonic() - place["seconds"]
    losses: list[float] = []
    with ProcessPoolExecutor(a.makers) as maker, (a.out / "log.jsonl").open("a", encoding="utf-8") as log:
        ahead = deque(maker.submit(make_shard, a.seed, place["shard"] + i) for i in range(a.makers))
        while place["tokens"] < min(a.tokens, until):
            shard = ahead.popleft().result()
            ahead.append(maker.submit(make_shard, a.seed, place["shard"] + a.makers))
            for i, (inputs, targets) in enumerate(batches(shard, a.batch, random.Random(place["shard"]))):
                if i < place["batch"]:
                    continue  # seen before the checkpoint
                for group in optimiser.param_groups:
                    group["lr"] = rate(place["tokens"] / a.tokens, a.rate) * group.get("times", 1.0)
                inputs, targets = inputs.to(a.device), targets.to(a.device)
                wanted = targets >= 0
                loss = F.cross_entropy(network(inputs)[wanted], targets[wanted])
                optimiser.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
                optimiser.step()
                losses.append(loss.item())
                place["batch"], place["step"] = i + 1, place["step"] + 1
                before, place["tokens"] = place["tokens"], place["tokens"] + inputs.numel()
                for tokens, name in unfinished:
                    if before < tokens <= place["tokens"]:
                        save(network, a.out / name, **about, tokens=place["tokens"])
                place["seconds"] = time.monotonic() - started
                if place["step"] % 50 == 0:
                    line = {**place, "loss": round(sum(losses) / len(losses), 4)}
                    log.write(json.dumps(line) + "\n")
                    log.flush()
                    losses.clear()
                if time.monotonic() - saved > CHECK_EVERY:
                    keep()
                    saved = time.monotonic()
                if place["tokens"] >= min(a.tokens, until):
                    break
            else:
                place["shard"], place["batch"] = place["shard"] + 1, 0
        maker.shutdown(wait=False, cancel_futures=True)
    keep()


def again(
    start: Path, weights: Path, make_shard: Callable[[int, int], Shard], optimiser_for: Any = None, **settings: Any
) -> None:
    """A short training from the weights ``start``, which leaves its last weights at ``weights``, its log beside them.
    ``settings``: those of ``arguments`` that differ.
    """
    a = arguments(None, weights.parent / "training", settings["tokens"]).parse_args([])
    vars(a).update(settings, start=start)
    train(a, make_shard, optimiser_for=optimiser_for or adamw)
    (a.out / "weights.safetensors").replace(weights)
    (a.out / "checkpoint.pt").unlink()


def numbers(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]


def arguments(description: str | None, out: Path, tokens: float) -> argparse.ArgumentParser:
    """The arguments of a training; the defaults are those of the published model, but for the two that are given."""
    sys.excepthook = shortly
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=out)
    parser.add_argument("--start", type=Path, help="weights to begin from (default: from nothing)")
    parser.add_argument("--tokens", type=float, default=tokens, help="how many tokens to train on")
    parser.add_argument("--early", type=float, default=20e6, help="keep the unfinished model after so many tokens")
    parser.add_argument("--keep", type=numbers, default=[], help="the same after each of these: 4e6,8e6,16e6")
    parser.add_argument("--batch", type=int, default=6144, help="tokens in a batch")
    parser.add_argument("--rate", type=float, default=3e-3, help="the highest learning rate")
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--context", type=int, default=256)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu", help="cuda: on a GPU")
    parser.add_argument("--makers", type=int, default=1, help="processes that make shards, each one ahead")
    return parser
