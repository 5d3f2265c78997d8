import Safeguard
import Wire

/// What the box's firmware decides: out of what its sensors tell, what is held to its reader and what the hub orders. A value without
/// a clock, a disk or a network of its own; the alarm works with all of them away.
struct BoxCore: Sendable {
    /// Something that is to be written down, with the panel as it stood right after it.
    struct Happening: Sendable, Equatable {
        var kind: BoxRecord.Kind
        var panel: Panel
        var cause: BoxRecord.Cause
        var sensor: UInt8?
        var value: Int32 = 0
        var credential = ID16.zero
        var digest: [UInt8]?
    }

    /// What is kept over a restart.
    struct Kept: Sendable, Equatable {
        var panel = Panel()
        /// Sensors that do not count until it is disarmed: one bit each by their place in the settings.
        var bypass: UInt64 = 0
        /// Sensors that were tripped.
        var tripped: Set<BoxSensor> = []
        /// Where the stepper left the valve.
        var isValveOpen = true
    }

    /// A tag is learnt within so long, or not at all, in milliseconds.
    static let learningTime: Int64 = 60_000
    /// So many unknown tags are written down in an hour: whoever stands at the reader fills no journal.
    static let mostUnknownTags = 300
    /// That hour, in milliseconds.
    static let unknownTagPeriod: Int64 = 3_600_000
    /// A test sounds so long, in milliseconds.
    static let testTime: Int64 = 3_000
    /// A battery below this is at fault, in per cent; above the other one it is not any more.
    static let lowBattery = 15.0
    static let goodBattery = 20.0

    private(set) var setup: BoxSetup
    private(set) var kept: Kept
    private(set) var values: [BoxSensor: Double] = [:]
    private(set) var faulty: Set<BoxSensor> = []
    private(set) var isWarming = false
    private var watches: [BoxSensor: ThresholdWatch] = [:]
    /// The gas as it is held against its threshold whatever became of the alarm: it lets the valve open.
    private var gasHold = ThresholdWatch()
    private var ventilation = Ventilation()
    /// Sensors that the journal has named since all was quiet last.
    private var told: Set<BoxSensor> = []
    private var learning: (order: ID16, until: Int64)?
    private var unknownTags: (since: Int64?, count: Int) = (nil, 0)
    private var testUntil: Int64 = 0

    // What people, or the hub, told it beside the panel.
    private(set) var isSirenTold = false
    private(set) var fanTold: UInt8 = 0
    var isPlugOn = false
    var colour: (red: UInt8, green: UInt8, blue: UInt8)?
    var message = ""

    /// - Parameter kept: as it was before a restart.
    init(setup: BoxSetup, kept: Kept = Kept()) {
        (self.setup, self.kept) = (setup, kept)
        for sensor in kept.tripped where !sensor.isTruth { watches[sensor] = ThresholdWatch(isOver: true) }
        gasHold = ThresholdWatch(isOver: kept.tripped.contains(.gas))
        if kept.panel.isDisturbed { told = kept.tripped } else { end() }
        // It may have been gas that has gone since.
        if kept.panel.isDisturbed, !kept.isValveOpen { told.insert(.gas) }
    }

    // MARK: how it stands

    var panel: Panel { kept.panel }
    /// Whether the gas is over its threshold.
    var isGasOver: Bool { watches[.gas]?.isOver ?? false }
    /// Whether gas may flow again: since there was too much there has been as little as ends an alarm, whatever people ended, and no alarm
    /// is on because of it.
    private var isGasGone: Bool { !isGasOver && !gasHold.isOver && !(panel.isDisturbed && told.contains(.gas)) }
    var fanPercent: UInt8 { max(ventilation.percent, fanTold) }
    /// Whether the next unknown tag is to be made known.
    func isLearning(at now: Int64) -> Bool { learning.map { now < $0.until } ?? false }
    /// Whether the siren sounds.
    func sounds(at now: Int64) -> Bool { panel.isSounding || isSirenTold || now < testUntil }

    // MARK: sensors

    /// Takes what a sensor tells.
    /// - Parameters:
    ///   - value: nil: it tells nothing.
    ///   - isWarming: whether it is too early to believe it: it is shown, and trips nothing.
    mutating func sense(
        _ sensor: BoxSensor, _ value: Double?, isWarming: Bool = false, at now: Int64
    ) -> [Happening] {
        guard let value, value.isFinite, sensor.range.contains(value) else { return fail(sensor) }
        var happenings: [Happening] = []
        if faulty.contains(sensor), sensor != .battery {
            faulty.remove(sensor)
            happenings.append(happening(.faultOver, of: sensor, value))
        }
        values[sensor] = value
        if sensor == .gas { self.isWarming = isWarming }
        if sensor == .battery { return happenings + watchBattery(value) }
        guard !isWarming else { return happenings }
        let wasTripped = kept.tripped.contains(sensor)
        let (isTripped, crossing) = judge(sensor, value, at: now)
        if isTripped { kept.tripped.insert(sensor) } else { kept.tripped.remove(sensor) }
        if sensor == .gas {
            if let crossing, crossing != .left, kept.isValveOpen { kept.isValveOpen = false }
        }
        ventilate(sensor, value, at: now)
        if let crossing, sensor != .distance {
            happenings.append(happening(crossing == .left ? .thresholdLeft : .thresholdReached, of: sensor, value))
        }
        if isTripped, !wasTripped, let tripped = trip(sensor, value, at: now) { happenings.append(tripped) }
        // Whoever reads a record sees the panel as it stood when everything was done.
        for index in happenings.indices { happenings[index].panel = panel }
        return happenings
    }

