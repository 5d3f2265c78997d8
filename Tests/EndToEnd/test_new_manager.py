"""The first day of a new manager, from an empty folder: a company, five hundred people out of a file with three bad lines, gates,
hours, roles, a controller; then somebody comes in, is out of hours, loses their access, and is erased."""

import datetime
import re
import subprocess
import time
import zoneinfo

from playwright.sync_api import expect

from api import Api
from browser import DESK, PHONE
from demo import PROGRAM, Process, run, short_folder, wait_until
from patience import PATIENCE
from people_files import csv, row

OLGA = {"email": "olga@example.com", "password": "a threshold in the morning"}
BRUNO = {"email": "person7@import.example.com", "password": "a way in at eight"}
GATES = ["Main entrance", "Car park", "Laboratory", "Warehouse", "Roof", "Archive"]
ROME = zoneinfo.ZoneInfo("Europe/Rome")
ALWAYS = ["00:00-24:00"]


def people(bad=False):
    rows = [row(number, role="Office" if number % 2 else "Warehouse", Password="") for number in range(500)]
    rows[7]["Password"] = BRUNO["password"]
    if bad:
        rows[3]["Email"] = "nobody.example.com"
        rows[250]["Role"] = "Astronaut"
        rows[499]["Last day"] = "2025-02-29"
    return csv(rows)


def save(page):
    page.locator("main form button[type=submit]:not(.quiet)").last.click()


def week_without_now():
    """Hours of every day but today and yesterday, whose night may reach into today; and when they begin next, as a page says it."""
    today = datetime.datetime.now(ROME)
    tomorrow = today + datetime.timedelta(days=1)
    week = [["08:00-18:00"] for _ in range(7)]
    week[today.weekday()] = []
    return week, f"{tomorrow.day} {tomorrow.strftime('%B')} {tomorrow.year}, 08:00"


def test_the_first_day_of_a_new_manager(chromium):
    with short_folder() as folder:
        hub = Process(folder / "out", "serve", "--data", folder / "d", "--port", 0)
        controller = None
        try:
            url = hub.wait_until_ready()
            with chromium.visitor(url, DESK) as visitor:
                controller = first_day(folder, url, visitor, chromium)
        finally:
            if controller:
                controller.kill()
                controller.wait()
            assert hub.end() == 0


def first_day(folder, url, visitor, chromium):
    page = visitor.page
    # A company.
    visitor.go("/first-run")
    page.fill("[name=code]", (folder / "d" / "setup-code").read_text().strip())
    for name, value in [("name", "Olga Sarti"), ("email", OLGA["email"]), ("password", OLGA["password"]), ("site", "Officina")]:
        page.fill(f"[name={name}]", value)
    page.select_option("[name=timezone]", "Europe/Rome")
    page.click("main button[type=submit]")
    olga = Api(url).sign_in(**OLGA)
    site = olga.sites()[0]["id"]

    # Six gates, hours, two roles.
    for name in GATES:
        visitor.go(f"/sites/{site}/gates/new")
        page.fill("[name=name]", name)
        save(page)
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
    visitor.go(f"/sites/{site}/hours/new")
    page.fill("[name=name]", "Office hours")
    for day in range(1, 8):
        page.fill(f"[name=day{day}]", ALWAYS[0])
    page.click("button[name=save]")
    for name, hours in [("Office", "Office hours"), ("Warehouse", None)]:
        visitor.go(f"/sites/{site}/roles/new")
        page.fill("[name=name]", name)
        page.fill("[name=level]", "1")
        if hours:
            page.select_option("[name=hours]", label=hours)
        for gate in GATES if name == "Warehouse" else GATES[:2]:
            page.get_by_label(gate, exact=True).check()
        save(page)
        expect(page.get_by_role("status").first).to_have_text("Saved.")

    # Five hundred people, three bad lines first.
    (folder / "bad.csv").write_text(people(bad=True), newline="")
    (folder / "good.csv").write_text(people(), newline="")
    visitor.go(f"/sites/{site}/people/import")
    page.set_input_files("#file", folder / "bad.csv")
    page.click("main form.stack button[type=submit]")
    page.wait_for_selector("table.problems")
    page.wait_for_load_state()
    assert page.eval_on_selector_all("table.problems tbody tr", "rows => rows.map(row => row.dataset.line)") == ["5", "252", "501"]
    assert len(olga.ok(olga.get(f"/api/sites/{site}/people"))["items"]) == 1
    page.click("main a.button")
    page.set_input_files("#file", folder / "good.csv")
    page.click("main form.stack button[type=submit]")
    page.wait_for_selector("[data-count=people]")
    page.click("main form.stack button[type=submit]")
    page.wait_for_selector("details:has(form[action$='/undo']) summary", timeout=PATIENCE * 1000)
    page.click("text=Show who has not joined yet")
    page.wait_for_url("**/people?status=waiting")
    expect(page.locator("main")).to_contain_text("500 memberships")
    visitor.go(f"/sites/{site}/people")
    expect(page.locator("main")).to_contain_text("501 memberships")
    assert visitor.axe() == []

    # A controller, by the code that the page shows.
    gate = next(one for one in olga.gates() if one["name"] == GATES[0])["id"]
    code = olga.ok(olga.post(f"/api/sites/{site}/gates/{gate}/pairing"))["code"]
    broker = broker_of(folder)
    output = (folder / "controller").open("ab")
    controller = subprocess.Popen(
        [PROGRAM, "gate", "--data", folder / "g", "--hub", broker, "--pair", "--air", folder / "d" / "air"],
        stdin=subprocess.PIPE, stdout=output, stderr=output)
    try:
        controller.stdin.write(code.encode() + b"\n")
        controller.stdin.close()
        wait_until(lambda: next(one["state"] for one in olga.gates() if one["id"] == gate) == "ready", what="the controller")
        use_the_gate(folder, url, visitor, chromium, olga, site, gate)
    except BaseException:
        controller.kill()
        raise
    return controller


