import Ledger
import Safeguard
import System
import Testing

@testable import Home
@testable import Household

extension TestHouse {
    /// Care as after a start of the hub: by the tables and by what stands.
    func restartedCare() throws -> Care {
        return try Care(parts.registry, parts.live, parts.alarms, parts.panels, parts.store, parts.clock) {
            (_, _) throws(ActuationRefusal) in
        }
    }

    /// Of now.
    func reading(_ value: ReadingValue, isRetained: Bool = false) -> Reading {
        Reading(value, at: time.value, isRetained: isRetained)
    }

    /// The alarms of smoke, gas and water that stand.
    var fires: [HouseAlarmID] { alarms.standing(at: site.id).filter { $0.kind == .environmental }.map(\.id) }

    /// The faults that stand.
    var faults: [HouseAlarmID] { alarms.standing(at: site.id).filter { $0.kind == .fault }.map(\.id) }

    /// Gives a sensor another class.
    func mean(_ kind: SensorClass, by sensor: Sensor) async throws {
        var changed = sensor
        changed.alarmClass = kind
        let after = changed
        try await parts.registry.change(at: site.id) { try HomeRecords.change(after, in: $0) }
    }

    /// Arms it away and lets the time to leave go by.
    func armAway() throws {
        try panels.arm(.away, at: site.id, by: .person(anna))
        pass(60)
        #expect(panel.state == .armedAway)
    }
}
