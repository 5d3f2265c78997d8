"""A manager builds the rules of a company out of nothing: gates, groups, hours, days off, roles, another site. Everything by forms
that work without script; what is taken away holds at once; nobody reaches into another company."""

import datetime
import re
import subprocess
import zoneinfo

import pytest
from playwright.sync_api import expect

from api import Api
from browser import DESK, PHONE, TABLET
from demo import ADA, MARTA, PROGRAM, Process, short_folder, wait_until
from patience import PATIENCE
from test_home_protection import stale

OLGA = {"email": "olga@example.com", "password": "a threshold in the morning"}
LUCA = {"email": "luca@example.com", "password": "another threshold"}
GATES = ["Main entrance", "Car park", "Laboratory", "Warehouse", "Roof", "Archive"]
WEEK = ["08:00-12:30 13:30-18:00"] * 5 + ["", ""]
BARE_WEEK = [["08:00-12:30", "13:30-18:00"]] * 5 + [[], []]


class Company:
    """A hub in earnest whose owner has just come in."""

    def __init__(self, folder):
        self.folder, self.data = folder, folder / "d"
        self.hub = Process(folder / "out", "serve", "--data", folder / "d", "--port", 0)

    def begin(self):
        self.url = self.hub.wait_until_ready()
        browser = Api(self.url, browser=True)
        code = (self.folder / "d" / "setup-code").read_text().strip()
        answer = browser.http.post("/first-run", data={
            "code": code, "name": "Olga Sarti", **OLGA, "site": "Officina Sarti", "timezone": "Europe/Rome"})
        assert answer.status_code == 303, answer.text
        browser.close()
        self.olga = Api(self.url).sign_in(**OLGA)
        self.site = self.olga.sites()[0]["id"]
        return self

    def path(self, rest):
        return f"/sites/{self.site}/{rest}"

    def api(self, rest):
        return f"/api/sites/{self.site}/{rest}"

    def items(self, kind):
        return self.olga.ok(self.olga.get(self.api(kind)))["items"]

    def named(self, kind, name):
        return next(one for one in self.items(kind) if one["name"] == name)

    def kinds(self):
        return [event["kind"] for event in self.olga.events(self.site)]

    def delete(self, rest):
        return self.olga.http.delete(self.api(rest))


@pytest.fixture(scope="module")
def company():
    with short_folder() as folder:
        company = Company(folder)
        try:
            yield company.begin()
        finally:
            assert company.hub.end() == 0


def save(page):
    page.locator("main form button[type=submit]:not(.quiet)").last.click()


def check(visitor, what):
    assert visitor.axe() == [], what
    assert not visitor.spills(), what
    assert visitor.page.locator("h1").count() == 1, what
    assert visitor.complaints == [], what


# MARK: from nothing


