import Accounts
import Gates
import Identity
import Ledger
import Notices
import Store
import System

/// How an erasure is carried out: by the hub when an owner asks for it, at its start when a power cut came between the word and the
/// deed, and by a restore for everybody who was erased since the backup.
public struct Erasing: Sendable {
    /// Of all rooms, in the order in which they run: features first, accounts last.
    let erasers: [Eraser]

    /// - Parameter features: the features of this program.
    public init(features: [any Feature.Type]) {
        erasers = features.flatMap { $0.erasers } + [GateRecords.eraser, Notices.eraser, AccountRecords.eraser]
    }

    /// What an erasure did.
    public struct Outcome: Sendable {
        /// How many entries of the site's chain, and of the hub's own, lost their payload.
        public var events = 0
        /// Whether the account itself is gone: no other site had the person.
        public var accountIsGone = false
        /// Sessions that ended.
        var sessions: [[UInt8]] = []
    }

    /// Does it, inside the caller's transaction, which is one of `Gates.changeRights` where a hub is at work. Of the hub's own chain
    /// (`SiteID.hub`) it ends the account, when no site has the person. Doing it again finds nothing more to do.
    /// - Parameters:
    ///   - mentions: from `Ledger.mentions`, read before.
    ///   - by: the owner who asked; nil when it is applied again.
    ///   - isTold: whether they do so themselves, now or before a power cut.
    func perform(
        _ erasure: Erasure, mentions: [EventID], by: PersonID?, isTold: Bool = false, at now: Timestamp,
        in database: Database
    ) throws -> Outcome {
        let (person, site) = (erasure.person, erasure.site)
        // Who left long ago changes nobody's house by going altogether.
        let isTold = try isTold && InvitationRecords.isExpected(person, at: site, now: now, in: database)
        var outcome = Outcome()
        try Privacy.noteUnwiped(at: now, in: database)
        // First of all what phones still hold: nothing may open from here on.
        let denied = try GateRecords.denyPasses(of: person, at: site, now: now, in: database)
        // A gate that takes badges by itself holds a copy of whose they are: every gate gets its rights anew.
        for gate in try GateRecords.gates(of: site, in: database) where !denied.contains(gate.id) {
            try GateRecords.raiseRightsVersion(of: gate.id, in: database)
        }
        outcome.sessions = try AccountRecords.sessions(of: person, in: database)
        for eraser in erasers { try eraser.erase(erasure, database) }
        outcome.accountIsGone = try AccountRecords.person(person, in: database) == nil
        if !outcome.accountIsGone { outcome.sessions = [] }
        outcome.events = try Ledger.erase(
            erasure, in: site, mentions: mentions, by: by, isTold: isTold, at: now, database
        ).events
        if outcome.accountIsGone, site != .hub {
            outcome.events += try Ledger.erase(erasure, in: .hub, by: by, isTold: isTold, at: now, database).events
        }
        return outcome
    }

    /// What came of what `DIR/erased` says.
    public struct Carried: Sendable, Equatable {
        /// How many erasures were carried out.
        public var count = 0
        /// Those that would leave a site without an owner: nothing was done about them.
        public var refused: [Erasure] = []
    }

    /// Carries out what `DIR/erased` says and the ledger does not tell of yet.
    ///
    /// Whoever deleted themselves (`SiteID.hub`) goes from every site that knows them, also from one that the list does not name: they may
    /// have joined it in the moment in which the hub was cut off.
    /// - Parameters:
    ///   - isFirst: whether it was cut off, and not done before: owners are told of those who deleted themselves, and what
    ///     would leave a site without an owner is refused, for it is written down before the transaction judges that.
    ///   - gates: those that get their rights at once; nil: no hub is at work, and they get them with their hello.
    @discardableResult
    public func carryOut(
        _ erasures: [Erasure], isFirst: Bool = false, on store: Store, gates: Gates? = nil, at now: Timestamp
    ) async throws -> Carried {
        var carried = Carried()
        for request in try store.read({ try Self.requests(of: erasures, in: $0) }) {
            var outcome = Carried?.none
            while outcome == nil { outcome = try await carryOut(request, isFirst, on: store, gates, at: now) }
            carried.count += outcome?.count ?? 0
            carried.refused += outcome?.refused ?? []
        }
        return carried
    }

