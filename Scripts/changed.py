#!/usr/bin/python3
"""What a change concerns, since the merge base with origin/main or since BASE: for the parts of the proof that are too long for every change.

    Scripts/changed.py rooms      the rooms to test, "Store,Ledger": those that changed, and every room that stands on one of them
    Scripts/changed.py fuzz       "yes" when the fuzzer feeds one of them
    Scripts/changed.py stories    the stories to run, one on a line: as many as go into some minutes, the shortest first
    Scripts/changed.py --self-test

"all" (and "yes", and no story) where nothing can be left out: there is no base, as in a clone whose origin is what is to be tested; or what all rooms
are built with has changed.
"""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What stories of `make quick` may take, added up; three run at once.
QUICK_SECONDS = 300
# Outside the rooms, what changes no Swift test and no parser.
WITHOUT_ROOM = ("docs/", "Bench/", "Tests/EndToEnd/", "Tests/unsteady.txt")
# Tests that read files of others than the rooms that they import.
ALSO = {"SafeguardTests": {"BoxTests", "HomeTests"}, "Home": {"DoorsTests"}}
# Which stories show a room at work.
STORIES = {
    "Accounts": ["first_run", "invitations", "letters", "limits", "passkeys", "people", "privacy", "profile", "proof_reach",
                 "sessions", "sign_in_by_others"],
    "Bus": ["bus", "home_losses"], "Controller": ["bus", "clock", "crashes", "cut", "pairing", "phone"],
    "Commands": ["home_alarms", "push"], "Crypto": ["passkeys", "pairing", "reach"], "Field": ["pairing", "home_safety"],
    "Images": ["profile"], "System": ["first_run", "operation", "owner"],
    "Courier": ["letters", "peers", "push"], "Doors": ["first_light", "import", "invitations", "new_manager", "people", "rules"],
    "Gates": ["bus", "first_light", "pairing", "phone", "restore"], "HTTPServer": ["hostile", "pages", "reach"],
    "Home": ["home_alarms", "home_armed", "home_care", "home_history", "home_houses", "home_pages", "home_safety", "home_story"],
    "Household": ["home_houses", "home_losses", "home_story"],
    "Box": ["home_safety", "home_story", "home_losses"], "Safeguard": ["home_care", "home_safety", "home_story"],
    "Ledger": ["crashes", "privacy", "restore"], "Notices": ["notices", "telling_many", "push", "letters", "home_alarms"],
    "OpenID": ["sign_in_by_others", "peers"], "Pages": ["pages", "new_user", "offline", "places", "home_pages"],
    "Phone": ["phone", "first_light"], "Platform": ["growth", "invitations", "operation", "schema"], "Radio": ["phone", "legacy"],
    "Store": ["crashes", "full_disk", "operation", "owner", "restore"], "WebAuthn": ["passkeys"], "Wire": ["bus", "legacy", "phone"],
    "soglia": ["first_run", "operation", "owner"],
}


def git(*words):
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def changed_files():
    """Paths that differ from the base, also those that are not committed; None: there is no base."""
    if wanted := os.environ.get("BASE"):
        base = git("rev-parse", "--verify", "--quiet", wanted + "^{commit}")
        if not base:
            sys.exit(f"changed: BASE: there is no commit {wanted}")
    elif not (base := git("merge-base", "HEAD", "origin/main")):
        return None
    # In a clone of what is to be tested, origin/main says nothing of what was there before.
    if not os.environ.get("BASE") and base == git("rev-parse", "HEAD"):
        return None
    # Without renames: they would hide the place that lost a file.
    lists = git("diff", "--no-renames", "--name-only", "-z", base), git("ls-files", "--others", "--exclude-standard", "-z")
    return {file for files in lists for file in files.split("\0") if file}


def package():
    """target -> the targets that it depends on, with what only the fuzzer builds."""
    answer = subprocess.run(
        ["swift", "package", "dump-package"], cwd=ROOT, stdout=subprocess.PIPE, check=True, env=os.environ | {"SOGLIA_FUZZ": "1", "SOGLIA_ROOMS": ""})
    return {
        target["name"]: {(one.get("byName") or one.get("target"))[0] for one in target["dependencies"]}
        for target in json.loads(answer.stdout)["targets"]}


def all_below(name, targets):
    found, waiting = set(), [name]
    while waiting:
        for dependency in targets.get(waiting.pop(), ()):
            if dependency not in found:
                found.add(dependency)
                waiting.append(dependency)
    return found


