"""Every page that the hub has was looked at by axe, in whichever story. The last of all tests, since it counts what they saw."""

from pathlib import Path

import pytest

from api import Api
from browser import LOOKED_AT
from demo import MARTA


def pattern_of(path, patterns):
    """Which page an address is of: where several fit, the one that says most."""
    def fits(pattern):
        parts, wanted = path.split("/"), pattern.split("/")
        return len(parts) == len(wanted) and all(
            want.startswith("{") or part == want for part, want in zip(parts, wanted, strict=True))
    return min(filter(fits, patterns), key=lambda pattern: pattern.count("{"), default=None)


def is_page(demo, api, pattern):
    """Whether there is a page of its own at an address: neither a file, nor a way to another page."""
    path = pattern.replace("{site}", demo.site())
    if "{" in path:
        return not path.startswith("/static/") and not path.endswith(("/photo", "/picture"))
    answer = api.get(path, headers={"Accept": "text/html"})
    return answer.status_code == 200 and answer.headers["content-type"].startswith("text/html")


@pytest.mark.last
def test_every_page_that_the_hub_has_was_looked_at(demo, request):
    stories = {item.path for item in request.session.items}
    if request.config.option.keyword or set(Path(__file__).parent.glob("test_*.py")) - stories:
        pytest.skip("only a part of the tests runs")
    patterns = Api(demo.url).get("/api/openapi.json").json()["x-pages"]
    assert "/sites/{site}/people" in patterns
    seen = {pattern_of(path, patterns) for path in LOOKED_AT}
    api = Api(demo.url, browser=True).sign_in(MARTA, demo.password(MARTA))
    missed = [one for one in patterns if one not in seen and is_page(demo, api, one)]
    api.close()
    assert missed == [], "visit each, with Visitor.axe"
