"""What GPT-4 did, read with our instruments: the logs that the authors of Tree of Thoughts published, replayed.

    python -m studies.authors --data FOLDER [--out studies/results/authors.json]

The logged replies go through this package's own searches, votes, readers and scorers, by way of a model that answers
from the log. Only figures come out: no text of the logs, and of a puzzle no more than its rank. Where the authors' rule
is not ours, both are measured. A file for each log:

- ``game24_samples``: 100 direct answers and 100 chains of thought for each of 100 puzzles;
- ``game24_tree``: Tree of Thoughts, b = 5, on the same puzzles; ``game24_reach``: a solver beside it;
- ``crosswords_samples``, ``crosswords_tree``: 20 games;
- ``writing``: 100 inputs.
"""

from __future__ import annotations

from pathlib import Path

RESULTS = Path(__file__).resolve().parents[1] / "results" / "authors.json"
SOURCE = {
    "model": "GPT-4",
    "year": 2023,
    "repository": "princeton-nlp/tree-of-thought-llm",
    "commit": "ab40034",
    "licence": "MIT",
}
