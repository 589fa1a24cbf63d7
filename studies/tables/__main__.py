"""``python -m studies.tables``"""

from __future__ import annotations

import json
import time

from . import RESULTS, compute

started = time.monotonic()
RESULTS.write_text(json.dumps(compute(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
print(f"wrote {RESULTS.name} in {time.monotonic() - started:.0f} s")
