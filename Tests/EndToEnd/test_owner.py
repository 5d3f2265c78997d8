"""Root looks after a hub that runs as another user: what root makes in its folder belongs to that user."""

import contextlib
import os
import re
import shutil
import sqlite3
import ssl
import subprocess
from pathlib import Path

import pytest

from api import Api
from demo import PROGRAM, Process, run
from ports import free_port

PASSPHRASE = "a long walk by the river\n"
OLGA, PASSWORD = "olga@example.com", "a threshold in the morning"
# Whoever is not root goes through the same steps as one user.
IS_ROOT = os.geteuid() == 0
NOBODY = {"user": 65534, "group": 65534, "extra_groups": []} if IS_ROOT else {}


@pytest.fixture
def data(folder):
    folder.chmod(0o755)
    data = folder / "d"
    data.mkdir(mode=0o700)
    if IS_ROOT:
        os.chown(data, 65534, 65534)
    return data


def admin(*words, input=PASSPHRASE):
    done = run("admin", *words, input=input, seconds=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def as_nobody(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=60, **NOBODY)


def make_mail(data):
    admin("mail", "--data", data, "--server", "smtp://127.0.0.1:2525", "--plain", "--from", "hub@example.com", "--origin",
          "https://hub.local")


class Hub(Process):
    """A hub over TLS that runs as the user whose folder it is."""

    def __init__(self, data, name):
        self.data = data
        self.port = free_port()
        super().__init__(
            data.parent / name, "serve", "--data", data, "--port", self.port, "--tls", "--host", "localhost", **NOBODY)

    def __enter__(self):
        try:
            self.wait_until_ready()
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise
        return self

    def __exit__(self, *_):
        assert self.end() == 0

    def api(self, **more):
        trusting = ssl.create_default_context(cafile=str(self.data / "tls/authority.pem"))
        trusting.check_hostname = False
        return Api(f"https://localhost:{self.port}", verify=trusting, **more)


def owners(data):
    """What below the folder belongs to somebody else."""
    return [str(path) for path in data.rglob("*") if path.lstat().st_uid != data.stat().st_uid]


def test_what_root_does_for_a_hub_of_another_user_leaves_it_ready(data):
    folder = data.parent
    make_mail(data)
    admin("ca", "--data", data, "--names", "hub.local,127.0.0.1")
    admin("provider", "add", "google", "--client-id", "x", "--data", data)
    assert owners(data) == []
    with Hub(data, "first") as hub:
        code = (data / "setup-code").read_text().strip()
        visitor = hub.api(browser=True)
        assert visitor.http.post("/first-run", data={
            "code": code, "name": "Olga Sarti", "email": OLGA, "password": PASSWORD, "site": "Casa Sarti",
            "timezone": "Europe/Rome"}).status_code == 303
        visitor.close()
        olga = hub.api().sign_in(OLGA, PASSWORD)
        site = olga.sites()[0]["id"]
        gone = olga.ok(olga.post(f"/api/sites/{site}/people", {
            "name": "Wilhelmina Quackenbush", "email": "wilhelmina@example.com", "password": "a long first password",
            "permission": "member"}))
        admin("backup", folder / "backup", "--data", data)
        answer = olga.post(f"/api/sites/{site}/people/{gone['person']}/erase",
                           {"name": "Wilhelmina Quackenbush"})
        assert answer.status_code < 300, answer.text
        admin("registration", "open", "--data", data)
        admin("verify", "--data", data)
        olga.close()
    assert owners(data) == []
    # As after a loss: the list of who was erased lies elsewhere.
    shutil.move(data / "erased", folder / "erased")
    said = admin("restore", folder / "backup", "--data", data, "--yes", "--erased", folder / "erased")
    assert "erased again, as since the backup: 1 person" in said
    admin("ca", "--data", data, "--renew")
    admin("map", "--data", data, "--off")
    admin("export", "--data", data)
    assert owners(data) == []
    with Hub(data, "second") as hub:
        olga = hub.api().sign_in(OLGA, PASSWORD)
        assert [person["name"] for person in olga.ok(olga.get(f"/api/sites/{site}/people"))["items"]] == ["Olga Sarti"]
        olga.close()
    assert owners(data) == []


# Nobody but root can be two users.
if IS_ROOT:
    def test_a_link_that_the_hubs_user_put_there_leads_root_nowhere(data):
        folder = data.parent
        admin("ca", "--data", data, "--names", "hub.local")
        victim = folder / "victim"
        victim.mkdir(mode=0o700)
        (victim / "hub.pem").write_text("mine")
        (data / "tls").rename(data / "own")
        for path in data.glob("own/*"):
            if path.name != "hub.pem":
                shutil.copy(path, victim / path.name)
        link = data / "tls"
        link.symlink_to(victim)
        os.lchown(link, 65534, 65534)
        done = run("admin", "ca", "--data", data, "--renew", input=PASSPHRASE)
        assert done.returncode != 0 and "link" in done.stderr, done.stderr
        assert (victim / "hub.pem").read_text() == "mine"
        # The same of a file that is opened where it lies.
        for name in ("mail.json.new", "mail.json", "lock"):
            (data / name).symlink_to(victim / name)
            os.lchown(data / name, 65534, 65534)
        make_mail(data)
        assert not (data / "mail.json").is_symlink()
        done = run("admin", "restore", folder / "nothing", "--data", data, input=PASSPHRASE)
        (folder / "backup").write_bytes(b"x")
        done = run("admin", "restore", folder / "backup", "--data", data, input=PASSPHRASE)
        assert done.returncode != 0 and "link" in done.stderr, done.stderr
        assert sorted(path.name for path in victim.iterdir()) == ["authority-key.pem", "authority.pem", "hub.pem"]

    def test_a_database_that_the_hubs_user_put_a_link_to_is_neither_copied_nor_shown(data):
        folder, victim = data.parent, data.parent / "victim"
        victim.mkdir(mode=0o700)
        with contextlib.closing(sqlite3.connect(victim / "soglia.sqlite")) as database, database:
            database.execute("CREATE TABLE secrets (word TEXT)")
        (data / "soglia.sqlite").symlink_to(victim / "soglia.sqlite")
        os.lchown(data / "soglia.sqlite", 65534, 65534)
        for words in (("admin", "backup", folder / "copy"), ("admin", "verify"), ("admin", "export")):
            done = run(*words, "--data", data, input=PASSPHRASE)
            assert done.returncode != 0 and "link" in done.stderr, (words, done.stderr)
            assert not list(data.glob(".backup-*"))
        assert "is a link" in run("doctor", "--data", data).stdout

    def test_root_reads_no_file_through_a_link_and_waits_for_no_pipe(data):
        victim = data.parent / "victim"
        victim.mkdir(mode=0o700)
        (victim / "providers.json").write_text('{"providers":[]}')
        (data / "providers.json").symlink_to(victim / "providers.json")
        os.lchown(data / "providers.json", 65534, 65534)
        done = run("admin", "provider", "add", "google", "--client-id", "x", "--data", data, input="a secret\n")
        assert done.returncode != 0 and "link" in done.stderr, done.stderr
        assert (data / "providers.json").is_symlink()
        os.mkfifo(data / "mail.json", 0o600)
        done = run("admin", "mail", "--data", data, seconds=20)
        assert done.returncode != 0 and "pipe" in done.stderr, done.stderr

    def test_what_belongs_to_root_is_named_as_the_cause(data):
        make_mail(data)
        admin("ca", "--data", data, "--names", "hub.local")

        def refused(*words):
            done = as_nobody("serve", "--data", data, "--port", "0", *words)
            assert done.returncode != 0
            return done.stderr

        for name, words in ((".", []), ("tls", ["--tls"]), ("tls/hub.pem", ["--tls"]), ("mail.json", []), ("lock", [])):
            path = data / name
            if name == "lock":
                path.touch(mode=0o600)
            os.chown(path, 0, 0)
            said = refused(*words)
            assert f"{path} belongs to root, and this program runs as nobody" in said, said
            assert "no certificate yet" not in said
            doctor = as_nobody("doctor", "--data", data)
            assert doctor.returncode == 1 and f"{path} belongs to root" in doctor.stdout, doctor.stdout
            assert "chown" in doctor.stdout
            assert re.search("tables: not checked: see (folder|owner) above", doctor.stdout), doctor.stdout
            assert "or ask before you remove anything" not in doctor.stdout, "no backup helps"
            os.chown(path, 65534, 65534)
        assert as_nobody("doctor", "--data", data).returncode == 0
