"""A new hub belongs to whoever can read its folder, and to nobody else."""

import json
import re
import signal
import socket
import stat

import pytest
from playwright.sync_api import expect

from api import Api
from browser import DESK
from demo import Process, processes_of, run, wait_until
from ports import free_port

PASSWORD = "a threshold in the morning"


def serve(folder, name="out"):
    return Process(folder / name, "serve", "--data", folder / "d", "--port", 0)


@pytest.fixture
def hub(folder):
    process = serve(folder)
    try:
        process.url = process.wait_until_ready()
        yield process
    finally:
        assert process.end() == 0


def code_of(folder):
    return (folder / "d" / "setup-code").read_text().strip()


def fill(page, code, password=PASSWORD):
    page.fill("[name=code]", code)
    page.fill("[name=name]", "Olga Sarti")
    page.fill("[name=email]", "olga@example.com")
    page.fill("[name=password]", password)
    page.fill("[name=site]", "Casa Sarti")
    page.select_option("[name=timezone]", "Europe/Rome")
    page.click("main button[type=submit]")


def form(code):
    return {
        "code": code, "name": "Olga Sarti", "email": "olga@example.com", "password": PASSWORD, "site": "Casa Sarti",
        "timezone": "Europe/Rome",
    }


def test_whoever_brings_the_code_of_the_folder_becomes_the_owner_once(folder, hub, chromium):
    code_file = folder / "d" / "setup-code"
    assert stat.S_IMODE(code_file.stat().st_mode) == 0o600
    code = code_of(folder)
    assert re.fullmatch(r"[0-9A-Z]{26}", code.replace("-", ""))
    assert code not in hub.said, "the code is never printed"

    with chromium.visitor(hub.url, DESK) as visitor:
        page = visitor.page
        visitor.go("/")
        page.wait_for_url("**/first-run")
        assert visitor.axe() == []

        fill(page, "AAAA" + code[4:] if not code.startswith("AAAA") else "BBBB" + code[4:])
        expect(page.locator("#code-refused")).to_contain_text("setup-code")
        assert page.input_value("[name=name]") == "Olga Sarti", "what was typed is kept"
        assert page.input_value("[name=password]") == "", "but for the password"
        assert code_file.exists(), "a wrong code uses nothing up"
        assert visitor.axe() == []

        fill(page, code, password="short")
        expect(page.locator("#password-refused")).to_be_visible()

        fill(page, code)
        page.wait_for_url("**/gates")
        expect(page.get_by_role("heading", level=1)).to_have_text("Gates")
        expect(page.get_by_text("Casa Sarti").first).to_be_visible()
        assert not code_file.exists(), "the code is used up"
        assert visitor.complaints == []

        visitor.go("/first-run")
        assert "/first-run" not in page.url, "the first run is closed"

    again = Api(hub.url, browser=True)
    answer = again.http.post("/first-run", data=form(code))
    assert answer.status_code == 303 and answer.headers["location"] == "/sign-in"
    again.close()
    olga = Api(hub.url).sign_in("olga@example.com", PASSWORD)
    assert [site["name"] for site in olga.sites()] == ["Casa Sarti"]
    olga.close()
    assert code not in hub.said and PASSWORD not in hub.said


def test_there_is_no_default_account(hub):
    visitor = Api(hub.url)
    for email in ("admin", "admin@example.com", "root@localhost", "marta.conti@example.com", ""):
        for password in ("", "admin", "password", "soglia"):
            answer = visitor.post("/api/session", {"email": email, "password": password})
            assert answer.status_code == 401, answer.text
    visitor.close()


def test_a_code_is_refused_when_it_is_empty_short_long_or_of_another_alphabet(folder, hub):
    visitor = Api(hub.url, browser=True)
    code = code_of(folder)
    for wrong in ("", code[:-1], code + "A", "0" * 26, "é" * 26, "' OR 1=1 --", "A" * 10_000):
        answer = visitor.http.post("/first-run", data=form(wrong), headers={"Accept": "text/html"})
        assert answer.status_code == 422, wrong
    assert visitor.http.post("/first-run", data=form(code), headers={"Origin": "http://evil.example"}).status_code == 403
    assert (folder / "d" / "setup-code").exists()
    visitor.close()


