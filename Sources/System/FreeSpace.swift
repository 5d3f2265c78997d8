import Glibc

/// The room on the disk of a folder.
public struct FreeSpace: Sendable, Equatable {
    /// How the room on the disk of a folder is read; nil: it cannot be. Tests say how much is free.
    public typealias Reader = @Sendable (_ folder: String) -> FreeSpace?

    /// Bytes that this user may still fill: what a file system keeps for root counts only for root.
    public let free: Int64
    /// Bytes of the whole disk.
    public let total: Int64

    /// - Parameters:
    ///   - free: bytes.
    ///   - total: bytes.
    public init(free: Int64, total: Int64) { (self.free, self.total) = (free, total) }

    /// Asks the file system; nil when it does not answer.
    public init?(of folder: String) {
        var found = statvfs()
        guard statvfs(folder, &found) == 0 else { return nil }
        // 0: the file system does not divide itself into fragments.
        let block = UInt64(found.f_frsize == 0 ? found.f_bsize : found.f_frsize)
        let available = geteuid() == 0 ? found.f_bfree : found.f_bavail
        func bytes(_ blocks: UInt64) -> Int64 {
            Int64(clamping: blocks.multipliedReportingOverflow(by: block).partialValue)
        }
        self.init(free: bytes(UInt64(available)), total: bytes(UInt64(found.f_blocks)))
    }

    /// How much of the disk is free, 0 to 1; a disk of no size counts as free.
    public var share: Double { total > 0 ? min(max(Double(free) / Double(total), 0), 1) : 1 }
}
