/// How a JPEG file is put together, read marker by marker as the library reads it (ITU T.81, B.1.1.3), before anything is decoded.
struct JPEGLayout {
    /// A sequential file whose picture comes in one scan is SOF0 or SOF1; SOF2 is progressive. All others (lossless, hierarchical,
    /// arithmetic coding) are rare, and arithmetic coding does much work for a few bytes.
    private static let sequential: ClosedRange<UInt8> = 0xc0...0xc1
    private static let progressive: UInt8 = 0xc2

    /// Scans of the picture; counting ends above `Photo.scansLimit`.
    private(set) var scans = 0
    /// Whether its coding is one that is read here: Huffman, sequential or progressive.
    private(set) var isSupported = true
    /// Whether the library has to hold all coefficients until the last scan.
    var isInScans: Bool { isProgressive || scans > 1 || isInParts }
    /// Whether the end of the image comes after a scan. The library itself fills what is missing with grey.
    private(set) var isWhole = false
    private var isProgressive = false
    /// How many colours the picture has.
    private var colours: UInt8 = 0
    /// Whether a scan has not all of them.
    private var isInParts = false

    /// Walks from marker to marker. Where the library would fail, the walk goes on or ends: it never counts fewer scans than the library.
    init(of bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { walk($0) }
    }

    private mutating func walk(_ bytes: UnsafeBufferPointer<UInt8>) {
        var place = 2
        while place + 1 < bytes.count {
            // What stands before a marker is a scan's data or damage: 0xff 0x00 is a byte of data, 0xff 0xff filling.
            guard bytes[place] == 0xff, bytes[place + 1] != 0, bytes[place + 1] != 0xff else {
                place += 1
                continue
            }
            let marker = bytes[place + 1]
            place += 2
            switch marker {
            case 0xd9:
                isWhole = scans > 0
                return
            // Markers without a length: restarts, and numbers that mean nothing and that the library may skip.
            case 0x01...0xbf, 0xd0...0xd8: continue
            case 0xda:
                scans += 1
                if place + 2 >= bytes.count || bytes[place + 2] != colours { isInParts = true }
                if scans > Photo.scansLimit { return }
            case Self.progressive:
                isProgressive = true
                if place + 7 < bytes.count { colours = bytes[place + 7] }
            case Self.sequential: if place + 7 < bytes.count { colours = bytes[place + 7] }
            case 0xc4, 0xcc: break
            case 0xc3...0xcf: isSupported = false
            default: break
            }
            guard place + 1 < bytes.count else { return }
            place += max(Int(bytes[place]) << 8 | Int(bytes[place + 1]), 2)
        }
    }
}
