"""Searches that the model's own probabilities guide: methods that this package brings to ``tot`` (``tot.methods``)."""
