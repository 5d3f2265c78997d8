import Crypto
import HTTPServer
import Identity
import Ledger
import Store
import System
import Wire

/// What a shown code offers.
public struct ShownInvitation: Sendable {
    /// The invitation itself.
    public let invitation: Invitation
    /// Where.
    public let site: Site
    /// The stand-in, with the name that the site uses.
    public let standIn: Person
    /// Where a letter went; for a paper, what the site wrote down as their address.
    public let address: String
    /// Who invites, by name.
    public let inviter: String?
    /// Whether the address is a confirmed account's: its holder signs in. Told of a letter alone, whose reader is that holder.
    public let isHolders: Bool
    /// What ends when the reader of a letter chooses the ways in anew: those of an account with this address that nobody has confirmed,
    /// and how many sessions are open with it. Nil: there is no such account.
    public let ending: (ways: WaysIn, sessions: Int)?
}

/// Why somebody who shows a good code does not take the place.
public enum JoiningRefusal: Error, Sendable, Equatable {
    /// The letter went to another address than that of who is signed in.
    case anotherAddress
    /// The address of the letter is a confirmed account's: its holder signs in.
    case holderSignsIn
    /// Nobody has shown that the address of who is signed in is theirs: it was somebody else, maybe, who made the account.
    case waysFirst
    /// Who is signed in was deleted in the same moment.
    case isGone
}

/// Why nobody is invited.
public enum InvitingRefusal: Error, Sendable, Equatable {
    /// They have come: the account is theirs.
    case hasCome
    /// They are to own the site, and whoever invites does not.
    case notOwner
    /// Whatever they had at the site was taken away.
    case isOver
}

extension Accounts {
    // MARK: inviting

    /// Makes an invitation on paper for somebody whom a site expects. A first password that somebody chose for them ends.
    /// - Throws: `InvitingRefusal`.
    public func invitationOnPaper(
        for person: PersonID, at site: SiteID, by inviter: PersonID
    ) async throws -> (code: PairingCode, expires: Timestamp) {
        let (now, sweeps) = (clock.now, clock.mayRemoveByAge)
        let expires = now.adding(milliseconds: Invitation.lifetime)
        let code = try await change { database in
            try Self.requireMayInvite(person, at: site, by: inviter, now, database)
            guard let known = try AccountRecords.person(person, in: database),
                try InvitationRecords.standIn(of: known, at: site, in: database) != nil
            else { throw InvitingRefusal.hasCome }
            let invitation = Invitation(person: person, site: site, way: .paper, by: inviter, expires: expires)
            try InvitationRecords.tell(invitation, at: now, in: database)
            return try InvitationRecords.issue(invitation, at: now, sweeps: sweeps, in: database)
        }
        return (code, expires)
    }

    /// Refuses whoever could not be invited: before anything is counted, since nothing leaves then.
    /// - Throws: `InvitingRefusal`.
    public func requireToInvite(_ person: PersonID, at site: SiteID, by inviter: PersonID) throws {
        let now = clock.now
        try store.read { database in
            try Self.requireMayInvite(person, at: site, by: inviter, now, database)
            guard let known = try AccountRecords.person(person, in: database),
                try InvitationRecords.mayStandIn(known, at: site, in: database)
            else { throw InvitingRefusal.hasCome }
        }
    }

    /// Notes that somebody is to be invited by a letter, which is written when it leaves.
    /// - Parameter act: when somebody asked for it, one moment for all that they asked for at once.
    /// - Returns: the stand-in, and the name of the letter.
    /// - Throws: `InvitingRefusal`; `AccountRefusal.tooManyAttempts` beyond `LimitedAction.lettersOfSite`.
    public func inviteByLetter(
        _ person: PersonID, at site: SiteID, by inviter: PersonID, act: Timestamp
    ) async throws -> (standIn: Person, letter: Invitation.LetterID) {
        let (now, sweeps, monotonic) = (clock.now, clock.mayRemoveByAge, uptime())
        guard invitations.withLock({ $0.admit(site, monotonic) == nil }) else {
            throw AccountRefusal.tooManyAttempts(retryAfterSeconds: 3_600)
        }
        do {
            return try await change { database in
                try Self.requireMayInvite(person, at: site, by: inviter, now, database)
                guard let known = try AccountRecords.person(person, in: database),
                    let standIn = try InvitationRecords.standIn(of: known, at: site, in: database)
                else { throw InvitingRefusal.hasCome }
                let invitation = Invitation(
                    person: person, site: site, way: .letter, by: inviter,
                    expires: now.adding(milliseconds: Invitation.lifetime))
                try InvitationRecords.tell(invitation, at: act, in: database)
                _ = try InvitationRecords.issue(invitation, at: now, sweeps: sweeps, in: database)
                let letter = Invitation.LetterID.new(at: now)
                try InvitationRecords.set(letter, of: person, in: database)
                return (standIn, letter)
            }
        } catch {
            invitations.withLock { $0.giveBack(site) }
            throw error
        }
    }

    private static func requireMayInvite(
        _ person: PersonID, at site: SiteID, by inviter: PersonID, _ now: Timestamp, _ database: Database
    ) throws {
        guard try InvitationRecords.mayInvite(person, at: site, by: inviter, now: now, in: database) else {
            throw InvitingRefusal.notOwner
        }
        guard try InvitationRecords.isExpected(person, at: site, now: now, in: database) else {
            throw InvitingRefusal.isOver
        }
    }

