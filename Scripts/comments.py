#!/usr/bin/python3
"""Holds the doc comments in Sources/: there where others read them, on what they describe, and saying more than its name.

    Scripts/comments.py               check; exit 1 and one line per finding
    Scripts/comments.py --self-test   plant each kind of mistake and see it caught

- A type, protocol, function or macro that is public or package has a doc comment, and so has each function that a public protocol asks for.
  Properties, cases and initialisers need none, nor does a function that does what a protocol asks for: one of ours, which the head of the type
  or of the extension around it names, or one of Swift's (`FROM_SWIFT`).
- A doc comment says more than the name below it: not all of its words are words of the name ("The clock." on `clock`).
- Nothing lies between a doc comment and its declaration.
- A line ends early only at the end of a paragraph, before an empty `///`: else two comments have met, since a declaration was put between one of
  them and what it describes.

Not seen: a comment that fits its declaration in all this and speaks of another one.
"""

import re
import sys
import typing

import swift_source
from swift_source import Scope, Source

# What a line of a comment may hold: a word that would have fitted begins another paragraph.
WIDTH = 140
DEMANDED = {"struct", "class", "enum", "actor", "protocol", "typealias", "func", "macro"}
# Functions that Swift's protocols and its result builders ask for.
FROM_SWIFT = {
    "==", "<", "hash", "encode", "buildBlock", "buildExpression", "buildOptional", "buildEither", "buildArray", "buildPartialBlock",
    "buildFinalResult"}
OPEN = {"public", "package", "open"}
DECLARATION = re.compile(
    r"^[ \t]*(?:@\w+(?:\([^)\n]*\))?[ \t]+)*"
    r"((?:(?:public|package|open|internal|private|fileprivate|static|final|indirect|mutating|nonmutating|nonisolated(?:\(unsafe\))?|override|lazy"
    r"|weak|unowned|convenience|required|prefix|postfix|infix|consuming|borrowing|class|(?:private|fileprivate|internal|package)\(set\))[ \t]+)*)"
    r"(struct|class|enum|actor|protocol|extension|typealias|associatedtype|func|macro|init|subscript|var|let|case|#if|operator)\b"
    r"[ \t]*`?(\w+|[^\w\s(]+)?", re.M)
ATTRIBUTE = re.compile(r"\s*(?:@|#if\b)")
NAME = re.compile(r"\w+")
WORD = re.compile(r"[a-z0-9]+")
HUMP = re.compile(r"([a-z0-9])([A-Z])")
SMALL = {"the", "a", "an", "of", "its", "this", "that", "is", "are", "it", "one"}
SENTENCE = re.compile(r"/// [A-Z`]")


class Comment(typing.NamedTuple):
    """Lines of `///` without one between them that has none: from `first` on, before `end`, counted from 0."""
    first: int
    end: int
    lines: tuple[str, ...]


def comments(file: Source) -> list[Comment]:
    found, lines = [], file.text.split("\n")
    code = file.code.split("\n")
    number = 0
    while number < len(lines):
        end = number
        while end < len(lines) and lines[end].lstrip().startswith("///") and not code[end].strip():
            end += 1
        if end > number:
            found.append(Comment(number, end, tuple(lines[number:end])))
        number = end + 1
    return found


def bare(text: str) -> set[str]:
    """The words of a comment or of a name that say something, without a plural's ending."""
    words = set(WORD.findall(HUMP.sub(r"\1 \2", text).lower())) - SMALL
    return {word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words}


# The name of a function -> the protocols that ask for it.
Asked = dict[str, set[str]]


def around(scopes: list[Scope], place: int) -> Scope | None:
    return next((scope for scope in reversed(scopes) if scope.start < place < scope.end), None)


def asked(files: list[Source]) -> Asked:
    found: Asked = {}
    # A protocol -> those that it refines, as far as they are ours.
    refined: dict[str, set[str]] = {}
    for file in files:
        for scope in file.protocols:
            refined[scope.path.rpartition(".")[2]] = set(NAME.findall(file.code[scope.head:scope.start]))
        for match in DECLARATION.finditer(file.code) if file.protocols else ():
            if match[2] == "func" and (scope := around(file.protocols, match.start())):
                found.setdefault(match[3], set()).add(scope.path.rpartition(".")[2])
    for protocols in found.values():
        while more := {name for name, below in refined.items() if below & protocols} - protocols:
            protocols |= more
    return found


def answers(file: Source, place: int, name: str, asked_for: Asked) -> bool:
    """Whether a function does what a protocol asks for."""
    scope = around(file.scopes, place)
    return name in FROM_SWIFT or scope is not None and scope not in file.protocols and not asked_for.get(name, set()).isdisjoint(
        NAME.findall(file.code[scope.head:scope.start]))


