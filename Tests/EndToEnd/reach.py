"""A hub in earnest that reaches the network: its authority, its owner, a stranger in the middle.

Other addresses of loopback stand for other machines.
"""

import contextlib
import os
import select
import socket
import ssl
import subprocess
import threading
from pathlib import Path

import pytest

from api import Api
from demo import BETWEEN_TAPS, PROGRAM, Process, run, wait_until
from patience import PATIENCE
from ports import free_port

LAN = "127.0.0.2"
PASSPHRASE = "a long walk by the river"
PASSWORD = "a threshold in the morning"
OLGA = "olga@example.com"


def openssl(*words, input=None):
    done = subprocess.run(["openssl", *map(str, words)], input=input, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    return done.stdout


def make_authority(data, names=f"hub.local,{LAN}"):
    done = run("admin", "ca", "--data", data, "--names", names, input=PASSPHRASE + "\n")
    assert done.returncode == 0, done.stderr
    return done.stdout


class Hub:
    """`soglia serve` over TLS on the address that stands for the network, with an authority of its own."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.data = self.folder / "d"
        self.authority = self.data / "tls/authority.pem"
        make_authority(self.data)
        self.port, self.bus_port = free_port(), free_port()
        self.trust_port = self.port + 1
        self.url = f"https://{LAN}:{self.port}"
        self.trust_url = f"http://{LAN}:{self.trust_port}"
        self.process = None
        self.starts = 0
        self.gates = []

    def start(self, *more):
        self.starts += 1
        self.process = Process(
            self.folder / f"out-{self.starts}", "serve", "--data", self.data, "--port", self.port, "--listen", LAN, "--tls",
            "--bus-listen", f"{LAN}:{self.bus_port}", *more)
        assert self.process.wait_until_ready() == self.url
        return self

    def end(self):
        assert self.process.end() == 0

    @property
    def said(self):
        return self.process.said

    @property
    def trusting(self):
        """What a program trusts that trusts this hub's authority alone."""
        return ssl.create_default_context(cafile=str(self.authority))

    def api(self, **more):
        return Api(self.url, verify=self.trusting, **more)

    def first_run(self):
        code = (self.data / "setup-code").read_text().strip()
        visitor = self.api(browser=True)
        answer = visitor.http.post("/first-run", data={
            "code": code, "name": "Olga Sarti", "email": OLGA, "password": PASSWORD, "site": "Casa Sarti",
            "timezone": "Europe/Rome",
        })
        assert answer.status_code == 303, answer.text
        visitor.close()

    def owner(self):
        return self.api().sign_in(OLGA, PASSWORD)

    def new_gate(self, olga, name):
        """A gate that the owner may open, beside those before it."""
        site = olga.sites()[0]["id"]
        gate = olga.ok(olga.post(f"/api/sites/{site}/gates", {"name": name, "policy": "doors"}))["id"]
        self.gates.append(gate)
        role = olga.ok(olga.post(f"/api/sites/{site}/roles", {"name": f"Keeper of {name}", "level": 3, "gates": self.gates}))["id"]
        assert olga.change_membership(site, olga.person(site, OLGA), role=role).status_code == 200
        return gate

    def code_for(self, olga, gate):
        return olga.ok(olga.post(f"/api/sites/{olga.sites()[0]['id']}/gates/{gate}/pairing"))["code"]

    def state(self, olga, gate):
        return next(one["state"] for one in olga.gates() if one["id"] == gate)

    def broker_pid(self):
        return self._pid_by("mosquitto.conf")

    def proxy_pid(self):
        return self._pid_by("haproxy.cfg")

    def _pid_by(self, settings):
        """A process of the bus, found by the file that it was started with."""
        wanted = str(self.data / "broker" / settings).encode()
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError):
                    if wanted in (entry / "cmdline").read_bytes():
                        return int(entry.name)
        return None


