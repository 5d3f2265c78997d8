"""Every page in every language, light and dark, on a phone, a tablet and a desk: nothing that axe finds, nothing to complain
of for the browser, nothing that scrolls sideways, everything within reach of the keyboard."""

import re

import pytest
from playwright.sync_api import expect

from browser import DESK, PHONE, TABLET
from demo import ADA, CARLO, MARTA

LANGUAGES = ("en", "it", "es")

# What a visible focus is: an outline, a shadow or another border than the same control has without it, itself or around
# the whole card that it stands for.
FOCUS_RING = """() => {
    const one = document.activeElement
    const look = () => [null, '::after'].map(part => {
        const style = getComputedStyle(one, part)
        return [style.outlineStyle, style.outlineWidth, style.boxShadow, style.borderColor]
    }) + ''
    const box = one.getBoundingClientRect()
    const seen = box.width > 0 && box.height > 0
    const focused = look()
    one.blur()
    const resting = look()
    one.focus({ focusVisible: true })
    return seen && focused !== resting
}"""

# What can be reached, in the order of the document: shown, and neither disabled nor taken out on purpose.
CONTROLS = """() => [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, [tabindex="0"]')]
    .filter(one => !one.disabled && one.checkVisibility({ visibilityProperty: true }))
    .map((one, i) => { one.dataset.testStop = i; return one.outerHTML.slice(0, 100) })"""


def check(visitor, what):
    """What every page is held to."""
    page = visitor.page
    assert visitor.axe() == [], what
    assert not visitor.spills(), f"{what} scrolls sideways"
    assert page.locator("h1").count() == 1, what
    assert visitor.complaints == [], what


def refused_sign_in(visitor, _):
    visitor.go("/sign-in")
    visitor.page.fill("[name=email]", "nobody@example.com")
    visitor.page.fill("[name=password]", "not the password")
    visitor.page.click("main button[type=submit]")
    expect(visitor.page.get_by_role("alert")).to_be_visible()


def gates(visitor, demo):
    visitor.go(f"/sites/{demo.site()}/gates")


def badge(visitor, demo):
    visitor.go(f"/gates/{demo.gate()}")


def opened_badge(visitor, demo):
    badge(visitor, demo)
    visitor.page.locator("open-gate button").click()
    expect(visitor.page.locator("open-gate")).to_have_attribute("data-state", "opened")


def refused_badge(visitor, demo):
    # The employee's role lacks the laboratory. What the form without script answers:
    visitor.go("/")
    visitor.page.evaluate(
        """path => { const form = document.createElement('form'); form.method = 'post'; form.action = path
                     document.body.append(form); form.submit() }""", f"/gates/{demo.gate('Laboratory')}/open")
    expect(visitor.page.locator("open-gate")).to_have_attribute("data-state", "refused")


def places(visitor, _):
    visitor.go("/")
    expect(visitor.page.locator("li.card")).to_have_count(2)


def people(visitor, demo):
    visitor.go(f"/sites/{demo.site()}/people")
    assert visitor.page.locator("tbody tr").count() > 15


def nobody_found(visitor, demo):
    visitor.go(f"/sites/{demo.site()}/people?search=zzzz")
    expect(visitor.page.locator(".empty")).to_contain_text("zzzz")


def membership(visitor, demo):
    row = demo.api(MARTA).person(demo.site(), CARLO)
    visitor.go(f"/sites/{demo.site()}/people/{row['membership']}")


def refused_person(visitor, demo):
    visitor.go(f"/sites/{demo.site()}/people/new")
    visitor.page.fill("[name=name]", "Nuova Persona")
    # What a browser lets through, and the hub does not.
    visitor.page.fill("[name=email]", "nuova@example")
    visitor.page.click("main button[type=submit]")
    expect(visitor.page.locator("[aria-invalid=true]")).to_have_count(1)
    expect(visitor.page.get_by_role("alert")).to_be_visible()


def log(visitor, demo):
    visitor.go(f"/sites/{demo.site()}/log")
    assert visitor.page.locator("tbody tr").count() > 0
    expect(visitor.page.locator("live-state")).to_be_visible()


def not_found(visitor, _):
    assert visitor.go("/there-is-no-such-page").status == 404


def sign_in(visitor, _):
    visitor.go("/sign-in")


def demo_page(visitor, demo):
    visitor.enter_demo(demo)
    expect(visitor.page.locator(".account-card")).to_have_count(len(demo.file["accounts"]))


# Who sees which pages, in the order in which they are visited.
PAGES = {
    None: [sign_in, refused_sign_in, not_found, demo_page],
    ADA: [gates, badge, opened_badge, refused_badge],
    CARLO: [places],
    MARTA: [people, nobody_found, membership, refused_person, log],
}


@pytest.fixture(scope="module", autouse=True)
def something_happened(demo):
    ada = demo.api(ADA)
    ada.open(demo.gate())
    ada.open(demo.gate("Laboratory"))


