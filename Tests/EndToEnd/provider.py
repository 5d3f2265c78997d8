"""An OpenID provider of our own, for attacks: it signs in whoever a test chooses, at once, and everything that it says can
be made wrong while it runs."""

import base64
import contextlib
import hashlib
import hmac
import json
import secrets
import time
from dataclasses import dataclass
from urllib.parse import unquote_plus, urlencode

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from peer import Answer, Peer, decode, encode, redirect

# The shape of the endpoints: what the discovery document calls them, and where they are.
ENDPOINTS = {
    "authorization_endpoint": "authorize", "token_endpoint": "token", "userinfo_endpoint": "userinfo", "jwks_uri": "keys"}
STRANGER = "somebody-else"
ELSEWHERE = "https://accounts.example.org"


@dataclass
class Person:
    """Who is signed in. `email` may be missing."""

    subject: str = "248289761001"
    name: str = "Giulia Ferri"
    email: str | None = "giulia.ferri@example.com"
    email_verified: object = True


class Key:
    """A pair of keys with an id, RSA for RS256 or P-256 for ES256."""

    def __init__(self, algorithm):
        self.algorithm = algorithm
        self.id = secrets.token_hex(8)
        self.private = (
            rsa.generate_private_key(65_537, 2048) if algorithm == "RS256" else ec.generate_private_key(ec.SECP256R1()))

    @property
    def public(self):
        kind = jwt.algorithms.RSAAlgorithm if self.algorithm == "RS256" else jwt.algorithms.ECAlgorithm
        return kind.to_jwk(self.private.public_key(), as_dict=True) | {
            "kid": self.id, "alg": self.algorithm, "use": "sig"}

    def public_bytes(self, encoding):
        return self.private.public_key().public_bytes(encoding, PublicFormat.SubjectPublicKeyInfo)

    def sign(self, claims, algorithm=None, **header):
        return jwt.encode(claims, self.private, algorithm or self.algorithm, {"kid": self.id} | header)


