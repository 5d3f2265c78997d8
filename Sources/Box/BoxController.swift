import Field
import Safeguard
import System
import Wire

/// The box: its firmware's decisions, with a disk to write them on and a hub to tell them to.
///
/// What threatens somebody acts first (siren, valve, fan: at once, in memory), is written down second, and is told third.
public actor BoxController {
    /// Where it speaks; nothing happens when the broker is away.
    public typealias Uplink = @Sendable (BoxSaying) -> Void

    /// Records on their way at a time: the rest wait until these were acknowledged.
    static let window = 64
    /// Hellos whose sessions orders may still be of; of this connection all.
    static let openSessions = 4
    /// The version that the box says it is.
    public static let version = "0.2.0"
    /// At most so many happenings wait for a disk that cannot be written; what comes then is shown and told to nobody.
    static let mostUnwritten = 1_000

    /// What pairing left behind.
    public nonisolated let identity: BoxMemory.Identity
    let memory: BoxMemory
    let wall: WallClock
    let uptime: @Sendable () -> UInt64
    private let boots: UInt32
    private(set) var core: BoxCore
    private(set) var clock: FieldClock
    private var savedFloor: UInt64

    private var unwritten: [BoxRecord.Content] = []
    private var isWriting = false
    private var keptThere: BoxCore.Kept
    private(set) var lastSequence: UInt64
    private var sentUpTo: UInt64 = 0
    private var isDiskFull = false

    private(set) var uplink: Uplink?
    /// The sessions of the newest hellos, the newest first, each with the counter of the last order: the hub may not have heard the
    /// newest yet.
    private var sessions: [(id: [UInt8], counter: UInt64)] = []
    private var timeNonce = Nonce.zero
    private var usedTimeNonce: Nonce?
    private var timeNonceAt: UInt64 = 0
    private var hubContact: UInt64?
    /// What was told last on each topic of states, and when.
    private var told: [String: (payload: [UInt8], value: Double, at: Int64)] = [:]
    private var pictures = 0

    /// - Parameters:
    ///   - memory: of a paired box.
    ///   - identity: what pairing left behind.
    ///   - wall: the machine's clock: for the journal's time when there is no trusted one, and for the time that passed while
    ///     the box was off.
    ///   - uptime: milliseconds that only go forward.
    public init(
        memory: BoxMemory, identity: BoxMemory.Identity, wall: WallClock = .system,
        uptime: @escaping @Sendable () -> UInt64 = { Uptime.milliseconds }
    ) async throws {
        (self.memory, self.identity, self.wall, self.uptime) = (memory, identity, wall, uptime)
        let kept = try memory.kept(uptime: Int64(clamping: uptime()), wall: wall.now) ?? BoxCore.Kept()
        keptThere = kept
        core = BoxCore(
            setup: memory.settings(identity.key).map { BoxSetup($0, of: identity.box) } ?? BoxSetup(), kept: kept)
        savedFloor = try memory.clockFloor()
        clock = FieldClock(floor: savedFloor)
        boots = try await memory.countBoot()
        lastSequence = try memory.lastSequence()
    }

    /// Milliseconds of the clock that deadlines are kept by.
    var now: Int64 { Int64(clamping: uptime()) }

    // MARK: what happens here

    /// Takes what the sensors tell, and looks at the clock. Called a few times a second.
    /// - Parameters:
    ///   - values: those that tell nothing are nil.
    ///   - isWarming: whether the gas sensor has not warmed up yet.
    public func sense(_ values: [BoxSensor: Double?], isWarming: Bool = false) async {
        var happenings: [BoxCore.Happening] = []
        for sensor in BoxSensor.allCases {
            guard let value = values[sensor] else { continue }
            happenings += core.sense(sensor, value, isWarming: isWarming && sensor == .gas, at: now)
        }
        happenings += core.tick(at: now)
        await done(happenings)
    }

    /// Somebody holds a tag to the reader.
    /// - Parameter number: of the tag, 1 to 10 bytes; others are no tags.
    public func hold(_ number: [UInt8]) async {
        guard let digest = try? BoxTag.digest(of: number, boxKey: identity.key) else { return }
        // Its number never leaves the box.
        say(BoxSaying("tag/state", BoxTag.name(of: digest).hex, isRetained: false))
        await done(core.hold(digest, at: now))
    }

    /// Somebody presses the button for help.
    public func press() async { await done(core.press(at: now)) }

    /// Acts are done: tells what moved, then writes down, then tells the hub.
    private func done(_ happenings: [BoxCore.Happening]) async {
        tellStates()
        if happenings.contains(where: { $0.kind == .tripped }) { takePicture() }
        for happening in happenings { note(happening) }
        await write()
    }

    private func note(_ happening: BoxCore.Happening) {
        let (time, state) = boxTime()
        guard
            let content = try? BoxRecord.Content(
                kind: happening.kind, panel: PanelStanding(happening.panel, at: now), cause: happening.cause,
                sensor: happening.sensor, value: happening.value, credential: happening.credential, time: time,
                clock: state, digest: happening.digest)
        else { return }
        if unwritten.count < Self.mostUnwritten { unwritten.append(content) }
    }

    /// Writes what is not written yet. One writer at a time: the order in the journal is the order in which things happened.
    private func write() async {
        guard !isWriting else { return }
        isWriting = true
        defer { isWriting = false }
        while !unwritten.isEmpty || core.kept != keptThere {
            let (contents, kept) = (unwritten, core.kept)
            do {
                let records = try await memory.append(
                    contents, kept, uptime: now, wall: wall.now, key: identity.key)
                unwritten.removeFirst(contents.count)
                keptThere = kept
                isDiskFull = false
                lastSequence = records.last?.sequence ?? lastSequence
            } catch {
                // The alarm goes on; what happened is written when there is room again.
                if !isDiskFull {
                    Log.failure(
                        "box", "the journal cannot be written", ["box": identity.box.hex, "why": "\(error)"])
                }
                isDiskFull = true
                return
            }
            tellJournal()
        }
    }

    func boxTime() -> (UInt64, ClockState) {
        if let utc = clock.milliseconds(uptime: uptime()) { return (utc, .trusted) }
        return (UInt64(max(wall.now.milliseconds, 0)), .untrusted)
    }

    // MARK: the bus

    /// The bus is there.
    public func connected(_ uplink: @escaping Uplink) {
        self.uplink = uplink
        sessions = []
        sentUpTo = 0
        announce()
        sayHello()
    }

    /// The bus has gone.
    public func disconnected() {
        uplink = nil
        hubContact = nil
    }

    /// Whether the hub has answered lately.
    var hasHub: Bool { uplink != nil && hubContact.map { uptime() - $0 < 15_000 } ?? false }

    /// Says that it is there, what it has, and how everything stands.
    private func announce() {
        say(BoxSaying("availability", "online"))
        say(
            BoxSaying(
                BoxDiscovery.topic(identity.box),
                BoxDiscovery.message(identity.box, name: identity.name, software: Self.version), isSure: true))
        told = [:]
        tellStates()
    }

    /// Says that the box is there, and asks for the time. Called every few seconds: a hub that starts again, or that had lost sight
    /// of us, counts its orders from the beginning, and must never count into numbers that another used.
    public func sayHello() {
        sessions.insert((Random.bytes(8), UInt64(0)), at: 0)
        if sessions.count > Self.openSessions { sessions.removeLast() }
        sayHow()
    }

    /// The same, in the session that there is: how the box stands now.
    private func sayHow() {
        guard let uplink, let session = sessions.first?.id else { return }
        timeNonce = Nonce(Random.bytes(16)) ?? .zero
        timeNonceAt = uptime()
        guard
            let hello = try? BoxHello(
                session: session, uptime: timeNonceAt, bootCount: boots, journalID: memory.journalID,
                lastSequence: lastSequence, settingsVersion: core.setup.version,
                clock: clock.utc(uptime: timeNonceAt) == nil ? .untrusted : .trusted, timeNonce: timeNonce,
                panel: PanelStanding(core.panel, at: now), boxKey: identity.key)
        else { return }
        uplink(BoxSaying("hello", BoxFrame.hello(hello).encoded()))
    }

    /// Sends again what was sent and not acknowledged. Called every few seconds.
    public func tellAgain() async {
        sentUpTo = 0
        if hasHub { tellJournal() }
        // A disk that was full may have room again.
        await write()
    }

    private func say(_ saying: BoxSaying) { uplink?(saying) }

    /// Takes a message of the bus.
    /// - Parameter topic: below the box's own.
    public func receive(_ topic: String, _ payload: [UInt8], isRetained: Bool) async {
        switch topic {
        // The hub retains nothing for a box: what is retained was not sent to us now.
        case "down":
            guard !isRetained, let frame = try? BoxFrame(decoding: payload) else { return }
            await receive(frame)
        case "homeassistant/status":
            if !isRetained, payload == Array("online".utf8) { announce() }
        default:
            guard topic.hasSuffix("/set"), let actuator = BoxActuator(rawValue: String(topic.dropLast(4))) else {
                return
            }
            await command(actuator, payload, isRetained: isRetained)
        }
    }

    /// Takes a frame from the hub. What the box's key did not sign is dropped.
    func receive(_ frame: BoxFrame) async {
        switch frame {
        case .order(let order): await take(order)
        case .settings(let settings): await take(settings)
        case .time(let answer): await take(answer)
        case .acknowledgement(let acknowledgement): await take(acknowledgement)
        case .hello, .record: return
        }
    }

    private func take(_ order: BoxOrder) async {
        let session = sessions.firstIndex { $0.id == order.session }
        if let refusal = order.refusal(
            boxKey: identity.key, session: session.map { sessions[$0].id } ?? [],
            after: session.map { sessions[$0].counter } ?? 0, utc: clock.utc(uptime: uptime()))
        {
            Log.warning("box", "an order was refused", ["box": identity.box.hex, "why": "\(refusal)"])
            // Somebody's own words are not repeated to everybody; only that there was something.
            return refuse("an order was refused")
        }
        if let session { sessions[session].counter = order.counter }
        guard let happenings = core.take(order, at: now) else {
            return refuse("an order does not fit how the box stands")
        }
        await done(happenings)
        sayHow()
    }

    private func take(_ settings: BoxSettings) async {
        let floor = max((try? memory.settingsFloor()) ?? 0, core.setup.version)
        // Those that were kept and then lost are taken again.
        let isWanted = settings.isNewer(than: floor) || core.setup.version == 0 && settings.version == floor
        guard settings.verifies(boxKey: identity.key), isWanted else { return }
        do { try await memory.setSettings(settings) } catch {
            return Log.failure(
                "box", "new settings could not be kept; the old ones hold",
                ["box": identity.box.hex, "why": "\(error)"])
        }
        core.take(BoxSetup(settings, of: identity.box))
        await done([])
        sayHow()
    }

    private func take(_ answer: TimeAnswer) async {
        guard answer.verifies(gateKey: identity.key, nonce: timeNonce) else {
            // A hub that has just started answers the hello that the broker kept: it needs a fresh one, and what was told while
            // nobody listened.
            if let used = usedTimeNonce, answer.verifies(gateKey: identity.key, nonce: used) {
                usedTimeNonce = nil
                sentUpTo = 0
                sayHello()
            }
            return
        }
        let asked = timeNonceAt
        // Once: the same answer is no second sign of life.
        usedTimeNonce = timeNonce
        timeNonce = Nonce(Random.bytes(16)) ?? .zero
        guard clock.set(answer.utc, askedAt: asked) else {
            return Log.warning(
                "box", "the hub's time lies before one that it told earlier: not believed", ["box": identity.box.hex])
        }
        let wasAlone = !hasHub
        hubContact = uptime()
        if wasAlone {
            sentUpTo = 0
            tellStates()
        }
        tellJournal()
        if answer.utc >= savedFloor + 60 {
            savedFloor = answer.utc
            do { try await memory.setClockFloor(answer.utc) } catch {
                Log.warning("box", "the time could not be kept", ["box": identity.box.hex, "why": "\(error)"])
            }
        }
    }

    private func take(_ acknowledgement: Acknowledgement) async {
        guard acknowledgement.journalID == memory.journalID, acknowledgement.verifies(gateKey: identity.key) else {
            return
        }
        do { try await memory.acknowledge(acknowledgement.sequence) } catch {
            return Log.warning(
                "box", "an acknowledgement could not be kept; the record will be told again", ["why": "\(error)"])
        }
        if acknowledgement.sequence >= sentUpTo { tellJournal() }
    }

    /// Sends the next records that the hub has not acknowledged.
    private func tellJournal() {
        guard uplink != nil, let records = try? memory.untold(after: sentUpTo, limit: Self.window) else { return }
        for record in records { say(BoxSaying("up", BoxFrame.record(record).encoded(), isRetained: false)) }
        sentUpTo = records.last?.sequence ?? sentUpTo
    }

    // MARK: plain commands

    private func command(_ actuator: BoxActuator, _ payload: [UInt8], isRetained: Bool) async {
        // Whoever retains a command gives it again to everybody who connects, years later.
        guard !isRetained else { return refuse("\(actuator.rawValue): a retained command is not obeyed") }
        guard let command = BoxCommand(payload) else { return refuse("\(actuator.rawValue): not understood") }
        switch (actuator, command) {
        case (.siren, .on): _ = core.tellSiren(true)
        case (.siren, .off):
            if !core.tellSiren(false) { refuse("siren: an alarm is silenced by an order alone") }
        case (.valve, .off): core.closeValve()
        case (.valve, .on): refuse("valve: it is opened by an order alone")
        case (.valve, .number(let percent)):
            if percent == 0 { core.closeValve() } else { refuse("valve: it is opened by an order alone") }
        case (.fan, .on): core.tellFan(100)
        case (.fan, .off): core.tellFan(0)
        case (.fan, .number(let percent)): core.tellFan(Int(percent))
        case (.plug, .on): core.isPlugOn = true
        case (.plug, .off): core.isPlugOn = false
        case (.led, .on): core.colour = core.colour ?? (255, 255, 255)
        case (.led, .off): core.colour = nil
        case (.led, .colour(let red, let green, let blue)): core.colour = (red, green, blue)
        case (.lcd, _): core.message = command.text
        case (.camera, _): takePicture()
        default: refuse("\(actuator.rawValue): not understood")
        }
        await done([])
    }

    /// Says what was not done, where everybody can read it.
    private func refuse(_ words: String) {
        Log.info("box", "refused", ["box": identity.box.hex, "what": words])
        say(BoxSaying("notice/state", words, isRetained: false))
    }

    // MARK: states

    private func takePicture() {
        pictures += 1
        let tripped = core.kept.tripped.contains(.distance)
        say(BoxSaying("camera/state", BoxPicture.png(number: pictures, hasSomebody: tripped), isSure: true))
    }

    /// Tells what has changed, and what has not been told for a while.
    private func tellStates() {
        guard uplink != nil else { return }
        for sensor in BoxSensor.allCases { tell(sensor) }
        let display = BoxDisplay(core, isConnected: hasHub, at: now)
        tell("siren", core.sounds(at: now) ? "ON" : "OFF")
        tell("valve", core.kept.isValveOpen ? "open" : "closed")
        tell("plug", core.isPlugOn ? "ON" : "OFF")
        tell("lcd", display.lines.filter { !$0.isEmpty }.joined(separator: " - "))
        let fan = core.fanPercent
        tell("fan", .object([("state", fan > 0 ? "ON" : "OFF"), ("value", .number(Double(fan)))]))
        let (red, green, blue) = display.colour
        tell("led", .object([("state", "ON"), ("value", .text("\(red),\(green),\(blue)"))]))
    }

    private func tell(_ key: String, _ value: BoxJSON.Value) { tell(key, BoxJSON.bytes(value)) }
    private func tell(_ key: String, _ text: String) { tell(key, Array(text.utf8)) }

    private func tell(_ key: String, _ payload: [UInt8]) {
        if let last = told[key], last.payload == payload { return }
        told[key] = (payload, 0, now)
        say(BoxSaying(key + "/state", payload, isSure: true))
    }

    private func tell(_ sensor: BoxSensor) {
        guard let value = core.values[sensor] else { return }
        if let last = told[sensor.rawValue], now - last.at < sensor.period,
            abs(value - last.value) < sensor.deadband
        {
            return
        }
        told[sensor.rawValue] = ([], value, now)
        say(BoxSaying(sensor.rawValue + "/state", payload(sensor, value), isSure: true))
    }

    private func payload(_ sensor: BoxSensor, _ value: Double) -> [UInt8] {
        if sensor.isTruth { return Array((value == 0 ? "OFF" : "ON").utf8) }
        var members: [(String, BoxJSON.Value)] = [("value", .number(value))]
        if !sensor.unit.isEmpty { members.append(("unit", .text(sensor.unit))) }
        let (time, state) = boxTime()
        if state == .trusted {
            members.append(("at", .text(Timestamp(milliseconds: Int64(clamping: time)).iso8601)))
        }
        if sensor == .gas, core.isWarming { members.append(("warming", true)) }
        return BoxJSON.bytes(.object(members))
    }
}
