"""The papers' results as they are printed: every table, and every number of a figure or of the text beside it.

Facts with their places, and nothing of ours. ``studies/errata.py`` checks them, ``studies/tables.py`` puts our numbers
beside them. Rates are in percent unless it says otherwise; None: the paper has no number there (a curve that is only
drawn, an empty cell). ``PLACES`` names what must be covered. Places are tables, figures and sections: the copies that
we read have no page numbers.
"""

from __future__ import annotations

PLACES = {  # paper -> what it has -> where
    "Tree of Thoughts": {
        "Table 1": "section 4",
        "Table 2": "section 4.1",
        "Figure 3": "section 4.1",
        "Figure 5": "section 4.2",
        "Table 3": "section 4.3",
        "Table 4": "appendix B.1",
        "Table 5": "appendix B.2",
        "Table 6": "appendix B.2",
        "Table 7": "appendix B.3",
        "Table 8": "appendix B.3",
    },
    "The iToT poster": {"Table 1": "Results"},
    "Planning with MCTS": {
        "Table 1": "section 3.3",
        "Table 2": "section 3.3",
        "Table 3": "section 3.3",
        "Table 4": "section 3.4",
        "Figures 2 to 4": "section 2.2 and appendix A.1",
    },
}

# ---------------------------------------------------------------- Tree of Thoughts (Yao et al. 2023)

TASKS = {  # table 1 and the set-ups of section 4: thought steps, problems tested
    "Game of 24": ("3", "100"),
    "Creative Writing": ("1", "100"),
    "Mini Crosswords": ("5 to 10", "20"),
}
GAME24 = {  # table 2: GPT-4, 100 games
    "IO": 7.3,
    "CoT": 4.0,
    "CoT-SC (k=100)": 9.0,
    "ToT b=1": 45.0,
    "ToT b=5": 74.0,
    "IO + Refine (k=10)": 27.0,
    "IO, best of 100": 33.0,
    "CoT, best of 100": 49.0,
}
BREADTHS = {1: 45.0, 2: None, 3: None, 4: None, 5: 74.0}  # figure 3 (a); b = 2 to 4 are drawn only
LOST_AT = {"CoT, lost at step 1": 60.0, "ToT b=5, lost at step 1": None}  # figure 3 (b), "around 60%"; ToT: drawn only
COHERENCE = {  # figure 5 (a) and the text of section 4.2; table 6. Scores from 1 to 10: GPT-4, GPT-3.5
    "IO": (6.19, 4.47),
    "CoT": (6.93, 5.16),
    "ToT": (7.56, 6.62),
    "IO + refine": (7.67, None),
    "ToT + refine": (7.91, None),
}
SPREAD = 0.56  # standard deviation of the five scores of one passage
READERS = {"wins": 41, "losses": 21, "ties": 38}  # figure 5 (b): ToT against CoT, 100 pairs
CROSSWORDS = {  # table 3: GPT-4, 20 games; letters, words, games
    "IO": (38.7, 14, 0),
    "CoT": (40.6, 15.6, 1),
    "ToT": (78, 60, 20),
    "+best state": (82.4, 67.5, 35),
    "-prune": (65.4, 41.5, 5),
    "-backtrack": (54.6, 20, 5),
}
NOT_PRUNED = {"games": 20, "found": 4, "new": 3, "shown": 1}  # the text: what the search without pruning found
ZERO_SHOT_TOT = {  # table 4: GPT-4, 100 questions of each set
    "GSM8K": {"IO": 51.0, "CoT": 86.0, "ToT": 90.0},
    "StrategyQA": {"IO": 73.0, "CoT": 82.0, "ToT": 83.0},
}
WEAKER = {  # table 5, Game of 24
    "GPT-4": {"IO": 7.3, "CoT": 4.0, "ToT": 74.0},
    "GPT-3.5": {"IO": 6.0, "CoT": 3.0, "ToT": 19.0},
}
SWAP = {  # appendix B.2: (generator, evaluator)
    ("GPT-4", "GPT-4"): 74.0,
    ("GPT-4", "GPT-3.5"): 64.0,
    ("GPT-3.5", "GPT-4"): 31.0,
    ("GPT-3.5", "GPT-3.5"): 19.0,
}
COSTS = {  # tables 7 and 8: thousands of tokens generated and in prompts; dollars for one problem
    "Game of 24, IO, best of 100": (1.8, 1.0, 0.13),
    "Game of 24, CoT, best of 100": (6.7, 2.2, 0.47),
    "Game of 24, ToT": (5.5, 1.4, 0.74),
    "Creative Writing, IO": (0.9, 0.4, 0.06),
    "Creative Writing, CoT": (0.9, 0.4, 0.07),
    "Creative Writing, ToT": (4.0, 2.9, 0.32),
}
TIMES_COT = (5, 100)  # appendix B.3: ToT generates so many times the tokens of CoT

# ---------------------------------------------------------------- the iToT poster

