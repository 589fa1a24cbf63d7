"""The second pocket model, worded arithmetic: its world (``world``, ``plans``), problems, vocabulary and training.

One model plays all roles: it answers, plans, revises plans, judges them, carries them out, and votes.
"""
