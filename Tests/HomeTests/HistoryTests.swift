import Accounts
import Identity
import Ledger
import Safeguard
import Store
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

private let rome = Zone(name: "Europe/Rome")!
private let always: @Sendable (Tier) -> Timestamp = { _ in Timestamp(milliseconds: .min) }

struct ChartGridTests {
    @Test func `Stretches come out of the coarsest tier that is no coarser than they are`() {
        func tier(_ hours: Int64, _ count: Int) -> Tier {
            ChartGrid(from: noon, to: noon.adding(milliseconds: hours * 3_600_000), count: count, kept: always).tier
        }
        #expect(tier(1, 60) == .raw)
        #expect(tier(24, 288) == .fiveMinutes)
        #expect(tier(24, 400) == .raw)
        #expect(tier(24 * 30, 400) == .hour)
        #expect(tier(24 * 365, 400) == .hour)
        #expect(tier(24 * 400, 400) == .day)
        #expect(tier(24 * 3_650, 1) == .day)
    }

    @Test func `Where the fine tier does not go back so far, the next that does is read`() {
        let rules = HistoryRetention()
        func tier(_ days: Int64) -> Tier {
            let from = noon.adding(milliseconds: -days * 86_400_000)
            return ChartGrid(from: from, to: from.adding(milliseconds: 3_600_000), count: 60) {
                rules.kept($0, at: noon)
            }.tier
        }
        #expect(tier(29) == .raw)
        #expect(tier(31) == .fiveMinutes)
        #expect(tier(800) == .hour)
    }

    @Test
    func
        `There are no more stretches than were asked for, but one that the span begins within, and they cover it whole`()
    {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let from = Timestamp(milliseconds: .random(in: -1_000_000...2_000_000_000_000, using: &generator))
            let to = from.adding(milliseconds: .random(in: 1...400_000_000_000, using: &generator))
            let count = Int.random(in: 1...400, using: &generator)
            let grid = ChartGrid(from: from, to: to, count: count, kept: always)
            #expect(grid.edges.count - 1 <= count + 1)
            #expect(grid.edges.first! <= from && grid.edges.last! >= to)
            #expect(grid.edges.allSatisfy { grid.tier.start(of: $0) == $0 })
        }
    }

    @Test func `Whatever is asked for, the stretches together hold every reading once`() async throws {
        try await TestHouse.run { house in
            var generator = SystemRandomNumberGenerator()
            let number = try await house.sensor("number", .number)
            for index in 0..<5_000 {
                house.tell(
                    Double(Int.random(in: 0...900, using: &generator)), of: number,
                    at: noon.adding(milliseconds: Int64(index) * 61_000))
            }
            await house.series.flush()
            let end = noon.adding(milliseconds: 5_000 * 61_000)
            for count in [1, 7, 60, 288, 400] {
                let (grid, buckets) = try house.parts.store.read { database in
                    try ChartGrid.read(number.number, in: database) {
                        ChartGrid(from: noon, to: end, count: count, least: $0, kept: always)
                    }
                }
                #expect(buckets.map(\.rollup.count).reduce(0, +) == 5_000)
                #expect(buckets.count <= count + 1)
                #expect(buckets.allSatisfy { grid.edges.contains($0.from) })
            }
        }
    }

    @Test func `Too many single readings are read as five minutes`() async throws {
        try await TestHouse.run { house in
            let number = try await house.sensor("number", .number)
            for index in 0..<(ChartGrid.budget + 1) {
                house.tell(1, of: number, at: noon.adding(milliseconds: Int64(index) * 100))
            }
            await house.series.flush()
            let (grid, buckets) = try house.parts.store.read { database in
                try ChartGrid.read(number.number, in: database) {
                    ChartGrid(
                        from: noon, to: noon.adding(milliseconds: 3_600_000), count: 60, least: $0, kept: always)
                }
            }
            #expect(grid.tier == .fiveMinutes)
            #expect(buckets.map(\.rollup.count).reduce(0, +) == ChartGrid.budget + 1)
        }
    }
}

