"""Notices on a device: from the hub through a push service to the service worker, and from a tap on a notification to the
gate that opens. The push service is our own and decrypts what it takes; Chromium is handed that very message."""

import contextlib
import json
import time

import httpx
import pytest
from playwright.sync_api import expect

from api import Api
from browser import DESK, PHONE, Chromium
from demo import ADA, CARLO, MARTA, wait_until
from push_endpoint import PushService

BROWSER = Chromium.WHOLE   # notifications are shown

GATE = "Main entrance"
PROOFS = ("none", "unlocked", "passkey")


@pytest.fixture(scope="module")
def service():
    with PushService() as service:
        yield service
        assert service.complaints == []


@pytest.fixture
def sessions(demo):
    """Programs of their own: a device belongs to a session."""
    opened = []

    def sign_in(email, language=None):
        api = Api(demo.url, language=language).sign_in(email, demo.password(email))
        opened.append(api)
        return api
    yield sign_in
    for api in opened:
        api.http.request("DELETE", "/api/session")
        api.close()


def subscribe(api, service):
    """A device of this session, at our own push service."""
    told = api.ok(api.get("/api/push/key"))
    subscription = service.subscribe(told["key"])
    answer = api.put("/api/push/subscription", subscription.json)
    assert answer.status_code == 204, answer.text
    return subscription


def ask_for(demo, proof):
    manager = demo.api(MARTA)
    answer = manager.put(f"/api/sites/{demo.site()}/gates/{demo.gate(GATE)}/check-in", {"proof": proof})
    assert manager.ok(answer) == {"proof": proof}


def check_in_notice(demo, api):
    answer = api.post(f"/api/gates/{demo.gate(GATE)}/check-in-notice")
    assert answer.status_code == 201, answer.text
    return answer.json()["notice"]


# MARK: from the hub to the device

def test_a_notice_arrives_sealed_for_one_device_and_names_nobody(demo, service, sessions):
    api = sessions(ADA)
    device = subscribe(api, service)
    notice = check_in_notice(demo, api)
    told = device.wait_for_message()
    assert told["id"] == notice
    assert [(one["name"], one["proof"]) for one in told["actions"]] == [("check-in", "unlocked")], "the careful setting"
    assert told["actions"][0]["link"] == told["link"] == f"/notices#notice-{notice}"
    everything = json.dumps(told)
    for name in ("Ada", "Rossi", "Officine", GATE, ADA):
        assert name not in everything
    message = device.messages[0]
    assert message.urgency == "high"
    assert 100 <= message.ttl <= 120, "it is about standing in front of the gate now"
    assert len(message.topic) == 32 and message.topic.isalnum() and "check" not in message.topic
    assert message.key == api.ok(api.get("/api/push/key"))["key"]
    assert message.size <= 4096


def test_a_test_comes_to_this_device_alone_and_in_the_language_of_its_person(demo, service, sessions):
    one, other = sessions(ADA, "it"), sessions(ADA)
    device, second = subscribe(one, service), subscribe(other, service)
    assert one.post("/api/push/test").status_code == 202
    assert device.wait_for_message()["title"] in ("Funziona", "It works")
    assert second.attempts == 0
    for _ in range(4):
        assert one.post("/api/push/test").status_code == 202
    refused = one.post("/api/push/test")
    assert refused.status_code == 429 and "retry-after" in refused.headers
    assert sessions(CARLO).post("/api/push/test").status_code == 409, "nothing is switched on there"


def test_each_device_gets_it_until_its_session_ends(demo, service, sessions):
    one, other = sessions(ADA), sessions(ADA)
    device, second = subscribe(one, service), subscribe(other, service)
    check_in_notice(demo, one)
    device.wait_for_message(), second.wait_for_message()
    assert other.http.request("DELETE", "/api/session").status_code == 204
    check_in_notice(demo, one)
    device.wait_for_message()
    assert second.attempts == 1, "whoever signs out is told nothing any more"
    assert one.http.request("DELETE", "/api/push/subscription").status_code == 204
    assert one.ok(one.get("/api/push/key"))["isOn"] is False


