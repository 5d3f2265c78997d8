"""Houses: found in the list, in a drawing and on a map; shared by role; devices looked at, changed and added by hand."""

import contextlib
import json
import re
import struct
import zlib

import pytest
from playwright.sync_api import expect

import bus
from api import Api
from browser import DESK, PHONE
from demo import MARTA, run, wait_until
from house import component, device

PASSWORD = "a long first password"
MILAN, LAKE = {"latitude": 45.4642, "longitude": 9.19}, {"latitude": 46.0, "longitude": 9.25}
TILES = "https://tiles.example.org/{z}/{x}/{y}.png"


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


# One grey pixel.
PIXEL = (
    b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    + chunk(b"IDAT", zlib.compress(b"\0\x80")) + chunk(b"IEND", b""))


@pytest.fixture(scope="module")
def houses(demo):
    """Two houses of one owner, the second without a place yet; and a guest of the first."""
    marta = demo.api(MARTA)
    own = marta.ok(marta.post("/api/houses", {
        "name": "Casa al mare", "zone": "Europe/Rome", "street": "Via del Porto 3, Lerici", **MILAN}))
    lake = marta.ok(marta.post("/api/houses", {"name": "Casa sul lago", "zone": "Europe/Rome"}))
    for site, permission, name in [(own, "owner", "Hanna House"), (own, "guest", "Gino Guest")]:
        marta.ok(marta.post(f"/api/sites/{site['site']}/people", {
            "name": name, "email": f"{name.split()[0].lower()}@example.com", "password": PASSWORD,
            "permission": permission}))
    marta.share(lake["site"], {
        "name": "Hanna House", "email": "hanna@example.com", "password": PASSWORD, "permission": "owner"})
    return {
        "owner": {"email": "hanna@example.com", "password": PASSWORD},
        "guest": {"email": "gino@example.com", "password": PASSWORD}, "own": own["site"], "lake": lake["site"]}


@pytest.fixture(scope="module")
def owner(demo, houses):
    api = Api(demo.url).sign_in(**houses["owner"])
    yield api
    api.close()


def looks_well(visitor):
    assert visitor.axe() == []
    assert not visitor.spills()
    assert visitor.complaints == []


@pytest.mark.parametrize("size, language, scheme, title", [
    (PHONE, "en", "light", "My houses"), (PHONE, "es", "dark", "Mis casas"), (DESK, "it", "dark", "Le mie case"),
    (DESK, "en", "light", "My houses")])
def test_whoever_has_only_houses_begins_with_all_of_them(demo, houses, chromium, size, language, scheme, title):
    with chromium.visitor(demo.url, size, language, scheme).sign_in(houses["owner"]) as visitor:
        page = visitor.page
        assert page.url.endswith("/houses")
        expect(page.locator("h1")).to_have_text(title)
        expect(page.locator("li.house")).to_have_count(2)
        expect(page.locator(f"#house-{houses['own']}")).to_contain_text("Via del Porto 3")
        looks_well(visitor)


def test_a_guest_of_one_house_goes_straight_in_and_may_only_look(demo, houses, chromium):
    with chromium.visitor(demo.url).sign_in(houses["guest"]) as visitor:
        page = visitor.page
        assert page.url.endswith(f"/houses/{houses['own']}")
        expect(page.locator(".where")).to_contain_text("Casa al mare")
        expect(page.locator("nav.links li")).to_have_count(5)
        expect(page.locator("main")).to_contain_text("connects the first one")
        looks_well(visitor)
        for path in ["settings", "devices/new", "sensors/new"]:
            assert visitor.go(f"/houses/{houses['own']}/{path}").status == 403
        assert visitor.go(f"/houses/{houses['lake']}").status == 404
        visitor.go(f"/houses/{houses['own']}/alarms")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        # What a guest may not do is no link.
        for link in page.locator("main a, .top a").evaluate_all("links => links.map(one => one.href)"):
            assert visitor.go(link.removeprefix(demo.url)).status == 200, link
        visitor.go("/houses")
        expect(page.locator("li.house")).to_have_count(1)


@pytest.mark.parametrize("language", ["en", "it", "es"])
def test_five_links_fit_on_a_telephone(demo, houses, chromium, language):
    with chromium.visitor(demo.url, language=language).sign_in(houses["owner"]) as visitor:
        for path in ("", "/care", "/safety", "/alarms", "/devices"):
            visitor.go(f"/houses/{houses['own']}{path}")
            expect(visitor.page.locator("nav.links li")).to_have_count(5)
            assert not visitor.spills(), path


