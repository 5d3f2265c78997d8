"""Letters about accounts, by a real mail server: make an account, forget its password, have another address, hear of a sign-in."""

import contextlib
import re
import socket
import sqlite3
import time
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from playwright.sync_api import expect

from api import Api
from authenticator import Liar
from browser import DESK, PHONE
from demo import run, short_folder, wait_until
from hub import OLGA, PASSWORD, Caller, Hub
from identity import Identity
from jumping import MINUTE, Clock
from peer import encode
from post_office import PostOffice, link_in, text_of
from push_endpoint import public_bytes

ORIGIN = "https://hub.example.org"
NEW = "a threshold in the evening"


def set_up(folder, office, *more, password=None, authority=None):
    """Tells a hub, that is still to be started, where its mail server is."""
    data = Path(folder) / "d"
    words = ["--server", f"smtp://localhost:{office.port}", "--from", "soglia@hub.example.org", "--origin", ORIGIN, *more]
    if authority:
        words += ["--ca", authority]
    done = run("admin", "mail", "--data", data, *words, input=password)
    assert done.returncode == 0, done.stderr
    return data


def path_of(message):
    """The link of a letter, as a path of the hub."""
    link = link_in(message)
    assert link.startswith(ORIGIN + "/"), link
    return urlsplit(link).path


class House:
    def __init__(self, folder, office, hub):
        self.folder, self.office, self.hub = folder, office, hub
        self.network = 1

    def caller(self):
        """Somebody from a network of their own."""
        self.network += 1
        return Caller(self.hub, f"127.0.{self.network // 250}.{self.network % 250 + 1}")

    def post(self, path, **fields):
        """A form, from a network of its own."""
        caller = self.caller()
        answer = caller.ask(
            "POST", path, urlencode(fields), Content_Type="application/x-www-form-urlencoded", Origin=self.hub.url)
        caller.close()
        return answer

    def get(self, path, **headers):
        caller = self.caller()
        answer = caller.ask("GET", path, **headers)
        caller.close()
        return answer

    def add(self, name, email, password=PASSWORD):
        olga = self.hub.program()
        site = olga.sites()[0]["id"]
        olga.ok(olga.post(f"/api/sites/{site}/people", {
            "name": name, "email": email, "password": password, "permission": "member", "role": None,
            "firstDay": None, "lastDay": None}))
        olga.close()

    def look(self, query, *values):
        with contextlib.closing(sqlite3.connect(f"file:{self.hub.data}/soglia.sqlite?mode=ro", uri=True)) as database:
            return database.execute(query, values).fetchall()


@pytest.fixture(scope="module")
def house():
    with short_folder() as folder, PostOffice(Identity(folder / "mail"), login=("soglia", "mail secret")) as office:
        set_up(folder, office, "--user", "soglia", password="mail secret\n", authority=folder / "mail/authority.pem")
        with Hub(folder) as hub:
            hub.first_run()
            done = run("admin", "registration", "open", "--data", hub.data)
            assert done.returncode == 0 and done.stdout == "registration is open\n", done.stderr
            yield House(folder, office, hub)


