import Accounts
import Gates
import Identity
import Ledger
import Store
import System

/// What somebody leaves behind when they delete themselves: a site, and how much of its book tells of them.
struct Trace: Sendable {
    let site: Site
    /// How many entries tell of them.
    let events: Int
    /// Whether it would be left without an owner.
    let isOnlyOwner: Bool
}

extension Privacy {
    /// Why somebody was not deleted.
    enum Hindrance: Error, Equatable {
        /// Sites that would be left without an owner, by name.
        case onlyOwner([String])
        /// The name that was typed is not theirs.
        case otherName
        /// They join places in the same moment, again and again.
        case moving
    }

    /// Every site that knows somebody, by name.
    func traces(of person: PersonID) throws -> [Trace] {
        let now = given.clock.now
        return try given.store.read { try Self.traces(of: person, at: now, in: $0) }
    }

    static func traces(of person: PersonID, at now: Timestamp, in database: Database) throws -> [Trace] {
        let counts = try database.rows(
            """
            SELECT e.site, count(*) FROM event_payloads p JOIN events e ON e.id = p.event WHERE p.person = ? GROUP BY e.site
            """, person
        ) { ($0[0] as SiteID, $0[1] as Int) }
        let events = Dictionary(counts) { first, _ in first }
        return try AccountRecords.sites(in: database).compactMap { site in
            let parts = try AccountRecords.memberships(of: person, at: site.id, in: database)
            if parts.isEmpty, events[site.id] == nil { return nil }
            let today = site.zone.day(at: now)
            func owns(_ part: Membership) -> Bool { part.permission == .owner && part.holds(on: today) }
            // Another one who stays: not somebody whose ownership has an end.
            let isOnlyOwner =
                try parts.contains(where: owns)
                && !AccountRecords.hasOwner(besides: person, at: site.id, on: today, in: database)
            return Trace(site: site, events: events[site.id] ?? 0, isOnlyOwner: isOnlyOwner)
        }
    }

    /// Whom an erasure has to reach, and where: somebody, and as whom sites knew them before they joined.
    struct Reach: Sendable, Equatable {
        let person: PersonID
        let site: SiteID
    }

    /// The hub's own chain comes last: it ends the account, also of somebody whom no site knows.
    static func reach(of person: PersonID, at now: Timestamp, in database: Database) throws -> [Reach] {
        try (InvitationRecords.standIns(of: person, in: database) + [person]).flatMap { one in
            try (traces(of: one, at: now, in: database).map(\.site.id) + [.hub]).map { Reach(person: one, site: $0) }
        }
    }

    /// What was read before the transaction is no longer so: somebody joined a place in between.
    struct Moved: Error {}
    /// So often an erasure begins anew.
    static let tries = 5

    /// Deletes somebody who asks for it: what every site keeps of them, and the account. It takes the strongest proof that the account has.
    ///
    /// Written down in `DIR/erased` first, all of it at once: from then on neither a power cut nor a restore brings them back.
    /// - Parameter name: as they typed it, to be sure.
    /// - Throws: `Hindrance`; a full disk, with nothing done.
    func delete(_ principal: Principal, typed name: String) async throws {
        guard Self.isSame(name, principal.person.name) else { throw Hindrance.otherName }
        for _ in 0..<Self.tries {
            do { return try await deleteOnce(principal) } catch is Moved { continue }
        }
        throw Hindrance.moving
    }

    /// - Throws: `Moved`, with nothing done.
    private func deleteOnce(_ principal: Principal) async throws {
        let (now, person) = (given.clock.now, principal.person.id)
        try Self.check(traces(of: person))
        let isTheirs = try given.store.read { try LinkRecords.isSettled(person, at: now, in: $0) }
        let reach = try given.store.read { try Self.reach(of: person, at: now, in: $0) }
        let erasures = reach.map { Erasure(id: .new(at: now), person: $0.person, site: $0.site, at: now) }
        var mentions: [[EventID]] = []
        for erasure in erasures {
            mentions.append(
                try await given.store.readAside(for: person.raw.bytes) {
                    try Ledger.mentions(of: erasure.person, at: erasure.site, in: $0)
                })
        }
        let (file, erasing, wanted) = (file, erasing, Array(zip(erasures, mentions)))
        try await Thread.run(name: "erased") { try file.append(erasures) }
        let outcomes: [Erasing.Outcome]
        do {
            outcomes = try await given.gates.changeRights(.vital, at: reach.map(\.site)) { database, touched in
                touched = .people(Set(reach.map(\.person)))
                try Accounts.requireStrongestProof(principal, at: now, in: database)
                try Self.check(Self.traces(of: person, at: now, in: database))
                guard try Self.reach(of: person, at: now, in: database) == reach else { throw Moved() }
                return try wanted.map { erasure, mentions in
                    try erasing.perform(erasure, mentions: mentions, by: nil, isTold: true, at: now, in: database)
                }
            }
        } catch {
            await withdraw(erasures)
            throw error
        }
        given.accounts.announceEnd(of: outcomes.map(\.sessions).first { !$0.isEmpty } ?? [])
        // Accounts for addresses of others are quickly made: whose it may not be is told nothing.
        if isTheirs { given.accounts.tell(principal.person, of: .deleted) }
        await wipe()
    }

    private static func check(_ traces: [Trace]) throws(Hindrance) {
        let alone = traces.filter(\.isOnlyOwner)
        if !alone.isEmpty { throw .onlyOwner(alone.map(\.site.name)) }
    }
}
