import Ledger
import Safeguard
import Store
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

/// Carbon monoxide in numbers, from the reading to the alarm.
struct CarbonMonoxideTests {
    private static let minute: Int64 = 60_000

    private func care(_ house: TestHouse) throws -> Care {
        let parts = house.parts
        return try Care(
            parts.registry, parts.live, parts.alarms, parts.panels, parts.store, parts.clock
        ) { (_, _) throws(ActuationRefusal) in }
    }

    /// The air alarms of the house that are on.
    private func alarms(_ house: TestHouse) -> [HouseAlarm] {
        house.alarms.standing(at: house.site.id).filter { $0.kind == .environmental }
    }

    /// Tells a level every half minute, with the clock going on between.
    /// - Returns: after how many minutes there is an alarm; nil: not within them.
    private func minutes(
        at level: Double, of sensor: Sensor, _ care: Care, _ house: TestHouse, within most: Int
    ) -> Double? {
        for half in 0..<most * 2 {
            care.heard(house.reading(.number(level)), of: sensor, before: SensorState())
            for _ in 0..<30 {
                if !alarms(house).isEmpty { return Double(half) / 2 }
                house.move(seconds: 1)
                care.pass()
            }
        }
        return nil
    }

    /// Tells a level, and lets time pass.
    private func air(_ sensor: Sensor, at level: Double, _ care: Care, _ house: TestHouse, seconds: Int) {
        care.heard(house.reading(.number(level)), of: sensor, before: SensorState())
        for _ in 0..<seconds {
            house.move(seconds: 1)
            care.pass()
        }
    }

    @Test(
        arguments: [(30, 119, nil), (50, 90, 60...90), (100, 40, 10...40), (300, 3, 0.5...3)]
            as [(
                Double, Int, ClosedRange<Double>?
            )])
    func `A house is warned at the times of EN 50291`(_ level: Double, _ most: Int, _ wanted: ClosedRange<Double>?)
        async throws
    {
        try await TestHouse.run { house in
            let sensor = try await house.sensor("co", .carbonMonoxideLevel, unit: "ppm")
            let found = minutes(at: level, of: sensor, house.parts.care, house, within: most)
            if let wanted {
                #expect(found.map(wanted.contains) == true, "\(level) ppm after \(found ?? -1) minutes")
                let alarm = try #require(alarms(house).first)
                #expect(house.alarms.hazard(alarm) == .carbonMonoxide)
                #expect(alarm.text[.en].title.hasPrefix("Carbon monoxide: Kitchen, \(Int(level))"))
                #expect(alarm.text[.en].body.contains("EN 50291"))
                #expect(house.panel.state == .triggered)
            } else {
                #expect(found == nil)
            }
        }
    }

    @Test func `Other units mean the same`() async throws {
        for (unit, level) in [("mg/m³", 349.2), ("µg/m³", 349_200), ("ppb", 300_000)] {
            try await TestHouse.run { house in
                let sensor = try await house.sensor("co", .carbonMonoxideLevel, unit: unit)
                let found = minutes(at: level, of: sensor, house.parts.care, house, within: 4)
                #expect(found.map { (1...3).contains($0) } == true, "\(unit): \(found ?? -1)")
            }
        }
    }

    @Test func `It is over in good air alone, whatever is done at the panel`() async throws {
        try await TestHouse.run { house in
            let (sensor, care) = (try await house.sensor("co", .carbonMonoxideLevel, unit: "ppm"), house.parts.care)
            #expect(minutes(at: 300, of: sensor, care, house, within: 4) != nil)
            house.panels.disarm(house.site.id, by: .hub)
            care.heard(house.reading(.number(90)), of: sensor, before: SensorState())
            #expect(!alarms(house).isEmpty)
            air(sensor, at: 12, care, house, seconds: 60)
            #expect(!alarms(house).isEmpty, "a dip of a minute ends nothing")
            air(sensor, at: 12, care, house, seconds: 61)
            #expect(alarms(house).isEmpty)
        }
    }

