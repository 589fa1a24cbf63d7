"""``make live``: the book with what it takes to run its pages in a browser. The pages' own half is in ``live/``."""
