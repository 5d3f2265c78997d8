"""kill -9 at any moment: what was acknowledged is in the ledger, once; what was not is ended in words."""

import collections
import contextlib
import os
import random
import signal
import threading
import time

import httpx
import pytest

from api import Api
from demo import CARLO, MARTA, is_running, processes_of, wait_until
from patience import PATIENCE

SOAK = bool(os.environ.get("SOGLIA_SOAK"))
MOMENTS = 200 if SOAK else 10
GATES = {
    "Main entrance": "gate-main-entrance", "Car park": "gate-car-park", "Laboratory": "gate-laboratory", "Yard": "gate-yard",
}
# One person may ask one gate 30 times a minute.
PACE = 2.5
COLLEAGUES = 15
# The hub is where most can go wrong.
VICTIMS = ["hub"] * 4 + ["broker"] * 2 + list(GATES.values())


class Stream:
    """People who open gates all the time, through the hub and with their phones, and remember what they were told."""

    def __init__(self, demo, seed):
        self.demo = demo
        self.gates = {name: demo.gate(name) for name in GATES}
        carlo, others = demo.api(CARLO).token, self._colleagues()
        # Who may ask each gate, and when again.
        self.turns = {name: [[0.0, token] for token in [carlo] + (others if name != "Yard" else [])] for name in GATES}
        self.taking = threading.Lock()
        self.stopped = threading.Event()
        self.told = []                                  # (event, outcome) as the hub answered
        self.phone = collections.Counter()              # gate's name -> proven openings
        self.phone_uncertain = collections.Counter()    # gate's name -> the phone got no answer that proves anything
        self.unanswered = 0
        self.odd = []                                   # answers that nobody should ever get
        self.latest = dict.fromkeys(GATES, 0.0)         # when each gate was last opened through the hub
        self.threads = [
            threading.Thread(target=self._run, args=(self._through_the_hub, random.Random(f"{seed} hub {i}"), 0.03)) for i in range(2)
        ] + [threading.Thread(target=self._run, args=(self._with_the_phone, random.Random(f"{seed} phone"), 0.05))]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        for thread in self.threads:
            thread.join(PATIENCE)

    def _run(self, step, rng, pause):
        while not self.stopped.is_set():
            try:
                step(rng.choice(list(GATES)))
            except Exception as failure:   # told at the end, by the test
                self.odd.append(repr(failure))
            self.stopped.wait(pause * rng.uniform(0.2, 1.8))

    def _colleagues(self):
        """People who may open every gate of the factory, each signed in."""
        marta, site = self.demo.api(MARTA), self.demo.site()
        role = marta.person(site, CARLO)["role"]
        tokens = []
        for number in range(COLLEAGUES):
            email, password = f"colleague{number}@example.com", "a long enough one"
            marta.ok(marta.post(f"/api/sites/{site}/people", {
                "name": f"Colleague {number}", "email": email, "password": password, "permission": "member", "role": role}))
            tokens.append(Api(self.demo.url).sign_in(email, password).token)
        return tokens

    def _through_the_hub(self, name):
        started = time.monotonic()
        with self.taking:
            turn = min(self.turns[name])
            if turn[0] > started:
                return
            turn[0] = started + PACE
        token = turn[1]
        try:
            answer = httpx.post(
                f"{self.demo.url}/api/gates/{self.gates[name]}/open", json={}, timeout=10,
                headers={"Authorization": f"Bearer {token}", "Accept": "application/json"})
        except httpx.TransportError:
            self.unanswered += 1
            return
        if answer.status_code != 200:
            if answer.status_code != 503:
                self.odd.append(f"{answer.status_code} {answer.text[:200]}")
            return
        told = answer.json()
        self.told.append((told["eventID"], told["outcome"]))
        if told["outcome"] == "opened":
            self.latest[name] = started

    def _with_the_phone(self, name):
        done = self.demo.phone("open", name)
        if done.returncode == 0:
            self.phone[name] += 1
        elif "Fatal" in done.stderr or done.returncode < 0:
            self.odd.append(f"the phone ended with {done.returncode}: {done.stderr[-300:]}")
        elif "says" not in done.stderr:
            self.phone_uncertain[name] += 1


def kill(demo, name):
    """kill -9, of a process of this demo and of no other."""
    pid = wait_until(lambda: demo.pid(name), what=f"{name} runs")
    if pid in processes_of(demo.data):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return pid


def is_back(demo, name, pid):
    now = demo.pid(name)
    return now and now != pid and is_running(now)


