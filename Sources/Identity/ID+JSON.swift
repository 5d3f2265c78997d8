import JSON

extension ID: JSONWritable, JSONReadable {
    public static func schema(_ words: String) -> Schema { .text(words) }
    public func write(to json: inout JSONWriter) { json.value(text) }

    /// Throws where it is not 32 hexadecimal digits in lower case.
    public static func read(_ json: UnsafeRawBufferPointer, at path: String) throws(JSONError) -> ID {
        guard let id = ID(try String.read(json, at: path)) else { throw .mismatch(path: path, "must be an id") }
        return id
    }
}
