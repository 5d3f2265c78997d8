import Ledger
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

struct PayloadTests {
    private func sensor(
        _ kind: SensorKind = .number, unit: String = "ppm", range: ClosedRange<Double>? = nil, path: [String] = [],
        on: String? = nil, off: String? = nil
    ) -> Sensor {
        Sensor(
            id: .new(at: noon), number: 1, device: .new(at: noon), site: .new(at: noon), key: "s", name: "S",
            kind: kind, unit: unit, range: range,
            binding: SensorBinding(topic: "s/state", path: path, on: on, off: off))
    }

    private func read(_ text: String, _ sensor: Sensor) -> PayloadReader.Outcome {
        PayloadReader(sensor).read(Array(text.utf8), now: noon)
    }

    private func number(_ value: Double) -> PayloadReader.Outcome { .value(.init(value: .number(value))) }

    @Test(arguments: [
        ("412", 412), (" 412\n", 412), ("-3.25", -3.25), ("0", 0), ("-0.5", -0.5), ("1e3", 1000), ("21.50", 21.5),
        ("0.1", 0.1), ("123456789012345678", 123_456_789_012_345_680), ("0.30000000000000004", 0.1 + 0.2),
        ("99999999999999.9", 99_999_999_999_999.9), ("1E-2", 0.01),
    ])
    func `A bare number is read to the last bit`(text: String, value: Double) {
        #expect(read(text, sensor()) == number(value))
    }

    @Test func `A detector that was given no words says by its own how it is`() {
        func truth(_ value: Bool) -> PayloadReader.Outcome { .value(.init(value: .truth(value))) }
        for kind in [SensorKind.gas, .gasAlarm, .smoke, .carbonMonoxide, .heat] {
            for word in ["mild", "heavy", "Alarm"] {
                #expect(read(word, sensor(kind)) == truth(true), "\(kind) \(word)")
            }
            #expect(read("normal", sensor(kind)) == truth(false))
            // None is what is not known, but for what Shelly's detector of gas says.
            let saysNone = kind == .gas || kind == .gasAlarm
            #expect(read("none", sensor(kind)) == (saysNone ? truth(false) : .refused(.wrongKind)))
            #expect(read("None", sensor(kind)) == .refused(.wrongKind))
            #expect(read("unknown", sensor(kind)) == .refused(.wrongKind))
        }
        #expect(read("mild", sensor(.number)) == .refused(.wrongKind))
        #expect(read("alarm", sensor(.contact)) == .refused(.wrongKind))
    }

