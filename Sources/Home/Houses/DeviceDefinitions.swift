import Accounts
import Household
import HTTPServer
import Identity
import JSON
import Ledger
import Safeguard
import Store
import System

/// What the devices of a house are, for programs: who installs them changes that here. What they say is in `/api/devices`.
struct DeviceDefinitions: Sendable {
    let household: Household

    private var desk: DevicesDesk { DevicesDesk(household: household) }

    // MARK: shapes

    private static let sensor = Schema.object([
        ("id", .text("the sensor's id")), ("device", .text("the device's id")),
        ("key", .text("what its gateway calls it")),
        ("name", .text("what people call it")), ("kind", .choice(SensorKind.allCases.map(\.rawValue))),
        ("unit", .text("of the value; empty: none")), ("low", .optional(.number("a smaller reading is refused"))),
        ("high", .optional(.number("a greater reading is refused"))),
        ("period", .optional(.number("how often it speaks, in seconds; null: when it wants to"))),
        ("class", .optional(.choice(SensorClass.allCases.map(\.name)))), ("topic", .text("below its gateway's")),
        ("member", .text("the JSON members that lead to the value, with points between; empty: none")),
        ("inUse", .truth("whether it is heard")),
    ])
    private static let actuator = Schema.object([
        ("id", .text("the actuator's id")), ("device", .text("the device's id")),
        ("key", .text("what its gateway calls it")), ("name", .text("what people call it")),
        ("kind", .choice(ActuatorKind.allCases.map(\.rawValue))),
        ("topic", .optional(.text("where it is switched, below its gateway's"))),
        ("valueTopic", .optional(.text("where it is told a value"))), ("inUse", .truth("whether it can be told")),
    ])
    private static let device = Schema.object([
        ("id", .text("the device's id")), ("gateway", .text("the id of what it came in by")),
        ("key", .text("what its gateway calls it")), ("name", .text("what people call it")),
        ("maker", .text("empty: not told")), ("model", .text("empty: not told")), ("area", .text("empty: not told")),
        ("origin", .choice(["discovered", "added"])), ("inUse", .truth("whether it is heard")),
        ("sensors", .list(sensor)), ("actuators", .list(actuator)),
    ])
    private static let meaning: [(String, Schema)] = [
        ("unit", .optional(.text("at most 16 characters"))),
        ("low", .optional(.number("the lower end of the range; with high"))),
        ("high", .optional(.number("the upper end of the range; with low"))),
        ("period", .optional(.number("0.1 to 86400 seconds"))),
        ("class", .optional(.choice(SensorClass.allCases.map(\.name)))),
    ]
    private static let added: [(String, Schema)] = [
        ("gateway", .text("the id of what it comes in by")), ("name", .text("1 to 80 characters")),
        ("topic", .text("below the gateway's: at most 8 parts with / between, without wildcards")),
        ("on", .optional(.text("what stands for yes or on; ON"))),
        ("off", .optional(.text("what stands for no or off; OFF"))),
    ]

    /// What a body says; a member that is null is taken away, one that is absent stays.
    private struct Body: Decodable {
        let name: String?
        let area: String?
        let inUse: Bool?
        let unit: String?
        let period: Double?
        let low: Double?
        let high: Double?
        let alarmClass: String?
        let kind: String?
        let gateway: String?
        let topic: String?
        let member: String?
        let on: String?
        let off: String?
        let said: Set<String>

        enum CodingKeys: String, CodingKey, CaseIterable {
            case name, area, inUse, unit, period, low, high, kind, gateway, topic, member, on, off
            case alarmClass = "class"
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            func text(_ key: CodingKeys) throws -> String? { try fields.decodeIfPresent(String.self, forKey: key) }
            func number(_ key: CodingKeys) throws -> Double? { try fields.decodeIfPresent(Double.self, forKey: key) }
            (name, area, inUse) = (
                try text(.name), try text(.area), try fields.decodeIfPresent(Bool.self, forKey: .inUse)
            )
            (unit, kind, gateway) = (try text(.unit), try text(.kind), try text(.gateway))
            (topic, member) = (try text(.topic), try text(.member))
            (on, off, alarmClass) = (try text(.on), try text(.off), try text(.alarmClass))
            (period, low, high) = (try number(.period), try number(.low), try number(.high))
            said = Set(CodingKeys.allCases.filter { fields.contains($0) }.map(\.rawValue))
        }

