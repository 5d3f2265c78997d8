"""Authenticators: the one that Chromium plays for a page, and one of our own that can lie."""

import base64
import hashlib
import json
import os

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def data(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Authenticator:
    """A phone's own authenticator, played by Chromium: its person's face is right until told otherwise."""

    def __init__(self, visitor, **options):
        self.cdp = visitor.context.new_cdp_session(visitor.page)
        self.cdp.send("WebAuthn.enable")
        self.id = self.cdp.send("WebAuthn.addVirtualAuthenticator", {"options": {
            "protocol": "ctap2", "ctap2Version": "ctap2_1", "transport": "internal", "hasResidentKey": True,
            "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
            "defaultBackupEligibility": True, "defaultBackupState": True} | options})["authenticatorId"]

    def sees(self, is_its_person):
        self.cdp.send("WebAuthn.setUserVerified", {"authenticatorId": self.id, "isUserVerified": is_its_person})

    def credentials(self):
        return self.cdp.send("WebAuthn.getCredentials", {"authenticatorId": self.id})["credentials"]


class Liar:
    """An authenticator and a browser in one, which says whatever the test wants. Written after the specification, not after ours."""

    def __init__(self, origin):
        self.origin, self.party = origin, "localhost"
        self.key, self.id, self.counter = ec.generate_private_key(ec.SECP256R1()), os.urandom(16), 0
        self.user = None

    def client(self, kind, challenge, **changes):
        return json.dumps({
            "type": f"webauthn.{kind}", "challenge": challenge, "origin": self.origin, "crossOrigin": False} | changes,
            separators=(",", ":")).encode()

    def says(self, flags, party=None, credential=b""):
        self.counter += 1
        return (hashlib.sha256((party or self.party).encode()).digest() + bytes([flags])
                + self.counter.to_bytes(4, "big") + credential)

    def register(self, options, name="A liar", **changes):
        self.user = data(options["user"]["id"])
        point = self.key.public_key().public_numbers()
        key = (bytes.fromhex("a5010203262001215820") + point.x.to_bytes(32, "big") + bytes.fromhex("225820")
               + point.y.to_bytes(32, "big"))
        says = self.says(0x45, credential=bytes(16) + len(self.id).to_bytes(2, "big") + self.id + key)
        attestation = (b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58" + bytes([len(says)]) + says)
        return {"name": name, "id": text(self.id), "response": {
            "clientDataJSON": text(self.client("create", options["challenge"], **changes)),
            "attestationObject": text(attestation), "transports": ["internal"]}}

    def show(self, options, flags=0x05, party=None, user=None, key=None, **changes):
        says = self.says(flags, party)
        client = self.client("get", options["challenge"], **changes)
        signature = (key or self.key).sign(says + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return {"id": text(self.id), "response": {
            "clientDataJSON": text(client), "authenticatorData": text(says), "signature": text(signature),
            "userHandle": text(user or self.user)}}
