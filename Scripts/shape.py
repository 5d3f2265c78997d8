#!/usr/bin/python3
"""Holds the shape of the rooms in Sources/: what must not be there at all, and what there may only be less of (Scripts/shape.json).

    Scripts/shape.py               check; exit 1 and one line per finding
    Scripts/shape.py --write       write down what became less, and the graphs into docs/architecture.md; more is never written
    Scripts/shape.py --graph       print the graphs
    Scripts/shape.py --self-test   plant each kind of mistake and see it caught

LOOPS. Folder A names folder B when a file in A names a type that is declared in B. A folder in a folder counts as the one around it: it is a
part of it. Files at the root of a room are the folder `.`; an extension names the type that it extends. In shape.json are the pairs without which
no loop is left: `A <> B` name each other, `A > B` is one step of a longer loop. Not seen: functions and properties that are called without
their type's name, implicit members (`.case`, `.init`), types that are inferred, members that an extension adds to a type of another room, nested
types that are inherited and named without their outer one. A generic parameter with the name of a type of the room is taken for that type.

SHAPES. `shapes` counts `json.field(` and `Schema.object(`, the JSON that is written by hand; `short` counts `.object([` in files that import
HTTPServer or JSON, where it is a Schema whose type is inferred. Room JSON itself is not counted.

LONG FUNCTIONS. A body of a function, initialiser, subscript or computed property of more than 60 lines, its two braces' lines included. A function
within another counts by itself too. Not seen: a closure that is the value of a property, and `didSet` of a stored one.

IMPORTS. A file that imports a room of HELD uses a name of it: a type that is public or package (in tests: not private), a free function or value, or
a member that the room adds to a foreign type. Not seen: an import that is needed for the members of a value alone; Swift does not ask for that one.

THE PAGE. docs/architecture.md has the graphs of today, and names no file that is not there.
"""

import collections
import json
import pathlib
import re
import sys
import tempfile
import typing

import floors
import swift_source
from swift_source import Source

DATA = "Scripts/shape.json"
PAGE = "docs/architecture.md"
BEGIN, END = "<!-- Scripts/shape.py --write: from here -->", "<!-- Scripts/shape.py --write: to here -->"
MOST_LINES = 60
# The room that may write JSON by hand: it is what the others shall use.
JSON_ROOM = "JSON"
HELD = {"HTTPServer"}
WORDS = {"shapes": "json.field( and Schema.object(", "short": ".object([ of a Schema", "long": f"functions of more than {MOST_LINES} lines"}

Rooms = dict[str, list[Source]]
# (folder, folder) -> the first place that makes it: what is named, file and line.
Edges = dict[tuple[str, str], str]


def top_folder(path: str) -> str:
    """`Sources/Home/Safety/Pages/A.swift`: Safety."""
    parts = path.split("/")
    return parts[2] if len(parts) > 3 else "."


NAME = re.compile(r"(?<![\w`])(?<!import )(?:(?<!\.)|(?<=\.\.))[A-Z]\w*(?:\s*\.\s*[A-Z]\w*)*")
DOT = re.compile(r"\s*\.\s*")


class Declared:
    """The types of one room, by path: `Outer.Inner`."""

    def __init__(self, files: list[Source]):
        self.folders: dict[str, set[str]] = collections.defaultdict(set)
        # What is private or within a function is known in its file alone.
        self.hidden: dict[str, set[str]] = collections.defaultdict(set)
        for file in files:
            for kind in file.types:
                if kind.kind == "associatedtype":
                    continue
                is_local = any(function.opening < kind.start < function.closing for function in file.functions)
                if is_local or kind.access in ("private", "fileprivate"):
                    self.hidden[file.path].add(kind.path)
                else:
                    self.folders[kind.path].add(top_folder(file.path))
        self.last = {path.rpartition(".")[2] for path in self.folders}

    def named(self, file: Source) -> typing.Iterator[tuple[str, int]]:
        """The types that a file names, each with the place of it."""
        hidden = self.hidden.get(file.path, set())
        heads = self.last | {path.rpartition(".")[2] for path in hidden}
        scopes, coming, around = file.scopes, 0, []
        for match in NAME.finditer(file.code):
            names = DOT.split(match.group())
            if names[0] not in heads and names[0] != "Self":
                continue
            place = match.start()
            while coming < len(scopes) and scopes[coming].start < place:
                around.append(scopes[coming])
                coming += 1
            around = [scope for scope in around if scope.end > place]
            outer = around[-1].path.split(".") if around else []
            if names[0] == "Self":
                names, outer = outer + names[1:], []
            # The nearest one of this name: in the type that the name is in, then in those around it, then in the room.
            for depth in range(len(outer), -1, -1):
                path = ".".join(outer[:depth] + names[:1])
                if path in hidden or path in self.folders:
                    break
            for inner in [""] + names[1:]:
                path += f".{inner}" if inner else ""
                if path in hidden or path not in self.folders:
                    break
                yield path, place


