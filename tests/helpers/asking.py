"""Models that ask a fake server, and what a call that must fail says."""

import pytest

from tot.lm.base import LMError, user
from tot.lm.openai import OpenAI


def make(server, **options):
    """A model of the server that hardly waits between its tries."""
    return OpenAI("fake", **({"base_url": server.url, "retries": 3, "backoff": 0.001} | options))


def fails(lm, *requests):
    """The sentence of a call that must fail; it is one line."""
    with pytest.raises(LMError) as caught:
        lm(requests or [user("hi")])
    text = str(caught.value)
    assert "\n" not in text and len(text) < 700
    return text
