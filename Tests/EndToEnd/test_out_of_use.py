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
