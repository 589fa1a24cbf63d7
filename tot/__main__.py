"""Entry point of ``python -m tot``."""

from .cli import main

raise SystemExit(main())