def test_a_device_whose_browser_ended_all_others_or_changed_the_password_is_still_told(demo, service):
    # Somebody of this story alone: what ends here is what others of this file are signed in with.
    email, password, new = "nora.galli@example.com", "one sentence of Nora's", "and another of Nora's"
    manager = demo.api(MARTA)
    manager.ok(manager.post(f"/api/sites/{demo.site()}/people", {
        "name": "Nora Galli", "email": email, "password": password, "permission": "member", "role": None,
        "firstDay": None, "lastDay": None}))
    with contextlib.closing(Api(demo.url, browser=True)) as api:
        api.sign_in(email, password)
        device = subscribe(api, service)
        ends = [
            lambda: api.http.request("DELETE", "/api/sessions"),
            lambda: api.put("/api/password", {"current": password, "new": new}),
            lambda: api.http.request("DELETE", "/api/sessions")]
        for count, end in enumerate(ends, 1):
            before = api.http.cookies["soglia_session"]
            ended = end()
            assert ended.status_code == 200, ended.text
            assert api.http.cookies["soglia_session"] != before
            assert api.ok(api.get("/api/push/key"))["isOn"] is True
            assert api.post("/api/push/test").status_code == 202
            assert device.wait_for_message()["tag"] == "test"
            assert device.attempts == count
        assert api.http.request("DELETE", "/api/session").status_code == 204
    with contextlib.closing(Api(demo.url, browser=True)) as api:
        api.sign_in(email, new)
        assert api.ok(api.get("/api/push/key"))["isOn"] is False


def test_a_device_that_is_gone_is_forgotten(demo, service, sessions):
    api = sessions(CARLO)
    device = subscribe(api, service)
    assert api.ok(api.get("/api/push/key"))["isOn"] is True
    device.end()
    assert api.post("/api/push/test").status_code == 202
    wait_until(lambda: not api.ok(api.get("/api/push/key"))["isOn"], what="the device forgotten")
    assert device.attempts == 1


def test_a_service_that_asks_for_patience_gets_it(demo, service, sessions):
    api = sessions(CARLO)
    device = subscribe(api, service)
    with device.saying(503, retry_after=1):
        assert api.post("/api/push/test").status_code == 202
        wait_until(lambda: device.attempts >= 1, what="the first attempt")
    assert device.wait_for_message()["tag"] == "test"
    assert device.attempts >= 2


def test_a_push_service_that_hangs_slows_nothing_else(demo, service, sessions):
    api, other = sessions(ADA), sessions(CARLO)
    slow, quick = subscribe(api, service), subscribe(other, service)
    with service.answering(slow.name, "slow"):
        for _ in range(4):
            assert api.post("/api/push/test").status_code == 202
        wait_until(lambda: slow.attempts >= 1, what="an attempt that hangs")
        assert other.post("/api/push/test").status_code == 202
        quick.wait_for_message()
        times = []
        for _ in range(40):
            began = time.monotonic()
            api.ok(api.get("/api/gates"))
            times.append(time.monotonic() - began)
        assert sorted(times)[20] < 1, "a request waits for no push service"
    api.http.request("DELETE", "/api/push/subscription")


def test_what_is_no_push_service_of_the_public_internet_is_refused(demo, service, sessions):
    api = sessions(ADA)
    good = service.subscribe().json
    for endpoint in (
        "http://push.example.com/1", "https://10.0.0.1/1", "https://192.168.1.1:8443/1", "https://[fe80::1]/1",
        "https://169.254.169.254/latest", "ftp://push.example.com/1", "https://user@push.example.com/1", "https://",
        "https://push.example.com/" + "x" * 2000, "javascript:alert(1)", "",
    ):
        answer = api.put("/api/push/subscription", good | {"endpoint": endpoint})
        assert answer.status_code == 422, endpoint
        assert answer.json()["type"].endswith("not-a-subscription")
    for keys in ({"p256dh": "AAAA", "auth": good["keys"]["auth"]}, {"p256dh": good["keys"]["p256dh"], "auth": "AA"}):
        assert api.put("/api/push/subscription", good | {"keys": keys}).status_code == 422
    assert api.put("/api/push/subscription", {"endpoint": good["endpoint"]}).status_code == 422
    assert api.ok(api.get("/api/push/key"))["isOn"] is False


