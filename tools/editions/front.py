"""What stands before the first chapter: the imprint and the contents. As HTML that is XHTML, too."""

from collections.abc import Callable
from html import escape

from tools.editions.volume import About, Page, Volume

ABOUT_THE_EDITION = """
<p>This edition was made from the pages of the book by <code>{command}</code>. Everything on the pages is here, with
three differences. Code that a page folds (set-up, what draws a figure, what checks a result) is in small print.
Solutions of exercises stand at the end of their chapter. What moves on a page stands still: of a search to step
through there is the finished tree, of pictures behind a slider those that matter.{left_out}</p>
<p>To run, change and record the chapters, take the repository: each chapter is a notebook in
<code>notebooks/</code>, and <code>make book</code> replays all of them without a network.</p>
"""


def imprint(volume: Volume, about: About, command: str) -> str:
    """The page with edition, copyright and licences, and what differs from the pages."""
    names = [f"“{escape(title)}”" for title in volume.left_out]
    left_out = f" Left out: {' and '.join(names)}, the list of every name of the package; <code>{command} ALL=1</code> "
    left_out += "takes it in. A link that leads there is plain text here."
    address = f'<p><a href="{about.address}">{escape(about.address)}</a></p>' if about.address else ""
    return (
        f"<h1>About this edition</h1>\n<p><b>{escape(volume.title)}</b><br/>{escape(', '.join(about.authors))}<br/>"
        f"Version {about.version}, {about.date.day} {about.date:%B %Y}</p>{address}"
        f"<p>Copyright © {escape(about.copyright)}. Text and figures: Creative Commons Attribution 4.0 International "
        '(<a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>). Code: MIT licence.</p>'
        + ABOUT_THE_EDITION.format(command=command, left_out=left_out if names else "")
    )


def contents(volume: Volume, link: Callable[[Page], str], number: Callable[[Page], str] | None = None) -> str:
    """The parts and their pages, each a link. ``number``: what stands behind a title, where there are page numbers."""

    def entry(page: Page) -> str:
        title = f'<span class="contents-title">{escape(page.title)}</span>'
        if number:
            title += f'<span class="contents-dots"></span><span class="contents-number">{number(page)}</span>'
        kind = ' class="contents-below"' if page.depth else ""
        return f'<li{kind}><a href="{escape(link(page))}">{title}</a></li>'

    lists = [
        f'<p class="contents-part">{escape(part.title)}</p>\n<ol>{"".join(map(entry, part.pages))}</ol>'
        for part in volume.parts
    ]
    return "<h1>Contents</h1>\n" + f"<ol>{entry(volume.front)}</ol>\n" + "\n".join(lists)
