/// Writes JSON (RFC 8259) at its end: no tree, no reflection, keys in the order in which they are written.
///
/// ```swift
/// var json = JSONWriter()
/// json.object { json in
///     json.field("id", 7)
///     json.array("names") { json in for name in names { json.value(name) } }
/// }
/// response = .json(json.bytes)
/// ```
public struct JSONWriter: Sendable {
    /// What has been written; a complete document when every `object` and `array` has ended.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Makes room for that many bytes.
    public init(capacity: Int = 512) { bytes.reserveCapacity(capacity) }

    // MARK: Containers

    /// An object: the closure writes its fields.
    @inlinable
    public mutating func object<Failure: Error>(
        _ fields: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        open(UInt8(ascii: "{"))
        try fields(&self)
        close(UInt8(ascii: "}"))
    }

    /// An array: the closure writes its values.
    @inlinable
    public mutating func array<Failure: Error>(
        _ values: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        open(UInt8(ascii: "["))
        try values(&self)
        close(UInt8(ascii: "]"))
    }

    /// A field that is an object.
    public mutating func object<Failure: Error>(
        _ name: StaticString, _ fields: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        key(name)
        try object(fields)
    }

    /// A field that is an array.
    public mutating func array<Failure: Error>(
        _ name: StaticString, _ values: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        key(name)
        try array(values)
    }

    // MARK: Keys

    /// The name of the field whose value is written next.
    public mutating func key(_ name: StaticString) {
        comma()
        quote(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// The name of the field whose value is written next.
    public mutating func key(_ name: String) {
        value(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A key as `quoted` makes it, without its comma where none belongs before it: a key that is written often is quoted once.
    @usableFromInline
    mutating func key(quoted key: [UInt8]) {
        key.withUnsafeBufferPointer { key in
            bytes.append(contentsOf: needsComma ? key : UnsafeBufferPointer(rebasing: key.dropFirst()))
        }
        needsComma = false
    }

    /// A comma, a key in quotes and a colon.
    @usableFromInline
    static func quoted(_ name: StaticString) -> [UInt8] {
        var json = JSONWriter(capacity: name.utf8CodeUnitCount + 4)
        json.needsComma = true
        json.key(name)
        return json.bytes
    }

    // MARK: Values

    /// A text.
    public mutating func value(_ text: String) {
        comma()
        var text = text
        text.withUTF8 { quote($0) }
        needsComma = true
    }

    /// A whole number.
    public mutating func value(_ number: Int) {
        comma()
        append(number)
        needsComma = true
    }

    /// A whole number without sign. Above 2^53 some readers round it.
    public mutating func value(_ number: UInt64) {
        comma()
        bytes.append(contentsOf: String(number).utf8)
        needsComma = true
    }

    /// A number, in the shortest form that reads back the same; `null` when it is infinite or not a number.
    public mutating func value(_ number: Double) {
        if !number.isFinite { return null() }
        comma()
        bytes.append(contentsOf: number.description.utf8)
        needsComma = true
    }

    /// `true` or `false`.
    public mutating func value(_ flag: Bool) {
        comma()
        literal(flag ? "true" : "false")
        needsComma = true
    }

    /// The value `null`, in a list or after a key.
    public mutating func null() {
        comma()
        literal("null")
        needsComma = true
    }

    /// A value that is JSON already; it is not checked.
    public mutating func raw(_ json: some Sequence<UInt8>) {
        comma()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    // MARK: Fields

    /// A text, or `null`.
    public mutating func field(_ name: StaticString, _ text: String?) {
        key(name)
        if let text { value(text) } else { null() }
    }

    /// A whole number, or `null`.
    public mutating func field(_ name: StaticString, _ number: Int?) {
        key(name)
        if let number { value(number) } else { null() }
    }

    /// A whole number without sign, or `null`.
    public mutating func field(_ name: StaticString, _ number: UInt64?) {
        key(name)
        if let number { value(number) } else { null() }
    }

    /// A number, or `null`.
    public mutating func field(_ name: StaticString, _ number: Double?) {
        key(name)
        if let number { value(number) } else { null() }
    }

    /// `true`, `false` or `null`.
    public mutating func field(_ name: StaticString, _ flag: Bool?) {
        key(name)
        if let flag { value(flag) } else { null() }
    }

    /// A text under a name that is known only now.
    @_disfavoredOverload
    public mutating func field(_ name: String, _ text: String?) {
        key(name)
        if let text { value(text) } else { null() }
    }

    // MARK: Bytes

    @usableFromInline
    mutating func open(_ bracket: UInt8) {
        comma()
        bytes.append(bracket)
        needsComma = false
    }

    @usableFromInline
    mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func comma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func literal(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func append(_ number: Int) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    /// Between quotes; runs without anything to escape are copied at once.
    private mutating func quote(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        while true {
            let end = Self.endOfRun(in: text, from: start)
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<end]))
            if end == text.count { break }
            escape(text[end])
            start = end + 1
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Where the next byte is that has to be escaped, or the end of the text.
    private static func endOfRun(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        let raw = UnsafeRawBufferPointer(text)
        while index + 8 <= text.count, !hasEscape(raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)) {
            index += 8
        }
        while index < text.count {
            let byte = text[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            index += 1
        }
        return index
    }

    /// Whether any of eight bytes has to be escaped: of each, the highest bit says that subtracting borrowed.
    private static func hasEscape(_ eight: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = eight ^ ones &* 0x22
        let backslashes = eight ^ ones &* 0x5c
        let control = (eight &- ones &* 0x20) & ~eight
        let special = ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
        return (control | special) & (ones &* 0x80) != 0
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x0a: bytes.append(UInt8(ascii: "n"))
        case 0x0d: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
            literal("u00")
            bytes.append(Self.hexDigit(byte >> 4))
            bytes.append(Self.hexDigit(byte & 15))
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
