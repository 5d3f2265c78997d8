"""Whoever is signed in somewhere sees where, and ends it there: at once, everywhere, for good."""

import contextlib
import re
import sqlite3

import pytest
from playwright.sync_api import expect

from api import Api
from browser import DESK, PHONE
from demo import short_folder, wait_until
from hub import OLGA, PASSWORD, Caller, Hub, Stream
from raw import send

NEW = "another sentence to remember"


@pytest.fixture(scope="module")
def hub():
    with short_folder() as folder, Hub(folder) as hub:
        hub.first_run()
        yield hub


def cookie_of(api):
    return f"soglia_session={api.http.cookies['soglia_session']}"


def items(api):
    return api.ok(api.get("/api/sessions"))["items"]


def current(api):
    return next(one for one in items(api) if one["isCurrent"])


def test_the_list_says_where_one_is_signed_in_and_nothing_that_opens(hub):
    browser, program = hub.browser(), hub.program()
    listed = items(program)
    own = next(one for one in listed if one["isCurrent"])
    assert own["isProgram"] and own["address"] == "127.0.0.1"
    assert {one["id"] for one in listed} == {one["id"] for one in items(browser)}
    text = program.get("/api/sessions").text
    for secret in (program.token, browser.http.cookies["soglia_session"], browser.http.cookies["soglia_device"]):
        assert secret not in text
    for id in (one["id"] for one in listed):
        assert Api(hub.url).get("/api/gates", headers={"Authorization": f"Bearer {id}"}).status_code == 401
    browser.close(), program.close()


def test_a_stolen_cookie_gets_401_and_no_stream_after_the_sign_out(hub):
    victim = hub.browser()
    stolen = cookie_of(victim)
    live = Stream(hub, Cookie=stolen).wait_for(b"event: hello")
    kept = Caller(hub)
    assert kept.ask("GET", "/api/gates", Cookie=stolen).status == 200

    assert victim.http.delete("/api/session").status_code == 204
    live.wait_for_end()
    assert kept.ask("GET", "/api/gates", Cookie=stolen).status == 401, "on a connection that was open before"
    reply = send(
        hub.port, f"GET /api/live HTTP/1.1\r\nHost: localhost:{hub.port}\r\nCookie: {stolen}\r\n\r\n".encode(), closes=False)
    assert reply.status == 401 and b"event:" not in reply.data
    assert kept.ask("GET", "/", Cookie=stolen).status == 303
    assert kept.ask("GET", "/api/sessions", Cookie=stolen).status == 401
    kept.close(), live.close()


def test_a_session_that_is_ended_from_elsewhere_is_refused_and_its_streams_are_cut(hub):
    here, there = hub.program(), hub.program()
    streams = [Stream(hub, Authorization=f"Bearer {there.token}").wait_for(b"event: hello") for _ in range(3)]
    own = Stream(hub, Authorization=f"Bearer {here.token}").wait_for(b"event: hello")
    target = current(there)["id"]
    assert here.http.delete(f"/api/sessions/{target}").status_code == 204
    for stream in streams:
        stream.wait_for_end().close()
    assert there.get("/api/gates").status_code == 401
    assert here.get("/api/gates").status_code == 200
    assert not own.has_ended and own.read() and not own.has_ended
    assert here.http.delete(f"/api/sessions/{target}").status_code == 404
    for wrong in ("0" * 32, "x", "..", target.upper() if target.upper() != target else "y"):
        assert here.http.delete(f"/api/sessions/{wrong}").status_code in (404, 405)
    own.close(), here.close(), there.close()


def test_a_session_left_open_makes_no_phone_deaf(hub):
    """Ending a session takes the phone along that an alarm would ring: without a fresh proof only one's own ends."""
    left, browser, phone = hub.program(), hub.browser(), hub.program()
    hub.age_proof(left), hub.age_proof(browser)
    target = current(phone)["id"]
    for refused in (left.http.delete("/api/sessions"), left.http.delete(f"/api/sessions/{target}")):
        assert (refused.status_code, refused.json()["type"]) == (403, "/problems/fresh-proof-needed")
    for page in ("end-others", f"{target}/end"):
        assert "/account/prove" in browser.http.post(f"/account/sessions/{page}").headers["location"]
    assert phone.get("/api/gates").status_code == 200
    assert left.post("/api/session/proof", {"password": PASSWORD}).status_code < 300
    assert left.http.delete(f"/api/sessions/{target}").status_code == 204
    hub.age_proof(left)
    assert left.http.delete(f"/api/sessions/{current(left)['id']}").status_code == 204, "its own"
    for one in (left, browser, phone):
        one.close()


