/// The query string of a request: what follows the `?`. It is decoded when it is asked for.
public struct Query: Sendable {
    /// As sent, still percent-encoded; nil when there was no `?`.
    public let raw: String?

    /// A query string as it stands in a target, without the `?`.
    public init(raw: String?) { self.raw = raw }

    /// All pairs. Throws a 400 problem as `Form` does.
    public func decoded() throws(Problem) -> Form { try Form(urlEncoded: (raw ?? "").utf8) }

    /// The value of a parameter, or nil when it is absent (empty text counts as absent, except for a `String`).
    ///
    /// Throws a 400 problem when it is there twice or badly encoded, 422 when its text is not a `Value`.
    public func get<Value: LosslessStringConvertible>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(Problem) -> Value? {
        raw == nil ? nil : try decoded().get(name, as: type)
    }

    /// As `get`; throws a 422 problem when the parameter is absent.
    public func require<Value: LosslessStringConvertible>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(Problem) -> Value {
        try decoded().require(name, as: type)
    }
}
