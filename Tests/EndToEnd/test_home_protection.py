"""Every route that changes something of a house, as a member, an installer and an owner whose proof is old, while it is armed and not:
afterwards it is protected as before, or what disarming takes was asked for."""

import contextlib
import hashlib
import re
import sqlite3

import pytest

from api import Api
from demo import LUCIA, wait_until
from house import OF_A_HOUSE, a_house
from patience import PATIENCE

UNSAFE = ("post", "put", "patch", "delete")
FIRST_PASSWORD = "a long first password"
DELAYS = {"home": 0, "away": 0, "night": 0, "vacation": 0}
RULES = {"exitDelay": DELAYS, "entryDelay": DELAYS, "alarmTime": 30, "disarmsAfterAlarm": True, "asksCode": False}
# What each route would be sent by somebody who wants to lower the protection. A route that is not named is sent {}.
BODIES = {
    "post /api/sites/{site}/alarm-panel/arm": {"mode": "home"},
    "put /api/sites/{site}/alarm-rules": RULES,
    "put /api/sites/{site}/alarm-sensors/{sensor}": {"class": None, "distance": 5, "tripsWhenSilent": False},
    "post /api/sites/{site}/alarm-codes": {"name": "Mine", "code": "518204"},
    "put /api/sensors/{id}/threshold": {"level": 900, "hysteresis": 90},
    "put /api/sites/{site}/care": {"enabled": False},
    "put /api/sites/{site}/alarm-call": {"minutesBetween": None, "first": [], "emergency": "112", "contacts": [], "test": None},
    "patch /api/sites/{site}/devices/{device}": {"inUse": False},
    "patch /api/sites/{site}/sensors/{sensor}": {"inUse": False},
    "patch /api/sites/{site}/actuators/{actuator}": {"inUse": False},
    "post /api/sites/{site}/people": {
        "name": "Mallory", "email": "mallory@example.com", "password": FIRST_PASSWORD, "permission": "member"},
    "put /api/sites/{site}/people/{membership}": {"permission": "manager", "role": None, "firstDay": None, "lastDay": None},
}
CHOSEN = ("sensor", "level", "hysteresis", "risePerMinute", "fan", "most", "shortestRun")
# They end noise or an alarm, and leave the house armed as it is; or they are not about protection at all.
ENDS_NOISE = re.compile("/(silence|take|end)$")


def stale(demo, api):
    """Their session's proof is an hour old."""
    with contextlib.closing(sqlite3.connect(demo.data / "soglia.sqlite", timeout=PATIENCE)) as database, database:
        changed = database.execute(
            "UPDATE sessions SET proven = proven - 3600000 WHERE hash = ?", (hashlib.sha256(api.token.encode()).digest(),)).rowcount
    assert changed == 1
    return api


@pytest.fixture(scope="module")
def house(demo):
    with a_house(demo) as house:
        for name, permission in (("Gino Guest", "guest"), ("Mara Membro", "member"), ("Ivo Impianti", "installer")):
            row = house.api.ok(house.api.post(f"/api/sites/{house.site}/people", {
                "name": name, "email": f"{permission}@example.com", "password": FIRST_PASSWORD, "permission": permission}))
            if permission == "guest":
                house.membership = row["membership"]
        back_door = next(
            sensor["id"] for device in house.devices() for sensor in device["sensors"] if sensor["name"] == "Back door")
        house.api.ok(house.api.put(f"/api/sites/{house.site}/alarm-sensors/{back_door}", {
            "class": "door", "distance": 100, "tripsWhenSilent": False}))
        house.client.publish(f"{house.prefix}kitchen/door", "OFF")
        house.back_door = back_door
        # The house is as it stays: the hub has given its second measured gas a level of its own.
        wait_until(
            lambda: len(house.api.ok(house.api.get(f"/api/sites/{house.site}/care"))["thresholds"]) == 2,
            what="the level of every sensor")
        house.api.ok(house.api.put(f"/api/sites/{house.site}/alarm-rules", RULES | {"asksCode": True, "disarmsAfterAlarm": False}))
        yield house


