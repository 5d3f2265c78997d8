"""Who is on the bus can do nothing without a gate's key, and a gate that does not answer is told in words."""

import itertools
import re
import secrets
import threading
import time
from pathlib import Path

import pytest

import bus
from api import Api
from demo import ADA, CARLO, LUCIA, MARTA, standing_still, wait_until
from patience import PATIENCE

OPEN, RECORD, HELLO = 16, 2, 1


@pytest.fixture(scope="module")
def insider(demo):
    with bus.insider(demo) as client:
        assert client.subscribe("soglia/#")
        yield client


def topic(demo, end, gate="Main entrance"):
    return f"soglia/{demo.site()}/gates/{demo.gate(gate)}/{end}"


def flips(data, positions):
    """The same bytes with one bit of one byte turned, for each position."""
    for position in positions:
        spoilt = bytearray(data)
        spoilt[position] ^= 1
        yield bytes(spoilt)


def openings(demo):
    """What changes when a gate opens: its journal, and the ledger."""
    return len(demo.journal()), len(demo.export("opening.opened"))


def nothing_but_one_opening_since(demo, before, gate="Main entrance"):
    """The gate opens for who may open it; all that was sent before came before, since a broker keeps the order. Nothing of it did."""
    assert demo.api(ADA).open(demo.gate(gate))["outcome"] == "opened"
    assert openings(demo) == (before[0] + 1, before[1] + 1)


def colleagues(demo, team, count):
    """Programs of so many people who may open what Carlo may."""
    marta, site = demo.api(MARTA), demo.site()
    role, password = marta.person(site, CARLO)["role"], "a long enough one"
    found = []
    for number in range(count):
        email = f"{team}{number}@example.com"
        marta.ok(marta.post(f"/api/sites/{site}/people", {
            "name": f"Colleague {number}", "email": email, "password": password, "permission": "member", "role": role}))
        found.append(Api(demo.url).sign_in(email, password))
    return found


def captured_opening(demo, insider):
    """An opening as it went by on the bus."""
    before = len(insider.heard(topic(demo, "down"), OPEN))
    assert demo.api(ADA).open(demo.gate())["outcome"] == "opened"
    return wait_until(lambda: insider.heard(topic(demo, "down"), OPEN)[before:], what="the opening on the bus")[-1]


def test_a_stranger_cannot_come_onto_the_bus(demo):
    username = demo.file["broker"]["username"]
    gate, _ = bus.credentials(demo, "gate-yard")
    for name, password in [(None, None), ("", ""), (username, "wrong"), (username, ""), ("nobody", "x"), (gate, "0" * 64)]:
        with pytest.raises(bus.Refused):
            bus.Client(demo, name, password).close()


def test_a_gate_may_speak_and_hear_below_its_own_topics_only(demo, insider):
    demo.stop("gate-yard")   # whose name we take
    with bus.Client(demo, *bus.credentials(demo, "gate-yard")) as yard:
        other, control = topic(demo, ""), bus.CONTROL
        assert not yard.subscribe("#") and not yard.subscribe("soglia/#") and not yard.subscribe(other + "down")
        assert not yard.subscribe("$CONTROL/#") and not yard.subscribe("$SYS/#")
        heard = len(insider.messages)
        for end in ("hello", "up", "down"):
            yard.publish(other + end, b"not from here", retain=end == "hello")
        yard.publish(control, b'{"commands":[{"command":"listClients"}]}')
        yard.publish("soglia/pair/pair-0000000000000000/up", b"x")
        # What it may say comes after what it may not, if that came at all.
        own = topic(demo, "up", "Yard").replace(demo.site(), demo.site("Deposito Nord"))
        yard.publish(own, b"from here")
        wait_until(lambda: b"from here" in insider.heard(own), what="the yard's own word")
        assert b"not from here" not in [message.payload for message in insider.messages[heard:]]
    demo.start_again("gate-yard")
    demo.gate_is("ready", "Yard")


def test_an_opening_whose_bytes_were_changed_opens_nothing(demo, insider):
    message = captured_opening(demo, insider)
    before = openings(demo)
    down = topic(demo, "down")
    # The kind, the nonce, every field of the header, the opener's nonce, the intent, the tag; then cut and lengthened.
    for spoilt in flips(message, [0, 1, 9, 16, 17, 18, 19, 23, 39, 55, 63, 71, 79, 80, 81, 97, 99, len(message) - 1]):
        insider.publish(down, spoilt)
    for length in (0, 1, 17, len(message) - 1):
        insider.publish(down, message[:length])
    insider.publish(down, message + b"\0")
    insider.publish(down, bytes([OPEN]) + secrets.token_bytes(700))
    nothing_but_one_opening_since(demo, before)


