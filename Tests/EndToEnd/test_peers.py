"""The peers that a hub is tested with, without a hub: what they are asked here is asked by other people's libraries."""

import contextlib
import hashlib
import hmac
import itertools
import json
import secrets
import smtplib
import socket
import ssl
import time
from email.message import EmailMessage
from urllib.parse import quote_plus, urlencode

import http_ece
import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import glewlwyd
from demo import short_folder, wait_until
from facebook import FORGERIES, Facebook
from identity import Identity
from patience import PATIENCE
from peer import MANNERS, Answer, Peer, decode, encode
from post_office import STAGES, PostOffice, link_in, text_of
from provider import CLAIM_FAULTS, SIGNATURE_FAULTS, Person, Provider
from push_endpoint import DAY, PushService, Unreadable, decrypt, public_bytes


# No pool of idle connections: a peer that was stopped must not be met through an old one.
HTTP = httpx.Client(timeout=PATIENCE, limits=httpx.Limits(max_keepalive_connections=0))
SOON = httpx.Timeout(PATIENCE, read=0.5)


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
        self.known = HTTP.get(provider.discovery).raise_for_status().json()
        return self

    def address(self, **more):
        """Where a person is sent to sign in."""
        self.state, self.nonce, self.verifier = (secrets.token_urlsafe(48) for _ in range(3))
        challenge = encode(hashlib.sha256(self.verifier.encode()).digest())
        return f"{self.known['authorization_endpoint']}?" + urlencode({
            "response_type": "code", "client_id": self.provider.client_id, "redirect_uri": self.redirect_uri,
            "scope": "openid profile email", "state": self.state, "nonce": self.nonce, "code_challenge": challenge,
            "code_challenge_method": "S256"} | more)

    def sign_in(self):
        """Goes there and back where nobody is asked anything."""
        self.heard = None
        assert HTTP.get(self.address(), follow_redirects=True).is_success
        return self.heard

    def redeem(self, in_body=False, **more):
        """Changes the code for tokens; the secret goes in the header or in the body."""
        form = {"grant_type": "authorization_code", "code": self.heard["code"], "redirect_uri": self.redirect_uri,
                "code_verifier": self.verifier}
        name, secret = self.provider.client_id, self.provider.client_secret
        if in_body:
            form |= {"client_id": name, "client_secret": secret}
        auth = None if in_body else (quote_plus(name), quote_plus(secret))
        return HTTP.post(self.known["token_endpoint"], data=form | more, auth=auth)

    def keys(self):
        return jwt.PyJWKSet.from_dict(HTTP.get(self.known["jwks_uri"]).raise_for_status().json())

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
            assert HTTP.get(client.known["userinfo_endpoint"], headers=bearer).status_code == 401, "revoked with its code"


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
        HTTP.get(debian.discovery)
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
    known = HTTP.get(client.known["userinfo_endpoint"], headers={"Authorization": f"Bearer {tokens['access_token']}"})
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
    assert hmac.digest(pem, signed.encode(), "sha256") == decode(signature)


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
    provider.rotate_keys(keeps_old=True)
    assert client.check(token)["sub"] == provider.person.subject
    provider.rotate_keys()
    with pytest.raises(KeyError):
        client.check(token)
    looks, provider.keys_grow = len(provider.asked("keys")), True
    assert len(client.keys().keys) + 1 == len(client.keys().keys)
    assert len(provider.asked("keys")) == looks + 2


@pytest.mark.parametrize("manner", MANNERS)
def test_an_endpoint_misbehaves(provider, manner):
    address = f"{provider.url}/keys"
    with provider.answering("keys", manner):
        if manner in ("slow", "drip"):
            with pytest.raises(httpx.ReadTimeout), HTTP.stream("GET", address, timeout=SOON) as answer:
                list(answer.iter_raw())
        elif manner == "cut":
            with pytest.raises(httpx.RemoteProtocolError):
                HTTP.get(address)
        elif manner == "huge":
            assert len(HTTP.get(address).content) == 64 << 20
        elif manner == "redirect":
            assert HTTP.get(address, follow_redirects=True).status_code == 404
            assert provider.asked("elsewhere")
        else:
            answer = HTTP.get(address)
            assert answer.status_code == (500 if manner == "failing" else 200)
            with pytest.raises((ValueError, RecursionError)):
                answer.json()
    assert HTTP.get(address).json()["keys"]


