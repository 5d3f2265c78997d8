"""What takes a fresh proof takes it, too, when something of the house was taken out of use before, which takes none."""

import contextlib
import json

import pytest

import bus
from api import Api
from demo import LUCIA, wait_until
from house import component, device
from test_home_protection import FIRST_PASSWORD, stale

BOILER = device(
    "Boiler",
    component("valve", "Valve", command_topic="~/valve/set", payload_open="OPEN", payload_close="CLOSE"),
    component("siren", "Siren", command_topic="~/siren/set"),
    component("binary_sensor", "Smoke", device_class="smoke", state_topic="~/smoke"),
    component("switch", "Power", command_topic="~/power/set"))
# It describes itself where a light was added by hand before.
EARLY = device(
    "Early", component("valve", "Second valve", command_topic="~/valve/set", payload_open="ON", payload_close="OFF"))


class Boiler:
    """A house with a valve, a siren and a detector that a device describes; and a light by hand on a valve that came later."""

    def __init__(self, demo):
        self.demo, self.api = demo, demo.api(LUCIA)
        self.site = self.api.ok(self.api.post("/api/houses", {"name": "Casa fuori uso", "zone": "Europe/Rome"}))["site"]
        for permission in ("manager", "installer"):
            self.api.ok(self.api.post(f"/api/sites/{self.site}/people", {
                "name": f"Ugo {permission}", "email": f"unused.{permission}@example.com", "password": FIRST_PASSWORD,
                "permission": permission}))
        self.gateway = self.api.ok(self.api.post(
            f"/api/sites/{self.site}/gateways", {"kind": "bridge", "name": "Bridge"}))["id"]
        known = self.api.ok(self.api.post(f"/api/sites/{self.site}/gateways/{self.gateway}/credentials", {}))
        self.prefix = known["prefix"]
        self.client = bus.Client(demo, known["username"], known["password"])
        assert self.client.subscribe(self.prefix + "#")
        self.light = self.add("early/valve/set", "light").json()["id"]
        for name, content in (("boiler", BOILER), ("early", EARLY)):
            self.client.publish(f"{self.prefix}homeassistant/device/{name}/config", json.dumps(content), retain=True)
        wait_until(lambda: len(self.devices()) == 3, what="the devices that say what they are")
        named = {one["name"]: one["id"] for entry in self.devices() for one in entry["sensors"] + entry["actuators"]}
        self.valve, self.second, self.smoke = named["Valve"], named["Second valve"], named["Smoke"]
        self.things = [("devices", entry["id"]) for entry in self.devices() if entry["origin"] == "discovered"] + [
            ("actuators", named[name]) for name in ("Valve", "Siren", "Power", "Second valve")] + [("sensors", self.smoke)]

    def devices(self):
        return self.api.ok(self.api.get(f"/api/sites/{self.site}/devices"))["items"]

    def add(self, topic, kind, on="ON", off="OFF", by=None):
        return (by or self.api).http.post(f"/api/sites/{self.site}/actuators", json={
            "gateway": self.gateway, "name": f"Added {topic}", "topic": topic, "kind": kind, "on": on, "off": off})

    def take(self, thing, is_in_use, by=None):
        kind, name = thing
        answer = (by or self.api).http.patch(f"/api/sites/{self.site}/{kind}/{name}", json={"inUse": is_in_use})
        assert answer.status_code in (200, 204), (thing, answer.text)

    def told(self, topic):
        """What was said on all topics that end so."""
        return [message.payload for message in self.client.messages if message.topic.endswith(topic)]

    def acts(self, caller):
        """What somebody tries whose proof is old."""
        yield "a new password", caller.http.post(f"/api/sites/{self.site}/gateways/{self.gateway}/credentials", json={})
        for name in (self.valve, self.second, self.light):
            yield f"on: {name}", caller.http.post(f"/api/actuators/{name}", json={"value": True})
        for topic in ("boiler/valve/set", "early/valve/set", "boiler/siren/set"):
            for kind, on, off in (
                    ("light", "OPEN", "CLOSE"), ("plug", "ON", "OFF"), ("valve", "CLOSE", "OPEN"), ("siren", "OFF", "ON"),
                    ("fan", "ON", "OFF")):
                answer = self.add(topic, kind, on, off, by=caller)
                yield f"{kind} on {topic}", answer
                if answer.status_code == 201:
                    caller.http.post(f"/api/actuators/{answer.json()['id']}", json={"value": True})


@pytest.fixture(scope="module")
def boiler(demo):
    boiler = Boiler(demo)
    with contextlib.closing(boiler.client):
        yield boiler


@pytest.mark.parametrize("who", ("owner", "manager", "installer"))
def test_what_takes_a_fresh_proof_takes_it_when_something_is_out_of_use(demo, boiler, who):
    caller = stale(demo, Api(demo.url).sign_in(LUCIA, demo.password(LUCIA)) if who == "owner" else Api(demo.url).sign_in(
        f"unused.{who}@example.com", FIRST_PASSWORD))
    done = []
    for thing in [None, *boiler.things]:
        if thing is not None:
            boiler.take(thing, False, by=caller)
        done += [(thing, name, answer.status_code) for name, answer in boiler.acts(caller) if answer.status_code < 300]
        if thing is not None:
            boiler.take(thing, True, by=caller)
    assert done == []
    # The bridge hears in order: what was told before would have been heard by now.
    boiler.client.publish(boiler.prefix + "boiler/smoke", "OFF")
    wait_until(lambda: boiler.client.heard(boiler.prefix + "boiler/smoke"), what="what was said last")
    assert boiler.told("/set") == []
    caller.close()


