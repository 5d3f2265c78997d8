"""Invitations: an address is never taken for the account that may have it, and rights begin when its holder joins."""

import contextlib
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from api import Api
from browser import DESK, PHONE
from demo import run, short_folder, wait_until
from hub import OLGA, PASSWORD, Hub
from post_office import PostOffice, link_in, text_of
from test_letters import ORIGIN, set_up

NEW = "a threshold in the evening"
ANOTHER = "the third step creaks"


class Place:
    """A hub with two sites of Olga's."""

    def __init__(self, hub, office=None):
        self.hub, self.office = hub, office
        self.olga = hub.program()
        self.first = self.olga.sites()[0]["id"]
        self.second = self.olga.ok(self.olga.post(
            "/api/sites", {"name": "Depot", "kind": "company", "zone": "Europe/Rome"}))["id"]
        self.number = 0

    def address(self):
        self.number += 1
        return f"person{self.number}@example.org"

    def add(self, site, address, name="Ivo Longo", password=None, permission="member"):
        return self.olga.post(f"/api/sites/{site}/people", {
            "name": name, "email": address, "password": password, "permission": permission, "role": None,
            "firstDay": None, "lastDay": None})

    def letter(self, address):
        """The code in the newest letter to an address."""
        link = link_in(self.office.wait_for(address))
        assert link.startswith(ORIGIN + "/join/"), link
        return urlsplit(link).path.rsplit("/", 1)[1]

    def paper(self, site, row):
        return self.olga.ok(self.olga.post(
            f"/api/sites/{site}/people/{row['membership']}/invitation", {"way": "paper"}))["code"]

    def join(self, code, **fields):
        """The form of the page, by a stranger."""
        stranger = Api(self.hub.url, browser=True)
        answer = stranger.http.post("/join", data={"code": code} | fields)
        stranger.close()
        return answer

    def sign_in(self, address, password):
        program = Api(self.hub.url)
        answer = program.post("/api/session", {"email": address, "password": password, "program": True})
        if answer.status_code != 201:
            return None
        program.http.headers["Authorization"] = f"Bearer {answer.json()['token']}"
        return program

    def sites_of(self, program):
        return {site["id"] for site in program.sites()}

    def look(self, query, *values):
        with contextlib.closing(sqlite3.connect(f"file:{self.hub.data}/soglia.sqlite?mode=ro", uri=True)) as database:
            return database.execute(query, values).fetchall()


@pytest.fixture(scope="module")
def place():
    with short_folder() as folder, PostOffice() as office:
        set_up(folder, office, "--plain")
        with Hub(folder) as hub:
            hub.first_run()
            yield Place(hub, office)


@pytest.fixture(scope="module")
def without_mail():
    with short_folder() as folder, Hub(folder) as hub:
        hub.first_run()
        yield Place(hub)


def confirmed(place, name="Carla Neri"):
    """Somebody with an account whose address is shown to be theirs, at the first site."""
    address = place.address()
    place.olga.ok(place.add(place.first, address, name))
    assert place.join(place.letter(address), name=name, password=NEW).status_code == 303
    return address


def test_a_prepared_account_gets_no_right_at_another_site(place):
    victim = place.address()
    place.olga.ok(place.add(place.first, victim, "Prepared", password=PASSWORD))
    prepared = place.sign_in(victim, PASSWORD)
    assert place.sites_of(prepared) == {place.first}
    place.olga.ok(place.add(place.second, victim, "Vera Riva", permission="manager"))
    code = place.letter(victim)
    assert place.sites_of(prepared) == {place.first}
    # Also whoever is signed in to it and has the letter in hand chooses the ways in anew first.
    answer = prepared.post("/api/account/join", {"code": code})
    assert answer.status_code == 403 and "choose a password first" in answer.text
    assert place.sites_of(prepared) == {place.first}
    assert place.join(code, name="Vera Riva", password=NEW).status_code == 303
    assert prepared.get("/api/sites").status_code == 401, "the session of whoever prepared it has ended"
    assert place.sign_in(victim, PASSWORD) is None
    vera = place.sign_in(victim, NEW)
    assert place.sites_of(vera) == {place.first, place.second}
    prepared.close(), vera.close()


def test_who_adds_a_known_address_learns_nothing_of_its_holder(place):
    known, unknown = confirmed(place, "Carla Neri"), place.address()
    [(person,)] = place.look("SELECT id FROM people WHERE email = ?", known)
    rows = [place.olga.ok(place.add(place.second, address, "Somebody")) for address in (known, unknown)]
    assert rows[0]["person"] != person.hex() and person.hex() not in str(rows[0]).replace("-", "")
    for row, address in zip(rows, (known, unknown)):
        assert row.pop("email") == address
        row.pop("person"), row.pop("membership")
    assert rows[0] == rows[1] and rows[0]["name"] == "Somebody" and rows[0]["hasJoined"] is False
    # Nobody is a member unasked, and a first password is no sign either.
    third = place.olga.ok(place.olga.post("/api/sites", {"name": "Third", "kind": "company", "zone": "Europe/Rome"}))["id"]
    answers = [place.add(third, address, "Somebody", password=ANOTHER).json() for address in (known, place.address())]
    assert {name: answers[0][name] for name in ("name", "permission", "hasJoined")} == {
        name: answers[1][name] for name in ("name", "permission", "hasJoined")}
    carla = place.sign_in(known, NEW)
    assert place.sites_of(carla) == {place.first} and place.sign_in(known, ANOTHER) is None
    page = place.olga.ok(place.olga.get(f"/api/sites/{place.second}/people", params={"search": known}))["items"]
    assert [(row["name"], row["email"]) for row in page] == [("Somebody", known)]
    events = str(place.olga.events(place.second))
    assert "Carla" not in events and person.hex() not in events.replace("-", "")
    carla.close()


