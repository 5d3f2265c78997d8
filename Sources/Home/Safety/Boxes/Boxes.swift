import Bus
import Crypto
import Household
import Identity
import Ledger
import Safeguard
import Store
import Synchronization
import System
import Wire

/// The air of houses, as boxes need it: what they see of it counts as seen by the hub.
protocol BoxAir: Sendable {
    /// A box has seen a threshold of one of its sensors reached or left.
    func told(_ crossing: Crossing, of sensor: Sensor, value: Double?)
    /// A box has written down that one of its sensors of the air began anew.
    /// - Returns: whether people are told of that as of what happens now.
    func tripped(_ sensor: Sensor, value: Double?) -> Bool
    /// What the fan of a box follows; nil: nothing.
    func fan(of gateway: Gateway) -> BoxFan?
}

extension Care: BoxAir {
    func fan(of gateway: Gateway) -> BoxFan? {
        let own = registry.catalog.actuators
        let rule = settings(of: gateway.site).fans.first { own[$0.fan]?.gateway == gateway.id }
        return rule.map { BoxFan(sensor: $0.sensor, most: $0.most, shortestRun: UInt16(clamping: $0.shortestRun)) }
    }
}

extension Boxes: TestedBoxes {}

/// The hub's side of what it says to boxes and hears from them: one panel with two keepers, orders that carry MACs, records that are
/// safe once they are acknowledged, settings with which a box works alone.
///
/// What comes in is handed over by whoever hears the bus, for gateways of the kind box, below their own topics: `take("hello", …)` and
/// `take("up", …)`. It returns at once: it acts in memory, and leaves to `run` what has to be written.
final class Boxes: GatewayListener {
    /// At most so many records of a box wait for the disk; it sends the others again.
    /// - Key: box
    static let mostWaiting = 1_024
    /// Records of a box that come into the log at once; after them one each two seconds. The others are acted on and acknowledged, and the log has
    /// how many they were: a box that waited for them would tell nothing new.
    /// - Key: box
    static let mostRecordsAtOnce = 10_000
    /// So many records are written in one transaction.
    static let batch = 512
    /// An order is void after so many seconds.
    static let orderLifetime: UInt64 = 30
    /// What happened so long ago, in milliseconds, is history: it is told, and trips nothing.
    static let live: Int64 = 15_000
    /// So far apart, in milliseconds, the clocks of a box that was alone and of the hub may be.
    static let skew: Int64 = 5_000
    /// A box learns a tag for so long after it was asked to, in milliseconds.
    static let learning: Int64 = 120_000

    /// A tag that a box is to learn.
    struct Learning: Sendable {
        let id: HouseTagID
        let gateway: GatewayID
        let name: String
        let person: PersonID
        /// Whether the house was armed when it was asked for: what was asked for before it was armed is void.
        let isArmed: Bool
        let until: Timestamp
    }

    /// What of the boxes has a place in the log.
    struct Places: Sendable {
        /// How many of each box may still come into it.
        private var budgets: [GatewayID: RecordBudget] = [:]
        /// How many of each box did not since the last one that did.
        var leftOut: [GatewayID: Int] = [:]

        /// - Parameters:
        ///   - most: at once.
        ///   - now: milliseconds of a clock that never jumps.
        /// - Returns: whether one more of a box has a place.
        mutating func take(_ gateway: GatewayID, _ most: Int, at now: UInt64) -> Bool {
            budgets[gateway, default: RecordBudget(most)].take(at: now)
        }
    }

    struct State {
        var boxes: [GatewayID: BoxState] = [:]
        var learning: [HouseTagID: Learning] = [:]
        /// By box, in the order in which they came.
        var waiting: [GatewayID: [TakenRecord]] = [:]
        var places = Places()
        /// When each house was put back from a backup last, as far as that was asked; nil: never.
        var restores: [SiteID: Timestamp?] = [:]
        /// Boxes whose settings may be others than before.
        var unsettled: Set<GatewayID> = []
        var wake: AsyncStream<Void>.Continuation?
        /// Who waits for an answer, by its order.
        var tests: [ID16: AsyncStream<BoxAnswer>.Continuation] = [:]
    }
    let state = Mutex(State())
    let store: Store
    let clock: WallClock
    let registry: Registry
    let panels: HousePanels
    let settings: SafetySettings
    let alarms: AlarmDesk
    let air: any BoxAir
    let recordsAtOnce: Int
    let uptime: @Sendable () -> UInt64
    private let say: @Sendable (BoxFrame, Gateway) throws(BusError) -> Void

