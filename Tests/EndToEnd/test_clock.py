"""The machine's clock jumps a day ahead and back while everything runs: nobody is locked out or let in by it, gates open, and what
happened stays in its order.

A library of our own stands between the program and the machine's clock (jumping_clock.c); time that never jumps is left as it is.
"""

import os
import struct
import subprocess
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from api import Api
from demo import BETWEEN_TAPS, CARLO, MARTA, Demo, short_folder, wait_until
from hub import OLGA, PASSWORD, Caller, Hub, Stream

DAY = 86_400


@pytest.fixture(scope="module")
def library():
    with short_folder() as folder:
        built = folder / "jumping_clock.so"
        source = Path(__file__).with_name("jumping_clock.c")
        subprocess.run(["gcc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", built, source], check=True)
        yield built


class Clock:
    """What the program takes for the machine's clock."""

    def __init__(self, folder, library):
        self.file = folder / "clock"
        self.file.write_bytes(bytes(8))
        self.environment = {"LD_PRELOAD": str(library), "CLOCK_JUMP_FILE": str(self.file)}

    def jump(self, days):
        """How far it is from the real one."""
        with self.file.open("r+b") as file:
            os.pwrite(file.fileno(), struct.pack("=q", days * DAY), 0)


@pytest.fixture
def clock(folder, library):
    return Clock(folder, library)


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


def test_sessions_end_by_the_clock_and_come_back_with_it(hub, clock):
    browser, program = hub.browser(), hub.program()
    today = date_of(hub)
    stream = Stream(hub, Cookie=f"soglia_session={browser.http.cookies['soglia_session']}").wait_for(b"event: hello")

    clock.jump(1)
    assert date_of(hub)[:10] > today[:10], "the clock has jumped for the hub"
    assert program.get("/api/sites").status_code == 401, "a program's day is over"
    assert browser.get("/api/sites").status_code == 200, "a browser's month is not"
    tomorrows = hub.program()

    clock.jump(0)
    assert program.get("/api/sites").status_code == 200, "nothing was taken away for good"
    assert tomorrows.get("/api/sites").status_code == 200
    assert browser.get("/api/sites").status_code == 200

    clock.jump(-1)
    for api in (browser, program, tomorrows):
        assert api.get("/api/sites").status_code == 200
    assert hub.program().get("/api/sites").status_code == 200
    assert not stream.has_ended and stream.read() and not stream.has_ended
    stream.close()


@pytest.mark.parametrize("jump", [1, -1])
def test_a_pause_after_wrong_passwords_is_as_long_as_it_is_whatever_the_clock_says(hub, clock, jump):
    device = hub.browser().http.cookies["soglia_device"]

    def attempt(password="wrong", **headers):
        caller = Caller(hub)
        answer = caller.sign_in(password=password, Origin=hub.url, **headers)
        caller.close()
        return answer

    assert [attempt().status for _ in range(11)] == [401] * 10 + [429]
    clock.jump(jump)
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
    for jump in (1, -1, 0):
        clock.jump(jump)
        after, longest = uptime()
        assert before <= after < before + 600
        assert longest < 600
        before = after


def test_a_hub_that_starts_with_a_wrong_clock_gets_over_it(folder, clock):
    clock.jump(-3650)
    with Hub(folder, environment=clock.environment) as hub:
        hub.first_run()
        browser = hub.browser()
        clock.jump(0)
        assert browser.get("/api/sites").status_code == 401, "that session has ended since"
        assert hub.program().get("/api/sites").status_code == 200
    with Hub(folder, name="again", environment=clock.environment) as hub:
        assert hub.program().get("/api/sites").status_code == 200


def test_gates_open_and_the_ledger_keeps_its_order_while_the_clock_jumps(folder, clock, monkeypatch):
    for name, value in clock.environment.items():
        monkeypatch.setenv(name, value)
    demo = Demo(folder)
    demo.start()
    try:
        demo.wait_until_ready()
        gate = demo.gate()

        def opens(what):
            # Somebody signs in anew where the jump ended a session.
            def once():
                program = Api(demo.url).sign_in(CARLO, demo.password(CARLO))
                answer = program.open(gate)
                program.close()
                return (answer["decision"], answer["outcome"]) == ("granted", "opened")
            wait_until(once, 60, what, pause=BETWEEN_TAPS)

        opens("an opening before")
        for jump in (1, 0, -1, 0):
            clock.jump(jump)
            opens(f"an opening after a jump to day {jump}")
        assert "hold" in demo.verify()
        marta = Api(demo.url).sign_in(MARTA, demo.password(MARTA))
        events = marta.events(demo.site())
        marta.close()
        sequences = [event["sequence"] for event in events]
        assert sequences == list(range(1, len(sequences) + 1)), "no gap, no step back"
        order = [event["kind"] for event in events if event["kind"] in ("opening.granted", "opening.opened")]
        assert order.count("opening.opened") >= 5
        for event in events:
            if event["kind"] == "opening.opened":
                assert event["payload"]["milliseconds"] < 60_000, "a duration is no difference of clocks"
    finally:
        for api in demo.apis.values():
            api.close()
        demo.apis.clear()
        demo.end()