def test_whose_access_ends_hears_it_on_open_pages_and_sees_nothing_of_later(hub, chromium):
    olga = hub.program()
    site = olga.sites()[0]["id"]
    first = olga.ok(olga.post(f"/api/sites/{site}/gates", {"name": "Courtyard"}))["id"]
    added = olga.ok(olga.post(f"/api/sites/{site}/people", {
        "name": "Nina Testa", "email": "nina@example.com", "password": PASSWORD, "permission": "member", "role": None,
        "firstDay": None, "lastDay": None}))
    nina = hub.program("nina@example.com")
    stream = Stream(hub, Authorization=f"Bearer {nina.token}").wait_for(b"event: hello")
    olga.ok(olga.post(f"/api/sites/{site}/people/bulk", {"memberships": [added["membership"]], "do": "revoke"}))
    # A gate that she never opened may stand on a page of hers.
    stream.wait_for(first.encode())
    later = olga.ok(olga.post(f"/api/sites/{site}/gates", {"name": "Vault"}))["id"]
    assert later.encode() not in stream.read(1)
    with chromium.visitor(hub.url, PHONE) as visitor:
        visitor.sign_in({"email": "nina@example.com", "password": PASSWORD})
        visitor.go(f"/sites/{site}/gates")
        main = visitor.page.locator("main")
        expect(main).to_contain_text("Your access here has ended")
        assert "Courtyard" not in main.inner_text() and "Vault" not in main.inner_text()
        assert visitor.axe() == [] and not visitor.spills()
        visitor.go("/places")
        expect(main).to_contain_text("No place is open to you today")
        assert visitor.axe() == [] and not visitor.spills()
        for gate in (first, later):
            assert visitor.go(f"/gates/{gate}").status == 404
    stream.close(), nina.close(), olga.close()


def test_a_page_of_gates_that_was_hidden_while_access_ended_shows_them_no_more(hub, chromium):
    olga = hub.program()
    site = olga.sites()[0]["id"]
    gates = [olga.ok(olga.post(f"/api/sites/{site}/gates", {"name": name}))["id"] for name in ("Orchard", "Stable")]
    added = olga.ok(olga.post(f"/api/sites/{site}/people", {
        "name": "Rino Testa", "email": "rino@example.com", "password": PASSWORD, "permission": "member", "role": None,
        "firstDay": None, "lastDay": None}))
    hide = """isHidden => {
        Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true })
        document.dispatchEvent(new Event('visibilitychange')) }"""
    for path in (f"/sites/{site}/gates", f"/gates/{gates[0]}"):
        with chromium.visitor(hub.url, PHONE) as visitor:
            visitor.sign_in({"email": "rino@example.com", "password": PASSWORD})
            visitor.go(path)
            page = visitor.page
            expect(page.locator("open-gate").first).to_be_visible()
            page.wait_for_function("import('/static/live.js').then(({ live }) => live.state === 'live')")
            page.evaluate(hide, True)
            olga.ok(olga.post(f"/api/sites/{site}/people/bulk", {"memberships": [added["membership"]], "do": "revoke"}))
            page.evaluate(hide, False)
            expect(page.locator("open-gate")).to_have_count(0)
            expect(page.locator("main")).not_to_contain_text("Orchard")
        olga.ok(olga.post(f"/api/sites/{site}/people/bulk", {"memberships": [added["membership"]], "do": "reinstate"}))
    olga.close()


