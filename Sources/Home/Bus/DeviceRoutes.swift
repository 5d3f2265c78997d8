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
struct DeviceRoutes: HouseFeature {
    let access: HouseAccess
    let registry: Registry
    let live: LiveReadings
    let intake: Intake

    func register(_ routes: inout Routes) {
        routes.on(
            .get, "/api/devices",
            RouteDescription(
                "The devices of a house, by name, with what their sensors told last and what their actuators do.",
                answer: JSONItems<DeviceRow>.schema, query: [("site", true, "the house's id")])
        ) { request, principal in
            guard let site = SiteID(try request.query.require("site", as: String.self)) else {
                throw Problem.notFound()
            }
            try principal.requireUnlocked(site)
            let isHouse = principal.memberships.contains { $0.site.id == site && $0.site.kind == .home }
            guard isHouse, !principal.current(at: site, access.clock.now).isEmpty else { throw Problem.notFound() }
            return .json(devices(at: site, Language.of(principal, request)), capacity: 4096)
        }
        routes.on(
            .post, "/api/sites/{site}/gateways/{gateway}/release", for: [.owner, .manager, .installer], access.keeps,
            RouteDescription(
                "Listens again to a gateway that was put aside because it sent too much.",
                body: .anything("nothing yet: {}"),
                answer: ReleasedAnswer.schema)
        ) { request, _ in
            guard try request.jsonFields().isEmpty else {
                throw Problem.unprocessable("nothing can be said here yet: send {}")
            }
            let (site, id) = (
                try request.parameter("site", as: SiteID.self), try request.parameter("gateway", as: GatewayID.self)
            )
            guard registry.catalog.gateways[id]?.site == site else { throw Problem.notFound() }
            return .json(ReleasedAnswer(released: await intake.release(id)))
        }
    }

    /// Everything in a house, by name.
    func devices(at site: SiteID, _ language: Language) -> JSONItems<DeviceRow> {
        let catalog = registry.catalog
        return JSONItems(
            catalog.devices(of: site).map { device in
                DeviceRow(
                    device,
                    catalog.sensors(of: device.id).map { sensor in
                        let refused = live.refusals(of: sensor.id).map {
                            RefusedReadings(refusals: $0, text: $0.reason.text(language))
                        }
                        return SensorRow(sensor, live.sensor(sensor.id), refused)
                    },
                    catalog.actuators(of: device.id).map { ActuatorRow($0, live.actuator($0.id)) })
            })
    }
}
