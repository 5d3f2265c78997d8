"""An app of the original system signs in as it always did, and opens the gates that were set to it: those, and nothing else."""

import hashlib
import json
import time
import threading
import uuid
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import httpx
import pytest
from playwright.sync_api import expect

import air as wire
import schema
from air import Air, Peripheral, Refused
from browser import DESK, PHONE
from demo import ADA, CARLO, MARTA, run, wait_until
from legacy_client import EmptyKey, LegacyClient, NotHere, cipher

GATE = "Car park"


def own(demo, email=ADA, site="Officine Rossi"):
    """A new password for somebody's old app, as they make it for themselves."""
    api = demo.api(email)
    return api.ok(api.post(f"/api/sites/{demo.site(site)}/legacy/own"))


def set_mode(demo, mode, gate=GATE, email=MARTA, site="Officine Rossi"):
    answer = demo.api(email).put(
        f"/api/sites/{demo.site(site)}/gates/{demo.gate(gate)}/mode", {"mode": mode})
    assert answer.status_code == 204, answer.text


def services(demo):
    return {service for service, _, _ in Air(demo.data / "air").scan()}


def set_get(demo, allows):
    answer = demo.api(MARTA).put(f"/api/sites/{demo.site()}/legacy", {"allowsGET": allows})
    assert answer.status_code == 204, answer.text


@pytest.fixture(scope="module")
def secret(demo):
    """Ada's user name and password, with the car park's gate set to old badges and in the air as such."""
    before = services(demo)
    secret = own(demo)
    set_mode(demo, "legacy")
    wait_until(lambda: len(services(demo)) == 2 and services(demo) != before, what="the old gate in the air")
    return secret


@pytest.fixture
def app(demo, secret):
    with LegacyClient(demo.url, Air(demo.data / "air")) as app:
        assert app.sign_in(**own(demo))
        yield app


def last(demo, kind):
    return wait_until(lambda: demo.export(kind), what=kind)[-1]["payload"]


def opens(app, reader=None):
    reader = reader or app.reader(GATE)
    try:
        app.open(reader)
    except Refused as refusal:
        assert refusal.code == 0x80
        return False
    return True


# MARK: signing in

def test_an_app_is_told_exactly_what_the_original_told_it(demo, app):
    data = app.data
    assert list(data) == ["user", "company", "roles"]
    user = data["user"]
    assert list(user) == ["id", "name", "surname", "username", "vatCode", "userPhoto", "badgeCode", "birthday"]
    assert (user["name"], user["surname"]) == ("Ada", "Rossi") and isinstance(user["id"], int)
    assert list(data["company"]) == ["companyName", "logo"] and data["company"]["companyName"] == "Officine Rossi"
    [role] = data["roles"]
    assert list(role) == ["id", "name", "level", "readers"]
    assert (role["name"], role["level"]) == ("Employee", 1) and isinstance(role["id"], int)
    [reader] = role["readers"]   # only the gate that takes old badges
    assert list(reader) == [
        "id", "name", "systemName", "serviceUUID", "charBadgeUUID", "charKeyUUID", "beaconUUID", "majorBeaconValue",
        "minorBeaconValue"]
    assert reader["name"] == GATE and isinstance(reader["id"], int)
    for name in ("serviceUUID", "charBadgeUUID", "charKeyUUID", "beaconUUID"):
        assert str(uuid.UUID(reader[name])) == reader[name]
    assert all(0 <= reader[name] <= 65535 for name in ("majorBeaconValue", "minorBeaconValue"))
    assert (uuid.UUID(reader["serviceUUID"]), reader["systemName"]) in {
        (service, name) for service, name, _ in app.air.scan()}
    described = httpx.get(demo.url + "/api/openapi.json").json()["paths"]["/api/login"]["post"]
    assert list(described["requestBody"]["content"]) == ["application/x-www-form-urlencoded"]
    answer = {"success": True, "data": data, "message": "Signed in."}
    assert schema.mismatches(answer, described["responses"]["200"]["content"]["application/json"]["schema"]) == []
    # The same again, number for number.
    before = json.dumps(data)
    assert app.sign_in(user["username"], own(demo)["password"]) and json.dumps(app.data) == before


