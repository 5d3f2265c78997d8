"""A phone opens the account: added, used to sign in, to prove, to open what asks for it; and whoever imitates it gets nowhere."""

import contextlib
import sqlite3

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from playwright.sync_api import expect

from api import Api
from authenticator import Authenticator, Liar
from browser import DESK, PHONE
from demo import run, short_folder
from hub import OLGA, PASSWORD, Hub, Stream

ACCOUNT = {"email": OLGA, "password": PASSWORD}


@pytest.fixture(scope="module")
def hub():
    with short_folder() as folder, Hub(folder) as hub:
        hub.first_run()
        yield hub


def add(visitor, name=None):
    """Adds a passkey as a person does."""
    page = visitor.page
    visitor.go("/account/ways")
    if name:
        page.fill("passkey-add [name=name]", name)
    page.click("passkey-add button")
    page.wait_for_url("**/account/ways?done=added")


def sign_out(visitor):
    visitor.page.locator("form[action='/sign-out'] button").click()
    visitor.page.wait_for_url("**/sign-in?signed-out=1")


# Chromium's own authenticator answers at once where a browser only offers what it could fill in: for whoever means the button.
NO_OFFERS = "PublicKeyCredential.isConditionalMediationAvailable = async () => false"


def test_a_passkey_is_added_and_signs_in_without_an_address(hub, chromium):
    with chromium.visitor(hub.url) as visitor:
        phone = Authenticator(visitor)
        page = visitor.sign_in(ACCOUNT).page
        add(visitor, "My phone")
        expect(page.get_by_role("status").first).to_contain_text("Added")
        expect(page.locator("li.card h3")).to_have_text(["My phone"])
        assert len(phone.credentials()) == 1
        sign_out(visitor)
        page.wait_for_url("**/gates")   # offered with the address, and taken
        visitor.context.add_init_script(NO_OFFERS)
        sign_out(visitor)
        assert visitor.axe() == []
        page.click("passkey-sign-in button")
        page.wait_for_url("**/gates")
        visitor.go("/account/ways")
        expect(page.locator("li.card")).to_contain_text("last used today")
        assert visitor.axe() == []
        assert visitor.complaints == []


@pytest.fixture(scope="module")
def liar(hub):
    """Somebody with an authenticator of their own making, which they have registered rightly."""
    olga, liar = hub.browser(), Liar(hub.url)
    options = olga.ok(olga.post("/api/account/passkeys/options"))
    added = olga.post("/api/account/passkeys", liar.register(options))
    assert added.status_code == 201, added.text
    olga.close()
    return liar


def come(hub):
    """A browser that nobody is signed in with, and a challenge for it."""
    visitor = Api(hub.url, browser=True)
    return visitor, visitor.ok(visitor.post("/api/session/passkey/options"))


def problem(answer):
    return answer.status_code, answer.json()["type"].rsplit("/", 1)[1], answer.json().get("check")


def test_a_right_ceremony_by_hand_signs_in_once_and_its_replay_does_not(hub, liar):
    visitor, options = come(hub)
    shown = liar.show(options)
    answer = visitor.post("/api/session/passkey", shown)
    assert answer.status_code == 201 and answer.json()["email"] == OLGA
    assert {"soglia_session", "soglia_device"} <= set(visitor.http.cookies)
    assert visitor.get("/api/gates").status_code == 200
    other, _ = come(hub)
    for again in (visitor, other):
        assert problem(again.post("/api/session/passkey", shown))[:2] == (422, "passkey-stale")
    visitor.close(), other.close()


def test_a_challenge_is_good_only_for_the_browser_that_asked_and_for_what_it_asked(hub, liar):
    victim, options = come(hub)
    thief, own = come(hub)
    assert problem(thief.post("/api/session/passkey", liar.show(options)))[1] == "passkey-stale"
    without = Api(hub.url)
    assert problem(without.post("/api/session/passkey", liar.show(options)))[1] == "passkey-stale"
    signed_in = hub.browser()
    proof = signed_in.ok(signed_in.post("/api/session/proof/passkey/options"))
    assert problem(thief.post("/api/session/passkey", liar.show(proof)))[1] == "passkey-stale"
    assert problem(signed_in.post("/api/session/proof/passkey", liar.show(own)))[1] == "passkey-stale"
    assert signed_in.post("/api/session/proof/passkey", liar.show(proof)).status_code == 204
    assert victim.post("/api/session/passkey", liar.show(options)).status_code == 201, "nobody used it up"
    for one in (victim, thief, without, signed_in):
        one.close()