def test_a_letter_is_for_the_confirmed_holder_of_its_address(place):
    holder, other = confirmed(place, "Dora Neri"), confirmed(place, "Elio Riva")
    row = place.olga.ok(place.add(place.second, holder, "D. Neri"))
    message = place.office.wait_for(holder, "Invitation to Depot")
    assert "Olga Sarti invites you to “Depot”" in text_of(message)
    code = urlsplit(link_in(message)).path.rsplit("/", 1)[1]
    elio, dora = place.sign_in(other, NEW), place.sign_in(holder, NEW)
    assert elio.post("/api/account/join", {"code": code}).status_code == 403
    assert place.join(code, name="Thief", password=ANOTHER).status_code == 403, "its holder signs in"
    assert place.sites_of(dora) == {place.first}
    assert dora.ok(dora.post("/api/account/join", {"code": code}))["name"] == "Depot"
    assert place.sites_of(dora) == {place.first, place.second}
    assert dora.post("/api/account/join", {"code": code}).status_code == 410
    after = place.olga.person(place.second, holder)
    assert after["membership"] == row["membership"] and after["name"] == "Dora Neri" and after["hasJoined"]
    assert [event["kind"] for event in place.olga.events(place.second)].count("membership.joined") >= 1
    elio.close(), dora.close()


def test_without_mail_a_paper_goes_from_hand_to_hand(without_mail):
    place = without_mail
    known = place.address()
    place.olga.ok(place.add(place.first, known, "Gino Verdi", password=NEW))
    row = place.olga.ok(place.add(place.second, known, "G. Verdi"))
    code = place.paper(place.second, row)
    assert len(code) == 26
    newer = place.paper(place.second, row)
    gino = place.sign_in(known, NEW)
    assert gino.post("/api/account/join", {"code": code}).status_code == 410, "a newer one replaces it"
    typed = f" {newer[:4].lower()}-{newer[4:12]} {newer[12:]}"
    assert gino.ok(gino.post("/api/account/join", {"code": typed}))["site"] == place.second
    assert place.sites_of(gino) == {place.first, place.second}
    assert place.look("SELECT confirmed FROM people WHERE email = ?", known) == [(None,)]
    # A new person says their address themselves; one that an account has is refused.
    row = place.olga.ok(place.add(place.second, "wrong@example.org", "Hanna"))
    code = place.paper(place.second, row)
    refused = place.join(code, name="Hanna Costa", email=known, password=ANOTHER)
    assert refused.status_code == 422 and "An account has this address already" in refused.text
    assert place.join(code, name="Hanna Costa", email="Hanna@Example.org", password=ANOTHER).status_code == 303
    hanna = place.sign_in("hanna@example.org", ANOTHER)
    assert place.sites_of(hanna) == {place.second}
    assert place.join(code, name="Hanna", email="h2@example.org", password=ANOTHER).status_code == 410
    refused = place.olga.post(
        f"/api/sites/{place.second}/people/{row['membership']}/invitation", {"way": "paper"})
    assert refused.status_code == 409, "she has joined"
    gino.close(), hanna.close()


def test_without_mail_a_new_person_leads_to_their_invitation(without_mail):
    place = without_mail
    browser = Api(place.hub.url, browser=True).sign_in(OLGA, PASSWORD)
    people = f"/sites/{place.second}/people"
    saved = browser.http.post(f"{people}/new", data={
        "name": "Eva Ruiz", "email": place.address(), "permission": "member", "role": "", "first_day": "", "last_day": ""})
    assert saved.status_code == 303
    assert "Eva Ruiz was added." in browser.http.get(saved.headers["location"]).text
    over = browser.http.post(f"{people}/new", data={
        "name": "Old Days", "email": place.address(), "permission": "member", "role": "", "first_day": "", "last_day": "2020-01-31"})
    assert over.status_code == 422 and "This day is over" in over.text
    # Who has a first password needs no invitation.
    row = place.olga.ok(place.add(place.second, place.address(), "Lea Vidal", password=PASSWORD))
    page = browser.http.get(f"{people}/{row['membership']}").text
    assert "Has a password, but has not signed in yet." in page and "they need an invitation" not in page
    browser.close()


def test_a_first_password_ends_when_its_person_is_invited(without_mail):
    place = without_mail
    address = place.address()
    row = place.olga.ok(place.add(place.first, address, "Ines", password=PASSWORD))
    code = place.paper(place.first, row)
    assert place.sign_in(address, PASSWORD) is None
    assert place.join(code, name="Ines", email=address, password=NEW).status_code == 303
    assert place.sites_of(place.sign_in(address, NEW)) == {place.first}


