"""A manager tells people something; they see it where they are, and the manager sees what became of it."""

import http.server
import json
import re
import socket
import threading
import hashlib
import hmac

import pytest
from playwright.sync_api import expect

from browser import DESK, PHONE
from demo import short_folder, wait_until
from hub import OLGA, PASSWORD, Hub

MARA = "mara@example.com"
MARAS = "a hazelnut in the evening"


@pytest.fixture(scope="module")
def hub():
    # As a demo, a hub calls servers on this machine, too.
    with short_folder() as folder, Hub(folder, "--demo") as hub:
        hub.first_run()
        olga = hub.program()
        hub.site = olga.sites()[0]["id"]
        olga.ok(olga.post(f"/api/sites/{hub.site}/people", {
            "name": "Mara Conti", "email": MARA, "password": MARAS, "permission": "member"}))
        people = olga.ok(olga.get(f"/api/sites/{hub.site}/people"))["items"]
        hub.olga = next(one["person"] for one in people if one["name"] == "Olga Sarti")
        hub.programs = {OLGA: olga, MARA: hub.program(MARA, MARAS)}
        yield hub
        for program in hub.programs.values():
            program.close()


def tell(hub, **notice):
    olga = hub.programs[OLGA]
    return olga.ok(olga.post(f"/api/sites/{hub.site}/notices", notice))["id"]


def delivery(hub, id):
    olga = hub.programs[OLGA]
    return olga.ok(olga.get(f"/api/notices/{id}/delivery"))


def account(email, password):
    return {"email": email, "password": password}


def test_a_manager_sends_a_person_sees_it_live_takes_care_and_the_manager_sees_who(hub, chromium):
    with chromium.visitor(hub.url, DESK) as olga, chromium.visitor(hub.url, PHONE) as phone:
        phone.sign_in(account(MARA, MARAS))
        phone.go("/notices")
        expect(phone.page.get_by_role("heading", name="Nothing yet")).to_be_visible()
        assert not phone.axe()

        olga.sign_in(account(OLGA, PASSWORD))
        olga.go(f"/sites/{hub.site}/settings")
        olga.page.get_by_role("link", name="Send a notice").click()
        assert not olga.axe()
        olga.page.get_by_label("Title").fill("The lift stands still")
        olga.page.get_by_label("Text").fill("Use the stairs, please.")
        olga.page.get_by_label("Everybody who is here today").uncheck()
        olga.page.get_by_label("Mara Conti").check()
        olga.page.get_by_label("One person at a time").check()
        olga.page.get_by_role("button", name="Send", exact=True).click()
        expect(olga.page.get_by_text("Sent.")).to_be_visible()
        expect(olga.page.get_by_text("in the inbox")).to_be_visible()
        assert not olga.axe()

        # Nobody has loaded the page again.
        expect(phone.page.get_by_role("heading", name="The lift stands still")).to_be_visible()
        expect(phone.page.locator("#voice")).to_have_text("The lift stands still")
        expect(phone.page.get_by_text("new", exact=True)).to_be_visible()
        assert not phone.axe()
        phone.page.get_by_role("button", name="I take care").click()
        expect(phone.page.get_by_text("you take care")).to_be_visible()

        olga.page.reload()
        expect(olga.page.get_by_text(re.compile("takes care since today")).first).to_be_visible()
        assert not olga.axe()
        olga.go(f"/sites/{hub.site}/notices")
        expect(olga.page.get_by_text("1 recipient, 0 not reached, 1 read")).to_be_visible()
        assert not olga.complaints and not phone.complaints


def test_what_will_not_do_is_said_and_kept(hub, chromium):
    with chromium.visitor(hub.url, PHONE, javascript=False) as olga:
        olga.sign_in(account(OLGA, PASSWORD))
        olga.go(f"/sites/{hub.site}/notices")
        olga.page.get_by_label("Title").fill("   ")
        olga.page.get_by_label("Text").fill("kept")
        olga.page.get_by_role("button", name="Send", exact=True).click()
        expect(olga.page.get_by_text("Give it a title").first).to_be_visible()
        expect(olga.page.get_by_label("Text")).to_have_value("kept")


def test_nobody_else_sends_reads_answers_or_sees_what_became_of_it(hub):
    olga, mara = hub.programs[OLGA], hub.programs[MARA]
    own = tell(hub, title="For Olga", people=[hub.olga])
    assert mara.post(f"/api/sites/{hub.site}/notices", {"title": "x"}).status_code == 403
    for path in ("read", "acknowledge", "actions/open"):
        assert mara.post(f"/api/notices/{own}/{path}").status_code == 404, path
    assert mara.get(f"/api/notices/{own}/delivery").status_code == 404
    assert olga.post(f"/api/notices/{own}/actions/open").status_code == 404
    for wrong in ({"title": ""}, {"title": "x" * 121}, {"title": "a\u202eb"}, {"title": "x", "body": "y" * 601},
                  {"title": "x", "urgency": "critical"}, {"title": "x", "people": []},
                  {"title": "x", "people": ["0" * 32]}, {"title": "x", "minutesBetween": 0}):
        assert olga.post(f"/api/sites/{hub.site}/notices", wrong).status_code == 422, wrong


