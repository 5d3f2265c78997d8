import Accounts
import Commands
import Identity
import Ledger
import Store
import Synchronization
import System

// Life safety acts first and records second: what is critical waits neither for a commit nor for a full disk.

extension Notices {
    /// So long a parcel that is being carried without the database is left alone by the outbox, in milliseconds: after it, a hub that
    /// was restarted in between carries it once more.
    static let lease: Int64 = 60_000
    /// At most so many parcels on their way at once.
    static let lanesAtOnce = 64
    /// The pause before a parcel is tried again that found no free lane, while it is not written down yet.
    static let lanePause = Duration.milliseconds(250)
    private static let waitsWhenGivenUp = 3
    /// The longest pause between two attempts to write down what was told.
    static let longestPause = Duration.seconds(60)

    /// Tells people something critical, now: open pages and devices hear of it before anything is written. Waits for nothing; what was
    /// told is written down as soon as it can be.
    ///
    /// While it cannot be written down, nobody can say that they take care: when the next person's turn comes, all the others are told.
    @discardableResult
    public func notifyAtOnce(_ notify: Notify, by caller: Caller = .hub) -> NoticeID {
        precondition(notify.content.urgency >= .high, "only what is urgent goes before it is written down")
        let now = clock.now
        let notice = Self.notice(notify, by: caller, at: now)
        if let sameness = NoticeRecords.sameness(notify),
            let earlier = remembered.same(as: sameness, within: notify.window, else: notice.id, at: now)
        {
            return earlier
        }
        let people = notify.recipients.people
        let told = AtOnce(notice: notice, notify: notify)
        let left = unrecorded.begin(told)
        let first = notify.recipients.minutesBetween == nil || told.isGivenUp ? people[...] : people.prefix(1)
        tell(told, Array(first), at: now)
        // Nobody writes down whose turn it is.
        if let left { tellTheOthers(left, at: now) }
        Task {
            // Nobody waits for what is read for it.
            self.tell(told, [], self.call(to: notice), at: now)
            await self.record(told)
            self.unrecorded.end(told)
        }
        return notice.id
    }

    /// The call to the site's own server: it may be what calls for help. Reading waits for no commit; what cannot be read is called when
    /// the notice is written down.
    private func call(to notice: Notice) -> [Parcel] {
        guard outbox.carries(.webhook),
            let parcel = try? store.read({ try WebhookRecords.parcel(for: notice, in: $0) })
        else { return [] }
        return [parcel]
    }

    /// Publishes and carries without the database.
    private func tell(_ told: AtOnce, _ people: [PersonID], _ calls: [Parcel] = [], at now: Timestamp) {
        var parcels = calls
        for person in people {
            let delivery = remembered.delivery(of: told.notice, to: person)
            tellInApp(person, delivery)
            for way in ways { parcels += way.parcelsAtOnce(for: delivery, at: now) }
        }
        told.state.withLock { state in
            state.told += people
            state.parcels += parcels
        }
        guard !parcels.isEmpty else { return }
        let leaving = parcels
        Task {
            await withTaskGroup(of: Void.self) { group in
                for (index, parcel) in leaving.enumerated() {
                    if index >= Self.lanesAtOnce { await group.next() }
                    group.addTask { await self.carry(parcel, of: told) }
                }
            }
        }
    }

    /// Until it has arrived or is refused; once it is written down, trying again is the outbox's. What is given up is tried once,
    /// and waits `waitsWhenGivenUp` times for a lane.
    func carry(_ parcel: Parcel, of told: AtOnce) async {
        var (attempts, waits) = (0, 0)
        let site = told.notice.site
        let founder = site.flatMap { remembered.founder(of: $0, in: store) }
        while parcel.expires > clock.now {
            let outcome = await outbox.carryAtOnce(parcel, of: site, by: founder)
            if told.note(outcome, of: parcel.id) {
                await settle([parcel.id: outcome])
                return
            }
            if outcome == nil { waits += 1 }
            if told.isGivenUp, outcome != nil || waits >= Self.waitsWhenGivenUp { return }
            switch outcome {
            case .delivered, .refused: return
            case .again:
                try? await Task.sleep(for: .milliseconds(Outbox.pause(after: attempts, asked: nil)))
                attempts += 1
            case nil: try? await Task.sleep(for: Self.lanePause)
            }
            if told.state.withLock({ $0.isRecorded || $0.isGivenUp && outcome != nil }) { return }
        }
    }

