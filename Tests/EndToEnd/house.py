"""A house of Lucia's with devices in it, made through the interface as its owner would; and what each route of Home is asked with."""

import contextlib
import json
import re

import bus
from demo import LUCIA, wait_until


def component(platform, name, **more):
    return {"platform": platform, "unique_id": name.lower().replace(" ", "-"), "name": name, **more}


def device(name, *components):
    """What a device says of itself: `{name}/…` are its topics."""
    return {
        "device": {"identifiers": [name.lower()], "name": name}, "origin": {"name": "a test"},
        "components": {one["unique_id"]: {key: value.replace("~", name.lower()) for key, value in one.items()} for one in components}}


KITCHEN = device(
    "Kitchen",
    component("sensor", "Gas", state_topic="~/gas", unit_of_measurement="ppm", state_class="measurement"),
    component("binary_sensor", "Back door", device_class="door", state_topic="~/door"),
    component("vacuum", "Kitchen vacuum", command_topic="~/vacuum/set"),
    component("fan", "Fan", command_topic="~/fan/set", percentage_command_topic="~/fan/percent"))
# What is taken out of use by one request does not lack in the next.
CELLAR = device(
    "Cellar",
    component("sensor", "Gas below", state_topic="~/gas", unit_of_measurement="ppm", state_class="measurement"),
    component("switch", "Lamp", command_topic="~/lamp/set"))

# Which routes are Home's.
OF_A_HOUSE = re.compile(
    r"/api/(houses|devices|sensors|actuators)\b|/api/sites/\{site\}/"
    r"(care|gateways|house|devices|sensors|actuators|boxes|readings|alarms|alarm-\w+)\b")


class House:
    """The house `Casa in prova`, with a kitchen and a cellar, an alarm, and a code."""

    def __init__(self, demo):
        self.demo, self.api = demo, demo.api(LUCIA)
        self.site = self.api.ok(self.api.post("/api/houses", {
            "name": "Casa in prova", "zone": "Europe/Rome", "street": "Via Nuova 1", "latitude": 45.5, "longitude": 9.2}))["site"]
        gateways = [
            self.api.ok(self.api.post(f"/api/sites/{self.site}/gateways", {"kind": "device", "name": name}))["id"]
            for name in ("Stick", "Old stick")]
        self.gateway, self.spare_gateway = gateways
        known = self.api.ok(self.api.post(f"/api/sites/{self.site}/gateways/{self.gateway}/credentials", {}))
        self.client = bus.Client(demo, known["username"], known["password"])
        self.prefix = known["prefix"]
        for name, content in (("kitchen", KITCHEN), ("cellar", CELLAR)):
            self.client.publish(f"{self.prefix}homeassistant/device/{name}/config", json.dumps(content), retain=True)
        wait_until(lambda: len(self.devices()) == 2, what="the devices that say what they are")
        kitchen, cellar = (next(one for one in self.devices() if one["name"] == name) for name in ("Kitchen", "Cellar"))
        self.device, self.spare_device = kitchen["id"], cellar["id"]
        self.gas = next(one["id"] for one in kitchen["sensors"] if one["kind"] == "gas" or "Gas" in one["name"])
        self.spare_sensor = cellar["sensors"][0]["id"]
        self.fan, self.lamp = kitchen["actuators"][0]["id"], cellar["actuators"][0]["id"]
        self.api.ok(self.api.put(f"/api/sensors/{self.gas}/threshold", {"level": 300, "hysteresis": 30}))
        self.tell(200)
        wait_until(lambda: self.value() == 200, what="the level")
        # A value is known at once; it is part of the history when it is on disk, about half a second later.
        wait_until(lambda: self.history(), what="the level, in the history")
        self.tell(900)
        self.alarm = wait_until(lambda: self.items("alarms"), what="the alarm")[0]["id"]
        self.tell(200)
        self.code = self.api.ok(self.api.post(f"/api/sites/{self.site}/alarm-codes", {"name": "Nonna", "code": "802753"}))["id"]
        self.town = demo.site("Casa Ferri")
        self.box = next(one["id"] for one in self.items("gateways", self.town) if one["kind"] == "box")

    def close(self):
        self.client.close()

    def items(self, what, site=None):
        return self.api.ok(self.api.get(f"/api/sites/{site or self.site}/{what}"))["items"]

    def devices(self):
        return [one for one in self.api.ok(self.api.get("/api/devices", params={"site": self.site}))["items"] if one["sensors"]]

    def value(self):
        return self.api.ok(self.api.get(f"/api/sensors/{self.gas}"))["value"]

    def history(self):
        return self.api.ok(self.api.get(f"/api/sensors/{self.gas}/readings"))["items"]

    def tell(self, level):
        self.client.publish(f"{self.prefix}kitchen/gas", str(level))

    def known(self, method, path):
        """What is there, by the name of the parameter, for a route of Home."""
        # The box of the demo is a real one, so to say.
        site = self.town if re.search("/boxes/|/alarm-tags", path) else self.site
        changes = method.upper() in ("PATCH", "DELETE")
        known = {
            "site": site, "device": self.spare_device if changes else self.device,
            "sensor": self.spare_sensor if changes else self.gas, "actuator": self.lamp if changes else self.fan, "fan": self.fan,
            "gateway": self.spare_gateway if changes else self.gateway, "alarm": self.alarm, "code": self.code, "box": self.box,
            "level": "300"}
        known["id"] = self.fan if path.startswith("/api/actuators/") else self.gas
        return known


@contextlib.contextmanager
def a_house(demo):
    house = House(demo)
    with contextlib.closing(house):
        yield house
