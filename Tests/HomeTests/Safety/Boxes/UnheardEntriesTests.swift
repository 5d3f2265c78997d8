import Ledger
import Safeguard
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

/// Of whom people are told who came in at a box while it was alone: the pure value, record by record.
struct UnheardEntriesTests {
    private let door = SensorID.new(at: noon)
    private let window = SensorID.new(at: noon)

    private func entry(_ sensor: SensorID?, _ kind: SensorClass = .door) -> UnheardEntries.Entry {
        UnheardEntries.Entry(sensor: sensor, kind: kind, at: noon)
    }

    private func take(
        _ entries: inout UnheardEntries, _ state: PanelState, _ entry: UnheardEntries.Entry? = nil,
        isProven: Bool = false, _ place: UnheardEntries.Place = .next
    ) {
        entries.take(.init(state: state, entry: entry, isOfPanel: entry == nil, isProven: isProven, place: place))
    }

    private func due(_ entries: UnheardEntries, isOn: Bool = false) -> [SensorID?] {
        entries.due(isOn: isOn).map(\.sensor)
    }

    @Test func `Who proves in time that they belong there is forgotten, and who does so later is told`() {
        for isLater in [false, true] {
            var entries = UnheardEntries()
            take(&entries, .pending, entry(door))
            #expect(due(entries).isEmpty)
            if isLater { take(&entries, .triggered) }
            take(&entries, .disarmed, isProven: true)
            #expect(due(entries) == (isLater ? [door] : []))
        }
    }

    @Test func `Whatever ends the time to disarm but a proof, people are told`() {
        for state in [PanelState.disarmed, .armedAway, .triggered] {
            var entries = UnheardEntries()
            take(&entries, .pending, entry(door))
            take(&entries, .pending, entry(window))
            take(&entries, state)
            #expect(due(entries) == [door, window])
        }
    }

    @Test func `What goes on may still become an alarm of the house; what is over is told at once`() {
        var entries = UnheardEntries()
        take(&entries, .triggered, entry(door))
        #expect(due(entries, isOn: true).isEmpty)
        take(&entries, .armedAway)
        take(&entries, .triggered, entry(door))
        #expect(due(entries, isOn: true) == [door])
        #expect(entries.join(.away).map(\.sensor) == [door], "the second")
        #expect(due(entries) == [door], "the first")
    }

    @Test func `In a house that is armed otherwise, or disarmed, no entry joins that does not count there`() {
        var entries = UnheardEntries()
        take(&entries, .triggered, entry(door, .motion))
        take(&entries, .triggered, entry(nil))
        for mode in [nil, ArmMode.night] { #expect(entries.join(mode).isEmpty) }
        #expect(due(entries) == [door, nil])
        #expect(entries.join(.away).map(\.sensor) == [door], "and an entry without a sensor joins nothing")
    }

    @Test func `No entry stays untold by a record that has not come`() {
        // The end of the time to disarm is lost: a proof after it may have been too late.
        var entries = UnheardEntries()
        take(&entries, .pending, entry(door))
        take(&entries, .disarmed, isProven: true, .afterGap)
        #expect(due(entries) == [door])
        // The entry itself comes late: what followed is known already.
        entries = UnheardEntries()
        take(&entries, .armedAway)
        take(&entries, .pending, entry(door), .late)
        #expect(due(entries, isOn: true) == [door])
        // The end of an alarm is lost: the next one at the same door is another.
        entries = UnheardEntries()
        take(&entries, .triggered, entry(door))
        take(&entries, .pending, entry(door))
        #expect(due(entries, isOn: true) == [door])
    }

    @Test func `People are told once, and it is kept until that is on the disk`() {
        var entries = UnheardEntries()
        take(&entries, .triggered, entry(door))
        take(&entries, .armedAway)
        entries.tell(entries.due(isOn: false), 7)
        #expect(due(entries).isEmpty && entries.entries.count == 1)
        entries.forget(upTo: 6)
        #expect(entries.entries.count == 1)
        entries.forget(upTo: 7)
        #expect(entries.entries.isEmpty)
    }

    @Test func `However many come in, and however many were told and are not on the disk, the newest are kept`() {
        var entries = UnheardEntries()
        for _ in 0..<(3 * UnheardEntries.most) {
            take(&entries, .triggered, entry(.new(at: noon)))
            take(&entries, .armedAway)
            entries.tell(entries.due(isOn: false), 7)
        }
        take(&entries, .pending, entry(door))
        take(&entries, .armedAway)
        #expect(due(entries) == [door] && entries.entries.count == UnheardEntries.most)
    }

    @Test func `A restart forgets none of them`() async throws {
        try await TestHouse.run { house in
            let box = try await TestBox(house)
            house.panels.noteEntries(at: box.gateway.id, of: house.site.id) { entries in
                take(&entries, .triggered, entry(box.door.id))
                take(&entries, .armedAway)
                take(&entries, .pending, entry(nil))
            }
            try await house.panels.write()
            #expect(try house.restarted().house(house.site.id) == house.panels.house(house.site.id))
            // And people are told though the box says nothing any more.
            TestBox(startedAnew: box).boxes.tick()
            #expect(await eventually { house.alarms.journal.done == house.alarms.journal.count })
            #expect(try house.events("home.alarm.raised").count == 1)
        }
    }
}
