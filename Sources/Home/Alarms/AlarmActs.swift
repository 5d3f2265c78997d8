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

    /// A moment for the disk, so that the next page shows what was done; a full one keeps nobody waiting.
    func written() async {
        for _ in 0..<20 where alarms.journal.waiting > 0 { try? await Task.sleep(for: .milliseconds(25)) }
    }

    /// The alarm that a path names.
    func alarm(_ request: Request) throws -> AlarmRecords.Logged {
        try alarm(
            try request.parameter("alarm", as: HouseAlarmID.self), at: try request.parameter("site", as: SiteID.self))
    }

    /// An alarm of a house as it is now, whatever of it is on the disk.
    /// - Throws: 404.
    func alarm(_ id: HouseAlarmID, at site: SiteID) throws -> AlarmRecords.Logged {
        // Before it is read: what is written meanwhile is in both.
        let waiting = alarms.journal.waiting(for: id)
        let logged = try store.read { try AlarmRecords.alarm(id, in: $0) } ?? unwritten(id, at: site, waiting)
        guard let logged, logged.alarm.site == site else { throw Problem.notFound() }
        return waiting.reduce(logged) { $0.after($1) }
    }

    /// One that is not on the disk yet has its page already: the push led there, and it may be over by now.
    private func unwritten(
        _ id: HouseAlarmID, at site: SiteID, _ waiting: [AlarmJournal.Entry]
    ) -> AlarmRecords.Logged? {
        let raised = waiting.lazy.compactMap { if case .raised(let alarm) = $0 { alarm } else { nil } }.first
        let alarm = raised ?? alarms.standing(at: site).first { $0.id == id }
        return alarm.map(AlarmRecords.Logged.init(unwritten:))
    }
}
