"""The first page: a recorded search that plays by itself, and the contents, with a picture for each chapter.

    ```{live-tree} game24 3 4 4 6
    :cassette: notebooks/cassettes/06.jsonl
    ```

The tree is ``show.explorer`` of a replay, made anew at each build: no model is asked, and where no script runs, it
stands there drawn. Below it is the key to all trees, ``show.legend``.
"""

from pathlib import Path, PurePosixPath
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

import tot
from treebook import show

from .markup import Markup, Phrase, raw


class LiveTree(SphinxDirective):
    """A search by ``tot-bfs`` with five states, as an explorer without its panes; it starts when it comes into view."""

    required_arguments = 2  # task, problem
    final_argument_whitespace = True
    option_spec = {"cassette": directives.unchanged_required}  # noqa: RUF012 (docutils wants it so)

    def run(self) -> list[nodes.Node]:
        task, problem = self.arguments
        path = Path(self.env.srcdir, self.options["cassette"])
        self.env.note_dependency(str(path))
        how = {"style": "lean", "breadth": 5}
        solution = tot.solve(task, problem, "tot-bfs", lm=tot.Cassette(path), **how)
        page = show.explorer(solution, details=False, play=True)
        made = f'<div class="wide">{page}</div>{show.legend()}'
        return [nodes.raw("", made, format="html")]


class Part(SphinxDirective):
    """A part of the book: a definition list of its chapters, each with its picture and its question."""

    required_arguments = 1  # its title
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        written = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, written)
        pictures, chapters = show.concepts.panels("contents"), Markup("dl")
        for item in written.findall(nodes.definition_list_item):
            term, question = item.children
            link = next(iter(term.findall(lambda node: "reftarget" in getattr(node, "attributes", ()))))
            picture = pictures.get(PurePosixPath(link["reftarget"]).stem, "")
            chapters += Markup("div", raw(str(picture)), Phrase("dt", *term.children), Markup("dd", *question.children))
        return [Markup("div", nodes.rubric("", self.arguments[0]), chapters, class_="tot-part wide")]


def setup(app: Any) -> dict[str, bool]:
    app.add_directive("live-tree", LiveTree)
    app.setup_extension("tools.pages.markup")
    app.add_directive("part", Part)
    return {"parallel_read_safe": True}
