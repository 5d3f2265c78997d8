"""A push service of our own on loopback, and the browsers that subscribed to it: it takes a message as those of browser
makers do, and opens it as a browser would."""

import contextlib
import json
import re
import secrets
import time
from dataclasses import dataclass

import jwt
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from demo import wait_until
from peer import Answer, Peer, decode, encode

# The longest body that a service must take (RFC 8030, section 7.2).
LONGEST = 4096
URGENCIES = ("very-low", "low", "normal", "high")
DAY = 86_400
CONTACT = re.compile(r"mailto:[^@\s<>]+@[\w.-]+\.\w+|https://[\w.-]+\.\w+(/\S*)?")


def public_bytes(private):
    return private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class Unreadable(Exception):
    """A message that a browser would drop."""


def decrypt(body, private, auth):
    """A message in the one record that RFC 8291 allows (section 4; the header is RFC 8188, section 2.1)."""
    salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20] if len(body) > 20 else 0
    sender, record = body[21:21 + length], body[21 + length:]
    if length != 65:
        raise Unreadable(f"the sender's key has {length} bytes")
    if size < 18 or len(record) > size:
        raise Unreadable(f"a record of {len(record)} bytes, where {size} were announced")

    def derive(salt, secret, info, size):
        return HKDF(SHA256(), size, salt, info).derive(secret)

    try:
        shared = private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        secret = derive(auth, shared, b"WebPush: info\0" + public_bytes(private) + sender, 32)
        key = derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derive(salt, secret, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\0")
    except (InvalidTag, ValueError) as error:
        raise Unreadable(repr(error)) from error
    if not padded.endswith(b"\x02"):
        raise Unreadable("the last record is not marked as the last")
    return padded[:-1]


@dataclass
class Message:
    """A message as a browser opened it, and what the service was told with it. `claims` are those of the sender's VAPID
    token, and `key` is who signed it. `sender_key` and `salt` must be new with each message."""

    data: bytes
    ttl: int
    urgency: str | None
    topic: str | None
    claims: dict
    key: str
    sender_key: bytes
    salt: bytes
    size: int

    @property
    def json(self):
        return json.loads(self.data)


class Subscription:
    """A browser's subscription. The endpoint's `name` is what `PushService.answering` wants."""

    def __init__(self, service, application_server_key=None, private=None, auth=None):
        self.service = service
        self.application_server_key = application_server_key
        self.private = private or ec.generate_private_key(ec.SECP256R1())
        self.auth = auth or secrets.token_bytes(16)
        self.name = f"push/{secrets.token_urlsafe(24)}"
        self.endpoint = f"{service.url}/{self.name}"
        self.messages = []
        self.taken = 0
        self.is_gone = False
        self.answer = None

    @property
    def json(self):
        """What a browser posts to the hub: `JSON.stringify(subscription)`."""
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": {
            "p256dh": encode(public_bytes(self.private)), "auth": encode(self.auth)}}

    def end(self):
        """Nobody is reached under it any more: 410, for good."""
        self.is_gone = True

    @contextlib.contextmanager
    def saying(self, status, retry_after=None):
        """Answers with a status: 404 or 410 gone, 413 too large, 429 too many, 500, 503…"""
        self.answer = Answer("", status, {} if retry_after is None else {"Retry-After": str(retry_after)})
        try:
            yield
        finally:
            self.answer = None

    def wait_for_message(self):
        """What the oldest message says that was not asked for before, from its JSON."""
        def find():
            assert not self.service.complaints, self.service.complaints
            return len(self.messages) > self.taken
        wait_until(find, what="a push message")
        self.taken += 1
        return self.messages[self.taken - 1].json

    @property
    def attempts(self):
        """How often the service was asked to deliver to it, the refused ones too."""
        return len(self.service.asked(self.name))


class PushService(Peer):
    """The service. What it refused, and what a browser could not read, is in `complaints`, in words."""

    def __init__(self, identity=None):
        super().__init__(identity)
        self.subscriptions = {}
        self.complaints = []

    def subscribe(self, application_server_key=None, **more):
        """A new subscription, for the sender with this public key (base64url) alone, or for any."""
        subscription = Subscription(self, application_server_key, **more)
        self.subscriptions[subscription.name] = subscription
        return subscription

    # MARK: what it answers

    def answer(self, name, request):
        subscription = self.subscriptions.get(name)
        if subscription is None:
            return Answer("", 404)
        if subscription.is_gone:
            return Answer("", 410)
        if subscription.answer:
            return subscription.answer
        try:
            self._check_headers(request)
            claims, key = self._check_sender(request, subscription)
        except _Refusal as refusal:
            self.complaints.append(refusal.words)
            return Answer({"reason": refusal.words}, refusal.status)
        try:
            data = decrypt(request.body, subscription.private, subscription.auth)
        except Unreadable as reason:
            # The service cannot know; only the browser does.
            self.complaints.append(f"not readable: {reason}")
        else:
            headers = request.headers
            subscription.messages.append(Message(
                data, int(headers["TTL"]), headers.get("Urgency"), headers.get("Topic"), claims, key,
                request.body[21:86], request.body[:16], len(request.body)))
        return Answer("", 201, {"Location": f"{self.url}/message/{secrets.token_urlsafe(12)}", "TTL": request.headers["TTL"]})

    @staticmethod
    def _check_headers(request):
        headers = request.headers
        if request.method != "POST":
            raise _Refusal(405, f"{request.method} is not POST")
        if not re.fullmatch(r"\d{1,10}", headers.get("TTL", "")):
            raise _Refusal(400, f"TTL is {headers.get('TTL')!r}")
        if headers.get("Content-Encoding") != "aes128gcm":
            raise _Refusal(415, f"Content-Encoding is {headers.get('Content-Encoding')!r}")
        if headers.get("Urgency", "normal") not in URGENCIES:
            raise _Refusal(400, f"Urgency is {headers['Urgency']!r}")
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,32}", headers.get("Topic", "t")):
            raise _Refusal(400, f"Topic is {headers['Topic']!r}")
        if len(request.body) > LONGEST:
            raise _Refusal(413, f"{len(request.body)} bytes")

    def _check_sender(self, request, subscription):
        """The claims of the sender's VAPID token (RFC 8292), and the key that signed it. As strict as the strictest of the
        services: Apple wants a real contact."""
        authorization = request.headers.get("Authorization", "")
        found = re.fullmatch(r"vapid t=([\w.-]+), ?k=([\w-]+)", authorization)
        if not found:
            raise _Refusal(401, f"Authorization is {authorization[:20]!r}")
        token, key = found.groups()
        if subscription.application_server_key not in (None, key):
            raise _Refusal(403, "another sender than the one subscribed to")
        try:
            public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(key))
            claims = jwt.decode(
                token, public, algorithms=["ES256"], audience=self.url, options={"require": ["aud", "exp", "sub"]})
        except (jwt.PyJWTError, ValueError) as error:
            raise _Refusal(403, f"the sender's token: {error!r}") from error
        if claims["aud"] != self.url:
            raise _Refusal(403, f"aud is {claims['aud']!r}")
        if claims["exp"] > time.time() + DAY:
            raise _Refusal(403, f"exp is {claims['exp'] - time.time():.0f} s away")
        contact = claims["sub"]
        if not CONTACT.fullmatch(contact) or contact.endswith(".invalid"):
            raise _Refusal(403, f"sub is {contact!r}")
        return claims, key


class _Refusal(Exception):
    def __init__(self, status, words):
        super().__init__(words)
        self.status, self.words = status, words
