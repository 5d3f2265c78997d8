import JSON

// What pages hear of gates while they are open.

/// Of the message `gate`: how a gate is now, for whoever reads.
struct GateNews: JSONObject {
    let gate: GateID
    let state: GatesView.State
    let text: String

    static let shape = Shape<GateNews> {
        JSONField("id", "the gate's id") { $0.gate }
        JSONField("state", "how it is") { $0.state.name }
        JSONField("text", "in words") { $0.text }
    }
}

/// Of the message `opening`: a gate was asked to open for whoever reads.
struct OpeningNews: JSONObject {
    let gate: GateID

    static let shape = Shape<OpeningNews> {
        JSONField("gate", "the gate's id") { $0.gate }
    }
}
