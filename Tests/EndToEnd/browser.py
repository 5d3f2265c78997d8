"""A real Chromium, and what pages are held to: no errors, no violations, nothing that axe finds."""

import os

from urllib.parse import urlsplit

from playwright.sync_api import expect, sync_playwright
from axe_playwright_python.base import AXE_SCRIPT

from patience import PATIENCE

expect.set_options(timeout=PATIENCE * 1000)

PHONE = {"width": 390, "height": 844}
TABLET = {"width": 1024, "height": 768}
DESK = {"width": 1440, "height": 900}

LOCALES = {"en": "en-GB", "it": "it-IT", "es": "es-ES"}

# The status of a page that we asked for is a matter of the test, not of the browser's console. Chromium on Linux knows
# Bluetooth only behind a flag, and so does not know its name in a header either.
ACCEPTED = ("Failed to load resource",)


# The addresses that axe has looked at in this run.
LOOKED_AT = set()


class Chromium:
    """One browser; each visitor has a context of their own."""

    def __init__(self, home=None):
        """`home` is the folder of a person whose browser trusts other authorities than ours."""
        self.playwright = sync_playwright().start()
        try:
            self.browser = self.playwright.chromium.launch(
                executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-dev-shm-usage"],
                env=None if home is None else {**os.environ, "HOME": str(home)})
        except BaseException:
            self.playwright.stop()
            raise

    def close(self):
        self.browser.close()
        self.playwright.stop()

    def visitor(self, url, size=PHONE, language="en", scheme="light", javascript=True):
        return Visitor(self.browser.new_context(
            base_url=url, viewport=size, locale=LOCALES[language], color_scheme=scheme, java_script_enabled=javascript,
            reduced_motion="reduce"), javascript)


class Visitor:
    """Somebody with one tab, whose browser's complaints are written down."""

    def __init__(self, context, javascript=True):
        self.context, self.javascript = context, javascript
        context.set_default_timeout(PATIENCE * 1000)
        self.complaints = []
        self.page = context.new_page()
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()

    def _heard(self, message):
        if message.type in ("error", "warning") and not message.text.startswith(ACCEPTED):
            self.complaints.append(message.text)

    def go(self, path):
        return self.page.goto(path)

    def sign_in(self, account):
        self.go("/sign-in")
        self.page.fill("[name=email]", account["email"])
        self.page.fill("[name=password]", account["password"])
        self.page.click("main button[type=submit]")
        self.page.wait_for_url(lambda url: "/sign-in" not in url)
        return self

    def axe(self):
        """What axe finds on the page as it is now, in a line for each."""
        assert self.javascript, "axe waits for ever in a page without scripts"
        LOOKED_AT.add(urlsplit(self.page.url).path)
        if not self.page.evaluate("() => 'axe' in window"):
            self.page.evaluate(AXE_SCRIPT)
        found = self.page.evaluate("() => axe.run({ resultTypes: ['violations'] })")["violations"]
        return [
            f"{one['id']}: {one['help']}: {', '.join(str(node['target']) + ' ' + node['html'][:120] for node in one['nodes'][:3])}"
            for one in found
        ]

    def spills(self):
        """What does not fit where it stands, in words; empty: everything does."""
        return self.page.evaluate("""() => {
            const page = document.scrollingElement
            if (page.scrollWidth > page.clientWidth) return "the page scrolls sideways"
            const texts = of => {
                const found = [], walker = document.createTreeWalker(of, NodeFilter.SHOW_TEXT)
                while (walker.nextNode()) found.push(walker.currentNode)
                return found
            }
            const boxes = (text, from, to) => {
                const range = document.createRange()
                range.setStart(text, from)
                range.setEnd(text, to)
                return [...range.getClientRects()]
            }
            const title = document.querySelector("main h1"), where = document.querySelector("main .where")
            if (!title) return ""
            for (const text of texts(title))
                for (const word of text.data.matchAll(/[\\p{L}\\p{N}]+/gu))
                    // Names may be longer than a phone is wide.
                    if (word[0].length <= 16 && boxes(text, word.index, word.index + word[0].length).length > 1)
                        return `the title is torn within "${word[0]}"`
            const low = where ? texts(where).flatMap(text => boxes(text, 0, text.data.length)).map(box => box.bottom) : []
            const tops = texts(title).flatMap(text => boxes(text, 0, text.data.length)).map(box => box.top)
            return Math.max(...low) > Math.min(...tops) + 4 ? "the title lies over the line above it" : ""
        }""")
