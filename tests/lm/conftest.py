"""A server for the tests of models, and nothing about others in the environment."""

import pytest
from fake_server import FakeServer


@pytest.fixture
def server(monkeypatch):
    """Answers "ok" until a test sets ``behave``."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with FakeServer() as server:
        yield server
