"""Every page that the hub has was looked at by axe, in whichever story. It comes after all others, since it counts what they saw."""

import os
from pathlib import Path

import pytest

from api import Api
from demo import LUCIA, MARTA


def pattern_of(path, patterns):
    """Which page an address is of: where several fit, the one that says most."""
    def fits(pattern):
        parts, wanted = path.split("/"), pattern.split("/")
        return len(parts) == len(wanted) and all(
            want.startswith("{") or part == want for part, want in zip(parts, wanted, strict=True))
    return min(filter(fits, patterns), key=lambda pattern: pattern.count("{"), default=None)


def is_page(readers, pattern):
    """Whether there is a page of its own at an address: neither a file, nor a way to another page.

    `readers`: programs with the site that each of them manages. What none of them is shown counts as a page.
    """
    answers = []
    for api, site in readers:
        path = pattern.replace("{site}", site)
        if "{" in path:
            return not path.startswith("/static/") and not path.endswith(("/photo", "/picture"))
        answer = api.get(path, headers={"Accept": "text/html"})
        kind = answer.headers.get("content-type", "")
        answers.append("page" if answer.status_code == 200 and kind.startswith("text/html") else answer.status_code)
    return "page" in answers or not {200, 303} & set(answers)


@pytest.mark.skipif("SOGLIA_VISITED" not in os.environ, reason="Scripts/stories.py counts, after all other stories")
def test_every_page_that_the_hub_has_was_looked_at(demo):
    visited = {path for file in Path(os.environ["SOGLIA_VISITED"]).iterdir() for path in file.read_text().splitlines()}
    patterns = Api(demo.url).get("/api/openapi.json").json()["x-pages"]
    assert "/sites/{site}/people" in patterns
    seen = {pattern_of(path, patterns) for path in visited}
    readers = [
        (Api(demo.url, browser=True).sign_in(email, demo.password(email)), demo.site(site))
        for email, site in ((MARTA, "Officine Rossi"), (LUCIA, "Casa Ferri"))]
    missed = [one for one in patterns if one not in seen and is_page(readers, one)]
    for api, _ in readers:
        api.close()
    assert missed == [], "no story looks at these pages: call Visitor.axe on each"
