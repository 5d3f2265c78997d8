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
    private static let delays = Schema.object(ArmMode.allCases.map { ($0.name, Schema.integer("seconds, 0 to 600")) })
    private static let rules = Schema.object([
        ("exitDelay", delays), ("entryDelay", delays), ("alarmTime", .integer("seconds, 30 to 900")),
        ("disarmsAfterAlarm", .truth("whether it is disarmed when an alarm has sounded its time")),
        ("asksCode", .truth("whether disarming takes a code, or a fresh proof of who asks")),
    ])
    private static let sensorFields: [(String, Schema)] = [
        ("class", .optional(.choice(SensorClass.allCases.map(\.name)))),
        ("distance", .number("nearer than this, in centimetres, is motion; of sensors of distances: 5 to 400")),
        ("tripsWhenSilent", .truth("whether silence counts as a trip after a minute")),
    ]

    struct RulesBody: Decodable {
        struct Seconds: Decodable {
            let home, away, night, vacation: Int

            func delays() throws -> Delays {
                let all = [home, away, night, vacation]
                guard all.allSatisfy({ (0...Int(Delays.longest)).contains($0) }) else {
                    throw Problem.unprocessable("A delay is between 0 and 600 seconds.", type: "delay")
                }
                return Delays(
                    home: UInt16(home), away: UInt16(away), night: UInt16(night), vacation: UInt16(vacation))
            }
        }
        let exitDelay, entryDelay: Seconds
        let alarmTime: Int
        let disarmsAfterAlarm: Bool
        let asksCode: Bool

        func rules() throws -> HouseRules {
            guard (Int(PanelRules.shortestAlarm)...Int(PanelRules.longestAlarm)).contains(alarmTime) else {
                throw Problem.unprocessable("An alarm sounds for 30 to 900 seconds.", type: "alarm-time")
            }
            return HouseRules(
                panel: PanelRules(
                    exitDelay: try exitDelay.delays(), entryDelay: try entryDelay.delays(),
                    alarmTime: UInt16(alarmTime), disarmsAfterAlarm: disarmsAfterAlarm), asksCode: asksCode)
        }
    }

    func registerChoices(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/alarm-rules", for: Permission.inHouse,
            RouteDescription("What a house has chosen for its panel.", answer: Self.rules)
        ) { request, principal in answer(rulesOf: try household.house(request, principal).id) }
        routes.on(
            .put, "/api/sites/{site}/alarm-rules", for: Permission.managing, household.weakensLater(.rules),
            RouteDescription(
                "Chooses otherwise; what runs already ends as it began.", body: Self.rules, answer: Self.rules)
        ) { request, principal in
            let site = try household.house(request, principal).id
            let rules = try request.json(RulesBody.self).rules()
            try await household.safety.settings.set(rules, of: site, by: principal.person.id)
            return answer(rulesOf: site)
        }
        registerSensors(&routes)
        registerCodes(&routes)
        registerTags(&routes)
        registerBoxes(&routes)
    }

    private func answer(rulesOf site: SiteID) -> Response {
        let rules = household.safety.settings.rules(of: site)
        func write(_ name: StaticString, _ delays: Delays, _ json: inout JSONWriter) {
            json.object(name) { json in
                for mode in ArmMode.allCases {
                    json.key(mode.name)
                    json.value(Int(delays[mode]))
                }
            }
        }
        var json = JSONWriter()
        json.object { json in
            write("exitDelay", rules.panel.exitDelay, &json)
            write("entryDelay", rules.panel.entryDelay, &json)
            json.field("alarmTime", Int(rules.panel.alarmTime))
            json.field("disarmsAfterAlarm", rules.panel.disarmsAfterAlarm)
            json.field("asksCode", rules.asksCode)
        }
        return .json(json.bytes)
    }

    // MARK: sensors

    private func registerSensors(_ routes: inout Routes) {
        let schema = Schema.object(
            [("id", .text("the sensor's id")), ("name", .text("what people call it"))] + Self.sensorFields)
        routes.on(
            .get, "/api/sites/{site}/alarm-sensors", for: Permission.inHouse,
            RouteDescription(
                "The sensors of a house, with what tripping each means.", answer: .object([("items", .list(schema))]))
        ) { request, principal in
            let site = try household.house(request, principal).id
            var json = JSONWriter()
            json.object { json in
                json.array("items") { json in
                    for sensor in household.registry.catalog.sensors(at: site) { write(sensor, &json) }
                }
            }
            return .json(json.bytes)
        }
        struct Body: Decodable {
            let `class`: String?
            let distance: Double
            let tripsWhenSilent: Bool
        }
        routes.on(
            .put, "/api/sites/{site}/alarm-sensors/{sensor}", for: Permission.installing,
            household.weakensNow(.sensors),
            RouteDescription(
                "Says what tripping a sensor means, and how.", body: .object(Self.sensorFields), answer: schema)
        ) { request, principal in
            let site = try household.house(request, principal).id
            let id = try request.parameter("sensor", as: SensorID.self)
            let body = try request.json(Body.self)
            let kind = try body.class.map { name in
                guard let kind = SensorClass(name: name) else {
                    throw Problem.unprocessable("There is no such class.", type: "class")
                }
                return kind
            }
            try await desk.change(
                id, at: site, to: kind, .init(distance: body.distance, tripsWhenSilent: body.tripsWhenSilent),
                by: principal.person.id)
            var json = JSONWriter()
            write(try desk.sensor(id, at: site), &json)
            return .json(json.bytes)
        }
    }

    private func write(_ sensor: Sensor, _ json: inout JSONWriter) {
        let guarding = household.safety.settings.guarding(of: sensor.id)
        json.object { json in
            json.field("id", sensor.id.text)
            json.field("name", sensor.name)
            json.field("class", sensor.alarmClass?.name)
            json.field("distance", guarding.distance)
            json.field("tripsWhenSilent", guarding.tripsWhenSilent)
        }
    }

    // MARK: codes

    private func registerCodes(_ routes: inout Routes) {
        let schema = Schema.object([
            ("id", .text("the code's id")), ("name", .text("whose it is")), ("added", .text("when")),
        ])
        routes.on(
            .get, "/api/sites/{site}/alarm-codes", for: Permission.managing,
            RouteDescription("Who has a code of a house.", answer: .object([("items", .list(schema))]))
        ) { request, principal in
            let site = try household.house(request, principal).id
            let codes = try household.safety.codes.codes(of: site)
            var json = JSONWriter()
            json.object { json in
                json.array("items") { json in for code in codes { Self.write(code, &json) } }
            }
            return .json(json.bytes)
        }
        struct Body: Decodable { let name, code: String }
        routes.on(
            .post, "/api/sites/{site}/alarm-codes", for: Permission.managing, household.weakensLater(.codes),
            RouteDescription(
                "Adds a code; at most ten, each with other digits.",
                body: .object([("name", .text("1 to 80 characters")), ("code", .text("4 to 8 digits"))]),
                answer: schema, status: 201), bodyLimit: 4096
        ) { request, principal in
            let site = try household.house(request, principal).id
            let body = try request.json(Body.self)
            try household.given.accounts.admit(.password, of: principal)
            do {
                let code = try await household.safety.codes.add(
                    body.code, name: body.name, at: site, by: principal.person.id)
                var json = JSONWriter()
                Self.write(code, &json)
                return .json(json.bytes, status: 201)
            } catch let refusal as HouseCodes.Refusal { throw Self.problem(refusal) }
        }
        routes.on(
            .delete, "/api/sites/{site}/alarm-codes/{code}", for: Permission.managing, household.weakensLater(.codes),
            RouteDescription("Takes a code away.", status: 204)
        ) { request, principal in
            let site = try household.house(request, principal).id
            let id = try request.parameter("code", as: HouseCodeID.self)
            guard try await household.safety.codes.remove(id, at: site, by: principal.person.id) else {
                throw Problem.notFound()
            }
            return .empty()
        }
    }

    private static func write(_ code: HouseCode, _ json: inout JSONWriter) {
        json.object { json in
            json.field("id", code.id.text)
            json.field("name", code.name)
            json.field("added", code.added.iso8601)
        }
    }

    private static func problem(_ refusal: HouseCodes.Refusal) -> Problem {
        switch refusal {
        case .name: .unprocessable("A name has 1 to 80 characters.", type: "name")
        case .notDigits: .unprocessable("A code is 4 to 8 digits.", type: "code")
        case .wellKnown: .unprocessable("Everybody would try that one first.", type: "code")
        case .taken: .conflict("Choose other digits.", type: "code-taken")
        case .tooMany: .conflict("A house has at most ten codes.", type: "too-many")
        }
    }

    // MARK: tags

    private func registerTags(_ routes: inout Routes) {
        let schema = Schema.object([
            ("id", .text("the tag's id")), ("name", .text("whose it is")),
            ("box", .text("the id of the box that knows it")),
            ("added", .text("when")),
        ])
        routes.on(
            .get, "/api/sites/{site}/alarm-tags", for: Permission.managing,
            RouteDescription(
                "The tags that disarm at a box of a house.", answer: .object([("items", .list(schema))]))
        ) { request, principal in
            let site = try household.house(request, principal).id
            let tags = try household.safety.boxes.tags(of: site)
            var json = JSONWriter()
            json.object { json in
                json.array("items") { json in
                    for tag in tags {
                        json.object { json in
                            json.field("id", tag.id.text)
                            json.field("name", tag.name)
                            json.field("box", tag.gateway.text)
                            json.field("added", tag.added.iso8601)
                        }
                    }
                }
            }
            return .json(json.bytes)
        }
        struct Body: Decodable { let name, box: String }
        routes.on(
            .post, "/api/sites/{site}/alarm-tags", for: Permission.managing, household.weakensLater(.tags),
            RouteDescription(
                "Lets a box learn the tag that is held to its reader next, for two minutes.",
                body: .object([("name", .text("1 to 80 characters")), ("box", .text("the id of the box"))]),
                answer: .object([("id", .text("the id that it will have")), ("until", .text("until when it waits"))]),
                status: 202), bodyLimit: 4096
        ) { request, principal in
            let site = try household.house(request, principal).id
            let body = try request.json(Body.self)
            guard let name = GivenName.parse(body.name) else {
                throw Problem.unprocessable("A name has 1 to 80 characters.", type: "name")
            }
            guard let id = GatewayID(body.box) else { throw Problem.notFound() }
            guard
                let wish = try household.safety.boxes.learn(
                    name: name, at: try desk.box(id, at: site), by: principal.person.id)
            else { throw Problem.unavailable("The box is not there, or knows as many tags as it can.") }
            var json = JSONWriter()
            json.object { json in
                json.field("id", wish.id.text)
                json.field("until", wish.until.iso8601)
            }
            return .json(json.bytes, status: 202)
        }
        routes.on(
            .delete, "/api/sites/{site}/alarm-tags/{tag}", for: Permission.managing, household.weakensLater(.tags),
            RouteDescription("Takes a tag away.", status: 204)
        ) { request, principal in
            let site = try household.house(request, principal).id
            let id = try request.parameter("tag", as: HouseTagID.self)
            guard try await household.safety.boxes.remove(id, at: site, by: principal.person.id) else {
                throw Problem.notFound()
            }
            return .empty()
        }
    }

    // MARK: boxes

    private func registerBoxes(_ routes: inout Routes) {
        routes.on(
            .post, "/api/sites/{site}/boxes/{box}/open-valve", for: Permission.atHome, household.weakensLater(.valve),
            RouteDescription(
                "Opens the gas valve of a box.",
                body: .anything("nothing yet: {}"), status: 202), bodyLimit: 4096
        ) { request, principal in
            let site = try household.house(request, principal).id
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
            .post, "/api/sites/{site}/boxes/{box}/test", for: Permission.atHome, household.keeps,
            RouteDescription(
                "Lets a box sound and light for a moment.", body: .anything("nothing yet: {}"), status: 202),
            bodyLimit: 4096
        ) { request, principal in
            let site = try household.house(request, principal).id
            try Self.requireEmptyObject(request)
            let box = try desk.box(try request.parameter("box", as: GatewayID.self), at: site)
            guard household.safety.boxes.test(box) else { throw Problem.unavailable("The box is not there.") }
            return .empty(202)
        }
    }
}