def test_an_opening_that_was_overheard_opens_no_second_time(demo, insider):
    message = captured_opening(demo, insider)
    before = openings(demo)
    for retain in (False, False, True):
        insider.publish(topic(demo, "down"), message, retain=retain)
    nothing_but_one_opening_since(demo, before)
    before = openings(demo)
    # Neither at another gate, nor in a new session of this one, which even finds it retained.
    insider.publish(topic(demo, "down", "Car park"), message)
    demo.stop("gate-main-entrance")
    demo.gate_is("notReachable")   # else it is "ready" still, from before
    demo.start_again("gate-main-entrance")
    demo.gate_is("ready")
    insider.publish(topic(demo, "down"), message)
    nothing_but_one_opening_since(demo, before)
    assert demo.journal("gate-car-park") == []
    # The other gate has had its share too: it opens now, once.
    assert demo.api(CARLO).open(demo.gate("Car park"))["outcome"] == "opened"
    assert len(demo.journal("gate-car-park")) == 1
    insider.publish(topic(demo, "down"), b"", retain=True)


def test_a_record_that_no_gate_signed_is_not_written_down(demo, insider):
    captured_opening(demo, insider)
    up = topic(demo, "up")
    record = wait_until(lambda: insider.heard(up, RECORD), what="the record on the bus")[-1]
    before = openings(demo)
    insider.publish(up, record)   # again, as it was
    for spoilt in flips(record, [1, 10, 17, 20, 40, 60, 80, len(record) - 40, len(record) - 1]):
        insider.publish(up, spoilt)
    insider.publish(topic(demo, "up", "Car park"), record)
    insider.publish(f"soglia/{demo.site('Deposito Nord')}/gates/{demo.gate()}/up", record)
    insider.publish(f"soglia/{'0' * 32}/gates/{'0' * 32}/up", record)
    insider.publish("soglia/x/gates/y/up", record)
    nothing_but_one_opening_since(demo, before)
    demo.verify()


def test_a_hello_that_no_gate_signed_brings_no_gate_back(demo, insider):
    hello = topic(demo, "hello", "Yard")
    hello = hello.replace(demo.site(), demo.site("Deposito Nord"))
    message = wait_until(lambda: insider.heard(hello, HELLO), what="a hello of the yard")[-1]
    demo.stop("gate-yard")
    demo.gate_is("notReachable", "Yard")
    for spoilt in flips(message, [2, 9, 12, 20, 40, len(message) - 1]):
        insider.publish(hello, spoilt)
    nothing_but_one_opening_since(demo, openings(demo))
    assert demo.states()["Yard"] == "notReachable"
    insider.publish(hello, b"", retain=True)
    demo.start_again("gate-yard")
    demo.gate_is("ready", "Yard")


@pytest.mark.parametrize("end", ["hello", "up", "down"])
def test_retained_garbage_does_no_harm(demo, insider, end):
    before = len(demo.export())
    for garbage in (secrets.token_bytes(300), b'{"hello": true}', bytes([HELLO]) * 103, secrets.token_bytes(100_000)):
        insider.publish(topic(demo, end), garbage, retain=True)
    assert len(demo.export()) == before
    demo.stop("hub")
    demo.stop("gate-main-entrance")
    demo.start_again("hub")
    demo.start_again("gate-main-entrance")
    demo.wait_until_ready()
    assert demo.api(ADA).open(demo.gate())["outcome"] == "opened"
    if end != "hello":   # which its gate has overwritten
        insider.publish(topic(demo, end), b"", retain=True)


def test_a_flood_of_garbage_does_not_keep_gates_from_opening(demo, insider):
    up = topic(demo, "up")
    for _ in range(2000):
        insider.client.publish(up, secrets.token_bytes(64), qos=0)
    # It would be unconfirmed if the gate had not answered in time.
    assert demo.api(ADA).open(demo.gate())["outcome"] == "opened"


