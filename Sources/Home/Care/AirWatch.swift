import Household
import Identity
import Ledger
import Safeguard
import System

/// What is to be done about the air, at once and in this order.
enum CareAct: Sendable, Equatable {
    /// Close every valve of a house that has not been told yet.
    case closeValves(SiteID)
    /// The panel is tripped by this sensor.
    case trip(SensorID)
    /// A fan is told its speed.
    case run(ActuatorID)
    /// People are told.
    case raise(SensorID, CareCause)
    /// The cause of a sensor's alarm is over.
    case end(SensorID)
    /// A sensor's readings are held against nothing any more: its alarm ends, and its cause may go on.
    case endUnheld(SensorID)
    /// People are told that a sensor does not speak.
    case fault(SensorID, SensorStatus)
    /// It does again.
    case faultOver(SensorID)
}

/// What is known of one sensor's air: pure, so that every case is a test.
struct AirWatch: Sendable {
    /// What people or the hub chose; nil: none counts.
    var threshold: Threshold?
    /// Of carbon monoxide in numbers: how much was breathed, and the factor from the sensor's unit to ppm.
    private(set) var exposure: CarbonMonoxideExposure?
    private var factor = 1.0
    /// Whether the threshold is reached.
    private(set) var watch = ThresholdWatch()
    /// The last reading that counted: heard now, not kept by the broker, not of a sensor that warms up.
    private(set) var last: Double?
    /// Whether it tells only yes and no.
    private(set) var isDetector = false
    /// Whether people were told that it does not speak.
    private(set) var isFaulty = false
    /// That nobody heard it while it was over its level: that may have ended and begun again. Nil: it was heard all the time.
    private(set) var absence: Absence?
    /// The alarm that stands because of it, and the one because it is silent.
    var alarm: HouseAlarmID?
    /// See `alarm`.
    var fault: HouseAlarmID?

    /// What it said before a restart, as far as that was written down.
    private var known: Double? { exposure?.level.map { $0 / factor } }

    /// Whether its threshold is reached.
    var isOver: Bool { watch.isOver || exposure?.isOver ?? false }

    /// What a fan goes by: the threshold, or the one level that carbon monoxide has for what knows no times.
    var level: Threshold? { threshold ?? (exposure == nil ? nil : Self.plain(factor)) }

    /// The one level of carbon monoxide for what knows no times: boxes, fans.
    /// - Parameter factor: from the sensor's unit to ppm.
    static func plain(_ factor: Double) -> Threshold {
        Threshold(
            level: CarbonMonoxideExposure.plainLevel / factor,
            hysteresis: (CarbonMonoxideExposure.plainLevel - CarbonMonoxideExposure.harmless) / factor)
    }

    /// What a yes is held against.
    static let yes = Threshold(level: 1, hysteresis: 0.5)

    /// Takes up what stood before a restart.
    mutating func restore(alarm: HouseAlarmID?, fault: HouseAlarmID?) {
        if let alarm { (self.alarm, watch, absence) = (alarm, ThresholdWatch(isOver: true), Absence()) }
        if let fault { (self.fault, isFaulty) = (fault, true) }
    }

    /// The same of how much carbon monoxide was breathed.
    /// - Parameter factor: from the sensor's unit to ppm.
    mutating func restore(_ exposure: CarbonMonoxideExposure, factor: Double) {
        (self.exposure, self.factor) = (exposure, factor)
    }

    /// Nobody hears it from now on. What is over its level when it is heard again may have begun anew.
    mutating func lose(at now: Timestamp) {
        exposure?.lose(at: now.milliseconds)
        guard isOver else { return }
        if absence == nil { absence = Absence(since: now) } else { absence?.goOn(at: now) }
    }

    /// It began anew, and is not believed yet: what it said before may be over.
    mutating func beginAnew() { if isOver { absence = Absence() } }

