import Identity
import JSON
import System

/// What became of a notice, as its sender sees it.
struct DeliveryRow: JSONObject {
    let delivery: Delivery
    let language: Language

    static let shape = Shape<DeliveryRow> {
        JSONField("id", "the notice's id") { $0.delivery.notice.id }
        JSONField("title", "what it says") { $0.delivery.notice.content.text[$0.language].title }
        JSONField("sent", "when it was sent") { $0.delivery.notice.created }
        JSONField("acknowledged", "when a person first took care") { $0.delivery.acknowledged }
        JSONField("nextTurn", "when the next person gets it, unless another takes care first") { $0.delivery.turn }
        JSONField("recipients") { $0.delivery.recipients }
        JSONField("webhook") { $0.delivery.webhook }
    }
}

extension Delivery.Recipient: JSONObject {
    public static let shape = Shape<Delivery.Recipient> {
        JSONField("person", "the person's id") { $0.person }
        JSONField("name", "what people call them") { $0.name }
        JSONField("reachable", "whether it can reach them: not who has not joined yet, unless a letter goes to them") {
            $0.isReachable
        }
        JSONField("told", "when they were told; null: their turn has not come") { $0.told }
        JSONField("held") { $0.held }
        JSONField("read", "when they read it") { $0.read }
        JSONField("acknowledged", "when they said that they take care") { $0.acknowledged }
        JSONField("shown", "when a device of theirs showed it first") { $0.shown }
        JSONField("parcels") { $0.parcels }
    }
}

extension Delivery.Parcel: JSONObject {
    public static let shape = Shape<Delivery.Parcel> {
        JSONField("channel") { $0.channel }
        JSONField("state") { $0.state }
        JSONField("at", "when it came to its end; null while it waits") { $0.finished }
    }
}

/// A notice that was sent.
struct SentAnswer: JSONObject {
    let id: NoticeID

    static let shape = Shape<SentAnswer> {
        JSONField("id", "the notice's id") { $0.id }
    }
}
