import Household
import Ledger
import System
import Template

/// Reads what one sensor tells, or what one actuator says that it does: the one place where such payloads are read.
///
/// A payload is a bare value, or our own JSON (`value`, and if it wants `unit`, `at`, `warming`), or, where the binding names a path,
/// any JSON that has the value there.
struct PayloadReader: Sendable {
    /// The longest payload in bytes.
    static let byteLimit = 64 << 10
    /// The longest payload from which a template computes, in bytes: each of its readers goes through all of it.
    static let computedLimit = 16 << 10
    /// The longest text in bytes.
    static let textLimit = 1_024
    /// So far ahead of ours a clock may be, in milliseconds.
    static let futureLimit: Int64 = 120_000
    /// Before this no sensor told anything: 2020-01-01.
    static let firstMoment = Timestamp(milliseconds: 1_577_836_800_000)

    /// What a payload came to.
    enum Outcome: Sendable, Equatable {
        case value(Read)
        /// It says nothing of this sensor.
        case nothing
        case refused(PayloadRefusal)
        /// A number above what the sensor can measure; of a distance also one below: something is nearer.
        case beyond(Double)
    }

    /// What a payload tells.
    struct Read: Sendable, Equatable {
        var value: ReadingValue
        /// When it was measured, as the payload says; nil: it does not.
        var at: Timestamp?
        /// Whether it says that it is not to be believed yet.
        var isWarming = false
        /// Why the time that it tells is not believed, so that the hub's counts; nil: it is, or there is none.
        var doubt: PayloadRefusal?
    }

    private enum Wanted { case number, truth, text, any }

    private static let own: [[[UInt8]]] = ["value", "unit", "at", "warming"].map { [Array($0.utf8)] }

    private let wanted: Wanted
    private let range: ClosedRange<Double>?
    /// What a number of its kind can be at all.
    private let possible: ClosedRange<Double>?
    private let isDistance: Bool
    /// Whether it may say how it is in a word: see `DetectorWords`.
    private let isDetector: Bool
    private let isOfGas: Bool
    private let unit: [UInt8]
    private let path: [[[UInt8]]]
    private let template: Template?
    /// Whether it reads the payload as JSON.
    private let readsJSON: Bool
    private let on: [UInt8]
    private let off: [UInt8]
    /// Whether JSON's own true and false mean what they say: nothing else was agreed upon.
    private let knowsTruth: Bool

    /// Of a sensor.
    init(_ sensor: Sensor) {
        let wanted: Wanted =
            sensor.kind.isTruth ? .truth : sensor.kind == .text || sensor.kind == .tag ? .text : .number
        self.init(
            wanted, sensor.binding, sensor.binding.on, sensor.binding.off, sensor.range, unit: sensor.unit,
            kind: sensor.kind)
    }

    /// Of what an actuator says that it does; nil: it says nothing.
    init?(_ actuator: Actuator) {
        guard let state = actuator.binding.state else { return nil }
        self.init(.any, state, state.on ?? actuator.binding.on, state.off ?? actuator.binding.off, nil, unit: "")
    }

    /// Of how much an actuator says that it does; nil: it says nothing of it.
    init?(levelOf actuator: Actuator) {
        guard let level = actuator.binding.level else { return nil }
        self.init(.number, level, nil, nil, nil, unit: "")
    }

    /// How many light readings one of it is worth.
    var cost: Int { template == nil ? 1 : 4 }

    /// Of where something tells that it is there: a yes or a no.
    init(_ availability: Availability) {
        let binding = SensorBinding(
            topic: availability.topic, path: availability.path, template: availability.template)
        self.init(.truth, binding, availability.online, availability.offline, nil, unit: "")
    }

    private init(
        _ wanted: Wanted, _ binding: SensorBinding, _ on: String?, _ off: String?, _ range: ClosedRange<Double>?,
        unit: String, kind: SensorKind? = nil
    ) {
        (self.wanted, self.range, self.unit) = (wanted, range, Array(unit.utf8))
        possible = kind.flatMap { MeasuredRange.range(of: $0, in: unit) }
        isDistance = kind == .distance
        isOfGas = kind == .gas || kind == .gasAlarm
        isDetector = kind?.savesLives == true && kind != .carbonMonoxideLevel
        template = binding.template
        readsJSON = binding.template?.names.contains("value_json") ?? false
        path = binding.path.isEmpty ? [] : [binding.path.map { Array($0.utf8) }]
        (self.on, self.off) = (Array((on ?? "ON").utf8), Array((off ?? "OFF").utf8))
        knowsTruth = on == nil && off == nil || wanted == .any
    }

