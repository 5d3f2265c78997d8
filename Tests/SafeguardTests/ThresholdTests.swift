import Safeguard
import Testing

struct ThresholdTests {
    private let plain = Threshold(level: 300, hysteresis: 30)
    private let steep = Threshold(level: 300, hysteresis: 30, risePerMinute: 50)

    /// What a row of readings does, a second apart.
    private func crossings(_ values: [Double], _ threshold: Threshold) -> [Crossing?] {
        var watch = ThresholdWatch()
        return values.enumerated().map { watch.apply($1, at: Int64($0) * 1000, threshold) }
    }

    @Test func `The level itself counts as reached, and just under it does not`() {
        #expect(crossings([299.999, 300], plain) == [nil, .reached])
    }

    @Test func `What stays over is told once`() {
        #expect(crossings([310, 320, 900, 301], plain) == [.reached, nil, nil, nil])
    }

    @Test func `It is left only below the hysteresis`() {
        #expect(crossings([300, 271, 299, 270, 300], plain) == [.reached, nil, nil, .left, .reached])
    }

    @Test func `Noise around the level is one alarm, not many`() {
        let noisy = (0..<100).map { 300 + ($0.isMultiple(of: 2) ? 5.0 : -5.0) }
        #expect(crossings(noisy, plain).compactMap { $0 } == [.reached])
    }

    @Test func `What falls below its level after its alarm has ended is over, and what rises again another danger`() {
        var (ended, stands) = (ThresholdWatch(), ThresholdWatch())
        for value in [310.0, 305] {
            #expect(ended.apply(value, at: 0, plain) == stands.apply(value, at: 0, plain))
        }
        ended.end()
        #expect(ended.apply(302, at: 1, plain) == nil && ended.isOver)
        #expect(ended.apply(299, at: 2, plain) == .left && ended.apply(300, at: 3, plain) == .reached)
        #expect(stands.apply(299, at: 2, plain) == nil && stands.apply(300, at: 3, plain) == nil)
        // The other danger has not ended, and one that is over has nothing to end.
        #expect(ended.apply(299, at: 4, plain) == nil && ended.apply(270, at: 5, plain) == .left)
        ended.end()
        #expect(ended.apply(300, at: 6, plain) == .reached && ended.apply(299, at: 7, plain) == nil)
    }

    @Test func `Without hysteresis the level itself is still over`() {
        #expect(crossings([300, 300, 299.9], Threshold(level: 300, hysteresis: 0)) == [.reached, nil, .left])
    }

    @Test func `A tenth of the level is the usual hysteresis, and it is never below zero`() {
        #expect(Threshold(level: 300).hysteresis == 30)
        #expect(Threshold(level: -20).hysteresis == 2)
        #expect(Threshold(level: 300, hysteresis: -1).hysteresis == 0)
    }

    @Test func `What grows too fast is told before it reaches the level`() {
        #expect(crossings([100, 110, 149.9, 150], steep) == [nil, nil, nil, .rising])
    }

    @Test func `Growing as fast within more than a minute is no rise`() {
        var watch = ThresholdWatch()
        let slow = (0..<30).map { watch.apply(100 + Double($0) * 5, at: Int64($0) * 10_000, steep) }
        #expect(slow.allSatisfy { $0 == nil })
    }

    @Test func `A rise ends when a minute has passed without more of it`() {
        var watch = ThresholdWatch()
        #expect(watch.apply(100, at: 0, steep) == nil)
        #expect(watch.apply(160, at: 10_000, steep) == .rising)
        #expect(watch.apply(160, at: 40_000, steep) == nil)
        #expect(watch.apply(160, at: 71_000, steep) == .left)
    }

    @Test func `Over by its level, it is left neither in the band nor while it grows too fast`() {
        var watch = ThresholdWatch(isOver: true)
        #expect(watch.apply(280, at: 0, steep) == nil)
        #expect(watch.apply(200, at: 1000, steep) == .left)
        #expect(watch.apply(260, at: 2000, steep) == .rising)
        #expect(watch.apply(265, at: 3000, steep) == nil)
    }

    @Test func `A reading that comes late is held against the same minute`() {
        var watch = ThresholdWatch()
        #expect(watch.apply(100, at: 60_000, steep) == nil)
        #expect(watch.apply(120, at: 30_000, steep) == nil)
        #expect(watch.apply(151, at: 61_000, steep) == .rising)
    }

    @Test func `A clock that is set back by a day begins the minute anew`() {
        let day: Int64 = 86_400_000
        var watch = ThresholdWatch()
        #expect(watch.apply(100, at: day, steep) == nil)
        #expect(watch.apply(140, at: 0, steep) == nil)
        // 160 is more than 50 above what was before the jump, and not above what came after it.
        #expect(watch.apply(160, at: 70_000, steep) == nil)
        #expect(watch.apply(215, at: 71_000, steep) == .rising)
    }

    @Test func `After a restart what was over is over`() {
        var watch = ThresholdWatch(isOver: true)
        #expect(watch.apply(310, at: 0, plain) == nil)
        #expect(watch.apply(200, at: 1, plain) == .left)
    }
}
