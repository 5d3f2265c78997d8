import System

/// How a camera was held: what has to be done to its picture so that up is up (CIPA DC-008 Exif 2.32, tag 0x0112).
enum Orientation: UInt16, Sendable, CaseIterable {
    case upright = 1
    case mirrored = 2
    case halfTurned = 3
    case flipped = 4
    /// Mirrored along the diagonal.
    case transposed = 5
    /// To be turned right by a quarter.
    case turnedLeft = 6
    /// Mirrored along the other diagonal.
    case transversed = 7
    /// To be turned left by a quarter.
    case turnedRight = 8

    /// From where in the stored square a pixel of the upright one comes.
    func source(x: Int, y: Int, last: Int) -> (x: Int, y: Int) {
        switch self {
        case .upright: (x, y)
        case .mirrored: (last - x, y)
        case .halfTurned: (last - x, last - y)
        case .flipped: (x, last - y)
        case .transposed: (y, x)
        case .turnedLeft: (y, last - x)
        case .transversed: (last - y, last - x)
        case .turnedRight: (last - y, x)
        }
    }

    /// What a file says of itself; upright when it says nothing, or nothing that can be read: a photo is not refused for that.
    init(of bytes: [UInt8], _ format: PictureFormat) {
        let exif =
            switch format {
            case .jpeg: Self.exifOfJPEG(bytes)
            case .png: Self.exifOfPNG(bytes)
            case .webp: Self.exifOfWebP(bytes)
            }
        self = exif.flatMap(Self.init(exif:)) ?? .upright
    }

    /// The tag in the first directory of a TIFF structure; nil when it is not there.
    private init?(exif: ArraySlice<UInt8>) {
        let reader = TIFFReader(exif)
        guard let reader, let directory = reader.long(at: 4), let count = reader.short(at: Int(directory)) else {
            return nil
        }
        // A directory of a camera has some thirty entries of 12 bytes.
        for entry in 0..<min(Int(count), 200) {
            let place = Int(directory) + 2 + entry * 12
            guard let tag = reader.short(at: place) else { return nil }
            // One number of 16 bits (type 3), which then stands in the entry itself.
            guard tag == 0x0112 else { continue }
            guard reader.short(at: place + 2) == 3, reader.long(at: place + 4) == 1,
                let value = reader.short(at: place + 8)
            else { return nil }
            self.init(rawValue: value)
            return
        }
        return nil
    }

    // MARK: where files keep it

    /// At most so many segments, chunks or entries are walked.
    private static let walk = 400

    /// The content of APP1 that begins with `Exif`, before the first scan.
    private static func exifOfJPEG(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        var place = 2
        for _ in 0..<walk {
            guard place + 4 <= bytes.count, bytes[place] == 0xff else { return nil }
            let marker = bytes[place + 1]
            // Start of scan, end of image: no segment follows that could tell.
            if marker == 0xda || marker == 0xd9 { return nil }
            let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
            guard length >= 2, place + 2 + length <= bytes.count else { return nil }
            let content = bytes[(place + 4)..<(place + 2 + length)]
            if marker == 0xe1, content.starts(with: Array("Exif\0\0".utf8)) { return content.dropFirst(6) }
            place += 2 + length
        }
        return nil
    }

    /// The chunk `eXIf`.
    private static func exifOfPNG(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        var place = 8
        for _ in 0..<walk {
            guard place + 12 <= bytes.count else { return nil }
            let length = Int(bigEndianBytes: bytes[place..<place + 4])
            guard length <= bytes.count - place - 12 else { return nil }
            if bytes[place + 4..<place + 8].elementsEqual("eXIf".utf8) {
                return bytes[(place + 8)..<(place + 8 + length)]
            }
            place += 12 + length
        }
        return nil
    }

    /// The chunk `EXIF`; some programs write `Exif\0\0` in front there too.
    private static func exifOfWebP(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        var place = 12
        for _ in 0..<walk {
            guard place + 8 <= bytes.count else { return nil }
            let length = Int(bigEndianBytes: bytes[place + 4..<place + 8].reversed())
            guard length <= bytes.count - place - 8 else { return nil }
            if bytes[place..<place + 4].elementsEqual("EXIF".utf8) {
                let content = bytes[(place + 8)..<(place + 8 + length)]
                return content.starts(with: Array("Exif\0\0".utf8)) ? content.dropFirst(6) : content
            }
            place += 8 + length + length % 2
        }
        return nil
    }
}

/// Numbers of a TIFF structure (TIFF 6.0, section 2), each read within its bounds.
private struct TIFFReader {
    private let bytes: ArraySlice<UInt8>
    private let isLittle: Bool

    /// Nil unless it begins as one.
    init?(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        if bytes.starts(with: [0x49, 0x49, 0x2a, 0x00]) {
            isLittle = true
        } else if bytes.starts(with: [0x4d, 0x4d, 0x00, 0x2a]) {
            isLittle = false
        } else {
            return nil
        }
    }

    func short(at place: Int) -> UInt16? { number(at: place, of: 2).map { UInt16($0) } }
    func long(at place: Int) -> UInt32? { number(at: place, of: 4).map { UInt32($0) } }

    private func number(at place: Int, of width: Int) -> Int? {
        guard place >= 0, place + width <= bytes.count else { return nil }
        let taken = bytes.dropFirst(place).prefix(width)
        return isLittle ? Int(bigEndianBytes: taken.reversed()) : Int(bigEndianBytes: taken)
    }
}