def test_a_peer_is_gone_and_comes_back(provider):
    with provider.answering("keys", "slow"), socket.create_connection(("localhost", provider.port), 20) as waiting:
        before = len(provider.asked("keys"))
        waiting.sendall(b"GET /keys HTTP/1.1\r\nHost: localhost\r\n\r\n")
        provider.wait_until_asked("keys", before + 1)
        with provider.down():
            assert waiting.recv(1) == b"", "who waits is let go"
            with pytest.raises(httpx.ConnectError):
                HTTP.get(provider.discovery)
    assert HTTP.get(provider.discovery).is_success


def test_a_peer_speaks_tls_to_those_who_trust_its_authority(folder):
    with Provider(Identity(folder / "right")) as provider:
        trusting = Identity(folder / "another").client_context()
        with pytest.raises(httpx.ConnectError):
            httpx.get(provider.discovery, verify=trusting, timeout=PATIENCE)
        known = httpx.get(provider.discovery, verify=provider.identity.client_context(), timeout=PATIENCE).json()
        assert known["issuer"] == provider.issuer == f"https://localhost:{provider.port}"


# MARK: a service like Facebook


def test_facebook_knows_a_person_by_a_token_and_a_proof(client):
    with Facebook() as facebook:
        dialog = f"{facebook.url}/v23.0/dialog/oauth?" + urlencode({
            "client_id": facebook.client_id, "redirect_uri": client.redirect_uri, "state": "s", "scope": "email"})
        graph = f"{facebook.url}/v23.0"

        def token():
            assert HTTP.get(dialog, follow_redirects=True).is_success
            return HTTP.get(f"{graph}/oauth/access_token", params={
                "client_id": facebook.client_id, "client_secret": facebook.client_secret,
                "redirect_uri": client.redirect_uri, "code": client.heard["code"]}).json()["access_token"]

        def me(token, **more):
            return HTTP.get(f"{graph}/me", params={"fields": "id,name,email", "access_token": token} | more).json()

        first = token()
        assert me(first)["error"]["code"] == 100
        proof = hmac.new(facebook.client_secret.encode(), first.encode(), hashlib.sha256).hexdigest()
        assert me(first, appsecret_proof=proof) == {
            "id": facebook.person.subject, "name": "Giulia Ferri", "email": "giulia.ferri@example.com"}
        facebook.wants_proof, facebook.person = False, Person("12", "Ada", email=None)
        assert me(token()) == {"id": "12", "name": "Ada"}
        assert me("another")["error"]["code"] == 190
        facebook.denies = True
        assert HTTP.get(dialog, follow_redirects=True).is_success
        assert client.heard["error"] == "access_denied" and client.heard["state"] == "s" and "code" not in client.heard


def read_signed(request, secret):
    """Facebook's own example of how a signed request is read."""
    signature, payload = (decode(part) for part in request.split(".", 1))
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


# MARK: mail


def letter(subject="Your way in", to="giulia@example.com"):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Soglia <soglia@example.com>", to, subject
    message.set_content("Così si entra:\n\nhttps://hub.local/reset?t=a_b-c&n=1\n\n.\nA presto")
    message.add_alternative('<p>Così si entra: <a href="https://hub.local/html">qui</a></p>', subtype="html")
    return message


@contextlib.contextmanager
def posting(office, login=None, trusting=None, timeout=PATIENCE):
    """A conversation with the office, as Python's own library has it."""
    context = trusting or (office.identity and office.identity.client_context())
    kind = smtplib.SMTP_SSL if office.security == "tls" else smtplib.SMTP
    more = {"context": context} if office.security == "tls" else {}
    with kind("localhost", office.port, timeout=timeout, **more) as smtp:
        if office.security == "starttls":
            smtp.starttls(context=context)
        if login:
            smtp.login(*login)
        yield smtp


@pytest.mark.parametrize("security", ["starttls", "tls", "none"])
def test_a_letter_arrives_as_it_was_posted(folder, security):
    with PostOffice(Identity(folder), security) as office:
        with posting(office) as smtp:
            assert smtp.send_message(letter()) == {}
            smtp.send_message(letter("Another"))
        assert office.wait_for("giulia@example.com", "Another")["From"] == "Soglia <soglia@example.com>"
        message = office.wait_for("giulia@example.com")
        assert message["Subject"] == "Your way in" and "Così" in text_of(message) and "\n.\nA presto" in text_of(message)
        assert link_in(message) == "https://hub.local/reset?t=a_b-c&n=1"
        assert [one.is_private for one in office.received] == [security != "none"] * 2
        assert office.received[0].sender == "soglia@example.com" and office.received[0].login is None


