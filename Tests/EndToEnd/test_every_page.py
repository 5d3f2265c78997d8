"""Every page that the hub has was looked at by axe, in whichever story. It comes after all others, since it counts what they saw."""

import os
from pathlib import Path

import pytest

from api import Api
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


@pytest.mark.skipif("SOGLIA_VISITED" not in os.environ, reason="Scripts/stories.py counts, after all other stories")
def test_every_page_that_the_hub_has_was_looked_at(demo):
    visited = {path for file in Path(os.environ["SOGLIA_VISITED"]).iterdir() for path in file.read_text().splitlines()}
    patterns = Api(demo.url).get("/api/openapi.json").json()["x-pages"]
    assert "/sites/{site}/people" in patterns
    seen = {pattern_of(path, patterns) for path in visited}
    api = Api(demo.url, browser=True).sign_in(MARTA, demo.password(MARTA))
    missed = [one for one in patterns if one not in seen and is_page(demo, api, one)]
    api.close()
    assert missed == [], "no story looks at these pages: call Visitor.axe on each"
