/// What a store has written since its start.
public struct StoreFigures: Sendable {
    /// The bounds of `sizes`; a group is never larger than the last.
    public static let bounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, Writer.groupLimit]

    /// Groups that were committed together.
    public private(set) var groups: UInt64 = 0
    /// Changes in all of them.
    public private(set) var changes: UInt64 = 0
    /// Groups by how many changes were in them: at most `bounds[n]`. Not cumulative.
    public private(set) var sizes = [UInt64](repeating: 0, count: bounds.count)

    mutating func count(_ size: Int) {
        groups += 1
        changes += UInt64(size)
        sizes[Self.bounds.firstIndex { size <= $0 } ?? Self.bounds.count - 1] += 1
    }
}

extension Store {
    /// What it has written since its start.
    public var figures: StoreFigures { writer.commits.withLock { $0.figures } }
}