    @Test func `A restart begins nothing anew`() async throws {
        try await TestHouse.run { house in
            let sensor = try await house.sensor("co", .carbonMonoxideLevel, unit: "ppm")
            let first = house.parts.care
            #expect(minutes(at: 50, of: sensor, first, house, within: 40) == nil)
            await first.writeExposures()
            house.move(minutes: 5)
            let found = minutes(at: 50, of: sensor, try care(house), house, within: 60)
            #expect(found.map { (60...90).contains(45 + $0) } == true, "\(found ?? -1)")
        }
    }

    @Test func `An alarm that is on at a restart is over in good air`() async throws {
        try await TestHouse.run { house in
            let sensor = try await house.sensor("co", .carbonMonoxideLevel, unit: "ppm")
            #expect(minutes(at: 300, of: sensor, house.parts.care, house, within: 4) != nil)
            // Killed before it was written down how much was breathed.
            let again = try care(house)
            again.heard(house.reading(.number(60)), of: sensor, before: SensorState())
            #expect(alarms(house).count == 1)
            air(sensor, at: 0, again, house, seconds: 121)
            #expect(alarms(house).isEmpty)
        }
    }

    @Test func `One that a hub of before kept as gas is read anew, its threshold with it`() async throws {
        try await TestHouse.run { house in
            let names = ["livello_monossido", "nivel_monoxido", "carbon-monoxide"]
            var sensors: [Sensor] = []
            for name in names { sensors.append(try await house.sensor(name, .gas, unit: "ppm")) }
            let dioxide = try await house.sensor("co 2", .gas, unit: "ppm")
            let (usual, byHand) = (Threshold(level: 400), Threshold(level: 70))
            for sensor in sensors.dropLast() {
                try await house.parts.care.change(usual, of: sensor, by: nil, isUsual: true)
            }
            try await house.parts.care.change(byHand, of: sensors[2], by: nil)
            let again = try care(house)
            for _ in 0..<3 { await again.watchWhatCame() }
            let catalog = house.parts.registry.catalog
            #expect(sensors.map { catalog.sensors[$0.id]?.kind } == Array(repeating: .carbonMonoxideLevel, count: 3))
            #expect(catalog.sensors[dioxide.id]?.kind == .gas)
            #expect(sensors.map { again.watch(of: $0.id).threshold } == [nil, nil, byHand])
            // A level that people chose counts at once, beside the times.
            again.heard(
                house.reading(.number(71)), of: catalog.sensors[sensors[2].id] ?? sensors[2], before: SensorState())
            #expect(alarms(house).count == 1)
        }
    }

    @Test func `An alarm that is due in the moment in which its sensor goes is raised when that is back`() async throws
    {
        for gap in [1, 5, 60] {
            try await TestHouse.run { house in
                let (sensor, care) = (try await house.sensor("co", .carbonMonoxideLevel, unit: "ppm"), house.parts.care)
                air(sensor, at: 1_000, care, house, seconds: 29)
                house.move(seconds: 2)
                care.changed(to: .unavailable, of: sensor, before: SensorState(), at: house.time.value)
                #expect(alarms(house).isEmpty)
                house.move(seconds: gap)
                care.changed(to: .live, of: sensor, before: SensorState(), at: house.time.value)
                care.heard(house.reading(.number(1_000)), of: sensor, before: SensorState())
                #expect(alarms(house).count == 1, "after \(gap) s")
            }
        }
    }

    @Test func `A sensor that reports on change goes on adding up after a gap and after a restart`() async throws {
        try await TestHouse.run { house in
            let (sensor, care) = (try await house.sensor("co", .carbonMonoxideLevel, unit: "ppm"), house.parts.care)
            air(sensor, at: 300, care, house, seconds: 20)
            care.changed(to: .unavailable, of: sensor, before: SensorState(), at: house.time.value)
            house.move(seconds: 4)
            care.changed(to: .live, of: sensor, before: SensorState(), at: house.time.value)
            for _ in 0..<110 {
                house.move(seconds: 1)
                care.pass()
            }
            #expect(alarms(house).count == 1)
        }
        try await TestHouse.run { house in
            let sensor = try await house.sensor("co", .carbonMonoxideLevel, unit: "ppm")
            let again = try care(house)
            again.heard(
                Reading(.number(300), at: house.time.value, isRetained: true), of: sensor, before: SensorState())
            for _ in 0..<125 {
                house.move(seconds: 1)
                again.pass()
            }
            #expect(alarms(house).count == 1, "the broker kept what it said")
        }
        try await TestHouse.run { house in
            let (sensor, care) = (try await house.sensor("co", .carbonMonoxideLevel, unit: "ppm"), house.parts.care)
            air(sensor, at: 300, care, house, seconds: 60)
            await care.writeExposures()
            let again = try self.care(house)
            again.heard(
                Reading(.number(300), at: house.time.value, isRetained: true), of: sensor, before: SensorState())
            for _ in 0..<70 {
                house.move(seconds: 1)
                again.pass()
            }
            #expect(alarms(house).count == 1, "what was written down goes on")
        }
    }

