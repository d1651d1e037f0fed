"""A real browser for pages: Debian's Chromium, without network."""

import shutil

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright
from tests.tools import need


# Playwright's event loop runs in this thread as long as the browser does, and others need theirs.
@pytest.fixture(scope="module")
def browser():
    need("chromium")
    with sync_playwright() as started:
        found = started.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking",
                  "--disable-component-update", "--disable-sync", "--no-first-run"],
        )  # fmt: skip
        yield found
        found.close()


@pytest.fixture
def page(browser):
    """A page that must fetch nothing and say nothing in its console."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    context.set_default_timeout(20_000)
    opened = context.new_page()
    opened.fetched, opened.said = [], []
    opened.on("request", lambda one: opened.fetched.append(one.url))
    opened.on("console", lambda one: opened.said.append(one.text))
    opened.on("pageerror", lambda one: opened.said.append(str(one)))
    yield opened
    context.close()


@pytest.fixture
def violations():
    """Return what axe-core has to say against a page."""
    axe = Axe()

    def of(page):
        found = axe.run(page).response["violations"]
        return {one["id"]: [node["html"][:200] for node in one["nodes"][:3]] for one in found}

    return of


@pytest.fixture
def ours():
    """Return how many Chinese characters the fonts of a page drew, and how many are seen."""

    def of(page):
        page.evaluate("document.fonts.ready")
        tools = page.context.new_cdp_session(page)
        for domain in ("DOM", "CSS"):
            tools.send(f"{domain}.enable")
        root = tools.send("DOM.getDocument")["root"]["nodeId"]
        chinese = {"nodeId": root, "selector": "main [lang=zh-Hant]"}
        drawn = 0
        for node in tools.send("DOM.querySelectorAll", chinese)["nodeIds"]:
            fonts = tools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
            drawn += sum(one["glyphCount"] for one in fonts if one["isCustomFont"])
        seen = page.evaluate(
            "[...document.querySelectorAll('main [lang=zh-Hant]')]"
            ".filter(e => e.offsetParent !== null).map(e => e.innerText).join('')"
            r".match(/\p{Script=Han}/gu).length"
        )
        return drawn, seen

    return of
