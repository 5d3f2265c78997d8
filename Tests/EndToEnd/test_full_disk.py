"""A house and a company on a hub whose disk is full: alarms reach the telephone, gates open, access is taken away; what can wait is refused,
and the hub says so. A library of our own stands between the hub and its disk (full_disk.c)."""

import json
import os
import subprocess
from pathlib import Path

import httpx
import pytest

import bus
from demo import ADA, CARLO, LUCIA, MARTA, Demo, short_folder, wait_until
from house import component, device
from patience import PATIENCE
from push_endpoint import PushService
from test_push import subscribe

DETECTOR = device("Hall", component("binary_sensor", "Smoke", device_class="smoke", state_topic="~/smoke"))


class Disk:
    """The hub's disk, which is full while the body runs."""

    def __init__(self, demo, file):
        self.demo, self.file = demo, file

    def __enter__(self):
        self.file.with_suffix(".new").write_text(str((self.demo.data / "reserve").stat().st_size))
        self.file.with_suffix(".new").rename(self.file)

    def __exit__(self, *_):
        self.file.unlink()


@pytest.fixture(scope="module")
def place():
    """A demo, and its disk."""
    with short_folder() as folder:
        library, data, file = folder / "full_disk.so", (folder / "d").resolve(), folder / "full"
        source = Path(__file__).with_name("full_disk.c")
        subprocess.run(["gcc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, source], check=True)
        demo = Demo(folder)
        before = dict(os.environ)
        os.environ.update({
            "LD_PRELOAD": str(library), "FULL_DISK_FILE": str(file), "FULL_DISK_OF": f"{data}/soglia.sqlite",
            "FULL_DISK_RESERVE": f"{data}/reserve"})
        try:
            demo.start()
        finally:
            os.environ.clear()
            os.environ.update(before)
        try:
            demo.wait_until_ready()
            yield demo, Disk(demo, file)
        finally:
            demo.end()


@pytest.fixture(scope="module")
def service():
    with PushService() as service:
        yield service
        assert service.complaints == []


def health(demo):
    answer = httpx.get(f"{demo.url}/api/health", timeout=PATIENCE)
    assert answer.status_code == 200
    return answer.json()


def refused(demo, lucia):
    """What can wait is refused, from the first write that found no room on."""
    answer = lucia.post("/api/houses", {"name": "Baita", "zone": "Europe/Rome", "street": "Via 2"})
    return answer.status_code == 507 and "diskFull" in health(demo)["troubles"]


def alarms(api, site):
    return [one for one in api.ok(api.get(f"/api/sites/{site}/alarms"))["items"] if one["kind"] == "environmental"]


@pytest.mark.timeout(300)   # a whole house and a company, twice
def test_smoke_on_a_full_disk_reaches_the_telephone_and_is_recorded(place, service):
    demo, disk = place
    lucia, marta, carlo = demo.api(LUCIA), demo.api(MARTA), demo.api(CARLO)
    phone = subscribe(lucia, service)
    house = lucia.ok(lucia.post("/api/houses", {"name": "Rifugio", "zone": "Europe/Rome", "street": "Via 1"}))["site"]
    stick = lucia.ok(lucia.post(f"/api/sites/{house}/gateways", {"kind": "device", "name": "Stick"}))["id"]
    known = lucia.ok(lucia.post(f"/api/sites/{house}/gateways/{stick}/credentials", {}))
    prefix, town = known["prefix"], demo.site("Casa Ferri")
    box = "box-casa-ferri"
    words = Path(f"/proc/{demo.pid(box)}/cmdline").read_bytes().decode().split("\0")
    page = f"http://localhost:{words[words.index('--port') + 1]}"
    person = next(
        one for one in marta.ok(marta.get(f"/api/sites/{demo.site()}/people", params={"search": ADA}))["items"]
        if one["email"] == ADA)
    gate = demo.gate()

    def act(what):
        httpx.post(page + "/act", json={"act": what}, timeout=PATIENCE).raise_for_status()

    with bus.Client(demo, known["username"], known["password"]) as client:
        client.publish(f"{prefix}homeassistant/device/hall/config", json.dumps(DETECTOR), retain=True)
        wait_until(lambda: lucia.ok(lucia.get("/api/devices", params={"site": house}))["items"], what="the detector")
        client.publish(f"{prefix}hall/smoke", "OFF")
        assert "diskFull" not in health(demo)["troubles"]
        with disk:
            wait_until(lambda: refused(demo, lucia), what="a hub that knows its disk to be full")
            # A detector that the hub found on the bus.
            client.publish(f"{prefix}hall/smoke", "ON")
            told = wait_until(lambda: [one for one in phone.messages if one.json["isCritical"]], what="the alarm on the telephone")
            wait_until(lambda: alarms(lucia, house), what="the alarm, recorded")
            # A box, which is silenced and disarmed from the telephone.
            act("smoke")
            wait_until(
                lambda: len([one for one in phone.messages if one.json["isCritical"]]) > len(told), what="the box's alarm")
            wait_until(lambda: alarms(lucia, town), what="the box's alarm, recorded")
            assert lucia.post(f"/api/sites/{town}/alarm-panel/silence", {}).status_code == 200
            act("clear")
            assert lucia.post(f"/api/sites/{town}/alarm-panel/disarm", {}).status_code == 200
            # Doors open, who comes signs in, and access is taken away.
            assert carlo.open(gate)["outcome"] == "opened"
            api = demo.api(ADA)
            assert any(one["id"] == gate for one in api.gates())
            row = marta.change_membership(demo.site(), person, lastDay="2020-01-01")
            assert row.status_code == 200, row.text
            assert not any(one["id"] == gate for one in api.gates())
            assert refused(demo, lucia), "what can wait takes nothing of the room that is kept"
        wait_until(
            lambda: lucia.post("/api/houses", {"name": "Baita", "zone": "Europe/Rome", "street": "Via 2"}).status_code == 201,
            what="room for what can wait")
        wait_until(lambda: "diskFull" not in health(demo)["troubles"], what="a hub that knows of the room")
    demo.verify()
