"""Letters about accounts, by a real mail server: make an account, forget its password, have another address, hear of a sign-in."""

import contextlib
import os
import re
import socket
import sqlite3
import struct
import subprocess
import time
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from api import Api
from browser import DESK, PHONE
from demo import run, short_folder, wait_until
from hub import OLGA, PASSWORD, Caller, Hub
from identity import Identity
from post_office import PostOffice, link_in, text_of

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
        expect(ada.page.locator("h1")).to_have_text("Look at your letters")
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