    /// Writes down what was told, as soon as that is possible, unless it is given up.
    func record(_ told: AtOnce) async {
        var pause = Duration.milliseconds(250)
        while clock.now < told.notice.expires {
            if told.isGivenUp {
                return Log.failure("notices", "a notice was told and is not recorded: too many wait for the disk")
            }
            do {
                let people = told.state.withLock { ($0.told, $0.parcels) }
                try await store.write(.vital) { try self.write(told, people.0, people.1, in: $0) }
                await settle(told.recorded())
                return
            } catch {
                Log.failure("notices", "a critical notice was told and could not be written down yet")
            }
            tellTheNext(told)
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// The next person's turn has come: nobody could say that they take care.
    private func tellTheNext(_ told: AtOnce) {
        guard let minutes = told.notify.recipients.minutesBetween else { return }
        let now = clock.now
        // What was told later than now was told by a clock that was ahead.
        let age = now.milliseconds - told.notice.created.milliseconds
        guard age < -ClockCheck.tolerance || age >= Int64(minutes) * 60_000 else { return }
        tellTheOthers(told, at: now)
    }

    private func tellTheOthers(_ told: AtOnce, at now: Timestamp) {
        let known = Set(told.state.withLock { $0.told })
        let others = told.notify.recipients.people.filter { !known.contains($0) }
        if !others.isEmpty { tell(told, others, at: now) }
    }

    private func write(
        _ told: AtOnce, _ people: [PersonID], _ parcels: [Parcel], in database: Database
    ) throws {
        let (notice, now) = (told.notice, clock.now)
        if try NoticeRecords.notice(notice.id, in: database) != nil { return }
        let readers = try told.notify.recipients.people.compactMap {
            try PreferenceRecords.reader($0, in: database)
        }
        try put(
            notice, told.notify, NoticeRecords.sameness(told.notify), readers.map(\.person),
            isServerCalled: parcels.contains { $0.channel == .webhook }, in: database)
        // Of who has left meanwhile nothing is kept.
        let known = Set(readers.map(\.person))
        for parcel in parcels where parcel.person.map(known.contains) ?? true {
            try OutboxRecords.add(parcel, due: now.adding(milliseconds: Self.lease), in: database)
        }
        let place = try notice.site.flatMap { try AccountRecords.site($0, in: database) }?.name
        for reader in readers where people.contains(reader.person) {
            try NoticeRecords.setTold(reader.person, of: notice.id, at: notice.created, held: nil, in: database)
            let delivery = NoticeDelivery(notice, to: reader, at: place)
            // What memory had no device for, the tables may have.
            for way in ways
            where !parcels.contains(where: { $0.person == reader.person && $0.channel == way.channel }) {
                for parcel in try way.parcels(for: delivery, at: now, in: database) {
                    try OutboxRecords.add(parcel, in: database)
                }
            }
        }
        if let minutes = told.notify.recipients.minutesBetween, readers.count > people.count {
            let turn = notice.created.adding(milliseconds: Int64(minutes) * 60_000)
            try NoticeRecords.setTurn(turn, of: notice.id, in: database)
        }
    }

    /// Writes down what became of parcels that were carried without the outbox.
    private func settle(_ outcomes: [ParcelID: Carried?]) async {
        if outcomes.isEmpty { return }
        let now = clock.now
        do {
            try await store.write(.vital) { database in
                for (id, outcome) in outcomes {
                    switch outcome {
                    case .delivered: try OutboxRecords.finish(id, .delivered, why: nil, at: now, in: database)
                    case .refused(let why): try OutboxRecords.finish(id, .refused, why: why, at: now, in: database)
                    case .again(let seconds, let why):
                        let due = now.adding(milliseconds: Outbox.pause(after: 0, asked: seconds))
                        try OutboxRecords.postpone(id, until: due, why: why, in: database)
                    case nil: try OutboxRecords.release(id, at: now, in: database)
                    }
                }
            }
        } catch {
            // The outbox carries them once more when their lease ends: twice is better than never.
            Log.warning("notices", "what became of a critical notice was not written down", ["why": "\(error)"])
        }
    }
}

/// Something critical on its way before it is written down.
final class AtOnce: Sendable {
    let notice: Notice
    let notify: Notify
    let state = Mutex(State())

    struct State {
        var told: [PersonID] = []
        var parcels: [Parcel] = []
        /// What became of each; nil: no lane was free in time.
        var outcomes: [ParcelID: Carried?] = [:]
        var isRecorded = false
        /// Too many wait for the disk: it is not written down, and what could not be carried is not tried again.
        var isGivenUp = false
    }

    var urgency: Urgency { notice.content.urgency }
    var isGivenUp: Bool { state.withLock { $0.isGivenUp } }
    func giveUp() { state.withLock { $0.isGivenUp = true } }

    init(notice: Notice, notify: Notify) { (self.notice, self.notify) = (notice, notify) }

    /// Keeps what became of a parcel. True: the notice is written down already, and so this has to be.
    func note(_ outcome: Carried?, of parcel: ParcelID) -> Bool {
        state.withLock { state in
            if !state.isRecorded { state.outcomes.updateValue(outcome, forKey: parcel) }
            return state.isRecorded
        }
    }

    /// It is written down: what became of its parcels so far has to be too.
    func recorded() -> [ParcelID: Carried?] {
        state.withLock { state in
            state.isRecorded = true
            return state.outcomes
        }
    }
}
