import System

/// When somebody wants to hear nothing: from a minute of the day to another, on some days.
public struct QuietHours: Sendable, Equatable {
    /// When they begin, in minutes of the day, 0 to 1439.
    public let from: Int
    /// When they end; not after `from`: on the next day. The same minute: a whole day.
    public let to: Int
    /// The days on which they begin: 1 is Monday, 7 Sunday.
    public let days: Set<Int>

    /// Every day of the week.
    public static let everyDay = Set(1...7)

    /// Nil unless both are minutes of a day and there is a day.
    public init?(from: Int, to: Int, days: Set<Int> = everyDay) {
        let minutes = 0..<1_440
        guard minutes.contains(from), minutes.contains(to), !days.isEmpty, days.isSubset(of: Self.everyDay) else {
            return nil
        }
        (self.from, self.to, self.days) = (from, to, days)
    }

    /// When the quiet that is now ends; nil when it is not quiet. Hours that follow one another without a pause are one, for at most a
    /// week.
    public func end(at now: Timestamp, in zone: Zone) -> Timestamp? {
        var end: Timestamp?
        for _ in 1...8 {
            guard let next = endOfOne(at: end ?? now, in: zone) else { break }
            end = next
        }
        return end
    }

    private func endOfOne(at time: Timestamp, in zone: Zone) -> Timestamp? {
        let today = zone.day(at: time)
        for day in [today.adding(days: -1), today] where days.contains(day.weekday) {
            let start = zone.moment(from, of: day, .first)
            let end = zone.moment(to > from ? to : to + 1_440, of: day, .last)
            if start <= time && time < end { return end }
        }
        return nil
    }
}

/// How somebody wants to be told. The inbox holds everything, whatever they say here.
public struct NoticePreferences: Sendable, Equatable {
    /// What is pushed to their devices.
    public var push: Set<NoticeGroup> = [.security, .doors, .home, .site]
    /// What comes by mail. What concerns the safety of their account always does.
    public var mail: Set<NoticeGroup> = [.security, .site]
    /// When nothing but what is critical is told; nil: never.
    public var quiet: QuietHours?
    /// Whether a lock screen may show names and places.
    public var showsDetails = false

    /// As it is unless somebody says otherwise.
    public init() {}
}
