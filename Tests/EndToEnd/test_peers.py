"""The peers that a hub is tested with, without a hub: what they are asked here is asked by other people's libraries."""

import base64
import hashlib
import http.server
import secrets
import threading
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx
import jwt
import pytest

import glewlwyd
from browser import Chromium
from demo import short_folder


class Client:
    """A client of an OpenID provider, on a port of its own: it sends people there and hears them come back."""

    def __init__(self):
        client = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                address = urlsplit(self.path)
                if address.path == "/back":
                    client.heard = dict(parse_qsl(address.query))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.heard = None
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.redirect_uri = f"http://localhost:{self.server.server_port}/back"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

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

    def redeem(self, in_body=False, **more):
        """Changes the code for tokens; the secret goes in the header or in the body."""
        form = {"grant_type": "authorization_code", "code": self.heard["code"], "redirect_uri": self.redirect_uri,
                "code_verifier": self.verifier}
        secret = (self.provider.client_id, self.provider.client_secret)
        if in_body:
            return httpx.post(self.known["token_endpoint"], data=form | dict(zip(("client_id", "client_secret"), secret)) | more)
        return httpx.post(self.known["token_endpoint"], data=form | more, auth=secret)

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