    /// - Parameters:
    ///   - recordsAtOnce: fewer in tests.
    ///   - uptime: milliseconds of a clock that never jumps.
    ///   - say: sends a frame to a box, at once.
    init(
        _ store: Store, _ clock: WallClock, _ registry: Registry, _ panels: HousePanels, _ settings: SafetySettings,
        _ alarms: AlarmDesk, _ air: any BoxAir, recordsAtOnce: Int = Boxes.mostRecordsAtOnce,
        uptime: @escaping @Sendable () -> UInt64 = { Uptime.milliseconds },
        say: @escaping @Sendable (BoxFrame, Gateway) throws(BusError) -> Void
    ) {
        (self.store, self.clock, self.registry, self.panels) = (store, clock, registry, panels)
        (self.settings, self.alarms, self.recordsAtOnce, self.say) = (settings, alarms, recordsAtOnce, say)
        (self.air, self.uptime) = (air, uptime)
        panels.follow { [weak self] in self?.order(after: $0) }
        settings.follow { [weak self] in self?.settingsChanged(at: $0) }
        registry.follow { [weak self] _ in self?.settingsChanged(at: nil) }
    }

    // MARK: what comes in

    /// Takes what a box said below its own topics.
    /// - Returns: whether it was meant for this.
    func receive(_ topic: Substring, _ payload: [UInt8], isRetained: Bool, from gateway: Gateway) -> Bool {
        guard gateway.kind == .box, topic == "hello" || topic == "up" else { return false }
        guard let key = gateway.key else { return true }
        if topic == "hello", payload.isEmpty {
            state.withLock { $0.boxes[gateway.id]?.session = nil }
            return true
        }
        switch (topic, try? BoxFrame(decoding: payload)) {
        case ("hello", .hello(let hello)?): greet(hello, gateway, key, isRetained: isRetained)
        // Only a hello is a state: a record that the broker kept is somebody's mistake.
        case ("up", .record(let record)?) where !isRetained: take(record, gateway, key)
        case ("up", .refused(let refused)?) where !isRetained: take(refused, gateway, key)
        default: drop(gateway, "it is no message of a box")
        }
        return true
    }

    /// Counts what is not to be believed, and tells of it once.
    func drop(_ gateway: Gateway, _ why: String) {
        let count = state.withLock { state in
            state.boxes[gateway.id, default: BoxState()].dropped += 1
            return state.boxes[gateway.id]!.dropped
        }
        if count == 1 { Log.warning("home", "a message of a box was dropped", ["box": gateway.id.text, "why": why]) }
    }

    /// How many messages of a box were dropped in this run of the hub.
    func dropped(of gateway: GatewayID) -> Int { state.withLock { $0.boxes[gateway]?.dropped } ?? 0 }

    private func greet(_ hello: BoxHello, _ gateway: Gateway, _ key: Key, isRetained: Bool) {
        guard hello.verifies(boxKey: key) else { return drop(gateway, "its key did not sign it") }
        let (now, revision) = (clock.now, panels.house(gateway.site).revision)
        let isReplay = state.withLock { state in
            var box = state.boxes[gateway.id] ?? BoxState()
            // A box that was paired anew has another key, and another life.
            if box.key != key.bytes { (box.key, box.hello, box.session) = (key.bytes, nil, nil) }
            if box.isReplay(hello) { return true }
            if !isRetained { box.hear(hello.panel, revision) }
            (box.session, box.hello) = (hello.session, hello)
            if !isRetained { box.isSounding = hello.panel.isSounding }
            // How it stood when the broker kept it is of an unknown moment: it says hello anew when it gets the time.
            box.compares = isRetained ? nil : box.compares ?? now
            state.boxes[gateway.id] = box
            state.unsettled.insert(gateway.id)
            return false
        }
        if isReplay { return drop(gateway, "it was said before") }
        // A time of which the hub is not sure would be the box's for days: it says that it is there, and none; but a box that knows none
        // obeys nothing.
        let isKnown = clock.doubt == nil || hello.clock == .untrusted
        send(
            .time(TimeAnswer(nonce: hello.timeNonce, utc: isKnown ? now.seconds : 0, gateKey: key)), to: gateway)
        if !isRetained { noteAgreement(of: gateway, with: hello.panel, isClockTrusted: hello.clock == .trusted) }
        compareWhatCan(be: gateway)
        wake()
    }

    // MARK: one panel, two keepers

