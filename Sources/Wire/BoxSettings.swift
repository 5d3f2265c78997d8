/// What a house has chosen for its box: with them the alarm works with the hub away. The version is durable at the box and only
/// grows.
///
/// Layout: version u64 · exit delays 4 × u16 · entry delays 4 × u16 · alarm time u16 · flags u8 (1: disarmed after an alarm) ·
/// sensor count u8 · sensors · fan's sensor u8, 255 none · fan's most i32 · fan's shortest run u16 · tag count u8 · (id 16 ·
/// digest 32) each · tag 32. A sensor: key length u8 · key · class u8 · flags u8 (1: bypassed) · threshold present u8 and, when it
/// is 1, level i32 · hysteresis i32 · rise a minute i32, 0 none. Levels are thousandths of the sensor's unit. Tag, domain 21: all
/// fields before it.
public struct BoxSettings: Sendable {
    /// The most sensors.
    public static let maxSensors = 32
    /// The most RFID tags.
    public static let maxTags = 32
    /// The longest key of a sensor, in bytes.
    public static let maxKey = 64
    private static let noSensor: UInt8 = 255

    /// A house's own times, in seconds; four figures each: home, away, night, vacation.
    public struct Rules: Hashable, Sendable {
        /// The time to leave.
        public let exit: [UInt16]
        /// The time to disarm after coming in.
        public let entry: [UInt16]
        /// How long an alarm sounds.
        public let alarmTime: UInt16
        /// Whether the panel is disarmed when an alarm has sounded its time.
        public let disarmsAfterAlarm: Bool

        /// See the properties. Throws `badValue` unless there are four of each.
        public init(
            exit: [UInt16], entry: [UInt16], alarmTime: UInt16, disarmsAfterAlarm: Bool
        ) throws(WireError) {
            guard exit.count == 4, entry.count == 4 else { throw .badValue }
            self.exit = exit
            self.entry = entry
            self.alarmTime = alarmTime
            self.disarmsAfterAlarm = disarmsAfterAlarm
        }
    }

    /// A level that a reading is not to reach, in thousandths of its unit. Of a distance: not to fall to.
    public struct Level: Hashable, Sendable {
        /// Reached at this value or above; of a distance, at this value or below.
        public let level: Int32
        /// Left at `level - hysteresis` or below; of a distance, at `level + hysteresis` or above.
        public let hysteresis: Int32
        /// Also reached when the value grows by so much in a minute; nil: however fast it grows.
        public let risePerMinute: Int32?

        /// See the properties. Throws `badValue` for a hysteresis below 0, or a rise that is not above it.
        public init(level: Int32, hysteresis: Int32, risePerMinute: Int32?) throws(WireError) {
            guard hysteresis >= 0, risePerMinute ?? 1 > 0 else { throw .badValue }
            self.level = level
            self.hysteresis = hysteresis
            self.risePerMinute = risePerMinute
        }
    }

    /// What the house has chosen for one sensor of the box.
    public struct Sensor: Hashable, Sendable {
        /// What the box calls it: printable ASCII without a space.
        public let key: [UInt8]
        /// What tripping it means, as the panel numbers it; 0: nothing.
        public let alarmClass: UInt8
        /// Whether it does not count until the next disarming.
        public let isBypassed: Bool
        /// Its threshold; nil: none.
        public let threshold: Level?

        /// See the properties. Throws `badValue` for an empty key or a byte that is no visible ASCII, `tooLong` above 64.
        public init(key: [UInt8], alarmClass: UInt8, isBypassed: Bool, threshold: Level?) throws(WireError) {
            guard key.count <= maxKey else { throw .tooLong }
            guard !key.isEmpty, key.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { throw .badValue }
            self.key = key
            self.alarmClass = alarmClass
            self.isBypassed = isBypassed
            self.threshold = threshold
        }

        /// The key as a text.
        public var name: String { String(decoding: key, as: UTF8.self) }
    }

    /// When the fan runs. Its threshold is that of the sensor.
    public struct Fan: Hashable, Sendable {
        /// The sensor's place; nil: the fan runs for none.
        public let sensor: UInt8?
        /// The level at which it runs at 100 %, in thousandths.
        public let most: Int32
        /// Once it runs, it runs for so long, in seconds.
        public let shortestRun: UInt16

        /// See the properties.
        public init(sensor: UInt8?, most: Int32, shortestRun: UInt16) {
            self.sensor = sensor
            self.most = most
            self.shortestRun = shortestRun
        }
    }

    /// An RFID tag that disarms.
    public struct Known: Sendable {
        /// Its id in the hub.
        public let id: ID16
        /// `BoxTag.digest` of its number.
        public let digest: Tag

        /// See the properties.
        public init(id: ID16, digest: Tag) {
            self.id = id
            self.digest = digest
        }
    }

    /// Grows with every change; from 1.
    public let version: UInt64
    /// The panel's times.
    public let rules: Rules
    /// The sensors; a record names one by its place.
    public let sensors: [Sensor]
    public let fan: Fan
    /// Who may disarm with a tag.
    public let tags: [Known]
    /// Domain 21 under the box's key.
    public let tag: Tag

