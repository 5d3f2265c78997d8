import HTTPServer
import Accounts
import Identity
import Ledger
import Notices
import Platform
import Store
import System

/// What a form says of somebody with whom a house is to be shared.
struct ShareEntry: Sendable, Equatable {
    var email = ""
    /// As the house calls them until they join; nothing: the address.
    var name = ""
    var permission = Permission.member.rawValue
}

/// Why a house cannot be shared so, or somebody's access not be ended.
enum ShareFault: Error, Equatable {
    case email, name, permission, already, full, lastOwner, yourself, unknown

    /// As forms call it.
    var field: String {
        switch self {
        case .email, .already, .full: "email"
        case .name: "name"
        case .permission: "permission"
        case .lastOwner, .yourself, .unknown: "person"
        }
    }

    func words(_ words: HomeHousesWords) -> String {
        switch self {
        case .email: words.faultEmail
        case .name: words.faultPersonName
        case .permission, .unknown: words.faultMay
        case .already: words.faultAlready
        case .full: words.faultFull
        case .lastOwner: words.faultLastOwner
        case .yourself: words.faultYourself
        }
    }
}

/// With whom a house is shared. Memberships are the hub's own, so that whoever is a guest of a house and an employee of a company has one
/// account.
struct HousePeople: Sendable {
    let given: Given

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

    /// Shares a house: with a person whom it knows at once, with another one by an invitation. Nothing is said about an account that may
    /// have the address.
    /// - Returns: the membership, and whether its person has to be invited on paper.
    func share(
        _ entry: ShareEntry, at site: Site, by principal: Principal
    ) async throws -> (membership: MembershipID, needsPaper: Bool) {
        let now = given.clock.now
        guard let permission = Permission(rawValue: entry.permission),
            Self.grants(of: principal, at: site.id, now).contains(permission)
        else { throw ShareFault.permission }
        let address = Accounts.normalised(entry.email)
        let typed = entry.name.isEmpty ? String(address.prefix(GivenName.longestOfPerson)) : entry.name
        guard let name = GivenName.parse(typed, longest: GivenName.longestOfPerson) else { throw ShareFault.name }
        do { try Accounts.check(name: name, email: address, password: nil) } catch {
            switch error {
            case .invalid("email"): throw ShareFault.email
            case .invalid: throw ShareFault.name
            default: throw error
            }
        }
        let membership = try await given.changeMemberships(at: site.id) { database in
            let known = try InvitationRecords.known(address, at: site.id, in: database)
            let person =
                try known.person
                ?? InvitationRecords.add(name: name, address: address, passwordHash: nil, at: now, in: database)
            let today = site.zone.day(at: now)
            let own = try Set(known.people + [person.id]).flatMap {
                try AccountRecords.memberships(of: $0, at: site.id, in: database)
            }
            if own.contains(where: { $0.permission == permission && $0.holds(on: today) }) { throw ShareFault.already }
            guard try AccountRecords.hasRoom(for: person.id, at: site.id, in: database) else { throw ShareFault.full }
            let membership = Membership(
                id: .new(at: now), person: person.id, site: site.id, permission: permission, role: nil, firstDay: nil,
                lastDay: nil)
            try given.accounts.add(membership, at: now, by: principal.person.id, in: database)
            return (membership, [person.id])
        }
        if try given.accounts.hasJoined(membership.person) { return (membership.id, false) }
        guard given.letters.isSetUp else { return (membership.id, true) }
        // Beyond the count no letter goes: the invitation's page says so, and sends it later.
        do {
            try await given.proving(toInvite: membership.person, at: site, principal) {
                try await given.letters.invite(membership.person, to: site.id, by: principal.person)
            }
        } catch AccountRefusal.tooManyAttempts {
            return (membership.id, true)
        } catch is InvitingRefusal {
            return (membership.id, true)
        } catch is Problem {
            return (membership.id, true)
        }
        return (membership.id, false)
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
                guard try AccountRecords.may(principal.person.id, [.owner], at: site.id, now: now, in: database) else {
                    throw ShareFault.permission
                }
                let today = site.zone.day(at: now)
                guard try AccountRecords.hasOtherOwner(than: id, at: site.id, on: today, in: database) else {
                    throw ShareFault.lastOwner
                }
            }
            membership.revoked = now
            try given.accounts.change(membership, at: now, by: principal.person.id, in: database)
            return ((), [membership.person])
        }
    }
}
