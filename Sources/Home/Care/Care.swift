import Household
import Identity
import Ledger
import Safeguard
import Store
import Synchronization
import System

/// What bad air trips: the panels of houses.
protocol AirPanels: Sendable {
    /// At once, whatever the mode.
    func tripByAir(_ sensor: Sensor, at now: Timestamp)
}

/// Care: the air of houses. It holds every reading against its threshold, and acts before anything is written: valves, panel, fan,
/// people. What it does waits for no table.
final class Care: ReadingListener, HouseWork {
    let registry: Registry
    let live: LiveReadings
    let clock: WallClock
    let store: Store
    private let alarms: AlarmDesk
    private let panels: any AirPanels
    /// Tells an actuator something, at once.
    typealias Tell = @Sendable (Actuator, ActuatorValue) throws(ActuationRefusal) -> Void
    private let say: Tell

    private struct State {
        var care: CareState
        /// What is still to be done, in order: whoever comes while somebody does it leaves theirs here.
        var acts: [CareAct] = []
        var isActing = false
        /// When the threshold of each sensor was chosen: of two that are chosen at once the later one counts, whoever comes first.
        var chosen: [SensorID: Timestamp] = [:]
        /// The sensors that have got a usual threshold, or do not need one.
        var looked: Set<SensorID> = []
        /// Those that were there at the start: a hub of before may have kept them as something else.
        var kept: Set<SensorID> = []
        /// How much carbon monoxide was breathed at each sensor, as it was written down last.
        var written: [SensorID: CarbonMonoxideExposure] = [:]
        /// The fans and valves that say that they are not there.
        var absent: Set<ActuatorID> = []
    }
    private let state: Mutex<State>
    private let followers = Followers<SiteID>()
    private let evidence: AlarmCount?
    /// What was chosen last of whether thresholds count, and of what a fan follows.
    let (ofHouses, ofFans) = (WriteOrder<SiteID>(), WriteOrder<ActuatorID>())

    /// How often a level would have been reached since then, with that hysteresis.
    typealias AlarmCount =
        @Sendable (_ sensor: Sensor, _ level: Double, _ hysteresis: Double, _ since: Timestamp) throws -> Int

    /// Takes up what the tables say, and the alarms that stand.
    /// - Parameter evidence: who knows what sensors told in the last weeks; nil: nobody.
    init(
        _ registry: Registry, _ live: LiveReadings, _ alarms: AlarmDesk, _ panels: any AirPanels,
        _ store: Store, _ clock: WallClock, evidence: AlarmCount? = nil, say: @escaping Tell
    ) throws {
        (self.registry, self.live, self.alarms, self.panels) = (registry, live, alarms, panels)
        (self.say, self.evidence, self.store, self.clock) = (say, evidence, store, clock)
        let catalog = registry.catalog
        var care = CareState(catalog)
        try store.read { database in
            care.disabled = try CareRecords.disabled(in: database)
            for (sensor, threshold) in try ThresholdRecords.current(in: database) {
                care.restore(threshold, of: sensor)
            }
            for (fan, run) in try CareRecords.runs(in: database) { care.restore(run, of: fan) }
            for rule in try CareRecords.rules(in: database) { care.restore(rule) }
            for kept in try CareRecords.exposures(in: database) { care.restore(kept.exposure, of: kept.sensor) }
        }
        // Also those whose sensor is out of use by now: it may come back.
        for alarm in alarms.standing where !alarm.isDrill {
            guard let sensor = alarm.sensor, alarm.kind == .environmental || alarm.kind == .fault else { continue }
            // That it is open, or watches no more, is not about the air.
            guard alarm.aspect.isEmpty else { continue }
            care.restore(
                alarm: alarm.kind == .environmental ? alarm.id : nil,
                fault: alarm.kind == .fault ? alarm.id : nil, of: sensor)
        }
        state = Mutex(State(care: care, kept: Set(catalog.sensors.keys)))
        registry.follow { [weak self] catalog in
            guard let self else { return }
            act { care in
                care.follow(catalog, at: self.clock.now) { id in
                    let state = self.live.sensor(id)
                    return state.status == .live ? state.value : nil
                }
            }
        }
        live.follow { [weak self] in self?.lookAfter($0) }
    }

