"""A chain of thought as a picture."""

import re

import pytest

import tot
from treebook import show


def run(reply, method="cot", answer="(1 + 3) * (2 + 4)"):
    return tot.solve("game24", "1 2 3 4", method, lm=tot.Scripted([reply]))


def texts(svg):
    return [text.strip() for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]


WRONG = "(1 + 3) * 4 = 20 (left: 20 2 4)\n2 - 2 = 0 (left: 20 0 4)\n\nAnswer: (1 + 3) * (2 - 2) + 4"
RIGHT = "1 * 2 = 2 (left: 2 3 4)\n3 * 4 = 12 (left: 2 12)\n2 * 12 = 24 (left: 24)\nAnswer: (1 * 2) * (3 * 4)"


def test_every_line_has_a_box_and_the_last_one_its_verdict():
    svg = show.chain(run(WRONG))
    assert svg.count("<rect") == 1 + 1 + 3  # the ground, the problem, three lines
    assert "✗ wrong" in texts(svg) and "(left: 20 2 4)" in texts(svg)
    assert "✓ correct" in texts(show.chain(run(RIGHT)))
    assert svg.about.startswith("From 1 2 3 4: (1 + 3) * 4 = 20") and svg.about.endswith("The answer is wrong.")


def test_a_remark_stands_below_its_line_and_only_there():
    plain, remarked = show.chain(run(WRONG)), show.chain(run(WRONG), {1: "it is 16"})
    assert "it is 16" in texts(remarked) and "it is 16" not in texts(plain)
    assert remarked.count("tot-b-failed") > plain.count("tot-b-failed") == 0
    with pytest.raises(ValueError, match="3 lines, and no line 4"):
        show.chain(run(WRONG), {4: "?"})


def test_what_a_model_wrote_is_escaped_and_long_replies_are_folded():
    svg = show.chain(run("<script>alert(1)</script>\n" + "\n".join(f"line {i}" for i in range(20))))
    assert "<script>" not in svg and "&lt;script&gt;" in svg
    assert svg.count("<rect") == 1 + 1 + 7 and "more lines" in " ".join(texts(svg))


def test_nothing_asked_is_refused():
    broke = tot.solve("game24", "1 2 3 4", "cot", lm=tot.Scripted(["x"]), budget=tot.Budget(calls=0))
    with pytest.raises(ValueError, match="nothing was asked"):
        show.chain(broke)


def test_a_chain_may_run_down_and_says_the_same():
    across, down = show.chain(run(WRONG), {1: "it is 16"}), show.chain(run(WRONG), {1: "it is 16"}, down=True)
    assert down.about == across.about
    assert sorted(" ".join(texts(down)).split()) == sorted(" ".join(texts(across)).split())
    assert down.width < 200 < across.width
    tops = [float(y) for y in re.findall(r'<rect[^>]* y="([\d.]+)"[^>]*>', down)]
    assert tops == sorted(tops) and len(set(tops)) == 5  # the ground, the problem, three lines
