import Identity
import JSON
import Ledger
import System
import Testing
import Wire

@testable import Gates

@Suite("What events of openings hold")
struct OpeningPayloadTests {
    private static let gate = GateID(String(repeating: "0a", count: 16))!
    private static let person = PersonID(String(repeating: "0b", count: 16))!
    private static let event = EventID(String(repeating: "0c", count: 16))!
    private static let at = Timestamp(iso8601: "2026-11-21T08:52:07.120Z")!
    private static let start = #"{"gate":"\#(gate.text)","person":"\#(person.text)""#

    // The bytes that the chain of hashes covers since the first hub: a field that is not there is not null.
    private static let known: [(payload: OpeningPayload, text: String)] = [
        (OpeningPayload(gate: gate, person: person), start + #","how":"hub"}"#),
        (
            OpeningPayload(gate: gate, person: person, reason: .init(Reason("ended", "2026-11-20"))),
            start + #","how":"hub","reason":{"code":"ended","parameter":"2026-11-20"}}"#
        ),
        (
            OpeningPayload(gate: gate, person: person, opening: event, reason: .init(code: "noAnswer")),
            start + #","opening":"\#(event.text)","how":"hub","reason":{"code":"noAnswer"}}"#
        ),
        (
            OpeningPayload(
                gate: gate, person: person, reason: .init(Reason("noRole", "Guest")), repeats: event, count: 2,
                first: at, last: at),
            start
                + #","how":"hub","reason":{"code":"noRole","parameter":"Guest"},"repeats":"\#(event.text)","count":2,"#
                + #""first":"2026-11-21T08:52:07.120Z","last":"2026-11-21T08:52:07.120Z"}"#
        ),
        (
            OpeningPayload(
                gate: gate, pass: "0d", how: "ble", intent: "leave", intentReason: 7, at: at, isClockTrusted: true,
                isLate: false, journal: "0e", sequence: 18_446_744_073_709_551_615,
                reason: .init(code: "unknown", number: 999)),
            #"{"gate":"\#(gate.text)","pass":"0d","how":"ble","intent":"leave","intentReason":7,"#
                + #""at":"2026-11-21T08:52:07.120Z","isClockTrusted":true,"isLate":false,"journal":"0e","#
                + #""sequence":18446744073709551615,"reason":{"code":"unknown","number":999}}"#
        ),
        (
            OpeningPayload(
                gate: gate, person: person, pass: "0d", opening: event, milliseconds: 12, intent: "apri", at: at,
                isClockTrusted: false, isLate: false, journal: "0e", sequence: 1),
            start + #","pass":"0d","opening":"\#(event.text)","milliseconds":12,"how":"hub","intent":"apri","#
                + #""at":"2026-11-21T08:52:07.120Z","isClockTrusted":false,"isLate":false,"journal":"0e","sequence":1}"#
        ),
    ]

    @Test("What cannot be read is not there, and the rest is: a gate's clock may say anything")
    func lenient() throws {
        let late = Timestamp(seconds: .max).iso8601
        let text = Self.start + #","how":"ble","at":"\#(late)","opening":"no id","count":"two","isLate":true}"#
        #expect(
            try OpeningPayload(Array(text.utf8))
                == OpeningPayload(gate: Self.gate, person: Self.person, how: "ble", isLate: true))
        #expect(throws: JSONError.self) { try OpeningPayload(Array(#"{"gate":"no id"}"#.utf8)) }
    }

    @Test("Their bytes stay as they are, and are read back", arguments: known)
    func bytes(_ payload: OpeningPayload, _ text: String) throws {
        #expect(String(decoding: payload.document(), as: UTF8.self) == text)
        #expect(try OpeningPayload(Array(text.utf8)) == payload)
    }

    @Test("A reason that could name something and does not says null")
    func namesNothing() throws {
        let payload = OpeningPayload(gate: Self.gate, reason: .init(Reason("notMember")))
        let text = #"{"gate":"\#(Self.gate.text)","how":"hub","reason":{"code":"notMember","parameter":null}}"#
        #expect(String(decoding: payload.document(), as: UTF8.self) == text)
        #expect(try OpeningPayload(Array(text.utf8)).reason?.code == "notMember")
    }

    @Test("What an old hub did not write, and a newer one writes more, is no obstacle")
    func other() throws {
        let payload = try OpeningPayload(Array(#"{"gate":"\#(Self.gate.text)","wind":[1]}"#.utf8))
        #expect(payload == OpeningPayload(gate: Self.gate))
        #expect(throws: JSONError.self) { try OpeningPayload(Array(#"{"person":null}"#.utf8)) }
    }

    @Test("What else the ledger holds of gates")
    func gates() throws {
        func text(_ value: some JSONWritable) -> String { String(decoding: value.document(), as: UTF8.self) }
        let (id, journal) = (Self.gate, try #require(ID16([UInt8](repeating: 14, count: 16))))
        let site = SiteID(String(repeating: "0f", count: 16))!
        let gate = Gate(
            id: id, site: site, name: "North", policy: "doors", key: nil, epoch: 0, pulse: 3000, rightsVersion: 1)
        #expect(
            text(GateAddedPayload(gate: gate, person: nil))
                == #"{"gate":"\#(id.text)","name":"North","policy":"doors"}"#)
        #expect(
            text(GateAddedPayload(gate: gate, person: Self.person))
                == #"{"gate":"\#(id.text)","name":"North","policy":"doors","by":"\#(Self.person.text)"}"#)
        #expect(
            text(GatePairedPayload(gate: id, isReplaced: true)) == #"{"gate":"\#(id.text)","replaced":true}"#)
        #expect(
            text(GateJournalPayload(gate: id, journal: journal))
                == #"{"gate":"\#(id.text)","journal":"\#(journal.hex)"}"#)
        #expect(
            text(GateJournalPayload(gate: id, journal: journal, sequence: 3))
                == #"{"gate":"\#(id.text)","journal":"\#(journal.hex)","sequence":3}"#)
        #expect(
            text(GateTroublesPayload(gate: id, began: [.clockOff], ended: []))
                == #"{"gate":"\#(id.text)","began":["\#(GateTrouble.clockOff.rawValue)"],"ended":[]}"#)
        #expect(
            text(GateComparedPayload(gate: id, kept: 5, known: 7, lost: 2, records: 1, agrees: false))
                == #"{"gate":"\#(id.text)","kept":5,"known":7,"lost":2,"records":1,"agrees":false}"#)
    }
}
