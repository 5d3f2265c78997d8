import Identity
import JSON
import Ledger
import Safeguard
import System
import Testing
import Wire

@testable import Home
@testable import Household

@Suite("What the ledger holds of a house")
struct LedgerPayloadTests {
    private let person = PersonID(String(repeating: "0b", count: 16))!
    private let sensor = SensorID(String(repeating: "0c", count: 16))!
    private let box = GatewayID(String(repeating: "0d", count: 16))!
    private let site = SiteID(String(repeating: "0e", count: 16))!

    private func text(_ value: some JSONWritable) -> String { String(decoding: value.document(), as: UTF8.self) }

    // The bytes that the chain of hashes covers since the first hub: a field that is not there is not null.

    private func panel(_ cause: PanelCause, _ change: (inout HousePanel) -> Void = { _ in }) -> String {
        var house = HousePanel()
        house.panel = Panel(state: .armedAway, mode: .away, deadline: nil, isSounding: false, number: 7)
        change(&house)
        return text(PanelPayload(.init(site: site, before: HousePanel(), after: house, cause: cause)))
    }

    @Test("A change of the panel says only what its cause has")
    func panels() {
        let start = #"{"mode":"away","number":7,"drill":null"#
        #expect(
            panel(.act(.armed, .person(person)))
                == start + #","by":"person","person":"\#(person.text)","means":null}"#)
        #expect(
            panel(.act(.armed, .box(box))) { $0.bypassed = [sensor] }
                == start + #","by":"box","person":null,"means":"\#(box.text)","bypassed":["\#(sensor.text)"]}"#)
        #expect(
            panel(.act(.silenced, .hub)) { $0.bypassed = [sensor] } == start
                + #","by":"hub","person":null,"means":null}"#)
        #expect(panel(.trip(.door, sensor)) == start + #","sensor":"\#(sensor.text)","class":"door"}"#)
        #expect(panel(.weakness(sensor, .silent)) == start + #","sensor":"\#(sensor.text)","why":"silent"}"#)
        #expect(panel(.keeper(box)) == start + #","box":"\#(box.text)"}"#)
        #expect(
            panel(.deadline) {
                $0.panel = Panel()
                $0.isDrill = true
            } == #"{"mode":null,"number":0,"drill":true}"#)
    }

    private func record(_ content: BoxRecord.Content, _ sensor: SensorID?, leftOut: Int = 0) throws -> String {
        let key = try #require(Key([UInt8](repeating: 1, count: 32)))
        let journal = try #require(ID16([UInt8](repeating: 2, count: 16)))
        let gateway = Gateway(id: box, site: site, kind: .box, name: "Box")
        let taken = TakenRecord(
            record: BoxRecord(journalID: journal, sequence: 3, content: content, boxKey: key), gateway: gateway,
            key: key, sensor: sensor, wish: nil, isNew: true, alarms: 0)
        let text = text(BoxRecordPayload(taken: taken, leftOut: leftOut))
        let start = #"{"box":"\#(box.text)","journal":"\#(journal.hex)","sequence":3,"#
        #expect(text.hasPrefix(start))
        return String(text.dropFirst(start.count))
    }

    @Test("A box's record says what was tripped, or by which tag, and never both")
    func records() throws {
        let standing = PanelStanding(
            Panel(state: .disarmed, mode: nil, deadline: nil, isSounding: false, number: 4), at: 0)
        let at = #""at":"1970-01-01T00:00:00.005Z","isClockTrusted":"#
        let moved = try BoxRecord.Content(
            kind: .panelChanged, panel: standing, cause: .button, time: 5, clock: .untrusted)
        #expect(
            try record(moved, nil)
                == #""kind":"panelChanged","cause":"button","state":"disarmed","number":4,"sensor":null,"credential":null,"#
                + at + "false}")
        let tag = try #require(ID16([UInt8](repeating: 9, count: 16)))
        let tagged = try BoxRecord.Content(
            kind: .panelChanged, panel: standing, cause: .tag, credential: tag, time: 5, clock: .trusted)
        #expect(
            try record(tagged, nil, leftOut: 2)
                == #""kind":"panelChanged","cause":"tag","state":"disarmed","number":4,"sensor":null,"credential":"\#(tag.hex)","#
                + at + #"true,"leftOutBefore":2}"#)
        let tripped = try BoxRecord.Content(
            kind: .tripped, panel: standing, cause: .sensor, sensor: 1, value: 1500, time: 5, clock: .trusted)
        #expect(
            try record(tripped, sensor)
                == #""kind":"tripped","cause":"sensor","state":"disarmed","number":4,"sensor":"\#(sensor.text)","value":1.5,"class":null,"#
                + at + "true}")
    }

    @Test("An alarm says what it is when it begins, and later only which")
    func alarms() {
        let id = HouseAlarmID(String(repeating: "0a", count: 16))!
        #expect(text(AlarmPayload(alarm: id)) == #"{"alarm":"\#(id.text)"}"#)
        #expect(
            text(AlarmPayload(alarm: id, person: person)) == #"{"alarm":"\#(id.text)","person":"\#(person.text)"}"#)
        let at = Timestamp(milliseconds: 0)
        let alarm = HouseAlarm(
            id: id, site: site, kind: .help, sensor: nil, message: .called(name: "Anna"), value: nil, isDrill: false,
            at: at, raised: at)
        #expect(
            text(AlarmPayload(alarm: id, person: person, raised: alarm))
                == #"{"alarm":"\#(id.text)","person":"\#(person.text)","kind":"help","sensor":null,"value":null,"exercise":false}"#
        )
    }
}
