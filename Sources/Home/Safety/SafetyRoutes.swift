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
struct SafetyRoutes: Sendable {
    let household: Household
    var desk: SafetyDesk { SafetyDesk(household: household) }

    static let named = Schema.object([("id", .text("the sensor's id")), ("name", .text("what people call it"))])
    static let schema = Schema.object([
        ("site", .text("the house's id")), ("state", .choice(PanelState.allCases.map(\.name))),
        ("mode", .optional(.choice(ArmMode.allCases.map(\.name)))),
        ("until", .optional(.text("when the state ends by itself"))),
        ("isSounding", .truth("whether the sirens sound")),
        ("number", .integer("how often it was armed, disarmed or reset")),
        ("isDrill", .truth("whether what sounds is an exercise")),
        (
            "isDegraded",
            .truth("whether something does not do its part: a sensor while it is armed, or a box that does not obey")
        ),
        ("asksCode", .truth("whether disarming takes a code, or a fresh proof of who asks")),
        (
            "weak",
            .list(
                .object([
                    ("id", .text("the sensor's id")), ("name", .text("what people call it")),
                    ("why", .choice(AlarmMessage.Weakness.allCases.map(\.rawValue))),
                ]))
        ),
        (
            "refused",
            .list(
                .object([
                    ("id", .text("the box's id")), ("name", .text("what people call it")),
                    ("order", .choice(BoxOrder.Kind.allCases.map { "\($0)" })),
                    ("why", .choice(RefusedOrder.reasons)), ("since", .text("when")),
                ]))
        ), ("open", .list(named)), ("bypassed", .list(named)),
        (
            "trips",
            .list(
                .object([
                    ("id", .text("the sensor's id")), ("name", .text("what people call it")),
                    ("class", .choice(SensorClass.allCases.map(\.name))), ("at", .text("when")),
                ]))
        ),
        (
            "last",
            .optional(
                .object([
                    ("act", .choice(["armed", "disarmed", "silenced", "reset", "called"])),
                    ("by", .choice(["person", "code", "tag", "box", "button", "hub"])),
                    ("name", .optional(.text("who, or what, as people call it"))), ("at", .text("when")),
                ]))
        ),
    ])