    @Test func `A sensor that is there after a restart, and says nothing new, goes on as it was written down`()
        async throws
    {
        for (unit, level) in [("ppm", 300.0), ("mg/m³", 349.2)] {
            try await TestHouse.run { house in
                let sensor = try await house.sensor("co", .carbonMonoxideLevel, unit: unit)
                air(sensor, at: level, house.parts.care, house, seconds: 60)
                await house.parts.care.writeExposures()
                let again = try care(house)
                house.move(seconds: 5)
                again.isThere(sensor)
                for _ in 0..<70 {
                    house.move(seconds: 1)
                    again.pass()
                }
                let alarm = try #require(alarms(house).first)
                #expect(alarm.text[.en].title.hasPrefix("Carbon monoxide: Kitchen, \(Int(level))"))
            }
        }
    }

    @Test(arguments: [true, false])
    func `The first reading after a restart counts for the time since what was written down`(_ isAvailable: Bool)
        async throws
    {
        try await TestHouse.run { house in
            let sensor = try await house.sensor("co", .carbonMonoxideLevel, unit: "ppm")
            air(sensor, at: 100, house.parts.care, house, seconds: 600)
            await house.parts.care.writeExposures()
            let again = try care(house)
            if isAvailable { again.isThere(sensor) }
            for _ in 0..<600 {
                house.move(seconds: 1)
                again.pass()
            }
            air(sensor, at: 100, again, house, seconds: 330)
            #expect(alarms(house).count == 1)
        }
    }

    @Test func `After a restart what was kept is no clean air and no alarm of the time before`() async throws {
        try await TestHouse.run { house in
            let sensor = try await house.sensor("co", .carbonMonoxideLevel, unit: "ppm")
            air(sensor, at: 100, house.parts.care, house, seconds: 120)
            air(sensor, at: 5, house.parts.care, house, seconds: 1)
            await house.parts.care.writeExposures()
            let again = try care(house)
            house.move(minutes: 25)
            again.isThere(sensor)
            again.heard(
                Reading(.number(100), at: house.time.value, isRetained: true), of: sensor, before: SensorState())
            air(sensor, at: 100, again, house, seconds: 540)
            #expect(alarms(house).isEmpty)
        }
    }

    @Test func `A level that is chosen while the sensor is away says nothing of the air`() async throws {
        try await TestHouse.run { house in
            let (sensor, care) = (try await house.sensor("co", .carbonMonoxideLevel, unit: "ppm"), house.parts.care)
            air(sensor, at: 300, care, house, seconds: 30)
            care.changed(to: .unavailable, of: sensor, before: SensorState(), at: house.time.value)
            house.move(minutes: 30)
            let share = try #require(care.watch(of: sensor.id).exposure?.share)
            try await care.change(Threshold(level: 900), of: sensor, by: nil)
            #expect(care.watch(of: sensor.id).exposure?.share == share && alarms(house).isEmpty)
            // In clean air that was heard for seconds an alarm goes on.
            air(sensor, at: 300, care, house, seconds: 125)
            #expect(alarms(house).count == 1)
            air(sensor, at: 5, care, house, seconds: 5)
            care.changed(to: .unavailable, of: sensor, before: SensorState(), at: house.time.value)
            house.move(minutes: 30)
            try await care.change(Threshold(level: 800), of: sensor, by: nil)
            #expect(alarms(house).count == 1)
            air(sensor, at: 5, care, house, seconds: 119)
            #expect(alarms(house).count == 1)
            air(sensor, at: 5, care, house, seconds: 2)
            #expect(alarms(house).isEmpty)
        }
    }

