"""Whoever runs a hub sees how it is: its log, its figures, its doctor, its place among the machine's services. No secret is in any of it."""

import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import time

import pytest
from prometheus_client.parser import text_string_to_metric_families

from api import Api
from demo import PROGRAM, run, short_folder, wait_until
from hub import OLGA, PASSWORD, Caller, Hub, Stream
from raw import send


@pytest.fixture(scope="module")
def hub():
    with short_folder() as folder, Hub(folder) as hub:
        hub.first_run()
        yield hub


# MARK: the log

def lines(hub):
    return [line for line in hub.said.splitlines() if line.startswith("{")]


def test_as_json_every_line_of_the_log_is_one_object_with_the_same_fields(folder):
    with Hub(folder, "--log", "json", "--log-requests", "refusals") as hub:
        hub.first_run()
        caller = Caller(hub)
        for path in ("/api/gates", "/nothing", "/api/events?site=x", "/metrics/x"):
            caller.ask("GET", path)
        caller.close()
        wait_until(lambda: sum(" for GET " in line for line in lines(hub)) >= 4, what="the lines")
        for line in lines(hub):
            entry = json.loads(line)
            assert {"time", "level", "room", "message"} <= set(entry)
            assert entry["level"] in ("info", "warning", "failure")
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", entry["time"])
        assert any(json.loads(line)["message"] == "401 for GET /api/gates" for line in lines(hub))


def test_an_access_line_is_written_for_refusals_only_when_asked_for(folder):
    with Hub(folder) as hub:
        Caller(hub).ask("GET", "/api/gates")
        Caller(hub).ask("GET", "/api/health")
        assert " http: " not in hub.said
    assert run("serve", "--data", folder / "x", "--log", "xml").returncode == 2
    assert run("serve", "--data", folder / "x", "--log-requests", "all").returncode == 2


def test_no_secret_that_a_request_brings_is_in_the_log(folder):
    planted = {name: f"planted{name}{os.urandom(6).hex()}" for name in (
        "password", "token", "cookie", "query", "fragment", "path", "header", "body", "name", "device", "agent", "method")}
    with Hub(folder, "--log-requests", "refusals") as hub:
        code = hub.first_run()
        program, browser = hub.program(), hub.browser()
        secrets = [code, PASSWORD, OLGA, "Olga", "Sarti", program.token, *browser.http.cookies.values(),
                   (hub.data / "metrics-token").read_text().strip(), *planted.values()]
        caller = Caller(hub)
        caller.sign_in(f"{planted['name']}@example.com", planted["password"])
        caller.sign_in(OLGA, planted["password"])
        caller.sign_in(OLGA, PASSWORD, Origin="http://evil.example", Cookie=f"soglia_device={planted['device']}")
        caller.ask("GET", "/api/gates", Authorization=f"Bearer {planted['token']}")
        caller.ask("GET", "/metrics", Authorization=f"Bearer {planted['token']}")
        caller.ask("GET", "/api/gates", Cookie=f"soglia_session={planted['cookie']}")
        caller.ask("GET", f"/api/live?token={planted['query']}&after={planted['query']}")
        caller.ask("GET", f"/{planted['path']}/x?code={planted['query']}")
        caller.ask("GET", f"/api/gates/{planted['path']}")
        caller.ask("GET", "/api/events?site=" + planted["query"], Authorization=f"Bearer {program.token}")
        caller.ask("POST", "/api/session", planted["body"], Content_Type="application/json")
        caller.ask("POST", "/api/session", "{" + planted["body"], Content_Type="application/json")
        caller.ask("POST", "/api/session", planted["body"] * 2_000, Content_Type="text/plain")
        caller.ask("GET", "/", User_Agent=planted["agent"], Referer=planted["header"], X_Forwarded_For=planted["header"])
        caller.ask("PUT", "/api/password", {"current": planted["password"], "new": planted["body"]},
                   Authorization=f"Bearer {program.token}")
        caller.close()
        host = f"Host: localhost:{hub.port}\r\n"
        for data in (
            f"GET /x#{planted['fragment']} HTTP/1.1\r\n{host}\r\n", f"{planted['method']} / HTTP/1.1\r\n{host}\r\n",
            f"GET http://{planted['query']}/ HTTP/1.1\r\n{host}\r\n", f"GET / HTTP/1.1\r\nHost: {planted['header']}\r\n\r\n",
            f"GET / HTTP/1.1\r\n{host}X: {planted['header']}\x01\r\n\r\n", planted["body"] + "\r\n\r\n",
        ):
            send(hub.port, data.encode(), closes=False)
        visitor = Api(hub.url, browser=True)
        visitor.http.post("/sign-in", data={"email": planted["name"], "password": planted["password"]})
        visitor.http.post("/first-run", data={"code": planted["body"]})
        visitor.http.get("/sign-in", params={"return": "/" + planted["query"]})
        for api in (visitor, program, browser):
            api.close()
    said = hub.said
    assert "401 for POST /api/session" in said, "something was logged at all"
    for secret in secrets:
        assert secret not in said, f"{secret} is in the log"
    logs = [path for path in hub.data.rglob("*.log")]
    for path in logs:
        for secret in secrets:
            assert secret.encode() not in path.read_bytes(), path