def test_the_state_names_people_and_ways_and_no_address(hub):
    id = tell(hub, title="The cellar is flooded", urgency="high")
    found = delivery(hub, id)
    assert {one["name"] for one in found["recipients"]} == {"Mara Conti", "Olga Sarti"}
    assert "@" not in json.dumps(found)
    mara = hub.programs[MARA]
    listed = mara.ok(mara.get("/api/notices"))
    assert listed["items"][0]["title"] == "The cellar is flooded" and listed["unread"] >= 1
    assert mara.post(f"/api/notices/{id}/read").status_code == 204
    one = next(one for one in delivery(hub, id)["recipients"] if one["name"] == "Mara Conti")
    assert one["read"] and not one["acknowledged"]


def test_who_has_not_joined_is_shown_as_not_reached(hub, chromium):
    olga = hub.programs[OLGA]
    nora = olga.ok(olga.post(f"/api/sites/{hub.site}/people", {
        "name": "Nora Gallo", "email": "nora@example.com", "permission": "member"}))["person"]
    id = tell(hub, title="The lift is out of order", people=[nora, hub.olga])
    assert {one["name"]: one["reachable"] for one in delivery(hub, id)["recipients"]} == {
        "Nora Gallo": False, "Olga Sarti": True}
    with chromium.visitor(hub.url) as olga:
        olga.sign_in(account(OLGA, PASSWORD))
        for own, state, counts in (
                ("Italiano", "Non raggiunta: non ha ancora fatto il primo accesso", "2 destinatari, 1 non raggiunto, 0 letture"),
                ("Español", "Sin recibir: aún no ha entrado", "2 destinatarios, 1 sin recibir, 0 lecturas"),
                ("English", "Not reached: has not joined yet", "2 recipients, 1 not reached, 0 read")):
            olga.go(f"/sites/{hub.site}/notices/{id}")
            olga.page.get_by_role("button", name=own).click()
            card = olga.page.locator(".card", has_text="Nora Gallo")
            expect(card.locator("p")).to_have_text([state])
            assert olga.axe() == []
            olga.go(f"/sites/{hub.site}/notices")
            expect(olga.page.locator(".card", has_text="The lift is out of order")).to_contain_text(counts)


def test_how_one_is_told_is_set_by_keyboard_alone_and_kept(hub, chromium):
    with chromium.visitor(hub.url, PHONE) as phone:
        phone.sign_in(account(MARA, MARAS))
        phone.go("/account/notices")
        assert not phone.axe()
        for label in ("I have quiet hours", "Show names and places"):
            phone.page.get_by_label(label).focus()
            phone.page.keyboard.press("Space")
        phone.page.get_by_label("From", exact=True).fill("23:00")
        phone.page.get_by_label("To", exact=True).fill("06:30")
        phone.page.get_by_label("Sunday").focus()
        phone.page.keyboard.press("Space")
        phone.page.get_by_role("button", name="Save").focus()
        phone.page.keyboard.press("Enter")
        expect(phone.page.get_by_text("Saved.")).to_be_visible()
        assert not phone.axe()
        kept = hub.programs[MARA].ok(hub.programs[MARA].get("/api/account/notices"))
        assert kept["quiet"] == {"from": "23:00", "to": "06:30", "days": [1, 2, 3, 4, 5, 6]}
        assert kept["showsDetails"] is True

        phone.page.get_by_label("From", exact=True).fill("")
        phone.page.get_by_role("button", name="Save").click()
        expect(phone.page.get_by_text("Choose two times")).to_be_visible()
        expect(phone.page.get_by_label("To", exact=True)).to_have_value("06:30")
        assert not phone.axe()


@pytest.mark.parametrize("language, own, scheme, inbox, settings", [
    ("en", "English", "light", "Notices", "How you are told"),
    ("it", "Italiano", "dark", "Avvisi", "Come vieni avvisato"),
    ("es", "Español", "light", "Avisos", "Cómo se te avisa")])
def test_the_pages_speak_each_language_in_both_themes(hub, chromium, language, own, scheme, inbox, settings):
    with chromium.visitor(hub.url, PHONE, language=language, scheme=scheme) as olga:
        olga.sign_in(account(OLGA, PASSWORD))
        olga.go("/notices")
        olga.page.get_by_role("button", name=own).click()
        expect(olga.page.get_by_role("heading", level=1, name=inbox)).to_be_visible()
        assert not olga.axe()
        olga.go("/account/notices")
        expect(olga.page.get_by_role("heading", level=1, name=settings)).to_be_visible()
        assert not olga.axe()
        olga.go(f"/sites/{hub.site}/notices")
        assert not olga.axe()
        olga.go(f"/sites/{hub.site}/webhook")
        assert not olga.axe()
        assert not olga.spills()
        assert not olga.complaints
        olga.page.get_by_role("button", name="English").click()


