"""The browser that prints: Chromium or Chrome, driven by playwright."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE = 1_200_000  # milliseconds: the whole book is a large page, and some machines are slow
ADVICE = "install Chromium or Chrome (on Debian `apt install chromium`), or run `playwright install chromium`"


class NoBrowser(RuntimeError):
    """There is no Chromium, or it does not start."""


@contextmanager
def tab(width: int = 680) -> Iterator[Any]:
    """An empty page, so many pixels wide, in the browser that TOT_BROWSER names, or one on the PATH, or playwright's
    own. Raises NoBrowser, with a sentence that says what to install."""
    try:
        from playwright import sync_api as api
    except ImportError:
        raise NoBrowser("printing needs playwright: install it with `pip install -e '.[book]'`") from None
    found = os.environ.get("TOT_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)
    with api.sync_playwright() as driver:
        if not found and not Path(driver.chromium.executable_path).exists():
            raise NoBrowser(f"a PDF needs a browser that prints it: {ADVICE}.")
        try:
            program = driver.chromium.launch(executable_path=found, args=["--disable-gpu"])
        except api.Error as error:
            why = str(error).strip().splitlines()[0]
            raise NoBrowser(f"{found or 'Chromium'} does not start ({why}): {ADVICE}.") from error
        try:
            page = program.new_page(viewport={"width": width, "height": 1000})
            page.set_default_timeout(PATIENCE)
            page.context.set_offline(True)  # a book is printed from its files alone
            yield page
        finally:
            program.close()
