import System

/// What the box's camera sees, drawn: a room with a door, and somebody in it or nobody. A PNG (RFC 2083) of grey levels, its pixels
/// not compressed.
enum BoxPicture {
    static let width = 96
    static let height = 64

    /// - Parameters:
    ///   - number: of the picture, drawn as a row of ticks, so that two pictures differ.
    ///   - hasSomebody: whether somebody stands there.
    static func png(number: Int, hasSomebody: Bool) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width { rows.append(grey(x, y, number, hasSomebody)) }
        }
        var size: [UInt8] = UInt32(width).bigEndianBytes + UInt32(height).bigEndianBytes
        size += [8, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunk("IHDR", size)
            + chunk("IDAT", stored(rows)) + chunk("IEND", [])
    }

    private static func grey(_ x: Int, _ y: Int, _ number: Int, _ hasSomebody: Bool) -> UInt8 {
        if y >= height - 3, x.isMultiple(of: 4) { return x / 4 < number % (width / 4) ? 0 : 160 }
        if hasSomebody {
            let (fromHead, up) = ((x - 56) * (x - 56) + (y - 22) * (y - 22), abs(x - 56))
            if fromHead < 36 || y > 28 && y < 54 && up < 9 { return 24 }
        }
        if (14..<34).contains(x), (14..<54).contains(y) { return x == 30 && y == 34 ? 40 : 120 }
        return y < 54 ? 210 : 150
    }

    /// zlib (RFC 1950) around one stored block (RFC 1951).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return [0x78, 0x01, 0x01] + little(count) + little(~count) + bytes + (high << 16 | low).bigEndianBytes
    }

    private static func chunk(_ name: StaticString, _ bytes: [UInt8]) -> [UInt8] {
        let named = name.withUTF8Buffer { Array($0) } + bytes
        return UInt32(bytes.count).bigEndianBytes + named + checksum(named).bigEndianBytes
    }

    /// CRC-32 as PNG wants it.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
        }
        return ~sum
    }

    private static func little(_ value: UInt16) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
}
