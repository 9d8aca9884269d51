"""Debian's headless Chromium, driven by selenium, and what a player does on a grid."""

from __future__ import annotations

import atexit
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest

PATIENCE = 300
"""Seconds for what takes milliseconds where nothing else is at work."""
SHIFT, CONTROL, ALT, RIGHT, DELETE, ESCAPE = "\ue008", "\ue009", "\ue00a", "\ue014", "\ue017", "\ue00c"
CELLS = "[...document.querySelectorAll('[role=gridcell]')]"


@contextmanager
def chromium(width: int = 1280, *, dark: bool = False) -> Iterator[Any]:
    """Use a new window of a browser without a network, which has logged no error in the end; skip where there is none.

    The browser stays for the next test of this process, unless something went wrong.
    """
    driver = _started()
    try:
        first = driver.current_window_handle
        driver.get_log("browser")
        driver.switch_to.new_window("tab")
        show(driver, width, dark)
        yield driver
        assert [entry for entry in driver.get_log("browser") if entry["level"] != "INFO"] == []
        driver.close()
        driver.switch_to.window(first)
    except BaseException:
        _started.cache_clear()
        driver.quit()
        raise


@cache
def _started() -> Any:
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
    atexit.register(driver.quit)
    return driver


def show(driver: Any, width: int = 1280, dark: bool = False, height: int = 900) -> None:
    """Give the window a size, and a light or dark scheme."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})


def until(driver: Any, holds: Callable[[Any], Any]) -> Any:
    """Wait until something holds of the page; return what it is."""
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(driver, PATIENCE, 0.05).until(holds)


def cell(driver: Any, number: int) -> Any:
    """Return a cell of the grid, as soon as there is one."""
    return until(driver, lambda _: driver.find_elements("css selector", "[role=gridcell]"))[number]


def focus(driver: Any, number: int) -> None:
    driver.execute_script("arguments[0].focus()", cell(driver, number))


def labels(driver: Any) -> dict[str, str]:
    """Return what each cell of the grid says of itself."""
    texts = driver.execute_script(f"return {CELLS}.map((cell) => cell.getAttribute('aria-label'))")
    return dict(text.split(": ", 1) for text in texts)


def said(driver: Any) -> str:
    """Return what the line below the grid says."""
    return str(driver.execute_script("return document.querySelector('.said').textContent"))


def click(driver: Any, button: str) -> None:
    find = "[...document.querySelectorAll('button')].find((node) => node.textContent === arguments[0]).click()"
    driver.execute_script(find, button)


def touched(driver: Any, *cells: int) -> None:
    """Put a finger on a cell, and draw it over others."""
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for turn, number in enumerate(cells):
        at = driver.execute_script(
            f"return {CELLS}[{number}].getBoundingClientRect().toJSON()"
        )  # in one go: an answer may draw it anew
        point = {"x": at["x"] + at["width"] / 2, "y": at["y"] + at["height"] / 2}
        kind = "touchMove" if turn else "touchStart"
        driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def press(driver: Any, *keys: str, held: str = "") -> None:
    """Press keys, perhaps while another one is down."""
    from selenium.webdriver.common.action_chains import ActionChains

    chain = ActionChains(driver, duration=0)
    chain = chain.key_down(held) if held else chain
    for key in keys:
        chain = chain.send_keys(key)
    (chain.key_up(held) if held else chain).perform()
