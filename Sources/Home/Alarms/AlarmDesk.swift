import Accounts
import Ledger
import Notices
import Platform
import Store
import Synchronization
import System

/// Where alarms are raised and ended: it tells people first, and writes down second.
final class AlarmDesk: Sendable {
    private let given: Given
    private let standing = Mutex<[HouseAlarmID: HouseAlarm]>([:])

    init(_ given: Given) { self.given = given }

    /// Raises an alarm, now: waits for nothing.
    @discardableResult
    func raise(
        _ kind: HouseAlarm.Kind, at site: SiteID, sensor: SensorID? = nil, value: Double? = nil, _ text: LocalizedText,
        isDrill: Bool = false
    ) -> HouseAlarmID {
        let now = given.clock.now
        let alarm = HouseAlarm(
            id: .new(at: now), site: site, kind: kind, sensor: sensor, text: text, value: value, isDrill: isDrill,
            at: now)
        standing.withLock { $0[alarm.id] = alarm }
        return alarm.id
    }

    /// Its cause is over, or somebody ended it.
    /// - Parameter person: who; nil: it ended by itself.
    func end(_ id: HouseAlarmID, by person: PersonID? = nil) { standing.withLock { $0[id] = nil } }

    /// Those of a house that have not ended.
    func standing(at site: SiteID) -> [HouseAlarm] {
        standing.withLock { $0.values.filter { $0.site == site } }.sorted { $0.id < $1.id }
    }
}
