import Household
import Store

// What a device describes never mutes a siren, a valve or a fan that was there first.

extension Announcing {
    /// Puts the parts of a message into the tables, without those for which the hub could no longer command a siren, a valve or a fan.
    /// - Returns: what of it was taken, with the reasons for the rest, and the names of what the rest would have muted; nil: there are too
    ///   many devices.
    mutating func placeWhatFits(
        _ described: DiscoveredDevice, _ before: DiscoveredDevice?, _ topic: String, of gateway: Gateway
    ) throws -> (taken: DiscoveredDevice, muted: [String])? {
        func place(_ part: DiscoveredDevice, _ all: inout Announcing) throws -> (hasRoom: Bool, muted: [String]) {
            var hasRoom = true
            let muted = try all.undoingWhatMutes(gateway) { hasRoom = try $0.place(part, before, topic, of: gateway) }
            return (hasRoom, muted)
        }
        let whole = try place(described, &self)
        guard whole.hasRoom else { return nil }
        if whole.muted.isEmpty { return (described, []) }
        try leaveOutWhatMutes(described.key, topic, of: gateway)
        var taken = described
        (taken.sensors, taken.actuators) = ([], [])
        // One after the other: which of two comes first decides, and what measures comes before what is switched.
        for part in described.parts {
            let placed = try place(part, &self)
            guard placed.hasRoom else { return nil }
            guard let name = placed.muted.first else {
                taken.sensors += part.sensors
                taken.actuators += part.actuators
                continue
            }
            taken.refused += (part.sensors.map(\.name) + part.actuators.map(\.name)).map {
                DiscoveredDevice.Refused(component: $0, why: DiscoveryRefusal(.reserved, name))
            }
        }
        return (taken, whole.muted)
    }

    /// Takes those parts of a device that is out of use out of use themselves which would mute something if it came back: its other parts
    /// come back without them. A detector comes before the switch of its device.
    private mutating func leaveOutWhatMutes(_ key: String, _ topic: String, of gateway: Gateway) throws {
        guard let device = devices.values.first(where: { $0.gateway == gateway.id && $0.key == key }),
            device.retired != nil
        else { return }
        let before = try muted(at: gateway)
        let own = (
            sensors: sensors.values.filter { $0.device == device.id && $0.retired == nil },
            actuators: actuators.values.filter { $0.device == device.id && $0.retired == nil }
        )
        func mutes(_ these: [Sensor], _ those: [Actuator]) throws -> Bool {
            var back = self
            back.devices[device.id]?.retired = nil
            for sensor in own.sensors where !these.contains(sensor) { back.sensors[sensor.id] = nil }
            for actuator in own.actuators where !those.contains(actuator) { back.actuators[actuator.id] = nil }
            return try !back.muted(at: gateway).isSubset(of: before)
        }
        var staying: [Sensor] = []
        for sensor in own.sensors.sorted(by: { $0.number < $1.number }) {
            if try mutes(staying + [sensor], []) {
                try takeOut(sensor: sensor.key, topic, of: gateway)
            } else {
                staying.append(sensor)
            }
        }
        for actuator in own.actuators where try mutes(staying, [actuator]) {
            try takeOut(actuator: actuator.key, topic, of: gateway)
        }
    }

    /// Changes the tables and what is known of them, and undoes both if a siren, a valve or a fan of the gateway is muted by it.
    /// - Returns: the names of those, first of what was there before.
    private mutating func undoingWhatMutes(
        _ gateway: Gateway, _ body: (inout Announcing) throws -> Void
    ) throws -> [String] {
        let (known, mutedBefore) = (actuators, try muted(at: gateway))
        var names: [String] = []
        try undoing { all in
            try body(&all)
            let muted = try all.muted(at: gateway).subtracting(mutedBefore)
            let (old, new) = (muted.filter { known[$0] != nil }, muted.filter { known[$0] == nil })
            names = [old, new].flatMap { $0.compactMap { all.actuators[$0]?.name }.sorted() }
            return muted.isEmpty
        }
        return names
    }

    /// Changes the tables and what is known of them, and undoes both where the body answers no.
    mutating func undoing(_ body: (inout Announcing) throws -> Bool) throws {
        let before = self
        try database.execute("SAVEPOINT announcing")
        if try !body(&self) {
            self = before
            try database.execute("ROLLBACK TO announcing")
        }
        try database.execute("RELEASE announcing")
    }

    private func muted(at gateway: Gateway) throws -> Set<ActuatorID> {
        guard actuators.values.contains(where: { $0.gateway == gateway.id && $0.retired == nil && $0.kind.protects })
        else { return [] }
        let own = devices.values.filter { $0.gateway == gateway.id }
        let gone = try HomeRecords.goneActuators(at: gateway.site, in: database)
        return Catalog([gateway], own, sensors.values, actuators.values, gone: gone).muted(at: gateway.id)
    }
}

extension DiscoveredDevice {
    /// The device with one of its sensors or actuators each, sensors first.
    fileprivate var parts: [DiscoveredDevice] {
        var bare = self
        (bare.sensors, bare.actuators) = ([], [])
        func with(_ change: (inout DiscoveredDevice) -> Void) -> DiscoveredDevice {
            var part = bare
            change(&part)
            return part
        }
        return sensors.map { one in with { $0.sensors = [one] } }
            + actuators.map { one in with { $0.actuators = [one] } }
    }
}
