import Bus
import Household
import System

/// Who is meant by a topic, for everything that the houses have; and what is known of each between messages.
struct IntakeTable: Sendable {
    /// How many light readings are one of each; none of a picture.
    struct Costs {
        let ofSensor: (Int) -> Int
        let ofActuator: (Int) -> Int
        let ofAvailability: (Int) -> Int
    }

    /// One topic.
    final class Route: Sendable {
        let gateway: Int
        let sensors: [Int]
        let actuators: [Int]
        let availability: [Int]
        let role: Role
        /// Whether the hub tells something there itself, and hears that.
        let isTold: Bool
        /// How many of the sensors read every message: those that come first (`addSensors`). The others do as long as the gateway's share
        /// of the hub's work allows, so that whoever adds readers to a topic does not keep those that were there from reading it.
        let firstSensors: Int
        /// How many of the first read all of a message at once, and of the others; a picture is handed on.
        private let firstReading: Int
        private let othersReading: Int
        /// How many things are looked at when something is said there of whether they are.
        private let touched: Int

        /// - Parameters:
        ///   - protecting: how many of the sensors, the first ones, a device described to protect.
        ///   - cost: how many light readings one of each is worth.
        init(
            _ gateway: Int, _ role: Role, _ sensors: [Int], _ actuators: [Int], _ availability: [Int], isTold: Bool,
            touched: Int, protecting: Int, cost: Costs
        ) {
            (firstSensors, self.touched) = (max(Self.firstOfAKind, min(protecting, Self.mostFirst)), touched)
            let kinds = [
                (sensors.map(cost.ofSensor), firstSensors), (actuators.map(cost.ofActuator), Self.firstOfAKind),
                (availability.map(cost.ofAvailability), Self.firstOfAKind),
            ]
            firstReading = kinds.reduce(0) { $0 + $1.0.prefix($1.1).reduce(0, +) }
            othersReading = kinds.reduce(0) { $0 + $1.0.dropFirst($1.1).reduce(0, +) }
            (self.gateway, self.role, self.isTold) = (gateway, role, isTold)
            (self.sensors, self.actuators, self.availability) = (sensors, actuators, availability)
        }

        /// So many of each kind are among the first.
        static let firstOfAKind = 4
        /// So many sensors at the most, where a device described that many to protect: the zones of an alarm panel in one message.
        private static let mostFirst = 32

        /// How many light messages a message here is worth to its first readers.
        func weight(of message: BusMessage) -> Int {
            Self.weightUnread(of: message) + max(0, firstReading * Self.weightOfReading(message) - 1) + touched / 4
        }

        /// The same to the others.
        func weightToOthers(of message: BusMessage) -> Int { othersReading * Self.weightOfReading(message) }

        /// To one reader: it reads all of it.
        private static func weightOfReading(_ message: BusMessage) -> Int {
            1 + min(message.payload.count, PayloadReader.byteLimit) >> 10
        }

        /// The same where nobody reads it.
        static func weightUnread(of message: BusMessage) -> Int { 1 + message.payload.count >> 14 }

        /// Whether nothing is heard there.
        var isCommandAlone: Bool { sensors.isEmpty && actuators.isEmpty && availability.isEmpty }
    }

    /// What a topic is for, beside what is bound to it.
    enum Role: Sendable {
        /// What is bound to it.
        case values
        /// Where the gateway says whether it is there.
        case presence
        /// A box's frames: where it says that it is there, and its records.
        case hello, frame
        /// Where actuators are told something: what comes back is our own, or another's of the house.
        case command
        /// What the hub itself says there.
        case ours
    }

    private(set) var routes: [String: Route] = [:]
    private(set) var prefixes: [Substring: Int] = [:]
    var gateways: [GatewayWatch] = []
    var sensors: [SensorWatch] = []
    var actuators: [ActuatorWatch] = []
    var availabilities: [AvailabilityWatch] = []
    /// What is behind each gateway, by its place.
    private(set) var behind: [Things] = []
    /// What each way of saying that something is there is for, by its place.
    private(set) var saidOf: [Things] = []
    private var availabilityKeys: [AvailabilityKey: Int] = [:]

    /// Places of sensors and actuators.
    struct Things: Sendable {
        var sensors: [Int] = []
        var actuators: [Int] = []

        var count: Int { sensors.count + actuators.count }
    }

    private struct AvailabilityKey: Hashable, Sendable {
        let topic: String
        let path: [String]
        let template: String?
        let online: String
        let offline: String
    }