    // MARK: what happens

    func heard(_ reading: Reading, of sensor: Sensor, before: SensorState) {
        // What the broker had kept may be old, and who warms up is not to be believed yet: neither trips nor ends anything. But its
        // sensor is there.
        // Time runs by the hub's clock, whatever the sensor's says.
        let now = clock.now
        guard !reading.isRetained else {
            return act { $0.concerns(sensor) ? $0.applyKept(reading.value, of: sensor, at: now) : [] }
        }
        act { care in
            guard care.concerns(sensor), live.sensor(sensor.id).status != .warming else { return [] }
            return care.apply(reading.value, of: sensor, at: now)
        }
    }

    func changed(to status: SensorStatus, of sensor: Sensor, before: SensorState, at now: Timestamp) {
        act { $0.concerns(sensor) ? $0.apply(status, of: sensor, at: now) : [] }
    }

    func isThere(_ sensor: Sensor) {
        let now = clock.now
        act { $0.concerns(sensor) ? $0.apply(.waiting, of: sensor, at: now) : [] }
    }

    func heardBeyond(_ value: Double, of sensor: Sensor) {
        let now = clock.now
        act { $0.concerns(sensor) ? $0.applyBeyond(value, of: sensor, at: now) : [] }
    }

    /// The bus was lost: nobody hears what is said.
    func lostBus() { state.withLock { $0.care.lostBus(at: clock.now) } }

    /// It is back.
    func foundBus() {
        let (now, live) = (clock.now, live)
        state.withLock { $0.care.foundBus(at: now) { live.sensor($0).status == .live } }
    }

    /// A box has seen a threshold of one of its sensors reached or left. What is known already changes nothing.
    func told(_ crossing: Crossing, of sensor: Sensor, value: Double?) {
        let now = clock.now
        act { $0.concerns(sensor) ? $0.told(crossing, of: sensor, value: value, at: now) : [] }
    }

    /// A box has written down that one of its sensors of the air began anew.
    /// - Returns: whether it is over its level here, and people are told by that.
    func tripped(_ sensor: Sensor, value: Double?) -> Bool {
        let now = clock.now
        guard state.withLock({ $0.care.concerns(sensor) && $0.care.watches[sensor.id]?.isOver == true }) else {
            return false
        }
        act { $0.tripped(sensor, value: value, at: now) }
        return true
    }

    /// The clock goes on.
    func pass() {
        let now = clock.now
        act { $0.pass(to: now) }
    }

    /// Who was away may not have heard what it was told.
    private func lookAfter(_ change: LiveReadings.Change) {
        switch change {
        case .sensor: return
        case .gateway(let id):
            guard live.gateway(id).isThere else { return }
            for actuator in registry.catalog.actuators.values where actuator.gateway == id { forget(actuator.id) }
        case .actuator(let id):
            let isAway = live.actuator(id).status == .unavailable
            let isBack = state.withLock { state in
                if isAway { state.absent.insert(id) }
                return !isAway && state.absent.remove(id) != nil
            }
            guard isBack else { return }
            forget(id)
        }
        pass()
    }

    private func forget(_ actuator: ActuatorID) { state.withLock { $0.care.forget(actuator) } }

    // MARK: what is to be done

    /// Whether gas, smoke or water is at a house.
    func isDanger(at site: SiteID) -> Bool { state.withLock { $0.care.endangered.contains(site) } }

    /// Whether thresholds count at a house.
    func isEnabled(at site: SiteID) -> Bool { state.withLock { !$0.care.disabled.contains(site) } }

    /// Whether there is smoke, gas or water at a house, or a number above its threshold that may be one of these.
    func hasAirAlarm(at site: SiteID) -> Bool {
        if isDanger(at: site) { return true }
        let catalog = registry.catalog
        return alarms.standing(at: site).contains { alarm in
            guard alarm.kind == .environmental, !alarm.isDrill, let sensor = alarm.sensor else { return false }
            // Of one that is out of use nothing says that its danger is over.
            guard let kind = catalog.sensors[sensor]?.kind else { return true }
            return kind != .temperature && kind != .humidity
        }
    }

