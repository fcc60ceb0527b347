# SPDX-License-Identifier: BSD-3-Clause
"""Chromium, driven by Selenium, for tests of the HTML page."""

import os
import sys
import time

import tap

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None
    # the system's Python has the system's packages
    if sys.executable != "/usr/bin/python3" and \
            os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

DRIVER = tap.which("chromedriver")
BROWSER = tap.which("chromium")
PACKAGES = "apt-get install chromium chromium-driver python3-selenium"


def missing():
    if webdriver is None:
        return f"this Python has no Selenium ({PACKAGES})"
    if DRIVER is None or BROWSER is None:
        return f"no Chromium or no driver of it ({PACKAGES})"
    if os.environ.get("sanitizers"):
        return "the page is the same with sanitizers"
    return None


def browser(downloads):
    options = Options()
    options.binary_location = BROWSER
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu",
                 "--window-size=1280,800", "--disable-dev-shm-usage"):
        options.add_argument(word)
    options.add_experimental_option("prefs", {
        "download.default_directory": downloads})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL",
                                                 "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(DRIVER))


def see(ask, seconds=300):
    """Ask again until it is so."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = ask()
        if found:
            return found
        time.sleep(0.05)
    return ask()