def test_an_empty_company_is_built_by_its_manager_in_a_browser_without_script(company, chromium):
    with chromium.visitor(company.url, DESK, javascript=False) as visitor:
        page = visitor.page
        visitor.sign_in(OLGA)
        guide = page.locator(".guide")
        expect(guide.locator("li")).to_have_count(5)
        expect(guide.locator("li.done")).to_have_count(0)

        for name in GATES:
            visitor.go(company.path("gates/new"))
            page.fill("[name=name]", name)
            page.fill("[name=pulse]", "2.5")
            save(page)
            expect(page.get_by_role("heading", level=1)).to_have_text(name)
        visitor.go(company.path("gates/manage"))
        expect(page.locator("tbody tr")).to_have_count(6)
        expect(page.locator("tbody tr").first).to_contain_text("2.5 s")

        page.get_by_role("link", name="Rules").click()
        page.get_by_role("link", name="Groups").click()
        page.get_by_role("link", name="Add a group").click()
        page.fill("[name=name]", "Ground floor")
        for name in GATES[:3]:
            page.get_by_label(name, exact=True).check()
        save(page)
        expect(page.get_by_role("status").first).to_have_text("Saved.")

        visitor.go(company.path("hours"))
        page.get_by_role("link", name="Add hours").click()
        page.fill("[name=name]", "Office hours")
        page.fill("[name=day1]", WEEK[0])
        page.click("button[name=copy]")
        for day in range(1, 6):
            assert page.input_value(f"[name=day{day}]") == WEEK[0]
        assert page.input_value("[name=day6]") == "" and page.input_value("[name=name]") == "Office hours"
        expect(page.locator(".week > div").nth(4)).to_contain_text("08:00–12:30, 13:30–18:00")
        assert company.items("hours") == [], "looking is not saving"
        page.click("button[name=save]")
        expect(page.locator("main .chip").first).to_contain_text(re.compile("open until|closed, opens"))

        visitor.go(company.path("special-days"))
        page.select_option("[name=country]", "IT")
        page.select_option("[name=year]", "2027")
        page.get_by_role("button", name="Add the holidays").click()
        expect(page.get_by_role("status").first).to_have_text("13 holidays were added.")
        expect(page.locator("tbody tr", has_text="Ferragosto")).to_contain_text("closed")
        page.select_option("[name=year]", "2027")
        page.get_by_role("button", name="Add the holidays").click()
        page.get_by_role("link", name="Add a special day").click()
        page.fill("[name=name]", "Summer break")
        page.fill("[name=first_day]", "2027-08-09")
        page.fill("[name=last_day]", "2027-08-20")
        save(page)
        expect(page.get_by_role("status").first).to_have_text("Saved.")

        for name, level in [("Office", "1"), ("Warehouse", "2")]:
            visitor.go(company.path("roles/new"))
            page.fill("[name=name]", name)
            page.fill("[name=level]", level)
            if name == "Office":
                page.select_option("[name=hours]", label="Office hours")
                page.get_by_label("Ground floor").check()
                page.get_by_label("Roof", exact=True).check()
            else:
                for gate in GATES:
                    page.get_by_label(gate, exact=True).check()
            save(page)
            expect(page.get_by_role("status").first).to_have_text("Saved.")
        visitor.go(company.path("roles"))
        office = page.locator("tbody tr", has_text="Office").first
        for words in ("Office hours", "4 gates", "0 people"):
            expect(office).to_contain_text(words)

        visitor.go(company.path("gates"))
        expect(page.locator(".guide li.done")).to_have_count(3)
        assert visitor.complaints == []

    assert [len(role["gates"]) for role in company.items("roles")] == [1, 6]
    assert company.named("roles", "Office")["hours"] == company.items("hours")[0]["id"]
    assert company.items("hours")[0]["week"] == BARE_WEEK
    kinds = company.kinds()
    for kind, count in [("gate.added", 6), ("group.added", 1), ("timetable.added", 1), ("special.added", 14), ("role.added", 2)]:
        assert kinds.count(kind) == count, kind


def test_the_keyboard_alone_writes_a_role(company, chromium):
    with chromium.visitor(company.url, PHONE) as visitor:
        page = visitor.page
        visitor.sign_in(OLGA).go(company.path("roles/new"))

        def tab_until(condition, most=60):
            for _ in range(most):
                page.keyboard.press("Tab")
                if page.evaluate(condition):
                    return
            raise AssertionError(condition)

        tab_until("() => document.activeElement.name === 'name'")
        page.keyboard.type("Visitors")
        tab_until("() => document.activeElement.name === 'level'")
        page.keyboard.press("Control+A")
        page.keyboard.type("-3")
        tab_until("() => document.activeElement.name === 'gate'")
        page.keyboard.press("Space")
        tab_until("() => document.activeElement.name === 'save'")
        page.keyboard.press("Enter")
        page.wait_for_url("**/roles/*saved=1")
        expect(page.get_by_role("heading", level=1)).to_have_text("Visitors")
    visitors = company.named("roles", "Visitors")
    assert (visitors["level"], len(visitors["gates"]), visitors["hours"]) == (-3, 1, None)


# MARK: every page, every language


