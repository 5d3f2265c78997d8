import Accounts
import Household
import HTTPServer
import Identity
import JSON
import Ledger
import Safeguard
import Store
import System

// What a house has chosen for its panel: delays, sensors, codes, tags.

extension SafetyRoutes {
    private static let newCode = JSONBody(
        JSONKey<String>("name", "1 to 80 characters"), JSONKey<String>("code", "4 to 8 digits"))
    private static let newTag = JSONBody(
        JSONKey<String>("name", "1 to 80 characters"), JSONKey<String>("box", "the id of the box"))

    func registerChoices(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/alarm-rules", for: Permission.inHouse,
            RouteDescription("What a house has chosen for its panel.", answer: HouseRulesRow.schema)
        ) { request, principal in answer(rulesOf: try access.house(request, principal).id) }
        routes.on(
            .put, "/api/sites/{site}/alarm-rules", for: Permission.managing, access.weakensLater(.rules),
            RouteDescription(
                "Chooses otherwise; what runs already ends as it began.", body: HouseRulesRow.schema,
                answer: HouseRulesRow.schema)
        ) { request, principal in
            let site = try access.house(request, principal).id
            let rules = try HouseRulesRow(request).rules()
            try await safety.settings.set(rules, of: site, by: principal.person.id)
            return answer(rulesOf: site)
        }
        registerSensors(&routes)
        registerCodes(&routes)
        registerTags(&routes)
        registerBoxes(&routes)
    }

    private func answer(rulesOf site: SiteID) -> Response {
        .json(HouseRulesRow(safety.settings.rules(of: site)))
    }

    // MARK: sensors

    private func registerSensors(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/alarm-sensors", for: Permission.inHouse,
            RouteDescription(
                "The sensors of a house, with what tripping each means.", answer: JSONItems<GuardedSensorRow>.schema)
        ) { request, principal in
            let site = try access.house(request, principal).id
            return .json(JSONItems(safety.registry.catalog.sensors(at: site).map(row)))
        }
        routes.on(
            .put, "/api/sites/{site}/alarm-sensors/{sensor}", for: Permission.installing,
            access.weakensNow(.sensors),
            RouteDescription(
                "Says what tripping a sensor means, and how.", body: GuardedSensorRow.body.schema,
                answer: GuardedSensorRow.schema)
        ) { request, principal in
            let site = try access.house(request, principal).id
            let id = try request.parameter("sensor", as: SensorID.self)
            let (kind, distance, tripsWhenSilent) = try request.json(GuardedSensorRow.body)
            try await desk.change(
                id, at: site, to: kind, .init(distance: distance, tripsWhenSilent: tripsWhenSilent),
                by: principal.person.id)
            return .json(row(of: try desk.sensor(id, at: site)))
        }
    }

    private func row(of sensor: Sensor) -> GuardedSensorRow {
        GuardedSensorRow(sensor: sensor, guarding: safety.settings.guarding(of: sensor.id))
    }

    // MARK: codes

    private func registerCodes(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/alarm-codes", for: Permission.managing,
            RouteDescription("Who has a code of a house.", answer: JSONItems<HouseCode>.schema)
        ) { request, principal in
            let site = try access.house(request, principal).id
            return .json(JSONItems(try safety.codes.codes(of: site)))
        }
        routes.on(
            .post, "/api/sites/{site}/alarm-codes", for: Permission.managing, access.weakensLater(.codes),
            RouteDescription(
                "Adds a code; at most ten, each with other digits.",
                body: Self.newCode.schema, answer: HouseCode.schema, status: 201), bodyLimit: 4096
        ) { request, principal in
            let site = try access.house(request, principal).id
            let (name, digits) = try request.json(Self.newCode)
            try accounts.admit(.password, of: principal)
            let code = try await safety.codes.add(digits, name: name, at: site, by: principal.person.id)
            return .json(code, status: 201)
        }
        routes.on(
            .delete, "/api/sites/{site}/alarm-codes/{code}", for: Permission.managing, access.weakensLater(.codes),
            RouteDescription("Takes a code away.", status: 204)
        ) { request, principal in
            let site = try access.house(request, principal).id
            let id = try request.parameter("code", as: HouseCodeID.self)
            guard try await safety.codes.remove(id, at: site, by: principal.person.id) else {
                throw Problem.notFound()
            }
            return .empty()
        }
    }

    // MARK: tags

    private func registerTags(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/alarm-tags", for: Permission.managing,
            RouteDescription(
                "The tags that disarm at a box of a house.", answer: JSONItems<HouseTag>.schema)
        ) { request, principal in
            let site = try access.house(request, principal).id
            return .json(JSONItems(try safety.boxes.tags(of: site)))
        }
        routes.on(
            .post, "/api/sites/{site}/alarm-tags", for: Permission.managing, access.weakensLater(.tags),
            RouteDescription(
                "Lets a box learn the tag that is held to its reader next, for two minutes.",
                body: Self.newTag.schema, answer: Boxes.Learning.schema, status: 202), bodyLimit: 4096
        ) { request, principal in
            let site = try access.house(request, principal).id
            let (given, box) = try request.json(Self.newTag)
            guard let name = GivenName.parse(given) else {
                throw Problem.unprocessable("A name has 1 to 80 characters.", type: "name")
            }
            guard let id = GatewayID(box) else { throw Problem.notFound() }
            guard
                let wish = try safety.boxes.learn(name: name, at: try desk.box(id, at: site), by: principal.person.id)
            else { throw Problem.unavailable("The box is not there, or knows as many tags as it can.") }
            return .json(wish, status: 202)
        }
        routes.on(
            .delete, "/api/sites/{site}/alarm-tags/{tag}", for: Permission.managing, access.weakensLater(.tags),
            RouteDescription("Takes a tag away.", status: 204)
        ) { request, principal in
            let site = try access.house(request, principal).id
            let id = try request.parameter("tag", as: HouseTagID.self)
            guard try await safety.boxes.remove(id, at: site, by: principal.person.id) else {
                throw Problem.notFound()
            }
            return .empty()
        }
    }

    // MARK: boxes

    private func registerBoxes(_ routes: inout Routes) {
        routes.on(
            .post, "/api/sites/{site}/boxes/{box}/open-valve", for: Permission.atHome, access.weakensLater(.valve),
            RouteDescription(
                "Opens the gas valve of a box.",
                body: .anything("nothing yet: {}"), status: 202), bodyLimit: 4096
        ) { request, principal in
            let site = try access.house(request, principal).id
            try Self.requireEmptyObject(request)
            let box = try desk.box(try request.parameter("box", as: GatewayID.self), at: site)
            do {
                switch try await desk.openValve(of: box, by: principal.person.id) {
                case .taken, .none: return .empty(202)
                case .refused(let order):
                    throw Problem.conflict(SafetyWords.in(.en).valveRefused(order), type: "box-refused")
                case .away: throw Problem.unavailable("The box is not there.")
                }
            } catch ActuationRefusal.inAirAlarm { throw HouseGuard.inAirAlarm }
        }
        routes.on(
            .post, "/api/sites/{site}/boxes/{box}/test", for: Permission.atHome, access.keeps,
            RouteDescription(
                "Lets a box sound and light for a moment.", body: .anything("nothing yet: {}"), status: 202),
            bodyLimit: 4096
        ) { request, principal in
            let site = try access.house(request, principal).id
            try Self.requireEmptyObject(request)
            let box = try desk.box(try request.parameter("box", as: GatewayID.self), at: site)
            guard safety.boxes.test(box) else { throw Problem.unavailable("The box is not there.") }
            return .empty(202)
        }
    }
}

extension HouseCodes.Refusal: ProblemConvertible {
    /// In words.
    var problem: Problem? {
        switch self {
        case .name: .unprocessable("A name has 1 to 80 characters.", type: "name")
        case .notDigits: .unprocessable("A code is 4 to 8 digits.", type: "code")
        case .wellKnown: .unprocessable("Everybody would try that one first.", type: "code")
        case .taken: .conflict("Choose other digits.", type: "code-taken")
        case .tooMany: .conflict("A house has at most ten codes.", type: "too-many")
        }
    }
}