    /// Closes every valve of a house in which an alarm of the air has begun while one was opened, told before or not: the closing may have
    /// come first.
    func closeValvesInAirAlarm(at site: SiteID) {
        if hasAirAlarm(at: site) { act { $0.closeValvesAgain(at: site) } }
    }

    /// What protects a house at any time, as it is now.
    func alwaysOn(at site: SiteID) -> AlwaysOn { AlwaysOn(of: site, in: registry.catalog, settings(of: site)) }

    /// Moves the state and does what comes of it, in order and without holding the lock: whoever is called may call back.
    private func act(_ body: (inout CareState) -> [CareAct]) {
        let isFirst = state.withLock { state in
            state.acts += body(&state.care)
            guard !state.isActing, !state.acts.isEmpty else { return false }
            state.isActing = true
            return true
        }
        guard isFirst else { return }
        while let next = state.withLock({ state -> CareAct? in
            guard !state.acts.isEmpty else {
                state.isActing = false
                return nil
            }
            return state.acts.removeFirst()
        }) {
            perform(next)
        }
    }

    private func perform(_ act: CareAct) {
        switch act {
        case .closeValves(let site):
            for valve in state.withLock({ $0.care.valves(toCloseAt: site) }) { tell(valve, .off, as: 0) }
        case .run(let id):
            guard let fan = registry.catalog.actuators[id], fan.kind == .fan else { return }
            let percent = state.withLock { $0.care.percent(of: id) }
            tell(fan, percent == 0 ? .off : .percent(percent), as: percent)
        case .trip(let id):
            if let sensor = registry.catalog.sensors[id] { panels.tripByAir(sensor, at: clock.now) }
        case .raise(let id, let cause):
            guard let sensor = registry.catalog.sensors[id] else { return }
            let message = AlarmMessage(cause, sensor, at: registry.catalog.devices[sensor.device])
            let alarm = alarms.raise(
                .environmental, at: sensor.site, sensor: id, value: cause.value, message, mayBeAnew: true)
            state.withLock { $0.care.keep(alarm: alarm, of: id) }
        case .fault(let id, let status):
            guard let sensor = registry.catalog.sensors[id] else { return }
            let name = sensor.name(at: registry.catalog.devices[sensor.device])
            let alarm = alarms.raise(
                .fault, at: sensor.site, sensor: id, .silent(kind: sensor.kind, name: name, status: status))
            state.withLock { $0.care.keep(fault: alarm, of: id) }
        case .end(let id), .endUnheld(let id):
            let alarm = state.withLock { state in
                let alarm = state.care.watches[id]?.alarm
                state.care.keep(alarm: nil, of: id)
                if let site = state.care.catalog.sensors[id]?.site { state.care.forgetValves(of: site) }
                return alarm
            }
            if let alarm { alarms.end(alarm, isOver: act == .end(id)) }
        case .faultOver(let id):
            let alarm = state.withLock { state in
                let alarm = state.care.watches[id]?.fault
                state.care.keep(fault: nil, of: id)
                return alarm
            }
            if let alarm { alarms.end(alarm) }
        }
    }

    /// Tells an actuator; who cannot be reached is told at the next beat of the clock.
    private func tell(_ actuator: Actuator, _ value: ActuatorValue, as percent: UInt8) {
        do { try say(actuator, value) } catch {
            // A fan that knows only on and off.
            guard error == .notOfItsKind, percent > 0, (try? say(actuator, .on)) != nil else { return }
        }
        state.withLock { $0.care.told(actuator.id, percent) }
        // Who never says what it does is taken at its word.
        if actuator.binding.state == nil, actuator.binding.level == nil {
            live.set(
                actuator.id,
                SensorState(value: .number(Double(percent)), at: clock.now, status: .live))
        }
    }

    // MARK: what is chosen

    /// What a house has chosen.
    func settings(of site: SiteID) -> CareSettings { state.withLock { $0.care.settings(of: site) } }

    /// One more follows what houses choose otherwise, on whatever thread it was done.
    func follow(_ follower: @escaping @Sendable (SiteID) -> Void) { followers.add(follower) }

