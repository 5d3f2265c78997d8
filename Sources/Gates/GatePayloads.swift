import Identity
import JSON
import Wire

// What the events of gates hold, but for openings.

/// Of `gate.added`: how it was when it was added.
struct GateAddedPayload: JSONObject {
    let gate: Gate
    let person: PersonID?

    static let shape = Shape<GateAddedPayload> {
        JSONField("gate", "the gate's id") { $0.gate.id }
        JSONField("name", "what people call it") { $0.gate.name }
        JSONField("policy", "who decides") { $0.gate.policy }
        JSONField(unlessNil: "by", "who added it, where it was a person") { $0.person }
    }
}

/// Of `gate.paired`, after every pairing: also of a controller in another one's place.
struct GatePairedPayload: JSONObject {
    let gate: GateID
    let isReplaced: Bool

    static let shape = Shape<GatePairedPayload> {
        JSONField("gate", "the gate's id") { $0.gate }
        JSONField("replaced", "whether it had a controller before") { $0.isReplaced }
    }
}

/// Of `gate.journal.replaced`, and with the record's place `gate.journal.contradiction`.
struct GateJournalPayload: JSONObject {
    let gate: GateID
    let journal: ID16
    var sequence: UInt64?

    static let shape = Shape<GateJournalPayload> {
        JSONField("gate", "the gate's id") { $0.gate }
        JSONField("journal", "the journal's id") { $0.journal.hex }
        JSONField(unlessNil: "sequence", "the record's place in it") { $0.sequence }
    }
}

/// Of `gate.troubles`: what a gate reports since its last hello, and reports no more.
struct GateTroublesPayload: JSONObject {
    let gate: GateID
    let began: [GateTrouble]
    let ended: [GateTrouble]

    static let shape = Shape<GateTroublesPayload> {
        JSONField("gate", "the gate's id") { $0.gate }
        JSONField("began") { $0.began }
        JSONField("ended") { $0.ended }
    }
}

/// Of `gate.compared`: what a gate knew beyond the backup that the hub was restored from.
struct GateComparedPayload: JSONObject {
    let gate: GateID
    let kept: UInt64
    let known: UInt64
    let lost: UInt64
    let records: UInt64
    let agrees: Bool

    static let shape = Shape<GateComparedPayload> {
        JSONField("gate", "the gate's id") { $0.gate }
        JSONField("kept", "the last event that the backup had") { $0.kept }
        JSONField("known", "the last event of the ledger that the gate knows") { $0.known }
        JSONField("lost", "how many events are lost") { $0.lost }
        JSONField("records", "how many records the gate tells again") { $0.records }
        JSONField("agrees", "whether what the gate saw of the backup's part is the same") { $0.agrees }
    }
}
