import Template

/// What the readers of one message share, and what computing from it has cost so far.
struct ReadingWork {
    /// So much of it is worth a light message: some 75 µs of a computer of 2020.
    private static let ofLightMessage = 16_000

    /// See `Template.text(_:cost:)`.
    var spent = 0
    private var tree: TemplateValue??

    /// The same in light messages.
    var weight: Int { spent / Self.ofLightMessage }

    /// The message as JSON, read once; nil: it is none.
    mutating func json(_ payload: [UInt8]) -> TemplateValue? {
        if let tree { return tree }
        spent += payload.count * Template.costOfJSON
        let read = TemplateValue(json: payload)
        tree = .some(read)
        return read
    }
}
