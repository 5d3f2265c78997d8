/// The bounds of reading and rendering. They hold every template found in the sources of the projects that send discovery.
enum TemplateLimit {
    /// Bytes of a source, in UTF-8.
    static let source = 656
    /// Parts of a source: each text, statement, operator, member, literal and call is one.
    static let nodes = 90
    /// Brackets and statements inside one another.
    static let depth = 10
    /// Steps of a rendering: each part that is evaluated is one.
    static let steps = 2000
    /// Bytes of a rendering.
    static let output = 4096
    /// Bytes of a text that is computed on the way to it.
    static let text = 65_536
    /// Bytes of JSON.
    static let json = 65_536
    /// Lists and objects inside one another in JSON.
    static let jsonDepth = 16
    /// Lists and objects inside one another in a value that is compared or written.
    static let nesting = 64
    /// Characters of a name in an error.
    static let shownName = 32
}