def test_nobody_posts_without_tls_nor_to_an_office_they_do_not_trust(folder):
    with PostOffice(Identity(folder / "right")) as office:
        with smtplib.SMTP("localhost", office.port) as smtp, pytest.raises(smtplib.SMTPException):
            smtp.send_message(letter())
        with pytest.raises(ssl.SSLCertVerificationError), posting(
                office, trusting=Identity(folder / "another").client_context()):
            pass
    with PostOffice(Identity(folder / "old", days=(-9, -2))) as office:
        with pytest.raises(ssl.SSLCertVerificationError, match="expired"), posting(office):
            pass
    assert office.received == []


@pytest.mark.parametrize("mechanism", ["LOGIN", "PLAIN"])
def test_an_office_wants_to_know_who_posts(folder, mechanism):
    login = ("soglia", "pass word")
    with PostOffice(Identity(folder), login=login, mechanisms=(mechanism,)) as office:
        with posting(office) as smtp, pytest.raises(smtplib.SMTPException):
            smtp.send_message(letter())
        with pytest.raises(smtplib.SMTPAuthenticationError), posting(office, login=("soglia", "another")):
            pass
        with posting(office, login=login) as smtp:
            smtp.send_message(letter())
        assert office.wait_for("giulia@example.com") and office.received[0].login == "soglia"
        assert office.logins[0][2] is False and office.logins[-1] == (mechanism, "soglia", True)


def test_an_office_refuses_and_puts_off(folder):
    with PostOffice() as office:
        office.refuse("nobody@example.com")
        office.put_off_times("giulia@example.com", 2)
        with posting(office) as smtp:
            for address, code in (("nobody@example.com", 550), ("giulia@example.com", 451), ("giulia@example.com", 451)):
                with pytest.raises(smtplib.SMTPRecipientsRefused) as refusal:
                    smtp.send_message(letter(to=address))
                assert refusal.value.recipients[address][0] == code
            smtp.send_message(letter())
        assert office.wait_for("giulia@example.com")
        assert office.asked == ["nobody@example.com", *["giulia@example.com"] * 3]


@pytest.mark.parametrize("stage", STAGES)
def test_an_office_hangs_or_hangs_up(folder, stage):
    with PostOffice() as office:
        with office.hanging(stage), pytest.raises((TimeoutError, smtplib.SMTPServerDisconnected)):
            with posting(office, timeout=0.5) as smtp:
                smtp.send_message(letter())
        with office.hanging_up(stage), pytest.raises((OSError, smtplib.SMTPServerDisconnected)):
            with posting(office) as smtp:
                smtp.send_message(letter())
        with office.down(), pytest.raises(ConnectionRefusedError), posting(office):
            pass
        with posting(office) as smtp:
            smtp.send_message(letter("At last"))
        assert office.wait_for("giulia@example.com")["Subject"] == "At last" and len(office.received) == 1


# MARK: push


class Sender:
    """Somebody who sends push messages, with other people's encryption and signatures."""

    def __init__(self):
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.key = encode(public_bytes(self.private))

    def token(self, audience, algorithm="ES256", private=None, **claims):
        claims = {"aud": audience, "exp": int(time.time()) + 3600, "sub": "mailto:olga@example.com"} | claims
        said = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode(said, private or self.private, algorithm)

    def seal(self, subscription, data):
        keys = subscription.json["keys"]
        return http_ece.encrypt(
            data, private_key=ec.generate_private_key(ec.SECP256R1()), dh=decode(keys["p256dh"]),
            auth_secret=decode(keys["auth"]), version="aes128gcm")

    def send(self, subscription, data=b'{"title": "Ciao"}', body=None, token=None, headers=None, timeout=PATIENCE):
        service = subscription.service
        own = {
            "Authorization": f"vapid t={token or self.token(service.url)}, k={self.key}", "TTL": "60",
            "Content-Encoding": "aes128gcm"}
        return HTTP.post(
            subscription.json["endpoint"], content=self.seal(subscription, data) if body is None else body,
            headers={name: value for name, value in (own | (headers or {})).items() if value is not None}, timeout=timeout)


