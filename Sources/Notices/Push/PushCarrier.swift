import Ledger
import Store
import System

/// Brings parcels of the push channel to their devices, by the push service of each browser's maker.
struct PushCarrier: Carrier {
    /// Messages of the outbox at a time. `Shares` says how many of them one person holds.
    /// - Key: hub
    static let lanes = 8
    /// Messages of alarms at a time. `FairLanes` says how many of them one house holds.
    /// - Key: hub
    static let lanesAtOnce = 64
    /// A push service that does not answer an alarm's message in this time is asked again by the outbox.
    static let urgentTimeout = Duration.seconds(4)

    var lanes: Int { Self.lanes }
    var lanesAtOnce: Int { Self.lanesAtOnce }

    let store: Store
    let clock: WallClock
    let sender: any PushSending
    /// Whether push services on this machine are told.
    var allowsLoopback = false
    /// Sends what cannot wait, on threads of its own; nil: `sender` does.
    var urgent: (any PushSending)?

    func carry(_ parcel: Parcel) async -> Carried { await carry(parcel, in: .ordinary) }

    func carry(_ parcel: Parcel, in kind: LaneKind) async -> Carried {
        guard let payload = PushPayload(parcel.payload) else { return .refused(why: "it was not readable any more") }
        let now = clock.now
        let subscription: PushSubscription?
        do {
            subscription = try store.read {
                try PushRecords.subscription(of: payload.device, at: now, allowsLoopback: allowsLoopback, in: $0)
            }
        } catch { return .again(afterSeconds: nil, why: "the database did not answer") }
        guard let subscription else { return .refused(why: Self.gone) }
        let seconds = Int(max(0, parcel.expires.milliseconds - now.milliseconds) / 1000)
        let sender = kind == .atOnce ? urgent ?? self.sender : self.sender
        let outcome = await sender.send(
            payload.message, to: subscription,
            PushOptions(seconds: seconds, urgency: Self.urgency(payload.urgency), topic: payload.topic))
        if kind == .atOnce {
            // The lane is free for the next alarm, whether anything can be written or not.
            Task { await note(outcome, payload.device) }
        } else {
            await note(outcome, payload.device)
        }
        return Self.carried(outcome)
    }

    private static let gone = "the device is not there any more"

    /// What a push service said, for a parcel.
    static func carried(_ outcome: PushOutcome) -> Carried {
        switch outcome {
        case .delivered: .delivered
        case .gone: .refused(why: gone)
        case .tooLarge: .refused(why: "it is too long for a device")
        case .again(let seconds, let why): .again(afterSeconds: seconds, why: why)
        case .refused(let why): .refused(why: why)
        }
    }

    /// What wakes a sleeping phone (RFC 8030, section 5.3).
    static func urgency(_ urgency: Urgency) -> PushOptions.Urgency {
        switch urgency {
        case .low: .low
        case .normal: .normal
        case .high, .critical: .high
        }
    }

    /// Devices that nobody reaches any more are forgotten. What cannot be written down is found out again by the next notice.
    private func note(_ outcome: PushOutcome, _ device: PushDeviceID) async {
        let now = clock.now
        do {
            try await store.write(.vital) { database in
                switch outcome {
                case .delivered: try PushRecords.note(device, reached: now, in: database)
                case .gone: try PushRecords.remove(device, in: database)
                case .tooLarge, .again, .refused: try PushRecords.note(device, reached: nil, in: database)
                }
            }
        } catch { Log.warning("notices", "what became of a push was not written", ["why": "\(error)"]) }
    }
}
