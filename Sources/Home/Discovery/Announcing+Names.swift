import Household
import Ledger
import Safeguard

// By what names people are told of an alarm.

extension Announcing {
    /// Whether a message calls something otherwise that counts in a house that is armed, or its device: "Front door" was opened, and not
    /// "Test, ignore".
    /// - Parameter before: what the message said before.
    func renames(_ now: DiscoveredDevice, _ before: DiscoveredDevice?, of gateway: Gateway) -> Bool {
        guard let mode = panel(gateway.site).mode else { return false }
        let device = devices.values.first { $0.gateway == gateway.id && $0.key == now.key }
        let isSensorRenamed = now.sensors.contains { new in
            guard let known = sensor(new.key, of: device?.id, at: gateway.id), counts(known, in: mode) else {
                return false
            }
            return Self.merged(known, before, new, in: known.device).name != known.name
        }
        if isSensorRenamed { return true }
        let isActuatorRenamed = now.actuators.contains { new in
            guard let known = actuator(new.key, of: device?.id, at: gateway.id), counts(known, in: mode) else {
                return false
            }
            let old = before?.actuators.first { $0.key == new.key }
            return Self.merged(known.name, old?.name, new.name) != known.name
        }
        return isActuatorRenamed || device.map { counts($0, in: mode) && isRenamed($0, now, before) } ?? false
    }

    private func isRenamed(_ device: Device, _ now: DiscoveredDevice, _ before: DiscoveredDevice?) -> Bool {
        let old = before?.key == now.key ? before : nil
        return Self.merged(device.name, old?.name, now.name) != device.name
            || Self.merged(device.area, old?.area ?? "", now.area) != device.area
    }

    private func counts(_ sensor: Sensor, in mode: ArmMode) -> Bool {
        sensor.retired == nil && sensor.counts(for: mode)
    }

    private func counts(_ actuator: Actuator, in mode: ArmMode) -> Bool {
        guard actuator.retired == nil else { return false }
        return actuator.kind.protects
            || actuator.kind.isSwitch
                && sensors.values.contains { $0.device == actuator.device && counts($0, in: mode) }
    }

    private func counts(_ device: Device, in mode: ArmMode) -> Bool {
        device.retired == nil
            && (sensors.values.contains { $0.device == device.id && counts($0, in: mode) }
                || actuators.values.contains { $0.device == device.id && counts($0, in: mode) })
    }
}