LIES = {
    "wrongOrigin": {"origin": "https://localhost.attacker.example"},
    "crossOrigin": {"crossOrigin": True},
    "wrongType": {"type": "webauthn.create"},
    "wrongParty": {"party": "attacker.example"},
    "notVerified": {"flags": 0x01},
    "notPresent": {"flags": 0x04},
    "inconsistentBackup": {"flags": 0x15},
    "otherBackup": {"flags": 0x0d},
    "wrongUser": {"user": bytes(16)},
    "wrongSignature": {"key": ec.generate_private_key(ec.SECP256R1())},
}


@pytest.mark.parametrize("check", LIES)
def test_every_lie_is_refused_by_its_check(hub, liar, check):
    visitor, options = come(hub)
    assert problem(visitor.post("/api/session/passkey", liar.show(options, **LIES[check]))) == (
        422, "passkey-refused", check)
    assert "soglia_session" not in visitor.http.cookies
    # The challenge is used up: what was wrong once is not tried again with it.
    assert problem(visitor.post("/api/session/passkey", liar.show(options)))[1] == "passkey-stale"
    visitor.close()


def test_a_counter_that_goes_back_is_refused_and_told(hub, liar):
    visitor, options = come(hub)
    assert visitor.post("/api/session/passkey", liar.show(options)).status_code == 201
    visitor.close()
    liar.counter -= 1   # as a copy would say that was made before
    visitor, options = come(hub)
    assert problem(visitor.post("/api/session/passkey", liar.show(options)))[1] == "passkey-suspected"
    visitor.close()
    with contextlib.closing(sqlite3.connect(f"file:{hub.data}/soglia.sqlite?mode=ro", uri=True)) as database:
        kinds = [kind for kind, in database.execute("SELECT kind FROM events")]
    assert kinds.count("passkey.suspected") == 1


def test_an_unknown_passkey_and_nonsense_are_refused(hub, liar):
    visitor, options = come(hub)
    stranger = Liar(hub.url)
    stranger.user = liar.user
    assert problem(visitor.post("/api/session/passkey", stranger.show(options)))[1] == "passkey-unknown"
    for body in ({}, {"id": "", "response": {}}, {"id": "=", "response": {
            "clientDataJSON": "e30", "authenticatorData": "", "signature": "", "userHandle": None}}):
        assert visitor.post("/api/session/passkey", body).status_code == 422
    own = hub.browser()
    options = own.ok(own.post("/api/account/passkeys/options"))
    assert problem(own.post("/api/account/passkeys", Liar(hub.url).register(options, type="webauthn.get")))[2] == "wrongType"
    options = own.ok(own.post("/api/account/passkeys/options"))
    assert problem(own.post("/api/account/passkeys", liar.register(options)))[:2] == (409, "passkey-taken")
    visitor.close(), own.close()


def test_a_wrong_face_is_told_in_words(hub, chromium):
    with chromium.visitor(hub.url) as visitor:
        visitor.context.add_init_script(NO_OFFERS)
        phone = Authenticator(visitor)
        page = visitor.sign_in(ACCOUNT).page
        add(visitor)
        visitor.go("/account/ways")
        page.click("passkey-add button")
        expect(page.locator("passkey-add [role=alert]")).to_contain_text("has a passkey of yours already")
        sign_out(visitor)
        phone.sees(False)
        page.click("passkey-sign-in button")
        expect(page.locator("passkey-sign-in [role=alert]")).to_contain_text("did not recognise you")
        assert visitor.axe() == []
        assert "/sign-in" in page.url
        phone.sees(True)
        page.locator("passkey-sign-in button").focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/gates")
        assert visitor.complaints == []