def test_a_hub_in_earnest_calls_no_push_service_on_its_own_machine(folder, service):
    from hub import Hub
    with Hub(folder) as hub:
        hub.first_run()
        api = hub.program()
        answer = api.put("/api/push/subscription", service.subscribe().json)
        assert answer.status_code == 422
        api.close()


# MARK: what a gate asks for

def test_only_managers_say_what_a_gate_asks_for_and_the_log_keeps_it(demo, sessions):
    path = f"/api/sites/{demo.site()}/gates/{demo.gate(GATE)}/check-in"
    assert sessions(ADA).put(path, {"proof": "none"}).status_code == 403
    manager = demo.api(MARTA)
    for proof in ("passkey", "unlocked"):
        assert manager.ok(manager.put(path, {"proof": proof})) == {"proof": proof}
    assert manager.ok(manager.get(path)) == {"proof": "unlocked"}
    assert manager.put(path, {"proof": "nothing"}).status_code == 422
    changes = [event["payload"] for event in demo.export("gate.checkIn.changed")]
    assert changes[-1]["before"] == {"checkIn": "passkey"} and changes[-1]["after"] == {"checkIn": "unlocked"}


def test_a_notice_opens_once_and_by_the_rights_of_the_moment(demo, service, sessions):
    ask_for(demo, "none")
    api = sessions(ADA)
    device = subscribe(api, service)
    notice = check_in_notice(demo, api)
    assert device.wait_for_message()["actions"][0]["proof"] == "none"
    before = len(demo.export("opening.opened"))
    done = api.ok(api.post(f"/api/notices/{notice}/actions/check-in"))
    assert done["outcome"] == "opened"
    again = api.post(f"/api/notices/{notice}/actions/check-in")
    assert again.status_code == 409 and again.json()["type"].endswith("already-done")
    assert sessions(CARLO).post(f"/api/notices/{notice}/actions/check-in").status_code == 404, "it was for another"
    assert len(demo.export("opening.opened")) == before + 1
    # The manager asks for more while a notice is out: what holds is what is asked for now.
    notice = check_in_notice(demo, api)
    ask_for(demo, "passkey")
    refused = api.post(f"/api/notices/{notice}/actions/check-in")
    assert refused.status_code == 403 and refused.json()["type"].endswith("second-factor-needed")
    assert len(demo.export("opening.opened")) == before + 1


# MARK: in the browser

def arrive(visitor, demo, email=ADA):
    """Signed in on a phone that may show notifications, with its worker."""
    visitor.context.grant_permissions(["notifications"], origin=demo.url)
    registrations = []
    devtools = visitor.context.new_cdp_session(visitor.page)
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda told: registrations.extend(
        one for one in told["registrations"] if not one["isDeleted"]))
    devtools.send("ServiceWorker.enable")
    visitor.sign_in(demo.account(email))
    visitor.page.evaluate("() => navigator.serviceWorker.ready.then(() => 1)")
    wait_until(lambda: (visitor.page.wait_for_timeout(50), registrations)[1], what="the worker")

    def deliver(message):
        devtools.send("ServiceWorker.deliverPushMessage", {
            "origin": demo.url, "registrationId": registrations[-1]["registrationId"], "data": message})
    return deliver


SHOWN = """() => navigator.serviceWorker.ready.then(worker => worker.getNotifications()).then(all => all.map(one => ({
    title: one.title, body: one.body, tag: one.tag, data: one.data, stays: one.requireInteraction,
    actions: one.actions.map(({ action, title }) => [action, title]) })))"""


def shown(visitor, condition=lambda one: True):
    """The notification for which a condition holds, once there is one."""
    def look():
        # Seldom: asked while one is being shown, Chromium takes it for one that was closed, and forgets it (11 of 200, asked every 10 ms).
        visitor.page.wait_for_timeout(500)
        return [one for one in visitor.page.evaluate(SHOWN) if condition(one)]
    return wait_until(look, what="a notification")[0]


def tap(visitor, action=""):
    """A tap on the notification, or on one of its buttons: no tool has one, so it is made inside the worker."""
    # The newest: signing out takes the one before it away.
    worker = wait_until(lambda: visitor.context.service_workers, what="the worker")[-1]
    worker.evaluate("""async action => {
        const notification = (await registration.getNotifications())[0]
        dispatchEvent(new NotificationEvent('notificationclick', { notification, action })) }""", action)