def test_a_fresh_proof_makes_a_light_of_a_valve_that_was_added_by_mistake(demo, boiler):
    own = boiler.add("mistake/set", "valve").json()["id"]
    boiler.take(("actuators", own), False)
    caller = stale(demo, Api(demo.url).sign_in(LUCIA, demo.password(LUCIA)))
    answer = boiler.add("mistake/set", "light", by=caller)
    assert answer.status_code == 403 and answer.json()["type"] == "/problems/fresh-proof-needed", answer.text
    light = boiler.api.ok(boiler.add("mistake/set", "light"))
    assert light["id"] == own and light["kind"] == "light"
    # It is a light from now on, for everybody who switches lights.
    assert caller.post(f"/api/actuators/{own}", {"value": True}).status_code == 204
    wait_until(lambda: boiler.told("mistake/set") == [b"ON"], what="the light")
    caller.close()


@pytest.mark.parametrize("comes_back", ("the device", "another thing"))
def test_a_valve_that_was_added_in_other_words_opens_none_in_a_gas_alarm(demo, boiler, comes_back):
    """It was there first, was out of use while a device described the real one, and comes back while that is out of use."""
    topic, key = f"late{comes_back[-5:]}", comes_back[-5:]
    early = boiler.add(f"{topic}/valve/set", "valve", "CLOSE", "OPEN").json()
    boiler.take(("devices", early["device"]), False)
    late = device(
        topic, component("valve", f"Late {key}", command_topic="~/valve/set", payload_open="OPEN", payload_close="CLOSE"),
        component("sensor", f"Gas {key}", state_topic="~/gas", unit_of_measurement="ppm", state_class="measurement"))
    boiler.client.publish(f"{boiler.prefix}homeassistant/device/{topic}/config", json.dumps(late), retain=True)

    def named(name):
        return next((one["id"] for entry in boiler.devices() for one in entry["sensors"] + entry["actuators"] if one["name"] == name), None)
    real = wait_until(lambda: named(f"Late {key}"), what="the valve")
    boiler.take(("actuators", real), False)
    if comes_back == "the device":
        boiler.take(("devices", early["device"]), True)
    else:
        assert boiler.add(f"{topic}/other/set", "light").status_code == 201
    gas = named(f"Gas {key}")
    boiler.api.ok(boiler.api.put(f"/api/sensors/{gas}/threshold", {"level": 300, "hysteresis": 30}))
    boiler.client.publish(f"{boiler.prefix}{topic}/gas", "900")
    wait_until(
        lambda: any(one["sensor"] == gas for one in boiler.api.ok(boiler.api.get(f"/api/sites/{boiler.site}/alarms"))["items"]),
        what="the alarm")
    # Another valve of the house hears what is told to all: when it has, so would this one have.
    wait_until(lambda: b"CLOSE" in boiler.told("boiler/valve/set"), what="the valve that is in use")
    assert b"OPEN" not in boiler.told(f"{topic}/valve/set")
    boiler.client.publish(f"{boiler.prefix}{topic}/gas", "20")
    boiler.client.messages.clear()
    boiler.api.post(f"/api/sites/{boiler.site}/alarm-panel/reset", {})
    # The owner takes the real one back.
    boiler.take(("actuators", real), True)


def test_what_a_device_describes_no_more_leaves_its_topic_to_a_fresh_proof(demo, boiler):
    """Its bridge may be about to say it anew: whoever waits for that moment puts nothing in its place."""
    gone = device("gone", component("valve", "Gone", command_topic="~/set"), component("fan", "Gone fan", command_topic="~/fan/set"))
    topic = f"{boiler.prefix}homeassistant/device/gone/config"
    boiler.client.publish(topic, json.dumps(gone), retain=True)

    def is_used():
        return [one["inUse"] for entry in boiler.devices() for one in entry["actuators"] if one["name"] in ("Gone", "Gone fan")]
    wait_until(lambda: is_used() == [True, True], what="the device")
    boiler.client.publish(topic, "", retain=True)
    wait_until(lambda: is_used() == [False, False], what="the end of the device")
    caller = stale(demo, Api(demo.url).sign_in(LUCIA, demo.password(LUCIA)))
    for kind in ("light", "siren", "fan", "valve"):
        answer = boiler.add("gone/set", kind, "OFF", "ON", by=caller)
        assert answer.status_code == 403 and answer.json()["type"] == "/problems/fresh-proof-needed", answer.text
    caller.close()
    light = boiler.api.ok(boiler.add("gone/set", "light"))
    assert boiler.api.post(f"/api/actuators/{light['id']}", {"value": True}).status_code == 204
    wait_until(lambda: boiler.told("gone/set") == [b"ON"], what="the light")


def test_a_connection_that_is_taken_out_of_use_hears_that_its_siren_is_to_be_still(demo, boiler):
    for _ in range(5):
        gateway = boiler.api.ok(boiler.api.post(f"/api/sites/{boiler.site}/gateways", {"kind": "device", "name": "Horn"}))["id"]
        known = boiler.api.ok(boiler.api.post(f"/api/sites/{boiler.site}/gateways/{gateway}/credentials", {}))
        with bus.Client(demo, known["username"], known["password"]) as horn:
            assert horn.subscribe(known["prefix"] + "#")
            siren = boiler.api.ok(boiler.api.post(f"/api/sites/{boiler.site}/actuators", {
                "gateway": gateway, "name": "Horn", "topic": "horn/set", "kind": "siren"}))["id"]
            assert boiler.api.post(f"/api/actuators/{siren}", {"value": True}).status_code == 204
            wait_until(lambda: horn.heard(known["prefix"] + "horn/set") == [b"ON"], what="the siren")
            assert boiler.api.delete(f"/api/sites/{boiler.site}/gateways/{gateway}").status_code == 204
            wait_until(lambda: horn.heard(known["prefix"] + "horn/set") == [b"ON", b"OFF"], what="its end")