def test_a_site_that_asks_for_a_passkey_shows_a_password_nothing(folder, chromium):
    with Hub(folder) as hub, chromium.visitor(hub.url) as visitor:
        hub.first_run()
        program = hub.program()
        site = program.sites()[0]["id"]
        assert program.http.patch(f"/api/sites/{site}", json={"secondFactor": True}).status_code == 403
        live = Stream(hub, Authorization=f"Bearer {program.token}").wait_for(b"event: hello")
        gate = program.ok(program.post(f"/api/sites/{site}/gates", {"name": "Front door"}))["id"]
        phone = Authenticator(visitor)
        visitor.context.add_init_script(NO_OFFERS)
        page = visitor.sign_in(ACCOUNT).page
        settings = f"/sites/{site}/settings"
        visitor.go(settings)
        expect(page.locator("#second-factor ~ p").last).to_contain_text("Show my passkey")
        assert visitor.axe() == []
        page.click("text=Show my passkey")
        page.wait_for_url("**/account/prove?**strong=1**")
        expect(page.locator("main")).to_contain_text("You have no passkey yet")
        assert visitor.axe() == []
        add(visitor, "Her phone")
        visitor.go(settings)
        page.click("text=Show my passkey")
        page.click("passkey-prove button")
        page.wait_for_url(f"**{settings}")
        page.click("form[action$=second-factor] button")
        page.wait_for_url("**saved=1")
        expect(page.locator("main")).to_contain_text("This site asks for a passkey.")
        assert visitor.axe() == []

        # A program that knows the password: nothing, at once.
        assert program.sites() == [] and program.gates() == []
        for path in (f"/api/sites/{site}/people", f"/api/sites/{site}/gates", f"/api/sites/{site}/retention"):
            assert problem(program.get(path))[:2] == (403, "second-factor-needed"), path
        assert program.get(f"/api/events?site={site}").status_code == 404
        assert problem(program.post(f"/api/sites/{site}/passes"))[1] == "second-factor-needed"
        assert problem(program.post(f"/api/gates/{gate}/open"))[1] == "second-factor-needed"
        live.received = b""
        page.request.patch(f"{hub.url}/api/sites/{site}/gates/{gate}", data={"name": "Side door"},
                           headers={"Origin": hub.url})
        assert b"Side door" not in live.read(2) and b"event: gate" not in live.read()
        # Nor does the password make itself a second factor where there is one.
        assert problem(program.post("/api/account/passkeys/options"))[1] == "second-factor-needed"
        passkey = program.ok(program.get("/api/account/passkeys"))["items"][0]["id"]
        assert problem(program.http.delete(f"/api/account/passkeys/{passkey}"))[1] == "second-factor-needed"
        # Nor does it silence what the site tells.
        wishes = program.ok(program.get("/api/account/notices")) | {"push": [], "mail": []}
        assert problem(program.http.put("/api/account/notices", json=wishes))[1] == "second-factor-needed"
        assert program.ok(program.get("/api/account/notices"))["push"]
        assert problem(program.http.patch("/api/account", json={"zone": "Pacific/Auckland"}))[1] == "second-factor-needed"
        live.close(), program.close()

        # The person herself: by password the place is locked, and says how it opens.
        sign_out(visitor)
        visitor.sign_in(ACCOUNT)
        expect(page.locator("li.card")).to_contain_text("Asks for a passkey")
        assert visitor.axe() == []
        # She reads it in another language, and her letters come in the one that she had.
        chosen = page.request.get(f"{hub.url}/api/account").json()["language"]
        for language, words in (("es", "Pide una clave de acceso"), ("en", "Asks for a passkey")):
            assert page.request.post(f"{hub.url}/language", form={"language": language}, headers={"Origin": hub.url}).ok
            visitor.go("/")
            expect(page.locator("li.card")).to_contain_text(words)
            assert page.request.get(f"{hub.url}/api/account").json()["language"] == chosen
        page.click("li.card a")
        # Who has lost it is told what to do, with what still works.
        expect(page.locator("main")).to_contain_text("Ask an owner of Casa Sarti to let a password be enough for now")
        expect(page.locator("main a[href='/account/password']")).to_be_visible()
        assert visitor.axe() == [] and not visitor.spills()
        page.click("passkey-prove button")
        page.wait_for_url("**/gates")
        # Off again.
        visitor.go(settings)
        page.click("form[action$=second-factor] button")
        expect(page.locator("main")).to_contain_text("A password is enough here.")
        assert len(phone.credentials()) == 1
        # On once more, and off at the box itself: the way of an owner whose phone is lost.
        page.click("form[action$=second-factor] button")
        expect(page.locator("main")).not_to_contain_text("A password is enough here.")
        assert not hub.program().sites()
        done = run("admin", "second-factor", "off", "--data", hub.data)
        assert done.returncode == 0 and "Casa Sarti" in done.stdout, done.stderr
        assert [site["name"] for site in hub.program().sites()] == ["Casa Sarti"]
        assert visitor.complaints == []


