"""A phone opens the account: added, used to sign in, to prove, to open what asks for it; and whoever imitates it gets nowhere."""

import pytest
from playwright.sync_api import expect

from authenticator import Authenticator
from demo import short_folder
from hub import OLGA, PASSWORD, Hub

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
