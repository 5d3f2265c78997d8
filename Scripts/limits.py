#!/usr/bin/env python3
"""Holds the table of limits in SECURITY.md to the code.

A limit is a constant whose comment ends with `/// - Key: person`: whose count it is, so that a reader sees who shares it with whom.
Every allowance, lockout and constant that is named like a limit has such a line, or is one of `SIZES`.

    Scripts/limits.py               check; exit 1 and one line per finding
    Scripts/limits.py --print       the rows that the code gives, to begin a table with
    Scripts/limits.py --self-test   plant each kind of mistake and see it caught
"""

import pathlib
import re
import sys

PAGE = "SECURITY.md"
# Rooms of the devices and of the machine's owner: what they limit is on no hub, or nobody else's.
ELSEWHERE = {"Wire", "Safeguard", "Template", "Box", "Controller", "Phone", "Field", "Radio", "soglia"}
KEYS = {
    "hub", "address", "network", "network or known browser", "session", "account", "account and network", "person", "person and site",
    "person and gate", "person and house", "person, house and kind", "site", "house", "gate", "gateway", "box", "sensor", "actuator", "device",
    "service",
    "sensor or actuator", "client of the broker", "domain of an address", "site, network or person", "address of a letter",
    "address of a letter, and who asks",
}
# They bound one thing that one sender brings, or one answer: nobody shares them.
SIZES = {
    "AlarmDesk.mostRounds", "AlarmSettings.mostMinutes", "Answer.headLimit", "BackupFormat.maxFiles", "BackupFormat.maxPath",
    "BusAddress.hostLimit", "BusClient.payloadLimit", "CSVText.fileLimit", "CertificateAuthority.mostNames", "ChartGrid.most",
    "Connection.readsPerTurn", "Doors.bulkLimit", "Doors.exportLimit", "Envelope.mostRecipients", "ErasedFile.limit",
    "Exchange.bodyLimit", "Form.fieldLimit", "HousePanel.mostTrips", "Inbox.overlongLimit", "KeySet.mostKeys",
    "KnownWeeks.limit", "Ledger.headsPerEvent", "LegacyPolicy.maxUsername", "Multipart.headLimit", "Multipart.partLimit",
    "NoticeContent.mostActions", "NoticePages.formLimit", "PeopleChoice.mostChosen", "Notices.mostOfAnAnswer", "PathParameters.limit",
    "PayloadReader.byteLimit", "PayloadReader.computedLimit", "PayloadReader.futureLimit", "PayloadReader.textLimit", "PayloadScanner.depthLimit", "Place.mostLinks", "Terminal.limit",
    "Photo.bytesLimit", "Photo.losslessLimit", "Photo.losslessPixelsLimit", "Photo.pixelsLimit", "Photo.scannedPixelsLimit", "Photo.scansLimit", "Photo.unpackedLimit",
    "ProviderFile.limit", "PushMessage.mostActions", "Recipients.most", "Recipients.mostInTurn", "RetentionRules.most", "Route.mostFirst",
    "Series.transactionLimit", "SeriesExport.limit", "Server.drainLimit", "ServerSettings.headLimit", "ServiceDocument.limit",
    "SignInByOthers.maxAge", "SignedRequest.limit", "SignedToken.limit", "StaticFiles.sizeLimit", "Timetable.maxSpans",
    "TokenAnswer.limit", "Topic.limit", "Writer.groupLimit",
}
TYPE = re.compile(r"^(\s*)(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|private|fileprivate|final|indirect)\s+)*(?:struct|class|enum|actor|extension|protocol)\s+([\w.]+)")
VALUE = re.compile(r"^(\s*)(?:(?:public|package|private|fileprivate|static)\s+)*(?:let|var)\s+(\w+)(?:\s*:\s*[\w<>. ]+)?\s*=\s*(.+?)\s*(?://.*)?$")
CASE = re.compile(r"^(\s*)case\s+\.(\w+):\s*(Allowance\(.+\))\s*$")
KEY = re.compile(r"^\s*///\s*- Key: (.+?)\.?\s*$")
NAMED = re.compile(r"^(?:most|max|per|limit|free|capacity)(?:[A-Z]\w*)?$|^\w+Limit$|^\w+Per[A-Z]\w*$")
NUMBER = re.compile(r"^[\d_]+(?:\s*<<\s*\d+)?$")
ALLOWANCE = re.compile(r"^Allowance\(burst: ([\d_]+), refill: ([\d_]+)\)$")
RETAINED = re.compile(r"^RetainedMeter\.Limit\(topics: ([\d_]+), bytes: ([\d_]+ << \d+)\)$")


def words(value):
    """A value of the code as the page writes it; None when it is no limit."""
    if match := ALLOWANCE.match(value):
        burst, refill = (int(part.replace("_", "")) for part in match.groups())
        return f"{burst:,}, then 1 each {refill / 1000:g} s"
    if match := RETAINED.match(value):
        return f"{words(match[1])} topics, {words(match[2])}"
    if not NUMBER.match(value):
        return None
    number, _, shift = value.replace("_", "").partition("<<")
    if not shift:
        return f"{int(number):,}"
    size = int(number) << int(shift)
    return f"{size >> 20} MiB" if size >> 20 and size % (1 << 20) == 0 else f"{size >> 10} KiB"


