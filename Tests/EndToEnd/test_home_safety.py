"""Intruders: arm, wait out the delay, be seen, disarm; what is open is asked, a code is wrong, the hub is killed in between."""

import contextlib
import json
import os
import re
import signal

import pytest
from playwright.sync_api import expect

import bus
from browser import DESK, PHONE
from demo import LUCIA, wait_until

DISCOVERY = {
    "device": {"identifiers": ["hall"], "name": "Hall"},
    "origin": {"name": "a test"},
    "components": {
        "door": {
            "platform": "binary_sensor", "unique_id": "door", "name": "Front door", "device_class": "door",
            "state_topic": "door/state"},
        "near": {
            "platform": "sensor", "unique_id": "near", "name": "Corridor", "device_class": "distance",
            "unit_of_measurement": "cm", "state_topic": "near/state"},
        "siren": {"platform": "siren", "unique_id": "siren", "name": "Siren", "command_topic": "siren/set"},
    },
}


class Hall:
    """A device on the bus with its own credentials, which says by itself what it is."""

    def __init__(self, demo, api):
        self.api = api
        house = api.ok(api.post("/api/houses", {"name": "Casa in collina", "zone": "Europe/Rome"}))
        self.site = house["site"]
        gateway = api.ok(api.post(f"/api/sites/{self.site}/gateways", {"kind": "device", "name": "Hall"}))
        known = api.ok(api.post(f"/api/sites/{self.site}/gateways/{gateway['id']}/credentials", {}))
        self.prefix = known["prefix"]
        self.client = bus.Client(demo, known["username"], known["password"])
        assert self.client.subscribe(self.prefix + "#")
        self.client.publish(self.prefix + "homeassistant/device/hall/config", json.dumps(DISCOVERY), retain=True)
        sensors = wait_until(self.sensors, what="the device that says what it is")
        self.ids = {one["name"].split()[-1].lower(): one["id"] for one in sensors}
        self.rest()

    def sensors(self):
        items = self.api.ok(self.api.get(f"/api/sites/{self.site}/alarm-sensors"))["items"]
        return items if len(items) == 2 else None

    def tell(self, topic, value):
        self.client.publish(self.prefix + topic + "/state", value)

    def rest(self):
        self.tell("door", "OFF")
        self.tell("near", "300")
        wait_until(lambda: self.panel()["open"] == [], what="the house at rest")

    def panel(self):
        return self.api.ok(self.api.get(f"/api/sites/{self.site}/alarm-panel"))

    def asked(self):
        """The same; nothing while the hub does not answer."""
        with contextlib.suppress(Exception):
            return self.panel()

    def act(self, verb, **body):
        return self.api.post(f"/api/sites/{self.site}/alarm-panel/{verb}", body)

    def siren(self):
        """What the siren was told, in order: as Home Assistant tells one."""
        return [json.loads(payload)["state"] for payload in self.client.heard(self.prefix + "siren/set")]

    def rules(self, exit=0, entry=0, code=False, alarm=120):
        modes = ("home", "away", "night", "vacation")
        self.api.ok(self.api.put(f"/api/sites/{self.site}/alarm-rules", {
            "exitDelay": dict.fromkeys(modes, exit), "entryDelay": dict.fromkeys(modes, entry), "alarmTime": alarm,
            "disarmsAfterAlarm": False, "asksCode": code}))

    def until(self, state):
        wait_until(lambda: self.panel()["state"] == state, what=state)


@pytest.fixture(scope="module")
def hall(demo):
    hall = Hall(demo, demo.api(LUCIA))
    with contextlib.closing(hall.client):
        yield hall


@pytest.fixture(autouse=True)
def quiet(hall):
    hall.rules()
    hall.api.ok(hall.act("disarm"))
    hall.rest()
    yield
    hall.api.ok(hall.act("disarm"))


def page_of(hall):
    return f"/houses/{hall.site}/safety"


@pytest.mark.parametrize("size, language, scheme", [
    (PHONE, "en", "light"), (PHONE, "it", "dark"), (DESK, "es", "light"), (DESK, "en", "dark")])
def test_a_house_is_seen_in_every_state_size_and_language(demo, hall, chromium, size, language, scheme):
    hall.rules(exit=300, entry=300)
    with chromium.visitor(demo.url, size, language, scheme).sign_in(demo.account(LUCIA)) as visitor:
        def looks_well(path):
            visitor.go(path)
            assert visitor.axe() == [] and not visitor.spills()

        looks_well(page_of(hall))
        hall.api.ok(hall.act("arm", mode="away"))
        looks_well(page_of(hall))
        hall.rules(entry=300)
        hall.api.ok(hall.act("disarm"))
        hall.api.ok(hall.act("arm", mode="away"))
        looks_well(page_of(hall))
        hall.tell("door", "ON")
        hall.until("pending")
        looks_well(page_of(hall))
        hall.rules()
        hall.api.ok(hall.act("disarm"))
        hall.rest()
        hall.api.ok(hall.act("arm", mode="home"))
        hall.tell("door", "ON")
        hall.until("triggered")
        looks_well(page_of(hall))
        looks_well(page_of(hall) + "/settings")
        looks_well(f"{page_of(hall)}/sensors/{hall.ids['corridor']}")
        assert visitor.complaints == []


