#!/usr/bin/env python3
"""Makes the pictures of docs/tour.md and README.md anew, with the models of the tour, in headless Chromium.

    .test-tools/bin/python scripts/screenshots.py target/release/suppose

Needs what the browser tests need. The pictures go to docs/images.
"""

import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
SPLIT = "client.1:CLIENT,client.2:CLIENT/SERVER"


def models():
    """The files of the tour: marked blocks."""
    page = (ROOT / "docs" / "tour.md").read_text()
    return dict(re.findall(r"<!-- file: (\w+\.lts) -->\n```fsp\n(.*?)```", page, re.DOTALL))


def shoot(page, name):
    page.evaluate("document.body.classList.add('files-closed')")
    page.mouse.move(0, 0)
    expect(page.locator(".toast")).to_have_count(0)
    page.screenshot(path=IMAGES / f"{name}.png", animations="disabled", scale="css")


def open_model(page, name):
    page.evaluate("document.body.classList.remove('files-closed')")
    page.locator(".files .filter").fill("")
    page.locator(".files").get_by_text(name, exact=True).first.click()
    expect(page.locator(".file-name")).to_have_text(name)
    expect(page.locator(".problems .hint")).to_contain_text("✓")


def check(page):
    page.locator(".tab-check").click()
    before = page.locator("article.card:not(.running)").count()
    page.locator("#check").click()
    expect(page.locator("article.card:not(.running)")).to_have_count(before + 1)
    return page.locator("article.card:not(.running)").first


def pictures(page):
    """What is on the pictures, in the order of the tour. The list of models is closed before each, to leave room."""
    open_model(page, "lock.lts")
    card = check(page)
    card.get_by_role("button", name="Step through").first.click()
    page.locator(".long-list").focus()
    page.keyboard.press("End")
    shoot(page, "run")
    page.get_by_role("button", name="Message chart").click()
    shoot(page, "chart")
    open_model(page, "mended.lts")
    page.locator(".tab-explore").click()
    page.get_by_role("button", name="Simulator").click()
    page.locator(".offer").first.click()
    page.locator(".offer").first.click()
    shoot(page, "simulator")
    page.locator(".tab-check").click()
    page.locator(".chip", has_text="Mutex").click()
    page.locator("select").first.select_option("agar")
    page.get_by_label("Split").fill(SPLIT)
    card = check(page)
    card.locator("[data-claim=Mutex]").get_by_role("button", name="Assumption").click()
    expect(page.locator("svg.graph, .graph svg").first).to_be_visible()
    shoot(page, "assumption")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in models().items():
            (Path(folder) / name).write_text(text)
        server = subprocess.Popen([sys.argv[1], "serve", folder], stdout=subprocess.PIPE, text=True)
        try:
            url = server.stdout.readline().strip()
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"])
                page = browser.new_page(viewport={"width": 1160, "height": 560})
                page.goto(url)
                page.wait_for_selector(".cm-content")
                pictures(page)
                browser.close()
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()


if __name__ == "__main__":
    main()
