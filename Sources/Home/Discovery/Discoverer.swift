import Crypto
import Household
import Identity
import Ledger
import Notices
import Store
import Synchronization
import System

/// Takes what devices say of themselves by Home Assistant's discovery, and keeps the registry so.
///
/// Messages wait in memory while those before them are written: a home's own broker tells of hundreds of devices at once.
final class Discoverer: GatewayListener, Sendable {
    private typealias Message = DiscoveryQueue.Message
    private typealias Read = (message: DiscoveryQueue.Message, content: DiscoveryMessage.Content)

    /// So many messages of one gateway are written at once, at most.
    private static let batch = 128
    /// A transaction takes no further one after so many milliseconds: people's notices and disarming wait behind it.
    private let longestWrite: UInt64

    private let registry: Registry
    private let alarms: AlarmDesk
    private let panels: HousePanels
    private let care: Care
    private let watch: IntruderWatch
    private let store: Store
    private let clock: WallClock
    private let bus: HomeBus
    private let owners: OwnerNotices
    private let refusedMessages: RefusedMessages
    private let queue: Mutex<DiscoveryQueue>
    private let faults = Mutex(DiscoveryFaults())
    private let refusedDetectors: RefusedDetectors
    /// What is wrong, of the fault that says of a gateway that many things are.
    private static func aspect(ofMany matter: AlarmMessage.DevicesMatter, _ gateway: GatewayID) -> String {
        "\(matter.rawValue) \(gateway.text)"
    }

    /// The same, of one that names a device which contradicts itself.
    private static func aspect(ofNamed gateway: GatewayID) -> String { "named \(gateway.text)" }

    /// What devices took back while that did not count waits again: the broker has forgotten it. A contradiction that was mended while the
    /// hub was away is over within an hour; one that goes on is told again, and is the same fault.
    /// - Parameters:
    ///   - news: how many sensors and actuators of a gateway may change at once.
    ///   - longestWrite: see there.
    init(
        _ registry: Registry, _ alarms: AlarmDesk, _ panels: HousePanels, _ care: Care, _ watch: IntruderWatch,
        _ bus: HomeBus, _ owners: OwnerNotices, _ refused: RefusedMessages, _ store: Store, _ clock: WallClock,
        news: Int = DiscoveryLimit.news, longestWrite: UInt64 = 100
    ) throws {
        (self.registry, self.alarms, self.panels, self.care, self.watch) = (registry, alarms, panels, care, watch)
        (self.bus, self.owners, refusedMessages, self.store, self.clock) = (bus, owners, refused, store, clock)
        self.longestWrite = longestWrite
        refusedDetectors = RefusedDetectors(registry, alarms, refused, store, clock)
        queue = Mutex(DiscoveryQueue(news: news))
        let gateways = registry.catalog.gateways
        let standing = Set(gateways.values.flatMap { alarms.standing(at: $0.site).map(\.id) })
        for gateway in gateways.values {
            for named in alarms.standing(at: gateway.site)
            where named.kind == .fault && named.aspect == Self.aspect(ofNamed: gateway.id) {
                faults.withLock { $0.keep(named.id, of: gateway.id, at: clock.now) }
            }
            for matter in AlarmMessage.DevicesMatter.allCases {
                for many in alarms.standing(at: gateway.site)
                where many.kind == .fault && many.aspect == Self.aspect(ofMany: matter, gateway.id) {
                    faults.withLock { $0.restore(many: many.id, matter, of: gateway.id, at: clock.now) }
                }
            }
        }
        for one in try store.read({ try AnnouncementRecords.withheld(in: $0) }) {
            guard let gateway = gateways[one.gateway] else { continue }
            let message = Message(gateway: gateway, topic: one.topic, payload: [])
            queue.withLock { queue in
                queue.restore(message, digest: Digest.sha256([]))
                queue.set(one.fault.flatMap { standing.contains($0) ? $0 : nil }, of: message.place)
            }
        }
        refusedDetectors.review()
    }

    // MARK: what comes

