"""What chapters need of the studies (``studies/``): worlds, models of searches, readers of results."""