    /// What was out of use for a moment or for good: whatever was known of it is forgotten everywhere.
    struct Gone: Sendable {
        var sensors: Set<SensorID> = []
        var actuators: Set<ActuatorID> = []
    }

    /// An empty one.
    init() {}

    /// For a while nobody heard what was said: what the broker has kept of it is news.
    /// - Parameter place: of the gateway of which nobody heard it; nil: of all.
    mutating func missSomething(of place: Int? = nil) {
        for place in place.map({ $0..<$0 + 1 }) ?? gateways.indices {
            for index in behind[place].sensors {
                sensors[index].missSomething()
                for one in sensors[index].availability { availabilities[one].isHeard = false }
            }
            for index in behind[place].actuators {
                for one in actuators[index].availability { availabilities[one].isHeard = false }
            }
            gateways[place].isPresenceHeard = false
        }
    }

    /// What the catalog says, with what was known before.
    init(
        _ catalog: Catalog, keeping old: IntakeTable, butFor gone: Gone, at now: Timestamp, _ limits: IntakeLimits
    ) {
        var drafts: [String: Draft] = [:]
        var places: [GatewayID: Int] = [:]
        let known = Dictionary(uniqueKeysWithValues: old.gateways.map { ($0.gateway.id, $0) })
        let load = catalog.sensors.values.reduce(into: [GatewayID: Int]()) { load, sensor in
            if let gateway = catalog.devices[sensor.device]?.gateway { load[gateway, default: 0] += 1 }
        }
        for gateway in catalog.gateways.values {
            let place = gateways.count
            places[gateway.id] = place
            let perSecond = min(
                (gateway.kind == .bridge ? limits.perSecondOfBridge : limits.perSecond)
                    + limits.perSecondOfSensor * load[gateway.id, default: 0], limits.perSecondAtMost)
            let before = known[gateway.id]
            let meter = StormMeter(
                perSecond: perSecond, atOnce: max(perSecond * limits.burst, limits.atLeastAtOnce), at: now.milliseconds)
            var watch = before ?? GatewayWatch(gateway, meter, at: now)
            watch.gateway = gateway
            watch.meter.allow(as: meter, at: now.milliseconds)
            watch.effort.allow(as: meter, at: now.milliseconds)
            gateways.append(watch)
            behind.append(Things())
            let prefix = gateway.prefix
            prefixes[prefix[...]] = place
            drafts[prefix + "availability"] = Draft(place, .presence)
            drafts[prefix + "homeassistant/status"] = Draft(place, .ours)
            if gateway.kind == .box {
                drafts[prefix + "hello"] = Draft(place, .hello)
                drafts[prefix + "up"] = Draft(place, .frame)
                drafts[prefix + "down"] = Draft(place, .ours)
            }
        }
        addSensors(catalog, places, old, gone, now, &drafts)
        let protects = sensors.map { one in
            one.sensor.alarmClass != nil && catalog.devices[one.sensor.device]?.origin == .discovered
        }
        addActuators(catalog, places, old, &drafts)
        let costs = Costs(
            ofSensor: { [sensors] in sensors[$0].sensor.kind == .snapshot ? 0 : sensors[$0].reader.cost },
            ofActuator: { [actuators] in
                max(1, (actuators[$0].reader?.cost ?? 0) + (actuators[$0].levelReader?.cost ?? 0))
            },
            ofAvailability: { [availabilities] in availabilities[$0].reader.cost })
        for (topic, draft) in drafts {
            routes[topic] = Route(
                draft.gateway, draft.role, draft.sensors, draft.actuators, draft.availability,
                isTold: draft.isTold, touched: draft.availability.reduce(0) { $0 + saidOf[$1].count },
                protecting: draft.sensors.prefix { protects[$0] }.count,
                cost: costs)
            let isBack =
                draft.sensors.contains { gone.sensors.contains(sensors[$0].sensor.id) }
                || draft.actuators.contains { gone.actuators.contains(actuators[$0].actuator.id) }
            let isNew = (old.routes[topic] == nil || isBack) && draft.role == .values
            if isNew, known[gateways[draft.gateway].gateway.id] != nil { gateways[draft.gateway].wantsLook = true }
        }
    }

    /// Which gateway a topic lies below, and what it is called there.
    func gateway(of topic: String) -> (place: Int, rest: Substring)? {
        guard let (prefix, rest) = Gateway.split(topic), let place = prefixes[prefix] else { return nil }
        return (place, rest)
    }

    // MARK: Making it

    private struct Draft {
        let gateway: Int
        var role: Role
        var sensors: [Int] = []
        var actuators: [Int] = []
        var availability: [Int] = []
        var isTold = false

