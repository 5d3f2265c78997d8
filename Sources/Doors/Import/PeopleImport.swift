import Accounts
import Identity
import Ledger
import System

/// Who is there, as far as an import needs to know; read in the transaction that writes, and before it for the dry run.
struct ImportFacts: Sendable {
    /// Whom the site knows by an address: see `KnownAddress`.
    struct Known: Sendable {
        /// Who may get more by it.
        let person: PersonID?
        /// At this site, of everybody who says that the address is theirs.
        let memberships: [Membership]
        /// At this site, whose they are.
        let badges: [PersonID: String]

        /// Whether nobody ever came in as `person`, and all that they had here has ended, their invitation with it.
        var isToInviteAnew = false

        /// Of `person`.
        var badge: String? { person.flatMap { badges[$0] } }
    }

    /// By address, those of the file whom the site knows.
    var people: [String: Known] = [:]
    /// The site's roles.
    var roles: [Role] = []
    /// The codes of the site's badges.
    var badges: Set<String> = []
    /// What the one who imports may make others.
    var allowed: Set<Permission> = []

    /// The role of a name: as it is written, else the only one that differs by capitals alone.
    func role(_ name: String) -> Role? {
        if let exact = roles.first(where: { $0.name == name }) { return exact }
        let similar = roles.filter { $0.name.lowercased() == name.lowercased() }
        return similar.count == 1 ? similar[0] : nil
    }
}

/// What comes of each line.
enum ImportDecision: String, Equatable, Sendable {
    /// A person, a membership and a badge.
    case newPerson
    /// A membership of somebody whom the site knows, or gets to know from an earlier line.
    case membership
    /// Everything is so already.
    case unchanged
}

/// What an import would do: pure, so that every line of it can be tried in a test.
struct PeopleImport: Equatable, Sendable {
    /// For each line of the file, in its order; nil where the line will not do.
    private(set) var decisions: [ImportDecision?] = []
    private(set) var problems = ImportProblems()
    /// Names of roles that are missing and are to be made.
    private(set) var newRoles: [String] = []
    /// Addresses of people whom the site knows and who are invited as if they were new.
    private(set) var invitedAnew: Set<String> = []

    /// How many lines come to a decision.
    func count(_ decision: ImportDecision) -> Int { decisions.count { $0 == decision } }

    private struct Claim {
        let line: Int
        let name: String
        var badge: String?
        var badgeLine = 0
    }
    private struct Entry: Hashable {
        let email: String
        let permission: Permission
        let role: String
        let first: Day?
        let last: Day?
    }
    private var claims: [String: Claim] = [:]
    /// Addresses for whom an earlier line makes a person.
    private var newPeople: Set<String> = []
    private var entries: [Entry: Int] = [:]
    private var badges: [String: (email: String, line: Int)] = [:]

    static func == (a: PeopleImport, b: PeopleImport) -> Bool {
        a.decisions == b.decisions && a.problems == b.problems && a.newRoles == b.newRoles
            && a.invitedAnew == b.invitedAnew
    }

    /// Decides on every line.
    /// - Parameter makesRoles: whether roles that are missing are made rather than refused.
    init(_ lines: [ImportLine], _ facts: ImportFacts, makesRoles: Bool) {
        for line in lines {
            let before = problems.count
            let decision = decide(line, facts, makesRoles)
            decisions.append(problems.count == before ? decision : nil)
        }
        (claims, entries, badges, newPeople) = ([:], [:], [:], [])
    }

    private mutating func decide(_ line: ImportLine, _ facts: ImportFacts, _ makesRoles: Bool) -> ImportDecision {
        let entry = Entry(
            email: line.email, permission: line.permission, role: line.role.lowercased(), first: line.firstDay,
            last: line.lastDay)
        let known = facts.people[line.email]
        let role = line.role.isEmpty ? nil : facts.role(line.role)
        let isThere =
            (line.role.isEmpty || role != nil)
            && known?.memberships.contains {
                $0.permission == line.permission && $0.role == role?.id && $0.firstDay == line.firstDay
                    && $0.lastDay == line.lastDay && $0.revoked == nil
            } ?? false
        // What is there twice is so in an export, too.
        if let earlier = entries.updateValue(line.line, forKey: entry), !isThere {
            problems.append(ImportProblem(line.line, .email, .sameAsLine(earlier), text: line.email))
        }
        let earlier = claims[line.email]
        if earlier == nil { claims[line.email] = Claim(line: line.line, name: line.name) }
        checkBadge(line, known, facts, isThere: isThere)
        if let earlier, known?.person == nil, earlier.name != line.name {
            problems.append(ImportProblem(line.line, .name, .nameOnLine(earlier.line), text: line.name))
        }
        // What is there already needs nobody's leave: an export by a manager has its owners in it.
        if isThere { return .unchanged }
        if !facts.allowed.contains(line.permission) {
            problems.append(
                ImportProblem(line.line, .permission, .permissionNotAllowed, text: line.permission.rawValue))
        }
        if let known, known.person == nil {
            problems.append(ImportProblem(line.line, .email, .addressUnconfirmed, text: line.email))
        }
        if !line.role.isEmpty, role == nil {
            if !makesRoles {
                problems.append(ImportProblem(line.line, .role, .roleUnknown, text: line.role))
            } else if !newRoles.contains(where: { $0.lowercased() == line.role.lowercased() }) {
                newRoles.append(line.role)
            }
        }
        if known?.isToInviteAnew == true { invitedAnew.insert(line.email) }
        return known?.person == nil && newPeople.insert(line.email).inserted ? .newPerson : .membership
    }

    private mutating func checkBadge(
        _ line: ImportLine, _ known: ImportFacts.Known?, _ facts: ImportFacts, isThere: Bool
    ) {
        guard let badge = line.badge else { return }
        func refuse(_ why: ImportProblem.Why) {
            problems.append(ImportProblem(line.line, .badge, why, text: badge))
        }
        if let claimed = badges[badge], claimed.email != line.email { return refuse(.badgeOnLine(claimed.line)) }
        if let given = claims[line.email]?.badge, given != badge {
            return refuse(.badgeOnLine(claims[line.email]?.badgeLine ?? 0))
        }
        if isThere {
            if known?.badges.values.contains(badge) != true { return refuse(.badgeIsAnother) }
        } else {
            if let other = known?.badge, other != badge { return refuse(.badgeIsAnother) }
            if facts.badges.contains(badge), known?.badges.values.contains(badge) != true {
                return refuse(.badgeTaken)
            }
        }
        badges[badge] = (line.email, line.line)
        claims[line.email]?.badge = badge
        claims[line.email]?.badgeLine = line.line
    }
}
