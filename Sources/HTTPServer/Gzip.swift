import CZlib

/// Compression of files at start (RFC 1952).
enum Gzip {
    /// The bytes as small as zlib makes them; nil when there is no memory for it.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        let windowBits: Int32 = 15 + 16  // the largest window, with a gzip header
        let started = deflateInit2_(
            &stream, Z_BEST_COMPRESSION, Z_DEFLATED, windowBits, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard started == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var input = bytes
        let capacity = Int(deflateBound(&stream, uLong(bytes.count)))
        let output = [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
            input.withUnsafeMutableBufferPointer { source in
                stream.next_in = source.baseAddress
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(target.count)
                let isComplete = deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = isComplete ? Int(stream.total_out) : 0
            }
        }
        return output.isEmpty ? nil : output
    }
}
