import Household
import Identity
import JSON
import Ledger
import Safeguard
import Store
import System

/// Changes the tables as devices of one house say what they are: one transaction's work, in which one device may be told of by many
/// messages.
struct Announcing {
    /// What became of one message.
    struct Outcome: Sendable {
        /// Whether anything is otherwise than before.
        var isNews = false
        /// How many sensors and actuators it added, changed or took out of use.
        var changes = 0
        /// The names of what another message tells of already: kept as they are.
        var contested: [String] = []
        /// Why nothing of it was taken; nil: it was.
        var refusal: DiscoveryRefusal?
        /// What there was no room for then; nil: room is not what was missing.
        var lack: DiscoveryQueue.Need?
        /// Whether a part of it is left out for something that the house has already: said again, it may be taken.
        var isInPart = false
        /// What it would have taken from a house that is armed or sounds, or called otherwise there: all of it waits until that is over.
        var withheld = Withheld()
    }

    /// What happened to a device, for one event of the ledger.
    private struct Story {
        var isFound = false
        var isRemoved = false
        var changes: [(name: String, what: String)] = []
    }

    let database: Database
    private let now: Timestamp
    var devices: [DeviceID: Device]
    var sensors: [SensorID: Sensor]
    var actuators: [ActuatorID: Actuator]
    /// Those of an id that devices say.
    private var sensorsByKey: [String: [SensorID]]
    private var actuatorsByKey: [String: [ActuatorID]]
    /// Those in use.
    private let gateways: Set<GatewayID>
    private var stories: [DeviceID: Story] = [:]
    /// How a house's panel stands at this moment.
    let panel: (SiteID) -> Panel
    /// See `Care.hasAirAlarm`.
    let hasAirAlarm: (SiteID) -> Bool

    /// Whether what protects a house stays as it is for now.
    func holdsDevices(of site: SiteID) -> Bool { panel(site).holdsDevices || hasAirAlarm(site) }

    init(
        at site: SiteID, in database: Database, at now: Timestamp,
        panel: @escaping (SiteID) -> Panel = { _ in Panel() },
        hasAirAlarm: @escaping (SiteID) -> Bool = { _ in false }
    ) throws {
        (self.database, self.now, self.panel, self.hasAirAlarm) = (database, now, panel, hasAirAlarm)
        gateways = Set(try HomeRecords.gateways(at: site, in: database).filter { $0.retired == nil }.map(\.id))
        let devices = try HomeRecords.devices(at: site, isConnected: true, in: database)
        let sensors = try HomeRecords.sensors(at: site, isConnected: true, in: database)
        let actuators = try HomeRecords.actuators(at: site, isConnected: true, in: database)
        self.devices = Dictionary(uniqueKeysWithValues: devices.map { ($0.id, $0) })
        self.sensors = Dictionary(uniqueKeysWithValues: sensors.map { ($0.id, $0) })
        self.actuators = Dictionary(uniqueKeysWithValues: actuators.map { ($0.id, $0) })
        sensorsByKey = Dictionary(grouping: sensors, by: \.key).mapValues { $0.map(\.id) }
        actuatorsByKey = Dictionary(grouping: actuators, by: \.key).mapValues { $0.map(\.id) }
    }

    // MARK: one message

    /// Takes what a message says.
    mutating func take(_ content: DiscoveryMessage.Content, _ topic: String, of gateway: Gateway) throws -> Outcome {
        let before = changes
        var outcome = try read(content, topic, of: gateway)
        outcome.changes = changes - before
        return outcome
    }

    /// How many sensors and actuators were added, changed or taken out of use until now.
    private var changes: Int { stories.values.reduce(0) { $0 + $1.changes.count } }

