/// The header fields of a request, in the order in which they came.
///
/// All of them lie in one byte array, copied once, so that a request may leave the loop; a `String` is made only of what
/// is asked for.
public struct Headers: Sendable {
    /// Repeated: length of the name, length of the value (two bytes each, little-endian), name, value.
    private var raw: [UInt8] = []

    init(capacity: Int) { raw.reserveCapacity(capacity) }

    /// Header fields by hand, for tests and for requests that come from elsewhere than a socket.
    public init(_ fields: [(name: String, value: String)] = []) {
        for field in fields {
            var (name, value) = (field.name, field.value)
            name.withUTF8 { name in
                value.withUTF8 { value in append(UnsafeRawBufferPointer(name), UnsafeRawBufferPointer(value)) }
            }
        }
    }

    /// The value of the first field of that name (compared without case), or nil.
    public subscript(name: StaticString) -> String? {
        first(name) { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether there is a field of that name (compared without case).
    public func contains(_ name: StaticString) -> Bool { first(name) { _ in true } ?? false }

    /// The values of all fields of that name (compared without case).
    public func all(_ name: StaticString) -> [String] {
        var values: [String] = []
        forEach(name) { values.append(String(decoding: $0, as: UTF8.self)) }
        return values
    }

    // MARK: Without strings, for the hot path

    mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        // A head is refused above 16 KiB, so both lengths fit.
        let (nameLength, valueLength) = (UInt16(name.count), UInt16(value.count))
        raw.append(UInt8(truncatingIfNeeded: nameLength))
        raw.append(UInt8(nameLength >> 8))
        raw.append(UInt8(truncatingIfNeeded: valueLength))
        raw.append(UInt8(valueLength >> 8))
        raw.append(contentsOf: name)
        raw.append(contentsOf: value)
    }

    /// What `body` makes of the first value of that name.
    func first<Result>(_ name: StaticString, _ body: (UnsafeRawBufferPointer) -> Result?) -> Result? {
        raw.withUnsafeBytes { raw in
            var fields = Fields(raw)
            while let field = fields.next() {
                if field.name.equalsIgnoringCase(name) { return body(field.value) }
            }
            return nil
        }
    }

    func forEach(_ name: StaticString, _ body: (UnsafeRawBufferPointer) -> Void) {
        raw.withUnsafeBytes { raw in
            var fields = Fields(raw)
            while let field = fields.next() {
                if field.name.equalsIgnoringCase(name) { body(field.value) }
            }
        }
    }

    private struct Fields {
        private let raw: UnsafeRawBufferPointer
        private var position = 0

        init(_ raw: UnsafeRawBufferPointer) { self.raw = raw }

        mutating func next() -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
            if position == raw.count { return nil }
            let nameEnd = position + 4 + length(at: position)
            let valueEnd = nameEnd + length(at: position + 2)
            defer { position = valueEnd }
            return (
                UnsafeRawBufferPointer(rebasing: raw[position + 4..<nameEnd]),
                UnsafeRawBufferPointer(rebasing: raw[nameEnd..<valueEnd])
            )
        }

        private func length(at index: Int) -> Int { Int(raw[index]) | Int(raw[index + 1]) << 8 }
    }
}
