import CSQLite
import System
import Wire

/// A value that a column holds. Tables are `STRICT`, so what was written is what is read.
public protocol SQLValue: Sendable {
    /// Binds it to the parameter at `index` (from 1). Answers SQLite's result code.
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32
    /// The value of the column at `index` (from 0) of the current row.
    static func column(of statement: OpaquePointer, at index: Int32) -> Self
}

extension Int64: SQLValue {
    /// As SQLite stores it.
    public func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, self)
    }
    /// As SQLite gives it back.
    public static func column(of statement: OpaquePointer, at index: Int32) -> Int64 {
        sqlite3_column_int64(statement, index)
    }
}

extension Int: SQLValue {
    /// As SQLite stores it.
    public func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        Int64(self).bind(to: statement, at: index)
    }
    /// As SQLite gives it back.
    public static func column(of statement: OpaquePointer, at index: Int32) -> Int {
        Int(Int64.column(of: statement, at: index))
    }
}

/// Stored as the signed number of the same bits: compare for equality only above 2^63.
extension UInt64: SQLValue {
    /// As SQLite stores it.
    public func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        Int64(bitPattern: self).bind(to: statement, at: index)
    }
    /// As SQLite gives it back.
    public static func column(of statement: OpaquePointer, at index: Int32) -> UInt64 {
        UInt64(bitPattern: Int64.column(of: statement, at: index))
    }
}

/// A finite number, eight bytes.
extension Double: SQLValue {
    /// As SQLite stores it.
    public func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_double(statement, index, self)
    }
    /// As SQLite gives it back.
    public static func column(of statement: OpaquePointer, at index: Int32) -> Double {
        sqlite3_column_double(statement, index)
    }
}

extension Bool: SQLValue {
    /// As SQLite stores it.
    public func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, self ? 1 : 0)
    }
    /// As SQLite gives it back.
    public static func column(of statement: OpaquePointer, at index: Int32) -> Bool {
        sqlite3_column_int64(statement, index) != 0
    }
}

extension String: SQLValue {
    /// As SQLite stores it.
    public func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        var text = self
        return text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                csqlite_bind_text(statement, index, $0.baseAddress ?? UnsafePointer(bitPattern: 1), Int32($0.count))
            }
        }
    }
    /// As SQLite gives it back.
    public static func column(of statement: OpaquePointer, at index: Int32) -> String {
        guard let text = sqlite3_column_text(statement, index) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, index))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }
}

extension Array: SQLValue where Element == UInt8 {
    /// As SQLite stores it.
    public func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        withUnsafeBytes { bytes in
            // A null pointer would bind NULL: an empty blob needs an address, any.
            csqlite_bind_blob(
                statement, index, bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1), Int32(bytes.count))
        }
    }
    /// As SQLite gives it back.
    public static func column(of statement: OpaquePointer, at index: Int32) -> [UInt8] {
        let count = Int(sqlite3_column_bytes(statement, index))
        guard count > 0, let bytes = sqlite3_column_blob(statement, index) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }
}

extension Optional: SQLValue where Wrapped: SQLValue {
    /// As SQLite stores it.
    public func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch self {
        case .some(let value): value.bind(to: statement, at: index)
        case .none: sqlite3_bind_null(statement, index)
        }
    }
    /// As SQLite gives it back.
    public static func column(of statement: OpaquePointer, at index: Int32) -> Wrapped? {
        sqlite3_column_type(statement, index) == SQLITE_NULL ? nil : Wrapped.column(of: statement, at: index)
    }
}

/// Milliseconds since the Unix epoch.
extension Timestamp: SQLValue {
    /// As SQLite stores it.
    public func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        milliseconds.bind(to: statement, at: index)
    }
    /// As SQLite gives it back.
    public static func column(of statement: OpaquePointer, at index: Int32) -> Timestamp {
        Timestamp(milliseconds: Int64.column(of: statement, at: index))
    }
}

/// Days since 1970-01-01.
extension Day: SQLValue {
    /// As SQLite stores it.
    public func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        daysSinceEpoch.bind(to: statement, at: index)
    }
    /// As SQLite gives it back.
    public static func column(of statement: OpaquePointer, at index: Int32) -> Day {
        Day(daysSinceEpoch: Int.column(of: statement, at: index))
    }
}
