import Crypto
import System
import Wire

/// The alphabet of the gates, in one thread: what a controller spends on an opening, and on a copy of rights of 6,000 people.
struct BenchWire {
    private static let count = 2_000
    private static let people = 6_000

    func run() async throws -> [Figure] {
        let (key, gate) = (Key(Random.bytes(32))!, ID16(Random.bytes(16))!)
        let block = [UInt8](repeating: 7, count: 1024)
        let ours = await Stopwatch.middle(count: Self.count) {
            for _ in 0..<Self.count { Self.use(SHA256.hash(block)) }
        }
        let theirs = await Stopwatch.middle(count: Self.count) {
            for _ in 0..<Self.count { Self.use(Digest.sha256(block)) }
        }
        let header = try PassHeader(
            flags: [], epoch: 1, passID: ID16(Random.bytes(16))!, gateID: gate, issued: 1000, notBefore: 1000,
            notAfter: 5000, intervals: (0..<8).map { Interval(start: 1000 + $0 * 100, end: 1050 + $0 * 100) })
        let pass = Pass(header: header, gateKey: key)
        let nonce = Nonce(Random.bytes(16))!
        let make = try await Stopwatch.middle(count: Self.count) {
            for _ in 0..<Self.count {
                Self.use(
                    try pass.message(carrier: .ble, gateNonce: nonce, openerNonce: nonce, intent: .apri).encoded())
            }
        }
        let bytes = try pass.message(carrier: .ble, gateNonce: nonce, openerNonce: nonce, intent: .apri).encoded()
        let context = GateCheck.Context(
            gateID: gate, gateKey: key, carrier: .ble, gateNonce: nonce, utc: 1010, uptimeSeconds: 0, epoch: 1,
            isDenied: { _ in false }, hubContactAge: nil)
        let decide = try await Stopwatch.middle(count: Self.count) {
            for _ in 0..<Self.count {
                guard GateCheck.decide(try PassMessage(decoding: bytes), in: context) == .none else {
                    throw SystemError("a good pass was refused")
                }
            }
        }
        return [
            Figure("SHA-256 of 1 kB, without a library", ours, beside: ("libcrypto", theirs)),
            Figure("opener: one message with 8 intervals", make),
            Figure("gate: read, verify and decide it", decide),
        ] + [try await opening(key, gate)] + (try await rights(key))
    }

    /// What the hub itself computes of an opening: the message, and of the gate's record whether it is the gate's, and that it is safe.
    private func opening(_ key: Key, _ gate: ID16) async throws -> Figure {
        let header = try PassHeader(
            flags: .hub, epoch: 1, passID: ID16(Random.bytes(16))!, gateID: gate, issued: 10, notBefore: 10,
            notAfter: 13)
        let nonce = Nonce(Random.bytes(16))!
        func message(_ mac: MAC) throws -> PassMessage {
            try Pass(header: header, gateKey: key, mac: mac).message(
                carrier: .bus, gateNonce: nonce, openerNonce: nonce, intent: .apri, mac: mac)
        }
        let answered = try message(HMAC.sha256)
        let record = JournalRecord(
            message: answered, carrier: .bus,
            receipt: answered.receipt(
                gateKey: key, outcome: .opened, reason: 0, gateTime: 1, clock: .trusted, journalID: gate, sequence: 1,
                eventID: gate), gateKey: key)
        func spent(_ mac: MAC) async throws -> Double {
            try await Stopwatch.processor(count: Self.count) {
                for _ in 0..<Self.count {
                    Self.use(try message(mac))
                    guard record.verifies(gateKey: key, gateID: gate, mac: mac) else {
                        throw SystemError("a good record was refused")
                    }
                    Self.use(
                        try Acknowledgement(
                            journalID: gate, sequence: 1, ledgerSequence: 1, ledgerHead: key.bytes, gateKey: key,
                            mac: mac))
                }
            }
        }
        return Figure(
            "hub: an opening's message, record and answer", try await spent(HMAC.sha256),
            beside: ("without a library", try await spent(HMACSHA256.tag)))
    }

    private func rights(_ key: Key) async throws -> [Figure] {
        let calendars: [[Interval]] = (0..<20).map { (offset: UInt64) -> [Interval] in
            (0..<14).map { (day: UInt64) -> Interval in
                Interval(start: offset + day * 1000, end: offset + day * 1000 + 500)
            }
        }
        let holders: [LocalRights.Holder] = (0..<Self.people).map {
            .init(badge: ID16(Random.bytes(16))!, notBefore: 0, notAfter: 1 << 40, calendar: UInt16($0 % 20))
        }
        let local = try LocalRights(calendars: calendars, holders: holders)
        let settings = GateSettings(pulseMilliseconds: 3000)
        let sign = try await Stopwatch.middle {
            Self.use(
                try Rights(version: 1, epoch: 1, denied: [], settings: settings, local: local, gateKey: key).encoded())
        }
        let bytes = try Rights(version: 1, epoch: 1, denied: [], settings: settings, local: local, gateKey: key)
            .encoded()
        let take = try await Stopwatch.middle {
            guard try Rights(decoding: bytes).verifies(gateKey: key) else { throw SystemError("rights were refused") }
        }
        let find = try await Stopwatch.middle(count: Self.people) {
            for holder in holders where local.decide(holder.badge, at: 19_100) == .notValid {
                throw SystemError("somebody was not found")
            }
        }
        return [
            Figure("hub: sign a gate's own copy of rights", size: Self.people, sign),
            Figure("gate: read and verify the copy", size: Self.people, take),
            Figure("gate: find and judge one badge", size: Self.people, find),
        ]
    }

    /// Keeps the compiler from leaving out work that nobody looks at.
    @inline(never) private static func use<T>(_ value: T) {}
}
