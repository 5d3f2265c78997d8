"""The installed app without the hub: the gates and the badge as they were last seen, and nothing else; nothing of anybody is
left after them; and at every start the session is renewed."""

import contextlib
import functools
import os
import shutil
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

import demo as demo_module
from browser import PHONE
from demo import ADA, CARLO, MARTA, Demo, short_folder, standing_still, wait_until

KEPT = """async () => {
    const paths = []
    for (const name of await caches.keys()) {
        if (!name.startsWith('soglia-pages-')) continue
        for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname)
    }
    return paths
}"""

# What a person could have left behind, by the page's own means.
LEFT = """async () => [
    ...await caches.keys(), ...(await indexedDB.databases()).map(one => one.name), ...Object.keys(localStorage),
    ...Object.keys(sessionStorage), ...(await navigator.serviceWorker.getRegistrations()).map(one => one.scope)]"""


@contextlib.contextmanager
def hub_stopped(demo):
    demo.stop("hub")
    try:
        yield
    finally:
        demo.start_again("hub")
        demo.wait_until_ready()


@contextlib.contextmanager
def network_gone(visitor):
    visitor.context.set_offline(True)
    try:
        yield
    finally:
        visitor.context.set_offline(False)
    # A saved page gives way by itself.
    expect(visitor.page.locator("saved-page")).to_have_count(0, timeout=60_000)


@functools.cache
def gates(demo):
    return f"/sites/{demo.site()}/gates"


@functools.cache
def badge(demo):
    return f"/gates/{demo.gate()}"


def keeps(visitor, *paths):
    wait_until(lambda: set(paths) <= set(visitor.page.evaluate(KEPT)), 30, f"{paths} on the device")


def arrive(visitor, demo, email=ADA):
    """Signs in and stays until the worker keeps the gates and the badge."""
    visitor.sign_in(demo.account(email)).go(gates(demo))
    keeps(visitor, gates(demo), badge(demo), "/offline", "/badge")
    return visitor


def left_by_browser(visitor, url):
    """The same as `LEFT`, as the browser sees it."""
    session = visitor.context.new_cdp_session(visitor.page)
    caches = session.send("CacheStorage.requestCacheNames", {"securityOrigin": url})["caches"]
    databases = session.send("IndexedDB.requestDatabaseNames", {"securityOrigin": url})["databaseNames"]
    entries = session.send(
        "DOMStorage.getDOMStorageItems", {"storageId": {"securityOrigin": url, "isLocalStorage": True}})["entries"]
    return [cache["cacheName"] for cache in caches] + databases + entries


# MARK: installing