def test_a_manager_does_not_take_the_place_of_an_owner(without_mail):
    place = without_mail
    place.olga.ok(place.add(place.first, "mara@example.org", "Mara", password=NEW, permission="manager"))
    invited = place.olga.ok(place.add(place.first, "boss@example.org", "Boss", permission="owner"))
    made = place.olga.ok(place.add(place.first, "boss2@example.org", "Boss Two", password=NEW, permission="owner"))
    mara = place.sign_in("mara@example.org", NEW)
    browser = Api(place.hub.url, browser=True).sign_in("mara@example.org", NEW)
    for row in (invited, made):
        people = f"/api/sites/{place.first}/people/{row['membership']}"
        for way in ("paper", "letter"):
            assert mara.post(f"{people}/invitation", {"way": way}).status_code in (403, 422)
        # Nor by another membership of the same person, which she may give.
        more = mara.ok(mara.post(f"{people}/more", {"permission": "guest", "role": None, "firstDay": None, "lastDay": None}))
        assert mara.post(
            f"/api/sites/{place.first}/people/{more['membership']}/invitation", {"way": "paper"}).status_code == 403
        page = f"/sites/{place.first}/people/{more['membership']}"
        moved = browser.http.post(page, data={
            "name": row["name"], "email": "mara2@example.org", "permission": "guest", "role": "", "first_day": "",
            "last_day": ""})
        assert moved.status_code == 422
        renamed = browser.http.post(page, data={
            "name": "Nobody", "email": row["email"], "permission": "guest", "role": "", "first_day": "", "last_day": ""})
        assert renamed.status_code == 422, "nor does she rename an owner"
        assert "Only an owner invites an owner." in browser.http.get(f"{page}/invitation").text
        assert place.olga.person(place.first, row["email"])
    assert place.paper(place.first, invited)
    mara.close(), browser.close()


def test_a_code_is_judged_when_it_is_used(without_mail):
    place = without_mail
    place.olga.ok(place.add(place.first, "mia@example.org", "Mia", password=NEW, permission="manager"))
    mia = place.sign_in("mia@example.org", NEW)
    rows = [mia.ok(place_add) for place_add in (
        mia.post(f"/api/sites/{place.first}/people", {"name": f"Late {n}", "email": f"late{n}@example.org", "permission": "member"})
        for n in range(3))]
    codes = [place.paper(place.first, rows[2])] + [
        mia.ok(mia.post(f"/api/sites/{place.first}/people/{row['membership']}/invitation", {"way": "paper"}))["code"] for row in rows[:2]]
    # The owner makes one of them an owner: the manager's code for them opens nothing any more, also while that is taken away.
    place.olga.ok(place.olga.change_membership(place.first, rows[0], permission="owner"))
    assert mia.post("/api/account/join", {"code": codes[1]}).status_code == 410
    place.olga.ok(place.olga.post(f"/api/sites/{place.first}/people/bulk", {"memberships": [rows[0]["membership"]], "do": "revoke"}))
    assert mia.post(
        f"/api/sites/{place.first}/people/{rows[0]['membership']}/invitation", {"way": "paper"}).status_code == 403
    assert mia.post("/api/account/join", {"code": codes[1]}).status_code == 410
    # Nor does the code of somebody who manages nothing any more; the owner's goes on.
    own = place.olga.person(place.first, "mia@example.org")
    place.olga.ok(place.olga.post(f"/api/sites/{place.first}/people/bulk", {"memberships": [own["membership"]], "do": "revoke"}))
    assert mia.post("/api/account/join", {"code": codes[2]}).status_code == 410
    assert mia.post("/api/account/join", {"code": codes[0]}).status_code == 200
    mia.close()


def test_an_account_that_only_a_program_used_stays_its_holders(without_mail):
    place = without_mail
    row = place.olga.ok(place.add(place.first, "robot@example.org", "Robot", password=NEW))
    place.sign_in("robot@example.org", NEW).delete("/api/session")
    assert place.look("SELECT count(*) FROM sessions s JOIN people p ON p.id = s.person WHERE p.email = 'robot@example.org'") == [(0,)]
    answer = place.olga.post(f"/api/sites/{place.first}/people/{row['membership']}/invitation", {"way": "paper"})
    assert answer.status_code == 409
    assert place.sign_in("robot@example.org", NEW)


def test_a_manager_ends_no_owner_by_taking_an_import_back(without_mail):
    place = without_mail
    place.olga.ok(place.add(place.second, "mio@example.org", "Mio", password=NEW, permission="manager"))
    draft = place.olga.ok(place.olga.http.post(
        f"/api/sites/{place.second}/people/import", content=b"name,email,permission\nOwn,own@example.org,owner\nMem,mem@example.org,member",
        headers={"Content-Type": "text/csv"}))
    path = f"/api/sites/{place.second}/people/import/{draft['id']}"
    place.olga.ok(place.olga.post(path))
    mio = place.sign_in("mio@example.org", NEW)
    mio.ok(mio.post(f"{path}/undo"))
    assert place.olga.person(place.second, "own@example.org")["revoked"] is None
    assert place.olga.ok(place.olga.get(f"/api/sites/{place.second}/people", params={"search": "mem@"}))["items"] == []
    mio.close()


