import Bus
import Household
import JSON
import Ledger
import Store
import System

/// Comings and goings of gateways, and what is wrong with them.
extension Intake {
    // MARK: Storms

    /// Counts a message of a gateway.
    /// - Parameters:
    ///   - isFrame: whether it is of those that are taken even while a gateway is isolated.
    ///   - weight: how many light messages it is worth.
    /// - Returns: whether it is listened to.
    func admits(_ message: BusMessage, _ place: Int, isFrame: Bool, _ weight: Int, _ now: Timestamp) -> Bool {
        if message.gapsOfSender != table.gateways[place].gaps {
            table.gateways[place].gaps = message.gapsOfSender
            table.missSomething(of: place)
        }
        // What the broker kept comes all at once, and how much it keeps is bounded: what is light counts nothing.
        let weight = weight - (message.isRetained ? 1 : 0)
        let isOver = weight > 0 && table.gateways[place].meter.take(weight, at: now.milliseconds)
        table.gateways[place].recent += weight
        if table.gateways[place].isolatedAt == nil {
            if !isOver { return true }
            isolate(place, at: now)
        }
        guard isFrame, table.gateways[place].frames < limits.framesPerSecond else { return false }
        table.gateways[place].frames += 1
        return true
    }

    private func isolate(_ place: Int, at now: Timestamp) {
        (table.gateways[place].isolatedAt, table.gateways[place].loudAt) = (now, now)
        // That it sends too much says more than that words of it were lost.
        end(.cut, of: place)
        tell(.storm, of: place, at: now)
        refresh(gateway: place)
    }

    /// Listens to a gateway again.
    /// - Returns: false when it is listened to, or is not known.
    @discardableResult
    func release(_ id: GatewayID) -> Bool {
        follow(at: clock.now)
        guard let place = table.gateways.firstIndex(where: { $0.gateway.id == id }),
            table.gateways[place].isolatedAt != nil
        else { return false }
        let isClearing = bus.retained.isClearing(table.gateways[place].gateway)
        if table.gateways[place].isShutOut, isClearing {
            // The look lets it in when nothing of it is left: else what is left would count against it.
            table.gateways[place].isWantedBack = true
        } else {
            release(at: place)
        }
        return true
    }

    func release(at place: Int) {
        if table.gateways[place].isShutOut {
            (table.gateways[place].isShutOut, table.gateways[place].isWantedBack) = (false, false)
            // Over when it has not come again for a while.
            table.gateways[place].troubles[.hoard]?.seen = clock.now
            letIn(table.gateways[place].gateway)
        }
        table.gateways[place].isolatedAt = nil
        table.gateways[place].meter.empty()
        end(.storm, of: place)
        write("home.gateway.released", table.gateways[place].gateway)
        refresh(gateway: place)
        // What it told meanwhile was not heard: what the broker kept of it counts.
        table.missSomething(of: place)
        table.gateways[place].wantsLook = true
    }

    // MARK: What the broker keeps

    /// A gateway had the broker keep too much, and was shut out.
    func shutOut(_ id: GatewayID) {
        let now = clock.now
        follow(at: now)
        guard let place = table.gateways.firstIndex(where: { $0.gateway.id == id }) else { return }
        (table.gateways[place].isolatedAt, table.gateways[place].isShutOut) = (now, true)
        // One fault, the one that says most: a heavy flood may have been a storm before it was counted.
        for lesser in [GatewayTrouble.cut, .storm] { end(lesser, of: place) }
        tell(.hoard, of: place, at: now)
        set(place, .gone)
        refresh(gateway: place)
    }

    private func letIn(_ gateway: Gateway) {
        // With a new password it came in already.
        guard bus.retained.letIn(gateway), let key = gateway.key else { return }
        Task {
            do { try await pairing?.admit(gateway.way, key) } catch {
                Log.failure("home", "a gateway was not let in again", ["gateway": gateway.id.text, "why": "\(error)"])
            }
        }
    }

    // MARK: Presence

    /// A gateway said something.
    func hear(_ place: Int, _ now: Timestamp) {
        let before = table.gateways[place].state
        // Once a second is enough for everybody who looks.
        if before.isThere, let heard = before.heard, (0..<1_000).contains(now.milliseconds - heard.milliseconds) {
            return
        }
        table.gateways[place].heard = now
        set(place, .there)
    }

