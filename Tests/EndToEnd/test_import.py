"""Many people at once: a file, what it would do, what it did, and the way back."""

import contextlib
import csv as spreadsheet
import io
import os
import random
import signal
import socket
import threading
import time

import pytest

from api import Api
from browser import DESK, PHONE
from demo import ADA, CARLO, MARTA, is_running, short_folder, wait_until
from hub import Hub
from people_files import csv, row

PEOPLE = 500
FILE_LIMIT = 10 * 1024 * 1024


def check(api, site, content, **query):
    """The dry run of a file."""
    content = content.encode() if isinstance(content, str) else content
    return api.http.post(
        f"/api/sites/{site}/people/import", content=content, headers={"Content-Type": "text/csv"}, params=query, timeout=60)


def apply(api, site, draft, seconds=120):
    """Applies a dry run and waits for its end."""
    path = f"/api/sites/{site}/people/import/{draft['id']}"
    state = api.ok(api.http.post(path, json={}, timeout=60))

    def ended():
        now = api.ok(api.get(path))
        return now if now["state"] not in ("hashing", "writing") else None
    return state if state["state"] == "done" else wait_until(ended, seconds, "the import")


def addresses(api, site, search=""):
    """The addresses of everybody at a site."""
    found, offset = [], 0
    while offset is not None:
        page = api.ok(api.get(f"/api/sites/{site}/people", params={"search": search, "offset": offset}))
        found += [one["email"] for one in page["items"]]
        offset = page["next"]
    return found


def kinds(api, site):
    return [event["kind"] for event in api.events(site)]


@pytest.fixture(scope="module")
def marta(demo):
    return demo.api(MARTA)


@pytest.fixture(scope="module")
def carlo(demo, marta):
    """A second manager."""
    site = demo.site()
    marta.ok(marta.change_membership(site, marta.person(site, CARLO), permission="manager"))
    return demo.api(CARLO)


def test_a_manager_sees_the_three_bad_lines_mends_them_and_five_hundred_people_are_in(demo, chromium, marta, folder):
    site = demo.site()
    rows = [row(number) for number in range(PEOPLE)]
    bad = [dict(one) for one in rows]
    bad[3]["Email"] = "nobody.example.com"
    bad[250]["Role"] = "Astronaut"
    bad[499]["Last day"] = "2025-02-29"
    (folder / "bad.csv").write_text(csv(bad), newline="")
    (folder / "good.csv").write_text(csv(rows), newline="")
    before = (len(addresses(marta, site)), kinds(marta, site))

    with chromium.visitor(demo.url, DESK, "it") as visitor:
        visitor.sign_in(demo.account(MARTA))
        visitor.go(f"/sites/{site}/people")
        visitor.page.click("text=Importa")
        visitor.page.set_input_files("#file", folder / "bad.csv")
        visitor.page.click("main form.stack button[type=submit]")
        visitor.page.wait_for_selector("table.problems")
        visitor.page.wait_for_load_state()
        told = visitor.page.eval_on_selector_all(
            "table.problems tbody tr", "rows => rows.map(row => [row.dataset.line, row.dataset.code])")
        assert told == [["5", "notAnAddress"], ["252", "roleUnknown"], ["501", "notADay"]]
        assert visitor.page.locator("text=nobody.example.com").count() == 1
        assert visitor.axe() == []
        # Nothing can be applied, and nothing was written.
        assert visitor.page.locator("form.stack button[type=submit]").count() == 0
        assert (len(addresses(marta, site)), kinds(marta, site)) == before

        visitor.page.click("main a.button")
        visitor.page.set_input_files("#file", folder / "good.csv")
        visitor.page.click("main form.stack button[type=submit]")
        visitor.page.wait_for_selector("[data-count=people]")
        assert "500" in visitor.page.inner_text("[data-count=people]")
        assert (len(addresses(marta, site)), kinds(marta, site)) == before
        visitor.page.click("main form.stack button[type=submit]")
        visitor.page.wait_for_selector("details:has(form[action$='/undo']) summary")
        assert "500" in visitor.page.inner_text(".notice")
        assert visitor.axe() == [] and not visitor.spills() and visitor.complaints == []

    everybody = addresses(marta, site)
    assert len(everybody) == before[0] + PEOPLE and len(set(everybody)) == len(everybody)
    after = kinds(marta, site)[len(before[1]):]
    assert after.count("membership.added") == PEOPLE and after.count("people.imported") == 1
    demo.verify()