def pages_of(company):
    gate = company.items("gates")[0]["id"]
    role = company.named("roles", "Office")["id"]
    hours = company.items("hours")[0]["id"]
    group = company.items("gate-groups")[0]["id"]
    day = company.items("special-days")[0]["id"]
    return [company.path(rest) for rest in (
        "gates", "gates/manage", "gates/new", f"gates/{gate}", f"gates/{gate}/retire", "roles", "roles/new", f"roles/{role}",
        f"roles/{role}/remove", "hours", "hours/new", f"hours/{hours}", f"hours/{hours}/remove", "special-days",
        "special-days/new", f"special-days/{day}", f"special-days/{day}/remove", "gate-groups", f"gate-groups/{group}",
        f"gate-groups/{group}/remove", "settings")] + ["/sites/new"]


@pytest.mark.parametrize("size, language, schemes", [
    (PHONE, "it", ("light", "dark")), (PHONE, "es", ("dark",)), (PHONE, "en", ("light",)), (TABLET, "es", ("light",)),
    (DESK, "it", ("light", "dark"))])
def test_every_page_of_rules_is_sound(company, chromium, size, language, schemes):
    company.olga.ok(company.olga.post(company.api(f"gates/{company.items('gates')[0]['id']}/pairing")))
    with chromium.visitor(company.url, size, language) as visitor:
        visitor.sign_in(OLGA)
        visitor.page.locator(f"button[name=language][value={language}]").click()
        for path in pages_of(company):
            visitor.go(path)
            assert visitor.page.locator("html").get_attribute("lang") == language
            for scheme in schemes:
                visitor.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                check(visitor, f"{path} in {language}, {scheme}, {size['width']} wide")
        visitor.page.locator("button[name=language][value=en]").click()


def test_the_menu_of_a_manager_fits_a_phone_and_each_entry_is_a_thumb_wide(company, chromium):
    with chromium.visitor(company.url, PHONE) as visitor:
        visitor.sign_in(OLGA)
        links = visitor.page.locator("nav.links a")
        expect(links).to_have_count(5)
        boxes = [links.nth(i).bounding_box() for i in range(5)]
        assert all(box["width"] >= 48 and box["height"] >= 48 for box in boxes)
        assert len({box["y"] for box in boxes}) == 1 and boxes[-1]["x"] + boxes[-1]["width"] <= PHONE["width"]


# MARK: what will not do


def test_hours_that_will_not_do_are_refused_line_by_line_and_what_was_typed_stays(company, chromium):
    with chromium.visitor(company.url, PHONE) as visitor:
        page = visitor.page
        visitor.sign_in(OLGA).go(company.path("hours/new"))
        page.fill("[name=name]", "  ")
        page.fill("[name=day1]", "08:00-13:00 12:00-18:00")
        page.fill("[name=day2]", "from eight")
        page.fill("[name=day3]", "08.00–12.30")
        page.fill("[name=day5]", "22:00-06:00")
        page.fill("[name=day6]", "05:00-07:00")
        page.click("button[name=save]")
        expect(page.get_by_role("alert")).to_be_visible()
        expect(page.locator("#name-refused")).to_be_visible()
        expect(page.locator("#day1-refused")).to_have_text("08:00-13:00 and 12:00-18:00 overlap.")
        expect(page.locator("#day2-refused")).to_contain_text("“from” is not a stretch of a day")
        expect(page.locator("#day3-refused")).to_have_count(0)
        assert page.input_value("[name=day2]") == "from eight"
        assert visitor.axe() == []
        page.fill("[name=name]", "Nights")
        page.fill("[name=day1]", "")
        page.fill("[name=day2]", "")
        page.click("button[name=save]")
        expect(page.locator("#day5-refused")).to_contain_text("overlap")
        page.fill("[name=day6]", "06:00-07:00")
        page.click("button[name=save]")
        page.wait_for_url("**/hours/*saved=1")
    assert company.named("hours", "Nights")["week"][2] == ["08:00-12:30"]
    assert company.delete(f"hours/{company.named('hours', 'Nights')['id']}").status_code == 204