def test_a_forgotten_password_is_chosen_anew_once_and_every_session_ends(house, chromium):
    house.add("Ada Rossi", "ada@example.org")
    before = house.hub.program("ada@example.org")
    with chromium.visitor(house.hub.url) as ada:
        ada.go("/sign-in")
        assert ada.axe() == []
        ada.page.click("text=Forgotten your password?")
        assert ada.axe() == []
        ada.page.fill("[name=email]", " Ada@Example.org ")
        ada.page.click("main button[type=submit]")
        expect(ada.page.locator("h1")).to_have_text("Check your email")
        assert ada.axe() == []
        letter = house.office.wait_for("ada@example.org", "Choose a new password")
        assert "Hello Ada Rossi," in text_of(letter) and "30 minutes" in text_of(letter)
        assert letter["To"] == "Ada Rossi <ada@example.org>" and letter["From"] == "Soglia <soglia@hub.example.org>"
        assert letter["Auto-Submitted"] == "auto-generated" and letter["Message-ID"].endswith("@hub.example.org>")
        path = path_of(letter)
        # To look at it uses nothing up.
        for _ in range(3):
            assert house.get(path).status == 200
        ada.go(path)
        assert ada.axe() == []
        expect(ada.page.locator("#password-hint")).to_contain_text("At least 10 characters")
        ada.page.fill("[name=password]", "password1234")
        ada.page.click("main form[action='/reset'] button[type=submit]")
        expect(ada.page.locator("#password-refused")).to_contain_text("Many people have this one")
        assert ada.axe() == []
        assert before.get("/api/sites").status_code == 200
        ada.page.fill("[name=password]", NEW)
        ada.page.click("main form[action='/reset'] button[type=submit]")
        ada.page.wait_for_url(lambda url: "/reset" not in url)
        expect(ada.page.locator("body")).to_contain_text("Casa Sarti")
        assert ada.complaints == []
    assert before.get("/api/sites").status_code == 401
    assert house.caller().sign_in("ada@example.org").status == 401
    assert house.caller().sign_in("ada@example.org", NEW).status == 201
    assert house.get(path).status == 410
    assert house.post("/reset", token=path.rsplit("/", 1)[1], password="yet another sentence").status == 410
    assert house.caller().sign_in("ada@example.org", NEW).status == 201
    told = house.office.wait_for("ada@example.org", "Your password was changed")
    assert f"{ORIGIN}/forgotten" in text_of(told)
    assert house.look("SELECT confirmed IS NOT NULL FROM people WHERE email = 'ada@example.org'") == [(1,)]
    assert house.look("SELECT count(*) FROM links") == [(0,)]
    before.close()


def test_an_account_is_made_with_the_letter_and_not_before(house, chromium):
    with chromium.visitor(house.hub.url, language="it") as eva:
        eva.go("/sign-in")
        eva.page.click("text=Crea un account")
        assert eva.axe() == []
        eva.page.fill("[name=name]", "Eva Núñez")
        eva.page.fill("[name=email]", "eva@example.org")
        eva.page.click("main button[type=submit]")
        expect(eva.page.locator("h1")).to_have_text("Controlla la posta")
        assert eva.axe() == []
        letter = house.office.wait_for("eva@example.org", "Il tuo account")
        assert house.look("SELECT 1 FROM people WHERE email = 'eva@example.org'") == []
        assert "Eva" not in letter.as_string(), "a word of a stranger's choice"
        eva.go(path_of(letter))
        assert eva.axe() == [] and not eva.spills()
        expect(eva.page.locator("[name=name]")).to_have_value("Eva Núñez")
        eva.page.fill("[name=password]", NEW)
        eva.page.click("main form[action='/register/confirm'] button[type=submit]")
        eva.page.wait_for_url(lambda url: "/register" not in url)
        expect(eva.page.locator(".account .who").first).to_have_text("Eva Núñez")
        assert eva.complaints == []
    assert house.look("SELECT language, confirmed IS NOT NULL FROM people WHERE email = 'eva@example.org'") == [("it", 1)]
    # The address has an account now: whoever tries again sees the same page, and its person hears of it.
    first, again = house.post("/register", name="Eva", email="eva@example.org"), None
    again = house.post("/register", name="Nobody", email="nobody@example.org")
    assert (first.status, first.getheader("location")) == (again.status, again.getheader("location")) == (303, "/register?sent=1")
    told = house.office.wait_for("eva@example.org", "Hai già un account")
    assert f"{ORIGIN}/forgotten" in text_of(told)
    assert house.caller().sign_in("eva@example.org", NEW).status == 201


