import Crypto
import Identity
import Pages
import Store
import System

@testable import Bus
@testable import Doors

extension Target {
    /// Texts that people, devices and other programs write.
    static let texts: [Target] = [
        .canonical("day", seeds: ["2026-11-21", "2024-02-29", "0001-01-01", "9999-12-31"], Day.init(iso8601:)) {
            $0.iso8601
        },
        .canonical(
            "timestamp", seeds: ["2026-11-21T08:52:07.120Z", "0001-01-01T00:00:00.000Z"], Timestamp.init(iso8601:)
        ) {
            $0.iso8601
        },
        .canonical("base64", seeds: ["", "AA", "AAA", "AAAA", "-_-_"], Base64.bytes(urlText:), Base64.urlText),
        .canonical("database-id", seeds: ["0123456789abcdef0123456789abcdef"], { ID<Kind>($0) }) { $0.text },
        .text("bus-address", seeds: ["mqtt://host", "mqtt://10.0.0.2:1884/", "mqtt://[::1]:1884"]) { text in
            guard let address = BusAddress(url: text) else { return }
            expect(BusAddress(url: address.description) == address, "an address's own text is another")
        },
        .text("topic", seeds: ["soglia/1/gates/2/up", "soglia/+/gates/#", "$SYS/#"]) { text in
            if Topic.isName(text) { expect(Topic.isFilter(text), "a name is a filter of itself") }
            if Topic.isFilter(text) { expect(!text.hasPrefix("$"), "what is the broker's own is nobody's") }
        },
        .text("local-path", seeds: ["/", "/gates/1?after=%20#x", "//host", "/\\host"]) { text in
            guard let path = LocalPath(text) else { return }
            expect(path.description == text && text.utf8.first == UInt8(ascii: "/"), "a path is kept as it is")
            // As browsers read it: a second slash, also written backwards, begins a host; so does one behind a control character.
            let second = text.utf8.dropFirst().first
            expect(second != UInt8(ascii: "/") && second != UInt8(ascii: "\\"), "a path that leads to another host")
            expect(text.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "a path with more than printable ASCII")
        },
        .text("timetable", seeds: ["08:00-12:30 13:30-18:00", "22:00–06:00", "0.00-24.00;", "9:5-10:00"]) { text in
            guard let spans = try? DaySpan.list(text) else { return }
            let again = try? DaySpan.list(spans.map(\.text).joined(separator: " "))
            expect(again == spans, "what was read is written otherwise")
        },
        Target("csv", seeds: { csvSeeds }) { bytes in
            guard let text = try? CSVText(bytes[...]) else { return }
            var reader = CSVReader(text.bytes)
            var last = 0
            // Each turn reads something: more of them than there are bytes would be a loop without end.
            for _ in 0...bytes.count + 1 {
                do throws(CSVError) {
                    guard let record = try reader.next() else { return }
                    expect(record.line > last, "a record before the one before it")
                    last = record.line
                    expect(record.fields.count <= CSVLimit.columns, "too many columns")
                    expect(record.fields.allSatisfy { $0.utf8.count <= CSVLimit.fieldBytes }, "too long a field")
                } catch {
                    if error.endsFile { return }
                }
            }
            expect(false, "it never ends")
        },
        .text("zone", seeds: ["Europe/Rome", "UTC", "GMT+02:o0", "Asia/Kathmandu"]) { text in
            if let zone = Zone(name: text) { tellTime(in: zone, at: Timestamp(milliseconds: 1_795_252_327_120)) }
        },
        Target("zone-time", seeds: { [[UInt8](repeating: 0, count: 9), [UInt8](repeating: 255, count: 9)] }) { bytes in
            guard bytes.count == 9 else { return }
            let names = ["Europe/Rome", "America/St_Johns", "Pacific/Apia", "Africa/Cairo", "UTC"]
            guard let zone = Zone(name: names[Int(bytes[0]) % names.count]) else { return }
            let seconds = bytes.dropFirst().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            tellTime(in: zone, at: Timestamp(seconds: seconds))
            tellTime(in: zone, at: Timestamp(milliseconds: Int64(bitPattern: seconds)))
        },
    ]

    private enum Kind {}

    private static let csvSeeds: [[UInt8]] = [
        Array("Name,Email\r\nAda,ada@example.org\r\n".utf8), Array("sep=;\nNome;\"a \"\"b\"\"\nc\";\n".utf8),
        [0xef, 0xbb, 0xbf] + Array("a\tb\rc\td".utf8), [0xff, 0xfe, 0x61, 0, 0x2c, 0, 0x62, 0],
        Array("a,b\n\"".utf8), [0x61, 0xe8, 0x2c, 0x62],
    ]

    /// Gates say what time they like, signed: whatever it is, pages show it.
    private static func tellTime(in zone: Zone, at time: Timestamp) {
        let day = zone.day(at: time)
        expect(zone.clockText(at: time).utf8.count == 5, "hours and minutes")
        expect(!time.iso8601.isEmpty && !day.iso8601.isEmpty, "a text")
        guard (1...9999).contains(day.civil.year) else { return }
        let start = zone.start(of: day)
        expect(zone.day(at: start) == day, "a day begins in itself")
        expect(zone.day(at: start.adding(milliseconds: -1)) < day, "and not earlier")
    }
}
