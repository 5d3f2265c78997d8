/// A WebP file, read chunk by chunk (RFC 9649, 2.3 to 2.7).
enum WebPFile {
    /// How many bytes of lossless data the library would decode: those of a lossless picture, or of what shows through a lossy one; 0: none.
    /// Nil: the file does not begin as a WebP file does.
    ///
    /// The library takes also what follows the head without being a chunk: that is refused here.
    static func losslessBytes(in bytes: [UInt8]) -> Int? {
        var place = 12
        var found = 0
        while place + 8 <= bytes.count {
            let name = Array(bytes[place..<place + 4])
            let length = bytes[place + 4..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            switch name {
            case Array("VP8L".utf8): return found + length
            case Array("VP8 ".utf8): return found
            // Its first byte says whether it is packed, in its two lowest bits (2.7.1.2).
            case Array("ALPH".utf8):
                if place + 8 < bytes.count, bytes[place + 8] & 3 != 0 { found = max(found, length) }
            case Array("VP8X".utf8): break
            // Only behind this head other chunks may stand before the picture.
            default: if !bytes.dropFirst(12).starts(with: Array("VP8X".utf8)) { return nil }
            }
            place += 8 + length + length % 2
        }
        return nil
    }
}
