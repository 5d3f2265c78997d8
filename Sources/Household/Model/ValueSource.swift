import Template

/// Where in a payload a value lies, or how it is computed from it.
package struct ValueSource: Sendable, Equatable {
    /// The members of the JSON that lead to the value, empty: it is all of it; and what computes the text in which that is looked for, nil: it is
    /// the payload.
    package var (path, template): ([String], Template?)

    /// See the properties.
    package init(path: [String] = [], template: Template? = nil) { (self.path, self.template) = (path, template) }
}

package extension ValueSource {
    /// The payload itself.
    static let payload = ValueSource()
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
