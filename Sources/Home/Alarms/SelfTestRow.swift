import Household
import JSON

extension SelfTest: JSONObject {
    static let shape = Shape<SelfTest> {
        JSONField("id", "the test's id") { $0.id }
        JSONField("at", "when it began") { $0.at }
        JSONField("origin") { $0.origin }
        JSONField("heard", "when the box had answered, or the hub had begun") { $0.heard }
        JSONField("told", "when people were told") { $0.told }
        JSONField("ended", "when it was over; null: it runs") { $0.ended }
        JSONField("phones") { $0.phones }
    }
}

extension SelfTest.Phone: JSONObject {
    static let shape = Shape<SelfTest.Phone> {
        JSONField("person", "whose, an id") { $0.person }
        JSONField("client", "what it is, as far as it says: Chrome on Android") { $0.client.text(on: "on") }
        JSONField("sent", "when its push service took it") { $0.sent }
        JSONField("shown", "when it was on the screen; null: it has not said so") { $0.shown }
    }
}

/// A test that has begun.
struct BegunTest: JSONObject {
    let id: SelfTestID

    static let shape = Shape<BegunTest> {
        JSONField("id", "the test's id") { $0.id }
    }
}
