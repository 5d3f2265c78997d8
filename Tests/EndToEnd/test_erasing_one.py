"""One person is erased, or deletes themselves, and no row of another person changes, whatever both are called."""

import contextlib
import sqlite3

import pytest
from playwright.sync_api import expect

from api import Api
from demo import short_folder
from hub import OLGA, PASSWORD, Hub

FIRST_PASSWORD = "a long first password"
# Names that stand inside other names, inside JSON, inside words of the hub, and inside SQL.
NAMES = [
    "e", "a", "A", "o", "i", "t", "0", "1", "-", ".", ",", ":", "{", "}", "[", '"', "'", "\\", "%", "_", "%%", "*", "?", "id", "en",
    "it", "es", "text", "title", "body", "true", "null", "Gate", "House", "Casa", "site", "person", "home", "notice", "alarm", "Ann",
    "Anna", "Joanna", "Annalisa", "anna", "Jo", "Olga", "Sarti", "'; DELETE FROM notices; --", "é",
]
# How each of some of them goes.
BY_AN_OWNER = ["e", "%", "Anna", '"', "_"]
BY_THEMSELVES = ["a", "Jo", "notice", "\\"]
# What the hub itself writes when it erases: its own chain and its place in it, each gate's rights, the owner's session.
MOVES = {"events", "heads", "followers", "sessions"}


def dump(data):
    """Every row of every table, as it stands."""
    with contextlib.closing(sqlite3.connect(f"file:{data}/soglia.sqlite?mode=ro", uri=True, timeout=10)) as database:
        database.execute("BEGIN")
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {(table, row) for table in tables for row in database.execute(f'SELECT * FROM "{table}"')}


def names(row, person):
    """Whether a row holds somebody's id, as bytes or as text."""
    cells = [cell.encode() if isinstance(cell, str) else cell for cell in row]
    return any(isinstance(cell, bytes) and (person.encode() in cell or bytes.fromhex(person) in cell) for cell in cells)


class Town:
    """A company and a house of Olga's with fifty people in both, and all that can be kept of them without a device."""

    def __init__(self, hub):
        hub.first_run()
        self.hub, self.olga = hub, hub.program()
        ok = self.olga.ok
        self.company = next(site["id"] for site in self.olga.sites())
        self.house = ok(self.olga.post("/api/houses", {
            "name": "Casa al mare", "zone": "Europe/Rome", "street": "Via Riva 1", "latitude": 45.5, "longitude": 9.2}))["site"]
        role = ok(self.olga.post(f"/api/sites/{self.company}/roles", {"name": "Guest of e", "level": 1, "gates": []}))["id"]
        # As whom the house knew them before they joined it.
        self.people, self.before = {}, {}
        for number, name in enumerate(NAMES):
            row = ok(self.olga.post(f"/api/sites/{self.company}/people", {
                "name": name, "email": f"p{number}@example.com", "password": FIRST_PASSWORD, "permission": "member",
                "role": role}))
            self.people[name] = row["person"]
            self.before[name] = self.olga.share(self.house, {
                "name": name, "email": f"p{number}@example.com", "password": FIRST_PASSWORD, "permission": "member"})["person"]
        for code, name in enumerate(("e", "Anna", "Joanna", "Annalisa", '"', "%", "Jo")):
            ok(self.olga.post(f"/api/sites/{self.house}/alarm-codes", {"name": name, "code": str(802_753 + code * 1_117)}))
        ok(self.olga.put(f"/api/sites/{self.house}/alarm-call", {
            "minutesBetween": None, "first": [self.people[name] for name in ("Joanna", BY_AN_OWNER[0], BY_THEMSELVES[0])], "emergency": "112", "test": None,
            "contacts": [{"name": name, "number": f"+39 0424 {number}"} for number, name in enumerate(("Joanna", "Anna's mum", "e"))]}))
        for title in ("Anna, Joanna and e: the gate is painted tomorrow", '100 % "sure"', "a_b\\c"):
            for site in (self.company, self.house):
                ok(self.olga.post(f"/api/sites/{site}/notices", {"title": title, "body": "person: null, true, é"}))
        # What each does of their own: a session, a read notice, how they want to be told.
        for name in (*BY_AN_OWNER, *BY_THEMSELVES, "Joanna", "Annalisa", "Ann", "é"):
            own = self.sign_in(name)
            ok(own.put("/api/account/notices", ok(own.get("/api/account/notices"))))
            notice = ok(own.get("/api/notices"))["items"][0]["id"]
            assert own.post(f"/api/notices/{notice}/read").status_code in (200, 204)
            own.close()

    def sign_in(self, name):
        return Api(self.hub.url).sign_in(f"p{NAMES.index(name)}@example.com", FIRST_PASSWORD)

    def erase(self, name):
        for site in (self.house, self.company):
            self.olga.ok(self.olga.post(f"/api/sites/{site}/people/{self.people[name]}/erase", {"name": name}))

    def delete(self, name):
        own = self.sign_in(name)
        assert own.post("/api/account/delete", {"name": name}).status_code == 204
        own.close()


