import Testing

@testable import Home
@testable import Household

struct RetainedMeterTests {
    private let limit = RetainedMeter.Limit(topics: 10, bytes: 100_000)

    @Test func `One topic counts once, by its largest message`() {
        var meter = RetainedMeter(limit)
        for now in 0..<1_000 {
            #expect(meter.take("a/b", 40_000, isRetained: false, at: UInt64(now)) == .within)
            // Not retained, an empty message removes nothing: the larger one may still be kept.
            #expect(meter.take("a/b", 0, isRetained: false, at: UInt64(now)) == .within)
        }
        #expect(meter.take("a/c", 70_000, isRetained: false, at: 1_000) == .uncertain)
    }

    @Test func `Above the limit the broker is asked what it keeps, and only that counts`() {
        var meter = RetainedMeter(limit)
        for number in 0..<10 { #expect(meter.take("a/\(number)", 1, isRetained: false, at: 0) == .within) }
        #expect(meter.take("a/10", 1, isRetained: false, at: 0) == .uncertain)
        // It keeps three of them.
        for number in 0..<3 { #expect(meter.take("a/\(number)", 1, isRetained: true, at: 1) == .within) }
        for number in 3..<10 { #expect(meter.take("b/\(number)", 1, isRetained: false, at: 2) == .within) }
        #expect(meter.take("b/10", 1, isRetained: false, at: 2_000) == .uncertain)
    }

    @Test func `What the broker keeps above the limit is too much`() {
        var meter = RetainedMeter(limit)
        for number in 0..<10 { #expect(meter.take("a/\(number)", 1, isRetained: true, at: 0) == .within) }
        #expect(meter.take("a/10", 1, isRetained: true, at: 0) == .over)
        var byBytes = RetainedMeter(limit)
        #expect(byBytes.take("a", 100_001, isRetained: true, at: 0) == .over)
    }

    @Test func `What passes the limit twice within a second is asked about once, and is too much when it is kept`() {
        var meter = RetainedMeter(limit)
        for number in 0..<10 { _ = meter.take("a/\(number)", 1, isRetained: false, at: 0) }
        #expect(meter.take("a/10", 1, isRetained: false, at: 0) == .uncertain)
        for number in 0..<10 { #expect(meter.take("b/\(number)", 1, isRetained: false, at: 999) == .within) }
        #expect(meter.take("b/10", 1, isRetained: false, at: 999) == .within)
        for number in 0..<10 { #expect(meter.take("b/\(number)", 1, isRetained: true, at: 999) == .within) }
        #expect(meter.take("b/10", 1, isRetained: true, at: 999) == .over)
        #expect(meter.take("b/11", 1, isRetained: false, at: 1_000) == .over)
    }

    @Test func `What says much and keeps little is asked about less and less often`() {
        var meter = RetainedMeter(limit)
        var asked: [UInt64] = []
        for second in 0..<300 as Range<UInt64> {
            for number in 0..<20 where meter.take("\(number)", 1, isRetained: false, at: second * 1_000) == .uncertain {
                asked.append(second)
            }
        }
        #expect(asked == [0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
    }

    @Test func `Long topics and deep ones count for what they cost the broker`() {
        var long = RetainedMeter(limit)
        #expect(long.take(String(repeating: "a", count: 60_000), 1, isRetained: true, at: 0) == .over)
        var deep = RetainedMeter(limit)
        #expect(deep.take(String(repeating: "/", count: 1_000), 1, isRetained: true, at: 0) == .over)
    }
}
