import Wire

/// The name of a thing of one kind: 16 bytes, of which the first six are the time it was made, so that names made later sort later.
///
/// The kind is there for the compiler alone: a person's id is no gate's id.
public struct ID<Kind>: Hashable, Comparable, Sendable {
    /// The bytes, as the opening protocol and the tables carry them.
    public let raw: ID16

    /// - Parameter raw: any 16 bytes.
    public init(_ raw: ID16) { self.raw = raw }

    /// Nil unless the text is 32 hexadecimal digits in lower case.
    public init?(_ text: String) {
        guard let raw = ID16(hex: text.utf8), raw.hex == text else { return nil }
        self.raw = raw
    }

    /// 32 hexadecimal digits in lower case.
    public var text: String { raw.hex }

    /// Earlier ones first.
    public static func < (a: ID, b: ID) -> Bool { a.raw < b.raw }
}

extension ID: CustomStringConvertible {
    /// The text.
    public var description: String { text }
}
