import Crypto
import System

/// A letter as the demo's page shows it: what matters of its head, and its text.
struct MailboxLetter: Sendable {
    let to: String
    let subject: String
    let date: String
    let lines: [String]

    /// The last letters of a folder, the newest first.
    static func last(_ count: Int, in folder: String) -> [MailboxLetter] {
        Mailbox.numbers(in: folder).suffix(count).reversed().compactMap {
            (try? Files.read("\(folder)/\($0).eml", limit: MailboxSession.longestLetter)).map(MailboxLetter.init)
        }
    }

    /// Reads one: fields that go on in the next line (RFC 5322, 2.2.3), encoded words (RFC 2047), quoted-printable (RFC 2045).
    init(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let all = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        let end = all.firstIndex(of: "") ?? all.endIndex
        var fields: [String] = []
        for line in all[..<end] {
            if line.hasPrefix(" "), let last = fields.popLast() {
                fields.append(last + line)
            } else {
                fields.append(String(line))
            }
        }
        func field(_ name: String) -> String {
            fields.first { $0.lowercased().hasPrefix(name + ":") }.map { String($0.dropFirst(name.count + 2)) } ?? ""
        }
        to = Self.readable(field("to"))
        subject = Self.readable(field("subject"))
        date = field("date")
        let body = all[end...].dropFirst().joined(separator: "\n")
        let isQuoted = field("content-transfer-encoding").lowercased().hasPrefix("quoted-printable")
        lines = (isQuoted ? Self.unquoted(body) : body).split(omittingEmptySubsequences: false) { $0.isNewline }
            .map(String.init)
    }

    private static func readable(_ text: String) -> String {
        // The blank between two encoded words is none.
        text.replacing("?= =?", with: "?==?").split(separator: "=?", omittingEmptySubsequences: false).enumerated()
            .map { index, piece in
                let parts = piece.split(separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
                guard index > 0, parts.count == 4, parts[1].lowercased() == "b", parts[3].hasPrefix("="),
                    let bytes = Base64.bytes(text: String(parts[2]))
                else { return String(piece) }
                return String(decoding: bytes, as: UTF8.self) + parts[3].dropFirst()
            }.joined()
    }

    private static func unquoted(_ text: String) -> String {
        var (out, rest): ([UInt8], ArraySlice<UInt8>) = ([], Array(text.replacing("=\n", with: "").utf8)[...])
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "="), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                out.append(value)
                rest = rest.dropFirst(2)
            } else {
                out.append(byte)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
