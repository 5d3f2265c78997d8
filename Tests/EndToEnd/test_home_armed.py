"""An armed house against those who may not disarm it: requests in the moment of arming, switches of sirens and detectors, members let in
by another page, its server taken away, and a device that describes itself otherwise."""

import concurrent.futures
import contextlib
import json
import sqlite3

import pytest

import bus
from api import Api
from demo import LUCIA, wait_until
from test_home_protection import FIRST_PASSWORD, stale

MODES = ("home", "away", "night", "vacation")
DISCOVERY = {
    "device": {"identifiers": ["hall"], "name": "Hall"}, "origin": {"name": "a test"},
    "components": {
        "door": {
            "platform": "binary_sensor", "unique_id": "door", "name": "Front door", "device_class": "door",
            "state_topic": "door/state"},
        "motion": {
            "platform": "binary_sensor", "unique_id": "motion", "name": "Corridor", "device_class": "motion",
            "state_topic": "motion/state"},
        "detection": {"platform": "switch", "unique_id": "detection", "name": "Detection", "command_topic": "detection/set"},
        "siren": {"platform": "siren", "unique_id": "siren", "name": "Siren", "command_topic": "siren/set"},
    },
}
LAMP = {
    "device": {"identifiers": ["lamp"], "name": "Lamp"}, "origin": {"name": "a test"},
    "components": {
        "lamp": {"platform": "switch", "unique_id": "lamp", "name": "Lamp", "command_topic": "lamp/set"},
        "fan": {
            "platform": "fan", "unique_id": "fan", "name": "Fan", "command_topic": "fan/set",
            "percentage_command_topic": "fan/percent"},
    },
}
TOPIC = "homeassistant/device/hall/config"


class Armed:
    """The house `Casa armata`, its owners Lucia and Otto, a member and an installer whose proofs are old."""

    def __init__(self, demo):
        self.demo, self.api = demo, demo.api(LUCIA)
        self.site = self.api.ok(self.api.post("/api/houses", {"name": "Casa armata", "zone": "Europe/Rome"}))["site"]
        self.root = f"/api/sites/{self.site}"
        gateway = self.api.ok(self.api.post(f"{self.root}/gateways", {"kind": "device", "name": "Hall"}))["id"]
        known = self.api.ok(self.api.post(f"{self.root}/gateways/{gateway}/credentials", {}))
        self.prefix, self.client = known["prefix"], bus.Client(demo, known["username"], known["password"])
        assert self.client.subscribe(self.prefix + "#")
        self.describe("homeassistant/device/lamp/config", LAMP)
        self.describe(TOPIC, DISCOVERY)
        wait_until(lambda: len(self.devices()) == 2, what="the devices that say what they are")
        parts = [part for device in self.devices() for part in device["sensors"] + device["actuators"]]
        self.ids = {part["name"].split()[-1].lower(): part["id"] for part in parts}
        for name, permission in (("Otto Owner", "owner"), ("Mara Membro", "member"), ("Ivo Impianti", "installer")):
            self.api.ok(self.api.post(f"{self.root}/people", {
                "name": name, "email": f"{permission}@example.com", "password": FIRST_PASSWORD, "permission": permission}))
        self.otto = self.as_("owner")
        self.member, self.installer = (stale(demo, self.as_(name)) for name in ("member", "installer"))
        delays = dict.fromkeys(MODES, 0)
        self.api.ok(self.api.put(f"{self.root}/alarm-rules", {
            "exitDelay": delays, "entryDelay": delays, "alarmTime": 120, "disarmsAfterAlarm": False, "asksCode": True}))

    def as_(self, who):
        return Api(self.demo.url).sign_in(f"{who}@example.com", FIRST_PASSWORD)

    def describe(self, topic, content):
        self.client.publish(self.prefix + topic, json.dumps(content) if content else "", retain=True)

    def devices(self):
        return self.api.ok(self.api.get("/api/devices", params={"site": self.site}))["items"]

    def sensor_named(self, name):
        items = self.api.ok(self.api.get(f"{self.root}/devices"))["items"]
        return next((one for device in items for one in device["sensors"] if one["name"].endswith(name)), None)

    def panel(self):
        return self.api.ok(self.api.get(f"{self.root}/alarm-panel"))

    def act(self, verb, **body):
        return self.api.ok(self.api.post(f"{self.root}/alarm-panel/{verb}", body))

    def tell(self, name, value):
        self.client.publish(f"{self.prefix}{name}/state", value)

    def rest(self):
        self.tell("door", "OFF")
        self.tell("motion", "OFF")
        wait_until(lambda: self.panel()["open"] == [] and self.panel()["weak"] == [], what="the house at rest")

    def told(self, who=None):
        """The titles and texts of what one of the owners was told of its protection."""
        notices = (who or self.otto).ok((who or self.otto).get("/api/notices"))["items"]
        return [one["body"] for one in notices if one["title"] == "Casa armata: protection changed"]

    def heard(self, name):
        return [payload.decode() for payload in self.client.heard(f"{self.prefix}{name}/set")]

    def close(self):
        for api in (self.otto, self.member, self.installer):
            api.close()
        self.client.close()


