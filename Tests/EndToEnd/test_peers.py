"""The peers that a hub is tested with, without a hub: what they are asked here is asked by other people's libraries."""

import base64
import hashlib
import hmac
import itertools
import json
import secrets
import socket
from urllib.parse import quote_plus, urlencode

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import glewlwyd
from demo import short_folder
from facebook import FORGERIES, Facebook
from identity import Identity
from peer import MANNERS, Answer, Peer
from provider import CLAIM_FAULTS, SIGNATURE_FAULTS, Person, Provider


class Client(Peer):
    """A client of an OpenID provider, on a port of its own: it sends people there and hears them come back."""

    def __init__(self):
        super().__init__()
        self.heard = None
        self.redirect_uri = f"{self.url}/back"

    def answer(self, name, request):
        if name == "back":
            self.heard = request.query
        return Answer("")

    def discover(self, provider):
        self.provider = provider
        self.known = httpx.get(provider.discovery).raise_for_status().json()
        return self

    def address(self, **more):
        """Where a person is sent to sign in."""
        self.state, self.nonce, self.verifier = (secrets.token_urlsafe(48) for _ in range(3))
        challenge = base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).rstrip(b"=").decode()
        return f"{self.known['authorization_endpoint']}?" + urlencode({
            "response_type": "code", "client_id": self.provider.client_id, "redirect_uri": self.redirect_uri,
            "scope": "openid profile email", "state": self.state, "nonce": self.nonce, "code_challenge": challenge,
            "code_challenge_method": "S256"} | more)

    def sign_in(self):
        """Goes there and back where nobody is asked anything."""
        self.heard = None
        assert httpx.get(self.address(), follow_redirects=True).is_success
        return self.heard

    def redeem(self, in_body=False, **more):
        """Changes the code for tokens; the secret goes in the header or in the body."""
        form = {"grant_type": "authorization_code", "code": self.heard["code"], "redirect_uri": self.redirect_uri,
                "code_verifier": self.verifier}
        name, secret = self.provider.client_id, self.provider.client_secret
        if in_body:
            form |= {"client_id": name, "client_secret": secret}
        auth = None if in_body else (quote_plus(name), quote_plus(secret))
        return httpx.post(self.known["token_endpoint"], data=form | more, auth=auth)

    def keys(self):
        return jwt.PyJWKSet.from_dict(httpx.get(self.known["jwks_uri"]).raise_for_status().json())

    def check(self, token):
        """What an ID token says, once its signature and all that it must say are right."""
        key = self.keys()[jwt.get_unverified_header(token)["kid"]]
        claims = jwt.decode(
            token, key, algorithms=["RS256", "ES256"], audience=self.provider.client_id, issuer=self.provider.issuer,
            options={"require": ["exp", "iat", "sub", "nonce"]})
        assert claims["nonce"] == self.nonce
        return claims


@pytest.fixture
def client():
    with Client() as client:
        yield client


# MARK: Glewlwyd


@pytest.fixture(scope="module")
def debian():
    with short_folder() as folder, glewlwyd.Provider(folder) as provider:
        yield provider


def test_glewlwyd_signs_a_person_in_on_its_own_pages(debian, client, chromium):
    debian.allow(client.redirect_uri)
    client.discover(debian)
    with chromium.visitor(debian.url) as giulia:
        for in_body in (False, True):
            giulia.go(client.address())
            debian.sign_in_in(giulia.page)
            assert client.heard["state"] == client.state and client.heard["iss"] == debian.issuer
            tokens = client.redeem(in_body).json()
            claims = client.check(tokens["id_token"])
            assert (claims["name"], claims["email"], claims["email_verified"]) == (debian.name, debian.email, True)
            again = client.redeem(in_body)
            assert again.is_client_error and "id_token" not in again.text
            bearer = {"Authorization": f"Bearer {tokens['access_token']}"}
            assert httpx.get(client.known["userinfo_endpoint"], headers=bearer).status_code == 401, "revoked with its code"


def test_glewlwyd_wants_the_secret_and_the_verifier(debian, client, chromium):
    debian.allow(client.redirect_uri)
    client.discover(debian)
    with chromium.visitor(debian.url) as giulia:
        giulia.go(client.address())
        debian.sign_in_in(giulia.page)
        assert client.redeem(code_verifier="v" * 64).is_client_error
        assert client.redeem(in_body=True, client_secret="another").is_client_error
        assert client.redeem().is_success


def test_glewlwyd_changes_its_key(debian, client, chromium):
    debian.allow(client.redirect_uri)
    client.discover(debian)
    before = {key.key_id for key in client.keys().keys}
    debian.rotate_key()
    assert before.isdisjoint(key.key_id for key in client.keys().keys)
    with chromium.visitor(debian.url) as giulia:
        giulia.go(client.address())
        debian.sign_in_in(giulia.page)
        assert client.check(client.redeem().json()["id_token"])["email"] == debian.email


