"""One's own account: a photo that tells nothing but itself, a name, a clock, all data in a file, and the way out of it all."""

import base64
import contextlib
import json
import sqlite3
import struct
import zlib

import pytest
from playwright.sync_api import expect

from api import Api
from browser import DESK, PHONE, TABLET
from demo import ADA, CARLO, MARTA, short_folder
from hub import Hub
from test_bus import memory
from test_privacy import files_that_hold, someone_new, tables_that_hold

PASSWORD = "a long first password"
# 128 x 96, one colour, in several scans.
JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxO"
    "UlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09P"
    "T09PT09PT0//wgARCABgAIADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAVAQEBAAAAAAAAAAAAAAAAAAAABf/a"
    "AAwDAQACEAMQAAABlFGaAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB//8QAFBABAAAAAAAAAAAAAAAAAAAAcP/a"
    "AAgBAQABBQJA/8QAFBEBAAAAAAAAAAAAAAAAAAAAUP/aAAgBAwEBPwFD/8QAFBEBAAAAAAAAAAAAAAAAAAAAUP/aAAgBAgEBPwFD"
    "/8QAFBABAAAAAAAAAAAAAAAAAAAAcP/aAAgBAQAGPwJA/8QAFBABAAAAAAAAAAAAAAAAAAAAcP/aAAgBAQABPyFA/9oADAMBAAIA"
    "AwAAABAEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEH/xAAUEQEAAAAAAAAAAAAAAAAAAABQ/9oACAEDAQE/EEP/"
    "xAAUEQEAAAAAAAAAAAAAAAAAAABQ/9oACAECAQE/EEP/xAAUEAEAAAAAAAAAAAAAAAAAAABw/9oACAEBAAE/EED/2Q==")


