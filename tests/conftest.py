"""Property tests draw the same examples in every run, so that a red one can be repeated; TOT_FUZZ draws new ones."""

import os

from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("fuzz", deadline=None)
settings.load_profile("fuzz" if os.environ.get("TOT_FUZZ") else "same")
