"""The bus's port for other machines: who holds it, who says nothing there, who takes nothing, and what is killed behind it."""

import contextlib
import os
import resource
import signal
import socket
import ssl
import threading

import pytest

from demo import short_folder
from patience import PATIENCE
from reach import LAN, Hub, end_gate, opens, paired_gate, start_gate, wait_until


@pytest.fixture(scope="module")
def hub():
    with short_folder() as folder:
        hub = Hub(folder).start()
        try:
            hub.first_run()
            yield hub
        finally:
            hub.end()


@pytest.fixture(scope="module")
def olga(hub):
    olga = hub.owner()
    yield olga
    olga.close()


@pytest.fixture(scope="module")
def cellar(hub, olga):
    with paired_gate(hub, olga, "Cellar") as holder:
        yield holder


def test_the_gate_comes_back_when_the_proxy_of_the_bus_is_killed(hub, olga, cellar):
    pid = hub.proxy_pid()
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: hub.proxy_pid() not in (None, pid), what="another proxy")
    wait_until(lambda: hub.state(olga, cellar["gate"]) == "ready", what="the gate")
    assert opens(hub, olga, cellar["gate"])


class Stranger:
    """Holds all the connections that it can get, and tops them up."""
    MOST = 2_400

    def __init__(self, target, address):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        self.target, self.address = target, address
        self.held, self.stopped = [], threading.Event()
        self.thread = threading.Thread(target=self._hold, daemon=True)
        self.thread.start()

    def _hold(self):
        while not self.stopped.wait(0.01):
            self.held = [one for one in self.held if self._is_open(one)]
            while len(self.held) < self.MOST and not self.stopped.is_set():
                one = socket.socket()
                one.bind((self.address, 0))
                one.settimeout(1)
                try:
                    one.connect(self.target)
                    one.setblocking(False)
                except OSError:
                    one.close()
                    break
                self.held.append(one)

    @staticmethod
    def _is_open(connection):
        try:
            if connection.recv(1) != b"":
                return True
        except BlockingIOError:
            return True
        except OSError:
            pass
        connection.close()
        return False

    def end(self):
        self.stopped.set()
        self.thread.join()
        for one in self.held:
            one.close()


def test_a_stranger_with_all_connections_keeps_no_gate_off_the_bus(hub, olga, cellar):
    stranger = Stranger((LAN, hub.bus_port), "127.0.0.77")
    try:
        wait_until(lambda: len(stranger.held) > 500, what="the stranger at work")
        end_gate(cellar["process"])
        cellar["process"] = start_gate(hub.folder, cellar["data"], f"{LAN}:{hub.bus_port}")
        assert opens(hub, olga, cellar["gate"])
    finally:
        stranger.end()


@pytest.mark.parametrize("said", [b"", b"\x10\x20\x00\x04MQTT\x04\xc2\x00\x3c", b"GET / HTTP/1.1\r\n\r\n", b"\x10\x80\x80\x20" + bytes(99)],
    ids=["nothing", "half", "http", "long"])
def test_who_does_not_come_in_is_sent_away(hub, said):
    """Mosquitto alone would keep each for a minute and a half."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection((LAN, hub.bus_port), PATIENCE) as plain, context.wrap_socket(plain) as connection:
        connection.settimeout(30)
        connection.sendall(said)
        assert connection.recv(1) == b""


def test_a_connection_that_takes_nothing_ends_when_the_broker_has_let_go_of_it(folder):
    """Mosquitto keeps one connection of a name; what HAProxy still had for the one before would be kept for days."""
    hub = Hub(folder).start()
    try:
        hub.first_run()
        olga = hub.owner()
        hold_what_nobody_takes(hub, olga)
        olga.close()
    finally:
        hub.end()


def hold_what_nobody_takes(hub, olga):
    house = olga.ok(olga.post("/api/houses", {"name": "Casa", "zone": "Europe/Rome", "street": "Via 1", "latitude": 45.5, "longitude": 9.2}))
    gateway = olga.ok(olga.post(f"/api/sites/{house['site']}/gateways", {"kind": "device", "name": "Stick"}))["id"]
    known = olga.ok(olga.post(f"/api/sites/{house['site']}/gateways/{gateway}/credentials", {}))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE

    def text(word):
        return len(word).to_bytes(2, "big") + word.encode()

    def packet(kind, body):
        length, left = b"", len(body)
        while left or not length:
            left, digit = divmod(left, 128)
            length += bytes([digit | (128 if left else 0)])
        return bytes([kind]) + length + body

    def connect():
        plain = socket.socket()
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        plain.settimeout(PATIENCE)
        plain.connect((LAN, hub.bus_port))
        one = context.wrap_socket(plain)
        one.sendall(packet(0x10, text("MQTT") + b"\x04\xc2\x00\x00" + text("") + text(known["username"]) + text(known["password"])))
        assert one.recv(4)[3] == 0
        return one

    def sockets():
        links = []
        for name in os.listdir(f"/proc/{hub.proxy_pid()}/fd"):
            with contextlib.suppress(OSError):
                links.append(os.readlink(f"/proc/{hub.proxy_pid()}/fd/{name}"))
        return sum(link.startswith("socket:") for link in links)

    before, held = sockets(), [connect()]
    try:
        for number in range(20):
            held[0].sendall(packet(0x31, text(f"{known['prefix']}{number}") + bytes(100_000)))
        for _ in range(6):
            held.append(connect())
            held[-1].sendall(packet(0x82, b"\x00\x01" + text(f"{known['prefix']}#") + b"\x00"))
        # The last one and its way to the broker: the others are closed on both sides.
        wait_until(lambda: sockets() <= before + 2, what="the end of what nobody takes")
    finally:
        for one in held:
            one.close()


def test_a_hub_whose_proxy_of_the_bus_does_not_start_is_ready_all_the_same_and_brings_it_as_soon_as_it_can(folder):
    hub = Hub(folder)
    with socket.create_server((LAN, hub.bus_port)) as another:
        hub.start()
        try:
            hub.first_run()
            wait_until(lambda: "other machines cannot reach the bus" in hub.said, what="the words")
            another.close()
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE

            def listens():
                with contextlib.suppress(OSError), socket.create_connection((LAN, hub.bus_port), PATIENCE) as plain:
                    with context.wrap_socket(plain) as connection:
                        return connection.version() is not None
                return False

            wait_until(listens, what="the proxy of the bus")
        finally:
            hub.end()