def broker_of(folder):
    port = next(
        line.split()[1] for line in (folder / "d" / "broker" / "mosquitto.conf").read_text().splitlines()
        if line.startswith("listener "))
    return f"mqtt://127.0.0.1:{port}"


def phone(folder, *words, **more):
    return run("simulate", "phone", "--data", folder / "d", *words, **more)


def opens_by_phone(folder):
    return phone(folder, "open", GATES[0]).returncode == 0


def use_the_gate(folder, url, visitor, chromium, olga, site, gate):
    # In hours: through the hub and by the phone's own pass.
    bruno = Api(url).sign_in(**BRUNO)
    answer = bruno.open(gate)
    assert (answer["decision"], answer["outcome"]) == ("granted", "opened"), answer
    refreshed = phone(folder, "--hub", url, "--email", BRUNO["email"], "refresh", input=BRUNO["password"] + "\n")
    assert refreshed.returncode == 0, refreshed.stderr
    assert opens_by_phone(folder)

    # Out of hours: no, and when they begin next; the phone's pass holds no longer either.
    hours = olga.ok(olga.get(f"/api/sites/{site}/hours"))["items"][0]
    week, begins = week_without_now()
    olga.ok(olga.put(
        f"/api/sites/{site}/hours/{hours['id']}", {"name": hours["name"], "week": week, "keepsSpecialDays": True}))
    answer = bruno.open(gate)
    assert (answer["decision"], answer["reason"]["code"]) == ("denied", "outsideHours")
    assert begins in answer["reason"]["text"], answer
    wait_until(lambda: not opens_by_phone(folder), what="the pass to be denied")
    with chromium.visitor(url, PHONE) as employee:
        employee.sign_in(BRUNO)
        employee.go(f"/gates/{gate}")
        expect(employee.page.locator("main")).to_contain_text("utside your hours")
        expect(employee.page.locator("main")).to_contain_text(begins)

    # In hours again, then the access is taken away: in force at the hub at once and at the gate within two seconds.
    olga.ok(olga.put(
        f"/api/sites/{site}/hours/{hours['id']}", {"name": hours["name"], "week": [ALWAYS] * 7, "keepsSpecialDays": True}))
    phone(folder, "--hub", url, "--email", BRUNO["email"], "refresh", input=BRUNO["password"] + "\n")
    assert bruno.open(gate)["outcome"] == "opened" and opens_by_phone(folder)
    page = visitor.page
    visitor.go(f"/sites/{site}/people?search=person7@")
    page.locator("input[name=membership]").check()
    page.select_option("[name=do]", "revoke")
    page.get_by_role("button", name="Apply").click()
    began = time.monotonic()
    expect(page.get_by_role("status").first).to_have_text(re.compile("^Membership of .* changed\\.$"))
    assert bruno.open(gate)["reason"]["code"] == "revokedOn"
    wait_until(lambda: not opens_by_phone(folder), what="the gate to refuse")
    print(f"\nrevoked: the gate refused the phone {time.monotonic() - began:.2f} s after the page said so")
    expect(page.locator("tbody")).to_contain_text("taken away")
    assert visitor.axe() == [] and visitor.complaints == []

    # Erased: nothing is left but that something happened, and the chain holds.
    row = olga.person(site, BRUNO["email"])
    visitor.go(f"/sites/{site}/people/{row['person']}/erase")
    page.fill("[name=name]", row["name"])
    save(page)
    wait_until(lambda: olga.get(f"/api/sites/{site}/people", params={"search": "person7@"}).json()["items"] == [], what="the erasure")
    verified = run("admin", "verify", "--data", folder / "d")
    assert verified.returncode == 0 and "the payload is erased" in verified.stdout, verified.stdout + verified.stderr
