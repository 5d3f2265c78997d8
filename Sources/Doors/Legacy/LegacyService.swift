import Accounts
import Gates
import JSON
import Ledger
import Store
import System
import Wire

// The original web service: who signs in, and what their app is told.

extension Doors {
    /// What an app sends.
    struct LegacySignIn: Sendable {
        /// The user name.
        let username: String
        /// SHA-1 of the password, in hexadecimal digits.
        let digest: String
        /// Whether it came in the address.
        let isGET: Bool
        /// Where it came from, for the limit on attempts.
        let address: String
    }

    /// Signs somebody's app in, for the one site of that user name. It gives no session: the answer is all that there is.
    /// - Throws: `LegacyRefusal`.
    func signInLegacy(_ entry: LegacySignIn) async throws -> LegacyAnswer {
        // What cannot be a name or a digest is checked against nothing, and costs the same.
        let name = LegacyPolicy.username(entry.username)
        let digest = LegacyPolicy.digest(entry.digest)
        let found = try given.store.read { database in
            try name.flatMap { try LegacyRecords.account(username: $0, in: database) }
        }
        do {
            try await given.accounts.check(
                digest ?? "", against: digest == nil ? nil : found?.hash, account: "legacy \(name ?? "")",
                address: entry.address)
        } catch let refusal as AccountRefusal {
            switch refusal {
            case .tooManyAttempts(let seconds): throw LegacyRefusal.tooManyAttempts(seconds: seconds)
            case .busy: throw LegacyRefusal.busy
            default: throw LegacyRefusal.wrong
            }
        }
        let now = given.clock.now
        return try await given.store.write { database in
            // Once more, in the transaction that writes: it may have been taken away while the password was looked at.
            guard let found, let (account, hash) = try LegacyRecords.account(username: found.0.username, in: database),
                hash == found.hash, let site = try AccountRecords.site(account.site, in: database),
                let person = try AccountRecords.person(account.person, in: database)
            else { throw LegacyRefusal.wrong }
            if entry.isGET, try !LegacyRecords.allowsGET(site.id, in: database) { throw LegacyRefusal.postOnly }
            // The old app knows one password and nothing else.
            if try WayRecords.asksSecondFactor(site.id, in: database) { throw LegacyRefusal.noRole }
            let memberships = try AccountRecords.memberships(of: person.id, at: site.id, in: database)
            let held = LegacyPolicy.roles(of: memberships, on: site.zone.day(at: now))
            if held.isEmpty { throw LegacyRefusal.noRole }
            try LegacyRecords.setLastUsed(now, account, in: database)
            let roles = try AccountRecords.roles(of: site.id, in: database).filter { held.contains($0.id) }
            return try Self.answer(account, person, site, roles, in: database)
        }
    }

    private static func answer(
        _ account: LegacyAccount, _ person: Person, _ site: Site, _ roles: [Role], in database: Database
    ) throws -> LegacyAnswer {
        let (name, surname) = LegacyPolicy.parts(of: person.name)
        let beacon = LegacyProfile.beacon(site: site.id.raw)
        let major = try LegacyRecords.number(of: site.id, in: database) & 0xffff
        let gates = try LegacyRecords.gates(of: site.id, in: database).map { gate in
            let number = try LegacyRecords.number(of: gate.id, in: database)
            let reader = LegacyAnswer.Reader(
                id: number, name: gate.name, profile: LegacyProfile(gate: gate.id.raw), beacon: beacon, major: major,
                minor: number & 0xffff)
            return (reader, roles: try DoorsRecords.facts(gate, in: database).rolesWithGate.keys)
        }
        return LegacyAnswer(
            user: .init(
                id: try LegacyRecords.number(of: person.id, in: database), name: name, surname: surname,
                username: account.username,
                badgeCode: try LegacyRecords.badge(of: person.id, at: site.id, in: database) ?? ""),
            companyName: site.name,
            roles: try roles.map { role in
                .init(
                    id: try LegacyRecords.number(of: role.id, in: database), name: role.name, level: role.level,
                    readers: gates.filter { $0.roles.contains(role.id) }.map(\.0))
            })
    }
}

extension LegacyAnswer {
    /// The members of `data`, in the original's order. What we do not keep of a person is an empty text.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.object("user") { json in
                json.field("id", user.id)
                json.field("name", user.name)
                json.field("surname", user.surname)
                json.field("username", user.username)
                json.field("vatCode", "")
                json.field("userPhoto", "")
                json.field("badgeCode", user.badgeCode)
                json.field("birthday", "")
            }
            json.object("company") { json in
                json.field("companyName", companyName)
                json.field("logo", "")
            }
            json.array("roles") { json in for role in roles { role.write(to: &json) } }
        }
    }
}

extension LegacyAnswer.Role {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("id", id)
            json.field("name", name)
            json.field("level", level)
            json.array("readers") { json in
                for reader in readers {
                    json.object { json in
                        json.field("id", reader.id)
                        json.field("name", reader.name)
                        json.field("systemName", reader.profile.systemName)
                        json.field("serviceUUID", LegacyProfile.text(reader.profile.service))
                        json.field("charBadgeUUID", LegacyProfile.text(reader.profile.badge))
                        json.field("charKeyUUID", LegacyProfile.text(reader.profile.key))
                        json.field("beaconUUID", LegacyProfile.text(reader.beacon))
                        json.field("majorBeaconValue", reader.major)
                        json.field("minorBeaconValue", reader.minor)
                    }
                }
            }
        }
    }
}