        /// Over what is known.
        func over(_ known: SensorEntry) throws(DeviceFault) -> SensorEntry {
            var entry = known
            if let name { entry.name = name }
            if said.contains("unit") { entry.unit = unit ?? "" }
            if said.contains("low") { entry.low = try Self.text(low, .range) }
            if said.contains("high") { entry.high = try Self.text(high, .range) }
            if said.contains("period") { entry.period = try Self.text(period, .period) }
            if said.contains("class") { entry.alarmClass = alarmClass ?? "" }
            (entry.kind, entry.gateway, entry.topic) = (kind ?? "", gateway ?? "", topic ?? "")
            (entry.member, entry.on, entry.off) = (member ?? "", on ?? "", off ?? "")
            return entry
        }

        /// As a form would say it, so that there is one place that reads it.
        private static func text(_ value: Double?, _ fault: DeviceFault) throws(DeviceFault) -> String {
            guard let value else { return "" }
            let text = DeviceRules.text(value)
            guard DeviceRules.number(text) != nil else { throw fault }
            return text
        }
    }

    // MARK: routes

    func register(_ routes: inout Routes) {
        let desk = desk
        routes.on(
            .get, "/api/sites/{site}/devices", for: Permission.inHouse,
            RouteDescription(
                "What the devices of a house are, those out of use too, by name. What they say is in /api/devices.",
                answer: .object([("items", .list(Self.device))]))
        ) { request, principal in
            let site = try household.house(request, principal)
            return .json(try devices(of: site.id))
        }
        routes.on(
            .patch, "/api/sites/{site}/devices/{device}", for: Permission.installing, household.weakensNow(.devices),
            RouteDescription(
                "Changes what a device is called, in which room it is, or whether it is used; what is left out stays.",
                body: .object([
                    ("name", .optional(.text("1 to 80 characters"))),
                    ("area", .optional(.text("at most 80 characters"))),
                    ("inUse", .optional(.truth("whether it is heard"))),
                ]), status: 204)
        ) { request, principal in
            let (site, body) = (try household.house(request, principal), try request.json(Body.self))
            let id = try request.parameter("device", as: DeviceID.self)
            try await Self.translating {
                try await desk.change(
                    id, at: site.id, name: body.name, area: body.area, isInUse: body.inUse, by: principal.person.id)
            }
            return .empty()
        }
        routes.on(
            .post, "/api/sites/{site}/sensors", for: Permission.installing, household.weakensNow(.devices),
            RouteDescription(
                "Adds a sensor that does not describe itself. Without a class it means what its kind usually does.",
                body: .object(
                    Self.added + [
                        ("kind", .choice(SensorKind.allCases.map(\.rawValue))),
                        ("member", .optional(.text("the JSON members that lead to the value, with points between"))),
                    ] + Self.meaning), answer: Self.sensor, status: 201)
        ) { request, principal in
            let (site, body) = (try household.house(request, principal), try request.json(Body.self))
            let sensor = try await Self.translating {
                try await desk.add(sensor: body.over(SensorEntry()), at: site.id, by: principal.person.id)
            }
            var json = JSONWriter()
            Self.write(sensor, to: &json)
            return .json(json.bytes, status: 201)
        }
        routes.on(
            .patch, "/api/sites/{site}/sensors/{sensor}", for: Permission.installing, household.weakensNow(.devices),
            RouteDescription(
                "Changes what a sensor is called and means, or whether it is used; what is left out stays, what is null is taken away.",
                body: .object(
                    [("name", .optional(.text("1 to 80 characters")))] + Self.meaning
                        + [("inUse", .optional(.truth("whether it is heard")))]), answer: Self.sensor)
        ) { request, principal in
            let (site, body) = (try household.house(request, principal), try request.json(Body.self))
            let id = try request.parameter("sensor", as: SensorID.self)
            try await Self.translating {
                try await desk.change(id, at: site.id, isInUse: body.inUse, by: principal.person.id) {
                    try body.over($0)
                }
            }
            var json = JSONWriter()
            Self.write(try desk.sensor(id, at: site.id), to: &json)
            return .json(json.bytes)
        }
        routes.on(
            .post, "/api/sites/{site}/actuators", for: Permission.installing, household.weakensNow(.devices),
            RouteDescription(
                "Adds an actuator that does not describe itself. What was added for its topic before and is out of use becomes it. Where that was a siren, a valve or a fan and is to be something else, or to hear other words, or where a device described one that is gone, it asks for a fresh proof of who one is. It is refused where something out of use that a device describes would do what is told there.",
                body: .object(Self.added + [("kind", .choice(ActuatorKind.allCases.map(\.rawValue)))]),
                answer: Self.actuator, status: 201)
        ) { request, principal in
            let (site, body) = (try household.house(request, principal), try request.json(Body.self))
            let entry = ActuatorEntry(
                name: body.name ?? "", kind: body.kind ?? "", gateway: body.gateway ?? "", topic: body.topic ?? "",
                on: body.on ?? "", off: body.off ?? "")
            let actuator = try await Self.translating {
                try await desk.add(actuator: entry, at: site.id, by: principal)
            }
            var json = JSONWriter()
            Self.write(actuator, to: &json)
            return .json(json.bytes, status: 201)
        }
        routes.on(
            .patch, "/api/sites/{site}/actuators/{actuator}", for: Permission.installing,
            household.weakensNow(.devices),
            RouteDescription(
                "Changes what an actuator is called, or whether it is used; what is left out stays.",
                body: .object([
                    ("name", .optional(.text("1 to 80 characters"))),
                    ("inUse", .optional(.truth("whether it can be told"))),
                ]), answer: Self.actuator)
        ) { request, principal in
            let (site, body) = (try household.house(request, principal), try request.json(Body.self))
            let id = try request.parameter("actuator", as: ActuatorID.self)
            try await Self.translating {
                try await desk.change(
                    id, at: site.id, name: body.name, isInUse: body.inUse, by: principal.person.id)
            }
            var json = JSONWriter()
            Self.write(try desk.actuator(id, at: site.id), to: &json)
            return .json(json.bytes)
        }
    }