def edges(files: list[Source]) -> Edges:
    """Which folder of a room names which other one."""
    declared, found = Declared(files), {}
    for file in files:
        here = top_folder(file.path)
        for path, place in declared.named(file):
            for other in declared.folders[path]:
                if other != here and (here, other) not in found:
                    found[here, other] = f"{file.path}:{file.line(place)} names {path}"
    return found


def reached(start: str, steps: typing.Iterable[tuple[str, str]]) -> set[str]:
    found, waiting = set(), [start]
    while waiting:
        here = waiting.pop()
        for one, other in steps:
            if one == here and other not in found:
                found.add(other)
                waiting.append(other)
    return found


def loops(found: Edges) -> dict[str, str]:
    """`A <> B`, and `A > B` in longer loops, each with where it comes from."""
    pairs = {}
    for one, other in sorted(found):
        if one < other and (other, one) in found:
            pairs[f"{one} <> {other}"] = f"{found[one, other]}; {found[other, one]}"
    single = [(one, other) for one, other in sorted(found) if (other, one) not in found]
    for one, other in single:
        if one in reached(other, single):
            pairs[f"{one} > {other}"] = found[one, other]
    return pairs


def ends(pair: str) -> tuple[str, str]:
    one, _, other = pair.split(" ")
    return one, other


def without(found: Edges, pairs: typing.Iterable[str]) -> Edges:
    gone = {ends(pair) for pair in pairs} | {ends(pair)[::-1] for pair in pairs if "<>" in pair}
    return {edge: why for edge, why in found.items() if edge not in gone}


def held(found: Edges, known: list[str]) -> tuple[dict[str, str], list[str]]:
    """(the loops that are left without the pairs that are known, those of them that still hold a loop)."""
    new, left = loops(without(found, known)), list(known)
    for pair in known:
        one, other = ends(pair)
        rest = loops(without(found, [each for each in left if each != pair]))
        now = next((form for form in (f"{one} <> {other}", f"{one} > {other}", f"{other} > {one}") if form in rest), None)
        if "<>" not in pair and now and "<>" in now:
            new[now], now = rest[now], pair
        left[left.index(pair):left.index(pair) + 1] = [now] if now else []
    return new, left


SHAPE = re.compile(r"\bjson\.field\(|\bSchema\.object\(")
SHORT = re.compile(r"(?<![\w)\]}?!])\.object\(\s*\[")
IMPORTS_SCHEMA = re.compile(r"\bimport (?:HTTPServer|JSON)\b")


def long_functions(file: Source) -> list[str]:
    found = []
    for function in file.functions:
        lines = file.line(function.closing) - file.line(function.opening) + 1 if function.closing - function.opening > MOST_LINES else 0
        if lines > MOST_LINES:
            found.append(f"{file.path}:{file.line(function.start)} {function.name} has {lines}")
    return found


def counts(rooms: Rooms) -> dict[str, dict[str, list[str]]]:
    """What is counted -> room -> the places."""
    found: dict[str, dict[str, list[str]]] = {what: {} for what in WORDS}
    for room, files in rooms.items():
        places: dict[str, list[str]] = {what: [] for what in WORDS}
        for file in files:
            places["long"] += long_functions(file)
            if room == JSON_ROOM:
                continue
            places["shapes"] += [file.path] * len(SHAPE.findall(file.code))
            if IMPORTS_SCHEMA.search(file.code):
                places["short"] += [file.path] * len(SHORT.findall(file.code))
        for what, which in places.items():
            if which:
                found[what][room] = which
    return found


