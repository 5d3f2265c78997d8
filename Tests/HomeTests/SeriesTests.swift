import Ledger
import Safeguard
import Store
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

/// What the tests of the series have to do.
extension TestHouse {
    var series: Series { parts.series }

    /// A sensor tells a value.
    func tell(_ value: Double, of sensor: Sensor, at time: Timestamp, isRetained: Bool = false) {
        parts.readings.observe(Reading(.number(value), at: time, isRetained: isRetained), of: sensor)
    }

    func rows(_ tier: Tier, of sensor: Sensor) throws -> [Timestamp: Rollup] {
        try parts.store.read { database in
            var found: [Timestamp: Rollup] = [:]
            try SeriesRecords.each(
                tier, of: sensor.number, from: Timestamp(milliseconds: .min), to: Timestamp(milliseconds: .max),
                in: database
            ) { found[$0] = $1 }
            return found
        }
    }
}

/// What the tables should hold of some readings, put together in the plainest way.
private func model(_ told: [(value: Double, at: Timestamp)], _ tier: Tier) -> [Timestamp: Rollup] {
    Dictionary(grouping: told) { tier.start(of: $0.at) }.mapValues { readings in
        let inTime = readings.sorted { $0.at < $1.at }
        return Rollup(
            count: readings.count, low: readings.map(\.value).min()!, high: readings.map(\.value).max()!,
            sum: readings.map(\.value).reduce(0, +), last: inTime.last!.value, lastAt: inTime.last!.at)
    }
}

/// Readings that come in any order, over some hours, with times that differ. Eighths, so that sums are exact in any order.
private func readings(
    _ count: Int, over hours: Int, _ generator: inout SystemRandomNumberGenerator
) -> [(value: Double, at: Timestamp)] {
    var times: Set<Int64> = []
    while times.count < count { times.insert(.random(in: 0..<Int64(hours) * 3_600_000, using: &generator)) }
    return times.sorted().map { time in
        (Double(Int.random(in: -8_000...8_000, using: &generator)) / 8, noon.adding(milliseconds: time))
    }
}