    /// What is open, by who was to be erased and when: what was asked for at once is done at once, or not at all.
    private static func requests(of erasures: [Erasure], in database: Database) throws -> [[Erasure]] {
        struct Key: Hashable {
            let person: PersonID
            let at: Timestamp
        }
        var keys: [Key] = []
        var requests: [Key: [Erasure]] = [:]
        for erasure in erasures {
            let isOpen =
                try (erasure.site == .hub || AccountRecords.site(erasure.site, in: database) != nil)
                && !Ledger.isCarriedOut(erasure, in: database)
            guard isOpen else { continue }
            let key = try Key(person: InvitationRecords.holder(of: erasure.person, in: database), at: erasure.at)
            if requests[key] == nil { keys.append(key) }
            requests[key, default: []].append(erasure)
        }
        return keys.compactMap { requests[$0] }
    }

    /// - Returns: nil: whom it reaches changed meanwhile, and nothing was done.
    private func carryOut(
        _ request: [Erasure], _ isFirst: Bool, on store: Store, _ gates: Gates?, at now: Timestamp
    ) async throws -> Carried? {
        let reach = try store.read { try Self.reach(of: request, at: now, in: $0) }
        // Those of the list are the last: with them all of them are known to be done.
        let all =
            reach.map { Erasure(id: .new(at: now), person: $0.person, site: $0.site, at: request[0].at) } + request
        var mentions: [[EventID]] = []
        for one in all {
            mentions.append(try await store.readAside { try Ledger.mentions(of: one.person, at: one.site, in: $0) })
        }
        let wanted = Array(zip(all, mentions))
        @Sendable func perform(_ database: Database) throws -> Carried? {
            if isFirst, try !Self.isAllowed(request, at: now, in: database) { return Carried(refused: request) }
            guard try Self.reach(of: request, at: now, in: database) == reach else { return nil }
            let isOwn = isFirst && request.contains { $0.site == .hub }
            for (one, mentions) in wanted {
                _ = try self.perform(one, mentions: mentions, by: nil, isTold: isOwn, at: now, in: database)
            }
            return Carried(count: request.count)
        }
        guard let gates else { return try await store.write(.vital, perform) }
        return try await gates.changeRights(.vital, at: all.map(\.site)) { database, touched in
            let carried = try perform(database)
            touched = carried.map { $0.count > 0 } == true ? .people(Set(all.map(\.person))) : .nobody
            return carried
        }
    }

    /// Whether no site would be left without an owner.
    private static func isAllowed(_ request: [Erasure], at now: Timestamp, in database: Database) throws -> Bool {
        for erasure in request {
            let person = try InvitationRecords.holder(of: erasure.person, in: database)
            if erasure.site == .hub {
                if try Privacy.traces(of: person, at: now, in: database).contains(where: \.isOnlyOwner) { return false }
            } else if let site = try AccountRecords.site(erasure.site, in: database),
                try Privacy.isLastOwner(person, of: site, at: now, in: database)
            {
                return false
            }
        }
        return true
    }

    /// Whom a request of the list reaches besides those whom it names, and where.
    private static func reach(
        of request: [Erasure], at now: Timestamp, in database: Database
    ) throws -> [Privacy.Reach] {
        let named = request.map { Privacy.Reach(person: $0.person, site: $0.site) }
        return try request.filter { $0.site == .hub }.flatMap {
            try Privacy.reach(of: $0.person, at: now, in: database)
        }.filter { !named.contains($0) }
    }
}
