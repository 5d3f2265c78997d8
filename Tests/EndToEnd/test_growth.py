"""Every route that changes something, 500 times, as the least permission that may: what stays afterwards has a limit with a name."""

import contextlib
import dataclasses
import http.client
import json
import re
import secrets
import sqlite3
import struct
import threading
import zlib

import pytest

from api import Api
from demo import MARTA, ROOT, wait_until
from house import OF_A_HOUSE, a_house

UNSAFE = ("post", "put", "patch", "delete")
TIMES = 500
CONNECTIONS = 6
PASSWORD = "a long first password"
# What a demo does by itself meanwhile: its devices and gates report, an alarm comes and goes.
BESIDE = 30
BYTES_BESIDE = 2 << 20
# Its owners are told of each change of a house's protection, sixty times of each kind in an hour (`ProtectionBudget.most`); two kinds at most
# are one route's.
TOLD = 2 * 62
TOLD_OF_A_HOUSE = {"notices": TOLD, "notice_recipients": TOLD * 8, "events": TOLD, "event_payloads": TOLD}
# No request makes these rows: sensors that report do, and there is a story of their limits (`test_home_history.py`).
READINGS = re.compile("home_(samples|r5m|r1h|r1d)$")
# What the demo itself keeps of letters, and the broker of messages.
NOT_THE_HUBS = re.compile("^(mailbox|broker|mosquitto|gates|homes?|air)|sqlite|log$")
BYTES_OF_A_ROW = 2_048


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


PICTURE = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)) + chunk(
    b"IDAT", zlib.compress((b"\0" + b"\x40\x80\xc0" * 64) * 64)) + chunk(b"IEND", b"")


@dataclasses.dataclass
class Growth:
    """What one route adds at most when it is sent 500 times, and the limit by which it ends there."""

    limit: str
    rows: dict = dataclasses.field(default_factory=dict)
    times: int = TIMES
    may: str = None


def nothing(limit="ChangeLimit.changes"):
    """It keeps nothing, or nothing of somebody who makes its content up."""
    return Growth(limit)


def events(count=TIMES, limit="ChangeLimit.changes", may=None, times=TIMES, **rows):
    """The ledger tells of each change."""
    return Growth(limit, {"events": count, "event_payloads": count} | rows, times, may)


