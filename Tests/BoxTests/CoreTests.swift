import Safeguard
import System
import Testing
import Wire

@testable import Box

@Suite("What the box decides")
struct CoreTests {
    @Test("The box's panel does what the shared vectors say, row by row")
    func rows() throws {
        let vectors = try PanelVectors.read()
        for row in vectors.rows {
            let rules = try #require(vectors.rules[row.rules])
            var core = BoxCore(setup: try Self.setup(rules), kept: .init(panel: row.before))
            Self.apply(row.input, to: &core, at: row.now)
            // A frame tells how much time is left: of a deadline that has passed, none.
            func told(_ panel: Panel) -> Panel {
                Panel(
                    state: panel.state, mode: panel.mode, deadline: panel.deadline.map { max($0, row.now) },
                    isSounding: panel.isSounding, number: panel.number)
            }
            if told(core.panel) != told(row.after) {
                Issue.record("\(row.input) at \(row.before): \(core.panel), not \(row.after)")
            }
        }
        #expect(vectors.rows.count > 1_000)
    }

    @Test("The box lives through the shared stories")
    func stories() throws {
        let vectors = try PanelVectors.read()
        for story in vectors.stories {
            var core = BoxCore(setup: try Self.setup(try #require(vectors.rules[story.rules])))
            for step in story.steps {
                Self.apply(step.input, to: &core, at: step.now)
                #expect(core.panel == step.after, "\(story.name), at \(step.now)")
            }
        }
        #expect(!vectors.stories.isEmpty)
    }

    @Test("Told to follow, the box does what the shared vectors say: who is right about the acts ends no alarm")
    func keepers() throws {
        let vectors = try PanelVectors.read()
        let key = Key(Random.bytes(32))!
        for pair in vectors.keepers {
            var core = BoxCore(setup: BoxSetup(), kept: .init(panel: pair.box))
            let order = try BoxOrder(
                session: Random.bytes(8), counter: 1, notAfter: 0, kind: .follow,
                panel: PanelStanding(pair.hub, at: 0), id: id(), boxKey: key)
            let isTaken = core.take(order, at: 0) != nil
            #expect(isTaken == (pair.right == .hub))
            #expect(core.panel == pair.followed, "\(pair.hub) told to \(pair.box)")
        }
        #expect(vectors.keepers.count > 100)
    }

    @Test("Gas that sounds is ended by nothing that the hub says but an act of somebody, however high its number is")
    func alarmStays() throws {
        let key = Key(Random.bytes(32))!
        let quiet = Panel(state: .armedAway, mode: .away, deadline: nil, isSounding: false, number: 90)
        let disarmed = Panel(state: .disarmed, mode: nil, deadline: nil, isSounding: false, number: 90)
        let silent = Panel(state: .triggered, mode: nil, deadline: 60_000, isSounding: false, number: 90)
        for kind in BoxOrder.Kind.allCases {
            for hub in [quiet, disarmed, silent] {
                var core = BoxCore(setup: BoxSetup())
                _ = core.sense(.gas, 900, at: 0)
                #expect(core.panel.state == .triggered && core.panel.isSounding)
                let order = try BoxOrder(
                    session: Random.bytes(8), counter: 1, notAfter: 0, kind: kind, mode: ArmMode.away.rawValue,
                    bypass: .max, panel: PanelStanding(hub, at: 0), id: id(), boxKey: key)
                _ = core.take(order, at: 1)
                core.take(BoxSetup(try Bench.settings(9, gas: 1_000_000, key), of: .zero))
                _ = core.sense(.gas, 900, at: 2)
                switch kind {
                case .disarm, .reset:
                    #expect(!hub.isMoreUrgent(than: core.panel) && core.panel.number == 90 && !core.panel.isSounding)
                case .silence: #expect(core.panel.state == .triggered && !core.panel.isSounding)
                default: #expect(core.panel.state == .triggered && core.panel.isSounding, "\(kind), \(hub)")
                }
            }
        }
    }

    @Test("Gas sounds until it is gone: when the time of an alarm is over, it begins anew")
    func untilGone() {
        var core = BoxCore(setup: BoxSetup())
        _ = core.sense(.gas, 900, at: 0)
        let atFirst = core.tick(at: 120_000)
        #expect(atFirst.isEmpty)
        #expect(core.panel.isSounding && core.panel.deadline == 240_000)
        _ = core.sense(.gas, 100, at: 150_000)
        _ = core.tick(at: 239_999)
        #expect(core.panel.isSounding)
        let atLast = core.tick(at: 240_000)
        #expect(atLast.map(\.kind) == [.panelChanged])
        #expect((core.panel.state, core.panel.isSounding) == (.disarmed, false))
    }

    private static let armed = Panel(state: .armedAway, mode: .away, deadline: nil, isSounding: false, number: 1)

    @Test("While the panel is still triggered smoke is named each time that it begins anew, and a door once")
    func anew() throws {
        var core = BoxCore(setup: BoxSetup(), kept: .init(panel: Self.armed))
        func trips(_ sensor: BoxSensor, at now: Int64) -> Int {
            let named = core.sense(sensor, 1, at: now) + core.sense(sensor, 1, at: now + 1)
            _ = core.sense(sensor, 0, at: now + 2)
            return named.count { $0.kind == .tripped }
        }
        let smoke = (0..<3).map { trips(.smoke, at: 1000 + $0 * 1000) }
        #expect(smoke == [1, 1, 1])
        let door = (0..<3).map { trips(.door, at: 10_000 + $0 * 1000) }
        #expect(door == [1, 0, 0])
        #expect(core.panel.state == .triggered)
    }

    @Test("What somebody did at the hub is done once, however often it is told")
    func once() throws {
        var core = BoxCore(setup: BoxSetup())
        _ = core.sense(.smoke, 1, at: 0)
        let hub = Panel(state: .disarmed, mode: nil, deadline: nil, isSounding: false, number: 1)
        for counter in UInt64(1)...3 {
            let order = try BoxOrder(
                session: Random.bytes(8), counter: counter, notAfter: 0, kind: .disarm,
                panel: PanelStanding(hub, at: 0), id: id(), boxKey: Key(Random.bytes(32))!)
            #expect(core.take(order, at: Int64(counter)) != nil)
            #expect(core.panel == hub)
        }
    }

    private static func setup(_ rules: PanelVectors.Rules) throws -> BoxSetup {
        func delays(_ seconds: Delays) -> [UInt16] { ArmMode.allCases.map { seconds[$0] } }
        let known = rules.rules
        return BoxSetup(
            try Bench.settings(
                1,
                rules: .init(
                    exit: delays(known.exitDelay), entry: delays(known.entryDelay), alarmTime: known.alarmTime,
                    disarmsAfterAlarm: known.disarmsAfterAlarm), Key(Random.bytes(32))!), of: .zero)
    }

    /// Lets the box feel it: by its sensors, by the hub's order, by time.
    private static func apply(_ input: PanelInput, to core: inout BoxCore, at now: Int64) {
        var hub = core.panel
        hub.take(input, at: now, core.setup.rules)
        switch input {
        case .trip(.environmental): feel(.smoke, in: &core, at: now)
        case .trip(.motion): feel(.distance, in: &core, at: now)
        case .trip(.door): feel(.door, in: &core, at: now)
        case .trip(.tamper): feel(.vibration, in: &core, at: now)
        case .deadline: _ = core.tick(at: now)
        case .trigger: _ = core.press(at: now)
        case .arm(let mode): order(.arm, hub, mode, to: &core, at: now)
        case .disarm: order(.disarm, hub, nil, to: &core, at: now)
        case .silence: order(.silence, hub, nil, to: &core, at: now)
        case .reset: order(.reset, hub, nil, to: &core, at: now)
        }
    }

    /// From rest to tripped, and to rest again.
    private static func feel(_ sensor: BoxSensor, in core: inout BoxCore, at now: Int64) {
        _ = core.sense(sensor, sensor == .distance ? 60 : 1, at: now)
        _ = core.sense(sensor, sensor == .distance ? 300 : 0, at: now)
    }

    private static func order(
        _ kind: BoxOrder.Kind, _ hub: Panel, _ mode: ArmMode?, to core: inout BoxCore, at now: Int64
    ) {
        let order = try? BoxOrder(
            session: Random.bytes(8), counter: 1, notAfter: 0, kind: kind, mode: mode?.rawValue ?? 0,
            panel: PanelStanding(hub, at: now), id: id(), boxKey: Key(Random.bytes(32))!)
        if let order { _ = core.take(order, at: now) }
    }

    @Test(
        "Gas over its threshold closes the valve, runs the fan and sounds, armed or not, and is written down in that order"
    )
    func gas() {
        var core = BoxCore(setup: BoxSetup())
        #expect(core.sense(.gas, 399, at: 0).isEmpty)
        #expect(core.fanPercent == 0 && core.kept.isValveOpen)
        let happenings = core.sense(.gas, 600, at: 1000)
        #expect(happenings.map(\.kind) == [.thresholdReached, .tripped])
        #expect(happenings.allSatisfy { $0.panel.state == .triggered && $0.value == 600_000 })
        #expect(core.sounds(at: 1000) && !core.kept.isValveOpen && core.fanPercent == 75)
        // It falls: left under the hysteresis, and the fan runs its time.
        #expect(core.sense(.gas, 370, at: 2000).isEmpty)
        #expect(core.sense(.gas, 355, at: 3000).map(\.kind) == [.thresholdLeft])
        #expect(core.fanPercent == 50 && core.panel.state == .triggered)
        _ = core.sense(.gas, 300, at: 31_000)
        #expect(core.fanPercent == 0)
        // Nobody opened the valve.
        #expect(!core.kept.isValveOpen)
    }

    @Test(
        "After its alarm was ended, gas that falls just below its threshold and rises again sounds again",
        arguments: [true, false])
    func secondLeak(isStartedAnew: Bool) {
        var core = BoxCore(setup: BoxSetup())
        _ = core.sense(.gas, 600, at: 1000)
        #expect(core.sense(.gas, 390, at: 2000).isEmpty)
        _ = core.sense(.gas, 410, at: 3000)
        var hub = core.panel
        hub.take(.disarm, at: 4000, core.setup.rules)
        Self.order(.disarm, hub, nil, to: &core, at: 4000)
        #expect(!core.sounds(at: 4000))
        // Still there, it stays ended; it is over as soon as it is below, and what comes then is another leak.
        if isStartedAnew { core = BoxCore(setup: BoxSetup(), kept: core.kept) }
        #expect(core.sense(.gas, 420, at: 5000).isEmpty && !core.sounds(at: 5000))
        #expect(core.sense(.gas, 390, at: 6000).map(\.kind) == [.thresholdLeft])
        #expect(core.sense(.gas, 410, at: 7000).map(\.kind) == [.thresholdReached, .tripped])
        #expect(core.sounds(at: 7000))
        // While its alarm is on it is not over so near its threshold.
        #expect(core.sense(.gas, 390, at: 8000).isEmpty)
    }

    @Test("A gas sensor that warms up is shown and trips nothing; warm, it trips")
    func warming() {
        var core = BoxCore(setup: BoxSetup())
        #expect(core.sense(.gas, 800, isWarming: true, at: 0).isEmpty)
        #expect(core.isWarming && core.values[.gas] == 800 && core.fanPercent == 0)
        #expect(core.sense(.gas, 800, at: 1000).map(\.kind) == [.thresholdReached, .tripped])
        #expect(!core.isWarming)
    }

    @Test("Neither settings nor a bypass turn gas and smoke off; a door they do")
    func alwaysOn() throws {
        let sensors = try ["gas", "smoke", "door"].map { key in
            try BoxSettings.Sensor(
                key: Array(key.utf8), alarmClass: 0, isBypassed: true,
                threshold: key == "gas" ? .init(level: 400_000, hysteresis: 0, risePerMinute: nil) : nil)
        }
        let settings = try BoxSettings(
            version: 1, rules: shortRules, sensors: sensors, fan: .init(sensor: nil, most: 0, shortestRun: 0), tags: [],
            boxKey: Key(Random.bytes(32))!)
        let armed = Panel(state: .armedAway, mode: .away, deadline: nil, isSounding: false, number: 1)
        for sensor in [BoxSensor.gas, .smoke, .door, .vibration] {
            var core = BoxCore(setup: BoxSetup(settings, of: .zero), kept: .init(panel: armed, bypass: 0b111))
            let happenings = core.sense(sensor, sensor == .gas ? 500 : 1, at: 0)
            #expect(happenings.contains { $0.kind == .tripped } == (sensor != .door), "\(sensor)")
            // What the settings do not name keeps what it was made with.
            if sensor == .vibration { #expect(happenings.first?.sensor == nil) }
        }
    }

    @Test("Gas for which nobody chose a threshold is held against the one that the box was made with")
    func noThreshold() throws {
        let settings = try BoxSettings(
            version: 1, rules: shortRules,
            sensors: [try .init(key: Array("gas".utf8), alarmClass: 0, isBypassed: false, threshold: nil)],
            fan: .init(sensor: nil, most: 0, shortestRun: 0), tags: [], boxKey: Key(Random.bytes(32))!)
        var core = BoxCore(setup: BoxSetup(settings, of: .zero))
        #expect(core.sense(.gas, 399, at: 0).isEmpty)
        #expect(core.sense(.gas, 1023, at: 1).map(\.kind) == [.thresholdReached, .tripped])
        // The house says that no fan runs for it.
        #expect(core.fanPercent == 0 && !core.kept.isValveOpen)
    }

    @Test("The hub may call a sensor as the box announced it")
    func announcedKeys() throws {
        let box = id()
        let settings = try BoxSettings(
            version: 1, rules: shortRules,
            sensors: [
                try .init(
                    key: Array(BoxSensor.gas.uniqueID(of: box).utf8), alarmClass: 0, isBypassed: false,
                    threshold: .init(level: 250_000, hysteresis: 0, risePerMinute: nil))
            ], fan: .init(sensor: 0, most: 500_000, shortestRun: 0), tags: [], boxKey: Key(Random.bytes(32))!)
        var core = BoxCore(setup: BoxSetup(settings, of: box))
        #expect(core.sense(.gas, 260, at: 0).first?.sensor == 0)
    }

    @Test("What somebody left out stays out until it is disarmed, wherever new settings put it")
    func bypass() throws {
        let armed = Panel(state: .armedAway, mode: .away, deadline: nil, isSounding: false, number: 1)
        var core = BoxCore(
            setup: BoxSetup(try Bench.settings(1, Key(Random.bytes(32))!), of: .zero),
            kept: .init(panel: armed, bypass: 1 << UInt64(BoxSensor.door.place)))
        #expect(core.sense(.door, 1, at: 0).isEmpty)
        _ = core.sense(.door, 0, at: 0)
        let door = try BoxSettings.Sensor(key: Array("door".utf8), alarmClass: 3, isBypassed: false, threshold: nil)
        let other = try BoxSettings(
            version: 2, rules: shortRules, sensors: [door], fan: .init(sensor: nil, most: 0, shortestRun: 0), tags: [],
            boxKey: Key(Random.bytes(32))!)
        core.take(BoxSetup(other, of: .zero))
        #expect(core.sense(.door, 1, at: 1000).isEmpty && core.kept.bypass == 1)
    }

    @Test("While an alarm is on, each further sensor is named once")
    func furtherSensors() {
        var core = BoxCore(setup: BoxSetup())
        _ = core.press(at: 0)
        for _ in 0..<3 {
            #expect(core.sense(.vibration, 0, at: 1).isEmpty)
            _ = core.sense(.vibration, 1, at: 2)
        }
        var named = 0
        for _ in 0..<3 {
            named += core.sense(.door, 1, at: 3).count
            _ = core.sense(.door, 0, at: 4)
        }
        #expect(named == 1)
    }

    @Test("A sensor that tells nothing, or nonsense, is a fault once, and its end is told")
    func faults() {
        var core = BoxCore(setup: BoxSetup())
        _ = core.sense(.gas, 500, at: 0)
        #expect(core.sense(.gas, nil, at: 1).map(\.kind) == [.fault])
        #expect(core.sense(.gas, .nan, at: 2).isEmpty && core.sense(.gas, 5000, at: 3).isEmpty)
        // No data is no clean air: the fan runs on.
        #expect(core.fanPercent > 0 && core.values[.gas] == nil)
        #expect(core.sense(.gas, 500, at: 4).map(\.kind) == [.faultOver])
        #expect(core.sense(.battery, 14, at: 5).map(\.kind) == [.fault])
        #expect(core.sense(.battery, 18, at: 6).isEmpty)
        #expect(core.sense(.battery, 100, at: 7).map(\.kind) == [.faultOver])
    }

    private func order(_ kind: BoxOrder.Kind, _ core: BoxCore) throws -> BoxOrder {
        try BoxOrder(
            session: Random.bytes(8), counter: 1, notAfter: 0, kind: kind, panel: PanelStanding(core.panel, at: 0),
            id: id(), boxKey: Key(Random.bytes(32))!)
    }

    @Test("The valve opens when the gas is gone and its alarm has ended, and not before")
    func valve() throws {
        var core = BoxCore(setup: BoxSetup())
        let (open, reset, level) = (
            try order(.openValve, core), try order(.reset, core), try #require(core.setup[.gas].threshold)
        )
        _ = core.sense(.gas, level.level + 100, at: 0)
        #expect(core.take(open, at: 1) == nil && !core.kept.isValveOpen)
        _ = core.sense(.gas, level.level / 2, at: 2)
        #expect(core.take(open, at: 3) == nil, "its alarm is on")
        _ = core.take(reset, at: 4)
        #expect(!core.panel.isDisturbed)
        #expect(core.take(open, at: 5)?.map(\.kind) == [.orderTaken] && core.kept.isValveOpen)
    }

    @Test("Where there has been no gas the valve opens, however close to the level the air is")
    func valveInGoodAir() throws {
        var core = BoxCore(setup: BoxSetup())
        let (open, level) = (try order(.openValve, core), try #require(core.setup[.gas].threshold))
        core.closeValve()
        _ = core.sense(.gas, level.level - 1, at: 0)
        #expect(core.take(open, at: 1) != nil && core.kept.isValveOpen)
    }

    @Test("After a restart in a gas alarm the valve stays closed until the alarm has ended")
    func valveAfterARestart() throws {
        var core = BoxCore(setup: BoxSetup())
        let (open, reset, level) = (
            try order(.openValve, core), try order(.reset, core), try #require(core.setup[.gas].threshold)
        )
        _ = core.sense(.gas, level.level + 100, at: 0)
        _ = core.sense(.gas, level.level / 2, at: 1)
        var again = BoxCore(setup: BoxSetup(), kept: core.kept)
        _ = again.sense(.gas, level.level / 2, at: 2)
        #expect(again.panel.isDisturbed && again.take(open, at: 3) == nil && !again.kept.isValveOpen)
        _ = again.take(reset, at: 4)
        #expect(again.take(open, at: 5) != nil && again.kept.isValveOpen)
    }

    @Test("An alarm that was ended while there was gas leaves the valve closed until the gas is gone")
    func valveAfterAnAlarm() throws {
        var core = BoxCore(setup: BoxSetup())
        let (open, disarm, level) = (
            try order(.openValve, core), try order(.disarm, core), try #require(core.setup[.gas].threshold)
        )
        _ = core.sense(.gas, level.level + 100, at: 0)
        _ = core.take(disarm, at: 1)
        #expect(core.panel.state == .disarmed)
        _ = core.sense(.gas, level.level - 1, at: 2)
        #expect(!core.isGasOver && core.take(open, at: 3) == nil && !core.kept.isValveOpen)
        _ = core.sense(.gas, level.level - level.hysteresis, at: 4)
        #expect(core.take(open, at: 5) != nil && core.kept.isValveOpen)
    }

    @Test("Of unknown tags so many are written down in an hour, and a known one disarms all the same")
    func unknownTags() throws {
        var core = BoxCore(setup: BoxSetup())
        func written(_ count: Int, at now: Int64) throws -> Int {
            try (0..<count).count { _ in
                try !core.hold(BoxTag.digest(of: [8] + Random.bytes(3), boxKey: Key(Random.bytes(32))!), at: now)
                    .isEmpty
            }
        }
        #expect(try written(BoxCore.mostUnknownTags + 50, at: 5) == BoxCore.mostUnknownTags)
        #expect(try written(50, at: 4 + BoxCore.unknownTagPeriod) == 0)
        #expect(try written(50, at: 5 + BoxCore.unknownTagPeriod) == 50)
    }

    @Test("Arming in the middle of an alarm is not done")
    func armInAlarm() throws {
        var core = BoxCore(setup: BoxSetup())
        _ = core.press(at: 0)
        let armed = Panel(state: .armedAway, mode: .away, deadline: nil, isSounding: false, number: 9)
        let order = try BoxOrder(
            session: Random.bytes(8), counter: 1, notAfter: 0, kind: .arm, mode: ArmMode.away.rawValue,
            panel: PanelStanding(armed, at: 0), id: id(), boxKey: Key(Random.bytes(32))!)
        #expect(core.take(order, at: 1) == nil && core.panel.state == .triggered)
    }

    @Test("Commands are few, and what is none is refused")
    func commands() {
        #expect(BoxCommand(Array("ON".utf8)) == .on)
        #expect(BoxCommand(Array(#"{"state": "OFF"}"#.utf8)) == .off)
        #expect(BoxCommand(Array(#"{"state":"ON","tone":"fire"}"#.utf8)) == .on)
        #expect(BoxCommand(Array("75".utf8)) == .number(75))
        #expect(BoxCommand(Array("101".utf8)) == .words("101"))
        #expect(BoxCommand(Array("255,0,10".utf8)) == .colour(255, 0, 10))
        #expect(BoxCommand(Array("256,0,10".utf8)) == .words("256,0,10"))
        #expect(BoxCommand(Array(#"{"value":1}"#.utf8)) == nil)
        #expect(BoxCommand([0xff, 0xfe]) == nil)
        #expect(BoxCommand([UInt8](repeating: 65, count: 257)) == nil)
    }
}
