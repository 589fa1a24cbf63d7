"""The second pocket model: worded arithmetic. Its world (``world``, ``plans``), problems, vocabulary, prompts, training.

One model plays all roles: it answers, plans, revises plans, judges them, carries them out, and votes.
"""