@pytest.mark.parametrize("body, field", [
    ({"firstDay": "2027-02-29"}, "firstDay"), ({"firstDay": "29/02/2027"}, "firstDay"), ({"lastDay": "2027-01-31"}, "lastDay"),
    ({"lastDay": "2029-01-01"}, "lastDay"), ({"hours": ["8"]}, "hours"), ({"hours": ["08:00-12:00", "11:00-13:00"]}, "hours"),
    ({"name": ""}, "name"), ({"name": "a\u202eb"}, "name"), ({"name": "x" * 81}, "name")])
def test_special_days_that_are_none_are_refused_with_the_field_that_will_not_do(company, body, field):
    good = {"name": "Off", "firstDay": "2027-02-01", "lastDay": "2027-02-02", "hours": []}
    answer = company.olga.post(company.api("special-days"), good | body)
    assert answer.status_code == 422 and answer.json()["field"] == field, answer.text


def test_the_days_on_which_the_clock_changes_are_days_like_others(company):
    for day in ("2027-03-28", "2027-10-31"):
        body = {"name": f"Change {day}", "firstDay": day, "lastDay": day, "hours": ["02:30-03:30", "22:00-06:00"]}
        made = company.olga.ok(company.olga.post(company.api("special-days"), body))
        assert made["hours"] == ["02:30-03:30", "22:00-06:00"]
        assert company.delete(f"special-days/{made['id']}").status_code == 204


def test_a_role_of_two_thousand_gates_is_refused_in_words_and_one_of_a_thousand_boxes_can_be_filtered(company, chromium):
    answer = company.olga.post(
        company.api("roles"), {"name": "Many", "level": 1, "gates": ["0" * 32] * 2000, "groups": [], "hours": None})
    assert answer.status_code == 422 and answer.json()["field"] == "gates" and "1000" in answer.json()["detail"]
    ids = [company.olga.ok(company.olga.post(company.api("gates"), {"name": f"Locker {i:03}"}))["id"] for i in range(300)]
    role = company.olga.ok(company.olga.post(
        company.api("roles"), {"name": "Lockers", "level": 9, "gates": ids, "groups": [], "hours": None}))
    with chromium.visitor(company.url, PHONE, javascript=False) as visitor:
        page = visitor.page
        visitor.sign_in(OLGA).go(company.path(f"roles/{role['id']}"))
        page.fill("[name=filter]", "locker 01")
        page.click("button[name=show]")
        expect(page.locator(".check")).to_have_count(11)
        assert page.locator("[name=gate]").count() == 300, "those that are hidden stay chosen"
        page.get_by_label("Locker 013").uncheck()
        page.click("button[name=save]")
        page.wait_for_url("**saved=1")
    assert set(company.named("roles", "Lockers")["gates"]) == set(ids) - {ids[13]}
    for gate in ids:
        company.olga.ok(company.olga.post(company.api(f"gates/{gate}/retire")))


def test_a_role_that_somebody_has_asks_for_another_one_first(company, chromium):
    role = company.named("roles", "Warehouse")
    bruno = company.olga.ok(company.olga.post(company.api("people"), {
        "name": "Bruno", "email": "bruno@example.com", "password": "a long password", "permission": "member",
        "role": role["id"], "firstDay": None, "lastDay": None}))
    assert company.delete(f"roles/{role['id']}").status_code == 409
    hours = company.items("hours")[0]["id"]
    assert company.delete(f"hours/{hours}").status_code == 409
    with chromium.visitor(company.url, PHONE) as visitor:
        page = visitor.page
        visitor.sign_in(OLGA).go(company.path(f"roles/{role['id']}/remove"))
        expect(page.locator("main")).to_contain_text("1 person has this role")
        expect(page.get_by_role("button", name="Remove")).to_have_count(0)
        expect(page.get_by_role("link", name="Show who")).to_have_attribute("href", re.compile(role["id"]))
        company.olga.ok(company.olga.change_membership(company.site, bruno, role=company.named("roles", "Office")["id"]))
        page.reload()
        page.get_by_role("button", name="Remove").click()
        expect(page.get_by_role("status").first).to_have_text("Removed.")
    assert "Warehouse" not in [one["name"] for one in company.items("roles")]
    assert company.kinds().count("role.removed") == 1


