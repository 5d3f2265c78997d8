"""The first days of a new user, on a phone: an account by mail, a passkey, another service's word, a forgotten password, and a
notice that opens a door."""

import subprocess
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

import glewlwyd
from authenticator import Authenticator
from browser import PHONE, Chromium
from demo import PROGRAM, run, short_folder, wait_until
from hub import Hub
from identity import Identity
from post_office import PostOffice, text_of
from push_endpoint import PushService
from test_letters import ORIGIN, path_of, set_up
from test_new_manager import broker_of
from test_passkeys import NO_OFFERS, sign_out
from test_push import arrive, own_api, shown, subscribe, tap
from test_sign_in_by_others import add as add_service

BROWSER = Chromium.WHOLE   # notifications are shown

GATE = "Cellar"
PASSWORD, NEW_PASSWORD = "a heron over the canal", "two herons over the canal"


@pytest.fixture(scope="module")
def place():
    """A hub with mail, a service to sign in by, open registration and a gate; everything on this machine, as in the demo."""
    with (short_folder() as folder, PostOffice(Identity(folder / "mail")) as office, short_folder() as elsewhere,
          glewlwyd.Provider(elsewhere) as debian, PushService() as push):
        data = set_up(folder, office, authority=folder / "mail/authority.pem")
        add_service(data, "debian", debian, debian.issuer)
        with Hub(folder, "--demo") as hub:
            hub.first_run()
            debian.allow(f"{hub.url}/sign-in/by/debian/callback")
            assert run("admin", "registration", "open", "--data", hub.data).returncode == 0
            olga = hub.program()
            site = olga.sites()[0]["id"]
            gate = olga.ok(olga.post(f"/api/sites/{site}/gates", {"name": GATE, "policy": "doors"}))["id"]
            role = olga.ok(olga.post(f"/api/sites/{site}/roles", {"name": "Cellarer", "level": 1, "gates": [gate]}))["id"]
            assert olga.put(f"/api/sites/{site}/gates/{gate}/check-in", {"proof": "none"}).status_code == 200
            code = olga.ok(olga.post(f"/api/sites/{site}/gates/{gate}/pairing"))["code"]
            controller = subprocess.Popen(
                [PROGRAM, "gate", "--data", folder / "g", "--hub", broker_of(folder), "--pair", "-"],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            controller.stdin.write(code.encode() + b"\n")
            controller.stdin.close()
            try:
                wait_until(lambda: olga.gates()[0]["state"] == "ready", what="the gate")
                yield SimpleNamespace(
                    hub=hub, office=office, debian=debian, push=push, olga=olga, site=site, role=role, gate=gate)
            finally:
                controller.terminate()
                controller.wait()
                olga.close()


def letter(place, address, path):
    """The newest letter to an address with a link below a path: the link, as a path of the hub."""
    def look():
        links = [path_of(one.message) for one in place.office.received
                 if address in one.recipients and f"{ORIGIN}{path}/" in text_of(one.message)]
        return links and links[-1]
    return wait_until(look, what=f"a letter that leads to {path}")


def submit(visitor, form):
    visitor.page.locator(f"main form[action='{form}'] button[type=submit]").click()


@pytest.mark.parametrize("language", ["en", "it", "es"])
def test_a_new_user_comes_in_by_every_way_and_acts_from_a_notice(place, chromium, language):
    address = f"nina.{language}@example.org"
    with chromium.visitor(place.hub.url, PHONE, language) as nina:
        page = nina.page
        nina.context.add_init_script(NO_OFFERS)
        phone = Authenticator(nina)

        # An account, by mail: it is there when its address has been shown to be hers.
        nina.go("/register")
        page.fill("[name=name]", "Nina Serra")
        page.fill("[name=email]", address)
        page.click("main button[type=submit]")
        nina.go(letter(place, address, "/register"))
        page.fill("[name=password]", PASSWORD)
        submit(nina, "/register/confirm")
        page.wait_for_url(lambda url: "/register" not in url)
        expect(page.locator("main")).to_contain_text(address)   # no place yet: whom to tell, and what
        assert nina.axe() == [] and not nina.spills()

        # A passkey; out; in by it, without an address.
        nina.go("/account/ways")
        page.click("passkey-add button")
        page.wait_for_url("**/account/ways?done=added")
        assert len(phone.credentials()) == 1
        sign_out(nina)
        page.click("passkey-sign-in button")
        page.wait_for_url(lambda url: "/sign-in" not in url)

        # Another service's word is linked, lets her in, and is unlinked again.
        nina.go("/account/ways")
        page.locator("form[action$='/debian/link'] button, form[action*='debian'] button").first.click()
        place.debian.sign_in_in(page)
        page.wait_for_url("**/account/ways?done=added")
        expect(page.locator("main li.card")).to_have_count(2)
        assert nina.axe() == [] and not nina.spills()
        sign_out(nina)
        page.locator("form[action='/sign-in/by/debian'] button").click()
        place.debian.sign_in_in(page)
        page.wait_for_url(lambda url: "/sign-in" not in url)
        nina.go("/account/ways")
        page.locator("main li.card", has_text="giulia.ferri").get_by_role("button").click()
        # What it opened ends with it: this session, in which nothing else was shown.
        page.wait_for_url("**/sign-in?signed-out=way")
        page.click("passkey-sign-in button")
        page.wait_for_url(lambda url: "/sign-in" not in url)
        nina.go("/account/ways")
        expect(page.locator("main li.card")).to_have_count(1)

        # The password is forgotten, and chosen anew by a letter; the old one is worth nothing then.
        sign_out(nina)
        nina.go("/forgotten")
        page.fill("[name=email]", address)
        page.click("main button[type=submit]")
        nina.go(letter(place, address, "/reset"))
        page.fill("[name=password]", NEW_PASSWORD)
        submit(nina, "/reset")
        page.wait_for_url(lambda url: "/reset" not in url)
        assert place.hub.program(address, NEW_PASSWORD)
        with pytest.raises(AssertionError):
            place.hub.program(address, PASSWORD)
        sign_out(nina)

        # She gets a place, and a notice with an action, which opens its gate.
        person = place.olga.ok(place.olga.post(f"/api/sites/{place.site}/people", {
            "name": "Nina Serra", "email": address, "permission": "member", "role": place.role,
            "firstDay": None, "lastDay": None}))
        assert person
        deliver = arrive(nina, SimpleNamespace(
            url=place.hub.url, account=lambda _: {"email": address, "password": NEW_PASSWORD}), address)
        nina.go(letter(place, address, "/join"))
        submit(nina, "/join")
        page.wait_for_url(lambda url: "/join" not in url)
        api = own_api(nina, SimpleNamespace(url=place.hub.url))
        device = subscribe(api, place.push)
        answer = api.post(f"/api/gates/{place.gate}/check-in-notice")
        assert answer.status_code == 201, answer.text
        device.wait_for_message()
        deliver(device.messages[-1].data.decode())
        question = shown(nina)
        assert question["actions"]
        tap(nina, "check-in")
        outcome = shown(nina, lambda one: not one["actions"])
        assert outcome["title"] != question["title"]
        opened = [event for event in place.olga.events(place.site) if event["kind"] == "opening.opened"]
        assert opened[-1]["payload"]["gate"] == place.gate
        api.close()
        assert nina.complaints == []
