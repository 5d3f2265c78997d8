import Identity
import Ledger
import Store
import Synchronization
import System

/// Brings what has to leave the hub to where it belongs: durable, tried again with growing pauses, each channel in lanes of its own, so
/// that a mail server that is down slows no push. Within a channel each share has its turn: see `Shares`.
public final class Outbox: Sendable {
    /// The pause after the first failure, in milliseconds; it doubles with each one more.
    static let firstPause: Int64 = 5_000
    /// The longest pause, in milliseconds: an hour.
    static let longestPause: Int64 = 3_600_000

    /// The clock may be put forward: it is looked at once in so many milliseconds.
    static let longestSleep: Int64 = 60_000
    /// The pause between two looks at the table.
    static let breath = Duration.milliseconds(10)
    /// A side that takes so long to answer, in milliseconds, is slow, whatever it answers.
    static let slowAnswer: UInt64 = 3_000
    /// Shares visited in one look at the table; the next look continues after the last of them.
    static let window = 128
    /// The pause before the next look, in milliseconds, when a lane is free and none of the visited shares may use it.
    static let windowPause: Int64 = 50

    /// So long a parcel that cannot wait for the database waits for a lane; then it is tried once more, or is the outbox's.
    static let patience = Duration.seconds(30)

    private let store: Store
    private let clock: WallClock
    private let uptime: @Sendable () -> UInt64
    private let lines = Mutex<[Channel: Line]>([:])

    /// A channel's carrier, and who holds its lanes.
    private final class Line: Sendable {
        let carrier: any Carrier
        let atOnce: FairLanes<ShareID>
        let shares: Mutex<Shares>

        init(_ carrier: any Carrier) {
            self.carrier = carrier
            atOnce = FairLanes(lanes: carrier.lanesAtOnce, patience: Outbox.patience)
            shares = Mutex(Shares(lanes: carrier.lanes))
        }
    }

    /// - Parameters:
    ///   - store: opened with `Notices.migrations`.
    ///   - uptime: milliseconds of a clock that never jumps.
    public init(
        store: Store, clock: WallClock, uptime: @escaping @Sendable () -> UInt64 = { Uptime.milliseconds }
    ) {
        (self.store, self.clock, self.uptime) = (store, clock, uptime)
    }

    /// Says who carries a channel; before `run`. Parcels of a channel that nobody carries wait until they expire.
    public func use(_ carrier: any Carrier, for channel: Channel) { lines.withLock { $0[channel] = Line(carrier) } }

    /// Whether somebody carries a channel.
    public func carries(_ channel: Channel) -> Bool { lines.withLock { $0[channel] != nil } }

    /// Carries at once, without the database: for what cannot wait for a commit. What became of it is for the caller to write down.
    /// - Parameters:
    ///   - site: what it is about; its parcels share what they may take of the lanes.
    ///   - founder: who made that site: all of theirs have their turns together. Nil: nobody known.
    /// - Returns: nil when no lane for that was free in time: then the caller leaves it to the outbox.
    public func carryAtOnce(_ parcel: Parcel, of site: SiteID? = nil, by founder: PersonID? = nil) async -> Carried? {
        guard let line = line(parcel.channel) else { return .refused(why: "this hub has no way to send that") }
        let group = site.map { ShareID($0.raw) } ?? parcel.share
        return await line.atOnce.run(for: founder.map { ShareID($0.raw) } ?? group, group, parcel.share) {
            let began = uptime()
            let outcome = await line.carrier.carry(parcel, in: .atOnce)
            return (outcome, uptime() - began)
        }
    }

    /// Carries a test at once, beside all other parcels, for a person who waits for the answer.
    public func tryOut(_ parcel: Parcel) async -> Carried {
        if let outcome = await tryOutInLane(parcel) { return outcome }
        let isOwn = line(parcel.channel).map { line in
            line.shares.withLock { $0.held(by: parcel.share, in: .trial) >= $0.mostOfOne }
        }
        return .again(
            afterSeconds: nil,
            why: isOwn == true
                ? "the server has not answered earlier calls yet"
                : "the hub is testing other servers: try again in some seconds")
    }

    private func line(_ channel: Channel) -> Line? { lines.withLock { $0[channel] } }

    private func tryOutInLane(_ parcel: Parcel) async -> Carried? {
        guard let line = line(parcel.channel) else { return .refused(why: "this hub has no way to send that") }
        guard line.shares.withLock({ $0.take(parcel.share, in: .trial) }) else { return nil }
        let began = uptime()
        let outcome = await line.carrier.carry(parcel, in: .trial)
        let isSlow = outcome.isAgain || uptime() - began >= Self.slowAnswer
        line.shares.withLock { $0.giveBack(parcel.share, in: .trial, isSlow: isSlow) }
        return outcome
    }

