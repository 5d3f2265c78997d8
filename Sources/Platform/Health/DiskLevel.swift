import System

/// How full a disk is. One that is nearly empty of room again has to have clearly more before it counts as better, so that people are told
/// once.
enum DiskLevel: Int, Sendable, Comparable {
    case plenty
    case low
    case nearlyFull

    /// Less than this share free is little.
    static let lowShare = 0.10
    /// Less than this share free is nearly nothing.
    static let nearlyFullShare = 0.02
    /// So much more, in parts of itself, has to be free before a level is over.
    static let over = 1.25

    /// - Parameters:
    ///   - space: the room on the disk.
    ///   - refuses: whether what can wait is refused, or a write has just found the disk full.
    /// - Returns: the level after this one.
    func next(_ space: FreeSpace, refuses: Bool) -> DiskLevel {
        func isBelow(_ limit: Double, _ level: DiskLevel) -> Bool {
            space.share < (self >= level ? limit * Self.over : limit)
        }
        if refuses || isBelow(Self.nearlyFullShare, .nearlyFull) { return .nearlyFull }
        return isBelow(Self.lowShare, .low) ? .low : .plenty
    }

    static func < (a: DiskLevel, b: DiskLevel) -> Bool { a.rawValue < b.rawValue }
}
