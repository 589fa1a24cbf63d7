"""The adversary's means, as far as they run in seconds. `make torture` is the long form, from any seed."""

import os

import pytest

from tests.torture.__main__ import SUBJECTS, torture
from tests.torture.tally import KEY, Tally

TURNS = {"readers": 2, "growing": 1, "views": 4, "damage": 4, "recordings": 6, "kills": 1}
WORK = {  # what must have been done, or the torture was none
    "readers": ("parser calls", "texts read", "texts not read", "refused in a sentence"),
    "growing": ("pairs of sizes compared",),
    "views": ("payload views",),
    "damage": ("damaged files", "refused in a sentence", "views of damaged traces"),
    "recordings": ("faults that it imitated", "samples recorded", "recordings that failed with a sentence"),
    "kills": ("samples recorded over kills",),
}


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (n == "kills")) for n in SUBJECTS])
def test_the_package_survives(name, monkeypatch):
    if name == "kills" and os.name == "nt":
        pytest.skip("signals")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for unset in ("OPENAI_BASE_URL", "TOT_DATA_DIR"):
        monkeypatch.delenv(unset, raising=False)
    tally = Tally()
    for seed in range(20):
        if seed >= TURNS[name] and all(tally.counts[what] for what in WORK[name]):
            break  # further turns only where chance has left something out
        torture(name, seed, tally)
    assert not tally.faults, "\n".join(tally.faults)
    assert all(tally.counts[what] for what in WORK[name]), tally.counts
