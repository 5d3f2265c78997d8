import Accounts
import Crypto
import Gates
import HTTPServer
import Identity
import Ledger
import Pages
import Store
import System

/// What a form or a program says of a membership, before any of it is believed.
struct MembershipEntry: Sendable {
    var name = ""
    var email = ""
    var password = ""
    var permission: String
    /// An id, or nothing.
    var role: String
    /// `YYYY-MM-DD`, or nothing.
    var firstDay: String
    /// `YYYY-MM-DD`, or nothing.
    var lastDay: String

    /// Why an entry will not do.
    struct Refusal: Error, Equatable {
        /// As forms call it: `name`, `email`, `password`, `permission`, `role`, `first_day`, `last_day`.
        let field: String
        let why: Why
        /// For programs.
        var words: String { "\(field): \(why.rawValue)" }

        enum Why: String, Sendable {
            case missing = "it is missing or too long"
            case notAnAddress = "this is no address"
            case tooShort = "it needs at least 10 characters"
            case guessable = "others would guess it"
            case notAllowed = "your own permission does not reach so far"
            case lastOwner = "the site needs somebody else who owns it first"
            case unknown = "there is no such thing here"
            case notADay = "this is no day"
            case endsBeforeItBegins = "it ends before it begins"
            case isOver = "this day is over"
            case addressTaken = "another person at this site has this address"
            case alreadyThere = "this person has the same membership already"
            case hasOwnWay = "this person is here already: leave the password out"
            case tooMany = "these are too many at once"
            case changedSince = "somebody changed it since"
            case isFull = "this person or this site has as many memberships as the hub keeps"
            case ownAddress = "this person has joined since: the address is theirs to change"
            case yourself = "somebody else has to take away your own access"
        }
    }

    /// What it asks for, if there is such a permission.
    var permissions: [Permission] { Permission(rawValue: permission).map { [$0] } ?? [] }

    /// The days, if they are days and in order.
    func days() throws(Refusal) -> (first: Day?, last: Day?) {
        func day(_ text: String, _ field: String) throws(Refusal) -> Day? {
            if text.isEmpty { return nil }
            guard let day = Day(iso8601: text) else { throw Refusal(field: field, why: .notADay) }
            return day
        }
        let (first, last) = (try day(firstDay, "first_day"), try day(lastDay, "last_day"))
        if let first, let last, last < first { throw Refusal(field: "last_day", why: .endsBeforeItBegins) }
        return (first, last)
    }
}

extension Doors {
    /// What somebody may make others: an owner anything, a manager nothing above managers, anybody else nothing.
    /// - Parameter held: what they may at the site themselves.
    static func grantable(by held: [Permission]) -> [Permission] {
        if held.contains(.owner) { return [.owner, .manager, .installer, .member, .guest] }
        return held.contains(.manager) ? [.manager, .installer, .member, .guest] : []
    }

    /// What somebody may make others by their rights of now, which may be other than when the request came: a password takes its time.
    static func grantable(
        by person: PersonID, at site: SiteID, on today: Day, in database: Database
    ) throws -> [Permission] {
        grantable(
            by: try AccountRecords.memberships(of: person, at: site, in: database).filter { $0.holds(on: today) }
                .map(\.permission))
    }

    private func parts(
        of entry: MembershipEntry, at site: Site, by principal: Principal, _ database: Database
    ) throws -> (permission: Permission, role: RoleID?) {
        guard let permission = Permission(rawValue: entry.permission) else {
            throw MembershipEntry.Refusal(field: "permission", why: .unknown)
        }
        let grantable = try Self.grantable(
            by: principal.person.id, at: site.id, on: site.zone.day(at: given.clock.now), in: database)
        guard grantable.contains(permission) else {
            throw MembershipEntry.Refusal(field: "permission", why: .notAllowed)
        }
        if entry.role.isEmpty { return (permission, nil) }
        guard let role = RoleID(entry.role),
            try AccountRecords.roles(of: site.id, in: database).contains(where: { $0.id == role })
        else {
            throw MembershipEntry.Refusal(field: "role", why: .unknown)
        }
        return (permission, role)
    }