def test_glewlwyd_stops_and_comes_back(debian, client):
    debian.stop()
    with pytest.raises(httpx.ConnectError):
        httpx.get(debian.discovery)
    debian.start()
    assert client.discover(debian).known["issuer"] == debian.issuer


# MARK: our own provider

# What PyJWT leaves to those who use it: who else a token is for, and who is meant by nobody.
LEFT_TO_THE_CLIENT = {
    "extra audience": lambda claims: len(claims["aud"]) == 2 and "azp" not in claims,
    "authorized party": lambda claims: claims["azp"] not in ("soglia", None),
    "empty subject": lambda claims: claims["sub"] == "",
    "long subject": lambda claims: len(claims["sub"]) == 100_000,
}


@pytest.fixture
def provider():
    with Provider() as provider:
        yield provider


@pytest.mark.parametrize("algorithm", ["RS256", "ES256"])
def test_our_provider_signs_in_whom_we_choose(provider, client, algorithm):
    provider.algorithm = algorithm
    provider.person = Person(subject="7", name="Ada", email=None)
    client.discover(provider).sign_in()
    assert client.heard["state"] == client.state and client.heard["iss"] == provider.issuer
    tokens = client.redeem(in_body=algorithm == "ES256").json()
    claims = client.check(tokens["id_token"])
    assert (claims["sub"], claims["name"]) == ("7", "Ada") and "email" not in claims
    assert jwt.get_unverified_header(tokens["id_token"])["alg"] == algorithm
    known = httpx.get(client.known["userinfo_endpoint"], headers={"Authorization": f"Bearer {tokens['access_token']}"})
    assert known.json() == {"sub": "7", "name": "Ada"}
    asked = provider.asked("token")[-1]
    assert asked.form["code_verifier"] == client.verifier and ("client_secret" in asked.form) == (algorithm == "ES256")
    assert client.redeem().json() == {"error": "invalid_grant"}, "a code is good once"


def test_our_provider_wants_the_secret_and_the_verifier(provider, client):
    client.discover(provider).sign_in()
    assert client.redeem(in_body=True, client_secret="another").status_code == 401
    assert client.redeem(code_verifier="v" * 64).status_code == 400


@pytest.mark.parametrize(("fault", "algorithm"), [
    *((fault, "RS256") for fault in CLAIM_FAULTS), *itertools.product(SIGNATURE_FAULTS, ("RS256", "ES256"))])
def test_each_fault_of_a_token_is_one(provider, client, fault, algorithm):
    provider.algorithm = algorithm
    client.discover(provider).sign_in()
    with provider.wrong(fault):
        token = client.redeem().json()["id_token"]
    if fault in LEFT_TO_THE_CLIENT:
        assert LEFT_TO_THE_CLIENT[fault](client.check(token))
    else:
        with pytest.raises((jwt.PyJWTError, KeyError, AssertionError)):
            client.check(token)


def test_a_client_that_takes_the_public_key_for_a_secret_would_believe_a_forged_token(provider, client):
    client.discover(provider).sign_in()
    with provider.wrong("HS256 with the key's PEM"):
        signed, _, signature = client.redeem().json()["id_token"].rpartition(".")
    key = next(key for key in client.keys().keys if key.algorithm_name == "RS256").key
    pem = key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    assert hmac.digest(pem, signed.encode(), "sha256") == base64.urlsafe_b64decode(signature + "=")


def test_people_come_back_wrongly(provider, client):
    client.discover(provider).sign_in()
    assert client.redeem().is_success
    for fault, is_so in {
        "denied": lambda heard: heard["error"] == "access_denied" and "<script>" in heard["error_description"],
        "old code": lambda heard: client.redeem().json() == {"error": "invalid_grant"},
        "unknown code": lambda heard: client.redeem().json() == {"error": "invalid_grant"},
        "no code": lambda heard: "code" not in heard and "error" not in heard,
        "state": lambda heard: heard["state"] != client.state,
        "no state": lambda heard: "state" not in heard,
        "wrong iss": lambda heard: heard["iss"] != provider.issuer,
        "no iss": lambda heard: "iss" not in heard,
    }.items():
        with provider.wrong(fault):
            assert is_so(client.sign_in()), fault
    with provider.wrong("discovery issuer"):
        assert client.discover(provider).known["issuer"] != provider.issuer