FREE = re.compile(r"^(?:public|package)\s+(?:\w+\s+)*?(?:func|let|var)\s+`?(\w+|[^\w\s(]+)", re.M)
MEMBER = re.compile(r"^[ \t]+(?:public|package)\s+(?:\w+\s+)*?(?:func|let|var)\s+`?(\w+)", re.M)
WORD = re.compile(r"\w+")


def names_of(files: list[Source], is_test: bool) -> set[str]:
    """The names by which a file is seen to use a room."""
    tops = {kind.path for file in files for kind in file.types if "." not in kind.path}
    found = set()
    for file in files:
        found |= {
            kind.path for kind in file.types if "." not in kind.path
            and (kind.access in ("public", "package") or is_test and kind.access not in ("private", "fileprivate"))}
        found |= {match[1] for match in FREE.finditer(file.code)}
        for match in MEMBER.finditer(file.code):
            around = [scope for scope in file.scopes if scope.start < match.start() < scope.end]
            if around and around[0].path.partition(".")[0] not in tops:
                found.add(match[1])
    return found


def idle_imports(rooms: Rooms, tests: list[Source]) -> list[str]:
    names = {(room, is_test): names_of(rooms.get(room, []), is_test) for room in HELD for is_test in (False, True)}
    found = []
    for is_test, files in ((False, [file for files in rooms.values() for file in files]), (True, tests)):
        for file in files:
            if not any(f"import {room}" in file.code for room in HELD):
                continue
            words = set(WORD.findall(file.code))
            for line, module in floors.imports(file.text):
                if module in HELD and not names[module, is_test] & words:
                    found.append(f"{file.path}:{line}: import {module}: the file uses no type of it")
    return found


def compare(rooms: Rooms, data: dict) -> tuple[list[str], dict]:
    """The findings against what is written down, and what shall be written down instead: never more."""
    found, now = [], {"loops": {}, **{what: {} for what in WORDS}}
    for room, files in rooms.items():
        new, left = held(edges(files), data["loops"].get(room, []))
        found += [f"{room}: a new loop between folders, {pair}: {why}" for pair, why in new.items()]
        if left:
            now["loops"][room] = left
    places = counts(rooms)
    for what, words in WORDS.items():
        for room, which in places[what].items():
            most = data[what].get(room, 0)
            if len(which) > most:
                where = ": " + ", ".join(which) if what == "long" else ""
                found.append(f"{room}: {len(which)} {words}, {most} at most{where}")
            if least := min(len(which), most):
                now[what][room] = least
    for what in now:
        for room in sorted(data[what]):
            before, after = data[what][room], now[what].get(room, 0)
            if what == "loops":
                found += [
                    f"{DATA}: {room}: {pair} holds no loop any more: `Scripts/shape.py --write` takes it out"
                    for pair in before if pair not in (after or [])]
            elif after < before:
                found.append(f"{DATA}: {room}: {WORDS[what]}: {after}, no longer {before}: `Scripts/shape.py --write` writes it down")
    return found, now


def reduced(depends: dict[str, set[str]]) -> list[tuple[str, str]]:
    """The dependencies without those that follow from others."""
    steps = [(one, other) for one, below in depends.items() for other in below]
    below = {name: reached(name, steps) for name in depends}
    return sorted((one, other) for one, other in steps if not any(other in below[third] for third in depends[one]))


