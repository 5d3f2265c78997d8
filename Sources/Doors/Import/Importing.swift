import Accounts
import Gates
import HTTPServer
import Identity
import JSON
import Ledger
import Pages
import Store
import System

/// Imports: a dry run, its application in one transaction, and the way back.
extension Doors {
    /// Reads a file and says what it would do. Nothing is written.
    /// - Throws: `ImportDesk.Full`.
    func checkImport(
        _ file: ArraySlice<UInt8>, at site: Site, by author: PersonID, language: Language, makesRoles: Bool
    ) async throws -> ImportDraft {
        let (given, imports) = (given, imports)
        let founder = try given.store.read { try AccountRecords.founder(of: site.id, in: $0) } ?? author
        return try await imports.read(file.count, by: author, for: founder) {
            let read = ImportFile(file, language: language)
            let now = given.clock.now
            let facts = try given.store.read {
                try ImportRecords.facts(
                    for: read.lines, at: site, by: author, on: site.zone.day(at: now), in: $0)
            }
            let draft = ImportDraft(
                id: .new(at: now), site: site.id, author: author, founder: founder, made: now, bytes: file.count,
                makesRoles: makesRoles, file: read, plan: PeopleImport(read.lines, facts, makesRoles: makesRoles))
            try imports.keep(draft)
            return draft
        }
    }

    /// Applies a dry run. Answers when it is done, or, where passwords have to be hashed first, when that has begun.
    /// - Parameters:
    ///   - principal: whose dry run it is. Their session and their rights are judged where it is written, which may be long after.
    ///   - invites: whether those who are new and get no password are invited by letter.
    /// - Returns: false when there is no such dry run that could be applied now.
    func applyImport(_ id: ImportID, at site: Site, by principal: Principal, invites: Bool = false) async -> Bool {
        guard let draft = imports.begin(id, at: site.id, of: principal.person.id) else { return false }
        let needsHashes = zip(draft.file.lines, draft.plan.decisions).contains {
            $0.password != nil && $1 == .newPerson
        }
        let work = Task {
            await finishImport(draft, at: site, by: principal, invites: invites && given.letters.isSetUp)
        }
        if !needsHashes { await work.value }
        return true
    }

    /// See `Routes.requireProof`. Whoever chose the passwords in the file can use them.
    func requireProof(toApply id: ImportID, at site: Site, _ principal: Principal) throws {
        let draft = imports.draft(id, at: site.id, of: principal.person.id)
        let lines = draft?.file.lines ?? []
        try requireProof(toShare: site, as: lines.map(\.permission), principal)
        // Who never joined may be invited by it, to all that they have or had.
        try given.store.read { database in
            for (line, decision) in zip(lines, draft?.plan.decisions ?? []) where decision == .membership {
                guard let person = try InvitationRecords.known(line.email, at: site.id, in: database).person,
                    try InvitationRecords.isAwaited(person.id, in: database)
                else { continue }
                try requireProof(toInvite: person.id, at: site, principal, database)
            }
        }
        if lines.contains(where: { $0.password != nil }) {
            try Routes.requireFreshProof(principal, at: given.clock.now)
        }
        // Only what will be written counts.
        if let draft, draft.isReady, !draft.isAtWork, draft.state != .done {
            let changes = draft.plan.count(.newPerson) + draft.plan.count(.membership)
            try given.accounts.admit(rows: changes, of: principal)
        }
    }

    /// See `Routes.requireProof`. A membership that was changed since the import stays, so these are what the import gave.
    func requireProof(toUndo id: ImportID, at site: Site, _ principal: Principal) throws {
        let permissions = try given.store.read { database in
            try ImportRecords.items(of: id, in: database).filter { $0.item.kind == .membership }
                .compactMap {
                    try MembershipID($0.item.thing).flatMap { try AccountRecords.membership($0, in: database) }
                }
                .filter { $0.site == site.id }.map(\.permission)
        }
        try requireProof(toShare: site, as: permissions, principal)
    }

