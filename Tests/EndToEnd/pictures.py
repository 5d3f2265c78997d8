"""Takes the pictures in docs/: `SOGLIA=.build/release/soglia .venv/bin/python Tests/EndToEnd/pictures.py`."""

import base64
import time

from playwright.sync_api import expect

from browser import DESK, PHONE, Chromium
from demo import ADA, CARLO, MARTA, ROOT, Demo, short_folder

DOCS = ROOT / "docs"

# Two phones before the desk, as they stand together in an evening.
SCENE = """<!doctype html><meta charset="utf-8"><title>Soglia</title><style>
* { box-sizing: border-box }
body { margin: 0; width: 1600px; height: 900px; background: #e9e5dc; position: relative; overflow: hidden }
img { display: block; position: absolute; background: #fff }
.desk { left: 56px; top: 104px; width: 960px; border-radius: 14px; box-shadow: 0 24px 60px #2b241826, 0 2px 6px #2b24181f }
.phone { width: 296px; border-radius: 34px; border: 7px solid #1d1b18; box-shadow: 0 28px 60px #2b241840 }
.first { left: 948px; top: 172px } .second { left: 1262px; top: 104px }
</style><img class="desk" src="DESK"><img class="phone first" src="FIRST"><img class="phone second" src="SECOND">"""


def data_url(picture):
    return "data:image/png;base64," + base64.b64encode(picture).decode()


def something_to_see(demo):
    ada, carlo = demo.api(ADA), demo.api(CARLO)
    for api, gate in [(carlo, "Car park"), (carlo, "Laboratory"), (ada, "Laboratory"), (ada, "Car park"), (carlo, "Main entrance")]:
        api.open(demo.gate(gate))
        time.sleep(0.6)
    assert demo.phone("--email", CARLO, "refresh").returncode == 0
    assert demo.phone("open", "Laboratory").returncode == 0


def take(demo, chromium):
    something_to_see(demo)
    with chromium.visitor(demo.url, DESK) as desk, chromium.visitor(demo.url, PHONE) as phone, \
            chromium.visitor(demo.url, PHONE, scheme="dark") as dark:
        desk.sign_in(demo.account(MARTA)).go(f"/sites/{demo.site()}/log")
        expect(desk.page.locator("live-state")).to_have_text("live")
        phone.sign_in(demo.account(ADA))
        dark.sign_in(demo.account(ADA)).go(f"/gates/{demo.gate()}")
        gates = phone.page.screenshot()
        dark.page.get_by_role("button", name="Open").click()
        expect(dark.page.locator("open-gate")).to_have_attribute("data-state", "opened")
        badge = dark.page.screenshot()
        expect(desk.page.locator("tr.new")).to_have_count(1)
        desk.page.wait_for_timeout(1_800)   # a new row is lit for a moment
        desk.page.screenshot(path=DOCS / "log.png")
        desk.page.set_viewport_size({"width": 1200, "height": 850})
        log = desk.page.screenshot()

    with chromium.visitor(demo.url, {"width": 1600, "height": 900}) as scene:
        scene.page.set_content(
            SCENE.replace("DESK", data_url(log)).replace("FIRST", data_url(gates)).replace("SECOND", data_url(badge)))
        scene.page.wait_for_function("() => [...document.images].every(one => one.complete)")
        scene.page.screenshot(path=DOCS / "gates.png")


def main():
    DOCS.mkdir(exist_ok=True)
    with short_folder() as folder:
        demo, chromium = Demo(folder), Chromium()
        demo.start()
        try:
            take(demo, chromium)
        finally:
            chromium.close()
            demo.end()


if __name__ == "__main__":
    main()
