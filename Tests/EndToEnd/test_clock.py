"""The machine's clock jumps, by minutes, by days and by years, while everything runs and over a restart: nobody is locked out or let in by
it, gates open, boxes obey, nothing is deleted, and what happened stays in its order. Who knows better says that the clock is right."""

import contextlib
import json
import sqlite3

import pytest
from playwright.sync_api import expect
from prometheus_client.parser import text_string_to_metric_families

from browser import PHONE
from demo import BETWEEN_TAPS, CARLO, LUCIA, MARTA, Demo, run, wait_until
from hub import OLGA, PASSWORD, Caller, Hub, Stream
from jumping import DAY, Clock
from patience import PATIENCE

JUMPS = (150, -150, 300 * DAY, -300 * DAY, 1_100 * DAY, -1_100 * DAY)


@pytest.fixture
def clock(folder):
    return Clock(folder)


@pytest.fixture
def hub(folder, clock):
    with Hub(folder, environment=clock.environment) as hub:
        hub.first_run()
        yield hub


def date_of(hub):
    program = hub.program()
    own = next(one for one in program.get("/api/sessions").json()["items"] if one["isCurrent"])
    program.close()
    return own["created"]


def doubt(api):
    return api.ok(api.get("/api/clock"))["doubt"]


def test_a_jump_ends_nothing_until_an_owner_says_that_the_clock_is_right(hub, clock):
    browser, program = hub.browser(), hub.program()
    today = date_of(hub)
    stream = Stream(hub, Cookie=f"soglia_session={browser.http.cookies['soglia_session']}").wait_for(b"event: hello")
    assert doubt(program) is None

    clock.jump(DAY)
    told = program.ok(program.get("/api/clock"))
    assert told["doubt"] == "jumped" and told["time"][:10] == today[:10] < told["machine"][:10]
    assert date_of(hub)[:10] == today[:10], "the clock has not jumped for the hub"
    wait_until(
        lambda: "clockInDoubt" in program.get("/api/health").json()["troubles"], what="the hub's health")
    assert program.get("/api/sites").status_code == browser.get("/api/sites").status_code == 200
    wait_until(
        lambda: [one["title"] for one in program.get("/api/notices").json()["items"]] == ["The hub’s clock needs you"],
        what="the notice")

    # Only with a fresh proof.
    stale = hub.age_proof(hub.browser())
    assert stale.post("/api/clock/confirm", {"ahead": told["ahead"]}).status_code == 403
    # And only the time that they saw.
    for other in (-2**63, 2**63 - 1, 0):
        assert browser.post("/api/clock/confirm", {"ahead": other}).status_code == 409
    assert browser.post("/api/clock/confirm", {"ahead": told["ahead"] - 90}).status_code == 409
    assert browser.ok(browser.post("/api/clock/confirm", {"ahead": told["ahead"]}))["doubt"] is None
    assert date_of(hub)[:10] > today[:10], "now it has"
    assert program.get("/api/sites").status_code == 401, "a program's day is over"
    assert browser.get("/api/sites").status_code == 200, "a browser's month is not"
    tomorrows = hub.program()

    def told_of_the_clock():
        log = [json.loads(line) for line in run("admin", "export", "--data", hub.data).stdout.splitlines()]
        return [one["kind"].removeprefix("hub.clock.") for one in log if one["kind"].startswith("hub.clock.")]
    # The hub looks at its clock once a second, and says then that it believes it.
    wait_until(lambda: told_of_the_clock() == ["doubted", "confirmed", "believed"], what="what happened to the clock, in the log")

    clock.jump(0)
    assert doubt(tomorrows) == "jumped"
    clock.confirm(hub.data)
    wait_until(lambda: doubt(tomorrows) is None, what="the word from the machine itself")
    wait_until(lambda: "clockInDoubt" not in program.get("/api/health").json()["troubles"], what="the hub, well again")
    assert program.get("/api/sites").status_code == 200, "nothing was taken away for good"
    assert tomorrows.get("/api/sites").status_code == browser.get("/api/sites").status_code == 200

    clock.jump(-DAY)
    for api in (browser, program, tomorrows):
        assert api.get("/api/sites").status_code == 200
    assert hub.program().get("/api/sites").status_code == 200
    assert not stream.has_ended and stream.read() and not stream.has_ended
    stream.close()


def test_the_page_of_the_clock_says_what_to_do_and_takes_an_owners_word(hub, clock, chromium):
    clock.jump(300 * DAY)
    with chromium.visitor(hub.url, PHONE) as phone:
        phone.sign_in({"email": OLGA, "password": PASSWORD})
        for language, title in (("en", "The hub’s clock"), ("it", "L’orologio dell’hub"), ("es", "El reloj del hub")):
            phone.go("/clock")
            phone.page.click(f"footer button[value={language}]")
            expect(phone.page.locator("h1")).to_have_text(title)
            assert phone.axe() == [] and not phone.spills()
        phone.page.click("main form[action='/clock'] button[type=submit]")
        phone.page.wait_for_url(lambda url: "confirmed=1" in url or "/sign-in" in url)
        assert phone.complaints == []
    # By the time that was confirmed that session is over.
    api = hub.browser()
    assert doubt(api) is None and api.ok(api.get("/api/clock"))["ahead"] == 0


