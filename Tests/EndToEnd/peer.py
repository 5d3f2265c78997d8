"""What the peers that we wrote have in common: a small HTTP server on loopback that writes down what it was asked, can be
told to misbehave, and can be gone and come back."""

import contextlib
import json
import re
import sys
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from http.client import HTTPMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from demo import wait_until
from patience import PATIENCE
from ports import free_port


def encode(data):
    """base64url without padding (RFC 7515, section 2)."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    """Its opposite, which takes nothing but it."""
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        raise ValueError("not base64url without padding")
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Request:
    """Something that was asked."""

    method: str
    path: str
    query: dict
    headers: HTTPMessage
    body: bytes

    @property
    def form(self):
        """The fields of a form in the body."""
        return dict(parse_qsl(self.body.decode(errors="replace"), keep_blank_values=True))


@dataclass
class Answer:
    """What is answered: text, bytes, or anything else as JSON."""

    body: object = b""
    status: int = 200
    headers: dict = field(default_factory=dict)

    @property
    def bytes(self):
        if isinstance(self.body, bytes):
            return self.body
        return self.body.encode() if isinstance(self.body, str) else json.dumps(self.body).encode()


def redirect(address, status=302):
    return Answer(status=status, headers={"Location": address})


# How a whole endpoint can misbehave, whatever it was asked.
MANNERS = {
    "huge": "64 MiB and more, as fast as they are read",
    "redirect": "a redirection to /elsewhere, which is written down like any other request",
    "slow": "nothing, for as long as the peer is up",
    "drip": "the head and then a byte each second, for as long as the peer is up",
    "cut": "half of what was promised, and then the end of the connection",
    "failing": "status 500 and a page in HTML",
    "not json": "status 200 and a page in HTML",
    "nested": "status 200 and JSON that is a hundred thousand arrays deep",
    "empty": "status 200 and nothing",
}
JSON = {"Content-Type": "application/json"}
PAGE = b"<!doctype html><title>Oops</title><script>alert(1)</script>"


class Peer:
    """A server on a port of its own. Subclasses say `name_of(request)`, the endpoint that a request is for, and
    `answer(name, request)`, what it is answered when nothing is wrong."""

    def __init__(self, identity=None):
        """With an identity (see `identity.py`) it speaks TLS."""
        self.port = free_port()
        self.identity = identity
        self.url = f"{'https' if identity else 'http'}://localhost:{self.port}"
        self.requests = []
        self.manners = {}
        self.server = None
        self.gone = threading.Event()

    # MARK: its life

    def __enter__(self):
        self.come_up()
        return self

    def __exit__(self, *_):
        self.go_down()

    def come_up(self):
        self.gone = threading.Event()
        self.server = _Server(("127.0.0.1", self.port), self)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    def go_down(self):
        """Connections are refused after this, and those that wait are let go."""
        if self.server is None:
            return
        self.gone.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(PATIENCE)
        self.server = None

    @contextlib.contextmanager
    def down(self):
        self.go_down()
        try:
            yield
        finally:
            self.come_up()

    # MARK: what tests tell it and ask it

    @contextlib.contextmanager
    def answering(self, name, manner):
        """Lets an endpoint misbehave in one of the `MANNERS`."""
        assert manner in MANNERS, manner
        self.manners[name] = manner
        try:
            yield
        finally:
            del self.manners[name]

    def asked(self, name):
        """The requests for one endpoint, oldest first."""
        return [request for request in self.requests if self.name_of(request) == name]

    def wait_until_asked(self, name, times=1):
        return wait_until(lambda: len(found := self.asked(name)) >= times and found, what=f"{times} requests for {name}")[-1]

    # MARK: what subclasses say

    def name_of(self, request):
        return request.path.strip("/")

    def answer(self, name, request):
        return Answer(status=404)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, address, peer):
        self.peer = peer
        super().__init__(address, _Handler)
        if peer.identity:
            # The handshake is made by the first read, which is in the connection's own thread.
            self.socket = peer.identity.server_context().wrap_socket(
                self.socket, server_side=True, do_handshake_on_connect=False)

    def handle_error(self, request, client_address):
        """Who asks may go away at any time; a mistake of ours is printed."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # One answer on each connection: a peer that is gone is not met on an old one.
    close_connection = True

    def log_message(self, *_):
        pass

    def _respond(self):
        self.close_connection = True
        address = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        request = Request(
            self.command, address.path, dict(parse_qsl(address.query, keep_blank_values=True)), self.headers,
            self.rfile.read(length))
        peer = self.server.peer
        peer.requests.append(request)
        name = peer.name_of(request)
        manner = peer.manners.get(name)
        if manner is None:
            self._send(peer.answer(name, request))
        else:
            getattr(self, "_" + manner.replace(" ", "_"))(peer, name, request)

    do_GET = do_POST = do_PUT = do_DELETE = _respond

    def _send(self, answer, length=None):
        body = answer.bytes
        kind = "application/json" if not isinstance(answer.body, (str, bytes)) else "text/html; charset=utf-8"
        self.send_response(answer.status)
        for header, value in ({"Content-Type": kind, "Connection": "close"} | answer.headers).items():
            self.send_header(header, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    # MARK: manners

    def _huge(self, peer, name, request):
        size, piece = 64 << 20, b" " * (1 << 16)
        self._send(Answer({"padding": ""}), length=size)
        for _ in range(size // len(piece)):
            self.wfile.write(piece)

    def _redirect(self, peer, name, request):
        self._send(redirect(f"{peer.url}/elsewhere"))

    def _slow(self, peer, name, request):
        peer.gone.wait()

    def _drip(self, peer, name, request):
        gone = peer.gone
        self._send(Answer(b"{", headers=JSON), length=1 << 16)
        while not gone.wait(1):
            self.wfile.write(b" ")

    def _cut(self, peer, name, request):
        body = peer.answer(name, request).bytes
        self._send(Answer(body[:len(body) // 2]), length=len(body))

    def _failing(self, peer, name, request):
        self._send(Answer(PAGE, 500))

    def _not_json(self, peer, name, request):
        self._send(Answer(PAGE))

    def _nested(self, peer, name, request):
        self._send(Answer(b"[" * 100_000 + b"]" * 100_000, headers=JSON))

    def _empty(self, peer, name, request):
        self._send(Answer(b"", headers=JSON))