    private mutating func read(_ content: DiscoveryMessage.Content, _ topic: String, of gateway: Gateway) throws
        -> Outcome
    {
        let before = try AnnouncementRecords.announcement(topic, of: gateway.id, in: database)
        switch content {
        case .removed:
            guard let before, before.gone == nil else { return Outcome() }
            let withheld = try withheld(from: nil, topic, of: gateway)
            guard withheld.isEmpty else {
                if before.withheld == nil {
                    try AnnouncementRecords.withhold(topic, of: gateway.id, at: now, in: database)
                }
                return Outcome(withheld: withheld)
            }
            try takeOut(except: nil, topic, of: gateway)
            try AnnouncementRecords.takeBack(topic, of: gateway.id, at: now, in: database)
            return Outcome(isNews: true)
        case .handedOver:
            guard let before, before.gone == nil else { return Outcome() }
            for part in [AnnouncementRecords.Part.sensor, .actuator] {
                for key in try AnnouncementRecords.claims(part, topic, of: gateway.id, in: database) {
                    try AnnouncementRecords.release(part, key, of: gateway.id, in: database)
                }
            }
            try AnnouncementRecords.takeBack(topic, of: gateway.id, at: now, in: database)
            return Outcome(isNews: true)
        case .described(let described):
            // It is there again, whatever it says.
            if before?.withheld != nil {
                try AnnouncementRecords.withhold(topic, of: gateway.id, at: nil, in: database)
            }
            if let before, before.gone == nil, before.device == described { return Outcome() }
            return try describe(described, before, topic, of: gateway)
        }
    }

    private mutating func describe(
        _ described: DiscoveredDevice, _ before: AnnouncementRecords.Announcement?, _ topic: String, of gateway: Gateway
    ) throws -> Outcome {
        var outcome = Outcome(isNews: true)
        var taken = described
        taken.sensors = try described.sensors.filter { sensor in
            let claimant = try AnnouncementRecords.claimant(.sensor, sensor.key, of: gateway.id, in: database)
            if let claimant, claimant != topic { outcome.contested.append(sensor.name) }
            return claimant == nil || claimant == topic
        }
        taken.actuators = try described.actuators.filter { actuator in
            let claimant = try AnnouncementRecords.claimant(.actuator, actuator.key, of: gateway.id, in: database)
            if let claimant, claimant != topic { outcome.contested.append(actuator.name) }
            return claimant == nil || claimant == topic
        }
        if let before, before.gone == nil, before.device == taken {
            outcome.isNews = false
            return outcome
        }
        outcome.withheld = try withheld(from: (taken, before?.device), topic, of: gateway)
        outcome.withheld.isRenamed = renames(taken, before?.device, of: gateway)
        guard outcome.withheld.isEmpty else {
            outcome.isNews = false
            return outcome
        }
        try undoing { try $0.describe(taken, before, topic, of: gateway, &outcome) }
        return outcome
    }

    /// Puts what is said into the tables.
    /// - Returns: whether it stays there.
    private mutating func describe(
        _ described: DiscoveredDevice, _ before: AnnouncementRecords.Announcement?, _ topic: String,
        of gateway: Gateway, _ outcome: inout Outcome
    ) throws -> Bool {
        let need = try need(of: described, of: gateway)
        guard isKnown(need, of: gateway) else {
            var lack = need
            lack.connections = gateways
            outcome = Outcome(refusal: DiscoveryRefusal(.tooManyKnown), lack: lack)
            return false
        }
        guard hasRoom(for: need) else {
            outcome = Outcome(refusal: DiscoveryRefusal(.tooManyParts), lack: need)
            return false
        }
        guard let placed = try placeWhatFits(described, before?.device, topic, of: gateway) else {
            outcome = Outcome(refusal: DiscoveryRefusal(.tooManyDevices), lack: need)
            return false
        }
        outcome.isInPart = !placed.muted.isEmpty
        outcome.isNews = before?.gone != nil || before?.device != placed.taken
        if outcome.isNews, outcome.isInPart, holdsDevices(of: gateway.site) {
            outcome.withheld.actuators = placed.muted
            outcome.isNews = false
            return false
        }
        try takeOut(except: placed.taken, topic, of: gateway)
        // What is contested is not kept as said: it is taken when it comes again after the other message is gone.
        try AnnouncementRecords.put(placed.taken, topic, of: gateway.id, in: database)
        return true
    }