@pytest.mark.parametrize("jump", [DAY, -DAY])
def test_a_pause_after_wrong_passwords_is_as_long_as_it_is_whatever_the_clock_says(hub, clock, jump):
    device = hub.browser().http.cookies["soglia_device"]

    def attempt(password="wrong", **headers):
        caller = Caller(hub)
        answer = caller.sign_in(password=password, Origin=hub.url, **headers)
        caller.close()
        return answer

    assert [attempt().status for _ in range(11)] == [401] * 10 + [429]
    clock.jump(jump)
    clock.confirm(hub.data)
    answer = attempt(PASSWORD)
    assert answer.status == 429, "a jump opens nothing"
    assert 0 < int(answer.headers["Retry-After"]) <= 600, "and closes nothing for longer"
    assert attempt(PASSWORD, Cookie=f"soglia_device={device}").status == 201, "a known device stays known"


def test_uptime_and_figures_do_not_jump(hub, clock):
    def uptime():
        caller = Caller(hub)
        text = caller.ask("GET", "/metrics").text
        caller.close()
        families = {family.name: family for family in text_string_to_metric_families(text)}
        durations = families["soglia_http_request_duration_seconds"].samples
        longest = max((s.value for s in durations if s.name.endswith("_sum")), default=0)
        return families["soglia_uptime_seconds"].samples[0].value, longest

    before, _ = uptime()
    for jump in (DAY, -DAY, 0):
        clock.jump(jump)
        after, longest = uptime()
        assert before <= after < before + 600
        assert longest < 600
        before = after


def test_a_hub_that_starts_with_a_clock_that_was_never_set_gets_over_it(folder, clock):
    clock.jump(-3650 * DAY)
    with Hub(folder, environment=clock.environment) as hub:
        hub.first_run()
        browser = hub.browser()
        assert doubt(browser) == "neverSet"
        clock.jump(0)
        assert browser.get("/api/sites").status_code == 401, "that session has ended since"
        program = hub.program()
        assert program.get("/api/sites").status_code == 200 and doubt(program) is None
    with Hub(folder, name="again", environment=clock.environment) as hub:
        assert hub.program().get("/api/sites").status_code == 200


class Everything:
    """The demo on a machine whose clock jumps; phones have clocks of their own."""

    def __init__(self, folder, clock, monkeypatch):
        self.demo, self.clock = Demo(folder), clock
        with monkeypatch.context() as patch:
            for name, value in clock.environment.items():
                patch.setenv(name, value)
            self.demo.start()

    def __enter__(self):
        self.demo.wait_until_ready()
        self.house = self.demo.site("Casa Ferri")
        self.panel = f"/api/sites/{self.house}/alarm-panel"
        return self

    def __exit__(self, *_):
        self.demo.end()

    def opens(self, what):
        """Through the hub."""
        gate = self.demo.gate()

        def once():
            answer = self.demo.api(CARLO).open(gate)
            return (answer["decision"], answer["outcome"]) == ("granted", "opened")
        wait_until(once, 60, what, pause=BETWEEN_TAPS)

    def rows(self, statement):
        with contextlib.closing(sqlite3.connect(self.demo.data / "soglia.sqlite", timeout=PATIENCE)) as database:
            return database.execute(statement).fetchall()

    def kept(self):
        """How much there is of what has an age."""
        tables = ("event_payloads", "openings", "transits", "home_samples", "home_r5m", "home_r1h", "home_r1d", "outbox", "sessions")
        return {table: self.rows(f"SELECT count(*) FROM {table}")[0][0] for table in tables}

    def obeys(self, what):
        """The house is disarmed, and its box stands as it does and refuses nothing."""
        api = self.demo.api(LUCIA)

        def stands():
            panel = api.ok(api.get(self.panel))
            return panel["refused"] == [] and not panel["isDegraded"]
        assert api.post(f"{self.panel}/arm", {"mode": "home"}).status_code == 200
        assert api.post(f"{self.panel}/disarm").status_code == 200
        wait_until(stands, what=what)


@pytest.fixture
def everything(folder, clock, monkeypatch):
    with Everything(folder, clock, monkeypatch) as everything:
        yield everything


