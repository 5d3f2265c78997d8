import Household
import System
import Template

/// What is known of one gateway.
struct GatewayWatch: Sendable {
    /// Whether it is connected.
    enum Presence: Sendable { case unknown, there, gone }
    /// Something that is wrong with it, of which its owner knows.
    struct Standing: Sendable {
        let alarm: HouseAlarmID
        var seen: Timestamp
    }

    var gateway: Gateway
    var presence = Presence.unknown
    /// Whether it, or the broker for it, said so since the connection was there: what the broker kept of that is no newer then.
    var isPresenceHeard = false
    /// When that became so.
    var since: Timestamp
    /// When it said something last; nil: nothing yet.
    var heard: Timestamp?
    var meter: StormMeter
    /// Measures what readers do beyond those that read every message.
    var effort: StormMeter
    /// Which of the things behind it was in reach when that was asked last.
    var witness = 0
    /// When these were last told that there is too much.
    var skippedAt: Timestamp?
    /// Nothing of it is listened to since then; nil: all is.
    var isolatedAt: Timestamp?
    /// Whether it was shut out, too.
    var isShutOut = false
    /// Whether somebody wants it back in before the time is over.
    var isWantedBack = false
    /// When it last sent more than it may.
    var loudAt: Timestamp
    /// What it sent since the last look, in light messages.
    var recent = 0
    /// How often messages of it had been dropped before the last: see `BusMessage.gapsOfSender`.
    var gaps = 0
    /// What of that was taken although it is isolated.
    var frames = 0
    /// When it came, in the last minute.
    var arrivals: [Timestamp] = []
    var troubles: [GatewayTrouble: Standing] = [:]
    /// Something new is bound to its topics: the broker is asked for what it kept there.
    var wantsLook = false

    init(_ gateway: Gateway, _ meter: StormMeter, at now: Timestamp) {
        (self.gateway, self.meter, effort, loudAt, since) = (gateway, meter, meter, now, now)
    }

    /// As everybody sees it.
    var state: LiveReadings.GatewayState { .init(isThere: presence == .there, heard: heard) }

    /// It has come once more.
    /// - Returns: whether it comes more often than one client does.
    mutating func arrives(at now: Timestamp, _ limits: IntakeLimits) -> Bool {
        arrivals.removeAll { now.milliseconds - $0.milliseconds > 60_000 || $0 > now }
        arrivals.append(now)
        if arrivals.count > limits.arrivalsPerMinute + 1 { arrivals.removeFirst() }
        return arrivals.count > limits.arrivalsPerMinute
    }
}

/// Measures what one gateway sends: a bucket that leaks.
struct StormMeter: Sendable {
    /// Light messages a second that leak out.
    private(set) var perSecond: Int
    /// In milliseconds; a clock that goes back further was set. So short, a clock that was set back stops the leak for no longer than what a
    /// gateway may send has room for.
    private static let longestTurn: Int64 = 5_000
    private var capacity: Int64
    /// In thousandths of a light message.
    private var level: Int64 = 0
    private var leakedAt: Int64

    /// - Parameters:
    ///   - atOnce: so many have room.
    ///   - now: milliseconds.
    init(perSecond: Int, atOnce: Int, at now: Int64) {
        (self.perSecond, leakedAt) = (perSecond, now)
        capacity = Int64(atOnce) * 1_000
    }

    /// Takes a message.
    /// - Parameter weight: how many light ones it is worth.
    /// - Returns: whether it ran over.
    mutating func take(_ weight: Int = 1, at now: Int64) -> Bool {
        leak(until: now)
        let added = Int64(weight) * 1_000
        if level + added > capacity { return true }
        level += added
        return false
    }

    /// Counts what was done already, up to where it is full.
    mutating func add(_ weight: Int, at now: Int64) {
        leak(until: now)
        level = max(level, min(level + Int64(weight) * 1_000, capacity))
    }

    /// Lets as much leak out as another does, from now on; what is in it stays, else who adds a sensor again and again empties it.
    mutating func allow(as other: StormMeter, at now: Int64) {
        leak(until: now)
        (perSecond, capacity) = (other.perSecond, other.capacity)
    }

    /// Empties it.
    mutating func empty() { level = 0 }

    /// The messages of a turn are all of the moment in which it began: what is a little older than what was counted last leaks nothing twice.
    private mutating func leak(until now: Int64) {
        if (0..<Self.longestTurn).contains(leakedAt - now) { return }
        level = max(0, level - max(0, now - leakedAt) * Int64(perSecond))
        leakedAt = now
    }
}

/// What the readers of one message share, and what computing from it has cost so far.
struct ReadingWork {
    /// So much of it is worth a light message: some 75 µs of a computer of 2020.
    private static let ofLightMessage = 16_000

    /// See `Template.text(_:cost:)`.
    var spent = 0
    private var tree: TemplateValue??

    /// The same in light messages.
    var weight: Int { spent / Self.ofLightMessage }

    /// The message as JSON, read once; nil: it is none.
    mutating func json(_ payload: [UInt8]) -> TemplateValue? {
        if let tree { return tree }
        spent += payload.count * Template.costOfJSON
        let read = TemplateValue(json: payload)
        tree = .some(read)
        return read
    }
}