def own_api(visitor, demo):
    """The interface, as this browser's session."""
    cookie = next(one["value"] for one in visitor.context.cookies() if one["name"] == "soglia_session")
    api = Api(demo.url, browser=True)
    api.http.cookies.set("soglia_session", cookie)
    return api


@pytest.fixture
def phone(demo, chromium, service):
    """A phone that got a notice: the visitor, and what its push service brought."""
    with chromium.visitor(demo.url, PHONE) as visitor:
        deliver = arrive(visitor, demo)
        api = own_api(visitor, demo)
        device = subscribe(api, service)

        def notice(proof):
            ask_for(demo, proof)
            check_in_notice(demo, api)
            device.wait_for_message()
            message = device.messages[-1].data.decode()
            deliver(message)
            return json.loads(message)
        yield visitor, notice, api
        api.close()


def test_a_tap_on_a_notification_opens_the_gate_and_says_so(demo, phone):
    visitor, notice, _ = phone
    before = len(demo.export("opening.opened"))
    told = notice("none")
    notification = shown(visitor)
    assert notification["title"] == told["title"] == "Check in now?"
    assert notification["actions"] == [["check-in", "Check in now"]]
    assert notification["tag"] == told["tag"]
    tap(visitor, "check-in")
    outcome = shown(visitor, lambda one: one["title"] == "Open")
    assert outcome["body"] == "You are checked in." and outcome["actions"] == []
    assert len(visitor.page.evaluate(SHOWN)) == 1, "the outcome takes the place of the question"
    assert len(demo.export("opening.opened")) == before + 1
    assert demo.export("opening.opened")[-1]["payload"]["gate"] == demo.gate(GATE)


def test_an_unlocked_phone_is_asked_on_a_page_of_the_app(demo, phone):
    visitor, notice, _ = phone
    before = len(demo.export("opening.opened"))
    told = notice("unlocked")
    shown(visitor)
    tap(visitor, "check-in")
    visitor.page.wait_for_url(f"**/notices#notice-{told['id']}")
    assert len(demo.export("opening.opened")) == before, "nothing opens before the tap on the page"
    visitor.page.locator(f"#notice-{told['id']}").get_by_role("button", name="Check in now").click()
    expect(visitor.page.locator("main")).to_contain_text("Open")
    assert len(demo.export("opening.opened")) == before + 1


def test_where_a_passkey_is_asked_for_the_tap_leads_to_it(demo, phone):
    visitor, notice, _ = phone
    before = len(demo.export("opening.opened"))
    told = notice("passkey")
    shown(visitor)
    tap(visitor, "check-in")
    visitor.page.wait_for_url(f"**/account/prove?strong=1&return=/notices%23notice-{told['id']}")
    assert visitor.axe() == []
    assert len(demo.export("opening.opened")) == before


def test_a_tap_without_the_hub_or_without_a_session_says_what_is_in_the_way(demo, phone):
    visitor, notice, api = phone
    notice("none")
    shown(visitor)
    visitor.context.set_offline(True)
    try:
        tap(visitor, "check-in")
        assert "did not answer" in shown(visitor, lambda one: not one["actions"])["body"]
    finally:
        visitor.context.set_offline(False)
    told = notice("none")
    shown(visitor, lambda one: one["actions"])
    # The session ends elsewhere: the worker hears nothing of it.
    assert api.http.request("DELETE", "/api/session").status_code == 204
    tap(visitor, "check-in")
    outcome = shown(visitor, lambda one: not one["actions"])
    assert "signed out" in outcome["body"]
    assert outcome["data"]["link"].startswith("/sign-in?return=%2Fnotices%23notice-" + told["id"])


def test_a_push_that_cannot_be_read_still_shows_something(demo, chromium):
    with chromium.visitor(demo.url, PHONE) as visitor:
        deliver = arrive(visitor, demo)
        deliver("not json")
        assert shown(visitor)["title"] == "Soglia"


# MARK: the settings