def test_all_others_end_and_this_one_stays(hub):
    here = hub.program()
    others = [hub.program() for _ in range(3)]
    before = len(items(here))
    assert here.ok(here.http.delete("/api/sessions"))["ended"] == before - 1
    assert [one.get("/api/gates").status_code for one in others] == [401, 401, 401]
    assert [one["isCurrent"] for one in items(here)] == [True]
    for one in (here, *others):
        one.close()


def test_nobody_ends_a_session_of_somebody_else(hub):
    olga = hub.program()
    site = olga.sites()[0]["id"]
    added = olga.post(f"/api/sites/{site}/people", {
        "name": "Pia Neri", "email": "pia@example.com", "password": PASSWORD, "permission": "manager", "role": None,
        "firstDay": None, "lastDay": None})
    assert added.status_code == 201, added.text
    pia = hub.program("pia@example.com")
    assert pia.http.delete(f"/api/sessions/{current(olga)['id']}").status_code == 404
    assert len(items(pia)) == 1
    assert pia.ok(pia.http.delete("/api/sessions"))["ended"] == 0
    assert olga.get("/api/gates").status_code == 200
    olga.close(), pia.close()


def test_another_password_ends_every_other_session_and_the_old_one_is_refused(hub):
    here, there = hub.browser(), hub.program()
    stream = Stream(hub, Authorization=f"Bearer {there.token}").wait_for(b"event: hello")
    assert here.http.put("/api/password", json={"current": "wrong", "new": NEW}).status_code == 401
    assert here.http.put("/api/password", json={"current": PASSWORD, "new": "short"}).status_code == 422
    assert here.http.put("/api/password", json={"current": PASSWORD}).status_code == 422
    assert there.get("/api/gates").status_code == 200
    device = here.http.cookies["soglia_device"]
    answer = here.http.put("/api/password", json={"current": PASSWORD, "new": NEW})
    assert answer.status_code == 200 and answer.json()["ended"] >= 1, answer.text
    assert here.http.cookies["soglia_device"] != device
    stream.wait_for_end().close()
    assert there.get("/api/gates").status_code == 401
    assert here.get("/api/gates").status_code == 200
    assert Caller(hub).sign_in(password=PASSWORD).status == 401
    assert here.http.put("/api/password", json={"current": NEW, "new": PASSWORD}).status_code == 200
    with contextlib.closing(sqlite3.connect(f"file:{hub.data}/soglia.sqlite?mode=ro", uri=True)) as database:
        kinds = [row[0] for row in database.execute("SELECT kind FROM events WHERE site = zeroblob(16)")]
    assert kinds.count("password.changed") == 2
    here.close(), there.close()


def test_the_page_shows_each_and_ends_one_all_others_and_works_without_script(hub, chromium):
    account = {"email": OLGA, "password": PASSWORD}
    with chromium.visitor(hub.url, DESK) as here, chromium.visitor(hub.url, PHONE, javascript=False) as there:
        here.sign_in(account)
        here.page.click(".account .who a")
        here.page.wait_for_url("**/account")
        here.page.click(".tabs a[href='/account/sessions']")
        here.page.wait_for_url("**/account/sessions")
        # The tests before left some.
        here.page.click("form[action$=end-others] button")
        expect(here.page.get_by_role("status").first).to_contain_text("All others have ended")
        there.sign_in(account)
        here.go("/account/sessions")
        cards = here.page.locator("li.card")
        expect(cards).to_have_count(2)
        expect(cards.first).to_contain_text("Chromium on Linux")
        expect(cards.first).to_contain_text("this browser")
        expect(cards.first).to_contain_text("Last used today at", ignore_case=True)
        expect(cards.first.locator("button")).to_have_count(0)
        cards.nth(1).locator("button").click()
        expect(here.page.get_by_role("status").first).to_contain_text("ended")
        expect(cards).to_have_count(1)
        there.go("/")
        assert "/sign-in" in there.page.url
        expect(there.page.get_by_role("status")).to_have_text("Your session has ended. Sign in to go on.")
        there.sign_in(account)
        there.go("/account/sessions")
        expect(there.page.locator("li.card")).to_have_count(2)
        there.page.click("form[action$=end-others] button")
        expect(there.page.get_by_role("status").first).to_contain_text("All others have ended")
        here.go("/account/sessions")
        assert "/sign-in" in here.page.url
        assert here.complaints == [] and there.complaints == []