GROWTH = {
    "post /api/session": Growth("SessionRecords.mostOfOne", {"sessions": 100}),
    "delete /api/session": nothing("ChangeLimit.urgent"),
    "post /api/clock/confirm": nothing(),
    "post /api/sites": events(300, "Sites.mostOfOne", "owner", sites=100, memberships=100),
    "post /api/session/proof": nothing("LimitedAction.knownPassword"),
    "delete /api/account/identities/{identity}": nothing(),
    "post /api/providers/{id}/deletion": nothing("ProviderFile.most"),
    "patch /api/account": nothing(),
    "put /api/account/photo": Growth("ChangeLimit.changes", {"photos": 1}),
    "delete /api/account/photo": nothing(),
    "delete /api/sessions": nothing("ChangeLimit.urgent"),
    "delete /api/sessions/{id}": nothing("ChangeLimit.urgent"),
    "put /api/password": events(100, "LimitedAction.knownPassword"),
    "post /api/account/passkeys": Growth("WayRecords.limit"),
    "post /api/account/passkeys/options": nothing("LimitedAction.passkey"),
    "patch /api/account/passkeys/{id}": nothing(),
    "delete /api/account/passkeys/{id}": nothing(),
    "post /api/session/passkey/options": nothing("LimitedAction.passkey"),
    "post /api/session/passkey": nothing("LimitedAction.passkey"),
    "post /api/session/proof/passkey/options": nothing("LimitedAction.passkey"),
    "post /api/session/proof/passkey": nothing("LimitedAction.passkey"),
    "post /api/notices/{id}/read": nothing(),
    "post /api/notices/{id}/acknowledge": nothing(),
    "post /api/notices/{id}/actions/{name}": nothing(),
    "put /api/account/notices": Growth("ChangeLimit.changes", {"notice_preferences": 1}),
    "post /api/sites/{site}/notices": events(
        30, "Notices.mostInAnHour", notices=30, notice_recipients=30 * 200, outbox=30 * 200),
    "put /api/sites/{site}/webhook": events(notice_webhooks=1),
    "delete /api/sites/{site}/webhook": events(1),
    "post /api/sites/{site}/webhook/test": nothing(),
    "put /api/push/subscription": Growth("PushRecords.most", {"push_devices": 10}),
    "delete /api/push/subscription": nothing(),
    "post /api/push/test": nothing("PushDevices.mostTests"),
    "post /api/notices/{id}/shown": nothing(),
    "post /api/gates/{id}/open": events(120, "OpeningLimit.most", openings=30, transits=30),
    "post /api/sites/{site}/passes": Growth("Gates.mostPasses", {"passes": 8}),
    "post /api/sites/{site}/gates": events(limit="Gate.most", gates=TIMES),
    "patch /api/sites/{site}/gates/{gate}": events(),
    "post /api/sites/{site}/gates/{gate}/retire": events(1),
    "post /api/sites/{site}/gates/{gate}/reinstate": events(1),
    "post /api/sites/{site}/gates/{gate}/pairing": Growth("LimitedAction.pairing", {"pairing_codes": 1}),
    "patch /api/sites/{site}": events(),
    "post /api/sites/{site}/people/bulk": events(membership_steps=TIMES),
    "post /api/sites/{site}/people/undo": nothing(),
    "post /api/sites/{site}/people/{membership}/more": events(
        100, "AccountRecords.mostMembershipsOfOne", memberships=100),
    "put /api/sites/{site}/people/{membership}/badge": events(),
    "post /api/login": nothing("AttemptLimit.free"),
    "put /api/sites/{site}/legacy": events(legacy_sites=1),
    "put /api/sites/{site}/gates/{gate}/mode": events(legacy_gates=1),
    "post /api/sites/{site}/legacy/accounts/{person}": events(
        100, "LimitedAction.knownPassword", legacy_accounts=1, legacy_badges=1, outbox=10),
    "delete /api/sites/{site}/legacy/accounts/{person}": events(1),
    "post /api/sites/{site}/legacy/accounts/{person}/badge": events(legacy_badges=TIMES),
    "post /api/sites/{site}/legacy/own": events(
        100, "LimitedAction.knownPassword", legacy_accounts=1, legacy_badges=1, outbox=10),
    "delete /api/sites/{site}/legacy/own": events(1),
    "post /api/sites/{site}/people/import": nothing("ImportDesk.perPerson"),
    "post /api/sites/{site}/people/import/{import}": nothing("ImportDesk.perPerson"),
    "post /api/sites/{site}/people/import/{import}/undo": nothing(),
    "put /api/sites/{site}/gates/{gate}/check-in": events(check_in_gates=1),
    "post /api/gates/{gate}/check-in-notice": events(
        50, "LimitedAction.checkIn", notices=50, notice_recipients=50, outbox=50),
    # Each costs a password hash; the limit itself is tried below.
    "post /api/sites/{site}/people": events(
        100, "AccountRecords.mostMemberships", times=50, people=50, memberships=50, badges=50),
    "put /api/sites/{site}/people/{membership}": events(),
    "post /api/sites/{site}/people/{membership}/invitation": events(invitations=2),
    "post /api/account/join": nothing("LimitedAction.knownPassword"),
    "post /api/sites/{site}/roles": events(limit="Rules.maxOfAKind", roles=500),
    "put /api/sites/{site}/roles/{role}": events(denied_passes=1_000),
    "delete /api/sites/{site}/roles/{role}": events(1),
    "post /api/sites/{site}/hours": events(limit="Rules.maxOfAKind", timetables=500),
    "put /api/sites/{site}/hours/{id}": events(),
    "delete /api/sites/{site}/hours/{id}": events(1),
    "post /api/sites/{site}/special-days": events(limit="Rules.maxSpecialDays", special_days=TIMES),
    "put /api/sites/{site}/special-days/{id}": events(),
    "delete /api/sites/{site}/special-days/{id}": events(1),
    "post /api/sites/{site}/gate-groups": events(limit="Rules.maxOfAKind", gate_groups=500),
    "put /api/sites/{site}/gate-groups/{id}": events(),
    "delete /api/sites/{site}/gate-groups/{id}": events(1),
    "post /api/sites/{site}/gateways": events(64, "GatewayDesk.most", home_gateways=64),
    "post /api/sites/{site}/gateways/{gateway}/pairing": Growth("LimitedAction.pairing", {"pairing_codes": 1}),
    "post /api/sites/{site}/gateways/{gateway}/credentials": events(),
    "delete /api/sites/{site}/gateways/{gateway}": events(1),
    "post /api/houses": events(300, "Sites.mostOfOne", "owner", sites=100, memberships=100),
    "patch /api/sites/{site}/house": events(2 * TIMES, home_houses=1),
    "post /api/sites/{site}/alarms/{alarm}/silence": events(limit="ChangeLimit.urgent"),
    "post /api/sites/{site}/alarms/{alarm}/take": events(limit="ChangeLimit.urgent"),
    "post /api/sites/{site}/alarms/{alarm}/end": events(limit="ChangeLimit.urgent"),
    "put /api/sites/{site}/alarm-call": events(home_alarm_settings=1, home_alarm_contacts=8),
    "post /api/sites/{site}/alarm-tests": events(20, "SelfTest.pause", notices=20, notice_recipients=100, outbox=100, home_tests=20),
    "patch /api/sites/{site}/devices/{device}": events(),
    "post /api/sites/{site}/sensors": events(256, "DevicesDesk.most", home_sensors=256),
    "patch /api/sites/{site}/sensors/{sensor}": events(),
    "post /api/sites/{site}/actuators": events(256, "DevicesDesk.most", home_actuators=256),
    "patch /api/sites/{site}/actuators/{actuator}": events(),
    "post /api/sites/{site}/gateways/{gateway}/release": nothing(),
    "post /api/actuators/{id}": nothing("Actuation.most"),
    "delete /api/sensors/{id}/readings": events(),
    "put /api/sensors/{id}/chart/start": Growth("ChangeLimit.changes", {"home_chart_starts": 1}),
    "put /api/sites/{site}/readings/retention": events(home_retention=1),
    "put /api/sensors/{id}/threshold": events(limit="ThresholdRecords.mostSteps", home_thresholds=TIMES),
    "delete /api/sensors/{id}/threshold": events(1),
    "put /api/sites/{site}/care": events(
        TIMES + 70, "ProtectionBudget.most", home_care=1, notices=70, notice_recipients=140, outbox=140),
    "post /api/sites/{site}/care/fans/{fan}/run": events(home_fan_runs=1),
    "post /api/sites/{site}/alarm-panel/arm": events(2 * TIMES),
    "post /api/sites/{site}/alarm-panel/disarm": events(limit="ChangeLimit.urgent"),
    "post /api/sites/{site}/alarm-panel/silence": events(limit="ChangeLimit.urgent"),
    "post /api/sites/{site}/alarm-panel/reset": events(limit="ChangeLimit.urgent"),
    "put /api/sites/{site}/alarm-rules": events(home_panel_rules=1),
    "put /api/sites/{site}/alarm-sensors/{sensor}": events(home_guards=1),
    "post /api/sites/{site}/alarm-codes": events(20, "HouseCode.most", home_codes=10),
    "delete /api/sites/{site}/alarm-codes/{code}": events(1),
    # A box writes what it did into its journal, and the hub what the box tells.
    "post /api/sites/{site}/alarm-tags": events(2 * TIMES, home_box_records=2 * TIMES, notices=2, notice_recipients=40),
    "delete /api/sites/{site}/alarm-tags/{tag}": events(2 * TIMES, home_box_records=2 * TIMES, notices=2, notice_recipients=40),
    "post /api/sites/{site}/boxes/{box}/open-valve": events(4 * TIMES, home_box_records=2 * TIMES, notices=2, notice_recipients=40),
    "post /api/sites/{site}/boxes/{box}/test": events(4 * TIMES, home_box_records=2 * TIMES, notices=2, notice_recipients=40),
    "post /api/account/delete": nothing(),
    "post /api/sites/{site}/people/{person}/erase": nothing(),
    "put /api/sites/{site}/retention": events(retention=3),
}

