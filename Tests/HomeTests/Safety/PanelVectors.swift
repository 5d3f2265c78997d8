import Foundation
import Safeguard

/// `Tests/Vectors/panel.json`: how a panel behaves, stated a second time.
struct PanelVectors: Decodable {
    struct Rules: Decodable {
        let exit, entry: [String: UInt16]
        let alarm: UInt16
        let disarms: Bool

        var rules: PanelRules {
            PanelRules(
                exitDelay: Self.delays(exit), entryDelay: Self.delays(entry), alarmTime: alarm,
                disarmsAfterAlarm: disarms)
        }

        private static func delays(_ seconds: [String: UInt16]) -> Delays {
            var delays = Delays(0)
            for mode in ArmMode.allCases { delays[mode] = seconds[mode.name] ?? 0 }
            return delays
        }
    }

    /// From a standing, by an input, under a rule.
    struct Row: Decodable {
        let rules: String
        let before: Panel
        let now: Int64
        let input: PanelInput
        let after: Panel

        init(from decoder: any Decoder) throws {
            var row = try decoder.unkeyedContainer()
            rules = try row.decode(String.self)
            before = try row.decode(Standing.self).panel
            now = try row.decode(Int64.self)
            input = try row.decode(Happening.self).input
            after = try row.decode(Standing.self).panel
        }
    }

    struct Story: Decodable {
        struct Step: Decodable {
            let now: Int64
            let input: PanelInput
            let after: Panel

            init(from decoder: any Decoder) throws {
                var step = try decoder.unkeyedContainer()
                now = try step.decode(Int64.self)
                input = try step.decode(Happening.self).input
                after = try step.decode(Standing.self).panel
            }
        }
        let name, rules: String
        let steps: [Step]
    }

    struct Keepers: Decodable {
        let hub, box: Panel
        let right: Panel.Keeper
        /// The box's, once the hub told it to follow.
        let followed: Panel

        init(from decoder: any Decoder) throws {
            var two = try decoder.unkeyedContainer()
            hub = try two.decode(Standing.self).panel
            box = try two.decode(Standing.self).panel
            right = try two.decode(String.self) == "hub" ? .hub : .box
            followed = try two.decode(Standing.self).panel
        }
    }

    struct Standing: Decodable {
        let panel: Panel

        init(from decoder: any Decoder) throws {
            var parts = try decoder.unkeyedContainer()
            guard let state = PanelState(name: try parts.decode(String.self)) else { throw Unknown() }
            let mode = try parts.decode(String?.self)
            panel = Panel(
                state: state, mode: mode.flatMap(ArmMode.init(name:)), deadline: try parts.decode(Int64?.self),
                isSounding: try parts.decode(Bool.self), number: try parts.decode(UInt64.self))
        }
    }

    struct Happening: Decodable {
        let input: PanelInput

        init(from decoder: any Decoder) throws {
            let parts = try decoder.singleValueContainer().decode(String.self).split(separator: ":").map(String.init)
            switch (parts[0], parts.dropFirst().first) {
            case ("arm", let name?): input = .arm(try Self.found(ArmMode(name: name)))
            case ("trip", let name?): input = .trip(try Self.found(SensorClass(name: name)))
            case ("disarm", nil): input = .disarm
            case ("trigger", nil): input = .trigger
            case ("deadline", nil): input = .deadline
            case ("silence", nil): input = .silence
            case ("reset", nil): input = .reset
            default: throw Unknown()
            }
        }

        private static func found<Value>(_ value: Value?) throws -> Value {
            guard let value else { throw Unknown() }
            return value
        }
    }

    struct Unknown: Error {}

    let rules: [String: Rules]
    let rows: [Row]
    let stories: [Story]
    let keepers: [Keepers]

    /// Found from this file's own place.
    static func read() throws -> Self {
        var tests = URL(fileURLWithPath: #filePath)
        while tests.lastPathComponent != "Tests", tests.path != "/" { tests.deleteLastPathComponent() }
        return try JSONDecoder().decode(
            Self.self, from: try Data(contentsOf: tests.appendingPathComponent("Vectors/panel.json")))
    }
}