    func receive(_ topic: Substring, _ payload: [UInt8], isRetained: Bool, from gateway: Gateway) -> Bool {
        guard topic.hasPrefix(GatewayTopics.discovery), topic.utf8.count <= DiscoveryLimit.topic else { return false }
        let message = Message(gateway: gateway, topic: String(topic), payload: payload)
        guard DiscoveryTopic(message.topic) != nil else { return false }
        let (digest, now) = (Digest.sha256(payload), clock.now)
        let starts = queue.withLock { queue -> Result<Bool, DiscoveryRefusal> in
            do throws(DiscoveryRefusal) { try queue.take(message, digest: digest, at: now) } catch {
                return .failure(error)
            }
            if queue.isEmpty || queue.isWorking { return .success(false) }
            queue.isWorking = true
            return .success(true)
        }
        switch starts {
        case .success(true): Task { await work() }
        case .success(false): break
        case .failure(let refusal): refuse(message.place, refusal)
        }
        return true
    }

    /// Whether everything that came has been taken.
    var isIdle: Bool { queue.withLock { !$0.isWorking } }

    /// Lets time pass: what changed too often is believed again when it has been calm, and what is gone is forgotten.
    func look() {
        let (now, gateways) = (clock.now, registry.catalog.gateways)
        let (over, starts) = queue.withLock { queue in
            let over = queue.settle(
                at: now, isInUse: { gateways[$0] != nil },
                isHeld: { gateways[$0].map { holdsDevices(of: $0.site) } ?? false })
            let starts = !queue.isEmpty && !queue.isWorking
            if starts { queue.isWorking = true }
            return (over, starts)
        }
        refusedMessages.keep { gateways[$0] != nil }
        let calm = faults.withLock { $0.settle(at: now, isInUse: { gateways[$0] != nil }) }
        end(calm.union(over))
        lookForRoom(at: now)
        refusedDetectors.look()
        if starts { Task { await work() } }
    }

    /// Where there is room again, what was refused for want of it is told once more by the broker: so much as fits, and the rest when there
    /// is more.
    private func lookForRoom(at now: Timestamp) {
        let lacking = queue.withLock { $0.lacking(at: now) }
        if lacking.isEmpty { return }
        let catalog = registry.catalog
        var devices: [GatewayID: Int] = [:]
        for one in catalog.devices.values { devices[one.gateway, default: 0] += 1 }
        var parts: [SiteID: Int] = [:]
        for one in catalog.sensors.values { parts[one.site, default: 0] += 1 }
        for one in catalog.actuators.values { parts[one.site, default: 0] += 1 }
        for (place, need) in lacking {
            guard let gateway = catalog.gateways[place.gateway] else { continue }
            if let connections = need.connections {
                guard !connections.isSubset(of: catalog.gateways(of: gateway.site).map(\.id)) else { continue }
                queue.withLock { $0.offer(place) }
                bus.ask(for: gateway.prefix + place.topic)
                continue
            }
            let after = (
                devices: devices[gateway.id, default: 0] + (need.isDevice ? 1 : 0),
                parts: parts[gateway.site, default: 0] + need.parts
            )
            guard !need.isDevice || after.devices <= DiscoveryLimit.devices, after.parts <= DiscoveryLimit.parts else {
                continue
            }
            (devices[gateway.id], parts[gateway.site]) = after
            queue.withLock { $0.offer(place) }
            bus.ask(for: gateway.prefix + place.topic)
        }
    }

    /// Whether what protects a house stays as it is for now.
    private func holdsDevices(of site: SiteID) -> Bool {
        panels.panel(of: site).holdsDevices || care.hasAirAlarm(at: site)
    }

    /// Ends faults that are over; one that says that many things are wrong is over with the last of them, and stands for an hour.
    private func end(_ faults: Set<HouseAlarmID>) {
        let kept = self.faults.withLock(\.kept).union(queue.withLock { $0.faults(among: faults) })
        for fault in faults.subtracting(kept) { alarms.end(fault) }
    }

