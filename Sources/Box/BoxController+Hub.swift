import Identity
import System
import Wire

/// What the box and its hub say to one another.
extension BoxController {
    /// The bus is there.
    public func connected(_ uplink: @escaping Uplink) {
        self.uplink = uplink
        sessions = []
        sentUpTo = 0
        say(BoxSaying("availability", "online"))
        announce()
        sayHello()
        if let words = unsaidRefusal { say(BoxSaying("notice/state", words, isRetained: false)) }
        unsaidRefusal = nil
    }

    /// The bus has gone.
    public func disconnected() {
        uplink = nil
        hubContact = nil
    }

    /// Whether the hub has answered lately.
    var hasHub: Bool { uplink != nil && hubContact.map { uptime() - $0 < 15_000 } ?? false }

    /// Says what it has, and how everything stands.
    private func announce() {
        say(
            BoxSaying(
                BoxDiscovery.topic(identity.box),
                BoxDiscovery.message(identity.box, name: identity.name, software: Version.current), isSure: true))
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
    func sayHow() {
        guard let uplink, let session = sessions.first?.id else { return }
        timeNonce = Nonce(Random.bytes(16)) ?? .zero
        timeNonceAt = uptime()
        guard
            // It refuses a session that is not 8 bytes, and nothing else.
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

    func say(_ saying: BoxSaying) { uplink?(saying) }

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
        case .hello, .record, .refused: return
        }
    }

    private func take(_ order: BoxOrder) async {
        let session = sessions.firstIndex { $0.id == order.session }
        if let refusal = order.refusal(
            boxKey: identity.key, session: session.map { sessions[$0].id } ?? [],
            after: session.map { sessions[$0].counter } ?? 0, utc: clock.utc(uptime: uptime()))
        {
            Log.warning("box", "an order was refused", ["box": identity.box.hex, "why": "\(refusal)"])
            // Whoever did not make it hears nothing of it.
            if refusal != .notValid { tellRefused(order, refusal) }
            // Somebody's own words are not repeated to everybody; only that there was something.
            return refuse("an order was refused")
        }
        if let session { sessions[session].counter = order.counter }
        guard let happenings = core.take(order, at: now) else {
            tellRefused(order, .unfit)
            return refuse("an order does not fit how the box stands")
        }
        await done(happenings)
        sayHow()
    }

    private func tellRefused(_ order: BoxOrder, _ why: BoxOrder.Refusal) {
        let refused = BoxOrderRefused(order.id, why, boxKey: identity.key)
        say(BoxSaying("up", BoxFrame.refused(refused).encoded(), isRetained: false))
    }

    private func take(_ settings: BoxSettings) async {
        guard settings.verifies(boxKey: identity.key) else { return }
        let floor: UInt64
        do { floor = max(try memory.settingsFloor(), core.setup.version) } catch {
            return Log.failure(
                "box", "which settings were kept last cannot be read: the old ones hold",
                ["box": identity.box.hex, "why": "\(error)"])
        }
        // Those that were kept and then lost are taken again.
        let isWanted = settings.isNewer(than: floor) || core.setup.version == 0 && settings.version == floor
        guard isWanted else { return }
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
        let verdict = clock.set(answer.utc, askedAt: asked, uptime: uptime())
        switch verdict {
        case .believed, .refused: break
        case .corrected:
            Log.warning(
                "box", "the hub has said another time twice: the clock was set by it", ["box": identity.box.hex])
        case .doubted:
            Log.warning(
                "box", "the hub's time does not fit what is known here: it is believed when the hub says it again",
                ["box": identity.box.hex])
        }
        let wasAlone = !hasHub
        hubContact = uptime()
        if wasAlone {
            sentUpTo = 0
            tellStates()
        }
        tellJournal()
        await keepFloor(isCorrected: verdict == .corrected)
    }

    /// Keeps the latest time that was trusted, once a minute and when it was set back.
    private func keepFloor(isCorrected: Bool) async {
        if clock.floor >= savedFloor + 60 || isCorrected {
            let floor = clock.floor
            savedFloor = floor
            do { try await memory.setClockFloor(floor) } catch {
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
    func tellJournal() {
        guard uplink != nil else { return }
        let records: [BoxRecord]
        do { records = try memory.untold(after: sentUpTo, limit: Self.window) } catch {
            // Asked again every few seconds; said once.
            if !isJournalUnreadable {
                Log.failure(
                    "box", "the journal cannot be read: the hub hears what the box does, and not yet what it did",
                    ["box": identity.box.hex, "why": "\(error)"])
            }
            isJournalUnreadable = true
            return
        }
        isJournalUnreadable = false
        for record in records { say(BoxSaying("up", BoxFrame.record(record).encoded(), isRetained: false)) }
        sentUpTo = records.last?.sequence ?? sentUpTo
    }
}
