"""When does search pay? The Game of 24 with generators and judges of every strength (the map of chapter 16).

``players``: checkpoints of one training, and programs in their place. ``play``: every generator with every judge, on
the same puzzles, with what it cost; ``rivals``: what that buys in chains. ``measure``: how good each player is at its
half of the work. ``surface``: where the tree gains over sampling at equal cost, fitted to all cells, with a bootstrap
over puzzles. ``others``: the places of GPT-4 and of the recorded 1.5B. ``report`` puts all of it into one file.
``alone``: the searches that nobody checks once more, with a model that can judge the end.

    python -m studies.search_pays [--weights FOLDER]     # goes on where it stopped; writes results/search_pays.json

Independence: puzzle i draws the samples from number 1000 i on. So where two puzzles ask the same question, they get
samples of their own, and puzzles can be drawn anew as independent units. Two cells with the same generator (or the
same judge) do share its samples on the same questions, on purpose: their difference is then the other half's.
"""
