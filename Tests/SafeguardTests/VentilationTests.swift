import Safeguard
import Testing

struct VentilationTests {
    private let threshold = Threshold(level: 300)
    private let minute: Int64 = 60_000

    private func percent(at level: Double) -> UInt8 {
        var fan = Ventilation()
        fan.apply(level, isOver: true, threshold, most: 600, at: 0, shortestRun: minute)
        return fan.percent
    }

    @Test(arguments: [
        (0.0, 50), (300, 50), (306, 51), (450, 75), (594, 99), (600, 100), (10_000, 100),
    ])
    func `Over the threshold it runs between half and all its speed`(_ level: Double, _ speed: Int) {
        #expect(Int(percent(at: level)) == speed)
    }

    @Test(arguments: [(-1, 0), (0, 0), (49, 0), (50, 50), (77, 77), (100, 100), (101, 100), (Int.max, 100)])
    func `Under fifty it is off, and nothing runs faster than it can`(_ asked: Int, _ meant: Int) {
        #expect(Int(Ventilation.meaning(of: asked)) == meant)
    }

    @Test func `A span of nothing is full speed above the level and half at it`() {
        var fan = Ventilation()
        fan.apply(300, isOver: true, threshold, most: 300, at: 0, shortestRun: 0)
        #expect(fan.percent == 50)
        fan.apply(301, isOver: true, threshold, most: 300, at: 0, shortestRun: 0)
        #expect(fan.percent == 100)
    }

    @Test func `Once it runs, it runs for its shortest time, slowly when the air is good again`() {
        var fan = Ventilation()
        let began = fan.apply(600, isOver: true, threshold, most: 600, at: 0, shortestRun: minute)
        let same = fan.apply(600, isOver: true, threshold, most: 600, at: 10, shortestRun: minute)
        #expect(began && !same)
        fan.apply(100, isOver: false, threshold, most: 600, at: 1000, shortestRun: minute)
        #expect(fan.percent == 50)
        fan.apply(100, isOver: false, threshold, most: 600, at: minute - 1, shortestRun: minute)
        #expect(fan.percent == 50)
        fan.apply(100, isOver: false, threshold, most: 600, at: minute, shortestRun: minute)
        #expect(fan == Ventilation())
    }

    @Test func `A longer alarm than the shortest run ends the fan with it`() {
        var fan = Ventilation()
        fan.apply(400, isOver: true, threshold, most: 600, at: 0, shortestRun: minute)
        fan.apply(400, isOver: true, threshold, most: 600, at: 2 * minute, shortestRun: minute)
        fan.apply(100, isOver: false, threshold, most: 600, at: 2 * minute + 1, shortestRun: minute)
        #expect(fan.percent == 0)
    }

    @Test func `What never ran is not switched on by good air`() {
        var fan = Ventilation()
        let changed = fan.apply(100, isOver: false, threshold, most: 600, at: 0, shortestRun: minute)
        #expect(!changed && fan == Ventilation())
    }

    @Test func `A clock that is set back keeps it running no longer than its shortest time from then`() {
        var fan = Ventilation(percent: 70, since: 86_400_000)
        fan.apply(100, isOver: false, threshold, most: 600, at: 0, shortestRun: minute)
        #expect(fan.percent == 50)
        fan.apply(100, isOver: false, threshold, most: 600, at: minute, shortestRun: minute)
        #expect(fan.percent == 0)
    }

    @Test func `After a restart it goes on as it was`() {
        var fan = Ventilation(percent: 70, since: 0)
        fan.apply(100, isOver: false, threshold, most: 600, at: minute / 2, shortestRun: minute)
        #expect(fan.percent == 50)
    }
}