def test_a_flood_of_one_trouble_is_counted_not_written(folder):
    with Hub(folder, "--log", "json", "--log-requests", "refusals") as hub:
        caller = Caller(hub)
        for _ in range(500):
            caller.ask("GET", "/api/gates")
        caller.close()
    entries = [json.loads(line) for line in lines(hub)]
    own = [entry for entry in entries if entry["message"] == "401 for GET /api/gates"]
    # One line a minute more, should 500 requests take that long.
    assert len(own) <= 100
    assert sum(int(entry.get("repeated", 1)) for entry in own) == 500, "and none is lost"


# MARK: the figures

def families(text):
    return {family.name: family for family in text_string_to_metric_families(text)}


def value(found, family, **labels):
    return sum(s.value for s in found[family].samples
               if not s.name.endswith(("_bucket", "_sum")) and labels.items() <= s.labels.items())


def test_the_figures_are_in_prometheus_own_form_and_tell_what_happened(hub):
    program, caller = hub.program(), Caller(hub)
    stream = Stream(hub, Authorization=f"Bearer {program.token}").wait_for(b"event: hello")

    def figures():
        answer = caller.ask("GET", "/metrics")
        assert answer.status == 200, answer.text
        assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        assert answer.text.endswith("\n")
        return families(answer.text), answer.text

    before, _ = figures()
    for _ in range(25):
        assert program.get("/api/gates").status_code == 200
    for _ in range(5):
        assert caller.ask("GET", "/api/gates").status == 401
    site = program.sites()[0]["id"]
    added = program.post(f"/api/sites/{site}/gates", {"name": "Front", "policy": "doors"})
    assert added.status_code == 201, added.text
    gate = added.json()["id"]
    assert program.post(f"/api/gates/{gate}/open").json()["decision"] == "denied"
    after, text = figures()

    def grew(family, **labels):
        return value(after, family, **labels) - value(before, family, **labels)

    assert grew("soglia_http_requests", route="/api/gates", status="2xx") == 25
    assert grew("soglia_http_requests", route="/api/gates", status="4xx") == 5
    assert grew("soglia_openings", outcome="denied") == 1
    assert grew("soglia_events", site_kind="company", kind="opening.denied") == 1
    assert grew("soglia_gates", state="notPaired") == 1
    assert value(after, "soglia_http_streams") == 1
    assert value(after, "soglia_bus_connected") == 1
    assert value(after, "soglia_resident_bytes") > 5 << 20
    assert value(after, "soglia_uptime_seconds") > 0
    for name, family in after.items():
        assert family.documentation and family.type in ("counter", "gauge", "histogram"), name
        if family.type != "histogram":
            continue
        # In each histogram the buckets never fall, and the last is the count.
        series = {}
        for sample in family.samples:
            key = tuple(sorted((k, v) for k, v in sample.labels.items() if k != "le"))
            series.setdefault(key, {}).setdefault(sample.name.rsplit("_", 1)[1], []).append((sample.labels.get("le"), sample.value))
        for key, parts in series.items():
            counts = [count for _, count in parts["bucket"]]
            assert counts == sorted(counts), (name, key)
            assert parts["bucket"][-1] == ("+Inf", parts["count"][0][1]), (name, key)
            bounds = [float(bound) for bound, _ in parts["bucket"]]
            assert bounds == sorted(bounds)
    samples = [(s.name, tuple(sorted(s.labels.items()))) for family in after.values() for s in family.samples]
    assert len(samples) == len(set(samples)), "no sample twice"
    for name in ("Casa Sarti", "Olga", OLGA, site, gate, "Front", program.token):
        assert name not in text, "figures name nobody"
    stream.close(), program.close(), caller.close()