    @Test func `Where thresholds count again, what is there adds up from then on`() async throws {
        try await TestHouse.run { house in
            let (sensor, care) = (try await house.sensor("co", .carbonMonoxideLevel, unit: "ppm"), house.parts.care)
            try await care.change(isEnabled: false, at: house.site.id, by: nil)
            air(sensor, at: 300, care, house, seconds: 600)
            try await care.change(isEnabled: true, at: house.site.id, by: nil)
            for second in 0..<125 {
                #expect(second > 110 || alarms(house).isEmpty, "\(second)")
                house.move(seconds: 1)
                care.pass()
            }
            #expect(alarms(house).count == 1)
        }
    }

    @Test func `What meant no danger for a while adds up from then on`() async throws {
        try await TestHouse.run { house in
            let sensor = try await house.sensor("co", .carbonMonoxideLevel, unit: "ppm")
            let care = house.parts.care
            air(sensor, at: 300, care, house, seconds: 60)
            func mean(_ meaning: SensorClass?) async throws -> Sensor {
                try await house.parts.registry.change(at: house.site.id) { database in
                    var other = sensor
                    other.alarmClass = meaning
                    try HomeRecords.change(other, in: database)
                }
                return try #require(house.parts.registry.catalog.sensors[sensor.id])
            }
            air(try await mean(.door), at: 300, care, house, seconds: 120)
            #expect(alarms(house).isEmpty)
            air(try await mean(.environmental), at: 300, care, house, seconds: 125)
            #expect(alarms(house).count == 1)
        }
    }

    @Test func `A threshold that people chose before this hub knew carbon monoxide stays`() async throws {
        try await TestHouse.run { house in
            let (level, raw) = (
                try await house.sensor("co", .gas, unit: "ppm"), try await house.sensor("mq7", .gas)
            )
            let chosen = Threshold(level: 400)
            for sensor in [level, raw] { try await house.parts.care.change(chosen, of: sensor, by: nil) }
            let again = try care(house)
            for _ in 0..<3 { await again.watchWhatCame() }
            // The hub of before chose none for either: their names say carbon monoxide.
            for sensor in [level, raw] { #expect(again.watch(of: sensor.id).threshold == chosen) }
        }
    }

    @Test func `A sensor of it that falls silent is a fault, and no all-clear`() async throws {
        try await TestHouse.run { house in
            let sensor = try await house.sensor("co", .carbonMonoxideLevel, unit: "ppm", period: 5)
            house.parts.care.heard(house.reading(.number(0)), of: sensor, before: SensorState())
            house.parts.readings.note(.late, of: sensor)
            let fault = try #require(house.alarms.standing(at: house.site.id).first { $0.kind == .fault })
            #expect(fault.text[.en].title == "Detector is not responding: Co (Kitchen)")
            #expect(fault.text[.en].body.contains("does not mean that there is no danger"))
        }
    }

    @Test func `What cannot be is no reading: it ends no alarm, and is a fault once it goes on`() async throws {
        try await TestHouse.run { house in
            let sensor = try await house.sensor("co", .carbonMonoxideLevel, unit: "ppm")
            let intake = house.parts.makeIntake()
            await intake.receive("co/state", "200", from: house.gateway)
            for text in ["-5", "NaN", "1000000000000", "mild"] {
                await intake.receive("co/state", text, from: house.gateway)
                #expect(house.parts.live.sensor(sensor.id).value == .number(200), "\(text)")
            }
            #expect(house.faults.isEmpty)
            house.move(seconds: 61)
            await intake.look()
            #expect(house.faults.count == 1)
            await intake.receive("co/state", "1", from: house.gateway)
            #expect(house.faults.isEmpty)
        }
    }

    @Test func `A box is given its one level, 100 ppm`() {
        #expect(AirWatch.plain(1).level == 100)
        #expect(AirWatch.plain(1).level - AirWatch.plain(1).hysteresis == 30)
        #expect(abs(AirWatch.plain(1 / 1.164).level - 116.4) < 0.001)
    }
}
