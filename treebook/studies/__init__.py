"""What chapters need of the studies (``studies/`` in the repository): players with dials, models of searches, readers of results."""