def test_who_invites_readdresses_renames_and_joins_is_in_the_log(place, chromium):
    site = place.olga.ok(place.olga.post("/api/sites", {"name": "Log", "kind": "company", "zone": "Europe/Rome"}))["id"]
    wrong, right = place.address(), place.address()
    row = place.olga.ok(place.add(site, wrong, "Rita"))
    olga = Api(place.hub.url, browser=True).sign_in(OLGA, PASSWORD)
    page = f"/sites/{site}/people/{row['membership']}"
    form = {"name": "Rita Moro", "email": right, "permission": "member", "role": "", "first_day": "", "last_day": ""}
    assert olga.http.post(page, data=form).status_code == 303
    code = place.paper(site, row)
    assert place.join(code, name="Rita Moro", email=right, password=NEW).status_code == 303
    rita = place.sign_in(right, NEW)
    ids = {"olga": place.olga.ok(place.olga.get("/api/account"))["id"], "rita": rita.ok(rita.get("/api/account"))["id"]}
    events = [event for event in place.olga.events(site) if event["kind"].split(".")[0] in ("membership", "person")]
    told = [(event["kind"], next(who for who, one in ids.items() if one == event["payload"]["by"])) for event in events]
    assert told[1:] == [   # the first one made the site
        ("membership.added", "olga"), ("membership.invited.letter", "olga"), ("person.renamed", "olga"),
        ("membership.readdressed", "olga"), ("membership.invited.letter", "olga"), ("membership.invited.paper", "olga"),
        ("membership.joined", "rita")]
    assert (events[-1]["payload"]["inviter"], events[-1]["payload"]["way"]) == (ids["olga"], "paper")
    assert events[3]["payload"]["before"] == {"name": "Rita"} and events[3]["payload"]["after"] == {"name": "Rita Moro"}
    assert wrong not in str(events) and right not in str(events), "no address is told"
    with chromium.visitor(place.hub.url) as manager:
        manager.sign_in({"email": OLGA, "password": PASSWORD})
        manager.go(f"/sites/{site}/changes")
        for words in ("Somebody joined", "Invited on paper", "An invitation goes to another address", "Renamed: person"):
            expect(manager.page.locator(".change-head", has_text=words).first).to_contain_text("Rita Moro")
    olga.close(), rita.close()


def test_the_badge_goes_on_and_an_erasure_reaches_who_they_were_before(place):
    address = confirmed(place, "Lia Fabbri")
    row = place.olga.ok(place.add(place.second, address, "L. Fabbri"))
    [(badge,)] = place.look("SELECT code FROM badges WHERE lower(hex(person)) = ?", row["person"].replace("-", ""))
    lia = place.sign_in(address, NEW)
    lia.ok(lia.post("/api/account/join", {"code": place.letter(address)}))
    [(person,)] = place.look("SELECT lower(hex(id)) FROM people WHERE email = ?", address)
    assert place.look(
        "SELECT lower(hex(person)) FROM badges WHERE code = ? AND lower(hex(site)) = ?", badge,
        place.second.replace("-", "")) == [(person,)]
    told = lia.ok(lia.get("/api/account/data"))
    assert [one["events"][0]["kind"] for one in told["before"]] == ["membership.added"]
    assert "L. Fabbri" in str(told["before"])
    erased = lia.post("/api/account/delete", {"name": "Lia Fabbri"})
    assert erased.status_code == 204, erased.text
    before = row["person"].replace("-", "")
    assert place.look("SELECT count(*) FROM people WHERE lower(hex(id)) IN (?, ?)", person, before) == [(0,)]
    assert place.look("SELECT count(*) FROM event_payloads WHERE lower(hex(person)) IN (?, ?)", person, before) == [(0,)]
    lia.close()


def test_an_owner_who_erases_who_somebody_was_before_erases_their_account(place):
    address = confirmed(place, "Pia Conti")
    site = place.olga.ok(place.olga.post("/api/sites", {"name": "Mill", "kind": "company", "zone": "Europe/Rome"}))["id"]
    row = place.olga.ok(place.add(site, address, "P. Conti"))
    pia = place.sign_in(address, NEW)
    pia.ok(pia.post("/api/account/join", {"code": place.letter(address)}))
    before = row["person"].replace("-", "")
    [(person,)] = place.look("SELECT lower(hex(id)) FROM people WHERE email = ?", address)
    assert person != before
    # By the id that the site had given her, and the name that is hers now.
    path = f"/api/sites/{site}/people/{before}/erase"
    assert place.olga.post(path, {"name": "P. Conti"}).status_code == 422, "the account's own name counts"
    place.olga.ok(place.olga.post(path, {"name": "Pia Conti"}))
    raw = site.replace("-", "")
    for table, column in (("memberships", "site"), ("badges", "site"), ("event_payloads p JOIN events e ON e.id = p.event", "e.site")):
        owner = "p.person" if "JOIN" in table else "person"
        assert place.look(
            f"SELECT count(*) FROM {table} WHERE lower(hex({column})) = ? AND lower(hex({owner})) IN (?, ?)", raw, person, before
        ) == [(0,)], table
    assert place.sites_of(pia) == {place.first}, "the other site keeps her"
    # What is told to her is about her account: it names no place, and no row of it tells that she was there.
    notices = pia.ok(pia.get("/api/notices"))["items"]
    assert "One of your places has erased your data" in [one["title"] for one in notices] and "Mill" not in str(notices), notices
    assert "everything that it kept of you" in text_of(place.office.wait_for(address, "One of your places has erased your data"))
    pia.close()


def test_an_owner_for_some_days_does_not_erase_the_one_who_stays(without_mail):
    place = without_mail
    olga = place.olga.ok(place.olga.get("/api/account"))
    site = place.olga.ok(place.olga.post("/api/sites", {"name": "Days", "kind": "company", "zone": "Europe/Rome"}))["id"]
    place.olga.ok(place.olga.post(f"/api/sites/{site}/people", {
        "name": "Tea", "email": "tea@example.org", "password": NEW, "permission": "owner", "role": None, "firstDay": None,
        "lastDay": "2099-12-31"}))
    tea = place.sign_in("tea@example.org", NEW)
    answer = tea.post(f"/api/sites/{site}/people/{olga['id']}/erase", {"name": olga["name"]})
    assert answer.status_code == 409 and answer.json()["type"] == "/problems/last-owner", answer.text
    assert site in place.sites_of(place.olga)
    tea.close()