@pytest.fixture(scope="module")
def unsafe(demo):
    paths = Api(demo.url).get("/api/openapi.json").json()["paths"]
    found = [
        (method, path) for path, operations in paths.items() for method in UNSAFE if method in operations
        and (OF_A_HOUSE.match(path) or path.startswith("/api/sites/{site}/people"))]
    assert len(found) > 25
    return sorted(found)


def protection(house):
    """All that keeps somebody out of the house, or a person alive in it."""
    api, site = house.api, house.site
    panel = api.ok(api.get(f"/api/sites/{site}/alarm-panel"))
    state = {name: panel[name] for name in ("state", "mode", "bypassed", "isDegraded")}
    for what in ("alarm-rules", "alarm-sensors", "alarm-codes", "alarm-call"):
        state[what] = api.ok(api.get(f"/api/sites/{site}/{what}"))
    # What was chosen, not what is measured or running at the moment.
    care = api.ok(api.get(f"/api/sites/{site}/care"))
    state["care"] = care["enabled"], [
        {name: one[name] for name in CHOSEN if name in one} for one in care["thresholds"] + care["fans"]]
    state["people"] = sorted(
        (row["email"], row["permission"]) for row in api.ok(api.get(f"/api/sites/{site}/people"))["items"])
    state["devices"] = [
        (device["name"], device["inUse"], [(sensor["name"], sensor["inUse"], sensor["class"]) for sensor in device["sensors"]])
        for device in api.ok(api.get(f"/api/sites/{site}/devices"))["items"]]
    state["connections"] = sorted(
        (gateway["name"], gateway["username"]) for gateway in api.ok(api.get(f"/api/sites/{site}/gateways"))["items"])
    return state


@pytest.mark.parametrize("who", ("member", "installer", "owner"))
@pytest.mark.parametrize("is_armed", (True, False))
def test_no_route_lowers_the_protection_without_the_proof_that_disarming_needs(demo, house, unsafe, who, is_armed):
    caller = (
        Api(demo.url).sign_in(LUCIA, demo.password(LUCIA)) if who == "owner" else Api(demo.url).sign_in(f"{who}@example.com", FIRST_PASSWORD))
    stale(demo, caller)
    house.api.ok(house.api.post(f"/api/sites/{house.site}/alarm-panel/disarm", {"code": None}))
    if is_armed:
        house.api.ok(house.api.post(f"/api/sites/{house.site}/alarm-panel/arm", {"mode": "away"}))
        wait_until(lambda: protection(house)["state"] == "armed_away", what="the house, armed")
    before, lowered = protection(house), []
    for method, path in unsafe:
        if ENDS_NOISE.search(path) or path == "/api/houses" or "/boxes/" in path or "/alarm-tags" in path:
            continue
        if not is_armed and "alarm-panel" in path:
            continue
        known = house.known(method, path) | {
            "sensor": house.back_door, "device": house.device, "membership": house.membership}
        url = re.sub(r"\{(\w+)\}", lambda found: str(known.get(found[1], "0" * 32)), path)
        body = BODIES.get(f"{method} {path}", {})
        answer = caller.http.request(method.upper(), url, json=body)
        assert f"{method} {path}" not in BODIES or answer.status_code != 422, f"{path}: {answer.text}"
        after = protection(house)
        changed = [name for name in before if before[name] != after[name]]
        if changed and is_allowed(who, is_armed, changed):
            before = after
        elif changed:
            lowered.append((method, path, answer.status_code, {name: (before[name], after[name]) for name in changed}))
            before = after
    assert lowered == []
    caller.close()


def is_allowed(who, is_armed, changed):
    """What is theirs to change while nothing depends on it: levels, meanings, devices and connections of a house that is not armed."""
    return not is_armed and set(changed) <= {"care", "alarm-sensors", "devices", "connections"}


