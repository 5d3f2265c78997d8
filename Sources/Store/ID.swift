import CSQLite
import Identity
import System
import Wire

extension ID {
    /// A new one. RFC 9562's version 7 without its marker bits: 48 bits of milliseconds, 80 bits of chance.
    public static func new(at time: Timestamp) -> ID {
        let chance = Random.bytes(10)
        let high = UInt64(bitPattern: time.milliseconds) << 16 | UInt64(bigEndianBytes: chance[..<2])
        return ID(ID16(high: high, low: UInt64(bigEndianBytes: chance[2...])))
    }
}

extension ID: SQLValue {
    /// As SQLite stores it.
    public func bind(to statement: OpaquePointer, at index: Int32) -> Int32 { raw.bytes.bind(to: statement, at: index) }
    /// As SQLite gives it back.
    public static func column(of statement: OpaquePointer, at index: Int32) -> ID {
        ID(ID16([UInt8].column(of: statement, at: index)) ?? .zero)
    }
}