@pytest.mark.parametrize("language, sentence", [
    ("en", "Your session had ended: nothing was saved. Sign in, then do it again."),
    ("it", "La sessione era terminata: non è stato salvato nulla. Accedi e riprova."),
    ("es", "Tu sesión había terminado: no se ha guardado nada. Entra y hazlo otra vez."),
])
def test_a_form_that_comes_after_the_end_of_the_session_says_that_nothing_was_saved(hub, chromium, language, sentence):
    with chromium.visitor(hub.url, PHONE, language=language) as late:
        late.sign_in({"email": OLGA, "password": PASSWORD})
        late.go("/account")
        late.page.fill("main [name=name]", "Olga Verdi")
        elsewhere = hub.browser()
        assert elsewhere.http.delete("/api/sessions").status_code == 200
        elsewhere.close()
        late.page.click("main form[action='/account'] button[type=submit]")
        expect(late.page.get_by_role("status")).to_have_text(sentence)
        assert late.axe() == [] and not late.spills()
        late.page.fill("[name=email]", OLGA)
        late.page.fill("[name=password]", PASSWORD)
        late.page.click("main button[type=submit]")
        late.page.wait_for_url(hub.url + "/account")
        expect(late.page.locator("main [name=name]")).not_to_have_value("Olga Verdi")
    # Also where the browser keeps no cookie any more; for who asks for a page, and who signs out, nothing was to be saved.
    caller = Caller(hub)
    for method, page, leads in [
        ("POST", "/account", "/sign-in?signed-out=unsaved"), ("GET", "/account", "/sign-in?return=%2Faccount"), ("POST", "/sign-out", "/sign-in?signed-out=1"),
    ]:
        answer = caller.ask(method, page, Origin=hub.url)
        assert (answer.status, answer.getheader("location")) == (303, leads)
    caller.close()


@pytest.mark.parametrize("act", ["button", "keyboard", "password"])
def test_the_other_tabs_of_a_browser_that_ends_all_others_go_on(hub, chromium, act):
    account = {"email": OLGA, "password": PASSWORD}
    olga = hub.browser()
    made = olga.post("/api/houses", {"name": f"Baita {act}", "zone": "Europe/Rome", "street": "Via del Bosco 4, Asiago"})
    assert made.status_code == 201, made.text
    house = next(one["id"] for one in olga.sites() if one["name"] == f"Baita {act}")
    with chromium.visitor(hub.url, DESK) as here, chromium.visitor(hub.url, PHONE) as there:
        here.sign_in(account)
        there.sign_in(account)
        form, live = here.context.new_page(), here.context.new_page()
        form.goto("/account")
        live.goto(f"/houses/{house}/safety")
        there.go(f"/houses/{house}/safety")
        if act == "password":
            here.go("/account/password")
            here.page.fill("[name=current]", PASSWORD)
            here.page.fill("[name=password]", NEW)
            here.page.click("main form button[type=submit]")
        else:
            here.go("/account/sessions")
            button = here.page.locator("form[action$=end-others] button")
            if act == "keyboard":
                button.focus()
                here.page.keyboard.press("Enter")
            else:
                button.click()
        expect(here.page.get_by_role("status").first).to_be_visible()
        assert here.page.url.startswith(f"{hub.url}/account/sessions?done=")
        # The page that stands still says why, not that it will go on by itself.
        expect(there.page.locator("live-state")).to_have_text("signed out here: sign in again")
        expect(here.page.locator("li.card")).to_have_count(1)
        # A form that lay open is sent with the token of now, and a page that lay open hears what happens.
        form.locator("main form button[type=submit]").first.click()
        expect(form.get_by_role("status").first).to_be_visible()
        here.go(f"/houses/{house}/safety")
        was = live.locator("#state").inner_text()
        assert was == here.page.locator("#state").inner_text()
        here.page.locator("form[action$=arm] button").first.click()
        expect(here.page.locator("#state")).not_to_have_text(was)
        expect(live.locator("#state")).not_to_have_text(was)
        there.page.reload()
        assert "/sign-in" in there.page.url
        assert here.complaints == []
        if act == "password":
            with contextlib.closing(Api(hub.url, browser=True)) as api:
                api.sign_in(OLGA, NEW)
                api.ok(api.put("/api/password", {"current": NEW, "new": PASSWORD}))