def test_a_site_that_is_no_home_is_no_house(demo):
    assert demo.api(MARTA).get(f"/api/sites/{demo.site()}/house").status_code == 404


def test_one_s_own_position_is_asked_for_by_a_tap_and_kept_in_the_browser(demo, houses, owner, chromium):
    assert owner.http.patch(f"/api/sites/{houses['lake']}/house", json=LAKE).status_code == 200
    with chromium.visitor(demo.url).sign_in(houses["owner"]) as visitor:
        page = visitor.page
        lake = page.locator(f"#house-{houses['lake']} [data-part=distance]")
        expect(lake).to_have_text("60\u00a0km north of Casa al mare")
        you = page.locator("#you")
        expect(you).to_contain_text("stays in this browser")
        # Not allowed: said in words, and nothing else changes.
        you.locator("[data-part=use]").click()
        expect(you).to_contain_text("did not tell where you are")
        visitor.context.grant_permissions(["geolocation"])
        visitor.context.set_geolocation({"latitude": 45.9, "longitude": 9.25})
        you.locator("[data-part=use]").click()
        expect(you).to_contain_text("You are here.")
        expect(lake).to_have_text("11\u00a0km north of you")
        expect(page.locator(".schematic .me")).to_be_visible()
        looks_well(visitor)
        page.reload()
        expect(lake).to_have_text("11\u00a0km north of you")
        page.click("text=Forget my position")
        expect(lake).to_have_text("60\u00a0km north of Casa al mare")
        assert page.evaluate("() => localStorage.getItem('soglia-here')") is None


@pytest.mark.parametrize("javascript", [True, False])
def test_next_walks_through_the_houses_by_keyboard_with_and_without_script(demo, houses, chromium, javascript):
    with chromium.visitor(demo.url, javascript=javascript).sign_in(houses["owner"]) as visitor:
        page = visitor.page
        visitor.go("/houses")
        walk = page.locator("[data-part=next]")
        first = page.locator("li.house").first
        name = first.locator("h3").inner_text()
        expect(walk).to_have_text(f"Next: {name}")
        for house in range(2):
            walk.focus()
            page.keyboard.press("Enter")
            # Without script it is another page.
            expect(page.locator("li.house").nth(house)).to_have_attribute("aria-current", "true")
        expect(walk).to_have_text(f"Next: {name}")


def test_open_in_maps_leads_to_three_places(demo, houses, chromium):
    with chromium.visitor(demo.url).sign_in(houses["owner"]) as visitor:
        card = visitor.page.locator(f"#house-{houses['own']}")
        card.locator("summary").click()
        links = card.locator(".ways a")
        expect(links).to_have_count(3)
        addresses = links.evaluate_all("all => all.map(one => one.getAttribute('href'))")
        assert addresses == [
            "geo:45.464200,9.190000", "https://maps.apple.com/?daddr=45.464200,9.190000",
            "https://www.google.com/maps/dir/?api=1&destination=45.464200,9.190000"]
        looks_well(visitor)


GAS = device("Hut", component("sensor", "Gas", state_topic="~/gas", unit_of_measurement="ppm", state_class="measurement"))


def test_gas_before_the_page_of_all_houses_had_its_stream_is_on_its_pin(demo, chromium):
    marta = demo.api(MARTA)
    site = marta.ok(marta.post("/api/houses", {"name": "Baita", "zone": "Europe/Rome", **LAKE}))["site"]
    gateway = marta.ok(marta.post(f"/api/sites/{site}/gateways", {"kind": "device", "name": "Hut"}))["id"]
    known = marta.ok(marta.post(f"/api/sites/{site}/gateways/{gateway}/credentials", {}))

    def state():
        return marta.ok(marta.get(f"/api/sites/{site}/house"))
    with (
            contextlib.closing(bus.Client(demo, known["username"], known["password"])) as hut,
            chromium.visitor(demo.url).sign_in(demo.account(MARTA)) as other,
            chromium.visitor(demo.url).sign_in(demo.account(MARTA)) as visitor):
        hut.publish(known["prefix"] + "homeassistant/device/hut/config", json.dumps(GAS), retain=True)
        sensor = wait_until(lambda: state()["sensors"], what="the sensor")[0]["id"]
        marta.ok(marta.put(f"/api/sensors/{sensor}/threshold", {"level": 300}))
        pin, others = (one.page.locator(f".schematic [data-pin='{site}']") for one in (visitor, other))
        red = re.compile(r"\bno\b")
        other.go("/houses")
        with visitor.without_stream() as until_asked:
            visitor.go("/houses")
            until_asked()
            hut.publish(known["prefix"] + "hut/gas", "900")
            # Then the stream of others has brought it, and this page's own brings it no more.
            expect(others).to_have_class(red)
            expect(pin).not_to_have_class(red)
        expect(pin).to_have_class(red)
        assert visitor.complaints == []