def gps_jpeg():
    """A JPEG as a phone takes it: Exif says with what, and where (45.4642 N)."""
    gps = struct.pack("<H", 1) + struct.pack("<HHII", 2, 5, 3, 70) + struct.pack("<I", 0)
    tiff = b"II*\0" + struct.pack("<IH", 8, 2) + struct.pack("<HHII", 0x010F, 2, 13, 100) + struct.pack(
        "<HHII", 0x8825, 4, 1, 38) + struct.pack("<I", 0) + gps
    tiff = tiff.ljust(70, b"\0") + struct.pack("<6I", 45, 1, 27, 1, 51, 1)
    exif = b"Exif\0\0" + tiff.ljust(100, b"\0") + b"SecretCamera\0"
    return JPEG[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + JPEG[2:]


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(width, height):
    line = b"\0" + bytes(range(0, 240, 2)) * 3
    lines = b"".join((line * (width * 3 // len(line) + 1))[:width * 3 + 1] for _ in range(height)) if height < 5000 else b""
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(
        b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def bits(*fields):
    """Bits as a lossless WebP has them, the lowest first (RFC 9649, 3.2), of (value, count)."""
    text = "".join(f"{value:0{count}b}"[::-1] for value, count in fields)
    return int(text[::-1], 2).to_bytes(len(text) // 8 + 9, "little")


def webp(side, groups):
    """A lossless picture in which every four by four pixels may have codes of their own, of so many kinds (RFC 9649, 5.2.2 and 6.2)."""
    simple = [(0b0001, 4)]
    fields = [(0x2F, 8), (side - 1, 14), (side - 1, 14), (0, 4), (0, 1), (1, 1), (11, 4), (1, 1), (0, 3), (0, 1)]
    for ones, zeros in ((256, 24), (256, 0)):  # 256 codes of eight bits each; the code of their lengths knows 0 and 8
        lengths = [(int(one in (0, 8)), 3) for one in (17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8)]
        fields += [(0, 1), (8, 4), *lengths, (0, 1), ((1 << ones) - 1, ones + zeros)]
    fields += simple * 3
    turned = [int(f"{byte:08b}"[::-1], 2) for byte in range(256)]
    for place in range(((side + 3) // 4) ** 2):
        kind = min(place, groups - 1)
        fields += [(turned[kind & 255], 8), (turned[kind >> 8], 8)]
    data = bits(*fields, *simple * (5 * groups))
    data += bytes(len(data) % 2)
    return b"RIFF" + struct.pack("<I", 12 + len(data)) + b"WEBPVP8L" + struct.pack("<I", len(data)) + data


@pytest.fixture(scope="module")
def hub():
    with short_folder() as folder, Hub(folder) as hub:
        hub.first_run()
        yield hub


def put_photo(api, content, kind="image/jpeg"):
    return api.http.put("/api/account/photo", content=content, headers={"Content-Type": kind})


def fresh(api, password=PASSWORD):
    assert api.post("/api/session/proof", {"password": password}).status_code == 204
    return api


# MARK: the photo

def test_a_photo_with_a_place_in_it_is_served_without(demo):
    ada = demo.api(ADA)
    own = ada.ok(ada.get("/api/account"))
    assert own["photo"] is None and ada.get(f"/people/{own['id']}/photo").status_code == 404
    file = gps_jpeg()
    assert b"SecretCamera" in file and b"Exif" in file
    answer = put_photo(ada, file)
    assert answer.status_code == 204, answer.text
    path = ada.ok(ada.get("/api/account"))["photo"]
    for query, side in [("", 96), ("?size=96", 96)]:
        served = ada.get(path + query)
        assert served.status_code == 200 and served.headers["content-type"] == "image/jpeg"
        assert served.headers["cache-control"].startswith("private")
        assert served.content.startswith(b"\xff\xd8\xff")
        for secret in (b"SecretCamera", b"Exif", struct.pack("<6I", 45, 1, 27, 1, 51, 1)):
            assert secret not in served.content
        frame = served.content.index(b"\xff\xc0")
        assert struct.unpack(">HH", served.content[frame + 5:frame + 9]) == (side, side)
        again = ada.get(path + query, headers={"If-None-Match": served.headers["etag"]})
        assert again.status_code == 304 and again.content == b""
    assert files_that_hold(demo, "SecretCamera") == []


def test_texts_in_a_photo_that_unfold_to_gigabytes_are_not_unfolded(hub):
    """Each becomes 8 MB, and a decoder that reads them holds all at once."""
    member, plain = hub.browser(), png(200, 200)
    text = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"a" * 7_900_000))
    assert put_photo(member, plain, "image/png").status_code == 204
    before = memory(hub.pid, at_its_most=True)
    assert put_photo(member, plain[:33] + text * 100 + plain[33:], "image/png").status_code == 204
    assert memory(hub.pid, at_its_most=True) - before < 200 << 20
    member.close()


def test_a_lossless_webp_with_tables_without_end_is_refused_before_they_are_made(hub):
    """With 65,536 kinds of codes its tables took 350 MB and two seconds."""
    member = hub.browser()
    assert put_photo(member, webp(96, 9), "image/webp").status_code == 204, "what this test makes is a picture"
    most, largest = webp(320, 6_400), webp(1_024, 65_536)
    before = memory(hub.pid, at_its_most=True)
    assert put_photo(member, most, "image/webp").status_code == 204
    answer = put_photo(member, largest, "image/webp")
    assert answer.status_code == 422 and "lossless" in answer.text and "32 kB" in answer.text
    assert memory(hub.pid, at_its_most=True) - before < 200 << 20
    member.close()


def test_a_photo_is_seen_by_those_of_the_same_place_and_by_nobody_else(demo):
    ada, site = demo.api(ADA), demo.site()
    assert put_photo(ada, JPEG).status_code == 204
    path = ada.ok(ada.get("/api/account"))["photo"]
    assert demo.api(CARLO).get(path).status_code == 200
    assert Api(demo.url).get(path, follow_redirects=False).status_code == 303, "a stranger is asked to sign in"
    marta = demo.api(MARTA)
    elsewhere = marta.ok(marta.post("/api/sites", {"name": "Casa Marta", "kind": "home", "zone": "Europe/Rome"}))["id"]
    marta.ok(marta.post(f"/api/sites/{elsewhere}/people", {
        "name": "Nina Nowhere", "email": "nina.nowhere@example.com", "password": PASSWORD, "permission": "member"}))
    nina = Api(demo.url).sign_in("nina.nowhere@example.com", PASSWORD)
    assert nina.get(path).status_code == 404
    nina.close()
    assert ada.http.delete("/api/account/photo").status_code == 204
    assert demo.api(CARLO).get(path).status_code == 404
    # Who is gone is not looked at any more, nor what they choose later.
    row = marta.ok(marta.post(f"/api/sites/{site}/people", {
        "name": "Gino Gone", "email": "gino.gone@example.com", "password": PASSWORD, "permission": "member"}))
    gino = Api(demo.url).sign_in("gino.gone@example.com", PASSWORD)
    assert put_photo(gino, JPEG).status_code == 204
    path = gino.ok(gino.get("/api/account"))["photo"]
    assert demo.api(CARLO).get(path).status_code == marta.get(path).status_code == 200
    assert marta.ok(marta.post(f"/api/sites/{site}/people/bulk", {"memberships": [row["membership"]], "do": "revoke"}))
    assert put_photo(gino, JPEG).status_code == 204
    assert demo.api(CARLO).get(path).status_code == marta.get(path).status_code == 404
    assert gino.get(path).status_code == 200
    gino.close()


@pytest.mark.parametrize("content, kind, status", [
    (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "image/png", 422),
    (b"GIF89a" + bytes(200), "image/jpeg", 422),
    (b"", "image/jpeg", 422),
    (JPEG[:300], "image/jpeg", 422),
    (png(8000, 5001), "image/png", 413),
    (png(95, 300), "image/png", 422),
    (JPEG + bytes(8 << 20), "image/jpeg", 413),
    (JPEG + bytes(9 << 20), "image/jpeg", 413),
    (JPEG, "text/html", 415),
])
def test_what_is_no_photo_is_refused_and_the_one_before_stays(demo, content, kind, status):
    carlo = demo.api(CARLO)
    assert put_photo(carlo, png(300, 200), "image/png").status_code == 204
    path = carlo.ok(carlo.get("/api/account"))["photo"]
    before = carlo.get(path).content
    answer = put_photo(carlo, content, kind)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert carlo.get(path).content == before


# MARK: the page

def test_a_person_makes_the_profile_theirs(demo, chromium, tmp_path):
    row = someone_new(demo, "Petra Profila", "petra@example.com")
    account = {"email": "petra@example.com", "password": PASSWORD}
    (tmp_path / "me.jpg").write_bytes(gps_jpeg())
    (tmp_path / "no.jpg").write_bytes(b"<svg onload='alert(1)'/>")
    with chromium.visitor(demo.url).sign_in(account) as visitor:
        page = visitor.page
        page.click("footer.account .who a")
        page.wait_for_url("**/account")
        expect(page.locator("h1")).to_have_text("You")
        expect(page.locator(".portrait")).to_have_text("PP")
        assert visitor.axe() == []
        page.set_input_files("#photo", tmp_path / "no.jpg")
        page.click("text=Keep this photo")
        expect(page.get_by_role("alert")).to_contain_text("no picture in JPEG, PNG or WebP")
        assert visitor.axe() == []
        page.set_input_files("#photo", tmp_path / "me.jpg")
        page.click("text=Keep this photo")
        expect(page.locator(".notice.go")).to_have_text("Your photo is kept.")
        expect(page.get_by_alt_text("Photo of Petra Profila")).to_be_visible()
        page.wait_for_function("document.querySelector('img.portrait')?.naturalWidth === 96")
        page.fill("#name", "   ")
        page.click("main .thumb button")
        expect(page.locator("#name-refused")).to_be_visible()
        page.fill("#name", "Petra Provata")
        page.select_option("#zone", "America/New_York")
        page.select_option("#language", "it")
        page.click("main .thumb button")
        expect(page.locator(".notice.go")).to_have_text("Salvato.")
        expect(page.locator("h1")).to_have_text("Tu")
        expect(page.locator(".account .who")).to_have_text("Petra Provata")
        assert visitor.axe() == [] and not visitor.spills()
        page.click("text=Togli la foto")
        expect(page.locator("span.portrait")).to_have_text("PP")
        assert visitor.complaints == []
    own = Api(demo.url).sign_in("petra@example.com", PASSWORD)
    account = own.ok(own.get("/api/account"))
    assert (account["name"], account["language"], account["zone"]) == ("Petra Provata", "it", "America/New_York")
    changed = own.ok(own.http.patch("/api/account", json={"zone": "", "language": ""}))
    assert changed["zone"] is None and changed["language"] is None and changed["name"] == "Petra Provata"
    for wrong in ({"name": ""}, {"name": "a\u202eb"}, {"zone": "Mars/Base"}, {"language": "xx"}):
        assert own.http.patch("/api/account", json=wrong).status_code == 422
    own.close()
    assert row["person"] == account["id"]


def test_the_forms_work_without_script(demo, chromium):
    with chromium.visitor(demo.url, javascript=False).sign_in(demo.account(ADA)) as visitor:
        visitor.go("/account")
        visitor.page.set_input_files("#photo", {"name": "me.png", "mimeType": "image/png", "buffer": png(200, 200)})
        visitor.page.click("text=Keep this photo")
        expect(visitor.page.locator(".notice.go")).to_have_text("Your photo is kept.")
        visitor.page.click("text=Remove photo")
        expect(visitor.page.locator(".notice.go")).to_have_text("Your photo is gone.")


@pytest.mark.parametrize("size, language", [(PHONE, "en"), (PHONE, "it"), (TABLET, "es"), (DESK, "it")])
def test_the_pages_of_an_account_fit(demo, chromium, size, language):
    scheme = "dark" if language == "it" else "light"
    with chromium.visitor(demo.url, size, language, scheme).sign_in(demo.account(CARLO)) as visitor:
        for path in ("/account", "/account/data", "/account/data/delete"):
            visitor.go(path)
            assert visitor.axe() == [] and not visitor.spills(), path
        assert visitor.complaints == []


# MARK: my data

def people_tables(demo):
    """Every table with a column that names a person."""
    with contextlib.closing(sqlite3.connect(f"file:{demo.data}/soglia.sqlite?mode=ro", uri=True, timeout=10)) as database:
        for name, sql in database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall():
            columns = {column[1] for column in database.execute(f"PRAGMA table_info({name})")}
            if columns & {"person", "by_person", "author", "recipient", "owner"} or "REFERENCES people" in sql:
                yield name


def test_the_file_tells_everything_and_names_what_it_does_not_tell(demo):
    row = someone_new(demo, "Tilda Told", "tilda.told@example.com")
    demo.wait_until_ready()
    tilda = Api(demo.url).sign_in("tilda.told@example.com", PASSWORD)
    assert tilda.open(demo.gate())["outcome"] == "opened"
    assert put_photo(tilda, JPEG).status_code == 204
    marta = demo.api(MARTA)
    marta.ok(marta.post(f"/api/sites/{demo.site()}/legacy/accounts/{row['person']}"))
    with contextlib.closing(sqlite3.connect(f"file:{demo.data}/soglia.sqlite?mode=ro", uri=True, timeout=10)) as database:
        [[code]] = database.execute(
            "SELECT code FROM legacy_badges WHERE person = ?", [bytes.fromhex(row["person"])]).fetchall()
    answer = tilda.get("/api/account/data")
    assert "attachment" in answer.headers["content-disposition"]
    told = tilda.ok(answer)
    assert told["person"] == row["person"]
    assert told["account"][0]["email"] == "tilda.told@example.com" and told["account"][0]["hasPassword"] is True
    assert [one["name"] for one in told["memberships"]] == ["Officine Rossi"]
    assert told["photo"][0]["jpeg"] and len(told["badges"]) == 1 and told["sessions"] and told["openings"]
    assert {"membership.added", "opening.granted"} <= {event["kind"] for event in told["events"]}
    # What opens an old gate is not in a file that any session gets.
    assert len(told["oldBadges"]) == 1 and len(told["oldApp"]) == 1
    for secret in ("$argon2id$", tilda.token, code):
        assert secret not in answer.text
    spoken = set(told["told"]) | {one["table"] for one in told["notTold"]}
    assert all(one["why"] for one in told["notTold"])
    for table in set(people_tables(demo)) | set(tables_that_hold(demo, row["person"])):
        assert table in spoken, f"{table} holds people, and no teller speaks of it"
    for other in ("ada.rossi@example.com", "Marta Conti"):
        assert other not in answer.text
    tilda.close()


# MARK: delete me

def test_somebody_deletes_themselves_and_nothing_is_left_but_that_something_happened(demo, chromium):
    demo.wait_until_ready()
    name, email = "Quentin Quasimodo", "quentin.quasimodo@example.com"
    row = someone_new(demo, name, email)
    own = Api(demo.url).sign_in(email, PASSWORD)
    assert own.open(demo.gate())["outcome"] == "opened"
    assert put_photo(own, JPEG).status_code == 204
    with chromium.visitor(demo.url).sign_in({"email": email, "password": PASSWORD}) as visitor:
        page = visitor.page
        visitor.go("/account/data")
        assert visitor.axe() == []
        with page.expect_download() as download:
            page.click("text=Download")
        assert json.loads(download.value.path().read_text())["person"] == row["person"]
        page.click("text=See what is deleted")
        expect(page.get_by_role("alert")).to_contain_text("cannot be undone")
        expect(page.locator("main")).to_contain_text("without saying who")
        expect(page.locator(".rows")).to_contain_text("Officine Rossi")
        assert visitor.axe() == []
        page.fill("#name", "Somebody Else")
        page.click("text=Delete my account for good")
        expect(page.locator("#name-refused")).to_have_text("This is not your name.")
        page.fill("#name", "quentin  quasimodo")
        page.click("text=Delete my account for good")
        expect(page.locator("h1")).to_have_text("Your account is deleted")
        assert visitor.axe() == []
        visitor.go("/account")
        assert "/sign-in" in page.url
        assert visitor.complaints == []
    assert own.get("/api/account").status_code == 401, "every session ended"
    own.close()
    for text in (name, email):
        assert files_that_hold(demo, text) == []
    assert tables_that_hold(demo, row["person"]) == []
    assert "the payload is erased" in demo.verify()
    assert (demo.data / "erased").read_text().count(row["person"]) == 2, "the site, and the account itself"
    again = Api(demo.url).post("/api/session", {"email": email, "password": PASSWORD, "program": True})
    assert again.status_code == 401


def test_the_only_owner_of_a_place_is_told_what_to_do_first(demo, chromium):
    marta = demo.api(MARTA)
    fresh(marta, demo.password(MARTA))
    name = marta.ok(marta.get("/api/account"))["name"]
    answer = marta.post("/api/account/delete", {"name": name})
    assert answer.status_code == 409 and answer.json()["type"] == "/problems/only-owner"
    with chromium.visitor(demo.url).sign_in(demo.account(MARTA)) as visitor:
        visitor.go("/account/data/delete")
        expect(visitor.page.locator(".notice.wait")).to_contain_text("Make another person an owner first")
        expect(visitor.page.locator("main form")).to_have_count(0)
        assert visitor.axe() == []
    assert marta.get("/api/account").status_code == 200
    assert demo.verify()


def test_somebody_without_any_place_deletes_themselves(demo):
    row = someone_new(demo, "Zoe Zwischendurch", "zoe.z@example.com")
    with contextlib.closing(sqlite3.connect(demo.data / "soglia.sqlite", timeout=10)) as database:
        database.execute("DELETE FROM memberships WHERE person = ?", (bytes.fromhex(row["person"]),))
        database.execute("DELETE FROM badges WHERE person = ?", (bytes.fromhex(row["person"]),))
        database.commit()
    zoe = Api(demo.url).sign_in("zoe.z@example.com", PASSWORD)
    assert zoe.sites() == []
    assert zoe.post("/api/account/delete", {"name": "Somebody Else"}).status_code == 422
    assert zoe.post("/api/account/delete", {"name": "Zoe Zwischendurch"}).status_code == 204
    zoe.close()
    assert tables_that_hold(demo, row["person"]) == [] and files_that_hold(demo, "Zwischendurch") == []
    assert demo.verify()
