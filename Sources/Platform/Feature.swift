import Accounts
import Commands
import Gates
import Ledger
import Notices
import Pages
import Store
import System

/// What a feature is given: everything that it may stand on. It never sees another feature.
public struct Given: Sendable {
    /// The database.
    public let store: Store
    /// What happened.
    public let ledger: Ledger
    public let clock: WallClock
    /// Who people are.
    public let accounts: Accounts
    /// What may be asked of others.
    public let commands: Commands
    /// How people are reached.
    public let notices: Notices
    /// What the hub writes to people about their accounts.
    public let letters: Letters
    /// The openings.
    public let gates: Gates
    /// The main links of a place.
    public let navigation: Navigation
    /// The pages that live.
    public let live: Live
    /// The broker, for a connection of one's own; nil: there is none.
    public let bus: BusAccess?
    /// Pairs controllers with the hub; nil: there is no broker.
    public let pairing: PairingDesk?
}

/// A part of Soglia that can be switched on: a folder with the same few files as every other.
public protocol Feature: Sendable {
    /// The tables that it owns.
    static var migrations: [Migration] { get }
    /// What it does about its own tables when a person is erased, or the time of things is over.
    static var erasers: [Eraser] { get }
    /// What it does about its own tables when an account takes the place that a site kept for its holder.
    static var handovers: [Handover] { get }
    /// What lets people and things in by its tables.
    static var grants: [GrantKind] { get }
    /// What it tells somebody of what it keeps about them.
    static var tellers: [Teller] { get }
    /// Text that people typed and that may name a person: shown to the owner who erases one.
    static var freeTexts: [FreeText] { get }
    /// Makes it, before anything runs.
    init(_ given: Given) throws
    /// For programs, native apps and the islands of our pages.
    func register(routes: inout Routes)
    /// For people.
    func register(pages: inout PageRoutes)
    /// For other features and Flows.
    func register(commands: Commands)
    /// Its long work: follow events, listen to the bus. Returns when the task is cancelled.
    func run() async throws
    /// The hub stops: whatever waits in memory is written now, before the database is closed.
    func end() async
}

extension Feature {
    /// None: it keeps nothing about people.
    public static var erasers: [Eraser] { [] }
    /// None: it keeps nothing about people.
    public static var handovers: [Handover] { [] }
    /// None: nobody comes in by it.
    public static var grants: [GrantKind] { [] }
    /// Nothing: it keeps nothing about people.
    public static var tellers: [Teller] { [] }
    /// None: people type no names into it.
    public static var freeTexts: [FreeText] { [] }
    /// Nothing: it keeps nothing in memory.
    public func end() async {}
}
