import Foundation
import Testing

@testable import System

@Suite("The log")
struct LogTests {
    private let words = LogFlood.Words(level: .warning, room: "bus", message: "the broker is gone")

    private func line(_ message: String, _ facts: [(String, String)]) -> LogLine {
        LogLine(
            time: Timestamp(milliseconds: 0), words: .init(level: .warning, room: "bus", message: message),
            facts: facts.map { (name: $0.0, value: $0.1) })
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("A line is one line, whatever is in it, and a value with spaces stands in quotes")
    func textual() {
        #expect(
            text(line("gone", [("why", "no route"), ("port", "1883")]).text)
                == "1970-01-01T00:00:00.000Z warning bus: gone why=\"no route\" port=1883\n")
        let hostile = text(
            line("a\nb\u{1b}[31m", [("x", "1\r\n2026 failure hub: forged"), ("y", "a\"b=c"), ("z", "")]).text)
        #expect(hostile.count { $0 == "\n" } == 1)
        #expect(!hostile.contains("\u{1b}"))
        #expect(hostile.contains("z=\"\""))
    }

    @Test("As JSON it is one object a line, with the same fields, that a parser reads back")
    func json() throws {
        let nasty = "q\" b\\ n\n r\r t\t c\u{1} d\u{7f} é 🚪 \u{2028}"
        let bytes = line(nasty, [("why", nasty), ("empty", "")]).json
        #expect(bytes.count { $0 == 0x0a } == 1 && bytes.last == 0x0a)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: String])
        #expect(
            object == [
                "time": "1970-01-01T00:00:00.000Z", "level": "warning", "room": "bus", "message": nasty, "why": nasty,
                "empty": "",
            ])
    }

    @Test("What is too long is cut, and stays well-formed")
    func long() throws {
        let long = String(repeating: "é", count: 5_000)
        let bytes = line("x", [("why", long)]).json
        #expect(bytes.count < 2_000)
        #expect(try JSONSerialization.jsonObject(with: Data(bytes)) is [String: String])
    }

    @Test("The same words are written twenty times a minute; the rest is counted, and summed up after it")
    func flood() {
        var flood = LogFlood()
        let written = (0..<1_000).count { flood.admit(words, UInt64($0)).isWritten }
        #expect(written == LogFlood.free)
        let other = LogFlood.Words(level: .info, room: "hub", message: "x")
        #expect(flood.admit(other, 59_999).summaries == [])
        let (isWritten, summaries) = flood.admit(other, 61_000)
        #expect(isWritten && summaries == [.init(words: words, count: 980)])
        #expect(flood.admit(words, 61_001) == (true, []))
    }

    @Test("Other words are written while some are a flood, and what was not written is not lost at the end")
    func drain() {
        var flood = LogFlood()
        for n in 0..<25 { _ = flood.admit(words, UInt64(n)) }
        #expect(flood.admit(.init(level: .failure, room: "hub", message: "the disk is full"), 30).isWritten)
        #expect(flood.drain() == [.init(words: words, count: 5)])
        #expect(flood.drain() == [])
    }

    @Test("However many kinds of lines there are, few are written a minute and few are remembered")
    func kinds() {
        var flood = LogFlood()
        let written = (0..<50_000).count {
            flood.admit(.init(level: .info, room: "x", message: "\($0)"), 1).isWritten
        }
        #expect(written <= LogFlood.capacity + LogFlood.free)
        let summaries = flood.drain()
        #expect(summaries.map(\.words.message) == ["further lines of many kinds"])
        #expect(summaries[0].count + written == 50_000)
    }
}

private func == (a: (isWritten: Bool, summaries: [LogFlood.Summary]), b: (Bool, [LogFlood.Summary])) -> Bool {
    a.isWritten == b.0 && a.summaries == b.1
}
