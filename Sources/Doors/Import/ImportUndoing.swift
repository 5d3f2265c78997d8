import Accounts
import Gates
import Identity
import JSON
import Ledger
import Store
import System

/// The taking back of an import: what it made goes, where nobody changed it since.
///
/// Nobody is left whom no list shows: an account that somebody used or changed stays with a membership that has ended. The list of
/// people shows it, and an owner can erase it.
struct ImportUndoing: Sendable {
    private typealias Placed = (place: Int, item: ImportRecords.Item)
    private typealias Own = (place: Int, membership: Membership)

    let accounts: Accounts
    let id: ImportID
    let site: Site
    let author: PersonID
    let now: Timestamp
    /// Those who lost a membership.
    private(set) var members: Set<PersonID> = []
    private var people = 0
    private var memberships = 0
    private var kept = 0

    init(_ accounts: Accounts, id: ImportID, site: Site, author: PersonID, now: Timestamp) {
        (self.accounts, self.id, self.site, self.author, self.now) = (accounts, id, site, author, now)
    }

    mutating func write(to database: Database) throws {
        let items = try ImportRecords.items(of: id, in: database)
        let made = try ImportRecords.madePeople(namedBy: id, in: database)
        let ofPerson = Dictionary(grouping: items.filter { $0.item.person != nil }) { $0.item.person! }
        for (person, items) in ofPerson.sorted(by: { $0.value[0].place < $1.value[0].place }) {
            try takeBack(person, items, made: made[person], database)
        }
        for (place, item) in items where item.kind == .role { try takeRole(item, place, database) }
        try ImportRecords.setUndone(id, at: now, in: database)
        var json = JSONWriter()
        json.object { json in
            json.field("import", id.text)
            json.field("people", people)
            json.field("memberships", memberships)
            json.field("kept", kept)
            json.field("by", author.text)
        }
        try Ledger.append(
            NewEvent(id: .new(at: now), site: site.id, kind: "people.import.undone", at: now, payload: json.bytes),
            to: database)
    }

    private mutating func keep(_ place: Int, _ why: ImportKept, _ database: Database) throws {
        kept += 1
        try ImportRecords.keep(place, of: id, because: why, in: database)
    }

    // MARK: somebody

    /// - Parameter made: how an import made the account; nil: it is not an import's.
    private mutating func takeBack(
        _ id: PersonID, _ items: [Placed], made: String?, _ database: Database
    ) throws {
        let account = items.first { $0.item.kind == .person }
        let badge = items.first { $0.item.kind == .badge }?.item.thing
        let own = try unchanged(items, database)
        guard let person = try AccountRecords.person(id, in: database) else {
            if let account { try keep(account.place, .gone, database) }
            return
        }
        let taken = Set(own.map(\.membership.id))
        let hasOthers =
            try AccountRecords.isMemberElsewhere(id, than: site.id, in: database)
            || AccountRecords.memberships(of: id, at: site.id, in: database).contains { !taken.contains($0.id) }
        if hasOthers {
            for one in own { try end(one, isRemoved: true, database) }
            // Who kept a membership here was told of already.
            if let account, try !isListed(id, database) { try keep(account.place, .used, database) }
        } else if try isUnchanged(person, made, badge, database), try remove(id, own, database) {
            return
        } else {
            // Whose account is their own keeps it as it was before the import.
            let isOwn = try made == nil && AccountRecords.isOwn(id, in: database)
            for one in own { try end(one, isRemoved: isOwn, database) }
            let hasEnded = try AccountRecords.memberships(of: id, at: site.id, in: database).allSatisfy {
                $0.revoked != nil
            }
            if !isOwn, hasEnded, let place = account?.place ?? own.first?.place { try keep(place, .ended, database) }
        }
        if badge != nil, try !isListed(id, database) {
            try ImportRecords.removeBadge(of: id, at: site.id, in: database)
        }
    }

    /// The memberships that are as they were made. The others stay, and are told.
    private mutating func unchanged(_ items: [Placed], _ database: Database) throws -> [Own] {
        var own: [Own] = []
        for (place, item) in items where item.kind == .membership {
            if let id = MembershipID(item.thing), let membership = try AccountRecords.membership(id, in: database) {
                if membership.made == item.made {
                    own.append((place, membership))
                } else {
                    try keep(place, .changed, database)
                }
            } else {
                try keep(place, .gone, database)
            }
        }
        return own
    }

    private func isListed(_ person: PersonID, _ database: Database) throws -> Bool {
        try !AccountRecords.memberships(of: person, at: site.id, in: database).isEmpty
    }

    /// Whether an account is as an import made it, or, where none did, opens to nobody.
    private func isUnchanged(
        _ person: Person, _ made: String?, _ badge: String?, _ database: Database
    ) throws -> Bool {
        if let badge, try DoorsRecords.badge(of: person.id, at: site.id, in: database) != badge { return false }
        guard let made else { return try !AccountRecords.isOwn(person.id, in: database) }
        // Inviting somebody, again or elsewhere, is no change: they have not joined.
        if person.invited != nil { return made.hasPrefix(person.name + "|") }
        return try person.made(passwordHash: AccountRecords.passwordHash(of: person.id, in: database)) == made
    }

    /// Removes an account with its memberships and badge.
    /// - Returns: false when all of that stays, because somebody used it or something refers to it.
    private mutating func remove(_ person: PersonID, _ own: [Own], _ database: Database) throws -> Bool {
        var removing = self
        let isGone = try AccountRecords.takeBack(unused: person, in: database) {
            for one in own { try removing.end(one, isRemoved: true, database) }
            try ImportRecords.removeBadge(of: person, at: site.id, in: database)
        }
        if !isGone { return false }
        self = removing
        people += 1
        return true
    }

    private mutating func end(_ own: Own, isRemoved: Bool, _ database: Database) throws {
        let membership = own.membership
        let today = site.zone.day(at: now)
        func owns(_ one: Membership) -> Bool { one.permission == .owner && one.holds(on: today) }
        if membership.permission == .owner,
            try !AccountRecords.memberships(of: author, at: site.id, in: database).contains(where: owns)
        {
            // Only an owner ends what an owner has.
            return try keep(own.place, .notAllowed, database)
        }
        if membership.permission == .owner, membership.holds(on: today),
            try !AccountRecords.hasOtherOwner(than: membership.id, at: site.id, on: today, in: database)
        {
            // A site is never without an owner.
            return try keep(own.place, .used, database)
        }
        if isRemoved {
            try AccountRecords.takeBack(membership, at: now, by: author, in: database)
            // The membership may be an account's by now, which has joined since.
            if try !isListed(membership.person, database) {
                try ImportRecords.removeBadge(of: membership.person, at: site.id, in: database)
            }
        } else {
            var ended = membership
            ended.revoked = now
            try accounts.change(ended, at: now, by: author, in: database)
        }
        members.insert(membership.person)
        memberships += 1
    }

    // MARK: a role

    private mutating func takeRole(_ item: ImportRecords.Item, _ place: Int, _ database: Database) throws {
        guard let id = RoleID(item.thing),
            let role = try AccountRecords.roles(of: site.id, in: database).first(where: { $0.id == id })
        else { return try keep(place, .gone, database) }
        guard role.name == item.made else { return try keep(place, .changed, database) }
        if try !AccountRecords.takeBack(unused: role, at: now, by: author, in: database) {
            try keep(place, .used, database)
        }
    }
}