    /// What a description adds to what is in use, and to what was ever there.
    private func need(of described: DiscoveredDevice, of gateway: Gateway) throws -> DiscoveryQueue.Need {
        let known = devices.values.first { $0.gateway == gateway.id && $0.key == described.key }
        let isOut = known.map { $0.retired != nil } ?? false
        // Else it stays out of use, with all that it tells of.
        let isBack = try !isOut || isBack(described, at: gateway)
        var need = DiscoveryQueue.Need(
            parts: 0, isDevice: known == nil || isOut && isBack, fresh: known == nil ? 1 : 0)
        // With a device all of it is back that nobody took out of use by itself.
        let back = isOut && isBack ? known?.id : nil
        if let back {
            need.parts +=
                sensors.values.count { $0.device == back && $0.retired == nil }
                + actuators.values.count { $0.device == back && $0.retired == nil }
        }
        func add(_ part: AnnouncementRecords.Part, _ key: String, _ known: (retired: Timestamp?, device: DeviceID)?)
            throws
        {
            guard let known else {
                need.fresh += 1
                need.parts += isBack ? 1 : 0
                return
            }
            if known.retired == nil, known.device == back || devices[known.device]?.retired == nil { return }
            // What somebody took out of use stays so until it has been away.
            let isTold = try AnnouncementRecords.claimant(part, key, of: gateway.id, in: database) != nil
            if isBack, known.retired == nil || !isTold { need.parts += 1 }
        }
        for one in described.sensors {
            try add(.sensor, one.key, sensor(one.key, of: nil, at: gateway.id).map { ($0.retired, $0.device) })
        }
        for one in described.actuators {
            try add(.actuator, one.key, actuator(one.key, of: nil, at: gateway.id).map { ($0.retired, $0.device) })
        }
        return need
    }

    /// Whether a gateway and its house would have described no more than they ever may.
    private func isKnown(_ need: DiscoveryQueue.Need, of gateway: Gateway) -> Bool {
        // Far from the end nothing is counted.
        if devices.count + sensors.count + actuators.count + need.fresh <= DiscoveryLimit.known { return true }
        if need.fresh == 0 { return true }
        func known(_ described: [Device]) -> Int {
            let ids = Set(described.map(\.id))
            return ids.count + sensors.values.count { ids.contains($0.device) }
                + actuators.values.count { ids.contains($0.device) }
        }
        let all = devices.values.filter { $0.origin == .discovered }
        return known(all.filter { $0.gateway == gateway.id }) + need.fresh <= DiscoveryLimit.known
            && known(all) + need.fresh <= DiscoveryLimit.knownOfHouse
    }

    /// Whether the house would have no more sensors and actuators in use than it may.
    private func hasRoom(for need: DiscoveryQueue.Need) -> Bool {
        if need.parts == 0 || sensors.count + actuators.count + need.parts <= DiscoveryLimit.parts { return true }
        // What hangs on a device or a connection that is out of use is out of use with it.
        let used = Set(devices.values.filter { $0.retired == nil && gateways.contains($0.gateway) }.map(\.id))
        let inUse =
            sensors.values.count { $0.retired == nil && used.contains($0.device) }
            + actuators.values.count { $0.retired == nil && used.contains($0.device) }
        return inUse + need.parts <= DiscoveryLimit.parts
    }

    /// Adds a device with its parts, or changes them.
    /// - Returns: false when there are too many devices.
    mutating func place(
        _ described: DiscoveredDevice, _ before: DiscoveredDevice?, _ topic: String, of gateway: Gateway
    ) throws -> Bool {
        if described.sensors.isEmpty, described.actuators.isEmpty { return true }
        guard let device = try putDevice(described, before, of: gateway) else { return false }
        for sensor in described.sensors { try put(sensor, before, topic, in: device) }
        for actuator in described.actuators { try put(actuator, before, topic, in: device) }
        return true
    }

