import System

/// A WebP file, read chunk by chunk (RFC 9649, 2.3 to 2.7).
struct WebPFile {
    /// The bytes of lossless data that the library would decode: those of a lossless picture, or of what shows through a lossy one; 0: none.
    let losslessBytes: Int
    /// The picture and what shows through it, ending where the picture's chunk says. The library reads on in whatever follows, and takes also a
    /// picture that stands in no chunk.
    let essence: [UInt8]

    /// Nil: it does not begin as a WebP file does, or ends before its picture.
    init?(of bytes: [UInt8]) {
        var kept: [(name: [UInt8], data: ArraySlice<UInt8>)] = []
        var transparency: ArraySlice<UInt8>?
        var place = 12
        while place + 8 <= bytes.count {
            let name = Array(bytes[place..<place + 4])
            let length = Int(bigEndianBytes: bytes[place + 4..<place + 8].reversed())
            guard length <= bytes.count - place - 8 else { return nil }
            let data = bytes[place + 8..<place + 8 + length]
            switch name {
            case Array("VP8L".utf8), Array("VP8 ".utf8):
                let isLossless = name[3] == UInt8(ascii: "L")
                // Its first byte says whether it is packed, in its two lowest bits (2.7.1.2).
                let packed = isLossless || (transparency?.first ?? 0) & 3 == 0 ? 0 : transparency?.count ?? 0
                if let transparency, !isLossless { kept.append((Array("ALPH".utf8), transparency)) }
                kept.append((name, data))
                losslessBytes = isLossless ? length : packed
                essence = Self.file(kept)
                return
            // Only behind this head other chunks may stand before the picture.
            case Array("VP8X".utf8) where place == 12: kept.append((name, data))
            case Array("ALPH".utf8) where !kept.isEmpty: transparency = data
            default: if kept.isEmpty { return nil }
            }
            place += 8 + length + length % 2
        }
        return nil
    }

    private static func file(_ chunks: [(name: [UInt8], data: ArraySlice<UInt8>)]) -> [UInt8] {
        func size(_ count: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } }
        var body = Array("WEBP".utf8)
        for (name, data) in chunks {
            body += name + size(data.count) + data
            if !data.count.isMultiple(of: 2) { body.append(0) }
        }
        return Array("RIFF".utf8) + size(body.count) + body
    }
}
