"""Searches that the model's own probabilities guide: no evaluator is asked.

They stand beside the core because they need what most models and recordings do not tell: how likely each reply was
(``Request.logprobs``). A run without them never comes by here.
"""

from .levin_tree import levin
from .thoughts import likelihood, policy_generator

__all__ = ["levin", "likelihood", "policy_generator"]
