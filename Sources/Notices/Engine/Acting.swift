import Accounts
import HTTPServer
import Identity
import JSON
import Ledger
import Store
import System

// What people do about what they were told.

extension Notices {
    /// Somebody takes care of a notice that they received: nobody else is told any more.
    /// - Returns: whether they are the first.
    /// - Throws: `NoticeRefusal.unknown`; a `Problem` when its site asks for a passkey that the session did not show.
    @discardableResult
    public func acknowledge(_ id: NoticeID, by principal: Principal) async throws -> Bool {
        if let site = try store.read({ try NoticeRecords.notice(id, in: $0) })?.site {
            try principal.requireUnlocked(site)
        }
        return try await acknowledge(id, by: principal.person.id)
    }

    /// Whether somebody's rights of now let them take care of a notice.
    public func mayTakeCare(of notice: Notice, _ principal: Principal) -> Bool {
        guard let site = notice.site else { return true }
        return principal.may(concerned(by: notice.content.kind), at: site, clock.now)
    }

    /// Whether somebody takes care of a notice, as one who was told may know it: while it concerns them, or if it is themselves.
    public func isTaken(_ received: NoticeRecords.Received, for principal: Principal) -> Bool {
        received.acknowledged != nil || received.isTaken && mayTakeCare(of: received.notice, principal)
    }

    /// The same, as a command: what the person may is looked at, a session is not there.
    @discardableResult
    public func acknowledge(_ id: NoticeID, by person: PersonID) async throws -> Bool {
        let now = clock.now
        let (isFirst, told) = try await store.write(.vital) { database -> (Bool, [PersonID]) in
            // By the rights of now: whose part in the site has ended ends no call.
            guard try NoticeRecords.wasTold(person, of: id, in: database),
                let notice = try NoticeRecords.notice(id, in: database),
                try self.concerns(person, notice, at: now, in: database)
            else { throw NoticeRefusal.unknown }
            let isFirst = try self.acknowledge(notice, by: person, at: now, in: database)
            return (isFirst, try self.toldNow(of: notice, at: now, in: database))
        }
        for person in told { tellInApp(person, nil) }
        return isFirst
    }

    /// Somebody did elsewhere what a notice asks for, on a page or on a device: nobody else is told any more, whether or not they were
    /// told themselves.
    /// - Returns: whether the notice is written down; one that was told at once may not be yet.
    public func settle(_ id: NoticeID, by person: PersonID) async throws -> Bool {
        let now = clock.now
        let told = try await store.write(.vital) { database -> [PersonID]? in
            guard let notice = try NoticeRecords.notice(id, in: database) else { return nil }
            guard try NoticeRecords.acknowledged(id, in: database) == nil else { return [] }
            _ = try self.acknowledge(notice, by: person, at: now, in: database)
            return try self.toldNow(of: notice, at: now, in: database)
        }
        for person in told ?? [] { tellInApp(person, nil) }
        return told != nil
    }

    private func acknowledge(
        _ notice: Notice, by person: PersonID, at now: Timestamp, in database: Database
    ) throws -> Bool {
        try NoticeRecords.setRead(person, of: notice.id, at: now, in: database)
        let isFirst = try NoticeRecords.acknowledge(notice.id, by: person, at: now, in: database)
        guard isFirst, let site = notice.site else { return isFirst }
        try Ledger.append(
            NewEvent(
                id: .new(at: now), site: site, kind: "notice.acknowledged", at: now, person: person,
                payload: NoticeAcknowledgedPayload(notice: notice.id, person: person).document()), to: database)
        return isFirst
    }

    /// Everybody who was told of a notice and whom it concerns still: their pages hear of what becomes of it.
    private func toldNow(of notice: Notice, at now: Timestamp, in database: Database) throws -> [PersonID] {
        try NoticeRecords.told(of: notice.id, in: database).filter {
            try concerns($0, notice, at: now, in: database)
        }
    }

    /// Somebody has read a notice that they received: not in a session to which its site shows nothing.
    public func read(_ id: NoticeID, by principal: Principal) async throws {
        let (now, person) = (clock.now, principal.person.id)
        try await store.write(.vital) { database in
            guard try NoticeRecords.wasTold(person, of: id, in: database) else { throw NoticeRefusal.unknown }
            if let site = try NoticeRecords.notice(id, in: database)?.site { try principal.requireUnlocked(site) }
            try NoticeRecords.setRead(person, of: id, at: now, in: database)
        }
        tellInApp(person, nil)
    }

