"""Reads Swift well enough for `make lint`: code without comments and strings, its braces, its types and its functions. No compiler."""

import functools
import pathlib
import re
import typing

ROOT = pathlib.Path(__file__).resolve().parent.parent

_OPENING = re.compile(r'//[^\n]*|/\*|(#*)("""|")|[()]')
_COMMENT_EDGE = re.compile(r"/\*|\*/")
_NOT_NEWLINE = re.compile(r"[^\n]")
_MODIFIER = r"public|package|internal|private|fileprivate|open"
_TYPE = re.compile(
    r"(?<![\w.`#])(?:(" + _MODIFIER + r")\s+)?(?:(?:final|indirect|distributed|nonisolated)\s+)*"
    r"(struct|class|enum|actor|protocol|extension|typealias|associatedtype)\s+(?!func\b|var\b|let\b|subscript\b|override\b)`?([A-Z_a-z][\w.]*)")
_FUNCTION = re.compile(r"(?<![\w.`])(?:func\s+`?(\w+|[^\w\s(`]+)`?|(init)\s*[?!]?|(subscript))\s*(?=[(<])|(?<![\w.`])var\s+`?(\w+)`?\s*:")
_BRACE = re.compile(r"[{}]")
_ROUND = re.compile(r"[(\[{}\])]")


class Scope(typing.NamedTuple):
    """The braces of a type or of an extension of one: `path` is `Outer.Inner`; `head` is where its keyword is."""
    head: int
    start: int
    end: int
    path: str


class Type(typing.NamedTuple):
    path: str
    kind: str
    access: str
    start: int


class Function(typing.NamedTuple):
    """A function, initialiser, subscript or computed property; `start` is where its keyword is, `opening` and `closing` are its braces."""
    name: str
    start: int
    opening: int
    closing: int


def _blank(text: str) -> str:
    return _NOT_NEWLINE.sub(" ", text)


def code(text: str) -> str:
    """The text with spaces for each comment and each character of a string, at the same offsets; what is interpolated, `\\(…)`, is kept."""
    out: list[str] = []
    end = _code(text, 0, out, is_inner=False)
    assert end == len(text)
    return "".join(out)


def _code(text: str, place: int, out: list[str], is_inner: bool) -> int:
    """Copies code up to the end, or within a string up to the parenthesis that ends the interpolation; the place behind it."""
    depth = 0
    while match := _OPENING.search(text, place):
        found = match.group()
        out.append(text[place:match.start()])
        place = match.end()
        if found == "(":
            depth += 1
            out.append(found)
        elif found == ")":
            out.append(found)
            if is_inner and depth == 0:
                return place
            depth -= 1
        elif found.startswith("//"):
            out.append(" " * len(found))
        elif found == "/*":
            place = _comment_end(text, place)
            out.append(_blank(text[match.start():place]))
        else:
            place = _string(text, place, match.group(1), match.group(2), out)
    out.append(text[place:])
    return len(text)


def _comment_end(text: str, place: int) -> int:
    depth = 1
    while depth and (match := _COMMENT_EDGE.search(text, place)):
        depth += 1 if match.group() == "/*" else -1
        place = match.end()
    return len(text) if depth else place


@functools.cache
def _string_edge(hashes: str, quote: str) -> re.Pattern[str]:
    return re.compile(r"\\" + hashes + r"\(|\\" + hashes + r"[^(]|" + quote + hashes)


def _string(text: str, place: int, hashes: str, quote: str, out: list[str]) -> int:
    out.append(" " * len(hashes) + quote)
    while match := _string_edge(hashes, quote).search(text, place):
        out.append(_blank(text[place:match.start()]))
        place = match.end()
        if match.group().startswith(quote):
            out.append(quote + " " * len(hashes))
            return place
        if match.group().endswith("("):
            out.append(" " * (len(match.group()) - 1) + "(")
            place = _code(text, place, out, is_inner=True)
        else:
            out.append(_blank(match.group()))
    out.append(_blank(text[place:]))
    return len(text)


class Source:
    """One file."""

    def __init__(self, path: str, text: str):
        self.path = path
        self.text = text
        self.code = code(text)
        self._closings: dict[int, int] = {}
        openings: list[int] = []
        for match in _BRACE.finditer(self.code):
            if match.group() == "{":
                openings.append(match.start())
            elif openings:
                self._closings[openings.pop()] = match.start()
        self._read_types()

    def line(self, place: int) -> int:
        return self.text.count("\n", 0, place) + 1

    def closing(self, opening: int) -> int:
        return self._closings.get(opening, len(self.code))

    def _read_types(self) -> None:
        self.types: list[Type] = []
        self.scopes: list[Scope] = []
        self.protocols: list[Scope] = []
        around: list[Scope] = []
        for match in _TYPE.finditer(self.code):
            if self.code.endswith("import ", 0, match.start()):
                continue
            access, kind, name = match.group(1) or "", match.group(2), match.group(3)
            while around and around[-1].end < match.start():
                around.pop()
            path = f"{around[-1].path}.{name}" if around else name
            if kind != "extension":
                self.types.append(Type(path, kind, access, match.start(2)))
            if kind in ("typealias", "associatedtype") or (opening := self.code.find("{", match.end())) < 0:
                continue
            scope = Scope(match.start(2), opening, self.closing(opening), path)
            around.append(scope)
            self.scopes.append(scope)
            if kind == "protocol":
                self.protocols.append(scope)

    @functools.cached_property
    def functions(self) -> list[Function]:
        """Each one with a body, in the order in which they begin."""
        found = []
        for match in _FUNCTION.finditer(self.code):
            if any(scope.start < match.start() < scope.end for scope in self.protocols):
                continue
            name, is_property = next(filter(None, match.groups())), match.group(4) is not None
            place = match.end() if is_property else self._behind_parameters(match.end())
            if (opening := self._body(place, is_property)) is not None:
                found.append(Function(name, match.start(), opening, self.closing(opening)))
        return found

    def _behind(self, opening: int) -> int:
        """The place behind the bracket that closes this one."""
        depth = 0
        for match in _ROUND.finditer(self.code, opening):
            depth += 1 if match.group() in "([{" else -1
            if depth == 0:
                return match.end()
        return len(self.code)

    def _behind_parameters(self, place: int) -> int:
        """Behind `<T>(…)`."""
        opening = self.code.find("(", place)
        return len(self.code) if opening < 0 else self._behind(opening)

    _EDGE = re.compile(r"[(\[{}\n=]")

    def _body(self, place: int, is_property: bool) -> int | None:
        """The brace that begins the body; None: there is none, as of a stored property."""
        while match := self._EDGE.search(self.code, place):
            found = match.group()
            if found == "{":
                return match.start()
            if found in "([":
                place = self._behind(match.start())
                continue
            if found == "}" or is_property:
                return None
            place = match.end()
        return None


def sources(folder: pathlib.Path, root: pathlib.Path = ROOT) -> list[Source]:
    return [Source(str(file.relative_to(root)), file.read_text(encoding="utf-8")) for file in sorted(folder.rglob("*.swift"))]