def limits(text, file):
    """(limits, sizes, findings) of one source file. Limits: `Type.name` -> (number, key)."""
    found, sizes, findings, types, key, case_key = {}, set(), [], [], None, None
    for number, line in enumerate(text.split("\n"), 1):
        if match := KEY.match(line):
            key = match[1]
            continue
        if line.strip().startswith("///"):
            continue
        if match := TYPE.match(line):
            indent = len(match[1])
            types = [one for one in types if one[0] < indent] + [(indent, match[2].split(".")[-1])]
        case, match = CASE.match(line), VALUE.match(line)
        if key and not (case or match):
            # On a property of cases: the key of each of them.
            case_key = key
        one = case or match
        if one:
            owner = next((name for indent, name in reversed(types) if indent < len(one[1])), None)
            name, said = f"{owner}.{one[2]}", words(one[3])
            whose = key if match else case_key
            if whose and said is None:
                findings.append(f"{file}:{number}: {name} has a key, and no number that this script reads")
            elif whose and whose not in KEYS:
                findings.append(f"{file}:{number}: {name}: unknown key '{whose}'")
            elif whose:
                found[name] = (said, whose)
            elif said and owner and (NAMED.match(one[2]) or "Allowance(" in one[3]):
                sizes.add(name)
                if name not in SIZES:
                    findings.append(f"{file}:{number}: {name} says not whose count it is: add `/// - Key: …`, or name it in SIZES")
        key = None
    return found, sizes, findings


def table(page):
    """The rows of the page: `Type.name` -> (number, key)."""
    part = page.split("## Limits", 1)[-1].split("\n## ", 1)[0] if "## Limits" in page else ""
    return dict((cells[0].strip("` "), (cells[1].strip(), cells[2].strip())) for cells in (
        line.strip().strip("|").split("|") for line in part.split("\n") if line.startswith("| `")) if len(cells) == 4)


def read(root):
    found, sizes, findings = {}, set(), []
    for file in sorted((root / "Sources").rglob("*.swift")):
        place = file.relative_to(root)
        if place.parts[1] in ELSEWHERE:
            continue
        ours, theirs, wrong = limits(file.read_text(encoding="utf-8"), place)
        findings += wrong + [f"{place}: two limits are called {name}" for name in ours if name in found]
        found |= ours
        sizes |= theirs
    findings += [f"Scripts/limits.py: ELSEWHERE names {room}, which is no room" for room in sorted(ELSEWHERE) if not (root / "Sources" / room).is_dir()]
    return found, findings + [f"Scripts/limits.py: SIZES names {name}, which the code has not" for name in sorted(SIZES - sizes)]


def compare(found, page):
    rows = table(page)
    for name, said in found.items():
        if name not in rows:
            yield f"{PAGE}: {name} is not in the table of limits: {' | '.join(said)}"
        elif rows[name] != said:
            yield f"{PAGE}: {name} is {' | '.join(said)}, not {' | '.join(rows[name])}"
    for name in rows:
        if name not in found:
            yield f"{PAGE}: the code has no limit called {name}"


def self_test():
    source = (
        "enum A {\n    /// How many.\n    /// - Key: person\n    static let most = 1_000\n"
        "    /// - Key: site\n    let rate = Allowance(burst: 3, refill: 500)\n    var size = 2\n}\n"
        "struct B {\n    /// - Key: network\n    var x: Allowance {\n        case .one: Allowance(burst: 1, refill: 2_000)\n    }\n}\n")
    good = {"A.most": ("1,000", "person"), "A.rate": ("3, then 1 each 0.5 s", "site"), "B.one": ("1, then 1 each 2 s", "network")}
    page = "## Limits\n" + "".join(f"| `{name}` | {said} | {key} | words |\n" for name, (said, key) in good.items()) + "\n## Else\n| `C.d` | 1 | hub | x |\n"
    plants = [
        (limits(source, "f"), (good, set(), [])), (list(compare(good, page)), []),
        (limits(source.replace("    /// - Key: person\n", ""), "f")[2], ["says not whose"]),
        (limits(source.replace("person", "world"), "f")[2], ["unknown key"]),
        (limits(source.replace("1_000", "several"), "f")[2], ["no number"]),
        (list(compare(good | {"A.new": ("1", "hub")}, page)), ["not in the table"]),
        (list(compare({**good, "A.most": ("2,000", "person")}, page)), ["2,000"]),
        (list(compare({**good, "A.most": ("1,000", "hub")}, page)), ["hub"]),
        (list(compare({name: good[name] for name in ("A.most", "A.rate")}, page)), ["no limit called B.one"]),
    ]
    for place, (found, wanted) in enumerate(plants):
        fits = found == wanted or (
            isinstance(found, list) and len(found) == len(wanted) and all(word in line for word, line in zip(wanted, found)))
        if not fits:
            sys.exit(f"limits: self-test {place}: expected {wanted}, found {found}")
    print(f"limits: self-test: {len(plants) - 2} planted mistakes, each caught")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    found, findings = read(root)
    if sys.argv[1:] == ["--print"]:
        for name, said in found.items():
            print(f"| `{name}` | {' | '.join(said)} | |")
    elif sys.argv[1:]:
        sys.exit("usage: limits.py [--print | --self-test]")
    else:
        findings += compare(found, (root / PAGE).read_text(encoding="utf-8"))
    for finding in findings:
        print(finding, file=sys.stderr)
    if findings:
        sys.exit(f"limits: {len(findings)} to mend")
    if not sys.argv[1:]:
        print(f"limits: {len(found)}, each in {PAGE} with its key")


main()
