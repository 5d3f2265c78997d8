import Accounts
import Ledger
import Safeguard
import System
import Testing

@testable import Home
@testable import Household

struct ThresholdCheckTests {
    private func sensor(
        _ kind: SensorKind = .gas, unit: String = "ppm", range: ClosedRange<Double>? = 0...1023
    ) -> Sensor {
        Sensor(
            id: .new(at: noon), number: 1, device: .new(at: noon), site: .new(at: noon), key: "gas", name: "Gas",
            kind: kind, unit: unit, range: range, binding: SensorBinding(topic: "gas/state"))
    }

    private func refusal(
        _ level: Double, _ hysteresis: Double? = nil, _ rise: Double? = nil, for sensor: Sensor
    ) -> ThresholdRefusal? {
        do throws(ThresholdRefusal) {
            _ = try Threshold(checked: level, hysteresis: hysteresis, risePerMinute: rise, for: sensor)
            return nil
        } catch { return error }
    }

    @Test func `A threshold lies within what its sensor can tell`() {
        let gas = sensor()
        for level in [-1.0, 0, 1023.001, 5000] { #expect(refusal(level, for: gas) == .outside(0...1023)) }
        for level in [0.001, 300, 1023] { #expect(refusal(level, for: gas) == nil) }
    }

    @Test func `What is no number, or one that no box can hold, is refused`() {
        let free = sensor(.temperature, range: nil)
        for level in [Double.nan, .infinity, -.infinity, 2_000_001, -2_000_001, 1e300] {
            #expect(refusal(level, for: free) == .level)
        }
        #expect(refusal(-20, for: free) == nil)
    }

    @Test func `A hysteresis leaves room for the end of an alarm`() {
        let gas = sensor()
        for band in [-0.001, 300.001, .nan, .infinity] { #expect(refusal(300, band, for: gas) == .hysteresis) }
        for band in [0.0, 300] { #expect(refusal(300, band, for: gas) == nil) }
        let low = sensor(range: 290...400)
        #expect((try? Threshold(checked: 300, hysteresis: nil, risePerMinute: nil, for: low))?.hysteresis == 10)
    }

    @Test func `What is never less than nothing has no threshold that it could not leave`() {
        let gas = sensor(range: nil)
        for level in [-5.0, 0] { #expect(refusal(level, for: gas) == .outside(0...Threshold.greatest)) }
        #expect(refusal(300, 400, for: gas) == .hysteresis && refusal(300, 300, for: gas) == nil)
        #expect(refusal(-5, 10, for: sensor(.temperature, range: nil)) == nil)
    }

    @Test func `A rise is a number above zero`() {
        for rise in [0.0, -1, .nan, .infinity, 3_000_000] { #expect(refusal(300, nil, rise, for: sensor()) == .rise) }
        #expect(refusal(300, nil, 50, for: sensor()) == nil)
    }

    @Test func `A sensor that tells yes and no, or a text, has none`() {
        for kind in [SensorKind.smoke, .carbonMonoxide, .contact, .text, .tag, .snapshot] {
            #expect(refusal(1, for: sensor(kind, range: nil)) == .notMeasured)
        }
        #expect(refusal(30, for: sensor(.carbonMonoxideLevel)) == nil)
    }

    @Test func `Everything is rounded to what a box counts in`() throws {
        let threshold = try Threshold(
            checked: 300.00049, hysteresis: 30.0006, risePerMinute: 1.23456, for: sensor())
        #expect(threshold == Threshold(level: 300, hysteresis: 30.001, risePerMinute: 1.235))
    }

    @Test(arguments: [
        ("300", 300.0), (" 21,5 ", 21.5), ("-3.25", -3.25), ("+7", 7), ("", nil), ("1e3", nil), ("nan", nil),
        ("inf", nil), ("0x10", nil), ("1.2.3", nil), ("١٢", nil), ("1\u{0}", nil), ("999999999999999999999", nil),
    ])
    func `What somebody writes is a plain number or nothing`(_ text: String, _ number: Double?) {
        #expect(Figure.parsed(text) == number)
    }

    @Test(arguments: [
        (300.0, "300", "300\u{a0}ppm"), (21.5, "21.5", "21,5\u{a0}ppm"), (-0.25, "-0.25", "−0,25\u{a0}ppm"),
    ])
    func `A chosen number reads as it was meant`(_ value: Double, _ field: String, _ words: String) {
        #expect(Figure.field(value) == field)
        #expect(Figure.chosen(value, "ppm", .it) == words)
        #expect(Figure.parsed(field) == value)
    }
}
