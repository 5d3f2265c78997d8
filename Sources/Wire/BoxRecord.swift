/// What a home's box keeps of something that happened, until the hub has acknowledged it.
///
/// Layout: journal id 16 · sequence u64 · kind u8 · `PanelStanding` 15 · cause u8 · sensor u8, 255 none · value i32 · credential
/// 16 · box time u64 · clock state u8 · of kind `tagLearnt` alone: digest 32 · proof 32. Proof, domain 19: all fields before it.
public struct BoxRecord: Sendable {
    /// What happened.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// The panel stands otherwise than before, by a tag, a deadline or the box's button.
        case panelChanged = 1
        /// A sensor went from rest to tripped, and it counted: the panel moved, or an alarm was on already. In the place of the credential
        /// stands what the sensor meant to the box then (`Content.alarmClass`).
        case tripped = 2
        /// A reading reached its threshold. Where that is an alarm, a record of kind `tripped` follows.
        case thresholdReached = 3
        case thresholdLeft = 4
        /// A sensor tells nothing, or nonsense.
        case fault = 5
        /// It tells again.
        case faultOver = 6
        /// The hub's order was carried out; no other record tells of what the panel did then.
        case orderTaken = 7
        /// A tag that nobody has made known was held to the reader. The credential is the first half of its digest, so
        /// that two times the same one can be told from two.
        case unknownTag = 8
        /// A tag is to be made known. The credential is that of the order, and the digest is the tag's.
        case tagLearnt = 9
    }

    /// By what.
    public enum Cause: UInt8, Sendable, CaseIterable {
        case none = 0
        case sensor = 1
        case tag = 2
        case order = 3
        case deadline = 4
        /// Of the box itself.
        case button = 5
    }

    private static let noSensor: UInt8 = 255

    /// What a record says, without what the journal and the key add.
    public struct Content: Hashable, Sendable {
        /// What happened.
        public let kind: Kind
        /// How the panel stands after it.
        public let panel: PanelStanding
        /// By what.
        public let cause: Cause
        /// The sensor's place in the settings, 0 to 254; nil: none.
        public let sensor: UInt8?
        /// What it read, in thousandths of its unit.
        public let value: Int32
        /// The id of the tag or of the order; zero: none.
        public let credential: ID16
        /// What the sensor that was tripped meant to the box then, as its settings say it; nil: of other kinds, and of a box of before. The house
        /// may have changed it since.
        public var alarmClass: UInt8? {
            kind == .tripped && credential.high == 0 && (1...255).contains(credential.low) ? UInt8(credential.low) : nil
        }
        /// Milliseconds since 1970, UTC, by the box's own clock.
        public let time: UInt64
        /// Whether the box trusted that clock.
        public let clock: ClockState
        /// What the box keeps of a tag that is to be made known; of that kind alone.
        public let digest: [UInt8]?

        /// See the properties. Throws `badValue` for a sensor of 255, and for a digest that is not 32 bytes, is missing where
        /// a tag is learnt, or is there where none is.
        public init(
            kind: Kind, panel: PanelStanding, cause: Cause = .none, sensor: UInt8? = nil, value: Int32 = 0,
            credential: ID16 = .zero, time: UInt64, clock: ClockState, digest: [UInt8]? = nil
        ) throws(WireError) {
            guard sensor != noSensor, digest?.count ?? 32 == 32, (digest != nil) == (kind == .tagLearnt) else {
                throw .badValue
            }
            self.kind = kind
            self.panel = panel
            self.cause = cause
            self.sensor = sensor
            self.value = value
            self.credential = credential
            self.time = time
            self.clock = clock
            self.digest = digest
        }
    }

    /// What stands in the place of the credential where a sensor of that class was tripped.
    public static func credential(alarmClass: UInt8) -> ID16 { ID16(high: 0, low: UInt64(alarmClass)) }

    public let journalID: ID16
    /// This record's place in it, from 1.
    public let sequence: UInt64
    /// What it says.
    public let content: Content
    /// Domain 19 under the box's key.
    public let proof: Tag

    /// A new record, with its proof.
    public init(journalID: ID16, sequence: UInt64, content: Content, boxKey: Key) {
        let input = Self.input(journalID, sequence, content)
        self.init(
            journalID: journalID, sequence: sequence, content: content,
            proof: HMACSHA256(key: boxKey).authenticate(input))
    }

    private init(journalID: ID16, sequence: UInt64, content: Content, proof: Tag) {
        self.journalID = journalID
        self.sequence = sequence
        self.content = content
        self.proof = proof
    }

    /// Exactly the bytes of one record. Throws `truncated`, `trailingBytes`, `unknownType` for an unknown kind, `badValue`.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        let journalID = try reader.id()
        let sequence = try reader.u64()
        guard let kind = Kind(rawValue: try reader.u8()) else { throw .unknownType }
        let panel = try PanelStanding.decode(from: &reader)
        guard let cause = Cause(rawValue: try reader.u8()) else { throw .badValue }
        let sensor = try reader.u8()
        let value = try reader.i32()
        let credential = try reader.id()
        let time = try reader.u64()
        guard let clock = ClockState(rawValue: try reader.u8()) else { throw .badValue }
        let content = try Content(
            kind: kind, panel: panel, cause: cause, sensor: sensor == Self.noSensor ? nil : sensor, value: value,
            credential: credential, time: time, clock: clock, digest: kind == .tagLearnt ? try reader.bytes(32) : nil)
        let proof = try reader.tag()
        try reader.end()
        self.init(journalID: journalID, sequence: sequence, content: content, proof: proof)
    }

    /// 103 bytes, and 32 more where a tag is learnt.
    public func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 135)
        Self.write(journalID, sequence, content, to: &writer)
        writer.tag(proof)
        return writer.bytes
    }

    /// Whether the box with this key wrote it. In constant time.
    public func verifies(boxKey: Key) -> Bool {
        HMACSHA256(key: boxKey).authenticate(Self.input(journalID, sequence, content)).matches(proof)
    }

    private static func input(_ journalID: ID16, _ sequence: UInt64, _ content: Content) -> ByteWriter {
        var writer = ByteWriter(.boxRecord)
        write(journalID, sequence, content, to: &writer)
        return writer
    }

    private static func write(
        _ journalID: ID16, _ sequence: UInt64, _ content: Content, to writer: inout ByteWriter
    ) {
        writer.id(journalID)
        writer.u64(sequence)
        writer.u8(content.kind.rawValue)
        content.panel.write(to: &writer)
        writer.u8(content.cause.rawValue)
        writer.u8(content.sensor ?? noSensor)
        writer.i32(content.value)
        writer.id(content.credential)
        writer.u64(content.time)
        writer.u8(content.clock.rawValue)
        if let digest = content.digest { writer.append(digest) }
    }
}
