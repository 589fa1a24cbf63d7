"""The streams that chapter 19 quotes, recorded with the model beside this program, and that model as it asks it.

python -m studies.stream.recording
"""

from __future__ import annotations

from studies.stream.asking import HOW, searching, stream_model
from studies.teach.players import CASSETTES, Player
from tot.lm.cassette import Cassette

PUZZLE, SAMPLES = "2 6 10 13", 4


def stream_player() -> Player:
    """Replays the recording, and answers live what is not in it."""
    return Player("stream", 19, stream_model)


def main() -> None:
    lm = stream_model()
    with Cassette(CASSETTES / "19_stream.jsonl", lm) as recording:
        recording([searching(PUZZLE, strategy).samples(0, SAMPLES) for strategy in HOW])


if __name__ == "__main__":
    main()