def test_what_is_exported_is_imported_again_without_a_change_in_every_language(demo, marta, carlo):
    site = demo.site()
    for language in ("en", "it", "es"):
        for api in (marta, carlo):
            answer = api.get(f"/api/sites/{site}/people.csv", params={"language": language})
            assert answer.status_code == 200 and answer.headers["content-type"] == "text/csv; charset=utf-8"
            assert answer.content.startswith(b"\xef\xbb\xbf") and answer.content.count(b"\r\n") == len(addresses(api, site)) + 1
            report = api.ok(check(api, site, answer.content, language=language))
            assert (report["people"], report["memberships"], report["problemCount"]) == (0, 0, 0)
            assert report["unchanged"] == len(addresses(api, site)) and not report["isReady"]
            refused = api.post(f"/api/sites/{site}/people/import/{report['id']}")
            assert refused.status_code == 409


CODES = ["007", "7", "0", "A-1", "a-1", "1-2", "MAR-1", "1E5", "-1", "a.b_c", "9" * 24, "Z" * 24]


def badges(exported):
    """Whose badge is which, of an export."""
    rows = spreadsheet.DictReader(io.StringIO(exported.decode("utf-8-sig")))
    return {one["Email"]: one["Badge"] for one in rows}


def test_badges_of_any_code_leave_a_site_and_enter_it_and_another_one_as_they_are(demo, marta):
    site = demo.site()
    rows = [row(number, Badge=code) for number, code in enumerate(CODES, 5000)]
    assert apply(marta, site, marta.ok(check(marta, site, csv(rows))))["state"] == "done"
    somebody = marta.person(site, "person5000@import.example.com")
    answer = marta.http.put(f"/api/sites/{site}/people/{somebody['membership']}/badge", json={"code": "=007"})
    assert answer.status_code == 422
    # Somebody has the same membership twice: the file tells it once.
    twice = marta.person(site, "person5001@import.example.com")
    own = {"permission": "member", "role": twice["role"], "firstDay": "2026-01-15"}
    more = marta.ok(marta.post(f"/api/sites/{site}/people/{twice['membership']}/more", own | {"lastDay": "2027-01-31"}))
    marta.ok(marta.change_membership(site, twice | more, lastDay=None))
    exported = marta.get(f"/api/sites/{site}/people.csv", params={"language": "en"}).content
    # A spreadsheet leaves alone what an apostrophe stands before.
    found = badges(exported)
    assert [found[f"person{number}@import.example.com"] for number, _ in enumerate(CODES, 5000)] == ["'" + code for code in CODES]
    report = marta.ok(check(marta, site, exported, language="en"))
    assert (report["problemCount"], report["people"], report["memberships"]) == (0, 0, 0)
    assert report["unchanged"] == len(addresses(marta, site)) - 1
    marta.ok(marta.post(f"/api/sites/{site}/people/bulk", {"do": "revoke", "memberships": [more["membership"]]}))
    with short_folder() as folder, Hub(folder) as hub:
        hub.first_run()
        olga = hub.program()
        other = olga.sites()[0]["id"]
        draft = olga.ok(check(olga, other, exported, language="en", makeRoles="true"))
        assert draft["problemCount"] == 0 and apply(olga, other, draft)["state"] == "done"
        there = badges(olga.get(f"/api/sites/{other}/people.csv", params={"language": "en"}).content)
        assert {email: there[email] for email in found if found[email]} == {email: code for email, code in found.items() if code}
        olga.close()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_files_of_every_spreadsheet_are_read(demo, marta, encoding, delimiter):
    rows = [{"Nome": "Niccolò", "Cognome": "D'Età", "Email": "niccolo@import.example.com", "Ultimo giorno": "31/12/2026"}]
    report = marta.ok(check(marta, demo.site(), csv(rows, delimiter).encode(encoding), language="it"))
    assert report["problemCount"] == 0
    assert report["rows"][0]["name"] == "Niccolò D'Età" and report["rows"][0]["lastDay"] == "2026-12-31"
    expected = {"utf-16": "UTF-16", "cp1252": "Windows-1252"}.get(encoding, "UTF-8")
    assert report["encoding"] == expected


@pytest.mark.parametrize("content, code", [
    (b"", "empty"), (b"\0" * 1000, "controlCharacter"), (b"name,email\n\"a,b@c.de\n", "unclosedQuote"),
    (b"name;email\nx\n", "ragged"), (b"\xff\xfea", "brokenEncoding"), (b"name,surname\na,b\n", "columnMissing"),
    (b"name,email\n" + b"a,b@c.de\n" * 20_001, "tooManyLines"),
])
def test_a_file_that_is_none_is_refused_in_words(demo, marta, content, code):
    report = marta.ok(check(marta, demo.site(), content))
    assert code in [problem["code"] for problem in report["problems"]] and not report["isReady"]
    assert all(problem["words"] for problem in report["problems"])


