import Ledger
import Store
import Synchronization
import System

/// Brings what has to leave the hub to where it belongs: durable, tried again with growing pauses, each channel in lanes of its own, so
/// that a mail server that is down slows no push.
public final class Outbox: Sendable {
    /// The pause after the first failure, in milliseconds; it doubles with each one more.
    static let firstPause: Int64 = 5_000
    /// The longest pause, in milliseconds: an hour.
    static let longestPause: Int64 = 3_600_000

    /// The clock may be put forward: it is looked at once in so many milliseconds.
    static let longestSleep: Int64 = 60_000
    /// The pause between two looks at the table.
    static let breath = Duration.milliseconds(10)

    private let store: Store
    private let clock: WallClock
    private let carriers = Mutex<[Channel: any Carrier]>([:])

    /// - Parameter store: opened with `Notices.migrations`.
    public init(store: Store, clock: WallClock) { (self.store, self.clock) = (store, clock) }

    /// Says who carries a channel; before `run`. Parcels of a channel that nobody carries wait until they expire.
    public func use(_ carrier: any Carrier, for channel: Channel) { carriers.withLock { $0[channel] = carrier } }

    /// Whether somebody carries a channel.
    public func carries(_ channel: Channel) -> Bool { carriers.withLock { $0[channel] != nil } }

    /// Carries at once, without the database: for what cannot wait for a commit. What became of it is for the caller to write down.
    public func carryAtOnce(_ parcel: Parcel) async -> Carried {
        guard let carrier = carriers.withLock({ $0[parcel.channel] }) else {
            return .refused(why: "this hub has no way to send that")
        }
        return await carrier.carryAtOnce(parcel)
    }

    /// Carries parcels until the task is cancelled.
    public func run() async throws {
        let carriers = carriers.withLock { $0 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (channel, carrier) in carriers { group.addTask { try await self.run(channel, carrier) } }
            group.addTask { try await self.keepHouse() }
            try await group.waitForAll()
        }
    }

    /// How long to wait after so many failures, in milliseconds: 5 s, 10 s, 20 s … an hour.
    static func pause(after attempts: Int, asked seconds: Int?) -> Int64 {
        let own = min(firstPause << Int64(min(attempts, 20)), longestPause)
        return max(own, min(Int64(clamping: seconds ?? 0), longestPause / 1000) * 1000)
    }

    private enum Woken: Sendable {
        case carried(ParcelID), work
    }

    private func run(_ channel: Channel, _ carrier: any Carrier) async throws {
        try await withThrowingTaskGroup(of: Woken.self) { group in
            var busy: Set<ParcelID> = []
            var isWaiting = false
            while !Task.isCancelled {
                let (commits, now) = (store.commits, clock.now)
                let free = max(carrier.lanes, 1) - busy.count
                let due = try store.read {
                    try OutboxRecords.due(on: channel, at: now, without: busy, limit: free, in: $0)
                }
                for parcel in due {
                    busy.insert(parcel.id)
                    group.addTask {
                        try await self.carry(parcel, by: carrier)
                        return .carried(parcel.id)
                    }
                }
                if !isWaiting {
                    let carried = busy
                    group.addTask {
                        try await self.waitForWork(on: channel, after: commits, without: carried)
                        return .work
                    }
                    isWaiting = true
                }
                switch try await group.next() {
                case .carried(let id): busy.remove(id)
                case .work, nil: isWaiting = false
                }
            }
            group.cancelAll()
        }
    }

    /// Until something is due, or was written; a moment later, so that a busy hub is not asked at each of its commits.
    private func waitForWork(on channel: Channel, after commits: UInt64, without busy: Set<ParcelID>) async throws {
        let next = try store.read { try OutboxRecords.nextDue(on: channel, without: busy, in: $0) }
        let pause = next.map { $0.milliseconds - clock.now.milliseconds } ?? Self.longestSleep
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await self.store.committed(after: commits) }
            group.addTask { try? await Task.sleep(for: .milliseconds(max(0, min(pause, Self.longestSleep)))) }
            await group.next()
            group.cancelAll()
        }
        try await Task.sleep(for: Self.breath)
    }

    private func carry(_ parcel: Parcel, by carrier: any Carrier) async throws {
        let isLate = parcel.expires <= clock.now
        let outcome: Carried = isLate ? .refused(why: "") : await carrier.carry(parcel)
        let now = clock.now
        try await store.write { database in
            if !isLate { try carrier.note(outcome, of: parcel, in: database) }
            switch outcome {
            case _ where isLate:
                try OutboxRecords.finish(parcel.id, .expired, why: nil, at: now, in: database)
            case .delivered: try OutboxRecords.finish(parcel.id, .delivered, why: nil, at: now, in: database)
            case .refused(let why):
                try OutboxRecords.finish(parcel.id, .refused, why: why, at: now, in: database)
            case .again(let seconds, let why):
                let due = now.adding(milliseconds: Self.pause(after: parcel.attempts, asked: seconds))
                try OutboxRecords.postpone(parcel.id, until: due, why: why, in: database)
            }
        }
    }

    private func keepHouse() async throws {
        while !Task.isCancelled {
            let line = clock.now.adding(milliseconds: -OutboxRecords.kept)
            try await store.write { try OutboxRecords.sweep(before: line, in: $0) }
            try await Task.sleep(for: .seconds(3_600))
        }
    }
}