struct ChartWindowTests {
    private func window(_ span: ChartSpan, _ at: String, _ zone: Zone = rome) -> ChartWindow {
        ChartWindow(span, at: moment(at), zone: zone, whole: (noon, noon))
    }

    @Test func `A day is a day of the house, of 23, 24 or 25 hours`() {
        let usual = window(.day, "2026-11-20T23:30:00.000Z")
        #expect((usual.from.iso8601, usual.to.iso8601) == ("2026-11-20T23:00:00.000Z", "2026-11-21T23:00:00.000Z"))
        #expect(window(.day, "2026-03-29T12:00:00.000Z").edges(.minutes(60)).count - 1 == 23)
        #expect(window(.day, "2026-10-25T12:00:00.000Z").edges(.minutes(60)).count - 1 == 25)
        #expect(
            window(.day, "2026-10-25T12:00:00.000Z").ticks.map { rome.clockText(at: $0) }
                == ["00:00", "06:00", "12:00", "18:00"])
    }

    @Test func `Weeks begin on Monday, months and years with their first day there`() {
        #expect(rome.day(at: window(.week, "2026-11-22T12:00:00.000Z").from).iso8601 == "2026-11-16")
        let december = window(.month, "2026-12-31T23:30:00.000Z")
        #expect(rome.day(at: december.from).iso8601 == "2027-01-01")
        let year = window(.year, "2026-06-01T12:00:00.000Z")
        #expect(year.edges(.months).count - 1 == 12)
        #expect(year.edges(.days).count - 1 == 365)
        #expect(year.edges(.months).allSatisfy { rome.day(at: $0).civil.day == 1 && rome.minute(at: $0) == 0 })
    }

    @Test func `Every window follows the one before without a gap, also where clocks change`() {
        for span in ChartSpan.allCases where span != .all {
            var one = window(span, "2026-03-28T12:00:00.000Z")
            for _ in 0..<60 {
                let next = ChartWindow(span, at: one.neighbours!.later, zone: rome, whole: (noon, noon))
                #expect(next.from == one.to)
                #expect(ChartWindow(span, at: next.neighbours!.earlier, zone: rome, whole: (noon, noon)) == one)
                one = next
            }
        }
    }

    @Test func `A day of the house is made of hours that lie in it, in a zone of half hours too`() {
        let days = window(.month, "2026-11-20T12:00:00.000Z")
        #expect(days.grid(.bars, kept: always).tier == .hour)
        let kolkata = window(.month, "2026-11-20T12:00:00.000Z", Zone(name: "Asia/Kolkata")!)
        #expect(kolkata.grid(.bars, kept: always).tier == .fiveMinutes)
    }
}

struct SensorChartTests {
    private func chart(_ house: TestHouse, _ sensor: Sensor, _ wish: SensorChart.Wish = .init()) throws -> SensorChart {
        try house.parts.store.read {
            try SensorChart.read(sensor, wish, zone: house.site.zone, at: house.time.value, in: $0)
        }
    }