def test_an_import_that_was_taken_back_leaves_no_name_in_the_log(without_mail):
    place = without_mail
    site = place.olga.ok(place.olga.post("/api/sites", {"name": "Undone", "kind": "company", "zone": "Europe/Rome"}))["id"]
    draft = place.olga.ok(place.olga.http.post(
        f"/api/sites/{site}/people/import", content="name,email,permission\nZelinda Quarantotti,zq@example.org,member\n".encode(),
        headers={"Content-Type": "text/csv"}))
    path = f"/api/sites/{site}/people/import/{draft['id']}"
    place.olga.ok(place.olga.post(path))
    assert place.olga.http.get(f"/api/sites/{site}/people.csv").status_code == 200
    place.olga.ok(place.olga.post(f"{path}/undo"))
    # What tells of nobody by their id would be reached by no erasure.
    kept = [payload for (payload,) in place.look(
        "SELECT p.payload FROM event_payloads p JOIN events e ON e.id = p.event WHERE lower(hex(e.site)) = ? AND p.person IS NULL",
        site.replace("-", ""))]
    assert kept and not any(b"Quarantotti" in bytes(payload) or b"zq@example.org" in bytes(payload) for payload in kept)


def test_the_page_says_what_of_an_unconfirmed_account_stops_working(place, chromium):
    address = place.address()
    place.olga.ok(place.add(place.first, address, "Prepared", password=PASSWORD))
    others = [place.sign_in(address, PASSWORD) for _ in range(2)]
    place.olga.ok(place.add(place.second, address, "Vito"))
    code = place.letter(address)
    for size, language, words in (
            (DESK, "en", ("nobody has confirmed it", "its password", "2 devices and programs that are signed in")),
            (PHONE, "it", ("nessuno l’ha confermato", "la sua password", "2 dispositivi e programmi collegati")),
            (PHONE, "es", ("nadie la ha confirmado", "su contraseña", "2 dispositivos y programas"))):
        with chromium.visitor(place.hub.url, size, language) as vito:
            vito.go(f"/join/{code}")
            for text in words:
                expect(vito.page.locator("main")).to_contain_text(text)
            assert vito.axe() == [] and not vito.spills()
    unknown = place.address()
    place.olga.ok(place.add(place.second, unknown, "Una"))
    with chromium.visitor(place.hub.url) as una:
        una.go(f"/join/{place.letter(unknown)}")
        expect(una.page.locator("main")).not_to_contain_text("stops working")
    assert place.join(code, name="Vito", password=NEW).status_code == 303
    assert [one.get("/api/sites").status_code for one in others] == [401, 401]
    for one in others:
        one.close()


def test_who_deletes_themselves_while_joining_is_gone_or_still_there_and_never_both(place):
    """Eight times both at once: of them three answered *deleted*, and the account stayed."""
    site = place.olga.ok(place.olga.post("/api/sites", {"name": "Race", "kind": "company", "zone": "Europe/Rome"}))["id"]
    for _ in range(8):
        address = confirmed(place, "Rosa Conti")
        [(person,)] = place.look("SELECT lower(hex(id)) FROM people WHERE email = ?", address)
        row = place.olga.ok(place.add(site, address, "R. Conti"))
        code = place.letter(address)
        joining, deleting = place.sign_in(address, NEW), place.sign_in(address, NEW)
        with ThreadPoolExecutor(2) as pool:
            joined = pool.submit(joining.post, "/api/account/join", {"code": code})
            deleted = pool.submit(deleting.post, "/api/account/delete", {"name": "Rosa Conti"})
            joined, deleted = joined.result(), deleted.result()
        assert joined.status_code in (200, 401, 410), joined.text
        assert deleted.status_code in (204, 409), deleted.text
        before = row["person"].replace("-", "")
        left = [place.look(f"SELECT count(*) FROM {table} WHERE lower(hex(person)) = ?", person)[0][0]
                for table in ("memberships", "sessions", "event_payloads", "badges")]
        left += place.look("SELECT count(*) FROM people WHERE lower(hex(id)) = ?", person)[0]
        if deleted.status_code == 204:
            assert left == [0] * 5, (joined.status_code, left)
            # The place that nobody took still waits for somebody; one that was taken is gone with them.
            kept = place.look("SELECT count(*) FROM memberships WHERE lower(hex(person)) = ?", before)
            assert kept == ([(0,)] if joined.status_code == 200 else [(1,)])
        joining.close(), deleting.close()