def test_a_gate_is_taken_out_of_use_after_a_question_and_put_back(company, chromium):
    gate = company.named("gates", "Roof")
    with chromium.visitor(company.url, PHONE) as visitor:
        page = visitor.page
        visitor.sign_in(OLGA).go(company.path(f"gates/{gate['id']}"))
        page.fill("[name=pulse]", "40")
        save(page)
        expect(page.locator("#pulse-refused")).to_be_visible()
        assert page.input_value("[name=pulse]") == "40"
        page.get_by_role("link", name="Take out of use").click()
        expect(page.locator("main")).to_contain_text("Office")
        assert company.named("gates", "Roof")["retired"] is None, "asking is not doing"
        page.get_by_role("button", name="Take out of use").click()
        expect(page.locator("main .chip").first).to_have_text("out of use")
        assert company.named("gates", "Roof")["retired"]
        assert gate["id"] not in [one["id"] for one in company.olga.gates()]
        again = company.olga.post(company.api(f"gates/{gate['id']}/pairing"))
        assert again.status_code == 409
        assert company.olga.post(f"/api/gates/{gate['id']}/open").status_code == 404
        page.get_by_role("button", name="Put back into use").click()
        expect(page.locator("main .chip").first).to_have_text("no controller yet")
    assert gate["id"] in company.named("roles", "Office")["gates"], "its roles kept it"
    assert company.olga.post(company.api("gates"), {"name": "Roof"}).status_code == 409


# MARK: nobody else's


def test_the_rules_of_another_company_do_not_exist(company):
    olga = company.olga
    other = olga.ok(olga.post("/api/sites", {"name": "Deposito", "zone": "Europe/Madrid"}))
    there = f"/api/sites/{other['id']}"
    role, gate = company.named("roles", "Office"), company.items("gates")[0]["id"]
    hours, group = company.items("hours")[0], company.items("gate-groups")[0]
    day = company.items("special-days")[0]
    before = len(company.kinds())
    body = {"name": "X", "level": 1, "gates": [], "groups": [], "hours": None}
    for extra, field in [({"gates": [gate]}, "gates"), ({"groups": [group["id"]]}, "groups"), ({"hours": hours["id"]}, "hours"),
                         ({"gates": ["x"]}, "gates"), ({"gates": ["0" * 32]}, "gates")]:
        answer = olga.post(f"{there}/roles", body | extra)
        assert answer.status_code == 422 and answer.json()["field"] == field, answer.text
    assert olga.post(f"{there}/gate-groups", {"name": "X", "gates": [gate]}).status_code == 422
    for path, body in [
            (f"roles/{role['id']}", body), (f"hours/{hours['id']}", {"name": "X", "week": BARE_WEEK, "keepsSpecialDays": True}),
            (f"gate-groups/{group['id']}", {"name": "X", "gates": []}),
            (f"special-days/{day['id']}", {"name": "X", "firstDay": "2027-01-01", "lastDay": "2027-01-01", "hours": []})]:
        assert olga.put(f"{there}/{path}", body).status_code == 404, path
        assert olga.http.delete(f"{there}/{path}").status_code == 404, path
        assert olga.get(f"/sites/{other['id']}/{path}", headers={"Accept": "text/html"}).status_code in (303, 404), path
    for verb in ("retire", "reinstate", "pairing"):
        assert olga.post(f"{there}/gates/{gate}/{verb}").status_code == 404
    assert olga.http.patch(f"{there}/gates/{gate}", json={"name": "X"}).status_code == 404
    assert len(company.kinds()) == before


