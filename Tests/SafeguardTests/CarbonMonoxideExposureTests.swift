import Testing

@testable import Safeguard

struct CarbonMonoxideExposureTests {
    private static let minute: Int64 = 60_000

    /// After how many minutes of a level there is an alarm, with a reading or a beat of the clock every so often; nil: not within ten hours.
    private func minutes(
        at level: Double, readingEvery seconds: Int64 = 30, in exposure: CarbonMonoxideExposure = .init()
    ) -> Double? {
        var exposure = exposure
        for second in stride(from: Int64(0), through: 36_000, by: 1) {
            let crossing =
                second.isMultiple(of: seconds)
                ? exposure.apply(level, at: second * 1_000) : exposure.pass(to: second * 1_000)
            if crossing == .reached { return Double(second) / 60 }
        }
        return nil
    }

    @Test(
        arguments: [
            (29.9, nil), (0, nil), (30, 120...600), (50, 60...90), (100, 10...40), (300, 0...3), (1_000, 0...3),
            (60, 10...90), (200, 0...40),
        ] as [(Double, ClosedRange<Double>?)])
    func `The times of EN 50291 hold at each level`(_ level: Double, _ wanted: ClosedRange<Double>?) {
        let found = minutes(at: level)
        if let wanted {
            #expect(found.map(wanted.contains) == true, "\(level) ppm: \(found ?? -1) minutes")
        } else {
            #expect(found == nil)
        }
    }

    @Test(arguments: [1, 60, 600] as [Int64]) func `However often a sensor reports, the times are the same`(
        _ seconds: Int64
    ) {
        #expect(minutes(at: 100, readingEvery: seconds).map { (24...26).contains($0) } == true)
    }

    @Test func `More is never slower`() {
        let rates = stride(from: 30.0, through: 2_000, by: 1).map { CarbonMonoxideExposure.perMinute(at: $0) }
        #expect(zip(rates, rates.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test func `A spike of a second is no alarm`() {
        var exposure = CarbonMonoxideExposure()
        #expect(exposure.apply(0, at: 0) == nil)
        #expect(exposure.apply(2_000, at: 1_000) == nil)
        #expect(exposure.apply(0, at: 2_000) == nil && !exposure.isOver)
    }

    @Test func `A dip of a minute begins nothing anew`() {
        var exposure = CarbonMonoxideExposure()
        var found: Int64?
        for second in Int64(0)...7_200 {
            let isDip = (1_800..<1_860).contains(second)
            if exposure.apply(isDip ? 0 : 50, at: second * 1_000) == .reached {
                found = second / 60
                break
            }
        }
        #expect(found.map { (60...90).contains($0) } == true, "\(found ?? -1)")
    }

