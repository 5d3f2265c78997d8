"""A real Chromium, and what pages are held to: no errors, no violations, nothing that axe finds."""

import contextlib
import functools
import os
import signal
import sys
import uuid
from pathlib import Path
from urllib.parse import urlsplit

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import ElementHandle, Error, Frame, JSHandle, Locator, Page, Worker, expect, sync_playwright

from deadline import Late, deadline
from demo import processes_of, wait_until
from patience import PATIENCE

expect.set_options(timeout=PATIENCE * 1000)

PHONE = {"width": 390, "height": 844}
TABLET = {"width": 1024, "height": 768}
DESK = {"width": 1440, "height": 900}

LOCALES = {"en": "en-GB", "it": "it-IT", "es": "es-ES"}

# The status of a page that we asked for is a matter of the test, not of the browser's console. Chromium on Linux knows
# Bluetooth only behind a flag, and so does not know its name in a header either.
ACCEPTED = ("Failed to load resource",)

# Seconds. Playwright bounds what waits for a page, but neither what runs in one, nor the opening and closing of contexts: one
# `context.close()` once took all the ten minutes that a story had.
EVALUATING = 40
OPENING = 30
CLOSING = 20


def _bounded(kind, name):
    """A method of Playwright's that runs script in a page, with a deadline."""
    plain = getattr(kind, name)

    @functools.wraps(plain)
    def within(*words, **more):
        with deadline(EVALUATING, f"{kind.__name__}.{name}"):
            return plain(*words, **more)
    setattr(kind, name, within)


for _kind in (ElementHandle, Frame, JSHandle, Locator, Page, Worker):
    for _name in ("evaluate", "evaluate_all", "evaluate_handle", "eval_on_selector", "eval_on_selector_all"):
        if hasattr(_kind, _name):
            _bounded(_kind, _name)


def note_visit(path):
    """Writes down an address that axe has looked at, for the count after all stories (test_every_page.py)."""
    if folder := os.environ.get("SOGLIA_VISITED"):
        with (Path(folder) / str(os.getpid())).open("a") as file:
            file.write(path + "\n")


class Chromium:
    """One browser; each visitor has a context of their own."""

    # The engine alone (pages, scripts, workers) costs half as much as the browser that people have, with its windows drawn nowhere.
    SHELL, WHOLE = "/usr/bin/chromium-headless-shell", "/usr/bin/chromium"

    def __init__(self, home=None, program=SHELL):
        """`home` is the folder of a person whose browser trusts other authorities than ours. `program` is `WHOLE` where a story
        is about what only a whole browser has: to be installed on, to show notifications."""
        self.home, self.program = home, program
        self.start()

    def start(self):
        # A switch that says nothing to Chromium, and to us which process it is.
        self.mark = f"--tests={uuid.uuid4().hex}"
        with deadline(PATIENCE, "the start of Chromium"):
            self.playwright = sync_playwright().start()
            try:
                self.browser = self.playwright.chromium.launch(
                    executable_path=self.program, args=["--no-sandbox", "--disable-dev-shm-usage", self.mark],
                    env=None if self.home is None else {**os.environ, "HOME": str(self.home)})
            except BaseException:
                self.playwright.stop()
                raise

    def close(self):
        try:
            with deadline(CLOSING, "the end of Chromium"):
                self.browser.close()
                self.playwright.stop()
        except (Late, Error) as why:
            self._end_by_force(why)

    def _end_by_force(self, why):
        print(f"browser: {why}; it is ended by force", file=sys.stderr)
        for pid in processes_of(self.mark):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        # What is left is the driver's own end of the pipe.
        with contextlib.suppress(Late, Error), deadline(PATIENCE, "the end of Playwright"):
            self.playwright.stop()

    def replace(self, why):
        """Kills a browser that hangs, and starts another. The contexts of the old one are closed by that."""
        self._end_by_force(why)
        self.start()

    def context(self, **options):
        """A new context; where the browser is gone or hangs, of another browser."""
        try:
            with deadline(OPENING, "a new context"):
                return self.browser.new_context(**options)
        except (Late, Error) as why:
            self.replace(why)
            return self.browser.new_context(**options)

    def visitor(self, url, size=PHONE, language="en", scheme="light", javascript=True):
        return Visitor(self, self.context(
            base_url=url, viewport=size, locale=LOCALES[language], color_scheme=scheme, java_script_enabled=javascript,
            reduced_motion="reduce"), javascript)

    def let_go(self, context):
        """Closes a context. What a browser does that does not close it changes nothing of what a story has shown."""
        # One that has a browser of its own names none.
        if context.browser not in (None, self.browser):
            return   # it went with its browser
        try:
            with deadline(CLOSING, "the end of a context"):
                context.close()
        except (Late, Error) as why:
            self.replace(why)


class Visitor:
    """Somebody with one tab, whose browser's complaints are written down."""

    def __init__(self, chromium, context, javascript=True):
        self.chromium, self.context, self.javascript = chromium, context, javascript
        context.set_default_timeout(PATIENCE * 1000)
        self.complaints = []
        with deadline(OPENING, "a new page"):
            self.page = context.new_page()
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is not None:
            self.tell()
        self.close()

    def tell(self):
        """Prints the last page, for the log of a failed story."""
        with contextlib.suppress(Error, Late):
            said = self.page.evaluate("() => (document.querySelector('main') ?? document.body)?.innerText ?? ''")
            print(f"Last page: {self.page.url}\n{said[:1500]}\nConsole errors: {self.complaints}")

    def close(self):
        self.chromium.let_go(self.context)

    def _heard(self, message):
        if message.type in ("error", "warning") and not message.text.startswith(ACCEPTED):
            self.complaints.append(message.text)

    @contextlib.contextmanager
    def without_stream(self):
        """What happens in the body happens before the next page has its stream, as with a busy hub or a window that was hidden."""
        streams = []
        self.page.route("**/api/live*", lambda route: streams.append(route))

        def until_asked():
            wait_until(lambda: (self.page.wait_for_timeout(20), streams)[1], what="a page that asks for its stream")
        yield until_asked
        for stream in streams:
            stream.continue_()
        self.page.unroute("**/api/live*")

    def go(self, path):
        return self.page.goto(path)

    def enter_demo(self, demo):
        """Comes onto the demo's own page by the link that the demo prints."""
        self.page.goto(demo.entrance)
        self.page.wait_for_selector(".account-card")

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
        note_visit(urlsplit(self.page.url).path)
        # What is expected on a page may be there before its colours are.
        self.page.wait_for_load_state("load")
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
            for (const text of [...document.querySelectorAll(".links li a")].flatMap(texts))
                for (const word of text.data.matchAll(/[\\p{L}\\p{N}]+/gu))
                    if (boxes(text, word.index, word.index + word[0].length).length > 1)
                        return `the link "${text.data}" is torn`
            const low = where ? texts(where).flatMap(text => boxes(text, 0, text.data.length)).map(box => box.bottom) : []
            const tops = texts(title).flatMap(text => boxes(text, 0, text.data.length)).map(box => box.top)
            return Math.max(...low) > Math.min(...tops) + 4 ? "the title lies over the line above it" : ""
        }""")
