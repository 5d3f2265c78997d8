"""A phone opens a gate with the pass that it keeps: nobody is asked, and still everything that was taken away holds."""

import base64
import json
import stat
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import bus
from demo import ADA, CARLO, MARTA, standing_still, wait_until


RIGHTS = 17   # the kind of frame with which a gate is told


def wallet(demo):
    return demo.data / "phone.json"


def opens(demo, gate="Main entrance", *words):
    done = demo.phone(*words, "open", gate)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refusal(demo, gate="Main entrance"):
    done = demo.phone("open", gate)
    assert done.returncode != 0, done.stdout
    return done.stderr.strip()


def refresh(demo, email=ADA):
    done = demo.phone("--email", email, "refresh")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_phone_keeps_a_pass_for_each_gate_of_its_owner_and_nobody_else_can_read_it(demo):
    assert refresh(demo).startswith("2 passes for ada.rossi@example.com")
    assert stat.S_IMODE(wallet(demo).stat().st_mode) == 0o600
    names = [one["name"] for one in json.loads(wallet(demo).read_text())["passes"]]
    assert sorted(names) == ["Car park", "Main entrance"]
    assert refusal(demo, "Laboratory").splitlines()[0].startswith("the phone has no pass for Laboratory")


def test_a_pass_opens_the_moment_it_was_issued(demo):
    # The gate's clock is a little behind the hub's, always.
    for _ in range(5):
        refresh(demo)
        opens(demo)


def test_it_opens_with_the_hub_and_without_and_both_ways(demo):
    refresh(demo)
    assert opens(demo).startswith("opened: Main entrance, proven by the gate")
    opens(demo, "car park", "--leave")
    demo.stop("hub")
    opens(demo)
    refused = demo.phone("refresh")
    assert refused.returncode == 1 and refused.stderr.strip() and "Fatal" not in refused.stderr
    opens(demo)   # the kept passes are still there
    demo.start_again("hub")
    demo.wait_until_ready()
    wait_until(lambda: len(demo.export("opening.opened")) >= 9, what="every transit in the ledger")
    last = demo.export("opening.opened")
    assert {event["payload"]["how"] for event in last} == {"ble"}
    assert [event["payload"]["intent"] for event in last].count("leave") == 1


def test_what_was_taken_away_is_told_to_the_gate_at_once_and_refused_by_it(demo):
    refresh(demo)
    opens(demo)
    marta, site = demo.api(MARTA), demo.site()
    row = marta.person(site, ADA)
    yesterday = (datetime.now(ZoneInfo("Europe/Rome")) - timedelta(days=1)).date().isoformat()
    down = f"soglia/{site}/gates/{demo.gate()}/down"
    with bus.insider(demo) as insider:
        assert insider.subscribe(down)
        # At once, and not when the gate asks next: it stands still, so that it can ask for nothing.
        with standing_still(demo.pid("gate-main-entrance")):
            assert marta.change_membership(site, row, lastDay=yesterday).status_code == 200
            wait_until(lambda: insider.heard(down, RIGHTS), what="the gate's new rights on the bus")
    # The first tries may find a gate that has just been woken: it opens, or does not answer.
    wait_until(lambda: "revoked" in demo.phone("open", "Main entrance").stderr, what="the refusal")
    assert refresh(demo).startswith("0 passes")
    # The gate journalled it, and the ledger knows whose pass it was.
    refused = wait_until(lambda: demo.export("opening.refused"), what="the refusal in the ledger")[-1]
    assert refused["payload"]["reason"]["code"] == "revoked" and refused["payload"]["person"] == row["person"]

    assert marta.change_membership(site, row).status_code == 200
    refresh(demo)
    opens(demo)


def test_what_was_taken_away_while_the_gate_was_alone_holds_as_soon_as_it_is_back(demo):
    refresh(demo, CARLO)
    opens(demo, "Laboratory")
    marta, site = demo.api(MARTA), demo.site()
    row = marta.person(site, CARLO)
    demo.stop("gate-laboratory")
    roles = marta.ok(marta.get(f"/api/sites/{site}/roles"))["items"]
    lower = next(role["id"] for role in roles if role["name"] == "Employee")
    assert marta.change_membership(site, row, role=lower).status_code == 200
    demo.start_again("gate-laboratory")
    demo.gate_is("ready", "Laboratory")
    wait_until(lambda: "revoked" in demo.phone("open", "Laboratory").stderr, what="the refusal")
    assert marta.change_membership(site, row).status_code == 200


def test_a_pass_of_which_any_byte_of_the_header_was_changed_is_refused(demo):
    refresh(demo)
    kept = json.loads(wallet(demo).read_text())
    entry = next(one for one in kept["passes"] if one["name"] == "Main entrance")
    original = entry["pass"]
    data = base64.urlsafe_b64decode(original + "=" * (-len(original) % 4))
    header = 63   # version, flags, epoch, two ids, three times, the count of intervals
    before = len(demo.export("opening.opened"))
    for position in range(len(data)):
        if position >= header and position not in (header, header + 1, len(data) - 1):
            continue
        spoilt = bytearray(data)
        spoilt[position] ^= 1
        entry["pass"] = base64.urlsafe_b64encode(bytes(spoilt)).decode().rstrip("=")
        wallet(demo).write_text(json.dumps(kept))
        done = demo.phone("open", "Main entrance")
        assert done.returncode != 0 and "opened" not in done.stdout, f"byte {position} was changed, and it opened"
        assert "Fatal" not in done.stderr and len(done.stderr.strip().splitlines()) >= 1
    for wrong in ("", "%%%", original[:-3], original + "AAAA"):
        entry["pass"] = wrong
        wallet(demo).write_text(json.dumps(kept))
        assert demo.phone("open", "Main entrance").returncode != 0
    assert len(demo.export("opening.opened")) == before
    refresh(demo)
    opens(demo)


def test_a_wallet_that_is_no_wallet_is_refused_with_words(demo):
    for wrong in ("", "{", "[]", '{"passes": 1}', '{"passes": [{"gate": 1}]}'):
        wallet(demo).write_text(wrong)
        done = demo.phone("open", "Main entrance")
        assert done.returncode in (1, 2) and done.stderr.strip() and "Fatal" not in done.stderr
    refresh(demo)


def test_a_gate_out_of_reach_is_said_to_be(demo):
    refresh(demo)
    demo.stop("gate-car-park")
    assert refusal(demo, "Car park") == "no answer: Car park is not within reach"
    demo.start_again("gate-car-park")
    wait_until(lambda: demo.phone("open", "Car park").returncode == 0, what="the gate in the air again")


def test_a_gate_that_restarted_while_the_hub_was_down_knows_no_time_and_says_so(demo):
    refresh(demo)
    opens(demo)
    demo.stop("hub")
    demo.stop("gate-main-entrance")
    demo.start_again("gate-main-entrance")
    wait_until(lambda: "not within reach" not in demo.phone("open", "Main entrance").stderr, what="the gate in the air")
    assert refusal(demo) == "refused: Main entrance says clockUntrusted"
    demo.start_again("hub")
    demo.gate_is("ready")
    wait_until(lambda: demo.phone("open", "Main entrance").returncode == 0, what="an opening at a known time")
    demo.verify()