    /// See `Routes.requireProof`.
    func requireProof(
        toShare site: Site, as permissions: some Sequence<Permission>, _ principal: Principal
    ) throws(Problem) {
        try Routes.requireProof(toShare: site, as: permissions, principal, at: given.clock.now)
    }

    /// What inviting somebody takes, by all that they have or had at the site: whoever reads the letter may get it.
    func requireProof(
        toInvite person: PersonID, at site: Site, _ principal: Principal, _ database: Database
    ) throws {
        let all = try AccountRecords.memberships(of: person, at: site.id, in: database)
        try requireProof(toShare: site, as: all.map(\.permission), principal)
    }

    /// Adds a person with a membership and a badge.
    ///
    /// An address that the site knows already is that person, once it is confirmed. Another one is never taken for the account that may have
    /// it: the site gets a person of its own, whom its holder joins as (see `Invitation`). Without a password, where this hub sends letters, they get one.
    func addPerson(
        _ entry: MembershipEntry, at site: Site, by principal: Principal
    ) async throws -> (Membership, Person) {
        try requireProof(toShare: site, as: entry.permissions, principal)
        let address = Accounts.normalised(entry.email)
        let password = entry.password.isEmpty ? nil : entry.password
        // Whoever chose a password can use it.
        if password != nil { try Routes.requireFreshProof(principal, at: given.clock.now) }
        do { try Accounts.check(name: entry.name, email: address, password: password) } catch {
            switch error {
            case .invalid(let field):
                throw MembershipEntry.Refusal(field: field, why: field == "email" ? .notAnAddress : .missing)
            case .weakPassword(let fault):
                throw MembershipEntry.Refusal(field: "password", why: fault == .tooShort ? .tooShort : .guessable)
            default: throw error
            }
        }
        let (first, last) = try entry.days()
        let hash: String? =
            if let password {
                try await given.accounts.passwordHash(password, by: principal.person.id)
            } else { nil }
        let now = given.clock.now
        let (membership, person, isToInvite) = try await given.gates.changeRights(at: site.id) {
            database, touched -> (Membership, Person, Bool) in
            touched = .noPass
            let (permission, role) = try parts(of: entry, at: site, by: principal, database)
            let known = try InvitationRecords.known(address, at: site.id, in: database)
            let person =
                try known.person
                ?? InvitationRecords.add(
                    name: entry.name, address: address, passwordHash: hash, at: now, in: database)
            let membership = Membership(
                id: .new(at: now), person: person.id, site: site.id, permission: permission, role: role,
                firstDay: first, lastDay: last)
            try requireNew(membership, for: known.people + [person.id], in: database)
            if known.person != nil, password != nil {
                throw MembershipEntry.Refusal(field: "password", why: .hasOwnWay)
            }
            try given.accounts.add(membership, at: now, by: principal.person.id, in: database)
            try DoorsRecords.makeBadge(for: person.id, at: site.id, in: database)
            let isToInvite =
                try known.person == nil
                ? password == nil
                : InvitationRecords.isAwaited(person.id, in: database) && !Self.isReached(person.id, now, database)
            if isToInvite { try requireProof(toInvite: person.id, at: site, principal, database) }
            return (membership, try AccountRecords.person(person.id, in: database) ?? person, isToInvite)
        }
        if isToInvite, given.letters.isSetUp {
            try await invite(person.id, at: site, by: principal)
        }
        return (membership, person)
    }

    /// Why an invitation did not go out.
    enum NotInvited: Sendable { case hasJoined, notAllowed, accessEnded, tooMany }

