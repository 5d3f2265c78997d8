"""Ports of this process's own."""

import contextlib
import fcntl
import itertools
import os
import socket
from pathlib import Path

# Below what outgoing connections take (32768 and up on Linux), above what a demo takes for its broker (10000 to 29999 at random).
FIRST, LAST, SLOT = 30_000, 32_700, 60

_claim = None


class _Slot:
    """A range of ports that no other process of the tests has, whichever checkout it tests: a lock that ends with the process."""

    def __init__(self):
        folder = Path(f"/tmp/soglia-ports-{os.getuid()}")
        folder.mkdir(mode=0o700, exist_ok=True)
        for first in range(FIRST, LAST - SLOT + 1, SLOT):
            lock = os.open(folder / str(first), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            self.lock, self.ports = lock, itertools.cycle(range(first, first + SLOT, 2))
            return
        raise RuntimeError("every range of ports is taken: do other tests run on this machine?")

    def pair(self):
        for _ in range(SLOT // 2):
            port = next(self.ports)
            with contextlib.suppress(OSError), socket.socket() as one, socket.socket() as next_one:
                for end, number in ((one, port), (next_one, port + 1)):
                    # As servers do: connections of an earlier one that linger are no hindrance.
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    end.bind(("127.0.0.1", number))
                return port
        raise RuntimeError("every port of this process is in use")


def free_port():
    """A port that is free, and so is the one after it; the same one comes again after all others of this process."""
    global _claim
    if _claim is None:
        _claim = _Slot()
    return _claim.pair()