    /// Compares panels once the records that a hello speaks of have come.
    func compareWhatCan(be gateway: Gateway) {
        let now = clock.now
        guard let known = state.withLock({ $0.boxes[gateway.id] }), let hello = known.hello, let since = known.compares
        else { return }
        let waited = now.milliseconds - since.milliseconds
        guard hasActed(on: hello, known, gateway) || waited >= BoxState.patience else { return }
        let hub = panels.panel(of: gateway.site)
        let box = Panel(hello.panel, beside: hub, at: now.milliseconds)
        let isLess = box.map { $0.number > hub.number && $0.lowers(hub) } ?? false
        // An alarm there waits for nothing.
        if isLess, box?.isDisturbed == false, waited < BoxState.longestPatience {
            let silence = now.milliseconds - max(since, known.told ?? since).milliseconds
            guard silence >= BoxState.silence else { return }
        }
        let isFirst = state.withLock { state in
            defer { state.boxes[gateway.id]?.compares = nil }
            return state.boxes[gateway.id]?.compares != nil
        }
        guard isFirst else { return }
        defer { tellOfEntries(at: gateway) }
        guard let box else { return drop(gateway, "its panel stands like none") }
        if isLess, !isFromBackup(gateway.site) {
            // Who did it, only a record says: a tag that was taken away here while the box was alone disarms nothing.
            if box.isDisturbed { return meet(box, gateway) }
            panels.outrank(box.number, at: gateway)
            sendAll(to: gateway)
            return drop(gateway, "it says to be disarmed, and by whom it does not tell")
        }
        compare(box, hub, gateway)
    }

    /// Whether nobody has done anything to a house's panel since it was put back from a backup: what its box was told before, it tells no more.
    func isFromBackup(_ site: SiteID) -> Bool {
        let known = state.withLock { $0.restores[site] }
        // While the hub runs nobody restores.
        guard let found = known ?? (try? store.read { .some(try Ledger.lastRestore(of: site, in: $0)) }) else {
            return false
        }
        state.withLock { $0.restores[site] = .some(found) }
        guard let restore = found else { return false }
        return panels.house(site).last.map { $0.at < restore } ?? true
    }

    /// Whether the last record that a hello speaks of has come, now or before the hub's start.
    private func hasActed(on hello: BoxHello, _ box: BoxState, _ gateway: Gateway) -> Bool {
        box.acted.highest(of: hello.journalID) >= hello.lastSequence
            || isWritten(hello.lastSequence, of: hello.journalID, from: gateway.id)
    }

    /// Whether a record stands in the table.
    func isWritten(_ sequence: UInt64, of journal: ID16, from gateway: GatewayID) -> Bool {
        (try? store.read { try BoxRecords.taken(sequence, of: journal, from: gateway, in: $0) }) != nil
    }

    private func compare(_ box: Panel, _ hub: Panel, _ gateway: Gateway) {
        switch Panel.right(hub: hub, box: box) {
        case .hub:
            if box.isMoreUrgent(than: hub) || hasUnheard(box, hub, gateway) { return meet(box, gateway) }
            let isSame = (hub.state, hub.mode, hub.isSounding) == (box.state, box.mode, box.isSounding)
            if !isSame || hub.number != box.number { sendAll(to: gateway) }
        case .box:
            // What somebody did there comes as a record, with its time: without it an alarm here is ended by nothing.
            if hub.isMoreUrgent(than: box) { return }
            let act = box.number > hub.number ? act(of: box, hub, .box(gateway.id)) : nil
            panels.follow(box, of: gateway, act, tripped(at: gateway))
        }
    }

    /// Whether somebody came in at a box, and nobody has heard of it, by an alarm that is on there or may be in a moment: it becomes one of the
    /// house, and so is asked for once.
    private func hasUnheard(_ box: Panel, _ hub: Panel, _ gateway: Gateway) -> Bool {
        guard box.isDisturbed, let entries = panels.house(gateway.site).entries[gateway.id] else { return false }
        var joint = box
        joint.heed(hub, at: clock.now.milliseconds)
        return !entries.joining(joint.mode).isEmpty
    }

    /// What tripped at a box last, as far as it told.
    func tripped(at gateway: Gateway) -> HousePanel.Trip? { state.withLock { $0.boxes[gateway.id]?.tripped } }

    /// An alarm is on at a box and not at the hub, which knows of more acts: who ended it here is told to it once more. If nobody did,
    /// it is one of the house, whatever was done before it was known.
    func meet(_ box: Panel, _ gateway: Gateway) {
        let (answer, tripped) = state.withLock { ($0.boxes[gateway.id]?.answered, $0.boxes[gateway.id]?.tripped) }
        if let answer {
            let house = panels.house(gateway.site)
            send(answer, to: gateway, mode: house.panel.mode, bypass: house.bypassed)
            return
        }
        panels.join(box, of: gateway, tripped)
        sendAll(to: gateway)
    }

