import Accounts
import Household
import HTTPServer
import Identity
import Ledger
import Safeguard
import Store
import System

/// Changes what devices, sensors and actuators are called and mean, takes them out of use and back, and adds such as describe nothing of
/// themselves.
struct DevicesDesk: Sendable {
    /// The most sensors and actuators of a gateway that are added by hand.
    /// - Key: gateway
    static let most = 256

    let registry: Registry
    let store: Store
    let clock: WallClock

    private var now: Timestamp { clock.now }

    // MARK: found, in use or not

    /// - Throws: 404.
    func device(_ id: DeviceID, at site: SiteID) throws -> Device {
        try store.read { try Self.device(id, at: site, in: $0) }
    }

    /// - Throws: 404.
    func sensor(_ id: SensorID, at site: SiteID) throws -> Sensor {
        try store.read { try Self.sensor(id, at: site, in: $0) }
    }

    /// - Throws: 404.
    func actuator(_ id: ActuatorID, at site: SiteID) throws -> Actuator {
        try store.read { try Self.actuator(id, at: site, in: $0) }
    }

    private static func device(_ id: DeviceID, at site: SiteID, in database: Database) throws -> Device {
        try found(try HomeRecords.devices(at: site, in: database).first { $0.id == id })
    }

    private static func sensor(_ id: SensorID, at site: SiteID, in database: Database) throws -> Sensor {
        try found(try HomeRecords.sensors(at: site, in: database).first { $0.id == id })
    }

    private static func actuator(_ id: ActuatorID, at site: SiteID, in database: Database) throws -> Actuator {
        try found(try HomeRecords.actuators(at: site, in: database).first { $0.id == id })
    }

    private static func found<One>(_ one: One?) throws(Problem) -> One {
        guard let one else { throw .notFound() }
        return one
    }

    // MARK: changed

    /// Changes the tables, unless a siren, a valve or a fan of the house could not be commanded any more.
    /// - Throws: `DeviceFault.mutes`, with nothing done.
    private func changing<T: Sendable>(
        _ site: SiteID, _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await registry.change(at: site) { database in
            do { return try Muting.refused(at: site, in: database) { try body(database) } } catch is Muting {
                throw DeviceFault.mutes
            }
        }
    }

    /// What people call a device, and in which room it is; nil leaves it as it is.
    func change(
        _ id: DeviceID, at site: SiteID, name: String?, area: String?, isInUse: Bool? = nil, by person: PersonID
    ) async throws {
        let now = now
        try await changing(site) { database in
            let before = try Self.device(id, at: site, in: database)
            var device = before
            if let name { device.name = try DeviceRules.name(name) }
            if let area { device.area = try DeviceRules.area(area) }
            if let isInUse { device.retired = isInUse ? nil : device.retired ?? now }
            if device == before { return }
            try HomeRecords.put(device, in: database)
            if before.retired != nil { try Self.leaveOutWhatIsTaken(of: device, at: now, by: person, in: database) }
            try Audit(
                "home.device.changed", ("device", id.text), before: Self.told(before), after: Self.told(device)
            ).append(at: now, site: site, by: person, in: database)
        }
    }

    /// What a sensor is called and means. Where its values come from stays: that says the device, or whoever added it.
    /// - Parameter edit: changes what is known of it where that is written; what it leaves alone stays as others have it by then.
    func change(
        _ id: SensorID, at site: SiteID, isInUse: Bool? = nil, by person: PersonID,
        _ edit: @escaping @Sendable (SensorEntry) throws -> SensorEntry = { $0 }
    ) async throws {
        let now = now
        try await changing(site) { database in
            let before = try Self.sensor(id, at: site, in: database)
            var sensor = before
            try Self.take(try edit(SensorEntry(before)), into: &sensor)
            if let isInUse { sensor.retired = isInUse ? nil : sensor.retired ?? now }
            if sensor == before { return }
            try HomeRecords.change(sensor, in: database)
            try Audit(
                "home.sensor.changed", ("sensor", id.text), before: Self.told(before), after: Self.told(sensor)
            ).append(at: now, site: site, by: person, in: database)
        }
    }

    private static func take(_ entry: SensorEntry, into sensor: inout Sensor) throws(DeviceFault) {
        sensor.name = try DeviceRules.name(entry.name)
        sensor.unit = try DeviceRules.unit(entry.unit)
        sensor.range = try DeviceRules.range(entry.low, entry.high)
        sensor.period = try DeviceRules.period(entry.period)
        sensor.alarmClass = try DeviceRules.alarmClass(entry.alarmClass)
    }

