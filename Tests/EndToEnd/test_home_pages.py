"""Every page of Home in the demo's household: in every size, theme and language, with nothing that axe finds or that hangs over."""

import re

import pytest
from playwright.sync_api import expect

from api import Api
from browser import DESK, PHONE, TABLET
from demo import LUCIA
from house import a_house

# What is no page of its own: a picture.
FILES = ("/houses/{site}/sensors/{sensor}/picture",)


@pytest.fixture(scope="module")
def house(demo):
    with a_house(demo) as house:
        yield house


@pytest.fixture(scope="module")
def addresses(demo, house):
    """An address for each of Home's patterns: in the flat of the demo, and where an alarm has been in a house that had one."""
    lucia, town = demo.api(LUCIA), demo.site("Casa Ferri")
    devices = lucia.ok(lucia.get("/api/devices", params={"site": town}))["items"]
    box = next(one for one in devices if one["name"] == "Kitchen box")
    near, gas = (next(one["id"] for one in box["sensors"] if one["kind"] == kind) for kind in ("distance", "gas"))
    stick = next(one["id"] for one in house.items("gateways", town) if one["kind"] == "device")
    patterns = [
        one for one in Api(demo.url).get("/api/openapi.json").json()["x-pages"]
        if one.startswith("/houses") and one not in FILES]
    found = []
    for pattern in patterns:
        known = {"site": town, "device": box["id"], "gateway": house.box, "sensor": near if "/safety/" in pattern else gas}
        if "{alarm}" in pattern:
            known |= {"site": house.site, "alarm": house.alarm}
        found.append(re.sub(r"\{(\w+)\}", lambda one: known[one[1]], pattern))
    # Houses without what others have look otherwise.
    found += [
        f"/houses/{town}/gateways/{stick}", f"/houses/{house.site}", f"/houses/{house.site}/care",
        f"/houses/{house.site}/safety", f"/houses/{house.site}/alarms", f"/houses/{house.site}/devices",
        f"/houses/{house.site}/devices/{house.device}", f"/houses/{house.site}/gateways/{house.gateway}"]
    return found


@pytest.mark.parametrize("size, language, scheme", [
    (PHONE, "it", "dark"), (PHONE, "en", "light"), (TABLET, "es", "light"), (DESK, "en", "light"), (DESK, "es", "dark")])
def test_every_page_of_home_is_as_it_should_be(demo, addresses, chromium, size, language, scheme):
    assert len(addresses) > 20
    with chromium.visitor(demo.url, size, language, scheme).sign_in(demo.account(LUCIA)) as visitor:
        faults = []
        for address in addresses:
            if visitor.go(address).status != 200:
                faults.append((address, "is not there"))
                continue
            if visitor.page.locator("html").get_attribute("lang") != language:
                faults.append((address, "speaks another language"))
            faults += [(address, one) for one in visitor.axe()]
            if torn := visitor.spills():
                faults.append((address, torn))
        assert faults == []
        assert visitor.complaints == []


@pytest.mark.parametrize("language, link, why", [
    ("en", "1 thing that it describes is not used", "Soglia does not use components of the kind vacuum."),
    ("it", "1 cosa che descrive non è usata", "Soglia non usa componenti del tipo vacuum."),
    ("es", "1 cosa que describe no se usa", "Soglia no usa componentes del tipo vacuum.")])
def test_a_part_of_a_device_that_is_not_used_is_told_with_its_reason_where_somebody_looks_for_it(demo, house, chromium, language, link, why):
    with chromium.visitor(demo.url, PHONE, language).sign_in(demo.account(LUCIA)) as visitor:
        visitor.go(f"/houses/{house.site}/devices")
        visitor.page.get_by_role("link", name=link).press("Enter")
        untaken = visitor.page.locator("#untaken")
        expect(untaken.get_by_role("listitem")).to_have_text(re.compile("Kitchen · kitchen-vacuum.*" + re.escape(why), re.S))
        expect(untaken).to_be_in_viewport()
        assert visitor.axe() == []
        assert visitor.complaints == []