def test_a_manager_sees_who_has_not_joined_and_invites_them(place, chromium):
    wrong, right = place.address(), place.address()
    with chromium.visitor(place.hub.url) as olga:
        olga.sign_in({"email": OLGA, "password": PASSWORD})
        olga.go(f"/sites/{place.second}/people/new")
        expect(olga.page.locator("#email-hint")).to_contain_text("They get an email")
        olga.page.fill("[name=name]", "Nora Gallo")
        olga.page.fill("[name=email]", wrong)
        olga.page.locator("main form.stack button[type=submit]").first.click()
        olga.page.wait_for_url(lambda url: not url.endswith("/new"))
        old = place.letter(wrong)
        # A mistake in the address is mended, and the letter goes again.
        olga.page.fill("[name=email]", right)
        olga.page.locator("main form.stack button[type=submit]").first.click()
        place.office.wait_for(right)
        assert place.join(old, name="Nora", password=NEW).status_code == 410
        olga.go(f"/sites/{place.second}/people?status=waiting")
        expect(olga.page.locator("tr", has_text="Nora Gallo").locator(".status")).to_have_text("invited")
        assert olga.axe() == []
        olga.page.locator("tr", has_text="Nora Gallo").locator("input[type=checkbox]").check()
        olga.page.select_option("[name=do]", "invite")
        olga.page.click("fieldset.bulk button[type=submit]")
        expect(olga.page.locator(".notice")).to_have_text("1 invitation is on its way.")
        olga.page.click("text=Nora Gallo")
        olga.page.click("text=Send or print invitation…")
        assert olga.axe() == []
        olga.page.click("text=Make invitation on paper")
        olga.page.wait_for_load_state()
        code = "".join(olga.page.locator(".letters code").all_inner_texts())
        assert olga.axe() == []
    with chromium.visitor(place.hub.url, size=PHONE) as nora:
        nora.go("/join")
        assert nora.axe() == []
        nora.page.fill("[name=code]", code.lower())
        nora.page.click("main button[type=submit]")
        expect(nora.page.locator("h1")).to_have_text("Join Depot")
        assert nora.axe() == []
        assert nora.page.input_value("[name=email]") == right
        nora.page.fill("[name=password]", NEW)
        nora.page.click("text=Join Depot >> visible=true >> nth=-1")
        nora.page.wait_for_url(lambda url: "/join" not in url)
    with chromium.visitor(place.hub.url, size=DESK) as olga:
        olga.sign_in({"email": OLGA, "password": PASSWORD})
        olga.go(f"/sites/{place.second}/people?search={right}")
        olga.page.click("text=Nora Gallo")
        # An account's own address is its holder's: nothing here looks as if it could be changed.
        expect(olga.page.locator("main")).to_contain_text(right)
        assert olga.page.locator("[name=email]").count() == 0
        assert olga.axe() == []


def test_an_address_typed_for_somebody_who_joined_meanwhile_is_refused_in_words(place, chromium):
    first, other = place.address(), place.address()
    person = place.olga.ok(place.add(place.second, first, "Sara Neri"))["membership"]
    letter = place.letter(first)
    with chromium.visitor(place.hub.url, size=PHONE) as olga:
        olga.sign_in({"email": OLGA, "password": PASSWORD})
        olga.go(f"/sites/{place.second}/people/{person}")
        olga.page.fill("[name=email]", other)
        assert place.join(letter, name="Sara Neri", password=NEW).status_code == 303
        olga.page.locator("main form.stack button[type=submit]").first.click()
        main = olga.page.locator("main")
        expect(main.locator(".refused")).to_have_text(
            "They have accepted the invitation in the meantime.")
        expect(main).to_contain_text("Only they can change it")
        expect(main).to_contain_text(first)
        assert other not in main.inner_text() and "Saved" not in main.inner_text()
        assert olga.axe() == [] and not olga.spills()
        # Without it the rest is saved.
        olga.page.locator("main form.stack button[type=submit]").first.click()
        expect(main.locator(".notice").first).to_contain_text("Saved.")


def test_a_manager_sees_that_a_letter_was_refused_and_what_to_do(place, chromium):
    wrong, right = place.address(), place.address()
    place.office.refuse(wrong)
    person = place.olga.ok(place.add(place.second, wrong, "Ugo Testa"))["membership"]
    wait_until(
        lambda: place.look("SELECT 1 FROM invitations i JOIN people p ON p.id = i.person WHERE p.invited = ? AND i.trouble = 'refused'",
                           wrong), what="a refusal")
    said = f"The mail server refused the email to {wrong}."
    assert place.olga.person(place.second, wrong)["invitation"] == "refused"
    with chromium.visitor(place.hub.url, size=PHONE) as olga:
        olga.sign_in({"email": OLGA, "password": PASSWORD})
        olga.go(f"/sites/{place.second}/people?status=waiting&search=Ugo")
        expect(olga.page.locator("main")).to_contain_text("email refused")
        assert olga.axe() == [] and not olga.spills()
        olga.page.click("text=Ugo Testa")
        expect(olga.page.locator("main .notice")).to_contain_text(said)
        assert olga.axe() == [] and not olga.spills()
        olga.page.click("text=Send or print invitation…")
        main = olga.page.locator("main")
        expect(main.locator(".notice")).to_contain_text(said)
        expect(main).not_to_contain_text("valid until")
        assert olga.axe() == [] and not olga.spills()
        # What is on paper is good, whatever became of the letter.
        place.paper(place.second, {"membership": person})
        olga.go(f"/sites/{place.second}/people/{person}/invitation")
        expect(main).to_contain_text("An invitation on paper is valid until")
        # The right address is all that it takes.
        olga.go(f"/sites/{place.second}/people/{person}")
        olga.page.fill("[name=email]", right)
        olga.page.locator("main form.stack button[type=submit]").first.click()
        place.office.wait_for(right)
        olga.go(f"/sites/{place.second}/people/{person}/invitation")
        expect(main).to_contain_text("An invitation by email is valid until")
        expect(main).not_to_contain_text("refused")