def test_the_figures_are_for_this_machine_or_for_whoever_brings_the_token(hub):
    path = hub.data / "metrics-token"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    token = path.read_text().strip()
    assert len(token) == 43

    def status(**headers):
        caller = Caller(hub)
        answer = caller.ask("GET", "/metrics", **headers).status
        caller.close()
        return answer

    assert status() == 200
    for header in ("X_Forwarded_For", "Forwarded", "X_Real_IP", "Via", "X_Forwarded_Proto", "X_Forwarded_Host"):
        assert status(**{header: "192.0.2.1"}) == 401, f"what comes through a proxy is from elsewhere: {header}"
        assert status(**{header: "192.0.2.1", "Authorization": f"Bearer {token}"}) == 200
    for wrong in ("", "x", token[:-1], token + "A", token.swapcase(), hub.program().token):
        assert status(Authorization=f"Bearer {wrong}") == 401
    assert status(Authorization=f"Basic {token}") == 401
    assert status(Host="evil.example") == 421
    for answer in (Caller(hub).ask("POST", "/metrics", ""), Caller(hub).ask("DELETE", "/metrics")):
        assert answer.status == 405


def test_the_token_stays_over_a_restart_and_is_made_anew_when_it_is_taken_away(folder):
    tokens = []
    for name in ("one", "two", "three"):
        if name == "three":
            (folder / "d" / "metrics-token").unlink()
        with Hub(folder, name=name):
            tokens.append((folder / "d" / "metrics-token").read_text())
    assert tokens[0] == tokens[1] != tokens[2]


# MARK: the doctor

def doctor(*words):
    done = run("doctor", "--json", *words)
    report = json.loads(done.stdout)
    assert done.stderr == ""
    for finding in report["findings"]:
        assert set(finding) == {"name", "verdict", "words", "advice"}
        assert finding["words"] and (finding["advice"] or finding["verdict"] == "ok")
    worst = max((f["verdict"] for f in report["findings"]), key=["ok", "warn", "fail"].index)
    assert report["verdict"] == worst
    assert done.returncode == (1 if worst == "fail" else 0)
    return {verdict: [f for f in report["findings"] if f["verdict"] == verdict] for verdict in ("ok", "warn", "fail")}


def names(findings):
    return {finding["name"] for finding in findings}


def test_the_doctor_finds_nothing_to_fail_on_a_sound_hub_running_or_not(folder):
    assert doctor("--data", folder / "not yet")["fail"] == []
    assert not (folder / "not yet").exists(), "it changes nothing"
    with Hub(folder) as hub:
        hub.first_run()
        found = doctor("--data", hub.data, "--port", hub.port)
        assert found["fail"] == []
        assert any("a hub runs in" in f["words"] for f in found["ok"])
        assert {"broker", "time zones", "folder", "room", "tables", "bus", "port"} <= names(found["ok"])
        assert doctor("--port", hub.port)["warn"], "without a folder it knows no hub there"
    found = doctor("--data", hub.data)
    assert found["fail"] == [] and "tables" in names(found["ok"])


def test_the_doctor_says_in_words_what_is_wrong_and_what_to_do(folder):
    with Hub(folder):
        pass
    data = folder / "d"
    (data / "broker/identity.pem").chmod(0o644)
    found = doctor("--data", data)
    assert any("identity.pem" in f["words"] and f["advice"].startswith("chmod 600") for f in found["fail"])
    (data / "broker/identity.pem").chmod(0o600)

    data.chmod(0o755)
    assert any("chmod 700" in f["advice"] for f in doctor("--data", data)["warn"])
    data.chmod(0o700)

    (data / "broker" / "hub.json").rename(data / "kept")
    assert "bus" in names(doctor("--data", data)["fail"])
    (data / "kept").rename(data / "broker" / "hub.json")

    import sqlite3
    database = sqlite3.connect(data / "soglia.sqlite")
    database.execute("INSERT INTO migrations VALUES ('zzz.9')")
    database.commit()
    assert any("newer Soglia" in f["words"] for f in doctor("--data", data)["fail"])
    database.execute("DELETE FROM migrations WHERE name = 'zzz.9'")
    database.commit()
    database.close()
    assert doctor("--data", data)["fail"] == []

    (data / "soglia.sqlite").write_bytes(b"no database at all" * 100)
    assert "tables" in names(doctor("--data", data)["fail"])


