/// A value that stands in one segment of a path, as the `{id}` of `/api/gates/{id}`.
public protocol PathParameter {
    /// From the segment, percent-decoded; it is never empty, `.` or `..` and has no `/`. Nil: there is no such thing (404).
    init?(pathSegment: String)
}

extension String: PathParameter {
    /// The segment itself.
    public init?(pathSegment: String) { self = pathSegment }
}

extension Int: PathParameter {
    /// A number as we would write it: no `+`, no leading zeros.
    public init?(pathSegment: String) {
        guard let value = Int(pathSegment), String(value) == pathSegment else { return nil }
        self = value
    }
}