def resident(pid):
    """The memory of a process, in bytes."""
    pages = int(open(f"/proc/{pid}/statm").read().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_a_hundred_megabytes_are_refused_early_and_cost_no_memory(demo, chromium, marta, folder):
    site, hub = demo.site(), demo.pid("hub")
    size = 100 * 1024 * 1024
    before = resident(hub)
    # Says how much comes, and is answered before any of it.
    with socket.create_connection(("127.0.0.1", demo.port), timeout=10) as connection:
        connection.sendall(
            f"POST /api/sites/{site}/people/import HTTP/1.1\r\nHost: localhost:{demo.port}\r\nContent-Type: text/csv\r\n"
            f"Authorization: Bearer {marta.token}\r\nContent-Length: {size}\r\n\r\n".encode())
        answer = connection.recv(65_536)
        assert b" 413 " in answer.split(b"\r\n")[0] and b"limit" in answer
    # Does not say, and is cut off at the limit.
    with socket.create_connection(("127.0.0.1", demo.port), timeout=10) as connection:
        connection.sendall(
            f"POST /api/sites/{site}/people/import HTTP/1.1\r\nHost: localhost:{demo.port}\r\nContent-Type: text/csv\r\n"
            f"Authorization: Bearer {marta.token}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        sent = 0
        with contextlib.suppress(ConnectionError, TimeoutError):
            while sent < size:
                connection.sendall(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
                sent += 0x10000
        assert sent < size / 2
    # Nobody, and somebody who may not, get nothing read at all.
    for headers in ({}, {"Authorization": f"Bearer {demo.api(ADA).token}"}):
        answer = Api(demo.url).http.post(
            f"/api/sites/{site}/people/import", content=b"x" * 1_000_000, headers={"Content-Type": "text/csv"} | headers)
        assert answer.status_code == (403 if headers else 401)
    assert resident(hub) - before < 40 * 1024 * 1024

    with (folder / "large.csv").open("wb") as file:
        file.truncate(size)
    with chromium.visitor(demo.url, PHONE) as visitor:
        visitor.sign_in(demo.account(MARTA))
        visitor.go(f"/sites/{site}/people/import")
        visitor.page.set_input_files("#file", folder / "large.csv")
        visitor.page.click("main form.stack button[type=submit]")
        visitor.page.wait_for_selector("text=too large")
    demo.verify()


def test_two_managers_who_import_the_same_file_at_once_make_everybody_once(demo, marta, carlo):
    site = demo.site()
    content = csv([row(number) for number in range(1000, 1060)])
    drafts = [(api, api.ok(check(api, site, content))) for api in (marta, carlo)]
    ended = []
    threads = [
        threading.Thread(target=lambda api=api, draft=draft: ended.append(apply(api, site, draft))) for api, draft in drafts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one["state"] for one in ended) == ["changed", "done"]
    late = next(one for one in ended if one["state"] == "changed")
    assert (late["unchanged"], late["people"], late["isReady"]) == (60, 0, False)
    found = addresses(marta, site, "person10")
    assert len(found) == len(set(found))
    # Another's dry run is nobody's business.
    assert carlo.get(f"/api/sites/{site}/people/import/{check(marta, site, content).json()['id']}").status_code == 404


def test_passwords_are_hashed_in_the_background_and_the_page_says_how_far_it_is(demo, chromium, marta, folder):
    site = demo.site()
    rows = [row(number, Password=f"a long password {number}") for number in range(2000, 2060)]
    (folder / "people.csv").write_text(csv(rows), newline="")
    with chromium.visitor(demo.url, PHONE, javascript=False) as visitor:
        visitor.sign_in(demo.account(MARTA))
        visitor.go(f"/sites/{site}/people/import")
        visitor.page.set_input_files("#file", folder / "people.csv")
        visitor.page.click("main form.stack button[type=submit]")
        visitor.page.click("main form.stack button[type=submit]")
        # The page asks again by itself, without any script.
        visitor.page.wait_for_selector("details:has(form[action$='/undo']) summary", timeout=120_000)
        assert not visitor.spills()
    somebody = Api(demo.url).sign_in("person2007@import.example.com", "a long password 2007")
    assert somebody.gates()
    # Those without a password have none, whatever one tries.
    for password in ("", "a long password 5"):
        answer = Api(demo.url).post(
            "/api/session", {"email": "person5@import.example.com", "password": password, "program": True})
        assert answer.status_code == 401


def test_an_import_is_undone_but_for_what_was_changed_since(demo, marta):
    site = demo.site()
    draft = marta.ok(check(marta, site, csv([row(number) for number in range(3000, 3010)])))
    assert apply(marta, site, draft)["state"] == "done"
    changed = marta.person(site, "person3004@import.example.com")
    marta.ok(marta.change_membership(site, changed, lastDay="2027-01-31"))
    undone = marta.ok(marta.post(f"/api/sites/{site}/people/import/{draft['id']}/undo"))
    assert undone["undone"] and undone["kept"] == 1
    left = [address for address in addresses(marta, site, "person300") if len(address.split("@")[0]) == len("person3000")]
    assert left == ["person3004@import.example.com"]


def test_who_used_an_account_stays_in_the_list_when_its_import_is_undone_and_an_owner_erases_them(demo, chromium, marta):
    site = demo.site()
    content = csv([row(number, Password=f"a long password {number}") for number in (6000, 6001)])
    draft = marta.ok(check(marta, site, content))
    assert apply(marta, site, draft)["state"] == "done"
    used = Api(demo.url).sign_in("person6000@import.example.com", "a long password 6000")
    with chromium.visitor(demo.url, PHONE) as visitor:
        visitor.sign_in(demo.account(MARTA))
        visitor.go(f"/sites/{site}/people/import/{draft['id']}")
        # It says what it does before it does it.
        visitor.page.locator("summary", has_text="Undo this import").click()
        assert "1 person stays" in visitor.page.inner_text("details")
        assert not visitor.spills() and visitor.axe() == []
        visitor.page.get_by_role("button", name="Undo import now").click()
        assert "One thing stayed" in visitor.page.inner_text(".notice")
        assert "An owner can erase it" in visitor.page.inner_text("main dl")
        assert not visitor.spills() and visitor.axe() == []
        visitor.go(f"/sites/{site}/people?search=person600")
        assert visitor.page.locator("text=taken away").count() >= 1
        visitor.page.get_by_role("link", name="Giulia Number-6000").click()
        visitor.page.get_by_role("link", name="Erase this person").click()
        visitor.page.wait_for_selector("main form")
    assert addresses(marta, site, "person600") == ["person6000@import.example.com"]
    assert used.gates() == []
    used.close()


def test_the_changes_page_says_who_changed_what_from_what_to_what(demo, chromium, marta):
    site = demo.site()
    ada = marta.person(site, ADA)
    for day in range(1, 29):   # more than fit on a page, each a change of its own
        marta.ok(marta.change_membership(site, ada, lastDay=f"2027-05-{day:02}"))
        marta.ok(marta.change_membership(site, ada, lastDay="2027-03-03"))
    marta.ok(marta.change_membership(site, ada, lastDay="2027-04-04"))
    with chromium.visitor(demo.url, PHONE) as visitor:
        visitor.sign_in(demo.account(MARTA))
        visitor.go(f"/sites/{site}/changes")
        first = visitor.page.inner_text("li.change >> nth=0")
        for words in ("Changed: membership", "Ada Rossi", "Marta Conti", "Last day", "3 March 2027", "4 April 2027"):
            assert words in first, words
        assert visitor.axe() == [] and not visitor.spills() and visitor.complaints == []
        # By kind, by person, and further back.
        visitor.page.select_option("#kind", "roles")
        visitor.page.click("form.filter button")
        visitor.page.wait_for_load_state()
        shown = visitor.page.eval_on_selector_all("li.change", "all => all.map(one => one.dataset.kind)")
        assert shown and all(kind.startswith("role.") for kind in shown)
        visitor.go(f"/sites/{site}/changes?person={ada['person']}")
        assert visitor.page.locator("li.change").count() >= 3
        visitor.go(f"/sites/{site}/changes")
        seen = visitor.page.eval_on_selector_all("li.change", "all => all.map(one => one.dataset.event)")
        visitor.page.click("text=Older")
        visitor.page.wait_for_load_state()
        older = visitor.page.eval_on_selector_all("li.change", "all => all.map(one => one.dataset.event)")
        assert len(seen) == 50 and older and not set(seen) & set(older)
    assert demo.api(ADA).get(f"/sites/{site}/changes").status_code == 403


def test_a_hub_that_is_killed_in_the_middle_of_an_import_has_all_of_it_or_nothing(demo, marta):
    site = demo.site()
    for attempt in range(4):
        start = 10_000 + attempt * 1000
        content = csv([row(number) for number in range(start, start + 400)])
        draft = marta.ok(check(marta, site, content))
        path = f"/api/sites/{site}/people/import/{draft['id']}"

        def send():
            with contextlib.suppress(Exception):
                marta.http.post(path, json={}, timeout=20)
        sender = threading.Thread(target=send)
        sender.start()
        time.sleep(random.uniform(0, 0.4))   # at any moment of it
        hub = demo.pid("hub")
        os.kill(hub, signal.SIGKILL)
        sender.join()
        wait_until(lambda: not is_running(hub), 10, "the end of the hub")
        wait_until(lambda: demo.states(), 60, "the hub again")
        found = sum(1 for address in addresses(marta, site, f"@import") if start <= int(address[6:].split("@")[0]) < start + 400)
        assert found in (0, 400)
        assert kinds(marta, site).count("people.imported") == len(
            {event["payload"]["import"] for event in marta.events(site) if event["kind"] == "people.imported"})
    demo.verify()