def test_a_passkey_gets_another_name_and_is_removed(hub, chromium):
    for language, size, scheme in (("en", PHONE, "light"), ("it", PHONE, "dark"), ("es", DESK, "light")):
        with chromium.visitor(hub.url, size, language, scheme) as visitor:
            Authenticator(visitor)
            page = visitor.sign_in(ACCOUNT).page
            add(visitor, "To be changed")
            card = page.locator("li.card", has_text="To be changed")
            card.locator("a.button").click()
            page.wait_for_url("**/account/ways/passkeys/*")
            assert visitor.axe() == [] and not visitor.spills()
            page.fill("main [name=name]", " ")
            page.click("form[action$='/name'] button")
            expect(page.locator("#name-refused")).to_be_visible()
            page.fill("main [name=name]", "Changed")
            page.click("form[action$='/name'] button")
            page.wait_for_url("**?done=renamed")
            assert visitor.axe() == [] and not visitor.spills()
            page.locator("li.card", has_text="Changed").locator("a.button").click()
            page.click("form[action$='/remove'] button")
            page.wait_for_url("**?done=removed")
            expect(page.locator("li.card", has_text="Changed")).to_have_count(0)
            visitor.go("/account/prove?return=/account/ways")
            assert visitor.axe() == [] and not visitor.spills()
            page.click("passkey-prove button, main button[type=submit]")
            assert visitor.complaints == []


def test_the_last_way_in_stays(folder):
    with Hub(folder) as hub:
        hub.first_run()
        with contextlib.closing(sqlite3.connect(folder / "d" / "soglia.sqlite")) as database:
            olga, liar = hub.browser(), Liar(hub.url)
            added = olga.ok(olga.post("/api/account/passkeys", liar.register(
                olga.ok(olga.post("/api/account/passkeys/options")))))
            database.execute("UPDATE people SET password = ''")   # as of somebody who never had one
            database.commit()
        assert problem(olga.http.delete(f"/api/account/passkeys/{added['id']}"))[:2] == (409, "last-way")
        page = olga.http.post(f"/account/ways/passkeys/{added['id']}/remove", headers={"Accept": "text/html"})
        assert page.status_code == 409 and "only way in" in page.text
        assert len(olga.ok(olga.get("/api/account/passkeys"))["items"]) == 1
        olga.close()


def test_by_address_the_page_says_how_to_get_to_where_passkeys_work(hub, chromium):
    with chromium.visitor(hub.url.replace("localhost", "127.0.0.1")) as visitor:
        page = visitor.sign_in(ACCOUNT).page
        visitor.go("/account/ways")
        expect(page.locator("main")).to_contain_text("an address that begins with https://")
        assert page.locator("passkey-add").count() == 0
        assert visitor.axe() == []
        sign_out(visitor)
        assert page.locator("passkey-sign-in").count() == 0
        here = Api(hub.url.replace("localhost", "127.0.0.1"), browser=True)
        assert problem(here.post("/api/session/passkey/options"))[:2] == (422, "no-passkeys-here")
        here.close()
