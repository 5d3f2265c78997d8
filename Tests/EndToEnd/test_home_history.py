"""What a sensor told: the chart of the day before, years and hours of it, the threshold as it was, alarms; the table, the file, the mark."""

import contextlib
import csv
import datetime
import io
import json
import re
import secrets
import sqlite3
import time
import zoneinfo

import pytest
from playwright.sync_api import expect

from api import Api
from browser import DESK, PHONE
from hub import OLGA, PASSWORD, Hub

DAY = 86_400_000
HOME = {"email": OLGA, "password": PASSWORD}


def tell(path, site):
    """Two sensors in the tables of a hub that does not run: gas with a year of history, a door with none."""
    gateway, device, gas, door, alarm = (secrets.token_bytes(16) for _ in range(5))
    now = int(time.time() * 1000)
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        run = database.execute
        run("INSERT INTO home_gateways (id, site, kind, name) VALUES (?, ?, 'device', 'Kitchen')", (gateway, site))
        run("INSERT INTO home_devices (id, site, gateway, key, name, maker, model, area, origin) "
            "VALUES (?, ?, ?, 'kitchen', 'Kitchen', '', '', '', 'added')", (device, site, gateway))
        binding = {"topic": "x/state", "path": [], "availability": [], "availabilityMode": "latest"}
        for number, (sensor, name, kind, unit) in enumerate(((gas, "Gas", "gas", "ppm"), (door, "Door", "contact", "")), 1):
            run("INSERT INTO home_sensors (number, id, device, key, name, kind, unit, period, binding) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (number, sensor, device, name.lower(), name, kind, unit, 10 if unit else None, json.dumps(binding)))
        values = [(now - 60_000 * minute, 212.0 + minute % 60 + (300 if minute == 1_000 else 0)) for minute in range(3 * 1_440)]
        run_many = database.executemany
        run_many("INSERT INTO home_samples (sensor, at, value) VALUES (1, ?, ?)", values)
        values += [(now - day * DAY, 200.0 + day % 50) for day in range(4, 400)]
        for table, width in (("home_r5m", 300_000), ("home_r1h", 3_600_000), ("home_r1d", DAY)):
            folds = {}
            for at, value in values:
                folds.setdefault(at // width * width, []).append((at, value))
            run_many(f"INSERT INTO {table} (sensor, start, n, low, high, sum, last, last_at) VALUES (1, ?, ?, ?, ?, ?, ?, ?)", [
                (start, len(told), min(value for _, value in told), max(value for _, value in told), sum(value for _, value in told),
                 max(told)[1], max(told)[0]) for start, told in folds.items()])
        for days, level in ((30, 400.0), (2, 350.0)):
            run("INSERT INTO home_thresholds (sensor, since, level, hysteresis) VALUES (?, ?, ?, 35)", (gas, now - days * DAY, level))
        run("INSERT INTO home_alarms (id, site, kind, sensor, en, it, es, value, drill, at, ended) "
            "VALUES (?, ?, 'environmental', ?, 'gas', 'gas', 'gas', 512, 0, ?, ?)",
            (alarm, site, gas, now - 1_000 * 60_000, now - 990 * 60_000))
    return {"gas": gas.hex(), "door": door.hex(), "now": now}


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    folder = tmp_path_factory.mktemp("history")
    with Hub(folder) as hub:
        hub.first_run()
        api = hub.program()
        site = api.ok(api.post("/api/sites", {"name": "Casa al mare", "kind": "home", "zone": "Europe/Rome"}))["id"]
        api.close()
    sensors = tell(folder / "d" / "soglia.sqlite", bytes.fromhex(site))
    with Hub(folder, name="again") as hub:
        yield {"hub": hub, "site": site, **sensors}


def hours_of_the_day_before(now):
    zone = zoneinfo.ZoneInfo("Europe/Rome")
    today = datetime.datetime.fromtimestamp(now / 1000, zone).date()
    begins = [datetime.datetime.combine(today - datetime.timedelta(days=days), datetime.time(), zone).timestamp() for days in (1, 0)]
    return round((begins[1] - begins[0]) / 3_600)


def path(house, sensor="gas", query=""):
    return f"/houses/{house['site']}/sensors/{house[sensor]}{query}"


@pytest.mark.parametrize("size, language, scheme", [
    (PHONE, "en", "light"), (PHONE, "it", "dark"), (DESK, "es", "light"), (DESK, "en", "dark")])
def test_the_chart_opens_on_the_day_before_and_zooms_from_an_hour_to_all(house, chromium, size, language, scheme):
    with chromium.visitor(house["hub"].url, size, language, scheme).sign_in(HOME) as visitor:
        page = visitor.page
        visitor.go(path(house))
        expect(page.locator(".where")).to_contain_text("Casa al mare")
        expect(page.locator("svg.chart .line").first).to_be_attached()
        assert visitor.axe() == [] and not visitor.spills()
        title = page.locator("#chart-title").text_content()
        for span in range(6):
            page.locator(".chart-plate .tabs a").nth(span).click()
            expect(page.locator(".chart-plate .tabs a").nth(span)).to_have_attribute("aria-current", "page")
            assert not visitor.spills()
            assert visitor.axe() == []
        assert page.locator("#chart-title").text_content() != title
        visitor.go(path(house, query="?span=day&style=bars"))
        expect(page.locator("svg.chart .bar").first).to_be_attached()
        assert visitor.axe() == []
        visitor.go(path(house, "door"))
        expect(page.locator(".empty h2")).to_be_visible()
        assert visitor.axe() == []
        visitor.go(f"/houses/{house['site']}/history")
        expect(page.locator(".cards .card")).to_have_count(2)
        assert visitor.axe() == [] and not visitor.spills()
        assert visitor.complaints == []


def test_a_chart_is_read_by_touch_and_by_keys_and_turned_without_loading_the_page_anew(house, chromium):
    with chromium.visitor(house["hub"].url).sign_in(HOME) as visitor:
        page = visitor.page
        visitor.go(path(house))
        page.evaluate("window.isSame = true")
        readout = page.locator("[data-part=readout]")
        told = readout.text_content()
        box = page.locator("[data-part=field]").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(readout).to_have_text(re.compile(r"^\d\d:\d\d · .*ppm"))
        page.mouse.move(5, 5)
        page.locator("[data-part=field]").focus()
        page.keyboard.press("Escape")
        expect(readout).to_have_text(told)
        page.keyboard.press("Home")
        expect(readout).to_have_text(re.compile(r"^00:0"))
        title = page.locator("#chart-title").text_content()
        page.click(".chart-step.earlier")
        expect(page.locator("#chart-title")).not_to_have_text(title)
        assert "at=" in page.url
        page.go_back()
        expect(page.locator("#chart-title")).to_have_text(title)
        assert page.evaluate("window.isSame")
        assert visitor.complaints == []


def test_without_script_the_page_is_whole(house, chromium):
    with chromium.visitor(house["hub"].url, javascript=False).sign_in(HOME) as visitor:
        page = visitor.page
        visitor.go(path(house))
        expect(page.locator("svg.chart .line").first).to_be_attached()
        page.click(".chart-plate summary")
        # A day on which the clock changes has 23 or 25 hours.
        expect(page.locator(".chart-table tbody tr")).to_have_count(hours_of_the_day_before(house["now"]))
        page.locator(".chart-plate .tabs a").nth(4).click()
        expect(page.locator(".chart-plate .tabs a").nth(4)).to_have_attribute("aria-current", "page")
        page.fill("#day", "2020-02-29")
        page.click(".filter button")
        expect(page.locator("#chart-title")).to_contain_text("29 February 2020")
        expect(page.locator(".chart-none")).to_be_visible()


def test_a_chart_begins_anew_for_whoever_asks_and_nothing_is_gone(house, chromium):
    with chromium.visitor(house["hub"].url).sign_in(HOME) as visitor:
        page = visitor.page
        visitor.go(path(house))
        page.click("button[value=now]")
        expect(page.locator("button[value=first]")).to_be_visible()
        expect(page.locator("svg.chart .line")).to_have_count(0)
        page.click("button[value=first]")
        expect(page.locator("svg.chart .line").first).to_be_attached()
        assert visitor.complaints == []


def test_programs_get_stretches_and_files(house):
    api = house["hub"].program()
    sensor = f"/api/sensors/{house['gas']}"
    items = api.ok(api.get(f"{sensor}/readings"))["items"]
    assert 280 < len(items) <= 289
    assert {"from", "count", "min", "max", "mean", "last"} == set(items[0])
    assert max(one["max"] for one in items) > 500, "a peak stays"
    year = api.ok(api.get(f"{sensor}/readings?from=2020-01-01T00:00:00Z&buckets=400"))["items"]
    assert sum(one["count"] for one in year) == 3 * 1_440 + 396
    for query in ("from=yesterday", "buckets=0", "buckets=401", "from=2030-01-01T00:00:00Z", "to=2500-01-01T00:00:00Z"):
        assert api.get(f"{sensor}/readings?{query}").status_code == 422, query
    chart = api.ok(api.get(f"{sensor}/chart?span=week"))
    assert [step["level"] for step in chart["thresholds"]][-1] == 350
    # The one of the tables; that nothing has come from the sensor since is another one, and goes on.
    # In the month in which it was, which on the first day of one is the month before.
    at = datetime.datetime.fromtimestamp(house["now"] / 1000 - 1_000 * 60, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    alarms = api.ok(api.get(f"{sensor}/chart?span=month&at={at}"))["alarms"]
    assert [one["ended"] is not None for one in alarms] in ([True], [True, False])
    file = api.get(f"{sensor}/readings.csv?language=it")
    assert file.headers["content-type"].startswith("text/csv")
    rows = list(csv.reader(io.StringIO(file.text.removeprefix("\ufeff")), delimiter=";"))
    assert rows[0] == ["Ora (Europe/Rome)", "Ora (UTC)", "Gas, Kitchen (ppm)"] and len(rows) > 1_400
    other = Api(house["hub"].url)
    assert other.get(f"{sensor}/readings").status_code == 401
    assert api.get(f"/api/sensors/{'0' * 32}/readings").status_code == 404


def test_a_house_says_how_long_it_keeps_what(house, chromium):
    with chromium.visitor(house["hub"].url).sign_in(HOME) as visitor:
        page = visitor.page
        visitor.go(f"/houses/{house['site']}/history")
        page.select_option("#raw", "90")
        page.click(".plate.narrow button[type=submit]")
        expect(page.locator(".notice.go")).to_be_visible()
        expect(page.locator("#raw")).to_have_value("90")
        assert visitor.axe() == []
    api = house["hub"].program()
    assert api.ok(api.get(f"/api/sites/{house['site']}/readings/retention"))["raw"] == 90
    refused = api.put(f"/api/sites/{house['site']}/readings/retention", {"raw": 365, "fiveMinutes": 90, "hours": 0})
    assert refused.status_code == 422
    # Last of all, since it is gone then.
    assert api.http.delete(f"/api/sensors/{house['door']}/readings").status_code == 204
