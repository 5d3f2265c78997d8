import Identity
import Ledger
import Store
import System

/// The one way in which memberships are written: what lets somebody in, and was meant for less, ends in the same transaction.
extension Accounts {
    /// Adds a membership.
    /// - Parameter isNew: whether its person was made in this very transaction, with what they come in by.
    public func add(
        _ membership: Membership, isNew: Bool = false, at now: Timestamp, by author: PersonID?, in database: Database
    ) throws {
        try tellRaise(to: membership, at: now, by: author, in: database)
        try AccountRecords.add(membership, isNew: isNew, at: now, by: author, in: database)
    }

    /// Changes a membership and tells what it was before and is now. Nothing is written when nothing changes.
    public func change(
        _ membership: Membership, at now: Timestamp, by author: PersonID?, in database: Database
    ) throws {
        try tellRaise(to: membership, at: now, by: author, in: database)
        try AccountRecords.change(membership, at: now, by: author, in: database)
    }

    /// Gives an account the place of a stand-in. Who has a part in the site by both is raised where either of them gives more than the other.
    func hand(
        over invitation: Invitation, to person: PersonID, _ handovers: [Handover], at now: Timestamp,
        in database: Database
    ) throws {
        let own = try AccountRecords.memberships(of: person, in: database)
        let theirs = try AccountRecords.memberships(of: invitation.person, in: database)
        try InvitationRecords.hand(over: invitation, to: person, handovers, at: now, in: database)
        for (site, theirs) in Dictionary(grouping: theirs, by: \.site) {
            let own = own.filter { $0.site == site }
            let isRaised =
                theirs.contains { $0.isChanging && $0.exceeds(own) }
                || own.contains { $0.isChanging && $0.exceeds(theirs) }
            guard !own.isEmpty, isRaised else { continue }
            try tell(Raise(person: person, site: site, author: person, at: now), in: database)
        }
    }

    private func tellRaise(
        to membership: Membership, at now: Timestamp, by author: PersonID?, in database: Database
    ) throws {
        let (person, site) = (membership.person, membership.site)
        guard membership.isChanging,
            membership.exceeds(try AccountRecords.memberships(of: person, at: site, in: database))
        else { return }
        try tell(Raise(person: person, site: site, author: author, at: now), in: database)
    }
}

extension Membership {
    fileprivate var isChanging: Bool { Permission.changing.contains(permission) }
}
