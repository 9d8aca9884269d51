"""Debian's headless Chromium, driven by selenium."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


@contextmanager
def chromium(width: int = 1280, *, dark: bool = False) -> Iterator[Any]:
    """Start a browser without a network; skip the test where there is none."""
    programs = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if not all(programs):
        pytest.skip("not applicable (platform): Chromium and its driver are not installed")
    webdriver = pytest.importorskip("selenium.webdriver", reason="not applicable (platform): selenium is missing")
    options = webdriver.ChromeOptions()
    options.binary_location = programs[0]
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(programs[1]))
    try:
        show(driver, width, dark)
        yield driver
    finally:
        driver.quit()


def show(driver: Any, width: int = 1280, dark: bool = False) -> None:
    """Give the window a width, and a light or dark scheme."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