    private func finishImport(_ draft: ImportDraft, at site: Site, by principal: Principal, invites: Bool) async {
        let asked = given.clock.now
        do {
            let hashes = try await hashPasswords(of: draft)
            imports.set(.writing, of: draft.id)
            let (members, awaited, cutOff) = try await imports.write(for: draft.founder) {
                try await writeImport(draft, hashes, at: site, by: principal)
            }
            if invites { await invite(awaited, to: site, by: principal, asked: asked) }
            if given.letters.isSetUp { await invite(cutOff, to: site, by: principal, asked: asked) }
            imports.finish(draft.id)
            for person in members { try? given.gates.tellLive(given.live, person: person, at: site.id) }
        } catch let changed as ImportChanged {
            imports.replace(changed.plan, of: draft.id)
        } catch let error as StoreError where error.isFull {
            imports.set(.failed(.diskFull), of: draft.id)
        } catch is ImportNotAllowed {
            imports.set(.failed(.notAllowed), of: draft.id)
        } catch is ImportFull {
            imports.set(.failed(.full), of: draft.id)
        } catch {
            Log.failure("doors", "an import failed, and nothing of it was written", ["why": "\(error)"])
            imports.set(.failed(.other), of: draft.id)
        }
    }

    /// Whoever gets no letter shows as not joined in the list, and is invited from there: so does who was made more meanwhile than the
    /// proof was for.
    /// - Parameter asked: when the principal asked for it.
    func invite(_ people: [PersonID], to site: Site, by principal: Principal, asked: Timestamp) async {
        let now = given.clock.now
        for person in people {
            do {
                try await given.proving(toInvite: person, at: site, principal, asked: asked) {
                    try await given.letters.invite(person, to: site.id, by: principal.person, act: now)
                }
            } catch {
                Log.warning("doors", "an invitation of several did not go out", ["why": "\(error)"])
            }
        }
    }

    /// What is there is no longer what the dry run stood on.
    private struct ImportChanged: Error { let plan: PeopleImport }
    /// Who imports no longer manages the site, or their session has ended.
    private struct ImportNotAllowed: Error {}
    /// The site would have more roles, or a person or the site more memberships, than the hub keeps.
    fileprivate struct ImportFull: Error {}

    // MARK: passwords

    /// Two at a time, as many as are hashed at all, of all imports together: whoever signs in meanwhile waits for one hash, not for all of
    /// them, and a short import not for a long one.
    private func hashPasswords(of draft: ImportDraft) async throws -> [Int: String] {
        let wanted = zip(draft.file.lines, draft.plan.decisions).compactMap { line, decision in
            decision == .newPerson ? line.password.map { (line: line.line, password: $0) } : nil
        }
        if wanted.isEmpty { return [:] }
        let (accounts, turns, founder) = (given.accounts, imports.hashing, draft.founder)
        imports.set(.hashing(done: 0, of: wanted.count), of: draft.id)
        return try await withThrowingTaskGroup(of: (Int, String).self) { group in
            var hashes: [Int: String] = [:]
            for (place, one) in wanted.enumerated() {
                if place >= ImportDesk.hashedAtOnce, let (line, hash) = try await group.next() {
                    hashes[line] = hash
                    imports.set(.hashing(done: hashes.count, of: wanted.count), of: draft.id)
                }
                group.addTask {
                    (one.line, try await turns.run(for: founder) { try await Self.hash(one.password, accounts) })
                }
            }
            for try await (line, hash) in group { hashes[line] = hash }
            return hashes
        }
    }

