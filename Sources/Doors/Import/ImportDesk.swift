import Accounts
import Identity
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
    /// Who made the site. All that their sites import shares their room and their turns.
    let founder: PersonID
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
    /// Somebody has so many at a time; the oldest makes room, unless it is being applied.
    /// - Key: person
    static let perPerson = 4
    /// A site has so many at a time; the oldest makes room, unless it is being applied.
    /// - Key: site
    static let perSite = 6
    /// All sites that somebody made have so many at a time; the oldest makes room, unless it is being applied.
    /// - Key: person
    static let perFounder = 12
    /// So many are kept in all. The oldest of the founder who has the most makes room, unless it is being
    /// applied; who has more than others takes no room from them.
    /// - Key: hub
    static let capacity = 256
    /// So many bytes of files are kept in all, and so many more are being read. Of those that are kept room is made in the same way.
    /// - Key: hub
    static let byteLimit = 64 << 20

    /// So many passwords of all imports are hashed at a time; each founder has their turn after the others.
    /// - Key: hub
    static let hashedAtOnce = 2
    let hashing = FairTurns<PersonID>(hashedAtOnce)

    /// Files are read, and dry runs are made, on threads of their own: a long file takes some seconds, and a short one does not wait for
    /// it. Each founder has their turn after the others.
    private static let threads = [ThreadExecutor(name: "import"), ThreadExecutor(name: "long import")]
    private let turns = [FairTurns<PersonID>(1), FairTurns<PersonID>(1)]
    /// A file is long from so many bytes on.
    private static let long = 256 << 10

    /// Files are made on another: each person has their turn after the others.
    private static let exports = ThreadExecutor(name: "export")
    private let exporting = FairTurns<PersonID>(1)

    /// What is written, or taken back, goes one after the other, and doors that waited for the last go before the next.
    private let writing = FairTurns<PersonID>(1)
    private static let breath = Duration.milliseconds(100)

    /// Writes an import, or takes it back, when it is its turn.
    /// - Parameter person: who asks.
    func write<T: Sendable>(for person: PersonID, _ body: @Sendable () async throws -> T) async throws -> T {
        try await writing.run(for: person) {
            try await Task.sleep(for: Self.breath)
            return try await body()
        }
    }

    /// What is being applied takes all the room.
    struct Full: Error {}

    /// All sites that somebody made have so many files that are read or wait for it; what comes beyond that is refused.
    /// - Key: person
    static let readAtOnce = 6
    /// Of those, somebody has so many.
    /// - Key: person
    static let readOfOne = 2
    private struct Reading: Equatable {
        let author: PersonID
        let bytes: Int
    }
    private let reading = Mutex<[PersonID: [Reading]]>([:])

    private let drafts = Mutex<[ImportID: ImportDraft]>([:])
    private let clock: WallClock

    init(clock: WallClock) { self.clock = clock }

    /// Reads a file, and makes a dry run, when it is its turn.
    /// - Parameters:
    ///   - bytes: its length.
    ///   - author: who asks.
    ///   - founder: see `ImportDraft`.
    /// - Throws: `Full` while their last one or others of the founder's sites are read, or too many bytes wait; what the body throws.
    func read<T: Sendable>(
        _ bytes: Int, by author: PersonID, for founder: PersonID, _ body: @escaping @Sendable () throws -> T
    ) async throws -> T {
        let one = Reading(author: author, bytes: bytes)
        let isFree = reading.withLock { reading in
            let all = reading.values.joined()
            guard reading[founder, default: []].count < Self.readAtOnce,
                all.count(where: { $0.author == author }) < Self.readOfOne,
                all.reduce(bytes, { $0 + $1.bytes }) <= Self.byteLimit
            else { return false }
            reading[founder, default: []].append(one)
            return true
        }
        guard isFree else { throw Full() }
        defer {
            reading.withLock { reading in
                guard let place = reading[founder]?.firstIndex(of: one) else { return }
                reading[founder]?.remove(at: place)
                if reading[founder]?.isEmpty == true { reading[founder] = nil }
            }
        }
        let lane = bytes < Self.long ? 0 : 1
        return try await turns[lane].run(for: founder) {
            try await Task(executorPreference: Self.threads[lane]) { try body() }.value
        }
    }

    /// Reads for a page or a file what takes long, when it is its turn.
    func export<T: Sendable>(for person: PersonID, _ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await exporting.run(for: person) {
            try await Task(executorPreference: Self.exports) { try body() }.value
        }
    }

    /// Keeps a dry run.
    func keep(_ draft: ImportDraft) throws(Full) {
        let now = clock.now
        let isKept = drafts.withLock { drafts in
            drafts = drafts.filter {
                $0.value.isAtWork || $0.value.made.milliseconds + Self.lifetime > now.milliseconds
            }
            let before = drafts
            if Self.makeRoom(for: draft, in: &drafts) {
                drafts[draft.id] = draft
                return true
            }
            drafts = before
            return false
        }
        if !isKept { throw Full() }
    }

    /// Takes away what is too much beside a draft that is to be kept: first of its author, then of its site and of its founder, then
    /// of whichever founder has the most, so that nobody pays for who has more.
    /// - Returns: whether there is room.
    private static func makeRoom(for draft: ImportDraft, in drafts: inout [ImportID: ImportDraft]) -> Bool {
        func remove(where isOne: (ImportDraft) -> Bool) -> Bool {
            let oldest = drafts.values.filter { !$0.isAtWork && isOne($0) }.min { $0.made < $1.made }
            guard let oldest else { return false }
            drafts[oldest.id] = nil
            return true
        }
        while drafts.values.count(where: { $0.author == draft.author }) >= perPerson {
            guard remove(where: { $0.author == draft.author }) else { return false }
        }
        while drafts.values.count(where: { $0.site == draft.site }) >= perSite {
            guard remove(where: { $0.site == draft.site }) else { return false }
        }
        while drafts.values.count(where: { $0.founder == draft.founder }) >= perFounder {
            guard remove(where: { $0.founder == draft.founder }) else { return false }
        }
        let hasNone = !drafts.values.contains { $0.founder == draft.founder }
        // Whose imports are all being applied gives none; the next one does, unless they have less than who comes and has some.
        func removeFromMost(_ weight: (ImportDraft) -> Int) -> Bool {
            let all = drafts.values + [draft]
            let weights = Dictionary(grouping: all, by: \.founder).mapValues { $0.reduce(0) { $0 + weight($1) } }
            let giving = Set(drafts.values.lazy.filter { !$0.isAtWork }.map(\.founder))
            guard let most = giving.map({ weights[$0] ?? 0 }).max(),
                hasNone || most >= weights[draft.founder] ?? 0
            else { return false }
            return remove { weights[$0.founder] == most }
        }
        while drafts.count >= capacity { guard removeFromMost({ _ in 1 }) else { return false } }
        while drafts.values.reduce(draft.bytes, { $0 + $1.bytes }) > byteLimit {
            guard removeFromMost(\.bytes) else { return false }
        }
        return true
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

extension Doors {
    /// Each hour forgets what imports made more than a week ago: names and addresses of people.
    func forgetImports() async throws {
        while true {
            try await forgetOldImports()
            try await Task.sleep(for: .seconds(3_600))
        }
    }

    /// Forgets them once. A clock that is wrong would take for good what is young: the next round does it. Meanwhile `ChangeLimit.rows`
    /// bounds what comes.
    func forgetOldImports() async throws {
        guard given.clock.mayRemoveByAge else { return }
        let now = given.clock.now
        while try await given.store.write(.vital, { try ImportRecords.sweep(at: now, in: $0) }) {}
    }
}
