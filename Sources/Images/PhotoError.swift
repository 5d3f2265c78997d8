/// Why bytes did not become a photo.
public enum PhotoError: Error, Sendable, Equatable {
    /// They are no JPEG, PNG or WebP file, whatever they are called.
    case notAPicture
    /// They begin as one, and are cut off, damaged or made to harm.
    case broken
    /// They move: a photo stands still.
    case moving
    /// More than `Photo.bytesLimit` bytes, or more than `Photo.pixelsLimit` pixels.
    case tooLarge
    /// A JPEG in more than `Photo.scansLimit` scans.
    case tooManyScans
    /// A JPEG that is neither sequential nor progressive, or has arithmetic coding.
    case unsupportedJPEG
    /// A JPEG in several scans of more than `Photo.scannedPixelsLimit` pixels, or a PNG of more than `Photo.unpackedLimit` bytes unpacked.
    case tooLargeForFormat
    /// A WebP with lossless data of more than `Photo.losslessLimit` bytes and more than `Photo.losslessPixelsLimit` pixels.
    case tooMuchLossless
    /// The shorter side has less than `Photo.small` pixels.
    case tooSmall
    /// Others' photos are being made, and enough wait already.
    case busy
}
