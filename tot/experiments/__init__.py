"""Methods x problems x models: run them into a results file, read it, and say what can be said about it."""

from .results import best_of_k, compare, measures, read_results, summarise
from .running import grid, run_experiment

__all__ = ["best_of_k", "compare", "grid", "measures", "read_results", "run_experiment", "summarise"]
