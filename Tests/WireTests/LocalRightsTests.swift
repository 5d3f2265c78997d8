import TestSupport
import Testing

@testable import Wire

@Suite("A gate's own copy of rights")
struct LocalRightsTests {
    private func holder(_ badge: UInt64, _ calendar: UInt16? = nil, from: UInt64 = 0, until: UInt64 = 1000)
        -> LocalRights.Holder
    {
        .init(badge: ID16(high: 0, low: badge), notBefore: from, notAfter: until, calendar: calendar)
    }

    @Test("Somebody may open between the two ends, inside the calendar, and everybody else may not")
    func decides() throws {
        let calendar = [Interval(start: 100, end: 200), Interval(start: 300, end: 400)]
        let rights = try LocalRights(calendars: [calendar], holders: [holder(7, 0, from: 150), holder(3)])
        let (seven, three) = (ID16(high: 0, low: 7), ID16(high: 0, low: 3))
        #expect(rights.decide(seven, at: 149) == .notYet)
        #expect(rights.decide(seven, at: 150) == .none)
        #expect(rights.decide(seven, at: 199) == .none)
        #expect(rights.decide(seven, at: 200) == .outsideInterval)
        #expect(rights.decide(seven, at: 300) == .none)
        #expect(rights.decide(seven, at: 1000) == .expired)
        #expect(rights.decide(three, at: 250) == .none)
        #expect(rights.decide(three, at: nil) == .clockUntrusted)
        #expect(rights.decide(ID16(high: 0, low: 4), at: 250) == .notValid)
    }

    @Test("6,000 people come through the bytes and the tag unchanged, and each is found")
    func sixThousand() throws {
        var generator = SeededGenerator(seed: 41)
        let key = generator.key()
        let calendars: [[Interval]] = (0..<20).map { (number: UInt64) -> [Interval] in
            (0..<14).map { (week: UInt64) -> Interval in
                let start = number + week * 100
                return Interval(start: start, end: start + 50)
            }
        }
        let holders: [LocalRights.Holder] = (0..<6_000).map { (number: Int) -> LocalRights.Holder in
            .init(
                badge: ID16(high: UInt64(number * 7919 % 10_007), low: 1), notBefore: 5, notAfter: 9_000,
                calendar: number % 3 == 0 ? nil : UInt16(number % 20))
        }
        let local = try LocalRights(calendars: calendars, holders: holders)
        let rights = try Rights(
            version: 9, epoch: 1, denied: [Denied(passID: .zero, until: 1)],
            settings: GateSettings(pulseMilliseconds: 500), local: local, gateKey: key)
        let read = try Rights(decoding: rights.encoded())
        #expect(read.verifies(gateKey: key))
        #expect(read.local == local)
        #expect(holders.allSatisfy { read.local?.holder(of: $0.badge) == $0 })
        #expect(GateFrame.rights(rights).encoded().count <= GateFrame.maxBytes)
    }

    @Test("Rights without local ones have the bytes that they always had, and say that the gate takes passes")
    func absent() throws {
        var generator = SeededGenerator(seed: 42)
        let key = generator.key()
        let settings = GateSettings(pulseMilliseconds: 500)
        let plain = try Rights(version: 1, epoch: 1, denied: [], settings: settings, gateKey: key)
        let nobody = try Rights(
            version: 1, epoch: 1, denied: [], settings: settings, local: LocalRights(calendars: [], holders: []),
            gateKey: key)
        #expect(plain.encoded().count == 48)
        #expect(try Rights(decoding: plain.encoded()).local == nil)
        #expect(try Rights(decoding: nobody.encoded()).local?.holders == [])
    }

    @Test(
        "The most that a hub signs fills a frame, and one holder more is refused; a gate reads what an earlier hub sent beyond that"
    )
    func fullFrame() throws {
        let key = Key([UInt8](repeating: 9, count: 32))!
        let most = LocalRights.room / LocalRights.holderBytes
        let denied = (0..<Rights.maxDenied).map { Denied(passID: ID16(high: 1, low: UInt64($0)), until: 1) }
        let full = try Rights(
            version: 1, epoch: 1, denied: denied, settings: GateSettings(pulseMilliseconds: 500),
            local: LocalRights(calendars: [], holders: (0..<most).map { holder(UInt64($0)) }), gateKey: key)
        let frame = GateFrame.rights(full).encoded()
        #expect(GateFrame.maxBytes - LocalRights.holderBytes < frame.count && frame.count <= GateFrame.maxBytes)
        #expect(throws: WireError.tooLong) {
            try LocalRights(calendars: [], holders: (0...most).map { holder(UInt64($0)) })
        }
        var writer = ByteWriter(capacity: 0)
        writer.u16(0)
        writer.u16(UInt16(most + 1))
        for badge in 0...most {
            writer.id(holder(UInt64(badge)).badge)
            for _ in 0..<2 { writer.u64(9) }
            writer.u16(.max)
        }
        var reader = Reader(writer.bytes)
        #expect(try LocalRights.decode(from: &reader).holders.count == most + 1)
    }

    @Test("Lists that are too long, unsorted or name a calendar that is not there are refused")
    func refused() throws {
        let interval = Interval(start: 1, end: 2)
        #expect(throws: WireError.tooLong) {
            try LocalRights(calendars: [], holders: (0...20_000).map { holder(UInt64($0)) })
        }
        #expect(throws: WireError.tooLong) {
            try LocalRights(calendars: Array(repeating: [interval], count: 1025), holders: [])
        }
        #expect(throws: WireError.tooLong) {
            try LocalRights(
                calendars: [(0..<57).map { Interval(start: $0 * 2, end: $0 * 2 + 1) }], holders: [])
        }
        #expect(throws: WireError.unsortedIntervals) {
            try LocalRights(calendars: [[interval, interval]], holders: [])
        }
        #expect(throws: WireError.badValue) { try LocalRights(calendars: [[interval]], holders: [holder(1, 1)]) }
    }

    @Test("A cut at any byte is refused, and a changed byte breaks the tag")
    func cut() throws {
        var generator = SeededGenerator(seed: 43)
        let key = generator.key()
        let bytes = try Rights(
            version: 1, epoch: 1, denied: [], settings: GateSettings(pulseMilliseconds: 1),
            local: LocalRights(
                calendars: [[Interval(start: 1, end: 2)]], holders: [holder(1, 0), holder(2)]), gateKey: key
        ).encoded()
        for length in 0..<bytes.count {
            let isTaken = (try? Rights(decoding: Array(bytes[..<length])))?.verifies(gateKey: key) ?? false
            #expect(!isTaken)
        }
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            let isTaken = (try? Rights(decoding: changed))?.verifies(gateKey: key) ?? false
            #expect(!isTaken)
        }
    }

    @Test("A badge has another name at every gate")
    func names() {
        var generator = SeededGenerator(seed: 44)
        let (a, b) = (generator.key(), generator.key())
        let code = Array("A1B2C3".utf8)
        #expect(LocalRights.name(of: code, gateKey: a) == LocalRights.name(of: code, gateKey: a))
        #expect(LocalRights.name(of: code, gateKey: a) != LocalRights.name(of: code, gateKey: b))
        #expect(LocalRights.name(of: code, gateKey: a) != LocalRights.name(of: code + [0], gateKey: a))
    }
}