    /// What somebody did at a box, by how it stands after it.
    func act(
        of box: Panel, _ hub: Panel, _ actor: PanelActor
    ) -> (kind: HousePanel.Act.Kind, by: PanelActor) {
        switch box.state {
        case .disarmed: (.disarmed, actor)
        case .arming: (.armed, actor)
        case .armedHome, .armedAway, .armedNight, .armedVacation: (hub.state == .triggered ? .reset : .armed, actor)
        case .pending, .triggered: (.armed, actor)
        }
    }

    /// Looks at what waits: a comparison whose records do not come, a tag that nobody held to the reader.
    func tick() {
        let now = clock.now
        let waiting = state.withLock { state in
            state.learning = state.learning.filter { $0.value.until > now }
            return state.boxes.filter { $0.value.compares != nil }.map(\.key)
        }
        lookAfterEntries()
        lookAfterRefusals()
        // What could not be written is tried again.
        if state.withLock({ !$0.waiting.isEmpty || !$0.unsettled.isEmpty }) { wake() }
        let catalog = registry.catalog
        for id in waiting { if let gateway = catalog.gateways[id] { compareWhatCan(be: gateway) } }
    }

    // MARK: what goes out

    /// Sends a frame. What does not arrive is made up for when the box says hello again.
    func send(_ frame: BoxFrame, to gateway: Gateway) {
        do throws(BusError) { try say(frame, gateway) } catch {
            Log.warning("home", "a box could not be told", ["box": gateway.id.text, "why": "\(error)"])
        }
    }

    /// Sends an order into a box's session, with how the hub's panel stands.
    /// - Returns: the order's id; nil: the box is not there.
    @discardableResult
    func send(
        _ kind: BoxOrder.Kind, to gateway: Gateway, mode: ArmMode? = nil, bypass: Set<SensorID> = [],
        id: ID16? = nil
    ) -> ID16? {
        let now = clock.now
        guard let key = gateway.key,
            let (session, counter) = state.withLock({ state -> ([UInt8], UInt64)? in
                guard let session = state.boxes[gateway.id]?.session else { return nil }
                return (session, state.boxes[gateway.id]!.next(at: now))
            })
        else { return nil }
        let order = id ?? EventID.new(at: now).raw
        var bits: UInt64 = 0
        if !bypass.isEmpty {
            // When they cannot be read, nothing is left out: the house is guarded by more, not by less.
            let places = (try? places(of: gateway)) ?? []
            for (place, sensor) in places.enumerated() where bypass.contains(sensor.id) {
                bits |= 1 << UInt64(place)
            }
        }
        let panel = PanelStanding(panels.panel(of: gateway.site), at: now.milliseconds)
        // The session is as long as the hello that it is from.
        guard
            let frame = try? BoxOrder(
                session: session, counter: counter, notAfter: lastMoment(at: now), kind: kind,
                mode: mode?.rawValue ?? 0, bypass: bits, panel: panel, id: order, boxKey: key)
        else { return nil }
        state.withLock { $0.boxes[gateway.id]?.sent(order, kind, at: now) }
        send(.order(frame), to: gateway)
        return order
    }

    /// When an order is void, in Unix seconds. While a box's clock may show another time than ours, its session alone says that: it ends with the
    /// fifth hello.
    private func lastMoment(at now: Timestamp) -> UInt64 {
        clock.isFirm ? now.seconds + Self.orderLifetime : Self.noMoment
    }
    /// The end of the year 9999.
    private static let noMoment: UInt64 = 253_402_300_799

    /// Lets a box stand as the hub's panel does.
    func sendAll(to gateway: Gateway) {
        let house = panels.house(gateway.site)
        send(.follow, to: gateway, mode: house.panel.mode, bypass: house.bypassed)
    }

    /// Tells the boxes of a house what became of its panel; not the one that told it.
    private func order(after change: HousePanels.Change) {
        if change.before.bypassed != change.after.bypassed { settingsChanged(at: change.site) }
        if change.arms {
            let here = Set(registry.catalog.gateways(of: change.site).map(\.id))
            state.withLock { state in state.learning = state.learning.filter { !here.contains($0.value.gateway) } }
        }
        remember(change)
        guard let kind = Self.order(for: change) else { return }
        let source = source(of: change.cause)
        for gateway in registry.catalog.gateways(of: change.site) where gateway.kind == .box && gateway.id != source {
            send(kind, to: gateway, mode: change.after.panel.mode, bypass: change.after.bypassed)
        }
    }