def test_somebody_who_is_added_without_a_password_is_invited_to_choose_one(house, chromium):
    with chromium.visitor(house.hub.url) as olga:
        olga.sign_in({"email": OLGA, "password": PASSWORD})
        site = house.hub.program().sites()[0]["id"]
        olga.go(f"/sites/{site}/people/new")
        expect(olga.page.locator("#email-hint")).to_contain_text("They get an email")
        olga.page.fill("[name=name]", "Ivo Longo")
        olga.page.fill("[name=email]", "ivo@example.org")
        olga.page.locator("main form.stack button[type=submit]").first.click()
        olga.page.wait_for_url(lambda url: not url.endswith("/new"))
    assert house.caller().sign_in("ivo@example.org", "").status == 401
    with chromium.visitor(house.hub.url) as ivo:
        ivo.go(path_of(house.office.wait_for("ivo@example.org")))
        ivo.page.fill("[name=password]", NEW)
        ivo.page.click("main form[action='/join'] button[type=submit]")
        ivo.page.wait_for_url(lambda url: "/join" not in url)
        expect(ivo.page.locator("body")).to_contain_text("Casa Sarti")
    assert house.caller().sign_in("ivo@example.org", NEW).status == 201


def test_nothing_tells_whether_an_address_has_an_account(house):
    house.add("Bea Riva", "bea@example.org")
    answers = []
    for address in ("bea@example.org", "nobody.at.all@example.org", "no address", "a@b.c\r\nBcc: d@e.f", "x" * 300 + "@y.z"):
        for _ in range(5):
            answer = house.post("/forgotten", email=address)
            answers.append((answer.status, answer.getheader("location"), answer.text))
    assert set(answers) == {(303, "/forgotten?sent=1", "")}
    house.office.wait_for("bea@example.org", "Choose a new password")
    wait_until(lambda: house.look("SELECT count(*) FROM outbox WHERE state = 'waiting'") == [(0,)], what="an empty outbox")
    to_bea = [one for one in house.office.received if "bea@example.org" in one.recipients]
    assert len(to_bea) == 3, "three an hour"
    assert all(one.recipients in (["bea@example.org"],) or "bea" not in str(one.recipients) for one in house.office.received)
    # Only the newest opens anything.
    paths = [path_of(one.message) for one in to_bea]
    assert sorted(house.get(path).status for path in paths) == [200, 410, 410]


def test_a_flood_from_one_network_is_turned_away(house):
    caller = house.caller()
    statuses = [
        caller.ask("POST", "/forgotten", urlencode({"email": f"flood{n}@example.org"}), Origin=house.hub.url,
                   Content_Type="application/x-www-form-urlencoded").status for n in range(25)]
    caller.close()
    assert statuses[:20] == [303] * 20 and 429 in statuses[20:]


def test_a_link_holds_for_thirty_minutes_by_the_hubs_own_clock(folder):
    clock = Clock(folder)
    with PostOffice() as office:
        set_up(folder, office, "--plain")
        with Hub(folder, environment=clock.environment) as hub:
            hub.first_run()
            house = House(folder, office, hub)
            house.post("/forgotten", email=OLGA)
            path = path_of(office.wait_for(OLGA, "Choose a new password"))
            assert house.get(path).status == 200
            clock.jump(31 * MINUTE)
            assert house.get(path).status == 200, "a clock that jumps ends nothing"
            clock.confirm(hub.data)
            wait_until(lambda: house.get(path).status == 410, what="the end of the link")
            assert house.post("/reset", token=path.rsplit("/", 1)[1], password=NEW).status == 410
            assert house.caller().sign_in(OLGA).status == 201


def test_whoever_signs_in_on_a_new_device_is_told_in_their_language(house):
    house.add("Carla Neri", "carla@example.org")
    user_agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    # The very first is nobody's surprise; a program is new once from each network.
    house.caller().sign_in("carla@example.org")
    for _ in range(3):
        house.hub.program("carla@example.org").close()
    assert "With: a program" in text_of(house.office.wait_for("carla@example.org", "A sign-in on a new device"))
    caller = house.caller()
    assert caller.sign_in("carla@example.org", User_Agent=user_agent).status == 201
    letter = house.office.wait_for("carla@example.org", "A sign-in on a new device")
    words = text_of(letter)
    assert "With: Firefox on Linux" in words and "From: 127.0." in words and "(Europe/Rome)" in words
    assert f"{ORIGIN}/account/sessions" in words
    known = house.hub.browser("carla@example.org")
    house.office.wait_for("carla@example.org", "A sign-in on a new device")
    known.sign_in("carla@example.org", PASSWORD)
    known.close(), caller.close()
    wait_until(lambda: house.look("SELECT count(*) FROM outbox WHERE state = 'waiting'") == [(0,)], what="an empty outbox")
    subjects = [subject for recipients, subject in house.office.subjects if recipients == ["carla@example.org"]]
    assert subjects == ["A sign-in on a new device"] * 3


