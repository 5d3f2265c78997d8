"""A session that was left open gives nobody power: whoever may change a place is made, changed and ended with a fresh proof."""

import contextlib
import sqlite3

import pytest
from playwright.sync_api import expect

from api import Api
from demo import short_folder
from hub import OLGA, PASSWORD, Hub

FIRST = "a first password of theirs"
TABLES = (
    "people", "memberships", "invitations", "legacy_accounts", "badges", "membership_steps", "people_imports", "legacy_gates",
    "legacy_sites", "check_in_gates")


class Place:
    """A site of Olga's with an owner, a manager, a member, somebody who was to manage it and does no more, and imports."""

    def __init__(self, hub, kind):
        self.hub, self.olga, self.kind = hub, hub.program(), kind
        self.site = self.olga.ok(self.olga.post("/api/sites", {"name": f"A {kind}", "kind": kind, "zone": "Europe/Rome"}))["id"]
        self.people = f"/api/sites/{self.site}/people"
        self.rows = {}
        for name, permission in (("Boss", "owner"), ("Mara", "manager"), ("Past", "manager"), ("Memo", "member"), ("Ivo", "installer")):
            self.rows[name] = self.add(self.olga, name, permission)
        self.olga.ok(self.olga.post(f"{self.people}/bulk", {"memberships": [self.id("Past")], "do": "revoke"}))
        # A manager who is a guest there, too.
        self.aside = self.olga.ok(self.olga.post(f"{self.people}/{self.id('Mara')}/more", {"permission": "guest"}))["membership"]
        self.batch = self.bulk(self.olga, "Mara", "revoke")["batch"]
        self.gate = self.olga.ok(self.olga.post(f"/api/sites/{self.site}/gates", {"name": "Front"}))["id"]
        self.olga.ok(self.olga.put(f"/api/sites/{self.site}/gates/{self.gate}/check-in", {"proof": "passkey"}))
        self.drafts = {name: self.draft(f"name,email,permission\n{name},{name.lower()}.{kind}@example.org,{permission}")
                       for name, permission in (("Done", "manager"), ("Later", "owner"), ("Plain", "member"))}
        self.drafts["Word"] = self.draft(f"name,email,password\nWord,word.{kind}@example.org,{FIRST}")
        self.olga.ok(self.olga.post(self.drafts["Done"]))

    def draft(self, text):
        answer = self.olga.ok(self.olga.http.post(f"{self.people}/import", content=text.encode(), headers={"Content-Type": "text/csv"}))
        return f"{self.people}/import/{answer['id']}"

    def id(self, name):
        return self.rows[name]["membership"]

    def add(self, api, name, permission, **more):
        return api.ok(api.post(self.people, {
            "name": name, "email": f"{name.lower()}.{self.kind}@example.org", "permission": permission} | more))

    def bulk(self, api, name, what):
        return api.ok(api.post(f"{self.people}/bulk", {"memberships": [self.id(name)], "do": what}))

    def acts(self):
        """What gives or takes power, each as `(method, path, body)`."""
        def entry(permission, **more):
            return {"name": "New", "email": f"new{len(more)}.{permission}@example.org", "permission": permission} | more
        for permission in ("owner", "manager", "installer"):
            yield "POST", self.people, entry(permission)
            yield "POST", f"{self.people}/{self.id('Memo')}/more", {"permission": permission}
            yield "PUT", f"{self.people}/{self.id('Memo')}", {"permission": permission}
        yield "POST", self.people, entry("member", password=FIRST)
        for name in ("Boss", "Ivo"):
            yield "PUT", f"{self.people}/{self.id(name)}", {"permission": "member"}
            yield "POST", f"{self.people}/{self.id(name)}/invitation", {"way": "paper"}
            yield "POST", f"{self.people}/bulk", {"memberships": [self.id("Memo"), self.id(name)], "do": "revoke"}
        yield "PUT", f"{self.people}/{self.aside}", {"permission": "guest", "name": "Another name"}
        yield "POST", f"{self.people}/bulk", {"memberships": [self.id("Past")], "do": "reinstate"}
        yield "POST", f"{self.people}/undo", {"batch": self.batch}
        yield "POST", self.drafts["Later"], {}
        yield "POST", self.drafts["Word"], {}
        yield "POST", self.drafts["Done"] + "/undo", {}
        yield "POST", f"/api/sites/{self.site}/legacy/accounts/{self.rows['Memo']['person']}", {}
        yield "POST", f"/api/sites/{self.site}/legacy/own", {}
        # What makes a gate easier to open.
        for proof in ("unlocked", "none"):
            yield "PUT", f"/api/sites/{self.site}/gates/{self.gate}/check-in", {"proof": proof}
        yield "PUT", f"/api/sites/{self.site}/gates/{self.gate}/mode", {"mode": "legacy"}
        yield "PUT", f"/api/sites/{self.site}/legacy", {"allowsGET": True}

    def content(self):
        with contextlib.closing(sqlite3.connect(f"file:{self.hub.data}/soglia.sqlite?mode=ro", uri=True)) as database:
            return {table: sorted(map(repr, database.execute(f"SELECT * FROM {table}"))) for table in TABLES}


