import Household
import Ledger
import Safeguard
import Store
import System

// What a device says of itself while its house is armed, or sounds.

extension Panel {
    /// Whether what protects the house stays as it is, whatever its devices say of themselves: a siren that sounds has to be found to end.
    var holdsDevices: Bool { mode != nil || isSounding }
}

extension Announcing {
    /// What protects a house that is armed or sounds, and that a device no longer describes as it did when that began.
    struct Withheld: Sendable {
        /// With their names.
        var sensors: [SensorID: String] = [:]
        /// The names of sirens, valves, fans and detectors' switches.
        var actuators: [String] = []
        /// Whether something would be called otherwise; that alone protects no less.
        var isRenamed = false

        var isEmpty: Bool { sensors.isEmpty && actuators.isEmpty && !isRenamed }
    }

    /// What of a house that is armed would no longer protect it as it did. In an alarm of one that is not, what watches only an armed house
    /// is taken as it says it is; smoke that stands is not over because its detector is described no more.
    /// - Parameter told: what the message says, and what it said before; nil: that it is gone.
    func withheld(
        from told: (now: DiscoveredDevice, before: DiscoveredDevice?)?, _ topic: String, of gateway: Gateway
    ) throws -> Withheld {
        var withheld = Withheld()
        let panel = panel(gateway.site)
        guard holdsDevices(of: gateway.site) else { return withheld }
        let device = told.flatMap { told in
            devices.values.first { $0.gateway == gateway.id && $0.key == told.now.key }
        }
        func watches(_ sensor: Sensor) -> Bool {
            sensor.retired == nil && (sensor.counts(for: panel.mode) || sensor.kind == .panic)
        }
        for new in told?.now.sensors ?? [] {
            guard let known = sensor(new.key, of: device?.id, at: gateway.id), watches(known) else { continue }
            var after = Self.merged(known, told?.before, new, in: known.device)
            after.name = known.name
            // Away from its device it no longer says whose switch it is that switches it off.
            if after != known || device?.id != known.device { withheld.sensors[known.id] = known.name }
        }
        let sensorsLeft = Set(told?.now.sensors.map(\.key) ?? [])
        for key in try AnnouncementRecords.claims(.sensor, topic, of: gateway.id, in: database)
        where !sensorsLeft.contains(key) {
            for sensor in sensors.values
            where sensor.key == key && watches(sensor) && isDiscovered(sensor.device, at: gateway.id) {
                withheld.sensors[sensor.id] = sensor.name
            }
        }
        func protects(_ actuator: Actuator) -> Bool {
            guard actuator.retired == nil else { return false }
            if actuator.kind.protects { return true }
            // A detector's own switch, which anybody would tell what they like if it were a lamp.
            return actuator.kind.isSwitch && sensors.values.contains { $0.device == actuator.device && watches($0) }
        }
        for new in told?.now.actuators ?? [] {
            let known = actuator(new.key, of: device?.id, at: gateway.id)
            if let known, protects(known) {
                if new.kind != known.kind || new.binding != known.binding || device?.id != known.device {
                    withheld.actuators.append(known.name)
                }
                continue
            }
            if known?.binding == new.binding { continue }
            // By another name: what is told to that one, this one hears.
            let heard = actuators.values.filter { one in
                guard one.gateway == gateway.id, protects(one) else { return false }
                // Or what it is told would be taken for what that one says.
                let isSaid = one.kind.protects && one.kind != new.kind
                return !one.binding.topics.union(isSaid ? one.binding.reports : []).isDisjoint(with: new.binding.topics)
            }
            withheld.actuators += heard.map(\.name).sorted()
            // What it is told would be a detector's reading, or the end of it.
            let taken = sensors.values.filter { sensor in
                devices[sensor.device]?.gateway == gateway.id && watches(sensor)
                    && (new.binding.topics.contains(sensor.binding.topic)
                        || sensor.binding.availability.contains { new.binding.topics.contains($0.topic) })
            }
            withheld.actuators += taken.map(\.name).sorted()
        }
        let actuatorsLeft = Set(told?.now.actuators.map(\.key) ?? [])
        for key in try AnnouncementRecords.claims(.actuator, topic, of: gateway.id, in: database)
        where !actuatorsLeft.contains(key) {
            for actuator in actuators.values
            where actuator.key == key && protects(actuator) && isDiscovered(actuator.device, at: gateway.id) {
                withheld.actuators.append(actuator.name)
            }
        }
        return withheld
    }
}
