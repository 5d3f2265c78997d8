import Accounts
import HTTPServer
import Identity
import Ledger
import Pages
import Store
import System

/// What people do about alarms, for the screens, the interface and the buttons of notices.
struct AlarmActs: Sendable {
    let alarms: AlarmDesk
    let response: any AlarmResponse
    let store: Store
    let clock: WallClock

    /// Whether somebody says that an alarm is over; all else ends when its cause does, or at the panel.
    func canBeEnded(_ alarm: HouseAlarm) -> Bool {
        switch alarm.message {
        // A device that is dead describes itself no more, and a box that is gone obeys nothing.
        case .refusedDetector, .refusedDetectors, .orderRefused: true
        default: alarm.kind == .help || alarm.isDrill || response.hasLostCause(alarm)
        }
    }

    /// Somebody says that an alarm is over that has no cause of its own, or none that anything looks at.
    func end(_ alarm: HouseAlarm, by person: PersonID) throws {
        guard canBeEnded(alarm) else {
            throw Problem.conflict("this alarm ends when its cause does", type: "alarm-has-cause")
        }
        if response.hasLostCause(alarm) {
            response.endLostCause(alarm, by: person)
        } else {
            alarms.end(alarm.id, by: person)
        }
    }

    /// A moment for the disk, so that ledger and notices have what was done once it is answered; a full one keeps no person waiting.
    func written() async {
        for _ in 0..<20 where alarms.journal.waiting > 0 { try? await Task.sleep(for: .milliseconds(25)) }
    }

    /// The alarm that a path names.
    func alarm(_ request: Request) throws -> AlarmRecords.Logged {
        try alarm(
            try request.parameter("alarm", as: HouseAlarmID.self), at: try request.parameter("site", as: SiteID.self))
    }

    /// An alarm of a house as it is now, whatever of it is on the disk: the push led to its page, and it may be over by now.
    /// - Throws: 404.
    func alarm(_ id: HouseAlarmID, at site: SiteID) throws -> AlarmRecords.Logged {
        let unwritten = unwritten(at: site)
        let found =
            try store.read { try AlarmRecords.alarm(id, in: $0) }
            ?? unwritten.alarms.first { $0.id == id }.map(AlarmRecords.Logged.init(unwritten:))
        guard let found, found.alarm.site == site else { throw Problem.notFound() }
        return asTheyAre([found], at: site, unwritten.entries)[0]
    }

    /// A page of a house's alarms as they are now, the newest first.
    func log(
        of site: SiteID, before: HouseAlarmID?, kind: HouseAlarm.Kind?, limit: Int
    ) throws -> (items: [AlarmRecords.Logged], next: HouseAlarmID?) {
        let unwritten = unwritten(at: site)
        let page = try store.read {
            try AlarmRecords.log(
                of: site, unwritten: unwritten.alarms, before: before, kind: kind, limit: limit, in: $0)
        }
        return (asTheyAre(page.items, at: site, unwritten.entries), page.next)
    }

    /// What may not be on the disk: taken before it is read, so that what is written meanwhile is in both.
    private func unwritten(
        at site: SiteID
    ) -> (alarms: [HouseAlarm], entries: [HouseAlarmID: [AlarmJournal.Entry]]) {
        let (entries, standing) = (alarms.journal.waiting(at: site), alarms.standingInLog(at: site))
        let known = Set(standing.map(\.id))
        let over = entries.values.joined().compactMap { entry -> HouseAlarm? in
            if case .raised(let alarm) = entry, !known.contains(alarm.id) { alarm } else { nil }
        }
        return (standing + over, entries)
    }

    /// The desk knows what stands, and is asked after the disk.
    private func asTheyAre(
        _ logged: [AlarmRecords.Logged], at site: SiteID, _ entries: [HouseAlarmID: [AlarmJournal.Entry]]
    ) -> [AlarmRecords.Logged] {
        let standing = Dictionary(uniqueKeysWithValues: alarms.standingInLog(at: site).map { ($0.id, $0) })
        return logged.map { $0.asItIs(standing[$0.alarm.id], entries[$0.alarm.id] ?? [], at: clock.now) }
    }
}
