"""The hub goes back to a backup: gates notice, tell again what it lost, and let nothing old in; what they kept proves the history."""

import contextlib
import hashlib
import os
import pty
import shutil
import sqlite3
import subprocess

import pytest

from api import Api
from demo import ADA, CARLO, LUCIA, MARTA, PROGRAM, Demo, run, short_folder, wait_until
from patience import PATIENCE

PASSPHRASE = "correct horse battery staple\n"


@pytest.fixture
def house():
    """A demo of its own: its hub goes back in time."""
    with short_folder() as folder:
        demo = Demo(folder)
        demo.start()
        try:
            yield demo
        finally:
            demo.end()


def admin(*words, input=None):
    return run("admin", *words, input=input, seconds=120)


def on_the_machine(demo, *words, input=None):
    """What an administrator sets up beside the hub."""
    done = admin(*words, "--data", demo.data, input=input)
    assert done.returncode == 0, done.stderr


def back_up(demo, name="backup"):
    file = demo.folder / name
    done = admin("backup", file, "--data", demo.data, input=PASSPHRASE)
    assert done.returncode == 0, done.stderr
    assert oct(file.stat().st_mode & 0o777) == "0o600"
    return file


def gates_of(demo):
    return sorted((demo.data / "gates").iterdir())


def verify_heads(demo, *files):
    return admin("verify", "--data", demo.data, "--heads", *(files or gates_of(demo)))


def everything_is_told(demo):
    """Every gate's journal is acknowledged."""
    def told():
        return all(row[3] for gate in gates_of(demo) for row in demo.journal(gate.name))
    wait_until(told, 30, "every record acknowledged")


def restore(demo, file, *more):
    return admin("restore", file, "--data", demo.data, "--yes", *more, input=PASSPHRASE)