    func register(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/alarm-panel", for: Permission.inHouse,
            RouteDescription("How the alarm panel of a house stands.", answer: Self.schema)
        ) { request, principal in
            let site = try household.house(request, principal)
            return answer(site.id)
        }
        struct Arming: Decodable {
            let mode: String
            let bypass: [String]?
            let code: String?
        }
        routes.on(
            .post, "/api/sites/{site}/alarm-panel/arm", for: Permission.atHome, household.keeps,
            RouteDescription(
                "Arms a house. What stands open is refused with its ids, unless it is named to be left out this time. Arming less what is armed takes what disarming takes.",
                body: .object([
                    ("mode", .choice(ArmMode.allCases.map(\.name))),
                    ("bypass", .optional(.list(.text("the id of a sensor that does not count until it is disarmed")))),
                    ("code", .optional(.text("4 to 8 digits; where a house that is armed would be armed less"))),
                ]), answer: Self.schema), bodyLimit: 8192
        ) { request, principal in
            let site = try household.house(request, principal)
            let body = try request.json(Arming.self)
            guard let mode = ArmMode(name: body.mode) else {
                throw Problem.unprocessable("A mode is home, away, night or vacation.", type: "mode")
            }
            let bypass = try (body.bypass ?? []).map { text in
                guard let id = SensorID(text) else { throw Problem.unprocessable("A sensor's id has 32 digits.") }
                return id
            }
            do {
                try await desk.arm(
                    mode, at: site.id, by: .person(principal.person.id), bypassing: Set(bypass), code: body.code,
                    in: principal)
            } catch let refusal as PanelRefusal {
                throw problem(refusal, at: site.id)
            } catch let refusal as SafetyRefusal {
                throw Self.problem(refusal)
            }
            return answer(site.id)
        }
        struct Disarming: Decodable { let code: String? }
        routes.on(
            .post, "/api/sites/{site}/alarm-panel/disarm", for: Permission.atHome, household.keeps,
            RouteDescription(
                "Disarms a house, and ends its alarm. Where the house asks for it with a code, unless one has proven in the last ten minutes who one is.",
                body: .object([("code", .optional(.text("4 to 8 digits")))]), answer: Self.schema
            ).counted(.urgent), bodyLimit: 4096
        ) { request, principal in
            let site = try household.house(request, principal)
            let code = try request.json(Disarming.self).code
            do {
                try await desk.disarm(site.id, by: principal.person.id, code: code, in: principal)
            } catch let refusal as SafetyRefusal { throw Self.problem(refusal) }
            return answer(site.id)
        }
        routes.on(
            .post, "/api/sites/{site}/alarm-panel/silence", for: Permission.atHome, household.keeps,
            RouteDescription(
                "Ends the noise; the alarm stays.", body: .anything("nothing yet: {}"), answer: Self.schema
            ).counted(.urgent), bodyLimit: 4096
        ) { request, principal in
            let site = try household.house(request, principal)
            try Self.requireEmptyObject(request)
            await desk.silence(site.id, by: principal.person.id)
            return answer(site.id)
        }
        routes.on(
            .post, "/api/sites/{site}/alarm-panel/reset", for: Permission.atHome, household.weakensNow(.alarm),
            RouteDescription(
                "Ends the alarm; the house stands as it did before.", body: .anything("nothing yet: {}"),
                answer: Self.schema
            ).counted(.urgent), bodyLimit: 4096
        ) { request, principal in
            let site = try household.house(request, principal)
            try Self.requireEmptyObject(request)
            await desk.reset(
                site.id, by: principal.person.id, isProven: principal.proof.isFresh(at: household.clock.now))
            return answer(site.id)
        }
        registerChoices(&routes)
    }

    static func requireEmptyObject(_ request: Request) throws {
        guard try request.jsonFields().isEmpty else {
            throw Problem.unprocessable("nothing can be said here yet: send {}")
        }
    }

    private func problem(_ refusal: PanelRefusal, at site: SiteID) -> Problem {
        // A sensor of another house is as unknown here as one that does not exist.
        let sensors = household.registry.catalog.sensors.filter { $0.value.site == site }
            .mapValues(household.panels.distinct)
        switch refusal {
        case .open(let open):
            var problem = Problem.conflict(
                "These are open: \(open.compactMap { sensors[$0]?.name }.joined(separator: ", ")). Close them, or name them in bypass.",
                type: "sensors-open")
            problem.extra = [("sensors", open.map(\.text).joined(separator: " "))]
            return problem
        case .cannotBypass(let id):
            return .unprocessable("This cannot be left out: \(sensors[id]?.name ?? id.text).", type: "bypass")
        case .inAlarm: return .conflict("An alarm is on: disarm it first.", type: "in-alarm")
        case .weakens: return Self.problem(.codeNeeded)
        }
    }

    static func problem(_ refusal: SafetyRefusal) -> Problem {
        switch refusal {
        case .codeNeeded:
            .forbidden("This house asks for one of its codes, or a fresh proof of who you are.", type: "code-needed")
        case .wrongCode: .forbidden("Wrong code.", type: "wrong-code")
        case .wait(let seconds): .tooManyRequests(retryAfter: seconds)
        }
    }

    /// How a house's panel stands.
    func answer(_ site: SiteID) -> Response {
        let (house, catalog) = (household.panels.house(site), household.registry.catalog)
        let panel = house.panel
        func named(_ id: SensorID, _ json: inout JSONWriter) {
            json.field("id", id.text)
            json.field(
                "name", catalog.sensors[id].map { household.panels.distinct($0).name } ?? house.watched[id] ?? "")
        }
        var json = JSONWriter(capacity: 1024)
        json.object { json in
            json.field("site", site.text)
            json.field("state", panel.state.name)
            json.field("mode", panel.mode?.name)
            json.field("until", panel.deadline.map { Timestamp(milliseconds: $0).iso8601 })
            json.field("isSounding", panel.isSounding)
            json.field("number", panel.number)
            json.field("isDrill", house.isDrill)
            let refused = household.safety.boxes.refused(at: site)
            json.field("isDegraded", house.isDegraded || !refused.isEmpty)
            json.field("asksCode", household.safety.settings.rules(of: site).asksCode)
            json.array("weak") { json in
                for (id, why) in house.weak.sorted(by: { $0.key < $1.key }) {
                    json.object { json in
                        named(id, &json)
                        json.field("why", why.rawValue)
                    }
                }
            }
            json.array("refused") { json in
                for one in refused {
                    json.object { json in
                        json.field("id", one.gateway.id.text)
                        json.field("name", one.gateway.name)
                        json.field("order", "\(one.order.kind)")
                        json.field("why", one.order.reason)
                        json.field("since", one.order.since.iso8601)
                    }
                }
            }
            let open = household.safety.watch.open(at: site, for: panel.mode ?? .away)
            json.array("open") { json in for id in open { json.object { named(id, &$0) } } }
            json.array("bypassed") { json in
                for id in house.bypassed.sorted() { json.object { named(id, &$0) } }
            }
            json.array("trips") { json in
                for trip in house.trips {
                    json.object { json in
                        named(trip.sensor, &json)
                        json.field("class", trip.kind.name)
                        json.field("at", trip.at.iso8601)
                    }
                }
            }
            json.key("last")
            if let last = house.last {
                json.object { json in
                    json.field("act", last.kind.rawValue)
                    json.field("by", last.by.name)
                    json.field("name", desk.name(of: last.by, at: site))
                    json.field("at", last.at.iso8601)
                }
            } else {
                json.null()
            }
        }
        return .json(json.bytes)
    }
}
