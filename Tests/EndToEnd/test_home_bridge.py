"""A home's own Mosquitto, with the lines that the hub's page says are to be written into it, and what lies behind it."""

import json
import subprocess
from types import SimpleNamespace

import pytest

import bus
import ports
from browser import DESK
from demo import LUCIA, short_folder, wait_until

# Where things of several makers are told something; what a siren or a valve hears in an alarm.
COMMANDS = {
    "siren": {
        "zigbee2mqtt/Siren/set": "ON", "zigbee2mqtt/upstairs/Siren/set": "ON", "zigbee2mqtt/Horn/set/alarm": "ON",
        "zigbee2mqtt/house/upstairs/hall/Siren/set": "ON", "zwave/hall/Siren/37/0/targetValue/set": "ON",
        "ring/1a/alarm/2b/siren/command": "ON", "board/siren/horn/command": "ON", "shellies/horn/relay/0/command": "on",
        "cmnd/horn/POWER": "ON", "horn/cmnd/POWER1": "ON", "Horn": "ON"},
    "valve": {"board/valve/gas/command": "CLOSE", "zigbee2mqtt/house/kitchen/Valve/set": "CLOSE"}}


class Home:
    """A Mosquitto at home, which anybody there may use."""

    def __init__(self, folder, recipe):
        self.port = ports.free_port()
        self.settings = folder / "mosquitto.conf"
        self.settings.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\n{recipe}\n")
        self.settings.chmod(0o600)

    def start(self):
        self.process = subprocess.Popen(
            ["/usr/sbin/mosquitto", "-c", self.settings], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return self

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def client(self):
        def connect():
            try:
                return bus.Client(SimpleNamespace(file={"broker": {"host": "127.0.0.1", "port": self.port}}))
            except OSError:
                return None
        return wait_until(connect, what="the home's own broker")


@pytest.fixture
def site(demo):
    return demo.site("Casa al mare")


@pytest.fixture
def gateway(demo, site):
    api = demo.api(LUCIA)
    return api.ok(api.post(f"/api/sites/{site}/gateways", {"kind": "bridge", "name": "Our broker"}))["id"]


@pytest.fixture
def home(demo, chromium, site, gateway):
    with chromium.visitor(demo.url, DESK, "en").sign_in(demo.account(LUCIA)) as visitor:
        page = visitor.page
        visitor.go(f"/houses/{site}/gateways/{gateway}")
        page.get_by_role("button", name="Make a password").click()
        recipe = page.locator("pre", has_text="connection soglia").inner_text()
    with short_folder() as folder:
        home = Home(folder, recipe).start()
        yield home
        home.stop()


def test_what_lies_behind_a_home_s_own_broker_hears_an_alarm_once_and_is_missed_when_the_broker_is_gone(demo, site, gateway, home):
    api, client = demo.api(LUCIA), home.client()
    client.subscribe("#")

    def describe(platform, name, **more):
        client.publish(f"homeassistant/{platform}/{name}/config", json.dumps(
            {"unique_id": name, "name": name, "device": {"identifiers": [name], "name": name}} | more), retain=True)

    describe("binary_sensor", "smoke", device_class="smoke", state_topic="stick/smoke")
    describe("light", "lamp", command_topic="zigbee2mqtt/Lamp/set", state_topic="zigbee2mqtt/Lamp")
    for platform, topics in COMMANDS.items():
        for number, (topic, word) in enumerate(topics.items()):
            on = {"payload_on": word} if platform == "siren" else {}
            describe(platform, f"{platform}{number}", command_topic=topic, **on)

    def known():
        return [
            one for device in api.ok(api.get("/api/devices", params={"site": site}))["items"] if device["gateway"] == gateway
            for one in device["sensors"] + device["actuators"]]

    things = 2 + sum(len(topics) for topics in COMMANDS.values())
    wait_until(lambda: len(known()) == things, what="the things behind the broker")
    # A Home Assistant at home is told of the house.
    wait_until(
        lambda: any(topic.startswith("homeassistant/device/soglia_") for topic in client.topics()), what="the house, told at home")
    try:
        client.publish("stick/smoke", "ON")
        for topic, word in (COMMANDS["siren"] | COMMANDS["valve"]).items():
            wait_until(lambda: any(word.encode() in one for one in client.heard(topic)), what=f"{word} on {topic}")
    finally:
        client.publish("stick/smoke", "OFF")
        api.ok(api.post(f"/api/sites/{site}/alarm-panel/reset", {}))

    # What is told at home is told once: what comes after it by the hub is here when it could have come back.
    client.publish("zigbee2mqtt/Lamp/set", "TOGGLE")
    client.publish("zigbee2mqtt/Lamp", "ON")
    lamp = next(one for one in known() if one["name"] == "lamp")
    wait_until(
        lambda: next(one for one in known() if one["id"] == lamp["id"])["value"] is True, what="the lamp, behind the command")
    assert api.post(f"/api/actuators/{lamp['id']}", {"value": False}).status_code == 204
    wait_until(lambda: b"OFF" in client.heard("zigbee2mqtt/Lamp/set"), what="the hub's command")
    assert client.heard("zigbee2mqtt/Lamp/set") == [b"TOGGLE", b"OFF"]

    # The broker is gone, and with it its smoke detector.
    def is_there():
        gateways = api.ok(api.get(f"/api/sites/{site}/gateways"))["items"]
        return next(one for one in gateways if one["id"] == gateway)["isThere"]

    def smoke():
        return next(one for one in known() if one["name"] == "smoke")["status"]

    assert is_there() and smoke() == "live"
    client.close()
    home.stop()
    wait_until(lambda: not is_there(), what="the end of the broker")
    wait_until(lambda: smoke() == "unavailable", what="the smoke detector, missed")
    home.start()
    wait_until(is_there, what="the broker, back")
    home.client().close()
