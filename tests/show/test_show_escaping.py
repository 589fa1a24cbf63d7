"""Text made fit to show: cleaned, cut, wrapped; numbers as people read them."""

import pytest
from traces import HOSTILE

from tot.show.escaping import clean, em, line, number, wrap


def test_cleaning() -> None:
    assert clean("a\r\nb\rc\u2028d\x1b\u202e\ud800") == "a\nb\nc\nd"
    assert clean("नमस्ते می\u200cخواهم 👩\u200d🚀") == "नमस्ते می\u200cخواهم 👩\u200d🚀"
    assert line(" a\n\tb  c ") == "a b c" and line("a" * 600) == "a" * 600 and line("a" * 601) == "a" * 600 + "…"
    assert [number(n) for n in (60.0, 0.003, 12345, 20.002, float("nan"), 1234.5, True, "x" * 99)] == [
        "60", "0.003", "12,345", "20", "nan", "1,234", "True", "x" * 20,
    ]  # fmt: skip


@pytest.mark.parametrize("width", [3, 5.5, 8, 11.2, 30])
def test_wrapping_fits_and_loses_nothing_silently(width: float) -> None:
    for sample in [*HOSTILE, "13 - 9 = 4 (left: 4 4 10)", "Answer: (4 - 10) * (9 - 13)", "one"]:
        label = line(sample)
        for lines in (1, 2, 3):
            wrapped = wrap(label, width, lines)
            assert len(wrapped) <= lines and all(em(one) <= width + 1e-9 for one in wrapped)
            assert " ".join(wrapped) == label or any(one.endswith("…") for one in wrapped)
    assert wrap("13 - 9 = 4 (left: 4 4 10)", 11.2, 2) == ["13 - 9 = 4", "(left: 4 4 10)"]
    assert wrap("Answer: (4 - 10) * (9 - 13)", 11.2, 2) == ["Answer: (4 - 10)", "* (9 - 13)"]