def test_a_browser_finds_the_app_complete_enough_to_install(demo, chromium, folder):
    context = chromium.playwright.chromium.launch_persistent_context(
        str(folder / "p"), executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-dev-shm-usage", chromium.mark])
    try:
        page = context.pages[0]
        page.goto(demo.url + "/sign-in")
        session = context.new_cdp_session(page)
        answer = session.send("Page.getAppManifest")
        assert answer["errors"] == []
        assert answer["url"] == demo.url + "/manifest.webmanifest"
        manifest = answer["manifest"]
        assert manifest["startUrl"] == demo.url + "/start" and manifest["scope"] == demo.url + "/"
        assert manifest["display"].lower().endswith("standalone")
        assert [shortcut["url"] for shortcut in manifest["shortcuts"]] == [
            demo.url + "/start", demo.url + "/start?return=%2Fbadge"]
        assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    finally:
        chromium.let_go(context)


def test_the_manifest_speaks_each_language_and_its_icons_are_what_it_says(demo):
    about = set()
    for language in ("en", "it", "es"):
        manifest = httpx.get(demo.url + "/manifest.webmanifest", headers={"Accept-Language": language}).json()
        assert manifest["lang"] == language
        about.add(manifest["description"])
    assert len(about) == 3
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        answer = httpx.get(demo.url + icon["src"])
        assert answer.status_code == 200 and answer.headers["content-type"] == icon["type"]
        assert len(answer.content) < 8_000
        if icon["type"] == "image/png":
            sizes = "x".join(str(int.from_bytes(answer.content[at:at + 4], "big")) for at in (16, 20))
            assert sizes == icon["sizes"]


def test_the_worker_is_asked_for_anew_each_time_and_has_the_run_of_the_app(demo):
    answer = httpx.get(demo.url + "/service-worker.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["service-worker-allowed"] == "/"
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    again = httpx.get(demo.url + "/service-worker.js", headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304


# MARK: without the hub

@pytest.mark.parametrize("language, words, sign_out", [
    ("en", "You are offline. Saved at", "Signing out needs the hub."),
    ("it", "Sei offline. Pagina salvata alle", "Per uscire serve l'hub."),
    ("es", "Estás sin conexión. Página guardada a la", "Para salir hace falta el hub."),
])
def test_gates_and_badge_open_while_the_hub_is_stopped(demo, chromium, language, words, sign_out):
    with chromium.visitor(demo.url, PHONE, language) as visitor:
        arrive(visitor, demo)
        code = visitor.go(badge(demo)) and visitor.page.locator(".badge-code").inner_text()
        with hub_stopped(demo):
            for path in (gates(demo), badge(demo)):
                assert visitor.go(path).from_service_worker
                page = visitor.page
                expect(page.locator("saved-page")).to_contain_text(words)
                expect(page.locator(".account")).to_contain_text(sign_out)
                assert page.locator("form").count() == 0, "nothing can be sent"
                assert page.locator("live-state").count() == 0
                for scheme in ("light", "dark"):
                    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                    assert visitor.axe() == [], f"{path} in {scheme}"
                    assert not visitor.spills()
            expect(page.locator(".badge-name")).to_have_text("Ada Rossi")
            expect(page.locator(".badge-code")).to_have_text(code)
        # By itself, without a tap: the hub is back.
        expect(page.locator("saved-page")).to_have_count(0, timeout=90_000)
        expect(page.locator("open-gate form button")).to_be_visible(timeout=30_000)
        assert [one for one in visitor.complaints if "ERR_CONNECTION_REFUSED" not in one] == []


def test_a_page_that_was_in_the_background_shows_what_changed_meanwhile_when_it_is_looked_at_again(demo, chromium):
    show = """isHidden => {
        Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true })
        document.dispatchEvent(new Event('visibilitychange')) }"""
    with chromium.visitor(demo.url, PHONE) as visitor:
        visitor.sign_in(demo.account(ADA)).go(badge(demo))
        page, button = visitor.page, visitor.page.locator("open-gate form button")
        expect(button).to_be_visible()
        page.wait_for_function("import('/static/live.js').then(({ live }) => live.state === 'live')")
        page.evaluate(show, True)
        demo.stop("gate-main-entrance")
        try:
            demo.gate_is("notReachable")
            expect(button).to_be_visible()
            page.evaluate(show, False)
            expect(button).to_be_hidden()
            expect(page.locator("open-gate")).to_contain_text("Not connected")
        finally:
            demo.start_again("gate-main-entrance")
        expect(button).to_be_visible()
        demo.wait_until_ready()


def test_a_button_that_cannot_work_is_reached_by_keyboard_and_says_why(demo, chromium):
    with chromium.visitor(demo.url, PHONE) as visitor:
        arrive(visitor, demo)
        with network_gone(visitor):
            page = visitor.page
            visitor.go(gates(demo))
            button = page.get_by_role("button", name="Open Main entrance")
            for _ in range(40):
                page.keyboard.press("Tab")
                if page.evaluate("() => document.activeElement.getAttribute('aria-label')") == "Open Main entrance":
                    break
            expect(button).to_be_focused()
            expect(button).to_have_accessible_description("Opening goes through the hub, which this device cannot reach now.")
            page.keyboard.press("Enter")
            card = page.locator("open-gate", has_text="Main entrance")
            expect(card.locator("[data-part=chip]")).to_contain_text("Opening goes through the hub")
            expect(page.locator("#voice")).to_contain_text("Opening goes through the hub")
            assert visitor.axe() == []


def test_what_nobody_kept_says_so_and_leads_to_what_was_kept(demo, chromium):
    with chromium.visitor(demo.url, PHONE, "it") as visitor:
        arrive(visitor, demo, MARTA)
        visitor.go(f"/sites/{demo.site()}/people")
        visitor.go(f"/sites/{demo.site()}/log")
        with network_gone(visitor):
            for path in ("people", "log"):
                visitor.go(f"/sites/{demo.site()}/{path}")
                page = visitor.page
                expect(page.get_by_role("heading", level=1)).to_have_text("Sei offline")
                assert page.locator("table").count() == 0
                expect(page.locator("saved-links a:visible")).to_have_count(1)
                for scheme in ("light", "dark"):
                    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                    assert visitor.axe() == []
                    assert not visitor.spills()
            page.locator("saved-links a:visible").click()
            page.wait_for_url("**/gates")
            expect(page.locator("saved-page")).to_be_visible()
            kept = page.evaluate(KEPT)
            assert not [path for path in kept if "people" in path or "log" in path or path.startswith("/api")]


def test_only_what_the_hub_offers_is_kept_whatever_a_page_asks_for(demo, chromium):
    with chromium.visitor(demo.url, PHONE) as visitor:
        arrive(visitor, demo, MARTA)
        asked = [f"/sites/{demo.site()}/people", f"/sites/{demo.site()}/log", "/api/gates", "/api/openapi.json", gates(demo)]
        visitor.page.evaluate(
            "async keep => (await navigator.serviceWorker.ready).active.postMessage({ keep: [...keep, '/gates/' + '0'.repeat(32)] })",
            asked)
        visitor.go(badge(demo))
        keeps(visitor, gates(demo), badge(demo))
        allowed = {gates(demo), "/offline", "/badge"}
        assert all(path in allowed or path.startswith("/gates/") for path in visitor.page.evaluate(KEPT))
        assert "/gates/" + "0" * 32 not in visitor.page.evaluate(KEPT)
        everything = visitor.page.evaluate(
            """async () => { const all = []
                 for (const name of await caches.keys()) for (const request of await (await caches.open(name)).keys()) {
                     const answer = await caches.match(request, { cacheName: name })
                     all.push([request.url, await answer.text(), [...answer.headers.keys()].join()]) }
                 return all }""")
        assert len(everything) > 10
        for url, text, headers in everything:
            assert "soglia_session" not in text and "set-cookie" not in headers
            assert "/api/" not in url
            assert CARLO not in text, "a manager's page"


def test_a_hub_that_does_not_answer_is_waited_for_only_a_little_where_something_was_kept(demo, chromium):
    with chromium.visitor(demo.url, PHONE) as visitor:
        arrive(visitor, demo)
        # Connections are still accepted, as on a network that leads nowhere.
        with standing_still(demo.pid("hub")):
            visitor.page.goto(gates(demo), timeout=60_000)
            expect(visitor.page.locator("saved-page")).to_be_visible()
            expect(visitor.page.locator("saved-page")).to_contain_text("Saved at")
        expect(visitor.page.locator("saved-page")).to_have_count(0, timeout=90_000)
        demo.wait_until_ready()


# MARK: nobody finds what somebody left

def test_signing_out_leaves_nothing_on_the_device(demo, chromium):
    with chromium.visitor(demo.url, PHONE) as visitor:
        arrive(visitor, demo)
        assert visitor.page.evaluate(LEFT) != []
        visitor.page.get_by_role("button", name="Sign out").click()
        visitor.page.wait_for_url("**/sign-in?signed-out=1")
        wait_until(lambda: visitor.page.evaluate(LEFT) == [], 20, "nothing left")
        wait_until(lambda: left_by_browser(visitor, demo.url) == [], what="nothing left by the browser")
        with network_gone(visitor):
            with pytest.raises(Exception, match="ERR_INTERNET_DISCONNECTED"):
                visitor.go(gates(demo))


def test_a_session_that_ended_elsewhere_takes_the_saved_pages_along(demo, chromium):
    with chromium.visitor(demo.url, PHONE) as visitor:
        arrive(visitor, demo)
        cookie = next(one["value"] for one in visitor.context.cookies() if one["name"] == "soglia_session")
        # Not by this browser: the worker here knows nothing of it.
        answer = httpx.delete(
            demo.url + "/api/session", headers={"Origin": demo.url, "Cookie": f"soglia_session={cookie}"})
        assert answer.status_code == 204
        visitor.go(gates(demo))
        visitor.page.wait_for_url("**/sign-in?return=**")
        wait_until(lambda: visitor.page.evaluate(KEPT) == [], 20, "no saved page")


def test_the_next_person_does_not_see_what_the_first_one_saved(demo, chromium):
    with chromium.visitor(demo.url, PHONE) as visitor:
        arrive(visitor, demo)
        # The session is lost without a sign-out.
        visitor.context.clear_cookies()
        arrive(visitor, demo, MARTA)
        with network_gone(visitor):
            visitor.go("/badge")
            expect(visitor.page.locator(".badge-name")).to_have_text("Marta Conti")
        assert len([name for name in visitor.page.evaluate("() => caches.keys()") if name.startswith("soglia-pages-")]) == 1
        texts = visitor.page.evaluate(
            """async () => { let all = ''
                 for (const name of await caches.keys()) for (const request of await (await caches.open(name)).keys())
                     all += await (await caches.match(request, { cacheName: name })).text()
                 return all }""")
        assert "Ada Rossi" not in texts and "Marta Conti" in texts


def test_a_chosen_language_is_that_of_the_saved_pages_too(demo, chromium):
    with chromium.visitor(demo.url, PHONE) as visitor:
        arrive(visitor, demo)
        visitor.page.get_by_role("button", name="Español").click()
        expect(visitor.page.locator("html")).to_have_attribute("lang", "es")
        wait_until(lambda: all(name.endswith("-es") for name in visitor.page.evaluate("() => caches.keys()")
                               if name.startswith("soglia-pages-")), 20, "Spanish")
        keeps(visitor, gates(demo), badge(demo), "/offline")
        with network_gone(visitor):
            for path in (gates(demo), badge(demo), "/people-of-nowhere"):
                visitor.go(path)
                expect(visitor.page.locator("html")).to_have_attribute("lang", "es")
        visitor.go(gates(demo))
        visitor.page.get_by_role("button", name="English").click()


# MARK: the start of the app

def session_of(visitor):
    return next(one["value"] for one in visitor.context.cookies() if one["name"] == "soglia_session")


def is_refused(demo, cookie):
    return httpx.get(demo.url + "/api/sites", headers={"Cookie": f"soglia_session={cookie}"}).status_code == 401


def test_each_start_renews_the_session_in_silence_and_the_old_token_is_refused_later(demo, chromium):
    with chromium.visitor(demo.url, PHONE) as visitor:
        arrive(visitor, demo)
        first = session_of(visitor)
        visitor.go("/start")
        visitor.page.wait_for_url("**/gates")
        second = session_of(visitor)
        assert second != first
        assert not is_refused(demo, first), "what other tabs have on its way still arrives"
        expect(visitor.page.locator("live-state")).to_be_hidden()
        wait_until(lambda: is_refused(demo, first), 60, "the end of the old token")
        assert not is_refused(demo, second)
        visitor.go("/start?return=%2Fbadge")
        visitor.page.wait_for_url("**/gates/*")
        assert session_of(visitor) != second


def test_two_tabs_that_start_at_once_stay_signed_in(demo, chromium):
    with chromium.visitor(demo.url, PHONE) as visitor:
        arrive(visitor, demo)
        old = session_of(visitor)
        other = visitor.context.new_page()
        other.goto(gates(demo))
        for page in (visitor.page, other):
            page.evaluate("() => { location.href = '/start' }")
        for page in (visitor.page, other):
            page.wait_for_url("**/gates")
        wait_until(lambda: is_refused(demo, old), 60, "the end of the old token")
        for page in (visitor.page, other):
            page.reload()
            expect(page.get_by_role("heading", level=1)).to_have_text("Gates")


def test_a_start_without_a_session_asks_to_sign_in_and_goes_where_one_wished(demo, chromium):
    with chromium.visitor(demo.url, PHONE) as visitor:
        visitor.go("/start?return=%2Fbadge")
        visitor.page.wait_for_url("**/sign-in?return=%2Fbadge")
        account = demo.account(ADA)
        visitor.page.fill("[name=email]", account["email"])
        visitor.page.fill("[name=password]", account["password"])
        visitor.page.click("main button[type=submit]")
        visitor.page.wait_for_url("**/gates/*")
        expect(visitor.page.locator(".badge-name")).to_have_text("Ada Rossi")


def test_a_start_leads_nowhere_else(demo):
    for target in ("https%3A%2F%2Fevil.example", "%2F%2Fevil.example", "%2F%5Cevil.example"):
        answer = httpx.get(demo.url + f"/start?return={target}")
        assert answer.status_code == 303 and answer.headers["location"] == "/sign-in"


def test_a_start_without_the_hub_shows_what_was_seen_last(demo, chromium):
    with chromium.visitor(demo.url, PHONE) as visitor:
        arrive(visitor, demo)
        with network_gone(visitor):
            for path, heading in [("/start", "Gates"), ("/", "Gates"), ("/start?return=%2Fbadge", None)]:
                assert visitor.go(path).from_service_worker
                expect(visitor.page.locator("saved-page")).to_be_visible()
                if heading:
                    expect(visitor.page.get_by_role("heading", level=1)).to_have_text(heading)
            expect(visitor.page.locator(".badge-name")).to_have_text("Ada Rossi")


# MARK: another build

@pytest.fixture
def own_build(monkeypatch):
    """The program with its pages in a folder of its own, so that a test can change them."""
    program = Path(demo_module.PROGRAM)
    with short_folder() as place:
        copy = place / program.name
        shutil.copy2(program, copy)
        pages = next(program.resolve().parent.glob("*_Pages.resources"))
        shutil.copytree(pages, place / pages.name)
        shutil.copy2(program.resolve().parent / "libBusGuard.so", place)
        monkeypatch.setattr(demo_module, "PROGRAM", str(copy))
        demo = Demo(place)
        demo.start()
        try:
            yield demo, place / pages.name / "Static"
        finally:
            demo.end()


def test_another_build_of_the_hub_replaces_the_worker_and_what_it_kept(own_build, chromium):
    demo, static = own_build
    shells = "async () => (await caches.keys()).filter(name => name.startsWith('soglia-shell-'))"
    with chromium.visitor(demo.url, PHONE) as visitor:
        arrive(visitor, demo)
        before = visitor.page.evaluate(shells)
        assert len(before) == 1
        style = static / "soglia.css"
        os.chmod(style, 0o644)
        style.write_text(style.read_text() + "\n.badge-name { letter-spacing: 3px; }\n")
        demo.stop("hub")
        demo.start_again("hub")
        demo.wait_until_ready()
        # The very first page is of the new build: the network came first.
        visitor.go(badge(demo))
        spacing = "() => getComputedStyle(document.querySelector('.badge-name')).letterSpacing"
        assert visitor.page.evaluate(spacing) == "3px"
        wait_until(lambda: (now := visitor.page.evaluate(shells)) != before and len(now) == 1, 30, "the other worker")
        keeps(visitor, gates(demo), badge(demo))
        with network_gone(visitor):
            visitor.go(badge(demo))
            expect(visitor.page.locator("saved-page")).to_be_visible()
            assert visitor.page.evaluate(spacing) == "3px"