def test_a_letter_that_was_asked_for_again_is_not_ended_by_the_one_before_it(place):
    address = place.address()
    place.office.put_off_times(address, 1)
    row = place.olga.ok(place.add(place.second, address, "Elio Due"))
    trouble = "SELECT i.trouble FROM invitations i JOIN people p ON p.id = i.person WHERE p.invited = ?"
    wait_until(lambda: place.look(trouble, address) == [("held",)], what="a letter that waits")
    path = f"/api/sites/{place.second}/people/{row['membership']}/invitation"
    assert place.olga.post(path, {"way": "letter"}).status_code == 200
    code = place.letter(address)
    # The first comes to its turn, and is written no more.
    wait_until(lambda: not place.look("SELECT 1 FROM outbox WHERE state = 'waiting'"), what="an empty outbox")
    assert place.look(trouble, address) == [(None,)]
    assert place.join(code, name="Elio", password=NEW).status_code == 303


def test_an_owner_of_a_house_sees_that_a_letter_was_refused(place, chromium):
    house = place.olga.ok(place.olga.post("/api/sites", {"name": "Casa Lunga", "kind": "home", "zone": "Europe/Rome"}))["id"]
    wrong = place.address()
    place.office.refuse(wrong)
    with chromium.visitor(place.hub.url, size=PHONE) as olga:
        olga.sign_in({"email": OLGA, "password": PASSWORD})
        place.olga.ok(place.add(house, wrong, "Ospite"))
        wait_until(lambda: place.olga.person(house, wrong)["invitation"] == "refused", what="a refusal")
        olga.go(f"/houses/{house}/settings")
        expect(olga.page.locator("#people")).to_contain_text("email refused")
        assert olga.axe() == [] and not olga.spills()
        olga.page.click("text=Not joined yet: invitation…")
        expect(olga.page.locator("main")).to_contain_text(f"The mail server refused the email to {wrong}.")


def test_a_manager_sees_that_a_letter_waits_for_the_mail_server(place):
    address = place.address()
    page = Api(place.hub.url, browser=True).sign_in(OLGA, PASSWORD)
    with place.office.down():
        person = place.olga.ok(place.add(place.second, address, "Ida Prova"))["membership"]
        path = f"/sites/{place.second}/people/{person}/invitation"
        wait_until(lambda: f"The email to {address} has not left yet" in page.get(path).text, what="a letter that waits")
    place.office.wait_for(address)
    wait_until(lambda: "has not left yet" not in page.get(path).text, what="a letter that has left")
    assert "An invitation by email is valid until" in page.get(path).text
    page.close()


def test_an_account_joins_from_the_page(place, chromium):
    address = confirmed(place, "Pia Moretti")
    place.olga.ok(place.add(place.second, address, "P. Moretti"))
    code = place.letter(address)
    with chromium.visitor(place.hub.url) as pia:
        pia.go(f"/join/{code}")
        expect(pia.page.locator("main")).to_contain_text("Sign in to join")
        assert pia.axe() == []
        pia.page.click("text=Sign in and join")
        pia.page.wait_for_url("**/sign-in?*")
        pia.page.fill("[name=email]", address)
        pia.page.fill("[name=password]", NEW)
        pia.page.click("main form button[type=submit]")
        pia.page.wait_for_url(f"**/join/{code}")
        expect(pia.page.locator("main")).to_contain_text("You are signed in as Pia Moretti")
        assert pia.axe() == []
        pia.page.click("button:has-text('Join Depot')")
        pia.page.wait_for_url(lambda url: "/join" not in url)
    program = place.sign_in(address, NEW)
    assert place.sites_of(program) == {place.first, place.second}
    program.close()


@pytest.mark.parametrize("is_known", (True, False))
def test_who_is_signed_in_as_somebody_else_reads_so_and_goes_on_as_themselves(place, chromium, is_known):
    address = confirmed(place, "Zoe Valli") if is_known else place.address()
    place.olga.ok(place.add(place.second, address, "Z. Valli"))
    code = place.letter(address)
    with chromium.visitor(place.hub.url, size=PHONE) as shared:
        shared.sign_in({"email": OLGA, "password": PASSWORD})
        shared.go(f"/join/{code}")
        main = shared.page.locator("main")
        expect(main).to_contain_text("You are signed in as Olga")
        expect(main).to_contain_text("The invitation is for Z. Valli.")
        expect(main).to_contain_text(f"The invitation was sent to {address}.")
        expect(main).not_to_contain_text("You already have an account")
        assert shared.page.locator("[name=password]").count() == 0
        assert shared.axe() == [] and not shared.spills()
        shared.page.click("text=Sign out and continue")
        shared.page.wait_for_url(f"**/join/{code}")
        expect(main).to_contain_text("Sign in to join" if is_known else "Choose a password")


@pytest.mark.parametrize(("size", "language", "words"), (
    (PHONE, "en", "You have not confirmed yet that this address is yours"),
    (DESK, "it", "Non hai ancora confermato che questo indirizzo è tuo"),
    (PHONE, "es", "Aún no has confirmado que esta dirección es tuya")))
def test_who_is_signed_in_with_the_address_unconfirmed_reads_why_and_goes_on(place, chromium, size, language, words):
    address = place.address()
    place.olga.ok(place.add(place.first, address, "Nora", password=PASSWORD))
    place.olga.ok(place.add(place.second, address, "N. Riva"))
    code = place.letter(address)
    with chromium.visitor(place.hub.url, size, language) as nora:
        nora.sign_in({"email": address, "password": PASSWORD})
        nora.go(f"/join/{code}")
        main = nora.page.locator("main")
        expect(main).to_contain_text(words)
        assert nora.axe() == [] and not nora.spills()
        nora.page.click("main form[action='/sign-out'] button[type=submit]")
        nora.page.wait_for_url(f"**/join/{code}")
        nora.page.fill("main [name=password]", NEW)
        nora.page.click("main form[action='/join'] button[type=submit]")
        nora.page.wait_for_url(lambda url: "/join" not in url)
    assert place.sign_in(address, PASSWORD) is None
    program = place.sign_in(address, NEW)
    assert place.sites_of(program) == {place.first, place.second}
    program.close()


