"""A bound in time for calls that have none of their own."""

import contextlib
import signal
import threading
import time


class Late(Exception):
    """A call did not return within its deadline."""


# When each deadline that runs now is over, and of what it is; the innermost comes last.
_running = []


def _ring(_signal, _frame):
    now = time.monotonic()
    for over, what, seconds in _running:
        if over <= now:
            raise Late(f"{what} did not return within {seconds:g} s")


@contextlib.contextmanager
def deadline(seconds, what):
    """Raises `Late` in the main thread when the body takes longer.

    A signal of its own (SIGUSR1): pytest-timeout has SIGALRM, one clock in each process. Playwright hands an exception of a
    signal's handler to the caller that waits, and its connection goes on.
    """
    assert threading.current_thread() is threading.main_thread(), "signals reach the main thread alone"
    signal.signal(signal.SIGUSR1, _ring)
    entry = (time.monotonic() + seconds, what, seconds)
    timer = threading.Timer(seconds, lambda: signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1))
    timer.daemon = True
    _running.append(entry)
    timer.start()
    try:
        yield
    finally:
        # First out of the list: a signal that comes from here on finds nothing to raise.
        _running.remove(entry)
        timer.cancel()