def test_somebody_arms_leaves_is_seen_and_disarms(demo, hall, chromium):
    hall.rules(exit=8, entry=8)
    hall.client.messages.clear()
    with chromium.visitor(demo.url).sign_in(demo.account(LUCIA)) as visitor:
        page = visitor.page
        visitor.go(page_of(hall))
        page.click("button[name=mode][value=away]")
        expect(page.locator("#state")).to_have_text("Arming: leave now")
        expect(page.locator("count-down time")).to_have_text(re.compile(r"0:0[0-8] to (leave|disarm)"))
        # The page follows by itself.
        expect(page.locator("#state")).to_have_text("Armed, nobody inside")
        hall.tell("near", "40")
        expect(page.locator("#state")).to_have_text("Somebody came in")
        expect(page.locator("#state")).to_have_text("Alarm")
        expect(page.locator("#panel")).to_contain_text("Corridor")
        wait_until(lambda: "ON" in hall.siren(), what="the siren")
        page.click("text=Silence the siren")
        expect(page.locator("#panel")).to_contain_text("The siren is off")
        page.click("#panel form[action$=disarm] button.large")
        expect(page.locator("#state")).to_have_text("Disarmed")
        expect(page.locator("#panel")).to_contain_text("disarmed the house")
        wait_until(lambda: hall.siren()[-1] == "OFF", what="the silence")
        assert visitor.complaints == []


def test_an_open_door_is_asked_by_name_and_left_out_only_then(demo, hall, chromium):
    hall.tell("door", "ON")
    wait_until(lambda: hall.panel()["open"], what="the open door")
    answer = hall.act("arm", mode="home")
    assert answer.status_code == 409 and answer.json()["sensors"] == hall.ids["door"]
    with chromium.visitor(demo.url).sign_in(demo.account(LUCIA)) as visitor:
        visitor.go(page_of(hall))
        visitor.page.click("button[name=mode][value=home]")
        expect(visitor.page.locator("input[name=bypass]")).to_have_count(1)
        assert visitor.axe() == []
        # The answer to a refused form goes on telling how the house is, as the page itself does.
        hall.tell("door", "OFF")
        wait_until(lambda: not hall.panel()["open"], what="the closed door")
        hall.api.ok(hall.act("arm", mode="away"))
        expect(visitor.page.locator("#state")).to_have_text("Armed, nobody inside")
        hall.api.ok(hall.act("disarm"))
        expect(visitor.page.locator("#state")).to_have_text("Disarmed")
        hall.tell("door", "ON")
        wait_until(lambda: hall.panel()["open"], what="the open door")
    with chromium.visitor(demo.url, javascript=False).sign_in(demo.account(LUCIA)) as visitor:
        page = visitor.page
        visitor.go(page_of(hall))
        page.click("button[name=mode][value=home]")
        expect(page.locator("input[name=bypass]")).to_have_count(1)
        page.check("input[name=bypass]")
        page.click("text=Arm with these bypassed")
        expect(page.locator("#state")).to_have_text("Armed, people inside")
        expect(page.locator("#panel")).to_contain_text("Front door")
    assert [one["id"] for one in hall.panel()["bypassed"]] == [hall.ids["door"]]
    with chromium.visitor(demo.url).sign_in(demo.account(LUCIA)) as visitor:
        page = visitor.page
        visitor.go(page_of(hall))
        page.click("text=Stop bypassing")
        expect(page.locator("main")).to_contain_text("Still bypassed, because this is open: Front door")
        assert [one["id"] for one in hall.panel()["bypassed"]] == [hall.ids["door"]]
        hall.tell("door", "OFF")
        wait_until(lambda: not hall.panel()["open"], what="the closed door")
        page.click("text=Stop bypassing")
        expect(page.locator("#state")).to_have_text("Armed, people inside")
        expect(page.locator("text=Stop bypassing")).to_have_count(0)
        assert visitor.axe() == []
    assert hall.panel()["bypassed"] == []
    hall.api.ok(hall.act("disarm"))


def test_the_deadline_of_an_entry_delay_outlives_the_hub(demo, hall):
    hall.rules(entry=20)
    hall.api.ok(hall.act("arm", mode="home"))

    def trips():
        return [event for event in hall.api.events(hall.site) if event["kind"] == "home.pending"]
    known = len(trips())
    hall.tell("door", "ON")
    hall.until("pending")
    before = hall.panel()
    # It acts first and records second: a hub that is killed between the two is another story.
    wait_until(lambda: len(trips()) > known, what="the trip in the ledger")
    pid = demo.pid("hub")
    os.kill(pid, signal.SIGKILL)
    after = wait_until(lambda: demo.pid("hub") != pid and hall.asked(), what="the hub")
    assert (after["state"], after["until"]) == ("pending", before["until"])
    wait_until(lambda: hall.panel()["state"] == "triggered", seconds=40, what="the alarm")


def test_codes_are_digits_and_wrong_ones_have_to_wait(demo, hall):
    codes = f"/api/sites/{hall.site}/alarm-codes"
    for code in ("123", "1234", "0000", "abcd"):
        assert hall.api.post(codes, {"name": "Ada", "code": code}).status_code == 422
    code = hall.api.ok(hall.api.post(codes, {"name": "Ada", "code": "280417"}))
    assert hall.api.post(codes, {"name": "Bruno", "code": "280417"}).status_code == 409
    assert "280417" not in json.dumps(hall.api.ok(hall.api.get(codes)))
    hall.rules(code=True)
    hall.api.ok(hall.act("arm", mode="home"))
    statuses = [hall.act("disarm", code="999111").status_code for _ in range(4)]
    assert statuses == [403, 403, 403, 429]
    assert hall.panel()["state"] == "armed_home"
    # Somebody who has just proven who they are is not kept out.
    hall.api.ok(hall.act("disarm"))
    assert hall.api.delete(f"{codes}/{code['id']}").status_code == 204