def test_an_old_proof_takes_nobody_out_of_a_house_and_moves_its_clock_nowhere(demo, house):
    caller = stale(demo, Api(demo.url).sign_in(LUCIA, demo.password(LUCIA)))
    browser = Api(demo.url, browser=True).sign_in(LUCIA, demo.password(LUCIA))
    with contextlib.closing(sqlite3.connect(demo.data / "soglia.sqlite", timeout=PATIENCE)) as database, database:
        database.execute("UPDATE sessions SET proven = proven - 3600000 WHERE is_program = 0")
    before = protection(house)
    for body in ({"zone": "Pacific/Kiritimati"}, {"name": "Another name", "zone": "Pacific/Kiritimati"}):
        for path in (f"/api/sites/{house.site}", f"/api/sites/{house.site}/house"):
            answer = caller.http.patch(path, json=body)
            assert answer.status_code == 403 and answer.json()["type"] == "/problems/fresh-proof-needed", answer.text
    answer = browser.http.post(f"/houses/{house.site}/people/end", data={"membership": house.membership})
    assert "prove" in answer.headers.get("location", "") or answer.status_code == 403, answer.text[:200]
    # Where help is sent, and by which name.
    for path, body in ((f"/api/sites/{house.site}/house", {"street": "Via Altrove 9"}),
                       (f"/api/sites/{house.site}/house", {"latitude": 10.0, "longitude": 20.0}),
                       (f"/api/sites/{house.site}/house", {"name": "Another name"}),
                       (f"/api/sites/{house.site}", {"name": "Another name"})):
        answer = caller.http.patch(path, json=body)
        assert answer.status_code == 403 and answer.json()["type"] == "/problems/fresh-proof-needed", (body, answer.text)
    assert protection(house) == before
    site = next(one for one in house.api.sites() if one["id"] == house.site)
    assert (site["name"], site["zone"]) == ("Casa in prova", "Europe/Rome") if "zone" in site else site["name"] == "Casa in prova"
    caller.close()
    browser.close()


def test_an_old_proof_puts_nothing_in_the_place_of_a_box_or_a_device(demo, house):
    """While the house is disarmed too: what is there would be cut off, and the other one says what it likes once it is armed."""
    house.api.ok(house.api.post(f"/api/sites/{house.site}/alarm-panel/disarm", {"code": None}))
    caller = stale(demo, Api(demo.url).sign_in(LUCIA, demo.password(LUCIA)))
    connections = protection(house)["connections"]
    for path in (f"/api/sites/{house.town}/gateways/{house.box}/pairing", f"/api/sites/{house.site}/gateways/{house.gateway}/credentials"):
        answer = caller.post(path)
        assert answer.status_code == 403 and answer.json()["type"] == "/problems/fresh-proof-needed", answer.text
    assert protection(house)["connections"] == connections
    # What nothing hangs on yet has nothing to lose.
    for kind, what in (("box", "pairing"), ("device", "credentials")):
        row = caller.ok(caller.post(f"/api/sites/{house.site}/gateways", {"kind": kind, "name": f"A new {kind}"}))
        caller.ok(caller.post(f"/api/sites/{house.site}/gateways/{row['id']}/{what}"))
        house.api.delete(f"/api/sites/{house.site}/gateways/{row['id']}")
    caller.close()


def test_an_old_proof_neither_imports_people_into_a_house_nor_takes_an_import_back(demo, house):
    callers = [Api(demo.url).sign_in(LUCIA, demo.password(LUCIA)) for _ in range(2)]
    old, fresh = stale(demo, callers[0]), callers[1]
    people = f"/api/sites/{house.site}/people"
    draft = old.ok(old.http.post(
        f"{people}/import", content=b"name,email\nNina Nuova,nina@example.com\n", headers={"Content-Type": "text/csv"}))

    def is_there():
        return "nina@example.com" in [one["email"] for one in house.api.ok(house.api.get(people))["items"]]
    pages = Api(demo.url, browser=True).sign_in(LUCIA, demo.password(LUCIA))
    with contextlib.closing(sqlite3.connect(demo.data / "soglia.sqlite", timeout=PATIENCE)) as database, database:
        database.execute("UPDATE sessions SET proven = proven - 3600000 WHERE is_program = 0")
    for path, before in ((f"{people}/import/{draft['id']}", False), (f"{people}/import/{draft['id']}/undo", True)):
        answer = old.post(path)
        assert answer.status_code == 403 and answer.json()["type"] == "/problems/fresh-proof-needed", answer.text
        answer = pages.http.post(path.removeprefix("/api"), data={})
        assert answer.status_code == 403 or "prove" in answer.headers.get("location", ""), answer.text[:200]
        assert is_there() is before
        fresh.ok(fresh.post(path))
        assert is_there() is not before
    for api in (old, fresh, pages):
        api.close()
