import Pages
import System

extension HomeLiveWords {
    /// How long ago something was: `12 s ago`. What lies ahead, by a clock that is not right, is now.
    func age(of time: Timestamp?, at now: Timestamp) -> String {
        guard let time else { return never }
        let seconds = max(0, now.milliseconds - time.milliseconds) / 1000
        return switch seconds {
        case 0..<2: self.now
        case 2..<60: Self.filled(self.seconds, with: seconds)
        case 60..<3_600: Self.filled(minutes, with: seconds / 60)
        case 3_600..<172_800: Self.filled(hours, with: seconds / 3_600)
        default: Self.filled(days, with: seconds / 86_400)
        }
    }

    private static func filled(_ words: String, with count: Int64) -> String {
        words.split(separator: "{n}", maxSplits: 1, omittingEmptySubsequences: false).joined(separator: "\(count)")
    }

    /// The words that the island puts ages together from.
    var forIsland: HTML {
        data(
            id: "home-words",
            ["now": now, "seconds": seconds, "minutes": minutes, "hours": hours, "days": days, "never": never])
    }
}
