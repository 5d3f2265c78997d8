import Household
import Identity
import Ledger
import Safeguard
import System

/// What is known of the air of all houses, and what is to be done about it: a value, moved by readings and by the clock.
struct CareState: Sendable {
    /// What there is.
    var catalog: Catalog
    /// The houses where thresholds do not count.
    var disabled: Set<SiteID> = []
    /// What each fan follows.
    private(set) var rules: [ActuatorID: FanRule] = [:]
    private var followers: [SensorID: [ActuatorID]] = [:]
    private(set) var watches: [SensorID: AirWatch] = [:]
    private(set) var fans: [ActuatorID: FanRun] = [:]
    /// The fans that run otherwise than was written down.
    var unwritten: Set<ActuatorID> = []
    /// What fans and valves were told and, as far as anybody knows, heard.
    private var heard: [ActuatorID: UInt8] = [:]

    init(_ catalog: Catalog) { self.catalog = catalog }

    // MARK: what is chosen

    /// What a house has chosen.
    func settings(of site: SiteID) -> CareSettings {
        let own = catalog.sensors(at: site)
        return CareSettings(
            isEnabled: !disabled.contains(site),
            thresholds: own.reduce(into: [:]) { $0[$1.id] = watches[$1.id]?.threshold },
            fans: rules.values.filter { $0.site == site }.sorted { $0.fan < $1.fan })
    }

    mutating func set(_ rule: FanRule?, of fan: ActuatorID, at now: Timestamp) -> [CareAct] {
        keep(rule, of: fan)
        return ventilate([fan], at: now)
    }

    private mutating func keep(_ rule: FanRule?, of fan: ActuatorID) {
        rules[fan] = rule
        followers = Dictionary(grouping: rules.values.sorted { $0.fan < $1.fan }, by: \.sensor)
            .mapValues { $0.map(\.fan) }
    }

    mutating func set(_ threshold: Threshold?, of sensor: SensorID, at now: Timestamp) -> [CareAct] {
        watches[sensor, default: AirWatch()].threshold = threshold
        return review(sensor, at: now)
    }

    mutating func set(isEnabled: Bool, at site: SiteID, now: Timestamp) -> [CareAct] {
        if isEnabled { disabled.remove(site) } else { disabled.insert(site) }
        return watches.keys.filter { catalog.sensors[$0]?.site == site }.sorted().flatMap { review($0, at: now) }
    }

    /// By hand for a time; nil: by its rule from now on.
    mutating func run(_ fan: ActuatorID, byHand: FanRun.ByHand?, at now: Timestamp) -> [CareAct] {
        fans[fan, default: FanRun()].byHand = byHand
        unwritten.insert(fan)
        return ventilate([fan], at: now)
    }

    /// Ends what holds the fans of a house off or slow by hand, and tells those that are to run: they may have been switched off by another way.
    mutating func release(at site: SiteID, _ now: Timestamp) -> [CareAct] {
        let followed = rules.values.filter { $0.site == site }.map(\.fan).sorted()
        for fan in followed {
            if fans[fan]?.byHand?.isSlowed == true {
                fans[fan]?.byHand = nil
                unwritten.insert(fan)
            }
            if percent(of: fan) > 0 { forget(fan) }
        }
        return ventilate(followed, at: now)
    }

    /// The alarm of a house ended, by people or by itself: gas that is over its level there and falls below it is over.
    mutating func ended(at site: SiteID, now: Timestamp) -> [CareAct] {
        let over = watches.filter(\.value.isOver).keys.compactMap { catalog.sensors[$0] }
            .filter { $0.site == site && $0.isEnvironmental }.sorted { $0.id < $1.id }
        let counts = !disabled.contains(site)
        return over.flatMap { follow(watches[$0.id]?.end(at: now, counts: counts), $0, at: now) }
    }

    // MARK: what was before a restart

    mutating func restore(_ threshold: Threshold, of sensor: SensorID) {
        watches[sensor, default: AirWatch()].threshold = threshold
    }

    mutating func restore(_ rule: FanRule) { keep(rule, of: rule.fan) }

    mutating func restore(alarm: HouseAlarmID?, fault: HouseAlarmID?, of sensor: SensorID) {
        watches[sensor, default: AirWatch()].restore(alarm: alarm, fault: fault)
    }

