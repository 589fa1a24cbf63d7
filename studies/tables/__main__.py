"""``python -m studies.tables``"""

from __future__ import annotations

from studies.figures import write

from . import RESULTS, compute

write(compute(), RESULTS)
