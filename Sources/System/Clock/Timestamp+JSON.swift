import JSON

extension Timestamp: JSONWritable, JSONReadable {
    public static func schema(_ words: String) -> Schema { .text(words) }

    /// As `iso8601`.
    public func write(to json: inout JSONWriter) { json.value(iso8601) }

    /// Throws where it is not as `iso8601` writes it.
    public static func read(_ json: UnsafeRawBufferPointer, at path: String) throws(JSONError) -> Timestamp {
        guard let time = Timestamp(iso8601: try String.read(json, at: path)) else {
            throw .mismatch(path: path, "must be a time like 2026-11-21T08:52:07.120Z")
        }
        return time
    }
}