    private func refuse(
        _ place: DiscoveryQueue.Place, _ refusal: DiscoveryRefusal, detectors: RefusedMessages.Detectors? = nil
    ) {
        Log.warning("home", "a discovery message is not taken", ["why": refusal.description])
        refusedMessages.set(refusal, place.topic, of: place.gateway, detectors)
    }

    // MARK: the work

    private func work() async {
        while true {
            let batch = queue.withLock { queue in
                let batch = queue.next(Self.batch)
                if batch.isEmpty { queue.isWorking = false }
                return batch
            }
            if batch.isEmpty { return }
            do { try await write(batch) } catch {
                Log.failure("home", "what devices say of themselves could not be kept", ["why": "\(error)"])
                queue.withLock { queue in for one in batch { queue.forget(one.place) } }
            }
        }
    }

    private func write(_ batch: [Message]) async throws {
        let (now, connection) = (clock.now, batch[0].gateway.id)
        let detectors = refusedMessages.detectors(of: connection)
        defer {
            if refusedMessages.detectors(of: connection) != detectors { refusedDetectors.review(connection) }
        }
        let changed = try store.read { [read = read(batch)] database in
            try read.filter { try Self.isNews($0.content, $0.message, in: database) }
        }
        var news: [Read] = []
        for one in changed {
            if queue.withLock({ $0.holds(one.message, at: now) }) {
                tell(.device(name: Self.name(one), matter: .restless), of: one.message)
            } else {
                news.append(one)
            }
        }
        if news.isEmpty { return }
        // All of a batch is of one gateway.
        let (gateway, site) = (news[0].message.gateway, news[0].message.gateway.site)
        let before = care.alwaysOn(at: site)
        let outcomes = try await registry.change(at: site) {
            [news, panels, care, longestWrite] database in
            let began = Uptime.milliseconds
            var announcing = try Announcing(
                at: site, in: database, at: now, panel: { panels.panel(of: $0) },
                hasAirAlarm: { care.hasAirAlarm(at: $0) })
            var outcomes: [Announcing.Outcome] = []
            for one in news where outcomes.isEmpty || Uptime.milliseconds - began < longestWrite {
                outcomes.append(try announcing.take(one.content, one.message.topic, of: gateway))
            }
            try announcing.finish()
            return outcomes
        }
        queue.withLock { $0.putBack(news.dropFirst(outcomes.count).map(\.message)) }
        news.removeSubrange(outcomes.count...)
        for (one, outcome) in zip(news, outcomes) { keep(outcome, of: one, at: now) }
        if outcomes.contains(where: \.isNews) { refusedDetectors.review(gateway.id) }
        // What warns of smoke is missed in a house that is not armed, too, whoever takes it away.
        let lost = before.lost(in: care.alwaysOn(at: site))
        // Each connection for itself: what another one says takes no part in it.
        for (id, part) in lost?.byGateway ?? [:] {
            let connection = id.flatMap { registry.catalog.gateways[$0] } ?? gateway
            await owners.tell(of: part, at: site, by: nil, through: connection)
        }
        // What they told before anybody knew what it meant, the broker has kept. It is asked once for all that waits.
        if !queue.withLock({ $0.waits(for: gateway.id) }) { bus.ask(for: gateway.prefix + "#") }
    }

    /// Reads messages. Those of ours that a home's own broker brings back are left out.
    private func read(_ batch: [Message]) -> [Read] {
        let gateways = registry.catalog.gateways
        return batch.compactMap { message in
            guard gateways[message.gateway.id] != nil, let topic = DiscoveryTopic(message.topic) else { return nil }
            do throws(DiscoveryRefusal) {
                let understood = try DiscoveryMessage(
                    topic: topic, payload: message.payload, prefix: message.gateway.prefix)
                refusedMessages.set(nil, message.topic, of: message.gateway.id)
                return understood.isOurs && message.gateway.kind == .bridge ? nil : (message, understood.content)
            } catch {
                let found = DiscoveryMessage.detectors(
                    topic, message.payload, prefix: message.gateway.prefix, refusedFor: error)
                refuse(message.place, error, detectors: found)
                return nil
            }
        }
    }

