"""Tests against a real model on this machine: `make test-live` runs them, `make test` does not."""

from collections.abc import Iterator

import pytest

from tools import local_lm as server


@pytest.fixture(scope="session")
def local_lm() -> Iterator[server.Served]:
    """A running server: `base_url`, `model` (its name) and `weights` (their SHA-256)."""
    with server.running(timeout=180, slots=4) as served:
        yield served