    /// - Parameter now: the hub's clock.
    func read(_ payload: [UInt8], now: Timestamp) -> Outcome {
        var work = ReadingWork()
        return read(payload, now: now, work: &work)
    }

    /// The same of one of several readers of a message.
    /// - Parameter work: what they share, and what they have cost.
    func read(_ payload: [UInt8], now: Timestamp, work: inout ReadingWork) -> Outcome {
        if payload.isEmpty { return .nothing }
        if payload.count > Self.byteLimit { return .refused(.tooLong) }
        if let template { return read(by: template, payload, &work) }
        if !path.isEmpty { return readForeign(payload) }
        guard let first = payload.firstIndex(where: { !PayloadScanner.isSpace($0) }) else { return .nothing }
        if payload[first] == UInt8(ascii: "{") { return readOwn(payload, now) }
        let end = (payload.lastIndex { !PayloadScanner.isSpace($0) } ?? first) + 1
        let token: PayloadScanner.Token =
            PayloadScanner.isNumber(payload, first..<end) ? .number(first..<end) : .text(first..<end, isPlain: true)
        return outcome(of: token, payload, at: nil, isWarming: false)
    }

    /// What a template makes of it is a bare value, or JSON in which the value lies.
    private func read(by template: Template, _ payload: [UInt8], _ work: inout ReadingWork) -> Outcome {
        guard payload.count <= Self.computedLimit else { return .refused(.tooLong) }
        guard let text = String(validating: payload, as: UTF8.self) else { return .refused(.notJSON) }
        var variables: [String: TemplateValue] = ["value": .text(text)]
        if readsJSON { variables["value_json"] = work.json(payload) }
        let rendered: [UInt8]
        do {
            rendered = Array(try template.text(variables, cost: &work.spent).utf8)
        } catch {
            // It tells only what is new, or nothing of this.
            if case .undefined = error { return .nothing }
            return .refused(.wrongKind)
        }
        // Home Assistant takes both for a value that is not known.
        if rendered.isEmpty || rendered.elementsEqual("None".utf8) { return .nothing }
        if !path.isEmpty { return readForeign(rendered) }
        let all = rendered.indices
        return outcome(
            of: PayloadScanner.isNumber(rendered, all) ? .number(all) : .text(all, isPlain: true), rendered, at: nil,
            isWarming: false)
    }

    private func readForeign(_ payload: [UInt8]) -> Outcome {
        guard let found = PayloadScanner.find(path, in: payload) else { return .refused(.notJSON) }
        // Many devices tell only what is new, or that they do not know yet.
        guard let token = found[0], token != .null else { return .nothing }
        return outcome(of: token, payload, at: nil, isWarming: false)
    }

    private func readOwn(_ payload: [UInt8], _ now: Timestamp) -> Outcome {
        guard let found = PayloadScanner.find(Self.own, in: payload) else { return .refused(.notJSON) }
        guard let token = found[0], token != .null else { return .refused(.noValue) }
        switch found[1] {
        case nil, .null?: break
        case .text(let range, _)? where payload[range].elementsEqual(unit): break
        default: return .refused(.wrongUnit)
        }
        let isWarming: Bool
        switch found[3] {
        case nil, .null?, .truth(false)?: isWarming = false
        case .truth(true)?: isWarming = true
        default: return .refused(.wrongKind)
        }
        switch moment(found[2], payload, now) {
        case .success(let at): return outcome(of: token, payload, at: at, isWarming: isWarming)
        // Smoke is smoke, whatever the clock of the detector says.
        case .failure(let doubt):
            guard case .value(var read) = outcome(of: token, payload, at: nil, isWarming: isWarming) else {
                return outcome(of: token, payload, at: nil, isWarming: isWarming)
            }
            read.doubt = doubt.reason
            return .value(read)
        }
    }