    /// So many notices are marked as read in one transaction.
    private static let readAtOnce = 1_000

    /// Somebody has read all that they received and that this session may show them.
    public func readAll(by principal: Principal) async throws {
        let (now, person) = (clock.now, principal.person.id)
        let locked = principal.locked.map(\.id)
        var (last, isAny) = (nil as NoticeID?, false)
        // In parts: who was told very much keeps nobody's writing waiting.
        while true {
            let unread = try store.read { [last] in
                try NoticeRecords.unread(of: person, after: last, limit: Self.readAtOnce, in: $0)
            }
            let shown = unread.filter { one in one.site.map { !locked.contains($0) } ?? true }
            try await store.write(.vital) { database in
                for one in shown { try NoticeRecords.setRead(person, of: one.notice, at: now, in: database) }
            }
            isAny = isAny || !shown.isEmpty
            last = unread.last?.notice
            if unread.count < Self.readAtOnce { break }
        }
        if isAny { tellInApp(person, nil) }
    }

    /// Somebody acts on a notice that they received: once, while it matters, and with the proof that the action asks for. That it is
    /// done is written down before it is done: after a crash in between it is not done a second time.
    /// - Throws: `NoticeRefusal`, a `Problem` when a proof is missing, or what the one who acts throws.
    public func act(_ name: String, on id: NoticeID, by principal: Principal) async throws -> ActOutcome {
        let (now, person) = (clock.now, principal.person.id)
        let found = try store.read { database in
            try NoticeRecords.wasTold(person, of: id, in: database)
                ? NoticeRecords.notice(id, in: database) : nil
        }
        guard let notice = found else { throw NoticeRefusal.unknown }
        if let site = notice.site { try principal.requireUnlocked(site) }
        guard let action = notice.content.actions.first(where: { $0.name == name && $0.page == nil }),
            let handler = handler(of: name, kind: notice.content.kind)
        else { throw NoticeRefusal.noSuchAction }
        guard notice.isValid(at: now) else { throw NoticeRefusal.over }
        if action.proof == .passkey {
            try Routes.requireFreshProof(principal, at: now)
            guard principal.proof.isFreshlyStrong(at: now) else { throw Problem.secondFactorNeeded }
        }
        guard
            try await store.write(
                .vital,
                {
                    try NoticeRecords.beginAct(name, of: person, on: id, at: now, in: $0)
                })
        else { throw NoticeRefusal.alreadyActed }
        let outcome: ActOutcome
        do {
            outcome = try await handler(NoticeAct(notice: notice, action: action, principal: principal, at: now))
        } catch {
            try await store.write(.vital) { try NoticeRecords.endAct(name, of: person, on: id, outcome: nil, in: $0) }
            throw error
        }
        if outcome.isDone {
            await finish(name, on: notice, by: person, outcome)
        } else {
            try await store.write(.vital) { try NoticeRecords.endAct(name, of: person, on: id, outcome: nil, in: $0) }
        }
        return outcome
    }

    /// It is done, whether or not this can be written down.
    private func finish(_ action: String, on notice: Notice, by person: PersonID, _ outcome: ActOutcome) async {
        let now = clock.now
        do {
            let told = try await store.write(.vital) { database in
                try NoticeRecords.endAct(action, of: person, on: notice.id, outcome: outcome.name, in: database)
                _ = try self.acknowledge(notice, by: person, at: now, in: database)
                return try self.toldNow(of: notice, at: now, in: database)
            }
            for person in told { tellInApp(person, nil) }
        } catch {
            Log.failure("notices", "what came of an action was not written down", ["why": "\(error)"])
        }
    }
}

extension NoticeRecords {
    /// When somebody took care; nil: nobody has.
    static func acknowledged(_ id: NoticeID, in database: Database) throws -> Timestamp? {
        try database.row("SELECT acknowledged FROM notices WHERE id = ?", id) { $0[0] as Timestamp? } ?? nil
    }

    /// Everybody who was told.
    static func told(of notice: NoticeID, in database: Database) throws -> [PersonID] {
        try database.rows("SELECT person FROM notice_recipients WHERE notice = ? AND told IS NOT NULL", notice) {
            $0[0] as PersonID
        }
    }
}
