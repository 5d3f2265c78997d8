/// Checks that bytes are one JSON document (RFC 8259) in UTF-8, nested at most so deep, without a key twice in an object.
struct JSONScanner {
    private let bytes: UnsafeRawBufferPointer
    private let depthLimit: Int
    private var position = 0
    private var depth = 0
    /// The hashes of the keys of all open objects, the innermost last.
    private var keys: [UInt64] = []

    /// The fields of the outermost object: the hash of each key, and where its value lies.
    private(set) var fields: [(key: UInt64, value: Range<Int>)] = []
    /// Where each element of the outermost array lies.
    private var elements: [Range<Int>] = []

    /// Up to here an object's keys are compared one by one; a larger one gets a set, so that its cost stays linear.
    private static let linearKeys = 32

    init(_ bytes: UnsafeRawBufferPointer, depth: Int) {
        self.bytes = bytes
        depthLimit = depth
    }

    mutating func scanDocument() throws(JSONError) {
        if String(validating: bytes, as: UTF8.self) == nil { throw .malformed(offset: 0) }
        skipSpace()
        try scanValue()
        skipSpace()
        if position != bytes.count { throw malformed }
    }

    /// Where each element of an array lies that was scanned already.
    static func elements(of array: UnsafeRawBufferPointer) throws(JSONError) -> [Range<Int>] {
        var scanner = JSONScanner(array, depth: .max)
        try scanner.scanArray()
        return scanner.elements
    }

    private var malformed: JSONError { .malformed(offset: position) }
    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func scanValue() throws(JSONError) {
        switch current {
        case UInt8(ascii: "{"): try scanObject()
        case UInt8(ascii: "["): try scanArray()
        case UInt8(ascii: "\""): _ = try scanString()
        case UInt8(ascii: "t"): try scanLiteral("true")
        case UInt8(ascii: "f"): try scanLiteral("false")
        case UInt8(ascii: "n"): try scanLiteral("null")
        default: try scanNumber()
        }
    }

    private mutating func scanObject() throws(JSONError) {
        try enter()
        let firstKey = keys.count
        var set: Set<UInt64>?
        if !take(UInt8(ascii: "}")) {
            repeat {
                skipSpace()
                let key = try scanString()
                if !remember(key, from: firstKey, in: &set) { throw .duplicateKey(offset: position) }
                skipSpace()
                try expect(UInt8(ascii: ":"))
                skipSpace()
                let start = position
                try scanValue()
                if depth == 1 { fields.append((key, start..<position)) }
                skipSpace()
            } while take(UInt8(ascii: ","))
            try expect(UInt8(ascii: "}"))
        }
        keys.removeSubrange(firstKey...)
        depth -= 1
    }

    private mutating func scanArray() throws(JSONError) {
        try enter()
        if !take(UInt8(ascii: "]")) {
            repeat {
                skipSpace()
                let start = position
                try scanValue()
                if depth == 1 { elements.append(start..<position) }
                skipSpace()
            } while take(UInt8(ascii: ","))
            try expect(UInt8(ascii: "]"))
        }
        depth -= 1
    }

    /// Passes the opening bracket.
    private mutating func enter() throws(JSONError) {
        depth += 1
        if depth > depthLimit { throw .tooDeep(limit: depthLimit) }
        position += 1
        skipSpace()
    }

    /// False: the object has this key already.
    private mutating func remember(_ key: UInt64, from firstKey: Int, in set: inout Set<UInt64>?) -> Bool {
        if set != nil { return set!.insert(key).inserted }
        if keys[firstKey...].contains(key) { return false }
        keys.append(key)
        if keys.count - firstKey > Self.linearKeys { set = Set(keys[firstKey...]) }
        return true
    }

    /// Passes a string; answers the FNV-1a hash of what it means (so that `a` and `\u0061` are the same key).
    private mutating func scanString() throws(JSONError) -> UInt64 {
        try expect(UInt8(ascii: "\""))
        var hash = FNV1a()
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return hash.value
            case UInt8(ascii: "\\"): try scanEscape(into: &hash)
            case 0..<0x20: throw .malformed(offset: position - 1)
            default: hash.add(byte)
            }
        }
        throw malformed
    }

    private mutating func scanEscape(into hash: inout FNV1a) throws(JSONError) {
        guard let byte = current else { throw malformed }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): hash.add(byte)
        case UInt8(ascii: "b"): hash.add(0x08)
        case UInt8(ascii: "f"): hash.add(0x0c)
        case UInt8(ascii: "n"): hash.add(0x0a)
        case UInt8(ascii: "r"): hash.add(0x0d)
        case UInt8(ascii: "t"): hash.add(0x09)
        case UInt8(ascii: "u"):
            for byte in String(try scanScalar()).utf8 { hash.add(byte) }
        default: throw .malformed(offset: position - 1)
        }
    }

    /// The four digits after `\u`, with the second half of a surrogate pair. A half alone is malformed.
    private mutating func scanScalar() throws(JSONError) -> Unicode.Scalar {
        let first = try scanCodeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xd800...0xdbff).contains(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw malformed
        }
        let second = try scanCodeUnit()
        guard (0xdc00...0xdfff).contains(second) else { throw malformed }
        let combined = 0x10000 + (UInt32(first) - 0xd800) << 10 + (UInt32(second) - 0xdc00)
        guard let scalar = Unicode.Scalar(combined) else { throw malformed }
        return scalar
    }

    private mutating func scanCodeUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw malformed }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    private mutating func scanNumber() throws(JSONError) {
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try scanDigits() }
        if take(UInt8(ascii: ".")) { try scanDigits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try scanDigits()
        }
    }

    private mutating func scanDigits() throws(JSONError) {
        let start = position
        while let byte = current, (0x30...0x39).contains(byte) { position += 1 }
        if position == start { throw malformed }
    }

    private mutating func scanLiteral(_ word: StaticString) throws(JSONError) {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count, UnsafeRawBufferPointer(rebasing: bytes[position..<end]).equals(word) else {
            throw malformed
        }
        position = end
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(JSONError) {
        if !take(byte) { throw malformed }
    }
}