    /// Whether something of it no message told of until now: then the device is there again, whoever took it out of use.
    private func isBack(_ described: DiscoveredDevice, at gateway: Gateway) throws -> Bool {
        func isNew(_ part: AnnouncementRecords.Part, _ key: String) throws -> Bool {
            try AnnouncementRecords.claimant(part, key, of: gateway.id, in: database) == nil
        }
        return try described.sensors.contains { try isNew(.sensor, $0.key) }
            || described.actuators.contains { try isNew(.actuator, $0.key) }
    }

    /// Adds a device, or changes it. What people have written by hand stays: only what still is as it was announced follows.
    /// - Returns: nil when there are too many.
    private mutating func putDevice(
        _ described: DiscoveredDevice, _ before: DiscoveredDevice?, of gateway: Gateway
    ) throws -> Device? {
        if var device = devices.values.first(where: { $0.gateway == gateway.id && $0.key == described.key }) {
            let was = device
            let old = before?.key == described.key ? before : nil
            device.name = Self.merged(device.name, old?.name, described.name)
            device.area = Self.merged(device.area, old?.area ?? "", described.area)
            device.maker = described.maker.isEmpty ? device.maker : described.maker
            device.model = described.model.isEmpty ? device.model : described.model
            if device.retired != nil, try isBack(described, at: gateway) {
                guard hasRoom(forDeviceOf: gateway) else { return nil }
                device.retired = nil
                stories[device.id, default: Story()].isFound = true
            }
            guard device != was else { return device }
            if device.name != was.name { stories[device.id, default: Story()].changes.append((was.name, "name")) }
            devices[device.id] = device
            try HomeRecords.put(device, in: database)
            return device
        }
        guard hasRoom(forDeviceOf: gateway) else { return nil }
        let device = Device(
            id: .new(at: now), site: gateway.site, gateway: gateway.id, key: described.key, name: described.name,
            maker: described.maker, model: described.model, area: described.area, origin: .discovered)
        devices[device.id] = device
        stories[device.id, default: Story()].isFound = true
        try HomeRecords.put(device, in: database)
        return device
    }

    private func hasRoom(forDeviceOf gateway: Gateway) -> Bool {
        devices.values.count { $0.gateway == gateway.id && $0.retired == nil } < DiscoveryLimit.devices
    }

    /// What is so now follows its device, where it still is as that announced it.
    static func merged<Value: Equatable>(_ now: Value, _ announced: Value?, _ new: Value) -> Value {
        now == announced ? new : now
    }

    // MARK: parts

    private mutating func put(
        _ new: DiscoveredSensor, _ before: DiscoveredDevice?, _ topic: String, in device: Device
    ) throws {
        let isNew = try AnnouncementRecords.claimant(.sensor, new.key, of: device.gateway, in: database) == nil
        try AnnouncementRecords.claim(.sensor, new.key, topic, of: device.gateway, in: database)
        let alarmClass = new.alarmClass.flatMap { SensorClass(rawValue: $0) }
        guard let known = sensor(new.key, of: device.id, at: device.gateway) else {
            let sensor = Sensor(
                id: .new(at: now), number: 0, device: device.id, site: device.site, key: new.key, name: new.name,
                kind: new.kind, unit: new.unit, range: new.range, period: new.period, alarmClass: alarmClass,
                binding: new.binding)
            sensors[sensor.id] = sensor
            sensorsByKey[sensor.key, default: []].append(sensor.id)
            try HomeRecords.add(sensor, in: database)
            stories[device.id, default: Story()].changes.append((sensor.name, "added"))
            return
        }
        var sensor = Self.merged(known, before, new, in: device.id)
        // Somebody may have taken it out of use by hand: then it stays so until it has been away.
        if isNew { sensor.retired = nil }
        guard sensor != known else { return }
        if known.device != device.id {
            try AnnouncementRecords.move(known.id, to: device.id, in: database)
            stories[known.device, default: Story()].changes.append((known.name, "removed"))
        }
        try HomeRecords.change(sensor, in: database)
        sensors[sensor.id] = sensor
        let what = [
            known.retired != sensor.retired ? "added" : nil, known.kind != sensor.kind ? "kind" : nil,
            known.binding.topic != sensor.binding.topic || known.binding.source != sensor.binding.source
                ? "topic" : nil,
            known.unit != sensor.unit ? "unit" : nil, known.device != sensor.device ? "device" : nil,
        ].compactMap(\.self)
        for one in what.isEmpty ? ["settings"] : what {
            stories[device.id, default: Story()].changes.append((sensor.name, one))
        }
    }

