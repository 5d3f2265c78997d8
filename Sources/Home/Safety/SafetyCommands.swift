import Accounts
import Commands
import Household
import Identity
import Ledger
import Safeguard
import Store
import System

/// Arms a house: what Flows and other features may ask, also on a clock.
public struct Arm: Command {
    /// How its panel stands then: `arming`, `armed_away`.
    public typealias Outcome = String

    /// Twice is as good as once.
    public static let manifest = Manifest(
        name: "home.arm", effect: .idempotent, capability: "arm a house",
        inputs: [
            Pin("house", .text), Pin("mode", .text), Pin("bypass", .text, optional: true),
            Pin("code", .text, optional: true),
        ],
        outputs: [Pin("state", .text)])

    /// Which house.
    public let house: SiteID
    /// `home`, `away`, `night`, `vacation`.
    public let mode: String
    /// Sensors that do not count until it is disarmed, by their ids: what is open has to be named.
    public let bypass: [String]
    /// A code of the house: where one that is armed would be armed less.
    public let code: String?

    /// See the properties.
    public init(house: SiteID, mode: String, bypass: [String] = [], code: String? = nil) {
        (self.house, self.mode, self.bypass, self.code) = (house, mode, bypass, code)
    }
}

/// Disarms a house for somebody. The hub by itself disarms nothing.
public struct Disarm: Command {
    /// How its panel stands then: `disarmed`.
    public typealias Outcome = String

    /// Once: repeated later it would disarm a house that was armed since.
    public static let manifest = Manifest(
        name: "home.disarm", effect: .once, capability: "disarm a house",
        inputs: [Pin("house", .text), Pin("code", .text, optional: true)], outputs: [Pin("state", .text)])

    /// Which house.
    public let house: SiteID
    /// A code of the house, where it asks for one.
    public let code: String?

    /// See the properties.
    public init(house: SiteID, code: String? = nil) { (self.house, self.code) = (house, code) }
}

/// Why a house is not armed or disarmed by a command.
public enum PanelCommandRefusal: Error, Sendable, Equatable {
    /// There is no such house, or nobody who may asks.
    case notAllowed
    /// There is no such mode or sensor.
    case unknown
    /// These stand open, by their ids, and were not left out.
    case open([String])
    /// An alarm is on.
    case inAlarm
    /// Nobody disarms, or arms less what is armed, but a person.
    case nobodyAsked
    /// The code is missing or wrong, or there were too many wrong ones.
    case code
}

/// Answers them.
struct SafetyCommands: HouseFeature {
    let desk: SafetyDesk

    func register(_ commands: Commands) {
        commands.register(Arm.self) { command, caller in try await arm(command, by: caller) }
        commands.register(Disarm.self) { command, caller in try await disarm(command, by: caller) }
    }

    private func arm(_ command: Arm, by caller: Caller) async throws -> String {
        try check(command.house, caller)
        let bypass = command.bypass.map { SensorID($0) }
        guard let mode = ArmMode(name: command.mode), !bypass.contains(nil) else { throw PanelCommandRefusal.unknown }
        let actor: PanelActor = if case .person(let person) = caller { .person(person) } else { .hub }
        do {
            try await desk.arm(
                mode, at: command.house, by: actor, bypassing: Set(bypass.compactMap { $0 }), code: command.code)
        } catch is SafetyRefusal { throw PanelCommandRefusal.code } catch let refusal as PanelRefusal {
            switch refusal {
            case .open(let sensors): throw PanelCommandRefusal.open(sensors.map(\.text))
            case .cannotBypass: throw PanelCommandRefusal.unknown
            case .inAlarm: throw PanelCommandRefusal.inAlarm
            case .weakens: throw PanelCommandRefusal.nobodyAsked
            }
        }
        return desk.safety.panels.panel(of: command.house).state.name
    }

    private func disarm(_ command: Disarm, by caller: Caller) async throws -> String {
        guard case .person(let person) = caller else { throw PanelCommandRefusal.nobodyAsked }
        try check(command.house, caller)
        do {
            try await desk.disarm(command.house, by: person, code: command.code)
        } catch is SafetyRefusal { throw PanelCommandRefusal.code }
        return desk.safety.panels.panel(of: command.house).state.name
    }

    private func check(_ site: SiteID, _ caller: Caller) throws {
        let now = desk.safety.clock.now
        let may = try desk.safety.store.read { database -> Bool in
            guard let place = try AccountRecords.site(site, in: database), place.kind == .home else { return false }
            guard case .person(let person) = caller else { return true }
            return try AccountRecords.memberships(of: person, at: site, in: database).contains {
                Permission.atHome.contains($0.permission) && $0.holds(on: place.zone.day(at: now))
            }
        }
        guard may else { throw PanelCommandRefusal.notAllowed }
    }
}