    @Test func `A chart opens on the day before, and on today while there is none`() async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas)
            house.tell(212, of: gas, at: noon)
            await house.series.flush()
            #expect(try chart(house, gas).window.holds(noon))
            house.time.change { $0 = noon.adding(milliseconds: 86_400_000) }
            let next = try chart(house, gas)
            #expect(next.window.holds(noon))
            #expect(next.total?.high == 212)
        }
    }

    @Test func `It has the threshold as it was, and the alarms of its time`() async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas)
            for hour in 0..<10 {
                house.tell(200 + Double(hour), of: gas, at: noon.adding(milliseconds: Int64(hour) * 3_600_000))
            }
            await house.series.flush()
            try await house.parts.store.write { database in
                try ThresholdRecords.set(
                    Threshold(level: 400), of: gas.id, at: noon.adding(milliseconds: -86_400_000), in: database)
                try ThresholdRecords.set(
                    Threshold(level: 300), of: gas.id, at: noon.adding(milliseconds: 3_600_000), in: database)
            }
            let chart = try chart(house, gas, .init(span: .day, moment: noon))
            #expect(chart.thresholds.map { $0.threshold?.level } == [400, 300])
            #expect(chart.alarms.isEmpty)
        }
    }

    @Test func `A mark hides what was before it, and takes nothing away`() async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas)
            let ada = try await house.principal("Ada", .member)
            house.tell(900, of: gas, at: noon.adding(milliseconds: -7_200_000))
            house.tell(212, of: gas, at: noon.adding(milliseconds: 60_000))
            await house.series.flush()
            try await house.parts.historyDesk.startChart(of: gas, anew: true, for: ada)
            let mark = try house.parts.store.read { try StartMark.of(ada.person.id, gas.id, in: $0) }
            #expect(mark == noon)
            let wish = SensorChart.Wish(span: .day, moment: noon, mark: mark)
            #expect(try chart(house, gas, wish).total?.high == 212)
            #expect(try chart(house, gas, .init(span: .day, moment: noon)).total?.high == 900)
            try await house.parts.historyDesk.startChart(of: gas, anew: false, for: ada)
            #expect(try house.parts.store.read { try StartMark.of(ada.person.id, gas.id, in: $0) } == nil)
        }
    }

    @Test func `The drawing holds what it shows, and no name in it becomes an element`() async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas, unit: "<b>", period: 60)
            for minute in [0, 1, 2, 60, 61] {
                house.tell(200 + Double(minute), of: gas, at: noon.adding(milliseconds: Int64(minute) * 60_000))
            }
            await house.series.flush()
            _ = try await house.parts.store.write {
                try ThresholdRecords.set(Threshold(level: 250), of: gas.id, at: noon, in: $0)
            }
            let chart = try chart(house, gas, .init(span: .hour, moment: noon))
            for style in ChartStyle.allCases {
                let html = ChartDrawing(chart, of: gas, style, at: noon, .it).html("<x>").string
                #expect(!html.contains("<x>"))
                #expect(html.contains("soglia 250"))
                #expect(!html.contains("nan") && !html.contains("inf"))
            }
        }
    }

    @Test(arguments: [[0.0], [212, 212], [-5, 40], [0.001, 0.002], [1e9, 3e9], [-20, -19]])
    func `An axis has a few round marks, and room for everything`(_ values: [Double]) {
        let scale = ChartScale(values)
        #expect((2...8).contains(scale.ticks.count))
        #expect(values.allSatisfy { (scale.bottom...scale.top).contains($0) })
        #expect(scale.bottom < scale.top)
    }
}

struct EndlessNumbersTests {
    @Test func `An axis of what was kept before numbers had an end has one`() {
        let scale = ChartScale([-1e308, 1e308])
        #expect((2...8).contains(scale.ticks.count) && scale.top - scale.bottom < 1e19)
    }
}

