import Identity
import Store
import Template
import Testing

@testable import Home
@testable import Household

/// How sensors and actuators are bound to topics, as the database holds it. The names in it are those of the properties: a hub that renames
/// one cannot read the rows of the hub before it. So the rows are literal here.
struct KeptBindingTests {
    /// One with nothing that may be left out, one with everything, and one as a device describes it.
    private static func sensors() throws -> [(binding: SensorBinding, kept: String)] {
        [
            (SensorBinding(topic: "s"), #"{"availability":[],"availabilityMode":"latest","path":[],"topic":"s"}"#),
            (
                SensorBinding(
                    topic: "s/state", path: ["a", "b"], template: try Template("{{ value_json.a }}"), on: "open",
                    off: "closed", offDelay: 2.5, expireAfter: 45,
                    availability: [
                        Availability(topic: "there"),
                        Availability(
                            topic: "bridge", path: ["state"], template: try Template("{{ value }}"), online: "up",
                            offline: "down"),
                    ], availabilityMode: .all),
                #"{"availability":[{"offline":"offline","online":"online","path":[],"topic":"there"},"#
                    + #"{"offline":"down","online":"up","path":["state"],"template":"{{ value }}","topic":"bridge"}],"#
                    + #""availabilityMode":"all","expireAfter":45,"off":"closed","offDelay":2.5,"on":"open","path":["a","b"],"#
                    + #""template":"{{ value_json.a }}","topic":"s/state"}"#
            ),
            (
                SensorBinding(
                    topic: "zigbee2mqtt/0x00158d0004a02717", path: ["contact"], on: "false", off: "true",
                    availability: [Availability(topic: "zigbee2mqtt/bridge/state", path: ["state"])],
                    availabilityMode: .any),
                #"{"availability":[{"offline":"offline","online":"online","path":["state"],"topic":"zigbee2mqtt/bridge/state"}],"#
                    + #""availabilityMode":"any","off":"true","on":"false","path":["contact"],"#
                    + #""topic":"zigbee2mqtt/0x00158d0004a02717"}"#
            ),
        ]
    }

    private static func actuators() throws -> [(binding: ActuatorBinding, kept: String)] {
        var templates = CommandTemplates()
        (templates.turned, templates.off) = (try Template("{{ value | lower }}"), try Template("stop"))
        (templates.value, templates.colour) = (try Template("{{ value }}"), try Template("{{ red }}"))
        return [
            (
                ActuatorBinding(),
                #"{"availability":[],"availabilityMode":"latest","high":100,"isJSON":false,"low":0,"off":"OFF","on":"ON"}"#
            ),
            (
                ActuatorBinding(
                    commandTopic: "f/set", on: "1", off: "0", valueTopic: "f/percent", low: 0.5, high: 255,
                    colourTopic: "f/colour", isJSON: true, templates: templates,
                    state: SensorBinding(topic: "f/state", on: "1", off: "0"),
                    level: SensorBinding(topic: "f/level", path: ["level"]),
                    availability: [Availability(topic: "there")], availabilityMode: .any),
                #"{"availability":[{"offline":"offline","online":"online","path":[],"topic":"there"}],"availabilityMode":"any","#
                    + #""colourTopic":"f/colour","commandTopic":"f/set","high":255,"isJSON":true,"#
                    + #""level":{"availability":[],"availabilityMode":"latest","path":["level"],"topic":"f/level"},"low":0.5,"#
                    + #""off":"0","on":"1","state":{"availability":[],"availabilityMode":"latest","off":"0","on":"1","path":[],"#
                    + #""topic":"f/state"},"templates":{"colour":"{{ red }}","off":"stop","turned":"{{ value | lower }}","#
                    + #""value":"{{ value }}"},"valueTopic":"f/percent"}"#
            ),
            (
                ActuatorBinding(
                    commandTopic: "valve/set", on: "OPEN", off: "CLOSE",
                    state: SensorBinding(
                        topic: "valve/state", on: "open", off: "closed",
                        availability: [Availability(topic: "availability")]),
                    availability: [Availability(topic: "availability")]),
                #"{"availability":[{"offline":"offline","online":"online","path":[],"topic":"availability"}],"#
                    + #""availabilityMode":"latest","commandTopic":"valve/set","high":100,"isJSON":false,"low":0,"off":"CLOSE","#
                    + #""on":"OPEN","state":{"availability":[{"offline":"offline","online":"online","path":[],"#
                    + #""topic":"availability"}],"availabilityMode":"latest","off":"closed","on":"open","path":[],"#
                    + #""topic":"valve/state"}}"#
            ),
        ]
    }

    private func kept(_ id: SensorID, in house: TestHouse) throws -> String? {
        try house.parts.store.read { database in
            try database.row("SELECT binding FROM home_sensors WHERE id = ?", id) { $0[0] as String }
        }
    }

    private func kept(_ id: ActuatorID, in house: TestHouse) throws -> String? {
        try house.parts.store.read { database in
            try database.row("SELECT binding FROM home_actuators WHERE id = ?", id) { $0[0] as String }
        }
    }

    @Test func `What a sensor is bound to is written as it always was, and what was written is read`() async throws {
        try await TestHouse.run { house in
            for (number, (binding, kept)) in try Self.sensors().enumerated() {
                let written = try await house.sensor("written\(number)", .number, binding: binding)
                #expect(try self.kept(written.id, in: house) == kept)
                let read = try await house.sensor("read\(number)", .number, binding: SensorBinding(topic: "other"))
                _ = try await house.parts.store.write {
                    try $0.execute("UPDATE home_sensors SET binding = ? WHERE id = ?", kept, read.id)
                }
                #expect(try Registry(house.parts.store).catalog.sensors[read.id]?.binding == binding)
            }
        }
    }

    @Test func `What an actuator is bound to is written as it always was, and what was written is read`() async throws {
        try await TestHouse.run { house in
            for (number, (binding, kept)) in try Self.actuators().enumerated() {
                let written = try await house.actuator("written\(number)", .other, binding: binding)
                #expect(try self.kept(written.id, in: house) == kept)
                let read = try await house.actuator(
                    "read\(number)", .other, binding: ActuatorBinding(commandTopic: "other"))
                _ = try await house.parts.store.write {
                    try $0.execute("UPDATE home_actuators SET binding = ? WHERE id = ?", kept, read.id)
                }
                #expect(try Registry(house.parts.store).catalog.actuators[read.id]?.binding == binding)
            }
        }
    }
}
