import System

/// When the file of the database is written anew after an erasure: everybody's writing waits for that, a door's too.
struct Wiping: Sendable {
    /// What is thought to take longer waits for the night, in milliseconds.
    static let short = 1_000.0
    /// The hours of the night, from midnight: the daily work looks each hour, and a little later each time.
    static let night = 2..<6

    /// Bytes in a millisecond: what a cheap disk takes, until it was measured.
    private var pace = 50_000.0

    /// - Parameters:
    ///   - bytes: of the file.
    ///   - now: nil: whatever the hour is.
    ///   - zone: where the hub's sites are.
    func isDue(_ bytes: Int64, at now: Timestamp?, in zone: Zone) -> Bool {
        Double(bytes) / pace <= Self.short || now.map { Self.night.contains(zone.minute(at: $0) / 60) } ?? false
    }

    /// Learns how long it took.
    mutating func note(_ bytes: Int64, took: Duration) {
        // A small file tells little: its end is a write to the disk.
        guard bytes >= 1_000_000 else { return }
        pace = Double(bytes) / max(1, took / .milliseconds(1))
    }
}
