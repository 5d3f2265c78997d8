import Template
import Testing

/// What renderings cost: 1 is some 4 ns of a computer of 2020, so that no template takes more than a third of a millisecond.
struct CostTests {
    private func cost(_ source: String, _ value: String = "5") throws -> (cost: Int, ends: Bool) {
        var cost = 0
        let template = try Template(source)
        do throws(TemplateFailure) { _ = try template.text(["value": .text(value)], cost: &cost) } catch {
            return (cost, error == .tooManySteps)
        }
        return (cost, false)
    }

    @Test("What is slow costs more than what is fast", arguments: ["title", "capitalize"])
    func slow(_ filter: String) throws {
        let text = String(repeating: "a", count: 1000)
        func chain(_ filter: String, _ count: Int) -> String {
            "{{ value" + String(repeating: "|" + filter, count: count) + "|length }}"
        }
        #expect(try cost(chain(filter, 40), text) == (Template.mostCost, true))
        let (one, lower) = (try cost(chain(filter, 1), text).cost, try cost(chain("lower", 1), text).cost)
        #expect(one > lower * 8)
        #expect(try !cost(chain("lower", 40), text).ends && !cost(chain(filter, 2), text).ends)
    }

    @Test(
        "Signs beyond ASCII, parts, sets, fractions and exact digits cost what they take",
        arguments: [
            ("{{ value|lower|length }}", "é", "e"), ("{{ value|float(0) }}", "é", "e"),
            ("{{ value.split('e')|length }}", "e", "x"), ("{{ value|list|length }}", "e", ""),
            ("{{ value.replace('e', 'x')|length }}", "e", "x"), ("{{ value[::-1]|length }}", "e", ""),
        ])
    func heavy(_ source: String, _ heavy: String, _ light: String) throws {
        let (more, less) = (
            try cost(source, String(repeating: heavy, count: 1000)),
            try cost(source, String(repeating: light, count: 1000))
        )
        #expect(!more.ends && more.cost > less.cost + 3000, "\(more.cost) \(less.cost)")
    }

    @Test("A rendering costs no more than its bound, and a small one next to nothing")
    func bounds() throws {
        #expect(try cost("{{ value|float * 0.1 }}").cost < 300)
        #expect(try cost("{{ value|float|round(1) }}", "21.57").cost < 600)
        for source in [
            "{{ ('a'*60000)|list|length }}", "{{ ([5e-324]*5000)|join|length }}", "{{ ('a '*8000).split()|length }}",
        ] {
            #expect(try cost(source) == (Template.mostCost, true), "\(source)")
        }
        var sum = 7
        _ = try Template("{{ value }}").text(["value": .text("a")], cost: &sum)
        #expect(sum > 7)
    }
}