def test_another_address_holds_once_its_letter_was_opened(house, chromium):
    house.add("Dario Villa", "dario@example.org")
    with chromium.visitor(house.hub.url) as dario:
        dario.sign_in({"email": "dario@example.org", "password": PASSWORD})
        dario.go("/account/address")
        assert dario.axe() == [] and not dario.spills()
        expect(dario.page.locator("main")).to_contain_text("dario@example.org. It is not confirmed yet")
        dario.page.fill("[name=email]", "dario.villa@example.org")
        dario.page.click("main form[action='/account/address'] button[type=submit]")
        expect(dario.page.locator(".notice")).to_contain_text("on its way to that address")
        path = path_of(house.office.wait_for("dario.villa@example.org", "Confirm this address"))
        assert house.caller().sign_in("dario.villa@example.org").status == 401
        dario.go(path)
        assert dario.axe() == []
        dario.page.click("main form[action='/address'] button[type=submit]")
        expect(dario.page.locator("h1")).to_have_text("Confirmed")
        assert dario.complaints == []
    house.office.wait_for("dario@example.org", "Your account has another address")
    assert house.caller().sign_in("dario.villa@example.org").status == 201
    assert house.caller().sign_in("dario@example.org").status == 401
    # Somebody else's address: the same page, and its person is told.
    caller = house.hub.browser("dario.villa@example.org")
    answer = caller.http.post("/account/address", data={"email": OLGA})
    assert (answer.status_code, answer.headers["location"]) == (303, "/account/address?sent=1")
    house.office.wait_for(OLGA, "Somebody asked for your address")
    assert house.caller().sign_in(OLGA).status == 201
    caller.close()


def test_a_letter_tells_of_an_app_password_and_another_password_ends_it(house):
    house.add("Piero Gallo", "piero@example.org")
    piero = house.hub.browser("piero@example.org")
    site = piero.sites()[0]["id"]
    made = piero.ok(piero.post(f"/api/sites/{site}/legacy/own", {}))
    letter = text_of(house.office.wait_for("piero@example.org", "A password for the old app"))
    assert f"{ORIGIN}/account/password" in letter and made["password"] not in letter
    assert house.look("SELECT count(*) FROM legacy_badges WHERE revoked IS NULL") == [(1,)]
    answer = piero.http.post("/account/password", data={"current": PASSWORD, "password": NEW})
    assert answer.status_code in (200, 303), answer.text
    assert house.look("SELECT count(*) FROM legacy_badges WHERE revoked IS NULL") == [(0,)]
    assert house.look("SELECT count(*) FROM legacy_accounts WHERE revoked IS NULL") == [(0,)]
    piero.close()


def test_another_address_waits_a_week_after_passkeys_were_changed_by_the_password(house, chromium):
    house.add("Nina Riva", "nina@example.org")
    with contextlib.closing(sqlite3.connect(house.hub.data / "soglia.sqlite", timeout=10)) as database, database:
        database.execute(
            "UPDATE people SET passkeys_changed = ? WHERE email = 'nina@example.org'", (int(time.time() * 1000),))
    for language, words in (("en", "cannot be changed yet"), ("it", "non si può ancora cambiare"), ("es", "no se puede cambiar todavía")):
        with chromium.visitor(house.hub.url, language=language) as nina:
            nina.sign_in({"email": "nina@example.org", "password": PASSWORD})
            nina.go("/account/address")
            nina.page.fill("[name=email]", "thief@example.org")
            nina.page.click("main form[action='/account/address'] button[type=submit]")
            expect(nina.page.locator("h1")).to_contain_text(words)
            assert nina.axe() == [] and not nina.spills()
    assert house.look("SELECT count(*) FROM links WHERE address = 'thief@example.org'") == [(0,)]