    /// How a sensor's air is watched.
    func watch(of sensor: SensorID) -> AirWatch { state.withLock { $0.care.watches[sensor] } ?? AirWatch() }

    /// Whether a sensor of dangerous air raises no alarm, whatever it says.
    func isUnwatched(_ sensor: Sensor) -> Bool {
        guard sensor.kind.savesLives else { return false }
        let isEnvironmental = sensor.isEnvironmental
        return sensor.kind.isTruth
            ? !isEnvironmental : !state.withLock { $0.care.isWatched(sensor) } || !CareState.isOfCare(sensor)
    }

    /// How a fan runs, as far as Care moves it.
    func run(of fan: ActuatorID) -> FanRun { state.withLock { $0.care.fans[fan] } ?? FanRun() }

    /// In force at once, after it was written down.
    func choose(_ threshold: Threshold?, of sensor: Sensor, since: Timestamp) {
        let isLatest = state.withLock { state in
            if let before = state.chosen[sensor.id], before > since { return false }
            state.chosen[sensor.id] = since
            return true
        }
        guard isLatest else { return }
        let now = clock.now
        act { $0.set(threshold, of: sensor.id, at: now) }
        look(at: sensor, now)
        changed(sensor.site)
    }

    /// The same for whether thresholds count at a house.
    func choose(isEnabled: Bool, at site: SiteID) {
        let now = clock.now
        act { $0.set(isEnabled: isEnabled, at: site, now: now) }
        for sensor in registry.catalog.sensors(at: site) {
            look(at: sensor, now)
        }
        changed(site)
    }

    /// Whoever counts from now on, and does not speak, is a fault.
    private func look(at sensor: Sensor, _ now: Timestamp) {
        let state = live.sensor(sensor.id)
        if state.status != .waiting { changed(to: state.status, of: sensor, before: state, at: now) }
    }

    /// The same for what a fan follows.
    func choose(_ rule: FanRule?, of fan: Actuator) {
        let now = clock.now
        act { $0.set(rule, of: fan.id, at: now) }
        changed(fan.site)
    }

    /// Runs a fan by hand until then, at once; nil: by its rule from now on.
    func run(_ fan: Actuator, byHand: FanRun.ByHand?) {
        let now = clock.now
        act { $0.run(fan.id, byHand: byHand, at: now) }
    }

    /// A house was armed: its fans follow their sensors again. From now on it takes what disarming takes to hold one off or slow.
    func release(at site: SiteID) {
        let now = clock.now
        act { $0.release(at: site, now) }
    }

    /// The alarm of a house ended. From now on what falls below its level there is over, and what rises again another danger.
    func ended(at site: SiteID) {
        let now = clock.now
        act { $0.ended(at: site, now: now) }
    }

    /// People ended the alarm of a house: so do those alarms of which nothing else says that they are over.
    func endLostCauses(at site: SiteID, by person: PersonID?) {
        let catalog = registry.catalog
        for alarm in alarms.standing(at: site) where !alarm.isDrill && catalog.hasLostCause(alarm) {
            endLostCause(alarm, by: person)
        }
    }

    /// The same of one of them. What its sensor says when it is heard again is news.
    func endLostCause(_ alarm: HouseAlarm, by person: PersonID?) {
        if let sensor = alarm.sensor { state.withLock { $0.care.forget(alarmOf: sensor) } }
        alarms.end(alarm.id, by: person)
    }

    /// See `AlarmCount`; nil: nobody knows.
    func alarms(of sensor: Sensor, at level: Double, hysteresis: Double, since: Timestamp) throws -> Int? {
        try evidence?(sensor, level, hysteresis, since)
    }

    private func changed(_ site: SiteID) { followers.tell(site) }

    // MARK: its long work

    /// Gives the usual threshold to those sensors that came and for which nobody has chosen anything, and looks after those of before.
    func watchWhatCame() async {
        let sensors = registry.catalog.sensors.values.filter { $0.kind.isMeasuredAir || $0.kind == .carbonMonoxide }
        let new = state.withLock { state in sensors.filter { !state.looked.contains($0.id) } }
        for sensor in new.sorted(by: { $0.id < $1.id }) {
            do {
                guard try await Store.writing(.vital, { try await look(after: sensor) }) else { continue }
            } catch {
                // It is tried again in a moment.
                return Log.failure("home", "a sensor has no threshold yet", ["why": "\(error)"])
            }
            state.withLock { _ = $0.looked.insert(sensor.id) }
        }
    }

