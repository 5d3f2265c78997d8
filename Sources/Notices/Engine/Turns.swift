import Accounts
import Identity
import Ledger
import Store
import System

// One person after the other, until somebody takes care: driven by the clock and kept in the table, so that a restart forgets nobody.

extension Notices {
    /// At most so many turns in one transaction.
    static let turnBatch = 64
    /// The clock may be put forward: it is looked at once in so many milliseconds.
    static let longestSleep: Int64 = 60_000
    /// The pause between two looks at the table, so that a busy hub is not asked at each of its commits.
    static let breath = Duration.milliseconds(50)

    /// Tells whoever's turn has come. Returns when the task is cancelled.
    func takeTurns() async throws {
        // It may have been set back while the hub was off.
        var last = Timestamp(milliseconds: .max)
        while !Task.isCancelled {
            let (commits, now) = (store.commits, clock.now)
            if now >= last {
                last = now
            } else if clock.doubt == nil {
                try await store.write(.vital) { try NoticeRecords.clockWentBack(to: now, in: $0) }
                last = now
            }
            let next = try store.read { try NoticeRecords.nextTurn(in: $0) }
            if let next, next <= now {
                let told = try await store.write(.vital) { try self.takeTurns(at: now, in: $0) }
                for delivery in told { tellInApp(delivery.person, delivery) }
                continue
            }
            let pause = min(next.map { $0.milliseconds - now.milliseconds } ?? Self.longestSleep, Self.longestSleep)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { _ = await self.store.committed(after: commits) }
                group.addTask { try? await Task.sleep(for: .milliseconds(pause)) }
                await group.next()
                group.cancelAll()
            }
            try await Task.sleep(for: Self.breath)
        }
    }

    private func takeTurns(at now: Timestamp, in database: Database) throws -> [NoticeDelivery] {
        try NoticeRecords.turns(at: now, limit: Self.turnBatch, in: database).compactMap { notice, minutes in
            try takeTurn(of: notice, minutes: minutes, at: now, in: database)
        }
    }

    private func takeTurn(
        of notice: Notice, minutes: Int, at now: Timestamp, in database: Database
    ) throws -> NoticeDelivery? {
        let site = try notice.site.flatMap { try AccountRecords.site($0, in: database) }
        var waiting = try NoticeRecords.waiting(for: notice.id, in: database)[...]
        var delivery: NoticeDelivery?
        while notice.isValid(at: now), delivery == nil, let person = waiting.popFirst() {
            guard let reader = try PreferenceRecords.reader(person, in: database) else { continue }
            // Whose part in the site has ended since is passed over: it is not theirs any more.
            if try !concerns(person, notice, at: now, in: database) { continue }
            delivery = try tell(reader, notice, at: site, now, in: database)
        }
        let isOver = waiting.isEmpty || !notice.isValid(at: now)
        let turn = isOver ? nil : now.adding(milliseconds: Int64(minutes) * 60_000)
        try NoticeRecords.setTurn(turn, of: notice.id, in: database)
        return delivery
    }

    /// Whether a notice still concerns somebody, by what they may at its site now.
    func concerns(_ person: PersonID, _ notice: Notice, at now: Timestamp, in database: Database) throws -> Bool {
        guard let site = notice.site else { return true }
        return try AccountRecords.may(
            person, concerned(by: notice.content.kind), at: site, now: now, in: database)
    }
}