    /// When it was measured, as it says; nil: it does not.
    private func moment(
        _ token: PayloadScanner.Token?, _ payload: [UInt8], _ now: Timestamp
    ) -> Result<Timestamp?, Failure> {
        switch token {
        case nil, .null?: return .success(nil)
        case .text(let range, _)?:
            guard let told = PayloadTime.moment(payload[range]) else { return .failure(.init(reason: .badTime)) }
            if told.milliseconds > now.milliseconds + Self.futureLimit {
                return .failure(.init(reason: .fromTheFuture))
            }
            if told < Self.firstMoment { return .failure(.init(reason: .beforeSensors)) }
            return .success(told)
        default: return .failure(.init(reason: .badTime))
        }
    }

    // MARK: The value

    private func outcome(
        of token: PayloadScanner.Token, _ payload: [UInt8], at: Timestamp?, isWarming: Bool
    ) -> Outcome {
        switch value(of: token, payload) {
        // While it warms up it is not believed, whatever it says.
        case .success(.number(let number)) where isBeyond(number): isWarming ? .refused(.outOfRange) : .beyond(number)
        case .success(let value): .value(Read(value: value, at: at, isWarming: isWarming))
        case .failure(let refusal): .refused(refusal.reason)
        }
    }

    private struct Failure: Error { let reason: PayloadRefusal }

    private func value(of token: PayloadScanner.Token, _ payload: [UInt8]) -> Result<ReadingValue, Failure> {
        switch wanted {
        case .number:
            let number = number(token, payload)
            if case .failure(let refusal) = number, refusal.reason == .wrongKind, let word = word(token, payload) {
                return .success(.truth(word))
            }
            return number
        case .truth:
            return (truth(token, payload) ?? word(token, payload)).map { .success(.truth($0)) }
                ?? .failure(.init(reason: .wrongKind))
        case .text: return text(token, payload)
        case .any:
            if let truth = truth(token, payload) { return .success(.truth(truth)) }
            if case .number = token { return number(token, payload) }
            return text(token, payload)
        }
    }

    private func number(_ token: PayloadScanner.Token, _ payload: [UInt8]) -> Result<ReadingValue, Failure> {
        let digits: Range<Int>
        switch token {
        case .number(let range): digits = range
        // Many devices write numbers between quotes.
        case .text(let range, isPlain: true) where PayloadScanner.isNumber(payload, range): digits = range
        case .text(let range, _) where Self.isEndless(payload[range]): return .failure(.init(reason: .notFinite))
        default: return .failure(.init(reason: .wrongKind))
        }
        let value = PayloadNumber.value(payload, digits)
        guard value.isFinite else { return .failure(.init(reason: .notFinite)) }
        guard value.magnitude <= ReadingValue.greatest, possible?.contains(value) ?? true else {
            return .failure(.init(reason: .outOfRange))
        }
        if let range, value < range.lowerBound, !isNearer(value) { return .failure(.init(reason: .outOfRange)) }
        return .success(.number(value))
    }

    private func isBeyond(_ value: Double) -> Bool { isNearer(value) || range.map { value > $0.upperBound } ?? false }

    /// Whether it is a distance that is less than its sensor can measure, and not 0, which with many means nothing at all.
    private func isNearer(_ value: Double) -> Bool {
        isDistance && value > 0 && range.map { value < $0.lowerBound } ?? false
    }

    private func truth(_ token: PayloadScanner.Token, _ payload: [UInt8]) -> Bool? {
        switch token {
        case .text(let range, _), .number(let range):
            if payload[range].elementsEqual(on) { return true }
            if payload[range].elementsEqual(off) { return false }
            if Self.means(payload[range], on) { return true }
            return Self.means(payload[range], off) ? false : nil
        case .truth(let truth):
            let word = Array((truth ? "true" : "false").utf8)
            if Self.means(word[...], on) { return true }
            if Self.means(word[...], off) { return false }
            return knowsTruth ? truth : nil
        case .null, .container: return nil
        }
    }