    /// - Returns: whether nothing is left to be done for it.
    private func look(after sensor: Sensor) async throws -> Bool {
        let isOfBefore = state.withLock { $0.kept.contains(sensor.id) }
        if isOfBefore, registry.catalog.gateway(of: sensor)?.kind != .box,
            let kind = SensorMeaning.carbonMonoxide(sensor.kind, unit: sensor.unit, names: [sensor.name, sensor.key])
        {
            try await change(sensor, to: kind)
            return false
        }
        guard sensor.kind == .carbonMonoxideLevel else {
            if let usual = UsualThreshold.threshold(for: sensor) {
                try await change(usual, of: sensor, by: nil, isUsual: true)
            }
            return true
        }
        // What was chosen for burnable gas says nothing of carbon monoxide. What people chose they are asked about.
        let steps = try store.read { try ThresholdRecords.latest(of: sensor.id, in: $0) }
        guard CareState.factor(of: sensor) != nil, UsualThreshold.isOfGas(steps, sensor) else { return true }
        // Not while it is reached: its alarm is over once the air is good.
        guard !watch(of: sensor.id).isOver else { return false }
        try await change(nil, of: sensor, by: nil)
        return true
    }

    /// Follows the clock, and writes down how fans run: two works, so that a disk that hangs stops no fan.
    func run() async {
        await withTaskGroup { group in
            group.addTask {
                while !Task.isCancelled {
                    self.pass()
                    try? await Task.sleep(for: .seconds(1))
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    await self.writeRuns()
                    await self.writeExposures()
                    await self.watchWhatCame()
                    try? await Task.sleep(for: .seconds(1))
                }
            }
        }
    }

    /// Writes down how those fans run that run otherwise than before. What cannot be written now is tried again.
    func writeRuns() async {
        let runs = state.withLock { state in
            defer { state.care.unwritten = [] }
            return state.care.unwritten.map { ($0, state.care.fans[$0] ?? FanRun()) }
        }
        guard !runs.isEmpty else { return }
        do {
            try await store.write(.vital) { database in
                for (fan, run) in runs { try CareRecords.put(run, of: fan, in: database) }
            }
        } catch {
            state.withLock { $0.care.unwritten.formUnion(runs.map(\.0)) }
            Log.failure("home", "how fans run could not be written down", ["why": "\(error)"])
        }
    }

    /// Writes down how much carbon monoxide was breathed, where that changed by a little: a restart begins nothing anew.
    func writeExposures() async {
        let changed = state.withLock { state in
            state.care.watches.compactMap { id, watch -> (sensor: SensorID, exposure: CarbonMonoxideExposure)? in
                guard let exposure = watch.exposure, exposure.differs(from: state.written[id]) else { return nil }
                return (id, exposure)
            }
        }
        guard !changed.isEmpty else { return }
        do {
            try await store.write(.vital) { database in
                for one in changed { try CareRecords.put(one.exposure, of: one.sensor, in: database) }
            }
            state.withLock { state in for one in changed { state.written[one.sensor] = one.exposure } }
        } catch {
            Log.failure("home", "how much carbon monoxide was breathed could not be written down", ["why": "\(error)"])
        }
    }
}

extension CarbonMonoxideExposure {
    /// Whether it is worth writing down again: a twentieth of an alarm more or less, its begin or end, or a level that leads there sooner or
    /// later: after a restart it goes on.
    fileprivate func differs(from written: Self?) -> Bool {
        guard let written else { return share > 0 || isOver }
        let (level, before) = (level ?? 0, written.level ?? 0)
        let isBad = max(level, before) >= Self.harmless
        return isOver != written.isOver || isBad && abs(level - before) > before / 5
            || abs(share - written.share) >= 0.05 || share == 0 && written.share > 0
    }
}