def test_a_manager_changes_the_site_but_adds_none_and_a_member_sees_no_rules(company, chromium):
    for name, permission in [("Luca", "manager"), ("Mina", "member")]:
        company.olga.ok(company.olga.post(company.api("people"), {
            "name": name, "email": f"{name.lower()}@example.com", "password": LUCA["password"], "permission": permission,
            "role": None, "firstDay": None, "lastDay": None}))
    luca = Api(company.url).sign_in(**LUCA)
    answer = luca.post("/api/sites", {"name": "Luca's own", "zone": "Europe/Rome"})
    assert answer.status_code == 403 and "owns" in answer.json()["detail"]
    assert luca.http.patch(company.api("")[:-1], json={"zone": "Europe/Nowhere"}).json()["field"] == "zone"
    assert luca.http.patch(company.api("")[:-1], json={"name": " Officina Sarti srl "}).json()["name"] == "Officina Sarti srl"
    luca.close()
    with chromium.visitor(company.url, DESK) as visitor:
        visitor.sign_in(LUCA).go(company.path("settings"))
        expect(visitor.page.get_by_role("link", name="Add a site")).to_have_count(0)
        assert visitor.go("/sites/new").status == 403
    mina = Api(company.url).sign_in("mina@example.com", LUCA["password"])
    for kind in ("gates", "roles", "hours", "special-days", "gate-groups"):
        assert mina.get(company.api(kind)).status_code == 403
        assert mina.post(company.api(kind), {}).status_code == 403
    assert mina.http.patch(company.api("")[:-1], json={"name": "X"}).status_code == 403
    mina.close()
    with chromium.visitor(company.url, PHONE) as visitor:
        visitor.sign_in({"email": "mina@example.com", "password": LUCA["password"]})
        expect(visitor.page.locator("nav.links a")).to_have_count(1)
        expect(visitor.page.locator(".guide")).to_have_count(0)
        expect(visitor.page.get_by_role("link", name="Manage gates")).to_have_count(0)
        for rest in ("gates/manage", "roles", "hours", "special-days", "gate-groups", "settings"):
            assert visitor.go(company.path(rest)).status == 403


def test_the_clock_of_a_site_is_chosen_out_of_a_filtered_list_and_its_days_follow(company, chromium):
    with chromium.visitor(company.url, PHONE, javascript=False) as visitor:
        page = visitor.page
        visitor.sign_in(OLGA).go(company.path("settings"))
        page.fill("[name=filter]", "kiriti")
        page.click("button[name=show]")
        expect(page.locator("[name=zone] option")).to_have_count(2)
        page.select_option("[name=zone]", "Pacific/Kiritimati")
        page.click("button[name=save]")
        expect(page.get_by_role("status").first).to_have_text("Saved.")
        assert page.input_value("[name=zone]") == "Pacific/Kiritimati"
        visitor.go(company.path("hours"))
        expect(page.locator("main")).to_contain_text("Pacific/Kiritimati")
    assert next(s for s in company.olga.sites() if s["id"] == company.site)["zone"] == "Pacific/Kiritimati"
    changed = [event for event in company.olga.events(company.site) if event["kind"] == "site.changed"]
    assert changed[-1]["payload"]["before"]["zone"] == "Europe/Rome"
    company.olga.http.patch(company.api("")[:-1], json={"zone": "Europe/Rome"})


def test_a_change_of_the_clock_gives_no_access_back_and_takes_a_fresh_proof(company):
    olga, site = company.olga, company.api("")[:-1]
    olga.ok(olga.http.patch(site, json={"zone": "Pacific/Kiritimati"}))
    yesterday = datetime.datetime.now(zoneinfo.ZoneInfo("Pacific/Kiritimati")).date() - datetime.timedelta(days=1)
    gone = olga.ok(olga.post(company.api("people"), {
        "name": "Gina", "email": "gina@example.com", "password": LUCA["password"], "permission": "owner", "role": None,
        "firstDay": None, "lastDay": yesterday.isoformat()}))
    gina = Api(company.url).sign_in("gina@example.com", LUCA["password"])
    assert gina.get(company.api("people")).status_code == 404
    # There it is an earlier day, whatever the time is here.
    for caller in (olga, Api(company.url).sign_in(**LUCA)):
        answer = caller.http.patch(site, json={"zone": "Pacific/Pago_Pago"})
        assert answer.status_code == 422 and answer.json()["field"] == "zone", answer.text
    assert gina.get(company.api("people")).status_code == 404
    olga.change_membership(company.site, gone, lastDay=(yesterday - datetime.timedelta(days=9)).isoformat())
    left = stale(company, Api(company.url).sign_in(**OLGA))
    answer = left.http.patch(site, json={"zone": "Europe/Rome"})
    assert answer.status_code == 403 and answer.json()["type"] == "/problems/fresh-proof-needed", answer.text
    left.close()
    gina.close()
    assert olga.ok(olga.http.patch(site, json={"zone": "Pacific/Pago_Pago"}))["zone"] == "Pacific/Pago_Pago"
    olga.ok(olga.http.patch(site, json={"zone": "Europe/Rome"}))


