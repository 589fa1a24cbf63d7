"""Run by ``strategies.py`` in the environment of the package ``treequest``: its two searches, with a free judge.

Prints one line of JSON: for each, the seconds of processor time that a step takes when so many were taken before.
"""

import json
import random
import sys
import time

import treequest

steps, over = map(int, sys.argv[1:])


def seconds(algorithm) -> float:
    dice, at = random.Random(0), []

    def generate(parent):
        at.append(time.process_time())
        return "a thought", dice.random()

    state = algorithm.init_tree()
    while len(at) <= steps + over:
        state = algorithm.step(state, {"think": generate})
    return (at[steps + over] - at[steps]) / over


print(json.dumps({"ab-mcts": seconds(treequest.ABMCTSA()), "tot-mcts": seconds(treequest.StandardMCTS())}))
