"""How the pages of the book are made from its sources: Sphinx extensions of our own, one for each concern.

``book/conf.py`` lists them under ``extensions``. Each has a ``setup(app)`` and, where it needs one, a style sheet of
the same name in ``book/_static/css``.
"""
