import Accounts
import Identity
import Ledger
import Notices
import Pages
import Store
import System

/// How a house wants its people to be called, as it comes from outside.
struct AlarmCallForm {
    /// A field that will not do: `minutes`, `first`, `emergency`, `contacts`, `test`.
    struct Fault: Error, Equatable { let field: String }

    var minutes: Int?
    var first: [String] = []
    var emergency = ""
    var contacts: [(name: String, number: String)] = []
    var test: (weekday: Int, time: String)?

    /// - Parameter people: of the house.
    func settings(of people: Set<PersonID>) throws(Fault) -> AlarmSettings {
        var settings = AlarmSettings()
        if let minutes {
            guard (1...AlarmSettings.mostMinutes).contains(minutes) else { throw Fault(field: "minutes") }
            settings.minutesBetween = minutes
        }
        for text in first {
            guard let person = PersonID(text), people.contains(person), !settings.first.contains(person),
                settings.first.count < Recipients.mostInTurn
            else { throw Fault(field: "first") }
            settings.first.append(person)
        }
        guard let number = PhoneNumber(emergency) else { throw Fault(field: "emergency") }
        settings.emergency = number
        for one in contacts {
            let name = NoticeWords(one.name).title
            guard let number = PhoneNumber(one.number), (1...60).contains(name.count), name == one.name,
                settings.contacts.count < AlarmSettings.mostContacts
            else { throw Fault(field: "contacts") }
            settings.contacts.append(.init(name: name, number: number))
        }
        if let test {
            guard (1...7).contains(test.weekday), let minute = Self.minute(test.time) else {
                throw Fault(field: "test")
            }
            settings.weeklyTest = .init(weekday: test.weekday, minute: minute)
        }
        return settings
    }

    /// The minute of the day of `10:05`.
    static func minute(_ text: String) -> Int? {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy { (0x30...0x39).contains($0) } }),
            let hour = Int(String(parts[0]) ?? ""), let minute = Int(String(parts[1]) ?? ""), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// `10:05`
    static func text(ofMinute minute: Int) -> String {
        let (hour, rest) = minute.quotientAndRemainder(dividingBy: 60)
        return (hour < 10 ? "0" : "") + "\(hour)" + (rest < 10 ? ":0" : ":") + "\(rest)"
    }
}

extension AlarmSettings {
    /// In the words of the interface, for the log.
    fileprivate var audited: [(name: StaticString, value: String)] {
        [
            ("minutesBetween", minutesBetween.map(String.init) ?? ""),
            ("first", first.map(\.text).joined(separator: " ")), ("emergency", emergency.text),
            ("contacts", String(contacts.count)),
            (
                "test", weeklyTest.map { "\($0.weekday) \(AlarmCallForm.text(ofMinute: $0.minute))" } ?? ""
            ),
        ]
    }
}

/// Whom an alarm calls, and in which order, as a house has chosen it.
struct AlarmCallDesk: Sendable {
    let store: Store
    let clock: WallClock

    /// People of a house who may be called, by name.
    func callable(_ site: Site) throws -> [(id: PersonID, name: String)] {
        let today = site.zone.day(at: clock.now)
        return try store.read { database in
            let members = Set(
                try AccountRecords.memberships(at: site.id, in: database).filter {
                    AlarmCall.permissions.contains($0.permission) && $0.holds(on: today)
                }.map(\.person))
            return try members.compactMap { try AccountRecords.person($0, in: database) }.map { ($0.id, $0.name) }
                .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        }
    }

    /// Keeps how people of a house are called, and tells its chain.
    func setCall(_ form: AlarmCallForm, _ site: Site, by person: PersonID) async throws {
        let settings = try form.settings(of: Set(try callable(site).map(\.id)))
        let now = clock.now
        try await store.write { database in
            let before = try AlarmCallRecords.settings(of: site.id, in: database)
            try AlarmCallRecords.put(settings, of: site.id, in: database)
            // Of contacts, who need have no part in this hub, only how many there are.
            try Audit(
                "home.call.changed", ("house", site.id.text), before: before.audited, after: settings.audited
            ).append(at: now, site: site.id, by: person, in: database)
        }
    }
}