def test_a_lost_passkey_is_removed_by_the_password_and_a_letter_tells(house, chromium):
    house.add("Vera Neri", "vera@example.org")
    lost, liar = house.hub.browser("vera@example.org"), Liar(house.hub.url)
    lost.ok(lost.post("/api/account/passkeys", liar.register(lost.ok(lost.post("/api/account/passkeys/options")))))
    proof = lost.ok(lost.post("/api/session/proof/passkey/options"))
    assert lost.post("/api/session/proof/passkey", liar.show(proof)).status_code == 204
    with chromium.visitor(house.hub.url, PHONE) as vera:
        vera.sign_in({"email": "vera@example.org", "password": PASSWORD})
        page = vera.page
        vera.go("/account/sessions")
        page.locator("form[action$='/end'] button").click()
        page.wait_for_url("**/account/prove?**strong=1**")
        expect(page.locator("main")).to_contain_text("Is your passkey lost?")
        expect(page.locator("passkey-prove button")).to_be_visible()
        assert vera.axe() == [] and not vera.spills()
        page.locator("main a[href='/account/ways']").click()
        page.locator("section[aria-labelledby=passkeys] li a.button").click()
        page.click("form[action$='/remove'] button")
        page.wait_for_url("**?done=removed")
        vera.go("/account/sessions")
        expect(page.locator("form[action$='/end']")).to_have_count(0)
        assert vera.complaints == []
    assert lost.get("/api/sites").status_code == 401
    letter = text_of(house.office.wait_for("vera@example.org", "A way to sign in was removed"))
    assert f"{ORIGIN}/account/ways" in letter
    lost.close()


@pytest.mark.parametrize("language, unheard, signed_out", (
    ("en", "A device gets no notices any more", "A device was signed out"),
    ("it", "Un dispositivo non riceve più avvisi", "Su un dispositivo l’accesso è terminato"),
    ("es", "Un dispositivo ya no recibe avisos", "Se ha cerrado la sesión en un dispositivo"),
))
def test_letters_tell_of_a_device_that_hears_nothing_any_more(house, language, unheard, signed_out):
    email = f"tina.{language}@example.org"
    house.add("Tina Sala", email)
    tina = house.hub.program(email)
    tina.ok(tina.http.patch("/api/account", json={"language": language}))
    key = encode(public_bytes(ec.generate_private_key(ec.SECP256R1())))
    for number in range(11):
        phone = house.hub.browser(email)
        answer = phone.put("/api/push/subscription", {
            "endpoint": f"https://fcm.googleapis.com/fcm/send/{language}{number}", "keys": {"p256dh": key, "auth": encode(bytes(16))}})
        assert answer.status_code == 204, answer.text
        phone.close()
    letter = text_of(house.office.wait_for(email, unheard))
    assert " 10 " in letter and f"{ORIGIN}/account/password" in letter
    assert tina.http.delete("/api/sessions").status_code == 200
    assert f"{ORIGIN}/account/password" in text_of(house.office.wait_for(email, signed_out))
    tina.close()


