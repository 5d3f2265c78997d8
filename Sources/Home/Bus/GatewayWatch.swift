import Household
import System

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
