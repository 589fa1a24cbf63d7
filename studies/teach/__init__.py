"""The tree teaches the model (chapter 18): a novice that knows only the rules, and rounds of expert iteration.

``novice``: training sequences made of legal steps, random tries and random chains; no solver, no order of merit.
``pupil``: the same sequences once ways have been found: what a search found is what the model learns.
``searching``: the two teachers, a tree (ToT) and chains (STaR without a tree), at equal tokens. ``rounds``: search,
learn, measure, again. ``ways``: what a found way is. ``measures``: what a model can do on puzzles that no round ever
saw. ``report`` puts all that was found into one file, which the chapter
reads with ``treebook.studies.learned.Rounds``. The shipped models are ``novice.safetensors`` and ``pupil.safetensors``.

``make teach`` does all of it, and goes on where it stopped.
"""
