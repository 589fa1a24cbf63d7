"""What the search can find."""

from docutils import nodes

from tools.pages import search


def test_a_section_is_found_by_its_own_prose_and_not_by_code_or_by_what_is_inside_another():
    document = nodes.document(None, None)
    outer, inner = nodes.section(ids=["a"]), nodes.section(ids=["b"])
    cell = nodes.container(classes=["cell"])
    cell += nodes.literal_block("code", "code")
    outer += [nodes.title("", "Out"), cell]
    inner += [nodes.title("", "In"), nodes.paragraph("", "so  ", nodes.math("", r"\mathrm{UCB} = \frac{Q}{N}"))]
    outer += inner
    document += outer
    assert [*search.sections(document)] == [("a", "Out", "", ""), ("b", "In", r"so UCB = \frac Q N", "")]