    /// Keeps what somebody did about an alarm, for a box that may not hear of it now.
    private func remember(_ change: HousePanels.Change) {
        guard case .act(let kind, _) = change.cause else { return }
        let order: BoxOrder.Kind? =
            switch kind {
            case .disarmed: .disarm
            case .silenced: .silence
            case .reset: .reset
            case .armed, .called: nil
            }
        guard let order else { return }
        let gateways = registry.catalog.gateways(of: change.site).filter { $0.kind == .box }.map(\.id)
        state.withLock { state in
            for id in gateways { state.boxes[id, default: BoxState()].answer(order, change.after.revision) }
        }
    }

    private static func order(for change: HousePanels.Change) -> BoxOrder.Kind? {
        switch change.cause {
        // Armed as before, with less left out: no box begins a time to leave.
        case .act(.armed, _):
            change.before.panel.state == change.after.panel.state
                && change.before.panel.mode == change.after.panel.mode
                && change.before.bypassed.isStrictSuperset(of: change.after.bypassed) ? .follow : .arm
        case .act(.disarmed, _): .disarm
        case .act(.silenced, _): .silence
        case .act(.reset, _): .reset
        case .act(.called, _): .trigger
        case .trip:
            if change.before.panel == change.after.panel {
                nil
            } else {
                change.after.panel.state == .triggered ? .trigger : .follow
            }
        case .keeper: .follow
        // Every keeper has a clock of its own.
        case .deadline, .weakness: nil
        }
    }

    /// The box from which a change came, which knows of it.
    private func source(of cause: PanelCause) -> GatewayID? {
        switch cause {
        // One that cannot be read now: its box is told what it did itself.
        case .act(_, .tag(let id)): (try? tag(id))?.gateway
        case .act(_, .box(let gateway)), .keeper(let gateway): gateway
        case .trip(_, let sensor):
            registry.catalog.sensors[sensor].flatMap { registry.catalog.gateway(of: $0) }.flatMap {
                $0.kind == .box ? $0.id : nil
            }
        case .act, .deadline, .weakness: nil
        }
    }

    /// Opens the gas valve of a box: whoever calls this has seen a fresh proof of who asks.
    /// - Returns: what the box says to it within that time.
    func openValve(of gateway: Gateway, within patience: Duration) async -> BoxAnswer {
        guard isThere(gateway.id) else { return .away }
        return await answer(within: patience) { send(.openValve, to: gateway, id: $0) != nil }
    }

    /// Sends an order and waits for the first answer to it.
    /// - Parameters:
    ///   - wantsObedience: whether a refusal by one box leaves the others to wait for.
    ///   - send: with the order's id; false: there is nobody to send it to.
    /// - Returns: `none` when none came.
    private func answer(
        within patience: Duration, wantsObedience: Bool = false, to send: (ID16) -> Bool
    ) async -> BoxAnswer {
        let (answers, answer) = AsyncStream.makeStream(of: BoxAnswer.self, bufferingPolicy: .bufferingNewest(64))
        let order = EventID.new(at: clock.now).raw
        state.withLock { $0.tests[order] = answer }
        defer { state.withLock { $0.tests[order] = nil } }
        guard send(order) else { return .away }
        let end = Task {
            try? await Task.sleep(for: patience)
            answer.finish()
        }
        defer { end.cancel() }
        for await one in answers {
            if wantsObedience, case .refused = one { continue }
            return one
        }
        return .none
    }

    /// Lets a box sound and light for a moment.
    /// - Returns: whether the box is there.
    func test(_ gateway: Gateway) -> Bool { send(.test, to: gateway) != nil }

    /// Lets all boxes of a house sound and light for a moment.
    /// - Returns: whether one of them says within that time that it did.
    func answers(at site: SiteID, within patience: Duration) async -> Bool {
        let boxes = registry.catalog.gateways(of: site).filter { $0.kind == .box }
        // Every one of them, not the first alone.
        let first = await answer(within: patience, wantsObedience: true) { order in
            !boxes.filter { send(.test, to: $0, id: order) != nil }.isEmpty
        }
        if case .taken = first { return true }
        return false
    }

    /// Whether orders reach a box.
    func isThere(_ gateway: GatewayID) -> Bool { state.withLock { $0.boxes[gateway]?.session } != nil }

    // MARK: its long work

    func wake() { state.withLock { $0.wake }?.yield() }

    /// Writes down what boxes tell and acknowledges it, and sends them their settings. Runs until it is cancelled.
    func run() async {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.wake = wake }
        wake.yield()
        for await _ in wakes {
            // Whoever tells without end keeps nobody else's settings waiting.
            while await writeRecords() { await settle() }
            await settle()
        }
    }
}