    private static func translating<T>(_ body: () async throws -> T) async throws -> T {
        do { return try await body() } catch let fault as DeviceFault {
            throw Problem(
                status: 422, type: "device-refused", title: "The content does not fit", detail: fault.rawValue,
                extra: [("field", fault.field)])
        }
    }

    // MARK: answers

    private func devices(of site: SiteID) throws -> [UInt8] {
        let (devices, sensors, actuators) = try household.store.read { database in
            (
                try HomeRecords.devices(at: site, in: database), try HomeRecords.sensors(at: site, in: database),
                try HomeRecords.actuators(at: site, in: database)
            )
        }
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            json.array("items") { json in
                for device in devices.sorted(by: { ($0.name, $0.id) < ($1.name, $1.id) }) {
                    json.object { json in
                        json.field("id", device.id.text)
                        json.field("gateway", device.gateway.text)
                        json.field("key", device.key)
                        json.field("name", device.name)
                        json.field("maker", device.maker)
                        json.field("model", device.model)
                        json.field("area", device.area)
                        json.field("origin", device.origin.rawValue)
                        json.field("inUse", device.retired == nil)
                        json.array("sensors") { json in
                            for one in sensors.filter({ $0.device == device.id }).sorted(by: { $0.number < $1.number })
                            {
                                Self.write(one, to: &json)
                            }
                        }
                        json.array("actuators") { json in
                            for one in actuators.filter({ $0.device == device.id }).sorted(by: { $0.name < $1.name }) {
                                Self.write(one, to: &json)
                            }
                        }
                    }
                }
            }
        }
        return json.bytes
    }

    private static func write(_ sensor: Sensor, to json: inout JSONWriter) {
        json.object { json in
            json.field("id", sensor.id.text)
            json.field("device", sensor.device.text)
            json.field("key", sensor.key)
            json.field("name", sensor.name)
            json.field("kind", sensor.kind.rawValue)
            json.field("unit", sensor.unit)
            json.field("low", sensor.range?.lowerBound)
            json.field("high", sensor.range?.upperBound)
            json.field("period", sensor.period)
            json.field("class", sensor.alarmClass?.name)
            json.field("topic", sensor.binding.topic)
            json.field("member", sensor.binding.path.joined(separator: "."))
            json.field("inUse", sensor.retired == nil)
        }
    }

    private static func write(_ actuator: Actuator, to json: inout JSONWriter) {
        json.object { json in
            json.field("id", actuator.id.text)
            json.field("device", actuator.device.text)
            json.field("key", actuator.key)
            json.field("name", actuator.name)
            json.field("kind", actuator.kind.rawValue)
            json.field("topic", actuator.binding.commandTopic)
            json.field("valueTopic", actuator.binding.valueTopic)
            json.field("inUse", actuator.retired == nil)
        }
    }
}
