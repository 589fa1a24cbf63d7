"""Drawings of ideas, one file each: the book's chapters show them in a cell, such as ``show.concepts.methods()``.

Each is drawn from real data where there is any, and says in words (``about``) what it shows. ``kit`` is what they are
drawn with.
"""