def graph(rooms: Rooms, package: dict) -> str:
    """The rooms and their folders, for the page."""
    depends = {
        target["name"]: {name for dependency in target["dependencies"] if (name := next(iter(dependency.values()))[0]) in rooms}
        for target in package["targets"] if target["name"] in rooms}
    lines = ["An arrow is a dependency of Package.swift; one that follows from others is left out.", "", "```mermaid", "flowchart TD"]
    for number, (floor, steps) in reversed(list(enumerate(floors.FLOORS, 1))):
        lines.append(f'    subgraph floor{number}["{floor}"]')
        lines += [f"        {room}" for step in reversed(steps) for room in step if room in depends]
        lines.append("    end")
    lines += [f"    {one} --> {other}" for one, other in reduced(depends)] + ["```", ""]
    lines += [
        "The folders of a room: `.` is its root. A folder names another one when it names a type that is declared there; in bold, those that name it"
        " too. A room that is not here has no folders.", "", "| room | folder | files | names |", "|---|---|---|---|"]
    for room, files in rooms.items():
        folders = collections.Counter(top_folder(file.path) for file in files)
        found = edges(files) if len(folders) > 1 else {}
        for folder in sorted(folders) if len(folders) > 1 else ():
            others = sorted(other for one, other in found if one == folder)
            said = ", ".join(f"**{other}**" if (other, folder) in found else other for other in others)
            lines.append(f"| {room} | {folder} | {folders[folder]} | {said} |")
    return "\n".join(lines) + "\n"


def with_graph(page: str, text: str) -> str | None:
    """The page with the graphs between its two marks; None: it has not both of them."""
    if page.count(BEGIN) != 1 or page.count(END) != 1 or page.index(BEGIN) > page.index(END):
        return None
    return page[:page.index(BEGIN)] + f"{BEGIN}\n\n{text}\n" + page[page.index(END):]


def written(data: dict) -> str:
    """One line for each loop and for each number, so that two changes seldom meet."""
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def read(root: pathlib.Path) -> tuple[Rooms, list[Source]]:
    rooms = {folder.name: swift_source.sources(folder, root) for folder in sorted((root / "Sources").iterdir()) if folder.is_dir()}
    return {room: files for room, files in rooms.items() if files}, swift_source.sources(root / "Tests", root)


