import Accounts
import Identity
import JSON
import Ledger
import Notices
import Store
import Synchronization
import System

/// Keeps the hub's time over its starts, says when the machine's clock is not believed, and takes the word of people who know better.
final class ClockKeeper: Sendable {
    /// How often it is looked at.
    private static let beat = Duration.seconds(1)
    /// How often the time is kept, in milliseconds of a clock that never jumps.
    private static let keeping: UInt64 = 3_600_000
    /// Between two doubts of which people are told, in milliseconds.
    private static let pause: UInt64 = 600_000
    /// Under these names the hub's facts have the time that was kept, and the word of a person at the box itself.
    private static let markName = "clock"
    fileprivate static let wordName = "clock-confirmed"

    let given: Given
    private let checked: CheckedClock
    private let health: HubHealth

    init(_ given: Given, _ checked: CheckedClock, _ health: HubHealth) {
        (self.given, self.checked, self.health) = (given, checked, health)
    }

    /// The machine's clock, tied to the time that was kept.
    static func clock(_ source: CheckedClock.Source, _ store: Store) throws -> CheckedClock {
        let (mark, newest) = try store.read { database in
            (
                try AccountRecords.hubValue(markName, in: database).flatMap(ClockCheck.Mark.init(decoding:)),
                try database.row("SELECT at FROM events ORDER BY position DESC LIMIT 1") { $0[0] as Timestamp }
            )
        }
        return CheckedClock(source, mark: mark, newest: newest)
    }

    // MARK: its work

    /// Runs until cancelled.
    func run() async throws {
        // From the start on: a doubt of the start may end before the first look.
        var (kept, isFirst, known) = (checked.first, true, nil as ClockDoubt?)
        var (isTold, told) = (false, nil as UInt64?)
        while true {
            try await takeWord()
            let doubt = checked.doubt
            health.set(.clockInDoubt, doubt != nil)
            if let doubt, known == nil { await begins(doubt) }
            let mark = checked.mark
            // A clock that comes and goes is told now and then, and what stays in any case.
            if let doubt, !isTold, told.map({ mark.steady >= $0 + Self.pause }) ?? true {
                (isTold, told) = (true, mark.steady)
                await notify(ClockNotice.begins(doubt), others: ClockNotice.informs)
            } else if doubt == nil, isTold {
                isTold = false
                await notify(ClockNotice.over, others: ClockNotice.over)
            }
            // Also where somebody confirmed it between two looks.
            let isSet = mark.differs(from: kept)
            let isOther = isFirst || isSet || (doubt == nil) != (known == nil)
            if doubt == nil, isOther { await isRight(after: known, isSet: isSet) }
            (isFirst, known) = (false, doubt)
            if isOther || mark.steady >= kept.steady + Self.keeping {
                kept = mark
                await keep()
            }
            try await Task.sleep(for: Self.beat)
        }
    }

    /// Keeps what time it is for the next start.
    func keep() async {
        let mark = checked.mark
        do {
            try await given.store.write(.vital) { try AccountRecords.setHubValue(Self.markName, mark.encoded, in: $0) }
        } catch {
            Log.warning("hub", "the time could not be kept for the next start", ["why": "\(error)"])
        }
    }

    /// What somebody said at the box itself.
    private func takeWord() async throws {
        guard let bytes = try given.store.read({ try AccountRecords.hubValue(Self.wordName, in: $0) }) else { return }
        let isTaken = ClockCheck.Mark(decoding: bytes).map { checked.confirm($0) } ?? false
        if !isTaken {
            Log.warning("hub", "the clock was confirmed at another time than it shows now: that counts no more")
        }
        try await given.store.write(.vital) { try AccountRecords.removeHubValue(Self.wordName, if: bytes, in: $0) }
    }

    private func begins(_ doubt: ClockDoubt) async {
        Log.failure(
            "hub",
            "the machine's clock is not believed: no time is signed, no pass is made, nothing is removed by its age",
            ["why": doubt.cause.rawValue, "machine": doubt.machine.iso8601, "time": doubt.own.iso8601])
        await write("hub.clock.doubted", doubt)
    }