    /// A sensor as it is told now. What people have chosen stays.
    static func merged(
        _ known: Sensor, _ before: DiscoveredDevice?, _ new: DiscoveredSensor, in device: DeviceID
    ) -> Sensor {
        let old = before?.sensors.first { $0.key == new.key }
        var sensor = Sensor(
            id: known.id, number: known.number, device: device, site: known.site, key: known.key,
            name: merged(known.name, old?.name, new.name), kind: new.kind, unit: new.unit,
            range: old == nil ? known.range : merged(known.range, old?.range, new.range),
            period: old == nil ? known.period : merged(known.period, old?.period, new.period),
            alarmClass: known.alarmClass, binding: new.binding, retired: known.retired)
        if let old, known.alarmClass?.rawValue == old.alarmClass {
            sensor.alarmClass = new.alarmClass.flatMap { SensorClass(rawValue: $0) }
        }
        return sensor
    }

    private mutating func put(
        _ new: DiscoveredActuator, _ before: DiscoveredDevice?, _ topic: String, in device: Device
    ) throws {
        let isNew = try AnnouncementRecords.claimant(.actuator, new.key, of: device.gateway, in: database) == nil
        try AnnouncementRecords.claim(.actuator, new.key, topic, of: device.gateway, in: database)
        guard let known = actuator(new.key, of: device.id, at: device.gateway) else {
            let actuator = Actuator(
                id: .new(at: now), device: device.id, site: device.site, gateway: device.gateway, key: new.key,
                name: new.name, kind: new.kind, binding: new.binding)
            actuators[actuator.id] = actuator
            actuatorsByKey[actuator.key, default: []].append(actuator.id)
            try HomeRecords.put(actuator, in: database)
            stories[device.id, default: Story()].changes.append((actuator.name, "added"))
            return
        }
        let old = before?.actuators.first { $0.key == new.key }
        let actuator = Actuator(
            id: known.id, device: device.id, site: device.site, gateway: device.gateway, key: known.key,
            name: Self.merged(known.name, old?.name, new.name), kind: new.kind, binding: new.binding,
            retired: isNew ? nil : known.retired)
        guard actuator != known else { return }
        if known.device != device.id {
            try AnnouncementRecords.move(known.id, to: device.id, in: database)
            stories[known.device, default: Story()].changes.append((known.name, "removed"))
        }
        try HomeRecords.put(actuator, in: database)
        actuators[actuator.id] = actuator
        let what =
            known.retired != actuator.retired
            ? "added"
            : known.kind != actuator.kind
                ? "kind" : known.binding.commandTopic != actuator.binding.commandTopic ? "topic" : "settings"
        stories[device.id, default: Story()].changes.append((actuator.name, what))
    }

    /// Of the device, or of another one that was discovered at the same gateway: an id names one thing there.
    func sensor(_ key: String, of device: DeviceID?, at gateway: GatewayID) -> Sensor? {
        let named = sensors(named: key)
        return named.first { $0.device == device } ?? named.first { isDiscovered($0.device, at: gateway) }
    }

    func actuator(_ key: String, of device: DeviceID?, at gateway: GatewayID) -> Actuator? {
        let named = actuators(named: key)
        return named.first { $0.device == device } ?? named.first { isDiscovered($0.device, at: gateway) }
    }

