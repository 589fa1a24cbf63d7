"""``tot serve``: an OpenAI-compatible server on this machine, with recordings or a search behind it (manual: *Serve*).

``asked``: what makes two requests the same. ``counting``: which sample a call gets. ``tape``: the lines of a cassette.
``recordings``: replay and record; ``upstream``: the server behind, and what it may cost. ``searches``: a method as a
model. ``server``: the doors and their locks. ``command``: the flags. ``fixture``: for pytest.
"""
