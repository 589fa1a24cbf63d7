"""A real browser for the tests that need one: Chromium or Chrome on the PATH, or in TOT_BROWSER; else skipped."""

import os
import shutil
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


@pytest.fixture(scope="module")
def chromium():
    api = pytest.importorskip("playwright.sync_api", reason="no browser tests: playwright is not installed")
    found = os.environ.get("TOT_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)
    with api.sync_playwright() as driver:
        if not found and not Path(driver.chromium.executable_path).exists():
            pytest.skip("no browser tests: no Chromium; install it, or run `playwright install chromium`")
        try:
            browser = driver.chromium.launch(executable_path=found, args=["--disable-gpu"])
        except api.Error as error:
            pytest.skip(f"no browser tests: {found or 'Chromium'} does not start: {str(error).splitlines()[0]}")
        yield browser
        browser.close()
