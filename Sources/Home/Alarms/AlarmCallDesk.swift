import Accounts
import Identity
import Ledger
import Store
import System

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
