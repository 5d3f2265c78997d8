import Safeguard
import Testing

@testable import Home
@testable import Household

/// What a discovered sensor measures by what it says of itself.
struct SensorMeaningTests {
    /// Class, unit, state class and name, as devices send them.
    private typealias Said = (deviceClass: String?, unit: String, stateClass: String?, name: String)

    private func kind(_ said: Said, options: [String] = []) -> SensorKind {
        SensorMeaning.kind(
            of: .init(
                deviceClass: said.deviceClass, unit: said.unit, stateClass: said.stateClass, options: options,
                names: [said.name]))
    }

    @Test func `Carbon monoxide in numbers is that, by its class, its name or its unit`() {
        let all: [Said] = [
            ("carbon_monoxide", "ppm", "measurement", "Kitchen"), (nil, "ppm", "measurement", "CO"),
            (nil, "ppm", nil, "Carbon monoxide"), (nil, "ppm", "measurement", "Monossido di carbonio"),
            (nil, "mg/m³", "measurement", "Monóxido de carbono"),
            (nil, "ppm", "measurement", "0x00158d_co_zigbee2mqtt"),
            (nil, "ppm", "measurement", "MQ-7"), ("gas", "ppm", "measurement", "MQ7 CO"),
        ]
        for said in all { #expect(kind(said) == .carbonMonoxideLevel, "\(said)") }
    }

    @Test func `Burnable gas is a level, ppm or a share of the explosive limit`() {
        let all: [Said] = [
            (nil, "", "measurement", "gas"), (nil, "ppm", "measurement", "Metano"), (nil, "%LEL", "measurement", "GPL"),
            (nil, "% LEL", nil, "Gas natural"), (nil, "ppm", nil, "methane_level"),
            ("gas", "ppm", "measurement", "MQ2"),
            (nil, "LEL", "measurement", "gas_value"), (nil, "", "measurement", "MQ-2"),
        ]
        for said in all { #expect(kind(said) == .gas, "\(said)") }
    }

    @Test func `What only sounds like gas is a number`() {
        let all: [Said] = [
            ("gas", "m³", "total_increasing", "Gas"), (nil, "", "total_increasing", "gas usage"),
            (nil, "", "measurement", "Gas usage"), (nil, "m³", "total", "Contatore gas"),
            (nil, "Ω", "measurement", "Gas"),
            (nil, "Ω", "measurement", "Gas resistance"), (nil, "kΩ", "measurement", "BME680 gas"),
            ("volatile_organic_compounds", "µg/m³", "measurement", "VOC"),
            ("carbon_dioxide", "ppm", "measurement", "CO2"),
            (nil, "ppm", "measurement", "CO2"), (nil, "ppm", "measurement", "Anidride carbonica CO 2"),
            ("volatile_organic_compounds_parts", "ppb", "measurement", "TVOC gas"), (nil, "%", "measurement", "GPL"),
            (nil, "EUR", "total", "Gas price"), (nil, "bar", "measurement", "Gas"),
        ]
        for said in all { #expect(kind(said) == .number, "\(said)") }
    }

    @Test func `A detector that says in words how bad the gas is is one`() {
        #expect(kind(("enum", "", nil, "Gas"), options: ["unknown", "none", "mild", "heavy"]) == .gasAlarm)
        #expect(kind(("enum", "", nil, "Gas"), options: ["open", "closed"]) == .text)
        #expect(kind(("enum", "", nil, "Mode"), options: ["heavy", "light"]) == .text)
    }

    @Test func `A yes or no means what its class or its name says`() {
        func binary(_ deviceClass: String?, _ name: String) -> SensorKind {
            SensorMeaning.binary(.init(deviceClass: deviceClass, names: [name])).0
        }
        #expect(binary("gas", "Kitchen") == .gasAlarm && binary("heat", "Attic") == .heat)
        #expect(binary("safety", "SOS") == .panic && binary("safety", "Pulsante emergenza") == .panic)
        #expect(binary("safety", "Overload") == .truth)
        for name in ["Smoke", "Fumo", "humo_cocina"] { #expect(binary(nil, name) == .smoke, "\(name)") }
        for name in ["Gas leak", "Fuga di gas", "gas"] { #expect(binary(nil, name) == .gasAlarm, "\(name)") }
        #expect(binary(nil, "CO alarm") == .carbonMonoxide)
        for name in ["Gas boiler on", "Smoke test", "Smoke detector battery low", "Gas valve", "Co pilot"] {
            #expect(binary(nil, name) == .truth, "\(name)")
        }
    }

    @Test func `Every detector of gas, fire and carbon monoxide is an alarm in every state`() {
        for deviceClass in ["gas", "smoke", "heat", "carbon_monoxide", "moisture"] {
            let (kind, meaning) = SensorMeaning.binary(.init(deviceClass: deviceClass, names: ["X"]))
            #expect(meaning == .environmental && kind.usualClass == .environmental)
            #expect(Hazard(.environmental, kind) != .environment, "it has an advice of its own")
        }
        #expect(SensorMeaning.binary(.init(deviceClass: "safety", names: ["Panic button"])).1 == nil)
    }

    @Test func `Units are the same however they are written`() {
        for unit in ["%LEL", "% LEL", "LEL", "%lel"] { #expect(MeasuredRange.canonical(unit) == "%lel") }
        for unit in ["µg/m³", "μg/m³", "ug/m3"] { #expect(MeasuredRange.partsPerMillion(in: unit) != nil) }
        #expect(MeasuredRange.partsPerMillion(in: "%") == nil)
    }

    @Test func `No kind can be what nature forbids`() {
        let cases: [(SensorKind, String, Double, Bool)] = [
            (.temperature, "°C", -300, false), (.temperature, "°C", -40, true), (.gas, "ppm", -5, false),
            (.gas, "ppm", 1e9, false), (.gas, "%LEL", 120, true), (.gas, "%LEL", 1_001, false),
            (.carbonMonoxideLevel, "ppm", 1e9, false),
            (.carbonMonoxideLevel, "ppm", 999, true), (.humidity, "%", 101, false), (.battery, "%", 255, false),
        ]
        for (kind, unit, value, isPossible) in cases {
            #expect(MeasuredRange.range(of: kind, in: unit)?.contains(value) == isPossible, "\(kind) \(value)")
        }
        #expect(MeasuredRange.range(of: .number, in: "ppm") == nil)
    }
}
