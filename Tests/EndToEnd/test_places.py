"""My places: each site by what it is, unmistakable on every page; and the app on the phone: how to put it there, how it is renewed."""

import re

import pytest
from playwright.sync_api import expect

from browser import DESK, PHONE, TABLET
from demo import ADA, CARLO, MARTA

PASSWORD = "a long first password"
KINDS = {"company": "Company", "building": "Building", "centre": "Shopping centre", "home": "Home"}
NAMES = {"building": "Via Roma 12", "centre": "Centro Vialia", "home": "Casa al mare"}


@pytest.fixture(scope="module")
def four(demo):
    """Somebody with a place of each kind."""
    marta = demo.api(MARTA)
    body = {"name": "Flora Fourplaces", "email": "flora@example.com", "password": PASSWORD, "permission": "member"}
    marta.ok(marta.post(f"/api/sites/{demo.site()}/people", body))
    for kind, name in NAMES.items():
        site = marta.ok(marta.post("/api/sites", {"name": name, "kind": kind, "zone": "Europe/Rome"}))["id"]
        marta.share(site, body)
    return {"email": "flora@example.com", "password": PASSWORD}


@pytest.mark.parametrize("size, language, title", [
    (PHONE, "en", "My places"), (PHONE, "es", "Mis lugares"), (TABLET, "it", "I miei luoghi"), (DESK, "es", "Mis lugares")])
def test_each_place_is_shown_by_what_it_is(demo, four, chromium, size, language, title):
    with chromium.visitor(demo.url, size, language, "dark" if language == "es" else "light").sign_in(four) as visitor:
        expect(visitor.page.locator("h1")).to_have_text(title)
        cards = visitor.page.locator(".place")
        expect(cards).to_have_count(4)
        signs = cards.locator(".kind svg").evaluate_all("all => all.map(one => one.innerHTML)")
        assert len(set(signs)) == 4, "a sign of its own for each"
        if language == "en":
            for kind, word in KINDS.items():
                name = NAMES.get(kind, "Officine Rossi")
                expect(cards.filter(has_text=name).locator(".kind-word")).to_have_text(word)
        assert visitor.axe() == [] and not visitor.spills()
        assert visitor.complaints == []


def test_every_page_of_a_place_says_which_and_leads_back(demo, four, chromium):
    demo.wait_until_ready()
    with chromium.visitor(demo.url).sign_in(four) as visitor:
        page = visitor.page
        page.click("text=Casa al mare")
        expect(page.locator(".where")).to_contain_text("Casa al mare")
        expect(page.locator(".where .kind-word")).to_have_text("Home")
        expect(page).to_have_title(re.compile(r"Casa al mare \(Home\)"))
        page.click(".where a")
        page.wait_for_url("**/places")
        page.click("text=Officine Rossi")
        expect(page).to_have_title(re.compile(r"Officine Rossi \(Company\)"))
        assert visitor.axe() == []


def test_whoever_has_one_place_goes_straight_in_and_finds_the_way_back(demo, chromium):
    demo.wait_until_ready()
    with chromium.visitor(demo.url).sign_in(demo.account(ADA)) as visitor:
        page = visitor.page
        assert page.url.endswith("/gates")
        page.click(".where a")
        page.wait_for_url("**/places")
        expect(page.locator(".place")).to_have_count(1)
        expect(page.locator(".place .chip")).to_be_visible()
        # By keyboard alone: to what can be opened first, and in.
        link = page.locator(".place .first a")
        expect(link).to_be_visible()
        link.focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/gates/*")
        expect(page.locator("main")).to_contain_text("Officine Rossi")
        assert visitor.axe() == []


def test_whose_access_is_to_begin_reads_so_and_whom_to_ask(demo, chromium):
    marta, site = demo.api(MARTA), demo.site()
    row = marta.ok(marta.post(f"/api/sites/{site}/people", {
        "name": "Nora Neu", "email": "nora.neu@example.com", "password": PASSWORD, "permission": "member"}))
    other = marta.ok(marta.post("/api/sites", {"name": "Kurz", "kind": "home", "zone": "Europe/Rome"}))["id"]
    marta.share(other, {
        "name": "Nora Neu", "email": "nora.neu@example.com", "password": PASSWORD, "permission": "member", "firstDay": "2100-01-01"})
    marta.post(f"/api/sites/{site}/people/{row['person']}/erase", {"name": "Nora Neu"})
    with chromium.visitor(demo.url).sign_in({"email": "nora.neu@example.com", "password": PASSWORD}) as visitor:
        visitor.go("/places")
        expect(visitor.page.locator(".empty")).to_contain_text("No place is open to you today")
        expect(visitor.page.locator(".empty")).to_contain_text("Your access has ended, or has not begun.")
        assert visitor.axe() == []


# MARK: the app

OFFER = """() => {
    const event = new Event('beforeinstallprompt', { cancelable: true })
    event.prompt = async () => { window.asked = true }
    event.userChoice = Promise.resolve({ outcome: 'dismissed' })
    dispatchEvent(event)
}"""


def test_the_hint_to_install_comes_where_it_can_be_and_stays_away_when_it_was_put_away(demo, chromium):
    with chromium.visitor(demo.url).sign_in(demo.account(CARLO)) as visitor:
        page, hint = visitor.page, visitor.page.locator("install-hint")
        visitor.go("/places")
        page.wait_for_load_state("load")
        expect(hint).to_be_hidden()
        page.evaluate(OFFER)
        expect(hint).to_be_visible()
        assert visitor.axe() == []
        page.click("text=Put it there")
        page.wait_for_function("() => window.asked")
        page.evaluate(OFFER)
        page.click("text=Not now")
        expect(hint).to_be_hidden()
        page.reload()
        page.wait_for_load_state("load")
        page.evaluate(OFFER)
        expect(hint).to_be_hidden()
        assert visitor.complaints == []


def test_on_an_iphone_the_hint_says_what_to_do_by_hand(demo, chromium):
    context = chromium.context(
        base_url=demo.url, viewport=PHONE, locale="it-IT",
        user_agent="Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1")
    page = context.new_page()
    account = demo.account(CARLO)
    page.goto("/sign-in")
    page.fill("[name=email]", account["email"])
    page.fill("[name=password]", account["password"])
    page.click("main button[type=submit]")
    page.goto("/places")
    expect(page.locator("install-hint")).to_contain_text("Tocca Condividi, poi Aggiungi alla schermata Home.")
    expect(page.locator("install-hint [data-part=install]")).to_be_hidden()
    chromium.let_go(context)


def test_a_page_that_is_open_says_when_there_is_a_newer_version(demo, chromium):
    with chromium.visitor(demo.url).sign_in(demo.account(CARLO)) as visitor:
        page = visitor.page
        visitor.go("/places")
        page.wait_for_load_state("load")
        page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
        bar = page.locator("app-update")
        change = "() => navigator.serviceWorker.dispatchEvent(new Event('controllerchange'))"
        with page.expect_response("**/service-worker.js") as answered:
            page.evaluate(change)
        assert answered.value.status == 304, "the same version: nothing is said"
        expect(bar.locator("button")).to_be_hidden()
        page.route("**/service-worker.js", lambda route: route.fulfill(
            status=200, headers={"ETag": '"another"'}, content_type="text/javascript", body=""))
        page.evaluate(change)
        expect(bar).to_contain_text("There is a newer version.")
        assert visitor.axe() == []
        page.unroute("**/service-worker.js")
        with page.expect_navigation():
            bar.locator("button").click()
        expect(bar.locator("button")).to_be_hidden()
        assert visitor.complaints == []
