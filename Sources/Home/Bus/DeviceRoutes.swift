import Accounts
import Household
import HTTPServer
import Identity
import JSON
import Ledger
import Pages
import Store
import System

/// The devices of a house, for programs.
struct DeviceRoutes: Sendable {
    private let household: Household
    private let intake: Intake

    init(_ household: Household, _ intake: Intake) { (self.household, self.intake) = (household, intake) }

    private static let value = Schema.optional(.scalar("a number, true or false, or a text; null: nothing yet"))
    private static let sensor = Schema.object([
        ("id", .text("the sensor's id")), ("name", .text("what people call it")),
        ("kind", .choice(SensorKind.allCases.map(\.rawValue))), ("value", value),
        ("unit", .text("of the value; empty: none")), ("at", .optional(.text("when it told that"))),
        (
            "status",
            .choice(
                [SensorStatus.waiting, .live, .warming, .late, .unavailable, .isolated].map(\.rawValue))
        ),
        (
            "refused",
            .optional(
                .object([
                    ("count", .integer("how much of it was refused since the hub started")),
                    ("code", .choice(PayloadRefusal.allCases.map(\.rawValue))),
                    ("text", .text("why the last of it was, for people, in their language")),
                    ("at", .text("when that was")),
                ]))
        ),
    ])
    private static let actuator = Schema.object([
        ("id", .text("the actuator's id")), ("name", .text("what people call it")),
        ("kind", .text("siren, fan, valve, light, display, plug, number or other")), ("value", value),
        ("at", .optional(.text("when it told that"))), ("status", .text("as of a sensor")),
    ])

    func register(_ routes: inout Routes) {
        routes.on(
            .get, "/api/devices",
            RouteDescription(
                "The devices of a house, by name, with what their sensors told last and what their actuators do.",
                answer: .object([
                    (
                        "items",
                        .list(
                            .object([
                                ("id", .text("the device's id")), ("name", .text("what people call it")),
                                ("area", .text("its room; empty: not told")),
                                ("gateway", .text("the id of what it came in by")),
                                ("sensors", .list(Self.sensor)), ("actuators", .list(Self.actuator)),
                            ]))
                    )
                ]), query: [("site", true, "the house's id")])
        ) { request, principal in
            guard let site = SiteID(try request.query.require("site", as: String.self)) else {
                throw Problem.notFound()
            }
            try principal.requireUnlocked(site)
            let isHouse = principal.memberships.contains { $0.site.id == site && $0.site.kind == .home }
            guard isHouse, !principal.current(at: site, household.clock.now).isEmpty else { throw Problem.notFound() }
            return .json(devices(at: site, Language.of(principal, request)))
        }
        routes.on(
            .post, "/api/sites/{site}/gateways/{gateway}/release", for: [.owner, .manager, .installer], household.keeps,
            RouteDescription(
                "Listens again to a gateway that was put aside because it sent too much.",
                body: .anything("nothing yet: {}"),
                answer: .object([("released", .truth("whether it had been put aside"))]))
        ) { request, _ in
            guard try request.jsonFields().isEmpty else {
                throw Problem.unprocessable("nothing can be said here yet: send {}")
            }
            let (site, id) = (
                try request.parameter("site", as: SiteID.self), try request.parameter("gateway", as: GatewayID.self)
            )
            guard household.registry.catalog.gateways[id]?.site == site else { throw Problem.notFound() }
            let released = await intake.release(id)
            var json = JSONWriter()
            json.object { $0.field("released", released) }
            return .json(json.bytes)
        }
    }

    /// The answer.
    func devices(at site: SiteID, _ language: Language) -> [UInt8] {
        let catalog = household.registry.catalog
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            json.array("items") { json in
                for device in catalog.devices(of: site) {
                    json.object { json in
                        json.field("id", device.id.text)
                        json.field("name", device.name)
                        json.field("area", device.area)
                        json.field("gateway", device.gateway.text)
                        json.array("sensors") { json in
                            for sensor in catalog.sensors(of: device.id) { write(sensor, language, &json) }
                        }
                        json.array("actuators") { json in
                            for actuator in catalog.actuators(of: device.id) { write(actuator, &json) }
                        }
                    }
                }
            }
        }
        return json.bytes
    }

    private func write(_ sensor: Sensor, _ language: Language, _ json: inout JSONWriter) {
        let (state, refusals) = (household.live.sensor(sensor.id), household.live.refusals(of: sensor.id))
        json.object { json in
            json.field("id", sensor.id.text)
            json.field("name", sensor.name)
            json.field("kind", sensor.kind.rawValue)
            json.key("value")
            write(state.value, &json)
            json.field("unit", sensor.unit)
            json.field("at", state.at?.iso8601)
            json.field("status", state.status.rawValue)
            json.key("refused")
            guard let refusals else { return json.null() }
            json.object { json in
                json.field("count", refusals.count)
                json.field("code", refusals.reason.rawValue)
                json.field("text", refusals.reason.text(language))
                json.field("at", refusals.at.iso8601)
            }
        }
    }

    private func write(_ actuator: Actuator, _ json: inout JSONWriter) {
        let state = household.live.actuator(actuator.id)
        json.object { json in
            json.field("id", actuator.id.text)
            json.field("name", actuator.name)
            json.field("kind", actuator.kind.rawValue)
            json.key("value")
            write(state.value, &json)
            json.field("at", state.at?.iso8601)
            json.field("status", state.status.rawValue)
        }
    }

    private func write(_ value: ReadingValue?, _ json: inout JSONWriter) {
        switch value {
        case nil: json.null()
        case .number(let number)?: json.value(number)
        case .truth(let truth)?: json.value(truth)
        case .text(let text)?: json.value(text)
        }
    }
}
