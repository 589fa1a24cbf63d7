"""What the property tests of readers share: how many examples, and texts to read. TOT_FUZZ=100000 looks longer."""

import os
from collections.abc import Sequence

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st


def fuzz(examples: int = 300) -> settings:
    return settings(
        max_examples=int(os.environ.get("TOT_FUZZ", examples)),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example, HealthCheck.data_too_large],
    )


def texts(pieces: Sequence[str], most: int = 30) -> st.SearchStrategy[str]:
    """Any text at all (also half surrogate pairs), and text that nearly is what a reader looks for."""
    return st.one_of(
        st.text(st.characters(exclude_categories=())), st.lists(st.sampled_from(pieces), max_size=most).map("".join)
    )
