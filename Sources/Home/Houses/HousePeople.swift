import Accounts
import Ledger
import Notices
import Platform
import Store
import System

/// What a form says of somebody with whom a house is to be shared.
struct ShareEntry: Sendable, Equatable {
    var email = ""
    /// For somebody who has no account yet.
    var name = ""
    /// The same, where the hub sends no letters.
    var password = ""
    var permission = Permission.member.rawValue
}

/// Why a house cannot be shared so, or somebody's access not be ended.
enum ShareFault: Error, Equatable {
    case email, name, password, permission, already, lastOwner, yourself, unknown

    /// As forms call it.
    var field: String {
        switch self {
        case .email, .already: "email"
        case .name: "name"
        case .password: "password"
        case .permission: "permission"
        case .lastOwner, .yourself, .unknown: "person"
        }
    }

    func words(_ words: HomeHousesWords) -> String {
        switch self {
        case .email: words.faultEmail
        case .name: words.faultPersonName
        case .password: words.faultPassword
        case .permission, .unknown: words.faultMay
        case .already: words.faultAlready
        case .lastOwner: words.faultLastOwner
        case .yourself: words.faultYourself
        }
    }
}

/// With whom a house is shared. Memberships are the hub's own, so that whoever is a guest of a house and an employee of a company has one
/// account.
struct HousePeople: Sendable {
    let household: Household

    private var given: Given { household.given }

    /// What somebody may let others do: an owner everything, a manager everything but owning.
    static func grants(of principal: Principal, at site: SiteID, _ now: Timestamp) -> [Permission] {
        principal.may([.owner], at: site, now)
            ? [.member, .guest, .installer, .manager, .owner] : [.member, .guest, .installer, .manager]
    }

    /// Those whose membership holds today, or will.
    func list(of site: Site) throws -> [(membership: Membership, person: Person)] {
        let today = site.zone.day(at: given.clock.now)
        return try given.store.read { database in
            try AccountRecords.memberships(at: site.id, in: database).compactMap { one in
                guard one.revoked == nil, one.lastDay.map({ today <= $0 }) ?? true else { return nil }
                return try AccountRecords.person(one.person, in: database).map { (one, $0) }
            }
        }.sorted { ($0.1.name, $0.0.id) < ($1.1.name, $1.0.id) }
    }

    /// Whether an address has an account.
    private func isKnown(_ email: String) throws -> Bool {
        try given.store.read { try AccountRecords.person(email: email, in: $0) } != nil
    }

    /// Shares a house. An address that has an account is that person; another one gets an account, and a letter where the hub sends some.
    func share(_ entry: ShareEntry, at site: Site, by principal: Principal) async throws {
        let now = given.clock.now
        guard let permission = Permission(rawValue: entry.permission),
            Self.grants(of: principal, at: site.id, now).contains(permission)
        else { throw ShareFault.permission }
        let email = Accounts.normalised(entry.email)
        let isKnown = try isKnown(email)
        let isInvited = entry.password.isEmpty && given.letters.isSetUp
        let name = isKnown ? "known" : GivenName.parse(entry.name, longest: GivenName.longestOfPerson) ?? ""
        do { try Accounts.check(name: name, email: email, password: isKnown || isInvited ? nil : entry.password) } catch
        {
            switch error {
            case .invalid("email"): throw ShareFault.email
            case .invalid: throw ShareFault.name
            case .weakPassword: throw ShareFault.password
            default: throw error
            }
        }
        let hash = isKnown || isInvited ? nil : try await given.accounts.passwordHash(entry.password)
        let person = try await given.changeMemberships(at: site.id) { database in
            let person: Person
            if let known = try AccountRecords.person(email: email, in: database) {
                person = known
            } else if isKnown {
                throw ShareFault.name
            } else {
                person = Person(id: .new(at: now), name: name, email: email, language: nil)
                try AccountRecords.add(person, passwordHash: hash, at: now, in: database)
            }
            let today = site.zone.day(at: now)
            let own = try AccountRecords.memberships(of: person.id, at: site.id, in: database)
            if own.contains(where: { $0.permission == permission && $0.holds(on: today) }) { throw ShareFault.already }
            let membership = Membership(
                id: .new(at: now), person: person.id, site: site.id, permission: permission, role: nil, firstDay: nil,
                lastDay: nil)
            try AccountRecords.add(membership, at: now, by: principal.person.id, in: database)
            return (person, [person.id])
        }
        if isInvited, try given.accounts.waysIn(of: person.id).count == 0 {
            // They have chosen no language yet: in that of whoever invites them.
            let language = (person.language ?? principal.person.language).flatMap(Language.init(rawValue:))
            try await given.letters.invite(person, language ?? .en)
        }
    }

    /// Ends what somebody may in a house, at once.
    func end(_ id: MembershipID, at site: Site, by principal: Principal) async throws {
        let now = given.clock.now
        try await given.changeMemberships(at: site.id) { database in
            guard var membership = try AccountRecords.membership(id, in: database), membership.site == site.id,
                membership.revoked == nil
            else { throw ShareFault.unknown }
            guard membership.person != principal.person.id else { throw ShareFault.yourself }
            if membership.permission == .owner {
                guard principal.may([.owner], at: site.id, now) else { throw ShareFault.permission }
                let today = site.zone.day(at: now)
                guard try AccountRecords.hasOtherOwner(than: id, at: site.id, on: today, in: database) else {
                    throw ShareFault.lastOwner
                }
            }
            membership.revoked = now
            try AccountRecords.change(membership, at: now, by: principal.person.id, in: database)
            return ((), [membership.person])
        }
    }
}
