"""``tot serve``: an OpenAI-compatible server on this machine, which records and replays (manual: *Serve*). Its command,
searches behind it, and the fixture for pytest are in ``treebook.serve``.
"""
