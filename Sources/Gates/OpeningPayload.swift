import Identity
import JSON
import Ledger
import System
import Wire

/// What an event of an opening holds: written when it happens, read back for the log.
struct OpeningPayload: Sendable, Equatable {
    let gate: GateID
    var person: PersonID?
    /// The pass, or the badge, that was shown, in hexadecimal digits.
    var pass: String?
    var opening: EventID?
    var milliseconds: Int?
    var how = "hub"
    var intent: String?
    var intentReason: Int?
    /// The gate's own time, when the gate said.
    var at: Timestamp?
    var isClockTrusted: Bool?
    /// Whether it came more than ten seconds after it happened: the gate was alone.
    var isLate: Bool?
    var journal: String?
    var sequence: UInt64?
    /// Why, when there is a why.
    var reason: Why?
    /// How many refusals the event tells of, where they were repeated, and when the first and the last were.
    var repeats: EventID?
    var count: Int?
    var first: Timestamp?
    var last: Timestamp?

    /// Why an opening was refused, or is not confirmed.
    struct Why: Sendable, Equatable {
        let code: String
        /// What its words name; nil inside: nothing; nil outside: such a reason never has words that name something.
        var parameter: String??
        /// The gate's own number.
        var number: Int?
    }
}

extension OpeningPayload: JSONObject {
    private enum Key {
        static let gate = JSONKey<GateID>("gate", "the gate's id")
        static let person = JSONKey<PersonID?>("person", "who, where anybody is known")
        static let pass = JSONKey<String?>("pass", "the pass or badge that a gate names")
        static let opening = JSONKey<EventID?>("opening", "the event of the hub's decision, where the hub decided")
        static let milliseconds = JSONKey<Int?>("milliseconds", "from the decision to the gate's answer")
        static let how = JSONKey<String?>("how", "hub, legacy, or the carrier that the gate names: ble, qr, serial")
        static let intent = JSONKey<String?>("intent", "what the gate was asked for: apri, chiudi, enter, leave")
        static let intentReason = JSONKey<Int?>("intentReason", "the site's own code for entering or leaving")
        static let at = JSONKey<Timestamp?>("at", "the gate's own time")
        static let isClockTrusted = JSONKey<Bool?>("isClockTrusted", "whether the gate's clock could be trusted then")
        static let isLate = JSONKey<Bool?>("isLate", "whether the gate was alone")
        static let journal = JSONKey<String?>("journal", "the gate's journal")
        static let sequence = JSONKey<UInt64?>("sequence", "the record's place in it")
        static let reason = JSONKey<Why?>("reason")
        static let repeats = JSONKey<EventID?>("repeats", "the event of the first refusal")
        static let count = JSONKey<Int?>("count", "how many refusals followed")
        static let first = JSONKey<Timestamp?>("first", "when the first of them was")
        static let last = JSONKey<Timestamp?>("last", "when the last of them was")
    }

    static let shape = Shape<OpeningPayload> {
        JSONField(Key.gate) { $0.gate }
        JSONField(unlessNil: Key.person) { $0.person }
        JSONField(unlessNil: Key.pass) { $0.pass }
        JSONField(unlessNil: Key.opening) { $0.opening }
        JSONField(unlessNil: Key.milliseconds) { $0.milliseconds }
        JSONField(Key.how) { $0.how }
        JSONField(unlessNil: Key.intent) { $0.intent }
        JSONField(unlessNil: Key.intentReason) { $0.intentReason }
        JSONField(unlessNil: Key.at) { $0.at }
        JSONField(unlessNil: Key.isClockTrusted) { $0.isClockTrusted }
        JSONField(unlessNil: Key.isLate) { $0.isLate }
        JSONField(unlessNil: Key.journal) { $0.journal }
        JSONField(unlessNil: Key.sequence) { $0.sequence }
        JSONField(unlessNil: Key.reason) { $0.reason }
        JSONField(unlessNil: Key.repeats) { $0.repeats }
        JSONField(unlessNil: Key.count) { $0.count }
        JSONField(unlessNil: Key.first) { $0.first }
        JSONField(unlessNil: Key.last) { $0.last }
    }

    /// Reads an event's payload. What hubs of before did not write is nil; they decided themselves. What cannot be read is nil, too, as the
    /// time of a gate whose clock says the year 10000: the opening has its line in the log all the same.
    /// - Throws: when it does not say which gate, or why not.
    init(_ bytes: [UInt8]) throws(JSONError) {
        let fields = try JSONFields(bytes)
        func read<Value>(_ key: JSONKey<Value?>) -> Value? { (try? fields.require(key)) ?? nil }
        gate = try fields.require(Key.gate)
        reason = try fields.require(Key.reason)
        (person, pass, opening) = (read(Key.person), read(Key.pass), read(Key.opening))
        (milliseconds, how) = (read(Key.milliseconds), read(Key.how) ?? "hub")
        (intent, intentReason) = (read(Key.intent), read(Key.intentReason))
        (at, isClockTrusted, isLate) = (read(Key.at), read(Key.isClockTrusted), read(Key.isLate))
        (journal, sequence) = (read(Key.journal), read(Key.sequence))
        (repeats, count, first, last) = (read(Key.repeats), read(Key.count), read(Key.first), read(Key.last))
    }
}

extension OpeningPayload.Why: JSONObject, JSONReadable {
    private static let codeKey = JSONKey<String>("code", "for programs")
    private static let parameterKey = JSONKey<String?>("parameter", "what its words name: a day, a time, a role")
    private static let numberKey = JSONKey<Int?>("number", "the gate's own")
    private static let body = JSONBody(codeKey, parameterKey, numberKey)

    static let shape = Shape<OpeningPayload.Why> {
        JSONField(codeKey) { $0.code }
        JSONField(unlessNil: parameterKey.name, parameterKey.words) { $0.parameter }
        JSONField(unlessNil: numberKey) { $0.number }
    }

    static func read(_ json: UnsafeRawBufferPointer, at path: String) throws(JSONError) -> OpeningPayload.Why {
        let (code, parameter, number) = try body.read(json, at: path)
        return OpeningPayload.Why(code: code, parameter: parameter.map { .some($0) }, number: number)
    }

    /// A policy's reason, which may name something.
    init(_ reason: Reason) { (code, parameter) = (reason.code, .some(reason.parameter)) }
}
