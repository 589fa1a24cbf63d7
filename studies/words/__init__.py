"""The second pocket model: worded arithmetic. Its world (``world``, ``plans``), its problems, its training, its card.

One model plays all roles: it answers, plans, revises plans, judges them, carries them out, and votes.
"""