def test_keys_rotate_and_grow_and_each_look_at_them_is_counted(provider, client):
    client.discover(provider).sign_in()
    token = client.redeem().json()["id_token"]
    provider.rotate_keys()
    with pytest.raises(KeyError):
        client.check(token)
    looks, provider.keys_grow = len(provider.asked("keys")), True
    assert len(client.keys().keys) + 1 == len(client.keys().keys)
    assert len(provider.asked("keys")) == looks + 2


@pytest.mark.parametrize("manner", MANNERS)
def test_an_endpoint_misbehaves(provider, manner):
    with httpx.Client(timeout=1.5) as http, provider.answering("keys", manner):
        address = f"{provider.url}/keys"
        if manner in ("slow", "drip"):
            with pytest.raises(httpx.ReadTimeout), http.stream("GET", address, timeout=0.5) as answer:
                list(answer.iter_raw())
        elif manner == "cut":
            with pytest.raises(httpx.RemoteProtocolError):
                http.get(address)
        elif manner == "huge":
            assert len(http.get(address, timeout=60).content) == 64 << 20
        elif manner == "redirect":
            assert http.get(address, follow_redirects=True).status_code == 404
            assert provider.asked("elsewhere")
        else:
            answer = http.get(address)
            assert answer.status_code == (500 if manner == "failing" else 200)
            with pytest.raises((ValueError, RecursionError)):
                answer.json()
    assert httpx.get(address).json()["keys"]


def test_a_peer_is_gone_and_comes_back(provider):
    with provider.answering("keys", "slow"), socket.create_connection(("localhost", provider.port), 20) as waiting:
        waiting.sendall(b"GET /keys HTTP/1.1\r\nHost: localhost\r\n\r\n")
        provider.wait_until_asked("keys", len(provider.asked("keys")) + 1)
        with provider.down():
            assert waiting.recv(1) == b"", "who waits is let go"
            with pytest.raises(httpx.ConnectError):
                httpx.get(provider.discovery)
    assert httpx.get(provider.discovery).is_success


def test_a_peer_speaks_tls_to_those_who_trust_its_authority(folder):
    with Provider(Identity(folder / "right")) as provider:
        trusting = Identity(folder / "another").client_context()
        with pytest.raises(httpx.ConnectError):
            httpx.get(provider.discovery, verify=trusting)
        known = httpx.get(provider.discovery, verify=provider.identity.client_context()).json()
        assert known["issuer"] == provider.issuer == f"https://localhost:{provider.port}"


# MARK: a service like Facebook


def test_facebook_knows_a_person_by_a_token_and_a_proof(client):
    with Facebook() as facebook:
        dialog = f"{facebook.url}/v23.0/dialog/oauth?" + urlencode({
            "client_id": facebook.client_id, "redirect_uri": client.redirect_uri, "state": "s", "scope": "email"})
        graph = httpx.Client(base_url=f"{facebook.url}/v23.0")

        def token():
            assert httpx.get(dialog, follow_redirects=True).is_success
            return graph.get("/oauth/access_token", params={
                "client_id": facebook.client_id, "client_secret": facebook.client_secret,
                "redirect_uri": client.redirect_uri, "code": client.heard["code"]}).json()["access_token"]

        def me(token, **more):
            return graph.get("/me", params={"fields": "id,name,email", "access_token": token} | more).json()

        first = token()
        assert me(first)["error"]["code"] == 100
        proof = hmac.new(facebook.client_secret.encode(), first.encode(), hashlib.sha256).hexdigest()
        assert me(first, appsecret_proof=proof) == {
            "id": facebook.person.subject, "name": "Giulia Ferri", "email": "giulia.ferri@example.com"}
        facebook.wants_proof, facebook.person = False, Person("12", "Ada", email=None)
        assert me(token()) == {"id": "12", "name": "Ada"}
        assert me("another")["error"]["code"] == 190
        facebook.denies = True
        assert httpx.get(dialog, follow_redirects=True).is_success
        assert client.heard["error"] == "access_denied" and client.heard["state"] == "s" and "code" not in client.heard


def read_signed(request, secret):
    """Facebook's own example of how a signed request is read."""
    signature, payload = (base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in request.split(".", 1))
    claims = json.loads(payload)
    assert claims["algorithm"].upper() == "HMAC-SHA256"
    assert hmac.compare_digest(hmac.new(secret.encode(), request.split(".", 1)[1].encode(), hashlib.sha256).digest(), signature)
    return claims["user_id"]


def test_facebook_signs_a_request_for_erasure():
    facebook = Facebook()
    assert read_signed(facebook.signed_request(), facebook.client_secret) == facebook.person.subject
    assert read_signed(facebook.signed_request("31"), facebook.client_secret) == "31"
    for forgery in FORGERIES:
        with pytest.raises((AssertionError, ValueError, KeyError)):
            read_signed(facebook.signed_request(forgery=forgery), facebook.client_secret)
