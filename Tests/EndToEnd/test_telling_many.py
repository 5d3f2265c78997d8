"""A manager tells some of 302 people something: whom they do not see at once, they find, and what was ticked stays ticked."""

import re

import pytest
from playwright.sync_api import expect

from browser import DESK, PHONE
from demo import short_folder
from hub import OLGA, PASSWORD, Hub
from people_files import csv, row

PEOPLE = 301   # and Olga
ACCOUNT = {"email": OLGA, "password": PASSWORD}


def address(number):
    return f"person{number}@import.example.com"


@pytest.fixture(scope="module")
def hub():
    with short_folder() as folder, Hub(folder) as hub:
        hub.first_run()
        hub.olga = hub.program()
        hub.site = hub.olga.sites()[0]["id"]
        rows = [row(number, role="") for number in range(PEOPLE - 1)]
        # Of two memberships, and last of all by name.
        rows += [row(PEOPLE - 1, role="") | {"Name": "Zz Top"}, row(PEOPLE - 1, role="", permission="guest") | {"Name": "Zz Top"}]
        draft = hub.olga.ok(hub.olga.http.post(
            f"/api/sites/{hub.site}/people/import", content=csv(rows).encode(), headers={"Content-Type": "text/csv"}))
        assert hub.olga.ok(hub.olga.post(f"/api/sites/{hub.site}/people/import/{draft['id']}"))["state"] == "done"
        hub.path = f"/sites/{hub.site}/notices"
        yield hub
        hub.olga.close()


def told(hub, id):
    return sorted(one["name"] for one in hub.olga.ok(hub.olga.get(f"/api/notices/{id}/delivery"))["recipients"])


def sent(visitor):
    """The notice whose page is open."""
    expect(visitor.page.get_by_text("Sent.")).to_be_visible()
    return re.search(r"notices/([0-9a-f-]+)", visitor.page.url).group(1)


def find(visitor, words):
    visitor.page.get_by_label("Find people").fill(words)
    visitor.page.get_by_role("button", name="Find", exact=True).click()


def test_anybody_is_found_and_ticked_on_a_phone_without_script_and_nothing_is_lost(hub, chromium):
    with chromium.visitor(hub.url, PHONE, javascript=False) as olga:
        page = olga.page
        olga.sign_in(ACCOUNT)
        olga.go(hub.path)
        expect(page.get_by_text("1–30 of 302 people")).to_be_visible()
        page.get_by_label("Title").fill("The lift stands still")
        page.get_by_label("Text").fill("Use the stairs, please.")
        page.get_by_label("How urgent").select_option("high")
        find(olga, address(299))
        page.get_by_label("Number-299").check()
        find(olga, "zz t")
        expect(page.get_by_label("Zz Top")).to_have_count(1)
        page.get_by_label("Zz Top").check()
        find(olga, "nobody of this name")
        expect(page.get_by_text("Nobody here today has this name")).to_be_visible()
        expect(page.get_by_text("2 people chosen")).to_be_visible()
        expect(page.get_by_label("Everybody who is here today")).to_be_in_viewport()
        for name in ("Number-299", "Zz Top"):
            expect(page.get_by_label(name)).to_be_checked()
        expect(page.get_by_label("Title")).to_have_value("The lift stands still")
        expect(page.get_by_label("Text")).to_have_value("Use the stairs, please.")
        expect(page.get_by_label("How urgent")).to_have_value("high")
        expect(page.get_by_label("Everybody who is here today")).not_to_be_checked()
        assert not olga.spills()
        page.get_by_role("button", name="Send", exact=True).click()
        assert told(hub, sent(olga)) == ["Björn Number-299", "Zz Top"]


def test_every_page_of_people_is_reached_and_what_was_ticked_is_unticked_again(hub, chromium):
    with chromium.visitor(hub.url, DESK) as olga:
        page = olga.page
        olga.sign_in(ACCOUNT)
        olga.go(hub.path)
        assert not olga.axe()
        page.get_by_label("Title").fill("Keys")
        seen = set()
        first = page.locator("input[name=person]").first
        name = first.locator("xpath=..").inner_text()
        first.check()
        while True:
            seen |= set(page.eval_on_selector_all("input[name=person]", "all => all.map(one => one.value)"))
            following = page.get_by_role("button", name="Next people")
            if following.count() == 0:
                break
            following.click()
            page.wait_for_load_state()
        assert len(seen) == 302
        assert not olga.axe() and not olga.spills()
        page.get_by_role("button", name="Previous people").click()
        expect(page.get_by_text("271–300 of 302 people")).to_be_visible()
        expect(page.get_by_text("1 person chosen")).to_be_visible()
        assert page.locator("input[name=person]:checked").locator("xpath=..").inner_text() == name
        page.locator("input[name=person]:checked").uncheck()
        page.get_by_role("button", name="Send", exact=True).click()
        expect(page.get_by_text("Choose people who are here today").first).to_be_visible()
        assert not olga.axe() and not olga.complaints


