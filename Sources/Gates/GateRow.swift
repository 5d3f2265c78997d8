import Accounts
import Crypto
import Identity
import JSON
import System
import Wire

/// A gate as its site's members see it.
struct GateRow: JSONObject {
    let id: GateID
    let name: String
    let site: SiteID
    let siteName: String
    let state: Reachability

    init(_ gate: Gate, of site: Site, _ state: Reachability) {
        (id, name, self.site, siteName, self.state) = (gate.id, gate.name, gate.site, site.name, state)
    }

    static let shape = Shape<GateRow> {
        JSONField("id", "the gate's id") { $0.id }
        JSONField("name", "what people call it") { $0.name }
        JSONField("site", "the id of its site") { $0.site }
        JSONField("siteName", "what people call the site") { $0.siteName }
        JSONField("state") { $0.state }
    }
}

/// A gate as its site's managers see it.
struct AdministeredGateRow: JSONObject {
    let gate: Gate
    let state: Reachability
    let isWaiting: Bool
    let health: GateHealthRow?

    static let shape = Shape<AdministeredGateRow> {
        JSONField("id", "the gate's id") { $0.gate.id }
        JSONField("name", "what people call it") { $0.gate.name }
        JSONField("policy", "who decides: doors") { $0.gate.policy }
        JSONField("pulseMilliseconds", "for how long it opens, 500 to 30000") { Int($0.gate.pulse) }
        JSONField("state") { $0.state }
        JSONField("isWaiting", "whether a code waits for its controller") { $0.isWaiting }
        JSONField("retired", "when it was taken out of use") { $0.gate.retired }
        JSONField("health") { $0.health }
    }
}

/// What a gate's controller says of itself.
struct GateHealthRow: JSONObject {
    let report: GateReport
    let rightsAreCurrent: Bool

    static let shape = Shape<GateHealthRow> {
        JSONField("lastHeard", "when its controller was last heard, as far as it was written down") { $0.report.at }
        JSONField("clockOffsetSeconds", "its clock less the hub's") { $0.report.clockOffset }
        JSONField("waiting", "records of its journal that the hub does not have yet") { $0.report.waiting }
        JSONField("kept", "records of its journal altogether") { $0.report.kept }
        JSONField("software", "what it runs") { $0.report.software }
        JSONField("starts", "how often it has started") { $0.report.starts }
        JSONField("rightsAreCurrent", "whether it holds the newest rights") { $0.rightsAreCurrent }
        JSONField("troubles") { $0.report.troubles }
    }
}

/// What became of asking a gate to open.
struct OpeningAnswer: JSONObject {
    /// Why not, for programs and for people.
    struct Why: JSONObject {
        let code: String
        let text: String

        static let shape = Shape<Why> {
            JSONField("code", "for programs") { $0.code }
            JSONField("text", "for people, in their language") { $0.text }
        }
    }

    /// What the hub decided.
    enum Decision: String, JSONChoice { case granted, denied }

    let result: OpeningResult
    let reason: Why?

    static let shape = Shape<OpeningAnswer> {
        JSONField("decision") { $0.result.isGranted ? Decision.granted : .denied }
        JSONField("outcome") { $0.result.outcome }
        JSONField("reason") { $0.reason }
        JSONField("eventID", "the event of the decision; that of the first where a refusal was repeated") {
            $0.result.eventID
        }
        JSONField("milliseconds", "from the request to the answer") { $0.result.milliseconds }
    }
}

/// A pass as a phone gets it.
struct IssuedPassRow: JSONObject {
    let issued: Gates.IssuedPass

    static let shape = Shape<IssuedPassRow> {
        JSONField("gate", "the gate's id") { $0.issued.gate.id }
        JSONField("name", "what people call it") { $0.issued.gate.name }
        JSONField("pass", "header, caveats and key as the opening protocol writes them, base64url") {
            Base64.urlText($0.issued.pass.encoded())
        }
        JSONField("notAfter", "when it ends") { Timestamp(seconds: $0.issued.pass.header.notAfter) }
    }
}

/// A code for pairing a controller or a box.
public struct PairingAnswer: JSONObject {
    let code: String
    let expires: Timestamp

    /// - Parameters:
    ///   - code: as people type it.
    ///   - expires: when it ends.
    public init(code: String, expires: Timestamp) { (self.code, self.expires) = (code, expires) }

    public static let shape = Shape<PairingAnswer> {
        JSONField("code", "26 characters") { $0.code }
        JSONField("expires", "when it ends") { $0.expires }
    }
}