def test_the_password_is_the_apps_own_and_the_badge_is_valid_nowhere_else(demo):
    secret = own(demo)
    assert secret["password"] != demo.password(ADA)
    with LegacyClient(demo.url) as app:
        assert not app.sign_in(secret["username"], demo.password(ADA))
        assert not app.sign_in(ADA, demo.password(ADA))
        answer = app.post(**secret)
        assert answer.json()["success"] and "set-cookie" not in answer.headers and "token" not in answer.text
    # Neither of the two signs in anywhere but there.
    for email in (ADA, secret["username"]):
        refused = httpx.post(demo.url + "/api/session", json={"email": email, "password": secret["password"]})
        assert refused.status_code == 401
    # Whoever makes a new one ends the one before.
    newer = own(demo)
    with LegacyClient(demo.url) as app:
        assert not app.sign_in(**secret)
        assert app.sign_in(**newer)


def test_whoever_is_not_signed_in_is_told_nothing_and_everybody_the_same(demo):
    secret = own(demo)
    digest = hashlib.sha1(secret["password"].encode()).hexdigest()
    wrong = {
        "another password": {"username": secret["username"], "password": "0" * 40},
        "the password itself": {"username": secret["username"], "password": secret["password"]},
        "half a digest": {"username": secret["username"], "password": digest[:20]},
        "nobody": {"username": "nobody@nowhere", "password": digest},
        "a name as long as a letter": {"username": "a" * 1000, "password": digest},
        "no password": {"username": secret["username"]},
        "no name": {"password": digest},
        "nothing": {},
        "a statement": {"username": "' OR 1=1 --", "password": digest},
    }
    answers = {}
    for what, fields in wrong.items():
        # An empty form still is one.
        answer = httpx.post(
            demo.url + "/api/login", data=fields, headers={"Content-Type": "application/x-www-form-urlencoded"})
        assert answer.status_code == 200, what
        assert answer.json() == {
            "success": False, "data": None, "message": "The user name and the password do not belong together."}, what
        answers[what] = (answer.text, sorted(set(answer.headers) - {"date"}))
    assert len({str(answer) for answer in answers.values()}) == 1, answers
    # In any case, a digest is a digest.
    upper = httpx.post(demo.url + "/api/login", data={"username": secret["username"].upper(), "password": digest.upper()})
    assert upper.json()["success"]
    # What is no form is refused as such.
    assert httpx.post(demo.url + "/api/login", json={"username": "a"}).status_code == 415
    twice = httpx.post(demo.url + "/api/login", content=f"username=a&username=b&password={digest}",
                       headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert twice.status_code == 400


def test_an_unknown_name_takes_as_long_as_a_known_one(demo):
    secret = own(demo)

    def seconds(username):
        started = time.perf_counter()
        answer = httpx.post(demo.url + "/api/login", data={"username": username, "password": "1" * 40})
        assert not answer.json()["success"]
        return time.perf_counter() - started
    known, unknown = [], []
    for _ in range(4):   # below the limit on attempts
        known.append(seconds(secret["username"]))
        unknown.append(seconds("nobody@nowhere"))
    # A slow hash costs many times what the rest of an answer does; without one an unknown name would be told at once. The
    # quickest of each, since a starved machine makes some of them slow.
    assert min(unknown) > min(known) / 3
    with LegacyClient(demo.url) as app:
        assert app.sign_in(**secret)   # and the right one ends the counting


def test_guessing_ends_after_ten_wrong_passwords_and_only_for_that_name(demo):
    secret, other = own(demo, CARLO), own(demo)
    with LegacyClient(demo.url) as app:
        for _ in range(10):
            assert app.post(secret["username"], "guessed").status_code == 200
        refused = app.post(**secret)
        assert refused.status_code == 429 and int(refused.headers["retry-after"]) > 0
        assert refused.json()["success"] is False and refused.json()["data"] is None
        assert app.sign_in(**other)


def test_by_get_only_where_the_site_turned_it_on(demo):
    secret = own(demo)
    with LegacyClient(demo.url) as app:
        refused = app.get(**secret)
        assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
        assert refused.json()["success"] is False and refused.json()["data"] is None
        set_get(demo, True)
        answer = app.get(**secret)
        assert answer.status_code == 200 and answer.json()["success"]
        assert answer.headers["cache-control"] == "no-store"
        # Where it is off, whoever does not know the password is not told so.
        wrong = [app.get("nobody@nowhere", "x").json(), app.get(secret["username"], "x").json()]
        set_get(demo, False)
        wrong += [app.get("nobody@nowhere", "x").json(), app.get(secret["username"], "x").json()]
        assert all(one == wrong[0] for one in wrong)
        assert app.get(**secret).status_code == 405
        assert app.sign_in(**secret)
    changed = [event["payload"] for event in demo.export("legacy.get.changed")]
    assert [one["after"]["allowsGET"] for one in changed[-2:]] == ["true", "false"]


def test_nothing_of_it_is_ever_written_down(demo):
    secret = own(demo)
    digest = hashlib.sha1(secret["password"].encode()).hexdigest()
    set_get(demo, True)
    with LegacyClient(demo.url) as app:
        assert app.sign_in(**secret)
        assert app.get(**secret).json()["success"]
        app.post(secret["username"], "wrong")
        httpx.get(demo.url + "/api/login", params={"username": secret["username"], "password": digest + "%00"})
        code = app.data["user"]["badgeCode"]
    set_get(demo, False)
    wrong = hashlib.sha1(b"wrong").hexdigest()
    logs = "".join(path.read_text(errors="replace") for path in (demo.data / "logs").iterdir()) + demo.supervisor.said
    ledger = demo.admin("export").stdout
    for what in (secret["password"], digest, wrong, code, secret["username"]):
        assert what not in logs and what not in ledger
    # The database keeps a slow hash of the digest, and never either of the two.
    stored = b"".join(path.read_bytes() for path in demo.data.glob("soglia.sqlite*"))
    assert secret["password"].encode() not in stored and digest.encode() not in stored
    assert secret["username"].encode() in stored


def test_in_the_open_nobody_signs_in(demo):
    # The rule is a pure function of the request, tested in DoorsTests; here: loopback is no open network.
    with LegacyClient(demo.url) as app:
        assert app.sign_in(**own(demo))


def test_whose_role_ended_yesterday_is_not_signed_in(demo):
    secret = own(demo)
    marta, site = demo.api(MARTA), demo.site()
    row = marta.person(site, ADA)
    yesterday = (datetime.now(ZoneInfo("Europe/Rome")) - timedelta(days=1)).date().isoformat()
    assert marta.change_membership(site, row, lastDay=yesterday).status_code == 200
    try:
        with LegacyClient(demo.url) as app:
            answer = app.post(**secret).json()
            assert answer["success"] is False and answer["data"] is None
            assert answer["message"] == "You have no role in force today: ask whoever looks after your site."
            # Without the password one is not told even that.
            assert app.post(secret["username"], "x").json()["message"] != answer["message"]
            assert marta.change_membership(site, row, lastDay=None, role=None).status_code == 200
            assert not app.sign_in(**secret)
    finally:
        assert marta.change_membership(site, row).status_code == 200
    with LegacyClient(demo.url) as app:
        assert app.sign_in(**secret)


def test_an_account_answers_for_its_site_only(demo, secret):
    here, there = own(demo, CARLO), own(demo, CARLO, "Deposito Nord")
    assert here["username"] != there["username"]
    # Too many wrong passwords were tried above for the one before: another address, or another ten minutes.
    with LegacyClient(demo.url) as app:
        answer = app.post(**there)
        assert answer.json()["success"], answer.text
        data = answer.json()["data"]
        assert data["company"]["companyName"] == "Deposito Nord"
        assert [role["readers"] for role in data["roles"]] == [[]]
        assert app.post(there["username"], here["password"]).json()["success"] is False


def test_only_whoever_may_makes_and_takes_away(demo):
    site, ada, marta = demo.site(), demo.api(ADA), demo.api(MARTA)
    carlo = marta.person(site, CARLO)["person"]
    for answer in (
            ada.post(f"/api/sites/{site}/legacy/accounts/{carlo}"), ada.get(f"/api/sites/{site}/legacy"),
            ada.put(f"/api/sites/{site}/legacy", {"allowsGET": True}),
            ada.put(f"/api/sites/{site}/gates/{demo.gate()}/mode", {"mode": "legacy"}),
            ada.http.delete(f"/api/sites/{site}/legacy/accounts/{carlo}")):
        assert answer.status_code == 403, answer.text
    # Another site's gate, a mode that is none, somebody with no part in the site.
    assert marta.put(f"/api/sites/{site}/gates/{demo.gate('Yard')}/mode", {"mode": "legacy"}).status_code == 404
    assert marta.put(f"/api/sites/{site}/gates/{demo.gate()}/mode", {"mode": "both"}).status_code == 422
    assert marta.post(f"/api/sites/{site}/legacy/accounts/{'0' * 32}").status_code == 404
    assert ada.post(f"/api/sites/{demo.site('Deposito Nord')}/legacy/own").status_code == 404
    assert marta.ok(marta.post(f"/api/sites/{site}/legacy/accounts/{carlo}"))["username"]
    elena = marta.person(site, "elena.riva@example.com")
    secret = marta.ok(marta.post(f"/api/sites/{site}/legacy/accounts/{elena['person']}"))
    assert secret["username"] == "elena.riva@officine-rossi"


# MARK: at the gate

def test_it_opens_the_gate_and_the_ledger_says_who_where_and_how(demo, app):
    wait_until(lambda: all(row[3] for row in demo.journal("gate-car-park")), what="what the gate did before, in the ledger")
    before = len(demo.export("opening.opened"))
    assert opens(app)
    wait_until(lambda: len(demo.export("opening.opened")) == before + 1, what="the transit")
    event = last(demo, "opening.opened")
    marta = demo.api(MARTA)
    assert event["how"] == "legacy" and event["person"] == marta.person(demo.site(), ADA)["person"]
    assert event["gate"] == demo.gate(GATE)
    # Acknowledged like any opening: the gate need not tell it again.
    wait_until(lambda: all(row[3] for row in demo.journal("gate-car-park")), what="the acknowledgement")
    demo.verify()


def test_the_simulated_phone_does_the_same(demo, secret):
    ours = own(demo)
    words = ("simulate", "legacy-phone", "--data", demo.data, "--username", ours["username"], "open")
    opened = run(*words, GATE, input=ours["password"] + "\n")
    assert opened.returncode == 0 and opened.stdout.strip() == f"opened: {GATE} took the old badge", opened.stderr
    assert "told of no old gate" in run(*words, "Main entrance", input=ours["password"] + "\n").stderr
    wrong = run(*words, GATE, input="wrong\n")
    assert wrong.returncode != 0 and "do not belong together" in wrong.stderr


def test_it_opens_without_the_hub_and_tells_it_later(demo, app):
    wait_until(lambda: all(row[3] for row in demo.journal("gate-car-park")), what="what the gate did before, in the ledger")
    before = len(demo.export("opening.opened"))
    demo.stop("hub")
    assert opens(app)
    demo.start_again("hub")
    demo.wait_until_ready()
    wait_until(lambda: len(demo.export("opening.opened")) == before + 1, what="the transit")
    assert last(demo, "opening.opened")["how"] == "legacy"


def test_a_legacy_gate_takes_no_pass_and_a_pass_gate_no_badge(demo, app):
    done = demo.phone("--email", ADA, "refresh")
    assert done.returncode == 0 and done.stdout.startswith("1 passes"), done.stdout   # none for the old gate
    assert demo.phone("open", "Main entrance").returncode == 0
    reader = app.reader(GATE)
    # Bytes that would be a pass, at the old gate; and a badge, at the gate for passes.
    with app.air.connect(reader["serviceUUID"]) as gate:
        assert {str(one) for one in gate.discover()} == {reader["charKeyUUID"], reader["charBadgeUUID"]}
        gate.read(reader["charKeyUUID"])
        with pytest.raises(Refused):
            gate.write(reader["charBadgeUUID"], bytes(300))
    main = next(path for service, name, path in app.air.scan() if name == "Main entrance")
    with Peripheral(main) as gate:
        key_characteristic, badge_characteristic = gate.discover()
        nonce = gate.read(key_characteristic)
        gate.write(badge_characteristic, cipher(app.data["user"]["badgeCode"].encode(), nonce))
        receipt = gate.read(badge_characteristic)
        assert receipt[0] == 2 and receipt[1:3] == b"\0\1"   # refused, notValid


def test_a_link_from_before_the_change_is_no_way_round_it(demo, app):
    reader = app.reader(GATE)
    with app.air.connect(reader["serviceUUID"]) as old:
        key = old.read(reader["charKeyUUID"])
        set_mode(demo, "pass")
        wait_until(lambda: uuid.UUID(reader["serviceUUID"]) not in services(demo), what="the old gate out of the air")
        with pytest.raises(Refused):
            old.write(reader["charBadgeUUID"], cipher(app.data["user"]["badgeCode"].encode(), key))
    with pytest.raises(NotHere):
        app.open(reader)
    assert demo.phone("--email", ADA, "refresh").returncode == 0
    assert demo.phone("open", GATE).returncode == 0
    set_mode(demo, "legacy")
    wait_until(lambda: uuid.UUID(reader["serviceUUID"]) in services(demo), what="the old gate in the air")
    assert "not within reach" in demo.phone("open", GATE).stderr   # the pass from a moment ago
    assert opens(app)
    modes = [event["payload"] for event in demo.export("gate.mode.changed")][-2:]
    assert [(one["before"]["mode"], one["after"]["mode"]) for one in modes] == [("legacy", "pass"), ("pass", "legacy")]


def test_a_sniffed_write_gives_the_badge_away_and_a_new_badge_ends_it(demo, app):
    reader = app.reader(GATE)
    badge = app.data["user"]["badgeCode"].encode()
    before = len(demo.export("opening.refused"))
    with app.air.connect(reader["serviceUUID"]) as gate:
        key = gate.read(reader["charKeyUUID"])
        sniffed = cipher(badge, key)
        gate.write(reader["charBadgeUUID"], sniffed)
    # The same bytes again are of no use: the gate has another key by now.
    with app.air.connect(reader["serviceUUID"]) as gate:
        gate.read(reader["charKeyUUID"])
        with pytest.raises(Refused):
            gate.write(reader["charBadgeUUID"], sniffed)
    # But whoever heard both has the badge. That is what the screens say.
    stolen = cipher(sniffed, key)
    with app.air.connect(reader["serviceUUID"]) as gate:
        gate.write(reader["charBadgeUUID"], cipher(stolen, gate.read(reader["charKeyUUID"])))
    marta, site = demo.api(MARTA), demo.site()
    person = marta.person(site, ADA)["person"]
    assert marta.post(f"/api/sites/{site}/legacy/accounts/{person}/badge").status_code == 204
    wait_until(lambda: not opens(app), what="the refusal")
    wait_until(lambda: len(demo.export("opening.refused")) > before, what="the refusal in the ledger")
    refused = last(demo, "opening.refused")
    assert (refused["how"], refused["person"], refused["reason"]["code"]) == ("legacy", person, "expired")
    assert app.sign_in(**own(demo)) and app.data["user"]["badgeCode"].encode() != badge
    assert opens(app)


def test_what_was_taken_away_is_refused_within_moments(demo, app):
    marta, site = demo.api(MARTA), demo.site()
    row = marta.person(site, ADA)
    assert opens(app)
    assert marta.change_membership(site, row, role=None).status_code == 200
    wait_until(lambda: not opens(app), what="the refusal")
    assert marta.change_membership(site, row).status_code == 200
    wait_until(lambda: opens(app), what="the opening")
    assert demo.api(ADA).http.delete(f"/api/sites/{site}/legacy/own").status_code == 204
    wait_until(lambda: not opens(app), what="the refusal")
    username = app.data["user"]["username"]
    revoked = next(
        one for one in marta.ok(marta.get(f"/api/sites/{site}/legacy"))["accounts"] if one["username"] == username)
    assert revoked["revoked"]
    secret = own(demo)
    assert secret["username"] == username
    with LegacyClient(demo.url, app.air) as again:
        assert again.sign_in(**secret)
        wait_until(lambda: opens(again), what="the opening")


def test_what_is_no_badge_is_counted_and_never_written_down(demo, secret):
    with LegacyClient(demo.url, Air(demo.data / "air")) as app:
        assert app.sign_in(**own(demo))
        reader = app.reader(GATE)
        badge = app.data["user"]["badgeCode"].encode()
        events = len(demo.export("opening.refused"))

        def refused(make, reads=True):
            with app.air.connect(reader["serviceUUID"]) as gate:
                key = gate.read(reader["charKeyUUID"]) if reads else b"k"
                with pytest.raises(Refused) as refusal:
                    gate.write(reader["charBadgeUUID"], make(key))
                return refusal.value.code
        assert refused(lambda key: cipher(b"000001", key)) == 0x80      # the number that a badge shows is no code
        assert refused(lambda key: cipher(badge[:-1], key)) == 0x80
        assert refused(lambda key: cipher(badge, key)[::-1]) == 0x80
        assert refused(lambda key: b"") == 0x80
        assert refused(lambda key: badge) == 0x80                       # without the key
        assert refused(lambda key: badge, reads=False) == 0x80          # never having asked for one
        assert refused(lambda key: cipher(badge + b"A", key)) == 0x0d   # longer than any badge
        assert refused(lambda key: bytes(900)) == 0x0d
        # A key is good once, and not for another link.
        with app.air.connect(reader["serviceUUID"]) as one, app.air.connect(reader["serviceUUID"]) as two:
            key = one.read(reader["charKeyUUID"])
            two.read(reader["charKeyUUID"])
            with pytest.raises(Refused):
                two.write(reader["charBadgeUUID"], cipher(badge, key))
            one.write(reader["charBadgeUUID"], cipher(badge, key))
            with pytest.raises(Refused):
                one.write(reader["charBadgeUUID"], cipher(badge, key))
            with pytest.raises(Refused):
                one.read(reader["charBadgeUUID"])
            with pytest.raises(Refused):
                one.write(reader["charKeyUUID"], b"a key of mine")
        assert len(demo.export("opening.refused")) == events


def test_another_sites_badge_opens_nothing_here(demo, app):
    there = own(demo, CARLO, "Deposito Nord")
    with LegacyClient(demo.url, app.air) as other:
        assert other.sign_in(**there) and other.readers == []
        assert other.data["user"]["badgeCode"]
        assert not opens(other, app.reader(GATE))


def test_an_app_tells_its_badge_to_no_reader_that_gives_no_key(demo, folder):
    """A stranger's reader under the gate's own service: the client is ours, so it is ours to say no."""
    service, key, badge = (uuid.uuid4() for _ in range(3))
    listener = wire.socket.socket(wire.socket.AF_UNIX, wire.socket.SOCK_STREAM)
    listener.bind(str(folder / "fake.sock"))
    listener.listen(4)
    heard = []

    def serve():
        for _ in range(2):   # once for the scan, once to talk
            connection, _ = listener.accept()
            with connection:
                hello = service.bytes + b"\0" + b"fake"
                connection.sendall(b"\1" + len(hello).to_bytes(2, "big") + hello)
                while request := connection.recv(1024):
                    heard.append(request)
                    connection.sendall(bytes([wire.VALUE, 0, 0]) if request[0] == wire.READ else bytes([wire.WRITTEN, 0, 0]))
    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    with LegacyClient(demo.url, Air(folder)) as app:
        app.data = {"user": {"badgeCode": "7K2MQ0W9ZB4TXR5E1HVC"}}
        with pytest.raises(EmptyKey):
            app.open({"serviceUUID": str(service), "charKeyUUID": str(key), "charBadgeUUID": str(badge)})
    thread.join(5)
    listener.close()
    assert [request[0] for request in heard] == [wire.READ]


# MARK: on the screens

WARNING = "An old badge is not safe: whoever listens with a radio to one opening has that badge"


def test_a_manager_sets_a_gate_with_the_warning_beside_the_button_and_without_script(demo, chromium, secret):
    for script in (True, False):
        with chromium.visitor(demo.url, DESK, javascript=script) as visitor:
            visitor.sign_in(demo.account(MARTA)).go(f"/sites/{demo.site()}/people")
            page = visitor.page
            page.get_by_role("link", name="Old app and old gates").click()
            expect(page.get_by_text(WARNING)).to_be_visible()
            laboratory = page.locator("li.card", has_text="Laboratory")
            expect(laboratory).to_contain_text("takes passes")
            page.get_by_role("button", name="Make Laboratory an old gate").click()
            expect(laboratory).to_contain_text("old gate: takes old badges")
            page.get_by_role("button", name="Back to passes: Laboratory").click()
            expect(laboratory).to_contain_text("takes passes")
            page.get_by_role("button", name="Allow GET").click()
            expect(page.get_by_text("GET is allowed", exact=True)).to_be_visible()
            page.get_by_role("button", name="Allow POST only").click()
            expect(page.get_by_text("only POST is allowed")).to_be_visible()
            assert visitor.complaints == []


def test_a_password_is_shown_once_to_whom_it_is_for_and_to_the_manager_who_makes_it(demo, chromium, secret):
    with chromium.visitor(demo.url, PHONE) as ada:
        page = ada.sign_in(demo.account(ADA)).page
        page.get_by_role("link", name="Old app", exact=True).click()
        expect(page.get_by_text(WARNING)).to_have_count(0)   # only whoever sets gates is told how bad they are
        page.get_by_role("button", name="New password").click()
        made = {part: page.locator(f"[data-part={part}]").inner_text() for part in ("username", "password")}
        with LegacyClient(demo.url) as app:
            assert app.sign_in(**made)
        ada.go(f"/sites/{demo.site()}/old-app")
        expect(page.locator("[data-part=username]")).to_have_text(made["username"])
        expect(page.locator("[data-part=password]")).to_have_count(0)
        assert made["password"] not in page.content()
        page.get_by_role("button", name="New badge").click()
        expect(page.get_by_role("status").filter(has_text="The badge is a new one.")).to_be_visible()
        assert ada.complaints == []
    with chromium.visitor(demo.url, DESK, javascript=False) as marta:
        row = demo.api(MARTA).person(demo.site(), ADA)
        page = marta.sign_in(demo.account(MARTA)).page
        marta.go(f"/sites/{demo.site()}/people/{row['membership']}")
        page.get_by_role("button", name="New password").click()
        newer = page.locator("[data-part=password]").inner_text()
        with LegacyClient(demo.url) as app:
            assert not app.sign_in(**made)
            assert app.sign_in(made["username"], newer)
        page.get_by_role("button", name="Take away").click()
        expect(page.get_by_text("Taken away: neither the password nor the badge is good any more.")).to_be_visible()
        with LegacyClient(demo.url) as app:
            assert not app.sign_in(made["username"], newer)
        page.get_by_role("button", name="Make a password").click()
        assert len(page.locator("[data-part=password]").inner_text()) == 16


@pytest.mark.parametrize("language", ["en", "it", "es"])
def test_the_pages_hold_in_every_language_size_and_light(demo, chromium, secret, language):
    row = demo.api(MARTA).person(demo.site(), ADA)
    for size, scheme in ((PHONE, "light"), (PHONE, "dark"), (DESK, "light")):
        with chromium.visitor(demo.url, size, language, scheme) as visitor:
            visitor.sign_in(demo.account(MARTA))
            for path in (f"/sites/{demo.site()}/old-app", f"/sites/{demo.site()}/people/{row['membership']}"):
                visitor.go(path)
                assert not visitor.spills()
                assert visitor.axe() == []
            assert visitor.complaints == []


def test_the_log_says_that_it_was_an_old_badge(demo, chromium, secret):
    with LegacyClient(demo.url, Air(demo.data / "air")) as app:
        assert app.sign_in(**own(demo))
        wait_until(lambda: opens(app), what="the opening")
    with chromium.visitor(demo.url, DESK) as marta:
        marta.sign_in(demo.account(MARTA)).go(f"/sites/{demo.site()}/log")
        expect(marta.page.locator("tr", has_text="old badge, Bluetooth").first).to_contain_text("Ada Rossi")
