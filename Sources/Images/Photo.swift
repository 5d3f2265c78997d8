import CImages
import System

/// Somebody's photo, made anew from whatever file they chose: two square JPEG files without anything in them but the picture. Where
/// and with what it was taken, its colour profile, and what else may hide behind a picture, is not copied and so is gone.
public struct Photo: Sendable, Equatable {
    /// No longer file is looked at, in bytes.
    public static let bytesLimit = 8 << 20
    /// No picture of more pixels is decoded.
    public static let pixelsLimit = 40_000_000
    /// No JPEG of more scans is decoded: each one goes over the whole picture, however few bytes it has.
    public static let scansLimit = 20
    /// No JPEG in several scans of more pixels is decoded: the library holds all its coefficients, and goes over them in every scan. Nor is a
    /// WebP with lossless data, of which it holds all pixels.
    public static let scannedPixelsLimit = 16_000_000
    /// No PNG is decoded that has more bytes when it is unpacked: 16 million pixels of four bytes.
    public static let unpackedLimit = 64_000_000
    /// No lossless data of a WebP is decoded that has more bytes, unless the picture is a small one: the library makes tables of up to 20 kB
    /// for every 4.5 bytes of it.
    public static let losslessLimit = 32 << 10
    /// Up to so many pixels lossless data may have any length: there are tables for every 16 pixels at most.
    public static let losslessPixelsLimit = 130_000
    /// The side of the small one, in pixels: for lists.
    public static let small = 96
    /// The longest side of the large one, in pixels: nothing is made larger than it came.
    public static let large = 512
    /// The longer side of a camera's picture.
    private static let longest = 640
    private static let quality: Int32 = 85

    /// The photo for one's own page: a JPEG of up to 512 × 512.
    public let large: [UInt8]
    /// The photo for lists: a JPEG of 96 × 96.
    public let small: [UInt8]

    /// Makes a photo of a JPEG, PNG or WebP file. Blocks for some ten to some hundred milliseconds: see `PhotoDesk`.
    public static func make(from bytes: [UInt8]) throws(PhotoError) -> Photo {
        let (format, width, height) = try look(at: bytes)
        if min(width, height) < small { throw .tooSmall }
        let square = try decode(bytes, format) { pixels, width, height in
            Pixels.square(of: pixels, width: width, height: height, side: min(width, height, large))
        }
        guard square.width >= small else { throw .broken }
        let upright = square.turned(Orientation(of: bytes, format))
        return Photo(large: try encode(upright), small: try encode(upright.square(side: small)))
    }

    /// A camera's picture made anew: a JPEG without anything in it but the picture, whole, its longer side of at most 640 pixels. Blocks as
    /// `make` does.
    public static func still(from bytes: [UInt8]) throws(PhotoError) -> [UInt8] {
        let (format, _, _) = try look(at: bytes)
        return try encode(
            decode(bytes, format) { pixels, width, height in
                Pixels.fitted(of: pixels, width: width, height: height, longest: longest)
            })
    }

    /// What a file says that it is, before any of it is decoded.
    private static func look(
        at bytes: [UInt8]
    ) throws(PhotoError) -> (format: PictureFormat, width: Int, height: Int) {
        guard let format = PictureFormat(of: bytes) else { throw .notAPicture }
        if bytes.count > bytesLimit { throw .tooLarge }
        let (width, height) = try size(of: bytes, format)
        if width > pixelsLimit || height > pixelsLimit || width * height > pixelsLimit { throw .tooLarge }
        switch format {
        case .jpeg: try judge(JPEGLayout(of: bytes), pixels: width * height)
        case .png: if pngUnpacked(bytes, width, height) > unpackedLimit { throw .tooLargeForFormat }
        case .webp: try judge(WebPFile(of: bytes), pixels: width * height)
        }
        return (format, width, height)
    }

    /// Refuses what would keep the library busy for long.
    private static func judge(_ layout: JPEGLayout, pixels: Int) throws(PhotoError) {
        if !layout.isSupported { throw .unsupportedJPEG }
        if layout.scans > scansLimit { throw .tooManyScans }
        if !layout.isWhole { throw .broken }
        if layout.isInScans, pixels > scannedPixelsLimit { throw .tooLargeForFormat }
    }

