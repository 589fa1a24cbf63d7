"""The stream model as chapter 19 asks it: recorded replies first, and live for what nobody recorded."""

from __future__ import annotations

from functools import cached_property

from studies.stream.asking import STREAM, stream_model
from studies.teach.players import CASSETTES, Player
from tot.lm.cassette import Cassette
from tot.lm.pocket import Pocket


class StreamPlayer(Player):
    """As ``studies.teach.players.Player``."""

    def __init__(self) -> None:
        self.name, self.file = "stream", STREAM
        self.recorded = Cassette(CASSETTES / "19_stream.jsonl", model=self.name)

    @cached_property
    def live(self) -> Pocket:
        return stream_model(self.file)