def visit_all(demo, chromium, size, language, schemes):
    for email, pages in PAGES.items():
        with chromium.visitor(demo.url, size, language) as visitor:
            if email:
                visitor.sign_in(demo.account(email))
            for page in pages:
                page(visitor, demo)
                expected = "en" if page is demo_page else language
                assert visitor.page.locator("html").get_attribute("lang") == expected
                for scheme in schemes:
                    visitor.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                    check(visitor, f"{page.__name__} in {language}, {scheme}, {size['width']} wide")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_sound_on_a_phone_light_and_dark(demo, chromium, language):
    visit_all(demo, chromium, PHONE, language, ("light", "dark"))


@pytest.mark.parametrize("size, language", [(DESK, "en"), (TABLET, "it")], ids=["desk", "tablet"])
def test_every_page_is_sound_on_larger_screens(demo, chromium, size, language):
    visit_all(demo, chromium, size, language, ("light",))


def test_every_control_of_every_page_is_reached_by_tab_with_a_visible_focus(demo, chromium):
    for email, pages in PAGES.items():
        with chromium.visitor(demo.url, PHONE) as visitor:
            if email:
                visitor.sign_in(demo.account(email))
            for page in pages:
                page(visitor, demo)
                what = page.__name__
                visitor.page.evaluate("() => { document.activeElement?.blur(); scrollTo(0, 0) }")
                controls = visitor.page.evaluate(CONTROLS)
                reached = set()
                # A date has several stops of its own.
                for _ in range(len(controls) * 4 + 5):
                    visitor.page.keyboard.press("Tab")
                    stop = visitor.page.evaluate("() => document.activeElement.dataset.testStop")
                    if stop is None or stop in reached:
                        continue
                    reached.add(stop)
                    assert visitor.page.evaluate(FOCUS_RING), f"no visible focus on {what}: {controls[int(stop)]}"
                missed = [control for i, control in enumerate(controls) if str(i) not in reached]
                assert missed == [], f"Tab does not reach on {what}"


def press_until(page, condition, key="Tab", most=40):
    for _ in range(most):
        page.keyboard.press(key)
        if page.evaluate(condition):
            return
    raise AssertionError(f"{key} never came to {condition}")


def test_the_keyboard_alone_signs_in_opens_a_gate_and_signs_out(demo, chromium):
    account = demo.account(ADA)
    with chromium.visitor(demo.url, PHONE) as visitor:
        page = visitor.page
        visitor.go("/sign-in")
        press_until(page, "() => document.activeElement.name === 'email'")
        page.keyboard.type(account["email"])
        press_until(page, "() => document.activeElement.name === 'password'")
        page.keyboard.type(account["password"])
        page.keyboard.press("Enter")
        page.wait_for_url("**/gates")
        press_until(page, "() => document.activeElement.getAttribute('aria-label') === 'Open Main entrance'")
        page.keyboard.press("Enter")
        card = page.locator("open-gate", has_text="Main entrance")
        expect(card).to_have_attribute("data-state", "opened")
        focused = "() => document.activeElement.getAttribute('aria-label')"
        assert page.evaluate(focused) == "Open Main entrance", "the focus stays where it was"
        press_until(page, "() => document.activeElement.closest('form')?.getAttribute('action') === '/sign-out'")
        page.keyboard.press("Space")
        page.wait_for_url("**/sign-in?signed-out=1")
        expect(page.get_by_role("status")).to_have_text("You have signed out.")


def test_a_first_view_is_at_most_100_kilobytes(demo, chromium):
    for path, email in [("/sign-in", None), (f"/sites/{demo.site()}/gates", ADA), (f"/sites/{demo.site()}/log", MARTA)]:
        with chromium.visitor(demo.url, PHONE) as visitor:
            if email:
                cookies = visitor.sign_in(demo.account(email)).context.cookies()
                visitor.close()
                fresh = chromium.visitor(demo.url, PHONE)
                fresh.context.add_cookies(cookies)
            else:
                fresh = visitor
            session = fresh.context.new_cdp_session(fresh.page)
            session.send("Network.enable")
            received = []
            session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
            fresh.go(path)
            fresh.page.wait_for_timeout(300)   # what comes of itself after the page; a stream that never ends is open, so nothing says that all came
            while len(received) < 2:   # the page and its style at the least; a test that hangs is ended
                fresh.page.wait_for_timeout(50)
            assert sum(received) <= 100_000, f"{path}: {sum(received)} bytes"
            fresh.close()


def test_a_policy_forbids_foreign_and_inline_script_and_the_pages_keep_to_it(demo, chromium):
    with chromium.visitor(demo.url, PHONE) as visitor:
        answer = visitor.go("/sign-in")
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy and "unsafe" not in policy
        assert re.search(r"frame-ancestors 'none'", policy)
        ran = visitor.page.evaluate(
            """() => new Promise(done => {
                 addEventListener('securitypolicyviolation', event => done(event.effectiveDirective))
                 const script = document.createElement('script'); script.textContent = 'window.ran = true'
                 document.body.append(script); setTimeout(() => done('ran ' + window.ran), 1000) })""")
        assert ran.startswith("script-src")


def test_a_choice_of_language_is_kept(demo, chromium):
    with chromium.visitor(demo.url, PHONE) as visitor:
        visitor.go("/sign-in")
        visitor.page.get_by_role("button", name="Español").click()
        expect(visitor.page.locator("html")).to_have_attribute("lang", "es")
        visitor.go("/there-is-no-such-page")
        expect(visitor.page.locator("html")).to_have_attribute("lang", "es")