    @Test func `Any number comes out as the library reads it`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let digits = Int.random(in: 0...12, using: &generator)
            let value = Double(Int.random(in: -1_000_000_000...1_000_000_000, using: &generator))
            var text = "\(Int(value))"
            if digits > 0 {
                text += "." + (0..<digits).map { _ in "\(Int.random(in: 0...9, using: &generator))" }.joined()
            }
            #expect(read(text, sensor()) == number(Double(text)!), "\(text)")
        }
    }

    @Test(arguments: ["NaN", "nan", "inf", "-inf", "Infinity", "+Infinity", "1e999", "-1e999", #"{"value": "NaN"}"#])
    func `What is no number that can be is refused`(text: String) {
        #expect(read(text, sensor()) == .refused(.notFinite))
    }

    @Test(arguments: ["1e19", "-1e308"])
    func `A number beyond what is measured is refused: sums of it would have no end`(
        text: String
    ) {
        #expect(read(text, sensor()) == .refused(.outOfRange))
        #expect(read("1e18", sensor()) == number(1e18))
    }

    @Test(arguments: ["twelve", "12 ppm", "0x1F", "1,5", "--1", "1.", ".5", "01", "ON", "[1]", #""12""#])
    func `A bare text is no number`(text: String) {
        #expect(read(text, sensor()) == .refused(.wrongKind))
    }

    @Test func `Our own JSON tells the value, and if it wants its unit, its time and that it warms up`() {
        let text =
            #"{"value": 412, "unit": "ppm", "at": "2026-11-21T11:59:58Z", "warming": true, "more": [1, {"value": 2}]}"#
        let read = read(text, sensor())
        #expect(
            read
                == .value(.init(value: .number(412), at: moment("2026-11-21T11:59:58.000Z"), isWarming: true)))
        #expect(self.read(#"{"value":-1.5,"unit":null,"at":null,"warming":null}"#, sensor()) == number(-1.5))
        #expect(self.read(#"{"value":"7.5"}"#, sensor()) == number(7.5))
    }

    @Test(arguments: [
        #"{"value": 412"#, "{", "{}}", #"{"value": 412} x"#, #"{"value": 1, "value": 2}"#, #"{"value": 01}"#,
        #"{value: 1}"#, #"{"value": 1,}"#, #"{"value": NaN}"#, #"{"value": tru}"#,
        #"{"a": "# + String(repeating: "[", count: 40) + String(repeating: "]", count: 40) + #", "value": 1}"#,
    ])
    func `What is not JSON is refused`(text: String) {
        #expect(read(text, sensor()) == .refused(.notJSON))
    }

    @Test func `JSON without a value, or with one of another kind, is refused`() {
        #expect(read("{}", sensor()) == .refused(.noValue))
        #expect(read(#"{"value": null}"#, sensor()) == .refused(.noValue))
        #expect(read(#"{"Value": 1}"#, sensor()) == .refused(.noValue))
        #expect(read(#"{"value": true}"#, sensor()) == .refused(.wrongKind))
        #expect(read(#"{"value": [412]}"#, sensor()) == .refused(.wrongKind))
        #expect(read(#"{"value": {"value": 412}}"#, sensor()) == .refused(.wrongKind))
        #expect(read(#"{"value": 1, "warming": "yes"}"#, sensor()) == .refused(.wrongKind))
    }

    @Test func `A unit that does not fit is refused`() {
        #expect(read(#"{"value": 412, "unit": "mg/m³"}"#, sensor()) == .refused(.wrongUnit))
        #expect(read(#"{"value": 412, "unit": 7}"#, sensor()) == .refused(.wrongUnit))
        #expect(read(#"{"value": 4, "unit": "°C"}"#, sensor(.temperature, unit: "°C")) == number(4))
    }

    @Test(arguments: [
        ("2026-11-21T12:02:01Z", PayloadRefusal.fromTheFuture), ("1970-01-01T00:00:00Z", .beforeSensors),
        ("2019-12-31T23:59:59.999Z", .beforeSensors), ("9999-12-31T23:59:59Z", .fromTheFuture),
        ("2026-02-30T12:00:00Z", .badTime), ("2026-11-21 12:00:00", .badTime), ("2026-11-21T25:00:00Z", .badTime),
        ("2026-11-21T12:00:00+01:00", .badTime), ("", .badTime), ("2026-11-21T12:00:00.1Z", .badTime),
    ])
    func `A time that cannot be is not believed, and the value is`(text: String, doubt: PayloadRefusal) {
        let expected = PayloadReader.Read(value: .number(412), doubt: doubt)
        #expect(read(#"{"value": 412, "at": "\#(text)"}"#, sensor()) == .value(expected))
        #expect(read(#"{"value": "no", "at": "\#(text)"}"#, sensor()) == .refused(.wrongKind))
    }

    @Test func `A clock may be two minutes ahead, and a time in seconds is none`() {
        guard case .value(let read) = read(#"{"value": 1, "at": "2026-11-21T12:02:00Z"}"#, sensor()) else {
            Issue.record("refused")
            return
        }
        #expect(read.at == moment("2026-11-21T12:02:00.000Z"))
        let expected = PayloadReader.Read(value: .number(1), doubt: .badTime)
        #expect(self.read(#"{"value": 1, "at": 1795262400}"#, sensor()) == .value(expected))
    }

    @Test func `What lies below the sensor's range is refused, what lies above is told as that, its ends are values`() {
        let gas = sensor(range: 0...1023)
        #expect(read("1024", gas) == .beyond(1024))
        #expect(read("-1", gas) == .refused(.outOfRange))
        #expect(read("1023", gas) == number(1023))
        #expect(read("0", gas) == number(0))
    }

    @Test func `More than 64 KiB is refused unread`() {
        let blanks = String(repeating: " ", count: PayloadReader.byteLimit - 1)
        #expect(read("7" + blanks, sensor()) == number(7))
        #expect(read("7 " + blanks, sensor()) == .refused(.tooLong))
        #expect(read("", sensor()) == .nothing)
        #expect(read("   ", sensor()) == .nothing)
    }

    @Test func `Yes and no are the words that were agreed upon`() {
        func truth(_ text: String, _ sensor: Sensor) -> Bool? {
            if case .value(let read) = read(text, sensor), case .truth(let truth) = read.value { truth } else { nil }
        }
        let plain = sensor(.motion)
        #expect(truth("ON", plain) == true)
        #expect(truth("off", plain) == false)
        #expect(truth(#"{"value": true}"#, plain) == true)
        #expect(truth(#"{"value": "OFF"}"#, plain) == false)
        #expect(truth("1", plain) == nil)
        // zigbee2mqtt's contact: closed is true, and open is what counts as yes.
        let contact = sensor(.contact, path: ["contact"], on: "false", off: "true")
        #expect(truth(#"{"contact": false, "battery": 97}"#, contact) == true)
        #expect(truth(#"{"contact": true}"#, contact) == false)
        let tasmota = sensor(.motion, path: ["Switch1", "Action"], on: "1", off: "0")
        #expect(truth(#"{"Switch1": {"Action": 1}}"#, tasmota) == true)
        #expect(read("maybe", plain) == .refused(.wrongKind))
    }

    @Test func `A path leads through objects and lists, and what is not there is no mistake`() {
        let deep = sensor(.temperature, unit: "°C", path: ["sensors", "1", "t"])
        #expect(read(#"{"sensors": [{"t": 1}, {"t": 21.5}], "unit": "K"}"#, deep) == number(21.5))
        #expect(read(#"{"sensors": []}"#, deep) == .nothing)
        #expect(read(#"{"sensors": [0, {"t": null}]}"#, deep) == .nothing)
        #expect(read("21.5", deep) == .nothing)
        #expect(read("online", deep) == .refused(.notJSON))
        #expect(read(#"{"sensors": [0, {"t": 1}], "sensors": [0, {"t": 2}]}"#, deep) == .refused(.notJSON))
    }

    @Test func `Texts come without their escapes, and only as texts`() {
        let tag = sensor(.tag, unit: "")
        #expect(read("04A3B2", tag) == .value(.init(value: .text("04A3B2"))))
        #expect(read(#"{"value": "caff\u00e8 \ud83d\ude00\n"}"#, tag) == .value(.init(value: .text("caffè 😀\n"))))
        #expect(read(#"{"value": "\ud83d"}"#, tag) == .refused(.wrongKind))
        #expect(read(#"{"value": "\x"}"#, tag) == .refused(.wrongKind))
        #expect(PayloadReader(tag).read([0xff, 0xfe], now: noon) == .refused(.wrongKind))
        #expect(read(String(repeating: "a", count: 1_025), tag) == .refused(.tooLong))
    }

    @Test func `Bytes by chance are read or refused, and break nothing`() async {
        let readers = [sensor(), sensor(.motion), sensor(.text), sensor(path: ["a", "0"])].map { PayloadReader($0) }
        let signs = Array(#"{}[]",:0123456789.-+eEtrufalsn\ "value"a"#.utf8)
        var generator = SystemRandomNumberGenerator()
        for round in 0..<20_000 {
            await giveWay(round)
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                signs.randomElement(using: &generator)!
            }
            for reader in readers { _ = reader.read(bytes, now: noon) }
        }
    }

    @Test func `Every refusal has words in every language`() {
        for reason in PayloadRefusal.allCases {
            let texts = Set([reason.text(.en), reason.text(.it), reason.text(.es)])
            #expect(texts.count == 3)
        }
    }
}
