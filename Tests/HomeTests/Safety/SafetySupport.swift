import Identity
import Ledger
import Safeguard
import Store
import System
import Testing
import Wire

@testable import Home
@testable import Household

extension TestHouse {
    var panels: HousePanels { parts.panels }
    var watch: IntruderWatch { parts.safety.watch }
    var boxes: Boxes { parts.safety.boxes }
    var panel: Panel { panels.panel(of: site.id) }

    /// The clock goes on, and whoever follows it looks.
    func pass(_ seconds: Double) {
        time.change { $0 = $0.adding(milliseconds: Int64(seconds * 1000)) }
        parts.safety.tick()
        watch.tick()
        boxes.tick()
    }

    /// Takes it to be there, and at rest.
    func rest(_ sensors: Sensor...) {
        for sensor in sensors { tell(sensor, sensor.kind == .distance ? .number(300) : .truth(false)) }
    }

    /// A sensor tells something, now.
    func tell(_ sensor: Sensor, _ value: ReadingValue, isRetained: Bool = false) {
        parts.readings.observe(Reading(value, at: time.value, isRetained: isRetained), of: sensor)
    }

    /// What of the house is in the ledger, oldest first.
    func ledgerKinds(_ prefix: String = "home.") async throws -> [String] {
        try await panels.write()
        return try parts.given.ledger.events(of: site.id, after: 0, limit: 500).map(\.kind).filter {
            $0.hasPrefix(prefix)
        }
    }

    /// The tables, read as after a restart.
    func restarted() throws -> HousePanels {
        let bus = HomeBus()
        return try HousePanels(
            parts.store, parts.clock, parts.registry, parts.safety.settings,
            Sirens(parts.registry, Actuation(parts.registry, bus, clock: parts.clock)), parts.alarms)
    }

    /// A house that is armed away, asks for a code and has one, with a window and a motion sensor at rest.
    static func runArmed(
        _ body: (TestHouse, SafetyDesk, _ anna: PersonID, _ window: Sensor, _ motion: Sensor) async throws -> Void
    ) async throws {
        try await TestHouse.run { house in
            let (window, motion) = (try await house.sensor("window", .contact), try await house.sensor("hall", .motion))
            house.rest(window, motion)
            let anna = try await house.principal("Anna", .member).person.id
            let rules = HouseRules(
                panel: PanelRules(exitDelay: Delays(home: 0, away: 0, night: 0, vacation: 60)), asksCode: true)
            try await house.parts.safety.settings.set(rules, of: house.site.id, by: anna)
            _ = try await house.parts.safety.codes.add("280417", name: "Anna", at: house.site.id, by: anna)
            let desk = house.parts.safetyDesk
            try await desk.arm(.away, at: house.site.id, by: .person(anna))
            #expect(house.panel.state == .armedAway)
            try await body(house, desk, anna, window, motion)
        }
    }
}

let anna = PersonID(ID16(hex: "00000000000000000000000000000a11".utf8)!)