    /// A crowd that signs in goes first: the import waits and asks again.
    private static func hash(_ password: String, _ accounts: Accounts) async throws -> String {
        while true {
            do { return try await accounts.passwordHash(password) } catch AccountRefusal.busy {
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    // MARK: the transaction

    /// Decides again on what is there now, and writes everything or nothing.
    /// - Returns: those whom the site knew and who have one membership more, those who are new and have no password, and those who could
    ///   come in until now, by a letter or a first password that was for less.
    private func writeImport(
        _ draft: ImportDraft, _ hashes: [Int: String], at site: Site, by principal: Principal
    ) async throws -> (members: Set<PersonID>, awaited: [PersonID], cutOff: [PersonID]) {
        let now = given.clock.now
        let (members, writing) = try await given.gates.changeRights(at: site.id) { database, touched in
            // Nothing is taken from anybody.
            touched = .noPass
            do {
                try Routes.judge(principal, (site.id, Permission.managing), at: now, in: database)
            } catch is Problem { throw ImportNotAllowed() }
            let facts = try ImportRecords.facts(
                for: draft.file.lines, at: site, by: draft.author, on: site.zone.day(at: now), in: database)
            if facts.allowed.isEmpty { throw ImportNotAllowed() }
            let plan = PeopleImport(draft.file.lines, facts, makesRoles: draft.makesRoles)
            if plan != draft.plan { throw ImportChanged(plan: plan) }
            var writing = ImportWriting(
                given.accounts, draft: draft, site: site, facts: facts, hashes: hashes, now: now)
            try writing.write(to: database)
            let members = Set(facts.people.values.compactMap(\.person)).intersection(writing.members)
            let invitedAgain = members.intersection(writing.awaited + writing.cutOff)
            do {
                for person in invitedAgain { try requireProof(toInvite: person, at: site, principal, database) }
            } catch is Problem {
                // They have got more since it was asked.
                throw ImportNotAllowed()
            }
            return (members, writing)
        }
        return (members, writing.awaited, writing.cutOff.sorted())
    }

    // MARK: the way back

    /// So long an import can be taken back, in milliseconds: a day.
    static let undoTime: Int64 = 86_400_000

    /// Takes back what an import made, where nobody changed it since. Doing it twice does it once.
    /// - Returns: false when there is no such import, or its day is over.
    func undoImport(_ id: ImportID, at site: Site, by author: PersonID) async throws -> Bool {
        let now = given.clock.now
        let founder = try given.store.read { try AccountRecords.founder(of: site.id, in: $0) }
        let undone = try await imports.write(for: founder ?? author) {
            try await given.gates.changeRights(at: site.id) { database, touched -> ImportUndoing? in
                touched = .nobody
                guard let done = try ImportRecords.done(id, at: site.id, in: database) else { return nil }
                var undoing = ImportUndoing(given.accounts, id: id, site: site, author: author, now: now)
                if done.undone != nil { return undoing }
                if done.at.milliseconds + Self.undoTime <= now.milliseconds { return nil }
                try undoing.write(to: database)
                touched = .people(undoing.members)
                return undoing
            }
        }
        guard let undone else { return false }
        for person in undone.members { try given.gates.tellLive(given.live, person: person, at: site.id) }
        return true
    }
}

private struct ImportWriting: Sendable {
    let accounts: Accounts
    let draft: ImportDraft
    let site: Site
    let facts: ImportFacts
    let hashes: [Int: String]
    let now: Timestamp
    private(set) var members: Set<PersonID> = []
    /// Those who are new and have no password, and those who are invited as if they were.
    var awaited: [PersonID] { new + invitedAnew.subtracting(cutOff).sorted() }
    private var new: [PersonID] = []
    /// Those whom the site knew, whose invitation ended when they were removed.
    private var invitedAnew: Set<PersonID> = []
    /// Those whose letter or first password was for less than they have now, and ended.
    private(set) var cutOff: Set<PersonID> = []
    private var items: [ImportRecords.Item] = []
    private var roles: [String: RoleID] = [:]
    private var people: [String: PersonID] = [:]
    private var badges: Set<String> = []
    private var hasBadge: Set<PersonID> = []
    private var nextBadge = 1
    /// For how many more memberships the site has room.
    private var room = 0

    init(
        _ accounts: Accounts, draft: ImportDraft, site: Site, facts: ImportFacts, hashes: [Int: String], now: Timestamp
    ) {
        (self.accounts, self.draft, self.site, self.facts, self.hashes, self.now) = (
            accounts, draft, site, facts, hashes, now
        )
    }

    mutating func write(to database: Database) throws {
        var done = ImportRecords.Done(id: draft.id, site: site.id, author: draft.author, at: now)
        room = try AccountRecords.room(at: site.id, in: database)
        try makeRoles(database)
        done.roles = roles.count
        badges = facts.badges.union(draft.file.lines.compactMap(\.badge))
        hasBadge = Set(facts.people.values.compactMap { $0.badge == nil ? nil : $0.person })
        let given = Dictionary(
            draft.file.lines.compactMap { line in line.badge.map { (line.email, $0) } }, uniquingKeysWith: { a, _ in a }
        )
        for (line, decision) in zip(draft.file.lines, draft.plan.decisions) {
            switch decision {
            case .newPerson:
                done.people += 1
                try addPerson(line, database)
                try addMembership(line, badge: given[line.email], database)
            case .membership:
                done.memberships += 1
                try addMembership(line, badge: given[line.email], database)
            case .unchanged: done.unchanged += 1
            case nil: break
            }
        }
        try ImportRecords.add(done, items, in: database)
        var json = JSONWriter()
        json.object { json in
            json.field("import", draft.id.text)
            json.field("people", done.people)
            json.field("memberships", done.memberships)
            json.field("unchanged", done.unchanged)
            json.field("roles", done.roles)
            json.field("by", draft.author.text)
        }
        try Ledger.append(
            NewEvent(id: .new(at: now), site: site.id, kind: "people.imported", at: now, payload: json.bytes),
            to: database)
    }

    private mutating func makeRoles(_ database: Database) throws {
        let known = try AccountRecords.roles(of: site.id, in: database).count
        if known + draft.plan.newRoles.count > Rules.maxOfAKind, !draft.plan.newRoles.isEmpty {
            throw Doors.ImportFull()
        }
        for name in draft.plan.newRoles {
            let role = Role(id: .new(at: now), site: site.id, name: name, level: 0)
            try AccountRecords.add(role, at: now, by: draft.author, in: database)
            roles[name.lowercased()] = role.id
            items.append(.init(kind: .role, thing: role.id.text, person: nil, name: name, made: name))
        }
    }

    private mutating func addPerson(_ line: ImportLine, _ database: Database) throws {
        let wanted = hashes[line.line]
        let person = try InvitationRecords.add(
            name: line.name, address: line.email, language: line.language, passwordHash: wanted, at: now, in: database)
        let hash = person.invited == nil ? wanted : nil
        people[line.email] = person.id
        if wanted == nil { new.append(person.id) }
        items.append(
            .init(
                kind: .person, thing: person.id.text, person: person.id, name: person.name,
                made: person.made(passwordHash: hash)))
    }

    private mutating func addMembership(_ line: ImportLine, badge: String?, _ database: Database) throws {
        guard let person = people[line.email] ?? facts.people[line.email]?.person else { return }
        guard room > 0, try AccountRecords.hasRoomOfOwn(person, at: site.id, in: database) else {
            throw Doors.ImportFull()
        }
        room -= 1
        let role = line.role.isEmpty ? nil : facts.role(line.role)?.id ?? roles[line.role.lowercased()]
        let membership = Membership(
            id: .new(at: now), person: person, site: site.id, permission: line.permission, role: role,
            firstDay: line.firstDay, lastDay: line.lastDay)
        let invited = try Doors.Invited(person, at: site.id, now, database)
        try accounts.add(
            membership, isNew: people[line.email] != nil, at: now, by: draft.author, in: database)
        if people[line.email] == nil, try invited.isToRepeat(now, database) {
            let isAsked = draft.plan.invitedAnew.contains(line.email)
            if isAsked { invitedAnew.insert(person) } else { cutOff.insert(person) }
        }
        members.insert(person)
        items.append(
            .init(
                kind: .membership, thing: membership.id.text, person: person, name: line.name, made: membership.made))
        guard hasBadge.insert(person).inserted else { return }
        let code = badge ?? freeBadge()
        try ImportRecords.addBadge(code, of: person, at: site.id, in: database)
        items.append(.init(kind: .badge, thing: code, person: person, name: line.name, made: code))
    }

    /// The first number that nobody has.
    private mutating func freeBadge() -> String {
        if nextBadge == 1 {
            // Like a badge that is made by hand: after the highest number of six digits.
            nextBadge = (facts.badges.compactMap { $0.utf8.count == 6 ? Int($0) : nil }.max() ?? 0) + 1
        }
        while true {
            let code = BadgeCode.numbered(nextBadge)
            nextBadge += 1
            if badges.insert(code).inserted { return code }
        }
    }
}