def test_a_start_before_the_first_run_makes_a_new_code(folder):
    codes = []
    for name in ("one", "two"):
        hub = serve(folder, name)
        hub.wait_until_ready()
        codes.append(code_of(folder))
        assert hub.end() == 0
    assert codes[0] != codes[1]


def test_two_hubs_on_one_folder_are_refused(folder, hub):
    broker = {name: (folder / "d/broker" / name).read_bytes() for name in ("port", "mosquitto.conf")}
    second = run("serve", "--data", folder / "d", "--port", 0)
    assert second.returncode != 0
    assert len(second.stderr.strip().splitlines()) == 1, second.stderr
    assert Api(hub.url).get("/api/health").status_code == 200, "the first one goes on"
    assert broker == {name: (folder / "d/broker" / name).read_bytes() for name in broker}, "and so does its broker"


def test_serve_refuses_the_folder_of_a_demo(demo):
    demo.stop("hub")
    refused = run("serve", "--data", demo.data, "--port", 0)
    assert refused.returncode != 0
    assert "demo" in refused.stderr
    demo.start_again("hub")
    demo.wait_until_ready()


def test_the_demo_refuses_the_folder_of_a_hub_in_earnest(folder):
    hub = serve(folder)
    url = hub.wait_until_ready()
    visitor = Api(url, browser=True)
    assert visitor.http.post("/first-run", data=form(code_of(folder))).status_code == 303
    visitor.close()
    assert hub.end() == 0
    refused = run("demo", "--data", folder / "d", "--port", 45_678)
    assert refused.returncode != 0
    assert "in earnest" in refused.stderr


@pytest.mark.parametrize("which", ["the hub's port", "the port of the demo's page"])
def test_a_demo_whose_port_is_taken_says_so_and_ends(folder, which):
    port = free_port()
    with socket.socket() as other:
        # As servers do: connections of an earlier one that linger are no hindrance.
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port if which == "the hub's port" else port + 1))
        other.listen()
        demo = Process(folder / "out", "demo", "--data", folder / "d", "--port", port)
        try:
            wait_until(lambda: demo.process.poll() is not None, what="the end of the demo")
            assert demo.process.returncode != 0
            assert re.search(r"port \d+", demo.said) and len(demo.said.strip().splitlines()) <= 2, demo.said
        finally:
            demo.end()
    assert not processes_of(folder)

    # The people were made by then: the folder is as good as any, with their passwords, on another port.
    demo = Process(folder / "again", "demo", "--data", folder / "d", "--port", free_port())
    try:
        assert demo.wait_until_ready()
        accounts = json.loads((folder / "d/demo.json").read_text())["accounts"]
        # Who may sign in is said after that, in lines of their own.
        wait_until(lambda: all(account["password"] in demo.said for account in accounts), what="the passwords")
    finally:
        assert demo.end() == 0


@pytest.mark.parametrize("words", [
    ["serve"], ["serve", "--data"], ["serve", "--data", "x", "--port", "seventy"], ["serve", "--data", "x", "--listen", "0.0.0.0"],
    ["serve", "--data", "x", "--frob", "1"], ["demo", "dance"], ["simulate", "fax"], ["admin", "verify"], ["frobnicate"],
], ids=" ".join)
def test_a_call_that_makes_no_sense_is_refused_with_words(folder, words):
    done = run(*[folder / "x" if word == "x" else word for word in words])
    assert done.returncode in (1, 2)
    assert done.stderr.strip() and "Fatal" not in done.stderr


def test_a_hub_ends_well_when_it_is_asked_to(folder):
    for name, number in (("int", signal.SIGINT), ("term", signal.SIGTERM)):
        hub = serve(folder, name)
        hub.wait_until_ready()
        assert hub.end(by=number) == 0
    wait_until(lambda: run("admin", "verify", "--data", folder / "d").returncode == 0)