    /// Whether it says something else than what is kept.
    private static func isNews(
        _ content: DiscoveryMessage.Content, _ message: Message, in database: Database
    ) throws -> Bool {
        let kept = try AnnouncementRecords.announcement(message.topic, of: message.gateway.id, in: database)
        guard case .described(let device) = content else { return kept != nil && kept?.gone == nil }
        return kept?.device != device || kept?.gone != nil || kept?.withheld != nil
    }

    private static func name(_ read: Read) -> String {
        if case .described(let device) = read.content { device.name } else { read.message.gateway.name }
    }

    private func keep(_ outcome: Announcing.Outcome, of read: Read, at now: Timestamp) {
        let (message, place) = (read.message, read.message.place)
        queue.withLock { queue in
            queue.read(place, outcome.changes, at: now)
            queue.lack(outcome.lack, place, at: now)
            queue.contest(place, at: nil)
        }
        if !outcome.withheld.isEmpty { return withhold(outcome.withheld, of: message) }
        if let refusal = outcome.refusal {
            var found: RefusedMessages.Detectors?
            if case .described(let device) = read.content { found = device.detectors(refusedFor: refusal) }
            refuse(place, refusal, detectors: found)
        }
        let over = queue.withLock { queue -> HouseAlarmID? in
            if outcome.isNews { queue.changed(place, at: now) }
            if !outcome.contested.isEmpty || outcome.isInPart { queue.contest(place, at: now) }
            guard outcome.contested.isEmpty, let fault = queue.fault(of: place) else { return nil }
            queue.set(nil, of: place)
            return fault
        }
        if let over { end([over]) }
        if let name = outcome.contested.first { tell(.device(name: name, matter: .contested), of: message) }
    }

    /// The house is armed or sounds: what protects it stays as it is, and people are told of what a device takes back. Of another name
    /// nobody is.
    private func withhold(_ withheld: Announcing.Withheld, of message: Message) {
        queue.withLock { $0.withhold(message) }
        if !withheld.sensors.isEmpty {
            watch.contradict(withheld.sensors, at: message.gateway.site)
        }
        let isArmed = panels.panel(of: message.gateway.site).mode != nil
        // In an armed house each sensor is named by itself.
        let names = isArmed ? [] : withheld.sensors.values.sorted()
        guard let name = (withheld.actuators + names).first else { return }
        tell(
            .device(name: name, matter: isArmed ? .withheld : .withheldWhileSounding), of: message, as: .withheld)
    }

    /// Tells the people of the house, once until it is over; beyond the count, that there are many.
    private func tell(
        _ fact: AlarmMessage, of message: Message, as matter: AlarmMessage.DevicesMatter = .contradiction
    ) {
        guard queue.withLock({ $0.fault(of: message.place) }) == nil else { return }
        let (gateway, now) = (message.gateway, clock.now)
        let isNamed = faults.withLock { $0.admit(matter, of: gateway.id, at: now) }
        let fault: HouseAlarmID
        if isNamed {
            let aspect = matter == .contradiction ? Self.aspect(ofNamed: gateway.id) : ""
            fault = alarms.raise(.fault, at: gateway.site, fact, aspect: aspect)
        } else {
            let name = registry.catalog.gateways[gateway.id]?.name ?? gateway.name
            fault = alarms.raise(
                .fault, at: gateway.site, .devices(gateway: name, matter: matter),
                aspect: Self.aspect(ofMany: matter, gateway.id))
            faults.withLock { $0.keep(fault, of: gateway.id, at: now) }
        }
        queue.withLock { $0.set(fault, of: message.place) }
        let (store, topic) = (store, message.topic)
        Task {
            do {
                try await store.write {
                    try AnnouncementRecords.tell(fault, ofWithheld: topic, of: gateway.id, in: $0)
                }
            } catch { Log.warning("home", "a fault stays after the next start", ["why": "\(error)"]) }
        }
    }
}
