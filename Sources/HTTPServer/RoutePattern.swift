/// A path with holes: `/api/gates/{id}/open`, `/static/{file...}`.
struct RoutePattern: Sendable {
    enum Segment: Sendable, Equatable {
        /// These bytes, as sent: an encoded letter is another path.
        case literal([UInt8])
        /// Any segment.
        case parameter
        /// All that remains, one segment or more.
        case rest
    }

    let text: String
    let segments: [Segment]
    let names: [String]

    /// Traps when the pattern is not one: routes are written by programmers, at start.
    init(_ text: String) {
        precondition(text.hasPrefix("/"), "a pattern begins with /: \(text)")
        var segments: [Segment] = []
        var names: [String] = []
        for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            precondition(segments.last != .rest, "nothing may follow {...}: \(text)")
            if part.hasPrefix("{"), part.hasSuffix("...}") {
                segments.append(.rest)
                names.append(String(part.dropFirst().dropLast(4)))
            } else if part.hasPrefix("{"), part.hasSuffix("}") {
                segments.append(.parameter)
                names.append(String(part.dropFirst().dropLast()))
            } else {
                precondition(!part.contains("{") && !part.contains("}"), "a parameter is a whole segment: \(text)")
                segments.append(.literal(Array(part.utf8)))
            }
        }
        precondition(names.count <= PathParameters.limit, "more than \(PathParameters.limit) parameters: \(text)")
        precondition(Set(names).count == names.count && !names.contains(""), "parameters need names: \(text)")
        self.text = text
        self.segments = segments
        self.names = names
    }
}
