"""The live model of a study: its flags on the command line, and the model that they mean."""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import tot
from tot.lm.settings import arguments, described


def add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model", required=True, help="its name, as the server knows it, part of each sample's identity; or pocket"
    )
    parser.add_argument("--base-url")
    parser.add_argument("--weights", type=Path, help="the model file: its SHA-256 goes into the cassette")
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--one-sample-a-call", action="store_true", help="never ask a server for n > 1")
    parser.add_argument(
        "--lm-option", action="append", default=[], metavar="K=V", help="a setting of the model, as `tot --lm-option`"
    )
    parser.add_argument(
        "--tokens-from", choices=("usage", "logprobs"), default="usage", help='for llama.cpp with n > 1: "logprobs"'
    )


def check_model(parser: argparse.ArgumentParser, a: argparse.Namespace) -> None:
    """Ends the program, with the reason, for flags that no model fits."""
    if a.weights and not a.weights.is_file():
        parser.error(f"there is no file {a.weights}")
    if a.concurrency < 1:
        parser.error("--concurrency is at least 1")
    try:
        arguments(a.lm_option)
    except ValueError as error:
        parser.error(f"--lm-option: {error}")


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def named(lm: tot.LM) -> str:
    """A model's name, with its settings if it has any: a figure of other settings is another figure."""
    return f"{lm.name} ({described(lm.settings)})" if lm.settings else lm.name


def model(a: argparse.Namespace) -> tuple[tot.LM, str]:
    """The model to record, and the SHA-256 of its weights."""
    if a.model == "pocket":
        if a.weights:  # another training of it, called after its file
            from treebook.players import Pocket

            pocket: tot.LM = Pocket(weights=a.weights, name=a.weights.stem)
        else:
            pocket = tot.lm.open("pocket", **arguments(a.lm_option))
        return pocket, pocket.weights
    live = tot.lm.open(
        f"openai:{a.model}",
        base_url=a.base_url,
        max_concurrency=a.concurrency,
        native_n=not a.one_sample_a_call,
        timeout=1800,
        tokens_from=a.tokens_from,
        **arguments(a.lm_option),
    )
    return live, sha256(a.weights) if a.weights else ""
