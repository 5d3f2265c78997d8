"""Somebody is erased: what they did, what was kept of them, their account; the chain stays, and no byte of them is left on disk."""

import contextlib
import sqlite3

from playwright.sync_api import expect

from api import Api
from demo import ADA, CARLO, MARTA, wait_until


def files_that_hold(demo, text):
    """The hub's files (not the gates', not the demo's own list of accounts) in which a text stands."""
    wanted = text.encode()
    return [
        path.name for path in demo.data.iterdir()
        if path.is_file() and path.name != "demo.json" and wanted in path.read_bytes()]


def tables_that_hold(demo, wanted):
    """Every table in which an id stands, as bytes or as text, wherever."""
    found = []
    with contextlib.closing(sqlite3.connect(f"file:{demo.data}/soglia.sqlite?mode=ro", uri=True, timeout=10)) as database:
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in database.execute(f"SELECT * FROM {table}"):
                for value in row:
                    if isinstance(value, str):
                        value = value.encode()
                    if isinstance(value, bytes) and (wanted.encode() in value or bytes.fromhex(wanted) in value):
                        found.append(table)
    return found


def someone_new(demo, name, email, password="a long first password"):
    """A person with a technician's membership, who has opened a gate, over the hub and with a pass."""
    marta = demo.api(MARTA)
    site = demo.site()
    roles = marta.ok(marta.get(f"/api/sites/{site}/roles"))["items"]
    role = next(role["id"] for role in roles if role["name"] == "Technician")
    return marta.ok(marta.post(f"/api/sites/{site}/people", {
        "name": name, "email": email, "password": password, "permission": "member", "role": role}))


def erase(api, site, person, name):
    return api.post(f"/api/sites/{site}/people/{person}/erase", {"name": name})


def test_an_owner_erases_a_person_and_nothing_of_them_is_left_but_that_something_happened(demo):
    demo.wait_until_ready()
    site, marta = demo.site(), demo.api(MARTA)
    name, email = "Wilhelmina Quackenbush", "wilhelmina.quackenbush@example.com"
    row = someone_new(demo, name, email)
    own = Api(demo.url).sign_in(email, "a long first password")
    gate = demo.gate()
    assert own.open(gate)["outcome"] == "opened"
    assert tables_that_hold(demo, row["person"])
    before = [event["id"] for event in demo.export()]

    answer = erase(marta, site, row["person"], "wilhelmina  quackenbush")
    assert answer.status_code == 200, answer.text
    assert answer.json()["accountIsGone"] is True
    assert answer.json()["events"] >= 3, "a membership, a grant, an opening"

    assert own.get("/api/sites").status_code == 401, "their session ended with the account"
    own.close()
    assert files_that_hold(demo, name) == []
    assert files_that_hold(demo, email) == []
    assert tables_that_hold(demo, row["person"]) == []
    assert marta.ok(marta.get(f"/api/sites/{site}/people", params={"search": email}))["items"] == []
    after = demo.export()
    assert [event["id"] for event in after][:len(before)] == before, "nothing of the chain went"
    # The houses of the demo have a life of their own.
    assert [event["kind"] for event in after[len(before):] if event["site"] == site] == ["ledger.erased"], "one event came"
    said = demo.verify()
    assert f"of {answer.json()['events']} the payload is erased" in said
    listed = demo.export("ledger.erased")[-1]["payload"]
    assert set(listed) == {"by", "events", "sequences"}, "the listing names nobody but who did it"
    line = (demo.data / "erased").read_text().splitlines()[-1]
    assert row["person"] in line and site in line
    assert oct((demo.data / "erased").stat().st_mode & 0o777) == "0o600"


