import TestSupport
import Testing

@testable import Wire

@Suite("The pass")
struct PassTests {
    static let hour: UInt64 = 3600

    static func header(
        flags: PassFlags = .narrowable, intervals: [Interval] = [], issued: UInt64 = 1000, notBefore: UInt64 = 1000,
        notAfter: UInt64 = 2000
    ) throws(WireError) -> PassHeader {
        try PassHeader(
            flags: flags, epoch: 1, passID: ID16(high: 1, low: 1), gateID: ID16(high: 2, low: 2), issued: issued,
            notBefore: notBefore, notAfter: notAfter, intervals: intervals)
    }

    @Test("A header with nine intervals is refused")
    func nineIntervals() throws {
        let nine = (0..<9).map { Interval(start: $0 * 10, end: $0 * 10 + 5) }
        #expect(throws: WireError.tooLong) { try Self.header(intervals: nine) }
        #expect(try Self.header(intervals: Array(nine.prefix(8))).encoded().count == 191)
    }

    @Test("A header lives at most 24 hours after it was issued")
    func lifetime() throws {
        _ = try Self.header(notAfter: 1000 + 24 * Self.hour)
        #expect(throws: WireError.badTimes) { try Self.header(notAfter: 1001 + 24 * Self.hour) }
        #expect(throws: WireError.badTimes) { try Self.header(notBefore: 2000) }
        #expect(throws: WireError.badTimes) { try Self.header(issued: 2000) }
        #expect(throws: WireError.badTimes) { try Self.header(issued: .max, notAfter: .max) }
        #expect(throws: WireError.badTimes) { try Self.header(issued: 0, notBefore: 0, notAfter: .max) }
    }

    @Test("A header with a flag that this build does not know is refused")
    func unknownFlag() {
        for bit: UInt8 in [16, 32, 64, 128] {
            #expect(throws: WireError.unknownFlag) { try Self.header(flags: PassFlags(rawValue: bit)) }
        }
    }