def test_letters_tell_of_a_program_that_signs_in_and_of_an_account_that_is_deleted(house):
    """An intruder who knows the password does both. The holder hears of each."""
    email = "remo@example.org"
    house.add("Remo Gatti", email)
    own = house.hub.program(email)
    assert own.http.patch("/api/account", json={"language": "it"}).status_code == 200
    stranger = house.caller()
    for _ in range(3):
        assert stranger.ask("POST", "/api/session", {"email": email, "password": PASSWORD, "program": True}).status == 201
    stranger.close()
    letter = text_of(house.office.wait_for(email, "Accesso da un dispositivo nuovo"))
    assert "un programma" in letter
    wait_until(lambda: house.look("SELECT count(*) FROM outbox WHERE state = 'waiting'") == [(0,)], what="an empty outbox")
    assert len([subject for recipients, subject in house.office.subjects if email in recipients]) == 1, "once from each place"
    # An address that was neither confirmed nor used for a day may be another person's.
    house.add("Zoe Neri", "zoe@example.org")
    other = house.hub.program("zoe@example.org")
    house.hub.change("UPDATE people SET came = came - 86400000 WHERE email = ?", email)
    # The mail server is away at that moment.
    attempts = house.hub.said.count("a letter has to wait")
    with house.office.down():
        assert other.post("/api/account/delete", {"name": "Zoe Neri"}).status_code == 204
        assert own.post("/api/account/delete", {"name": "Remo Gatti"}).status_code == 204
        wait_until(lambda: house.hub.said.count("a letter has to wait") > attempts, what="an attempt")
    letter = text_of(house.office.wait_for(email, "Il tuo account è stato eliminato"))
    assert "Remo Gatti" in letter
    assert house.look("SELECT count(*) FROM outbox WHERE instr(CAST(payload AS TEXT), ?) > 0", email) == [(0,)], "nothing was kept for it"
    assert not [subject for recipients, subject in house.office.subjects if "zoe@example.org" in recipients and "deleted" in subject]
    own.close()
    other.close()


@pytest.mark.parametrize("does", ("password", "others", "that one"))
@pytest.mark.parametrize("has_left", (True, False))
def test_who_ends_a_strangers_session_ends_the_letter_that_it_asked_for(house, does, has_left):
    """Somebody who knows the password asks for another address. Its holder sees the new device, and shuts them out."""
    name = f"{does} {has_left}".replace(" ", "").lower()
    email, theirs = f"{name}@example.org", f"mallory.{name}@example.org"
    house.add("Ida Neri", email)
    stranger, ida = house.hub.browser(email), house.hub.browser(email)

    def ask():
        assert stranger.http.post("/account/address", data={"email": theirs}).status_code == 303

    def shut_out():
        if does == "password":
            answer = ida.http.post("/account/password", data={"current": PASSWORD, "password": NEW})
        elif does == "others":
            answer = ida.http.post("/account/sessions/end-others")
        else:
            (other,) = (one["id"] for one in ida.ok(ida.get("/api/sessions"))["items"] if not one["isCurrent"])
            answer = ida.http.post(f"/account/sessions/{other}/end")
        assert answer.status_code in (200, 303), answer.text
        assert stranger.get("/api/sites").status_code == 401

    if has_left:
        ask()
        path = path_of(house.office.wait_for(theirs, "Confirm this address"))
        assert stranger.http.get(path).status_code == 200
        # The letter alone is not enough, nor is another account.
        assert house.get(path).status == 303
        assert house.post("/address", token=path.rsplit("/", 1)[1]).status == 303
        other = house.hub.browser(OLGA)
        assert other.http.get(path).status_code == 403
        assert other.http.post("/address", data={"token": path.rsplit("/", 1)[1]}).status_code == 410
        other.close()
        shut_out()
        assert ida.http.get(path).status_code == 410
        assert ida.http.post("/address", data={"token": path.rsplit("/", 1)[1]}).status_code == 410
    else:
        with house.office.down():
            ask()
            # Of this letter: one of another that is tried meanwhile proves nothing.
            wait_until(lambda: house.look(
                "SELECT 1 FROM outbox WHERE state = 'waiting' AND attempts > 0 AND instr(CAST(payload AS TEXT), ?)", theirs), what="an attempt")
            shut_out()
        wait_until(lambda: house.look("SELECT count(*) FROM outbox WHERE state = 'waiting'") == [(0,)], what="an empty outbox")
        assert not [subject for recipients, subject in house.office.subjects if theirs in recipients]
    assert house.look("SELECT count(*) FROM people WHERE email = ?", email) == [(1,)]
    # Who asks for it now gets it.
    again = house.hub.browser(email, NEW if does == "password" else PASSWORD)
    assert again.http.post("/account/address", data={"email": f"own.{theirs}"}).status_code == 303
    path = path_of(house.office.wait_for(f"own.{theirs}", "Confirm this address"))
    assert again.http.post("/address", data={"token": path.rsplit("/", 1)[1]}).status_code == 200
    for api in (stranger, ida, again):
        api.close()


