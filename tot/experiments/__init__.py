"""Methods x problems x models: run them into a results file, read it, and say what can be said about it."""

from .results import compare, measures, read_results, summarise
from .running import grid, run_experiment

__all__ = ["compare", "grid", "measures", "read_results", "run_experiment", "summarise"]
