"""Slides for each chapter: an outline names pieces of the chapter, the builder makes a deck and a notebook of them.

``chapter``: what a chapter has, found by name. ``outline``: one file that says which pieces stand on which slide.
``notebook``: both put together, as a notebook that runs. ``deck``: that notebook as one HTML file, reveal.js included.
"""