    mutating func restore(_ exposure: CarbonMonoxideExposure, of sensor: SensorID) {
        let factor = catalog.sensors[sensor].flatMap(Self.factor)
        watches[sensor, default: AirWatch()].restore(exposure, factor: factor ?? 1)
    }

    /// A fan that runs is told so again; one that is off is left alone.
    mutating func restore(_ run: FanRun, of fan: ActuatorID) {
        fans[fan] = run
        if run.percent == 0 { heard[fan] = 0 }
    }

    // MARK: what happens

    /// Whether a sensor is of those that Care looks at. Most are not, and cost no more than this.
    func concerns(_ sensor: Sensor) -> Bool {
        Self.isOfCare(sensor) && (watches[sensor.id] != nil || sensor.isEnvironmental)
    }

    /// Whether Care acts on a sensor, and not the panel by itself.
    static func isOfCare(_ sensor: Sensor) -> Bool {
        sensor.alarmClass == nil || sensor.alarmClass == .environmental
    }

    /// Of carbon monoxide in numbers that threatens people, the factor from its unit to ppm; nil: it is something else, or nothing is known of
    /// its unit.
    static func factor(of sensor: Sensor) -> Double? {
        guard sensor.kind == .carbonMonoxideLevel, sensor.isEnvironmental else { return nil }
        return MeasuredRange.partsPerMillion(in: sensor.unit)
    }

    /// Whether a number of it can be an alarm.
    func isWatched(_ sensor: Sensor) -> Bool {
        watches[sensor.id]?.threshold != nil || Self.factor(of: sensor) != nil
    }

    /// A reading that counts.
    mutating func apply(_ value: ReadingValue, of sensor: Sensor, at now: Timestamp) -> [CareAct] {
        // A yes is an alarm only where it means danger: a lamp that is on is none.
        if case .truth = value, !sensor.isEnvironmental { return [] }
        let acts = over(sensor)
        let counts = !disabled.contains(sensor.site)
        let cause = watches[sensor.id, default: AirWatch()].apply(
            value, at: now, counts: counts, factor: Self.factor(of: sensor))
        return acts + follow(cause, sensor, at: now)
    }

    /// A box has seen a threshold reached or left.
    mutating func told(_ crossing: Crossing, of sensor: Sensor, value: Double?, at now: Timestamp) -> [CareAct] {
        let cause = watches[sensor.id, default: AirWatch()].told(crossing, value: value, at: now)
        return follow(cause, sensor, at: now, isHeld: true)
    }

    /// A number above what a sensor can measure: it is shown nowhere and ends nothing, but what is to be warned of is warned of.
    mutating func applyBeyond(_ value: Double, of sensor: Sensor, at now: Timestamp) -> [CareAct] {
        let level = watches[sensor.id]?.threshold?.level
        guard !disabled.contains(sensor.site), Self.factor(of: sensor) != nil || level.map({ value >= $0 }) ?? false
        else { return [] }
        return apply(.number(value), of: sensor, at: now)
    }

    /// Nobody hears anything from now on, or everything again.
    mutating func lostBus(at now: Timestamp) { for id in watches.keys { watches[id]?.lose(at: now) } }

    /// See `lostBus`.
    /// - Parameter isLive: which of them are heard.
    mutating func foundBus(at now: Timestamp, isLive: (SensorID) -> Bool) {
        for id in watches.keys where watches[id]?.exposure == nil || isLive(id) { watches[id]?.find(at: now) }
    }

    /// The broker had kept what a sensor said: it is there.
    mutating func applyKept(_ value: ReadingValue, of sensor: Sensor, at now: Timestamp) -> [CareAct] {
        if case .number(let number) = value, let factor = Self.factor(of: sensor) {
            watches[sensor.id, default: AirWatch()].findKept(number, factor, at: now)
        }
        return apply(.waiting, of: sensor, at: now)
    }

    /// A sensor speaks, or does not; or it is there, and has nothing to say.
    mutating func apply(_ status: SensorStatus, of sensor: Sensor, at now: Timestamp) -> [CareAct] {
        switch status {
        case .live, .waiting:
            watches[sensor.id]?.find(at: now)
            return over(sensor)
        case .warming:
            watches[sensor.id]?.beginAnew()
            return over(sensor)
        case .late, .unavailable, .isolated:
            watches[sensor.id]?.lose(at: now)
            let isDetector =
                sensor.isEnvironmental && (sensor.kind.isTruth || watches[sensor.id]?.isDetector == true)
            let counts = isWatched(sensor) && !disabled.contains(sensor.site)
            guard isDetector || counts, watches[sensor.id, default: AirWatch()].apply(isFaulty: true) else { return [] }
            return [.fault(sensor.id, status)]
        }
    }

