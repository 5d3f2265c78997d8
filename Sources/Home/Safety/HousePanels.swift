import Household
import Identity
import Ledger
import Notices
import Safeguard
import Store
import Synchronization
import System

/// The alarm panel of each house, as the hub keeps it: it acts first and writes second.
///
/// Every change happens in memory under one lock. What comes of it (sirens, boxes, people) is done in the order of the changes, outside
/// of the lock and on the thread that made them; it waits for no table. The rows are written by `run`, and by whoever waits for `write`.
final class HousePanels: Sendable {
    /// At most so many events of a house wait for a disk that is full; its oldest go first, and are counted.
    /// - Key: site
    static let mostUnwritten = 512

    /// One change, as others hear of it.
    struct Change: Sendable {
        let site: SiteID
        let before: HousePanel
        let after: HousePanel
        let cause: PanelCause

        /// Whether a house that was not armed is.
        var arms: Bool { before.panel.mode == nil && after.panel.mode != nil }
        /// Whether an alarm that was on is not.
        var ends: Bool { before.panel.state == .triggered && after.panel.state != .triggered }
    }

    private struct State {
        var houses: [SiteID: HousePanel]
        /// When the clock was looked at last.
        var seen: Timestamp
        /// Whose rows are older than they are.
        var unwritten: Set<SiteID> = []
        var events: [SiteID: [NewEvent]] = [:]
        var lost = 0
        /// What is still to be done, in order: whoever comes while somebody does it leaves theirs here.
        var changes: [Change] = []
        var isActing = false
    }
    private let state: Mutex<State>
    private let followers = Followers<Change>()
    private let changed = Bell()
    private let store: Store
    let clock: WallClock
    let registry: Registry
    let settings: SafetySettings
    let sirens: Sirens
    private let alarms: AlarmDesk

    /// Takes up what the tables say. A deadline that passed meanwhile is taken by the first `tick`.
    init(
        _ store: Store, _ clock: WallClock, _ registry: Registry, _ settings: SafetySettings, _ sirens: Sirens,
        _ alarms: AlarmDesk
    ) throws {
        (self.store, self.clock, self.registry, self.settings) = (store, clock, registry, settings)
        (self.sirens, self.alarms) = (sirens, alarms)
        let kept = try store.read { try SafetyRecords.panels(in: $0) }
        state = Mutex(
            State(houses: Dictionary(uniqueKeysWithValues: kept.map { ($0.site, $0.panel) }), seen: clock.now))
        for (site, house) in kept {
            sirens.sound(house.panel.isSounding, at: site)
            if let last = house.last, last.kind != .called { alarms.attended(site, at: last.at) }
        }
        // Whether a siren that was away heard that it is to be still, nobody knows any more.
        let since = clock.now.adding(milliseconds: -Sirens.remembered)
        for site in try store.read({ try AlarmRecords.sites(withAlarmsSince: since, in: $0) }) {
            sirens.doubt(at: site)
        }
    }

    // MARK: what it is like

    /// How a house's panel stands.
    func panel(of site: SiteID) -> Panel { house(site).panel }

    /// The same, with everything that says how it came to stand so.
    func house(_ site: SiteID) -> HousePanel { state.withLock { $0.houses[site] } ?? HousePanel() }

    /// All houses that somebody ever armed, or that had an alarm.
    var houses: [SiteID: HousePanel] { state.withLock { $0.houses } }

    /// One more follows every change, in their order, on the thread that made them.
    func follow(_ follower: @escaping @Sendable (Change) -> Void) { followers.add(follower) }

    // MARK: what changes it

    /// Moves a house's panel. What the body throws or refuses leaves it as it was.
    /// - Returns: whether anything changed.
    @discardableResult
    func change<Failure: Error>(
        _ site: SiteID, _ cause: PanelCause, at now: Timestamp,
        _ body: (inout HousePanel, PanelRules) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        let (rules, catalog) = (settings.rules(of: site).panel, registry.catalog)
        let outcome: Result<Bool, Failure> = state.withLock { state in
            let before = state.houses[site] ?? HousePanel()
            var after = before
            do throws(Failure) {
                guard try body(&after, rules), after != before else { return .success(false) }
            } catch { return .failure(error) }
            if case .act(let kind, let actor) = cause {
                after.last = HousePanel.Act(kind: kind, by: actor, at: now)
            }
            if after.panel.mode != before.panel.mode || cause.isArming {
                after.watched = Self.watched(of: catalog.distinctSensors(at: site), in: after.panel.mode)
            }
            after.revision += 1
            state.houses[site] = after
            state.unwritten.insert(site)
            let change = Change(site: site, before: before, after: after, cause: cause)
            Self.keep(PanelEvents.events(of: change, at: now), of: site, &state)
            state.changes.append(change)
            return .success(true)
        }
        act()
        // Who is on the way to the disk need not wait for the clock: a restart a moment later knows of it.
        changed.ring()
        return try outcome.get()
    }

