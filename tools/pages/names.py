"""Names of the package in the pages: signatures as they are written, and links into the reference."""

import re
from typing import Any

from docutils import nodes
from sphinx.util.nodes import make_refnode

from tools import reference


def source_signature(app, what, name, thing, options, signature, result):
    """Signatures as they are written: with Generate, and not with what that stands for."""
    return reference.signature(thing)


def type_target(app, env, node, contnode):
    """Sphinx looks for types among classes only: a name for a type, such as tot.ask.Search, is found here."""
    found = env.get_domain("py").objects.get(node.get("reftarget"))
    if node.get("refdomain") == "py" and found:
        return make_refnode(app.builder, node["refdoc"], found.docname, found.node_id, contnode)
    return None


def link_names(app, doctree, docname):
    """The package in running text, `tot.bfs`, `tot solve ...` or `tot-bfs`, becomes a link into the reference.

    In a chapter only the first of each, so that a page stays calm.
    """
    names = app.env.get_domain("py").objects
    labels = app.env.get_domain("std").anonlabels
    seen = set()
    for literal in list(doctree.findall(nodes.literal)):
        text = literal.astext()
        target = reference.defined_as(text)
        if target in names:
            page, place = names[target].docname, names[target].node_id
        else:
            command = re.match(r"tot (\w+)(?! \|)", text)
            target = f"command-{command[1]}" if command else f"method-{text}" if "-" in text else ""
            page, place = labels.get(target, ("", ""))
        if page and target not in seen and not isinstance(literal.parent, nodes.reference):
            literal.replace_self(make_refnode(app.builder, docname, page, place, literal.deepcopy()))
            if docname.startswith("notebooks/"):
                seen.add(target)


def setup(app: Any) -> dict[str, bool]:
    app.connect("autodoc-process-signature", source_signature)
    app.connect("missing-reference", type_target)
    app.connect("doctree-resolved", link_names)
    return {"parallel_read_safe": True}
