"""A mail server on loopback, aiosmtpd, which keeps what it is given, and can refuse, put off, hang and hang up."""

import asyncio
import contextlib
import email
import email.policy
import re
from dataclasses import dataclass
from email.message import EmailMessage

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from demo import wait_until
from ports import free_port

# Where a conversation can go wrong.
STAGES = ("hello", "recipient", "message")


@dataclass
class Received:
    """A message as it came: who sent it and to whom by the envelope, under which name the sender had signed in, and whether
    over TLS."""

    message: EmailMessage
    raw: bytes
    sender: str
    recipients: list
    login: str | None
    is_private: bool
    is_taken: bool = False


class PostOffice:
    """The server. `security` is `starttls` (nothing goes without it), `tls` from the first byte, or `none`, where it does
    not even offer it. With `login`, a name and a password, nobody posts without signing in. `asked` holds the recipients
    that were asked for, those refused too; `logins` who tried to sign in, how, and whether they could."""

    def __init__(self, identity=None, security=None, login=None, mechanisms=("LOGIN", "PLAIN")):
        self.identity = identity
        self.security = security or ("starttls" if identity else "none")
        self.login = login
        self.mechanisms = mechanisms
        self.port = free_port()
        self.received = []
        self.logins = []
        self.refused = set()
        self.put_off = {}
        self.asked = []
        self.faults = {}
        self.controller = None

    # MARK: its life

    def __enter__(self):
        self.come_up()
        return self

    def __exit__(self, *_):
        self.go_down()

    def come_up(self):
        context = None if self.security == "none" else self.identity.server_context()
        words = {
            "authenticator": self._sign_in, "auth_required": self.login is not None,
            "auth_require_tls": self.security != "none",
            "auth_exclude_mechanism": [name for name in ("LOGIN", "PLAIN") if name not in self.mechanisms]}
        if self.security == "starttls":
            words |= {"tls_context": context, "require_starttls": True}
        self.controller = Controller(
            self, hostname="127.0.0.1", port=self.port, ssl_context=context if self.security == "tls" else None,
            server_hostname="localhost", ident="Post office", **words)
        self.controller.start()

    def go_down(self):
        """Connections are refused after this, and those that wait are let go."""
        if self.controller:
            self.controller.stop()
            self.controller = None

    @contextlib.contextmanager
    def down(self):
        self.go_down()
        try:
            yield
        finally:
            self.come_up()

    # MARK: what tests tell it

    def refuse(self, address):
        """Says 550 to a recipient, for good."""
        self.refused.add(address)

    def put_off_times(self, address, times):
        """Says 451 to a recipient so many times, and then takes the message."""
        self.put_off[address] = times

    @contextlib.contextmanager
    def hanging(self, stage):
        """Stops answering at one of the `STAGES`. What was posted is not kept."""
        with self._fault(stage, self._hang):
            yield

    @contextlib.contextmanager
    def hanging_up(self, stage):
        """Ends the connection at one of the `STAGES`. What was posted is not kept."""
        with self._fault(stage, self._hang_up):
            yield

    # MARK: what tests ask it

    def wait_for(self, address, subject=""):
        """The oldest message to an address, with some words in its subject, that was not asked for before."""
        def find():
            for one in self.received:
                if not one.is_taken and address in one.recipients and subject in str(one.message["Subject"]):
                    one.is_taken = True
                    return one.message
        return wait_until(find, what=f"a message to {address} about {subject!r}, beside {self.subjects}")

    @property
    def subjects(self):
        return [(one.recipients, str(one.message["Subject"])) for one in self.received]

    # MARK: what aiosmtpd asks it

    async def handle_EHLO(self, server, session, envelope, name, answers):
        session.host_name = name
        await self._go_through("hello", server)
        return answers

    async def handle_RCPT(self, server, session, envelope, address, options):
        self.asked.append(address)
        await self._go_through("recipient", server)
        if address in self.refused:
            return "550 5.1.1 Nobody of that name is here"
        if self.put_off.get(address, 0) > 0:
            self.put_off[address] -= 1
            return "451 4.3.0 Try again later"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Fine"

    async def handle_DATA(self, server, session, envelope):
        await self._go_through("message", server)
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        self.received.append(Received(
            message, envelope.content, envelope.mail_from, list(envelope.rcpt_tos), session.auth_data,
            server.transport.get_extra_info("ssl_object") is not None))
        return "250 2.0.0 Kept"

    def _sign_in(self, server, session, envelope, mechanism, secret):
        name, password = secret.login.decode(), secret.password.decode()
        is_right = (name, password) == self.login
        self.logins.append((mechanism, name, is_right))
        return AuthResult(success=is_right, handled=False, auth_data=name)

    # MARK: faults

    @contextlib.contextmanager
    def _fault(self, stage, act):
        assert stage in STAGES, stage
        self.faults[stage] = act
        try:
            yield
        finally:
            del self.faults[stage]

    async def _go_through(self, stage, server):
        if stage in self.faults:
            await self.faults[stage](server)

    @staticmethod
    async def _hang(server):
        await asyncio.Event().wait()

    @staticmethod
    async def _hang_up(server):
        server.transport.abort()
        await asyncio.Event().wait()


def text_of(message):
    """The plain text of a message, its lines ended as ours are."""
    return message.get_body(("plain",)).get_content().replace("\r\n", "\n")


def link_in(message):
    """The first link in the text of a message."""
    found = re.search(r"https?://[^\s<>\"]+", text_of(message))
    assert found, text_of(message)
    return found.group()