def test_everything_goes_on_while_the_clock_jumps(everything, clock):
    demo = everything.demo
    marta, carlo = demo.api(MARTA), demo.api(CARLO)
    site = demo.site()
    everything.opens("an opening before")
    assert demo.phone("refresh").returncode == 0
    before = everything.kept()

    def written(kind):
        return everything.rows(f"SELECT count(*) FROM events WHERE kind = 'hub.clock.{kind}'")[0][0]
    for number, jump in enumerate(JUMPS, 1):
        clock.jump(jump)
        assert doubt(marta) == "jumped", f"after {jump} s"
        wait_until(lambda: written("doubted") == number, what=f"the doubt after {jump} s, in the log")
        # Whoever has a pass opens, also at the gate itself; new ones are not made.
        assert demo.phone("open", "Main entrance").returncode == 0
        answer = carlo.post(f"/api/sites/{site}/passes")
        assert (answer.status_code, answer.json()["type"].rsplit("/", 1)[-1]) == (503, "clock-in-doubt"), answer.text
        everything.opens(f"an opening after a jump of {jump} s")
        everything.obeys(f"the box after a jump of {jump} s")
        clock.jump(0)
        assert doubt(marta) is None, f"after {jump} s and back"
        wait_until(lambda: written("believed") == number, what=f"the end of the doubt after {jump} s, in the log")
        assert carlo.post(f"/api/sites/{site}/passes").status_code == 200
    after = everything.kept()
    assert all(after[table] >= count for table, count in before.items()), (before, after)
    assert "hold" in demo.verify()
    events = marta.events(site)
    sequences = [event["sequence"] for event in events]
    assert sequences == list(range(1, len(sequences) + 1)), "no gap, no step back"
    assert [event["at"] for event in events] == sorted(event["at"] for event in events), "time went on"
    for event in events:
        if event["kind"] == "opening.opened" and "milliseconds" in event["payload"]:
            assert event["payload"]["milliseconds"] < 60_000, "a duration is no difference of clocks"


@pytest.mark.parametrize("jump", [1_100 * DAY, -300 * DAY])
def test_a_hub_that_starts_with_a_clock_that_has_jumped_deletes_nothing(everything, clock, jump):
    demo = everything.demo
    everything.opens("an opening before")
    marta = demo.api(MARTA)
    before = everything.kept()
    demo.stop("hub")
    clock.jump(jump)
    demo.start_again("hub")
    demo.wait_until_ready()
    assert doubt(marta) == "jumped"
    everything.opens("an opening after the start")
    after = everything.kept()
    assert all(after[table] >= count for table, count in before.items()), (before, after)
    clock.jump(0)
    wait_until(lambda: doubt(marta) is None, what="the end of the doubt")
    everything.obeys("the box after it")


def test_a_box_that_starts_while_the_clock_is_doubted_obeys(everything, clock):
    demo = everything.demo
    marta = demo.api(MARTA)
    clock.jump(300 * DAY)
    assert doubt(marta) == "jumped"
    box = next(name for name in demo.file["processes"] if "box" in name or "home" in name)
    demo.stop(box)
    demo.start_again(box)
    lucia = demo.api(LUCIA)

    def is_there():
        gateways = lucia.ok(lucia.get(f"/api/sites/{everything.house}/gateways"))["items"]
        return all(one["isThere"] for one in gateways if one["kind"] == "box")
    wait_until(is_there, what="the box, started anew")
    everything.obeys("the box, in the doubt")


def test_gates_and_boxes_that_were_led_ahead_find_back_within_a_minute(everything, clock):
    demo = everything.demo
    marta, carlo = demo.api(MARTA), demo.api(CARLO)
    site, gate = demo.site(), demo.gate()

    def offset():
        health = next(one for one in marta.ok(marta.get(f"/api/sites/{site}/gates"))["items"] if one["id"] == gate)["health"]
        return health and health["clockOffsetSeconds"]
    wait_until(lambda: offset() is not None, what="a gate that tells the time")
    # Somebody is wrong, and says that a clock is right that is 300 days ahead.
    clock.jump(300 * DAY)
    clock.confirm(demo.data)
    wait_until(lambda: marta.get("/api/sites").status_code == 401, what="the hub's belief, by which all sessions are over")
    for api in demo.apis.values():
        api.close()
    demo.apis.clear()
    marta, carlo = demo.api(MARTA), demo.api(CARLO)
    wait_until(lambda: offset() is not None and abs(offset()) <= 10, 60, "the gate, led ahead")
    ahead = carlo.ok(carlo.post(f"/api/sites/{site}/passes"))["items"]
    assert ahead
    # It is put right, and somebody says so.
    clock.jump(0)
    clock.confirm(demo.data)
    marta, carlo = demo.api(MARTA), demo.api(CARLO)
    wait_until(lambda: doubt(marta) is None, what="the hub's belief in the right clock")
    wait_until(lambda: offset() is not None and abs(offset()) <= 10, 60, "the gate, back")
    assert demo.phone("refresh").returncode == 0
    wait_until(lambda: demo.phone("open", "Main entrance").returncode == 0, what="an opening at the gate")
    everything.obeys("the box, back")
    # What was made ahead of time is denied where it would have opened.
    ended = everything.rows("SELECT count(*) FROM passes p JOIN denied_passes d ON d.pass = p.id AND d.gate = p.gate")[0][0]
    assert ended >= len(ahead)