def test_an_owner_adds_another_site_and_owns_it(company, chromium):
    with chromium.visitor(company.url, PHONE) as visitor:
        page = visitor.page
        visitor.sign_in(OLGA).go(company.path("settings"))
        page.get_by_role("link", name="Add a site").click()
        page.fill("[name=name]", "Magazzino Est")
        page.click("button[name=save]")
        page.wait_for_url("**/gates")
        expect(page.locator(".guide li.done")).to_have_count(0)
        assert visitor.axe() == []
    assert "Magazzino Est" in [site["name"] for site in company.olga.sites()]


# MARK: with controllers


def test_a_code_from_the_page_pairs_a_controller_and_the_page_shows_it(demo, chromium):
    with chromium.visitor(demo.url, PHONE) as visitor:
        page = visitor.page
        visitor.sign_in(demo.account(MARTA)).go(f"/sites/{demo.site()}/gates/new")
        page.fill("[name=name]", "Boiler room")
        save(page)
        page.get_by_role("button", name="Get a pairing code").click()
        letters = page.locator(".letters").inner_text()
        assert re.fullmatch(r"[0-9A-Z]{26}", re.sub(r"\s", "", letters))
        expect(page.locator("[data-part=left]")).to_contain_text("10 min")
        expect(page.locator("#controller .chip")).to_have_text("waiting for its controller")
        broker = "mqtt://{host}:{port}".format(**demo.file["broker"])
        with (demo.folder / "controller").open("ab") as output:
            controller = subprocess.Popen(
                [PROGRAM, "gate", "--data", demo.folder / "boiler", "--hub", broker, "--pair"], stdin=subprocess.PIPE,
                stdout=output, stderr=output)
        try:
            controller.stdin.write(letters.replace("\n", " ").lower().encode() + b"\n")
            controller.stdin.close()
            expect(page.locator(".letters")).to_have_count(0, timeout=30_000)
            wait_until(lambda: page.reload() and page.locator("#controller .chip").inner_text() == "connected", 30, "connected")
            expect(page.get_by_text("Pair another controller")).to_be_visible()
        finally:
            controller.terminate()
            controller.wait(PATIENCE)


def test_a_gate_taken_from_a_role_is_shut_for_a_phone_that_kept_its_pass(demo):
    marta = demo.api(MARTA)
    site = demo.site()
    roles = marta.ok(marta.get(f"/api/sites/{site}/roles"))["items"]
    ada = marta.person(site, ADA)
    role = next(one for one in roles if one["id"] == ada["role"])
    gate = demo.gate()
    assert gate in role["gates"]
    assert demo.phone("--email", ADA, "refresh").returncode == 0
    assert demo.phone("open", "Main entrance").returncode == 0
    path = f"/api/sites/{site}/roles/{role['id']}"
    marta.ok(marta.put(path, role | {"gates": [one for one in role["gates"] if one != gate]}))
    wait_until(lambda: demo.phone("open", "Main entrance").returncode != 0, 20, "the pass denied")
    marta.ok(marta.put(path, role))
    assert demo.phone("--email", ADA, "refresh").returncode == 0
    wait_until(lambda: demo.phone("open", "Main entrance").returncode == 0, 20, "the pass good again")
    assert demo.verify()