def test_the_doctor_reads_when_a_certificate_ends(folder):
    tls = folder / "d" / "tls"
    tls.mkdir(parents=True, mode=0o700)
    (folder / "d").chmod(0o700)
    for days, verdict in ((400, "ok"), (10, "warn")):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=hub",
             "-days", str(days), "-keyout", str(tls / "leaf.key"), "-out", str(tls / "leaf.pem")],
            check=True, capture_output=True)
        (tls / "leaf.key").chmod(0o600)
        assert "certificate" in names(doctor("--data", folder / "d")[verdict])


def test_for_people_the_doctor_prints_lines_and_a_verdict(folder):
    done = run("doctor", "--data", folder)
    assert done.stdout.splitlines()[-1] in ("all is well", "a hub can run here; see the warnings")
    assert all(line.startswith(("ok ", "warn ", "fail ", "      ")) for line in done.stdout.splitlines()[:-1])
    assert run("doctor", "--unknown").returncode == 2


def test_what_needs_a_hub_says_how_to_make_one(folder):
    done = run("admin", "registration", "open", "--data", folder)
    assert done.returncode != 0 and f"Start it once first: soglia serve --data {folder}" in done.stderr, done.stderr


# MARK: systemd

def unit():
    done = run("admin", "unit", "--port", "8099")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_unit_is_one_that_systemd_takes_and_finds_safe(folder):
    text = unit()
    for line in ("Type=notify", "DynamicUser=yes", "StateDirectory=soglia", "ProtectSystem=strict", "NoNewPrivileges=yes",
                 "WatchdogSec=60"):
        assert line in text.splitlines()
    assert "--port 8099" in text and "--log json" in text
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not on this machine")
    path = folder / "soglia.service"
    path.write_text(text)
    verified = subprocess.run(["systemd-analyze", "verify", str(path)], capture_output=True, text=True, timeout=60)
    assert verified.returncode == 0 and verified.stderr == "", verified.stderr
    judged = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=20", str(path)],
        capture_output=True, text=True, timeout=60)
    assert judged.returncode == 0, judged.stdout[-400:]


def test_systemd_hears_that_the_hub_is_ready_alive_and_ending(folder):
    place = folder / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(place))
        manager.settimeout(30)
        hub = Hub(folder, environment={"NOTIFY_SOCKET": str(place), "WATCHDOG_USEC": "600000"})
        assert manager.recv(100) == b"READY=1"
        for _ in range(4):
            assert manager.recv(100) == b"WATCHDOG=1"
        assert hub.end(signal.SIGTERM) == 0
        heard = b"WATCHDOG=1"
        while heard == b"WATCHDOG=1":
            heard = manager.recv(100)
        assert heard == b"STOPPING=1"


def test_a_hub_that_stands_still_lets_the_watchdog_run_out(folder):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(folder / "notify"))
        manager.settimeout(30)
        hub = Hub(folder, environment={"NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": "600000"})
        assert manager.recv(100) == b"READY=1" and manager.recv(100) == b"WATCHDOG=1"
        # Somebody holds the database's write lock: requests would be answered, and nothing could be remembered.
        import sqlite3
        database = sqlite3.connect(hub.data / "soglia.sqlite", isolation_level=None)
        database.execute("BEGIN IMMEDIATE")
        quiet = None
        for _ in range(20):
            manager.settimeout(2.5)
            try:
                manager.recv(100)
            except TimeoutError:
                quiet = True
                break
        database.execute("ROLLBACK")
        database.close()
        assert quiet, "it said that all is well while nothing could be written"
        manager.settimeout(30)
        assert manager.recv(100) == b"WATCHDOG=1", "and says so again once it is"
        assert hub.end() == 0


# MARK: at rest

def test_at_rest_a_hub_is_small_and_there_at_once(folder):
    """Measured and printed; `soglia bench idle` measures it in earnest, on the release build."""
    begin = time.monotonic()
    with Hub(folder) as hub:
        ready = time.monotonic() - begin
        time.sleep(1)   # at rest is when nothing has happened for a while
        resident = hub.resident()
        print(f"ready after {ready * 1000:.0f} ms, {resident / (1 << 20):.0f} MB resident, {PROGRAM}")
        assert resident < 200 << 20, "far above anything that it should be"


@pytest.mark.parametrize("words, says", [
    ([], "admin takes one of verify, export, backup FILE"), (["backup"], "it is: admin backup FILE"),
    (["registration"], "it is: admin registration open|closed"), (["erase"], "there is no admin erase: it is verify, export")])
def test_a_command_that_is_not_whole_is_told_what_it_lacks(words, says):
    done = run("admin", *words)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith(says) and done.stderr.endswith("soglia admin --help lists what it takes\n"), done.stderr
