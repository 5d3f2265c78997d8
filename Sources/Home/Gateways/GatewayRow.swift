import Household
import JSON
import System

/// What is connected to a house, and whether it is there.
struct GatewayRow: JSONObject {
    let gateway: Gateway
    let state: LiveReadings.GatewayState

    static let shape = Shape<GatewayRow> {
        JSONField("id", "the gateway's id, and the last level of its prefix") { $0.gateway.id }
        JSONField("kind") { $0.gateway.kind }
        JSONField("name", "what people call it") { $0.gateway.name }
        JSONField("prefix", "what all its topics begin with") { $0.gateway.prefix }
        JSONField("username", "its name on the bus") { $0.gateway.username }
        JSONField("isPaired", "whether it has been let in") { $0.gateway.key != nil }
        JSONField("isThere", "whether it is connected, as far as the hub knows") { $0.state.isThere }
        JSONField("heard", "when it spoke last, in this run of the hub") { $0.state.heard }
    }
}

/// How a gateway gets onto the bus, with its new password.
struct GatewayCredentials: JSONObject {
    let gateway: Gateway
    let connection: GatewayConnection

    static let shape = Shape<GatewayCredentials> {
        JSONField("id", "the gateway's id") { $0.gateway.id }
        JSONField("prefix", "what all its topics begin with") { $0.gateway.prefix }
        JSONField("username", "its name on the bus, and its client id") { $0.gateway.username }
        JSONField("password", "its password on the bus") { $0.connection.password }
        JSONField("host", "where the broker is") { $0.connection.host }
        JSONField("port", "its port") { Int($0.connection.port) }
        JSONField("tls", "whether it speaks TLS there") { $0.connection.isSecure }
    }
}

/// Something that a gateway's devices say of themselves and the hub does not take, with words in the caller's language.
struct UntakenRow: JSONObject {
    let untaken: Untaken
    let text: String

    static let shape = Shape<UntakenRow> {
        JSONField("topic", "on which topic, below the gateway's own") { $0.untaken.topic }
        JSONField("device", "what the device calls itself; null: nothing was taken") { $0.untaken.device }
        JSONField("component", "which part of it; null: all of it") { $0.untaken.component }
        JSONField("code") { $0.untaken.why.reason }
        JSONField("text", "why, for people, in their language") { $0.text }
    }
}
