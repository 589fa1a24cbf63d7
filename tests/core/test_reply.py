"""The way through a reply that all readers share."""

import pytest
from growth import grows_in_step

from tot.reply import data_in, ended, marked


@pytest.mark.parametrize("read", [ended, data_in, marked])
@pytest.mark.parametrize(
    "before, piece, behind, pieces",
    [("{" * 40, ",//", '"x', 1500), ("The answer is ", "Passage:\n", "", 20_000), ("", "####\n", "", 4000)],
)
def test_a_long_reply_is_read_in_linear_time(before, piece, behind, pieces, read):
    grows_in_step(*(lambda n=n: read(before + piece * n + behind) for n in (pieces, pieces * 4)))