def restore_at_a_terminal(demo, file, answer):
    """As a person restores, who is asked; answers the status and all that was said."""
    ours, theirs = pty.openpty()
    with contextlib.closing(os.fdopen(ours, "r+b", buffering=0)) as screen:
        process = subprocess.Popen(
            [PROGRAM, "admin", "restore", file, "--data", demo.data], stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        said = b""
        for question, words in ((b"passphrase of the backup: ", PASSPHRASE), (b"Type yes: ", answer)):
            while question not in said:
                said += screen.read(4096)
            screen.write(words.encode())
        with contextlib.suppress(OSError):   # the end of a terminal
            while piece := screen.read(4096):
                said += piece
        return process.wait(PATIENCE), said.decode()


def valid_again(done):
    """What a restore tells of: for each kind, what of it becomes valid again."""
    found, kind = {}, None
    for line in done.stderr.splitlines():
        if line.startswith("    "):
            found[kind].append(line.strip())
        elif line.startswith("  ") and line.endswith(":"):
            kind = line.strip()[:-1]
            found[kind] = []
    return found


def test_a_hub_that_went_back_hears_from_its_gates_what_it_lost_and_no_old_pass_opens(house):
    demo = house
    demo.wait_until_ready()
    gate, site, marta = demo.gate(), demo.site(), demo.api(MARTA)
    assert demo.api(ADA).open(gate)["outcome"] == "opened"
    row = marta.person(site, ADA)
    role = row["role"]
    gone = marta.ok(marta.post(f"/api/sites/{site}/people", {
        "name": "Wilhelmina Quackenbush", "email": "wilhelmina.quackenbush@example.com",
        "password": "a long first password", "permission": "member", "role": role}))
    own = Api(demo.url).sign_in("wilhelmina.quackenbush@example.com", "a long first password")
    assert own.open(gate)["outcome"] == "opened"
    own.close()
    assert demo.phone("refresh").returncode == 0
    assert demo.phone("open", "Main entrance").returncode == 0
    everything_is_told(demo)
    file = back_up(demo)

    # What the backup does not know: openings, an erasure, and what the gates were told.
    for _ in range(5):
        assert demo.api(ADA).open(gate)["outcome"] == "opened"
    assert marta.post(f"/api/sites/{site}/people/{gone['person']}/erase",
                      {"name": "Wilhelmina Quackenbush"}).status_code == 200
    assert demo.api(ADA).open(gate)["outcome"] == "opened"
    everything_is_told(demo)
    checked = verify_heads(demo)
    assert checked.returncode == 0 and "heads that gates kept are in the chains" in checked.stdout, checked.stderr
    sequences = [record[0] for record in demo.journal()]

    refused = restore(demo, file)
    assert refused.returncode == 1 and "another Soglia already works" in refused.stderr
    demo.stop("hub")
    done = restore(demo, file)
    assert done.returncode == 0, done.stderr
    assert "erased again, as since the backup: 1 person" in done.stdout
    assert "Quackenbush" not in done.stderr, "who is erased again comes in by nothing"
    assert "4 gates to be heard and compared" in done.stdout
    demo.apis.clear()
    demo.start_again("hub")
    demo.wait_until_ready()

    compared = wait_until(lambda: len(found := demo.export("gate.compared")) == 4 and found, 30, "every gate compared")
    by_gate = {event["payload"]["gate"]: event["payload"] for event in compared}
    assert by_gate[gate]["lost"] >= 6 and by_gate[gate]["agrees"] is True
    # What the gate did in the lost time is in the ledger again, each once.
    journal = demo.journal_id()

    def told():
        found = [event["payload"] for event in demo.export() if event["kind"].startswith("opening.") and event["payload"]
                 and event["payload"].get("journal") == journal]
        return {payload["sequence"] for payload in found} >= set(sequences[-6:]) and found
    found = wait_until(told, 30, "the lost records again")
    assert len({payload["sequence"] for payload in found}) == len(found)

    # A pass of before the restore opens nothing, one of after it does.
    old = demo.phone("open", "Main entrance")
    assert old.returncode == 1 and "refused" in old.stderr, old.stdout
    assert demo.phone("refresh").returncode == 0
    assert demo.phone("open", "Main entrance").returncode == 0

    # Nobody who was erased is back, also not in what was put aside and in the file itself.
    marta = demo.api(MARTA)
    assert marta.ok(marta.get(f"/api/sites/{site}/people", params={"search": "Quackenbush"}))["items"] == []
    assert b"Quackenbush" not in (demo.data / "soglia.sqlite").read_bytes()

    assert demo.api(ADA).open(gate)["outcome"] == "opened"
    everything_is_told(demo)
    demo.verify()
    checked = verify_heads(demo)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "a restore gave up" in checked.stdout
    log = marta.get(f"/sites/{site}/log", headers={"Accept": "text/html"})
    assert log.status_code in (200, 303)


def test_a_restore_tells_what_becomes_valid_again_and_changes_nothing_unless_it_is_meant(house):
    demo = house
    marta, site = demo.api(MARTA), demo.site()
    carlo = demo.api(CARLO)
    lucia, town = demo.api(LUCIA), demo.site("Casa Ferri")
    code = lucia.ok(lucia.post(f"/api/sites/{town}/alarm-codes", {"name": "The cleaner", "code": "740218"}))
    gateway = lucia.ok(lucia.post(f"/api/sites/{town}/gateways", {"kind": "device", "name": "Old stick"}))
    gate = demo.gate("Main entrance")
    hook = f"/api/sites/{site}/webhook"
    marta.ok(marta.put(hook, {"address": "https://hooks.example.com/told"}))
    role = next(one for one in marta.ok(marta.get(f"/api/sites/{site}/roles"))["items"] if gate in one["gates"])
    on_the_machine(demo, "provider", "add", "google", "--client-id", "hub-at-google", input="between the two of them\n")
    on_the_machine(demo, "map", "--tiles", "https://tiles.example.org/{z}/{x}/{y}.png?key=hidden", "--credit", "The mappers")
    on_the_machine(demo, "registration", "open")
    file = back_up(demo)
    unchanged = admin("restore", file, "--data", demo.data, input=PASSPHRASE)
    assert unchanged.returncode == 1 and "another Soglia already works" in unchanged.stderr

    carlo.ok(carlo.put("/api/password", {"current": demo.password(CARLO), "new": "another sentence to keep"}))
    row = marta.person(site, ADA)
    marta.ok(marta.post(f"/api/sites/{site}/people/bulk", {"memberships": [row["membership"]], "do": "revoke"}))
    assert lucia.delete(f"/api/sites/{town}/alarm-codes/{code['id']}").status_code == 204
    assert lucia.delete(f"/api/sites/{town}/gateways/{gateway['id']}").status_code == 204
    assert marta.delete(hook).status_code == 204
    marta.ok(marta.put(f"/api/sites/{site}/gates/{gate}/check-in", {"proof": "passkey"}))
    fewer = [one for one in role["gates"] if one != gate]
    marta.ok(marta.put(f"/api/sites/{site}/roles/{role['id']}", role | {"gates": fewer}))
    later = marta.person(site, CARLO)
    marta.change_membership(site, later, firstDay="2031-01-01")
    marta.ok(marta.post(f"/api/sites/{site}/special-days", {
        "name": "Stocktaking", "firstDay": "2027-01-07", "lastDay": "2027-01-08", "hours": []}))
    marta.ok(marta.http.patch(f"/api/sites/{site}", json={"zone": "Asia/Tokyo"}))
    on_the_machine(demo, "provider", "remove", "google")
    on_the_machine(demo, "map", "--off")
    on_the_machine(demo, "registration", "closed")
    on_the_machine(demo, "mail", "--remove")
    demo.stop("hub")
    (demo.data / "metrics-token").write_text("another one, since the old one got about\n")
    with contextlib.closing(sqlite3.connect(demo.data / "soglia.sqlite")) as database, database:
        # As pairing another controller would: the one before was taken away, with its key.
        database.execute("UPDATE gates SET key = randomblob(32) WHERE id = ?", (bytes.fromhex(gate.replace("-", "")),))
        assert database.total_changes == 1
    before = (demo.data / "soglia.sqlite").read_bytes(), demo.export()
    done = admin("restore", file, "--data", demo.data, input=PASSPHRASE)
    assert done.returncode == 1 and "nothing was changed" in done.stderr and "say --yes" in done.stderr
    assert ((demo.data / "soglia.sqlite").read_bytes(), demo.export()) == before
    assert not (demo.data / "restored.new").exists() and not (demo.data / "replaced").exists()
    told = valid_again(done)
    assert [label.split(" <")[1] for label in told.pop("passwords")] == [f"{CARLO}>"]
    assert len(told["memberships"]) == 2, "one that had ended, and one that was to begin later"
    assert all(" at Officine Rossi (" in label for label in told.pop("memberships"))
    assert told.pop("servers that are told of notices") == ["Officine Rossi"]
    assert told.pop("gates that open from a notification without a passkey") == [
        "Main entrance at Officine Rossi (unlocked)"]
    assert told.pop("gates of roles") == [f"Main entrance for {role['name']} at Officine Rossi"]
    assert told.pop("gates in use, and the keys of their controllers") == ["Main entrance at Officine Rossi"]
    assert told.pop("time zones of sites") == ["Officine Rossi (Europe/Rome)"]
    assert told.pop("special days") == ["Officine Rossi"], "it was to be closed, and is open again"
    assert told.pop("codes of houses") == ["The cleaner at Casa Ferri"]
    assert told.pop("credentials of devices") == ["Old stick at Casa Ferri"]
    assert told.pop("registration") == ["open: strangers may make themselves an account"]
    assert told.pop("services that people sign in by") == ["google at https://accounts.google.com, client hub-at-google"]
    assert told.pop("servers of map tiles") == ["https://tiles.example.org"]
    mail, = told.pop("mail servers that letters leave by")
    assert mail.startswith("smtp://127.0.0.1:"), mail
    assert told.pop("tokens for the figures") == ["metrics-token"]
    assert not told, told
    assert "between the two" not in done.stderr and "hidden" not in done.stderr, "a secret is in no line"

    status, said = restore_at_a_terminal(demo, file, "no\n")
    assert status == 1 and "The cleaner at Casa Ferri" in said and "nothing was changed" in said, said
    assert ((demo.data / "soglia.sqlite").read_bytes(), demo.export()) == before
    status, said = restore_at_a_terminal(demo, file, "yes\n")
    assert status == 0 and "restored: " in said, said
    demo.apis.clear()
    demo.start_again("hub")
    demo.wait_until_ready()
    demo.api(CARLO).close()


def rewrite(path, site, sequence):
    """Writes one payload anew and every hash after it, so that the chain is consistent: SHA-256(previous, header, payload's hash)."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.isolation_level = None
        rows = database.execute(
            "SELECT e.sequence, e.id, e.at, e.kind, e.payload_hash, e.hash, p.salt, p.payload FROM events e "
            "LEFT JOIN event_payloads p ON p.event = e.id WHERE e.site = ? ORDER BY e.sequence", (site,)).fetchall()
        previous = bytes(32)
        for number, event, at, kind, payload_hash, old, salt, payload in rows:
            if number == sequence:
                payload += b" "
                payload_hash = hashlib.sha256(salt + payload).digest()
                database.execute("UPDATE event_payloads SET payload = ? WHERE event = ?", (payload, event))
            header = (b"\x01" + site + number.to_bytes(8, "big") + event + at.to_bytes(8, "big")
                      + kind.encode().ljust(32, b"\0"))
            new = hashlib.sha256(previous + header + payload_hash).digest()
            if number < sequence:
                assert new == old
            database.execute(
                "UPDATE events SET payload_hash = ?, hash = ? WHERE id = ?", (payload_hash, new, event))
            previous = new


def test_a_history_rewritten_with_consistent_hashes_passes_alone_and_fails_before_what_the_gates_kept(house):
    demo = house
    demo.wait_until_ready()
    site, gate = demo.site(), demo.gate()
    for _ in range(3):
        assert demo.api(ADA).open(gate)["outcome"] == "opened"
    everything_is_told(demo)
    heads = demo.folder / "heads"
    printed = run("gate", "heads", "--data", demo.data / "gates" / "gate-main-entrance")
    assert printed.returncode == 0 and printed.stdout.count("\n") >= 2, printed.stderr
    heads.write_text(printed.stdout)
    assert verify_heads(demo, heads).returncode == 0
    last = max(event["sequence"] for event in demo.export() if event["site"] == site)

    demo.stop("hub")
    # A copy, so that the demo itself goes on honestly.
    forged = demo.folder / "forged"
    forged.mkdir()
    shutil.copy(demo.data / "soglia.sqlite", forged)
    if (demo.data / "soglia.sqlite-wal").exists():
        shutil.copy(demo.data / "soglia.sqlite-wal", forged)
    rewrite(forged / "soglia.sqlite", bytes.fromhex(site), last - 3)
    alone = admin("verify", "--data", forged)
    assert alone.returncode == 0, alone.stdout + alone.stderr
    for witness in (heads, demo.data / "gates" / "gate-main-entrance"):
        caught = admin("verify", "--data", forged, "--heads", witness)
        assert caught.returncode == 1, caught.stdout
        assert f"site {site}" in caught.stderr and "Main entrance" in caught.stderr
        assert "its history is not the one that the gate saw" in caught.stderr
    demo.start_again("hub")
    demo.wait_until_ready()


def test_a_backup_is_unreadable_without_its_passphrase_and_whole_or_refused(house):
    demo = house
    demo.wait_until_ready()
    site = demo.site()
    assert admin("backup", demo.folder / "b", "--data", demo.data, input="short\n").returncode == 2
    assert admin("backup", demo.data / "b", "--data", demo.data, input=PASSPHRASE).returncode == 1
    file = back_up(demo)
    whole = file.read_bytes()
    assert b"Rossi" not in whole and b"SQLite" not in whole
    demo.stop("hub")
    before = demo.export()
    for broken in (whole[:-1], whole[:5000], whole[:200] + bytes([whole[200] ^ 1]) + whole[201:], b""):
        file.write_bytes(broken)
        done = restore(demo, file)
        assert done.returncode == 1 and "Traceback" not in done.stderr, done.stdout
    file.write_bytes(whole)
    done = admin("restore", file, "--data", demo.data, "--yes", input="another passphrase\n")
    assert done.returncode == 1 and "does not open" in done.stderr
    assert demo.export() == before
    # On another machine: a folder that is not there yet.
    other = demo.folder / "other"
    unasked = admin("restore", file, "--data", other, input=PASSPHRASE)
    assert unasked.returncode == 1 and "say --yes" in unasked.stderr and not (other / "soglia.sqlite").exists()
    assert "there is no database" in unasked.stderr and "passwords" in unasked.stderr
    # A list that is asked for and is not there is no empty one.
    missing = admin("restore", file, "--data", other, "--yes", "--erased", demo.folder / "nothing", input=PASSPHRASE)
    assert missing.returncode == 1 and "nothing" in missing.stderr and not (other / "soglia.sqlite").exists()
    done = admin("restore", file, "--data", other, "--yes", input=PASSPHRASE)
    assert done.returncode == 0, done.stderr
    assert "the list of people who were erased" in done.stdout
    assert admin("verify", "--data", other).returncode == 0
    assert not (other / "gates").exists() and not (other / "erased").exists()
    assert (other / "soglia.sqlite").stat().st_mode & 0o777 == 0o600
    demo.start_again("hub")
    demo.wait_until_ready()
    assert demo.site() == site
