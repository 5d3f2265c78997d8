import Testing

@testable import Home
@testable import Household

@Suite("Topics in discovery messages")
struct DiscoveryPrefixTests {
    private let prefix = "soglia/0123456789abcdef0123456789abcdef/fedcba9876543210fedcba9876543210/"

    private func sensor(_ json: String) throws -> DiscoveredSensor {
        let topic = try #require(DiscoveryTopic("homeassistant/binary_sensor/x/contact/config"))
        let message = try DiscoveryMessage(topic: topic, payload: Array(json.utf8), prefix: prefix)
        guard case .described(let device) = message.content else { throw DiscoveryRefusal(.noComponents) }
        return try #require(device.sensors.first)
    }

    @Test(
        "A device that publishes below its prefix by itself names its topics whole, and is understood as one that does not know of it"
    )
    func whole() throws {
        let whole = try sensor(
            #"{"availability":[{"topic":"\#(prefix)bridge/state"}],"state_topic":"\#(prefix)z/x","unique_id":"x","device":{"name":"x"}}"#
        )
        let bare = try sensor(
            #"{"availability":[{"topic":"bridge/state"}],"state_topic":"z/x","unique_id":"x","device":{"name":"x"}}"#)
        #expect(whole == bare && whole.binding.topic == "z/x")
        let based = try sensor(#"{"~":"\#(prefix)z","state_topic":"~/x","unique_id":"x","device":{"name":"x"}}"#)
        #expect(based.binding.topic == "z/x")
    }

    @Test("Topics of another gateway are below the device's own and reach nobody else's")
    func another() throws {
        let other = "soglia/0123456789abcdef0123456789abcdef/00000000000000000000000000000000/z"
        #expect(
            try sensor(#"{"state_topic":"\#(other)","unique_id":"x","device":{"name":"x"}}"#).binding.topic == other)
    }
}