    /// Sends invitations by letter to the people of several memberships, each once.
    func invite(
        _ ids: [MembershipID], at site: Site, by principal: Principal
    ) async throws -> (sent: Int, refused: [(MembershipID, NotInvited)]) {
        let permissions = try given.store.read { database in
            try ids.prefix(Self.bulkLimit).compactMap { try AccountRecords.membership($0, in: database) }
                .filter { $0.site == site.id }
                .flatMap { try AccountRecords.memberships(of: $0.person, at: site.id, in: database) }.map(\.permission)
        }
        try requireProof(toShare: site, as: permissions, principal)
        var (people, refused): (Set<PersonID>, [(MembershipID, NotInvited)]) = ([], [])
        var sent = 0
        let now = given.clock.now
        for id in ids.prefix(Self.bulkLimit) {
            let membership = try given.store.read { try AccountRecords.membership(id, in: $0) }
            guard let membership, membership.site == site.id, people.insert(membership.person).inserted else {
                continue
            }
            do {
                try await given.proving(toInvite: membership.person, at: site, principal) {
                    try await given.letters.invite(membership.person, to: site.id, by: principal.person, act: now)
                }
                sent += 1
            } catch is Problem { refused.append((id, .notAllowed)) } catch InvitingRefusal.notOwner {
                refused.append((id, .notAllowed))
            } catch InvitingRefusal.isOver {
                refused.append((id, .accessEnded))
            } catch is InvitingRefusal {
                refused.append((id, .hasJoined))
            } catch AccountRefusal.tooManyAttempts {
                refused.append((id, .tooMany))
            }
        }
        return (sent, refused)
    }

    /// Sends the letter of an invitation, unless too many went out or another has to send it: then the page of the invitation says that none is valid.
    private func invite(_ person: PersonID, at site: Site, by principal: Principal) async throws {
        do {
            try await given.proving(toInvite: person, at: site, principal) {
                try await given.letters.invite(person, to: site.id, by: principal.person)
            }
        } catch AccountRefusal.tooManyAttempts {
            return
        } catch is InvitingRefusal {
            return
        } catch is Problem {
            return
        }
    }

    /// Adds another membership of somebody who has one at the site already.
    func addMembership(
        _ entry: MembershipEntry, toHolderOf known: MembershipID, at site: Site, by principal: Principal
    ) async throws -> Membership {
        try requireProof(toShare: site, as: entry.permissions, principal)
        let (first, last) = try entry.days()
        let now = given.clock.now
        let (added, isToldAgain) = try await given.gates.changeRights(at: site.id) { database, touched in
            touched = .noPass
            guard let holder = try AccountRecords.membership(known, in: database), holder.site == site.id else {
                throw MembershipEntry.Refusal(field: "membership", why: .unknown)
            }
            let (permission, role) = try parts(of: entry, at: site, by: principal, database)
            let membership = Membership(
                id: .new(at: now), person: holder.person, site: site.id, permission: permission, role: role,
                firstDay: first, lastDay: last)
            try requireNew(membership, for: [holder.person], in: database)
            let before = try Invited(holder.person, at: site.id, now, database)
            try given.accounts.add(membership, at: now, by: principal.person.id, in: database)
            let isToRepeat = try before.isToRepeat(now, database)
            if isToRepeat { try requireProof(toInvite: holder.person, at: site, principal, database) }
            return (membership, isToRepeat)
        }
        if isToldAgain, given.letters.isSetUp { try await invite(added.person, at: site, by: principal) }
        try given.gates.tellLive(given.live, person: added.person, at: site.id)
        return added
    }

    /// - Parameter people: whom the site knows by the address: what one of them has already is not given once more.
    private func requireNew(
        _ membership: Membership, for people: [PersonID], in database: Database
    ) throws {
        let theirs = try Set(people).flatMap {
            try AccountRecords.memberships(of: $0, at: membership.site, in: database)
        }
        let same = theirs.contains {
            $0.permission == membership.permission && $0.role == membership.role
                && $0.firstDay == membership.firstDay && $0.lastDay == membership.lastDay && $0.revoked == nil
        }
        if same { throw MembershipEntry.Refusal(field: "email", why: .alreadyThere) }
        guard try AccountRecords.hasRoom(for: membership.person, at: membership.site, in: database) else {
            throw MembershipEntry.Refusal(field: "email", why: .isFull)
        }
    }

