"""What a proof reaches: the strongest one for the last act, nothing that a lost phone opened, nothing of a site that asks for more."""

import json

import pytest
from playwright.sync_api import expect

from api import Api
from authenticator import Authenticator, Liar
from browser import DESK, PHONE
from demo import ADA, MARTA, short_folder
from hub import OLGA, PASSWORD, Hub, Stream

PIA = "pia@example.com"


@pytest.fixture
def hub():
    with short_folder() as folder, Hub(folder) as hub:
        hub.first_run()
        yield hub


def add(api, phone):
    """Adds a passkey; answers what the hub calls it."""
    options = api.ok(api.post("/api/account/passkeys/options"))
    return api.ok(api.post("/api/account/passkeys", phone.register(options)))["id"]


def show(api, phone):
    """Proves by a passkey who holds a session."""
    options = api.ok(api.post("/api/session/proof/passkey/options"))
    assert api.post("/api/session/proof/passkey", phone.show(options)).status_code == 204
    return api


def enter(hub, phone):
    """A browser that signs in with a passkey."""
    api = Api(hub.url, browser=True)
    options = api.ok(api.post("/api/session/passkey/options"))
    assert api.post("/api/session/passkey", phone.show(options)).status_code == 201
    return api


def ask_for_passkeys(api, phone, site):
    show(api, phone)
    answer = api.http.patch(f"/api/sites/{site}", json={"secondFactor": True})
    assert answer.status_code == 200, answer.text


def problem(answer):
    return answer.status_code, answer.json()["type"].rsplit("/", 1)[1]


def cookie(api):
    return {"Cookie": f"soglia_session={api.http.cookies['soglia_session']}"}


def test_a_password_does_not_delete_an_account_that_has_a_passkey(hub):
    olga, phone = hub.browser(), Liar(hub.url)
    site = olga.sites()[0]["id"]
    olga.ok(olga.post(f"/api/sites/{site}/people", {
        "name": "Pia Neri", "email": PIA, "password": PASSWORD, "permission": "member"}))
    pia = hub.browser(PIA)
    add(pia, phone)
    thief = hub.browser(PIA)
    assert problem(thief.post("/api/account/delete", {"name": "Pia Neri"})) == (403, "second-factor-needed")
    for ask in (thief.http.get, thief.http.post):
        page = ask("/account/data/delete", headers={"Accept": "text/html"})
        assert page.status_code == 303 and "strong=1" in page.headers["location"], page.text
    assert pia.get("/api/account").status_code == 200
    assert show(thief, phone).post("/api/account/delete", {"name": "Pia Neri"}).status_code == 204
    assert pia.get("/api/account").status_code == 401
    for api in (olga, pia, thief):
        api.close()


def test_what_a_lost_phone_opened_or_was_shown_in_ends_with_its_passkey_and_who_removes_it_is_weak(hub):
    olga, lost, kept = hub.browser(), Liar(hub.url), Liar(hub.url)
    site = olga.sites()[0]["id"]
    id, _ = add(olga, lost), add(olga, kept)
    opened, shown, remover, other = enter(hub, lost), show(hub.browser(), lost), show(hub.browser(), lost), enter(hub, kept)
    ask_for_passkeys(olga, kept, site)
    streams = [Stream(hub, **cookie(api)).wait_for(b"event: hello") for api in (opened, shown, remover)]
    assert all(api.sites() for api in (opened, shown, remover, other))
    assert remover.http.delete(f"/api/account/passkeys/{id}").status_code == 204
    for stream in streams:
        stream.wait_for_end().close()
    assert opened.get("/api/sites").status_code == shown.get("/api/sites").status_code == 401
    assert remover.sites() == []
    assert problem(remover.get(f"/api/sites/{site}/people")) == (403, "second-factor-needed")
    assert problem(remover.post("/api/account/passkeys/options")) == (403, "fresh-proof-needed")
    assert olga.sites() and other.sites(), "what another passkey opened stays"
    for api in (olga, opened, shown, remover, other):
        api.close()


@pytest.mark.parametrize("proves", [False, True])
def test_a_session_that_removes_what_opened_it_goes_on_with_another_proof_alone(hub, proves):
    olga, phone = hub.browser(), Liar(hub.url)
    id = add(olga, phone)
    own = enter(hub, phone)
    if proves:
        assert own.post("/api/session/proof", {"password": PASSWORD}).status_code == 204
    assert own.http.delete(f"/api/account/passkeys/{id}").status_code == 204
    assert own.get("/api/account").status_code == (200 if proves else 401)
    assert olga.get("/api/account").status_code == 200
    olga.close(), own.close()


def test_a_renewed_session_ends_with_the_passkey_that_opened_it(hub):
    olga, phone = hub.browser(), Liar(hub.url)
    id = add(olga, phone)
    own = enter(hub, phone)
    assert own.http.get("/start").headers["location"].startswith("/start/renewed")
    assert own.http.get("/start/renewed").status_code == 303 and own.get("/api/account").status_code == 200
    assert olga.http.delete(f"/api/account/passkeys/{id}").status_code == 204
    assert own.get("/api/account").status_code == 401
    olga.close(), own.close()