HOTPOTQA = {  # table 1: exact match, from 0 to 1; no model and no n are given
    "Base LM": 0.42,
    "Base LM (few-shot)": 0.44,
    "Base LM (CoT)": 0.47,
    "ToT DFS": 0.46,
    "ToT best first": 0.59,
    "iToT A*": 0.62,
    "iToT D* Lite": 0.62,
    "LATS": None,  # "too slow to complete"
}

# ---------------------------------------------------------------- Planning with MCTS

SETS = ("AddSub", "CommonsenseQA", "GSM8K", "Last Letters", "MultiArith", "Object Tracking", "SingleEq", "SVAMP")
# tables 1, 3 and 4: accuracy in the order of SETS; the models are Qwen2.5-Instruct, 8B is Llama 3.1, 2b is Gemma 2
ZERO_SHOT = {
    "7B": (85.06, 63.72, 80.89, 21.00, 95.33, 74.80, 77.17, 83.40),
    "8B": (28.61, 63.80, 57.32, 26.40, 38.17, 49.33, 39.76, 27.00),
}
COT_PLAN = {
    "0.5B": (36.96, 31.20, 17.82, 0.00, 37.00, 31.87, 44.09, 29.90),
    "1.5B": (28.61, 44.23, 35.03, 7.20, 44.67, 29.87, 34.84, 33.90),
    "7B": (87.59, 78.62, 88.84, 55.20, 98.33, 79.33, 93.70, 91.90),
    "8B": (78.23, 57.14, 74.77, 15.40, 91.58, 57.94, 84.65, 79.20),
}
MCTS_PLAN = {
    "0.5B": (58.23, 32.43, 29.80, 0.20, 68.33, 27.20, 69.69, 43.80),
    "1.5B": (75.70, 58.72, 64.29, 6.40, 86.50, 26.40, 83.66, 72.10),
    "7B": (88.10, 79.20, 90.14, 56.60, 98.67, 79.33, 92.91, 92.90),
    "8B": (80.51, 68.57, 77.28, 12.80, 92.76, 55.43, 87.99, 81.20),
}
MEANS = {  # table 1's last rows: means of the four models
    "CoT Plan": (57.85, 52.80, 54.12, 19.45, 67.89, 49.75, 64.32, 58.73),
    "MCTS Plan": (75.63, 59.73, 65.38, 19.00, 86.56, 47.09, 83.56, 72.50),
}
CLAIMED_GAIN = 40.59  # abstract: "average improvement" over zero-shot CoT, in percent
DEPTHS, ROLLOUTS = (1, 3, 5, 7, 10, 20, 50, 100), (1, 3, 5, 7, 10, 20)
DEPTH_AND_ROLLOUTS = {  # table 2, GSM8K
    "8B": ((74.22, 75.97, 76.12, 76.42, 76.80, 76.42, 77.18, 77.41), (79.08, 76.88, 76.04, 76.57, 76.19, 77.48)),
    "7B": ((87.64, 88.17, 88.02, 88.40, 88.32, 88.48, 88.55, 88.78), (89.01, 89.76, 89.08, 89.23, 90.14, 89.92)),
}
ONE_JUDGE = {  # table 3: Qwen2.5-7B-Instruct
    "feasibility": (88.1, 71.3, 89.5, 58.4, 97.7, 65.5, 91.5, 92.2),
    "logical consistency": (86.6, 70.9, 89.2, 58.2, 97.2, 65.0, 91.5, 91.4),
    "combined": (88.1, 79.2, 90.1, 56.6, 98.7, 79.3, 92.9, 92.9),
}
ROLES = {  # table 4: (planner, evaluator, executor)
    ("1.5B", "1.5B", "1.5B"): (75.70, 58.72, 64.29, 6.40, 86.50, 26.40, 83.66, 72.10),
    ("2b", "2b", "2b"): (81.52, 17.16, 52.67, 4.47, 86.83, 20.00, 86.02, 69.40),
    ("1.5B", "1.5B", "72B"): (88.86, 78.49, 86.96, 47.20, 96.83, 80.40, 95.28, 90.70),
    ("1.5B", "72B", "1.5B"): (86.58, 68.36, 81.35, 28.20, 92.50, 47.12, 88.78, 81.40),
    ("1.5B", "72B", "72B"): (90.63, 80.71, 92.80, 76.80, 98.67, 89.47, 94.88, 92.00),
    ("2b", "2b", "72B"): (91.39, 77.72, 88.48, 69.40, 97.67, 83.87, 95.67, 92.30),
    ("2b", "72B", "2b"): (90.89, 34.64, 79.83, 54.60, 95.00, 35.87, 92.13, 84.00),
    ("2b", "72B", "72B"): (92.41, 78.54, 92.42, 78.20, 98.33, 80.53, 95.87, 93.00),
    ("72B", "72B", "72B"): (91.14, 83.95, 94.62, 85.60, 98.67, 97.86, 95.08, 93.40),
}
LONG_WORD = {"one chain": "1", "one plan, carried out": "1", "tree over plans": "2"}  # figures 3 and 4: r's counted