    /// Where gas, smoke or water is, as far as anybody was told.
    var endangered: Set<SiteID> {
        Set(
            watches.filter { $0.value.isOver }.keys.compactMap { catalog.sensors[$0] }
                .filter { $0.isEnvironmental }.map(\.site))
    }

    /// The clock goes on: what was chosen by hand ends, fans that have run long enough stop, whoever did not hear is told again.
    mutating func pass(to now: Timestamp) -> [CareAct] {
        var acts: [CareAct] = []
        for (id, watch) in watches where watch.exposure != nil {
            guard let sensor = catalog.sensors[id], Self.factor(of: sensor) != nil else { continue }
            acts += follow(
                watches[id]?.pass(to: now, counts: !disabled.contains(sensor.site)), sensor, at: now)
        }
        return acts + endangered.sorted().filter { !valves(toCloseAt: $0).isEmpty }.map { .closeValves($0) }
            + ventilate(fans.keys.sorted(), at: now)
    }

    /// A box has written down that a detector of the air began anew. What is over its level here may have ended and begun again unheard.
    mutating func tripped(_ sensor: Sensor, value: Double?, at now: Timestamp) -> [CareAct] {
        follow(watches[sensor.id]?.standing(value), sensor, at: now)
    }

    /// Things came, went, or mean something else.
    /// - Parameter heard: what a sensor says now, as far as it is heard.
    mutating func follow(
        _ new: Catalog, at now: Timestamp, heard: (SensorID) -> ReadingValue? = { _ in nil }
    ) -> [CareAct] {
        let old = catalog
        let gone = watches.keys.filter { old.sensors[$0] != nil && new.sensors[$0] == nil }.sorted()
        // Nobody holds it against its level from now on: when it is looked at again, it may have begun anew.
        for (id, sensor) in new.sensors where !Self.isOfCare(sensor) && old.sensors[id].map(Self.isOfCare) == true {
            watches[id]?.beginAnew()
        }
        let dangerous = new.sensors.values.filter {
            $0.isEnvironmental && old.sensors[$0.id].map(\.isEnvironmental) == false
        }
        var acts: [CareAct] = []
        for id in gone {
            // Nothing says that it is over: its alarm stays until it is heard again, or people end it. What it says then may have begun anew.
            watches[id]?.beginAnew()
            if watches[id]?.apply(isFaulty: false) == true { acts.append(.faultOver(id)) }
        }
        // What comes back as something else has heard nothing yet.
        for id in self.heard.keys where new.actuators[id]?.kind != old.actuators[id]?.kind { self.heard[id] = nil }
        catalog = new
        for sensor in dangerous.sorted(by: { $0.id < $1.id }) {
            // What was over its level meant no danger until now.
            if old.sensors[sensor.id].map(Self.isOfCare) == true { acts += tripped(sensor, value: nil, at: now) }
            if let value = heard(sensor.id) { acts += apply(value, of: sensor, at: now) }
        }
        return acts + ventilate(gone.flatMap { followers[$0] ?? [] }, at: now)
    }

    private mutating func over(_ sensor: Sensor) -> [CareAct] {
        watches[sensor.id]?.apply(isFaulty: false) == true ? [.faultOver(sensor.id)] : []
    }

    private mutating func review(_ id: SensorID, at now: Timestamp) -> [CareAct] {
        guard let sensor = catalog.sensors[id], let watch = watches[id] else { return [] }
        let counts = !disabled.contains(sensor.site)
        let acts = follow(watches[id]?.review(at: now, counts: counts), sensor, at: now)
        return watch.isDetector || (counts && isWatched(sensor)) ? acts : acts + over(sensor)
    }

    /// Whether what a sensor says is held against anything.
    private func isHeld(_ sensor: Sensor) -> Bool {
        guard let watch = watches[sensor.id] else { return false }
        return watch.isDetector || !disabled.contains(sensor.site) && watch.isHeld
    }