    /// People ended its alarm, and it says nothing more: it is over its level no more until it says so anew.
    mutating func forget() { (watch, exposure, absence, last, alarm) = (ThresholdWatch(), nil, nil, nil, nil) }

    /// The alarm of its house ended. What only says yes and no says by itself when it is over.
    /// - Returns: that it is over by what was heard last, if it is heard at all.
    mutating func end(at now: Timestamp, counts: Bool) -> CareCause? {
        // Carbon monoxide is over once the air is harmless, whatever people do.
        guard exposure == nil, watch.isOver, !isDetector, counts, let threshold else { return nil }
        watch.end()
        guard absence == nil, let last else { return nil }
        return crossing(last, at: now, threshold).map { CareCause(crossing: $0, value: last, threshold: threshold) }
    }

    /// It is heard again.
    mutating func find(at now: Timestamp) {
        absence?.end(at: now)
        exposure?.resume(at: now.milliseconds)
    }

    /// The broker had kept a level of carbon monoxide: it may be old and ends nothing, and what is shown of it goes on.
    mutating func findKept(_ value: Double, _ factor: Double, at now: Timestamp) {
        absence?.end(at: now)
        // A number in another unit says nothing any more.
        (self.factor, last) = (factor, factor == self.factor ? last ?? value : value)
        var exposure = exposure ?? CarbonMonoxideExposure()
        exposure.resume(at: now.milliseconds, level: value * factor)
        self.exposure = exposure
    }

    /// Applies a reading that counts.
    /// - Parameters:
    ///   - counts: whether thresholds count at the house; detectors always do.
    ///   - factor: of carbon monoxide in numbers, from its unit to ppm; nil: it is something else.
    mutating func apply(
        _ value: ReadingValue, at now: Timestamp, counts: Bool, factor: Double? = nil
    ) -> CareCause? {
        switch value {
        case .number(let number):
            guard number.isFinite else { return nil }
            (last, isDetector) = (number, false)
            if let factor {
                self.factor = factor
                if counts { return breathe(number, at: now) }
                let cause = leave(at: now)
                hear(number, at: now)
                return cause
            }
            forgetExposure()
            // What was over a level that counts no more, also of one that was out of use when that was chosen, is over.
            guard counts, let threshold else { return leave(at: now) }
            return crossing(number, at: now, threshold).map {
                CareCause(crossing: $0, value: number, threshold: threshold)
            }
        case .truth(let isYes):
            forgetExposure()
            (last, isDetector) = (isYes ? 1 : 0, true)
            return crossing(isYes ? 1 : 0, at: now, Self.yes).map {
                CareCause(crossing: $0, value: nil, threshold: Self.yes)
            }
        case .text: return nil
        }
    }

    /// Whether numbers are held against anything: a level, or how much of carbon monoxide was breathed.
    var isHeld: Bool { exposure != nil || threshold != nil }

    /// Holds the last reading that counted against a threshold that is new, or counts no more.
    mutating func review(at now: Timestamp, counts: Bool) -> CareCause? {
        if isDetector { return nil }
        if exposure != nil {
            guard counts else { return leave(at: now) }
            // Nothing was read: of how much was breathed it says nothing new.
            let wasOver = isOver
            if let last { hold(last, at: now) }
            if !isOver { absence = nil }
            return crossed(from: wasOver)
        }
        guard counts, let threshold else { return leave(at: now) }
        guard let last else { return nil }
        return crossing(last, at: now, threshold).map { CareCause(crossing: $0, value: last, threshold: threshold) }
    }

    /// Takes carbon monoxide in numbers: how much was breathed counts, and a level that people chose beside it, at once.
    private mutating func breathe(_ value: Double, at now: Timestamp) -> CareCause? {
        let (wasOver, isThere) = (isOver, value * factor >= CarbonMonoxideExposure.harmless)
        let isAnew = wasOver && isThere && absence?.mayHideAnother(at: now) ?? false
        hear(value, at: now)
        hold(value, at: now)
        if isThere || !isOver { absence = nil }
        return crossed(from: wasOver, isAnew: isAnew)
    }