    /// Signs settings for a box: the hub's side. Throws `tooLong` for more than 32 sensors or tags, and `badValue` for a fan whose
    /// sensor is not there.
    public init(
        version: UInt64, rules: Rules, sensors: [Sensor], fan: Fan, tags: [Known], boxKey: Key
    ) throws(WireError) {
        try Self.check(sensors.count, fan, tags.count)
        self.version = version
        self.rules = rules
        self.sensors = sensors
        self.fan = fan
        self.tags = tags
        var writer = ByteWriter(.boxSettings, capacity: 512)
        Self.write(version, rules, sensors, fan, tags, to: &writer)
        tag = HMACSHA256(key: boxKey).authenticate(writer)
    }

    /// Exactly the bytes of one message. Throws `truncated`, `trailingBytes`, `tooLong`, `unknownFlag`, `badValue`.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        version = try reader.u64()
        rules = try Rules.decode(from: &reader)
        let sensorCount = Int(try reader.u8())
        guard sensorCount <= Self.maxSensors else { throw .tooLong }
        var sensors: [Sensor] = []
        for _ in 0..<sensorCount { sensors.append(try Sensor.decode(from: &reader)) }
        self.sensors = sensors
        let place = try reader.u8()
        let most = try reader.i32()
        fan = Fan(sensor: place == Self.noSensor ? nil : place, most: most, shortestRun: try reader.u16())
        let tagCount = Int(try reader.u8())
        try Self.check(sensorCount, fan, tagCount)
        var tags: [Known] = []
        for _ in 0..<tagCount {
            let id = try reader.id()
            tags.append(Known(id: id, digest: try reader.tag()))
        }
        self.tags = tags
        tag = try reader.tag()
        try reader.end()
    }

    /// The bytes.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 512)
        Self.write(version, rules, sensors, fan, tags, to: &writer)
        writer.tag(tag)
        return writer.bytes
    }

    /// Whether the hub made them for the box with this key. In constant time. See also `isNewer`.
    public func verifies(boxKey: Key) -> Bool {
        var writer = ByteWriter(.boxSettings, capacity: 512)
        Self.write(version, rules, sensors, fan, tags, to: &writer)
        return HMACSHA256(key: boxKey).authenticate(writer).matches(tag)
    }

    /// Whether they replace those of `version`: older or equal ones are a replay and change nothing.
    public func isNewer(than version: UInt64) -> Bool { self.version > version }

    private static func check(_ sensors: Int, _ fan: Fan, _ tags: Int) throws(WireError) {
        guard sensors <= maxSensors, tags <= maxTags else { throw .tooLong }
        if let place = fan.sensor, Int(place) >= sensors { throw .badValue }
    }

    private static func write(
        _ version: UInt64, _ rules: Rules, _ sensors: [Sensor], _ fan: Fan, _ tags: [Known],
        to writer: inout ByteWriter
    ) {
        writer.u64(version)
        rules.write(to: &writer)
        writer.u8(UInt8(sensors.count))
        for sensor in sensors { sensor.write(to: &writer) }
        writer.u8(fan.sensor ?? noSensor)
        writer.i32(fan.most)
        writer.u16(fan.shortestRun)
        writer.u8(UInt8(tags.count))
        for known in tags {
            writer.id(known.id)
            writer.tag(known.digest)
        }
    }
}

extension BoxSettings.Rules {
    static func decode(from reader: inout Reader) throws(WireError) -> Self {
        var delays: [UInt16] = []
        for _ in 0..<8 { delays.append(try reader.u16()) }
        let alarmTime = try reader.u16()
        let flags = try reader.u8()
        guard flags <= 1 else { throw .unknownFlag }
        return try Self(
            exit: Array(delays[..<4]), entry: Array(delays[4...]), alarmTime: alarmTime, disarmsAfterAlarm: flags == 1)
    }

    func write(to writer: inout ByteWriter) {
        for seconds in exit { writer.u16(seconds) }
        for seconds in entry { writer.u16(seconds) }
        writer.u16(alarmTime)
        writer.u8(disarmsAfterAlarm ? 1 : 0)
    }
}

extension BoxSettings.Sensor {
    static func decode(from reader: inout Reader) throws(WireError) -> Self {
        let count = Int(try reader.u8())
        guard count <= BoxSettings.maxKey else { throw .tooLong }
        let key = try reader.bytes(count)
        let alarmClass = try reader.u8()
        let flags = try reader.u8()
        guard flags <= 1 else { throw .unknownFlag }
        var threshold: BoxSettings.Level?
        if try reader.truth() {
            let level = try reader.i32()
            let hysteresis = try reader.i32()
            let rise = try reader.i32()
            threshold = try BoxSettings.Level(
                level: level, hysteresis: hysteresis, risePerMinute: rise == 0 ? nil : rise)
        }
        return try Self(key: key, alarmClass: alarmClass, isBypassed: flags == 1, threshold: threshold)
    }

    func write(to writer: inout ByteWriter) {
        writer.u8(UInt8(key.count))
        writer.append(key)
        writer.u8(alarmClass)
        writer.u8(isBypassed ? 1 : 0)
        writer.u8(threshold == nil ? 0 : 1)
        if let threshold {
            writer.i32(threshold.level)
            writer.i32(threshold.hysteresis)
            writer.i32(threshold.risePerMinute ?? 0)
        }
    }
}
