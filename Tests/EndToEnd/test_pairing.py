"""A controller is paired with a code that is typed in once, and nobody without the code is paired at all."""

import subprocess

import pytest
from playwright.sync_api import expect

from demo import MARTA, PROGRAM, Process, run, wait_until
from patience import PATIENCE


def new_gate(demo, name):
    marta = demo.api(MARTA)
    return marta.ok(marta.post(f"/api/sites/{demo.site()}/gates", {"name": name, "policy": "doors"}))


def code_for(demo, gate):
    marta = demo.api(MARTA)
    return marta.ok(marta.post(f"/api/sites/{demo.site()}/gates/{gate}/pairing"))["code"]


def broker(demo):
    return "mqtt://{host}:{port}".format(**demo.file["broker"])


def state(demo, gate):
    return next(one["state"] for one in demo.api(MARTA).gates() if one["id"] == gate)


def start_paired(demo, data, code):
    """A controller that is told the code on its standard input, as a person would."""
    with (demo.folder / "controller").open("ab") as output:
        process = subprocess.Popen(
            [PROGRAM, "gate", "--data", data, "--hub", broker(demo), "--pair"], stdin=subprocess.PIPE, stdout=output, stderr=output)
    process.stdin.write(code.encode() + b"\n")
    process.stdin.close()
    return process


@pytest.fixture(scope="module")
def cellar(demo):
    return new_gate(demo, "Cellar")["id"]


def test_a_new_gate_is_not_paired_and_opens_for_nobody(demo, cellar):
    assert state(demo, cellar) == "notPaired"
    answer = demo.api(MARTA).open(cellar)
    assert (answer["decision"], answer["outcome"]) == ("denied", None) and len(answer["reason"]["text"]) > 10


@pytest.mark.parametrize("code", ["", "short", "0" * 26])
def test_a_controller_without_the_code_is_not_paired(demo, cellar, folder, code):
    code_for(demo, cellar)
    done = run("gate", "--data", folder / "g", "--hub", broker(demo), "--pair", input=code + "\n")
    assert done.returncode in (1, 2) and done.stderr.strip() and "Fatal" not in done.stderr
    assert state(demo, cellar) == "notPaired"


def test_a_controller_with_the_code_is_paired_once_and_comes_back_without_it(demo, cellar):
    older, code = code_for(demo, cellar), code_for(demo, cellar)
    assert older != code
    data = demo.folder / "cellar"
    controller = start_paired(demo, data, code)
    try:
        wait_until(lambda: state(demo, cellar) == "ready", what="the new gate")
        marta, site = demo.api(MARTA), demo.site()
        role = marta.ok(marta.post(f"/api/sites/{site}/roles", {"name": "Cellarer", "level": 3, "gates": [cellar]}))["id"]
        assert marta.change_membership(site, marta.person(site, MARTA), role=role).status_code == 200
        assert marta.open(cellar)["outcome"] == "opened"
    finally:
        controller.terminate()
        assert controller.wait(PATIENCE) == 0

    # Without the code, by what it kept.
    again = Process(demo.folder / "again", "gate", "--data", data)
    try:
        assert again.wait_until_ready() == "Cellar"
        wait_until(lambda: demo.api(MARTA).open(cellar)["outcome"] == "opened", what="an opening after the restart")
    finally:
        assert again.end() == 0
    # And the code is used up.
    refused = run("gate", "--data", demo.folder / "thief", "--hub", broker(demo), "--pair", input=code + "\n")
    assert refused.returncode != 0


def test_a_code_goes_from_its_page_although_the_controller_came_before_the_stream(demo, chromium):
    """The person who types the code does so in another window, and a hidden page has no stream."""
    gate = new_gate(demo, "Attic")["id"]
    code = code_for(demo, gate)
    with chromium.visitor(demo.url).sign_in(demo.account(MARTA)) as visitor:
        with visitor.without_stream() as until_asked:
            visitor.go(f"/sites/{demo.site()}/gates/{gate}")
            expect(visitor.page.locator("pairing-code")).to_be_visible()
            until_asked()
            process = start_paired(demo, demo.folder / "attic", code)
            try:
                wait_until(lambda: state(demo, gate) == "ready", what="the gate in the attic")
            finally:
                process.terminate()
                process.wait(PATIENCE)
        expect(visitor.page.locator("pairing-code")).to_have_count(0)
        assert visitor.complaints == []


def test_a_paired_controller_is_not_paired_over_without_a_reset(demo, cellar):
    code = code_for(demo, cellar)
    done = run("gate", "--data", demo.folder / "cellar", "--hub", broker(demo), "--pair", input=code + "\n")
    assert done.returncode == 1 and "reset it at the gate first" in done.stderr


def test_after_a_reset_at_the_gate_a_new_code_pairs_it_again(demo, cellar):
    replaced = demo.folder / "replaced"
    controller = start_paired(demo, replaced, code_for(demo, cellar))
    try:
        wait_until(lambda: state(demo, cellar) == "ready", what="the gate again")
        wait_until(lambda: demo.api(MARTA).open(cellar)["outcome"] == "opened", what="an opening")
    finally:
        controller.terminate()
        controller.wait(PATIENCE)


def test_the_code_is_never_on_a_command_line(demo):
    done = run("gate", "--data", demo.folder / "x", "--hub", broker(demo), "--pair", "A" * 26, input="\n")
    assert done.returncode == 2
