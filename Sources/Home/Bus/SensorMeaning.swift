import Household
import Safeguard

/// What a discovered sensor measures, and what tripping it means: by its class, its unit, its state class, and by names that are known in our
/// languages where it has no class.
enum SensorMeaning {
    /// What a sensor says of itself.
    struct Description {
        /// Home Assistant's class; nil: none.
        var deviceClass: String?
        /// As it is written; empty: none.
        var unit = ""
        /// `measurement`, `total` or `total_increasing`; nil: none.
        var stateClass: String?
        /// What it can say, where those are words.
        var options: [String] = []
        /// Its id and what it is called.
        var names: [String] = []
        /// What its device is called, and its model.
        var device: [String] = []
        /// Whether it tells of the device itself.
        var isDiagnostic = false
    }

    /// Of a sensor that tells numbers or texts.
    static func kind(of sensor: Description) -> SensorKind {
        switch sensor.deviceClass {
        case "temperature": return .temperature
        case "humidity": return .humidity
        case "battery": return .battery
        case "power", "apparent_power": return .power
        case "energy": return .energy
        case "signal_strength": return .signal
        // In other units it is the length of something; only an ultrasonic sensor of a room tells centimetres.
        case "distance": return sensor.unit == "cm" ? .distance : .number
        case "carbon_monoxide": return .carbonMonoxideLevel
        // Home Assistant's class is a meter's volume; some programs use it for the air all the same.
        case "gas":
            guard isConcentration(sensor.unit) else { return .number }
            return Words(sensor.names).areOfCarbonMonoxide ? .carbonMonoxideLevel : .gas
        case "enum": return isWordOfDetector(sensor) ? .gasAlarm : .text
        case "timestamp", "date": return .text
        case nil: return kind(byNameOf: sensor)
        default: return .number
        }
    }

    private static func kind(byNameOf sensor: Description) -> SensorKind {
        let words = Words(sensor.names)
        if sensor.stateClass?.hasPrefix("total") != true {
            if words.areOfCarbonMonoxide, sensor.unit.isEmpty || MeasuredRange.partsPerMillion(in: sensor.unit) != nil {
                return .carbonMonoxideLevel
            }
            if words.areOfGas, !words.areOfUse, MeasuredRange.range(of: .gas, in: sensor.unit) != nil { return .gas }
            if words.areOfConcentration, isConcentration(sensor.unit), Words(sensor.device).areOfGas { return .gas }
        }
        return sensor.unit.isEmpty && sensor.stateClass == nil ? .text : .number
    }

    private static func isConcentration(_ unit: String) -> Bool {
        ["ppm", "ppb", "%lel"].contains(MeasuredRange.canonical(unit))
    }

    /// Whether it says how bad the gas is, as Shelly's detector does: `none`, `mild`, `heavy`.
    private static func isWordOfDetector(_ sensor: Description) -> Bool {
        Words(sensor.names).areOfGas && sensor.options.contains { DetectorWords.alarm.contains($0.lowercased()) }
    }

    /// Of a sensor that tells yes or no.
    static func binary(_ sensor: Description) -> (SensorKind, SensorClass?) {
        let words = Words(sensor.names)
        let kind: SensorKind =
            switch sensor.deviceClass {
            case "smoke": .smoke
            case "gas": .gasAlarm
            case "heat": .heat
            case "carbon_monoxide": .carbonMonoxide
            case "moisture": .moisture
            case "vibration": .vibration
            case "door", "window", "opening", "garage_door": .contact
            case "motion", "moving", "occupancy", "presence": .motion
            case nil, "safety", "problem":
                // Many detectors have one of these classes, or none: what they are their names alone say.
                binary(byName: words, isClassed: sensor.deviceClass != nil)
            default: .truth
            }
        let meaning: SensorClass? =
            switch sensor.deviceClass {
            case "safety" where kind == .truth && words.areOfTamper: .tamper
            case "safety" where kind == .truth && !sensor.isDiagnostic: .environmental
            case "tamper", "sound": .tamper
            default: kind.usualClass
            }
        return (kind, meaning)
    }

    /// Whether names tell of carbon dioxide, odours or carbon monoxide: a hub of before kept those as gas, too.
    static func isOtherAir(_ names: [String]) -> Bool {
        let words = Words(names)
        return words.areOfOtherAir || words.areOfCarbonMonoxide
    }

    private static func binary(byName words: Words, isClassed: Bool) -> SensorKind {
        if words.areAboutDetector { return .truth }
        if words.areOfPanic { return .panic }
        if words.areOfSmoke { return .smoke }
        // "Gas boiler" is none: without a class it takes a name of nothing else, or one that says detector.
        guard isClassed || words.nameDetector else { return .truth }
        if words.areOfCarbonMonoxide { return .carbonMonoxide }
        return words.areOfGas && !words.areOfUse ? .gasAlarm : .truth
    }

    /// What a sensor that was kept as gas before this hub knew carbon monoxide in numbers measures by its names and unit.
    /// - Returns: nil: what it was kept as.
    static func carbonMonoxide(_ kind: SensorKind, unit: String, names: [String]) -> SensorKind? {
        guard Words(names).areOfCarbonMonoxide else { return nil }
        return switch kind {
        case .gas: .carbonMonoxideLevel
        case .carbonMonoxide where MeasuredRange.partsPerMillion(in: unit) != nil: .carbonMonoxideLevel
        default: nil
        }
    }
}

