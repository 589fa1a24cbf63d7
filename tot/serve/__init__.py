"""``tot serve``: an OpenAI-compatible server on this machine, which records and replays (manual: *Serve*)."""