@pytest.fixture(scope="module")
def hub():
    with short_folder() as folder, Hub(folder) as hub:
        hub.first_run()
        yield hub


@pytest.fixture(scope="module", params=["company", "home"])
def place(request, hub):
    return Place(hub, request.param)


def test_a_session_left_open_gives_nobody_power_and_a_fresh_proof_does(hub, place):
    left = hub.age_proof(hub.program())
    before = place.content()
    for method, path, body in place.acts():
        answer = left.http.request(method, path, json=body)
        assert answer.status_code == 403 and answer.json()["type"] == "/problems/fresh-proof-needed", (method, path, body, answer.text)
        assert place.content() == before, (method, path, body)
    # Proven once more, the same session may, each of it.
    assert left.post("/api/session/proof", {"password": PASSWORD}).status_code < 300
    for method, path, body in place.acts():
        answer = left.http.request(method, path, json=body)
        assert answer.status_code < 300 or (path.endswith("/own") and answer.status_code == 404), (method, path, body, answer.text)
    left.close()


def test_an_old_proof_is_enough_for_what_makes_a_gate_harder_to_open(hub, place):
    base = f"/api/sites/{place.site}"
    for path, body in ((f"gates/{place.gate}/check-in", {"proof": "none"}), (f"gates/{place.gate}/mode", {"mode": "legacy"}),
                       ("legacy", {"allowsGET": True})):
        assert place.olga.put(f"{base}/{path}", body).status_code < 300
    left = hub.age_proof(hub.program())
    for path, body in ((f"gates/{place.gate}/check-in", {"proof": "passkey"}), (f"gates/{place.gate}/mode", {"mode": "pass"}),
                       ("legacy", {"allowsGET": False})):
        assert left.put(f"{base}/{path}", body).status_code < 300
    left.close()


def test_who_stands_at_a_desk_lets_plain_members_in_all_day(hub, place):
    left = hub.age_proof(hub.program())
    plain = {"name": "Pia", "email": f"pia.{place.kind}@example.org", "permission": "member"}
    answers = [left.post(place.people, plain), left.post(place.drafts["Plain"])]
    if place.kind == "home":
        assert [answer.status_code for answer in answers] == [403, 403], "each of them could disarm it"
        return
    row = left.ok(answers[0])
    left.ok(answers[1])
    left.ok(left.put(f"{place.people}/{row['membership']}", {"permission": "guest"}))
    left.ok(left.post(f"{place.people}/{row['membership']}/more", {"permission": "member"}))
    left.ok(left.post(f"{place.people}/{row['membership']}/invitation", {"way": "paper"}))
    left.ok(left.post(f"{place.people}/bulk", {"memberships": [row["membership"]], "do": "revoke"}))
    left.ok(left.post(place.drafts["Plain"] + "/undo"))
    left.close()


def add_manager(visitor, place, name, address):
    """Fills in the form for a new manager, and presses its button: the proof is asked for."""
    visitor.go(f"/sites/{place.site}/people/new")
    visitor.page.fill("[name=name]", name)
    visitor.page.fill("[name=email]", address)
    visitor.page.select_option("[name=permission]", "manager")
    visitor.page.locator("main form.stack button[type=submit]").first.click()
    visitor.page.wait_for_url(lambda url: "/account/prove" in url)


