import Accounts
import Household
import HTTPServer
import Identity
import JSON
import Ledger
import Safeguard
import System
import Wire

/// The JSON interface of a house's panel.
struct SafetyRoutes: HouseFeature {
    let access: HouseAccess
    let desk: SafetyDesk
    let accounts: Accounts

    var safety: Safety { desk.safety }

    private static let arming = JSONBody(
        JSONKey<ArmMode>("mode"),
        JSONKey<[SensorID]?>("bypass", "the id of a sensor that does not count until it is disarmed"),
        JSONKey<String?>("code", "4 to 8 digits; where a house that is armed would be armed less"))
    private static let disarming = JSONBody(JSONKey<String?>("code", "4 to 8 digits"))

    func register(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/alarm-panel", for: Permission.inHouse,
            RouteDescription("How the alarm panel of a house stands.", answer: PanelRow.schema)
        ) { request, principal in
            let site = try access.house(request, principal)
            return answer(site.id)
        }
        routes.on(
            .post, "/api/sites/{site}/alarm-panel/arm", for: Permission.atHome, access.keeps,
            RouteDescription(
                "Arms a house. What stands open is refused with its ids, unless it is named to be left out this time. Arming less what is armed takes what disarming takes.",
                body: Self.arming.schema, answer: PanelRow.schema), bodyLimit: 8192
        ) { request, principal in
            let site = try access.house(request, principal)
            let (mode, bypass, code) = try request.json(Self.arming)
            do {
                try await desk.arm(
                    mode, at: site.id, by: .person(principal.person.id), bypassing: Set(bypass ?? []), code: code,
                    in: principal)
            } catch let refusal as PanelRefusal {
                throw problem(refusal, at: site.id)
            }
            return answer(site.id)
        }
        routes.on(
            .post, "/api/sites/{site}/alarm-panel/disarm", for: Permission.atHome, access.keeps,
            RouteDescription(
                "Disarms a house, and ends its alarm. Where the house asks for it with a code, unless one has proven in the last ten minutes who one is.",
                body: Self.disarming.schema, answer: PanelRow.schema
            ).counted(.urgent), bodyLimit: 4096
        ) { request, principal in
            let site = try access.house(request, principal)
            let code = try request.json(Self.disarming)
            try await desk.disarm(site.id, by: principal.person.id, code: code, in: principal)
            return answer(site.id)
        }
        routes.on(
            .post, "/api/sites/{site}/alarm-panel/silence", for: Permission.atHome, access.keeps,
            RouteDescription(
                "Ends the noise; the alarm stays.", body: .anything("nothing yet: {}"), answer: PanelRow.schema
            ).counted(.urgent), bodyLimit: 4096
        ) { request, principal in
            let site = try access.house(request, principal)
            try Self.requireEmptyObject(request)
            await desk.silence(site.id, by: principal.person.id)
            return answer(site.id)
        }
        routes.on(
            .post, "/api/sites/{site}/alarm-panel/reset", for: Permission.atHome, access.weakensNow(.alarm),
            RouteDescription(
                "Ends the alarm; the house stands as it did before.", body: .anything("nothing yet: {}"),
                answer: PanelRow.schema
            ).counted(.urgent), bodyLimit: 4096
        ) { request, principal in
            let site = try access.house(request, principal)
            try Self.requireEmptyObject(request)
            await desk.reset(site.id, by: principal.person.id, isProven: principal.proof.isFresh(at: safety.clock.now))
            return answer(site.id)
        }
        registerChoices(&routes)
    }

    static func requireEmptyObject(_ request: Request) throws {
        guard try request.jsonFields().isEmpty else {
            throw Problem.unprocessable("nothing can be said here yet: send {}")
        }
    }

    /// In words, with the names of sensors.
    private func problem(_ refusal: PanelRefusal, at site: SiteID) -> any Error {
        // A sensor of another house is as unknown here as one that does not exist.
        let sensors = safety.registry.catalog.sensors.filter { $0.value.site == site }
            .mapValues(safety.panels.distinct)
        switch refusal {
        case .open(let open):
            var problem = Problem.conflict(
                "These are open: \(open.compactMap { sensors[$0]?.name }.joined(separator: ", ")). Close them, or name them in bypass.",
                type: "sensors-open")
            problem.extra = [("sensors", open.map(\.text).joined(separator: " "))]
            return problem
        case .cannotBypass(let id):
            return Problem.unprocessable("This cannot be left out: \(sensors[id]?.name ?? id.text).", type: "bypass")
        case .inAlarm: return Problem.conflict("An alarm is on: disarm it first.", type: "in-alarm")
        case .weakens: return SafetyRefusal.codeNeeded
        }
    }

    /// How a house's panel stands.
    func answer(_ site: SiteID) -> Response {
        let (house, catalog) = (safety.panels.house(site), safety.registry.catalog)
        func named(_ id: SensorID) -> NamedSensorRow {
            let name = catalog.sensors[id].map { safety.panels.distinct($0).name } ?? house.watched[id]
            return NamedSensorRow(id: id, name: name ?? "")
        }
        let row = PanelRow(
            site: site, house: house, asksCode: safety.settings.rules(of: site).asksCode,
            weak: house.weak.sorted { $0.key < $1.key }.map { WeakSensorRow(sensor: named($0.key), why: $0.value) },
            refused: safety.boxes.refused(at: site).map { RefusedOrderRow(gateway: $0, order: $1) },
            open: safety.watch.open(at: site, for: house.panel.mode ?? .away).map(named),
            bypassed: house.bypassed.sorted().map(named),
            trips: house.trips.map { TripRow(sensor: named($0.sensor), trip: $0) },
            last: house.last.map { PanelActRow(act: $0, name: desk.name(of: $0.by, at: site)) })
        return .json(row, capacity: 1024)
    }
}

extension SafetyRefusal: ProblemConvertible {
    /// In words.
    var problem: Problem? {
        switch self {
        case .codeNeeded:
            .forbidden("This house asks for one of its codes, or a fresh proof of who you are.", type: "code-needed")
        case .wrongCode: .forbidden("Wrong code.", type: "wrong-code")
        case .wait(let seconds): .tooManyRequests(retryAfter: seconds)
        }
    }
}
