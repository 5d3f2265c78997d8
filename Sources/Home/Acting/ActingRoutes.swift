import Accounts
import Commands
import Household
import HTTPServer
import JSON
import Ledger
import Pages
import System

/// Looking at one sensor and telling one actuator something, for programs.
struct ActingRoutes: HouseFeature {
    let access: HouseAccess
    let acting: Acting

    private static let command = JSONBody(
        JSONKey<ReadingValue>(
            "value",
            "true or false; a number: per cent, or for an actuator of the kind number the number itself; "
                + "#rrggbb for a light; a text for a display"))

    func register(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sensors/{id}",
            RouteDescription(
                "A sensor of a house of one's own: what it told last, and whether that counts.",
                answer: SensorReport.schema)
        ) { request, principal in
            let id = try request.parameter("id", as: SensorID.self)
            if let site = acting.registry.catalog.sensors[id]?.site { try principal.requireUnlocked(site) }
            return .json(try acting.report(id, to: .person(principal.person.id)))
        }
        routes.on(
            .post, "/api/actuators/{id}",
            access.keeps,
            RouteDescription(
                "Tells an actuator of a house of one's own something. What opens a valve asks for a fresh proof of who one is. While the house is armed, what ends a siren, opens a valve or switches a detector's own device takes what disarming takes.",
                body: Self.command.schema, status: 204), bodyLimit: 4096
        ) { request, principal in
            let id = try request.parameter("id", as: ActuatorID.self)
            guard let actuator = acting.registry.catalog.actuators[id] else { throw Problem.notFound() }
            try principal.requireUnlocked(actuator.site)
            // Whoever has no part in the house learns nothing of what is in it, not even by what is wrong with the request.
            if principal.current(at: actuator.site, access.clock.now).isEmpty { throw Problem.notFound() }
            let value = try Self.value(try request.json(Self.command), for: actuator)
            // Who may switch nothing there is not asked who they are.
            try acting.require(Permission.setting, at: actuator.site, .person(principal.person.id))
            try await acting.switching.apply(actuator, to: value, by: principal) {
                try acting.set(id, to: value, by: .person(principal.person.id), isJudged: true)
            }
            return .empty()
        }
    }

    /// What a program says, as the actuator takes it.
    private static func value(_ said: ReadingValue, for actuator: Actuator) throws(Problem) -> ActuatorValue {
        switch said {
        case .truth(let truth): return truth ? .on : .off
        case .number(let number):
            if actuator.kind == .number { return .number(number) }
            guard (0...100).contains(number) else { throw Problem.unprocessable("value is in per cent, 0 to 100") }
            return .percent(UInt8(number.rounded()))
        case .text(let text):
            if actuator.kind == .display { return .text(text) }
            let digits = Array(text.utf8)
            guard digits.count == 7, digits[0] == UInt8(ascii: "#"), digits.dropFirst().allSatisfy({ isHex($0) }),
                let colour = UInt32(text.dropFirst(), radix: 16)
            else { throw Problem.unprocessable("value is no colour: #rrggbb") }
            return .colour(UInt8(colour >> 16), UInt8(colour >> 8 & 0xff), UInt8(colour & 0xff))
        }
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}

extension HomeRefusal: ProblemConvertible {
    /// In words.
    package var problem: Problem? {
        switch self {
        case .unknown: .notFound()
        case .notAllowed: .forbidden("your membership at this house does not allow it")
        case .notOfItsKind: .unprocessable("it does not take a value of this kind", type: "not-of-its-kind")
        case .outOfRange: .unprocessable("The value is out of range.")
        case .protects: HouseGuard.inAlarm
        case .opens: .forbidden("this valve is opened at its box or on the page of its house", type: "opens")
        case .inAirAlarm: HouseGuard.inAirAlarm
        case .tooOften: .tooManyRequests(retryAfter: 10)
        case .anothers:
            .conflict(
                "Another device listens to this topic. Switch that one, and take this entry out of use.",
                type: "topic-taken")
        case .notReachable: .unavailable("the house cannot be reached now")
        }
    }
}

extension ActuationRefusal: ProblemConvertible {
    /// As the same refusal of a command.
    package var problem: Problem? { HomeRefusal(self).problem }
}