def self_test() -> None:
    def house(*files: tuple[str, str]) -> Rooms:
        rooms: Rooms = {}
        for path, text in files:
            rooms.setdefault(path.split("/")[1], []).append(Source(path, text))
        return rooms

    nothing = {"loops": {}, **{what: {} for what in WORDS}}

    def expect(what: str, found: typing.Any, wanted: typing.Any) -> None:
        is_words = isinstance(wanted, list) and all(isinstance(word, str) for word in wanted)
        if not (len(found) == len(wanted) and all(word in line for word, line in zip(wanted, found)) if is_words else found == wanted):
            sys.exit(f"shape: self-test: {what}: expected {wanted}, found {found}")

    def loop(what: str, first: str, second: str, wanted: list[str]) -> None:
        files = house(("Sources/R/A/A.swift", first), ("Sources/R/B/Deep/B.swift", second))
        expect(what, compare(files, nothing)[0], wanted)

    plain = "struct Alpha { var b: Beta }\n"
    new = ["R: a new loop between folders, A <> B: Sources/R/A/A.swift:1 names Beta; Sources/R/B/Deep/B.swift:"]
    loop("a house in order", plain, "struct Beta {}\n", [])
    loop("a loop", plain, "struct Beta {\n    var a: Alpha }\n", new)
    loop("a loop by an extension", plain, "struct Beta {}\nextension Alpha {}\n", new)
    loop("a loop in an interpolation", plain, 'struct Beta { let s = #"a \\#(Alpha.self) ""# }\n', new)
    loop("a loop by Self", "extension Beta { func f() -> Self.Gamma? { nil } }\nstruct Alpha {}", "struct Beta { struct Gamma {}\nvar a: Alpha }", new)
    loop("comments and strings", plain, 'struct Beta {} /* Alpha /* Alpha */ Alpha */ // Alpha\nlet a = "Alpha \\"", b = """\n  "Alpha" \\(1)\n  """\n', [])
    loop("a room of that name", plain, "import Alpha\nstruct Beta {}\n", [])
    loop("a member of that name", plain, "struct Beta {}\nlet a = it.Alpha\n", [])
    loop("a nested type by its own name alone", plain + "extension Alpha { struct Row {} }\n", "struct Beta { struct Row {}\nvar r: Row }\n", [])
    loop("a nested type from outside", plain + "enum Outer { struct Row {} }\n", "struct Beta { var r: Outer.Row }\n", new)
    loop("a private type of that name", plain, "struct Beta {}\nprivate struct Alpha {}\nlet a = Alpha()\n", [])
    loop("a type in a function", plain, "struct Beta {}\nfunc f() {\n    struct Alpha {}\n    print(Alpha())\n}\n", [])
    root = house(("Sources/R/A/A.swift", plain), ("Sources/R/B.swift", "struct Beta { var a: Alpha }\n"))
    expect("a loop with the root", compare(root, nothing)[0], ["loop between folders, . <> A"])
    long = house(*(
        (f"Sources/R/{name}/F.swift", f"struct T{name} {{ var x: T{other}? }}\n") for name, other in (("A", "B"), ("B", "C"), ("C", "A"))))
    expect("a longer loop", compare(long, nothing)[0], ["A > B", "B > C", "C > A"])

    def known(*pairs: str) -> dict:
        return {**nothing, "loops": {"R": list(pairs)} if pairs else {}}

    gone = "holds no loop any more"
    expect("a loop that is known", compare(long, known("A > B")), ([], known("A > B")))
    expect("a loop that is known twice", compare(long, known("A > B", "C > A"))[0], [f"A > B {gone}"])
    expect("a loop that is gone", compare(house(("Sources/R/A/A.swift", "\n")), known("A <> B"))[0], [f"A <> B {gone}"])
    expect("what is written then", compare(house(("Sources/R/A/A.swift", "\n")), known("A <> B"))[1], nothing)
    expect("half a loop, in a longer one", compare(long, known("A <> B"))[0], [f"A <> B {gone}"])
    expect("what is written then", compare(long, known("A <> B"))[1], known("A > B"))
    both = {room: files + [Source("Sources/R/B/G.swift", "extension TA {}\n")] for room, files in long.items()}
    expect("a step that became a pair", compare(both, known("A > B"))[0], ["A <> B"])

    hand = 'import JSON\njson.field("a", 1) // json.field(\nlet s = Schema.object([]), t: Schema = .object([\n]), u = "json.field("\n'
    rooms = house(("Sources/R/A.swift", hand))
    expect("new JSON by hand", compare(rooms, nothing)[0], ["R: 2 json.field( and Schema.object(, 0 at most", "R: 1 .object([ of a Schema, 0"])
    some = {**nothing, "shapes": {"R": 1}, "short": {"R": 1}}
    expect("more of it", compare(rooms, some)[0], ["R: 2 json.field( and Schema.object(, 1 at most"])
    expect("as much", compare(rooms, {**some, "shapes": {"R": 2}})[0], [])
    expect("less", compare(rooms, {**some, "shapes": {"R": 3}})[0], ["2, no longer 3"])
    expect("less, and a room that is gone", compare(rooms, {**some, "shapes": {"R": 3, "S": 1}})[1], {**some, "shapes": {"R": 2}})
    expect("room JSON", compare(house(("Sources/JSON/A.swift", hand)), nothing)[0], [])

    def body(lines: int) -> str:
        return "{\n" + '    let text = "}" // }\n' * (lines - 2) + "}\n"

    for what, head in (
            ("a function", "func f<T>(_ g: () -> Void = { }) async throws -> [String: Int]\nwhere T: A "), ("an initialiser", "init?(a: Int) "),
            ("a subscript", "subscript(a: Int) -> Int "), ("a computed property", "var a: (Int, [Int]) "), ("an operator", "static func == (a: A, b: A) -> Bool ")):
        for lines, wanted in ((60, []), (61, ["R: 1 functions of more than 60 lines, 0 at most: Sources/R/A.swift:2"])):
            text = "struct A {\n" + head + body(lines) + "}\n"
            expect(f"{what} of {lines} lines", compare(house(("Sources/R/A.swift", text)), nothing)[0], wanted)
    for what, text in (("a stored property", "var a: Int = 1\nlet b = g "), ("a type", "struct A "), ("a protocol", "protocol P { func f() }\nextension P ")):
        expect(what, compare(house(("Sources/R/A.swift", text + body(99))), nothing)[0], [])

    server = ("Sources/HTTPServer/S.swift", "public struct Server { public struct Inner {} }\nstruct Own {}\nextension String {\n    public var escaped: Int { 0 }\n}\n")
    for text, is_used in (
            ("let s: Server", True), ("let n = text.escaped", True), ("extension Server.Inner {}", True), ("let s: Own", False), ("let s: Inner", False),
            ('let s = "Server" // Server', False)):
        rooms = house(server, ("Sources/R/A.swift", f"import HTTPServer\n{text}\n"))
        expect(f"import HTTPServer and {text}", idle_imports(rooms, []), [] if is_used else ["Sources/R/A.swift:1: import HTTPServer"])
    tests = [Source("Tests/RTests/A.swift", f"@testable import HTTPServer\nlet s: {name}\n") for name in ("Own", "Other")]
    expect("imports of tests", idle_imports(house(server), tests), ["Tests/RTests/A.swift:1"])

    steps = {"A": {"B", "C"}, "B": {"C"}, "C": set()}
    expect("what follows from others", reduced(steps), [("A", "B"), ("B", "C")])
    expect("a page", with_graph(f"a\n{BEGIN}\nold\n{END}\nb\n", "new\n"), f"a\n{BEGIN}\n\nnew\n\n{END}\nb\n")
    expect("a page without marks", with_graph("a\n", "new\n"), None)
    with tempfile.TemporaryDirectory() as place:
        (pathlib.Path(place) / "Sources/A").mkdir(parents=True)
        (pathlib.Path(place) / "Sources/A/B.swift").touch()
        lost = lost_files(pathlib.Path(place), "1. `A/B.swift`, `A/C+D.swift`, `E.swift` in `Pages/Static/e.js`")
        if lost != [f"{PAGE}: there is no Sources/A/C+D.swift"]:
            sys.exit(f"shape: self-test: lost files: {lost}")
    print("shape: self-test: planted loops, JSON, long functions and imports, each caught")