WEEK = [["08:00-18:00"]] * 5 + [[], []]
DELAYS = {"home": 0, "away": 0, "night": 0, "vacation": 0}
KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"


def bodies(n, known):
    """What makes something new where it can; a route that is not named is sent {}."""
    name = f"Number {n}"
    day = f"{2027 + n // 300}-{n % 12 + 1:02}-{n // 12 % 25 + 1:02}"
    hours = {"name": name, "week": WEEK, "keepsSpecialDays": False}
    special = {"name": name, "firstDay": "2027-01-01", "lastDay": "2027-01-02", "hours": []}
    role = {"name": name, "level": 1, "gates": [], "groups": [], "hours": None}
    membership = {"permission": "guest", "role": None, "firstDay": None, "lastDay": day}
    return {
        "post /api/session": {"email": known["email"], "password": PASSWORD, "program": True},
        "post /api/sites": {"name": name, "kind": "company", "zone": "Europe/Rome"},
        "post /api/session/proof": {"password": PASSWORD},
        "patch /api/account": {"name": name},
        "put /api/password": {"current": PASSWORD + "!" * (n % 2), "new": PASSWORD + "!" * (1 - n % 2)},
        "post /api/account/passkeys": {"id": "AAAA", "response": {"clientDataJSON": "AAAA", "attestationObject": "AAAA"}},
        "put /api/account/notices": {"push": ["doors"], "mail": ["doors"] * (n % 2), "quiet": None, "showsDetails": False},
        "post /api/sites/{site}/notices": {"title": name},
        "put /api/sites/{site}/webhook": {"address": f"https://example.com/{n}"},
        "post /api/sites/{site}/gates": {"name": name},
        "patch /api/sites/{site}/gates/{gate}": {"name": f"Gate {n}", "pulseMilliseconds": 1_000 + n},
        "patch /api/sites/{site}": {"name": name},
        "post /api/sites/{site}/people/bulk": {"memberships": [known["membership"]], "do": "lastDay", "lastDay": day},
        "post /api/sites/{site}/people/undo": {"batch": "0" * 32},
        "post /api/sites/{site}/people/{membership}/more": membership,
        "put /api/sites/{site}/people/{membership}/badge": {"code": f"B{n}"},
        "put /api/sites/{site}/legacy": {"allowsGET": n % 2 == 0},
        "put /api/sites/{site}/gates/{gate}/mode": {"mode": "legacy" if n % 2 else "pass"},
        "put /api/sites/{site}/gates/{gate}/check-in": {"proof": "unlocked" if n % 2 else "none"},
        "post /api/sites/{site}/people": membership | {"name": name, "email": f"n{n}@example.com", "password": PASSWORD},
        "put /api/sites/{site}/people/{membership}": membership,
        "post /api/sites/{site}/people/{membership}/invitation": {"way": "paper"},
        "post /api/account/join": {"code": "0" * 26},
        "post /api/sites/{site}/roles": role, "put /api/sites/{site}/roles/{role}": role | {"name": f"Role {n}"},
        "post /api/sites/{site}/hours": hours, "put /api/sites/{site}/hours/{id}": hours | {"name": f"Hours {n}"},
        "post /api/sites/{site}/special-days": special, "put /api/sites/{site}/special-days/{id}": special,
        "post /api/sites/{site}/gate-groups": {"name": name, "gates": []},
        "put /api/sites/{site}/gate-groups/{id}": {"name": f"Group {n}", "gates": []},
        "post /api/sites/{site}/gateways": {"kind": "device", "name": name},
        "post /api/houses": {"name": name, "zone": "Europe/Rome", "street": None, "latitude": None, "longitude": None},
        "patch /api/sites/{site}/house": {"name": name, "street": f"Via Nuova {n}"},
        "put /api/sites/{site}/alarm-call": {
            "minutesBetween": None, "first": [], "emergency": "112", "contacts": [{"name": name, "number": "112"}], "test": None},
        "patch /api/sites/{site}/devices/{device}": {"name": name},
        "post /api/sites/{site}/sensors": {"gateway": known["gateway"], "name": name, "topic": f"t{n}", "kind": "number"},
        "patch /api/sites/{site}/sensors/{sensor}": {"name": name},
        "post /api/sites/{site}/actuators": {"gateway": known["gateway"], "name": name, "topic": f"a{n}", "kind": "plug"},
        "patch /api/sites/{site}/actuators/{actuator}": {"name": name},
        "post /api/actuators/{id}": {"value": n % 2 == 0},
        "put /api/sensors/{id}/chart/start": {"isNow": True},
        "put /api/sites/{site}/readings/retention": {"raw": 2 + n % 5, "fiveMinutes": 30, "hours": 400},
        "put /api/sensors/{id}/threshold": {"level": 300 + n, "hysteresis": 30},
        "put /api/sites/{site}/care": {"enabled": n % 2 == 0},
        "post /api/sites/{site}/care/fans/{fan}/run": {"percent": 50, "minutes": 1 + n % 5},
        "post /api/sites/{site}/alarm-panel/arm": {"mode": ("home", "away", "night")[n % 3]},
        "post /api/sites/{site}/alarm-panel/disarm": {"code": None},
        "put /api/sites/{site}/alarm-rules": {
            "exitDelay": DELAYS | {"away": n % 60}, "entryDelay": DELAYS, "alarmTime": 30, "disarmsAfterAlarm": True,
            "asksCode": False},
        "put /api/sites/{site}/alarm-sensors/{sensor}": {
            "class": "door", "distance": 5 + n % 300, "tripsWhenSilent": False},
        "post /api/sites/{site}/alarm-codes": {"name": name, "code": f"{482_000 + n * 37}"},
        "post /api/sites/{site}/alarm-tags": {"name": name, "box": known["box"]},
        "post /api/account/delete": {"name": "somebody else"},
        "post /api/sites/{site}/people/{person}/erase": {"name": "somebody else"},
        "put /api/sites/{site}/retention": {"openings": 30 + n, "signIns": 30, "changes": 30},
        "put /api/push/subscription": {
            "endpoint": f"https://fcm.googleapis.com/fcm/send/{n}", "keys": {"p256dh": KEY, "auth": "BTBZMqHH6r4Tts7J_aSIgg"}},
        "patch /api/account/passkeys/{id}": {"name": name},
    }


