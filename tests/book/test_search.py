"""What the search can find: formulas as text, and the names of the package that a section's cells use."""

import pytest
from docutils import nodes

from tools.pages import search
from tools.pages.plain_maths import plain


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"1 - (1 - p)^n", "1 − (1 − p)ⁿ"),
        (r"\mathrm{UCB}(n) = \frac{Q}{N} + c\sqrt{\frac{\ln N}{n}}", "UCB(n) = Q/N + c√((ln N)/n)"),
        (r"\bar{x}_i^2", "xᵢ²"),
        (r"p_\theta(y \mid x) = \prod_i p_\theta(y_i)", "p_θ(y ∣ x) = ∏ᵢp_θ(yᵢ)"),
        (r"H = -\sum_y p(y)", "H = −∑_y p(y)"),
        (r"s' \le 10\,\%", "s′ ≤ 10 %"),
    ],
)
def test_a_formula_is_a_line_of_text(tex, text):
    assert plain(tex) == text


def cell(code):
    block = nodes.container(classes=["cell_input"])
    block += nodes.literal_block(code, code)
    whole = nodes.container(classes=["cell"])
    whole += block
    return whole


def test_names_of_the_package_are_found_in_the_section_that_uses_them():
    document = nodes.document(None, None)
    outer, inner = nodes.section(ids=["a"]), nodes.section(ids=["b"])
    outer += [nodes.title("", "Out"), cell("from tot import show, solve as ask\nimport re\nre.sub\n")]
    fold = nodes.container()
    fold += cell("ask(1)\nshow.plots.visits(x)\nother.frames\n!ls")
    shell = cell("ask(show.svg)")
    inner += [nodes.title("", "In"), fold, shell, nodes.paragraph("", "", nodes.math("", r"x^2"))]
    outer += inner
    document += outer
    found = {anchor: (heading, text, code) for anchor, heading, text, code, _ in search.sections(document)}
    assert found["a"] == ("Out", "", "")
    assert found["b"] == ("In", "x²", "ask show show.svg")
