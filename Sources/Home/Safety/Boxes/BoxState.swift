import Household
import Ledger
import Safeguard
import System
import Wire

/// What the hub knows of one box since it said hello.
struct BoxState: Sendable {
    /// So long a hello waits for the records that it speaks of, in milliseconds: then the panels are compared without them.
    static let patience: Int64 = 3_000
    /// Calls for help while it was alone of which the hub hears within so long, in milliseconds, are told as one: who presses often calls once.
    static let onePast: Int64 = 60_000
    /// That somebody disarmed there is believed by its record. Once the box has told nothing for so long, in milliseconds, none will come: it
    /// tells again every four seconds what the hub has not acknowledged.
    static let silence: Int64 = 12_000
    /// And no longer than that, in milliseconds, while it goes on telling.
    static let longestPatience: Int64 = 600_000

    /// Of its latest hello, 8 bytes; nil: it is not there.
    var session: [UInt8]?
    /// Of the last order in any session: milliseconds of the clock, and always rising.
    var counter: UInt64 = 0
    /// What it said last of itself.
    var hello: BoxHello?
    /// Since when its panel waits to be compared with the hub's; nil: it does not.
    var compares: Timestamp?
    /// Which of its records were acted on.
    var acted = ActedRecords()
    /// Its sensors in the order of its records, as they were read last; nil: never.
    var places: [Sensor]?
    /// When a record of it came last.
    var told: Timestamp?
    /// When people were told last of a tag that is not known.
    var unknownTag: Timestamp?
    /// Of such tags people are told once in so long, in milliseconds: an hour.
    static let betweenUnknownTags: Int64 = 3_600_000
    /// People were told last that somebody called for help there while it was alone: of which journal, of what up to which number, and when.
    private var called: (journal: ID16, upTo: UInt64, at: Timestamp)?
    /// Whether something was tripped there, as far as it told.
    private(set) var isDisturbed = false
    /// Whether its siren sounded when it told last.
    var isSounding = false
    /// What tripped there last.
    private(set) var tripped: HousePanel.Trip?
    /// The revision of the house's panel when something there was heard of last.
    private var heard: UInt64 = 0
    /// The last act of somebody that ends a noise or an alarm, and the revision that it made.
    private var answer: (order: BoxOrder.Kind, revision: UInt64)?
    /// Orders that were sent last, the newest at the end: what it refuses is known by their ids.
    var orders: [(id: ID16, kind: BoxOrder.Kind, at: Timestamp)] = []
    /// So many are known.
    /// - Key: box
    static let mostOrders = 32
    /// What it does not do, one of each kind at most.
    var refusals: [RefusedOrder] = []
    /// How many messages were dropped because its key did not sign them, or because they were old ones.
    var dropped = 0
    /// The key under which all of this was said: another one begins anew.
    var key: [UInt8]?

    /// The number of the next order.
    mutating func next(at now: Timestamp) -> UInt64 {
        counter = max(counter + 1, UInt64(max(now.milliseconds, 0)))
        return counter
    }

    /// What somebody did about the alarm there that they knew of; nil: nobody has done anything yet, or the hub was started anew since and
    /// cannot know.
    var answered: BoxOrder.Kind? { answer.flatMap { $0.revision > heard ? $0.order : nil } }

    /// Something happened there; nothing that somebody did before was about it.
    mutating func hear(_ trip: HousePanel.Trip?, _ revision: UInt64) {
        (isDisturbed, heard) = (true, revision)
        tripped = trip ?? tripped
    }

    /// It told how it stands. An alarm of which no record has come is heard of like this.
    mutating func hear(_ standing: PanelStanding, _ revision: UInt64) {
        let isDisturbed = Self.isDisturbed(standing)
        if isDisturbed, !self.isDisturbed { heard = revision }
        if !isDisturbed { tripped = nil }
        self.isDisturbed = isDisturbed
    }

    /// Whether people were told of a call for help in the same cut. What is called in another one is another call.
    func hasCalled(by record: BoxRecord, at now: Timestamp) -> Bool {
        guard let called, called.journal == record.journalID, record.sequence <= called.upTo else { return false }
        return abs(now.milliseconds - called.at.milliseconds) < Self.onePast
    }

    /// People are told of a call for help in a cut, of which the hello tells how far it goes.
    mutating func noteCall(_ record: BoxRecord, at now: Timestamp) {
        let last = hello.flatMap { $0.journalID == record.journalID ? $0.lastSequence : nil } ?? 0
        called = (record.journalID, max(last, record.sequence), now)
    }

