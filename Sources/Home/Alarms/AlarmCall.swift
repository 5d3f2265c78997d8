import Accounts
import Identity
import Ledger
import Pages
import System

/// How the people of a house are called when there is an alarm, as the house has chosen.
struct AlarmSettings: Sendable, Equatable {
    /// Somebody whom one calls by phone: a neighbour, the fire brigade of the village.
    struct Contact: Sendable, Equatable {
        /// What people call them; at most 60 characters.
        var name: String
        /// Digits, with a plus in front where it has one.
        var number: PhoneNumber
    }
    /// When the alarm's own way is tried without anybody asking for it.
    struct WeeklyTest: Sendable, Equatable {
        /// 1 is Monday, 7 Sunday.
        var weekday: Int
        /// Of the day at the house, 0 to 1,439.
        var minute: Int
    }

    /// At most so many contacts.
    /// - Key: house
    static let mostContacts = 8
    /// Unless the house says otherwise: the number that every telephone in Europe, and most elsewhere, leads to help.
    static let usualEmergency = PhoneNumber("112")!
    /// People who are all called at once are called again after so many minutes, while nobody takes care.
    static let usualMinutes = 5
    /// At most so many minutes between two.
    static let mostMinutes = 60

    /// One after the other, so many minutes apart; nil: all at once.
    var minutesBetween: Int?
    /// Who is called first, in order; the others come after them.
    var first: [PersonID] = []
    /// Whom to call when it burns.
    var emergency = Self.usualEmergency
    /// Whom else.
    var contacts: [Contact] = []
    /// When the way is tried by itself; nil: only when somebody asks.
    var weeklyTest: WeeklyTest?
}

/// Whom to tell of an alarm now.
struct AlarmCall: Sendable, Equatable {
    /// What the house is called.
    var house: String
    /// Its people, in the order in which they are called.
    var people: [PersonID]
    /// How.
    var minutesBetween: Int?

    /// Those who are told of alarms.
    static let permissions = Permission.atHome

    /// - Parameters:
    ///   - memberships: of the house, that hold today.
    ///   - settings: the house's.
    init(house: String, memberships: [Membership], settings: AlarmSettings) {
        let rank: [Permission: Int] = [.owner: 0, .manager: 1, .member: 2]
        var best: [PersonID: Int] = [:]
        for one in memberships {
            guard let rank = rank[one.permission] else { continue }
            best[one.person] = min(best[one.person] ?? rank, rank)
        }
        let first = settings.first.filter { best[$0] != nil }
        let others = best.filter { !first.contains($0.key) }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        (self.house, people, minutesBetween) = (house, first + others.map(\.key), settings.minutesBetween)
    }

    /// After so long, in milliseconds, everybody is told again while nobody takes care.
    var round: Int64 {
        let minutes = minutesBetween.map { $0 * max(people.count, 1) } ?? AlarmSettings.usualMinutes
        return Int64(minutes) * 60_000
    }
}
