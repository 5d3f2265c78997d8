"""A manager looks after people: several at once and back again, a further membership, a badge of one's own code."""

import pytest
from playwright.sync_api import expect

from browser import DESK, PHONE
from demo import ADA, MARTA


def sound(visitor, what):
    for scheme in ("light", "dark"):
        visitor.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert visitor.axe() == [], f"{what}, {scheme}"
    assert not visitor.spills(), what
    assert visitor.complaints == [], what


@pytest.mark.parametrize("size, language", [(PHONE, "it"), (DESK, "en"), (PHONE, "es")])
def test_the_pages_of_people_are_sound(demo, chromium, size, language):
    site = demo.site()
    row = demo.api(MARTA).person(site, ADA)
    with chromium.visitor(demo.url, size, language) as visitor:
        visitor.sign_in(demo.account(MARTA))
        for path in ("people", "people?status=revoked", f"people/{row['membership']}", f"people/{row['membership']}/more", "people/new", "people/import", "privacy"):
            visitor.go(f"/sites/{site}/{path}")
            sound(visitor, path)
        visitor.go("/offline")
        sound(visitor, "what is shown without the hub")


def test_several_are_taken_away_at_once_and_given_back_without_script(demo, chromium):
    marta, site = demo.api(MARTA), demo.site()
    with chromium.visitor(demo.url, PHONE, javascript=False) as visitor:
        page = visitor.page
        visitor.sign_in(demo.account(MARTA)).go(f"/sites/{site}/people?search=a")
        page.get_by_role("button", name="Apply").click()
        expect(page.get_by_role("alert")).to_contain_text("Choose at least one person first.")
        boxes = page.locator("input[name=membership]")
        chosen = [name for name in ("Bruno Villa", "Paolo Gatti", "Marta Conti")]
        for name in chosen:
            page.get_by_label(f"Choose {name}", exact=True).check()
        assert boxes.count() > 3
        page.select_option("[name=do]", "revoke")
        page.get_by_role("button", name="Apply").click()
        expect(page.get_by_role("status").first).to_have_text("2 memberships changed.")
        expect(page.locator("main")).to_contain_text("1 stayed as it was")
        gone = marta.ok(marta.get(f"/api/sites/{site}/people", params={"status": "revoked"}))["items"]
        assert sorted(one["name"] for one in gone) == ["Bruno Villa", "Paolo Gatti"]
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("status").first).to_have_text("2 memberships are as they were before.")
        assert marta.ok(marta.get(f"/api/sites/{site}/people", params={"status": "revoked"}))["items"] == []
    demo.verify()


def test_who_chooses_no_role_takes_none_away(demo, chromium):
    marta, site = demo.api(MARTA), demo.site()

    def roles():
        items = marta.ok(marta.get(f"/api/sites/{site}/people", params={"search": "Bruno Villa"}))["items"]
        return [one["role"] for one in items]

    before = roles()
    assert before and None not in before
    with chromium.visitor(demo.url, PHONE, javascript=False) as visitor:
        page = visitor.page
        visitor.sign_in(demo.account(MARTA)).go(f"/sites/{site}/people?search=Bruno")

        def give(role=None):
            page.get_by_label("Choose Bruno Villa", exact=True).check()
            page.select_option("[name=do]", "role")
            if role:
                page.select_option("[name=new_role]", label=role)
            page.get_by_role("button", name="Apply").click()

        give()
        expect(page.get_by_role("alert")).to_have_text("Choose the role, or no role.")
        assert roles() == before
        give("no role")
        expect(page.get_by_role("status").first).to_contain_text("Bruno Villa")
        assert roles() == [None] * len(before)
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("status").first).to_contain_text("as it was before")
        assert roles() == before


def test_a_further_membership_and_a_badge_of_ones_own_code(demo, chromium):
    marta, site = demo.api(MARTA), demo.site()
    demo.api(ADA)
    row = marta.person(site, ADA)
    with chromium.visitor(demo.url, DESK) as visitor:
        page = visitor.page
        visitor.sign_in(demo.account(MARTA)).go(f"/sites/{site}/people/{row['membership']}")
        expect(page.locator("main")).to_contain_text("Not confirmed: it may be another person’s.")
        page.get_by_role("link", name="Add a membership").click()
        page.select_option("[name=role]", label="Technician")
        page.fill("[name=last_day]", "2099-12-31")
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_role("status").first).to_contain_text("Saved.")
        expect(page.locator("main")).to_contain_text("Employee")
        assert len(marta.ok(marta.get(f"/api/sites/{site}/people", params={"search": ADA}))["items"]) == 2
        page.fill("[name=badge]", "A-12")
        page.get_by_role("button", name="Save the badge").click()
        expect(page.locator("[name=badge]")).to_have_value("A-12")
        other = marta.person(site, MARTA)
        taken = marta.put(f"/api/sites/{site}/people/{other['membership']}/badge", {"code": "A-12"})
        assert taken.status_code == 422
        for wrong in ("", "a b", "x" * 25, "<b>", "é"):
            assert marta.put(f"/api/sites/{site}/people/{other['membership']}/badge", {"code": wrong}).status_code == 422
    demo.verify()


def test_hostile_changes_of_several_are_refused_and_change_nothing(demo):
    marta, ada, site = demo.api(MARTA), demo.api(ADA), demo.site()
    other = demo.site("Deposito Nord")
    row = marta.person(site, ADA)
    path = f"/api/sites/{site}/people/bulk"
    before = len(marta.events(site))
    for body, status in [
        ({"memberships": [row["membership"]], "do": "promote"}, 422), ({"memberships": ["x"], "do": "revoke"}, 422),
        ({"memberships": [row["membership"]] * 1001, "do": "revoke"}, 422),
        ({"memberships": [row["membership"]], "do": "role", "role": "0" * 32}, 422),
        ({"memberships": [row["membership"]], "do": "lastDay", "lastDay": "2025-02-29"}, 422),
    ]:
        assert marta.post(path, body).status_code == status, body
    assert ada.post(path, {"memberships": [row["membership"]], "do": "revoke"}).status_code == 403
    assert marta.post(f"/api/sites/{other}/people/bulk", {"memberships": [], "do": "revoke"}).status_code in (403, 404)
    assert marta.post(f"/api/sites/{site}/people/undo", {"batch": "0" * 32}).status_code == 404
    assert len(marta.events(site)) == before