def check(file: Source, asked_for: Asked) -> list[str]:
    found: list[str] = []
    lines = file.text.split("\n")
    ends = {comment.end: comment for comment in comments(file)}
    open_protocols = {kind.path for kind in file.types if kind.kind == "protocol" and kind.access in OPEN}
    protocols = [scope for scope in file.protocols if scope.path in open_protocols]
    described = set()
    for match in DECLARATION.finditer(file.code):
        modifiers, kind, name = set(match[1].split()), match[2], match[3] or ""
        number = file.line(match.start(2)) - 1
        above = number
        while above not in ends and above > 0 and ATTRIBUTE.match(lines[above - 1]):
            above -= 1
        comment = ends.get(above)
        is_open = modifiers & OPEN or kind == "func" and around(protocols, match.start())
        if comment is None:
            if is_open and kind in DEMANDED and "override" not in modifiers and not (
                    kind == "func" and answers(file, match.start(), name, asked_for)):
                found.append(f"{file.path}:{number + 1}: {kind} {name} is {' '.join(modifiers & OPEN) or 'asked for in public'}: say in `///` what it is")
            continue
        described.add(comment)
        words = bare(" ".join(line.strip().removeprefix("///") for line in comment.lines))
        if words <= bare(name) and kind != "extension":
            found.append(f"{file.path}:{comment.first + 1}: the comment on {name} only repeats the name: say more, or take it out")
    for comment in ends.values():
        if comment not in described:
            found.append(f"{file.path}:{comment.first + 1}: nothing is declared below this doc comment")
        for number, (line, below) in enumerate(zip(comment.lines, comment.lines[1:]), comment.first + 1):
            if line.rstrip().endswith(".") and SENTENCE.match(below.strip()):
                if len(line.rstrip()) + 1 + len(below.strip()[4:].split()[0]) <= WIDTH:
                    found.append(f"{file.path}:{number}: the line ends early: is the next one another comment? A new paragraph has an empty `///` before it")
    return found


def self_test() -> None:
    long = "x" * (WIDTH - 20)
    protocol = "/// For all.\npublic protocol A {\n    /// Does so.\n    func b()\n}\n"
    plants = [  # Swift, what the findings must say
        ("/// Holds one.\npublic struct A {\n    public var b = 1\n    public init() {}\n    /// Says so.\n    @A\n    public func c() {}\n}\n", []),
        ("struct A { func b() {} }\nprivate func c() {}\n", []),
        ("public struct A {}\n", ["struct A is public"]), ("package protocol A {}\n", ["protocol A is package"]),
        ("/// For all.\npublic extension A {\n    package static func b() {}\n}\n", ["func b is package"]),
        ("/// For all.\npublic protocol A {\n    func b()\n    var c: Int { get }\n}\n", ["func b is asked for in public"]),
        (protocol + "extension B: A {\n    public func b() {}\n}\n", []), (protocol + "extension B {\n    public func b() {}\n}\n", ["func b is public"]),
        (protocol + "/// More.\npublic protocol C: A {}\nextension B: C {\n    public func b() {}\n}\n", []),
        (protocol + "extension B: A {\n    public func c() {}\n}\n", ["func c is public"]), ("extension B {\n    public static func == (a: B) {}\n}\n", []),
        ("@A(1)\npublic final class A {}\n", ["class A is public"]), ("public override func a() {}\n", []),
        ("/// The clock.\nlet clock = 1\n", ["only repeats"]), ("/// The sender of a letter.\nstruct LetterSenders {}\n", ["only repeats"]),
        ("/// The clock, in UTC.\nlet clock = 1\n", []), ("/// Counts.\npublic internal(set) var a = 0\n", []),
        ("/// Of no one.\n\nfunc a() {}\n", ["nothing is declared below"]), ("/// First.\n\n/// Second.\nfunc a() {}\n", ["nothing is declared below"]),
        ("func a() {\n    /// Last.\n}\n", ["nothing is declared below"]), ("/// Of a case.\n@A\n#if B\ncase a\n#endif\n", []),
        (f"/// Stops {long}.\n/// What serves.\nfunc a() {{}}\n", ["the line ends early"]), (f"/// Stops now {long}.\n/// Whatever serves.\nfunc a() {{}}\n", []),
        ("/// Stops.\n///\n/// What serves.\nfunc a() {}\n", []), ("/// Stops.\n/// - Returns: this.\nfunc a() {}\n", []),
    ]
    for text, wanted in plants:
        file = Source("F.swift", text)
        found = check(file, asked([file]))
        if len(found) != len(wanted) or any(word not in line for word, line in zip(wanted, found)):
            sys.exit(f"comments: self-test: {text!r}: expected {wanted}, found {found}")
    print(f"comments: self-test: {sum(1 for _, wanted in plants if wanted)} planted mistakes, each caught")


def main() -> None:
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if sys.argv[1:]:
        sys.exit("usage: comments.py [--self-test]")
    files = swift_source.sources(swift_source.ROOT / "Sources")
    asked_for = asked(files)
    found = [line for file in files for line in check(file, asked_for)]
    for line in found:
        print(line, file=sys.stderr)
    if found:
        sys.exit(f"comments: {len(found)} to mend; see the head of Scripts/comments.py")
    print("comments: each on what it describes, and says more than its name")


if __name__ == "__main__":
    main()