def memory(pid, at_its_most=False):
    """The memory that a process has, or has had at its most, in bytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"{'VmHWM' if at_its_most else 'VmRSS'}:\s+(\d+) kB", status).group(1)) << 10


class Greedy:
    """A device at a house, with credentials of its own."""

    def __init__(self, demo):
        self.demo, self.lucia = demo, demo.api(LUCIA)
        self.gateways = f"/api/sites/{demo.site('Casa Ferri')}/gateways"
        self.id = self.lucia.ok(self.lucia.post(self.gateways, {"kind": "device", "name": "Greedy"}))["id"]
        own = self.lucia.ok(self.lucia.post(f"{self.gateways}/{self.id}/credentials", {}))
        self.prefix, self.login = own["prefix"], (own["username"], own["password"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        assert self.lucia.delete(f"{self.gateways}/{self.id}").status_code == 204

    def client(self):
        return bus.Client(self.demo, *self.login)

    def is_heard(self, device):
        """Whether the hub hears what it says: it listens to a new gateway a moment after it was made."""
        def heard():
            device.publish(self.prefix + "here", b"1")
            gateways = self.lucia.ok(self.lucia.get(self.gateways))["items"]
            return next(one["heard"] for one in gateways if one["id"] == self.id)
        return wait_until(heard, what="the hub hearing the device")

    def is_shut_out(self):
        """Whether it may not come in, and its owner reads why."""
        with pytest.raises(bus.Refused):
            self.client()
        wait_until(lambda: [
            event for event in self.demo.export("home.gateway.shutOut") if event["payload"]["gateway"] == self.id], what="the event")
        return True

    def comes_back_to_nothing(self):
        """Whether its owner lets it back in, to a broker that has forgotten all that it sent."""
        assert self.lucia.ok(self.lucia.post(f"{self.gateways}/{self.id}/release", {}))["released"]

        def back():
            try:
                return self.client()
            except bus.Refused:
                return None
        with wait_until(back, what="the device let in again") as device:
            assert device.subscribe(self.prefix + "#")
            device.publish(self.prefix + "end", b"1")
            wait_until(lambda: device.heard(self.prefix + "end"), what="the end of what the broker keeps")
            return [message.topic for message in device.messages if message.retain] == []


@pytest.fixture
def greedy(demo):
    with Greedy(demo) as greedy:
        yield greedy


def test_a_device_says_nothing_beside_its_own_topics(demo, greedy, insider):
    own = [greedy.prefix + "a", greedy.prefix + "a/b/c", greedy.prefix + "end"]
    with greedy.client() as device:
        for topic in (greedy.prefix.removesuffix("/"), greedy.prefix.rsplit("/", 2)[0], greedy.prefix[:-2], *own):
            device.publish(topic, b"kept", retain=True)
        wait_until(lambda: insider.heard(own[-1]), what="its last word")
    assert {message.topic for message in insider.messages if message.payload == b"kept"} == set(own)


@pytest.mark.parametrize("count, size", [(1_500, 200_000), (12_000, 50_000)])
def test_a_device_that_fills_the_brokers_memory_is_shut_out_and_no_opening_is_lost(demo, greedy, count, size):
    gate, picture = demo.gate(), secrets.token_bytes(size)
    # One person asks one gate 30 times a minute.
    people = colleagues(demo, f"colleague{size}-", 8)
    with greedy.client() as device:
        turns = threading.Semaphore(1)

        def fill():
            for number in range(count):
                # No more than 10 MB between two openings: how much the broker holds does not depend on how busy the machine is.
                if number % (10_000_000 // size) == 0:
                    turns.acquire(timeout=PATIENCE)
                device.client.publish(f"{greedy.prefix}picture/{number}", picture, qos=0, retain=True)
        filling = threading.Thread(target=fill)
        filling.start()
        outcomes = []
        for _ in range(25):
            for one in people:
                outcomes.append(one.open(gate)["outcome"])
                turns.release()
        filling.join(PATIENCE)
        wait_until(lambda: not device.client.is_connected(), what="the end of the device's connection")
    assert outcomes == ["opened"] * 200
    assert memory(demo.pid("broker"), at_its_most=True) < 100 << 20
    assert greedy.is_shut_out()
    assert greedy.comes_back_to_nothing()


def test_what_a_device_sends_while_the_hub_stands_still_is_cleared_and_its_memory_given_back(demo, greedy):
    broker, picture = demo.pid("broker"), secrets.token_bytes(50_000)
    before = memory(broker)
    with greedy.client() as device:
        # Else nothing waits for the hub, and the broker holds no more than it keeps of one site, 32 MB.
        assert greedy.is_heard(device)
        with standing_still(demo.pid("hub")):
            numbers = itertools.count()

            def is_full():
                for number in itertools.islice(numbers, 500):
                    device.client.publish(f"{greedy.prefix}picture/{number}", picture, qos=0, retain=True)
                device.publish(greedy.prefix + "last", b"1")
                return memory(broker) > 100 << 20
            # Nobody counts while the hub stands still.
            wait_until(is_full, what="100 MB of one device in the broker")
        wait_until(lambda: not device.client.is_connected(), what="the end of the device's connection")
    assert greedy.is_shut_out()
    wait_until(lambda: memory(broker) < before + (30 << 20), what="the broker without what the device had sent")
    assert greedy.comes_back_to_nothing()
    assert demo.api(ADA).open(demo.gate())["outcome"] == "opened"


def test_a_controller_that_never_answers_is_unconfirmed_in_words(demo):
    before = len(demo.journal())
    with standing_still(demo.pid("gate-main-entrance")):
        answer = demo.api(ADA).open(demo.gate())
        assert (answer["decision"], answer["outcome"]) == ("granted", "unconfirmed")
        assert answer["reason"]["code"] == "noAnswer" and "look whether it is open" in answer["reason"]["text"]
        assert len(demo.journal()) == before, "a gate that stands still has written nothing"
        # No condition to wait for: the hub gives up after 2.8 s, and the opening is good for three, counted in whole ones.
        time.sleep(1.2)
    demo.gate_is("ready")
    assert demo.api(ADA).open(demo.gate())["outcome"] == "opened", "the next one opens"

    def endings():
        return [
            (event["kind"], event["payload"].get("reason", {}).get("code")) for event in demo.export()
            if event["payload"].get("opening") == answer["eventID"]]
    wait_until(lambda: len(endings()) == 2, what="the gate's own word")
    assert endings() == [("opening.unconfirmed", "noAnswer"), ("opening.refused", "expired")], "too late is not opened"
    demo.verify()


def test_a_controller_that_answers_late_is_still_told_apart(demo, insider):
    down = topic(demo, "down")
    before = len(insider.heard(down, OPEN))
    answered = []
    opener = threading.Thread(target=lambda: answered.append(demo.api(ADA).open(demo.gate())))
    with standing_still(demo.pid("gate-main-entrance")):
        opener.start()
        wait_until(lambda: insider.heard(down, OPEN)[before:], what="the opening on the bus")
        time.sleep(0.5)   # what makes it late
    opener.join(PATIENCE)
    assert answered[0]["outcome"] == "opened" and answered[0]["milliseconds"] >= 400


def test_a_hub_that_was_started_again_opens_at_once_although_gates_never_left_the_bus(demo):
    for _ in range(5):
        assert demo.api(ADA).open(demo.gate())["outcome"] == "opened"
    demo.stop("hub")
    demo.start_again("hub")
    demo.wait_until_ready()
    for _ in range(2):
        assert demo.api(ADA).open(demo.gate())["outcome"] == "opened"


def test_a_gate_that_was_silent_for_a_while_is_not_reachable_and_then_opens_again(demo):
    assert demo.api(ADA).open(demo.gate())["outcome"] == "opened"
    with standing_still(demo.pid("gate-main-entrance")):
        demo.gate_is("notReachable")
        assert demo.api(ADA).open(demo.gate())["reason"]["code"] == "notReachable"
    demo.gate_is("ready")
    assert demo.api(ADA).open(demo.gate())["outcome"] == "opened"


def test_a_gate_that_is_not_connected_is_denied_in_words_and_nothing_waits(demo):
    demo.stop("gate-main-entrance")
    demo.gate_is("notReachable")
    answer = demo.api(ADA).open(demo.gate())
    assert (answer["decision"], answer["outcome"], answer["reason"]["code"]) == ("denied", None, "notReachable")
    assert answer["reason"]["text"] == "the gate is not connected at the moment"
    demo.start_again("gate-main-entrance")
    demo.gate_is("ready")
    assert demo.api(ADA).open(demo.gate())["outcome"] == "opened"


def test_a_gate_that_is_stopped_says_goodbye_so_that_nobody_waits_for_it(demo, insider):
    hello = topic(demo, "hello")
    for _ in range(3):
        before = len(insider.heard(hello))
        demo.stop("gate-main-entrance")
        try:
            wait_until(lambda: b"" in insider.heard(hello)[before:], what="the goodbye")
            demo.gate_is("notReachable")
        finally:
            demo.start_again("gate-main-entrance")
        demo.gate_is("ready")


def test_gates_go_on_when_the_broker_was_away(demo):
    demo.stop("broker")
    demo.gate_is("notReachable")
    answer = demo.api(CARLO).open(demo.gate())
    assert answer["reason"]["code"] == "notReachable" and answer["outcome"] in (None, "unconfirmed")
    demo.start_again("broker")
    demo.wait_until_ready()
    assert demo.api(CARLO).open(demo.gate())["outcome"] == "opened"
