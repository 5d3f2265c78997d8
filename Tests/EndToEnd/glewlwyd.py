"""An OpenID provider that others wrote: Debian's Glewlwyd, in a folder of its own, on a free port of loopback.

It is set up through its own administration interface, as its administrator would, and people sign in on its own pages.
"""

import contextlib
import shutil
import sqlite3
import subprocess
from pathlib import Path

import httpx

from demo import wait_until
from patience import PATIENCE
from ports import free_port

PROGRAM = "/usr/bin/glewlwyd"
SCHEMA = Path("/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3")
PAGES = Path("/usr/share/glewlwyd/webapp")
# The package's pages look for their configuration in a folder, where it is a file.
PAGES_CONFIGURATION = Path("/etc/glewlwyd/config-2.7.json/config.json")
# Who the package's own schema lets in at first.
ADMINISTRATOR, ADMINISTRATOR_PASSWORD = "admin", "password"

SCOPES = ("openid", "profile", "email")
MIME_TYPES = {
    ".html": "text/html", ".css": "text/css", ".js": "application/javascript", ".json": "application/json",
    ".woff2": "font/woff2", ".png": "image/png", ".ico": "image/x-icon"}


class Provider:
    """Glewlwyd with one client that has a secret, and one person.

    The client proves itself by either of `client_secret_basic` and `client_secret_post`, and must use PKCE with S256.
    """

    client_id = "soglia"
    client_secret = "known-to-two-servers-only"
    username = "giulia"
    password = "lemons by the sea"
    email = "giulia.ferri@example.com"
    name = "Giulia Ferri"

    def __init__(self, folder, redirect_uris=()):
        self.folder = Path(folder) / "glewlwyd"
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.issuer = f"{self.url}/api/oidc"
        self.redirect_uris = list(redirect_uris)
        self.process = None
        self.keys = 0

    @property
    def discovery(self):
        return f"{self.issuer}/.well-known/openid-configuration"

    # MARK: its life

    def __enter__(self):
        self.folder.mkdir()
        with contextlib.closing(sqlite3.connect(self.folder / "database")) as database:
            database.executescript(SCHEMA.read_text())
        self._lay_out_pages()
        (self.folder / "glewlwyd.conf").write_text(self._configuration())
        try:
            self.start()
            self.administrator = httpx.Client(base_url=f"{self.url}/api", timeout=PATIENCE)
            self._set_up()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.administrator.close()
        self.stop()

    def start(self):
        with (self.folder / "out").open("ab") as file:
            self.process = subprocess.Popen(
                [PROGRAM, f"--config-file={self.folder}/glewlwyd.conf"], stdin=subprocess.DEVNULL, stdout=file, stderr=file)

        def answers():
            assert self.process.poll() is None, f"Glewlwyd ended instead of being ready: {self.said[-2000:]}"
            with contextlib.suppress(httpx.HTTPError):
                return httpx.get(f"{self.url}/config", timeout=5).status_code == 200
        wait_until(answers, what="Glewlwyd")

    def stop(self):
        """Nothing listens on its port after this; `start` brings it back as it was."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise

    @property
    def said(self):
        return (self.folder / "out").read_text(errors="replace")

    # MARK: its client and its people

    def allow(self, redirect_uri):
        """Lets the client ask for one more place to come back to: its port is often known only when it runs."""
        self.redirect_uris.append(redirect_uri)
        self._administer("PUT", f"/client/{self.client_id}", self._client())

    def rotate_key(self):
        """Signs with a new key; the old one is gone from the key set."""
        plugin = self._administer("GET", "/mod/plugin/oidc").json()
        plugin["parameters"] |= self._new_key()
        self._administer("PUT", "/mod/plugin/oidc", plugin)
        self._administer("PUT", "/mod/plugin/oidc/reset")

    def rename(self, email, name):
        self.email, self.name = email, name
        self._administer("PUT", f"/user/{self.username}", self._person())

    def sign_in_in(self, page):
        """Signs the person in on the pages that a browser was sent to, and agrees to all that the client asks for; the
        browser is back at the client then. Who is signed in already is only asked to go on."""
        name = page.locator("#username")
        grant, go_on = (page.get_by_role("button", name=words) for words in ("Grant access", "Continue"))
        name.or_(go_on).first.wait_for()
        if name.is_visible():
            name.fill(self.username)
            page.locator("#password").fill(self.password)
            page.get_by_role("button", name="OK").click()
            go_on.wait_for()
        if grant.is_visible():
            for box in page.locator("input[type=checkbox]:enabled").all():
                box.check()
            # "Continue" is there before the grant is written: who goes on at once comes back without it.
            with page.expect_response(lambda answer: "/auth/grant/" in answer.url and answer.request.method == "PUT"):
                grant.click()
            grant.wait_for(state="hidden")
        go_on.click()
        page.wait_for_url(lambda url: not url.startswith(self.url))

    # MARK: setting it up

    def _lay_out_pages(self):
        pages = self.folder / "pages"
        shutil.copytree(PAGES, pages, ignore=shutil.ignore_patterns("config.json"))
        shutil.copy(PAGES_CONFIGURATION, pages / "config.json")

    def _configuration(self):
        types = ",\n".join(f'{{ extension = "{ending}"; mime_type = "{kind}"; }}' for ending, kind in MIME_TYPES.items())
        return f"""
