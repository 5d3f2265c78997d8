import Household
import Identity
import Ledger
import Safeguard
import System

// What people, sensors and boxes do to a panel.

extension HousePanels {
    /// A sensor tripped, or a reading went over its threshold: acts at once, and waits for nothing.
    ///
    /// People are told by whoever knows what it means: of the air Care, of intruders the panel.
    /// - Parameters:
    ///   - left: what another keeper of the panel says is left of the time, in milliseconds; the shorter time counts.
    ///   - isDrill: whether it is an exercise, which sounds and is told as one.
    func trip(
        _ kind: SensorClass, by sensor: Sensor, at now: Timestamp, left: Int64? = nil, isDrill: Bool = false
    ) {
        change(sensor.site, .trip(kind, sensor.id), at: now) { house, rules in
            if house.bypassed.contains(sensor.id), kind != .environmental { return false }
            if house.isDrill, !isDrill, Self.endsDrill(of: house, by: kind, at: now, rules) {
                house.panel.take(.reset, at: now.milliseconds, rules)
                house.isDrill = false
                house.trips = []
            }
            let before = house.panel
            house.panel.take(.trip(kind), at: now.milliseconds, rules)
            if let left, house.panel.deadline != before.deadline {
                house.panel.shorten(to: now.milliseconds + max(left, 0))
            }
            let counts = house.panel != before || (before.isDisturbed && kind.counts(for: before.mode))
            guard counts else { return false }
            if house.panel != before, isDrill, before.state != .triggered { house.isDrill = true }
            if !before.isDisturbed { house.trips = [] }
            house.add(HousePanel.Trip(sensor: sensor.id, kind: kind, at: now))
            return true
        }
    }

    /// Whether what really happens is more than the exercise that sounds.
    private static func endsDrill(
        of house: HousePanel, by kind: SensorClass, at now: Timestamp, _ rules: PanelRules
    ) -> Bool {
        var probe = house.panel
        probe.take(.reset, at: now.milliseconds, rules)
        return probe.take(.trip(kind), at: now.milliseconds, rules)
    }

    /// Somebody calls for help, or another system raises the alarm. Whoever calls this tells people why.
    func trigger(at site: SiteID, by actor: PanelActor, isDrill: Bool = false) {
        let now = clock.now
        change(site, .act(.called, actor), at: now) { house, rules in
            let wasTriggered = house.panel.state == .triggered
            if !house.panel.isDisturbed { house.trips = [] }
            guard house.panel.take(.trigger, at: now.milliseconds, rules) else { return false }
            house.isDrill = isDrill && (house.isDrill || !wasTriggered)
            return true
        }
    }

    /// Arms a house.
    /// - Parameters:
    ///   - open: sensors that stand open now and would count: each has to be left out by name.
    ///   - silent: sensors that do not speak: it is armed, and they are named.
    ///   - mayWeaken: whether whoever asks has proven what disarming takes.
    /// - Returns: whether a house that was armed is armed less now.
    @discardableResult
    func arm(
        _ mode: ArmMode, at site: SiteID, by actor: PanelActor, bypassing: Set<SensorID> = [],
        open: [SensorID] = [], silent: [SensorID] = [], mayWeaken: Bool = false
    ) throws(PanelRefusal) -> Bool {
        let (now, catalog) = (clock.now, registry.catalog)
        for id in bypassing.sorted() {
            guard let sensor = catalog.sensors[id], sensor.site == site, sensor.alarmClass != .environmental else {
                throw .cannotBypass(id)
            }
        }
        let left = open.filter { !bypassing.contains($0) }
        guard left.isEmpty else { throw .open(left) }
        var weakens = false
        try change(site, .act(.armed, actor), at: now) { house, rules throws(PanelRefusal) in
            guard !house.panel.isDisturbed else { throw .inAlarm }
            let isSame = house.isArmed(mode, bypassing: bypassing)
            if isSame, bypassing == house.bypassed { return false }
            let counting = Self.watched(of: catalog.sensors(at: site), in: house.panel.mode)
            // Armed anew, the house would forget what it misses.
            weakens =
                !isSame && house.isWeakened(by: mode, bypassing: bypassing, rules)
                || house.watched.keys.contains { counting[$0] == nil }
            if weakens, !mayWeaken { throw .weakens }
            // What stands so already is not armed anew, and its time to leave goes on; what is left out no longer counts at once.
            if isSame {
                house.bypassed = bypassing
                house.panel.count()
                return true
            }
            house.panel.take(.arm(mode), at: now.milliseconds, rules)
            (house.bypassed, house.trips, house.isDrill) = (bypassing, [], false)
            house.weak = Dictionary(
                uniqueKeysWithValues: silent.filter { !bypassing.contains($0) }.map { ($0, .silent) })
            return true
        }
        return weakens
    }

    /// Disarms a house, and ends whatever alarm it has.
    func disarm(_ site: SiteID, by actor: PanelActor) {
        let now = clock.now
        change(site, .act(.disarmed, actor), at: now) { house, rules in
            house.panel.take(.disarm, at: now.milliseconds, rules)
            (house.bypassed, house.weak, house.isDrill) = ([], [:], false)
            return true
        }
    }

    /// Ends the noise; the alarm stays.
    func silence(_ site: SiteID, by actor: PanelActor) {
        let now = clock.now
        change(site, .act(.silenced, actor), at: now) { house, rules in
            house.panel.take(.silence, at: now.milliseconds, rules)
        }
    }

