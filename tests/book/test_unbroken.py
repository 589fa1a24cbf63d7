"""Short code, and a formula and the signs that touch it, stay on one line."""

from docutils import nodes

from tools.pages.unbroken import SHORT, keep_together


def paragraph(*parts):
    made = nodes.paragraph("", "", *[nodes.Text(part) if isinstance(part, str) else part for part in parts])
    document = nodes.document(None, None)
    document += made
    keep_together(None, document, "page")
    return made, [
        node.astext()
        for node in made.findall(lambda n: "tot-unbroken" in getattr(n, "attributes", {}).get("classes", ()))
    ]


def test_signs_stay_with_the_formula_that_they_touch():
    made, boxes = paragraph(
        "the chance (", nodes.math("", "p^2"), "). Then ", nodes.math("", "q"), " and ", nodes.math("", "r"), ", too"
    )
    assert boxes == ["(p^2).", "q", "r,"]
    assert made.astext() == "the chance (p^2). Then q and r, too"


def test_short_code_is_not_broken_and_long_code_is_left_alone():
    made, boxes = paragraph("see ", nodes.literal("", "_ h _ _ e"), ": ", nodes.literal("", "x" * (SHORT + 1)))
    assert boxes == ["_ h _ _ e:"] and made.astext() == "see _ h _ _ e: " + "x" * (SHORT + 1)
