"""Signing in by another service's word: with a provider that others wrote, with one that is wrong in every way, and with a Facebook."""

import contextlib
import re
import sqlite3
import subprocess
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from playwright.sync_api import expect

import glewlwyd
from api import Api
from browser import DESK
from demo import PROGRAM, run, short_folder, wait_until
from facebook import FORGERIES, Facebook
from hub import OLGA, PASSWORD, Hub
from patience import PATIENCE
from peer import MANNERS
from provider import TOKEN_FAULTS, Person, Provider

# For whoever has no session.
PLAIN = httpx.Client(verify=False, timeout=PATIENCE, limits=httpx.Limits(max_keepalive_connections=0))
GIULIA = "giulia.ferri@example.com"


def add(data, name, provider, issuer, *more):
    """As whoever runs a hub does it: the secret is no argument."""
    done = subprocess.run(
        [PROGRAM, "admin", "provider", "add", name, "--data", data, "--client-id", provider.client_id, "--issuer", issuer,
         "--name", name.capitalize(), *more], input=provider.client_secret, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert provider.client_secret not in done.stdout + done.stderr
    return done.stdout


@contextlib.contextmanager
def hub_with(folder, *services):
    """A hub in a folder, with one owner and some services to sign in by; they are on this machine, as in the demo alone."""
    data = folder / "d"
    for service in services:
        add(data, *service)
    with Hub(folder, "--demo") as hub:
        hub.first_run()
        yield hub


def registration(hub, answer):
    """Lets strangers make themselves an account, or not."""
    done = run("admin", "registration", answer, "--data", hub.data)
    assert done.returncode == 0, done.stderr


def cards(visitor):
    return visitor.page.locator("main li.card")


# MARK: a provider that others wrote


@pytest.fixture(scope="module")
def debian():
    with short_folder() as folder, glewlwyd.Provider(folder) as provider:
        yield provider


@pytest.fixture(scope="module")
def house(debian):
    with short_folder() as folder, hub_with(folder, ("debian", debian, debian.issuer)) as hub:
        debian.allow(f"{hub.url}/sign-in/by/debian/callback")
        yield hub


def test_a_person_links_a_service_comes_in_by_it_and_unlinks_it(house, debian, chromium):
    with chromium.visitor(house.url) as olga:
        olga.go("/account/ways")
        expect(olga.page.get_by_role("button", name="Continue with Debian")).to_be_visible()
        assert olga.axe() == [] and not olga.spills()

        # Nobody is linked with it yet, and strangers may not come in.
        olga.page.get_by_role("button", name="Continue with Debian").click()
        debian.sign_in_in(olga.page)
        expect(olga.page.locator("main")).to_contain_text("No account here is linked with this one at Debian")
        assert olga.axe() == []
        olga.go("/")
        expect(olga.page).to_have_url(re.compile("/sign-in"))

        # Olga, who is in by her password, links it.
        olga.sign_in({"email": OLGA, "password": PASSWORD})
        olga.go("/account/ways")
        olga.page.get_by_role("button", name="Link Debian").click()
        debian.sign_in_in(olga.page)
        expect(olga.page.locator(".notice.go")).to_contain_text("Added")
        expect(cards(olga)).to_contain_text([GIULIA])
        assert olga.axe() == [] and not olga.spills()
        assert olga.page.url == f"{house.url}/account/ways?done=added", "nothing of the way back stays in the address"

        # From now on it lets her in, and to where she was going.
        olga.context.clear_cookies(domain="localhost", name="soglia_session")
        olga.go("/account/sessions")
        olga.page.get_by_role("button", name="Continue with Debian").click()
        debian.sign_in_in(olga.page)
        expect(olga.page).to_have_url(f"{house.url}/account/sessions")
        expect(olga.page.locator("body")).to_contain_text("Olga Sarti")

        # It also proves who she is; she is asked for her password there once more.
        olga.go("/account/prove?return=/account/sessions")
        assert olga.axe() == []
        olga.go("/account/prove?return=/account/ways")
        olga.page.get_by_role("button", name="Show it with Debian").click()
        expect(olga.page.locator("#username, #password").first).to_be_visible()
        debian.sign_in_in(olga.page)
        expect(olga.page).to_have_url(f"{house.url}/account/ways")

        # What it opened ends with it: also this session, in which nothing else was shown.
        olga.page.get_by_role("button", name="Unlink").click()
        olga.page.wait_for_url("**/sign-in?signed-out=way")
        expect(olga.page.get_by_role("status").first).to_contain_text("Removed. It had opened this session")
        assert olga.axe() == [] and not olga.spills()
        olga.sign_in({"email": OLGA, "password": PASSWORD})
        olga.go("/account/ways")
        expect(cards(olga)).to_have_count(0)
        assert olga.complaints == []


def test_a_stranger_gets_an_account_where_strangers_may_and_keeps_the_last_way_in(house, debian, chromium):
    registration(house, "open")
    with chromium.visitor(house.url, language="it", scheme="dark") as giulia:
        giulia.go("/sign-in")
        assert giulia.axe() == []
        giulia.page.get_by_role("button", name="Continua con Debian").click()
        debian.sign_in_in(giulia.page)
        expect(giulia.page).to_have_url(f"{house.url}/")
        giulia.go("/account/ways")
        expect(giulia.page.locator("body")).to_contain_text("Giulia Ferri")
        assert giulia.axe() == []
        giulia.page.get_by_role("button", name="Scollega").click()
        expect(giulia.page.locator(".notice.no").first).to_contain_text("È il tuo unico modo di entrare")
        expect(cards(giulia)).to_have_count(1)
        assert giulia.complaints == []
    registration(house, "closed")


# MARK: a provider that is wrong in every way


class Traveller:
    """Somebody's browser without a screen: it goes to a provider and comes back, step by step."""

    def __init__(self, hub, service="wrong"):
        self.hub, self.service = hub, service
        # Without TLS there is nothing to trust, and the list of authorities takes longest to read.
        self.api = Api(hub.url, browser=True, verify=False)
        self.api.http.headers["Accept"] = "text/html"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.api.close()

    def depart(self, path=None, back="/account/ways"):
        """The provider's page that one is sent to."""
        answer = self.api.http.post(path or f"/sign-in/by/{self.service}", data={"return": back})
        if answer.status_code != 200:
            return answer
        delay, _, address = answer.headers["refresh"].partition("; url=")
        assert delay == "0"
        return address

    def visit(self, address):
        """Where the provider sends one back to."""
        answer = PLAIN.get(address)
        assert answer.status_code == 302, answer.text
        return answer.headers["location"].removeprefix(self.hub.url)

    def go(self, **more):
        """There and back. The hub's last word."""
        return self.api.http.get(self.visit(self.depart(**more)))

    @property
    def is_in(self):
        return self.api.http.get("/api/sessions", headers={"Accept": "application/json"}).status_code == 200

    def ways(self):
        return self.api.http.get("/api/account/ways").json()


def refused(answer, status, words):
    assert answer.status_code == status, (answer.status_code, answer.text)
    assert words in answer.text, answer.text
    assert "<script>" not in answer.text
    assert "set-cookie" not in answer.headers or "soglia_session" not in answer.headers["set-cookie"]


NOT_BELIEVED = "could not be made sure of"
NOT_BEGUN = "was begun in another browser"
DOWN = "does not answer at the moment"


@pytest.fixture(scope="module")
def wrong():
    with Provider() as provider:
        yield provider


@pytest.fixture(scope="module")
def facebook():
    with Facebook() as provider:
        yield provider


@pytest.fixture(scope="module")
def place(wrong, facebook):
    services = ("wrong", wrong, wrong.issuer), ("facebook", facebook, facebook.url, "--kind", "facebook")
    with short_folder() as folder, hub_with(folder, *services) as hub:
        registration(hub, "open")
        yield hub


@pytest.fixture
def calm(folder, wrong):
    """A hub of its own: one that has just met false keys asks for no others within a minute."""
    with hub_with(folder, ("wrong", wrong, wrong.issuer)) as hub:
        registration(hub, "open")
        yield hub


def test_a_provider_that_is_right_lets_people_in_with_either_algorithm(place, wrong):
    for algorithm, subject in (("RS256", "7"), ("ES256", "8")):
        wrong.algorithm, wrong.person = algorithm, Person(subject, f"Ada {algorithm}", f"ada-{subject}@example.com")
        with Traveller(place) as ada:
            answer = ada.go()
            assert (answer.status_code, answer.headers["location"]) == (303, "/account/ways")
            assert ada.is_in
            assert [way["label"] for way in ada.ways()["identities"]] == [f"ada-{subject}@example.com"]
    wrong.algorithm, wrong.person = "RS256", Person()


@pytest.mark.parametrize("fault", TOKEN_FAULTS)
def test_a_token_with_a_fault_lets_nobody_in(place, wrong, fault):
    for algorithm in ("RS256", "ES256"):
        wrong.algorithm = algorithm
        with Traveller(place) as mallory, wrong.wrong(fault):
            refused(mallory.go(), 502, NOT_BELIEVED)
            assert not mallory.is_in
    wrong.algorithm = "RS256"


@pytest.mark.parametrize(("fault", "status", "words"), [
    ("denied", 403, "you said no there"), ("old code", 502, NOT_BELIEVED), ("unknown code", 502, NOT_BELIEVED),
    ("no code", 502, NOT_BELIEVED), ("state", 400, NOT_BEGUN), ("no state", 400, NOT_BEGUN), ("wrong iss", 502, NOT_BELIEVED),
    ("no iss", 502, NOT_BELIEVED)])
def test_whoever_comes_back_wrongly_stays_outside(place, wrong, fault, status, words):
    wrong.person = Person("7", "Ada", "ada-7@example.com")
    with Traveller(place) as ada:
        assert ada.go().status_code == 303
    with Traveller(place) as mallory, wrong.wrong(fault):
        refused(mallory.go(), status, words)
        assert not mallory.is_in
    wrong.person = Person()


def test_state_and_code_are_good_once_in_the_browser_that_began(place, wrong):
    wrong.person = Person("7", "Ada", "ada-7@example.com")
    with Traveller(place) as ada, Traveller(place) as mallory:
        # What an attacker does who wants somebody to act in the attacker's account, or who has seen a way back.
        back = ada.visit(ada.depart())
        mallory.depart()
        refused(mallory.api.http.get(back), 400, NOT_BEGUN)
        back = ada.visit(ada.depart())
        assert ada.api.http.get(back).status_code == 303
        refused(ada.api.http.get(back), 400, NOT_BEGUN)
        # Another service's page, with a state that was made for this one.
        back = ada.visit(ada.depart())
        refused(ada.api.http.get(back.replace("/by/wrong/", "/by/facebook/")), 400, NOT_BEGUN)
    wrong.person = Person()


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example/", "/\\evil.example", "/ok\r\nX: y", "javascript:alert(1)"])
def test_nobody_is_led_elsewhere_afterwards(place, wrong, back):
    wrong.person = Person("7", "Ada", "ada-7@example.com")
    with Traveller(place) as ada:
        assert ada.go(back=back).headers["location"] == "/"
    wrong.person = Person()


def test_another_sites_page_begins_no_sign_in(place):
    answer = PLAIN.post(
        f"{place.url}/sign-in/by/wrong", data={"return": "/"}, headers={"Origin": "https://evil.example", "Cookie": "a=b"})
    assert answer.status_code == 403
    assert PLAIN.post(f"{place.url}/sign-in/by/nobody", data={"return": "/"}).status_code == 404


@pytest.mark.parametrize("endpoint", ["token", "keys"])
@pytest.mark.parametrize("manner", [manner for manner in MANNERS if manner not in ("slow", "drip")])
def test_an_answer_that_is_none_lets_nobody_in_and_the_hub_goes_on(place, wrong, endpoint, manner):
    with Traveller(place) as mallory:
        back = mallory.visit(mallory.depart())
        if endpoint == "keys":
            wrong.rotate_keys()
            back = mallory.visit(mallory.depart())
        with wrong.answering(endpoint, manner):
            answer = mallory.api.http.get(back)
        assert answer.status_code == 502 and (NOT_BELIEVED in answer.text or DOWN in answer.text)
        assert not mallory.is_in
    assert not wrong.asked("elsewhere"), "a redirection was followed"
    assert PLAIN.get(f"{place.url}/api/health").status_code == 200


def test_a_provider_that_hangs_holds_nobody_else_up(place, wrong, facebook):
    facebook.person = Person("10222", "Anna Verdi", None)
    with Traveller(place) as mallory, wrong.answering("token", "slow"):
        back = mallory.visit(mallory.depart())
        with ThreadPoolExecutor() as pool:
            before = len(wrong.asked("token"))
            slow = pool.submit(mallory.api.http.get, back)
            wait_until(lambda: len(wrong.asked("token")) > before, what="the hub's question")
            with Traveller(place, "facebook") as anna:
                assert anna.go().status_code == 303
            assert not slow.done()
            refused(slow.result(), 502, DOWN)


def test_a_provider_that_is_down_is_said_to_be_and_is_back_when_it_is(folder, wrong):
    wrong.person = Person("7", "Ada", "ada-7@example.com")
    with hub_with(folder, ("wrong", wrong, wrong.issuer)) as hub:
        with Traveller(hub) as ada, wrong.down():
            refused(ada.depart(), 502, DOWN)
            assert PLAIN.get(f"{hub.url}/sign-in").status_code == 200
        with Traveller(hub) as ada, wrong.wrong("discovery issuer"):
            refused(ada.depart(), 502, NOT_BELIEVED)
        registration(hub, "open")
        looks = len(wrong.asked("keys")), len(wrong.asked("discovery"))
        for _ in range(3):
            with Traveller(hub) as ada:
                assert ada.go().status_code == 303
        # Once each, and once more when a key is new.
        assert (len(wrong.asked("keys")), len(wrong.asked("discovery"))) == (looks[0] + 1, looks[1] + 1)
        wrong.rotate_keys()
        with Traveller(hub) as ada:
            assert ada.go().status_code == 303
        for _ in range(5):
            with Traveller(hub) as mallory, wrong.wrong("unknown kid"):
                refused(mallory.go(), 502, NOT_BELIEVED)
        assert len(wrong.asked("keys")) == looks[0] + 2
        wait_until(lambda: "not believed" in hub.said, what="the line in the log")
        said = hub.said
    assert wrong.client_secret not in said and "ada-7@example.com" not in said
    wrong.person = Person()


# MARK: whose account it is


def test_an_address_alone_links_nothing(calm, wrong, chromium):
    wrong.person = Person("attacker", "Olga Sarti", OLGA)
    with chromium.visitor(calm.url, language="es") as mallory:
        mallory.go("/sign-in")
        mallory.page.get_by_role("button", name="Continuar con Wrong").click()
        expect(mallory.page.locator("main")).to_contain_text("Una cuenta de aquí ya tiene tu dirección")
        assert mallory.axe() == [] and not mallory.spills()
        mallory.go("/")
        expect(mallory.page).to_have_url(re.compile("/sign-in"))
    # One that nobody vouches for is nobody's: an account without address, and no word about Olga's.
    wrong.person = Person("attacker", "Olga Sarti", OLGA, email_verified=False)
    with Traveller(calm) as mallory:
        assert mallory.go().status_code == 303
        assert mallory.ways()["identities"][0]["label"] == "Olga Sarti"
    wrong.person = Person()


def test_an_identity_belongs_to_one_account_and_is_linked_and_unlinked_with_a_fresh_proof(calm, wrong):
    wrong.person = Person("9", "Ines", "ines@example.com")
    with Traveller(calm) as ines:
        assert ines.go().status_code == 303
    with Traveller(calm) as olga:
        olga.api.sign_in(OLGA, PASSWORD)
        answer = olga.go(path="/account/ways/identities/by/wrong")
        assert answer.headers["location"] == "/account/ways?refused=another"
        wrong.person = Person("10", "Olga", "olga.sarti@example.com")
        assert olga.go(path="/account/ways/identities/by/wrong").headers["location"] == "/account/ways?done=added"
        way = olga.ways()["identities"][0]
        # Ines cannot take what is not hers, nor prove by it.
        wrong.person = Person("9", "Ines", "ines@example.com")
        with Traveller(calm) as ines:
            ines.go()
            assert ines.api.http.delete(f"/api/account/identities/{way['id']}").status_code == 404
            wrong.person = Person("10", "Olga", "olga.sarti@example.com")
            refused(ines.go(path="/account/prove/by/wrong"), 403, "not linked with yours")
            # The link was begun in her session; another session in the same browser does not end it.
            back = ines.visit(ines.depart(path="/account/ways/identities/by/wrong"))
            ines.api.sign_in(OLGA, PASSWORD)
            refused(ines.api.http.get(back), 400, NOT_BEGUN)
        # Half an hour later nothing of it goes without a proof.
        with contextlib.closing(sqlite3.connect(calm.data / "soglia.sqlite", timeout=PATIENCE)) as database, database:
            database.execute("UPDATE sessions SET proven = proven - 1800000")
        forget_sessions(olga)
        path = f"/account/ways/identities/{way['id']}/remove"
        for path in (path, "/account/ways/identities/by/wrong"):
            answer = olga.api.http.post(path, headers={"Referer": f"{calm.url}/account/ways"})
            assert answer.headers["location"] == "/account/prove?return=%2Faccount%2Fways&again=1"
        answer = olga.api.http.delete(f"/api/account/identities/{way['id']}")
        assert answer.json()["type"] == "/problems/fresh-proof-needed"
        assert olga.go(path="/account/prove/by/wrong").headers["location"] == "/account/ways"
        assert olga.api.http.delete(f"/api/account/identities/{way['id']}").status_code == 204
        assert olga.ways()["identities"] == []
    wrong.person = Person()


def forget_sessions(traveller):
    """Has the hub forget what it remembers of sessions: any change of an account does."""
    assert traveller.api.http.post("/language", data={"language": "en", "return": "/"}).status_code == 303


# MARK: Facebook


def test_facebook_may_know_no_address_and_asks_for_erasure(place, facebook, chromium):
    facebook.person = Person("10333", "Bianca Neri", None)
    with chromium.visitor(place.url, size=DESK, scheme="dark") as bianca:
        bianca.go("/sign-in")
        bianca.page.get_by_role("button", name="Continue with Facebook").click()
        # Facebook's own fragment stays in the address: browsers keep it over a redirection.
        expect(bianca.page).to_have_url(re.compile(rf"^{place.url}/(#_=_)?$"))
        bianca.go("/account/ways")
        expect(cards(bianca)).to_contain_text(["Bianca Neri"])
        expect(bianca.page.locator("body")).not_to_contain_text("no-address.invalid")
        assert bianca.axe() == []

        def post(text):
            return PLAIN.post(f"{place.url}/api/providers/facebook/deletion", data={"signed_request": text})
        for forgery in FORGERIES:
            assert post(facebook.signed_request(forgery=forgery)).status_code == 403, forgery
        assert PLAIN.post(f"{place.url}/api/providers/wrong/deletion", data={"signed_request": "a.b"}).status_code == 404
        bianca.page.reload()
        expect(cards(bianca)).to_have_count(1)

        answer = post(facebook.signed_request())
        assert answer.status_code == 200, answer.text
        assert answer.json()["url"].endswith(answer.json()["confirmation_code"])
        bianca.page.reload()
        expect(cards(bianca)).to_have_count(0)
        bianca.page.goto(answer.json()["url"])
        expect(bianca.page.locator("main")).to_contain_text("the link to you there was removed here")
        assert bianca.axe() == [] and bianca.complaints == []
    receipt = answer.json()["confirmation_code"]
    for forged in ("A" * 43, receipt[:-4] + "AAAA"):
        assert PLAIN.get(f"{place.url}/services/facebook/forgotten/{forged}").status_code == 404
    # Somebody of whom nothing is known here is told the same.
    assert post(facebook.signed_request("1")).status_code == 200


def test_facebook_says_no_or_wants_a_proof_from_the_app(place, facebook):
    facebook.denies = True
    with Traveller(place, "facebook") as anna:
        refused(anna.go(), 403, "you said no there")
    facebook.denies = False
    for endpoint in ("me", "oauth/access_token"):
        with Traveller(place, "facebook") as anna, facebook.answering(endpoint, "not json"):
            refused(anna.go(), 502, NOT_BELIEVED)
    asked = facebook.asked("me")[-1]
    assert "access_token" not in asked.query and facebook.client_secret not in str(asked.query)


# MARK: setting it up


def test_services_are_set_up_at_the_box_and_on_this_machine_only_in_the_demo(folder, wrong):
    data = folder / "d"
    assert "https://HOST/sign-in/by/wrong/callback" in add(data, "wrong", wrong, wrong.issuer)
    assert oct((data / "providers.json").stat().st_mode & 0o777) == "0o600"
    said = add(data, "google", wrong, "https://accounts.google.com", "--host", "a.example.org", "--host", "b.example.org")
    assert "https://a.example.org/sign-in/by/google/callback" in said and "https://b.example.org/sign-in/by/google/callback" in said
    done = run("admin", "provider", "list", "--data", data)
    assert "Google" in done.stdout and wrong.client_secret not in done.stdout
    assert run("admin", "provider", "add", "A B", "--client-id", "x", "--issuer", "https://a.org", "--data", data, input="s").returncode != 0
    assert run("admin", "provider", "add", "x", "--client-id", "x", "--issuer", "http://a.org", "--data", data, input="s").returncode != 0
    # In earnest, a service on this machine and without TLS is none.
    with Hub(folder) as hub:
        hub.first_run()
        page = PLAIN.get(f"{hub.url}/sign-in").text
        assert "Google" in page and "Wrong" not in page
        assert PLAIN.post(f"{hub.url}/sign-in/by/wrong", data={"return": "/"}).status_code == 404
    assert run("admin", "provider", "remove", "google", "--data", data).returncode == 0
    assert "Google" not in run("admin", "provider", "list", "--data", data).stdout
    # A list that cannot be read closes no door.
    (data / "providers.json").write_text("{")
    with Hub(folder, name="again") as hub:
        assert PLAIN.get(f"{hub.url}/sign-in").status_code == 200
        wait_until(lambda: "nobody can sign in by another service" in hub.said, what="the line in the log")