def test_the_password_page_says_what_is_wrong_field_by_field(hub, chromium):
    with chromium.visitor(hub.url) as visitor:
        page = visitor.sign_in({"email": OLGA, "password": PASSWORD}).page

        def fill(one, other):
            page.fill("[name=current]", one)
            page.fill("[name=password]", other)
            page.click("main button[type=submit]")

        visitor.go("/account/password")
        fill("not this one", NEW)
        expect(page.locator("#current-refused")).to_be_visible()
        fill(PASSWORD, "short")
        expect(page.locator("#password-refused")).to_be_visible()
        assert page.input_value("[name=current]") == "", "no password comes back to a page"
        assert visitor.axe() == []
        fill(PASSWORD, NEW)
        page.wait_for_url("**/account/sessions?done=password")
        expect(page.get_by_role("status").first).to_contain_text("Your password is changed")
        visitor.go("/account/password")
        fill(NEW, PASSWORD)
        page.wait_for_url("**/account/sessions?done=password")
        assert visitor.complaints == []


@pytest.mark.parametrize("path", ["/account/sessions", "/account/password"])
def test_the_pages_of_the_account_are_sound_in_every_language_size_and_theme(hub, chromium, path):
    for language in ("en", "it", "es"):
        for size in (PHONE, DESK):
            for scheme in ("light", "dark"):
                with chromium.visitor(hub.url, size, language, scheme) as visitor:
                    visitor.context.add_cookies([
                        {"name": "soglia_session", "value": cookie_of(olga(hub)).split("=")[1], "url": hub.url}])
                    visitor.go(path)
                    what = f"{path} {language} {size} {scheme}"
                    assert visitor.axe() == [], what
                    assert not visitor.spills(), what
                    assert visitor.page.locator("h1").count() == 1
                    assert visitor.complaints == [], what
                    assert not re.search(r"\bnil\b|Optional\(", visitor.page.inner_text("body"))


_olga = {}


def olga(hub):
    """One browser for all pictures: each sign-in would be another card."""
    if hub.url not in _olga or _olga[hub.url].get("/api/sites").status_code != 200:
        _olga[hub.url] = hub.browser()
    return _olga[hub.url]


def test_a_session_is_noted_once_in_a_while_and_not_for_each_request(hub):
    program = hub.program()

    def commits():
        with contextlib.closing(sqlite3.connect(f"file:{hub.data}/soglia.sqlite?mode=ro", uri=True)) as database:
            return database.execute("PRAGMA data_version").fetchone(), (hub.data / "soglia.sqlite-wal").stat().st_size

    before = commits()[1]
    for _ in range(200):
        assert program.get("/api/gates").status_code == 200
    assert commits()[1] == before, "200 requests wrote nothing"
    program.close()


def test_a_hub_of_before_keeps_its_sessions_and_can_end_them(folder):
    with Hub(folder) as hub:
        hub.first_run()
        token = hub.program().token
    with contextlib.closing(sqlite3.connect(folder / "d" / "soglia.sqlite")) as database:
        # As the first version left it.
        database.execute("DROP INDEX sessions_by_id")
        for column in ("id", "seen", "address", "client"):
            database.execute(f"ALTER TABLE sessions DROP COLUMN {column}")
        database.execute("DELETE FROM migrations WHERE name = 'accounts.sessions.1'")
        database.commit()
    with Hub(folder, name="again") as hub:
        old = Api(hub.url)
        old.http.headers["Authorization"] = f"Bearer {token}"
        listed = items(old)
        assert next(one for one in listed if one["isCurrent"])["address"] is None
        other = next(one for one in listed if not one["isCurrent"])
        assert old.http.delete(f"/api/sessions/{other['id']}").status_code == 204
        wait_until(lambda: len(items(old)) == 1, what="the end")
        old.close()
