"""A plain function from text to text is a model."""

import pytest

import tot
from tot.lm.base import Usage, as_lm, user
from tot.testing import check_lm


def shout(prompt):
    return f"{prompt.upper()}! and more"


def test_a_function_is_a_model_named_like_it_that_counts_words_and_keeps_to_stop_strings():
    check_lm(as_lm(shout), [user("a", n=2), user("b c")])
    asked = tot.Request((tot.Message("system", "be loud"), tot.Message("user", "hello")), stop=(" and",), n=2)
    [reply] = as_lm(shout)([asked])
    assert as_lm(shout).name == "shout" and reply.texts == ("BE LOUD\n\nHELLO!",) * 2
    assert reply.asked == reply.paid == Usage(1, 2, 3, 6)


def test_it_goes_wherever_a_model_goes(tmp_path):
    def player(prompt):
        return "Answer: 4 * 6"

    assert tot.solve("game24", "1 1 4 6", "io", lm={"generator": player}).answer == "4 * 6"
    with tot.Cassette(tmp_path / "c.jsonl", player) as lm:
        tot.solve("game24", "1 1 4 6", "io", lm=lm)
    assert tot.solve("game24", "1 1 4 6", "io", lm=tot.Cassette(tmp_path / "c.jsonl")).answer == "4 * 6"


@pytest.mark.parametrize(
    ("function", "says"), [(lambda prompt: 1 / 0, "raised ZeroDivisionError"), (lambda prompt: None, "returned None")]
)
def test_a_function_that_fails_is_a_model_that_cannot_answer(function, says):
    assert says in tot.solve("game24", "1 1 4 6", "io", lm=function).error


@pytest.mark.parametrize("other", [7, tot.OpenAI, object()])
def test_other_things_are_refused_with_the_ways(other):
    with pytest.raises(TypeError, match="'openai:MODEL', a function from text to text"):
        tot.solve("game24", "1 1 4 6", "io", lm=other)