    /// What a detector says in a word that was not agreed upon; nil: it is none of those that detectors use.
    private func word(_ token: PayloadScanner.Token, _ payload: [UInt8]) -> Bool? {
        guard isDetector, case .text(let range, isPlain: true) = token, range.count <= 16 else { return nil }
        let word = String(decoding: payload[range], as: UTF8.self)
        if DetectorWords.alarm.contains(word.lowercased()) { return true }
        // With Home Assistant, None is what is not known.
        if isOfGas, word == DetectorWords.noGas { return false }
        return DetectorWords.quiet.contains(word.lowercased()) ? false : nil
    }

    private func text(_ token: PayloadScanner.Token, _ payload: [UInt8]) -> Result<ReadingValue, Failure> {
        let text: String?
        switch token {
        case .text(let range, let isPlain):
            if range.count > Self.textLimit { return .failure(.init(reason: .tooLong)) }
            // A bare text has no escapes, whatever its signs.
            text = PayloadScanner.string(range, isPlain: isPlain, in: payload)
        case .number(let range): text = PayloadScanner.string(range, isPlain: true, in: payload)
        case .truth(let truth): text = truth ? "true" : "false"
        case .null, .container: text = nil
        }
        return text.map { .success(.text($0)) } ?? .failure(.init(reason: .wrongKind))
    }

    /// Whether both are the same word, its letters small or capital.
    private static func means(_ word: ArraySlice<UInt8>, _ other: [UInt8]) -> Bool {
        func small(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }
        return word.count == other.count && zip(word, other).allSatisfy { small($0) == small($1) }
    }

    private static func isEndless(_ word: ArraySlice<UInt8>) -> Bool {
        let bare = word.first == UInt8(ascii: "-") || word.first == UInt8(ascii: "+") ? word.dropFirst() : word
        return ["nan", "inf", "infinity"].contains { means(bare, Array($0.utf8)) }
    }
}

/// A number as JSON writes it.
enum PayloadNumber {
    /// Powers of ten, all of them exact.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// - Parameter range: one number, by `PayloadScanner`.
    /// - Returns: its value, infinite when it is too large.
    static func value(_ bytes: [UInt8], _ range: Range<Int>) -> Double {
        var (mantissa, scale, isAfterPoint) = (0, 0, false)
        var index = range.lowerBound
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        while index < range.upperBound {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: ".") {
                isAfterPoint = true
                continue
            }
            // With an exponent or many digits the library is right to the last bit, and slower.
            guard (0x30...0x39).contains(byte), mantissa < 100_000_000_000_000, scale < powers.count - 1 else {
                return Double(String(decoding: bytes[range], as: UTF8.self)) ?? .nan
            }
            mantissa = mantissa * 10 + Int(byte - 0x30)
            if isAfterPoint { scale += 1 }
        }
        // Both exact, so the quotient is rounded once, as it should be.
        let value = Double(mantissa) / powers[scale]
        return isNegative ? -value : value
    }
}

/// A moment as devices write it: `2026-11-21T12:00:00Z`, with or without thousandths.
enum PayloadTime {
    /// Nil for any other form, and for a time that does not exist.
    static func moment(_ text: ArraySlice<UInt8>) -> Timestamp? {
        let first = text.startIndex
        guard text.count == 20 || text.count == 24, text.last == UInt8(ascii: "Z") else { return nil }
        func number(_ offset: Int, _ count: Int) -> Int? {
            var value = 0
            for byte in text[(first + offset)..<(first + offset + count)] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            return value
        }
        func has(_ sign: Unicode.Scalar, at offset: Int) -> Bool { text[first + offset] == UInt8(ascii: sign) }
        guard has("-", at: 4), has("-", at: 7), has("T", at: 10), has(":", at: 13), has(":", at: 16),
            let year = number(0, 4), let month = number(5, 2), let dayOfMonth = number(8, 2),
            let day = Day(year: year, month: month, day: dayOfMonth), let hour = number(11, 2), hour < 24,
            let minute = number(14, 2), minute < 60, let second = number(17, 2), second < 60
        else { return nil }
        var thousandths = 0
        if text.count == 24 {
            guard has(".", at: 19), let fraction = number(20, 3) else { return nil }
            thousandths = fraction
        }
        let seconds = day.daysSinceEpoch * 86_400 + hour * 3_600 + minute * 60 + second
        return Timestamp(milliseconds: Int64(seconds * 1_000 + thousandths))
    }
}