    private mutating func fail(_ sensor: BoxSensor) -> [Happening] {
        values[sensor] = nil
        guard faulty.insert(sensor).inserted else { return [] }
        return [happening(.fault, of: sensor, 0)]
    }

    private mutating func watchBattery(_ value: Double) -> [Happening] {
        if value < Self.lowBattery, faulty.insert(.battery).inserted { return [happening(.fault, of: .battery, value)] }
        if value > Self.goodBattery, faulty.remove(.battery) != nil {
            return [happening(.faultOver, of: .battery, value)]
        }
        return []
    }

    private mutating func judge(_ sensor: BoxSensor, _ value: Double, at now: Int64) -> (Bool, Crossing?) {
        if sensor.isTruth { return (value != 0, nil) }
        guard var threshold = setup[sensor].threshold else { return (false, nil) }
        var seen = value
        if sensor == .distance {
            // Near is little: the same watch, upside down. Nothing in front of it reads as 0.
            seen = value > 0 ? -value : -sensor.range.upperBound
            threshold = Threshold(level: -threshold.level, hysteresis: threshold.hysteresis)
        }
        if sensor == .gas { _ = gasHold.apply(seen, at: now, threshold) }
        let crossing = watches[sensor, default: ThresholdWatch()].apply(seen, at: now, threshold)
        return (watches[sensor]?.isOver ?? false, crossing)
    }

    private mutating func ventilate(_ sensor: BoxSensor, _ value: Double, at now: Int64) {
        guard let fan = setup.fan, fan.sensor == sensor, let threshold = setup[sensor].threshold else { return }
        ventilation.apply(
            value, isOver: watches[sensor]?.isOver ?? false, threshold, most: fan.most, at: now,
            shortestRun: fan.shortestRun)
    }

    private mutating func trip(_ sensor: BoxSensor, _ value: Double, at now: Int64) -> Happening? {
        let part = setup[sensor]
        guard let kind = part.alarmClass, !part.isBypassed, !isBypassed(sensor, part) else { return nil }
        let wasDisturbed = panel.isDisturbed
        let moved = kept.panel.take(.trip(kind), at: now, setup.rules)
        // A door or motion is named once; smoke or gas each time that it begins anew, for it may be over before the hub is heard again.
        guard moved || wasDisturbed && (kind == .environmental || !told.contains(sensor)) else { return nil }
        if !wasDisturbed { told = [] }
        told.insert(sensor)
        return happening(.tripped, of: sensor, value)
    }

    private func isBypassed(_ sensor: BoxSensor, _ part: BoxSetup.Part) -> Bool {
        guard !sensor.isAlwaysOn, let place = part.place, place < 64 else { return false }
        return kept.bypass & 1 << UInt64(place) != 0
    }

    private func happening(_ kind: BoxRecord.Kind, of sensor: BoxSensor, _ value: Double) -> Happening {
        Happening(
            kind: kind, panel: panel, cause: .sensor, sensor: setup[sensor].place,
            value: Int32(clamping: Int64((value * 1000).rounded())),
            credential: kind == .tripped
                ? BoxRecord.credential(alarmClass: setup[sensor].alarmClass?.rawValue ?? 0) : .zero)
    }

    // MARK: time

    /// The panel's deadline, if it has come.
    mutating func tick(at now: Int64) -> [Happening] {
        if let learning, now >= learning.until { self.learning = nil }
        let before = panel.state
        guard kept.panel.pass(at: now, setup.rules, isDanger: isDanger), panel.state != before else { return [] }
        settle()
        return [Happening(kind: .panelChanged, panel: panel, cause: .deadline, credential: .zero)]
    }

    /// Whether what threatens whoever is inside is still there.
    private var isDanger: Bool {
        kept.tripped.contains { !(faulty.contains($0)) && setup[$0].alarmClass == .environmental }
    }

    private mutating func move(
        _ input: PanelInput, _ cause: BoxRecord.Cause, credential: ID16 = .zero, at now: Int64
    ) -> [Happening] {
        guard kept.panel.take(input, at: now, setup.rules) else { return [] }
        settle()
        return [Happening(kind: .panelChanged, panel: panel, cause: cause, credential: credential)]
    }

    /// What goes with how the panel stands.
    private mutating func settle() {
        if panel.state == .disarmed { kept.bypass = 0 }
        if !panel.isDisturbed { end() }
    }

