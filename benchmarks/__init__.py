"""Speed, as ratios measured in one run: ``make bench``. One module for each promise; ``__main__`` runs them all."""
