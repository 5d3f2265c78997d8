"""A controller is paired with a code that is typed in once, and nobody without the code is paired at all."""

import contextlib
import hashlib
import html
import re
import sqlite3
import subprocess

import pytest
from playwright.sync_api import expect

from api import Api
from demo import BETWEEN_TAPS, MARTA, PROGRAM, Process, run, wait_until
from patience import PATIENCE
from ports import free_port


def new_gate(demo, name):
    marta = demo.api(MARTA)
    return marta.ok(marta.post(f"/api/sites/{demo.site()}/gates", {"name": name, "policy": "doors"}))


def code_for(demo, gate):
    marta = demo.api(MARTA)
    return marta.ok(marta.post(f"/api/sites/{demo.site()}/gates/{gate}/pairing"))["code"]


def broker(demo):
    return "mqtt://{host}:{port}".format(**demo.file["broker"])


def state(demo, gate):
    return next(one["state"] for one in demo.api(MARTA).gates() if one["id"] == gate)


def start_paired(demo, data, code):
    """A controller that is told the code on its standard input, as a person would."""
    with (demo.folder / "controller").open("ab") as output:
        process = subprocess.Popen(
            [PROGRAM, "gate", "--data", data, "--hub", broker(demo), "--pair"], stdin=subprocess.PIPE, stdout=output, stderr=output)
    process.stdin.write(code.encode() + b"\n")
    process.stdin.close()
    return process


@pytest.fixture(scope="module")
def cellar(demo):
    return new_gate(demo, "Cellar")["id"]


def test_a_new_gate_is_not_paired_and_opens_for_nobody(demo, cellar):
    assert state(demo, cellar) == "notPaired"
    answer = demo.api(MARTA).open(cellar)
    assert (answer["decision"], answer["outcome"]) == ("denied", None) and len(answer["reason"]["text"]) > 10


@pytest.mark.parametrize("code", ["", "short", "0" * 26])
def test_a_controller_without_the_code_is_not_paired(demo, cellar, folder, code):
    code_for(demo, cellar)
    done = run("gate", "--data", folder / "g", "--hub", broker(demo), "--pair", input=code + "\n")
    assert done.returncode in (1, 2) and done.stderr.strip() and "Fatal" not in done.stderr
    assert ("does not know this code" in done.stderr) == (len(code) == 26), done.stderr
    assert state(demo, cellar) == "notPaired"


def test_a_controller_with_the_code_is_paired_once_and_comes_back_without_it(demo, cellar):
    older, code = code_for(demo, cellar), code_for(demo, cellar)
    assert older != code
    data = demo.folder / "cellar"
    controller = start_paired(demo, data, code)
    try:
        wait_until(lambda: state(demo, cellar) == "ready", what="the new gate")
        marta, site = demo.api(MARTA), demo.site()
        role = marta.ok(marta.post(f"/api/sites/{site}/roles", {"name": "Cellarer", "level": 3, "gates": [cellar]}))["id"]
        assert marta.change_membership(site, marta.person(site, MARTA), role=role).status_code == 200
        assert marta.open(cellar)["outcome"] == "opened"
    finally:
        controller.terminate()
        assert controller.wait(PATIENCE) == 0

    # Without the code, by what it kept.
    again = Process(demo.folder / "again", "gate", "--data", data)
    try:
        assert again.wait_until_ready() == "Cellar"
        wait_until(lambda: demo.api(MARTA).open(cellar)["outcome"] == "opened", what="an opening after the restart", pause=BETWEEN_TAPS)
    finally:
        assert again.end() == 0
    # And the code is used up.
    refused = run("gate", "--data", demo.folder / "thief", "--hub", broker(demo), "--pair", input=code + "\n")
    assert refused.returncode != 0


def test_a_code_goes_from_its_page_although_the_controller_came_before_the_stream(demo, chromium):
    """The person who types the code does so in another window, and a hidden page has no stream."""
    gate = new_gate(demo, "Attic")["id"]
    code = code_for(demo, gate)
    with chromium.visitor(demo.url).sign_in(demo.account(MARTA)) as visitor:
        with visitor.without_stream() as until_asked:
            visitor.go(f"/sites/{demo.site()}/gates/{gate}")
            expect(visitor.page.locator("pairing-code")).to_be_visible()
            until_asked()
            process = start_paired(demo, demo.folder / "attic", code)
            try:
                wait_until(lambda: state(demo, gate) == "ready", what="the gate in the attic")
            finally:
                process.terminate()
                process.wait(PATIENCE)
        expect(visitor.page.locator("pairing-code")).to_have_count(0)
        assert visitor.complaints == []


