import Safeguard
import TestSupport
import Testing

/// What holds whatever happens, tried with many long stories that nobody wrote.
struct PanelProperties {
    private static let rules = [
        PanelRules(), PanelRules(exitDelay: Delays(0), entryDelay: Delays(0), alarmTime: 30),
        PanelRules(entryDelay: Delays(home: 0, away: 10, night: 20, vacation: 0), disarmsAfterAlarm: true),
    ]

    private static func inputs(seed: UInt64, count: Int) -> [(at: Int64, input: PanelInput)] {
        var random = SeededGenerator(seed: seed)
        var now: Int64 = 0
        return (0..<count).map { _ in
            now += Int64.random(in: 0...90_000, using: &random)
            let input: PanelInput =
                switch Int.random(in: 0..<20, using: &random) {
                case 0..<4: .arm(ArmMode.allCases.randomElement(using: &random)!)
                case 4: .disarm
                case 5..<11: .trip(SensorClass.allCases.randomElement(using: &random)!)
                case 11: .trigger
                case 12: .silence
                case 13: .reset
                default: .deadline
                }
            return (now, input)
        }
    }

    /// Calls `check` with every step of many stories.
    private static func everyStep(
        _ check: (_ before: Panel, _ input: PanelInput, _ after: Panel, _ now: Int64, _ rules: PanelRules) -> Void
    ) {
        for seed in UInt64(1)...60 {
            for rules in rules {
                var panel = Panel()
                for (now, input) in inputs(seed: seed, count: 200) {
                    let before = panel
                    panel.take(input, at: now, rules)
                    check(before, input, panel, now, rules)
                }
            }
        }
    }

    @Test func `Nothing but a disarming leads from armed to disarmed, unless the house is disarmed after an alarm`() {
        Self.everyStep { before, input, after, _, rules in
            guard before.mode != nil, after.state == .disarmed, input != .disarm else { return }
            #expect(before.state == .triggered && input == .deadline && rules.disarmsAfterAlarm)
        }
    }

    @Test func `Gas and a call for help are an alarm from every state`() {
        Self.everyStep { before, _, _, now, rules in
            for input in [PanelInput.trip(.environmental), .trigger] {
                var panel = before
                panel.take(input, at: now, rules)
                #expect(panel.state == .triggered && panel.isSounding)
            }
        }
    }

    @Test func `A state that ends by itself says when, and only such a state`() {
        Self.everyStep { _, _, after, _, _ in
            #expect((after.deadline != nil) == (after.state == .arming || after.isDisturbed))
            #expect(!after.isSounding || after.state == .triggered)
            #expect((after.mode == nil) == (after.state == .disarmed) || after.state == .triggered)
        }
    }

    @Test func `A deadline moves by an act, or by what trips, and never by itself`() {
        Self.everyStep { before, input, after, now, _ in
            if before.state == after.state, before.state == .pending || before.state == .arming {
                guard case .arm = input else { return #expect(before.deadline == after.deadline) }
            }
            if let deadline = after.deadline, after.deadline != before.deadline { #expect(deadline > now) }
        }
    }

    @Test func `A number that a box says to be the last one stops nothing`() {
        var panel = Panel()
        panel.count(from: .max)
        #expect(panel.number == .max)
        panel.take(.arm(.away), at: 0, PanelRules())
        panel.count(from: .max)
        #expect(panel.number == .max)
    }

    @Test func `The number never falls, and rises by what somebody does`() {
        Self.everyStep { before, input, after, _, _ in
            switch input {
            case .arm, .disarm, .reset: #expect(after.number == before.number + (after == before ? 0 : 1))
            case .trip, .trigger, .deadline, .silence: #expect(after.number == before.number)
            }
        }
    }

    @Test func `A keeper that is restarted at any point goes on as one that was not`() {
        for seed in UInt64(1)...20 {
            let steps = Self.inputs(seed: seed, count: 120)
            var whole = Panel()
            for (now, input) in steps {
                // What is kept between two steps is exactly what the tables hold.
                var restarted = Panel(
                    state: whole.state, mode: whole.mode, deadline: whole.deadline, isSounding: whole.isSounding,
                    number: whole.number)
                restarted.take(input, at: now, Self.rules[0])
                whole.take(input, at: now, Self.rules[0])
                #expect(restarted == whole)
            }
        }
    }
}
