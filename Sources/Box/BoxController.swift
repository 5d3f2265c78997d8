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
    /// An order may be of the session of any of so many hellos, all of this connection.
    static let openSessions = 4
    /// At most so many happenings wait for a disk that cannot be written; what comes then is shown and told to nobody.
    static let mostUnwritten = 1_000

    /// What pairing left behind.
    public nonisolated let identity: BoxMemory.Identity
    let memory: BoxMemory
    let wall: WallClock
    let uptime: @Sendable () -> UInt64
    let boots: UInt32
    var core: BoxCore
    var clock: FieldClock
    var savedFloor: UInt64

    private var unwritten: [BoxRecord.Content] = []
    private var isWriting = false
    private var keptThere: BoxCore.Kept
    private(set) var lastSequence: UInt64
    var sentUpTo: UInt64 = 0
    private var isDiskFull = false
    /// How it stood when it said so last without a record of it.
    private var shownPanel: Panel?
    var isJournalUnreadable = false

    var uplink: Uplink?
    /// The sessions of the newest hellos, the newest first, each with the counter of the last order: the hub may not have heard the
    /// newest yet.
    var sessions: [(id: [UInt8], counter: UInt64)] = []
    var timeNonce = Nonce.zero
    var usedTimeNonce: Nonce?
    var timeNonceAt: UInt64 = 0
    var hubContact: UInt64?
    /// What was refused before the hub could hear of it.
    var unsaidRefusal: String?
    /// What was told last on each topic of states, and when.
    var told: [String: (payload: [UInt8], value: Double, at: Int64)] = [:]
    var pictures = 0

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
    func done(_ happenings: [BoxCore.Happening]) async {
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
    func write() async {
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
                // The hub hears how the box stands, though not yet what happened; once, not at each try.
                let isNews = !isDiskFull || shownPanel != core.panel
                (isDiskFull, shownPanel) = (true, core.panel)
                return isNews ? sayHow() : ()
            }
            tellJournal()
        }
    }

    /// Records that the hub has not acknowledged, with those that are still to be written; nil: the journal cannot be read.
    var waiting: Int? { (try? memory.waiting()).map { $0 + unwritten.count } }

    func boxTime() -> (UInt64, ClockState) {
        if let utc = clock.milliseconds(uptime: uptime()) { return (utc, .trusted) }
        return (UInt64(max(wall.now.milliseconds, 0)), .untrusted)
    }
}