    private static func keep(_ events: [NewEvent], of site: SiteID, _ state: inout State) {
        guard !events.isEmpty else { return }
        state.events[site, default: []] += events
        let excess = state.events[site, default: []].count - mostUnwritten
        guard excess > 0 else { return }
        state.lost += excess
        state.events[site]?.removeFirst(excess)
    }

    /// A sensor under the name by which people tell it from others; in an armed house under the one with which it was armed.
    func distinct(_ sensor: Sensor) -> Sensor {
        registry.catalog.distinct(sensor, known: house(sensor.site).watched[sensor.id])
    }

    /// What protects a house in a mode, by name.
    static func watched(of sensors: [Sensor], in mode: ArmMode?) -> [SensorID: String] {
        guard let mode else { return [:] }
        return Dictionary(uniqueKeysWithValues: sensors.filter { $0.counts(for: mode) }.map { ($0.id, $0.name) })
    }

    /// Does what is to be done, in order and without holding the lock: whoever is called may call back.
    private func act() {
        while true {
            let next = state.withLock { state -> Change? in
                guard !state.isActing, !state.changes.isEmpty else { return nil }
                state.isActing = true
                return state.changes.removeFirst()
            }
            guard let change = next else { return }
            sirens.sound(change.after.panel.isSounding, at: change.site)
            followers.tell(change)
            tell(change)
            state.withLock { $0.isActing = false }
        }
    }

    // MARK: people

    /// Raises what people have to know, and ends what is over. Alarms of the air are Care's.
    private func tell(_ change: Change) {
        let (before, after) = (change.before, change.after)
        let isOver = before.panel.state == .triggered && after.panel.state != .triggered
        switch change.cause {
        // Who calls for help has done nothing about what is on.
        case .act(.called, _): break
        case .act: alarms.attended(change.site)
        case .keeper where isOver: alarms.attended(change.site)
        case .keeper, .trip, .deadline, .weakness: break
        }
        if after.panel.state == .triggered {
            // What the same sensor said of the air, under another meaning, told of nobody who came in.
            let told = before.panel.state == .triggered ? before.trips.filter { $0.kind != .environmental } : []
            let known = Set(told.map(\.sensor))
            for trip in after.trips
            where trip.kind != .environmental && (after.panel.mode != nil || after.isDrill)
                && !known.contains(trip.sensor)
            {
                raise(trip, at: change.site, isDrill: after.isDrill)
            }
            if before.panel.state != .triggered, after.trips.isEmpty, let message = messageOfBox(in: change) {
                keep(alarms.raise(.intrusion, at: change.site, message), of: change.site)
            }
        } else if isOver {
            end(at: change.site, change.cause)
        }
        raiseAgain(change)
        if case .act(.silenced, let actor) = change.cause { alarms.silenced(change.site, by: actor.person) }
    }

    /// What a box saw that the hub did not: the keeper that was right, or, when the time to disarm runs out here, one of the house. It may be out of use
    /// since.
    private func messageOfBox(in change: Change) -> AlarmMessage? {
        let box: Gateway?
        switch change.cause {
        case .keeper(let id), .act(.armed, .box(let id)): box = registry.catalog.gateways[id]
        case .deadline: box = registry.catalog.gateways(of: change.site).first { $0.kind == .box }
        case .act, .trip, .weakness: return nil
        }
        return box.map { .sounds(box: $0.name) } ?? .trippedUnknown(name: nil)
    }

    /// Somebody who makes a siren sound again that was silenced has come since: that is an alarm of its own, also at the same door.
    private func raiseAgain(_ change: Change) {
        let (before, after) = (change.before, change.after)
        guard case .trip(let kind, let sensor) = change.cause, kind != .environmental,
            before.panel.state == .triggered, !before.panel.isSounding, after.panel.isSounding,
            let known = alarms.standing(at: change.site).first(where: {
                $0.sensor == sensor && $0.kind == (kind == .tamper ? .tamper : .intrusion) && alarms.isSilenced($0.id)
            })
        else { return }
        alarms.end(known.id)
        raise(HousePanel.Trip(sensor: sensor, kind: kind, at: clock.now), at: change.site, isDrill: after.isDrill)
    }

    private func raise(_ trip: HousePanel.Trip, at site: SiteID, isDrill: Bool) {
        // Who takes a sensor out of use meanwhile ends nothing by it.
        let message =
            registry.catalog.sensors[trip.sensor].map { AlarmMessage(trippedBy: distinct($0)) }
            ?? .trippedUnknown(name: house(site).watched[trip.sensor])
        keep(
            alarms.raise(
                trip.kind == .tamper ? .tamper : .intrusion, at: site, sensor: trip.sensor, message, isDrill: isDrill),
            of: site)
    }