def content(route, kind, n, known):
    if kind == "application/json":
        return json.dumps(bodies(n, known).get(route, {})).encode()
    return {"text/csv": f"Name,Email,Permission\r\nPerson {n},p{n}@example.com,member\r\n".encode(), "image/*": PICTURE}.get(kind, b"")


def rows(data):
    with contextlib.closing(sqlite3.connect(f"file:{data}/soglia.sqlite?mode=ro", uri=True, timeout=20)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        counts = {name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names if not READINGS.match(name)}
        pages, free, size = (database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size"))
    return counts, (pages - free) * size


def files(data):
    """Bytes of the hub's other files."""
    sizes = {}
    for path in data.rglob("*"):
        name = str(path.relative_to(data))
        with contextlib.suppress(OSError):
            if path.is_file() and not NOT_THE_HUBS.search(name):
                sizes[name] = path.stat().st_size
    return sizes


class Flood:
    """Requests over several connections, from an address on loopback that nobody else has."""

    def __init__(self, port, token=None):
        self.port, self.token = port, token
        self.address = f"127.{secrets.randbelow(200) + 20}.{secrets.randbelow(256)}.{secrets.randbelow(250) + 2}"
        self.statuses, self.said = {}, {}

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60, source_address=(self.address, 0))

    def ask(self, connection, method, path, body, kind="application/json"):
        headers = {"Host": f"localhost:{self.port}", "Content-Type": kind if kind != "image/*" else "image/png"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        connection.request(method.upper(), path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(errors="replace")

    def sign_in(self, email):
        connection = self.connect()
        body = json.dumps({"email": email, "password": PASSWORD, "program": True})
        status, text = self.ask(connection, "POST", "/api/session", body)
        connection.close()
        assert status == 201, text
        self.token = json.loads(text)["token"]
        return self

    def send(self, requests):
        requests, lock = iter(requests), threading.Lock()

        def work():
            connection = self.connect()
            while True:
                with lock:
                    request = next(requests, None)
                if request is None:
                    break
                status, text = self.ask(connection, *request)
                with lock:
                    self.statuses[status] = self.statuses.get(status, 0) + 1
                    self.said[status] = text
            connection.close()

        threads = [threading.Thread(target=work) for _ in range(CONNECTIONS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self


@pytest.fixture(scope="module")
def house(demo):
    with a_house(demo) as house:
        yield house


@pytest.fixture(scope="module")
def unsafe(demo):
    paths = Api(demo.url).get("/api/openapi.json").json()["paths"]
    return {f"{method} {path}": operations[method] for path, operations in paths.items() for method in UNSAFE if method in operations}


def may(operation):
    """The least permission that an operation names."""
    return next((one for one in ("member", "installer", "manager", "owner") if re.search(rf"For .*\b{one}\b", operation["description"])), "member")


class Place:
    """A company and a house, with people of every permission, and things that may be spoiled."""

    def __init__(self, demo, house):
        self.demo, self.house, self.api, self.company = demo, house, demo.api(MARTA), demo.site()
        self.number = 0
        self.gate = demo.gate()
        make = lambda what, body: self.api.ok(self.api.post(f"/api/sites/{self.company}/{what}", body))["id"]
        self.role = make("roles", {"name": "Everybody", "level": 1, "gates": [self.gate], "groups": [], "hours": None})
        self.spare = {
            "gate": make("gates", {"name": "Spare"}),
            "role": make("roles", {"name": "Spare", "level": 1, "gates": [], "groups": [], "hours": None}),
            "hours": make("hours", {"name": "Spare", "week": WEEK, "keepsSpecialDays": False}),
            "gate-groups": make("gate-groups", {"name": "Spare", "gates": []}),
            "special-days": make("special-days", {"name": "Spare", "firstDay": "2027-01-01", "lastDay": "2027-01-02", "hours": []}),
        }
        house.api.ok(house.api.post(f"/api/sites/{house.site}/alarm-panel/disarm", {"code": None}))

    def person(self, site, permission):
        """Somebody new: (row, address)."""
        self.number += 1
        email = f"caller{self.number}@example.com"
        api = self.api if site == self.company else self.house.api
        row = api.ok(api.post(f"/api/sites/{site}/people", {
            "name": f"Caller {self.number}", "email": email, "password": PASSWORD, "permission": permission,
            "role": self.role if site == self.company else None}))
        return row, email

    def known(self, route, permission):
        """What is there, by the name of the parameter, and whose address asks."""
        method, path = route.split(" ")
        known = dict(self.spare) | {"site": self.company, "gateway": "", "box": self.house.box}
        # An owner of a company is not made by a manager; the house's may do the same.
        if OF_A_HOUSE.match(path) or permission == "owner":
            known |= self.house.known("post" if method == "patch" else method, path)
            if "/boxes/" in path or "alarm-tags" in path:
                known["site"] = self.house.town
        elif path.startswith("/api/gates/"):
            known |= {"id": self.gate, "gate": self.gate}
        else:
            known |= next(({"id": self.spare[what]} for what in ("hours", "gate-groups", "special-days") if f"/{what}/" in path), {})
        _, known["email"] = self.person(known["site"], permission)
        if re.search(r"\{(membership|person)\}|/bulk", path):
            row, _ = self.person(known["site"], "guest")
            known |= {"membership": row["membership"], "person": row["person"]}
        return {"membership": "0" * 32} | known


@pytest.fixture(scope="module")
def place(demo, house):
    return Place(demo, house)


def overgrown(route, growth, before, after):
    """What grew beyond what the table says."""
    (old, old_bytes), (new, new_bytes) = before, after
    told = TOLD_OF_A_HOUSE if OF_A_HOUSE.match(route.split(" ")[1]) else {}
    most = {table: growth.rows.get(table, 0) + told.get(table, 0) for table in new}
    found = [(table, new[table] - old[table]) for table in new if new[table] - old[table] > most[table] + BESIDE]
    if new_bytes - old_bytes > sum(most.values()) * BYTES_OF_A_ROW + BYTES_BESIDE:
        found.append(("bytes of the database", new_bytes - old_bytes))
    return [(route, growth.limit, *one) for one in found]


def test_the_table_names_every_route_that_changes_something_and_a_limit_that_security_md_has(unsafe):
    assert set(GROWTH) == set(unsafe)
    page = (ROOT / "SECURITY.md").read_text()
    assert [growth.limit for growth in GROWTH.values() if f"| `{growth.limit}` |" not in page] == []


@pytest.mark.timeout(600)   # 111 routes, 500 requests each: 90 s with nothing beside it
def test_no_route_adds_more_than_its_limit_however_often_it_is_sent(demo, place, unsafe):
    found = []
    # A house with hundreds of things is slower, and a box works on for a while: these come last.
    late = ("/sensors", "/actuators", "/alarm-tags", "/{tag}", "/open-valve", "/{box}/test")
    for route in sorted(unsafe, key=lambda route: next((n for n, end in enumerate(late, 1) if route.endswith(end)), 0)):
        operation, growth = unsafe[route], GROWTH[route]
        permission = growth.may or may(operation)
        known = place.known(route, permission)
        flood = Flood(demo.port).sign_in(known["email"])
        if "For everybody" in operation["description"]:
            flood.token = None
        method, path = route.split(" ")
        path = re.sub(r"\{(\w+)\}", lambda name: str(known.get(name[1], "0" * 32)), path)
        kind = next(iter(operation.get("requestBody", {}).get("content", {"application/json": 0})))
        before, files_before = rows(demo.data), files(demo.data)
        flood.send((method, path, content(route, kind, n, known), kind) for n in range(growth.times))
        found += overgrown(route, growth, before, rows(demo.data))
        grown = sum(files(demo.data).values()) - sum(files_before.values())
        if grown > BYTES_BESIDE:
            found.append((route, growth.limit, "files", grown))
        assert not [status for status in flood.statuses if status >= 500 and status != 503], (route, flood.said)
    assert found == []


def test_a_flood_of_changes_waits_and_keeps_nobody_from_what_is_urgent(demo, house, place):
    _, email = place.person(house.site, "member")
    _, other = place.person(house.site, "member")
    flood = Flood(demo.port).sign_in(email)
    flood.send(("PATCH", "/api/account", json.dumps({"name": f"Number {n}"})) for n in range(5_600))
    assert set(flood.statuses) == {200, 429}, flood.statuses
    assert flood.statuses[200] >= 5_000 and "Try again in" in flood.said[429]
    connection, path = flood.connect(), f"/api/sites/{house.site}/alarm-panel/disarm"
    assert flood.ask(connection, "POST", path, json.dumps({"code": None}))[0] == 200
    assert flood.ask(connection, "POST", f"/api/sites/{house.site}/passes", "{}")[0] == 200
    assert flood.ask(connection, "DELETE", "/api/sessions", None)[0] == 200
    assert flood.ask(connection, "DELETE", "/api/session", None)[0] == 204
    connection.close()
    # Another person is not kept out; the same person is, in another session too, with words on the page.
    assert Flood(demo.port).sign_in(other).send([("PATCH", "/api/account", json.dumps({"name": "Other"}))]).statuses == {200: 1}
    Flood(demo.port).sign_in(email).send(("PATCH", "/api/account", json.dumps({"name": f"Again {n}"})) for n in range(100))
    browser = Api(demo.url, browser=True, language="it").sign_in(email, PASSWORD)
    answers = [browser.http.post("/account/notices", data={}, headers={"Accept": "text/html"}) for _ in range(40)]
    assert next(one for one in answers if one.status_code == 429).headers["Retry-After"]
    for page in (f"devices/{'0' * 32}/set", f"care/fans/{'0' * 32}/run"):
        assert browser.http.post(f"/houses/{house.site}/{page}").status_code in (403, 404, 422), "it is read, not told to wait"
    assert browser.http.post("/sign-out").status_code == 303
    browser.close()


def fill(demo, *statements):
    """Writes into the hub's database what would take hours to make: `(SQL on the numbers of n, how many, values)`."""
    with contextlib.closing(sqlite3.connect(demo.data / "soglia.sqlite", timeout=20)) as database, database:
        database.create_function("id", 0, lambda: secrets.token_bytes(16))
        for statement, count, values in statements:
            database.execute(
                f"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) {statement}", values)


def refused(answer, words):
    assert answer.status_code in (409, 422, 429), answer.text
    assert words in answer.json()["detail"], answer.text


def test_a_house_keeps_so_many_thresholds_and_connections_and_no_more(demo, house):
    api, sensor = house.api, bytes.fromhex(house.spare_sensor)
    fill(demo, (
        "INSERT OR IGNORE INTO home_thresholds (sensor, since, level, hysteresis) SELECT ?, i, 300, 30 FROM n", 1_500, [sensor]))
    api.ok(api.put(f"/api/sensors/{house.spare_sensor}/threshold", {"level": 777, "hysteresis": 30}))
    with contextlib.closing(sqlite3.connect(demo.data / "soglia.sqlite", timeout=20)) as database:
        levels = database.execute("SELECT level FROM home_thresholds WHERE sensor = ? ORDER BY since DESC", (sensor,)).fetchall()
    assert len(levels) == 1_000 and levels[0] == (777,)
    fill(demo, (
        "INSERT INTO home_gateways (id, site, kind, name, retired) SELECT id(), ?, 'device', 'Old ' || i, 1 FROM n", 1_024,
        [bytes.fromhex(house.site)]))
    refused(api.post(f"/api/sites/{house.site}/gateways", {"kind": "device", "name": "One more"}), "at most 1024")


def test_a_site_that_is_full_gets_no_further_gate_and_no_further_member_and_another_one_does(demo, house, place):
    api, site = place.api, demo.site()
    there = bytes.fromhex(site)
    fill(
        demo,
        ("INSERT INTO gates (id, site, name, policy, epoch, pulse, rights_version, retired) "
         "SELECT id(), ?, 'Full ' || i, 'doors', 1, 3000, 1, 1 FROM n", 1_000, [there]),
        ("INSERT INTO people (id, name, email, password, created) SELECT id(), 'Full', 'full' || i || '@example.com', '', 0 FROM n",
         50_000, []),
        ("INSERT INTO memberships (id, person, site, permission, revoked) SELECT id(), id, ?, 'guest', 1 FROM people "
         "WHERE email LIKE 'full%@example.com'", 1, [there]))
    more = {"name": "One more", "email": "more@example.com", "password": PASSWORD, "permission": "guest"}
    refused(api.post(f"/api/sites/{site}/gates", {"name": "One more"}), "at most 1000 gates")
    refused(api.post(f"/api/sites/{site}/people", more), "as many memberships")
    rows = [("Ann Full", "ann@example.com"), ("Bob Full", "bob@example.com")]
    text = "Name,Email,Permission\r\n" + "".join(f"{name},{email},member\r\n" for name, email in rows)
    draft = api.ok(api.http.post(f"/api/sites/{site}/people/import", content=text, headers={"Content-Type": "text/csv"}))
    api.http.post(f"/api/sites/{site}/people/import/{draft['id']}")
    state = wait_until(lambda: (one := api.get(f"/api/sites/{site}/people/import/{draft['id']}").json())["state"] == "failed" and one, what="the end")
    assert state["failure"] == "full", state
    assert house.api.post(f"/api/sites/{house.site}/people", more).status_code == 201
