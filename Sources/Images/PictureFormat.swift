/// What a picture's bytes are; what a client calls them does not count.
enum PictureFormat: Sendable {
    case jpeg, png, webp

    /// By the first bytes: the markers of JPEG (ITU T.81, B.1.1.3), PNG (W3C PNG, 5.2) and WebP (RFC 9649, 2.4). Nil for everything else.
    init?(of bytes: [UInt8]) {
        if bytes.starts(with: [0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            self = .webp
        } else {
            return nil
        }
    }
}