@pytest.mark.timeout(9000 if SOAK else 400)   # after each kill everything has to be there again
def test_whatever_was_acknowledged_is_remembered_once_whoever_is_killed_and_when(demo, capsys):
    seed = int(os.environ.get("SOGLIA_SEED", random.randrange(1 << 32)))
    rng = random.Random(seed)
    refreshed = demo.phone("--email", CARLO, "refresh")
    assert refreshed.returncode == 0, refreshed.stderr
    started = time.monotonic()
    with capsys.disabled():
        print(f"\ncrashes: seed {seed} (SOGLIA_SEED repeats it), {MOMENTS} moments", flush=True)
    with Stream(demo, seed) as stream:
        for moment in range(1, MOMENTS + 1):
            time.sleep(rng.uniform(0.02, 0.6))   # at any moment
            victim = rng.choice(VICTIMS)
            pid = kill(demo, victim)
            killed = time.monotonic()
            wait_until(lambda: is_back(demo, victim, pid), what=f"{victim} (moment {moment}, seed {seed}) is back")
            wait_until(
                lambda: min(stream.latest.values()) > killed, 40,
                f"every gate opens again after {victim} was killed (moment {moment}, seed {seed})")
            if moment % 10 == 0:
                with capsys.disabled():
                    print(
                        f"crashes: {moment} of {MOMENTS} after {time.monotonic() - started:.0f} s, "
                        f"{len(stream.told)} answers, {stream.unanswered} cut off, {sum(stream.phone.values())} by phone", flush=True)
    check(demo, stream, seed)


def check(demo, stream, seed):
    wait_until(
        lambda: all(is_acknowledged for gate in GATES.values() for *_, is_acknowledged in demo.journal(gate)), 30,
        f"every record acknowledged (seed {seed})")

    def unended(events):
        ended = {event["payload"].get("opening") for event in events}
        return [event["id"] for event in events if event["kind"] == "opening.granted" and event["id"] not in ended]
    wait_until(lambda: not unended(demo.export()), what=f"an ending for every opening (seed {seed})")

    events = demo.export()
    opened = [event for event in events if event["kind"] == "opening.opened"]
    granted = {event["id"]: event for event in events if event["kind"] == "opening.granted"}
    of_opening = collections.Counter(event["payload"]["opening"] for event in opened if "opening" in event["payload"])
    where = f"(seed {seed})"

    # The hub's answers.
    acknowledged = [event for event, outcome in stream.told if outcome == "opened"]
    assert len(acknowledged) > MOMENTS and len(set(acknowledged)) == len(acknowledged)
    assert [event for event in acknowledged if of_opening[event] != 1] == [], f"acknowledged, and not there once {where}"
    assert [event for event, times in of_opening.items() if times != 1] == [], f"opened twice {where}"
    assert [event for event in of_opening if event not in granted] == [], f"opened without a decision {where}"
    for event in opened:
        if "opening" in event["payload"]:
            assert event["sequence"] > granted[event["payload"]["opening"]]["sequence"], f"told before it was decided {where}"
    refused = {event["payload"].get("opening") for event in events if event["kind"] == "opening.refused"}
    assert not refused & set(of_opening), f"opened and refused {where}"

    # The gates' journals.
    told = [
        (event["payload"]["gate"], event["payload"]["journal"], event["payload"]["sequence"]) for event in events
        if event["kind"] in ("opening.opened", "opening.refused")]
    assert len(told) == len(set(told)), f"one record twice {where}"
    kept = {
        (stream.gates[name], demo.journal_id(process), sequence)
        for name, process in GATES.items() for sequence, *_ in demo.journal(process)}
    assert kept == set(told), f"the journals and the ledger differ {where}"

    # The phones.
    by_phone = collections.Counter(event["payload"]["gate"] for event in opened if event["payload"]["how"] == "ble")
    for name, gate in stream.gates.items():
        proven, uncertain = stream.phone[name], stream.phone_uncertain[name]
        assert proven <= by_phone[gate] <= proven + uncertain, f"{name} by phone {where}"
    assert sum(stream.phone.values()) > MOMENTS / 4

    assert stream.odd == [], f"answers that nobody should get {where}"
    assert not any(event["kind"] == "gate.journal.replaced" for event in events), where
    demo.verify()


def test_a_token_outlives_a_crash_of_the_hub_and_a_folder_its_supervisor(demo):
    api = Api(demo.url).sign_in(CARLO, demo.password(CARLO))
    pid = kill(demo, "hub")
    wait_until(lambda: is_back(demo, "hub", pid), what="the hub")
    demo.wait_until_ready()
    assert api.open(demo.gate())["outcome"] == "opened"
    before = len(demo.export())

    # kill -9 of the supervisor itself: its children end with it, and the next one goes on where it was.
    demo.supervisor.process.kill()
    demo.supervisor.process.wait()
    wait_until(lambda: not processes_of(demo.data), what="the end of its children")
    demo.start()
    demo.wait_until_ready()
    assert api.open(demo.gate())["outcome"] == "opened"
    assert len(demo.export()) > before
    demo.verify()
    api.close()