def test_a_map_comes_from_the_server_that_the_administrator_named_and_from_no_other(demo, houses, owner, chromium):
    assert owner.http.patch(f"/api/sites/{houses['lake']}/house", json=LAKE).status_code == 200
    done = run("admin", "map", "--data", demo.data, "--tiles", TILES, "--credit", "© <b>somebody</b>")
    assert done.returncode == 0, done.stderr
    try:
        with chromium.visitor(demo.url, DESK) as visitor:
            asked = []

            def answer(route):
                asked.append(route.request.url)
                route.fulfill(status=200, content_type="image/png", body=PIXEL)
            visitor.context.route("https://tiles.example.org/**", answer)
            visitor.sign_in(houses["owner"])
            page = visitor.page
            visitor.go("/houses")
            expect(page.locator(".leaflet-tile-loaded").first).to_be_visible()
            expect(page.locator(".map-pin")).to_have_count(2)
            expect(page.locator(".schematic")).to_be_hidden()
            expect(page.locator(".leaflet-control-attribution")).to_have_text("© <b>somebody</b>")
            assert asked and all(re.fullmatch(r"https://tiles\.example\.org/\d+/\d+/\d+\.png", one) for one in asked)
            looks_well(visitor)
            # By keyboard, from pin to pin.
            page.locator(".map-pin").first.focus()
            page.keyboard.press("Enter")
            expect(page.locator("li.house[aria-current]")).to_have_count(1)
            # A tap on the map says where a house is.
            visitor.go(f"/houses/{houses['own']}/settings")
            field = page.locator("[name=latitude]")
            before = field.input_value()
            page.locator(".map.small").scroll_into_view_if_needed()
            page.locator(".map.small").click(position={"x": 150, "y": 150})
            expect(field).not_to_have_value(before)
            looks_well(visitor)
        with chromium.visitor(demo.url, DESK) as visitor:
            visitor.context.route("https://tiles.example.org/**", lambda route: route.abort())
            visitor.sign_in(houses["owner"])
            visitor.go("/houses")
            expect(visitor.page.locator("[data-part=map-away]")).to_be_visible()
            expect(visitor.page.locator(".schematic")).to_be_visible()
            expect(visitor.page.locator("[data-part=map]")).to_be_hidden()
    finally:
        assert run("admin", "map", "--data", demo.data, "--off").returncode == 0
    assert run("admin", "map", "--data", demo.data, "--tiles", "http://x/{z}/{x}/{y}", "--credit", "x").returncode != 0


@pytest.mark.parametrize("latitude, longitude, why", [
    ("90.1", "9", "A latitude lies between"), ("45", "181", "A longitude lies between"), ("45", "", "write both"),
    ("north", "9", "as a number")])
def test_coordinates_outside_the_earth_are_refused_in_words(demo, houses, chromium, latitude, longitude, why):
    with chromium.visitor(demo.url).sign_in(houses["owner"]) as visitor:
        page = visitor.page
        visitor.go(f"/houses/{houses['own']}/settings")
        page.fill("[name=latitude]", latitude)
        page.fill("[name=longitude]", longitude)
        page.click("text=Save")
        expect(page.locator(".refused")).to_contain_text(why)
        expect(page.locator("[name=latitude]")).to_have_value(latitude)
        looks_well(visitor)


def test_programs_cannot_leave_the_earth_either(owner, houses):
    for body in [{"latitude": 91, "longitude": 0}, {"latitude": 0, "longitude": -180.5}, {"latitude": 1e300, "longitude": 0}]:
        answer = owner.http.patch(f"/api/sites/{houses['own']}/house", json=body)
        assert answer.status_code == 422, answer.text
    known = owner.ok(owner.get("/api/houses"))["items"]
    assert next(one for one in known if one["site"] == houses["own"])["latitude"] == MILAN["latitude"]


