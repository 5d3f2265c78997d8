import Crypto
import Glibc
import Identity
import Ledger
import Store
import Synchronization
import System
import TestSupport

@testable import Accounts
@testable import Notices

/// A way whose devices are kept in memory: one for each person that is put in.
final class HandWay: NoticeWay {
    let channel: Channel
    let people = Shared<Set<PersonID>>([])

    init(_ channel: Channel) { self.channel = channel }

    func parcels(for delivery: NoticeDelivery, at now: Timestamp, in database: Database) throws -> [Parcel] {
        parcelsAtOnce(for: delivery, at: now)
    }

    func parcelsAtOnce(for delivery: NoticeDelivery, at now: Timestamp) -> [Parcel] {
        people.value.contains(delivery.person)
            ? [delivery.parcel(by: channel, Array(delivery.lockScreen.title.utf8), at: now)] : []
    }
}

/// Carries by a closure, and keeps what it carried.
final class HandCarrier: Carrier {
    let lanes = 4
    private let body: @Sendable (Parcel) async -> Carried
    let carried = Shared<[Parcel]>([])

    init(_ body: @escaping @Sendable (Parcel) async -> Carried = { _ in .delivered }) { self.body = body }

    func carry(_ parcel: Parcel) async -> Carried {
        carried.change { $0.append(parcel) }
        return await body(parcel)
    }
}

/// A site with people, a clock that the test moves, and two ways of reaching them.
struct Office: Sendable {
    let store: Store
    let notices: Notices
    let time: Shared<Timestamp>
    let site: Site
    let other: Site
    let owner: PersonID
    let people: [PersonID]
    let push = HandWay(.push)
    let mail = HandWay(.mail)
    /// What pages that live were told.
    let heard = Shared<[(person: PersonID, title: String?)]>([])

    var now: Timestamp { time.value }
    func move(minutes: Int) { time.change { $0 = $0.adding(milliseconds: Int64(minutes) * 60_000) } }

    /// Whoever waits by the clock that the test moves looks at it again after a commit.
    func wake() async throws { try await store.write { _ = try $0.execute("DELETE FROM outbox WHERE 0") } }

    static let texts = LocalizedText(
        en: NoticeWords("Gate A is stuck", "Mara saw it."),
        it: NoticeWords("Il varco A è bloccato", "L'ha visto Mara."),
        es: NoticeWords("La puerta A está atascada", "Lo vio Mara."))
    static let publicTexts = LocalizedText(
        en: NoticeWords("A gate is stuck"), it: NoticeWords("Un varco è bloccato"),
        es: NoticeWords("Una puerta está atascada"))

    func notify(
        _ kind: NoticeKind = "doors.gateTrouble", _ urgency: Urgency = .normal, to recipients: Recipients? = nil,
        actions: [NoticeAction] = [], key: String? = nil, window: Int64 = 3_600_000, lifetime: Int64 = 86_400_000,
        about: PersonID? = nil
    ) -> Notify {
        Notify(
            site: site.id,
            content: NoticeContent(
                kind: kind, urgency: urgency, text: Self.texts, publicText: Self.publicTexts, actions: actions),
            to: recipients ?? .all(people), about: about, key: key, window: window, lifetime: lifetime)
    }

    func told(_ notice: NoticeID) throws -> [PersonID] {
        try store.read { database in
            try database.rows(
                "SELECT person FROM notice_recipients WHERE notice = ? AND told IS NOT NULL ORDER BY place", notice
            ) { $0[0] as PersonID }
        }
    }

    func inbox(_ person: PersonID) throws -> [NoticeRecords.Received] {
        try store.read { try NoticeRecords.inbox(of: person, limit: 100, in: $0).items }
    }

    /// When each parcel of a person is due, by channel.
    func due(_ person: PersonID) throws -> [(channel: String, due: Timestamp)] {
        try store.read {
            try $0.rows("SELECT channel, due FROM outbox WHERE person = ? ORDER BY channel", person) {
                ($0[0] as String, $0[1] as Timestamp)
            }
        }
    }

    func delivery(_ notice: NoticeID) throws -> Delivery? {
        try store.read { try NoticeRecords.delivery(of: notice, in: $0) }
    }

    func count(_ table: StaticString) throws -> Int {
        try store.read { try $0.row(table) { $0[0] as Int } ?? 0 }
    }

    /// - Parameters:
    ///   - people: how many members there are beside the owner.
    ///   - pageLimit: of the database, for a full disk.
    static func with(
        people: Int = 3, pageLimit: Int? = nil, _ body: (Office) async throws -> Void
    ) async throws {
        let folder = "/tmp/soglia-notices-\(getpid())-\(Random.bytes(6).map { String($0, radix: 16) }.joined())"
        try Files.makeFolder(folder)
        defer { Files.removeTree(folder) }
        // A Saturday, 12:00 in Rome.
        let time = Shared(Timestamp(iso8601: "2026-11-21T11:00:00.000Z")!)
        let store = try Store(
            path: folder + "/soglia.sqlite",
            migrations: Ledger.migrations + AccountRecords.migrations + Notices.migrations, pageLimit: pageLimit)
        let rome = Zone(name: "Europe/Rome")!
        let site = Site(id: .new(at: time.value), name: "Officina", kind: .company, zone: rome)
        let other = Site(id: .new(at: time.value), name: "Altrove", kind: .company, zone: .utc)
        let all = (0...people).map { _ in PersonID.new(at: time.value) }
        try await store.write { database in
            try AccountRecords.add(site, at: time.value, by: nil, in: database)
            try AccountRecords.add(other, at: time.value, by: nil, in: database)
            for (index, person) in all.enumerated() {
                try AccountRecords.add(
                    Person(id: person, name: "Person \(index)", email: "p\(index)@example.org", language: nil),
                    passwordHash: nil, at: time.value, in: database)
                try AccountRecords.add(
                    Membership(
                        id: .new(at: time.value), person: person, site: site.id,
                        permission: index == 0 ? .owner : .member, role: nil, firstDay: nil, lastDay: nil),
                    at: time.value, by: nil, in: database)
            }
        }
        let accounts = Accounts(
            store: store, passwords: Passwords(memory: 64 << 10), clock: WallClock { time.value })
        let office = Office(
            store: store, notices: Notices(accounts: accounts), time: time, site: site, other: other, owner: all[0],
            people: Array(all.dropFirst()))
        office.notices.use(office.push)
        office.notices.use(office.mail)
        let heard = office.heard
        office.notices.whenToldInApp { person, delivery in
            heard.change { $0.append((person, delivery?.notice.content.text[.en].title)) }
        }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(office)) } catch { outcome = .failure(error) }
        await store.close()
        try outcome.get()
    }

    /// While the room does its long work.
    func running(_ body: () async throws -> Void) async throws {
        let notices = notices
        let work = Task { try await notices.run() }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        work.cancel()
        _ = await work.result
        try outcome.get()
    }

    func principal(_ person: PersonID, isStrong: Bool = false, provenAgo: Int64 = 0, locked: [Site] = []) throws
        -> Principal
    {
        let (account, memberships) = try store.read { database in
            (
                try AccountRecords.person(person, in: database)!,
                try AccountRecords.memberships(of: person, at: site.id, in: database)
            )
        }
        let session = SessionID.new(at: now)
        return Principal(
            person: account, memberships: locked.contains(site) ? [] : memberships.map { ($0, site) }, locked: locked,
            session: [1],
            origin: session, line: session, isProgram: false,
            proof: Proof(at: now.adding(milliseconds: -provenAgo), isStrong: isStrong))
    }
}