    @Test("Intervals are sorted, disjoint and not empty")
    func intervals() throws {
        func refused(_ pairs: [(UInt64, UInt64)]) {
            #expect(throws: WireError.unsortedIntervals) {
                try Self.header(intervals: pairs.map { Interval(start: $0.0, end: $0.1) })
            }
        }
        refused([(5, 5)])
        refused([(6, 5)])
        refused([(5, 10), (9, 12)])
        refused([(20, 30), (5, 10)])
        _ = try Self.header(intervals: [Interval(start: 5, end: 10), Interval(start: 10, end: 12)])
    }

    @Test("A pass takes four caveats, none after last and none where its header allows none")
    func narrowingRules() throws {
        let key = Key([UInt8](repeating: 1, count: 32))!
        var pass = Pass(header: try Self.header(), gateKey: key)
        for index in 0..<4 { pass = try pass.narrowed(by: .label([UInt8(index)])) }
        #expect(throws: WireError.tooManyCaveats) { try pass.narrowed(by: .last) }
        let closed = try Pass(header: try Self.header(), gateKey: key).narrowed(by: .last)
        #expect(throws: WireError.afterLast) { try closed.narrowed(by: .label([1])) }
        let rigid = Pass(header: try Self.header(flags: []), gateKey: key)
        #expect(throws: WireError.notNarrowable) { try rigid.narrowed(by: .last) }
        let open = Pass(header: try Self.header(), gateKey: key)
        for bad: Caveat in [
            .label([]), .label([UInt8](repeating: 1, count: 65)), .intents([]), .intents([.apri, .apri]),
        ] {
            #expect(throws: WireError.badValue) { try open.narrowed(by: bad) }
            #expect(throws: WireError.badValue) { try bad.encoded() }
        }
    }

    @Test("A message above 512 bytes is not made")
    func tooLong() throws {
        let key = Key([UInt8](repeating: 1, count: 32))!
        let eight = (0..<8).map { Interval(start: $0 * 10, end: $0 * 10 + 5) }
        var pass = Pass(header: try Self.header(intervals: eight), gateKey: key)
        for _ in 0..<4 { pass = try pass.narrowed(by: .label([UInt8](repeating: 1, count: 64))) }
        let long = pass
        #expect(throws: WireError.tooLong) {
            try long.message(carrier: .ble, gateNonce: .zero, openerNonce: .zero, intent: .enter(reason: 1))
        }
        let short = try long.message(carrier: .ble, gateNonce: .zero, openerNonce: .zero, intent: .apri)
        #expect(short.encoded().count == 511)
    }

    @Test("The gate computes the key that the holder has, and the holder verifies the gate's receipt")
    func bothSides() throws {
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<300 {
            let gateKey = generator.key()
            let pass = try generator.pass(gateKey: gateKey)
            let (carrier, gateNonce) = (generator.pick(Carrier.allCases), generator.nonce())
            let message = try pass.message(
                carrier: carrier, gateNonce: gateNonce, openerNonce: generator.nonce(), intent: generator.intent())
            #expect(message.passKey(gateKey: gateKey).bytes == pass.key.bytes)
            let arrived = try PassMessage(decoding: message.encoded())
            #expect(arrived.verifies(gateKey: gateKey, carrier: carrier, gateNonce: gateNonce))
            #expect(!arrived.verifies(gateKey: generator.key(), carrier: carrier, gateNonce: gateNonce))
            let receipt = try Receipt(
                decoding: generator.receipt(gateKey: gateKey, message: arrived).encoded())
            #expect(pass.verifies(receipt: receipt, for: message))
            let next = try pass.message(
                carrier: carrier, gateNonce: gateNonce, openerNonce: Nonce(high: 9, low: 9), intent: message.intent)
            #expect(!pass.verifies(receipt: receipt, for: next))
            #expect(!pass.verifies(receipt: .invalid(random: generator.bytes(32)), for: message))
        }
    }

    @Test("Any damaged bit in a message is refused or does not verify")
    func damagedBits() throws {
        var generator = SeededGenerator(seed: 22)
        let gateKey = generator.key()
        let pass = try Pass(header: try Self.header(), gateKey: gateKey).narrowed(by: .until(1500)).narrowed(
            by: .label([1, 2]))
        let bytes = try pass.message(
            carrier: .qr, gateNonce: .zero, openerNonce: .zero, intent: .leave(reason: 1)
        ).encoded()
        for bit in 0..<bytes.count * 8 {
            var other = bytes
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            if let message = try? PassMessage(decoding: other) {
                #expect(!message.verifies(gateKey: gateKey, carrier: .qr, gateNonce: .zero))
            }
        }
    }

    /// What an opening is made of: two of them are the same only if all of this is.
    struct Opening: Hashable {
        let carrier: Carrier
        let gateID: ID16
        let gateNonce: Nonce
        let openerNonce: Nonce
        let intent: Intent
    }

    /// What the MAC sees, and the value that it was made of: no two values may meet in the same bytes.
    struct Inputs {
        private var seen: [[UInt8]: AnyHashable] = [:]
        var count: Int { seen.count }

        mutating func add(_ value: some Hashable, _ bytes: [UInt8]) {
            let value = AnyHashable(value)
            if let other = seen.updateValue(value, forKey: bytes), other != value {
                Issue.record("\(hex(bytes)) is both \(other) and \(value)")
            }
        }
    }

    @Test("No two different headers, caveats or openings reach the MAC as the same bytes")
    func injective() async throws {
        var generator = SeededGenerator(seed: 23)
        var inputs = Inputs()
        for round in 0..<20_000 {
            await giveWay(round)
            let header = try generator.header()
            inputs.add(header, header.keyInput().bytes)
            let caveat = generator.caveat()
            inputs.add(caveat, caveat.narrowingInput().bytes)
            let opening = Opening(
                carrier: generator.pick(Carrier.allCases), gateID: generator.id(), gateNonce: generator.nonce(),
                openerNonce: generator.nonce(), intent: generator.intent())
            inputs.add(
                opening,
                PassMessage.openInput(
                    carrier: opening.carrier, gateID: opening.gateID, gateNonce: opening.gateNonce,
                    openerNonce: opening.openerNonce, intent: opening.intent
                ).bytes)
        }
        #expect(inputs.count > 35_000)
    }

    @Test("A caveat list reads back in only one way, wherever its boundaries lie")
    func shiftedCaveats() {
        // All label pairs over two letters: "ab"+"c" and "a"+"bc" must differ, in the list and in the key.
        var inputs = Inputs()
        let gateKey = Key([UInt8](repeating: 7, count: 32))!
        var labels: [[UInt8]] = []
        for length in 1...5 {
            for pattern in 0..<(1 << length) {
                labels.append((0..<length).map { pattern >> $0 & 1 == 0 ? 0 : 4 })
            }
        }
        for first in labels {
            inputs.add([first], gateKey.after([.label(first)]))
            for second in labels {
                inputs.add([first, second], gateKey.after([.label(first), .label(second)]))
            }
        }
        #expect(inputs.count == labels.count * (labels.count + 1))
    }

    @Test("Narrowing never widens")
    func narrowing() async throws {
        var generator = SeededGenerator(seed: 24)
        var (narrowedAccepted, onlyWideAccepted) = (0, 0)
        for round in 0..<5_000 {
            await giveWay(round)
            let gateKey = generator.key()
            let gateID = ID16(high: 5, low: 5)
            var flags: PassFlags = [.narrowable]
            if generator.pick([true, false, false]) { flags.insert(.hub) }
            if generator.pick([true, false, false]) { flags.insert(.onlineOnly) }
            let wide = try generator.pass(gateKey: gateKey, flags: flags, gateID: gateID)
            guard let narrow = try? wide.narrowed(by: generator.caveat()) else { continue }
            let carrier: Carrier = flags.contains(.hub) ? .bus : generator.pick(Carrier.allCases)
            let (gateNonce, openerNonce, intent) = (generator.nonce(), generator.nonce(), generator.intent())
            let now = UInt64.random(in: 0...50, using: &generator)
            let denied = generator.id()
            let context = GateCheck.Context(
                gateID: gateID, gateKey: gateKey, carrier: carrier, gateNonce: gateNonce,
                utc: generator.pick([now, now, now, nil]), uptimeSeconds: now, epoch: 1, isDenied: { $0 == denied },
                hubContactAge: generator.pick([0, 10, 11, nil]))
            func decide(_ pass: Pass) throws -> GateReason {
                GateCheck.decide(
                    try pass.message(
                        carrier: carrier, gateNonce: gateNonce, openerNonce: openerNonce, intent: intent),
                    in: context)
            }
            let (wideReason, narrowReason) = (try decide(wide), try decide(narrow))
            #expect(wideReason != .notValid && narrowReason != .notValid)
            if narrowReason == .none {
                narrowedAccepted += 1
                #expect(wideReason == .none)
            } else if wideReason == .none {
                onlyWideAccepted += 1
                #expect(narrowReason == .caveatUnmet)
            }
        }
        #expect(narrowedAccepted > 50 && onlyWideAccepted > 50)
    }
}

extension Key {
    /// The bytes of the key after these caveats.
    fileprivate func after(_ caveats: [Caveat]) -> [UInt8] {
        caveats.reduce(self) { $1.narrowing($0) }.bytes
    }
}
