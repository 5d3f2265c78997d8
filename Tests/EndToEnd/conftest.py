"""The whole system, as somebody who tries it would meet it: processes, HTTP, MQTT and a real browser.

`SOGLIA` names the program under test. Each module has a demo of its own, in a folder of its own, on free ports.
`Scripts/stories.py` runs them all; a module by hand: `.venv/bin/python -m pytest Tests/EndToEnd/test_bus.py`.
"""

import pytest

from browser import Chromium
from demo import Demo, short_folder

pytest_plugins = ("together",)


@pytest.fixture(scope="module")
def demo():
    with short_folder() as folder:
        demo = Demo(folder)
        demo.start()
        try:
            yield demo
        finally:
            demo.end()


@pytest.fixture(scope="module")
def chromium(request):
    # A module that is about what only a whole browser has says so: `BROWSER = Chromium.WHOLE`.
    chromium = Chromium(program=getattr(request.module, "BROWSER", Chromium.SHELL))
    try:
        yield chromium
    finally:
        chromium.close()


@pytest.fixture
def folder():
    with short_folder() as folder:
        yield folder
