"""A page runs in a real browser. Slow: Python in a browser takes seconds to start.

``make test-live-pages`` has more of them.
"""

import pytest

from benchmarks.live_pages import run_page

pytestmark = pytest.mark.slow

SOLVE = """import tot
lm = tot.Cassette("cassettes/06.jsonl")
solution = tot.solve("game24", "2 4 4 10", "tot-bfs", lm=lm, style="lean", breadth=3)
print(solution.answer, solution.correct)"""
CELL = [
    (SOLVE, "10 + ((4 * 4) - 2) True\n"),
    ("import matplotlib.pyplot as plt", ""),
    ("plt.plot([1, 2])", "a stored figure"),
    ("treebook.show.explorer(solution)", ""),
    ("print(len(solution.answer))", "18\n"),
]


def test_a_page_runs_offline_and_says_what_it_cannot_do(site, tab):
    cells = run_page(tab, site.write("whole", CELL))
    assert [cell["state"] for cell in cells] == ["same", "same", "absent", "different", "same"], cells
    assert "matplotlib" in cells[2]["said"] and tab.locator("div.cell").nth(2).locator("pre").last.is_visible()
    assert tab.locator(".tot-live-output .tot-explorer").count() == 1
    assert tab.asked and all(url.startswith((site.url, "blob:")) for url in tab.asked), tab.asked
    assert tab.trouble == []