def with_secret(key, claims, secret):
    """A token that is signed with HS256 and something that everybody knows."""
    parts = [encode(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT", "kid": key.id}, claims)]
    return ".".join([*parts, encode(hmac.digest(secret, ".".join(parts).encode(), "sha256"))])


def unsigned(key, claims, name="none", signature=""):
    parts = ({"alg": name, "typ": "JWT", "kid": key.id}, claims)
    return ".".join([*(encode(json.dumps(part).encode()) for part in parts), signature])


def tampered(token):
    """The same token for another person: its signature is that of the old one."""
    head, claims, signature = token.split(".")
    claims = json.loads(decode(claims))
    return ".".join([head, encode(json.dumps(claims | {"sub": STRANGER}).encode()), signature])


def without(claims, name):
    return {key: value for key, value in claims.items() if key != name}


def moved(claims, seconds):
    return claims | {name: claims[name] + seconds for name in ("iat", "exp")}


# What can be wrong with the claims of an ID token. A client must refuse each.
CLAIM_FAULTS = {
    "issuer": lambda claims: claims | {"iss": ELSEWHERE},
    "issuer with a slash": lambda claims: claims | {"iss": claims["iss"] + "/"},
    "no issuer": lambda claims: without(claims, "iss"),
    "audience": lambda claims: claims | {"aud": STRANGER},
    "audience of others": lambda claims: claims | {"aud": [STRANGER, "another"]},
    "extra audience": lambda claims: without(claims, "azp") | {"aud": [claims["aud"], STRANGER]},
    "authorized party": lambda claims: claims | {"aud": [claims["aud"], STRANGER], "azp": STRANGER},
    "no audience": lambda claims: without(claims, "aud"),
    "nonce": lambda claims: claims | {"nonce": secrets.token_urlsafe(24)},
    "no nonce": lambda claims: without(claims, "nonce"),
    "expired": lambda claims: moved(claims, -86_400),
    "no expiry": lambda claims: without(claims, "exp"),
    "expiry in words": lambda claims: claims | {"exp": "tomorrow"},
    "issued in the future": lambda claims: moved(claims, 86_400),
    "not valid yet": lambda claims: claims | {"nbf": claims["iat"] + 86_400},
    "no subject": lambda claims: without(claims, "sub"),
    "empty subject": lambda claims: claims | {"sub": ""},
    "long subject": lambda claims: claims | {"sub": "9" * 100_000},
}
# What can be wrong with its signature. A client must refuse each.
SIGNATURE_FAULTS = {
    "tampered": lambda key, claims: tampered(key.sign(claims)),
    "no signature": lambda key, claims: key.sign(claims).rpartition(".")[0] + ".",
    "another key": lambda key, claims: Key(key.algorithm).sign(claims, kid=key.id),
    "unknown kid": lambda key, claims: Key(key.algorithm).sign(claims),
    "own key in the header": lambda key, claims: (own := Key(key.algorithm)).sign(claims, jwk=own.public, kid=key.id),
    "alg none": lambda key, claims: unsigned(key, claims),
    "alg nOnE": lambda key, claims: unsigned(key, claims, "nOnE"),
    "alg none with a signature": lambda key, claims: unsigned(key, claims, "none", key.sign(claims).rpartition(".")[2]),
    "HS256 with the key's PEM": lambda key, claims: with_secret(key, claims, key.public_bytes(Encoding.PEM)),
    "HS256 with the key's DER": lambda key, claims: with_secret(key, claims, key.public_bytes(Encoding.DER)),
    "HS256 with the key's JWK": lambda key, claims: with_secret(key, claims, json.dumps(key.public).encode()),
    "HS256 with nothing": lambda key, claims: with_secret(key, claims, b""),
    "critical extension": lambda key, claims: key.sign(claims, crit=["exp-in-hours"], **{"exp-in-hours": 1}),
    "not a token": lambda key, claims: "eyJhbGciOiJSUzI1NiJ9.e30",
}
TOKEN_FAULTS = (*CLAIM_FAULTS, *SIGNATURE_FAULTS)
# What can be wrong with how a person comes back. A client must refuse each.
RETURN_FAULTS = {
    "denied": "error=access_denied, with HTML in its description",
    "old code": "a code that was used before",
    "unknown code": "a code that nobody made",
    "no code": "neither a code nor an error",
    "state": "another state",
    "no state": "none",
    "wrong iss": "another issuer in `iss` (RFC 9207)",
    "no iss": "none, though the discovery document promises it",
    "discovery issuer": "the discovery document is another issuer's",
    "userinfo of another": "userinfo speaks of another subject than the ID token",
}
FAULTS = (*TOKEN_FAULTS, *RETURN_FAULTS)
DENIED = "<script>alert('no')</script> <b>She said no</b>"


class Provider(Peer):
    """The provider with one client, who proves itself by a secret in the header or in the body.

    `person` is who is signed in. `algorithm` is `RS256` or `ES256`. `iss` is whether a person comes back with `iss`
    (RFC 9207). `max_age` is for how many seconds its keys may be kept; nothing is said with `None`. With `keys_grow` each
    look at the key set finds one more key.
    """

    client_id = "soglia"
    client_secret = "a secret: between & two + servers"

    def __init__(self, identity=None):
        super().__init__(identity)
        self.issuer = self.url
        self.discovery = f"{self.url}/.well-known/openid-configuration"
        self.person = Person()
        self.algorithm = "RS256"
        self.iss = True
        self.max_age = 3600
        self.keys_grow = False
        self.faults = set()
        self.codes, self.tokens = {}, {}
        self.old_code = None
        self.signing, self.spare_keys = {}, []
        self.rotate_keys()

    # MARK: what tests tell it

    @contextlib.contextmanager
    def wrong(self, *faults):
        """Lets some of the `FAULTS` happen."""
        assert set(faults) <= set(FAULTS), faults
        self.faults |= set(faults)
        try:
            yield
        finally:
            self.faults -= set(faults)

    def rotate_keys(self, keeps_old=False):
        """Signs with new keys. The old ones are gone from the key set, or stay in it a while."""
        self.spare_keys = list(self.signing.values()) if keeps_old else []
        self.signing = {algorithm: Key(algorithm) for algorithm in ("RS256", "ES256")}

    # MARK: what it answers

    def name_of(self, request):
        return "discovery" if request.path == "/.well-known/openid-configuration" else request.path.strip("/")

    def answer(self, name, request):
        answers = {
            "discovery": self._discovery, "keys": self._keys, "authorize": self._authorize, "token": self._token,
            "userinfo": self._userinfo}
        return answers[name](request) if name in answers else Answer("Nothing is here.", 404)

    def _discovery(self, request):
        issuer = ELSEWHERE if "discovery issuer" in self.faults else self.issuer
        return Answer({"issuer": issuer} | {name: f"{self.url}/{path}" for name, path in ENDPOINTS.items()} | {
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256", "ES256"], "scopes_supported": ["openid", "profile", "email"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
            "code_challenge_methods_supported": ["S256"], "authorization_response_iss_parameter_supported": self.iss})

    def _keys(self, request):
        if self.keys_grow:
            self.spare_keys.append(Key("ES256"))
        keys = [key.public for key in (*self.signing.values(), *self.spare_keys)]
        headers = {} if self.max_age is None else {"Cache-Control": f"public, max-age={self.max_age}"}
        return Answer({"keys": keys}, headers=headers)

    def _authorize(self, request):
        asked = request.query
        if asked.get("client_id") != self.client_id or asked.get("response_type") != "code" or not asked.get("redirect_uri"):
            return Answer("This client is not known here.", 400)
        code = secrets.token_urlsafe(24)
        self.codes[code] = (asked, self.person)
        back = {"code": code, "state": asked.get("state", "")}
        if self.iss and "no iss" not in self.faults:
            back["iss"] = ELSEWHERE if "wrong iss" in self.faults else self.issuer
        if "denied" in self.faults:
            back = {"error": "access_denied", "error_description": DENIED} | without(back, "code")
        if "old code" in self.faults:
            assert self.old_code, "a code must have been used before"
            back["code"] = self.old_code
        if "unknown code" in self.faults:
            back["code"] = secrets.token_urlsafe(24)
        if "no code" in self.faults:
            back = without(back, "code")
        if "state" in self.faults:
            back["state"] = secrets.token_urlsafe(24)
        if "no state" in self.faults:
            back = without(back, "state")
        return redirect(f"{asked['redirect_uri']}{'&' if '?' in asked['redirect_uri'] else '?'}{urlencode(back)}")

    def _token(self, request):
        if self.secret_of(request) != (self.client_id, self.client_secret):
            return Answer({"error": "invalid_client"}, 401, {"WWW-Authenticate": "Basic"})
        form = request.form
        asked, person = self.codes.pop(form.get("code"), (None, None))
        challenge = encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if (asked is None or form.get("grant_type") != "authorization_code"
                or form.get("redirect_uri") != asked["redirect_uri"]
                or challenge != asked.get("code_challenge") or asked.get("code_challenge_method") != "S256"):
            return Answer({"error": "invalid_grant"}, 400)
        self.old_code = form["code"]
        access = secrets.token_urlsafe(24)
        self.tokens[access] = person
        return Answer({
            "access_token": access, "token_type": "Bearer", "expires_in": 3600, "scope": asked.get("scope", ""),
            "id_token": self.id_token(person, asked.get("nonce"))}, headers={"Cache-Control": "no-store"})

    def _userinfo(self, request):
        person = self.tokens.get((request.headers.get("Authorization") or "").removeprefix("Bearer "))
        if person is None:
            return Answer({"error": "invalid_token"}, 401, {"WWW-Authenticate": "Bearer"})
        claims = self.claims_of(person)
        return Answer(claims | {"sub": STRANGER} if "userinfo of another" in self.faults else claims)

    # MARK: parts

    @staticmethod
    def secret_of(request):
        """The client's id and secret as it sent them, in the header (encoded as a form first: RFC 6749, section 2.3.1) or
        in the body."""
        kind, _, encoded = (request.headers.get("Authorization") or "").partition(" ")
        if kind == "Basic":
            name, _, secret = base64.b64decode(encoded).decode().partition(":")
            return unquote_plus(name), unquote_plus(secret)
        return request.form.get("client_id"), request.form.get("client_secret")

    def claims_of(self, person):
        claims = {"sub": person.subject, "name": person.name}
        return claims if person.email is None else claims | {"email": person.email, "email_verified": person.email_verified}

    def id_token(self, person, nonce):
        """The ID token for somebody, with the faults that are on."""
        now = int(time.time())
        claims = self.claims_of(person) | {
            "iss": self.issuer, "aud": self.client_id, "azp": self.client_id, "iat": now, "exp": now + 3600}
        if nonce is not None:
            claims["nonce"] = nonce
        key = self.signing[self.algorithm]
        for fault, change in CLAIM_FAULTS.items():
            if fault in self.faults:
                claims = change(claims)
        for fault, sign in SIGNATURE_FAULTS.items():
            if fault in self.faults:
                return sign(key, claims)
        return key.sign(claims)