    /// What an actuator is called, and whether it is used.
    func change(
        _ id: ActuatorID, at site: SiteID, name: String?, isInUse: Bool? = nil, by person: PersonID
    ) async throws {
        let now = now
        try await changing(site) { database in
            let before = try Self.actuator(id, at: site, in: database)
            var actuator = before
            if let name { actuator.name = try DeviceRules.name(name) }
            if let isInUse { actuator.retired = isInUse ? nil : actuator.retired ?? now }
            if actuator == before { return }
            let isByHand = try Self.device(actuator.device, at: site, in: database).isByHand
            if before.retired != nil, actuator.retired == nil, isByHand, Self.isTaken(actuator, registry.catalog) {
                throw DeviceFault.duplicate
            }
            try HomeRecords.put(actuator, in: database)
            try Audit(
                "home.actuator.changed", ("actuator", id.text), before: Self.told(before), after: Self.told(actuator)
            ).append(at: now, site: site, by: person, in: database)
        }
    }

    /// Whether something else listens meanwhile where one that was added by hand would listen again.
    private static func isTaken(_ actuator: Actuator, _ catalog: Catalog) -> Bool {
        catalog.hears(actuator.binding.topics, at: actuator.gateway, butFor: actuator.id)
            || !catalog.unusedOthers(hearing: actuator).isEmpty
    }

    /// A device is in use again: what was added by hand to it, and would tell meanwhile something else what it is told, stays out of use.
    private static func leaveOutWhatIsTaken(
        of device: Device, at now: Timestamp, by person: PersonID, in database: Database
    ) throws {
        guard device.isByHand else { return }
        let catalog = try Catalog(of: device.site, in: database)
        for before in catalog.actuators(of: device.id) where isTaken(before, catalog) {
            var actuator = before
            actuator.retired = now
            try HomeRecords.put(actuator, in: database)
            try Audit(
                "home.actuator.changed", ("actuator", actuator.id.text), before: told(before), after: told(actuator)
            ).append(at: now, site: device.site, by: person, in: database)
        }
    }

    // MARK: added by hand

    /// Adds a sensor that does not describe itself.
    func add(sensor entry: SensorEntry, at site: SiteID, by person: PersonID) async throws -> Sensor {
        let gateway = try gateway(entry.gateway, at: site)
        guard let kind = SensorKind(rawValue: entry.kind) else { throw DeviceFault.kind }
        let name = try DeviceRules.name(entry.name)
        let (topic, path) = (try DeviceRules.topic(entry.topic), try DeviceRules.member(entry.member))
        let words = try DeviceRules.words(entry.on, entry.off)
        let (unit, range) = (try DeviceRules.unit(entry.unit), try DeviceRules.range(entry.low, entry.high))
        let period = try DeviceRules.period(entry.period)
        // Who adds a smoke detector wants to be warned of smoke. That it is to mean nothing is said on its own page.
        let alarmClass = try DeviceRules.alarmClass(entry.alarmClass) ?? kind.usualClass
        let taken = registry.catalog.sensors(at: site).contains {
            registry.catalog.devices[$0.device]?.gateway == gateway.id && $0.binding.topic == topic
                && $0.binding.path == path
        }
        if taken { throw DeviceFault.duplicate }
        let now = now
        let id = try await adding(to: gateway, "home.sensor.added", "sensor", by: person) { device, database in
            let all = try HomeRecords.sensors(at: device.site, in: database).filter { $0.device == device.id }
            let same = all.filter { $0.binding.topic == topic && $0.binding.path == path }
            if same.contains(where: { $0.retired == nil }) { throw DeviceFault.duplicate }
            // The same that was there before, with all that it told.
            let former = same.first { $0.kind == kind && $0.unit == unit }
            let sensor = Sensor(
                id: former?.id ?? .new(at: now), number: former?.number ?? 0, device: device.id, site: site,
                key: former?.key ?? Self.key(topic, path, butFor: all.map(\.key)), name: name, kind: kind, unit: unit,
                range: range, period: period, alarmClass: alarmClass,
                binding: SensorBinding(topic: topic, path: path, on: words.on, off: words.off))
            if former == nil {
                try HomeRecords.add(sensor, in: database)
            } else {
                try HomeRecords.change(sensor, in: database)
            }
            return (sensor.id, Self.told(sensor))
        }
        return try sensor(id, at: site)
    }