    private func set(_ place: Int, _ presence: GatewayWatch.Presence) {
        let isNew = table.gateways[place].presence != presence
        if isNew { (table.gateways[place].presence, table.gateways[place].since) = (presence, clock.now) }
        readings.live.set(table.gateways[place].gateway.id, table.gateways[place].state)
        guard isNew else { return }
        refresh(gateway: place, isThere: presence == .there)
        count(table.behind[place].count / 4, of: place)
    }

    /// It has been silent for too long.
    func leave(_ place: Int) { set(place, .gone) }

    /// It came: as often as two clients come that throw each other out?
    private func arrive(_ place: Int, _ now: Timestamp) {
        if table.gateways[place].arrives(at: now, limits) { tell(.twice, of: place, at: now) }
    }

    /// As devices say it, and as a home's own Mosquitto does (mosquitto.conf, `notification_topic`).
    private static let presences = [
        PayloadReader(Availability(topic: "availability")),
        PayloadReader(Availability(topic: "availability", path: [], online: "1", offline: "0")),
    ]

    private static func isThere(_ payload: [UInt8], at now: Timestamp) -> Bool? {
        presences.lazy.compactMap { reader in
            guard case .value(let read) = reader.read(payload, now: now), case .truth(let isThere) = read.value else {
                return nil
            }
            return isThere
        }.first
    }

    func takePresence(_ message: BusMessage, _ place: Int, _ now: Timestamp) {
        if message.isRetained, table.gateways[place].isPresenceHeard { return }
        guard let isThere = Self.isThere(message.payload, at: now) else { return }
        if !message.isRetained { table.gateways[place].isPresenceHeard = true }
        if !isThere { return set(place, .gone) }
        if !message.isRetained {
            table.gateways[place].heard = now
            arrive(place, now)
        }
        set(place, .there)
    }

    /// A box's hello is kept as long as it is connected; its will empties it.
    func takeHello(_ message: BusMessage, _ place: Int, _ now: Timestamp) {
        if message.payload.isEmpty {
            set(place, .gone)
        } else {
            // It says hello every few seconds; that it came it says as all others do.
            if !message.isRetained { table.gateways[place].heard = now }
            set(place, .there)
        }
        let gateway = table.gateways[place].gateway
        for listener in bus.listeners
        where listener.receive("hello", message.payload, isRetained: message.isRetained, from: gateway) {
            return
        }
    }

    func ingest(
        _ message: BusMessage, availability index: Int, at place: Int, isOwn: Bool, _ work: inout ReadingWork,
        _ now: Timestamp
    ) {
        if message.isRetained, table.availabilities[index].isHeard { return }
        let outcome = table.availabilities[index].reader.read(message.payload, now: now, work: &work)
        guard case .value(let read) = outcome,
            case .truth(let isOnline) = read.value, !(isOnline && isOwn)
        else { return }
        if !message.isRetained { table.availabilities[index].isHeard = true }
        order += 1
        (table.availabilities[index].isOnline, table.availabilities[index].order) = (isOnline, order)
        for sensor in table.saidOf[index].sensors {
            table.sensors[sensor].speaksAllTheSame = false
            // Of several ways the others may not have been told yet, and then they count as there.
            refresh(sensor: sensor, isThere: isOnline)
        }
        for actuator in table.saidOf[index].actuators {
            if isOnline, hasWord(table.actuators[actuator]) {
                actuatorListener.isThere(table.actuators[actuator].actuator)
            }
            refresh(actuator: actuator)
        }
        // What others make says nothing of itself on our topic: it is there as long as anything behind it is.
        guard table.gateways[place].gateway.kind == .device else { return }
        if isOutOfReach(place) { set(place, .gone) } else if isOnline { set(place, .there) }
    }

    /// Whether all that came in by a gateway has been said not to be there.
    private func isOutOfReach(_ place: Int) -> Bool {
        let things = table.behind[place]
        if things.count == 0 { return false }
        // Begun with what was in reach last: mostly it still is.
        for step in 0..<things.count {
            let index = (table.gateways[place].witness + step) % things.count
            guard isInReach(index, of: things) else { continue }
            table.gateways[place].witness = index
            count(step / 16, of: place)
            return false
        }
        count(things.count / 16, of: place)
        return true
    }

