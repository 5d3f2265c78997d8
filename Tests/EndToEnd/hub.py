"""`soglia serve` alone, with one owner: what a real hub is on its first day."""

import contextlib
import hashlib
import http.client
import json
import os
import socket
import sqlite3
import subprocess
from pathlib import Path

from api import Api
from demo import PROGRAM, Process, wait_until
from patience import PATIENCE

OLGA = "olga@example.com"
PASSWORD = "a threshold in the morning"


class Hub(Process):
    """A hub in a folder of its own, on a free port."""

    def __init__(self, folder, *words, name="out", environment=None, command="serve"):
        self.folder = Path(folder)
        self.data = self.folder / "d"
        self.output = self.folder / name
        with self.output.open("ab") as file:
            self.process = subprocess.Popen(
                [PROGRAM, command, "--data", str(self.data), "--port", "0", *map(str, words)], stdin=subprocess.DEVNULL,
                stdout=file, stderr=file, env=os.environ | (environment or {}))
        try:
            self.url = self.wait_until_ready()
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise
        self.port = int(self.url.rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        status = self.end()
        assert status == 0, f"the hub ended with {status}: {self.said[-2000:]}"

    @property
    def pid(self):
        return self.process.pid

    def first_run(self):
        code = (self.data / "setup-code").read_text().strip()
        visitor = Api(self.url, browser=True)
        answer = visitor.http.post("/first-run", data={
            "code": code, "name": "Olga Sarti", "email": OLGA, "password": PASSWORD, "site": "Casa Sarti",
            "timezone": "Europe/Rome"})
        visitor.close()
        assert answer.status_code == 303, answer.text
        return code

    def program(self, email=OLGA, password=PASSWORD):
        return Api(self.url).sign_in(email, password)

    def browser(self, email=OLGA, password=PASSWORD):
        return Api(self.url, browser=True).sign_in(email, password)

    def age_proof(self, api):
        """Makes the proof of their session an hour old."""
        token = api.http.cookies["soglia_session"] if api.browser else api.token
        self.change("UPDATE sessions SET proven = proven - 3600000 WHERE hash = ?", hashlib.sha256(token.encode()).digest())
        return api

    def change(self, statement, *values):
        """Makes one row as if something had been otherwise: what takes a day in the world."""
        with contextlib.closing(sqlite3.connect(self.data / "soglia.sqlite", timeout=PATIENCE)) as database, database:
            assert database.execute(statement, values).rowcount == 1

    def resident(self):
        """Resident memory in bytes."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Caller:
    """One connection that stays open, from an address on loopback of one's choice."""

    def __init__(self, hub, address="127.0.0.1"):
        self.hub = hub
        self.connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=PATIENCE, source_address=(address, 0))

    def ask(self, method, path, body=None, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if isinstance(body, dict):
            body, headers["Content-Type"] = json.dumps(body), "application/json"
        self.connection.request(method, path, body, {"Host": f"localhost:{self.hub.port}"} | headers)
        answer = self.connection.getresponse()
        answer.text = answer.read().decode(errors="replace")
        return answer

    def sign_in(self, email=OLGA, password=PASSWORD, **headers):
        return self.ask("POST", "/api/session", {"email": email, "password": password}, **headers)

    def close(self):
        self.connection.close()


class Stream:
    """A live stream on a socket of its own: what came, and whether it has ended."""

    def __init__(self, hub, **headers):
        self.socket = socket.create_connection(("127.0.0.1", hub.port), timeout=PATIENCE)
        lines = [f"{name}: {value}" for name, value in headers.items()]
        head = "\r\n".join(["GET /api/live HTTP/1.1", f"Host: localhost:{hub.port}", *lines, "", ""])
        self.socket.sendall(head.encode())
        self.received = b""
        self.has_ended = False

    def read(self, seconds=0.2):
        """Reads what is there; answers all that came so far."""
        self.socket.settimeout(seconds)
        with contextlib.suppress(TimeoutError):
            while not self.has_ended:
                piece = self.socket.recv(65_536)
                # The end of a chunked answer, or of the connection.
                self.has_ended = not piece or (self.received + piece).endswith(b"\r\n0\r\n\r\n")
                self.received += piece
        return self.received

    def wait_for(self, words, seconds=PATIENCE):
        wait_until(lambda: words in self.read(), seconds, f"{words!r} on the stream")
        return self

    def wait_for_end(self, seconds=PATIENCE):
        wait_until(lambda: (self.read(), self.has_ended)[1], seconds, "the end of the stream")
        return self

    def close(self):
        self.socket.close()
