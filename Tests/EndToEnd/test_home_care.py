"""The air of a house: a level that is lowered under the gas, the fan that turns, what is asked before thresholds do not count."""

import contextlib
import json
import re

import pytest
from playwright.sync_api import expect

import bus
from browser import DESK, PHONE
from demo import LUCIA, wait_until

DISCOVERY = {
    "device": {"identifiers": ["kitchen"], "name": "Kitchen"},
    "origin": {"name": "a test"},
    "components": {
        "gas": {
            "platform": "sensor", "unique_id": "gas", "name": "Gas", "state_topic": "gas/state",
            "unit_of_measurement": "ppm", "state_class": "measurement"},
        "fan": {
            "platform": "fan", "unique_id": "fan", "name": "Fan", "command_topic": "fan/set",
            "percentage_command_topic": "fan/percent"},
        "valve": {
            "platform": "valve", "unique_id": "valve", "name": "Valve", "command_topic": "valve/set",
            "payload_open": "OPEN", "payload_close": "CLOSE"},
    },
}


class Kitchen:
    """A device on the bus with its own credentials, which says by itself what it is."""

    def __init__(self, demo, api):
        self.api = api
        house = api.ok(api.post("/api/houses", {"name": "Casa al mare", "zone": "Europe/Rome"}))
        self.site = house["site"]
        gateway = api.ok(api.post(f"/api/sites/{self.site}/gateways", {"kind": "device", "name": "Kitchen"}))
        known = api.ok(api.post(f"/api/sites/{self.site}/gateways/{gateway['id']}/credentials", {}))
        self.prefix = known["prefix"]
        self.client = bus.Client(demo, known["username"], known["password"])
        assert self.client.subscribe(self.prefix + "#")
        self.client.publish(self.prefix + "homeassistant/device/kitchen/config", json.dumps(DISCOVERY), retain=True)
        self.devices = wait_until(self.known, what="the device that says what it is")
        self.sensor = self.devices["sensors"][0]["id"]

    def known(self):
        items = self.api.ok(self.api.get("/api/devices", params={"site": self.site}))["items"]
        return next((one for one in items if one["sensors"]), None)

    def tell(self, level):
        self.client.publish(self.prefix + "gas/state", str(level))

    def heard(self, topic):
        return [payload.decode() for payload in self.client.heard(self.prefix + topic)]

    def forget(self):
        self.client.messages.clear()

    def care(self):
        return self.api.ok(self.api.get(f"/api/sites/{self.site}/care"))

    def threshold(self, **body):
        return self.api.put(f"/api/sensors/{self.sensor}/threshold", body)


@pytest.fixture(scope="module")
def kitchen(demo):
    kitchen = Kitchen(demo, demo.api(LUCIA))
    with contextlib.closing(kitchen.client):
        yield kitchen


def page_of(kitchen):
    return f"/houses/{kitchen.site}/care"


@pytest.mark.parametrize("size, language, scheme", [
    (PHONE, "en", "light"), (PHONE, "it", "dark"), (DESK, "es", "light"), (DESK, "en", "dark")])
def test_the_air_is_seen_in_every_size_and_language(demo, kitchen, chromium, size, language, scheme):
    kitchen.tell(120)
    with chromium.visitor(demo.url, size, language, scheme).sign_in(demo.account(LUCIA)) as visitor:
        visitor.go(page_of(kitchen))
        expect(visitor.page.locator(".where")).to_contain_text("Casa al mare")
        expect(visitor.page.locator(".air .level")).to_contain_text("120")
        assert visitor.axe() == [] and not visitor.spills()
        visitor.go(page_of(kitchen) + "/off")
        assert visitor.axe() == [] and not visitor.spills()
        assert visitor.complaints == []


def test_gas_and_smoke_come_before_whatever_else_is_measured(demo, chromium):
    with chromium.visitor(demo.url).sign_in(demo.account(LUCIA)) as visitor:
        visitor.go(f"/houses/{demo.site('Casa Ferri')}/care")
        expect(visitor.page.locator(".air h2")).to_have_text(
            [re.compile(name) for name in ("Gas .Kitchen box", "Smoke .Kitchen box", "Device temperature .Back door")])