    private func isInReach(_ index: Int, of things: IntakeTable.Things) -> Bool {
        if index < things.sensors.count {
            let sensor = things.sensors[index]
            return table.sensors[sensor].speaksAllTheSame
                || isAvailable(
                    table.sensors[sensor].availability, table.sensors[sensor].sensor.binding.availabilityMode)
        }
        let actuator = things.actuators[index - things.sensors.count]
        return isAvailable(
            table.actuators[actuator].availability, table.actuators[actuator].actuator.binding.availabilityMode)
    }

    /// Counts work that a message made beside being read.
    private func count(_ weight: Int, of place: Int) {
        guard weight > 0, table.gateways[place].isolatedAt == nil else { return }
        let now = clock.now
        table.gateways[place].recent += weight
        if table.gateways[place].meter.take(weight, at: now.milliseconds) { isolate(place, at: now) }
    }

    // MARK: Commands

    /// What comes back on a topic of the hub's own.
    func takeOurs(_ message: BusMessage, _ place: Int, _ now: Timestamp) {
        if message.isRetained { takeCommand(message, place, now) }
    }

    /// A command is never kept by the broker: whatever connects would obey it again.
    func takeCommand(_ message: BusMessage, _ place: Int, _ now: Timestamp) {
        if message.payload.isEmpty { return }
        if message.isRetained {
            do { try bus.clear(message.topic) } catch {
                Log.warning("home", "a kept command could not be removed", ["why": "\(error)"])
            }
            tell(.keptCommand, of: place, at: now)
        } else if askedAt[message.topic].map({ now.milliseconds - $0.milliseconds >= 60_000 }) ?? true {
            // Whether it was to be kept is told only to whoever subscribes anew.
            askedAt[message.topic] = now
            bus.ask(for: message.topic)
        }
    }

    /// Messages that were longer than the bus takes: their topics.
    func takeOverlong(_ topics: [String]) {
        let now = clock.now
        for topic in topics {
            guard let (place, _) = table.gateway(of: topic) else { continue }
            for index in table.routes[topic]?.sensors ?? [] {
                readings.live.refuse(table.sensors[index].sensor.id, .tooLong, at: now)
            }
            tell(.overlong, of: place, at: now)
        }
    }

    /// The broker dropped messages of a client, or passed them on without keeping them.
    /// - Parameters:
    ///   - name: its name on the bus.
    ///   - isMissed: whether they were dropped; else what was heard is newer than what the broker keeps.
    func takeCut(_ name: [UInt8], isMissed: Bool) {
        let now = clock.now
        follow(at: now)
        guard let place = table.gateways.firstIndex(where: { name.elementsEqual($0.gateway.username.utf8) }) else {
            return
        }
        if isMissed { table.missSomething(of: place) }
        // Who is put aside is not heard anyway, and its house knows.
        if table.gateways[place].isolatedAt == nil { tell(.cut, of: place, at: now) }
    }

    // MARK: Troubles

    /// Tells the house of a trouble, once until it is over.
    func tell(_ trouble: GatewayTrouble, of place: Int, at now: Timestamp) {
        if table.gateways[place].troubles[trouble] != nil {
            table.gateways[place].troubles[trouble]?.seen = now
            return
        }
        let gateway = table.gateways[place].gateway
        let alarm = alarms.raise(.fault, at: gateway.site, .gateway(name: gateway.name, trouble: trouble))
        table.gateways[place].troubles[trouble] = .init(alarm: alarm, seen: now)
        Log.warning(
            "home", "something is wrong with a gateway", ["what": trouble.rawValue, "gateway": gateway.id.text])
        write(trouble.event, gateway)
    }

    func end(_ trouble: GatewayTrouble, of place: Int) {
        guard let standing = table.gateways[place].troubles.removeValue(forKey: trouble) else { return }
        alarms.end(standing.alarm)
    }

    private func write(_ kind: String, _ gateway: Gateway) {
        let now = clock.now
        var json = JSONWriter(capacity: 64)
        json.object { $0.field("gateway", gateway.id.text) }
        let event = NewEvent(id: .new(at: now), site: gateway.site, kind: kind, at: now, payload: json.bytes)
        let store = store
        Task {
            do { _ = try await store.write { try Ledger.append(event, to: $0) } } catch {
                Log.failure("home", "an event was not written", ["kind": kind, "why": "\(error)"])
            }
        }
    }
}
