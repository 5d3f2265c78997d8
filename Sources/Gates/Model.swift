import Accounts
import Identity
import JSON
import Ledger
import Store
import System
import Wire

/// Anything that opens.
public struct Gate: Sendable {
    /// The kind of id that names gates.
    public enum Name {}
    /// Its name in tables, topics and passes.
    public let id: ID<Name>
    /// Where it stands.
    public let site: SiteID
    /// What people call it.
    public var name: String
    /// The name of the policy that decides: `doors` for a company.
    public var policy: String
    /// What it shares with the hub and with nobody else; nil until a controller was paired.
    public var key: Key?
    /// Rises after a restore, a lost key or a full deny list; passes of an older one are refused.
    public var epoch: UInt32
    /// How long its relay is held, in milliseconds.
    public var pulse: UInt16
    /// The version of the rights that its controller should hold; only grows.
    public var rightsVersion: UInt64
    /// When it was taken out of use; nil: it is in use. Nobody opens it any more, and the log still knows its name.
    public var retired: Timestamp?

    /// See the properties.
    public init(
        id: ID<Name>, site: SiteID, name: String, policy: String, key: Key?, epoch: UInt32, pulse: UInt16,
        rightsVersion: UInt64, retired: Timestamp? = nil
    ) {
        (self.id, self.site, self.name, self.policy, self.key, self.epoch, self.pulse, self.rightsVersion) = (
            id, site, name, policy, key, epoch, pulse, rightsVersion
        )
        self.retired = retired
    }
}

/// The name of a gate.
public typealias GateID = ID<Gate.Name>

/// Whether a gate can be opened from here at this moment.
public enum Reachability: String, Sendable, JSONChoice {
    /// Its controller was heard within the last seconds.
    case ready
    /// It was not.
    case notReachable
    /// No controller was ever paired.
    case notPaired
}

/// Why something was decided: a code that programs know, and what its words need, a day for example.
///
/// The words are the policy's (`GatePolicy.text`), so that an old event can be told in any language.
public struct Reason: Sendable, Equatable {
    /// `ended`
    public let code: String
    /// What the words name: a day, a time, a role; nil when they name nothing.
    public let parameter: String?

    /// See the properties.
    public init(_ code: String, _ parameter: String? = nil) { (self.code, self.parameter) = (code, parameter) }
}

/// What a policy says.
public enum Verdict: Sendable, Equatable {
    /// Yes; and without a break until then.
    case granted(until: Timestamp)
    /// No, and why.
    case denied(Reason)
}

/// Who reads a reason.
public enum Audience: Sendable {
    /// The person whom it is about: "your role".
    case person
    /// Somebody who looks after the site: "the role".
    case manager
}

/// Who decides whether somebody may open a gate: Doors for a company, Lobby for a building. Each gate names its own.
public protocol GatePolicy: Sendable {
    /// What gates name it by.
    var name: String { get }
    /// Decides on the rows as they are in this transaction. Nothing is written here.
    func decide(_ person: PersonID, _ gate: Gate, at now: Timestamp, in database: Database) throws -> Verdict
    /// When each of some people may open a gate between two moments: sorted, in Unix seconds; who may not has no entry, or an
    /// empty one. What passes are made of, and what says whether those that are out still hold.
    /// - Parameter known: what was read of the gate's site in this transaction.
    func times(
        of people: [PersonID], _ gate: Gate, from: Timestamp, until: Timestamp, _ known: inout KnownMemberships,
        in database: Database
    ) throws -> [PersonID: [Interval]]
    /// Whether a gate is in legacy mode: it takes badges, known to its own copy of rights, and no passes.
    func takesBadges(_ gate: Gate, in database: Database) throws -> Bool
    /// The copy of rights of a gate that takes badges: whose open it, and when, as far ahead as a gate may be alone; and for how many
    /// badges it has no room, or not for all their hours.
    func localRights(
        of gate: Gate, key: Key, at now: Timestamp, in database: Database
    ) throws -> (rights: LocalRights, cut: Int)
    /// Whose badge a gate's journal names; nil for a name that is no badge's.
    func holder(of badge: ID16, at gate: Gate, key: Key, in database: Database) throws -> PersonID?
    /// What it reads beside memberships to decide, and to say when somebody may open: written in `Gates.changeRights` alone.
    var fences: [Fence] { get }
    /// The words of one of its reasons, for whoever reads them; nil for a code that is not its own.
    func text(of reason: Reason, in language: String, to audience: Audience) -> String?
    /// What the virtual badge shows of somebody at a site: their code there, and their role; nil where badges mean nothing.
    func badge(of person: PersonID, at site: SiteID, _ now: Timestamp, in database: Database) throws -> (
        code: String, role: String?
    )?
}

extension GatePolicy {
    /// A policy whose yes holds without a break need say no more than that.
    public func times(
        of people: [PersonID], _ gate: Gate, from: Timestamp, until: Timestamp, _ known: inout KnownMemberships,
        in database: Database
    ) throws -> [PersonID: [Interval]] {
        var found: [PersonID: [Interval]] = [:]
        for person in people {
            guard case .granted(let end) = try decide(person, gate, at: from, in: database) else { continue }
            found[person] = [Interval(start: from.seconds, end: min(end, until).seconds)].normalised()
        }
        return found
    }

    /// Nothing.
    public var fences: [Fence] { [] }

    /// No gate of a policy that knows no badges takes them.
    public func takesBadges(_ gate: Gate, in database: Database) throws -> Bool { false }

    /// Nobody.
    public func localRights(
        of gate: Gate, key: Key, at now: Timestamp, in database: Database
    ) throws -> (rights: LocalRights, cut: Int) {
        (try LocalRights(calendars: [], holders: []), 0)
    }

    /// Nobody's.
    public func holder(of badge: ID16, at gate: Gate, key: Key, in database: Database) throws -> PersonID? { nil }
}

/// How an opening ended, as far as the hub knows.
public enum OpeningOutcome: String, Sendable, JSONChoice {
    /// The gate says that it opened.
    case opened
    /// The gate says that it did not.
    case refused
    /// The gate has not said.
    case unconfirmed
}

/// What became of asking to open a gate.
public struct OpeningResult: Sendable {
    /// Whether the hub said yes.
    public let isGranted: Bool
    /// What the gate did; nil when the hub said no.
    public let outcome: OpeningOutcome?
    /// Why not, or what is not known; nil when all is well.
    public let reason: Reason?
    /// The event of the hub's decision.
    public let eventID: EventID
    /// From the request to the answer, in milliseconds.
    public let milliseconds: Int
}

/// The kinds of events of openings.
public enum OpeningKind {
    /// The hub said yes; written before the command leaves.
    public static let granted = "opening.granted"
    /// The hub said no.
    public static let denied = "opening.denied"
    /// A gate says that it opened: somebody went through. A transit.
    public static let opened = "opening.opened"
    /// A gate says that it refused.
    public static let refused = "opening.refused"
    /// A gate has not said.
    public static let unconfirmed = "opening.unconfirmed"
    /// Those that a log shows: how openings ended.
    public static let endings = [denied, opened, refused, unconfirmed]
}
