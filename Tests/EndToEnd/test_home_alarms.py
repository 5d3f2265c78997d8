"""Alarms of a house on a telephone: told, silenced from the lock screen, taken care of; the way that they take is tried,
and a telephone that does not answer is named. The push service is our own; Chromium is handed what it took."""

import re

import pytest
from playwright.sync_api import expect

from browser import DESK, PHONE, Chromium
from demo import wait_until
from push_endpoint import PushService
from test_push import arrive, own_api, shown, subscribe, tap

BROWSER = Chromium.WHOLE   # notifications are shown

LUCIA = "lucia.ferri@example.com"


@pytest.fixture(scope="module")
def service():
    with PushService() as service:
        yield service
        assert service.complaints == []


@pytest.fixture(scope="module")
def house(demo):
    """A house of its own, so that no other story hears its alarms."""
    lucia = demo.api(LUCIA)
    made = lucia.post("/api/houses", {"name": "Baita", "zone": "Europe/Rome", "street": "Via del Bosco 4, Asiago"})
    assert made.status_code == 201, made.text
    return next(one["id"] for one in lucia.ok(lucia.get("/api/sites"))["items"] if one["name"] == "Baita")


@pytest.fixture
def phone(demo, chromium, service, house):
    """Lucia's telephone: the visitor, its device at the push service, how a message is handed over, the interface."""
    with chromium.visitor(demo.url, PHONE) as visitor:
        deliver = arrive(visitor, demo, LUCIA)
        api = own_api(visitor, demo)
        device = subscribe(api, service)

        def next_message(count):
            wait_until(lambda: len(device.messages) >= count, what="a push")
            message = device.messages[-1]
            deliver(message.data.decode())
            return message
        yield visitor, next_message, api
        api.http.request("DELETE", "/api/push/subscription")
        api.close()


def drill(visitor, house, kind):
    """An alarm by the button of an exercise."""
    visitor.go(f"/houses/{house}/alarms/drill")
    if visitor.page.get_by_role("button", name="Begin", exact=True).count():
        assert visitor.axe() == []
        visitor.page.get_by_role("button", name="Begin", exact=True).click()
    assert visitor.axe() == []
    visitor.page.get_by_role("button", name=f"Raise: {kind}").click()
    visitor.page.wait_for_url(re.compile(f"/houses/{house}/alarms/[0-9a-f]{{32}}$"))
    return visitor.page.url.rsplit("/", 1)[1]


def test_an_alarm_comes_onto_the_lock_screen_and_its_siren_is_silenced_there(phone, house):
    visitor, next_message, api = phone
    alarm = drill(visitor, house, "Danger")
    expect(visitor.page.locator("#alarm-told")).not_to_contain_text("no members")
    message = next_message(1)
    assert message.urgency == "high" and message.json["isCritical"] is True
    assert "Baita" not in message.data.decode(), "a lock screen names no house unless its person allows it"
    notification = shown(visitor, lambda one: one["data"]["id"] == message.json["id"])
    assert notification["title"] == "Exercise: an alarm at one of your houses"
    assert notification["stays"] is True
    assert notification["actions"] == [["silence", "Silence"], ["call", "Call"]]
    assert message.json["link"].endswith(f"/houses/{house}/alarms/{alarm}")
    # The worker itself says that it is on the screen.
    recipients = wait_until(lambda: [
        one for one in api.ok(api.get(f"/api/notices/{message.json['id']}/delivery"))["recipients"] if one["shown"]],
        what="the receipt")
    assert len(recipients) == 1
    tap(visitor, "silence")
    assert shown(visitor, lambda one: one["title"] == "The siren is off")["actions"] == []
    told = wait_until(
        lambda: (lambda one: one["silenced"] and one)(api.ok(api.get(f"/api/sites/{house}/alarms/{alarm}"))),
        what="silence")
    assert told["ended"] is None and told["isExercise"] is True and told["taken"] and told["takenBy"]


def test_call_leads_to_the_page_with_the_numbers_and_what_to_do(demo, phone, house):
    visitor, next_message, api = phone
    call = {"minutesBetween": None, "first": [], "emergency": "115",
            "contacts": [{"name": "Neighbour", "number": "+39 0424 1"}], "test": None}
    put = f"/api/sites/{house}/alarm-call"
    assert api.ok(api.put(put, call)) == call == api.ok(api.get(put))
    for field, value in (("emergency", "help"), ("minutesBetween", 61), ("first", ["0" * 32])):
        refused = api.put(put, call | {field: value})
        assert refused.status_code == 422, field
    alarm = drill(visitor, house, "Intruder")
    next_message(1)
    shown(visitor, lambda one: one["actions"])
    visitor.go("/notices")
    tap(visitor, "silence")
    visitor.page.wait_for_url(f"**/houses/{house}/alarms/{alarm}")   # a found telephone does not quieten a burglary
    visitor.go("/notices")
    shown_again = next_message(1)
    shown(visitor, lambda one: one["data"]["id"] == shown_again.json["id"] and one["actions"])
    tap(visitor, "call")
    visitor.page.wait_for_url(f"**/houses/{house}/alarms/{alarm}")
    main = visitor.page.locator("main")
    expect(main.get_by_role("link", name="Call 115")).to_have_attribute("href", "tel:115")
    expect(main.get_by_role("link", name="Call Neighbour")).to_have_attribute("href", "tel:+3904241")
    expect(main.get_by_role("listitem").first).to_contain_text("Do not go in")
    expect(main).to_contain_text("Via del Bosco 4")
    assert visitor.axe() == [] and not visitor.spills()
    main.get_by_role("button", name="I take care").click()
    expect(main).to_contain_text("took care")
    main.get_by_role("button", name="It is over").click()
    expect(main.locator("#alarm-state")).to_contain_text("Over")


