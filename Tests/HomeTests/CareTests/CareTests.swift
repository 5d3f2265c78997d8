import Accounts
import Glibc
import HTTPServer
import Identity
import Ledger
import Safeguard
import Store
import Synchronization
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

struct CareTests {
    /// What a house's actuators were told, and whether they can be.
    private final class Said: Sendable {
        let all = Shared<[String]>([])
        let isReachable = Shared(true)

        func care(_ house: TestHouse) throws -> Care {
            let parts = house.parts
            return try Care(
                parts.registry, parts.live, parts.alarms, parts.panels, parts.store, parts.clock
            ) { [self] (actuator, value) throws(ActuationRefusal) in
                guard isReachable.value else { throw .notReachable }
                all.change { $0.append("\(actuator.key) \(value)") }
            }
        }

        /// What was said since somebody looked last.
        var news: [String] {
            defer { all.change { $0 = [] } }
            return all.value
        }
    }

    private static let usual = Threshold(level: 300, hysteresis: 30)

    /// A kitchen with gas, a fan that follows it and a valve. What the household itself does is left out by its own sensors having no
    /// threshold there: the tests take readings to the `Care` of `said`.
    private func kitchen(
        _ test: (TestHouse, Sensor, Said) async throws -> Void
    ) async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas, unit: "ppm", range: 0...1023, period: 5)
            _ = try await house.actuator("fan", .fan)
            _ = try await house.actuator("valve", .valve)
            let said = Said()
            try await test(house, gas, said)
        }
    }

    private func take(_ value: Double, of sensor: Sensor, at now: Timestamp, _ care: Care, isRetained: Bool = false) {
        care.heard(Reading(.number(value), at: now, isRetained: isRetained), of: sensor, before: SensorState())
    }

    @Test func `Gas over its threshold acts before anything is written, also when the database hangs`() async throws {
        try await kitchen { house, gas, said in
            try await house.parts.care.change(Self.usual, of: gas, by: nil)
            let hold = DispatchGate()
            let hanging = Task { try await house.parts.store.write { _ in hold.wait() } }
            defer { hold.open() }
            house.parts.readings.observe(Reading(.number(412), at: noon), of: gas)
            // Not one suspension between the reading and this.
            let alarms = house.parts.alarms.standing(at: gas.site)
            #expect(alarms.map(\.kind) == [.environmental])
            #expect(alarms.first?.value == 412)
            #expect(alarms.first?.sensor == gas.id)
            #expect(house.parts.panels.panel(of: gas.site).state == .triggered)
            #expect(house.parts.care.run(of: house.parts.care.settings(of: gas.site).fans[0].fan).percent == 58)
            hold.open()
            try await hanging.value
        }
    }

    @Test func `Valve and fan are told at once, and told again when nobody was there to hear`() async throws {
        try await kitchen { house, gas, said in
            let care = try said.care(house)
            try await care.change(Self.usual, of: gas, by: nil)
            said.isReachable.change { $0 = false }
            take(412, of: gas, at: noon, care)
            #expect(said.news == [])
            said.isReachable.change { $0 = true }
            care.pass()
            #expect(said.news == ["valve off", "fan percent(58)"])
            care.pass()
            #expect(said.news == [])
            house.parts.live.set(house.gateway.id, .init(isThere: true, heard: noon))
            #expect(said.news == ["valve off", "fan percent(58)"])
            // A fan that was without power is told when it is back, not while it is away.
            let catalog = house.parts.registry.catalog
            let fan = try #require(catalog.actuators(at: gas.site).first { $0.kind == .fan })
            house.parts.live.set(fan.id, SensorState(status: .unavailable))
            care.pass()
            #expect(said.news == [])
            house.parts.live.set(fan.id, SensorState(status: .live))
            #expect(said.news == ["fan percent(58)"])
        }
    }

    @Test func `The fan runs its shortest time, by the clock alone`() async throws {
        try await kitchen { house, gas, said in
            let care = try said.care(house)
            try await care.change(Self.usual, of: gas, by: nil)
            take(1023, of: gas, at: noon, care)
            house.time.change { $0 = noon.adding(milliseconds: 10_000) }
            take(100, of: gas, at: house.time.value, care)
            #expect(said.news == ["valve off", "fan percent(100)", "fan percent(50)"])
            #expect(house.parts.alarms.standing(at: gas.site).isEmpty)
            house.time.change { $0 = noon.adding(milliseconds: 299_999) }
            care.pass()
            #expect(said.news == [])
            house.time.change { $0 = noon.adding(milliseconds: 300_000) }
            care.pass()
            #expect(said.news == ["fan off"])
        }
    }

    @Test func `A fan that knows only on and off is switched on`() async throws {
        try await kitchen { house, gas, said in
            let parts = house.parts
            let told = Shared<[ActuatorValue]>([])
            let care = try Care(parts.registry, parts.live, parts.alarms, parts.panels, parts.store, parts.clock) {
                (actuator, value) throws(ActuationRefusal) in
                guard actuator.kind == .fan else { return }
                if case .percent = value { throw .notOfItsKind }
                told.change { $0.append(value) }
            }
            try await care.change(Self.usual, of: gas, by: nil)
            take(600, of: gas, at: noon, care)
            #expect(told.value == [.on])
        }
    }

    @Test func `What the broker had kept, and what warms up, neither trips nor ends anything`() async throws {
        try await kitchen { house, gas, said in
            let care = try said.care(house)
            try await care.change(Self.usual, of: gas, by: nil)
            take(900, of: gas, at: noon, care, isRetained: true)
            house.parts.live.set(gas.id, SensorState(value: .number(900), at: noon, status: .warming))
            take(900, of: gas, at: noon, care)
            #expect(!care.watch(of: gas.id).isOver && said.news == [])
            house.parts.live.set(gas.id, SensorState(value: .number(900), at: noon, status: .live))
            take(900, of: gas, at: noon, care)
            #expect(care.watch(of: gas.id).isOver)
            take(0, of: gas, at: noon, care, isRetained: true)
            #expect(care.watch(of: gas.id).isOver)
        }
    }

    @Test func `After a restart an alarm that stood is neither lost nor told twice`() async throws {
        try await kitchen { house, gas, said in
            let care = try said.care(house)
            try await care.change(Self.usual, of: gas, by: nil)
            take(600, of: gas, at: noon, care)
            let standing = house.parts.alarms.standing(at: gas.site).map(\.id)
            #expect(standing.count == 1)
            await care.writeRuns()
            _ = said.news

            let again = try said.care(house)
            #expect(again.watch(of: gas.id).isOver)
            again.pass()
            // Whoever restarted with the hub hears it again; people do not.
            #expect(said.news == ["valve off", "fan percent(71)"])
            take(610, of: gas, at: noon, again)
            #expect(house.parts.alarms.standing(at: gas.site).map(\.id) == standing)
            take(100, of: gas, at: noon, again)
            #expect(house.parts.alarms.standing(at: gas.site).isEmpty)
        }
    }

    @Test func `A fan goes on after a restart as it ran, and by hand until its time is over`() async throws {
        try await kitchen { house, gas, said in
            let care = try said.care(house)
            let fan = try #require(house.parts.registry.catalog.actuators(at: gas.site).first { $0.kind == .fan })
            care.run(fan, byHand: .init(percent: 80, until: noon.adding(milliseconds: 60_000)))
            await care.writeRuns()
            _ = said.news
            let again = try said.care(house)
            again.pass()
            #expect(said.news == ["fan percent(80)"])
            house.time.change { $0 = noon.adding(milliseconds: 60_000) }
            again.pass()
            #expect(said.news == ["fan off"])
        }
    }

    @Test(arguments: [0, 50, 99])
    func `A fan that was held slower than it can follows its sensor again when the house is armed`(held: UInt8)
        async throws
    {
        try await kitchen { house, gas, said in
            let care = try said.care(house)
            try await care.change(Self.usual, of: gas, by: nil)
            let fan = try #require(house.parts.registry.catalog.actuators(at: gas.site).first { $0.kind == .fan })
            let later = noon.adding(milliseconds: 3_600_000)
            let slow = held == 0 ? "fan off" : "fan percent(\(held))"
            care.run(fan, byHand: .init(percent: held, until: later))
            take(412, of: gas, at: noon, care)
            #expect(said.news.filter { $0.hasPrefix("fan") } == [slow])
            care.release(at: gas.site)
            #expect(said.news == ["fan percent(58)"])
            // Afterwards somebody with the proof holds it so, and it stays so. What is faster is nobody's danger.
            care.run(fan, byHand: .init(percent: held, until: later))
            care.pass()
            #expect(said.news == [slow])
            care.run(fan, byHand: .init(percent: 100, until: later))
            care.release(at: gas.site)
            #expect(said.news == ["fan percent(100)", "fan percent(100)"])
        }
        // The house's own Care is told by its panel, when it is armed and not when it is armed otherwise.
        try await kitchen { house, gas, _ in
            let (care, site) = (house.parts.care, gas.site)
            let fan = try #require(house.parts.registry.catalog.actuators(at: site).first { $0.kind == .fan })
            try await care.change(Self.usual, of: gas, by: nil)
            let slow = FanRun.ByHand(percent: held, until: house.time.value.adding(milliseconds: 3_600_000))
            care.run(fan, byHand: slow)
            try house.panels.arm(.home, at: site, by: .hub)
            #expect(care.run(of: fan.id).byHand == nil)
            care.run(fan, byHand: slow)
            try house.panels.arm(.away, at: site, by: .hub, mayWeaken: true)
            #expect(care.run(of: fan.id).byHand == slow)
        }
    }

    @Test func `A fan that Care never moved is left alone`() async throws {
        try await kitchen { house, gas, said in
            let care = try said.care(house)
            try await care.change(Self.usual, of: gas, by: nil)
            take(10, of: gas, at: noon, care)
            care.pass()
            let again = try said.care(house)
            again.pass()
            #expect(said.news == [])
        }
    }

    @Test func `A silent sensor with a threshold is one fault until it speaks again`() async throws {
        try await kitchen { house, gas, said in
            let parts = house.parts
            try await parts.care.change(Self.usual, of: gas, by: nil)
            parts.readings.note(.late, of: gas)
            parts.readings.note(.unavailable, of: gas)
            let faults = parts.alarms.standing(at: gas.site)
            #expect(faults.map(\.kind) == [.fault])
            #expect(
                faults.first?.text[.en].title == "Detector has no connection: Gas (Kitchen)"
                    || faults.first?.text[.en].title == "Detector is not responding: Gas (Kitchen)")
            #expect(parts.panels.panel(of: gas.site).state == .disarmed)
            parts.readings.observe(Reading(.number(10), at: noon), of: gas)
            #expect(parts.alarms.standing(at: gas.site).isEmpty)
        }
    }

    @Test func `A sensor without a threshold may be silent`() async throws {
        try await kitchen { house, gas, _ in
            house.parts.readings.note(.late, of: gas)
            #expect(house.parts.alarms.standing(at: gas.site).isEmpty)
            // Once somebody relies on it, that it is silent is told.
            try await house.parts.care.change(Self.usual, of: gas, by: nil)
            #expect(house.parts.alarms.standing(at: gas.site).map(\.kind) == [.fault])
            try await house.parts.care.change(nil, of: gas, by: nil)
            #expect(house.parts.alarms.standing(at: gas.site).isEmpty)
        }
    }

    @Test func `A threshold that is lowered under the level counts at once, and taken back it does not`() async throws {
        try await kitchen { house, gas, said in
            let care = try said.care(house)
            try await care.change(Self.usual, of: gas, by: nil)
            take(200, of: gas, at: noon, care)
            #expect(said.news == [])
            try await care.change(Threshold(level: 150, hysteresis: 15), of: gas, by: nil)
            #expect(said.news == ["valve off", "fan percent(53)"])
            let steps = try house.parts.store.read { try ThresholdRecords.latest(of: gas.id, in: $0) }
            #expect(steps.before?.threshold == Self.usual)
            try await care.change(steps.before?.threshold, of: gas, by: nil)
            #expect(house.parts.alarms.standing(at: gas.site).isEmpty)
            #expect(said.news == ["fan percent(50)"])
        }
    }

    @Test func `A house whose thresholds are off is not well, whatever it measures`() async throws {
        try await kitchen { house, gas, _ in
            let (parts, site) = (house.parts, house.site.id)
            parts.live.set(house.gateway.id, .init(isThere: true, heard: noon))
            parts.readings.observe(house.reading(.number(200)), of: gas)
            func condition() -> HouseCondition { parts.sight.summary(of: site).condition }
            #expect(condition() == .fine)
            try await parts.care.change(isEnabled: false, at: site, by: nil)
            #expect(condition() == .thresholdsOff)
            try await parts.care.change(isEnabled: true, at: site, by: nil)
            #expect(condition() == .fine)
        }
    }

    @Test func `Valves that an alarm closed while one was being opened are closed again`() async throws {
        try await kitchen { house, gas, said in
            let care = try said.care(house)
            care.choose(Self.usual, of: gas, since: noon)
            care.closeValvesInAirAlarm(at: gas.site)
            #expect(said.news == [], "no alarm is on")
            take(900, of: gas, at: noon, care)
            #expect(said.news.contains("valve off"))
            take(900, of: gas, at: noon.adding(milliseconds: 1_000), care)
            #expect(!said.news.contains("valve off"), "it was told")
            care.closeValvesInAirAlarm(at: gas.site)
            #expect(said.news == ["valve off"])
        }
    }

    @Test func `Every change is a step and an entry of the log, and none is written for nothing`() async throws {
        try await kitchen { house, gas, _ in
            let ada = try await house.principal("Ada", .owner)
            let care = house.parts.care
            try await care.change(Self.usual, of: gas, by: ada.person.id)
            try await care.change(Self.usual, of: gas, by: ada.person.id)
            try await care.change(Threshold(level: 250, hysteresis: 25, risePerMinute: 50), of: gas, by: ada.person.id)
            try await care.change(isEnabled: false, at: gas.site, by: ada.person.id)
            try await care.change(isEnabled: false, at: gas.site, by: ada.person.id)
            let events = try house.parts.given.ledger.events(of: gas.site, after: 0, limit: 100)
            let kinds = events.map(\.kind).filter { $0.hasPrefix("home.") }
            #expect(
                kinds == ["home.threshold.changed", "home.fan.changed", "home.threshold.changed", "home.care.changed"])
            let payload = String(
                decoding: events.last { $0.kind == "home.threshold.changed" }?.payload ?? [], as: UTF8.self)
            #expect(payload.contains(#""before":{"name":"Gas","threshold":"300"#))
            #expect(payload.contains(ada.person.id.text))
        }
    }

    @Test func `A clock that is set back makes no step that the next one hides`() async throws {
        try await kitchen { house, gas, _ in
            let care = house.parts.care
            try await care.change(Self.usual, of: gas, by: nil)
            house.time.change { $0 = noon.adding(milliseconds: -86_400_000) }
            try await care.change(Threshold(level: 100, hysteresis: 10), of: gas, by: nil)
            #expect(care.watch(of: gas.id).threshold?.level == 100)
            let kept = try house.parts.store.read { try ThresholdRecords.current(in: $0) }
            #expect(kept.map(\.threshold.level) == [100])
        }
    }

    @Test func `A box is told anew when its house chooses otherwise`() async throws {
        try await kitchen { house, gas, _ in
            let told = Shared<[SiteID]>([])
            let care = house.parts.care
            care.follow { site in told.change { $0.append(site) } }
            try await care.change(Self.usual, of: gas, by: nil)
            #expect(!told.value.isEmpty && told.value.allSatisfy { $0 == gas.site })
            let settings = care.settings(of: gas.site)
            #expect(settings.thresholds == [gas.id: Self.usual])
            #expect(settings.fans.map(\.sensor) == [gas.id])
            #expect(settings.fans.map(\.most) == [1023])
        }
    }

    @Test func `What goes out of use takes its fault along, and its alarm stays until it says so itself or people do`()
        async throws
    {
        try await kitchen { house, gas, _ in
            let (parts, site) = (house.parts, house.site.id)
            let (ivo, mia) = (
                try await house.principal("Ivo", .installer), try await house.principal("Mia", .member)
            )
            try await parts.care.change(Self.usual, of: gas, by: nil)
            func take(_ isInUse: Bool) async throws {
                try await parts.devicesDesk.change(gas.id, at: site, isInUse: isInUse, by: mia.person.id)
            }
            func alarms() -> [HouseAlarm.Kind] {
                parts.alarms.standing(at: site).map(\.kind).sorted { "\($0)" < "\($1)" }
            }
            // It is heard again, and the air is good.
            parts.readings.observe(Reading(.number(900), at: noon), of: gas)
            parts.readings.note(.late, of: gas)
            #expect(alarms() == [.environmental, .fault])
            try await take(false)
            #expect(alarms() == [.environmental])
            #expect(throws: Problem.self) {
                try parts.access.weakensNow(.devices).lowers(ivo, at: site)
            }
            try await take(true)
            #expect(alarms() == [.environmental])
            parts.readings.observe(Reading(.number(20), at: noon), of: gas)
            #expect(alarms().isEmpty)
            // People end it at the panel.
            house.pass(3600)
            parts.readings.observe(Reading(.number(900), at: house.time.value), of: gas)
            #expect(alarms() == [.environmental] && house.panel.isDisturbed)
            try await take(false)
            let alarm = try #require(parts.alarms.standing(at: site).first)
            house.panels.reset(site, by: .person(mia.person.id))
            #expect(alarms().isEmpty)
            // Or on its own page; what its sensor says is for its sensor to say.
            house.pass(3600)
            try await take(true)
            parts.readings.observe(Reading(.number(20), at: house.time.value), of: gas)
            parts.readings.observe(Reading(.number(900), at: house.time.value), of: gas)
            let second = try #require(parts.alarms.standing(at: site).first)
            #expect(second.id != alarm.id)
            #expect(throws: Problem.self) { try parts.alarmActs.end(second, by: mia.person.id) }
            house.panels.reset(site, by: .person(mia.person.id))
            #expect(alarms() == [.environmental])
            try await take(false)
            try parts.alarmActs.end(second, by: mia.person.id)
            #expect(alarms().isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func `An alarm for which nothing counts any more ends with the first number of its sensor that is back`(
        isRestarted: Bool
    ) async throws {
        try await kitchen { house, gas, _ in
            let (parts, site) = (house.parts, house.site.id)
            try await parts.care.change(Self.usual, of: gas, by: nil)
            parts.readings.observe(Reading(.number(900), at: noon), of: gas)
            let desk = parts.devicesDesk
            try await desk.change(gas.id, at: site, isInUse: false, by: anna)
            try await parts.care.change(isEnabled: false, at: site, by: nil)
            let care = isRestarted ? try house.restartedCare() : parts.care
            try await desk.change(gas.id, at: site, isInUse: true, by: anna)
            #expect(house.fires.count == 1)
            care.heard(house.reading(.number(900)), of: gas, before: SensorState())
            #expect(house.fires.isEmpty)
        }
    }

    @Test func `An alarm whose only sensor of the house was out of use over a restart ends when that says so`()
        async throws
    {
        try await TestHouse.run { house in
            let (desk, site) = (house.parts.devicesDesk, house.site.id)
            let smoke = try await house.sensor("smoke", .smoke)
            house.tell(smoke, .truth(true))
            try await desk.change(smoke.id, at: site, isInUse: false, by: anna)
            let care = try house.restartedCare()
            try await desk.change(smoke.id, at: site, isInUse: true, by: anna)
            #expect(house.fires.count == 1)
            care.heard(house.reading(.truth(false)), of: smoke, before: SensorState())
            #expect(house.fires.isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func
        `What a detector says that was out of use for a moment may have begun anew, whether or not its alarm was ended`(
            isEnded: Bool
        ) async throws
    {
        try await TestHouse.run { house in
            let (desk, site) = (house.parts.devicesDesk, house.site.id)
            let smoke = try await house.sensor("smoke", .smoke)
            house.tell(smoke, .truth(true))
            if !isEnded { house.panels.reset(site, by: .person(anna)) }
            try await desk.change(smoke.id, at: site, isInUse: false, by: anna)
            if isEnded { house.panels.reset(site, by: .person(anna)) }
            #expect(house.fires.isEmpty == isEnded && !house.panel.isDisturbed)
            house.pass(10)
            try await desk.change(smoke.id, at: site, isInUse: true, by: anna)
            #expect(house.parts.care.hasAirAlarm(at: site) != isEnded, "until it is heard")
            house.tell(smoke, .truth(true))
            #expect(house.fires.count == 1 && house.panel.isSounding)
        }
    }

    @Test func `Of a detector that means no danger any more people say that its alarm is over`() async throws {
        try await TestHouse.run { house in
            let (parts, site) = (house.parts, house.site.id)
            let smoke = try await house.sensor("smoke", .smoke)
            house.tell(smoke, .truth(true))
            let alarm = try #require(parts.alarms.standing(at: site).first)
            #expect(throws: Problem.self) { try parts.alarmActs.end(alarm, by: anna) }
            for meaning in [nil, SensorClass.door] {
                try await parts.registry.change(at: site) { database in
                    var other = smoke
                    other.alarmClass = meaning
                    try HomeRecords.change(other, in: database)
                }
                #expect(parts.registry.catalog.hasLostCause(alarm))
            }
            try parts.alarmActs.end(alarm, by: anna)
            #expect(parts.alarms.standing(at: site).isEmpty)
        }
    }
}

/// Holds a thread until it is opened.
private final class DispatchGate: Sendable {
    private let isOpen = Shared(false)
    func open() { isOpen.change { $0 = true } }
    func wait() { while !isOpen.value { usleep(1000) } }

    @Test func `A gas sensor that comes has the usual threshold until somebody chooses, and never again after that`()
        async throws
    {
        try await TestHouse.run { house in
            let care = house.parts.care
            let gas = try await house.sensor("gas", .gas, unit: "ppm", range: 0...1023)
            let explosive = try await house.sensor("lpg", .gas, unit: "% LEL")
            let monoxide = try await house.sensor("co", .carbonMonoxideLevel, unit: "ppm")
            let volts = try await house.sensor("mq2", .gas, unit: "V")
            await care.watchWhatCame()
            #expect(
                care.settings(of: house.site.id).thresholds == [
                    gas.id: Threshold(level: 400), explosive.id: Threshold(level: 10),
                ])
            #expect(care.watch(of: monoxide.id).threshold == nil && care.watch(of: volts.id).threshold == nil)
            house.tell(gas, .number(500))
            #expect(house.panel.state == .triggered)
            #expect(house.alarms.standing(at: house.site.id).map(\.kind) == [.environmental])
            // Who wants none has none, also after a restart.
            try await care.change(nil, of: gas, by: nil)
            await care.watchWhatCame()
            let parts = house.parts
            let restarted = try Care(
                parts.registry, parts.live, parts.alarms, parts.panels, parts.store, parts.clock
            ) { (_, _) throws(ActuationRefusal) in }
            await restarted.watchWhatCame()
            #expect(restarted.settings(of: house.site.id).thresholds == [explosive.id: Threshold(level: 10)])
        }
    }
}
