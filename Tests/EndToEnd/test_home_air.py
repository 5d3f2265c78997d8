"""Alarms of the air as people read them: smoke, gas and carbon monoxide, in three languages, on a telephone and on a desk."""

import json

import pytest
from playwright.sync_api import expect

from browser import DESK, PHONE
from demo import LUCIA, wait_until
from house import a_house, component, device

HALL = device(
    "Hall",
    component("binary_sensor", "Hall smoke", device_class="smoke", state_topic="~/smoke"),
    component("binary_sensor", "Hall gas", device_class="gas", state_topic="~/gas"),
    component(
        "sensor", "Hall CO", device_class="carbon_monoxide", state_topic="~/co", unit_of_measurement="ppm",
        state_class="measurement"),
    component("sensor", "Hall meter", device_class="gas", state_topic="~/meter", unit_of_measurement="m³", state_class="total_increasing"),
    component("binary_sensor", "Attic smoke", device_class="smoke", state_topic="~/attic", value_template="{{ now() }}"))

# The first thing to do, and what each alarm is.
FIRST = {
    "smoke": {"en": "Get everyone out of the house.", "it": "Fai uscire tutti di casa.", "es": "Saca a todos de la casa."},
    "gas": {
        "en": "Do not use flames, switches or plugs.", "it": "Non usare fiamme, interruttori o spine.",
        "es": "No uses llamas, interruptores ni enchufes."},
    "co": {
        "en": "Go outside into the fresh air now. You cannot smell this gas.",
        "it": "Esci subito all’aria aperta. Questo gas non ha odore.", "es": "Sal ya al aire libre. Este gas no huele."}}
TITLE = {
    "smoke": {"en": "Smoke: Hall", "it": "Fumo: Hall", "es": "Humo: Hall"},
    "gas": {"en": "Gas in the air: Hall", "it": "Gas nell’aria: Hall", "es": "Gas en el aire: Hall"},
    "co": {
        "en": "Carbon monoxide: Hall, 180", "it": "Monossido di carbonio: Hall, 180", "es": "Monóxido de carbono: Hall, 180"}}
# A definition list that falls apart has one letter a line.
TORN = """() => [...document.querySelectorAll('dl.pairs dd')].filter(one => one.textContent.trim().length > 3
    && one.getBoundingClientRect().width < 60).map(one => one.textContent.trim())"""


@pytest.fixture(scope="module")
def house(demo):
    with a_house(demo) as house:
        house.client.publish(f"{house.prefix}homeassistant/device/hall/config", json.dumps(HALL), retain=True)

        def sensors():
            found = house.api.ok(house.api.get("/api/devices", params={"site": house.site}))["items"]
            return {one["name"]: one for device in found for one in device["sensors"]}

        wait_until(lambda: "Hall meter" in sensors(), what="the detectors")
        house.sensors = sensors()
        yield house


@pytest.fixture(scope="module")
def alarms(house):
    """Smoke, gas and carbon monoxide at once; which alarm is whose."""
    level = house.sensors["Hall CO"]["id"]
    # At once, where people chose a level; by level and time it takes minutes.
    house.api.ok(house.api.put(f"/api/sensors/{level}/threshold", {"level": 100}))
    for topic, payload in (("smoke", "ON"), ("gas", "ON"), ("co", "180")):
        house.client.publish(f"{house.prefix}hall/{topic}", payload)

    def standing():
        found = {one["sensor"]: one["id"] for one in house.items("alarms") if one["ended"] is None and one["kind"] == "environmental"}
        names = {"smoke": "Hall smoke", "gas": "Hall gas", "co": "Hall CO"}
        return all(house.sensors[name]["id"] in found for name in names.values()) and {
            what: found[house.sensors[name]["id"]] for what, name in names.items()}

    return wait_until(standing, what="three alarms")


def test_what_devices_say_is_taken_for_what_it_is(house):
    kinds = {name: (one["kind"], one["unit"]) for name, one in house.sensors.items()}
    assert kinds["Hall smoke"][0] == "smoke" and kinds["Hall gas"][0] == "gasAlarm"
    assert kinds["Hall CO"] == ("carbonMonoxideLevel", "ppm") and kinds["Hall meter"] == ("number", "m³")
    assert "Attic smoke" not in kinds


def test_a_detector_that_cannot_be_read_is_told(house):
    def told():
        return [
            one for one in house.api.ok(house.api.get("/api/notices"))["items"] if "Detector not in use: Attic smoke" in one["title"]]

    wait_until(told, what="the detector that is not taken")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("language, scheme", [("en", "light"), ("it", "dark"), ("es", "light")])
def test_an_alarm_of_the_air_says_first_what_to_do_and_holds_together(demo, house, alarms, chromium, language, scheme, size):
    with chromium.visitor(demo.url, size, language, scheme).sign_in(demo.account(LUCIA)) as visitor:
        page = visitor.page
        for what, alarm in alarms.items():
            visitor.go(f"/houses/{house.site}/alarms/{alarm}")
            expect(page.locator("h1")).to_contain_text(TITLE[what][language])
            expect(page.locator("ol.steps li").first).to_have_text(FIRST[what][language])
            expect(page.locator("a.button.large")).to_have_attribute("href", "tel:112")
            assert page.evaluate(TORN) == []
            assert visitor.axe() == [] and not visitor.spills()
        # Three that threaten life are first, and the fault is below them; each leads to its own page.
        visitor.go(f"/houses/{house.site}")
        cards = page.locator("#standing section")
        assert "alarm" in cards.first.get_attribute("class") and "fault" in cards.last.get_attribute("class")
        paths = [one.get_attribute("href") for one in page.locator("#standing section.alarm a.button").all()]
        assert {f"/houses/{house.site}/alarms/{alarm}" for alarm in alarms.values()} <= set(paths)
        assert visitor.axe() == [] and not visitor.spills()
        visitor.go(f"/houses/{house.site}/care")
        expect(page.locator("[data-part=exposure]")).to_contain_text("EN 50291")
        assert visitor.axe() == [] and not visitor.spills()
        assert visitor.complaints == []