def concerned(files, targets):
    """(targets that changed, targets that changed or stand on one that did); None for the second: all of them."""
    changed, is_all = set(), False
    for file in files:
        parts = file.split("/")
        if parts[0] == "Sources" and len(parts) > 2:
            changed.add(parts[1])
        elif file.startswith("Tests/Support/"):
            changed.add("TestSupport")
        elif file.startswith("Tests/Fuzz/"):
            changed.add("fuzz")
        elif parts[0] == "Tests" and len(parts) > 2 and parts[1].endswith("Tests"):
            changed.add(parts[1])
        elif not file.startswith(WITHOUT_ROOM) and not file.endswith(".md"):
            is_all = True
    changed |= {test for name in changed for test in ALSO.get(name, ())}
    return changed, None if is_all else {name for name in targets if name in changed or all_below(name, targets) & changed}


def check_links():
    """Every link from one room's tests into another's stands in ALSO."""
    for link in (path for path in (ROOT / "Tests").rglob("*") if path.is_symlink()):
        owner = link.resolve().relative_to(ROOT / "Tests").parts[0]
        if link.relative_to(ROOT / "Tests").parts[0] not in ALSO.get(owner, ()):
            sys.exit(f"changed: {link.relative_to(ROOT)} is a link to {owner}: add it to ALSO in Scripts/changed.py")


def check_rooms():
    """ALSO and STORIES name rooms, and their tests, that are there."""
    for name in {*ALSO, *STORIES, *(test for tests in ALSO.values() for test in tests)}:
        if not any((ROOT / place / name).is_dir() for place in ("Sources", "Tests")):
            sys.exit(f"changed: there is no room {name}: take it out of Scripts/changed.py")


def rooms_of(above):
    if above is None:
        return "all"
    return ",".join(sorted(name.removesuffix("Tests") for name in above if name.endswith("Tests")))


def fuzz_of(above):
    return "yes" if above is None or "fuzz" in above else "no"


def self_test():
    """A house of three rooms, and what a change of each kind of file concerns in it."""
    targets = {
        "Wire": set(), "Store": set(), "Ledger": {"Store"}, "WireTests": {"Wire", "TestSupport"}, "StoreTests": {"Store"},
        "LedgerTests": {"Ledger"}, "TestSupport": set(), "fuzz": {"Wire"}}
    cases = [  # files, rooms, fuzz
        ({"Sources/Store/Row.swift"}, "Ledger,Store", "no"),
        ({"Sources/Wire/Frame.swift", "README.md"}, "Wire", "yes"),
        ({"Tests/LedgerTests/ChainTests.swift"}, "Ledger", "no"),
        ({"Tests/Fuzz/Targets.swift"}, "", "yes"),
        ({"Tests/Support/Folder.swift"}, "Wire", "no"),
        ({"docs/doors.md", "Tests/EndToEnd/test_bus.py", "CHANGELOG.md"}, "", "no"),
        (set(), "", "no"),
        ({"Package.swift"}, "all", "yes"),
        ({"docs/doors.md", "Tests/Vectors/panel.json"}, "all", "yes"),
        ({"Sources/README"}, "all", "yes"),
    ]
    for files, rooms, fuzz in cases:
        _, above = concerned(files, targets)
        if (rooms_of(above), fuzz_of(above)) != (rooms, fuzz):
            sys.exit(f"changed: self-test: {sorted(files)}: rooms {rooms_of(above)!r}, fuzz {fuzz_of(above)!r}")
    print(f"changed: self-test: {len(cases)} changes, each concerns what it should")


def main():
    check_links()
    check_rooms()
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if sys.argv[1:] not in (["rooms"], ["fuzz"], ["stories"]):
        sys.exit(__doc__)
    files = changed_files()
    changed, above = (set(), None) if files is None else concerned(files, targets := package())
    if sys.argv[1] == "rooms":
        print(rooms_of(above))
    elif sys.argv[1] == "fuzz":
        print(fuzz_of(above))
    else:
        seconds = json.loads((ROOT / "Tests/EndToEnd/seconds.json").read_text())
        named = {f"test_{name}.py" for room in changed for name in STORIES.get(room.removesuffix("Tests"), ())}
        named |= {pathlib.Path(file).name for file in files or () if file.startswith("Tests/EndToEnd/test_")}
        # What all stories use, and how they are run: a few that use most of it.
        if any(file.startswith(("Tests/EndToEnd/", "Scripts/", "Package.swift")) for file in files or ()):
            named |= {"test_browser.py", "test_first_light.py"}
        there = {path.name for path in (ROOT / "Tests/EndToEnd").glob("test_*.py")}
        if unknown := {f"test_{name}.py" for names in STORIES.values() for name in names} - there:
            sys.exit(f"changed: there is no {', '.join(sorted(unknown))}")
        left, left_out = QUICK_SECONDS, []
        for name in sorted(named & there - {"test_every_page.py"}, key=lambda name: seconds.get(name, 0)):
            if seconds.get(name, 0) <= left:
                print(name)
                left -= seconds.get(name, 0)
            else:
                left_out.append(name)
        if left_out:
            print(f"changed: left out, beyond {QUICK_SECONDS} s: {', '.join(left_out)}", file=sys.stderr)


main()
