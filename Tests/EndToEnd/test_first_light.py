"""An employee opens a gate with the phone, the manager sees it, takes the right away, and a gate works without the hub."""

import re
import time
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from api import Api
from browser import DESK, PHONE
from demo import ADA, MARTA, wait_until

ROME = ZoneInfo("Europe/Rome")


def yesterday():
    return (datetime.now(ROME) - timedelta(days=1)).date()


@pytest.fixture(scope="module")
def ada(demo, chromium):
    """The sample employee, on a phone."""
    with chromium.visitor(demo.url, PHONE) as visitor:
        yield visitor.sign_in(demo.account(ADA))


@pytest.fixture(scope="module")
def manager(demo, chromium):
    """The manager's desk, which has the log open from the beginning to the end."""
    with chromium.visitor(demo.url, DESK) as visitor:
        visitor.sign_in(demo.account(MARTA))
        visitor.go(f"/sites/{demo.site()}/log")
        expect(visitor.page.locator("live-state")).to_have_text("live")
        # Gone if anything ever loads the page anew.
        visitor.page.evaluate("() => { window.neverReloaded = true }")
        yield visitor


def row_of(manager, event):
    return manager.page.locator(f'tr[data-event="{event["id"]}"]')


def set_last_day(demo, chromium, day):
    """The manager's form, filled in as a person would."""
    with chromium.visitor(demo.url, DESK) as desk:
        desk.sign_in(demo.account(MARTA))
        desk.page.get_by_role("link", name="People").click()
        desk.page.fill("#search", "ada.rossi")
        desk.page.get_by_role("button", name="Search").click()
        desk.page.get_by_role("link", name="Ada Rossi").click()
        desk.page.get_by_label("Last day").fill(day)
        desk.page.get_by_role("button", name="Save", exact=True).click()
        expect(desk.page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
        assert desk.page.get_by_label("Last day").input_value() == day
        assert desk.complaints == []


def test_a_tap_opens_the_gate_and_the_managers_log_moves_by_itself(demo, ada, manager):
    rows = manager.page.locator("tbody tr").count()
    card = ada.page.locator("open-gate", has_text="Main entrance")
    card.get_by_role("button", name="Open Main entrance").click()
    expect(card.locator("[data-part=chip]")).to_have_text(re.compile(r"^Open · confirmed by the gate · \d+\.\d s$"))
    expect(card.locator(".sign")).to_have_class(re.compile(r"\bgo\b.*\bopen\b"))
    expect(ada.page.locator("#voice[role=status]")).to_have_text(re.compile(r"Main entrance: Open\. confirmed by the gate"))

    opened = wait_until(lambda: demo.export("opening.opened"), what="an opening in the ledger")[-1]
    row = row_of(manager, opened)
    expect(row).to_contain_text("Ada Rossi")
    expect(row).to_contain_text("Main entrance")
    expect(row.locator(".outcome")).to_have_text("opened")
    assert manager.page.locator("tbody tr").count() == rows + 1
    assert manager.page.evaluate("() => window.neverReloaded")
    assert ada.complaints == [] and manager.complaints == []


def test_an_opening_before_the_log_had_its_stream_is_in_it(demo, chromium):
    with chromium.visitor(demo.url, DESK).sign_in(demo.account(MARTA)) as visitor:
        with visitor.without_stream() as until_asked:
            visitor.go(f"/sites/{demo.site()}/log")
            rows = visitor.page.locator("tbody tr").count()
            until_asked()
            assert demo.api(ADA).open(demo.gate())["outcome"] == "opened"
            opened = wait_until(lambda: demo.export("opening.opened"), what="an opening in the ledger")[-1]
            assert row_of(visitor, opened).count() == 0
        expect(row_of(visitor, opened)).to_contain_text("Main entrance")
        expect(visitor.page.locator("tbody tr").first).to_have_attribute("data-event", opened["id"])
        assert visitor.page.locator("tbody tr").count() == rows + 1
        assert visitor.axe() == [] and visitor.complaints == []


def test_the_badge_in_front_of_the_gate_says_open_in_word_sign_and_live_region(demo, ada):
    ada.go("/")
    ada.page.get_by_role("link", name="Main entrance").click()
    expect(ada.page.get_by_role("heading", level=1)).to_have_text("Main entrance")
    ada.page.get_by_role("button", name="Open").click()
    verdict = ada.page.locator(".verdict[role=status]")
    expect(verdict.locator("[data-part=headline]")).to_have_text("Open")
    expect(verdict.locator("[data-part=detail]")).to_have_text(re.compile(r"confirmed by the gate · \d+\.\d s"))
    expect(ada.page.locator(".sign.big")).to_have_class(re.compile(r"\bgo\b.*\bopen\b"))


def test_a_form_without_script_opens_it_too(demo, chromium):
    before = len(demo.export("opening.opened"))
    with chromium.visitor(demo.url, PHONE, javascript=False) as ada:
        ada.sign_in(demo.account(ADA))
        ada.page.get_by_role("button", name="Open Main entrance").click()
        expect(ada.page.locator("[data-part=headline]")).to_have_text("Open")
        expect(ada.page.locator("[data-part=detail]")).to_have_text(re.compile(r"confirmed by the gate · \d+\.\d s"))
        expect(ada.page.locator(".sign.open")).to_be_visible()
    assert len(demo.export("opening.opened")) == before + 1


def test_after_the_membership_ended_yesterday_the_next_tap_is_refused_in_words(demo, chromium, ada, manager):
    gate = demo.gate()
    ada.go(f"/gates/{gate}")
    expect(ada.page.locator("[data-part=headline]")).to_have_text("Ready")
    with chromium.visitor(demo.url, PHONE, javascript=False) as still, \
            chromium.visitor(demo.url, PHONE, language="it", javascript=False) as ancora:
        for visitor in (still, ancora):
            visitor.sign_in(demo.account(ADA))
            visitor.go(f"/gates/{gate}")
        before = len(demo.export("opening.opened"))
        # Asked once: midnight may come at any moment.
        day = yesterday()
        set_last_day(demo, chromium, day.isoformat())

        # The page that lives says so before anybody taps.
        words = f"your access ended on {day.day} {day.strftime('%B')} {day.year}"
        expect(ada.page.locator("[data-part=headline]")).to_have_text("Closed for you")
        expect(ada.page.locator("[data-part=detail]")).to_have_text(words)
        expect(ada.page.locator("open-gate button")).to_be_hidden()

        # The pages that stand still are refused at the tap.
        still.page.get_by_role("button", name="Open").click()
        expect(still.page.locator("[data-part=headline]")).to_have_text("Not opened")
        expect(still.page.locator("[data-part=detail]")).to_have_text(words)
        ancora.page.get_by_role("button", name="Apri").click()
        expect(ancora.page.locator("[data-part=headline]")).to_have_text("Non aperto")
        expect(ancora.page.locator("[data-part=detail]")).to_contain_text(re.compile(rf"\b{day.day} \w+ {day.year}$"))
        assert ancora.page.locator("html").get_attribute("lang") == "it"

    denied = demo.export("opening.denied")
    # The second tap within a minute is counted with the first.
    assert [event["payload"]["reason"]["code"] for event in denied] == ["ended"]
    expect(row_of(manager, denied[-1]).locator(".outcome")).to_have_text(words.replace("your access", "membership"))
    assert len(demo.export("opening.opened")) == before, "nothing was opened"
    for language, expected in [("en", words), ("it", f"{day.day} ")]:
        api = Api(demo.url, language=language).sign_in(ADA, demo.password(ADA))
        answer = api.open(gate)
        assert (answer["decision"], answer["outcome"], answer["reason"]["code"]) == ("denied", None, "ended")
        assert expected in answer["reason"]["text"]
        api.close()


def test_the_membership_given_back_opens_again(demo, chromium, ada):
    set_last_day(demo, chromium, "")
    expect(ada.page.locator("[data-part=headline]")).to_have_text("Ready")
    ada.page.get_by_role("button", name="Open").click()
    expect(ada.page.locator("[data-part=headline]")).to_have_text("Open")


def test_what_a_phone_opened_without_the_hub_is_in_the_log_once_with_the_gates_own_time(demo, manager):
    refreshed = demo.phone("refresh")
    assert refreshed.returncode == 0, refreshed.stderr
    before = {event["id"] for event in demo.export("opening.opened")}

    demo.stop("hub")
    expect(manager.page.locator("live-state")).to_have_text("connection lost, coming back")
    begun = datetime.now(timezone.utc)
    opened = demo.phone("open", "Main entrance")
    at = datetime.now(timezone.utc)
    assert opened.returncode == 0, opened.stderr
    assert opened.stdout.startswith("opened: Main entrance, proven by the gate")
    time.sleep(2)   # so that the time of the hub's return is another one
    back = datetime.now(timezone.utc)
    demo.start_again("hub")
    demo.wait_until_ready()

    def arrived():
        return [event for event in demo.export("opening.opened") if event["id"] not in before]
    wait_until(arrived, what="the transit in the ledger")
    time.sleep(1)   # a second telling would come with the next hello
    [event] = arrived()
    payload = event["payload"]
    assert payload["how"] == "ble" and payload["isClockTrusted"]
    wait_until(lambda: demo.journal()[-1][-1], what="the acknowledgement")
    sequence, *_ = demo.journal()[-1]
    assert (payload["sequence"], payload["journal"]) == (sequence, demo.journal_id())
    told = datetime.fromisoformat(payload["at"])
    # In whole seconds, by a clock that may be a little behind the hub's.
    assert begun - timedelta(seconds=3) < told <= at and told < back, "the gate's own time, not the hub's"
    assert datetime.fromisoformat(event["at"]) >= back.replace(microsecond=0)

    # The log that was open all the time has it, once, at the gate's time.
    row = row_of(manager, event)
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Ada Rossi")
    expect(row.locator(".how")).to_contain_text("phone, Bluetooth")
    expect(row.locator("time")).to_have_attribute("datetime", payload["at"])
    expect(manager.page.locator("live-state")).to_have_text("live")
    assert manager.page.evaluate("() => window.neverReloaded")
    demo.verify()
