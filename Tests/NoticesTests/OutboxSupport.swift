import Accounts
import Glibc
import Identity
import Ledger
import Store
import Synchronization
import System
import TestSupport

@testable import Notices

/// Carries by a closure.
final class Hand: Carrier {
    let lanes: Int
    private let body: @Sendable (Parcel) async -> Carried
    private let carried = Mutex<[Parcel]>([])
    var seen: [Parcel] { carried.withLock { $0 } }

    init(lanes: Int, _ body: @escaping @Sendable (Parcel) async -> Carried) { (self.lanes, self.body) = (lanes, body) }

    func carry(_ parcel: Parcel) async -> Carried {
        carried.withLock { $0.append(parcel) }
        return await body(parcel)
    }
}

/// An outbox by itself, and a clock that the test moves.
struct Place {
    let store: Store
    let clock: WallClock
    let outbox: Outbox
    let time: Shared<Timestamp>

    func move(by milliseconds: Int64) { time.change { $0 = $0.adding(milliseconds: milliseconds) } }

    @discardableResult
    func add(
        _ channel: Channel, of person: PersonID? = nil, to site: SiteID? = nil, lifetime: Int64 = 3_600_000,
        share: ShareID? = nil, due wait: Int64? = nil
    ) async throws -> ParcelID {
        let now = clock.now
        let parcel = Parcel(
            id: .new(at: now), channel: channel, person: person, payload: (site?.raw.bytes ?? []) + Array("words".utf8),
            created: now, expires: now.adding(milliseconds: lifetime),
            share: share ?? site.map { ShareID($0.raw) })
        try await store.write {
            try OutboxRecords.add(parcel, due: wait.map { now.adding(milliseconds: $0) }, in: $0)
        }
        return parcel.id
    }

    func attempts(of id: ParcelID) throws -> Int {
        try store.read { try $0.row("SELECT attempts FROM outbox WHERE id = ?", id) { $0[0] as Int } ?? 0 }
    }

    func outboxIsWoken() async throws { try await store.write { _ = try $0.execute("DELETE FROM outbox WHERE 0") } }

    func running(_ body: () async throws -> Void) async throws {
        let outbox = outbox
        let work = Task { try await outbox.run() }
        defer { work.cancel() }
        try await body()
    }

    func state(of id: ParcelID) throws -> ParcelState? {
        try store.read {
            try $0.row("SELECT state FROM outbox WHERE id = ?", id) { ParcelState(rawValue: $0[0]) } ?? nil
        }
    }

    /// How many wait that are due before a time.
    func waiting(until time: Timestamp) throws -> Int {
        try store.read {
            try $0.row("SELECT count(*) FROM outbox WHERE state = 'waiting' AND due < ?", time) { $0[0] as Int } ?? 0
        }
    }

    func payload(of id: ParcelID) throws -> [UInt8]? {
        try store.read { try $0.row("SELECT payload FROM outbox WHERE id = ?", id) { $0[0] as [UInt8] } }
    }

    func expires(of id: ParcelID) throws -> Timestamp? {
        try store.read { try $0.row("SELECT expires FROM outbox WHERE id = ?", id) { $0[0] as Timestamp } }
    }

    func due(of id: ParcelID) throws -> Timestamp? {
        try store.read { try $0.row("SELECT due FROM outbox WHERE id = ?", id) { $0[0] as Timestamp } }
    }
}

func withOutbox(uptime: Shared<UInt64> = Shared(0), _ body: (Place) async throws -> Void) async throws {
    let folder = "/tmp/soglia-outbox-\(getpid())-\(Random.bytes(6).map { String($0, radix: 16) }.joined())"
    try Files.makeFolder(folder)
    let time = Shared(Timestamp(iso8601: "2026-11-21T12:00:00.000Z")!)
    let clock = WallClock { time.value }
    let store = try Store(
        path: folder + "/outbox.sqlite",
        migrations: [OutboxRecords.migration, OutboxRecords.expiryMigration, OutboxRecords.shareMigration])
    let outcome: Result<Void, any Error>
    do {
        outcome = .success(
            try await body(
                Place(
                    store: store, clock: clock,
                    outbox: Outbox(store: store, clock: clock, uptime: { uptime.value }), time: time)))
    } catch { outcome = .failure(error) }
    await store.close()
    for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
    rmdir(folder)
    try outcome.get()
}

/// Holds back what became of some parcels until the test says it; the others arrive.
final class HeldCarrier: Carrier {
    let lanes: Int
    private struct State {
        var held: [(parcel: Parcel, answer: CheckedContinuation<Carried, Never>)] = []
        var seen: [Parcel] = []
        var isOver = false
    }
    private let state = Mutex(State())
    private let holds: @Sendable (Parcel) -> Bool

    init(lanes: Int, holding holds: @escaping @Sendable (Parcel) -> Bool) { (self.lanes, self.holds) = (lanes, holds) }

    /// Those without an answer, in the order in which they came.
    var held: [Parcel] { state.withLock { $0.held.map(\.parcel) } }
    /// All, in the order in which they came.
    var seen: [Parcel] { state.withLock { $0.seen } }

    func carry(_ parcel: Parcel) async -> Carried {
        state.withLock { $0.seen.append(parcel) }
        guard holds(parcel) else { return .delivered }
        return await withCheckedContinuation { answer in
            let isOver = state.withLock { state in
                if !state.isOver { state.held.append((parcel, answer)) }
                return state.isOver
            }
            if isOver { answer.resume(returning: .again(afterSeconds: nil, why: "the test is over")) }
        }
    }

    /// Says what became of all that are held now.
    func answer(_ outcome: Carried) {
        let held = state.withLock { state in
            defer { state.held = [] }
            return state.held
        }
        for one in held { one.answer.resume(returning: outcome) }
    }

    /// Nothing is held any more.
    func end() {
        state.withLock { $0.isOver = true }
        answer(.again(afterSeconds: nil, why: "the test is over"))
    }
}
