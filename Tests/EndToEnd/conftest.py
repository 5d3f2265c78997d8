"""The whole system, as somebody who tries it would meet it: processes, HTTP, MQTT and a real browser.

`SOGLIA` names the program under test. Each module has a demo of its own, in a folder of its own, on free ports.
"""

import pytest

from browser import Chromium
from demo import Demo, short_folder


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.get_closest_marker("last") is not None)


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
def chromium():
    chromium = Chromium()
    try:
        yield chromium
    finally:
        chromium.close()


@pytest.fixture
def folder():
    with short_folder() as folder:
        yield folder
