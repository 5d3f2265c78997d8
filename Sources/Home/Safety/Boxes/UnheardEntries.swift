import Household
import Ledger
import Safeguard
import System

/// Who came in at a box while its hub could not hear of it, and of whom people have not been told: what its records say of that, in the
/// order in which they come.
///
/// Who came in and proved in time that they belong there is forgotten; of everybody else people are told, once. Those who came in while an alarm is on
/// at the box become what tripped in the house when its panel is compared; of all others, people are told as of what is past.
struct UnheardEntries: Sendable, Equatable {
    /// At most so many, twice what a box has sensors: of each one who came in waits to be told, and one of whom people were told for the disk.
    /// - Key: box
    static let most = 64

    /// Somebody came in by one sensor.
    struct Entry: Sendable, Equatable {
        /// Nil: the box does not say by which one, or it is not known.
        let sensor: SensorID?
        let kind: SensorClass
        /// When, as far as the box knows.
        let at: Timestamp
        /// Whether an alarm was on after it: people are told of it whatever comes.
        var isAlarm = false
        /// Whether that alarm is over: nothing that goes on tells of it.
        var isOver = false
        /// People were told, and so many entries of alarms there were then (`AlarmJournal.count`): it is kept until that is on the disk. Nil: not yet.
        var told: UInt64?
    }

    /// Where a record stands in its journal: the bus may lose some, which come again after those behind them.
    enum Place: Sendable {
        /// Right after what was heard of before.
        case next
        /// Something between has not been heard of yet.
        case afterGap
        /// Something behind it was heard of before it.
        case late
    }

    /// What a record says of it.
    struct Event: Sendable {
        /// How the box's panel stands after it.
        let state: PanelState
        /// Who came in by it, unless the hub heard of it.
        var entry: Entry?
        /// Whether it is about how the panel stands, and not only says so.
        let isOfPanel: Bool
        /// Whether somebody proved that they belong there: by a tag that is known, or here.
        let isProven: Bool
        let place: Place
    }

    private(set) var entries: [Entry] = []

    init(_ entries: [Entry] = []) { self.entries = entries }

    /// Takes a record.
    mutating func take(_ event: Event) {
        // What ended in the gap, and how, is not known: nobody stays untold by it.
        if event.place != .next { end() }
        if let entry = event.entry { add(entry, event) }
        switch event.state {
        case .triggered: mark { $0.isAlarm = true }
        case .pending: break
        case .disarmed, .arming, .armedHome, .armedAway, .armedNight, .armedVacation:
            guard event.isOfPanel else { return }
            if event.isProven { entries.removeAll { !$0.isAlarm } }
            end()
        }
    }

    /// How what was known of so far ended will not be heard: people are told of everybody.
    mutating func end() { mark { ($0.isAlarm, $0.isOver) = (true, true) } }

    private mutating func add(_ entry: Entry, _ event: Event) {
        // A box names a sensor once while an alarm is on, and none is on while the time to disarm runs: the end of that one has not been heard of.
        for index in entries.indices
        where entries[index].isAlarm && (event.state == .pending || entries[index].sensor == entry.sensor) {
            entries[index].isOver = true
        }
        entries.removeAll { $0.told == nil && $0.sensor == entry.sensor && !$0.isAlarm }
        if entries.count >= Self.most, let told = entries.firstIndex(where: { $0.told != nil }) {
            entries.remove(at: told)
        }
        guard entries.count < Self.most else { return }
        entries.append(entry)
        if event.place == .late { end() }
    }

    private mutating func mark(_ change: (inout Entry) -> Void) {
        for index in entries.indices { change(&entries[index]) }
    }

    /// Those of whom people are to be told now.
    /// - Parameter isOn: whether an alarm that is on may still become one of the house, and tell of those who came in by it.
    func due(isOn: Bool) -> [Entry] { entries.filter { $0.told == nil && ($0.isOver || $0.isAlarm && !isOn) } }

    /// People were told of those.
    /// - Parameter count: of entries of alarms by then.
    mutating func tell(_ due: [Entry], _ count: UInt64) {
        for index in entries.indices where due.contains(entries[index]) { entries[index].told = count }
    }

    /// Those that count in a mode, and whose alarm is on or may be. No more than a house remembers.
    func joining(_ mode: ArmMode?) -> [Entry] {
        entries.filter { entry in
            entry.told == nil && !entry.isOver && entry.sensor != nil && entry.kind.counts(for: mode)
        }.prefix(HousePanel.mostTrips).map { $0 }
    }

    /// Takes those out: they are what tripped in the house. Of the others people are told as of what is past.
    mutating func join(_ mode: ArmMode?) -> [Entry] {
        let joined = joining(mode)
        entries.removeAll { joined.contains($0) }
        return joined
    }

    /// What people were told is on the disk up to here.
    mutating func forget(upTo done: UInt64) { entries.removeAll { $0.told.map { $0 <= done } ?? false } }
}
