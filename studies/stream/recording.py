"""The stream model, and the streams of it that chapter 19 quotes, recorded with the weights beside this program.

python -m studies.stream.recording
"""

from __future__ import annotations

from pathlib import Path

from tot.lm.cassette import Cassette
from treebook.players import Pocket
from treebook.players.streaming import HOW, searching, stream

STREAM = Path(__file__).with_name("stream.safetensors")
CASSETTE = Path("notebooks/cassettes/19_stream.jsonl")
PUZZLE, SAMPLES = "2 6 10 13", 4


def stream_model(weights: Path = STREAM, seed: int = 0) -> Pocket:
    """The stream model. Raises LMError where the weights are missing."""
    return stream(weights, seed)


def main() -> None:
    lm = stream_model()
    with Cassette(CASSETTE, lm) as recording:
        recording([searching(PUZZLE, strategy).samples(0, SAMPLES) for strategy in HOW])


if __name__ == "__main__":
    main()
