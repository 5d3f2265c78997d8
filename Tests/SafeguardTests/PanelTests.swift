import Safeguard
import Testing

struct PanelTests {
    @Test func `Who comes in has the entry delay to disarm`() {
        var panel = Panel()
        let rules = PanelRules()
        panel.take(.arm(.away), at: 0, rules)
        #expect(panel.state == .arming)
        let isEarly = panel.take(.deadline, at: 59_999, rules)
        #expect(!isEarly)
        panel.take(.deadline, at: 60_000, rules)
        #expect(panel.state == .armedAway)
        panel.take(.trip(.motion), at: 100_000, rules)
        #expect(panel.state == .pending)
        #expect(panel.deadline == 130_000)
        panel.take(.disarm, at: 110_000, rules)
        #expect(panel.state == .disarmed)
        #expect(panel.number == 2)
    }
}