struct SeriesTests {
    @Test
    func `Five minutes, hours and days are the fold of all readings, in whatever order they come and are written`()
        async throws
    {
        try await TestHouse.run { house in
            var generator = SystemRandomNumberGenerator()
            let sensor = try await house.sensor("number", .number)
            let told = readings(3_000, over: 30, &generator)
            for (index, one) in told.shuffled(using: &generator).enumerated() {
                house.tell(one.value, of: sensor, at: one.at)
                if index.isMultiple(of: 700) { await house.series.flush() }
            }
            await house.series.flush()
            for tier in Tier.folds { #expect(try house.rows(tier, of: sensor) == model(told, tier)) }
            let raw = try house.rows(.raw, of: sensor)
            #expect(raw.count == told.count)
            #expect(raw == model(told, .raw))
            let hours = try house.rows(.fiveMinutes, of: sensor).reduce(into: [Timestamp: Rollup]()) { hours, row in
                let start = Tier.hour.start(of: row.key)
                if hours[start]?.add(row.value) == nil { hours[start] = row.value }
            }
            #expect(try house.rows(.hour, of: sensor) == hours)
        }
    }

    @Test func `What is too little of a change is not kept, and counts all the same`() async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas)
            let values = [200.0, 201, 199, 203, 200]
            for (index, value) in values.enumerated() {
                house.tell(value, of: gas, at: noon.adding(milliseconds: Int64(index) * 1_000))
            }
            house.tell(200, of: gas, at: noon.adding(milliseconds: 64_000))
            await house.series.flush()
            // The first, the one that is more than a hundredth away, the way back, and one after a minute.
            #expect(
                try house.rows(.raw, of: gas).keys.sorted().map { $0.milliseconds - noon.milliseconds }
                    == [0, 3_000, 4_000, 64_000])
            let fold = try #require(try house.rows(.fiveMinutes, of: gas)[noon])
            #expect((fold.count, fold.low, fold.high, fold.sum) == (6, 199, 203, 1_203))
        }
    }

    @Test func `A reading that comes late is counted where it belongs, and is not the last`() async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas)
            house.tell(300, of: gas, at: noon.adding(milliseconds: 200_000))
            await house.series.flush()
            house.tell(900, of: gas, at: noon.adding(milliseconds: 100_000))
            house.tell(100, of: gas, at: noon.adding(milliseconds: -1))
            await house.series.flush()
            let folds = try house.rows(.fiveMinutes, of: gas)
            let first = try #require(folds[noon])
            #expect((first.count, first.high, first.last) == (2, 900, 300))
            #expect(folds[noon.adding(milliseconds: -300_000)]?.last == 100)
        }
    }

    @Test func `A restart in the middle of five minutes loses none of them`() async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas)
            house.tell(300, of: gas, at: noon)
            await house.series.flush()
            let again = Series(house.parts.store, clock: house.parts.clock)
            again.heard(
                Reading(.number(500), at: noon.adding(milliseconds: 60_000)), of: gas, before: SensorState())
            await again.flush()
            let fold = try #require(try house.rows(.fiveMinutes, of: gas)[noon])
            #expect((fold.count, fold.low, fold.high, fold.last) == (2, 300, 500, 500))
        }
    }

    @Test func `What the broker had kept, what is shown only and what is no number make no history`() async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas)
            let tag = try await house.sensor("tag", .tag)
            house.tell(300, of: gas, at: noon, isRetained: true)
            house.tell(.nan, of: gas, at: noon)
            house.parts.readings.show(Reading(.number(900), at: noon), of: gas, as: .warming)
            house.parts.readings.observe(Reading(.text("04a2"), at: noon), of: tag)
            await house.series.flush()
            #expect(try house.rows(.raw, of: gas).isEmpty)
            #expect(try house.rows(.raw, of: tag).isEmpty)
            // The first that is good is kept, whatever was shown a moment before.
            house.parts.readings.observe(Reading(.number(900), at: noon.adding(milliseconds: 1)), of: gas)
            await house.series.flush()
            #expect(try house.rows(.raw, of: gas).count == 1)
        }
    }

    @Test func `A yes is one and a no is nought`() async throws {
        try await TestHouse.run { house in
            let door = try await house.sensor("door", .contact)
            for (index, isOpen) in [false, true, true, false].enumerated() {
                house.parts.readings.observe(
                    Reading(.truth(isOpen), at: noon.adding(milliseconds: Int64(index) * 1_000)), of: door)
            }
            await house.series.flush()
            #expect(try house.rows(.raw, of: door).values.map(\.last).sorted() == [0, 0, 1])
            #expect(try house.rows(.hour, of: door)[noon]?.mean == 0.5)
        }
    }

    @Test func `A clock that is set back or forth loses nothing, and what it tells lies where it says`() async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas)
            let times = [noon, moment("2036-01-01T00:00:00.000Z"), moment("1970-01-01T00:00:00.000Z"), noon]
            for (index, time) in times.enumerated() { house.tell(Double(100 + index), of: gas, at: time) }
            await house.series.flush()
            let folds = try house.rows(.fiveMinutes, of: gas)
            #expect(folds.count == 3)
            #expect(folds.values.map(\.count).reduce(0, +) == 4)
            #expect(try house.rows(.raw, of: gas)[noon]?.last == 103)
        }
    }

    @Test func `Readings are written by themselves, half a second after the first or a thousand later`() async throws {
        try await TestHouse.run { house in
            let number = try await house.sensor("number", .number)
            let work = Task { try await house.series.run() }
            for index in 0..<2_500 {
                house.tell(Double(index), of: number, at: noon.adding(milliseconds: Int64(index)))
            }
            #expect(try await eventually { try house.rows(.raw, of: number).count == 2_500 })
            house.tell(1, of: number, at: noon.adding(milliseconds: 5_000))
            #expect(try await eventually { try house.rows(.raw, of: number).count == 2_501 })
            work.cancel()
            await #expect(throws: CancellationError.self) { try await work.value }
        }
    }
}

struct FullDiskTests {
    @Test func `A full disk costs the oldest single readings, and no count`() {
        var (batch, kept) = (SeriesBatch(), [Int64: (value: Double, at: Int64)]())
        let many = SeriesBatch.rawLimit + 500
        batch.add(
            (0..<many).map {
                Heard(sensor: 1, at: noon.adding(milliseconds: Int64($0)), value: Double($0), keeping: .every)
            }, kept: &kept)
        #expect(batch.raw.count == SeriesBatch.rawLimit)
        #expect(batch.raw.first?.value == 500)
        #expect(batch.forgetLost() == 500)
        #expect(batch.folds.values.map(\.count).reduce(0, +) == many * Tier.folds.count)
        #expect(batch.lost == 0)
    }