        init(_ gateway: Int, _ role: Role) { (self.gateway, self.role) = (gateway, role) }
    }

    private mutating func addSensors(
        _ catalog: Catalog, _ places: [GatewayID: Int], _ old: IntakeTable, _ gone: Gone, _ now: Timestamp,
        _ drafts: inout [String: Draft]
    ) {
        let known = Dictionary(uniqueKeysWithValues: old.sensors.map { ($0.sensor.id, $0) })
        for sensor in Self.inTurn(catalog) {
            guard let gateway = catalog.gateway(of: sensor), let place = places[gateway.id] else { continue }
            let said = sensor.binding.availability.map { add($0, gateway, place, old, &drafts) }
            let before = gone.sensors.contains(sensor.id) ? nil : known[sensor.id]
            var watch = before ?? SensorWatch(sensor, gateway: place, availability: said, at: now)
            if watch.sensor.binding != sensor.binding { watch.missSomething() }
            (watch.sensor, watch.gateway, watch.availability) = (sensor, place, said)
            watch.reader = PayloadReader(sensor)
            if Self.isHeard(sensor.binding.topic) {
                drafts[gateway.prefix + sensor.binding.topic, default: Draft(place, .values)].sensors
                    .append(sensors.count)
            }
            behind[place].sensors.append(sensors.count)
            for one in Set(said) { saidOf[one].sensors.append(sensors.count) }
            sensors.append(watch)
        }
    }

    /// On a topic with many readers, what a device described comes before what somebody added to it, then what protects, then what is older.
    private static func inTurn(_ catalog: Catalog) -> [Sensor] {
        func ranked(_ sensor: Sensor) -> (rank: (Int, Int, Int64), sensor: Sensor) {
            let isAdded = catalog.devices[sensor.device]?.origin == .added
            return ((isAdded ? 1 : 0, sensor.alarmClass == nil ? 1 : 0, sensor.number), sensor)
        }
        return catalog.sensors.values.map(ranked).sorted { $0.rank < $1.rank }.map(\.sensor)
    }

    private mutating func addActuators(
        _ catalog: Catalog, _ places: [GatewayID: Int], _ old: IntakeTable, _ drafts: inout [String: Draft]
    ) {
        let known = Dictionary(uniqueKeysWithValues: old.actuators.map { ($0.actuator.id, $0) })
        for actuator in catalog.actuators.values {
            guard let gateway = catalog.gateways[actuator.gateway], let place = places[gateway.id] else { continue }
            let binding = actuator.binding
            let said = binding.availability.map { add($0, gateway, place, old, &drafts) }
            for topic in Set([binding.state?.topic, binding.level?.topic].compactMap(\.self))
            where Self.isHeard(topic) {
                drafts[gateway.prefix + topic, default: Draft(place, .values)].actuators.append(actuators.count)
            }
            for topic in [binding.commandTopic, binding.valueTopic, binding.colourTopic].compactMap(\.self) {
                drafts[gateway.prefix + topic, default: Draft(place, .command)].isTold = gateway.down == gateway.prefix
            }
            behind[place].actuators.append(actuators.count)
            for one in Set(said) { saidOf[one].actuators.append(actuators.count) }
            var watch = ActuatorWatch(actuator, gateway: place, availability: said)
            if let before = known[actuator.id], before.actuator.binding == binding {
                (watch.isOn, watch.level) = (before.isOn, before.level)
            }
            actuators.append(watch)
        }
    }

    /// Whether something may be heard on a topic. Described so by a hub of before, it would hide a description from whoever reads those, or
    /// take what the hub itself says for a device's word.
    private static func isHeard(_ topic: String) -> Bool {
        !GatewayTopics.isDescription(topic) && !GatewayTopics.isTold(topic)
    }

    /// The place of a way of saying that something is there; several share one.
    private mutating func add(
        _ availability: Availability, _ gateway: Gateway, _ place: Int, _ old: IntakeTable,
        _ drafts: inout [String: Draft]
    ) -> Int {
        let topic = gateway.prefix + availability.topic
        let key = AvailabilityKey(
            topic: topic, path: availability.path, template: availability.template?.source,
            online: availability.online, offline: availability.offline)
        if let index = availabilityKeys[key] { return index }
        let index = availabilities.count
        availabilityKeys[key] = index
        saidOf.append(Things())
        availabilities.append(
            old.availabilityKeys[key].map { old.availabilities[$0] } ?? AvailabilityWatch(availability))
        if Self.isHeard(availability.topic) {
            drafts[topic, default: Draft(place, .values)].availability.append(index)
        }
        return index
    }
}