@pytest.fixture
def push():
    with PushService() as service:
        yield service


def test_the_example_of_rfc_8291_is_read():
    private = ec.derive_private_key(int.from_bytes(decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")), ec.SECP256R1())
    body = decode(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_y"
        "l95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
    auth = decode("BTBZMqHH6r4Tts7J_aSIgg")
    assert decrypt(body, private, auth) == b"When I grow up, I want to be a watermelon"
    for wrong in (body[:-1] + b"\0", body[:40], b"", body[:20] + b"\0" + body[86:]):
        with pytest.raises(Unreadable):
            decrypt(wrong, private, auth)


def test_a_browser_reads_what_others_sealed(push):
    sender = Sender()
    browser = push.subscribe(sender.key)
    answer = sender.send(browser, headers={"Urgency": "high", "Topic": "offer-1"})
    assert answer.status_code == 201 and answer.headers["Location"].startswith(push.url)
    sender.send(browser, b'{"n": 2}')
    assert browser.wait_for_message() == {"title": "Ciao"} and browser.wait_for_message() == {"n": 2}
    message = browser.messages[0]
    assert (message.ttl, message.urgency, message.topic, message.key) == (60, "high", "offer-1", sender.key)
    assert message.claims["sub"] == "mailto:olga@example.com" and message.size == 16 + 4 + 1 + 65 + 17 + 1 + 16
    assert message.salt != browser.messages[1].salt and message.sender_key != browser.messages[1].sender_key
    assert sender.send(browser, b"x" * 3993).status_code == 201, "the longest that fits"


def test_a_message_for_another_browser_is_not_read(push):
    sender, one, another = Sender(), push.subscribe(), push.subscribe()
    assert sender.send(one, body=sender.seal(another, b"{}")).status_code == 201
    assert one.messages == [] and "not readable" in push.complaints[0]
    with pytest.raises(AssertionError, match="not readable"):
        one.wait_for_message()


def test_a_push_service_refuses_what_is_wrong(push):
    sender = Sender()
    browser = push.subscribe(sender.key)
    now = int(time.time())
    stranger = Sender()
    wrong_tokens = [
        sender.token("https://elsewhere.example"), sender.token(push.url + "/"), sender.token([push.url]), sender.token(None),
        sender.token(push.url, exp=now - 10), sender.token(push.url, exp=now + DAY + 60), sender.token(push.url, exp=None),
        sender.token(push.url, sub=None), sender.token(push.url, sub="olga@example.com"),
        sender.token(push.url, sub="mailto:olga@localhost"), sender.token(push.url, sub="mailto:olga@hub.invalid"),
        sender.token(push.url, private=stranger.private), sender.token(push.url, "HS256", b"k" * 32), "a.b.c"]
    for token in wrong_tokens:
        assert sender.send(browser, token=token).status_code == 403, token
    assert stranger.send(browser).status_code == 403, "another sender"
    for status, headers in [
            (400, {"TTL": None}), (400, {"TTL": "soon"}), (415, {"Content-Encoding": "aesgcm"}), (400, {"Urgency": "urgent"}),
            (400, {"Topic": "t" * 33}), (400, {"Topic": "a b"}), (401, {"Authorization": None}),
            (401, {"Authorization": f"WebPush {sender.token(push.url)}"})]:
        assert sender.send(browser, headers=headers).status_code == status, headers
    assert sender.send(browser, b"x" * 3994).status_code == 413
    assert browser.messages == [] and len(push.complaints) == len(wrong_tokens) + 10


def test_a_push_service_says_no_and_is_away(push):
    sender, browser = Sender(), push.subscribe()
    for status, after in ((404, None), (410, None), (413, None), (429, 7), (500, None)):
        with browser.saying(status, retry_after=after):
            answer = sender.send(browser)
            assert answer.status_code == status and answer.headers.get("Retry-After") == (after and str(after))
    with push.answering(browser.name, "slow"), pytest.raises(httpx.ReadTimeout):
        sender.send(browser, timeout=SOON)
    wait_until(lambda: browser.attempts == 6, what="the unanswered attempt")
    attempts = browser.attempts
    with push.down(), pytest.raises(httpx.ConnectError):
        sender.send(browser)
    assert sender.send(browser).status_code == 201 and browser.attempts == attempts + 1 == 7
    browser.end()
    assert sender.send(browser).status_code == 410 and len(browser.messages) == 1