    private mutating func hear(_ value: Double, at now: Timestamp) {
        var exposure = exposure ?? CarbonMonoxideExposure()
        _ = exposure.apply(value * factor, at: now.milliseconds)
        self.exposure = exposure
    }

    /// Holds carbon monoxide against a level that people chose.
    private mutating func hold(_ value: Double, at now: Timestamp) {
        if let threshold {
            _ = watch.apply(value, at: now.milliseconds, threshold)
        } else if watch.isOver {
            // A box has one level, and an alarm of before a restart none: both are over as all others are.
            exposure?.restoreAlarm()
            watch = ThresholdWatch()
        }
    }

    /// It measures something else by now: what was over by time is over its level until that says otherwise.
    private mutating func forgetExposure() {
        if exposure?.isOver == true { watch = ThresholdWatch(isOver: true) }
        exposure = nil
    }

    private func crossed(from wasOver: Bool, isAnew: Bool = false) -> CareCause? {
        guard isOver != wasOver || isOver && isAnew else { return nil }
        return CareCause(
            crossing: isOver ? .reached : .left, value: last ?? known, threshold: watch.isOver ? threshold : nil)
    }

    /// The clock goes on: carbon monoxide that stays adds up.
    mutating func pass(to now: Timestamp, counts: Bool) -> CareCause? {
        guard counts else {
            exposure?.beginAnew(at: now.milliseconds)
            return nil
        }
        let wasOver = isOver
        _ = exposure?.pass(to: now.milliseconds)
        return crossed(from: wasOver)
    }

    /// Takes what a box has seen by itself.
    /// - Returns: nil when that is known already.
    mutating func told(_ crossing: Crossing, value: Double?, at now: Timestamp) -> CareCause? {
        let (wasOver, isReached) = (isOver, crossing != .left)
        let isAnew = isReached && absence?.mayHideAnother(at: now) ?? false
        absence = nil
        if isReached != watch.isOver || isAnew { watch = ThresholdWatch(isOver: isReached) }
        guard isOver != wasOver || isAnew else { return nil }
        if let value { last = value }
        return CareCause(crossing: crossing, value: isDetector ? nil : value, threshold: level ?? Self.yes)
    }

    /// What is to be told of it when it is told once more while it is over its level; nil: it is not.
    /// - Parameter value: what it is now; nil: as it was heard last.
    func standing(_ value: Double?) -> CareCause? {
        guard isOver else { return nil }
        return CareCause(
            crossing: .reached, value: isDetector ? nil : value ?? last ?? known,
            threshold: exposure?.isOver == true ? nil : level ?? Self.yes)
    }

    /// Whatever it was is over: its threshold does not count any more.
    private mutating func leave(at now: Timestamp) -> CareCause? {
        let wasOver = isOver
        // What was there while nothing counted counts for nothing afterwards.
        exposure?.beginAnew(at: now.milliseconds)
        guard wasOver else { return nil }
        (watch, absence) = (ThresholdWatch(), nil)
        return CareCause(crossing: .left, value: last, threshold: threshold ?? Self.yes)
    }

    /// Notes that it speaks or does not.
    /// - Returns: whether that is news.
    mutating func apply(isFaulty: Bool) -> Bool {
        guard isFaulty != self.isFaulty else { return false }
        self.isFaulty = isFaulty
        return true
    }

    private mutating func crossing(_ value: Double, at now: Timestamp, _ threshold: Threshold) -> Crossing? {
        let isAnew = value >= threshold.level && absence?.mayHideAnother(at: now) ?? false
        if isAnew { watch = ThresholdWatch() }
        let crossing = watch.apply(value, at: now.milliseconds, threshold)
        if value >= threshold.level || !watch.isOver { absence = nil }
        return crossing
    }
}