def start_gate(folder, data, hub, code=None):
    """A controller, which is told the code on its standard input when there is one."""
    output = Path(folder) / "gate-out"
    before = output.stat().st_size if output.exists() else 0
    words = ["gate", "--data", data, "--hub", hub] + (["--pair", "-"] if code else [])
    with output.open("ab") as file:
        process = subprocess.Popen(
            [PROGRAM, *map(str, words)], stdin=subprocess.PIPE, stdout=file, stderr=file)
    if code:
        process.stdin.write(code.encode() + b"\n")
    process.stdin.close()
    process.said = lambda: output.read_bytes()[before:].decode(errors="replace")
    return process


def end_gate(process):
    """Ends a controller that runs. One that has only just been started does not listen for its end yet."""
    wait_until(lambda: "ready" in process.said(), what="the controller")
    process.terminate()
    status = process.wait(PATIENCE)
    assert status == 0, (status, process.said())


@contextlib.contextmanager
def paired_gate(hub, olga, name):
    """A gate that was paired over TLS, with where it keeps what it knows; its process ends with the block, whichever it is then."""
    gate, data = hub.new_gate(olga, name), hub.folder / name.lower()
    process = start_gate(hub.folder, data, f"{LAN}:{hub.bus_port}", hub.code_for(olga, gate))
    holder = {"process": process, "gate": gate, "data": data}
    try:
        wait_until(lambda: hub.state(olga, gate) == "ready", what=f"the gate, which says {process.said()}")
        yield holder
    finally:
        end_gate(holder["process"])


def opens(hub, olga, gate):
    answers = []
    try:
        return wait_until(lambda: answers.append(olga.open(gate)) or answers[-1]["outcome"] == "opened", pause=BETWEEN_TAPS)
    except AssertionError:
        pytest.fail(f"no opening, but {answers[-1]}; the hub says {hub.said[-2000:]}")



class Relay:
    """Somebody in the middle, with a certificate of his own: takes TLS off on one side, puts it on on the other, and
    reads all that passes."""

    def __init__(self, folder, target):
        certificate, key = Path(folder) / "relay.pem", Path(folder) / "relay-key.pem"
        openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", 2, "-subj",
            "/O=Soglia/CN=Soglia bus", "-keyout", key, "-out", certificate)
        self.target = target
        self.read = bytearray()
        self.handshakes = 0
        self.server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.server.load_cert_chain(certificate, key)
        self.client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.client.check_hostname, self.client.verify_mode = False, ssl.CERT_NONE
        self.listener = socket.create_server(("127.0.0.3", 0))
        self.address = "127.0.0.3:%d" % self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self._accept, daemon=True)
        self.thread.start()

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join(5)

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._relay, args=(connection,), daemon=True).start()

    def _relay(self, connection):
        self.handshakes += 1
        with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
            near = stack.enter_context(self.server.wrap_socket(connection, server_side=True))
            far = stack.enter_context(self.client.wrap_socket(socket.create_connection(self.target, 5)))
            while True:
                ready = [one for one in (near, far) if one.pending()] or select.select([near, far], [], [], 30)[0]
                for one in ready:
                    data = one.recv(65_536)
                    if not data:
                        return
                    if one is near:
                        self.read += data
                    (far if one is near else near).sendall(data)


def browser_home(folder, authority):
    """The home of a person whose browser trusts an authority."""
    home = Path(folder) / "home"
    store = home / ".pki/nssdb"
    store.mkdir(parents=True)
    for words in (["-N", "--empty-password"], ["-A", "-t", "C,,", "-n", "soglia", "-i", str(authority)]):
        subprocess.run(["certutil", "-d", f"sql:{store}", *words], check=True, capture_output=True, timeout=60)
    return home


def mode(path):
    return os.stat(path).st_mode & 0o777


__all__ = [
    "Hub", "LAN", "OLGA", "PASSPHRASE", "PASSWORD", "Relay", "browser_home", "end_gate", "make_authority", "mode", "openssl",
    "start_gate", "wait_until",
]
