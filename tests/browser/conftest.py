"""What the browser tests share: one browser, and the programs they look at.

One browser for all files: Playwright's synchronous interface runs one event loop at a time.
"""

import json
import os
import pathlib
import subprocess

import pytest
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
]


def built(variable, *arguments):
    """The program an environment variable names, or else the one cargo builds."""
    if variable in os.environ:
        return os.path.abspath(os.environ[variable])
    command = ["cargo", "build", "--message-format=json", *arguments]
    output = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    messages = [json.loads(line) for line in output.splitlines()]
    programs = [m["executable"] for m in messages if m.get("executable")]
    assert programs, f"{command} built nothing"
    return programs[-1]


@pytest.fixture(scope="session")
def suppose():
    return built("SUPPOSE_BIN", "-p", "suppose-cli")


@pytest.fixture(scope="session")
def launch():
    """Starts another Chromium, with further arguments."""
    path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    with sync_playwright() as playwright:
        yield lambda *more: playwright.chromium.launch(executable_path=path, args=[*ARGUMENTS, *more])


@pytest.fixture(scope="session")
def browser(launch):
    browser = launch()
    yield browser
    browser.close()
