import Accounts
import Identity
import Ledger
import Store
import Synchronization
import System
import Wire

/// The openings: who asks, who decides, what the gate did, what is remembered. Owns gates, their controllers and transits.
///
/// `granted` is committed before the command leaves; what the gate did is a second event. The hub never sends an opening twice.
public final class Gates: Sendable {
    /// How long the hub waits for a gate's answer before it says *unconfirmed*, in milliseconds: the answer is out within three
    /// seconds, so this ends a little before.
    static let patience: UInt64 = 2_800
    /// A pass holds from so many seconds ago: a gate's clock may be a little behind the hub's.
    static let clockLeeway: UInt64 = 60
    /// A transit that comes so long after it happened is told as late, in milliseconds.
    static let late: Int64 = 10_000

    /// The database.
    public let store: Store
    public let clock: WallClock
    let accounts: Accounts
    /// This machine's uptime in milliseconds, by which answers and hellos are awaited.
    let uptime: @Sendable () -> UInt64
    let carrier: any GateCarrier
    let live = LiveGates()
    let answers = Answers()
    /// What gates were asked after a restore and have not answered.
    let recalls = Mutex<[GateID: [Tag]]>([:])
    private let directory = Mutex(Directory())
    let policies = Mutex<[String: any GatePolicy]>([:])
    private let watchers = Mutex<[@Sendable (GateID, Reachability) -> Void]>([])
    /// Gates whose new rights could not be handed to the carrier.
    let unsent = Mutex<Set<GateID>>([])
    /// Gates that told two different things under one number of their journals, in this run of the hub.
    let contradicting = Mutex<Set<GateID>>([])
    /// Whether the copy of rights that a gate was sent last, in this run of the hub, had no room for some of its badges.
    let cutRights = Mutex<[GateID: Bool]>([:])
    let grantWatchers = Mutex<[@Sendable (Gate, PersonID) -> Void]>([])
    let panels = Mutex(Panels())
    let asked = Mutex(OpeningLimit())

    /// - Parameters:
    ///   - accounts: of a database that was opened with `GateRecords.migrations`; they forget whom they remember when rights change.
    ///   - carrier: how frames reach the controllers.
    ///   - clock: the clock.
    ///   - uptime: milliseconds that only go forward; the machine's unless a test moves its own.
    public init(
        accounts: Accounts, carrier: any GateCarrier, clock: WallClock,
        uptime: @escaping @Sendable () -> UInt64 = { Uptime.milliseconds }
    ) {
        (self.accounts, self.carrier, self.clock, self.uptime) = (accounts, carrier, clock, uptime)
        store = accounts.store
    }

    // MARK: the list

    /// The gates of sites that were asked for lately, so that a list that nothing changed needs no query.
    private struct Directory {
        static let name = "the lists of gates"
        var generation: UInt64 = 0
        var sites: [SiteID: [Gate]] = [:]
        var keys: [GateID: (site: SiteID, key: Key)] = [:]
    }

    /// Runs a change of gates, and forgets the remembered lists after it.
    func change<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await change(.current, body)
    }

    /// The same, for a change that can or cannot wait while the disk is nearly full.
    func change<T: Sendable>(
        _ weight: WriteWeight, _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await store.write(weight) { database in
            self.forgetLists(afterCommitOf: database)
            return try body(database)
        }
    }

    func forgetLists(afterCommitOf database: Database) {
        database.afterCommit(Directory.name) {
            self.directory.withLock {
                $0.generation += 1
                $0.sites = [:]
                $0.keys = [:]
            }
        }
    }

    /// A site's gates, by name. What only the controllers need of them (epoch, rights) may be older than the database.
    func list(of site: SiteID) throws -> [Gate] {
        let (known, generation) = directory.withLock { ($0.sites[site], $0.generation) }
        if let known { return known }
        let gates = try store.read { try GateRecords.gates(of: site, in: $0) }
        // Something changed while we looked: what we found may be older than that change.
        directory.withLock { if $0.generation == generation { $0.sites[site] = gates } }
        return gates
    }

    /// What verifies a gate's frames; nil when there is no such gate, or none was paired.
    func key(of gate: GateID, at site: SiteID) throws -> Key? {
        let (known, generation) = directory.withLock { ($0.keys[gate], $0.generation) }
        if let known { return known.site == site ? known.key : nil }
        // Also of one that is out of use: it hears that its passes are denied, and what it still tells is written down.
        guard let found = try store.read({ try GateRecords.gate(gate, in: $0) }), let key = found.key else {
            return nil
        }
        directory.withLock { if $0.generation == generation { $0.keys[gate] = (found.site, key) } }
        return found.site == site ? key : nil
    }

    // MARK: policies

    /// Says who decides for the gates that name this policy.
    public func register(_ policy: any GatePolicy) {
        policies.withLock {
            precondition($0[policy.name] == nil, "two policies of one name")
            $0[policy.name] = policy
        }
    }

    /// The policy of that name.
    public func policy(_ name: String) -> (any GatePolicy)? { policies.withLock { $0[name] } }

    /// The words of a reason: the policy's, or the hub's own.
    func text(of reason: Reason, policy name: String?, in language: String, to audience: Audience) -> String? {
        if let name, let text = policy(name)?.text(of: reason, in: language, to: audience) { return text }
        return policies.withLock { Array($0.values) }.lazy.compactMap {
            $0.text(of: reason, in: language, to: audience)
        }.first
    }

    // MARK: state

    /// Whether a gate can be opened from here at this moment.
    public func state(of gate: Gate) -> Reachability {
        if gate.key == nil { return .notPaired }
        return live.isReachable(gate.id, now: uptime()) ? .ready : .notReachable
    }

    /// Calls a closure whenever a gate comes or goes.
    public func whenStateChanges(_ body: @escaping @Sendable (GateID, Reachability) -> Void) {
        watchers.withLock { $0.append(body) }
    }

    /// Calls a closure whenever the hub has said yes and the gate has not answered yet: for pages that show how far it is.
    public func whenGranted(_ body: @escaping @Sendable (Gate, PersonID) -> Void) {
        grantWatchers.withLock { $0.append(body) }
    }

    func announce(_ gate: GateID, _ state: Reachability) {
        for watcher in watchers.withLock({ $0 }) { watcher(gate, state) }
    }

    /// There is no such gate, or nobody decides for it.
    public struct Unknown: Error, Sendable {
        /// Nothing more is said.
        public init() {}
    }
}
