import TestSupport
import Testing

@testable import Wire

@Suite("What a box and its hub say to one another")
struct BoxTests {
    private let session: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    private let quiet = PanelStanding(state: 0, mode: 0, isSounding: false, number: 1, left: nil)

    @Test("A tag of one domain is good for no other, and one under another key for nothing")
    func domains() throws {
        var generator = SeededGenerator(seed: 51)
        let (key, other) = (generator.key(), generator.key())
        let hello = try generator.boxHello(key)
        let record = try generator.boxRecord(key)
        let order = try generator.boxOrder(key)
        let settings = try generator.boxSettings(key)
        let refused = BoxOrderRefused(order.id, .late, boxKey: key)
        #expect(refused.verifies(boxKey: key) && !refused.verifies(boxKey: other))
        #expect(hello.verifies(boxKey: key) && !hello.verifies(boxKey: other))
        #expect(record.verifies(boxKey: key) && !record.verifies(boxKey: other))
        #expect(order.refusal(boxKey: key, session: order.session, after: 0, utc: 0) == nil)
        #expect(order.refusal(boxKey: other, session: order.session, after: 0, utc: 0) == .notValid)
        #expect(settings.verifies(boxKey: key) && !settings.verifies(boxKey: other))

        /// The same fields under the tag that another domain would give.
        func retagged(_ bytes: [UInt8], _ domain: Domain) -> [UInt8] {
            let fields = Array(bytes.dropLast(32))
            return fields + HMACSHA256(key: key).authenticate([domain.rawValue], fields).bytes
        }
        for domain in Domain.allCases {
            #expect(
                try BoxHello(decoding: retagged(hello.encoded(), domain)).verifies(boxKey: key)
                    == (domain == .boxHello))
            #expect(
                try BoxRecord(decoding: retagged(record.encoded(), domain)).verifies(boxKey: key)
                    == (domain == .boxRecord))
            #expect(
                try BoxOrder(decoding: retagged(order.encoded(), domain)).refusal(
                    boxKey: key, session: order.session, after: 0, utc: 0) == (domain == .boxOrder ? nil : .notValid))
            #expect(
                try BoxSettings(decoding: retagged(settings.encoded(), domain)).verifies(boxKey: key)
                    == (domain == .boxSettings))
            #expect(
                try BoxOrderRefused(decoding: retagged(refused.encoded(), domain)).verifies(boxKey: key)
                    == (domain == .boxOrderRefused))
        }
    }

    @Test("What the second implementation wrote and signed is read here, field by field")
    func vectors() throws {
        let vectors = try VectorFile.load().domains
        func message(_ domain: Domain) throws -> (bytes: [UInt8], key: Key) {
            let vector = try #require(vectors.first { $0.domain == domain.rawValue })
            return (Array(try unhex(vector.input).dropFirst()) + (try unhex(vector.tag)), try key(vector.key))
        }
        let pending = PanelStanding(state: 6, mode: 3, isSounding: false, number: 4, left: 29_000)

        let (helloBytes, boxKey) = try message(.boxHello)
        let hello = try BoxHello(decoding: helloBytes)
        #expect(hello.verifies(boxKey: boxKey) && hello.panel == pending && hello.clock == .trusted)
        #expect((hello.uptime, hello.bootCount, hello.lastSequence, hello.settingsVersion) == (61_000, 2, 7, 3))

        let record = try BoxRecord(decoding: message(.boxRecord).bytes)
        #expect(record.verifies(boxKey: boxKey) && record.sequence == 7 && record.journalID == hello.journalID)
        #expect(record.content.kind == .tagLearnt && record.content.cause == .order && record.content.sensor == nil)
        #expect(record.content.time == 1_795_262_400_000 && record.content.digest?.count == 32)

        let order = try BoxOrder(decoding: message(.boxOrder).bytes)
        #expect(order.refusal(boxKey: boxKey, session: hello.session, after: 0, utc: 1_795_262_410) == nil)
        #expect(order.kind == .disarm && order.bypass == 5 && order.id == record.content.credential)

        let settings = try BoxSettings(decoding: message(.boxSettings).bytes)
        #expect(settings.verifies(boxKey: boxKey) && settings.version == 3 && settings.rules.exit == [0, 60, 0, 60])
        #expect(settings.sensors.map(\.name) == ["gas", "door"] && settings.sensors[1].isBypassed)
        #expect(
            try settings.sensors[0].threshold == .init(level: 400_000, hysteresis: 40_000, risePerMinute: nil))
        #expect(settings.fan == .init(sensor: 0, most: 800_000, shortestRun: 30) && settings.tags.count == 1)

        let refused = try BoxOrderRefused(decoding: message(.boxOrderRefused).bytes)
        #expect(refused.verifies(boxKey: boxKey) && refused.why == .clockUntrusted)
    }

    @Test("Any damaged bit breaks the tag or the form")
    func damagedBits() throws {
        var generator = SeededGenerator(seed: 52)
        let key = generator.key()
        func damaged(_ bytes: [UInt8], _ verifies: ([UInt8]) -> Bool) {
            #expect(verifies(bytes))
            for bit in 0..<bytes.count * 8 {
                var other = bytes
                other[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(!verifies(other))
            }
        }
        damaged(try generator.boxHello(key).encoded()) { (try? BoxHello(decoding: $0))?.verifies(boxKey: key) ?? false }
        for kind in BoxRecord.Kind.allCases {
            damaged(try generator.boxRecord(key, kind: kind).encoded()) {
                (try? BoxRecord(decoding: $0))?.verifies(boxKey: key) ?? false
            }
        }
        damaged(try generator.boxSettings(key).encoded()) {
            (try? BoxSettings(decoding: $0))?.verifies(boxKey: key) ?? false
        }
        damaged(BoxOrderRefused(generator.id(), .used, boxKey: key).encoded()) {
            (try? BoxOrderRefused(decoding: $0))?.verifies(boxKey: key) ?? false
        }
        let order = try generator.boxOrder(key)
        damaged(order.encoded()) { bytes in
            guard let other = try? BoxOrder(decoding: bytes) else { return false }
            return other.refusal(boxKey: key, session: order.session, after: 0, utc: 0) == nil
        }
    }

    @Test("An order is taken once, in its session and in time, by a box that knows the time")
    func orders() throws {
        var generator = SeededGenerator(seed: 53)
        let key = generator.key()
        let order = try BoxOrder(
            session: session, counter: 3, notAfter: 100, kind: .disarm, panel: quiet, id: generator.id(), boxKey: key)
        func refusal(_ session: [UInt8], _ counter: UInt64, _ utc: UInt64?) -> BoxOrder.Refusal? {
            order.refusal(boxKey: key, session: session, after: counter, utc: utc)
        }
        #expect(refusal(session, 0, 100) == nil)
        #expect(refusal(session, 2, 100) == nil)
        #expect(refusal(session, 3, 100) == .used)
        #expect(refusal(session, 9, 100) == .used)
        #expect(refusal(session.reversed(), 0, 100) == .otherSession)
        #expect(refusal(session, 0, 101) == .late)
        #expect(refusal(session, 0, nil) == .clockUntrusted)
        #expect(throws: WireError.badValue) {
            try BoxOrder(
                session: [1], counter: 3, notAfter: 100, kind: .disarm, panel: quiet, id: .zero, boxKey: key)
        }
    }

    @Test("Older settings replace nothing")
    func settingsVersions() throws {
        var generator = SeededGenerator(seed: 54)
        let settings = try generator.boxSettings(generator.key(), version: 4)
        #expect(settings.isNewer(than: 0) && settings.isNewer(than: 3))
        #expect(!settings.isNewer(than: 4) && !settings.isNewer(than: 5))
    }

    @Test("The longest settings still fit a message of a small chip")
    func longestSettings() throws {
        var generator = SeededGenerator(seed: 55)
        let level = try BoxSettings.Level(level: 1, hysteresis: 1, risePerMinute: 1)
        let sensors = try (0..<32).map { _ in
            try BoxSettings.Sensor(
                key: [UInt8](repeating: 0x78, count: 64), alarmClass: 1, isBypassed: false, threshold: level)
        }
        let tags = (0..<32).map { _ in BoxSettings.Known(id: .zero, digest: Tag(generator.bytes(32))!) }
        func make(_ sensors: [BoxSettings.Sensor], _ tags: [BoxSettings.Known], fan: UInt8? = 31) throws -> BoxSettings
        {
            try BoxSettings(
                version: 1,
                rules: .init(exit: [0, 0, 0, 0], entry: [0, 0, 0, 0], alarmTime: 30, disarmsAfterAlarm: false),
                sensors: sensors, fan: .init(sensor: fan, most: 1, shortestRun: 0), tags: tags, boxKey: generator.key())
        }
        #expect(try make(sensors, tags).encoded().count == 4164)
        #expect(throws: WireError.tooLong) { try make(sensors + [sensors[0]], tags) }
        #expect(throws: WireError.tooLong) { try make(sensors, tags + [tags[0]]) }
        #expect(throws: WireError.badValue) { try make(sensors, tags, fan: 32) }
        #expect(throws: WireError.tooLong) {
            try BoxSettings.Sensor(
                key: [UInt8](repeating: 0x78, count: 65), alarmClass: 1, isBypassed: false, threshold: nil)
        }
        for key in ["", "a b", "ü", "a\n"] {
            #expect(throws: WireError.badValue) {
                try BoxSettings.Sensor(key: Array(key.utf8), alarmClass: 1, isBypassed: false, threshold: nil)
            }
        }
    }

    @Test("A digest belongs to the record of a tag that is learnt, and to no other")
    func digests() throws {
        func content(_ kind: BoxRecord.Kind, _ digest: [UInt8]?) throws -> BoxRecord.Content {
            try .init(kind: kind, panel: quiet, time: 0, clock: .trusted, digest: digest)
        }
        #expect(try content(.tagLearnt, [UInt8](repeating: 1, count: 32)).kind == .tagLearnt)
        #expect(throws: WireError.badValue) { try content(.tagLearnt, nil) }
        #expect(throws: WireError.badValue) { try content(.tagLearnt, [1]) }
        #expect(throws: WireError.badValue) { try content(.unknownTag, [UInt8](repeating: 1, count: 32)) }
    }

    @Test("What a sensor meant is said by the record of one that was tripped, and by no other")
    func classes() throws {
        func said(_ kind: BoxRecord.Kind, _ credential: ID16) throws -> UInt8? {
            try BoxRecord.Content(kind: kind, panel: quiet, credential: credential, time: 0, clock: .trusted).alarmClass
        }
        #expect(try said(.tripped, BoxRecord.credential(alarmClass: 3)) == 3)
        #expect(try said(.tripped, BoxRecord.credential(alarmClass: 255)) == 255)
        #expect(try said(.tripped, .zero) == nil)
        #expect(try said(.tripped, ID16(high: 0, low: 256)) == nil)
        #expect(try said(.tripped, ID16(high: 1, low: 3)) == nil)
        #expect(try said(.orderTaken, BoxRecord.credential(alarmClass: 3)) == nil)
    }

    @Test("A tag's digest tells nothing of its number, and differs from box to box")
    func tags() throws {
        var generator = SeededGenerator(seed: 56)
        let (key, other) = (generator.key(), generator.key())
        let digest = try BoxTag.digest(of: [4, 1, 2, 3], boxKey: key)
        #expect(digest.matches(try BoxTag.digest(of: [4, 1, 2, 3], boxKey: key)))
        #expect(!digest.matches(try BoxTag.digest(of: [4, 1, 2, 4], boxKey: key)))
        #expect(!digest.matches(try BoxTag.digest(of: [4, 1, 2, 3], boxKey: other)))
        #expect(!digest.matches(try BoxTag.digest(of: [4, 1, 2, 3, 0], boxKey: key)))
        #expect(BoxTag.name(of: digest).bytes == Array(digest.bytes.prefix(16)))
        #expect(throws: WireError.badValue) { try BoxTag.digest(of: [], boxKey: key) }
        #expect(throws: WireError.tooLong) { try BoxTag.digest(of: generator.bytes(11), boxKey: key) }
    }

    @Test("The longest time that a panel can still last is told as it is, and none as none")
    func timeLeft() throws {
        for (left, told) in [(nil, nil), (0, 0), (UInt32.max, PanelStanding.longest)] as [(UInt32?, UInt32?)] {
            var writer = ByteWriter()
            PanelStanding(state: 6, mode: 3, isSounding: false, number: 2, left: left).write(to: &writer)
            #expect(writer.bytes.count == 15)
            var reader = Reader(writer.bytes)
            #expect(try PanelStanding.decode(from: &reader).left == told)
        }
    }
}
