/// What a change does to the protection of a house. Every route of Home that changes something says it beside its permission; one that
/// does not say it stops the hub at its start.
enum Protection: Sendable, Equatable {
    /// It lowers nothing, or asks by itself what lowering takes.
    case keeps
    /// It lowers the protection at once, if the house is armed: it takes what disarming takes, and whoever may not disarm is refused.
    case weakensNow(ProtectionChange)
    /// It changes by whom or how the house can be disarmed, or whom an alarm calls: it takes a fresh proof at any time.
    case weakensLater(ProtectionChange)

    /// What is changed, where something is lowered.
    var change: ProtectionChange? {
        switch self {
        case .keeps: nil
        case .weakensNow(let change), .weakensLater(let change): change
        }
    }

    /// A sentence for programs, after what a route does.
    var words: String? {
        switch self {
        case .keeps: nil
        case .weakensNow: "While the house is armed this takes what disarming takes."
        case .weakensLater: "This takes a fresh proof of who asks."
        }
    }
}

/// What of a house's protection is changed, as its owners are told it.
enum ProtectionChange: String, Sendable, CaseIterable {
    /// It is armed in another way than before.
    case arming
    /// An alarm of a house that is armed is ended.
    case alarm
    /// Delays, the time of an alarm, whether disarming takes a code.
    case rules
    /// What tripping a sensor means.
    case sensors
    /// The levels from which on air is bad; whether they count.
    case thresholds
    /// What a device is, and whether it is used.
    case devices
    /// What protects a house that is not armed, too, is missing, warns later, or is connected otherwise: see `AlwaysOn`.
    case alwaysOn
    /// More than is told one by one: see `ProtectionBudget`.
    case many
    /// What connects devices: credentials, pairing, taking out of use.
    case connections
    case codes
    case tags
    /// Whom an alarm calls.
    case contacts
    /// Who has a part in the house.
    case people
    /// An invitation that the owners were told of goes to somebody else: by hand, or to another address.
    case invitation
    /// Somebody whom the owners were told of has come, with an account that they may not know.
    case joined
    /// The same of an owner.
    case ownerJoined
    /// An exercise begins: what trips is told as one.
    case exercise
    /// The gas valve.
    case valve
    /// A siren, a valve, or a switch of a detector's own device is told something.
    case switches
    /// The server that is told of the house's alarms.
    case server
    /// The time zone, or whether a passkey is asked for.
    case access
    /// A box is paired: it keeps the panel too, and what is done there counts.
    case box
    /// What the house is called, and where it stands: where help is sent.
    case place

    /// Whether the ledger tells of it, whichever part of the hub did it, so that nobody else has to: see `OwnerNotices.run`.
    var isInLedger: Bool {
        switch self {
        case .people, .invitation, .joined, .ownerJoined, .server, .access, .place: true
        default: false
        }
    }
}