@pytest.fixture(scope="module")
def town():
    with short_folder() as folder, Hub(folder) as hub:
        yield Town(hub)


@pytest.mark.parametrize("name", (*BY_AN_OWNER, *BY_THEMSELVES))
def test_no_row_of_another_changes(town, name):
    person, go = town.people[name], town.erase if name in BY_AN_OWNER else town.delete

    def is_theirs(row):
        return names(row, person) or names(row, town.before[name])

    before = dump(town.hub.data)
    assert any(names(row, person) for _, row in before) and any(names(row, town.before[name]) for _, row in before)
    go(name)
    after = dump(town.hub.data)
    assert [table for table, row in after if is_theirs(row)] == []
    # Payloads of events about a person lie beside the events, whose ids lead to them.
    emptied = {row[0] for table, row in before - after if table == "event_payloads" and is_theirs(row)}
    strangers = sorted(
        (table, row) for table, row in before - after
        if table not in MOVES and not is_theirs(row) and row[0] not in emptied)
    assert strangers == []


def test_what_everybody_was_told_is_still_there(town):
    own = town.sign_in("Annalisa")
    titles = [item["title"] for item in own.ok(own.get("/api/notices"))["items"]]
    own.close()
    assert len(titles) == 6
    codes = town.olga.ok(town.olga.get(f"/api/sites/{town.house}/alarm-codes"))["items"]
    assert [code["name"] for code in codes] == ["e", "Anna", "Joanna", "Annalisa", '"', "%", "Jo"]
    contacts = town.olga.ok(town.olga.get(f"/api/sites/{town.house}/alarm-call"))["contacts"]
    assert [contact["name"] for contact in contacts] == ["Joanna", "Anna's mum", "e"]


def test_the_owner_sees_what_no_id_leads_to_and_goes_there(town, chromium):
    name = "Joanna"
    with chromium.visitor(town.hub.url) as visitor:
        visitor.sign_in({"email": OLGA, "password": PASSWORD})
        visitor.go(f"/sites/{town.house}/people/{town.people[name]}/erase")
        review = visitor.page.locator("section", has_text="What to check yourself")
        expect(review).to_contain_text("Joanna, Annalisa")
        assert visitor.axe() == [] and visitor.complaints == []
        review.get_by_role("link", name="Codes").click()
        expect(visitor.page).to_have_url(f"{town.hub.url}/houses/{town.house}/safety/settings")
    answer = town.olga.ok(town.olga.post(f"/api/sites/{town.house}/people/{town.people[name]}/erase", {"name": name}))
    assert {"kind": "alarmCodes", "text": "Joanna"} in answer["toReview"]
    assert {"kind": "alarmContacts", "text": "Anna's mum"} in answer["toReview"]