    @Test func `What could not be written is written later, before what came since`() {
        var (batch, kept) = (SeriesBatch(), [Int64: (value: Double, at: Int64)]())
        func heard(_ value: Double) -> Heard {
            Heard(sensor: 1, at: noon.adding(milliseconds: Int64(value)), value: value, keeping: .every)
        }
        batch.add([heard(1), heard(2)], kept: &kept)
        let failed = batch.next(limit: 10)
        #expect(batch.isEmpty)
        batch.add([heard(3)], kept: &kept)
        batch.takeBack(failed)
        #expect(batch.raw.map(\.value) == [1, 2, 3])
        #expect(batch.folds.values.map(\.count) == [3, 3, 3])
        let part = batch.next(limit: 2)
        #expect(part.raw.map(\.value) == [1, 2])
        #expect(part.folds.count == 2)
        #expect(batch.raw.map(\.value) == [3])
        #expect(batch.folds.count == 1)
    }

    @Test func `With a full disk the series waits, and goes on when there is room again`() async throws {
        try await TestHouse.run { house in
            let number = try await house.sensor("number", .number)
            try await house.parts.store.write { _ = try $0.row("PRAGMA max_page_count = 1") { $0[0] as Int } }
            for index in 0..<20_000 {
                house.tell(Double(index), of: number, at: noon.adding(milliseconds: Int64(index)))
            }
            #expect(await house.series.flush() == false)
            #expect(await house.series.flush() == false)
            try await house.parts.store.write { _ = try $0.row("PRAGMA max_page_count = 1000000") { $0[0] as Int } }
            #expect(await house.series.flush())
            #expect(try house.rows(.raw, of: number).count == 20_000)
            #expect(try house.rows(.day, of: number).values.map(\.count) == [20_000])
        }
    }
}

struct EvidenceTests {
    private func alarms(_ values: [(Double, Int64)], at level: Double, hysteresis: Double) async throws -> Int {
        var count = 0
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas)
            for (value, second) in values { house.tell(value, of: gas, at: noon.adding(milliseconds: second * 1_000)) }
            await house.series.flush()
            count = try house.series.alarms(of: gas, at: level, hysteresis: hysteresis, since: noon)
        }
        return count
    }

    @Test func `Every time that the level would have been reached counts once`() async throws {
        let days =
            [(200.0, 0), (450.0, 600), (460.0, 1_200), (300.0, 1_800), (500.0, 2_400), (380.0, 3_000)]
            as [(Double, Int64)]
        #expect(try await alarms(days, at: 400, hysteresis: 40) == 2)
        #expect(try await alarms(days, at: 455, hysteresis: 40) == 2)
        #expect(try await alarms(days, at: 505, hysteresis: 40) == 0)
        #expect(try await alarms(days, at: 400, hysteresis: 150) == 1)
    }

    @Test func `Several within five minutes are told apart by their readings`() async throws {
        let minutes = [(200.0, 0), (450.0, 30), (200.0, 60), (450.0, 90), (200.0, 120)] as [(Double, Int64)]
        #expect(try await alarms(minutes, at: 400, hysteresis: 40) == 2)
    }

    @Test func `What was left counts again only at the level, wherever its last value lay`() async throws {
        // Over, left and back into the band within five minutes; then over again: that is the second one.
        let seconds = [(450.0, 0), (300.0, 60), (370.0, 120), (410.0, 400)] as [(Double, Int64)]
        #expect(try await alarms(seconds, at: 400, hysteresis: 60) == 2)
    }

    @Test func `It counts as the alarm itself would, whatever the values do`() async throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<5 {
            try await TestHouse.run { house in
                let number = try await house.sensor("number", .number)
                let threshold = Threshold(level: 400, hysteresis: 60)
                var (watch, expected, value) = (ThresholdWatch(), 0, 300.0)
                for second in stride(from: 0 as Int64, to: 86_400, by: 60) {
                    value = min(max(value + .random(in: -40...40, using: &generator), 100), 700)
                    let at = noon.adding(milliseconds: second * 1_000)
                    house.tell(value, of: number, at: at)
                    if watch.apply(value, at: at.milliseconds, threshold) == .reached { expected += 1 }
                }
                await house.series.flush()
                #expect(try house.series.alarms(of: number, at: 400, hysteresis: 60, since: noon) == expected)
            }
        }
    }
}
