import Safeguard
import TestSupport
import Testing

/// Stories that a seed makes: a sensor that comes and goes, hubs that start again, and what the standard wants of them all.
struct CarbonMonoxideExposureStories {
    /// How a sensor tells.
    private enum Habit: CaseIterable {
        /// Every so often.
        case often
        /// What is new alone; it says that it is there.
        case changes
        /// The same, and the broker keeps it.
        case changesKept
    }

    private struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }

        mutating func below(_ bound: Int64) -> Int64 { Int64(next() % UInt64(bound)) }
    }

    /// One sensor at a hub, and what is true of it.
    private struct Story {
        var exposure = CarbonMonoxideExposure()
        let habit: Habit
        let period: Int64
        var isThere = true
        /// Whether it told its level since it was there again.
        private(set) var isRead = true
        /// What it told last.
        private var told = 0.0
        /// The seconds in which nothing was heard of a level that is there.
        var unheard: Int64 = 0

        init(_ habit: Habit, every period: Int64) { (self.habit, self.period) = (habit, period) }

        mutating func lose(at second: Int64) {
            exposure.lose(at: second * 1_000)
            (isThere, isRead) = (false, false)
        }

        mutating func find(_ level: Double, at second: Int64) -> Crossing? {
            isThere = true
            switch habit {
            case .changes where level != told: return apply(level, at: second)
            case .often, .changes: exposure.resume(at: second * 1_000)
            case .changesKept: exposure.resume(at: second * 1_000, level: level)
            }
            return nil
        }

        mutating func apply(_ level: Double, at second: Int64) -> Crossing? {
            (told, isRead) = (level, true)
            return exposure.apply(level, at: second * 1_000)
        }

        /// The hub starts again, and knows what was written down.
        mutating func restart() {
            exposure = CarbonMonoxideExposure(
                share: exposure.share, level: exposure.level, at: exposure.moment ?? 0, isOver: exposure.isOver)
        }
    }

    /// After how many minutes a level that begins at once is an alarm, whatever happens on the way; nil: not within twelve hours.
    private func alarm(at level: Double, _ story: inout Story, _ dice: inout Dice, upTo last: Double) -> Double? {
        let begin = story.period + dice.below(600)
        _ = story.apply(5, at: 0)
        var back: Int64?
        for second in 1...begin + 12 * 3_600 {
            let isThere = story.isThere
            var found: Crossing?
            if isThere, dice.below(Int64(last * 30)) == 0 {
                story.lose(at: second)
                back = second + 1 + dice.below(Int64(last * 20))
            } else if let at = back, second >= at {
                back = nil
                found = story.find(second < begin ? 5 : level, at: second)
            } else if dice.below(Int64(last * 60)) == 0 {
                story.restart()
                if isThere { found = story.find(second < begin ? 5 : level, at: second) }
            }
            let isAgain = story.habit == .changesKept && dice.below(600) == 0
            if story.isThere, story.habit == .often ? second % story.period == 0 : second == begin || isAgain {
                found = found ?? story.apply(second < begin ? 5 : level, at: second)
            }
            found = found ?? story.exposure.pass(to: second * 1_000)
            if found == .reached { return Double(second - begin) / 60 }
            // A sensor that is away when the air turns bad tells it when it is back.
            if second == begin, !story.isThere { back = second + 1 }
            let isUnheard = !story.isThere || story.habit == .often && !story.isRead
            if second >= begin, isUnheard { story.unheard += 1 }
        }
        return nil
    }

    @Test(arguments: [(30.0, 120.0, 180.0), (50, 60, 90), (100, 10, 40), (300, 0, 3)])
    func `However a sensor comes and goes, the times of EN 50291 hold`(_ level: Double, _ first: Double, _ last: Double)
        async
    {
        for seed in UInt64(1)...120 {
            await giveWay(Int(seed))
            var dice = Dice(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
            for _ in 0..<8 { _ = dice.next() }
            let period = 1 + dice.below(level < 300 ? 1_800 : 60)
            var story = Story(Habit.allCases[Int(dice.below(3))], every: period)
            let minutes = alarm(at: level, &story, &dice, upTo: last)
            // What was not heard counts once the sensor tells its level again, one reading later.
            let interval = story.habit == .often ? Double(period) / 60 : 0
            let most = last + interval + Double(story.unheard) / 60
            #expect(
                minutes.map { (first...most).contains($0) } == true,
                "seed \(seed), \(level) ppm, \(story.habit), every \(period) s: \(minutes ?? -1), at most \(most)")
        }
    }

    @Test func `However a sensor comes and goes, an alarm is over after two minutes of clean air that were heard`()
        async
    {
        var ended = 0
        for seed in UInt64(1)...3_000 {
            await giveWay(Int(seed))
            var dice = Dice(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
            for _ in 0..<8 { _ = dice.next() }
            var exposure = CarbonMonoxideExposure(share: 1, level: 300, at: 0, isOver: true)
            // The model: for how long, up to now, readings have said that the air is clean.
            var (isThere, clean, second) = (false, nil as Int64?, Int64(1))
            for _ in 0..<24 {
                let level = dice.below(3) == 0 ? 100.0 : 5
                let now = second * 1_000
                var found: Crossing?
                switch dice.below(8) {
                case 0...2:
                    found = exposure.apply(level, at: now)
                    clean = level < CarbonMonoxideExposure.harmless ? clean ?? second : nil
                    isThere = true
                case 3:
                    exposure.lose(at: now)
                    (isThere, clean) = (false, nil)
                case 4: exposure.resume(at: now)
                case 5: exposure.resume(at: now, level: level)
                case 6 where dice.below(3) == 0:
                    exposure = CarbonMonoxideExposure(
                        share: exposure.share, level: exposure.level, at: exposure.moment ?? 0, isOver: exposure.isOver)
                    (isThere, clean) = (false, nil)
                default: break
                }
                for _ in 0..<dice.below(70) where found == nil {
                    second += 1
                    found = exposure.pass(to: second * 1_000)
                }
                guard found == .left else { continue }
                ended += 1
                let heard = isThere ? clean.map { (second - $0) * 1_000 } ?? 0 : 0
                #expect(heard >= CarbonMonoxideExposure.airing, "seed \(seed): \(heard / 1_000) s")
                break
            }
        }
        #expect(ended > 500, "\(ended)")
    }
}