    @Test func `A restart begins nothing anew, and what was there before and after it counts`() {
        var before = CarbonMonoxideExposure()
        for minute in Int64(0)...40 { #expect(before.apply(50, at: minute * Self.minute) == nil) }
        // Ten minutes down.
        let kept = before.level
        var after = CarbonMonoxideExposure(share: before.share, level: kept, at: 40 * Self.minute)
        var found: Int64?
        for minute in Int64(50)...120 where after.apply(50, at: minute * Self.minute) == .reached {
            found = minute
            break
        }
        #expect(found.map { (60...90).contains($0) } == true, "\(found ?? -1)")
        // Clean air at the start: nothing counts for the time in between.
        var clean = CarbonMonoxideExposure(share: before.share, level: kept, at: 40 * Self.minute)
        #expect(clean.apply(0, at: 50 * Self.minute) == nil)
        #expect(clean.share < before.share)
    }

    @Test func `A clock that jumps ahead raises no alarm, and one that is set back loses none`() {
        var ahead = CarbonMonoxideExposure()
        _ = ahead.apply(50, at: 0)
        #expect(ahead.apply(50, at: 300 * 86_400_000) == nil)
        #expect(ahead.share < 0.05)
        var back = CarbonMonoxideExposure()
        var reached = 0
        var time: Int64 = 10_000_000
        for minute in 0..<90 {
            if minute == 30 { time -= 7_200_000 }
            time += Self.minute
            if back.apply(50, at: time) == .reached { reached = minute }
        }
        #expect((60...90).contains(reached), "\(reached)")
    }

    @Test func `It is over once the air has been harmless for two minutes, and comes back sooner than the first time`()
    {
        var exposure = CarbonMonoxideExposure()
        var time: Int64 = 0
        while exposure.apply(100, at: time) != .reached { time += Self.minute }
        #expect(exposure.apply(31, at: time + 1_000) == nil && exposure.isOver)
        #expect(exposure.apply(29, at: time + 2_000) == nil && exposure.isOver)
        // A dip of a minute ends nothing.
        #expect(exposure.apply(100, at: time + 62_000) == nil && exposure.apply(0, at: time + 63_000) == nil)
        #expect(exposure.pass(to: time + 122_000) == nil && exposure.pass(to: time + 182_000) == nil)
        #expect(exposure.pass(to: time + 183_000) == .left && !exposure.isOver)
        let again = time + 184_000
        var passed: Int64 = 0
        while exposure.apply(100, at: again + passed) != .reached { passed += Self.minute }
        #expect((5...20).contains(passed / Self.minute))
    }

    @Test func `An alarm that is due while nothing is heard is raised when it is heard again`() {
        var exposure = CarbonMonoxideExposure()
        _ = exposure.apply(300, at: 0)
        for second in Int64(1)...119 { #expect(exposure.pass(to: second * 1_000) == nil) }
        exposure.lose(at: 121_000)
        #expect(exposure.share == 1 && !exposure.isOver)
        #expect(exposure.apply(300, at: 125_000) == .reached)
    }

    @Test func `What is heard again without a reading goes on as it was`() {
        var exposure = CarbonMonoxideExposure()
        _ = exposure.apply(300, at: 0)
        exposure.lose(at: 1_000)
        exposure.resume(at: 5_000)
        var reached: Int64?
        for second in Int64(6)...200 where exposure.pass(to: second * 1_000) == .reached { reached = second }
        #expect(reached.map { (110...140).contains($0) } == true, "\(reached ?? -1)")
        // What was kept elsewhere adds up, and good air of that kind ends and mends nothing.
        var kept = CarbonMonoxideExposure()
        kept.resume(at: 0, level: 300)
        for second in Int64(1)...119 { #expect(kept.pass(to: second * 1_000) == nil) }
        #expect(kept.pass(to: 121_000) == .reached)
        kept.lose(at: 122_000)
        kept.resume(at: 123_000, level: 0)
        for second in Int64(124)...600 { #expect(kept.pass(to: second * 1_000) == nil) }
        #expect(kept.isOver)
        var clean = CarbonMonoxideExposure(share: 0.6, level: 300, at: 0)
        clean.resume(at: 1_000, level: 0)
        for second in Int64(2)...600 { #expect(clean.pass(to: second * 1_000) == nil) }
    }

    @Test func `A sensor that is away most of the time, and says the same whenever it is there, is no slower`() {
        var exposure = CarbonMonoxideExposure()
        var reached: Int64?
        for second in Int64(0)...400 where reached == nil {
            let now = second * 1_000
            switch second % 60 {
            case 0:
                exposure.resume(at: now)
                if exposure.apply(300, at: now) == .reached { reached = second }
            case 1..<10: if exposure.pass(to: now) == .reached { reached = second }
            case 10: exposure.lose(at: now)
            default: break
            }
        }
        #expect(reached.map { (110...180).contains($0) } == true, "\(reached ?? -1)")
    }

    @Test(arguments: [[120], [3_600], [59, 59, 59], [20, 1]])
    func `After a gap an alarm is over once the air was heard to be clean for two minutes`(_ gaps: [Int64]) {
        var exposure = CarbonMonoxideExposure(share: 1, level: 300, at: 0, isOver: true)
        _ = exposure.apply(300, at: 0)
        #expect(exposure.apply(5, at: 1_000) == nil)
        var now: Int64 = 31_000
        for gap in gaps {
            #expect(exposure.pass(to: now) == nil)
            exposure.lose(at: now)
            now += gap * 1_000
            exposure.resume(at: now)
            #expect(exposure.apply(5, at: now) == nil && exposure.isOver)
        }
        for second in Int64(1)..<120 { #expect(exposure.pass(to: now + second * 1_000) == nil) }
        #expect(exposure.pass(to: now + 120_000) == .left)
        // The same of a restart.
        var kept = CarbonMonoxideExposure(share: 1, level: 5, at: 0, isOver: true)
        kept.resume(at: 3_600_000)
        #expect(kept.pass(to: 3_900_000) == nil && kept.apply(5, at: 3_900_000) == nil && kept.isOver)
    }

    @Test func `A kept level says nothing of the time before it`() {
        for level in [50.0, 100] {
            var clean = CarbonMonoxideExposure()
            _ = clean.apply(5, at: 0)
            clean.lose(at: 1_000)
            clean.resume(at: 26 * Self.minute, level: level)
            #expect(clean.apply(level, at: 26 * Self.minute + 1_000) == nil && clean.share < 0.01)
        }
        // Before, kept and after: the least of the three counts.
        for (before, kept, after) in [(100.0, 300.0, 300.0), (300, 100, 300), (300, 300, 100)] {
            var exposure = CarbonMonoxideExposure(share: 0, level: before, at: 0)
            exposure.resume(at: 5 * Self.minute, level: kept)
            _ = exposure.apply(after, at: 5 * Self.minute)
            #expect((0.19...0.21).contains(exposure.share), "\(before) \(kept) \(after): \(exposure.share)")
        }
        // Clean air that was kept may be old: it mends nothing, and nothing adds up.
        var stale = CarbonMonoxideExposure(share: 0.5, level: 300, at: 0)
        stale.resume(at: Self.minute, level: 5)
        #expect(stale.pass(to: 2 * Self.minute) == nil && stale.apply(300, at: 10 * Self.minute) == nil)
        #expect(stale.share == 0.5)
    }

    @Test func `What was kept counts also where the sensor was there before it came`() {
        var exposure = CarbonMonoxideExposure(share: 0, level: 300, at: 0)
        exposure.resume(at: 1_000)
        exposure.resume(at: 2_000, level: 100)
        var reached: Int64?
        for second in Int64(3)...3_000 where reached == nil && exposure.pass(to: second * 1_000) == .reached {
            reached = second / 60
        }
        #expect(reached.map { (10...40).contains($0) } == true, "\(reached ?? -1)")
    }

    @Test func `While the sensor is not heard nothing adds up until it is heard again`() {
        var exposure = CarbonMonoxideExposure()
        _ = exposure.apply(300, at: 0)
        exposure.lose(at: 1_000)
        #expect(exposure.pass(to: 3_600_000) == nil)
        let share = exposure.share
        #expect(share < 0.1)
        // As much before as after: it was there all the time.
        #expect(exposure.apply(300, at: 300_000) == .reached)
    }

    @Test func `What begins anew comes back once as much adds up again`() {
        var exposure = CarbonMonoxideExposure(share: 1, level: 300, at: 0, isOver: true)
        exposure.beginAnew(at: 0)
        #expect(!exposure.isOver && exposure.share == 0)
        #expect(minutes(at: 300, in: exposure).map { (1...3).contains($0) } == true)
    }

    @Test func `What was written down and is no number counts as nothing`() {
        #expect(CarbonMonoxideExposure(share: .nan, level: .infinity).share == 0)
        #expect(CarbonMonoxideExposure(share: 9).share == 1)
    }
}