/// The words of some names, small and without accents, with those that follow one another.
private struct Words {
    private let words: Set<String>
    private let pairs: Set<String>
    /// Whether a name is one word.
    private let isShort: Bool

    init(_ names: [String]) {
        let lists = names.map { name in
            Self.plain(name).split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
        words = Set(lists.joined())
        isShort = lists.contains { $0.count == 1 }
        pairs = Set(lists.flatMap { zip($0, $0.dropFirst()).map { "\($0) \($1)" } })
    }

    private static func plain(_ name: String) -> String {
        let accents: [Character: Character] = [
            "á": "a", "à": "a", "é": "e", "è": "e", "í": "i", "ì": "i", "ó": "o", "ò": "o", "ú": "u", "ù": "u",
        ]
        return String(name.lowercased().map { accents[$0] ?? $0 })
    }

    private func have(_ some: Set<String>) -> Bool { !words.isDisjoint(with: some) }

    /// `co`, `MQ-7`, `Monossido di carbonio`; not `co2`.
    var areOfCarbonMonoxide: Bool {
        !areOfDioxide && (have(["co", "mq7", "monoxide", "monossido", "monoxido"]) || pairs.contains("mq 7"))
    }

    private var areOfDioxide: Bool {
        have(["co2", "dioxide", "diossido", "dioxido", "anidride"]) || pairs.contains("co 2")
    }

    /// `gas_level`, `MQ-2`, `Metano`, `GPL`; not the resistance of a sensor of odours.
    var areOfGas: Bool {
        !areOfOtherAir && (have(Self.gases) || !pairs.isDisjoint(with: ["mq 2", "mq 4", "mq 5", "mq 6", "mq 9"]))
    }

    /// Of carbon dioxide, odours or the resistance of their sensor.
    var areOfOtherAir: Bool {
        areOfDioxide
            || have(["resistance", "resistenza", "resistencia", "voc", "tvoc", "volatile", "iaq", "bme680", "bme688"])
    }

    private static let gases: Set<String> = [
        "gas", "lpg", "gpl", "glp", "methane", "metano", "ch4", "propane", "propano", "butane", "butano", "mq2", "mq4",
        "mq5", "mq6", "mq9",
    ]

    /// `Gas`, `Gas leak`, `Rilevatore gas cucina`.
    var nameDetector: Bool {
        isShort
            || have([
                "detector", "detected", "detection", "alarm", "leak", "leakage", "rilevatore", "allarme", "fuga",
                "perdita",
                "alarma", "escape",
            ])
    }

    /// `Concentration`: of what its device says.
    var areOfConcentration: Bool {
        have(["concentration", "concentrazione", "concentracion", "level", "livello", "nivel"])
    }

    /// `Tamper`, `Glass break`.
    var areOfTamper: Bool { have(["tamper", "glass", "glassbreak", "manomissione", "vetro", "sabotaje", "cristal"]) }

    /// Of what burns gas, counts how much was used, or says what that costs.
    var areOfUse: Bool {
        have([
            "boiler", "burner", "burngas", "heater", "heating", "flame", "furnace", "stove", "caldaia", "bruciatore",
            "fiamma",
            "caldera", "quemador", "llama", "meter", "usage", "used", "consumption", "consumed", "total", "volume",
            "counter", "count", "index", "cost",
            "price", "bill", "tank", "flow", "pressure", "contatore", "consumo", "consumi", "totale", "costo", "prezzo",
            "serbatoio", "portata", "pressione", "contador", "medidor", "gasto", "coste", "precio", "deposito",
            "caudal",
            "presion", "volumen",
        ])
    }

    /// `smoke`, `Fumo`, `Humo`.
    var areOfSmoke: Bool { have(["smoke", "fumo", "humo"]) }

    /// `sos`, `Panic button`, `Emergenza`.
    var areOfPanic: Bool {
        have([
            "sos", "panic", "emergency", "antipanico", "panico", "emergenza", "emergencia", "aiuto", "ayuda",
            "soccorso", "socorro",
        ])
    }

    /// Of a detector's health or settings, and not of what it detects.
    var areAboutDetector: Bool {
        have([
            "test", "selftest", "battery", "tamper", "fault", "malfunction", "error", "problem", "mute", "muted",
            "silence",
            "silenced", "enable", "enabled", "low", "life", "eol", "online", "connected", "update", "calibration",
            "sensitivity", "prova", "batteria", "guasto", "errore", "silenzio", "prueba", "bateria", "fallo", "averia",
            "valve", "valvola", "valvula", "relay", "role", "maintenance", "dust", "replacement", "inspection",
            "periodic",
            "cover", "health",
        ])
    }
}

/// What detectors say in words where nothing else was agreed upon.
enum DetectorWords {
    /// Small letters.
    static let alarm: Set<String> = ["alarm", "alert", "mild", "heavy", "detected", "triggered"]
    /// What Shelly's detector of gas says where there is none.
    static let noGas = "none"
    /// The same of others.
    static let quiet: Set<String> = ["normal", "clear", "clean", "idle", "no alarm", "not detected"]
}
