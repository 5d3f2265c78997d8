import Bus
import Gates
import Household
import Identity
import Ledger
import Platform
import Store
import Synchronization
import System

/// Takes what gateways say, in the order in which it came: each message is looked up once by its topic, read, and handed to
/// `HouseReadings` before the next. Nothing that anybody sends is thrown back at the bus.
actor Intake {
    /// So many messages are taken before anything else gets its turn.
    private static let turn = 256

    nonisolated let readings: HouseReadings
    nonisolated let bus: HomeBus
    nonisolated let alarms: AlarmDesk
    /// Who hears what actuators say.
    nonisolated let actuatorListener: any ActuatorListener
    /// Lets gateways in; nil: without a broker.
    nonisolated let pairing: PairingDesk?
    nonisolated let store: Store
    nonisolated let clock: WallClock
    nonisolated let limits: IntakeLimits
    var table = IntakeTable()
    /// Counts what is said about availability, so that the latest of several is known.
    var order: UInt64 = 0
    /// When the clock was looked at last.
    var lastLook: Timestamp?
    /// When the broker was last asked what it kept on a topic of commands.
    var askedAt: [String: Timestamp] = [:]
    /// How often something was missed before the last message: see `BusMessage.gaps`.
    private var gaps = 0
    private let mark = Mark()

    /// That the catalog changed since the table was made of it.
    private final class Mark: Sendable {
        private let isSet = Atomic(true)
        private let passed = Mutex((present: Catalog(), gone: IntakeTable.Gone()))

        func set(_ catalog: Catalog) {
            passed.withLock {
                let before = $0.present
                $0.gone.sensors.formUnion(before.sensors.keys.filter { catalog.sensors[$0] == nil })
                $0.gone.actuators.formUnion(before.actuators.keys.filter { catalog.actuators[$0] == nil })
                $0.present = catalog
            }
            isSet.store(true, ordering: .releasing)
        }

        /// - Returns: what was out of use since the last time; nil: the catalog is the same.
        func take() -> IntakeTable.Gone? {
            guard isSet.exchange(false, ordering: .acquiringAndReleasing) else { return nil }
            return passed.withLock { passed in
                defer { passed.gone = IntakeTable.Gone() }
                return passed.gone
            }
        }
    }

    init(
        _ given: Given, _ readings: HouseReadings, _ bus: HomeBus, _ alarms: AlarmDesk,
        _ actuatorListener: any ActuatorListener, limits: IntakeLimits = IntakeLimits()
    ) {
        (self.readings, self.bus, self.alarms, self.actuatorListener, self.limits) = (
            readings, bus, alarms, actuatorListener, limits
        )
        (pairing, store, clock) = (given.pairing, given.store, given.clock)
        readings.registry.follow { [mark] in mark.set($0) }
        mark.set(readings.registry.catalog)
    }

    /// Takes messages as the bus brings them.
    func receive(_ batch: [BusMessage]) async {
        var now = clock.now
        for (number, message) in batch.enumerated() {
            if number % Self.turn == 0 {
                if number > 0 { await Task.yield() }
                now = clock.now
                follow(at: now)
            }
            if message.gaps != gaps {
                gaps = message.gaps
                missSomething()
            }
            receive(message, now)
        }
    }

    /// Makes the table anew when the catalog has changed.
    func follow(at now: Timestamp) {
        guard let gone = mark.take() else { return }
        table = IntakeTable(readings.registry.catalog, keeping: table, butFor: gone, at: now, limits)
        readings.pictures.keep(only: Set(table.sensors.map(\.sensor.id)))
        askedAt = askedAt.filter { table.routes[$0.key] != nil }
        // What is new, or described otherwise, may be there by a word that came before.
        for one in table.actuators where hasWord(one) { actuatorListener.isThere(one.actuator) }
    }

    /// For a while nobody heard what was said: another client listens from now on, the connection was lost, or there was too much.
    func missSomething() { table.missSomething() }

    /// Has the broker tell again what it has kept.
    func askAgain() { for place in table.gateways.indices { table.gateways[place].wantsLook = true } }

    // MARK: One message

    private func receive(_ message: BusMessage, _ now: Timestamp) {
        guard let route = table.routes[message.topic] else {
            if message.topic == Broker.cutTopic { return takeCut(message.payload, isMissed: true) }
            if message.topic == Broker.unkeptTopic { return takeCut(message.payload, isMissed: false) }
            guard let (place, rest) = table.gateway(of: message.topic),
                admits(message, place, isFrame: false, IntakeTable.Route.weightUnread(of: message), now)
            else { return }
            return takeUnbound(message, rest, place, now)
        }
        let place = route.gateway
        let isFrame = route.role != .values && route.role != .command
        guard admits(message, place, isFrame: isFrame, route.weight(of: message), now) else { return }
        switch route.role {
        case .ours:
            takeOurs(message, place, now)
            // A Home Assistant behind a home's own broker says on the same topic that it is there.
            if message.topic.hasSuffix(GatewayTopics.status) { offer(message, message.topic.dropPrefix, place) }
            return
        case .command where route.isCommandAlone:
            return takeCommand(message, place, now)
        case .presence: takePresence(message, place, now)
        case .hello: takeHello(message, place, now)
        case .frame: takeUnbound(message, message.topic.dropPrefix, place, now)
        case .values, .command: break
        }
        // What the hub said itself is no sign of life, and brings nothing back that is away.
        let isOwn = route.isTold && bus.isOwn(message)
        if !message.isRetained, !isOwn, route.role != .presence, route.role != .hello { hear(place, now) }
        let all = mayAllRead(route, message, now)
        let first = IntakeTable.Route.firstOfAKind
        var work = ReadingWork()
        func reads(_ number: Int, _ first: Int) -> Bool {
            number < first || all && work.spent < limits.workPerMessage
        }
        for (number, index) in route.availability.enumerated() where reads(number, first) {
            ingest(message, availability: index, at: place, isOwn: isOwn, &work, now)
        }
        var unread = 0
        for (number, index) in route.sensors.enumerated() {
            if reads(number, route.firstSensors) {
                ingest(message, sensor: index, isOwn: isOwn, &work, now)
            } else {
                unread += 1
            }
        }
        for (number, index) in route.actuators.enumerated() where reads(number, first) {
            ingest(message, actuator: index, isOwn: isOwn, &work, now)
        }
        table.gateways[place].effort.add(work.weight, at: now.milliseconds)
        guard all, work.spent >= limits.workPerMessage else { return }
        skip(route.sensors.suffix(unread), at: place, now)
        tell(.cut, of: place, at: now)
    }

    /// Whether all read a message, or the first alone, where that is too much.
    private func mayAllRead(_ route: IntakeTable.Route, _ message: BusMessage, _ now: Timestamp) -> Bool {
        let (place, weight) = (route.gateway, route.weightToOthers(of: message))
        guard weight > 0, table.gateways[place].effort.take(weight, at: now.milliseconds) else { return true }
        skip(route.sensors.dropFirst(route.firstSensors), at: place, now)
        return false
    }

    /// Tells sensors that did not read a message. To tell each of them costs, too.
    private func skip(_ sensors: ArraySlice<Int>, at place: Int, _ now: Timestamp) {
        let last = table.gateways[place].skippedAt
        guard last.map({ !(0..<1_000).contains(now.milliseconds - $0.milliseconds) }) ?? true else { return }
        table.gateways[place].skippedAt = now
        for index in sensors { readings.live.refuse(table.sensors[index].sensor.id, .tooMuch, at: now) }
    }

    /// What is bound to nothing: for whoever reads the like.
    private func takeUnbound(_ message: BusMessage, _ rest: Substring, _ place: Int, _ now: Timestamp) {
        let isBridge = table.gateways[place].gateway.kind == .bridge
        if isBridge, rest.hasPrefix(Gateway.downOfBridge) {
            return takeTold(message, rest.dropFirst(Gateway.downOfBridge.count), place, now)
        }
        if message.isRetained, rest.hasSuffix("/set") { return takeCommand(message, place, now) }
        // A home's own broker may send back what it was told: that is no sign of life.
        if !message.isRetained, !(isBridge && GatewayTopics.isOwn(rest)) { hear(place, now) }
        offer(message, rest, place)
    }

    /// What a home's own broker was told. Of that, the broker keeps what we say of the house, and nothing else.
    private func takeTold(_ message: BusMessage, _ topic: Substring, _ place: Int, _ now: Timestamp) {
        guard message.isRetained else { return }
        if GatewayTopics.isOwn(topic) { offer(message, topic, place) } else { takeCommand(message, place, now) }
    }

    private func offer(_ message: BusMessage, _ rest: Substring, _ place: Int) {
        let gateway = table.gateways[place].gateway
        for listener in bus.listeners
        where listener.receive(rest, message.payload, isRetained: message.isRetained, from: gateway) {
            return
        }
    }

    private func ingest(
        _ message: BusMessage, sensor index: Int, isOwn: Bool, _ work: inout ReadingWork, _ now: Timestamp
    ) {
        if table.sensors[index].sensor.kind == .snapshot {
            return takePicture(message, of: table.sensors[index].sensor, now)
        }
        let sensor = table.sensors[index].sensor
        switch table.sensors[index].reader.read(message.payload, now: now, work: &work) {
        case .nothing: return
        case .refused(let reason):
            readings.live.refuse(sensor.id, reason, at: now)
            if !message.isRetained, !isOwn { table.sensors[index].refuse(at: now) }
        case .beyond(let number):
            readings.live.refuse(sensor.id, .outOfRange, at: now)
            if !message.isRetained { observeBeyond(number, sensor: index, now) }
        case .value(let read):
            // The hub's own word is no reading; a yes is heard all the same.
            if isOwn, read.value != .truth(true) { return }
            if let doubt = read.doubt { readings.live.refuse(sensor.id, doubt, at: now) }
            observe(
                read.value, sensor: index, told: read.at, isWarming: read.isWarming, isRetained: message.isRetained,
                at: now)
        }
    }

    private func observeBeyond(_ number: Double, sensor index: Int, _ now: Timestamp) {
        table.sensors[index].speak(at: now)
        refresh(sensor: index)
        let status = table.sensors[index].status
        if status == .live || status == .waiting {
            readings.observeBeyond(number, of: table.sensors[index].sensor)
        }
    }

    func observe(
        _ value: ReadingValue, sensor index: Int, told: Timestamp?, isWarming: Bool, isRetained: Bool, at now: Timestamp
    ) {
        switch table.sensors[index].accept(
            value, told: told, isWarming: isWarming, isRetained: isRetained, now: now, limits)
        {
        case .known: return
        case .taken(let at, let isBehind, let isAnew):
            if isBehind { readings.live.refuse(table.sensors[index].sensor.id, .fromThePast, at: now) }
            let reading = Reading(value, at: at, isRetained: isRetained)
            let status = status(of: index)
            table.sensors[index].status = status
            if status == .live {
                if isAnew {
                    readings.observe(Reading(.truth(false), at: min(at, now)), of: table.sensors[index].sensor)
                }
                readings.observe(reading, of: table.sensors[index].sensor)
            } else {
                readings.show(reading, of: table.sensors[index].sensor, as: status)
            }
        }
    }

    private func ingest(
        _ message: BusMessage, actuator index: Int, isOwn: Bool, _ work: inout ReadingWork, _ now: Timestamp
    ) {
        let (actuator, topic) = (table.actuators[index].actuator, message.topic.dropPrefix)
        let binding = actuator.binding
        for (isLevel, source) in [(false, binding.state), (true, binding.level)]
        where source.map({ topic == $0.topic }) ?? false {
            let reader = isLevel ? table.actuators[index].levelReader : table.actuators[index].reader
            guard case .value(let read)? = reader?.read(message.payload, now: now, work: &work) else {
                continue
            }
            if !message.isRetained, !isOwn { actuatorListener.isThere(actuator) }
            guard let value = table.actuators[index].apply(read.value, isLevel: isLevel) else { continue }
            readings.live.set(
                actuator.id, SensorState(value: value, at: read.at ?? now, status: status(ofActuator: index)))
        }
    }

    // MARK: How things are

    /// How a sensor is, after all that was said of it.
    func status(of index: Int) -> SensorStatus {
        // Read where it lies: this is asked for every reading, and copies cost more than the questions.
        let place = table.sensors[index].gateway
        if table.gateways[place].isolatedAt != nil { return .isolated }
        if table.gateways[place].presence == .gone || table.sensors[index].isExpired { return .unavailable }
        if !table.sensors[index].availability.isEmpty, !table.sensors[index].speaksAllTheSame,
            !isAvailable(table.sensors[index].availability, table.sensors[index].sensor.binding.availabilityMode)
        {
            return .unavailable
        }
        if table.sensors[index].isLate { return .late }
        if table.sensors[index].isWarming { return .warming }
        return table.sensors[index].hasValue ? .live : .waiting
    }

    func status(ofActuator index: Int) -> SensorStatus {
        let actuator = table.actuators[index]
        let place = actuator.gateway
        if table.gateways[place].isolatedAt != nil { return .isolated }
        let isAvailable = isAvailable(actuator.availability, actuator.actuator.binding.availabilityMode)
        return table.gateways[place].presence == .gone || !isAvailable ? .unavailable : .live
    }

    /// Whether an actuator has said that it is there: everywhere where all its places have to, else at one of them.
    func hasWord(_ actuator: ActuatorWatch) -> Bool {
        let places = actuator.availability.lazy.map { self.table.availabilities[$0].isOnline == true }
        let asksAll = actuator.actuator.binding.availabilityMode == .all
        return !places.isEmpty && (asksAll ? places.allSatisfy { $0 } : places.contains(true))
    }

    /// What nobody has told counts as there: a device that never says so is no less one.
    func isAvailable(_ places: [Int], _ mode: Availability.Mode) -> Bool {
        let told = places.lazy.map { self.table.availabilities[$0] }.filter { $0.isOnline != nil }
        return switch mode {
        case .all: told.allSatisfy { $0.isOnline == true }
        case .any: told.isEmpty || told.contains { $0.isOnline == true }
        case .latest: told.max { $0.order < $1.order }?.isOnline ?? true
        }
    }

    /// Tells everybody how a sensor is, when that is something new.
    /// - Parameter isThere: whether it was just said that it is there.
    func refresh(sensor index: Int, isThere: Bool = false) {
        let status = status(of: index)
        guard table.sensors[index].status != status else {
            // Who is to speak again and again is there when it does.
            let sensor = table.sensors[index].sensor
            let hasToSpeak = sensor.period != nil || sensor.binding.expireAfter != nil
            if isThere, status == .waiting, !hasToSpeak { readings.isThere(sensor) }
            return
        }
        table.sensors[index].status = status
        readings.note(status, of: table.sensors[index].sensor)
    }

    /// The same of everything that came in by a gateway.
    func refresh(gateway place: Int, isThere: Bool = false) {
        for index in table.behind[place].sensors {
            refresh(sensor: index, isThere: isThere && table.sensors[index].availability.isEmpty)
        }
        for index in table.behind[place].actuators { refresh(actuator: index) }
    }

    /// The same of an actuator.
    func refresh(actuator index: Int) {
        let id = table.actuators[index].actuator.id
        var state = readings.live.actuator(id)
        // What has never said what it does has no state.
        let status = state.value == nil && status(ofActuator: index) == .live ? .waiting : status(ofActuator: index)
        guard state.status != status else { return }
        state.status = status
        readings.live.set(id, state)
    }
}

extension String {
    /// What follows the prefix of a gateway.
    fileprivate var dropPrefix: Substring { Gateway.split(self)?.rest ?? "" }
}