    /// Gives somebody a badge of a certain code.
    /// - Throws: `MembershipEntry.Refusal` of `badge`: `.missing` for a code that will not do, `.alreadyThere` for somebody else's.
    func setBadge(
        _ code: String, ofHolderOf known: MembershipID, at site: Site, by principal: Principal
    ) async throws {
        guard BadgeCode.isCode(code) else { throw MembershipEntry.Refusal(field: "badge", why: .missing) }
        let now = given.clock.now
        do {
            try await given.store.write { database in
                guard let holder = try AccountRecords.membership(known, in: database), holder.site == site.id else {
                    throw MembershipEntry.Refusal(field: "membership", why: .unknown)
                }
                try Self.requireMayChangeBadge(of: holder.person, at: site, by: principal.person.id, now, in: database)
                let before = try DoorsRecords.badge(of: holder.person, at: site.id, in: database)
                try DoorsRecords.setBadge(code, of: holder.person, at: site.id, in: database)
                try Audit(
                    "badge.changed", ("person", holder.person.text),
                    before: before.map { [(name: "code" as StaticString, value: $0)] }, after: [("code", code)]
                ).append(at: now, site: site.id, about: holder.person, by: principal.person.id, in: database)
            }
        } catch let error as StoreError where error.isDuplicate {
            throw MembershipEntry.Refusal(field: "badge", why: .alreadyThere)
        }
    }

    /// Only an owner changes the badge of an owner.
    /// - Throws: 403.
    private static func requireMayChangeBadge(
        of person: PersonID, at site: Site, by author: PersonID, _ now: Timestamp, in database: Database
    ) throws {
        let today = site.zone.day(at: now)
        let isOwner = try AccountRecords.memberships(of: person, at: site.id, in: database).contains {
            $0.permission == .owner && $0.revoked == nil && ($0.lastDay.map { today <= $0 } ?? true)
        }
        if isOwner, try !AccountRecords.may(author, [.owner], at: site.id, now: now, in: database) {
            throw Problem.forbidden("Only an owner changes the badge of an owner.")
        }
    }

    /// Only an owner changes what an owner may, and a site is never without one.
    func requireOwner(
        from before: Membership, to after: Membership, _ site: Site, _ principal: Principal, _ now: Timestamp,
        _ database: Database
    ) throws {
        let today = site.zone.day(at: now)
        let grantable = try Self.grantable(by: principal.person.id, at: site.id, on: today, in: database)
        guard before.permission == .owner ? grantable.contains(.owner) : !grantable.isEmpty else {
            throw MembershipEntry.Refusal(field: "permission", why: .notAllowed)
        }
        guard before.permission == .owner, before.holds(on: today),
            after.permission != .owner || !after.holds(on: today) || after.lastDay != nil
        else { return }
        guard try AccountRecords.hasOtherOwner(than: before.id, at: site.id, on: today, in: database) else {
            throw MembershipEntry.Refusal(field: "permission", why: .lastOwner)
        }
    }

    /// Changes a membership. Passes that phones keep are denied in the same transaction: they were issued under the old one.
    /// - Parameters:
    ///   - name: what people call the person from now on; nil: as before.
    ///   - address: where somebody who has not joined yet is invited from now on; nil: as before. An account's own address is its holder's.
    func changeMembership(
        _ id: MembershipID, at site: Site, by principal: Principal, name: String?, address: String? = nil,
        _ entry: MembershipEntry
    ) async throws -> (Membership, Person) {
        let (first, last) = try entry.days()
        if let name,
            !GivenName.fits(name, longest: GivenName.longestOfPerson)
                || name.unicodeScalars.contains(where: { $0.value < 0x20 })
        {
            throw MembershipEntry.Refusal(field: "name", why: .missing)
        }
        let address = address.map { Accounts.normalised($0) }
        let now = given.clock.now
        let (membership, person, isMoved) = try await given.gates.changeRights(.vital, at: site.id) {
            database, touched -> (Membership, Person, Bool) in
            guard let before = try AccountRecords.membership(id, in: database), before.site == site.id,
                let person = try AccountRecords.person(before.person, in: database)
            else { throw MembershipEntry.Refusal(field: "membership", why: .unknown) }
            let (permission, role) = try parts(of: entry, at: site, by: principal, database)
            var after = before
            (after.permission, after.role, after.firstDay, after.lastDay) = (permission, role, first, last)
            // By all that the person may here: their name and where they are invited go with each of their memberships.
            let all = try AccountRecords.memberships(of: before.person, at: site.id, in: database).map(\.permission)
            try requireProof(toShare: site, as: all + [permission], principal)
            try requireOwner(from: before, to: after, site, principal, now, database)
            let invited = try Invited(person.id, at: site.id, now, database)
            try given.accounts.change(after, at: now, by: principal.person.id, in: database)
            if let name, name != person.name {
                // A name is one for all sites: who is known at another one is not renamed from here. An owner is renamed by an owner,
                // whichever membership the name is changed beside.
                guard try !AccountRecords.isMemberElsewhere(person.id, than: site.id, in: database),
                    try InvitationRecords.mayInvite(
                        person.id, at: site.id, by: principal.person.id, now: now, in: database)
                else { throw MembershipEntry.Refusal(field: "name", why: .notAllowed) }
                try AccountRecords.rename(person.id, to: name, in: database)
                try Audit(
                    "person.renamed", ("person", person.id.text), before: [("name", person.name)],
                    after: [("name", name)]
                ).append(at: now, site: site.id, about: person.id, by: principal.person.id, in: database)
            }
            var isMoved =
                try address.map { try readdress(person, to: $0, at: site, by: principal, in: database) } ?? false
            if try invited.isToRepeat(now, database) { isMoved = true }
            touched = before == after ? .nobody : .people([person.id])
            return (after, try AccountRecords.person(person.id, in: database) ?? person, isMoved)
        }
        if isMoved, given.letters.isSetUp { try await invite(person.id, at: site, by: principal) }
        try given.gates.tellLive(given.live, person: person.id, at: site.id)
        return (membership, person)
    }

