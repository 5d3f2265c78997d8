import JSON
import Safeguard
import System
import Wire

/// What the ledger holds of a box's record.
struct BoxRecordPayload: JSONObject {
    let taken: TakenRecord
    /// So many before it have no place in the ledger.
    let leftOut: Int

    private var content: BoxRecord.Content { taken.record.content }

    static let shape = Shape<BoxRecordPayload> {
        JSONField("box", "the box's id") { $0.taken.gateway.id }
        JSONField("journal", "its journal") { $0.taken.record.journalID.hex }
        JSONField("sequence", "the record's place in it") { $0.taken.record.sequence }
        JSONField("kind") { $0.content.kind }
        JSONField("cause") { $0.content.cause }
        JSONField("state") { PanelState(rawValue: $0.content.panel.state) }
        JSONField("number", "how often the panel was armed, disarmed or reset") { $0.content.panel.number }
        JSONField("sensor", "the sensor's id") { $0.taken.sensor }
        JSONField(unlessNil: "value", "what it read") {
            $0.content.sensor == nil ? nil : Double($0.content.value) / 1000
        }
        JSONField(unlessNil: "class") { $0.tripped }
        JSONField(unlessNil: "credential", "the tag or the order") { $0.credential }
        JSONField("at", "by the box's clock") { Timestamp(milliseconds: $0.content.moment) }
        JSONField("isClockTrusted", "whether that could be trusted") { $0.content.clock == .trusted }
        JSONField(unlessNil: "leftOutBefore", "so many have no place in the ledger") {
            $0.leftOut > 0 ? $0.leftOut : nil
        }
    }

    /// What a tripped sensor meant to the box; nil inside: what only a newer one knows; nil outside: nothing was tripped.
    private var tripped: SensorClass?? {
        content.kind == .tripped ? .some(content.alarmClass.flatMap { SensorClass(rawValue: $0) }) : nil
    }

    /// Nil inside: there was none; nil outside: it says something else.
    private var credential: String?? {
        if content.kind == .tripped { return nil }
        return .some(content.credential == .zero ? nil : content.credential.hex)
    }
}