    /// Ends the alarm; the panel stands as it did before.
    /// - Parameter mayDisarm: whether whoever asks has proven what disarming takes: that of a house that is armed ends only so.
    func reset(_ site: SiteID, by actor: PanelActor, mayDisarm: Bool = true) {
        let now = clock.now
        change(site, .act(.reset, actor), at: now) { house, rules in
            guard mayDisarm || house.panel.mode == nil else { return false }
            guard house.panel.take(.reset, at: now.milliseconds, rules) else { return false }
            house.isDrill = false
            return true
        }
    }

    /// Stands as another keeper of the panel says, which is right.
    /// - Parameters:
    ///   - act: what somebody did there; nil: nothing that anybody did.
    ///   - trip: what tripped there last, when it told.
    func follow(
        _ panel: Panel, of gateway: Gateway, _ act: (kind: HousePanel.Act.Kind, by: PanelActor)?,
        _ trip: HousePanel.Trip?
    ) {
        let now = clock.now
        change(gateway.site, act.map { .act($0.kind, $0.by) } ?? .keeper(gateway.id), at: now) { house, _ in
            if !house.panel.isDisturbed { house.trips = [] }
            if panel.isDisturbed { Self.join(trip, of: gateway, in: panel, to: &house) }
            house.panel.follow(panel, at: now.milliseconds)
            if panel.mode == nil { (house.bypassed, house.weak) = ([], [:]) }
            if panel.state != .triggered { house.isDrill = false }
            return true
        }
    }

    /// An alarm is on at another keeper of the panel, of which the hub did not know, or which it thought was over: it is one of the house. Acts
    /// of which only that keeper knows are not counted: their own records may still come.
    /// - Parameter trip: what tripped there last, when it told.
    func join(_ panel: Panel, of gateway: Gateway, _ trip: HousePanel.Trip?) {
        let now = clock.now
        let panel = Panel(
            state: panel.state, mode: panel.mode, deadline: panel.deadline, isSounding: panel.isSounding,
            number: min(panel.number, self.panel(of: gateway.site).number))
        func stand(_ house: inout HousePanel) -> HousePanel.Trip? {
            if !house.panel.isDisturbed { house.trips = [] }
            var joint = panel
            joint.heed(house.panel, at: now.milliseconds)
            house.panel.follow(joint, at: now.milliseconds)
            return Self.join(trip, of: gateway, in: joint, to: &house)
        }
        var probe = house(gateway.site)
        let cause = stand(&probe).map { PanelCause.trip($0.kind, $0.sensor) } ?? .keeper(gateway.id)
        change(gateway.site, cause, at: now) { house, _ in
            _ = stand(&house)
            return true
        }
    }

    /// What tripped at another keeper, and who came in there, as far as it counts here: in a house that was disarmed meanwhile nobody knows a
    /// door that counts, and people are told of the box.
    /// - Returns: the last of it.
    @discardableResult
    private static func join(
        _ trip: HousePanel.Trip?, of gateway: Gateway, in panel: Panel, to house: inout HousePanel
    ) -> HousePanel.Trip? {
        let entries = house.entries[gateway.id]?.join(panel.mode) ?? []
        var trips = entries.compactMap { entry in
            entry.sensor.map { HousePanel.Trip(sensor: $0, kind: entry.kind, at: entry.at) }
        }
        if house.entries[gateway.id]?.entries.isEmpty == true { house.entries[gateway.id] = nil }
        if trips.isEmpty, let trip, trip.kind.counts(for: panel.mode) { trips = [trip] }
        for one in trips { house.add(one) }
        return trips.last
    }

    /// An act at another keeper of the panel came before the alarm that is on here: it ends nothing, and the house stands after it as that
    /// says.
    func heed(_ panel: Panel, of gateway: Gateway) {
        change(gateway.site, .keeper(gateway.id), at: clock.now) { house, _ in
            guard house.panel.isMoreUrgent(than: panel) else { return false }
            house.panel.heed(panel, at: clock.now.milliseconds)
            if house.panel.mode == nil { (house.bypassed, house.weak) = ([], [:]) }
            return true
        }
    }

    /// Stands as it did, and knows of one act more than another keeper that is not to be believed.
    func outrank(_ number: UInt64, at gateway: Gateway) {
        change(gateway.site, .keeper(gateway.id), at: clock.now) { house, _ in
            guard house.panel.number <= number else { return false }
            house.panel.count(from: number)
            return true
        }
    }

    /// A sensor does not do its part, or does it again.
    /// - Parameter weakness: nil: it does.
    /// - Returns: whether that is news.
    @discardableResult
    func mark(_ sensor: Sensor, as weakness: AlarmMessage.Weakness?) -> Bool {
        mark(sensor.id, at: sensor.site, as: weakness)
    }

    /// The same of a sensor that may not be there any more.
    @discardableResult
    func mark(_ sensor: SensorID, at site: SiteID, as weakness: AlarmMessage.Weakness?) -> Bool {
        change(site, .weakness(sensor, weakness), at: clock.now) { house, _ in
            guard house.panel.mode != nil, !house.bypassed.contains(sensor) else { return false }
            house.weak[sensor] = weakness
            return true
        }
    }
}

extension HousePanels: AirPanels {
    func tripByAir(_ sensor: Sensor, at now: Timestamp) { trip(.environmental, by: sensor, at: now) }
}
