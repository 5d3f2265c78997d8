"""The hub is killed between the commit of a change and the message to the gate: after its start the gate gets its rights."""

import os
import signal
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from demo import ADA, MARTA, is_running, wait_until


def test_what_was_taken_away_and_not_sent_before_the_hub_was_killed_is_sent_after_its_start(demo):
    assert demo.phone("--email", ADA, "refresh").returncode == 0
    opened = demo.phone("open", "Main entrance")
    assert opened.returncode == 0, opened.stderr
    marta, site = demo.api(MARTA), demo.site()
    row = marta.person(site, ADA)
    yesterday = (datetime.now(ZoneInfo("Europe/Rome")) - timedelta(days=1)).date().isoformat()

    # Without its broker the hub commits, and sends nothing.
    demo.stop("broker")
    assert marta.change_membership(site, row, lastDay=yesterday).status_code == 200
    pid = demo.pid("hub")
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not is_running(pid), what="the end of the hub")
    still = demo.phone("open", "Main entrance")
    assert still.returncode == 0, still.stderr

    demo.start_again("broker")
    wait_until(lambda: demo.pid("hub") not in (None, pid), what="another hub")
    demo.wait_until_ready()
    wait_until(lambda: "revoked" in demo.phone("open", "Main entrance").stderr, what="the refusal")
    demo.verify()
