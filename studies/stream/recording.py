"""Records the streams that chapter 19 quotes, with the model beside this program.

python -m studies.stream.recording
"""

from __future__ import annotations

from studies.stream.asking import HOW, searching, stream_model
from studies.teach.players import CASSETTES
from tot.lm.cassette import Cassette

PUZZLE, SAMPLES = "2 6 10 13", 4


def main() -> None:
    lm = stream_model()
    with Cassette(CASSETTES / "19_stream.jsonl", lm) as recording:
        recording([searching(PUZZLE, strategy).samples(0, SAMPLES) for strategy in HOW])


if __name__ == "__main__":
    main()
