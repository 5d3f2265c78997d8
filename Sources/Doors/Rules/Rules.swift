import Accounts
import Gates
import Identity
import Ledger
import Store
import System

// The rules of a company: roles, hours, special days, groups of gates. Every change of one is a transaction in which the rows, what the
// ledger tells of it and the passes that no longer hold are written together.

/// Why a rule as it was written will not do.
struct RuleFault: Error, Equatable {
    /// As forms and the JSON interface call it: `name`, `level`, `hours`, `gates`, `groups`, `firstDay`, `lastDay`, `week`,
    /// `day1` to `day7`, `country`, `year`, `rule` for the whole of it.
    let field: String
    let why: Why

    enum Why: Equatable, Sendable {
        /// A name is missing, too long, or holds signs that are not seen.
        case name
        /// Another one has that name.
        case taken
        /// No whole number between -1000 and 1000.
        case level
        /// No hours of a day.
        case span(Timetable.Fault)
        /// Not seven days.
        case week
        /// No day of the calendar.
        case notADay
        /// The last day is before the first.
        case endsBeforeItBegins
        /// More days than `Rules.longestSpecialDays`.
        case tooLong
        /// Something that it names is not there, or is of another site.
        case unknown
        /// More than so many.
        case tooMany(Int)
        /// So many use it.
        case inUse(Int)
        /// It is not there itself.
        case gone
    }
}

/// The limits of a company's rules.
enum Rules {
    /// The most gates that a role is given one by one, and that a group holds.
    /// - Key: site
    static let maxGates = 1000
    /// The most roles, timetables and groups of a site, each.
    /// - Key: site
    static let maxOfAKind = 500
    /// The most special days of a site.
    /// - Key: site
    static let maxSpecialDays = 2000
    /// The most days of one special day.
    static let longestSpecialDays = 366
    /// The levels of roles.
    static let levels = -1000...1000

    static func name(_ text: String) throws(RuleFault) -> String {
        guard let name = GivenName.parse(text) else { throw RuleFault(field: "name", why: .name) }
        return name
    }
}

extension Doors {
    /// Runs a change of what people may, and tells pages afterwards.
    /// - Parameter body: answers the people whose rights may be others now.
    func commit<T: Sendable>(
        at site: Site, _ body: @escaping @Sendable (Database) throws -> (T, Set<PersonID>)
    ) async throws -> T {
        try await commit(at: site.id) { database in
            let (result, people) = try body(database)
            return (result, .people(people))
        }
    }

    /// The same, for a change that may touch everybody.
    func commit<T: Sendable>(
        at site: SiteID, _ body: @escaping @Sendable (Database) throws -> (T, Touched)
    ) async throws -> T {
        let (result, whose) = try await given.gates.changeRights(.vital, at: site) { database, touched in
            let (result, whose) = try body(database)
            touched = whose
            return (result, whose)
        }
        switch whose {
        case .nobody, .noPass: break
        case .people(let people):
            if !people.isEmpty { try given.gates.tellLive(given.live, people: people, at: site) }
        case .everybody: try given.gates.tellLive(given.live, people: nil, at: site)
        }
        return result
    }

    /// The same, for a rule that has a name of its own at the site.
    func commitRule<T: Sendable>(
        at site: SiteID, _ body: @escaping @Sendable (Database) throws -> (T, Touched)
    ) async throws -> T {
        do { return try await commit(at: site, body) } catch let error as StoreError where error.isDuplicate {
            throw RuleFault(field: "name", why: .taken)
        }
    }
}

extension DoorsRecords {
    /// Everybody with one of some roles at a site, current or not.
    static func people(with roles: Set<RoleID>, at site: SiteID, in database: Database) throws -> Set<PersonID> {
        if roles.isEmpty { return [] }
        let rows = try database.rows(
            "SELECT person, role FROM memberships WHERE site = ? AND role IS NOT NULL", site
        ) { ($0[0] as PersonID, $0[1] as RoleID) }
        return Set(rows.filter { roles.contains($0.1) }.map(\.0))
    }

    /// How many people have each role of a site today, or will have it.
    static func peopleCounts(at site: SiteID, today: Day, in database: Database) throws -> [RoleID: Int] {
        let rows = try database.rows(
            """
            SELECT role, count(DISTINCT person) FROM memberships
            WHERE site = ? AND role IS NOT NULL AND revoked IS NULL AND (last_day IS NULL OR last_day >= ?) GROUP BY role
            """, site, today
        ) { ($0[0] as RoleID, $0[1] as Int) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// All gates of a site by id, with their names; also those out of use.
    static func gateNames(of site: SiteID, in database: Database) throws -> [GateID: String] {
        let rows = try GateRecords.allGates(of: site, in: database).map { ($0.id, $0.name) }
        return Dictionary(uniqueKeysWithValues: rows)
    }
}
