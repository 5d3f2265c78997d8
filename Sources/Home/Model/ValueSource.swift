import Template

/// Where in a payload a value lies, or how it is computed from it.
public struct ValueSource: Sendable, Equatable {
    /// The members of the payload's JSON that lead to the value; empty: the payload itself.
    public var path: [String] = []
    /// What computes the text in which that is looked for; nil: it is the payload.
    public var template: Template?

    /// The payload itself.
    public static let payload = ValueSource()
}

extension Template: Codable {
    /// As it is kept: its source.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do { try self.init(container.decode(String.self)) } catch let fault as TemplateFault {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(fault)")
        }
    }

    /// The same, written.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(source)
    }
}
