import Accounts
import Identity
import Ledger
import Store
import Synchronization
import System

/// The codes of houses: who has one, and whether what was typed is one.
///
/// They are kept as passwords are, by argon2id. A code has few digits, and what is copied is the database, in a backup: a quick digest
/// would give every code away within a second, also under a key that lies in the same file. What keeps somebody from trying codes at
/// the hub itself is the limit, not the hash.
final class HouseCodes: Sendable {
    /// Why a code is not taken.
    enum Refusal: Error, Sendable, Equatable {
        case notDigits, wellKnown, taken, tooMany, name
    }

    private let limit = Mutex(CodeLimit())
    private let given: Accounts
    private let tell: @Sendable (SiteID, PersonID, Int) -> Void
    private let uptime: @Sendable () -> UInt64

    /// - Parameters:
    ///   - tell: told of the how manieth wrong code in a row of somebody at a house.
    ///   - uptime: milliseconds of a clock that never jumps.
    init(
        _ accounts: Accounts, uptime: @escaping @Sendable () -> UInt64 = { Uptime.milliseconds },
        tell: @escaping @Sendable (SiteID, PersonID, Int) -> Void
    ) {
        (given, self.tell, self.uptime) = (accounts, tell, uptime)
    }

    /// The codes of a house.
    func codes(of site: SiteID) throws -> [HouseCode] {
        try given.store.read { try SafetyRecords.codes(of: site, in: $0) }.map(\.code)
    }

    /// The code that somebody typed.
    /// - Throws: `SafetyRefusal`: too often, or it is none of this house.
    func check(_ text: String, at site: SiteID, by person: PersonID) async throws -> HouseCode {
        let (waiting, count) = limit.withLock { limit in
            let now = uptime()
            let waiting = limit.wait(person, at: site, now)
            return (waiting, waiting > 0 ? 0 : limit.take(person, at: site, now))
        }
        if waiting > 0 { throw SafetyRefusal.wait(seconds: Int((waiting + 999) / 1000)) }
        let found: HouseCode?
        do { found = try await find(text, at: site, by: person) } catch {
            // Not all were looked at, and which of them is not told: that is no wrong one.
            limit.withLock { $0.giveBack(person, at: site) }
            throw error is AccountRefusal ? SafetyRefusal.wait(seconds: 1) : error
        }
        guard let code = found else {
            limit.withLock { $0.failed(person, at: site, uptime()) }
            if count >= CodeLimit.free { tell(site, person, count) }
            throw SafetyRefusal.wrongCode
        }
        limit.withLock { $0.succeeded(person, at: site) }
        return code
    }

    /// All are tried, whichever it is: the time does not tell how many there are before it.
    private func find(_ text: String, at site: SiteID, by person: PersonID) async throws -> HouseCode? {
        guard HouseCode.isCode(text) else { return nil }
        let codes = try given.store.read { try SafetyRecords.codes(of: site, in: $0) }
        if codes.isEmpty { return nil }
        let found = try await given.matches(text, hashes: codes.map(\.hash), at: site, by: person)
        return zip(codes, found).first { $0.1 }?.0.code
    }

    /// Adds a code.
    /// - Throws: `Refusal`.
    func add(_ text: String, name: String, at site: SiteID, by person: PersonID) async throws -> HouseCode {
        guard let name = GivenName.parse(name) else { throw Refusal.name }
        guard HouseCode.isCode(text) else { throw Refusal.notDigits }
        if HouseCode.isWellKnown(text) { throw Refusal.wellKnown }
        // Before the slow hashes: one for each code that is there.
        var known = try given.store.read { try SafetyRecords.codes(of: site, in: $0) }
        if known.count >= HouseCode.most { throw Refusal.tooMany }
        if try await given.matches(text, hashes: known.map(\.hash), at: site, by: person).contains(true) {
            throw Refusal.taken
        }
        let now = given.clock.now
        let hash = try await given.passwordHash(text, beside: known.map(\.hash), at: site, by: person)
        let code = HouseCode(id: .new(at: now), site: site, name: name, added: now)
        // Those that came meanwhile may have the same digits.
        while true {
            let ids = Set(known.map(\.code.id))
            let new = try await given.store.write { database in
                let codes = try SafetyRecords.codes(of: site, in: database)
                guard codes.count < HouseCode.most else { throw Refusal.tooMany }
                let new = codes.filter { !ids.contains($0.code.id) }
                if new.isEmpty {
                    try SafetyRecords.add(code, hash: hash, by: person, in: database)
                    try Audit("home.code.added", ("code", code.id.text), after: [("name", name)])
                        .append(at: now, site: site, by: person, in: database)
                }
                return new
            }
            if new.isEmpty { return code }
            if try await given.matches(text, hashes: new.map(\.hash), at: site, by: person).contains(true) {
                throw Refusal.taken
            }
            known += new
        }
    }

    /// Takes a code away.
    /// - Returns: false when there is no such code at the house.
    func remove(_ id: HouseCodeID, at site: SiteID, by person: PersonID) async throws -> Bool {
        let now = given.clock.now
        return try await given.store.write(.vital) { database in
            guard let code = try SafetyRecords.codes(of: site, in: database).first(where: { $0.code.id == id })?.code
            else { return false }
            try SafetyRecords.remove(id, in: database)
            try Audit("home.code.removed", ("code", id.text), before: [("name", code.name)])
                .append(at: now, site: site, by: person, in: database)
            return true
        }
    }
}