# `Home/Bus/Intake.swift` in backquotes, below Sources/.
NAMED_FILE = re.compile(r"`([A-Za-z]\w*/[\w/+]+\.swift)`")


def lost_files(root: pathlib.Path, text: str) -> list[str]:
    """The files that the page names and that are not there any more: its ways of facts go file by file."""
    return [f"{PAGE}: there is no Sources/{name}" for name in NAMED_FILE.findall(text) if not (root / "Sources" / name).exists()]


def main() -> None:
    words, root = sys.argv[1:], swift_source.ROOT
    if words == ["--self-test"]:
        return self_test()
    if words not in ([], ["--write"], ["--graph"]):
        sys.exit("usage: shape.py [--write | --graph | --self-test]")
    rooms, tests = read(root)
    if words == ["--graph"]:
        return print(graph(rooms, floors.described(root)), end="")
    data, page = json.loads((root / DATA).read_text(encoding="utf-8")), root / PAGE
    found, now = compare(rooms, data)
    if words and now != data:
        (root / DATA).write_text(written(now), encoding="utf-8")
        found, _ = compare(rooms, now)
    found += idle_imports(rooms, tests)
    if page.exists():
        text = page.read_text(encoding="utf-8")
        found += lost_files(root, text)
        new = with_graph(text, graph(rooms, floors.described(root)))
        if new is None:
            found.append(f"{PAGE}: the graphs have no place: put {BEGIN} and {END} on lines of their own")
        elif words:
            page.write_text(new, encoding="utf-8")
        elif new != text:
            found.append(f"{PAGE}: the graphs are not those of today: `Scripts/shape.py --write` writes them")
    for line in found:
        print(line, file=sys.stderr)
    if found:
        sys.exit(f"shape: {len(found)} to mend; see the head of Scripts/shape.py")
    totals = {what: sum(map(len if what == "loops" else int, now[what].values())) for what in now}
    print("shape: no more than is written down: " + ", ".join(f"{number} {WORDS.get(what, what)}" for what, number in totals.items()))


if __name__ == "__main__":
    main()