    private func sensors(named key: String) -> [Sensor] { sensorsByKey[key, default: []].compactMap { sensors[$0] } }

    private func actuators(named key: String) -> [Actuator] {
        actuatorsByKey[key, default: []].compactMap { actuators[$0] }
    }

    func isDiscovered(_ id: DeviceID, at gateway: GatewayID) -> Bool {
        devices[id].map { $0.gateway == gateway && $0.origin == .discovered } ?? false
    }

    // MARK: out of use

    /// Takes out of use what a message told of and tells no more, and devices of which nothing is left.
    private mutating func takeOut(except kept: DiscoveredDevice?, _ topic: String, of gateway: Gateway) throws {
        let keptSensors = Set(kept?.sensors.map(\.key) ?? [])
        for key in try AnnouncementRecords.claims(.sensor, topic, of: gateway.id, in: database)
        where !keptSensors.contains(key) {
            try takeOut(sensor: key, topic, of: gateway)
        }
        let keptActuators = Set(kept?.actuators.map(\.key) ?? [])
        for key in try AnnouncementRecords.claims(.actuator, topic, of: gateway.id, in: database)
        where !keptActuators.contains(key) {
            try takeOut(actuator: key, topic, of: gateway)
        }
    }

    /// Takes one out of use, so that it is there again when its message tells of it again.
    mutating func takeOut(sensor key: String, _ topic: String, of gateway: Gateway) throws {
        if try AnnouncementRecords.claimant(.sensor, key, of: gateway.id, in: database) == topic {
            try AnnouncementRecords.release(.sensor, key, of: gateway.id, in: database)
        }
        for var sensor in sensors(named: key)
        where sensor.retired == nil && isDiscovered(sensor.device, at: gateway.id) {
            sensor.retired = now
            sensors[sensor.id] = sensor
            try HomeRecords.change(sensor, in: database)
            stories[sensor.device, default: Story()].changes.append((sensor.name, "removed"))
        }
    }

    /// See `takeOut(sensor:_:of:)`.
    mutating func takeOut(actuator key: String, _ topic: String, of gateway: Gateway) throws {
        if try AnnouncementRecords.claimant(.actuator, key, of: gateway.id, in: database) == topic {
            try AnnouncementRecords.release(.actuator, key, of: gateway.id, in: database)
        }
        for var actuator in actuators(named: key)
        where actuator.retired == nil && isDiscovered(actuator.device, at: gateway.id) {
            actuator.retired = now
            actuators[actuator.id] = actuator
            try HomeRecords.put(actuator, in: database)
            stories[actuator.device, default: Story()].changes.append((actuator.name, "removed"))
        }
    }

    // MARK: the end

    /// Takes out of use the devices that have nothing left, and writes one event for each device of which there is news.
    mutating func finish() throws {
        for (id, story) in stories.sorted(by: { $0.key < $1.key }) {
            guard var device = devices[id] else { continue }
            let isEmpty =
                !sensors.values.contains { $0.device == id && $0.retired == nil }
                && !actuators.values.contains { $0.device == id && $0.retired == nil }
            var story = story
            if isEmpty, device.retired == nil, device.origin == .discovered {
                device.retired = now
                devices[id] = device
                try HomeRecords.put(device, in: database)
                story.isRemoved = true
            }
            guard story.isFound != story.isRemoved || !story.changes.isEmpty else { continue }
            try tell(device, story)
        }
    }

    private func tell(_ device: Device, _ story: Story) throws {
        let kind = story.isRemoved ? "removed" : story.isFound ? "found" : "changed"
        var json = JSONWriter()
        let changes = story.changes.map { DeviceEventPayload.Change(name: $0.name, what: $0.what) }
        DeviceEventPayload(device: device, changes: changes).write(to: &json)
        try Ledger.append(
            NewEvent(
                id: .new(at: now), site: device.site, kind: "home.device." + kind, at: now, payload: json.bytes),
            to: database)
    }
}
