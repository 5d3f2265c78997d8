"""The program under test: how it is started, driven, looked into from outside, and ended."""

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

from api import Api
from patience import PATIENCE
from ports import free_port

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(os.environ.get("SOGLIA", ROOT / ".build/debug/soglia")).absolute())

ADA = "ada.rossi@example.com"
MARTA = "marta.conti@example.com"
CARLO = "carlo.neri@example.com"
LUCIA = "lucia.ferri@example.com"
PIERO = "piero.ferri@example.com"


# Between two tries of one person at one gate, who may try 30 times a minute.
BETWEEN_TAPS = 2.5


def wait_until(condition, seconds=PATIENCE, what="it", pause=0.02):
    """Answers the first true value of a condition; fails after so many seconds, never before `PATIENCE`."""
    seconds = max(seconds, PATIENCE)
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < deadline, f"{what} did not happen within {seconds} s"
        time.sleep(pause)


@contextlib.contextmanager
def short_folder():
    """A folder with a short name: the address of a Unix socket has room for some hundred bytes only."""
    # A run of all stories gives a prefix of its own, by which it finds what is left behind.
    folder = Path(tempfile.mkdtemp(prefix=os.environ.get("SOGLIA_PREFIX", "sg") + "-", dir="/tmp"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run(*words, input=None, seconds=PATIENCE):
    """Calls the program and waits for its end."""
    return subprocess.run(
        [PROGRAM, *map(str, words)], input=input, capture_output=True, text=True, timeout=max(seconds, PATIENCE))


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@contextlib.contextmanager
def standing_still(pid):
    """A process that does nothing while the body runs.

    SIGSTOP holds only once it is taken, by one thread: ours gives it to the first one, which sleeps, and until that has run all others
    go on. On a busy machine (two cores, sixteen more who want them) we saw 29 ms of it; a gate opens in 7. So a story that asked a
    gate just told to stop got *opened*, and both had told the truth.
    """
    def threads():
        states = []
        for entry in Path(f"/proc/{pid}/task").glob("*/stat"):
            with contextlib.suppress(OSError):   # one that has just ended
                states.append(entry.read_text().rsplit(")", 1)[1].split()[0])
        return states
    os.kill(pid, signal.SIGSTOP)
    try:
        wait_until(lambda: set(threads()) == {"T"}, what=f"process {pid} standing still")
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def processes_of(folder):
    """The ids of the processes that were told of a folder when they were started."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if str(folder).encode() in (entry / "cmdline").read_bytes() and is_running(int(entry.name)):
                    found.append(int(entry.name))
    return found


class Process:
    """A long-running call of the program; `more` is how, as `subprocess` says it: `user`."""

    def __init__(self, output, *words, **more):
        self.output = Path(output)
        with self.output.open("ab") as file:
            self.process = subprocess.Popen(
                [PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, stdout=file, stderr=file, **more)

    @property
    def said(self):
        return self.output.read_text(errors="replace")

    def wait_until_ready(self, seconds=PATIENCE):
        """Answers what it calls ready: `http://localhost:8080`."""
        def ready():
            assert self.process.poll() is None, f"it ended instead of being ready: {self.said}"
            lines = [line for line in self.said.splitlines(True) if line.startswith("ready ") and line.endswith("\n")]
            return lines and lines[-1].split(maxsplit=1)[1].strip()
        return wait_until(ready, seconds, "ready")

    def end(self, by=signal.SIGINT, seconds=PATIENCE):
        """Asks it to end and answers with what status it did."""
        if self.process.poll() is None:
            self.process.send_signal(by)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise


class Demo:
    """`soglia demo` in a folder of its own."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.data = self.folder / "d"
        self.port = free_port()
        self.supervisor = None
        self.apis = {}

    def start(self):
        self.supervisor = Process(self.folder / "out", "demo", "--data", self.data, "--port", self.port)
        try:
            assert self.supervisor.wait_until_ready() == f"http://localhost:{self.port}"
        except BaseException:
            self.supervisor.process.kill()
            self.supervisor.process.wait()
            raise

    def end(self):
        """Ctrl-C: everything ends, with status 0, and nothing of it is left."""
        for api in self.apis.values():
            api.close()
        status = self.supervisor.end()
        left = [pid for pid in processes_of(self.data) if is_running(pid)]
        assert status == 0, f"the demo ended with {status}: {self.supervisor.said[-2000:]}"
        assert not left, f"processes outlived the demo: {left}"

    # MARK: what it says of itself

    @property
    def file(self):
        return json.loads((self.data / "demo.json").read_text())

    @property
    def url(self):
        return f"http://localhost:{self.port}"

    @property
    def page(self):
        return f"http://localhost:{self.port + 1}"

    @property
    def entrance(self):
        """The page as the demo prints it: it opens to whoever has the token."""
        return f"{self.page}/#{self.file['token']}"

    def account(self, email):
        return next(account for account in self.file["accounts"] if account["email"] == email)

    def password(self, email):
        return self.account(email)["password"]

    def pid(self, name):
        return self.file["processes"].get(name)

    def site(self, name="Officine Rossi"):
        return next(site["id"] for site in self.file["sites"] if site["name"] == name)

    # MARK: driving it

    def api(self, email):
        """A program that is signed in as somebody, for as long as the demo lives."""
        if email not in self.apis:
            self.apis[email] = Api(self.url).sign_in(email, self.password(email))
        return self.apis[email]

    def gate(self, name="Main entrance"):
        return next(gate["id"] for gate in self.api(CARLO).gates() if gate["name"] == name)

    def gate_is(self, state, name="Main entrance", seconds=PATIENCE):
        wait_until(lambda: self.states().get(name) == state, seconds, f"{name} {state}")

    def states(self):
        """How each gate is; nothing while the hub does not answer."""
        try:
            return {gate["name"]: gate["state"] for gate in self.api(CARLO).gates()}
        except Exception:
            return {}

    def wait_until_ready(self, seconds=PATIENCE):
        wait_until(lambda: (states := self.states()) and set(states.values()) == {"ready"}, seconds, "every gate ready")

    def tell(self, verb, name):
        done = run("demo", "--data", self.data, verb, name)
        assert done.returncode == 0, done.stderr

    def stop(self, name):
        pid = self.pid(name)
        self.tell("stop", name)
        wait_until(lambda: not is_running(pid), what=f"the end of {name}")

    def start_again(self, name):
        self.tell("start", name)

    def phone(self, *words):
        return run("simulate", "phone", "--data", self.data, *words)

    # MARK: looking into it

    def admin(self, verb):
        return run("admin", verb, "--data", self.data)

    def export(self, kind=None):
        """The ledger, oldest first."""
        done = self.admin("export")
        assert done.returncode == 0, done.stderr
        events = [json.loads(line) for line in done.stdout.splitlines()]
        return [event for event in events if kind is None or event["kind"] == kind]

    def verify(self):
        done = self.admin("verify")
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def journal(self, gate="gate-main-entrance"):
        """What a gate's own journal holds: (sequence, event, record, acknowledged)."""
        path = self.data / "gates" / gate / "gate.sqlite"
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=PATIENCE)) as database:
            return database.execute(
                "SELECT sequence, event, record, is_acknowledged FROM journal ORDER BY sequence").fetchall()

    def journal_id(self, gate="gate-main-entrance"):
        path = self.data / "gates" / gate / "gate.sqlite"
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=PATIENCE)) as database:
            return dict(database.execute("SELECT name, value FROM facts"))["journal"].hex()
