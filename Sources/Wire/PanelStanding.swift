/// How one keeper of a house's alarm panel says that it stands. What the numbers of states and modes mean, the panel's own table
/// says; here they are bytes.
///
/// Layout, 15 bytes: state u8 · mode u8, 0 none · sounding u8 · number u64 · milliseconds left u32, 0xffffffff none.
public struct PanelStanding: Hashable, Sendable {
    /// The longest time that can be told, in milliseconds: 49 days, and no panel waits for an hour.
    public static let longest = UInt32.max - 1
    private static let none = UInt32.max

    public let state: UInt8
    /// For what it was armed; 0: for nothing.
    public let mode: UInt8
    /// Whether the siren sounds.
    public let isSounding: Bool
    /// How often somebody who may has armed, disarmed or reset it.
    public let number: UInt64
    /// How long the state still lasts, in milliseconds, when it is told; nil: until something happens.
    public let left: UInt32?

    /// See the properties. A longer time is cut at `longest`.
    public init(state: UInt8, mode: UInt8, isSounding: Bool, number: UInt64, left: UInt32?) {
        self.state = state
        self.mode = mode
        self.isSounding = isSounding
        self.number = number
        self.left = left.map { min($0, Self.longest) }
    }

    /// Throws `truncated`, and `badValue` for a sounding that is neither yes nor no.
    static func decode(from reader: inout Reader) throws(WireError) -> PanelStanding {
        let state = try reader.u8()
        let mode = try reader.u8()
        let isSounding = try reader.truth()
        let number = try reader.u64()
        let left = try reader.u32()
        return PanelStanding(
            state: state, mode: mode, isSounding: isSounding, number: number, left: left == none ? nil : left)
    }

    func write(to writer: inout ByteWriter) {
        writer.u8(state)
        writer.u8(mode)
        writer.u8(isSounding ? 1 : 0)
        writer.u64(number)
        writer.u32(left ?? Self.none)
    }
}

extension Reader {
    /// A byte that is 0 or 1. Throws `truncated`, `badValue`.
    mutating func truth() throws(WireError) -> Bool {
        switch try u8() {
        case 0: false
        case 1: true
        default: throw .badValue
        }
    }

    /// Four bytes, big-endian, of two's complement. Throws `truncated`.
    mutating func i32() throws(WireError) -> Int32 { Int32(bitPattern: try u32()) }
}

extension ByteWriter {
    /// Four bytes of two's complement.
    mutating func i32(_ value: Int32) { u32(UInt32(bitPattern: value)) }
}
