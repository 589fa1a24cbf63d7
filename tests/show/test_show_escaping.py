"""Text made fit to show: cleaned; numbers as people read them."""

from tot.show.escaping import clean, line, number


def test_cleaning() -> None:
    assert clean("a\r\nb\rc\u2028d\x1b\u202e\ud800") == "a\nb\nc\nd"
    assert clean("नमस्ते می\u200cخواهم 👩\u200d🚀") == "नमस्ते می\u200cخواهم 👩\u200d🚀"
    assert line(" a\n\tb  c ") == "a b c" and line("a" * 600) == "a" * 600 and line("a" * 601) == "a" * 600 + "…"
    assert [number(n) for n in (60.0, 0.003, 12345, 20.002, float("nan"), 1234.5, True, "x" * 99)] == [
        "60", "0.003", "12,345", "20", "nan", "1,234", "True", "x" * 20,
    ]  # fmt: skip