def test_a_mistyped_code_stays_in_its_field_with_what_to_do(place, chromium):
    with chromium.visitor(place.hub.url, size=PHONE, javascript=False) as typing:
        for typed in ("abc 123", "0" * 26):
            typing.go("/join")
            typing.page.fill("[name=code]", typed)
            typing.page.click("main button[type=submit]")
            expect(typing.page.locator("main")).to_contain_text("No open invitation has this code. Check it")
            assert typing.page.input_value("[name=code]") == typed
            assert not typing.spills()


def test_the_list_tells_who_is_to_be_invited(without_mail):
    place = without_mail
    row = place.olga.ok(place.add(place.second, place.address(), "Nino Sarto"))
    page = Api(place.hub.url, browser=True).sign_in(OLGA, PASSWORD)

    def status():
        text = page.get(f"/sites/{place.second}/people?search=Nino").text
        return re.search(r'class="status"[^>]*>(.*?)</td>', text[text.index("Nino Sarto"):], re.S)[1]

    assert "to be invited" in status()
    place.paper(place.second, row)
    assert "to be invited" not in status() and "invited" in status()
    page.close()


def test_an_import_invites_when_it_is_asked_to(place):
    known = confirmed(place, "Rita Sala")
    addresses = [place.address() for _ in range(3)] + [known]
    lines = ["name,email,permission"] + [f"Person {n},{address},member" for n, address in enumerate(addresses)]
    draft = place.olga.ok(place.olga.http.post(
        f"/api/sites/{place.second}/people/import", content="\n".join(lines).encode(),
        headers={"Content-Type": "text/csv"}))
    done = place.olga.ok(place.olga.post(f"/api/sites/{place.second}/people/import/{draft['id']}?invite=true"))
    assert done["people"] == 4, "an address that an account has is one like the others"
    codes = {address: place.letter(address) for address in addresses}
    invited = [event for event in place.olga.events(place.second) if event["kind"] == "membership.invited.letter"][-4:]
    assert len({event["at"] for event in invited}) == 1, "one act, which the log of changes shows as one"
    rita = place.sign_in(known, NEW)
    assert place.sites_of(rita) == {place.first}
    rita.ok(rita.post("/api/account/join", {"code": codes[known]}))
    assert place.sites_of(rita) == {place.first, place.second}
    # Taken back, it gives nobody access, and of those who have not joined nothing stays.
    place.olga.ok(place.olga.post(f"/api/sites/{place.second}/people/import/{draft['id']}/undo"))
    assert place.sites_of(rita) == {place.first}
    assert place.look("SELECT count(*) FROM people WHERE invited IN (?, ?, ?)", *addresses[:3]) == [(0,)]
    # Who has joined since stays in the list, without access, and can be erased there.
    row = place.olga.person(place.second, known)
    assert row["name"] == "Rita Sala" and row["revoked"] is not None
    rita.close()


@pytest.mark.parametrize("way", ("add", "more", "bulk", "undo", "import"))
def test_who_was_removed_before_they_joined_is_invited_when_they_are_back(place, way):
    address, site = place.address(), place.second
    row = place.olga.ok(place.add(site, address))
    gone = place.letter(address)

    def bulk(do):
        return place.olga.ok(place.olga.post(f"/api/sites/{site}/people/bulk", {"memberships": [row["membership"]], "do": do}))

    batch = bulk("revoke")["batch"]
    assert place.join(gone, name="Ivo Longo", password=NEW).status_code != 303
    if way == "add":
        place.olga.ok(place.add(site, address))
    elif way == "more":
        place.olga.ok(place.olga.post(f"/api/sites/{site}/people/{row['membership']}/more", {
            "permission": "member", "role": None, "firstDay": None, "lastDay": None}))
    elif way == "bulk":
        bulk("reinstate")
    elif way == "undo":
        place.olga.ok(place.olga.post(f"/api/sites/{site}/people/undo", {"batch": batch}))
    else:
        # Asked about before, and counted.
        def draft():
            return place.olga.ok(place.olga.http.post(
                f"/api/sites/{site}/people/import", content=f"name,email,permission\nIvo Longo,{address},member".encode(),
                headers={"Content-Type": "text/csv"}))["id"]
        place.olga.ok(place.olga.post(f"/api/sites/{site}/people/import/{draft()}"))
        assert place.look("SELECT count(*) FROM invitations i JOIN people p ON p.id = i.person WHERE p.invited = ?", address) == [(0,)]
        rows = place.olga.ok(place.olga.get(f"/api/sites/{site}/people?search={address}"))["items"]
        members = [one["membership"] for one in rows if one["revoked"] is None]
        assert len(members) == 1
        place.olga.ok(place.olga.post(f"/api/sites/{site}/people/bulk", {"memberships": members, "do": "revoke"}))
        place.olga.ok(place.olga.post(f"/api/sites/{site}/people/import/{draft()}?invite=true"))
    assert place.join(place.letter(address), name="Ivo Longo", password=NEW).status_code == 303
    ivo = place.sign_in(address, NEW)
    assert place.sites_of(ivo) == {site}
    ivo.close()


def test_the_ledger_is_whole_after_all_of_it(place):
    done = run("admin", "verify", "--data", place.hub.data)
    assert done.returncode == 0, done.stdout + done.stderr