def test_the_log_has_every_alarm_and_what_became_of_it(demo, chromium, phone, house):
    visitor, _, api = phone
    first = drill(visitor, house, "Tampering")
    second = drill(visitor, house, "Call for help")
    page = api.ok(api.get(f"/api/sites/{house}/alarms?limit=1"))
    assert [one["id"] for one in page["items"]] == [second]
    assert first in [one["id"] for one in api.ok(api.get(f"/api/sites/{house}/alarms?after={page['next']}"))["items"]]
    assert [one["id"] for one in api.ok(api.get(f"/api/sites/{house}/alarms?kind=tamper"))["items"]] == [first]
    assert api.get(f"/api/sites/{house}/alarms?kind=nothing").status_code == 400
    visitor.go(f"/houses/{house}/alarms")
    expect(visitor.page.get_by_role("row").nth(1)).to_contain_text("Call for help")
    expect(visitor.page.get_by_role("row").nth(1)).to_contain_text("Exercise")
    assert visitor.axe() == [] and not visitor.spills()
    assert api.post(f"/api/sites/{house}/alarms/{first}/end").status_code == 204
    assert api.post(f"/api/sites/{house}/alarms/{first}/end").status_code == 409, "it is over"
    # The page that lies open hears of it.
    expect(visitor.page.get_by_role("row", name="Tampering")).to_contain_text("Over")
    for language, title in (("it", "Allarmi"), ("es", "Alarmas")):
        with chromium.visitor(demo.url, DESK, language=language, scheme="dark") as other:
            other.sign_in(demo.account(LUCIA))
            other.go(f"/houses/{house}/alarms")
            expect(other.page.get_by_role("heading", level=1)).to_be_visible()
            for path in ("", "/test", "/drill", "/call", f"/{second}"):
                other.go(f"/houses/{house}/alarms{path}")
                assert other.axe() == [] and not other.spills(), (language, path)
    # Nor does the page of one that lies open go on saying what to do.
    visitor.go(f"/houses/{house}/alarms/{second}")
    expect(visitor.page.locator("#alarm-todo ol")).to_have_count(1)
    assert api.post(f"/api/sites/{house}/alarms/{second}/end").status_code == 204
    expect(visitor.page.locator("#alarm-state")).to_contain_text("Over")
    expect(visitor.page.locator("#alarm-todo ol")).to_have_count(0)
    expect(visitor.page.locator("#alarm-facts")).to_contain_text("ended by")


def test_the_way_of_alarms_is_measured_up_to_the_screen(phone, house):
    visitor, next_message, api = phone
    visitor.go(f"/houses/{house}/alarms/test")
    assert visitor.axe() == []
    visitor.page.get_by_role("button", name="Test now").click()
    expect(visitor.page.locator("main")).to_contain_text("The test runs")
    message = next_message(1)
    assert message.json["title"] == "Test of your alarm"
    expect(visitor.page.locator("main")).to_contain_text("All answered within")
    assert visitor.axe() == [] and not visitor.spills()
    test = api.ok(api.get(f"/api/sites/{house}/alarm-tests"))["items"][0]
    assert test["origin"] == "hub" and test["ended"]
    assert all(one["shown"] and one["sent"] for one in test["phones"]) and len(test["phones"]) == 1
    # Whether or not half a minute has gone since the page's own: of two at once the second comes too soon.
    assert [api.post(f"/api/sites/{house}/alarm-tests").status_code for _ in range(2)][1] == 429


def test_how_people_are_called_is_chosen_on_a_form_that_keeps_what_was_typed(phone, house):
    visitor, _, api = phone
    visitor.go(f"/houses/{house}/alarms/call")
    assert visitor.axe() == [] and not visitor.spills()
    visitor.page.get_by_label("Emergency number").fill("nobody")
    visitor.page.get_by_role("button", name="Save").click()
    expect(visitor.page.locator(".refused")).to_be_visible()
    expect(visitor.page.get_by_label("Emergency number")).to_have_value("nobody")
    assert visitor.axe() == []
    visitor.page.get_by_label("Emergency number").fill("112")
    visitor.page.get_by_label("How", exact=True).select_option("turn")
    visitor.page.get_by_label("Minutes between two").fill("4")
    visitor.page.get_by_role("button", name="Save").click()
    expect(visitor.page.locator(".notice.go")).to_be_visible()
    kept = api.ok(api.get(f"/api/sites/{house}/alarm-call"))
    assert kept["minutesBetween"] == 4 and kept["emergency"] == "112"