    static func isDisturbed(_ standing: PanelStanding) -> Bool {
        standing.state == PanelState.pending.rawValue || standing.state == PanelState.triggered.rawValue
    }

    /// Somebody ended a noise or an alarm of the house.
    mutating func answer(_ order: BoxOrder.Kind, _ revision: UInt64) { answer = (order, revision) }

    /// Whether a hello is an old one, said again: a box's own time only grows, and what it counts does too.
    func isReplay(_ new: BoxHello) -> Bool {
        guard let hello else { return false }
        if new.bootCount != hello.bootCount { return new.bootCount < hello.bootCount }
        return new.uptime < hello.uptime
    }
}

/// Which records of a box were acted on since the hub's start; of those before, the table knows. They do not all come in their order: of a
/// box that tells much the bus loses some, and it tells those again after what came later.
///
/// What is forgotten here and is told again is acted on once more.
struct ActedRecords: Sendable {
    /// So many journals of a box are known at a time, the latest. A box begins one when it is set up anew.
    /// - Key: box
    static let mostJournals = 16
    /// So many stretches of numbers without a gap are known of a journal, the highest. Of what is told again below them the table knows what has
    /// a place in the log.
    /// - Key: box
    static let mostStretches = 1_024

    private struct Journal {
        let id: ID16
        /// In their order, with a gap between any two.
        var stretches: [ClosedRange<UInt64>] = []
    }
    /// The one that was heard of last comes last.
    private var journals: [Journal] = []

    /// The highest number of a journal; 0: none.
    func highest(of journal: ID16) -> UInt64 {
        journals.last { $0.id == journal }?.stretches.last?.upperBound ?? 0
    }

    /// Where a record stands that is not noted yet. Since a start nothing is known of those before the first: what was kept of entries may have
    /// ended in between.
    func place(of record: BoxRecord) -> UnheardEntries.Place {
        let highest = highest(of: record.journalID)
        if record.sequence < highest { return .late }
        return record.sequence == highest + 1 ? .next : .afterGap
    }

    /// Notes a record.
    /// - Returns: false: it is known.
    mutating func insert(_ sequence: UInt64, of journal: ID16) -> Bool {
        var own = journals.firstIndex { $0.id == journal }.map { journals.remove(at: $0) } ?? Journal(id: journal)
        defer {
            journals.append(own)
            if journals.count > Self.mostJournals { journals.removeFirst() }
        }
        // Most come in their order.
        let next = own.stretches.lastIndex { $0.lowerBound <= sequence }.map { $0 + 1 } ?? 0
        let isAfter = next > 0 && own.stretches[next - 1].upperBound >= sequence
        if isAfter { return false }
        let joinsBefore = next > 0 && own.stretches[next - 1].upperBound == sequence - 1
        let joinsAfter = next < own.stretches.count && own.stretches[next].lowerBound == sequence + 1
        let lower = joinsBefore ? own.stretches[next - 1].lowerBound : sequence
        let upper = joinsAfter ? own.stretches[next].upperBound : sequence
        own.stretches.replaceSubrange(
            (joinsBefore ? next - 1 : next)..<(joinsAfter ? next + 1 : next), with: [lower...upper])
        if own.stretches.count > Self.mostStretches { own.stretches.removeFirst() }
        return true
    }
}

/// A record that waits to be written down.
struct TakenRecord: Sendable {
    let record: BoxRecord
    let gateway: Gateway
    let key: Key
    /// The sensor that it names, as the house knows it.
    let sensor: SensorID?
    /// Who waited for the tag that it makes known.
    let wish: Boxes.Learning?
    /// Whether it came for the first time.
    let isNew: Bool
    /// So many entries of alarms there were once it was acted on (`AlarmJournal.count`): what it raised is one of them.
    let alarms: UInt64
}

/// How many records of a box come into the log: so many at once, and one each two seconds (the generic cell rate algorithm, ITU-T I.371).
/// Times are milliseconds of a clock that never jumps.
struct RecordBudget: Sendable {
    /// After those at once, one more each so many milliseconds.
    static let refill: UInt64 = 2_000

    private let window: UInt64
    /// When all of it is there again.
    private var full: UInt64 = 0

    /// - Parameter count: at once.
    init(_ count: Int) { window = UInt64(count) * Self.refill }

    /// Takes one.
    /// - Returns: false: none is left.
    mutating func take(at now: UInt64) -> Bool {
        let next = max(full, now) + Self.refill
        guard next <= now + window else { return false }
        full = next
        return true
    }
}