@pytest.mark.parametrize("language, title, blocked", [
    ("en", "Notices on this device", "blocked by the browser"),
    ("it", "Avvisi su questo dispositivo", "bloccati dal browser"),
    ("es", "Avisos en este dispositivo", "bloqueados por el navegador"),
])
def test_the_settings_say_what_is_in_the_way(demo, chromium, language, title, blocked):
    with chromium.visitor(demo.url, PHONE, language) as visitor:
        # Nothing is granted: the browser answers every question of a page with no.
        visitor.context.grant_permissions([], origin=demo.url)
        visitor.sign_in(demo.account(ADA))
        visitor.go("/account/sessions")
        part = visitor.page.locator("push-settings")
        expect(part).to_contain_text(title)
        expect(part.locator(".chip")).to_have_text(blocked)
        expect(part.locator("[data-part=switch]")).to_be_hidden()
        for scheme in ("light", "dark"):
            visitor.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert visitor.axe() == []
            assert not visitor.spills()
        assert visitor.complaints == []


def test_the_settings_ask_on_a_tap_and_say_when_the_browsers_service_does_not_answer(demo, chromium):
    with chromium.visitor(demo.url, PHONE) as visitor:
        visitor.context.grant_permissions(["notifications"], origin=demo.url)
        visitor.sign_in(demo.account(ADA))
        visitor.go("/account/sessions")
        part = visitor.page.locator("push-settings")
        expect(part.locator(".chip")).to_have_text("off")
        part.get_by_role("button", name="Switch on").click()
        # No push service of a browser's maker is reached from here.
        expect(part.locator(".chip")).to_have_text("not switched on", timeout=60_000)
        expect(part.get_by_role("button", name="Switch on")).to_be_enabled()
        assert visitor.axe() == []


def test_a_browser_that_has_a_subscription_is_switched_on_tested_and_switched_off(demo, chromium, service):
    with chromium.visitor(demo.url, PHONE) as visitor:
        visitor.context.grant_permissions(["notifications"], origin=demo.url)
        subscription = service.subscribe()
        # In the place of the maker's push service, ours.
        visitor.context.add_init_script("""(() => { const given = %s; let now = null
            const made = () => ({ ...given, options: {}, toJSON: () => given, unsubscribe: async () => { now = null; return true } })
            PushManager.prototype.getSubscription = async () => now
            PushManager.prototype.subscribe = async () => now = made() })()""" % json.dumps(subscription.json))
        visitor.sign_in(demo.account(ADA))
        visitor.go("/account/sessions")
        part = visitor.page.locator("push-settings")
        part.get_by_role("button", name="Switch on").click()
        expect(part.locator(".chip")).to_have_text("on")
        part.get_by_role("button", name="Send a test").click()
        expect(part.locator("[data-part=outcome]")).to_contain_text("on its way")
        assert subscription.wait_for_message()["title"] == "It works"
        for scheme in ("light", "dark"):
            visitor.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert visitor.axe() == []
        part.get_by_role("button", name="Switch off").click()
        expect(part.locator(".chip")).to_have_text("off")
        assert visitor.page.evaluate("() => localStorage.getItem('soglia-push')") is None


@pytest.mark.parametrize("language", ["en", "it", "es"])
def test_the_gates_page_has_the_setting_and_the_badge_a_notice_to_try(demo, chromium, language):
    ask_for(demo, "unlocked")
    with chromium.visitor(demo.url, PHONE, language) as visitor:
        visitor.sign_in(demo.account(MARTA))
        gate = f"/sites/{demo.site()}/gates/{demo.gate(GATE)}"
        visitor.go(gate)
        setting = visitor.page.locator("#check-in")
        setting.locator("select").select_option("none")
        setting.locator("button[type=submit]").click()
        expect(visitor.page.locator("#check-in select")).to_have_value("none")
        expect(visitor.page.locator("#check-in .notice")).to_be_visible()
        visitor.go(f"/gates/{demo.gate(GATE)}")
        for scheme in ("light", "dark"):
            visitor.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert visitor.axe() == []
            assert not visitor.spills()
        visitor.page.locator("summary").click()
        visitor.page.locator("form[action$='check-in-notice'] button").click()
        expect(visitor.page.locator(".notice.go")).to_be_visible()
        assert visitor.axe() == []
        assert not visitor.spills()
        assert visitor.complaints == []
