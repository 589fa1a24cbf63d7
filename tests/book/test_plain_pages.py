"""A plain copy of each page, for programs that read."""

import re


def test_every_page_has_its_copy_and_the_list_leads_to_it(html):
    pages = {p.relative_to(html).with_suffix("").as_posix() for p in html.rglob("*.html") if "_static" not in p.parts}
    pages -= {"index", "genindex", "py-modindex", "search"}
    listed = (html / "llms.txt").read_text("utf-8")
    assert len(pages) > 90 and set(re.findall(r"^- \[.+?\]\((.+)\.md\): ", listed, re.M)) == pages
    assert re.search(r"^> \w", listed, re.M) and len(re.findall(r"\.md\): \w", listed)) > 0.9 * len(pages)
    for page in pages:
        text = (html / f"{page}.md").read_text("utf-8")
        assert text.startswith("# ") and not re.search(
            r"<(svg|div|span|script|td)\b", re.sub(r"```.*?```", "", text, flags=re.S)
        )
        for link in re.findall(r"\]\((?!https?:|#)([^)#]+\.md)", text):
            assert (html / page).parent.joinpath(link).exists(), f"{page}: {link}"


def test_what_a_page_shows_is_said(html):
    chapter = (html / "notebooks" / "06_tot_bfs_game24.md").read_text("utf-8")
    assert "```python\n" in chapter and "[Picture: " in chapter and "**In practice.**" in chapter
    assert "tot-bfs" in chapter and re.search(r"^.+ \| .+ \| .+$", chapter, re.M)
    assert "`bfs(root: Node, " in (html / "book" / "reference" / "search.md").read_text("utf-8")