    /// How somebody was invited before a change of what they have at a site.
    struct Invited: Sendable {
        private let person: PersonID
        private let site: SiteID
        private let wasExpected: Bool
        private let wasReached: Bool

        init(_ person: PersonID, at site: SiteID, _ now: Timestamp, _ database: Database) throws {
            (self.person, self.site) = (person, site)
            wasExpected = try InvitationRecords.isExpected(person, at: site, now: now, in: database)
            wasReached = try Doors.isReached(person, now, database)
        }

        /// Whether they are expected after it, and have nothing to come in by, though they had; or nobody expected them before, and what
        /// there was had ended with that.
        func isToRepeat(_ now: Timestamp, _ database: Database) throws -> Bool {
            try (wasReached || !wasExpected) && InvitationRecords.isAwaited(person, in: database)
                && InvitationRecords.isExpected(person, at: site, now: now, in: database)
                && !Doors.isReached(person, now, database)
        }
    }

    /// Whether a letter that invites somebody is good, or a first password. Another address ends the one, and new rights both.
    static func isReached(_ person: PersonID, _ now: Timestamp, _ database: Database) throws -> Bool {
        try InvitationRecords.open(of: person, at: now, in: database).contains { $0.way == .letter }
            || hasFirstPassword(person, database)
    }

    /// Whether somebody who has not come yet can come in by a password that was chosen for them.
    static func hasFirstPassword(_ person: PersonID, _ database: Database) throws -> Bool {
        try InvitationRecords.isAwaited(person, in: database)
            && AccountRecords.passwordHash(of: person, in: database) != nil
    }

    /// Changes where somebody who has not joined yet is invited.
    /// - Returns: whether it changed.
    private func readdress(
        _ person: Person, to address: String, at site: Site, by principal: Principal, in database: Database
    ) throws -> Bool {
        guard let before = person.invited else {
            // They joined after the form was opened.
            guard address == person.shownAddress else {
                throw MembershipEntry.Refusal(field: "email", why: .ownAddress)
            }
            return false
        }
        guard before != address else { return false }
        let (inviter, now) = (principal.person.id, given.clock.now)
        guard try InvitationRecords.mayInvite(person.id, at: site.id, by: inviter, now: now, in: database) else {
            throw MembershipEntry.Refusal(field: "email", why: .notAllowed)
        }
        do { try Accounts.check(name: person.name, email: address, password: nil) } catch {
            throw MembershipEntry.Refusal(field: "email", why: .notAnAddress)
        }
        guard try InvitationRecords.known(address, at: site.id, in: database).person == nil else {
            throw MembershipEntry.Refusal(field: "email", why: .addressTaken)
        }
        try InvitationRecords.readdress(
            person.id, to: address, at: site.id, now: now, by: inviter, in: database)
        return true
    }
}