def test_a_page_asks_for_the_proof_and_leads_back(hub, place, chromium):
    left = hub.age_proof(Api(hub.url, browser=True).sign_in(OLGA, PASSWORD))
    with chromium.visitor(hub.url) as olga:
        olga.context.add_cookies([{"name": "soglia_session", "value": left.http.cookies["soglia_session"], "url": hub.url}])
        add_manager(olga, place, "Page", f"page.{place.kind}@example.org")
        expect(olga.page.locator("main")).to_contain_text("Nothing has been done or saved yet.")
        assert olga.axe() == []
        # A wrong password in between changes nothing of it.
        olga.page.fill("[name=password]", "not this one")
        olga.page.locator("main button[type=submit]").first.click()
        expect(olga.page.locator("main [role=alert]")).to_be_visible()
        expect(olga.page.locator("main")).to_contain_text("Nothing has been done or saved yet.")
        olga.page.fill("[name=password]", PASSWORD)
        olga.page.locator("main button[type=submit]").first.click()
        olga.page.wait_for_url(lambda url: url.endswith("/people/new"))
        expect(olga.page.locator("main form .notice")).to_contain_text("Nothing has been done or saved yet.")
        expect(olga.page.locator("main form .notice")).to_be_in_viewport(ratio=1)
        expect(olga.page.locator("main form :focus")).to_be_in_viewport(ratio=1)
        # What was typed stands there again, and nowhere else.
        expect(olga.page.locator("[name=name]")).to_have_value("Page")
        expect(olga.page.locator("[name=permission]")).to_have_value("manager")
        assert olga.page.evaluate("JSON.stringify(sessionStorage)") == "{}"
        olga.page.locator("main form.stack button[type=submit]").first.click()
        olga.page.wait_for_url(lambda url: "/people/" in url and not url.endswith("/new"))
        olga.go(f"/sites/{place.site}/people/new")
        expect(olga.page.locator("[name=name]")).to_have_value("")
    left.close()


def test_the_way_back_from_a_page_that_answered_a_form_leads_to_the_form(hub, place, chromium):
    fresh, left = (Api(hub.url, browser=True).sign_in(OLGA, PASSWORD) for _ in range(2))
    hub.age_proof(left)
    for name, permission in (("Dora", "member"), ("Lena", "manager")):
        place.add(place.olga, name, permission)
    house, site = f"/houses/{place.site}", f"/sites/{place.site}"
    pages = {f"{site}/people/bulk": f"{site}/people", f"{site}/people/undo": f"{site}/people"}
    if place.kind == "home":
        pages |= {f"{house}/safety/{form}": f"{house}/safety" for form in ("arm", "disarm", "reset", "open-valve")}
        pages |= {f"{house}/safety/{form}": f"{house}/safety/settings" for form in ("codes", "remove-code", "tags", "remove-tag")}
        pages |= {f"{house}/people": f"{house}/settings", f"{house}/people/end": f"{house}/settings"}
    with chromium.visitor(hub.url) as olga:
        def be(session):
            olga.context.add_cookies([{"name": "soglia_session", "value": session.http.cookies["soglia_session"], "url": hub.url}])

        be(fresh)
        for form, page in pages.items():
            assert olga.page.goto(hub.url + form).status == 200
            assert olga.page.url.removeprefix(hub.url).removesuffix("#people") == page
        # A form is answered by a page, which has the form's own address.
        path, name, button = (f"{house}/people", "person_name", f"form[action='{house}/people']") if place.kind == "home" else (
            f"{site}/people/bulk", None, "fieldset.bulk")
        olga.go(f"{house}/settings" if place.kind == "home" else f"{site}/people")
        olga.page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
        if name:
            olga.page.fill("[name=email]", "no address")
            olga.page.fill("[name=person_name]", "Typed")
        else:
            olga.page.locator("tr", has_text="Dora").locator("input[type=checkbox]").first.check()
            olga.page.select_option("[name=do]", "revoke")
        olga.page.evaluate("form => { document.querySelector(form).closest('form').noValidate = true }", button)
        olga.page.locator(f"{button} button[type=submit]").first.click()
        olga.page.wait_for_url(lambda url: url.endswith(path))
        be(left)
        if name:
            olga.page.fill("[name=email]", f"typed.{place.kind}@example.org")
        else:
            olga.page.locator("tr", has_text="Lena").locator("input[type=checkbox]").first.check()
            olga.page.select_option("[name=do]", "revoke")
        olga.page.locator(f"{button} button[type=submit]").first.click()
        olga.page.wait_for_url(lambda url: "/account/prove" in url)
        olga.page.fill("[name=password]", PASSWORD)
        olga.page.locator("main button[type=submit]").first.click()
        olga.page.wait_for_url(lambda url: url.removesuffix("#people").endswith("/settings" if name else "/people"))
        expect(olga.page.locator("main .notice.wait").first).to_contain_text("Nothing has been done or saved yet.")
        if name:
            expect(olga.page.locator("[name=person_name]")).to_have_value("Typed")
    fresh.close()
    left.close()