def test_the_name_must_be_theirs_nobody_erases_themselves_and_managers_may_not(demo):
    site, marta = demo.site(), demo.api(MARTA)
    ada = marta.person(site, ADA)
    own = marta.person(site, MARTA)
    assert erase(marta, site, ada["person"], "Somebody Else").status_code == 422
    refused = erase(marta, site, own["person"], own["name"])
    assert refused.status_code == 409 and refused.json()["type"] == "/problems/yourself"
    assert erase(marta, site, "0" * 32, "Nobody").status_code == 404
    assert erase(demo.api(CARLO), site, ada["person"], ada["name"]).status_code == 403
    assert marta.person(site, ADA)["person"] == ada["person"]
    assert demo.api(ADA).gates()
    demo.verify()


def test_who_is_known_at_another_site_keeps_the_account_and_what_is_there(demo):
    site, marta = demo.site(), demo.api(MARTA)
    elsewhere = demo.site("Deposito Nord")
    carlo = marta.person(site, CARLO)
    assert demo.api(CARLO).open(demo.gate("Yard"))["outcome"] == "opened"
    before = [event for event in demo.export() if event["site"] == elsewhere]
    answer = erase(marta, site, carlo["person"], carlo["name"])
    assert answer.status_code == 200 and answer.json()["accountIsGone"] is False
    assert [gate["name"] for gate in demo.api(CARLO).gates()] == ["Yard"]
    assert [event for event in demo.export() if event["site"] == elsewhere] == before
    demo.verify()


def test_an_erased_person_has_no_pass_any_more_at_any_gate(demo):
    site, marta = demo.site(), demo.api(MARTA)
    row = someone_new(demo, "Pia Passante", "pia.passante@example.com")
    own = Api(demo.url).sign_in("pia.passante@example.com", "a long first password")
    answer = own.post(f"/api/sites/{site}/passes")
    own.close()
    assert answer.status_code in (200, 201), answer.text

    def rights():
        """How many passes the main entrance's own memory denies: the list is a count after version and epoch."""
        path = demo.data / "gates" / "gate-main-entrance" / "gate.sqlite"
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)) as database:
            kept = dict(database.execute("SELECT name, value FROM facts")).get("rights", b"")
            return int.from_bytes(kept[12:14], "big")

    before = rights()
    assert erase(marta, site, row["person"], "Pia Passante").status_code == 200
    wait_until(lambda: rights() > before, 10, "the denial at the gate")


def test_a_page_warns_asks_for_the_name_and_says_what_was_done(demo, chromium):
    site = demo.site()
    row = someone_new(demo, "Dora Delacroix", "dora.delacroix@example.com")
    with chromium.visitor(demo.url).sign_in(demo.account(MARTA)) as visitor:
        visitor.go(f"/sites/{site}/people/{row['membership']}")
        visitor.page.click("a:has-text('Erase this person')")
        expect(visitor.page.get_by_role("alert")).to_contain_text("cannot be undone")
        assert visitor.axe() == []
        visitor.page.fill("#name", "Dora")
        visitor.page.click("button:has-text('Erase for good')")
        expect(visitor.page.locator("#name-refused")).to_have_text("This is not the name.")
        assert visitor.axe() == []
        visitor.page.fill("#name", "Dora Delacroix")
        visitor.page.click("button:has-text('Erase for good')")
        expect(visitor.page.locator(".notice.go")).to_contain_text("emptied")
        assert visitor.axe() == []
        assert visitor.complaints == []
    assert files_that_hold(demo, "Delacroix") == []


def test_an_owner_says_how_long_things_are_kept(demo):
    site, marta = demo.site(), demo.api(MARTA)
    path = f"/api/sites/{site}/retention"
    assert marta.ok(marta.get(path)) == {"openings": 730, "signIns": 180, "changes": 3650}
    for wrong in (-1, 29, 7301):
        assert marta.put(path, {"openings": wrong, "signIns": 180, "changes": 3650}).status_code == 422
    wanted = {"openings": 365, "signIns": 90, "changes": 0}
    assert marta.ok(marta.put(path, wanted)) == wanted
    assert marta.ok(marta.get(path)) == wanted
    assert demo.export("retention.changed")[-1]["payload"]["days"]["openings"] == {"before": 730, "after": 365}
