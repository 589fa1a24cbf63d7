"""Streams of search: a pocket model that searches within one reply (Gandhi et al. 2024, "Stream of Search").

``judging``: the pocket model's proposals and verdicts, asked once. ``searches``: the package's own depth-first and
best-first search, with those steps and verdicts. ``text``: such a search as lines, and their strict reader.
``data`` and ``train``: rows of that text, and the training. ``asking``: how the model is asked. ``strategy``: whether a
stream goes where its search would have gone. ``measures``: what streams solve, beside chains and trees; ``improving``:
rounds of learning from streams that were right. ``optimiser``: what the training steps with. ``reading`` and
``recording``: what chapter 19 reads and asks.

``make stream`` does all of it, and goes on where it stopped.
"""
