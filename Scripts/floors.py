#!/usr/bin/env python3
"""Holds every `import` against Package.swift and against the floors of the house.

SwiftPM alone does not: an undeclared import builds by luck once another target has been built first.

    Scripts/floors.py               check this package; exit 1 and one line per finding
    Scripts/floors.py --self-test   plant each kind of mistake in a copy and see it caught
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# The house, lowest first. Rooms beside each other in a tuple never import one another; a room imports lower ones.
FLOORS = [
    ("1, pure values", [("Wire", "Safeguard", "JSON"), ("Identity", "Template")]),
    ("2, the outside world", [("System",), ("Crypto", "Store", "HTTPServer", "Bus", "Radio", "Courier", "Images")]),
    ("3, what every feature stands on",
     [("Ledger",), ("Commands",), ("OpenID", "WebAuthn"), ("Accounts",), ("Notices",), ("Pages",), ("Gates",), ("Platform",)]),
    ("4, the features", [("Household",), ("Doors", "Home")]),
    ("5, the programs", [("Field",), ("Controller", "Box", "Phone"), ("soglia", "fuzz")]),
]
# Room -> (height, floor). Rooms of the same height are neighbours.
ROOMS = {}
for floor, steps in FLOORS:
    for step in steps:
        height = 1 + max((height for height, _ in ROOMS.values()), default=0)
        ROOMS.update({room: (height, floor) for room in step})
# They have a table of the floors, for people; what only `make fuzz` builds is not in it.
PAGES = ["CONTRIBUTING.md", "README.md"]
FUZZER = "fuzz"
# A room that is one feature's own -> the only rooms that may import it: that feature, and the programs that put it together or try it.
OWN = {"Household": {"Home", "soglia", "fuzz"}}
# What tests share: no room imports it, and it imports no room.
SUPPORT = "TestSupport"
# A feature's tests that play against the real firmware of what it talks to, and not against one of their own.
COUNTERPARTS = {("HomeTests", "Box")}
PURE = [room for step in FLOORS[0][1] for room in step]
# The one library that a pure room reads with: Foundation's decoder, behind our own scan.
LIBRARIES = {("JSON", "FoundationEssentials")}
OUTSIDE = [room for step in FLOORS[1][1] for room in step]

IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+)?(\w+)")


def is_c(target):
    """Floor 0: a C library, or the shim that Swift needs before one."""
    return re.match(r"C[A-Z]", target["name"]) is not None


def imports(text):
    """(line number, module) of each import, comments and long strings left out."""
    hidden = re.compile(r'/\*.*?\*/|"""[\s\S]*?"""', re.S)
    text = hidden.sub(lambda match: "\n" * match.group().count("\n"), text)
    for number, line in enumerate(text.split("\n"), 1):
        for statement in line.split("//")[0].split(";"):
            match = IMPORT.match(statement)
            if match:
                yield number, match.group(1)


HANDLER = re.compile(r"\.on(?:Public)?\(\s*\.(?:get|post|put|patch|delete)\b")
CLOSURE = re.compile(r"\{\s*(\[[^\]\n]*\])?\s*(?:[\w, ]+\sin\b|try |\.)")


def hops(text):
    """Line numbers of handlers with a capture list. Swift 6.3 takes such a closure off the loop that it is called on, which
    costs a request twice its time (measured: 20 us instead of 10)."""
    for match in HANDLER.finditer(text):
        closure = CLOSURE.search(text, match.end())
        if closure and closure.group(1):
            yield text.count("\n", 0, closure.start(1)) + 1


LONE_CLOSURE = re.compile(r"\bMutex<\(+[^\[\]{}<>]*->")


def lone_closures(text):
    """Line numbers of a `Mutex` that holds a closure by itself, or in a tuple. Swift 6.3 wraps it once more each time that it is read, and
    keeps the wrapping, until calling it takes the whole stack (measured: 80,000 reads). In a struct or a list it is left as it is."""
    for number, line in enumerate(text.split("\n"), 1):
        if LONE_CLOSURE.search(line.split("//")[0]):
            yield number


ERASER = re.compile(r"\bEraser\(|\bfunc (?:erase|forget)\(")
TEXT_MATCH = re.compile(r"\binstr\s*\(|\bLIKE\b|\bGLOB\b|\blower\s*\(|\bupper\s*\(|\bWHERE\b.*\bname\s*=\s*\?", re.I)


def text_matches(text):
    """Line numbers where a file that erases people compares text. A name is its bearer's own choice and stands inside other names:
    an eraser goes by ids alone."""
    if ERASER.search(text):
        for number, line in enumerate(text.split("\n"), 1):
            if TEXT_MATCH.search(line.split("//")[0]):
                yield number


def why_not(room, other, targets):
    """Why `room` may not import `other`, or None when it may."""
    if other == room:
        return None
    if room == SUPPORT:
        return f"{SUPPORT} is for every test: it imports no room" if other in targets else None
    if other == SUPPORT:
        return f"{SUPPORT} is for tests alone"
    if other in targets and is_c(targets[other]) and room not in PURE:
        return None if room in OUTSIDE else f"a C library stays behind its room on floor {FLOORS[1][0]}"
    if room in PURE and other not in PURE:
        allowed = (room, other) in LIBRARIES
        return None if allowed else f"{room} is pure values and functions: it imports nothing but its own floor"
    if other not in targets:
        return None  # Swift's own modules
    (height, floor), (other_height, other_floor) = ROOMS[room], ROOMS[other]
    if other_height > height:
        return f"an import goes down, never up: {other} is on floor {other_floor}; {room} is lower, on floor {floor}"
    if other_height == height:
        return f"an import never goes sideways: {other} and {room} are neighbours on floor {floor}"
    if room not in OWN.get(other, {room}):
        return f"{other} is for its owners alone: {', '.join(sorted(OWN[other]))}"
    return None


TABLE = re.compile(r"^\| floor \| rooms \|(?:.*\n)*?(?=\n|\Z)", re.M)
ROW = re.compile(r"^\| (\d+)[^|]*\|([^|]*)\|", re.M)


def strangers(targets, pages):
    """The rooms of FLOORS that the package has not, and where the table of floors on a page, name -> text, differs from FLOORS."""
    for room in ROOMS:
        if room not in targets:
            yield f"Scripts/floors.py: FLOORS names {room}, which is no room: take it out"
    for page, text in pages.items():
        table = TABLE.search(text)
        told = {number: set(re.findall(r"`(\w+)`", rooms)) for number, rooms in ROW.findall(table.group() if table else "")}
        for floor, steps in FLOORS:
            rooms, named = {room for step in steps for room in step} - {FUZZER}, told.get(floor.partition(",")[0], set())
            for room in sorted(rooms ^ named):
                yield f"{page}: the table of floors {'names' if room in named else 'has not'} {room} on floor {floor}"


def check(root, package):
    """The findings, one line each."""
    targets = {target["name"]: target for target in package["targets"]}
    findings = []
    for name, target in targets.items():
        if target["type"] != "test" and not is_c(target) and name not in ROOMS and name != SUPPORT:
            findings.append(f"Package.swift: {name} is on no floor: give it its place in FLOORS of Scripts/floors.py")
    if findings:
        return findings

    for name, target in targets.items():
        if is_c(target):
            continue
        is_test = target["type"] == "test"
        room = name.removesuffix("Tests") if is_test else name
        if room not in ROOMS and room != SUPPORT:
            findings.append(f"Package.swift: {name} tests no room of the house: its name is a room's and `Tests`")
            continue
        declared = {next(iter(dependency.values()))[0] for dependency in target["dependencies"]}
        folder = root / (target.get("path") or f"{'Tests' if is_test else 'Sources'}/{name}")
        used = set()
        for file in sorted(folder.rglob("*.swift")):
            text = file.read_text(encoding="utf-8")
            for line in hops(text):
                findings.append(
                    f"{file.relative_to(root)}:{line}: a handler with a capture list leaves the server's loop: "
                    "capture a local `let`, or say `self.`")
            for line in lone_closures(text):
                findings.append(
                    f"{file.relative_to(root)}:{line}: a closure alone in a Mutex is wrapped anew by each read: put it into a struct")
            for line in () if is_test else text_matches(text):
                findings.append(
                    f"{file.relative_to(root)}:{line}: a file that erases people compares text: match by id, never by a name")
            for line, module in imports(text):
                place = f"{file.relative_to(root)}:{line}"
                used.add(module)
                # A test stands where its room stands, and may use what the room may use; even a pure room's test
                # needs files and clocks.
                is_free = is_test and (room in PURE or module == SUPPORT or (name, module) in COUNTERPARTS)
                reason = None if is_free else why_not(room, module, targets)
                if reason:
                    findings.append(f"{place}: import {module}: {reason}")
                elif module in targets and module not in declared:
                    findings.append(f"{place}: import {module}: Package.swift does not declare it for {name}")
        for dependency in sorted(declared):
            is_free = is_test and (room in PURE or dependency == SUPPORT or (name, dependency) in COUNTERPARTS)
            reason = None if is_free else why_not(room, dependency, targets)
            if reason:
                findings.append(f"Package.swift: {name} depends on {dependency}: {reason}")
            elif dependency not in used:
                findings.append(f"Package.swift: {name} declares {dependency} and no file of it imports it: take it out")
    return findings


def described(root):
    """The package as SwiftPM understands it."""
    answer = subprocess.run(
        ["swift", "package", "--package-path", str(root), "dump-package"], stdout=subprocess.PIPE, check=True,
        env={**os.environ, "SOGLIA_FUZZ": "1"})   # with what only `make fuzz` builds
    return json.loads(answer.stdout)


def self_test(root):
    """Plants each mistake in a small house of the same floors; every one must be caught and nothing else."""
    house = {
        "CSystem": [], "Wire": [], "System": ["CSystem"], "Store": ["System", "Wire"], "Bus": ["System"], "Ledger": ["Store", "Wire"],
        "Doors": ["Ledger"], "Household": ["Ledger"], "Home": ["Household", "Ledger"], "WireTests": ["Wire", "System"],
        "DoorsTests": ["Doors", "Ledger", "TestSupport"], "TestSupport": [],
    }
    plants = [  # room, planted import, is it declared, what the finding must say
        ("Bus", "Store", True, "sideways"),
        ("Doors", "Home", True, "sideways"),
        ("DoorsTests", "Home", True, "sideways"),
        ("Doors", "Household", True, "for its owners alone"),
        ("Store", "Ledger", True, "never up"),
        ("Wire", "System", True, "pure"),
        ("Wire", "Foundation", False, "pure"),
        ("Ledger", "CSystem", True, "C library"),
        ("Ledger", "System", False, "does not declare"),
        ("Doors", "TestSupport", True, "for tests alone"),
        ("TestSupport", "System", True, "imports no room"),
        ("Doors", "Attic", True, "on no floor"),
    ]
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)

        def findings(declared, imported):
            shutil.rmtree(place / "Sources", ignore_errors=True)
            shutil.rmtree(place / "Tests", ignore_errors=True)
            targets = []
            for name, rooms in declared.items():
                kind = "test" if name.endswith("Tests") else "regular"
                targets.append(
                    {"name": name, "type": kind, "dependencies": [{"byName": [room, None]} for room in rooms]})
                folder = place / ("Tests" if kind == "test" else "Sources") / name
                folder.mkdir(parents=True)
                text = "/* import Nothing */ // import Nothing\n"
                text += "".join(f"import {room}\n" for room in imported[name])
                (folder / "File.swift").write_text(text, encoding="utf-8")
            return check(place, {"targets": targets})

        def expect(what, found, words):
            if len(words) != len(found) or any(word not in line for word, line in zip(words, found)):
                sys.exit(f"floors: self-test: {what}: expected {words}, found {found}")

        expect("a house in order", findings(house, house), [])
        for room, module, is_declared, word in plants:
            imported = {**house, room: house[room] + [module]}
            declared = {**house, room: house[room] + [module]} if is_declared else dict(house)
            if module == "Attic":
                declared["Attic"] = imported["Attic"] = []
                expect("a room without a floor", findings(declared, imported), [word])
                continue
            # A declared mistake is found twice: in the file and in Package.swift.
            expect(f"import {module} in {room}", findings(declared, imported), [word] * (2 if is_declared else 1))
        expect("an unused dependency", findings(house, {**house, "Bus": []}), ["no file of it imports it"])
        forms = "@testable import A\npublic import B\nimport struct C.D\n@_spi(X) internal import E; import F\nimportant(1)\n"
        modules = [module for _, module in imports(forms + '"""\nimport G\n"""\n')]
        if modules != ["A", "B", "C", "E", "F"]:
            sys.exit(f"floors: self-test: the forms of an import: {modules}")
        handlers = 'r.on(.get, "/a") { [self] _, p in 1 }\nr.on(.get, "/b") { _, p in [1] }\nr.onPublic(\n.post, "/c"\n) {\n[a] q in 1 }'
        if list(hops(handlers)) != [1, 6]:
            sys.exit(f"floors: self-test: handlers with a capture list: {list(hops(handlers))}")
        locked = "Mutex<(@Sendable (Int) -> Void)?>(nil)\nMutex<(topic: String, f: () -> Void)?>\nMutex<[() -> Void]>([])\nMutex<Hooks>(Hooks())\n"
        if list(lone_closures(locked)) != [1, 2]:
            sys.exit(f"floors: self-test: closures alone in a Mutex: {list(lone_closures(locked))}")
        eraser = 'let eraser = Eraser(erase: { _, _ in })\n"instr(name, ?) > 0"\n"a LIKE ?" // instr(\n"lower(name)"\n"person = ?"\n'
        if list(text_matches(eraser)) != [2, 3, 4] or list(text_matches(eraser.replace("Eraser", "Sweeper"))):
            sys.exit(f"floors: self-test: an eraser that compares text: {list(text_matches(eraser))}")
        page = "| floor | rooms | rule |\n" + "".join(
            f"| {floor} | {', '.join(f'`{room}`' for step in steps for room in step if room != FUZZER)} | rule |\n" for floor, steps in FLOORS) + "\n| 5 | `x` | another table |\n"
        expect("floors as they are", list(strangers(ROOMS, {"P": page})), [])
        expect("a room that is not there", list(strangers(set(ROOMS) - {"Wire"}, {"P": page})), ["FLOORS names Wire, which is no room"])
        expect("a table with too much", list(strangers(ROOMS, {"P": page.replace("`Home`", "`Home`, `Attic`")})), ["names Attic on floor 4"])
        expect("a table with too little", list(strangers(ROOMS, {"P": page.replace("`Home`", "")})), ["has not Home on floor 4"])
    # The real package is read the same way.
    if "Wire" not in {target["name"] for target in described(root)["targets"]}:
        sys.exit("floors: self-test: Package.swift was not understood")
    print(f"floors: self-test: {len(plants) + 4} planted mistakes, each caught")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    if sys.argv[1:] == ["--self-test"]:
        return self_test(root)
    if sys.argv[1:]:
        sys.exit(f"usage: {os.path.basename(sys.argv[0])} [--self-test]")
    package = described(root)
    findings = check(root, package)
    findings += strangers(
        {target["name"] for target in package["targets"]}, {page: (root / page).read_text(encoding="utf-8") for page in PAGES})
    for finding in findings:
        print(finding)
    if findings:
        sys.exit(f"floors: {len(findings)} to mend; the floors are explained in CONTRIBUTING.md")
    print("floors: every import goes down")


if __name__ == "__main__":
    main()
