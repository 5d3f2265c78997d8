"""New rights on their way to a gate are cut off after any byte: the gate has the old ones or the new ones, never a part, and
comes back for the new ones by itself."""

import contextlib
import os
import random
import socket
import subprocess
import threading

import pytest

from demo import ADA, MARTA, PROGRAM, short_folder, wait_until

# Every byte of the message and its frame takes minutes: a few of them, other ones in each run; all in the long campaign.
FRAME = 320
CUTS = FRAME if os.environ.get("SOGLIA_SOAK") else 3
SEED = int(os.environ.get("SOGLIA_SEED", random.SystemRandom().randrange(1 << 32)))


class Wire:
    """Between a gate and its broker: hands on what each says, until it is told to break after so many bytes."""

    def __init__(self, port):
        self.target, self.left, self.pairs = port, None, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                gate, _ = self.listener.accept()
                broker = socket.create_connection(("127.0.0.1", self.target))
                self.pairs.append((gate, broker))
                threading.Thread(target=self.hand_on, args=(gate, broker, False), daemon=True).start()
                threading.Thread(target=self.hand_on, args=(broker, gate, True), daemon=True).start()

    def hand_on(self, source, sink, is_counted):
        with contextlib.suppress(OSError):
            while piece := source.recv(4096):
                if is_counted and self.left is not None:
                    piece, whole = piece[:self.left], len(piece)
                    sink.sendall(piece)
                    if whole >= self.left:
                        self.left = None
                        break
                    self.left -= whole
                else:
                    sink.sendall(piece)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def break_after(self, count):
        self.left = count

    def close(self):
        self.listener.close()
        for pair in self.pairs:
            for end in pair:
                end.close()


@pytest.fixture
def cellar(demo):
    """A gate of its own, whose word goes over our wire, and that Ada's role has."""
    marta, site = demo.api(MARTA), demo.site()
    gate = marta.ok(marta.post(f"/api/sites/{site}/gates", {"name": "Cellar", "policy": "doors"}))["id"]
    role = next(one for one in marta.ok(marta.get(f"/api/sites/{site}/roles"))["items"] if one["name"] == "Employee")
    marta.ok(marta.put(f"/api/sites/{site}/roles/{role['id']}", {
        "name": role["name"], "level": role["level"], "gates": role["gates"] + [gate], "groups": role["groups"], "hours": role["hours"]}))
    code = marta.ok(marta.post(f"/api/sites/{site}/gates/{gate}/pairing"))["code"]
    wire = Wire(demo.file["broker"]["port"])
    with short_folder() as folder, (folder / "out").open("ab") as output:
        process = subprocess.Popen(
            [PROGRAM, "gate", "--data", folder / "g", "--hub", f"mqtt://127.0.0.1:{wire.port}", "--pair", "--air", demo.data / "air"],
            stdin=subprocess.PIPE, stdout=output, stderr=output)
        try:
            process.stdin.write(code.encode() + b"\n")
            process.stdin.close()
            demo.gate_is("ready", "Cellar")
            yield gate, wire
            assert process.poll() is None, "the gate lives"
        finally:
            process.kill()
            process.wait()
            wire.close()


def test_rights_that_are_cut_off_after_any_byte_leave_the_old_ones_until_the_new_ones_are_whole(demo, cellar):
    gate, wire = cellar
    marta, site = demo.api(MARTA), demo.site()
    row = marta.person(site, ADA)
    cuts = range(1, FRAME + 1) if CUTS == FRAME else sorted(random.Random(SEED).sample(range(1, FRAME + 1), CUTS))
    print(f"\ncut: seed {SEED} (SOGLIA_SEED repeats it), after {list(cuts)} bytes")

    def bulk(what):
        answer = marta.ok(marta.post(f"/api/sites/{site}/people/bulk", {"memberships": [row["membership"]], "do": what}))
        assert answer["changed"] == 1

    def health():
        return next(one for one in marta.ok(marta.get(f"/api/sites/{site}/gates"))["items"] if one["id"] == gate)["health"]

    for count in cuts:
        assert demo.phone("refresh").returncode == 0
        wait_until(lambda: demo.phone("open", "Cellar").returncode == 0, what=f"the gate to open, before byte {count}")
        wire.break_after(count)
        bulk("revoke")
        wait_until(lambda: "revoked" in demo.phone("open", "Cellar").stderr, what=f"the refusal, after byte {count}")
        wait_until(lambda: health()["rightsAreCurrent"], what="the gate to hold the newest rights")
        assert health()["troubles"] == []
        bulk("reinstate")
    demo.verify()
