"""Small studies whose counts the notebooks read: what is stored is what they count."""

import json

import pytest

from studies import prefix_cache
from studies.pocket import texts


@pytest.mark.slow
@pytest.mark.parametrize("study, counted", [(texts, texts.counted), (prefix_cache, prefix_cache.figures)])
def test_the_stored_counts_are_those_of_the_study(study, counted):
    assert json.loads(study.RESULTS.read_text(encoding="utf-8")) == json.loads(json.dumps(counted()))


def test_a_cache_serves_what_begins_alike_until_it_is_full():
    one, other, last = (20, (1, 2)), (20, (1, 3)), (20, (4,))
    assert prefix_cache.served([[[one], [other]]], 9, 1) == 16 / 40  # its first block
    assert prefix_cache.served([[[one], [last], [one]]], 3, 1) == 32 / 60
    assert prefix_cache.served([[[one], [last], [one]]], 1, 1) == 0
    assert prefix_cache.served([[[one], [one]]], 1, 1) == 16 / 40  # the end of a prompt goes first
    jobs = [[[one]], [[last]], [[one]], [[last]]]  # none is lost where more wait than are in progress
    assert [prefix_cache.served(jobs, 9, at_once) for at_once in (1, 2, 9)] == [48 / 80] * 3
