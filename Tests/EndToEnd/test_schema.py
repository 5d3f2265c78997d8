"""The interface against its own description: what a machine makes up from the OpenAPI document never breaks the hub, and every
answer is as it is described. The same inputs in every run."""

import os
import zlib

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance, response_headers_conformance, response_schema_conformance, status_code_conformance,
)

from api import Api
from demo import ADA, CARLO, LUCIA, MARTA
from house import OF_A_HOUSE, a_house
from patience import PATIENCE

CHECKS = (
    not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance,
    response_schema_conformance)

# A stream has no end, so it has no answer to look at; it is looked at in the stories of pages.
ENDLESS = {("GET", "/api/live")}
# Inputs for each route and mode. Few routes are deep; the long campaign makes more of them.
EXAMPLES = 40 if os.environ.get("SOGLIA_SOAK") else 20


@pytest.fixture(scope="module")
def interface(demo):
    document = Api(demo.url).get("/api/openapi.json").json()
    schema = schemathesis.openapi.from_dict(document)
    schema.config.update(base_url=demo.url)
    return schema


@pytest.fixture(scope="module")
def known(demo):
    """Ids that are there, by the name of the parameter: what is made up gets no further than "there is no such thing"."""
    marta, site = demo.api(MARTA), demo.site()
    row = marta.person(site, ADA)
    role = marta.ok(marta.get(f"/api/sites/{site}/roles"))["items"][0]["id"]
    return {
        "site": site, "gate": demo.gate(), "id": demo.gate(), "membership": row["membership"], "person": row["person"],
        "role": role,
    }


@pytest.fixture(scope="module")
def house(demo):
    with a_house(demo) as house:
        yield house


def is_chosen(value, of):
    """The same choice for the same value in every run."""
    return zlib.crc32(repr(value).encode()) % of == 0


def aim(case, known):
    """Most inputs are sent to what is there."""
    for place in (case.path_parameters, case.query):
        for name in list(place or {}):
            if name in known and not is_chosen(place[name], of=4):
                place[name] = known[name]


def headers(demo, operation):
    """A manager's program; of a house, its owner's. Who signs out signs out a session of their own."""
    if (operation.method.upper(), operation.path) == ("DELETE", "/api/session"):
        api = Api(demo.url).sign_in(CARLO, demo.password(CARLO))
        api.close()
    else:
        api = demo.api(LUCIA if OF_A_HOUSE.match(operation.path) else MARTA)
    return {"Authorization": f"Bearer {api.token}"}


@pytest.mark.timeout(9000 if os.environ.get("SOGLIA_SOAK") else 300)   # hundreds of routes, each asked many times, by a program that makes up what it asks
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["as described", "otherwise"])
def test_whatever_is_sent_the_answer_is_as_described_and_never_a_failure_of_the_hub(demo, interface, known, house, mode):
    asked = {}
    for found in interface.get_all_operations():
        operation = found.ok()
        name = (operation.method.upper(), operation.path)
        if name in ENDLESS:
            continue
        ids = house.known(*name) if OF_A_HOUSE.match(operation.path) else known

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(
            max_examples=EXAMPLES, derandomize=True, database=None, deadline=None, phases=[Phase.explicit, Phase.generate],
            verbosity=Verbosity.quiet, suppress_health_check=list(HealthCheck))
        def ask(case):
            aim(case, ids)
            answer = case.call(headers=headers(demo, operation), timeout=PATIENCE)
            asked.setdefault(name, []).append(answer.status_code)
            case.validate_response(answer, checks=CHECKS)

        try:
            ask()
        except Unsatisfiable:
            assert mode is GenerationMode.NEGATIVE, name   # what takes nothing cannot be given something wrong
    described = {
        (method.upper(), path) for path, operations in interface.raw_schema["paths"].items() for method in operations}
    assert set(asked) | ENDLESS >= described or mode is GenerationMode.NEGATIVE
    if mode is GenerationMode.POSITIVE:
        # It got somewhere: a test that is refused everywhere tests the refusal only.
        done = {name for name, statuses in asked.items() if any(status < 300 for status in statuses)}
        assert len(done) > len(described) / 2, sorted(described - done)
    assert Api(demo.url).get("/api/health").status_code == 200
    demo.verify()
