"""Signing in by another service's word: with a provider that others wrote, with one that is wrong in every way, and with a Facebook."""

import contextlib
import re
import sqlite3
import subprocess

import pytest
from playwright.sync_api import expect

import glewlwyd
from api import Api
from browser import DESK, PHONE
from demo import PROGRAM, short_folder
from hub import OLGA, PASSWORD, Hub
from patience import PATIENCE

GIULIA = "giulia.ferri@example.com"


def add(data, name, provider, issuer, *more):
    """As whoever runs a hub does it: the secret is no argument."""
    done = subprocess.run(
        [PROGRAM, "admin", "provider", "add", name, "--data", data, "--client-id", provider.client_id, "--issuer", issuer,
         "--name", name.capitalize(), *more], input=provider.client_secret, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert provider.client_secret not in done.stdout + done.stderr
    return done.stdout


@contextlib.contextmanager
def hub_with(folder, *services):
    """A hub in a folder, with one owner and some services to sign in by; they are on this machine, as in the demo alone."""
    data = folder / "d"
    for service in services:
        add(data, *service)
    with Hub(folder, "--demo") as hub:
        hub.first_run()
        yield hub


def registration(hub, answer):
    """Lets strangers make themselves an account, or not."""
    with contextlib.closing(sqlite3.connect(hub.data / "soglia.sqlite", timeout=PATIENCE)) as database, database:
        database.execute(
            "INSERT INTO hub VALUES ('registration', ?) ON CONFLICT DO UPDATE SET value = excluded.value", (answer.encode(),))


def cards(visitor):
    return visitor.page.locator("main li.card")


# MARK: a provider that others wrote


@pytest.fixture(scope="module")
def debian():
    with short_folder() as folder, glewlwyd.Provider(folder) as provider:
        yield provider


@pytest.fixture(scope="module")
def house(debian):
    with short_folder() as folder, hub_with(folder, ("debian", debian, debian.issuer)) as hub:
        debian.allow(f"{hub.url}/sign-in/by/debian/callback")
        yield hub


def test_a_person_links_a_service_comes_in_by_it_and_unlinks_it(house, debian, chromium):
    with chromium.visitor(house.url) as olga:
        olga.go("/account/ways")
        expect(olga.page.get_by_role("button", name="Continue with Debian")).to_be_visible()
        assert olga.axe() == [] and not olga.scrolls_sideways()

        # Nobody is linked with it yet, and strangers may not come in.
        olga.page.get_by_role("button", name="Continue with Debian").click()
        debian.sign_in_in(olga.page)
        expect(olga.page.locator("main")).to_contain_text("No account here is linked with this one at Debian")
        assert olga.axe() == []
        olga.go("/")
        expect(olga.page).to_have_url(re.compile("/sign-in"))

        # Olga, who is in by her password, links it.
        olga.sign_in({"email": OLGA, "password": PASSWORD})
        olga.go("/account/ways")
        olga.page.get_by_role("button", name="Link Debian").click()
        debian.sign_in_in(olga.page)
        expect(olga.page.locator(".notice.go")).to_contain_text("Added")
        expect(cards(olga)).to_contain_text([GIULIA])
        assert olga.axe() == [] and not olga.scrolls_sideways()
        assert olga.page.url == f"{house.url}/account/ways?done=added", "nothing of the way back stays in the address"

        # From now on it lets her in, and to where she was going.
        olga.context.clear_cookies(domain="localhost", name="soglia_session")
        olga.go("/account/sessions")
        olga.page.get_by_role("button", name="Continue with Debian").click()
        debian.sign_in_in(olga.page)
        expect(olga.page).to_have_url(f"{house.url}/account/sessions")
        expect(olga.page.locator("body")).to_contain_text("Olga Sarti")

        # It also proves who she is; she is asked for her password there once more.
        olga.go("/account/prove?return=/account/sessions")
        assert olga.axe() == []
        olga.go("/account/prove?return=/account/ways")
        olga.page.get_by_role("button", name="Show it with Debian").click()
        expect(olga.page.locator("#username, #password").first).to_be_visible()
        debian.sign_in_in(olga.page)
        expect(olga.page).to_have_url(f"{house.url}/account/ways")

        olga.page.get_by_role("button", name="Unlink").click()
        expect(olga.page.locator(".notice.go")).to_contain_text("Removed")
        expect(cards(olga)).to_have_count(0)
        assert olga.complaints == []


def test_a_stranger_gets_an_account_where_strangers_may_and_keeps_the_last_way_in(house, debian, chromium):
    registration(house, "open")
    with chromium.visitor(house.url, language="it", scheme="dark") as giulia:
        giulia.go("/sign-in")
        assert giulia.axe() == []
        giulia.page.get_by_role("button", name="Continua con Debian").click()
        debian.sign_in_in(giulia.page)
        expect(giulia.page).to_have_url(f"{house.url}/")
        giulia.go("/account/ways")
        expect(giulia.page.locator("body")).to_contain_text("Giulia Ferri")
        assert giulia.axe() == []
        giulia.page.get_by_role("button", name="Scollega").click()
        expect(giulia.page.locator(".notice.no")).to_contain_text("È il tuo unico modo di entrare")
        expect(cards(giulia)).to_have_count(1)
        assert giulia.complaints == []
    registration(house, "closed")