    /// Carries parcels until the task is cancelled.
    public func run() async throws {
        let lines = lines.withLock { $0 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (channel, line) in lines { group.addTask { try await self.run(channel, line) } }
            let began = clock.now
            group.addTask { try await self.keepHouse(since: began) }
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

    /// Where a loop is in its looks at the table.
    private struct Round {
        /// On their way.
        var busy: Set<ParcelID> = []
        /// The next look goes on after this share; nil: from the first one.
        var last: ShareID?
        /// Whether the last look went through all shares.
        var isWhole = true
    }

    private func run(_ channel: Channel, _ line: Line) async throws {
        try await withThrowingTaskGroup(of: Woken.self) { group in
            var round = Round()
            var isWaiting = false
            // It may have been set back while the hub was off.
            var last = Timestamp(milliseconds: .max)
            while !Task.isCancelled {
                let (commits, now) = (store.commits, clock.now)
                if now >= last {
                    last = now
                } else if clock.doubt == nil {
                    try await store.write(.vital) {
                        try OutboxRecords.clockWentBack(to: now, on: channel, in: $0)
                    }
                    last = now
                }
                for parcel in try choose(on: channel, line, at: now, &round) {
                    group.addTask {
                        try await self.carry(parcel, by: line)
                        return .carried(parcel.id)
                    }
                }
                // Where all lanes are taken, nothing can be done before one is free.
                if !isWaiting, !line.shares.withLock({ $0.isFull(.ordinary) }) {
                    let isWhole = round.isWhole
                    group.addTask {
                        try await self.waitForWork(on: channel, after: commits, since: now, isWhole: isWhole)
                        return .work
                    }
                    isWaiting = true
                }
                switch try await group.next() {
                case .carried(let id): round.busy.remove(id)
                case .work, nil: isWaiting = false
                }
            }
            group.cancelAll()
        }
    }

    /// What is carried next: of each share that has something due and a place, in their turns, one parcel, and then another one.
    private func choose(
        on channel: Channel, _ line: Line, at now: Timestamp, _ round: inout Round
    ) throws -> [Parcel] {
        if line.shares.withLock({ $0.isFull(.ordinary) }) { return [] }
        return try store.read { database in
            let waiting = try Self.look(on: channel, &round, in: database)
            var order = line.shares.withLock { shares in
                if round.isWhole { shares.keepTurns(of: Set(waiting.map(\.share))) }
                return shares.inTurn(waiting.filter { $0.due <= now })
            }
            var chosen: [Parcel] = []
            while !order.isEmpty {
                var served: [ShareID] = []
                for share in order {
                    let (hasPlace, held) = line.shares.withLock {
                        ($0.hasPlace(for: share, in: .ordinary), $0.held(by: share, in: .ordinary))
                    }
                    guard hasPlace,
                        let parcel = try OutboxRecords.first(
                            of: share, on: channel, at: now, without: round.busy, held: held, in: database),
                        line.shares.withLock({ $0.take(share, in: .ordinary, hasFailed: parcel.attempts > 0) })
                    else { continue }
                    round.busy.insert(parcel.id)
                    chosen.append(parcel)
                    served.append(share)
                }
                order = served
            }
            return chosen
        }
    }

    /// The shares for which something waits: all, or where there are very many, some after those of the last look.
    private static func look(
        on channel: Channel, _ round: inout Round, in database: Database
    ) throws -> [WaitingShare] {
        var found = try OutboxRecords.waitingShares(on: channel, after: round.last, limit: window, in: database)
        if found.count < window, let last = round.last {
            let first = try OutboxRecords.waitingShares(
                on: channel, after: nil, limit: window - found.count, in: database)
            let isRound = first.count < window - found.count || first.contains { $0.share > last }
            found = first.filter { $0.share <= last } + found
            (round.isWhole, round.last) = (isRound, isRound ? nil : first.last?.share)
        } else {
            round.isWhole = found.count < window
            round.last = round.isWhole ? nil : found.last?.share
        }
        return found
    }

    /// Until something is due that was not, or was written; a moment later, so that a busy hub is not asked at each of its commits. What
    /// is due already waits for a lane.
    private func waitForWork(
        on channel: Channel, after commits: UInt64, since now: Timestamp, isWhole: Bool
    ) async throws {
        let (next, isDue) = try store.read { database in
            // Of many shares those that have something due may be the ones after the window.
            (
                try OutboxRecords.nextDue(on: channel, after: now, in: database),
                try !isWhole && OutboxRecords.isAnyDue(on: channel, at: now, in: database)
            )
        }
        var pause = next.map { $0.milliseconds - clock.now.milliseconds } ?? Self.longestSleep
        if isDue { pause = min(pause, Self.windowPause) }
        let longest = max(0, min(pause, Self.longestSleep))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await self.store.committed(after: commits) }
            group.addTask { try? await Task.sleep(for: .milliseconds(longest)) }
            await group.next()
            group.cancelAll()
        }
        try await Task.sleep(for: Self.breath)
    }

    private func carry(_ parcel: Parcel, by line: Line) async throws {
        var isSlow: Bool?
        defer { line.shares.withLock { $0.giveBack(parcel.share, in: .ordinary, isSlow: isSlow) } }
        let carrier = line.carrier
        let isLate = parcel.expires <= clock.now
        let began = uptime()
        let outcome: Carried = isLate ? .refused(why: "") : await carrier.carry(parcel)
        if !isLate { isSlow = outcome.isAgain || uptime() - began >= Self.slowAnswer }
        try await store.write(.vital) { [clock] database in
            // Within the transaction: `clockWentBack` comes before it, or after it.
            let now = clock.now
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

    private func keepHouse(since began: Timestamp) async throws {
        try await store.write(.vital) { try OutboxRecords.release(before: began, within: Notices.lease, in: $0) }
        while !Task.isCancelled {
            try await clock.waitUntilRemoving()
            let now = clock.now
            while try await store.write(.vital, { try OutboxRecords.sweep(at: now, in: $0) }) {}
            try await Task.sleep(for: .seconds(3_600))
        }
    }
}
