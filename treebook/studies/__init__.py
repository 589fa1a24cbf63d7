"""What chapters need of the studies (``studies/`` in the repository): simulated players, models, readers of results."""