    private static func judge(_ file: WebPFile?, pixels: Int) throws(PhotoError) {
        guard let file else { throw .broken }
        if file.losslessBytes > losslessLimit, pixels > losslessPixelsLimit { throw .tooMuchLossless }
        // Four bytes a pixel are held while it is decoded, as of a progressive JPEG.
        if file.losslessBytes > 0, pixels > scannedPixelsLimit { throw .tooLargeForFormat }
    }

    /// The bytes of a PNG file's lines as its head says them (W3C PNG, 11.2.1); an unknown kind of colour counts as the largest.
    private static func pngUnpacked(_ bytes: [UInt8], _ width: Int, _ height: Int) -> Int {
        let channels = [0: 1, 2: 3, 3: 1, 4: 2][bytes[25]] ?? 4
        return height * ((width * channels * Int(bytes[24]) + 7) / 8)
    }

    // MARK: the libraries

    private static func size(
        of bytes: [UInt8], _ format: PictureFormat
    ) throws(PhotoError) -> (width: Int, height: Int) {
        var (width, height): (UInt32, UInt32) = (0, 0)
        let status =
            switch format {
            case .jpeg: cimages_jpeg_size(bytes, UInt(bytes.count), &width, &height)
            case .png: pngSize(of: bytes, &width, &height)
            case .webp: cimages_webp_size(bytes, UInt(bytes.count), &width, &height)
            }
        if status == Int32(cimages_moving) { throw .moving }
        if status != Int32(cimages_done) { throw .broken }
        return (Int(width), Int(height))
    }

    /// What the head of a PNG file says (W3C PNG, 11.2.1): it is always the first chunk.
    private static func pngSize(of bytes: [UInt8], _ width: inout UInt32, _ height: inout UInt32) -> Int32 {
        guard bytes.count >= 26, bytes[12..<16].elementsEqual("IHDR".utf8) else { return Int32(cimages_broken) }
        width = UInt32(bigEndianBytes: bytes[16..<20])
        height = UInt32(bigEndianBytes: bytes[20..<24])
        return Int32(width > 0 && height > 0 ? cimages_done : cimages_broken)
    }

    /// Decodes a file, and looks at its pixels where the library has put them: they may be 120 MB.
    static func decode(
        _ bytes: [UInt8], _ format: PictureFormat,
        _ look: (_ pixels: UnsafeBufferPointer<UInt8>, _ width: Int, _ height: Int) -> Pixels
    ) throws(PhotoError) -> Pixels {
        var picture = cimages_picture()
        let wanted = UInt32(large)
        let status =
            switch format {
            case .jpeg: cimages_jpeg_decode(bytes, UInt(bytes.count), wanted, &picture)
            case .png: decodePNG(PNGFile.essence(of: bytes), &picture)
            case .webp: decodeWebP(WebPFile(of: bytes)?.essence ?? [], wanted, &picture)
            }
        guard status == Int32(cimages_done), let start = picture.pixels else { throw .broken }
        defer { cimages_free(&picture) }
        let (width, height) = (Int(picture.width), Int(picture.height))
        return look(UnsafeBufferPointer(start: start, count: width * height * 3), width, height)
    }

    private static func decodePNG(_ bytes: [UInt8], _ picture: inout cimages_picture) -> Int32 {
        cimages_png_decode(bytes, UInt(bytes.count), &picture)
    }

    private static func decodeWebP(_ bytes: [UInt8], _ wanted: UInt32, _ picture: inout cimages_picture) -> Int32 {
        cimages_webp_decode(bytes, UInt(bytes.count), wanted, &picture)
    }

    static func encode(_ pixels: Pixels) throws(PhotoError) -> [UInt8] {
        var made: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        let status = cimages_jpeg_encode(
            pixels.bytes, UInt32(pixels.width), UInt32(pixels.height), quality, &made, &count)
        guard status == Int32(cimages_done), let made else { throw .broken }
        defer { cimages_free_jpeg(made) }
        return Array(UnsafeBufferPointer(start: made, count: Int(count)))
    }
}