def command_on(api, page):
    """What the page of a pairing code says to run, in words, with its folder."""
    text = html.unescape(api.http.get(page).text)
    return re.search(r"<code>soglia ([^<]*--pair)</code>", text).group(1).split(), text


def test_the_command_on_the_page_of_a_gate_pairs_with_this_very_hub(demo):
    gate = new_gate(demo, "Loft")["id"]
    manager = Api(demo.url, browser=True).sign_in(MARTA, demo.password(MARTA))
    code = code_for(demo, gate)
    words, text = command_on(manager, f"/sites/{demo.site()}/gates/{gate}")
    assert words == ["gate", "--data", "FOLDER", "--hub", broker(demo), "--pair"]
    assert "--bus-listen" in text, "on loopback it is said how others reach it"
    manager.close()
    words[words.index("FOLDER")] = str(demo.folder / "loft")
    with (demo.folder / "loft-out").open("ab") as output:
        process = subprocess.Popen([PROGRAM, *words], stdin=subprocess.PIPE, stdout=output, stderr=output)
    try:
        process.stdin.write(code.encode() + b"\n")
        process.stdin.close()
        wait_until(lambda: state(demo, gate) == "ready", what="the gate in the loft")
    finally:
        process.terminate()
        process.wait(PATIENCE)


def test_the_command_on_the_page_of_a_box_names_this_very_hub(demo):
    owner = Api(demo.url, browser=True).sign_in(MARTA, demo.password(MARTA))
    house = owner.ok(owner.post("/api/houses", {"name": "Casa in collina", "zone": "Europe/Rome"}))["site"]
    box = owner.ok(owner.post(f"/api/sites/{house}/gateways", {"kind": "box", "name": "Cellar"}))["id"]
    owner.ok(owner.post(f"/api/sites/{house}/gateways/{box}/pairing", {}))
    words, _ = command_on(owner, f"/houses/{house}/gateways/{box}")
    assert words == ["simulate", "home", "--data", "FOLDER", "--mqtt", broker(demo), "--pair"]
    owner.close()


@pytest.mark.parametrize("words", [["gate", "--hub"], ["simulate", "home", "--mqtt"]])
def test_who_cannot_reach_the_hub_is_told_so_and_the_code_is_not_blamed(demo, cellar, folder, words):
    code, port = code_for(demo, cellar), free_port()
    *call, option = words
    away = f"mqtt://127.0.0.1:{port}"
    done = run(*call, "--data", folder / "g", option, away, "--pair", input=code + "\n")
    assert done.returncode == 1
    assert f"cannot reach the hub at {away}: Connection refused" in done.stderr
    assert "the code was not used" in done.stderr and "does not know this code" not in done.stderr


def test_a_paired_controller_is_not_paired_over_without_a_reset(demo, cellar):
    code = code_for(demo, cellar)
    done = run("gate", "--data", demo.folder / "cellar", "--hub", broker(demo), "--pair", input=code + "\n")
    assert done.returncode == 1 and "reset it at the gate first" in done.stderr


def test_after_a_reset_at_the_gate_a_new_code_pairs_it_again(demo, cellar):
    replaced = demo.folder / "replaced"
    controller = start_paired(demo, replaced, code_for(demo, cellar))
    try:
        wait_until(lambda: state(demo, cellar) == "ready", what="the gate again")
        wait_until(lambda: demo.api(MARTA).open(cellar)["outcome"] == "opened", what="an opening", pause=BETWEEN_TAPS)
    finally:
        controller.terminate()
        controller.wait(PATIENCE)


def test_a_session_left_open_puts_no_other_controller_at_a_gate(demo, cellar):
    """The one that is there would hear nothing any more, also not whose passes are denied."""
    def open_codes():
        with contextlib.closing(sqlite3.connect(f"file:{demo.data}/soglia.sqlite?mode=ro", uri=True)) as database:
            return sorted(database.execute("SELECT subject, code FROM pairing_codes"))

    old, left = (Api(demo.url, browser=browser).sign_in(MARTA, demo.password(MARTA)) for browser in (False, True))
    with contextlib.closing(sqlite3.connect(demo.data / "soglia.sqlite", timeout=PATIENCE)) as database, database:
        for token in (old.token, left.http.cookies["soglia_session"]):
            database.execute(
                "UPDATE sessions SET proven = proven - 3600000 WHERE hash = ?", (hashlib.sha256(token.encode()).digest(),))
    path, before = f"sites/{demo.site()}/gates/{cellar}/pairing", open_codes()
    answer = old.post(f"/api/{path}")
    assert answer.status_code == 403 and answer.json()["type"] == "/problems/fresh-proof-needed", answer.text
    assert "/account/prove" in left.http.post(f"/{path}").headers["location"]
    assert open_codes() == before
    # A gate without one has nothing to lose.
    assert old.post(f"/api/sites/{demo.site()}/gates/{new_gate(demo, 'Garret')['id']}/pairing").status_code == 201
    assert code_for(demo, cellar)
    for api in (old, left):
        api.close()