def test_a_threshold_lowered_under_the_level_closes_the_valve_and_turns_the_fan_and_is_taken_back(demo, kitchen, chromium):
    kitchen.api.ok(kitchen.threshold(level=300, hysteresis=30))
    kitchen.tell(200)
    wait_until(lambda: kitchen.known()["sensors"][0]["value"] == 200, what="the level")
    kitchen.forget()
    with chromium.visitor(demo.url).sign_in(demo.account(LUCIA)) as visitor:
        page = visitor.page
        visitor.go(page_of(kitchen))
        expect(page.locator("threshold-slider input[type=range]")).to_be_visible()
        page.fill(".air input[name=level]", "150")
        page.click(".air details summary")
        page.fill(".air input[name=hysteresis]", "15")
        page.click(".air form button:not([name])")
        expect(page.locator("#changed")).to_contain_text("150")
        wait_until(lambda: kitchen.heard("valve/set") == ["CLOSE"], what="the valve")
        assert int(wait_until(lambda: kitchen.heard("fan/percent"), what="the fan")[-1]) >= 50
        expect(page.locator(".air .notice.no")).to_contain_text("150")
        expect(page.locator(".fan [data-part=arc]")).to_have_attribute("stroke-dasharray", re.compile(r"^[5-9]\d"))
        # The level goes up, and the arc with it, without the page being asked for anew.
        page.evaluate("window.isSame = true")
        arc = page.locator(".fan [data-part=arc]").get_attribute("stroke-dasharray")
        kitchen.tell(100_000)
        expect(page.locator(".fan [data-part=arc]")).not_to_have_attribute("stroke-dasharray", arc)
        assert page.evaluate("window.isSame")
        kitchen.tell(200)
        assert visitor.axe() == []
        page.click("#changed form button")
        expect(page.locator("#changed")).to_contain_text("300")
        wait_until(lambda: kitchen.heard("fan/percent")[-1:] == ["50"], what="the fan's shortest run")
        assert visitor.complaints == []


def test_what_does_not_fit_is_refused_in_words_and_nothing_changes(demo, kitchen, chromium):
    kitchen.api.ok(kitchen.threshold(level=300, hysteresis=30))
    for body in ({"level": 1e300}, {"level": 300, "hysteresis": -1}, {"level": 300, "risePerMinute": 0}, {"level": "many"}, {}):
        assert kitchen.threshold(**body).status_code in (400, 422), body
    for javascript in (False, True):
        with chromium.visitor(demo.url, javascript=javascript).sign_in(demo.account(LUCIA)) as visitor:
            page = visitor.page
            visitor.go(page_of(kitchen))
            page.fill(".air input[name=level]", "many")
            page.click(".air form button:not([name])")
            expect(page.locator(".air .refused")).to_be_visible()
            assert page.input_value(".air input[name=level]") == "many"
            assert not javascript or visitor.axe() == []
    assert [one["level"] for one in kitchen.care()["thresholds"]] == [300]


def test_a_fan_that_began_to_turn_before_the_page_heard_anything_is_drawn_turning(demo, kitchen, chromium):
    """The stream of a busy hub begins after the page was drawn; the page asks then what it missed."""
    fan = kitchen.care()["fans"][0]["fan"]

    def run(percent):
        path = f"/api/sites/{kitchen.site}/care/fans/{fan}/run"
        kitchen.api.ok(kitchen.api.post(path, {"percent": percent, "minutes": 15}))
        wait_until(lambda: str(percent) in kitchen.heard("fan/percent"), what="the fan")
    run(60)
    with chromium.visitor(demo.url).sign_in(demo.account(LUCIA)) as visitor:
        arc = visitor.page.locator(".fan [data-part=arc]")
        with visitor.without_stream() as until_asked:
            visitor.go(page_of(kitchen))
            expect(arc).to_have_attribute("stroke-dasharray", "60 200")
            until_asked()
            run(90)
        expect(arc).to_have_attribute("stroke-dasharray", "90 200")
        assert visitor.complaints == []


def test_a_fan_runs_by_hand_and_then_by_its_rule(demo, kitchen, chromium):
    kitchen.forget()
    with chromium.visitor(demo.url).sign_in(demo.account(LUCIA)) as visitor:
        page = visitor.page
        visitor.go(page_of(kitchen))
        page.select_option(".fan select[name=percent]", "80")
        page.click(".fan form.filter button:not([name])")
        wait_until(lambda: "80" in kitchen.heard("fan/percent"), what="the fan")
        page.click(".fan form.filter button[name=rule]")
        expect(page.locator(".fan button[name=rule]")).to_have_count(0)
        assert visitor.complaints == []
    assert kitchen.care()["fans"][0]["byHandUntil"] is None


def test_it_is_asked_before_thresholds_do_not_count(demo, kitchen, chromium):
    kitchen.api.ok(kitchen.threshold(level=300, hysteresis=30))
    with chromium.visitor(demo.url).sign_in(demo.account(LUCIA)) as visitor:
        page = visitor.page
        visitor.go(page_of(kitchen))
        page.click("#counting a.button")
        page.click("main form button.danger")
        expect(page.locator(".notice.wait").first).to_be_visible()
        kitchen.forget()
        kitchen.tell(900)
        wait_until(lambda: kitchen.known()["sensors"][0]["value"] == 900, what="the level")
        assert kitchen.heard("valve/set") == []
        assert visitor.axe() == []
        page.click(f"form[action$='/on'] button")
        # What was over all the time counts at once.
        wait_until(lambda: kitchen.heard("valve/set") == ["CLOSE"], what="the valve")
        kitchen.tell(10)
        assert visitor.complaints == []
