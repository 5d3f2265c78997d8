import Safeguard
import Testing

struct PanelTests {
    @Test func `From every standing every input leads where the second statement says`() throws {
        let vectors = try PanelVectors.read()
        #expect(vectors.rows.count > 1_000)
        for row in vectors.rows {
            let rules = try #require(vectors.rules[row.rules]).rules
            var panel = row.before
            let isChanged = panel.take(row.input, at: row.now, rules)
            #expect(panel == row.after, "\(row.before) by \(row.input) under \(row.rules)")
            #expect(isChanged == (row.before != row.after))
        }
    }

    @Test func `Every state, input and rule occurs among the rows`() throws {
        let rows = try PanelVectors.read().rows
        #expect(Set(rows.map(\.before.state)) == Set(PanelState.allCases))
        #expect(Set(rows.map { String(describing: $0.input) }).count == 13)
    }

    @Test func `The stories are told alike`() throws {
        let vectors = try PanelVectors.read()
        for story in vectors.stories {
            let rules = try #require(vectors.rules[story.rules]).rules
            var panel = Panel()
            for step in story.steps {
                panel.take(step.input, at: step.now, rules)
                #expect(panel == step.after, "\(story.name), at \(step.now)")
            }
        }
    }

    @Test func `An alarm sounds until its danger is gone, or somebody ends the noise`() {
        let rules = PanelRules(alarmTime: 120)
        var panel = Panel()
        panel.take(.trip(.environmental), at: 0, rules)
        let early = panel.pass(at: 119_999, rules, isDanger: true)
        #expect(!early)
        for time in [120_000, 240_000, 360_000] as [Int64] {
            panel.pass(at: time, rules, isDanger: true)
            #expect((panel.state, panel.isSounding, panel.deadline) == (.triggered, true, time + 120_000))
        }
        panel.pass(at: 480_000, rules, isDanger: false)
        #expect((panel.state, panel.isSounding) == (.disarmed, false))
        panel.take(.trip(.environmental), at: 500_000, rules)
        panel.take(.silence, at: 510_000, rules)
        panel.pass(at: 630_000, rules, isDanger: true)
        #expect((panel.state, panel.isSounding) == (.disarmed, false))
    }

    @Test func `Of two keepers that were apart the same one is right`() throws {
        for two in try PanelVectors.read().keepers {
            #expect(Panel.right(hub: two.hub, box: two.box) == two.right, "\(two.hub) and \(two.box)")
        }
    }

    @Test func `A keeper that heeds another keeps its own alarm, and learns what is more urgent`() throws {
        for two in try PanelVectors.read().keepers where two.right == .hub {
            var box = two.box
            box.heed(two.hub, at: 0)
            #expect(box == two.followed, "\(two.hub) told to \(two.box)")
            #expect(!two.box.isMoreUrgent(than: box))
        }
    }

    @Test func `A panel that was told without its deadline ends now`() {
        var panel = Panel()
        panel.follow(Panel(state: .pending, mode: .away, deadline: nil, isSounding: false, number: 4), at: 500)
        #expect(panel.deadline == 500)
        panel.follow(Panel(state: .armedAway, mode: .away, deadline: 900, isSounding: false, number: 5), at: 500)
        #expect(panel.deadline == nil)
    }

    @Test func `What another keeper saw earlier ends earlier, and never later`() {
        var panel = Panel(state: .pending, mode: .away, deadline: 30_000, isSounding: false, number: 1)
        panel.shorten(to: 40_000)
        #expect(panel.deadline == 30_000)
        panel.shorten(to: 20_000)
        #expect(panel.deadline == 20_000)
        #expect(panel.left(at: 25_000) == 0)
        #expect(Panel().left(at: 25_000) == nil)
    }
}