def test_a_letter_waits_for_a_mail_server_that_is_down_and_is_given_up_where_it_is_refused(house):
    house.add("Fabio Serra", "fabio@example.org")
    house.add("Gina Costa", "gina@example.org")
    house.office.refuse("gina@example.org")
    with house.office.down():
        house.post("/forgotten", email="fabio@example.org")
        wait_until(lambda: house.look("SELECT 1 FROM outbox WHERE state = 'waiting' AND attempts > 0"), what="an attempt")
        why = house.look("SELECT why FROM outbox WHERE state = 'waiting' AND attempts > 0")[0][0]
        assert why == "no connection to the mail server could be made"
        # What waits opens nothing: there is no secret in it.
        (payload,) = house.look("SELECT payload FROM outbox WHERE state = 'waiting'")[0]
        assert b"reset/" not in payload and b"fabio@example.org" in payload
    assert house.get(path_of(house.office.wait_for("fabio@example.org", "Choose a new password"))).status == 200
    house.post("/forgotten", email="gina@example.org")
    wait_until(lambda: house.look("SELECT 1 FROM outbox WHERE state = 'refused'"), what="a refusal")
    ((why,),) = house.look("SELECT why FROM outbox WHERE state = 'refused'")
    assert "gina" not in why and "refuses the letter" in why


def test_a_mail_server_that_hangs_slows_no_sign_in(house):
    house.add("Hugo Leone", "hugo@example.org")
    with house.office.hanging("hello"):
        for _ in range(3):
            house.post("/forgotten", email="hugo@example.org")
        for _ in range(4):
            begun = time.monotonic()
            assert house.caller().sign_in("hugo@example.org").status == 201
            assert time.monotonic() - begun < 20, "it waited for the mail server, which hangs for half a minute"


def test_a_hub_without_mail_offers_no_letters(folder, chromium):
    with Hub(folder) as hub:
        hub.first_run()
        with chromium.visitor(hub.url, DESK) as visitor:
            visitor.go("/sign-in")
            expect(visitor.page.locator("main")).not_to_contain_text("Forgotten")
            for path in ("/forgotten", "/register"):
                assert visitor.go(path).status == 404
                assert visitor.axe() == []


def test_a_mail_server_whose_certificate_is_not_trusted_gets_no_letter(folder):
    other = Identity(folder / "other")
    with PostOffice(Identity(folder / "mail")) as office:
        data = set_up(folder, office, authority=other.authority)
        done = run("admin", "mail", "--data", data, "--test", "ada@example.org")
        assert done.returncode == 1 and "certificate is not trusted" in done.stderr
        set_up(folder, office, authority=folder / "mail/authority.pem")
        done = run("admin", "mail", "--data", data, "--test", "ada@example.org")
        assert done.returncode == 0, done.stderr
        assert office.wait_for("ada@example.org", "Test email") and office.received[0].is_private
        assert len(office.received) == 1
        assert (data / "mail.json").stat().st_mode & 0o777 == 0o600
    with PostOffice() as office:
        set_up(folder, office)
        done = run("admin", "mail", "--data", data, "--test", "ada@example.org")
        assert done.returncode == 1 and "offers no encryption" in done.stderr and office.received == []


def test_the_request_log_tells_no_secret_of_a_link(folder):
    with PostOffice() as office:
        set_up(folder, office, "--plain")
        with Hub(folder, "--log-requests", "refusals") as hub:
            hub.first_run()
            house = House(folder, office, hub)
            house.post("/forgotten", email=OLGA)
            path = path_of(office.wait_for(OLGA, "Choose a new password"))
            answer = house.get(path)
            assert answer.getheader("referrer-policy") == "origin" and "no-store" in answer.getheader("cache-control")
            house.post("/reset", token=path.rsplit("/", 1)[1], password=NEW)
            assert house.get(path).status == 410
            wait_until(lambda: "410 for GET /reset/{token}" in hub.said, what="the line")
            assert path.rsplit("/", 1)[1] not in hub.said and OLGA not in hub.said
