/// What a number of a kind can be at all, in a unit. What lies outside is no reading: a broken sensor, a wrong unit, an attack.
package enum MeasuredRange {}

package extension MeasuredRange {
    /// Nil: any finite number; of such a kind or unit nothing is known.
    static func range(of kind: SensorKind, in unit: String) -> ClosedRange<Double>? { table[kind]?[canonical(unit)] }

    /// The factor from a unit of carbon monoxide to ppm, at 20 °C and 1,013 hPa (28.01 g/mol over 24.06 l/mol); nil: it is none.
    static func partsPerMillion(in unit: String) -> Double? {
        switch canonical(unit) {
        case "ppm": 1
        case "ppb": 0.001
        case "mg/m³": 1 / 1.164
        case "µg/m³": 0.001 / 1.164
        case "mol/m³": 24_060
        default: nil
        }
    }

    /// A unit as it is compared: `PPM` and `ppm`, `% LEL` and `%LEL`, `m3` and `m³` are the same.
    static func canonical(_ unit: String) -> String {
        let bare = unit.lowercased().filter { $0 != " " }
        return switch bare {
        case "mg/m3": "mg/m³"
        case "mol/m3": "mol/m³"
        case "ug/m3", "μg/m³", "μg/m3", "µg/m3", "ug/m³": "µg/m³"
        case "lel", "lel%", "%lie", "%lii": "%lel"
        case "c", "ºc": "°c"
        case "f", "ºf": "°f"
        default: bare
        }
    }

    /// Least, most and unit, by kind.
    private static let table: [SensorKind: [String: ClosedRange<Double>]] = [
        .gas: [
            "": 0...1_000_000, "ppm": 0...1_000_000, "ppb": 0...1_000_000_000, "%lel": 0...1_000, "mol/m³": 0...1_000,
            "v": 0...1_000,
            "mv": 0...1_000_000,
        ],
        .carbonMonoxideLevel: [
            "": 0...1_000_000, "ppm": 0...1_000_000, "ppb": 0...1_000_000_000, "mg/m³": 0...2_000_000,
            "µg/m³": 0...2_000_000_000, "mol/m³": 0...1_000,
        ],
        .temperature: ["°c": -273.15...2_000, "°f": -459.67...3_632, "k": 0...2_273.15, "": -459.67...3_632],
        .humidity: ["%": 0...100, "": 0...100],
        .battery: ["%": 0...100],
        .distance: ["cm": 0...100_000, "": 0...100_000],
        .signal: ["dbm": -200...100, "db": -200...200],
        .power: ["w": -1e9...1e9, "kw": -1e6...1e6, "va": -1e9...1e9],
    ]
}
