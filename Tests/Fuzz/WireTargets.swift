import Foundation
import Wire

extension Target {
    /// Every binary format of the opening protocol: it is read in one way, and what was read is written back the same.
    static let wire: [Target] = [
        codec("frame", GateFrame.init(decoding:)) { $0.encoded() },
        codec("hello", GateHello.init(decoding:)) { $0.encoded() },
        codec("record", JournalRecord.init(decoding:)) { $0.encoded() },
        codec("receipt", Receipt.init(decoding:)) { $0.encoded() },
        codec("rights", Rights.init(decoding:)) { $0.encoded() },
        codec("time", TimeAnswer.init(decoding:)) { $0.encoded() },
        codec("acknowledgement", Acknowledgement.init(decoding:)) { $0.encoded() },
        codec("absent", RecordAbsent.init(decoding:)) { $0.encoded() },
        codec("query", RecordQuery.init(decoding:)) { $0.encoded() },
        codec("intent", Intent.init(decoding:)) { $0.encoded() },
        codec("header", PassHeader.init(decoding:)) { $0.encoded() },
        codec("pass", Pass.init(decoding:)) { $0.encoded() },
        codec("message", PassMessage.init(decoding:)) { $0.encoded() },
        codec("box-frame", BoxFrame.init(decoding:)) { $0.encoded() },
        codec("box-hello", BoxHello.init(decoding:)) { $0.encoded() },
        codec("box-record", BoxRecord.init(decoding:)) { $0.encoded() },
        codec("box-order", BoxOrder.init(decoding:)) { $0.encoded() },
        codec("box-settings", BoxSettings.init(decoding:)) { $0.encoded() },
        codec("pairing", PairingFrame.init(decoding:)) { (try? $0.encoded()) ?? [] },
        Target("gate", seeds: vectors) { openNothing($0) },
        Target("legacy", seeds: { [Array("1234\u{0}key".utf8)] }) { bytes in
            // What is written, a NUL, the key.
            let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
            guard parts.count == 2, let badge = try? Legacy.badge(written: parts[0], key: parts[1]) else { return }
            expect(badge.count <= Legacy.maxBadge, "a badge longer than a write")
            expect((try? Legacy.cipher(badge: badge, key: parts[1])) == parts[0], "the cipher is not its own inverse")
        },
        .text("pairing-code", seeds: ["0123456789ABCDEFGHJKMNPQRS", "abcd-efgh jkmn pqrs tvwx yz00 00"]) { text in
            guard let code = PairingCode(text: text) else { return }
            expect(PairingCode(text: code.text)?.bytes == code.bytes, "a code's own text is another code")
        },
        .text("id", seeds: ["0123456789abcdef0123456789abcdef"]) { text in
            if let id = ID16(hex: text) { expect(id.hex == text.lowercased(), "an id's own text is another") }
        },
    ]

    private static func codec<Value>(
        _ name: String, _ decode: @escaping @Sendable ([UInt8]) throws(WireError) -> Value,
        _ encode: @escaping @Sendable (Value) -> [UInt8]
    ) -> Target {
        Target(name, seeds: vectors) { bytes in
            guard let value = try? decode(bytes) else { return }
            expect(encode(value) == bytes, "what was read is written otherwise")
        }
    }

    /// Whatever is shown to a gate whose key its maker does not have, nothing opens.
    private static func openNothing(_ bytes: [UInt8]) {
        guard let message = try? PassMessage(decoding: bytes) else { return }
        for carrier in [Carrier.ble, .bus] {
            let context = GateCheck.Context(
                gateID: message.header.gateID, gateKey: Key([UInt8](repeating: 7, count: 32))!, carrier: carrier,
                gateNonce: Nonce(high: 1, low: 2), utc: message.header.notBefore,
                uptimeSeconds: message.header.notBefore, epoch: message.header.epoch, isDenied: { _ in false },
                hubContactAge: 0)
            expect(GateCheck.decide(message, in: context) == .notValid, "a message that nobody signed was taken")
        }
    }

    /// Every run of hexadecimal digits in the file of vectors, whichever format it is of.
    @Sendable private static func vectors() throws -> [[UInt8]] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: file.appendingPathComponent("Vectors/pass.json"), encoding: .utf8)
        let runs = text.matches(of: /"((?:[0-9a-f]{2}){4,})"/).map { match in
            stride(from: 0, to: match.1.utf8.count, by: 2).compactMap { index -> UInt8? in
                let start = match.1.utf8.index(match.1.startIndex, offsetBy: index)
                return UInt8(match.1[start..<match.1.utf8.index(start, offsetBy: 2)], radix: 16)
            }
        }
        return Array(Set(runs)).sorted { $0.lexicographicallyPrecedes($1) }
    }
}