def test_a_house_is_added_named_and_shared_and_access_ends(demo, houses, chromium):
    with chromium.visitor(demo.url, language="it").sign_in(houses["owner"]) as visitor:
        page = visitor.page
        visitor.go("/houses/new")
        looks_well(visitor)
        page.fill("[name=name]", "Baita")
        page.fill("[name=street]", "Località Alpe 1")
        page.fill("[name=latitude]", "45,9 8,1")
        page.click("main button[type=submit]")
        page.wait_for_url(re.compile("/houses/[0-9a-f]{32}$"))
        expect(page.locator(".where")).to_contain_text("Baita")
        expect(page.locator("main")).to_contain_text("Collega il primo dispositivo")
        looks_well(visitor)
        page.click("text=Impostazioni")
        looks_well(visitor)
        page.click("text=Condividi questa casa")
        page.fill("[name=email]", "zita@example.com")
        page.fill("[name=person_name]", "Zita Zenti")
        page.select_option("[name=permission]", "member")
        page.click("#people details button[type=submit]")
        expect(page.locator("#people")).to_contain_text("Zita Zenti")
        expect(page.locator("#people .notice")).to_have_text("La casa è condivisa.")
        looks_well(visitor)
        page.click("text=Invito non ancora accettato…")
        expect(page.locator("main")).to_contain_text("Zita Zenti non ha ancora fatto il primo accesso.")
        looks_well(visitor)
        page.go_back()
        page.click("text=Togli l’accesso")
        expect(page.locator("#people .notice")).to_contain_text("Il suo accesso è finito. I codici e i tag che conosce")
        expect(page.locator("#people")).not_to_contain_text("Zita Zenti")


def test_what_is_added_by_hand_is_heard_shown_live_and_changed(demo, houses, owner, chromium):
    site = houses["own"]
    owner.ok(owner.post(f"/api/sites/{site}/gateways", {"name": "Kitchen", "kind": "device"}))
    with chromium.visitor(demo.url).sign_in(houses["owner"]) as visitor:
        page = visitor.page
        visitor.go(f"/houses/{site}/devices")
        looks_well(visitor)
        page.click("text=Add a sensor by hand")
        looks_well(visitor)
        page.fill("[name=name]", "Gas in the kitchen")
        page.select_option("[name=kind]", "gas")
        page.fill("[name=topic]", "kitchen/#")
        page.fill("[name=low]", "0")
        page.fill("[name=high]", "1023")
        page.click("main form button[type=submit]")
        expect(page.locator(".refused")).to_contain_text("without + and #")
        looks_well(visitor)
        page.fill("[name=topic]", "kitchen/gas/state")
        page.click("main form button[type=submit]")
        page.wait_for_url(re.compile("/devices/[0-9a-f]{32}$"))
        expect(page.locator("main")).to_contain_text("How to read it")
        looks_well(visitor)
        visitor.go(f"/houses/{site}/actuators/new")
        looks_well(visitor)
        page.fill("[name=name]", "Siren")
        page.select_option("[name=kind]", "siren")
        page.fill("[name=topic]", "siren/set")
        page.click("main form button[type=submit]")
        page.wait_for_url(re.compile("/devices/[0-9a-f]{32}$"))
        siren = page.locator("section", has_text="Siren").last
        siren.get_by_role("button", name="On", exact=True).click()
        # The page had a notice of its own before.
        expect(page.locator("main .notice.go")).to_have_text("Command sent. Waiting for the device to confirm.")
        # Called otherwise.
        page.locator("summary", has_text="Change Gas in the kitchen").click()
        page.locator("details[open] [name=name]").fill("Cooker")
        page.locator("details[open] button", has_text="Save").click()
        expect(page.locator("h2", has_text="Cooker")).to_be_visible()
        looks_well(visitor)
    devices = owner.ok(owner.get(f"/api/sites/{site}/devices"))["items"]
    sensor = devices[0]["sensors"][0]
    assert (sensor["name"], sensor["kind"], sensor["low"], sensor["high"]) == ("Cooker", "gas", 0, 1023)
    answer = owner.http.patch(f"/api/sites/{site}/sensors/{sensor['id']}", json={"low": 5, "high": 1})
    assert answer.status_code == 422 and answer.json()["field"] == "low"