def test_what_was_typed_waits_for_nobody_else_who_signs_in_there(hub, place, chromium):
    left = hub.age_proof(Api(hub.url, browser=True).sign_in(OLGA, PASSWORD))
    with chromium.visitor(hub.url) as olga:
        olga.context.add_cookies([{"name": "soglia_session", "value": left.http.cookies["soglia_session"], "url": hub.url}])
        add_manager(olga, place, "Secret", "secret@example.org")
        assert "secret@example.org" in olga.page.evaluate("JSON.stringify(sessionStorage)")
        olga.context.clear_cookies()
        olga.page.reload()
        olga.page.wait_for_url(lambda url: "/sign-in" in url)
        olga.page.wait_for_function("sessionStorage.getItem('soglia-form') === null")
    left.close()


def test_what_was_typed_waits_for_nobody_who_signs_in_in_another_tab(hub, place, chromium):
    left = hub.age_proof(Api(hub.url, browser=True).sign_in(OLGA, PASSWORD))
    with chromium.visitor(hub.url) as olga:
        olga.context.add_cookies([{"name": "soglia_session", "value": left.http.cookies["soglia_session"], "url": hub.url}])
        add_manager(olga, place, "Secret", "secret@example.org")
        olga.page.wait_for_url(lambda url: "/account/prove" in url)
        olga.context.clear_cookies()
        other = olga.context.new_page()
        other.goto(f"{hub.url}/sign-in")
        other.fill("[name=email]", OLGA)
        other.fill("[name=password]", PASSWORD)
        other.click("main form button[type=submit]")
        other.wait_for_url(lambda url: "/sign-in" not in url)
        olga.page.fill("[name=password]", PASSWORD)
        olga.page.locator("main button[type=submit]").first.click()
        olga.page.wait_for_url(lambda url: "/account/prove" not in url)
        olga.page.wait_for_function("sessionStorage.getItem('soglia-form') === null")
        assert "Secret" not in olga.page.evaluate("JSON.stringify([...document.querySelectorAll('input')].map(one => one.value))")
    left.close()


def test_no_password_or_code_is_kept_while_the_proof_is_asked_for(hub, place, chromium):
    left = hub.age_proof(Api(hub.url, browser=True).sign_in(OLGA, PASSWORD))
    with chromium.visitor(hub.url) as olga:
        olga.context.add_cookies([{"name": "soglia_session", "value": left.http.cookies["soglia_session"], "url": hub.url}])
        olga.go(f"/houses/{place.site}/safety/settings" if place.kind == "home" else "/account/password")
        form = "form[action$='/codes']" if place.kind == "home" else "form[action='/account/password']"
        for field in olga.page.locator(f"{form} input:visible").all():
            field.fill("802753 a long first word" if place.kind == "company" else "802753")
        kept = olga.page.evaluate(
            "form => { const it = document.querySelector(form); addEventListener('submit', e => e.preventDefault()); it.requestSubmit(); "
            "return JSON.stringify(sessionStorage) }", form)
        assert "soglia-form" in kept and "first word" not in kept
        assert kept.count("802753") == (1 if place.kind == "home" else 0), "the name of a code, and not its digits"
    left.close()
