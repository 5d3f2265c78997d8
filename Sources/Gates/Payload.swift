import JSON
import System

/// The payloads of this room's events: JSON objects, written by hand.
enum Payload {
    typealias Writer = JSONWriter

    static func object(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.object { write(&$0) }
        return json.bytes
    }
}

/// What the payload of an opening's event holds; read back for the log.
struct OpeningPayload: Decodable {
    /// Why, when there is a why.
    struct Why: Decodable {
        let code: String
        let parameter: String?
    }
    let gate: String
    let person: String?
    /// The event of the hub's decision, where the hub decided.
    let opening: String?
    let reason: Why?
    /// How many refusals the event tells of, where they were repeated, and when the first and the last were.
    let count: Int?
    let first: String?
    let last: String?
    /// `hub`, `legacy`, or the carrier that the gate names: `ble`, `qr`, `serial`.
    let how: String?
    /// What the gate was asked for: `apri`, `chiudi`, `enter`, `leave`.
    let intent: String?
    /// The site's own reason code for entering or leaving.
    let intentReason: Int?
    /// The gate's own time, when the gate said.
    let at: String?
    /// Whether the gate's clock could be trusted then.
    let isClockTrusted: Bool?
    /// Whether it came more than ten seconds after it happened: the gate was alone.
    let isLate: Bool?
    /// From the decision to the gate's answer, in milliseconds.
    let milliseconds: Int?
}