    /// Adds an actuator that does not describe itself. What was added for its topic before and is out of use becomes it. Where that
    /// protects and would be something else, or hear other words, it takes a fresh proof, and so does the topic of what protected and is
    /// described no more: what is out of use hears on.
    /// - Throws: `DeviceFault`; 403 without a fresh proof.
    func add(actuator entry: ActuatorEntry, at site: SiteID, by principal: Principal) async throws -> Actuator {
        let gateway = try gateway(entry.gateway, at: site)
        guard let kind = ActuatorKind(rawValue: entry.kind) else { throw DeviceFault.kind }
        let (name, topic) = (try DeviceRules.name(entry.name), try DeviceRules.topic(entry.topic))
        let words = try DeviceRules.words(entry.on, entry.off)
        let takesValue = [.fan, .display, .number].contains(kind)
        let now = now
        let id = try await adding(to: gateway, "home.actuator.added", "actuator", by: principal.person.id) {
            device, database in
            let all = try HomeRecords.actuators(at: device.site, in: database).filter { $0.device == device.id }
            let same = all.filter { $0.binding.topics == [topic] }
            if same.contains(where: { $0.retired == nil }) { throw DeviceFault.duplicate }
            let former = same.first { $0.kind == kind } ?? same.first
            var actuator = Actuator(
                id: former?.id ?? .new(at: now), device: device.id, site: site, gateway: gateway.id,
                key: former?.key ?? Self.key(topic, [], butFor: all.map(\.key)), name: name, kind: kind,
                binding: ActuatorBinding(
                    commandTopic: takesValue ? nil : topic, on: words.on ?? "ON", off: words.off ?? "OFF",
                    valueTopic: takesValue ? topic : nil))
            let catalog = try Catalog(of: site, in: database)
            // What is sent there would be done by another actuator, or taken for what a sensor says.
            if catalog.hears([topic], at: gateway.id) { throw DeviceFault.duplicate }
            let others = catalog.unusedOthers(hearing: actuator)
            if others.contains(where: { $0.gone == nil }) { throw DeviceFault.outOfUse }
            // Who calls a valve a light, or its word for closing the one for opening, opens it.
            let isRedescribed = same.contains { $0.kind.protects && ($0.kind, $0.binding) != (kind, actuator.binding) }
            if isRedescribed || !others.isEmpty { try Routes.requireFreshProof(principal, at: now) }
            actuator.proven = others.isEmpty ? nil : now
            try HomeRecords.put(actuator, in: database)
            return (actuator.id, Self.told(actuator))
        }
        return try actuator(id, at: site)
    }

    private func gateway(_ text: String, at site: SiteID) throws(DeviceFault) -> Gateway {
        guard let id = GatewayID(text), let gateway = registry.catalog.gateways[id], gateway.site == site
        else { throw .gateway }
        return gateway
    }

    /// In one transaction: the device that things added by hand hang on, the thing, and the event.
    /// - Parameter body: puts it there, and says which and how the event tells of it.
    private func adding<Name>(
        to gateway: Gateway, _ kind: String, _ subject: StaticString, by person: PersonID,
        _ body:
            @escaping @Sendable (Device, Database) throws -> (ID<Name>, [(name: StaticString, value: String)])
    ) async throws -> ID<Name> {
        let now = now
        return try await changing(gateway.site) { database in
            let own = try HomeRecords.devices(at: gateway.site, in: database).first {
                $0.gateway == gateway.id && $0.isByHand
            }
            var device =
                own
                ?? Device(
                    id: .new(at: now), site: gateway.site, gateway: gateway.id, key: Device.keyByHand,
                    name: gateway.name, origin: .added)
            device.retired = nil
            if device != own {
                try HomeRecords.put(device, in: database)
                try Self.leaveOutWhatIsTaken(of: device, at: now, by: person, in: database)
            }
            let (id, told) = try body(device, database)
            let count =
                try HomeRecords.sensors(at: device.site, in: database).count { $0.device == device.id }
                + HomeRecords.actuators(at: device.site, in: database).count { $0.device == device.id }
            if count > Self.most { throw DeviceFault.tooMany }
            try Audit(kind, (subject, id.text), after: told)
                .append(at: now, site: gateway.site, by: person, in: database)
            return id
        }
    }

    /// One for each topic and path, of letters, digits, `_` and `-`, and not one of the others.
    private static func key(_ topic: String, _ path: [String], butFor others: [String]) -> String {
        let plain = String(
            ([topic] + path).joined(separator: "-").map {
                $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "-"
            })
        let taken = Set(others)
        return ([plain] + (2...most + 1).map { "\(plain)-\($0)" }).first { !taken.contains($0) } ?? plain
    }

    // MARK: as events tell them

    private static func told(_ device: Device) -> [(name: StaticString, value: String)] {
        [("name", device.name), ("area", device.area), ("inUse", device.retired == nil ? "true" : "false")]
    }

    private static func told(_ sensor: Sensor) -> [(name: StaticString, value: String)] {
        [
            ("name", sensor.name), ("kind", sensor.kind.rawValue), ("unit", sensor.unit),
            ("low", sensor.range.map { "\($0.lowerBound)" } ?? ""),
            ("high", sensor.range.map { "\($0.upperBound)" } ?? ""), ("period", sensor.period.map { "\($0)" } ?? ""),
            ("class", sensor.alarmClass?.name ?? ""), ("inUse", sensor.retired == nil ? "true" : "false"),
        ]
    }

    private static func told(_ actuator: Actuator) -> [(name: StaticString, value: String)] {
        [
            ("name", actuator.name), ("kind", actuator.kind.rawValue),
            ("inUse", actuator.retired == nil ? "true" : "false"),
        ]
    }
}