struct HistoryRetentionTests {
    @Test func `What a house keeps no longer goes, tier by tier, and its roll-ups stay`() async throws {
        try await TestHouse.run { house in
            let number = try await house.sensor("number", .number)
            for day in 0..<1_000 {
                let at = noon.adding(milliseconds: -Int64(day) * 86_400_000 - 1)
                house.tell(Double(day), of: number, at: at)
            }
            for index in 0..<(Series.purgeStep * 2 + 10) {
                house.tell(
                    1, of: number, at: noon.adding(milliseconds: -Int64(40) * 86_400_000 - 10_000_000 + Int64(index)))
            }
            await house.series.flush()
            try await house.series.purge()
            #expect(try house.rows(.raw, of: number).count == 30)
            // One of each day, and the one that many fell into.
            #expect(try house.rows(.fiveMinutes, of: number).count == 730 + 1)
            #expect(try house.rows(.hour, of: number).count >= 1_000)
            #expect(
                try house.rows(.day, of: number).values.map(\.count).reduce(0, +) == 1_000 + Series.purgeStep * 2 + 10)
        }
    }

    @Test func `On a full disk what a house keeps no longer goes all the same`() async throws {
        let free = Shared<Int64>(1 << 30)
        try await TestHouse.run(free: free) { house in
            let number = try await house.sensor("number", .number)
            for day in 0..<40 {
                house.tell(1, of: number, at: noon.adding(milliseconds: -Int64(day) * 86_400_000 - 1))
            }
            await house.series.flush()
            free.change { $0 = 0 }
            #expect(house.parts.store.lookAtDisk())
            #expect(try await house.series.purge() == 10)
            #expect(try house.rows(.raw, of: number).count == 30)
        }
    }

    @Test func `A house says itself how long, and a sensor out of use keeps what it told until somebody deletes it`()
        async throws
    {
        try await TestHouse.run { house in
            let number = try await house.sensor("number", .number)
            let owner = try await house.principal("Ada", .owner)
            for day in 0..<100 {
                house.tell(1, of: number, at: noon.adding(milliseconds: -Int64(day) * 86_400_000 - 1))
            }
            await house.series.flush()
            let rules = HistoryRetention(raw: 7, fiveMinutes: 90, hours: 730)
            #expect(try await house.parts.historyDesk.keep(rules, for: house.site.id, by: owner))
            try await house.parts.registry.change(at: house.site.id) { database in
                var gone = number
                gone.retired = noon
                try HomeRecords.change(gone, in: database)
            }
            try await house.series.purge()
            #expect(try house.rows(.raw, of: number).count == 7)
            #expect(try house.rows(.fiveMinutes, of: number).count == 90)
            #expect(try house.parts.historyDesk.knownSensor(number.id)?.retired == noon)
            try await house.parts.historyDesk.deleteReadings(of: number, by: owner)
            for tier in Tier.allCases { #expect(try house.rows(tier, of: number).isEmpty) }
        }
    }

    @Test func `Nothing finer is kept longer than what is coarser`() {
        #expect(HistoryRetention().isAllowed)
        #expect(HistoryRetention(raw: 366, fiveMinutes: 366, hours: 0).isAllowed)
        #expect(!HistoryRetention(raw: 100, fiveMinutes: 90, hours: 0).isAllowed)
        #expect(!HistoryRetention(raw: 30, fiveMinutes: 730, hours: 400).isAllowed)
        #expect(!HistoryRetention(raw: 0, fiveMinutes: 730, hours: 0).isAllowed)
    }
}

struct SeriesExportTests {
    private func file(
        _ house: TestHouse, _ sensor: Sensor, _ tier: Tier, _ language: Language = .en
    ) throws -> String {
        let export = SeriesExport(sensor: sensor, device: "=cmd()", zone: house.site.zone, language: language)
        let bytes = try house.parts.store.read {
            try export.file(
                tier, from: noon.adding(milliseconds: -86_400_000), to: noon.adding(milliseconds: 86_400_000), in: $0)
        }
        return String(decoding: try #require(bytes).dropFirst(3), as: UTF8.self)
    }

    @Test func `A file says its unit and its zone, and a minus is a number`() async throws {
        try await TestHouse.run { house in
            let cold = try await house.sensor("cold", .temperature, unit: "°C")
            house.tell(-5.5, of: cold, at: noon)
            await house.series.flush()
            #expect(
                try file(house, cold, .raw)
                    == "Time (Europe/Rome),Time (UTC),\"Cold, =cmd() (°C)\"\r\n"
                    + "2026-11-21 13:00:00,2026-11-21T12:00:00.000Z,-5.5\r\n")
            #expect(
                try file(house, cold, .hour, .it).hasSuffix(";1" + String(repeating: ";\"-5,5\"", count: 4) + "\r\n"))
        }
    }

    @Test func `No name begins as a formula`() async throws {
        try await TestHouse.run { house in
            var sensor = try await house.sensor("x", .number)
            sensor.name = "=1+1"
            #expect(try file(house, sensor, .raw).contains("\"'=1+1, =cmd()\""))
        }
    }
}