    /// Whether somebody ever signed in, or has a way in that only they can have.
    public func hasJoined(_ person: PersonID) throws -> Bool {
        try store.read { try !InvitationRecords.isAwaited(person, in: $0) }
    }

    // MARK: being invited

    /// What a shown code offers, without using it up; nil when it opens nothing.
    public func invitation(_ code: String) throws -> ShownInvitation? {
        let now = clock.now
        return try store.read { database in
            guard let invitation = try InvitationRecords.find(code, at: now, in: database) else { return nil }
            return try Self.shown(invitation, in: database)
        }
    }

    private static func shown(_ invitation: Invitation, in database: Database) throws -> ShownInvitation? {
        guard let standIn = try AccountRecords.person(invitation.person, in: database), let address = standIn.invited,
            let site = try AccountRecords.site(invitation.site, in: database)
        else { return nil }
        var (isHolders, ending) = (false, nil as (ways: WaysIn, sessions: Int)?)
        if invitation.way == .letter, let holder = try AccountRecords.person(email: address, in: database) {
            isHolders = try LinkRecords.confirmed(holder.id, in: database) != nil
            if !isHolders {
                ending = (
                    try WayRecords.ways(of: holder.id, in: database),
                    try AccountRecords.sessions(of: holder.id, in: database).count
                )
            }
        }
        return ShownInvitation(
            invitation: invitation, site: site, standIn: standIn, address: address,
            inviter: try invitation.by.flatMap { try AccountRecords.person($0, in: database)?.name },
            isHolders: isHolders, ending: ending)
    }

    /// Somebody signed in takes the place. From a letter only the confirmed holder of its address does.
    /// - Throws: `LinkIsSpent`, `JoiningRefusal`.
    public func join(
        _ code: String, as principal: Principal, _ handovers: [Handover], in database: Database, at now: Timestamp
    ) throws -> ShownInvitation {
        let shown = try Self.take(code, at: now, in: database)
        guard try AccountRecords.person(principal.person.id, in: database) != nil else { throw JoiningRefusal.isGone }
        guard try SessionRecords.stands(principal, at: now, in: database) else {
            throw Problem.unauthorized("sign in first")
        }
        if shown.invitation.way == .letter {
            guard principal.person.address == shown.address else { throw JoiningRefusal.anotherAddress }
            guard shown.isHolders else { throw JoiningRefusal.waysFirst }
        }
        try endOffshoots(of: shown.standIn.id, at: now, in: database)
        try hand(over: shown.invitation, to: principal.person.id, handovers, at: now, in: database)
        return shown
    }

    /// Somebody who is not signed in takes the place with a password that they choose.
    ///
    /// By a letter: an account that has its address and that nobody has confirmed is theirs from now on, and every way into it that was
    /// there before is gone, since somebody else may have made it. On paper: the place becomes an account with an address that nobody has.
    /// - Returns: whose account it is, and the sessions that ended.
    /// - Throws: `LinkIsSpent`, `JoiningRefusal.holderSignsIn`, `AccountRefusal.addressTaken`.
    public func join(
        _ code: String, name: String, address: String, passwordHash: String, _ handovers: [Handover],
        in database: Database, at now: Timestamp
    ) throws -> (shown: ShownInvitation, person: PersonID, ended: [[UInt8]]) {
        let shown = try Self.take(code, at: now, in: database)
        let isLetter = shown.invitation.way == .letter
        let wanted = isLetter ? shown.address : address
        // An old app that a manager prepared ends: who joins is alone in what is theirs.
        try endOffshoots(of: shown.standIn.id, at: now, in: database)
        guard let holder = try AccountRecords.person(email: wanted, in: database) else {
            try InvitationRecords.settle(
                shown.invitation, name: name, address: wanted, passwordHash: passwordHash, isConfirmed: isLetter,
                at: now, in: database)
            return (shown, shown.standIn.id, [])
        }
        guard isLetter else { throw AccountRefusal.addressTaken }
        guard !shown.isHolders else { throw JoiningRefusal.holderSignsIn }
        try takeOver(holder.id, at: now, in: database)
        try SessionRecords.setPassword(of: holder.id, to: passwordHash, at: now, in: database)
        try database.execute("UPDATE people SET name = ?, confirmed = ? WHERE id = ?", name, now, holder.id)
        try LinkRecords.end(of: holder.id, in: database)
        try endOffshoots(of: holder.id, at: now, in: database)
        try hand(over: shown.invitation, to: holder.id, handovers, at: now, in: database)
        return (shown, holder.id, try SessionRecords.endAll(of: holder.id, in: database))
    }

    private static func take(_ code: String, at now: Timestamp, in database: Database) throws -> ShownInvitation {
        // Judged as it is now: what the person may, or what the inviter may, can be other than when the code was made.
        guard let invitation = try InvitationRecords.find(code, at: now, in: database),
            let shown = try shown(invitation, in: database), let inviter = invitation.by,
            try InvitationRecords.mayInvite(
                invitation.person, at: invitation.site, by: inviter, now: now, in: database),
            try InvitationRecords.isExpected(invitation.person, at: invitation.site, now: now, in: database)
        else { throw LinkIsSpent() }
        return shown
    }

    /// Counts who shows an invitation: by the code when it is good, so that a flood from their network does not keep them out.
    /// - Throws: 429 with the seconds to wait, when it was done too often.
    public func admit(_ action: LimitedAction, from visitor: Visitor, invitedBy code: String) throws {
        if let shown = try invitation(code) {
            try admit(action, .known(shown.standIn.id.raw.bytes))
        } else {
            try admit(action, from: visitor)
        }
    }
}