    private func isRight(after known: ClockDoubt?, isSet: Bool) async {
        if let known {
            Log.info("hub", "the machine's clock is believed again", ["time": given.clock.now.iso8601])
            await write("hub.clock.believed", known)
        }
        do {
            let count = try await given.gates.endPassesMadeAhead(isSet: isSet)
            if count > 0 {
                Log.warning("hub", "passes that were made while the clock was ahead are void", ["count": "\(count)"])
            }
        } catch { Log.failure("hub", "passes made ahead of time could not be ended", ["why": "\(error)"]) }
    }

    private func write(_ kind: String, _ doubt: ClockDoubt) async {
        let now = given.clock.now
        do { try await given.store.write(.vital) { try Self.tell(kind, doubt, at: now, by: nil, in: $0) } } catch {
            Log.warning("hub", "that the clock is doubted, or no more, was not written down", ["why": "\(error)"])
        }
    }

    fileprivate static func tell(
        _ kind: String, _ doubt: ClockDoubt?, at now: Timestamp, by person: PersonID?, in database: Database
    ) throws {
        var json = JSONWriter()
        json.object { json in
            json.field("why", doubt?.cause.rawValue)
            json.field("machine", doubt?.machine.iso8601)
            if let person { json.field("by", person.text) }
        }
        try Ledger.append(
            NewEvent(id: .new(at: now), site: .hub, kind: kind, at: now, payload: json.bytes), to: database)
    }

    /// - Parameters:
    ///   - content: for those who may confirm the clock.
    ///   - others: for the owners of other places.
    private func notify(_ content: NoticeContent, others: NoticeContent) async {
        do {
            let (first, now) = (try firstPlace(), given.clock.now)
            let owners = try await given.ownersOfAll()
            let keepers = try given.store.read { database in
                try first.map { try AccountRecords.memberships(at: $0.id, in: database) } ?? []
            }.filter { one in
                one.permission == .owner && (first.map { one.holds(on: $0.zone.day(at: now)) } ?? false)
            }.map(\.person)
            let guests = owners.filter { !keepers.contains($0) }
            for (content, people) in [(content, keepers), (others, guests)] where !people.isEmpty {
                _ = try await given.notices.send(Notify(site: nil, content: content, to: .all(people)))
            }
        } catch { Log.warning("hub", "owners were not told about the clock", ["why": "\(error)"]) }
    }

    // MARK: people who know better

    /// Whether somebody may say that the machine's clock is right: an owner of the place that was made first with this hub. On a hub
    /// of many, the others are guests.
    func mayConfirm(_ principal: Principal) throws -> Bool {
        let now = given.clock.now
        return try firstPlace().map { principal.may([.owner], at: $0.id, now) } ?? false
    }

    private func firstPlace() throws -> Site? {
        try given.store.read { database in
            try AccountRecords.firstSite(in: database).flatMap { try AccountRecords.site($0, in: database) }
        }
    }

    /// Somebody says that the machine's clock is right as it is. Whoever calls this has seen a fresh proof.
    /// - Parameter ahead: how far ahead of the hub's own count it was when they looked, in seconds.
    /// - Returns: false: it is another time by now.
    func confirm(by principal: Principal, ahead: Int) async throws -> Bool {
        let (doubt, person) = (checked.doubt, principal.person.id)
        guard let doubt else { return true }
        let (difference, isOverflow) = doubt.ahead.subtractingReportingOverflow(ahead)
        guard !isOverflow, difference.magnitude <= UInt(ClockCheck.tolerance / 1000) else { return false }
        let now = given.clock.now
        // Written first: by the new time their session may be over.
        try await given.store.write(.vital) { try Self.tell("hub.clock.confirmed", doubt, at: now, by: person, in: $0) }
        checked.confirm()
        return true
    }
}

/// The word of a person at the box itself.
public enum ClockConfirmation {
    /// Says that the machine's clock is right as it is. A hub that runs there takes it up within seconds, one that starts next does so
    /// then.
    public static func write(to store: Store) async throws {
        let mark = CheckedClock(mark: nil, newest: nil).mark
        try await store.write(.vital) { database in
            try AccountRecords.setHubValue(ClockKeeper.wordName, mark.encoded, in: database)
            try ClockKeeper.tell("hub.clock.confirmed", nil, at: mark.time, by: nil, in: database)
        }
    }
}