def test_a_site_that_begins_to_ask_cuts_streams_and_repeats_that_do_not_meet_it(demo):
    demo.wait_until_ready()
    site, gate, ada = demo.site(), demo.gate(), demo.api(ADA)
    marta, phone = [Api(demo.url, browser=True).sign_in(one, demo.password(one)) for one in (MARTA, ADA)]
    keys = Liar(demo.url), Liar(demo.url)
    for api, key in zip((marta, phone), keys):
        add(api, key)
    weak = Stream(demo, Authorization=f"Bearer {ada.token}").wait_for(b"event: hello")
    strong = Stream(demo, **cookie(show(phone, keys[1]))).wait_for(b"event: hello")
    once = {"Idempotency-Key": "one tap"}
    first = ada.open(gate, headers=once)
    assert first["outcome"] == "opened" and ada.open(gate, headers=once) == first
    weak.wait_for(b"event: opening")
    strong.wait_for(b"event: opening")
    ask_for_passkeys(marta, keys[0], site)
    weak.wait_for_end().close()
    assert not strong.has_ended
    assert problem(ada.post(f"/api/gates/{gate}/open", headers=once)) == (403, "second-factor-needed")

    # A stream of the weak session that is opened now hears nothing of what its person does with the strong one.
    weak = Stream(demo, Authorization=f"Bearer {ada.token}").wait_for(b"event: hello")
    strong.received = b""
    assert phone.open(gate)["outcome"] == "opened"
    strong.wait_for(b"event: opening")
    assert marta.http.patch(f"/api/sites/{site}", json={"secondFactor": False}).status_code == 200
    assert ada.open(gate)["outcome"] == "opened"
    weak.wait_for(b"event: opening")
    assert weak.received.count(b"event: opening") == 1, "its own alone"
    for one in (marta, phone, weak, strong):
        one.close()


def test_ones_own_data_leaves_out_the_sites_that_ask_for_more_and_says_so(hub, chromium):
    olga, phone = hub.browser(), Liar(hub.url)
    site = olga.sites()[0]["id"]
    other = olga.ok(olga.post("/api/sites", {"name": "Deposito", "kind": "company", "zone": "Europe/Rome"}))["id"]
    gate = olga.ok(olga.post(f"/api/sites/{site}/gates", {"name": "Front door"}))["id"]
    olga.open(gate)
    add(olga, phone)
    weak = hub.browser()
    before = weak.ok(weak.get("/api/account/data"))
    own = [one for one in before["events"] if one["site"] == site]
    assert before["withheld"] == [] and {"membership.added", "opening.denied"} <= {one["kind"] for one in own}
    assert {one["site"] for one in before["memberships"]} == {site, other}
    ask_for_passkeys(olga, phone, site)
    told = weak.ok(weak.get("/api/account/data"))
    [withheld] = told.pop("withheld")
    assert withheld["site"] == site and withheld["name"] == "Casa Sarti" and "passkey" in withheld["why"]
    assert site not in json.dumps(told) and "Front door" not in json.dumps(told)
    assert {one["site"] for one in told["memberships"]} == {other} and told["account"] and told["passkeys"]
    strong = olga.ok(olga.get("/api/account/data"))
    assert strong["withheld"] == [] and own == [one for one in strong["events"] if one["site"] == site][:len(own)]
    for language, size, words in (("en", PHONE, "Casa Sarti"), ("it", DESK, "Casa Sarti"), ("es", PHONE, "Casa Sarti")):
        with chromium.visitor(hub.url, size, language) as visitor:
            visitor.context.add_cookies([
                {"name": "soglia_session", "value": weak.http.cookies["soglia_session"], "url": hub.url}])
            visitor.go("/account/data")
            expect(visitor.page.locator(".notice.wait")).to_contain_text(words)
            assert visitor.axe() == [] and not visitor.spills()
            visitor.page.click("main a[href*='strong=1']")
            visitor.page.wait_for_url("**/account/prove?**")
    olga.close(), weak.close()


def test_a_page_asks_for_the_passkey_before_it_says_what_goes(hub, chromium):
    with chromium.visitor(hub.url) as visitor:
        visitor.context.add_init_script("PublicKeyCredential.isConditionalMediationAvailable = async () => false")
        Authenticator(visitor)
        page = visitor.sign_in({"email": OLGA, "password": PASSWORD}).page
        visitor.go("/account/ways")
        page.click("passkey-add button")
        page.wait_for_url("**/account/ways?done=added")
        visitor.go("/account/data/delete")
        page.wait_for_url("**/account/prove?**strong=1**")
        expect(page.locator("main")).to_contain_text("passkey")
        assert visitor.axe() == []
        page.click("passkey-prove button")
        page.wait_for_url("**/account/data/delete")
        expect(page.locator(".notice.wait")).to_contain_text("only owner")
        assert visitor.complaints == []


def test_a_page_says_why_one_is_signed_out_and_goes_on_after_another_proof(hub, chromium):
    with chromium.visitor(hub.url, language="it") as visitor:
        visitor.context.add_init_script("PublicKeyCredential.isConditionalMediationAvailable = async () => false")
        Authenticator(visitor)
        page = visitor.sign_in({"email": OLGA, "password": PASSWORD}).page

        def remove(proves):
            visitor.go("/account/ways")
            page.click("passkey-add button")
            page.wait_for_url("**/account/ways?done=added")
            page.locator("form[action='/sign-out'] button").click()
            page.click("passkey-sign-in button")
            page.wait_for_url("**/gates")
            if proves:
                visitor.go("/account/prove?return=/account/ways")
                page.fill("main [name=password]", PASSWORD)
                page.click("main .thumb button[type=submit]")
                page.wait_for_url("**/account/ways")
            visitor.go("/account/ways")
            page.locator("li.card a.button").click()
            page.click("form[action$='/remove'] button")

        remove(proves=True)
        page.wait_for_url("**/account/ways?done=removed")
        remove(proves=False)
        page.wait_for_url("**/sign-in?signed-out=way")
        expect(page.get_by_role("status").first).to_contain_text("Aveva aperto questa sessione")
        assert visitor.axe() == [] and not visitor.spills()
        assert visitor.complaints == []
