"""Streams of search: a pocket model that searches within one reply (Gandhi et al. 2024, "Stream of Search").

``judging``: the pocket model's proposals and verdicts, asked once. ``searches``: the package's own depth-first and
best-first search, with those steps and verdicts. ``text``: such a search as lines. ``data`` and ``train``: rows of that
text, and the training. ``strategy``: whether a stream goes where its search would have gone. ``measures``: what streams
solve, beside chains and trees; ``improving``: rounds of learning from streams that were right. ``recording``: the
model, and what chapter 19 quotes of it. What that chapter needs, too, is in ``treebook``: how the model is asked
(``players.streaming``), the strict reader of its text (``studies.streams``), and the results file
(``treebook.studies.learned.Streams``).

``make stream`` does all of it, and goes on where it stopped.
"""
