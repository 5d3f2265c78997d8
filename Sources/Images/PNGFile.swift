import System

/// A PNG file, read chunk by chunk (W3C PNG, 5.3).
enum PNGFile {
    /// What says how the picture's colours are meant, beside the critical chunks; of each the first. A profile unfolds to 8 MB at most.
    private static let kept: Set<[UInt8]> = [
        Array("tRNS".utf8), Array("gAMA".utf8), Array("sRGB".utf8), Array("iCCP".utf8),
    ]

    /// The file without what is no part of its picture. The library unfolds texts, profiles and the like while it looks for the picture, and
    /// holds all of them: some hundred bytes each become 8 MB, and a file may have thousands.
    static func essence(of bytes: [UInt8]) -> [UInt8] {
        var found = Array(bytes.prefix(8))
        found.reserveCapacity(bytes.count)
        var missing = kept
        var place = 8
        while place + 12 <= bytes.count {
            let length = Int(bigEndianBytes: bytes[place..<place + 4])
            // Cut off: the library finds no end, and refuses it.
            guard length <= bytes.count - place - 12 else { break }
            let name = Array(bytes[place + 4..<place + 8])
            // Of a critical chunk the first letter is a capital (5.4).
            if name[0] & 0x20 == 0 || missing.remove(name) != nil { found += bytes[place..<place + 12 + length] }
            place += 12 + length
            if name == Array("IEND".utf8) { break }
        }
        return found
    }
}
