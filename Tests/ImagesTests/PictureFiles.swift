import CImages
import Foundation

@testable import Images

/// Files of pictures, made by the libraries themselves or by hand.
enum PictureFiles {
    /// A picture whose four corners have a colour each: red and green above, blue and white below.
    static func corners(width: Int, height: Int) -> Pixels {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                switch (y < height / 2, x < width / 2) {
                case (true, true): bytes += [230, 20, 20]
                case (true, false): bytes += [20, 200, 20]
                case (false, true): bytes += [20, 20, 230]
                case (false, false): bytes += [250, 250, 250]
                }
            }
        }
        return Pixels(width: width, height: height, bytes: bytes)
    }

    static func jpeg(_ pixels: Pixels) throws -> [UInt8] { try Photo.encode(pixels) }

    static func png(_ pixels: Pixels) -> [UInt8] { file(pixels, cimages_png_encode) }

    static func webp(_ pixels: Pixels) -> [UInt8] { file(pixels, cimages_webp_encode) }

    private static func file(
        _ pixels: Pixels,
        _ encode: (
            UnsafePointer<UInt8>?, UInt32, UInt32, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?,
            UnsafeMutablePointer<UInt>?
        ) -> Int32
    ) -> [UInt8] {
        var (made, count): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
        precondition(encode(pixels.bytes, UInt32(pixels.width), UInt32(pixels.height), &made, &count) == 0)
        defer { cimages_free_file(made) }
        return Array(UnsafeBufferPointer(start: made, count: Int(count)))
    }

    /// A WebP file whose head says that its picture is lossless; nothing follows that could be decoded.
    /// - Parameter kept: so many bytes of it are there; nil: all.
    static func webp(lossless side: Int, bytes count: Int, kept: Int? = nil) -> [UInt8] {
        // A signature, 14 bits for each side, and four more (RFC 9649, 3.4).
        let head = (0..<4).map { UInt8(truncatingIfNeeded: ((side - 1) | (side - 1) << 14) >> (8 * $0)) }
        let data = [0x2f] + head + [UInt8](repeating: 255, count: count - 5)
        return webp([("VP8L", data.prefix(kept ?? count))])
    }

    /// A WebP file that may have more than its picture (RFC 9649, 2.7).
    static func webp(chunks: [(name: String, data: ArraySlice<UInt8>)], side: Int) -> [UInt8] {
        let sides = [side - 1, side - 1].flatMap { side in (0..<3).map { UInt8(truncatingIfNeeded: side >> (8 * $0)) } }
        return webp([("VP8X", ArraySlice([0x10, 0, 0, 0] + sides))] + chunks)
    }

    private static func webp(_ chunks: [(name: String, data: ArraySlice<UInt8>)]) -> [UInt8] {
        func size(_ count: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } }
        let body = chunks.flatMap { name, data in
            Array(name.utf8) + size(data.count) + data + [UInt8](repeating: 0, count: data.count % 2)
        }
        return Array("RIFF".utf8) + size(4 + body.count) + Array("WEBP".utf8) + body
    }

    // MARK: what stands beside the picture

    /// A TIFF structure with an orientation and, to be found again, a place and a camera.
    static func exif(_ orientation: UInt16, isLittle: Bool = true) -> [UInt8] {
        func short(_ value: UInt16) -> [UInt8] {
            let bytes = [UInt8(value >> 8), UInt8(value & 255)]
            return isLittle ? bytes.reversed() : bytes
        }
        func long(_ value: UInt32) -> [UInt8] {
            let bytes = [24, 16, 8, 0].map { UInt8(value >> $0 & 255) }
            return isLittle ? bytes.reversed() : bytes
        }
        let head = isLittle ? [0x49, 0x49, 0x2a, 0] : [0x4d, 0x4d, 0, 0x2a] as [UInt8]
        let camera = Array("SecretCamera\0".utf8)
        return head + long(8) + short(2)
            + short(0x010f) + short(2) + long(UInt32(camera.count)) + long(38)
            + short(0x0112) + short(3) + long(1) + short(orientation) + short(0)
            + long(0) + camera + Array("N 45.4642 E 9.1900".utf8)
    }

    /// A JPEG file with one more segment APP1.
    static func jpeg(_ file: [UInt8], exif: [UInt8]) -> [UInt8] {
        let content = Array("Exif\0\0".utf8) + exif
        let length = content.count + 2
        return Array(file[..<2]) + [0xff, 0xe1, UInt8(length >> 8), UInt8(length & 255)] + content + Array(file[2...])
    }

    /// A PNG file with one more chunk behind its head.
    static func png(_ file: [UInt8], chunk: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(chunk.utf8) + content
        return Array(file[..<33]) + big(UInt32(content.count)) + named + big(crc(named)) + Array(file[33...])
    }

    /// The head of a PNG file of that size, and nothing behind it but an end.
    static func pngHead(width: UInt32, height: UInt32, depth: UInt8 = 8, colours: UInt8 = 2) -> [UInt8] {
        let head = Array("IHDR".utf8) + big(width) + big(height) + [depth, colours, 0, 0, 0]
        let end = Array("IEND".utf8)
        return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + big(13) + head + big(crc(head)) + big(0) + end
            + big(crc(end))
    }

    private static func big(_ value: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }

    /// W3C PNG, annex D.
    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
        }
        return ~sum
    }

    // MARK: JPEG by hand

    /// A JPEG square in that many scans, each of them whole: all zero, and so a few bytes long. A progressive one is grey, another one has
    /// its three colours one after another.
    /// - Parameter kind: the marker of its frame; SOF2 or SOF0 unless told.
    static func scans(_ count: Int, isProgressive: Bool, side: Int, kind: UInt8? = nil) -> [UInt8] {
        func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
            let length = content.count + 2
            return [0xff, marker, UInt8(length >> 8), UInt8(length & 255)] + content
        }
        /// One code of one bit.
        func table(_ place: UInt8, _ symbol: UInt8) -> [UInt8] {
            segment(0xc4, [place, 1] + [UInt8](repeating: 0, count: 15) + [symbol])
        }
        let colours: UInt8 = isProgressive ? 1 : 3
        let size = [UInt8(side >> 8), UInt8(side & 255)]
        let blocks = ((side + 7) / 8) * ((side + 7) / 8)
        var file: [UInt8] = [0xff, 0xd8] + segment(0xdb, [0] + [UInt8](repeating: 1, count: 64))
        file += segment(
            kind ?? (isProgressive ? 0xc2 : 0xc0),
            [8] + size + size + [colours] + (1...colours).flatMap { [$0, 0x11, 0] })
        file += table(0x00, 0) + table(0x10, isProgressive ? 0xe0 : 0)
        for scan in 0..<UInt8(count) {
            // Progressive: one bit a block, then refinements in which 16384 blocks or more at a time are empty, by 15 bits.
            let (spectrum, bits): ([UInt8], Int) =
                !isProgressive
                ? ([0, 63, 0], blocks * 2)
                : scan == 0 ? ([0, 0, 0], blocks) : ([1, 63, 0x10], ((blocks >> 14) + 1) * 15)
            file += segment(0xda, [1, 1 + scan % colours, 0] + spectrum)
            file += [UInt8](repeating: 0, count: (bits + 7) / 8)
        }
        return file + [0xff, 0xd9]
    }

    /// The same file with another size in its frame.
    static func resized(_ file: [UInt8], width: Int, height: Int) -> [UInt8] {
        var file = file
        let frame = file.indices.first { file[$0] == 0xff && [0xc0, 0xc2].contains(file[$0 + 1]) }!
        let size = [height >> 8, height & 255, width >> 8, width & 255]
        file.replaceSubrange(frame + 5..<frame + 9, with: size.map { UInt8($0) })
        return file
    }

    /// 128 × 96, one colour (10, 120, 200), in several scans.
    static let progressive = decoded(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYV\
        pQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wgARCABg\
        AIADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAVAQEBAAAAAAAAAAAAAAAAAAAABf/aAAwDAQACEAMQAAABlFGaAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB//8QAFBABAAAAAAAAAAAAAAAAAAAAcP/aAAgBAQABBQJA/8QAFBEBAAAAAAAAAAAAAAAAAAAA\
        UP/aAAgBAwEBPwFD/8QAFBEBAAAAAAAAAAAAAAAAAAAAUP/aAAgBAgEBPwFD/8QAFBABAAAAAAAAAAAAAAAAAAAAcP/aAAgBAQAGPwJA/8QAFB\
        ABAAAAAAAAAAAAAAAAAAAAcP/aAAgBAQABPyFA/9oADAMBAAIAAwAAABAEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEH/xAAU\
        EQEAAAAAAAAAAAAAAAAAAABQ/9oACAEDAQE/EEP/xAAUEQEAAAAAAAAAAAAAAAAAAABQ/9oACAECAQE/EEP/xAAUEAEAAAAAAAAAAAAAAAAAAA\
        Bw/9oACAEBAAE/EED/2Q==
        """)
    /// 128 × 96 in four inks, one colour: (226, 53, 34).
    static let inks = decoded(
        """
        /9j/7gAOQWRvYmUAZAAAAAAC/9sAQwANCQoLCggNCwoLDg4NDxMgFRMSEhMnHB4XIC4pMTAuKS0sMzpKPjM2RjcsLUBXQUZMTlJTUjI+WmFaUG\
        BKUVJP/9sAQwEODg4TERMmFRUmTzUtNU9PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09P/8AAFAgAYACA\
        BAERAAIRAQMRAQQRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQ\
        cicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqS\
        k5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/EAB8BAAMBAQEBAQEBAQEAAA\
        AAAAABAgMEBQYHCAkKC//EALURAAIBAgQEAwQHBQQEAAECdwABAgMRBAUhMQYSQVEHYXETIjKBCBRCkaGxwQkjM1LwFWJy0QoWJDThJfEXGBka\
        JicoKSo1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2RlZmdoaWpzdHV2d3h5eoKDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxM\
        XGx8jJytLT1NXW19jZ2uLj5OXm5+jp6vLz9PX29/j5+v/aAA4EAQACEQMRBAAAPwC5XrnxR6RRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAF\
        FABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAF\
        FABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAF\
        FABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAF\
        FABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAF\
        FABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAF\
        FABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFFABRQAUUAFf//Z
        """)
    private static func decoded(_ text: String) -> [UInt8] { Array(Data(base64Encoded: text)!) }
}