    /// No alarm is on: what the journal names is new, and gas that falls below its level and rises again is another danger.
    private mutating func end() {
        told = []
        watches[.gas]?.end()
    }

    // MARK: tags and the button

    /// Somebody holds a tag to the reader.
    mutating func hold(_ digest: Tag, at now: Int64) -> [Happening] {
        // A tag that disarms does so, whatever somebody asked for before the house was armed.
        if let learning, now < learning.until, panel.state == .disarmed || setup.tag(digest) == nil {
            self.learning = nil
            return [
                Happening(
                    kind: .tagLearnt, panel: panel, cause: .order, credential: learning.order, digest: digest.bytes)
            ]
        }
        guard let id = setup.tag(digest) else {
            guard isUnknownTagWritten(at: now) else { return [] }
            return [
                Happening(kind: .unknownTag, panel: panel, cause: .tag, credential: BoxTag.name(of: digest))
            ]
        }
        return move(.disarm, .tag, credential: id, at: now)
    }

    private mutating func isUnknownTagWritten(at now: Int64) -> Bool {
        if unknownTags.since.map({ now - $0 >= Self.unknownTagPeriod }) ?? true { unknownTags = (now, 0) }
        unknownTags.count = min(unknownTags.count + 1, Self.mostUnknownTags + 1)
        return unknownTags.count <= Self.mostUnknownTags
    }

    /// Somebody presses the button for help.
    mutating func press(at now: Int64) -> [Happening] { move(.trigger, .button, at: now) }

    // MARK: the hub

    /// Takes new settings: the next value of each sensor is held against them. What was left out stays left out, wherever its place
    /// is now.
    mutating func take(_ new: BoxSetup) {
        let bypassed = BoxSensor.allCases.filter { isBypassed($0, setup[$0]) }
        setup = new
        kept.bypass = bypassed.reduce(0) { bits, sensor in
            bits | (new[sensor].place.map { UInt64(1) << UInt64($0) } ?? 0)
        }
    }

    /// Does what the hub orders; the order has been proven.
    /// - Returns: nil: it is not done, because it does not fit how the box stands.
    mutating func take(_ order: BoxOrder, at now: Int64) -> [Happening]? {
        guard let other = order.panel.panel(at: now) else { return nil }
        switch order.kind {
        case .arm:
            // Who is in the middle of an alarm ends it first; the hub hears of the alarm in a moment.
            guard !panel.isDisturbed, let mode = ArmMode(rawValue: order.mode) else { return nil }
            kept.panel.take(.arm(mode), at: now, setup.rules)
            learning = nil
            // What was tried before takes nothing from what is told of an armed house.
            unknownTags = (nil, 0)
            kept.bypass = order.bypass
            align(to: other, at: now)
        case .disarm: act(.disarm, other, at: now)
        case .silence: act(.silence, other, at: now)
        case .reset: act(.reset, other, at: now)
        case .trigger: act(.trigger, other, at: now)
        case .follow:
            // Nobody's act stands behind it: it ends no alarm, however many acts the hub knows of.
            guard Panel.right(hub: other, box: panel) == .hub else { return nil }
            kept.panel.heed(other, at: now)
            kept.bypass = order.bypass
            settle()
        case .test: testUntil = now + Self.testTime
        case .openValve:
            guard isGasGone else { return nil }
            kept.isValveOpen = true
        case .learnTag: learning = (order.id, now + Self.learningTime)
        }
        return [Happening(kind: .orderTaken, panel: panel, cause: .order, credential: order.id)]
    }

    /// Does what somebody did at the hub. Told twice it is done once.
    private mutating func act(_ input: PanelInput, _ other: Panel, at now: Int64) {
        let isDone = panel.number == other.number && !panel.isMoreUrgent(than: other)
        if !isDone || input == .trigger { kept.panel.take(input, at: now, setup.rules) }
        align(to: other, isEnd: input == .disarm || input == .reset, at: now)
    }

    /// Stands as the hub's panel does after an act of both, unless the box knows more.
    /// - Parameter isEnd: whether it was an act that ends an alarm: no other one quiets what is on here.
    private mutating func align(to other: Panel, isEnd: Bool = false, at now: Int64) {
        if isEnd, other.number >= panel.number {
            kept.panel.follow(other, at: now)
        } else if Panel.right(hub: other, box: panel) == .hub {
            kept.panel.heed(other, at: now)
        }
        settle()
    }

    // MARK: plain commands

    mutating func closeValve() { kept.isValveOpen = false }
    mutating func tellFan(_ percent: Int) { fanTold = Ventilation.meaning(of: percent) }
    /// - Returns: whether it is done: what the panel makes sound, only somebody who proves it silences. To take back what was told
    ///   before is done, although the panel may go on.
    mutating func tellSiren(_ isOn: Bool) -> Bool {
        defer { isSirenTold = isOn }
        return isOn || isSirenTold || !panel.isSounding
    }
}