@pytest.fixture(scope="module")
def house(demo):
    house = Armed(demo)
    with contextlib.closing(house):
        yield house


@pytest.fixture(autouse=True)
def disarmed(house):
    house.act("disarm", code=None)
    house.rest()
    yield
    house.act("disarm", code=None)


# MARK: the moment of arming


def ways_to_weaken(house):
    """Each changes a house at once while it is not armed, and takes what disarming takes while it is."""
    return (
        ("PUT", f"{house.root}/alarm-sensors/{house.ids['door']}", {"class": None, "distance": 100, "tripsWhenSilent": False}),
        ("PATCH", f"{house.root}/sensors/{house.ids['corridor']}", {"inUse": False}),
        ("PATCH", f"{house.root}/actuators/{house.ids['siren']}", {"inUse": False}),
    )


def weakened(house):
    items = house.api.ok(house.api.get(f"{house.root}/devices"))["items"]
    parts = {one["id"]: one for device in items for one in device["sensors"] + device["actuators"]}
    return parts[house.ids["door"]]["class"], parts[house.ids["corridor"]]["inUse"], parts[house.ids["siren"]]["inUse"]


@contextlib.contextmanager
def full_disk(demo):
    """Nothing is written meanwhile: what was sent waits for the disk, and the hub goes on."""
    with contextlib.closing(sqlite3.connect(demo.data / "soglia.sqlite", timeout=10, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            database.execute("ROLLBACK")


def test_what_was_sent_before_the_house_was_armed_and_waits_for_the_disk_takes_the_proof(demo, house):
    before = weakened(house)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        with full_disk(demo):
            changes = [pool.submit(house.installer.http.request, method, path, json=body) for method, path, body in ways_to_weaken(house)]
            # Only what the hub holds already is late: a request that comes after the arming is refused by itself.
            for _ in range(20):
                assert house.panel()["state"] == "disarmed"
            arming = pool.submit(house.act, "arm", mode="away")
            wait_until(lambda: house.panel()["state"] == "armed_away", what="the house, armed")
        assert arming.result()["state"] == "armed_away"
        answers = [one.result() for one in changes]
    after = weakened(house)
    house.act("disarm", code=None)
    for method, path, body in ways_to_weaken(house):
        back = {"inUse": True} if "inUse" in body else body | {"class": "door"}
        assert house.api.http.request(method, path, json=back).status_code == 200
    assert after == before
    assert [(answer.status_code, answer.json()["type"]) for answer in answers] == [(403, "/problems/armed")] * len(answers)


def test_of_arming_and_a_change_at_once_the_change_is_first_or_refused(demo, house):
    """Whichever comes first, the ledger shows a class changed in a house that is not armed, or not at all."""
    door = {"class": "door", "distance": 100, "tripsWhenSilent": False}
    path = f"{house.root}/alarm-sensors/{house.ids['door']}"
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for _ in range(30):
            house.act("disarm", code=None)
            house.api.ok(house.api.put(path, door))
            after = house.api.events(house.site)[-1]["sequence"]
            change = pool.submit(house.installer.http.put, path, json=door | {"class": None})
            arming = pool.submit(house.act, "arm", mode="away")
            assert arming.result()["mode"] == "away"
            kinds = [event["kind"] for event in house.api.events(house.site, after)]
            if change.result().status_code == 200:
                assert kinds.index("home.class.changed") < kinds.index("home.armed"), kinds
            else:
                assert change.result().json()["type"] == "/problems/armed", change.result().text
                assert "home.class.changed" not in kinds
    house.act("disarm", code=None)
    house.api.ok(house.api.put(path, door))


# MARK: switches


def test_while_armed_a_siren_and_a_detector_s_own_switch_take_the_proof_and_a_lamp_does_not(house):
    house.act("arm", mode="away")
    for who, problem in ((house.member, "fresh-proof-needed"), (house.installer, "armed")):
        for name in ("detection", "siren"):
            answer = who.post(f"/api/actuators/{house.ids[name]}", {"value": False})
            assert (answer.status_code, answer.json()["type"]) == (403, f"/problems/{problem}"), (name, answer.text)
        # A siren that sounds, and a lamp, lower nothing.
        assert who.post(f"/api/actuators/{house.ids['siren']}", {"value": True}).status_code == 204
        assert who.post(f"/api/actuators/{house.ids['lamp']}", {"value": False}).status_code == 204
    assert "OFF" not in house.heard("detection")
    proven = house.as_("member")
    with contextlib.closing(proven):
        assert proven.post(f"/api/actuators/{house.ids['detection']}", {"value": False}).status_code == 204
    wait_until(lambda: house.heard("detection") == ["OFF"], what="the switch")
    wait_until(lambda: any("“Mara Membro” switched" in one for one in house.told()), what="a notice to the owner")


def test_while_armed_a_fan_that_is_held_off_or_slow_takes_the_proof_and_one_at_full_speed_does_not(house):
    run = f"{house.root}/care/fans/{house.ids['fan']}/run"
    house.member.ok(house.member.post(run, {"percent": 0, "minutes": 5}))
    house.member.ok(house.member.post(run, {"percent": None, "minutes": None}))
    house.act("arm", mode="away")
    for percent in (0, 50, 99):
        answer = house.member.post(run, {"percent": percent, "minutes": 1440})
        assert (answer.status_code, answer.json()["type"]) == (403, "/problems/fresh-proof-needed"), answer.text
    for value in (False, 0, 50):
        switched = house.member.post(f"/api/actuators/{house.ids['fan']}", {"value": value})
        assert (switched.status_code, switched.json()["type"]) == (403, "/problems/fresh-proof-needed"), switched.text
    assert house.member.post(f"/api/actuators/{house.ids['fan']}", {"value": True}).status_code == 204
    house.member.ok(house.member.post(run, {"percent": 100, "minutes": 1}))
    proven = house.as_("member")
    with contextlib.closing(proven):
        proven.ok(proven.post(run, {"percent": 0, "minutes": 1}))
    wait_until(lambda: any("“Mara Membro” switched" in one for one in house.told()), what="a notice to the owner")


def test_while_a_house_is_not_armed_its_switches_are_anybody_s_there(house):
    for name in ("detection", "lamp"):
        assert house.member.post(f"/api/actuators/{house.ids[name]}", {"value": False}).status_code == 204
    assert house.installer.post(f"/api/actuators/{house.ids['siren']}", {"value": False}).status_code == 204


def test_a_siren_that_sounds_is_silenced_by_who_lives_there_and_not_by_its_switch(demo, house):
    house.act("arm", mode="away")
    house.tell("door", "ON")
    wait_until(lambda: house.panel()["isSounding"], what="the siren")
    browser = Api(demo.url, browser=True).sign_in("installer@example.com", FIRST_PASSWORD)
    with contextlib.closing(browser):
        device = next(one["id"] for one in house.devices() if one["name"] == "Hall")
        answer = browser.http.post(
            f"/houses/{house.site}/devices/{device}/set", data={"actuator": house.ids["siren"], "do": "off"})
        assert answer.status_code == 403, answer.text[:200]
    for who in (house.member, house.installer):
        assert who.post(f"/api/actuators/{house.ids['siren']}", {"value": False}).status_code == 403
    assert house.panel()["isSounding"]
    assert house.member.ok(house.member.post(f"{house.root}/alarm-panel/silence", {}))["isSounding"] is False


# MARK: people and the server, by the routes of every site


def test_owners_are_told_of_a_member_whichever_route_lets_them_in(house):
    before = house.told(house.api)
    otto = house.otto
    row = otto.ok(otto.post(f"{house.root}/people", {
        "name": "Gino Guest", "email": "gino@example.com", "password": FIRST_PASSWORD, "permission": "guest"}))
    wait_until(lambda: len(house.told(house.api)) > len(before), what="a notice to the other owner")
    assert house.told(house.api) == ["“Otto Owner” changed who belongs to the house. If this is wrong, check the house now."] + before
    assert row["permission"] == "guest"


def test_owners_are_told_of_an_invitation_by_hand_and_of_who_comes_with_it(house):
    otto, lucia = house.otto, house.api
    row = otto.ok(otto.post(f"{house.root}/people", {
        "name": "Nonna", "email": "nonna@example.com", "password": None, "permission": "owner"}))
    wait_until(lambda: any("changed who belongs" in one for one in house.told(lucia)), what="a notice to the other owner")
    code = otto.ok(otto.post(f"{house.root}/people/{row['membership']}/invitation", {"way": "paper"}))["code"]
    wait_until(lambda: any("“Otto Owner” created an invitation on paper" in one for one in house.told(lucia)), what="the paper")
    # The house's guest has got the paper.
    otto.ok(otto.post(f"{house.root}/people", {
        "name": "Zoe Ospite", "email": "zoe@example.com", "password": FIRST_PASSWORD, "permission": "guest"}))
    guest = Api(house.demo.url).sign_in("zoe@example.com", FIRST_PASSWORD)
    with contextlib.closing(guest):
        guest.ok(guest.post("/api/account/join", {"code": code}))
    wait_until(
        lambda: any("“Zoe Ospite” accepted an invitation and owns the house now" in one for one in house.told(lucia)),
        what="who came")


def test_the_server_of_a_house_is_taken_away_with_a_proof_alone_and_owners_are_told(demo, house):
    path = f"{house.root}/webhook"
    otto, lucia = house.otto, house.api
    otto.ok(otto.put(path, {"address": "https://guards.example/alarm"}))
    wait_until(lambda: any("“Otto Owner” changed the server" in one for one in house.told(lucia)), what="a notice to the owner")
    late = stale(demo, house.as_("owner"))
    with contextlib.closing(late):
        answer = late.delete(path)
        assert (answer.status_code, answer.json()["type"]) == (403, "/problems/fresh-proof-needed"), answer.text
    assert lucia.ok(lucia.get(path))["address"] == "https://guards.example/alarm"
    assert otto.delete(path).status_code == 204


# MARK: what a device says of itself


def window(name, **changes):
    """A device with a window of its own: what describes too often what it is, is not believed any more."""
    part = {
        "platform": "binary_sensor", "unique_id": name, "name": f"Window {name}", "device_class": "window", "state_topic": f"{name}/state"}
    return {
        "device": {"identifiers": [name], "name": name}, "origin": {"name": "a test"},
        "components": {
            "window": part | changes,
            "signal": {"platform": "sensor", "unique_id": f"{name}-signal", "name": "Signal", "state_topic": f"{name}/signal"}}}


def without_window(name):
    content = window(name)
    del content["components"]["window"]
    return content


WINDOWS = {
    "class": window("class", device_class="light"), "topic": window("topic", state_topic="nowhere/state"),
    "payload": window("payload", payload_on="never"), "lacks": without_window("lacks"), "empty": None}


@pytest.mark.parametrize("name", WINDOWS)
def test_a_device_that_says_while_armed_that_it_watches_no_more_goes_on_watching_and_is_named(house, name):
    topic = f"homeassistant/device/{name}/config"
    house.describe(topic, window(name))
    before = wait_until(lambda: house.sensor_named(f"Window {name}"), what="the window")
    house.tell(name, "OFF")
    house.rest()

    def faults():
        return [
            one for one in house.api.ok(house.api.get("/api/notices"))["items"]
            if f"no longer watching: Window {name}" in json.dumps(one)]

    house.act("arm", mode="away")
    house.describe(topic, WINDOWS[name])
    wait_until(lambda: house.panel()["isDegraded"], what="the house, armed, but degraded")
    assert [(one["id"], one["why"]) for one in house.panel()["weak"]] == [(before["id"], "missing")]
    assert house.sensor_named(f"Window {name}") == before
    house.tell(name, "ON")
    wait_until(lambda: house.panel()["state"] == "triggered", what="the alarm of the window as it was")
    assert house.panel()["isDegraded"]
    wait_until(lambda: len(faults()) == 1, what="a notice to the owner")
    # What was said is believed when the house is disarmed.
    house.tell(name, "OFF")
    house.act("disarm", code=None)
    if name != "payload":
        wait_until(lambda: house.sensor_named(f"Window {name}") != before, what="the device as it says it is")
    assert len(faults()) == 1
    house.describe(topic, None)
    wait_until(lambda: not any(device["name"] == name for device in house.devices()), what="the house without it")


def test_a_siren_that_its_device_takes_back_while_armed_is_told_as_before(house):
    house.act("arm", mode="away")
    house.describe(TOPIC, DISCOVERY | {"components": {
        key: one | {"command_topic": "nowhere/set"} if key == "siren" else one for key, one in DISCOVERY["components"].items()}})
    wait_until(lambda: any(
        "Siren was changed by its device" in one["body"] + one["title"] for one in house.api.ok(house.api.get("/api/notices"))["items"]),
        what="a notice to the owner")
    heard = len(house.heard("siren"))
    house.tell("door", "ON")
    wait_until(lambda: len(house.heard("siren")) > heard, what="the siren as it was")
    house.describe(TOPIC, DISCOVERY)
