"""Run by ``authors.py`` in the environment of the package ``tree-of-thoughts-llm``: its own BFS on the puzzles given.

Prints one line of JSON: seconds for all puzzles, and for how many of them an output passes the package's own test.
"""

import json
import sys
import time
from argparse import Namespace

from tot.methods.bfs import solve  # the package's, not ours: see authors.py
from tot.tasks.game24 import Game24Task

SETTINGS = Namespace(
    backend="player",
    temperature=0.7,
    method_generate="propose",
    method_evaluate="value",
    method_select="greedy",
    n_generate_sample=1,
    n_evaluate_sample=3,
    n_select_sample=5,
)

task = Game24Task()
task.data = sys.argv[1:]
began = time.perf_counter()
outputs = [solve(SETTINGS, task, i, to_print=False)[0] for i in range(len(task.data))]
seconds = time.perf_counter() - began
solved = sum(any(task.test_output(i, y)["r"] for y in ys) for i, ys in enumerate(outputs))
print(json.dumps({"seconds": seconds, "solved": solved}))