    /// What comes of a crossing, and of a reading without one: what protects first, then what is told.
    /// - Parameter isHeld: whether what the sensor says is held against anything; nil: as the hub has it.
    private mutating func follow(
        _ cause: CareCause?, _ sensor: Sensor, at now: Timestamp, isHeld: Bool? = nil
    ) -> [CareAct] {
        let fans = ventilate(followers[sensor.id] ?? [], at: now)
        guard let cause, Self.isOfCare(sensor) else { return fans }
        if cause.crossing == .left {
            return fans + [isHeld ?? self.isHeld(sensor) ? .end(sensor.id) : .endUnheld(sensor.id)]
        }
        if sensor.isEnvironmental {
            // Somebody may have opened one since the last alarm closed it.
            for valve in catalog.actuators(at: sensor.site) where valve.kind == .valve { heard[valve.id] = nil }
        }
        let first: [CareAct] = sensor.isEnvironmental ? [.closeValves(sensor.site), .trip(sensor.id)] : []
        return first + fans + [.raise(sensor.id, cause)]
    }

    // MARK: fans and valves

    private mutating func ventilate(_ these: [ActuatorID], at now: Timestamp) -> [CareAct] {
        var acts: [CareAct] = []
        for id in these where catalog.actuators[id] != nil {
            let before = fans[id]
            var run = before ?? FanRun()
            run.pass(to: now)
            let rule = rules[id]
            let watch = rule.flatMap { catalog.sensors[$0.sensor] == nil ? nil : watches[$0.sensor] }
            let threshold = watch?.isDetector == true ? AirWatch.yes : watch?.level
            let isOver = watch?.isOver ?? false
            // After a restart in an alarm it runs on as it ran, until a reading says more.
            if !(isOver && watch?.last == nil && run.ventilation.percent > 0) {
                run.ventilation.apply(
                    watch?.last ?? threshold?.level ?? 0, isOver: isOver, threshold ?? AirWatch.yes,
                    most: rule?.most ?? 1, at: now.milliseconds, shortestRun: Int64(rule?.shortestRun ?? 0) * 1000)
            }
            if run != before ?? FanRun() {
                fans[id] = run
                unwritten.insert(id)
            }
            // One that Care has never moved is not switched off either.
            if fans[id] != nil, heard[id] != run.percent { acts.append(.run(id)) }
        }
        return acts
    }

    /// The speed that a fan is to have.
    func percent(of fan: ActuatorID) -> UInt8 { fans[fan]?.percent ?? 0 }

    /// The valves of a house that have not been told to close.
    func valves(toCloseAt site: SiteID) -> [Actuator] {
        catalog.actuators(at: site).filter { $0.kind == .valve && heard[$0.id] == nil }
    }

    /// Every valve of a house is told to close, told before or not.
    mutating func closeValvesAgain(at site: SiteID) -> [CareAct] {
        for valve in catalog.actuators(at: site) where valve.kind == .valve { heard[valve.id] = nil }
        return [.closeValves(site)]
    }

    /// It was told: a fan its speed, a valve to close.
    mutating func told(_ actuator: ActuatorID, _ percent: UInt8) { heard[actuator] = percent }

    /// Its gateway or itself was away: what it was told last, it may not have heard.
    mutating func forget(_ actuator: ActuatorID) { heard[actuator] = nil }

    /// The air of a house is good again: next time its valves are told anew.
    mutating func forgetValves(of site: SiteID) {
        let isOver = watches.contains { id, watch in
            watch.isOver && catalog.sensors[id].map { $0.site == site && $0.isEnvironmental } == true
        }
        guard !isOver else { return }
        for valve in catalog.actuators(at: site) where valve.kind == .valve { heard[valve.id] = nil }
    }

    /// People ended the alarm of a sensor that says nothing more.
    mutating func forget(alarmOf sensor: SensorID) { watches[sensor]?.forget() }

    /// Keeps the names of the alarms that were raised.
    mutating func keep(alarm: HouseAlarmID?, of sensor: SensorID) { watches[sensor]?.alarm = alarm }
    mutating func keep(fault: HouseAlarmID?, of sensor: SensorID) { watches[sensor]?.fault = fault }
}

extension Catalog {
    /// Whether nothing says any more when an alarm of the air is over: its sensor is out of use, or means something else.
    func hasLostCause(_ alarm: HouseAlarm) -> Bool {
        guard alarm.kind == .environmental, let sensor = alarm.sensor else { return false }
        guard let sensor = sensors[sensor] else { return true }
        // What says yes and no says so only where that means danger.
        return !CareState.isOfCare(sensor) || sensor.kind.isTruth && !sensor.isEnvironmental
    }
}
