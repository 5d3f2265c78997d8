import Accounts
import Ledger
import Pages
import Synchronization
import System

/// What a dry run found, kept until it is applied or half an hour has gone by.
struct ImportDraft: Sendable {
    let id: ImportID
    let site: SiteID
    /// Who alone sees it.
    let author: PersonID
    let made: Timestamp
    /// The length of the file, which stands for what is kept of it.
    let bytes: Int
    let makesRoles: Bool
    let file: ImportFile
    var plan: PeopleImport
    var state = State.checked

    enum State: Equatable, Sendable {
        /// The dry run is there; nothing is written.
        case checked
        /// What is there changed since the dry run: nothing is written, and `plan` is a new dry run.
        case changed
        /// Passwords are being hashed.
        case hashing(done: Int, of: Int)
        case writing
        /// It is in the database, where its result is.
        case done
        /// Nothing was written.
        case failed(Failure)
    }

    enum Failure: String, Sendable {
        case diskFull, notAllowed, full, other
    }

    /// All that is wrong, in the order of the file.
    var problems: ImportProblems { .merged(file.problems, plan.problems) }

    /// Whether it may be applied: nothing is wrong, and there is something to do.
    var isReady: Bool {
        file.problems.isEmpty && plan.problems.isEmpty
            && plan.decisions.contains { $0 == .newPerson || $0 == .membership }
    }

    /// How many people are new and get no password, or come back and never joined.
    var toInvite: Int {
        zip(file.lines, plan.decisions).count { $0.password == nil && $1 == .newPerson } + plan.invitedAnew.count
    }

    /// Whether it is being applied.
    var isAtWork: Bool {
        switch state {
        case .hashing, .writing: true
        default: false
        }
    }
}

/// Where dry runs lie: in memory, a few per person, for half an hour, seen by nobody but whoever made them.
final class ImportDesk: Sendable {
    /// So long a dry run is kept, in milliseconds.
    static let lifetime: Int64 = 30 * 60_000
    /// Somebody has so many at a time; the oldest makes room.
    /// - Key: person
    static let perPerson = 4
    /// So many are kept in all.
    /// - Key: hub
    static let capacity = 32
    /// So many bytes of files are kept in all.
    /// - Key: hub
    static let byteLimit = 64 << 20

    /// Files are read, and dry runs are made, on a thread of their own: a long file takes a good part of a second.
    static let thread = ThreadExecutor(name: "import")

    /// Other people's dry runs take all the room.
    struct Full: Error {}

    private let drafts = Mutex<[ImportID: ImportDraft]>([:])
    private let clock: WallClock

    init(clock: WallClock) { self.clock = clock }

    /// Keeps a dry run.
    func keep(_ draft: ImportDraft) throws(Full) {
        let now = clock.now
        let isKept = drafts.withLock { drafts in
            drafts = drafts.filter {
                $0.value.isAtWork || $0.value.made.milliseconds + Self.lifetime > now.milliseconds
            }
            let own = drafts.values.filter { $0.author == draft.author && !$0.isAtWork }
            if own.count >= Self.perPerson, let oldest = own.min(by: { $0.made < $1.made }) { drafts[oldest.id] = nil }
            guard drafts.count < Self.capacity,
                drafts.values.reduce(draft.bytes, { $0 + $1.bytes }) <= Self.byteLimit
            else { return false }
            drafts[draft.id] = draft
            return true
        }
        if !isKept { throw Full() }
    }

    /// Somebody's own dry run at a site; nil when it is gone, or another's.
    func draft(_ id: ImportID, at site: SiteID, of author: PersonID) -> ImportDraft? {
        let now = clock.now
        return drafts.withLock { drafts in
            guard let draft = drafts[id], draft.site == site, draft.author == author,
                draft.isAtWork || draft.made.milliseconds + Self.lifetime > now.milliseconds
            else { return nil }
            return draft
        }
    }

    /// Says that a dry run is being applied from now on.
    /// - Returns: it; nil when it is gone, has problems, or is being applied already.
    func begin(_ id: ImportID, at site: SiteID, of author: PersonID) -> ImportDraft? {
        guard let draft = draft(id, at: site, of: author) else { return nil }
        return drafts.withLock { drafts in
            guard let now = drafts[id], now.isReady, !now.isAtWork, now.state != .done else { return nil }
            drafts[id]?.state = .writing
            return draft
        }
    }

    func set(_ state: ImportDraft.State, of id: ImportID) { drafts.withLock { $0[id]?.state = state } }

    /// What is there changed: a new dry run in the old one's place.
    func replace(_ plan: PeopleImport, of id: ImportID) {
        drafts.withLock { drafts in
            drafts[id]?.plan = plan
            drafts[id]?.state = .changed
        }
    }

    /// It is in the database: the file, and the passwords in it, are forgotten.
    func finish(_ id: ImportID) { drafts.withLock { $0[id] = nil } }
}
