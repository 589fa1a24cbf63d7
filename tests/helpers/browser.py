"""Pictures are looked at in a real browser, too."""

from browser_fixture import chromium  # noqa: F401
