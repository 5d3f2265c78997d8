import JSON

/// A file in memory, with its compressed form where that is smaller.
struct StaticFile: Sendable {
    let type: String
    /// Of the content, so that it survives a restart and changes with the content. A strong validator (RFC 9110).
    let hash: String
    let content: SharedBytes
    let compressed: SharedBytes?

    /// Below this a gzip header costs more than it saves, in bytes.
    private static let smallestToCompress = 256

    init(name: String, _ bytes: [UInt8]) {
        type = MediaType.of(name)
        hash = FNV1a.hex(bytes)
        content = SharedBytes(bytes)
        let isWorthIt = MediaType.isText(type) && bytes.count >= Self.smallestToCompress
        let smaller = isWorthIt ? Gzip.compress(bytes).flatMap { $0.count < bytes.count ? $0 : nil } : nil
        compressed = smaller.map(SharedBytes.init)
    }
}