    /// Remembers an alarm, to end it with its cause.
    private func keep(_ alarm: HouseAlarmID, of site: SiteID) {
        state.withLock { state in
            guard var house = state.houses[site], !house.alarms.contains(alarm) else { return }
            house.alarms.append(alarm)
            house.revision += 1
            state.houses[site] = house
            state.unwritten.insert(site)
        }
    }

    /// Changes what is known of who came in at a box while it was alone: nobody acts on that yet.
    func noteEntries(at box: GatewayID, of site: SiteID, _ body: (inout UnheardEntries) -> Void) {
        let isChanged = state.withLock { state in
            var house = state.houses[site] ?? HousePanel()
            var entries = house.entries[box] ?? UnheardEntries()
            let before = entries
            body(&entries)
            guard entries != before else { return false }
            house.entries[box] = entries.entries.isEmpty ? nil : entries
            house.revision += 1
            state.houses[site] = house
            state.unwritten.insert(site)
            return true
        }
        if isChanged { changed.ring() }
    }

    private func end(at site: SiteID, _ cause: PanelCause) {
        let ended = state.withLock { state -> [HouseAlarmID] in
            guard var house = state.houses[site], !house.alarms.isEmpty else { return [] }
            defer {
                house.alarms = []
                house.revision += 1
                state.houses[site] = house
                state.unwritten.insert(site)
            }
            return house.alarms
        }
        var person: PersonID?
        if case .act(_, let actor) = cause { person = actor.person }
        for alarm in ended { alarms.end(alarm, by: person) }
    }

    // MARK: time

    /// Takes the deadlines that have come. A clock that was set back leaves everybody the time that they had.
    /// - Parameter isDanger: whether gas, smoke or water is still at a house.
    func tick(isDanger: (SiteID) -> Bool) {
        let now = clock.now
        let due = state.withLock { state -> [SiteID] in
            let back = now.milliseconds - state.seen.milliseconds
            state.seen = now
            if back < 0 {
                for site in state.houses.keys where state.houses[site]?.panel.deadline != nil {
                    state.houses[site]?.panel.shift(by: back)
                    state.houses[site]?.revision += 1
                    state.unwritten.insert(site)
                }
            }
            return state.houses.filter { ($0.value.panel.deadline ?? .max) <= now.milliseconds }.map(\.key)
        }
        for site in due { pass(site, at: now, isDanger: isDanger(site)) }
        sirens.repeatWhatWasNotHeard()
    }

    private func pass(_ site: SiteID, at now: Timestamp, isDanger: Bool) {
        change(site, .deadline, at: now) { house, rules in
            guard house.panel.pass(at: now.milliseconds, rules, isDanger: isDanger) else { return false }
            if house.panel.state != .triggered { house.isDrill = false }
            return true
        }
    }

    // MARK: the tables

    /// Waits until something changes, and no longer than that.
    func waitForChange(atMost duration: Duration) async { await changed.wait(atMost: duration) }

    /// Whether anything is not written down yet.
    var isWritten: Bool { state.withLock { $0.unwritten.isEmpty && $0.events.isEmpty } }

    /// Writes down what changed, all in one transaction. Two at once write the same twice, which changes nothing.
    func write() async throws {
        let (rows, events) = state.withLock { state in
            (state.unwritten.map { ($0, state.houses[$0] ?? HousePanel()) }, state.events.values.flatMap(\.self))
        }
        if rows.isEmpty, events.isEmpty { return }
        try await store.write(.vital) { database in
            for (site, house) in rows { try SafetyRecords.put(house, of: site, in: database) }
            for event in events where try Ledger.event(event.id, in: database) == nil {
                try Ledger.append(event, to: database)
            }
        }
        let written = Set(events.map(\.id))
        let lost = state.withLock { state in
            for (site, house) in rows where state.houses[site]?.revision == house.revision {
                state.unwritten.remove(site)
            }
            state.events = state.events.mapValues { $0.filter { !written.contains($0.id) } }.filter { !$1.isEmpty }
            defer { state.lost = 0 }
            return state.lost
        }
        if lost > 0 { Log.failure("home", "what panels did could not be kept for the log", ["events": "\(lost)"]) }
    }

    /// Writes, and does not mind when the disk is full: it is tried again until it has room.
    /// - Returns: whether it could be written.
    @discardableResult
    func writeSoon() async -> Bool {
        do { try await write() } catch {
            Log.failure("home", "how panels stand could not be written down yet", ["why": "\(error)"])
            return false
        }
        return true
    }
}