def test_a_form_makes_no_more_codes_than_programs_do(demo):
    gate = new_gate(demo, "Shed")["id"]
    manager = Api(demo.url, browser=True).sign_in(MARTA, demo.password(MARTA))
    # 60 at once, then one a second: it ends after some 60, whatever the machine.
    answers = (manager.http.post(f"/sites/{demo.site()}/gates/{gate}/pairing").status_code for _ in range(1_000))
    assert 429 in answers
    manager.close()


class Boxes:
    """Boxes of a house, each in a folder and with a process of its own."""

    def __init__(self, demo, folder):
        self.demo, self.folder, self.started = demo, folder, []

    def start(self, code):
        with (self.folder / "boxes").open("ab") as output:
            process = subprocess.Popen(
                [PROGRAM, "simulate", "home", "--data", self.folder / f"box{len(self.started)}", "--mqtt", broker(self.demo), "--pair"],
                stdin=subprocess.PIPE, stdout=output, stderr=output)
        process.stdin.write(code.encode() + b"\n")
        process.stdin.close()
        self.started.append(process)
        return process

    def close(self):
        for process in self.started:
            process.terminate()
            process.wait(PATIENCE)


@pytest.fixture
def boxes(demo, folder):
    with contextlib.closing(Boxes(demo, folder)) as boxes:
        yield boxes


def test_a_code_from_before_puts_no_other_box_into_a_house_that_was_armed_since(demo, boxes):
    """Who may not disarm a house makes codes while it is disarmed, and brings them later."""
    owner, delays = demo.api(MARTA), {"home": 0, "away": 0, "night": 0, "vacation": 0}
    house = owner.ok(owner.post("/api/houses", {"name": "Casa nel bosco", "zone": "Europe/Rome"}))["site"]
    owner.ok(owner.post(f"/api/sites/{house}/people", {
        "name": "Ivo Bosco", "email": "ivo.bosco@example.org", "password": "a long first password", "permission": "installer"}))
    installer = Api(demo.url).sign_in("ivo.bosco@example.org", "a long first password")
    site = f"/api/sites/{house}"
    box = owner.ok(owner.post(f"{site}/gateways", {"kind": "box", "name": "Hall"}))["id"]

    def code(api):
        return api.ok(api.post(f"{site}/gateways/{box}/pairing", {}))["code"]

    def paired():
        return [one for one in owner.events(house) if one["kind"] == "home.gateway.paired"]

    def is_there():
        return next(one for one in owner.ok(owner.get(f"{site}/gateways"))["items"] if one["id"] == box)["isThere"]

    boxes.start(code(owner))
    wait_until(lambda: len(paired()) == 1 and is_there(), what="the box of the house")
    owner.ok(owner.put(f"{site}/alarm-rules", {
        "exitDelay": delays, "entryDelay": delays, "alarmTime": 30, "disarmsAfterAlarm": False, "asksCode": False}))
    kept = code(installer)
    owner.ok(owner.post(f"{site}/alarm-panel/arm", {"mode": "away"}))
    wait_until(lambda: owner.get(f"{site}/alarm-panel").json()["state"] == "armed_away", what="the house, armed")
    assert installer.post(f"{site}/gateways/{box}/pairing", {}).status_code == 403
    # It is used up, and nobody answers.
    assert boxes.start(kept).wait(PATIENCE) == 1
    assert len(paired()) == 1 and is_there()
    # Who may disarm it puts another one there.
    boxes.start(code(owner))
    wait_until(lambda: len(paired()) == 2 and is_there(), what="the other box")
    installer.close()


def test_the_code_is_never_on_a_command_line(demo):
    done = run("gate", "--data", demo.folder / "x", "--hub", broker(demo), "--pair", "A" * 26, input="\n")
    assert done.returncode == 2