class Server(http.server.BaseHTTPRequestHandler):
    """A place's own server, which keeps what it hears and answers what it is told to."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append((self.headers["Soglia-Signature"], body))
        self.send_response(self.server.answers.pop(0) if self.server.answers else 204)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.heard, server.answers = [], []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown(), server.server_close(), thread.join()


def test_a_places_own_server_hears_each_notice_signed_and_without_names(hub, server, chromium):
    with chromium.visitor(hub.url, DESK) as olga:
        olga.sign_in(account(OLGA, PASSWORD))
        olga.go(f"/sites/{hub.site}/webhook")
        olga.page.get_by_label("Address").fill("https://someone:secret@example.com/")
        olga.page.get_by_role("button", name="Use this address").click()
        expect(olga.page.get_by_text("without a password in it").first).to_be_visible()
        assert not olga.axe()
        olga.page.get_by_label("Address").fill(f"http://127.0.0.1:{server.server_port}/hear")
        olga.page.get_by_role("button", name="Use this address").click()
        secret = olga.page.locator("code").inner_text()
        assert not olga.axe()
        olga.go(f"/sites/{hub.site}/webhook")
        assert olga.page.locator("code").count() == 0
        olga.page.get_by_role("button", name="Send a test").click()
        expect(olga.page.get_by_text("It took the test.")).to_be_visible()
        server.answers = [410]
        olga.page.get_by_role("button", name="Send a test").click()
        expect(olga.page.get_by_text("the server answered 410")).to_be_visible()
    server.heard.clear()
    id = tell(hub, title="Mara is late")
    wait_until(lambda: server.heard)
    signature, body = server.heard[0]
    time, tag = re.fullmatch(r"t=(\d+),v1=([0-9a-f]{64})", signature).groups()
    assert hmac.new(bytes.fromhex(secret), time.encode() + b"." + body, hashlib.sha256).hexdigest() == tag
    told = json.loads(body)
    assert told["id"] == id and told["kind"] == "site.news" and "Mara" not in body.decode()
    wait_until(lambda: delivery(hub, id)["webhook"][0]["state"] == "delivered")
    assert secret not in hub.said


def test_a_server_that_does_not_answer_keeps_no_other_places_from_being_called(hub, server):
    olga = hub.program()
    silent, other = (olga.ok(olga.post("/api/sites", {"name": name, "kind": "company", "zone": "Europe/Rome"}))["id"]
                     for name in ("Silent", "Other"))
    # It is connected to, and never answers.
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        olga.ok(olga.put(f"/api/sites/{silent}/webhook", {"address": f"http://127.0.0.1:{deaf.getsockname()[1]}/"}))
        olga.ok(olga.put(f"/api/sites/{other}/webhook", {"address": f"http://127.0.0.1:{server.server_port}/"}))
        answers = []
        calls = [threading.Thread(target=lambda: answers.append(olga.post(f"/api/sites/{silent}/webhook/test"))) for _ in range(10)]
        for call in calls:
            call.start()
        # Two wait for it. The others are told so at once.
        wait_until(lambda: len(answers) >= 8, what="those that do not wait")
        assert {answer.json()["why"] for answer in answers[:8]} == {"the server has not answered earlier calls yet"}
        assert olga.ok(olga.post(f"/api/sites/{other}/webhook/test"))["delivered"]
    for call in calls:
        call.join()
    assert sum(answer.json()["why"] == "the server has not answered earlier calls yet" for answer in answers) == 8
    assert [answer.json()["delivered"] for answer in answers] == [False] * 10
    olga.close()


def test_twelve_silent_servers_keep_no_other_place_from_being_told_of_its_notices(hub, server):
    olga = hub.program()
    places = [olga.ok(olga.post("/api/sites", {"name": f"Place {number}", "kind": "company", "zone": "Europe/Rome"}))["id"]
              for number in range(13)]
    with socket.create_server(("127.0.0.1", 0), backlog=64) as deaf:
        for place, port in zip(places, [server.server_port] + 12 * [deaf.getsockname()[1]]):
            olga.ok(olga.put(f"/api/sites/{place}/webhook", {"address": f"http://127.0.0.1:{port}/"}))
        # It has answered once.
        assert olga.ok(olga.post(f"/api/sites/{places[0]}/webhook/test"))["delivered"]
        for place in 3 * places[1:]:
            olga.ok(olga.post(f"/api/sites/{place}/notices", {"title": "Nobody hears this"}))
        for number in range(3):
            id = olga.ok(olga.post(f"/api/sites/{places[0]}/notices", {"title": f"Heard {number}"}))["id"]
            wait_until(lambda: any(json.loads(body)["id"] == id for _, body in server.heard), what=f"notice {number}")
    olga.close()