def test_by_keyboard_alone_enter_finds_and_sends_nothing(hub, chromium):
    before = len(hub.olga.ok(hub.olga.get("/api/notices"))["items"])
    with chromium.visitor(hub.url, DESK) as olga:
        page = olga.page
        olga.sign_in(ACCOUNT)
        olga.go(hub.path)
        page.get_by_label("Title").fill("For one")
        page.get_by_label("Find people").focus()
        page.keyboard.type(address(7))
        page.keyboard.press("Enter")
        expect(page.get_by_text("1 person", exact=True)).to_be_visible()
        expect(page.get_by_label("Everybody who is here today")).to_be_in_viewport()
        box = page.get_by_label("Number-7")
        for _ in range(6):
            page.keyboard.press("Tab")
            if box.evaluate("one => one === document.activeElement"):
                break
        page.keyboard.press("Space")
        expect(box).to_be_checked()
        assert len(hub.olga.ok(hub.olga.get("/api/notices"))["items"]) == before
        page.get_by_role("button", name="Send", exact=True).focus()
        page.keyboard.press("Enter")
        assert told(hub, sent(olga)) == ["Tomás Number-7"]


def test_everybody_and_some_people_at_once_is_refused_and_tells_nobody(hub, chromium):
    before = len(hub.olga.ok(hub.olga.get("/api/notices"))["items"])
    with chromium.visitor(hub.url, PHONE) as olga:
        page = olga.page
        olga.sign_in(ACCOUNT)
        olga.go(hub.path)
        page.get_by_label("Title").fill("For one")
        page.locator("input[name=person]").first.check()
        page.get_by_role("button", name="Send", exact=True).click()
        expect(page.get_by_text("Choose everybody or some people").first).to_be_visible()
        assert not olga.axe()
        assert len(hub.olga.ok(hub.olga.get("/api/notices"))["items"]) == before
        page.get_by_label("Everybody who is here today").uncheck()
        page.get_by_role("button", name="Send", exact=True).click()
        assert len(told(hub, sent(olga))) == 1


def test_a_program_tells_any_member_or_each_of_them(hub):
    people, offset = {}, 0
    while offset is not None:
        found = hub.olga.ok(hub.olga.get(f"/api/sites/{hub.site}/people", params={"offset": offset}))
        people |= {one["person"]: one["name"] for one in found["items"]}
        offset = found["next"]
    assert len(people) == 302
    path = f"/api/sites/{hub.site}/notices"
    last = next(person for person, name in people.items() if name == "Zz Top")
    assert told(hub, hub.olga.ok(hub.olga.post(path, {"title": "One", "people": [last]}))["id"]) == ["Zz Top"]
    for chosen in (list(people), None):
        id = hub.olga.ok(hub.olga.post(path, {"title": "All", "people": chosen}))["id"]
        assert told(hub, id) == sorted(people.values())


@pytest.mark.parametrize("language, heading, words", [
    ("it", "Avvisa le persone", "1–30 di 302 persone"), ("es", "Avisar a la gente", "1–30 de 302 personas")])
def test_the_choice_speaks_each_language(hub, chromium, language, heading, words):
    with chromium.visitor(hub.url, PHONE, language=language, scheme="dark") as olga:
        olga.sign_in(ACCOUNT)
        olga.go(hub.path)
        olga.page.get_by_role("button", name={"it": "Italiano", "es": "Español"}[language]).click()
        olga.go(hub.path)
        expect(olga.page.get_by_role("heading", level=1, name=heading)).to_be_visible()
        expect(olga.page.get_by_text(words)).to_be_visible()
        assert not olga.axe() and not olga.spills() and not olga.complaints
        olga.page.get_by_role("button", name="English").click()
