import JSON

extension Timestamp: JSONWritable {
    public static func schema(_ words: String) -> Schema { .text(words) }

    /// As `iso8601`.
    public func write(to json: inout JSONWriter) { json.value(iso8601) }
}
