import Accounts
import HTTPServer
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
    /// What a gateway's things that were added by hand hang on.
    static let byHand = "by-hand"

    let household: Household

    private var now: Timestamp { household.clock.now }

    // MARK: found, in use or not

    /// - Throws: 404.
    func device(_ id: DeviceID, at site: SiteID) throws -> Device {
        try find { try HomeRecords.devices(in: $0).first { $0.id == id && $0.site == site } }
    }

    /// - Throws: 404.
    func sensor(_ id: SensorID, at site: SiteID) throws -> Sensor {
        try find { try HomeRecords.sensors(in: $0).first { $0.id == id && $0.site == site } }
    }

    /// - Throws: 404.
    func actuator(_ id: ActuatorID, at site: SiteID) throws -> Actuator {
        try find { try HomeRecords.actuators(in: $0).first { $0.id == id && $0.site == site } }
    }

    private func find<One>(_ body: (Database) throws -> One?) throws -> One {
        guard let found = try household.store.read(body) else { throw Problem.notFound() }
        return found
    }

    // MARK: changed

    /// What people call a device, and in which room it is; nil leaves it as it is.
    func change(
        _ id: DeviceID, at site: SiteID, name: String?, area: String?, isInUse: Bool? = nil, by person: PersonID
    ) async throws {
        var device = try device(id, at: site)
        let before = device
        if let name { device.name = try DeviceRules.name(name) }
        if let area { device.area = try DeviceRules.area(area) }
        if let isInUse { device.retired = isInUse ? nil : device.retired ?? now }
        if device == before { return }
        try await write("home.device.changed", ("device", id.text), Self.told(before), Self.told(device), site, person)
        { [device] in try HomeRecords.put(device, in: $0) }
    }

    /// What a sensor is called and means. Where its values come from stays: that says the device, or whoever added it.
    func change(
        _ id: SensorID, at site: SiteID, _ entry: SensorEntry, isInUse: Bool? = nil, by person: PersonID
    ) async throws {
        var sensor = try sensor(id, at: site)
        let before = sensor
        sensor.name = try DeviceRules.name(entry.name)
        sensor.unit = try DeviceRules.unit(entry.unit)
        sensor.range = try DeviceRules.range(entry.low, entry.high)
        sensor.period = try DeviceRules.period(entry.period)
        sensor.alarmClass = try DeviceRules.alarmClass(entry.alarmClass)
        if let isInUse { sensor.retired = isInUse ? nil : sensor.retired ?? now }
        if sensor == before { return }
        try await write("home.sensor.changed", ("sensor", id.text), Self.told(before), Self.told(sensor), site, person)
        { [sensor] in try HomeRecords.change(sensor, in: $0) }
    }

    /// What an actuator is called, and whether it is used.
    func change(
        _ id: ActuatorID, at site: SiteID, name: String?, isInUse: Bool? = nil, by person: PersonID
    ) async throws {
        var actuator = try actuator(id, at: site)
        let before = actuator
        if let name { actuator.name = try DeviceRules.name(name) }
        if let isInUse { actuator.retired = isInUse ? nil : actuator.retired ?? now }
        if actuator == before { return }
        if before.retired != nil, actuator.retired == nil {
            let topics = Set([actuator.binding.commandTopic, actuator.binding.valueTopic].compactMap { $0 })
            let isByHand = household.registry.catalog.devices[actuator.device]?.isByHand == true
            if isByHand, household.registry.catalog.hears(topics, at: actuator.gateway, butFor: id) {
                throw DeviceFault.duplicate
            }
        }
        try await write(
            "home.actuator.changed", ("actuator", id.text), Self.told(before), Self.told(actuator), site, person
        ) { [actuator] in try HomeRecords.put(actuator, in: $0) }
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
        let alarmClass = try DeviceRules.alarmClass(entry.alarmClass)
        let taken = household.registry.catalog.sensors(at: site).contains {
            household.registry.catalog.devices[$0.device]?.gateway == gateway.id && $0.binding.topic == topic
                && $0.binding.path == path
        }
        if taken { throw DeviceFault.duplicate }
        let id = SensorID.new(at: now)
        try await adding(to: gateway, "home.sensor.added", ("sensor", id.text), by: person) { device, database in
            let sensor = Sensor(
                id: id, number: 0, device: device.id, site: site, key: Self.key(topic, path), name: name, kind: kind,
                unit: unit, range: range, period: period, alarmClass: alarmClass,
                binding: SensorBinding(topic: topic, path: path, on: words.on, off: words.off))
            try HomeRecords.add(sensor, in: database)
            return Self.told(sensor)
        }
        return try sensor(id, at: site)
    }

    /// Adds an actuator that does not describe itself.
    func add(actuator entry: ActuatorEntry, at site: SiteID, by person: PersonID) async throws -> Actuator {
        let gateway = try gateway(entry.gateway, at: site)
        guard let kind = ActuatorKind(rawValue: entry.kind) else { throw DeviceFault.kind }
        let (name, topic) = (try DeviceRules.name(entry.name), try DeviceRules.topic(entry.topic))
        let words = try DeviceRules.words(entry.on, entry.off)
        // What is sent there would be done by another actuator, or taken for what a sensor says.
        if household.registry.catalog.hears([topic], at: gateway.id) { throw DeviceFault.duplicate }
        let id = ActuatorID.new(at: now)
        let takesValue = [.fan, .display, .number].contains(kind)
        try await adding(to: gateway, "home.actuator.added", ("actuator", id.text), by: person) { device, database in
            let actuator = Actuator(
                id: id, device: device.id, site: site, gateway: gateway.id, key: Self.key(topic, []), name: name,
                kind: kind,
                binding: ActuatorBinding(
                    commandTopic: takesValue ? nil : topic, on: words.on ?? "ON", off: words.off ?? "OFF",
                    valueTopic: takesValue ? topic : nil))
            try HomeRecords.put(actuator, in: database)
            return Self.told(actuator)
        }
        return try actuator(id, at: site)
    }

    private func gateway(_ text: String, at site: SiteID) throws(DeviceFault) -> Gateway {
        guard let id = GatewayID(text), let gateway = household.registry.catalog.gateways[id], gateway.site == site
        else { throw .gateway }
        return gateway
    }

    /// In one transaction: the device that things added by hand hang on, the thing, and the event.
    private func adding(
        to gateway: Gateway, _ kind: String, _ subject: (name: StaticString, id: String), by person: PersonID,
        _ body: @escaping @Sendable (Device, Database) throws -> [(name: StaticString, value: String)]
    ) async throws {
        let now = now
        do {
            try await household.registry.change { database in
                let own = try HomeRecords.devices(in: database).first {
                    $0.gateway == gateway.id && $0.isByHand
                }
                var device =
                    own
                    ?? Device(
                        id: .new(at: now), site: gateway.site, gateway: gateway.id, key: Self.byHand,
                        name: gateway.name, origin: .added)
                device.retired = nil
                if device != own { try HomeRecords.put(device, in: database) }
                let count =
                    try HomeRecords.sensors(in: database).count { $0.device == device.id }
                    + HomeRecords.actuators(in: database).count { $0.device == device.id }
                if count >= Self.most { throw DeviceFault.tooMany }
                let told = try body(device, database)
                try Audit(kind, subject, after: told).append(at: now, site: gateway.site, by: person, in: database)
            }
        } catch let error as StoreError where error.isDuplicate { throw DeviceFault.duplicate }
    }

    /// One for each topic and path, of letters, digits, `_` and `-`.
    private static func key(_ topic: String, _ path: [String]) -> String {
        String(
            ([topic] + path).joined(separator: "-").map {
                $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "-"
            })
    }

    private func write(
        _ kind: String, _ subject: (name: StaticString, id: String), _ before: [(name: StaticString, value: String)],
        _ after: [(name: StaticString, value: String)], _ site: SiteID, _ person: PersonID,
        _ body: @escaping @Sendable (Database) throws -> Void
    ) async throws {
        let now = now
        try await household.registry.change { database in
            try body(database)
            try Audit(kind, subject, before: before, after: after).append(at: now, site: site, by: person, in: database)
        }
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

extension Device {
    /// Whether things that people added hang on it, and not what a device says of itself, whatever that calls itself.
    var isByHand: Bool { origin == .added && key == DevicesDesk.byHand }
}