port = {self.port}
bind_address = "127.0.0.1"
external_url = "{self.url}"
login_url = "login.html"
api_prefix = "api"
static_files_path = "{self.folder}/pages"
static_files_mime_types = ( {types} )
log_mode = "console"
log_level = "WARNING"
cookie_secure = 0
session_expiration = 86400
session_key = "GLEWLWYD2_SESSION_ID"
admin_scope = "g_admin"
profile_scope = "g_profile"
user_module_path = "/usr/lib/glewlwyd/user"
user_middleware_module_path = "/usr/lib/glewlwyd/user_middleware"
client_module_path = "/usr/lib/glewlwyd/client"
user_auth_scheme_module_path = "/usr/lib/glewlwyd/scheme"
plugin_module_path = "/usr/lib/glewlwyd/plugin"
hash_algorithm = "SHA512"
database = {{ type = "sqlite3"; path = "{self.folder}/database"; }};
"""

    def _administer(self, method, path, body=None):
        answer = self.administrator.request(method, path, json=body)
        assert answer.is_success, (method, path, answer.status_code, answer.text, self.said[-2000:])
        return answer

    def _set_up(self):
        self._administer("POST", "/auth", {"username": ADMINISTRATOR, "password": ADMINISTRATOR_PASSWORD})
        people = self._administer("GET", "/mod/user/database").json()
        people["parameters"]["data-format"]["email_verified"] = {"multiple": False, "read": True, "write": True}
        self._administer("PUT", "/mod/user/database", people)
        self._administer("PUT", "/mod/user/database/reset")
        for scope in SCOPES[1:]:
            self._administer("POST", "/scope", {"name": scope, "display_name": scope, "password_required": False, "scheme": {}})
        self._administer("POST", "/mod/plugin", {
            "module": "oidc", "name": "oidc", "display_name": "OpenID Connect", "order_rank": 0,
            "parameters": self._parameters() | self._new_key()})
        self._administer("POST", "/client", self._client())
        self._administer("POST", "/user", self._person() | {"username": self.username, "password": self.password})

    def _parameters(self):
        return {
            "iss": self.issuer, "jwt-type": "rsa", "jwt-key-size": "256", "subject-type": "public", "jwks-show": True,
            "access-token-duration": 3600, "refresh-token-duration": 86400, "code-duration": 600,
            "refresh-token-rolling": False, "refresh-token-one-use": "never", "allow-non-oidc": False,
            "auth-type-code-enabled": True, "auth-type-code-revoke-replayed": True, "auth-type-token-enabled": False,
            "auth-type-id-token-enabled": True, "auth-type-none-enabled": False, "auth-type-password-enabled": False,
            "auth-type-client-enabled": False, "auth-type-device-enabled": False, "auth-type-refresh-enabled": False,
            "pkce-allowed": True, "pkce-method-plain-allowed": False, "pkce-required": True,
            "allowed-scope": list(SCOPES), "name-claim": "mandatory", "email-claim": "mandatory", "scope-claim": "no",
            "oauth-as-iss-id": True,
            "claims": [{
                "name": "email_verified", "user-property": "email_verified", "type": "boolean", "boolean-value-true": "yes",
                "boolean-value-false": "no", "mandatory": True, "scope": []}],
        }

    def _new_key(self):
        self.keys += 1
        key = self.folder / f"key-{self.keys}.pem"
        for words in (["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", key],
                      ["pkey", "-in", key, "-pubout", "-out", key.with_suffix(".pub")]):
            subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, timeout=PATIENCE)
        return {"key": key.read_text(), "cert": key.with_suffix(".pub").read_text()}

    def _client(self):
        return {
            "client_id": self.client_id, "name": "Soglia", "client_secret": self.client_secret, "confidential": True,
            "enabled": True, "redirect_uri": self.redirect_uris, "authorization_type": ["code"], "scope": [],
            "token_endpoint_auth_method": ["client_secret_basic", "client_secret_post"]}

    def _person(self):
        return {
            "name": self.name, "email": self.email, "email_verified": "yes", "enabled": True,
            "scope": ["g_profile", *SCOPES]}
