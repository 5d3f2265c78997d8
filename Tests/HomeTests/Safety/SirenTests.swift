import Accounts
import HTTPServer
import Ledger
import Safeguard
import Synchronization
import System
import Testing

@testable import Home
@testable import Household

/// What becomes of a siren that sounds when it is taken out of use, or described as something else.
struct SirenTests {
    private static let topic = "homeassistant/siren/w/s/config"
    private static func told(_ topic: String = "w/set") -> String {
        #"{"dev":{"ids":"w"},"uniq_id":"s","name":"Horn","cmd_t":"\#(topic)"}"#
    }

    private func last(_ siren: Actuator, _ house: TestHouse) -> ActuatorValue? {
        house.parts.actuation.last(toldTo: siren.id)
    }

    enum Way: CaseIterable { case siren, device, gateway }

    private func takeOut(_ siren: Actuator, _ way: Way, _ house: TestHouse) async throws {
        let (desk, site) = (house.parts.devicesDesk, house.site.id)
        switch way {
        case .siren: try await desk.change(siren.id, at: site, name: nil, isInUse: false, by: anna)
        case .device:
            try await desk.change(siren.device, at: site, name: nil, area: nil, isInUse: false, by: anna)
        case .gateway: try await house.parts.gatewayDesk.retire(siren.gateway, at: site, by: anna)
        }
    }

    @Test(arguments: Way.allCases)
    func `A siren that is taken out of use while it sounds is told to be still`(way: Way) async throws {
        try await TestHouse.run { house in
            let siren = try await house.actuator("siren", .siren)
            house.panels.trigger(at: house.site.id, by: .hub)
            try #require(last(siren, house) == .on)
            try await takeOut(siren, way, house)
            #expect(last(siren, house) == .off)
            house.parts.safety.tick()
            #expect(last(siren, house) == .off, "the house sounds on, without it")
        }
    }

    @Test func `A siren whose connection is about to be shut out is not told to sound, and is where that stays`()
        async throws
    {
        try await TestHouse.run { house in
            let siren = try await house.actuator("siren", .siren)
            let sirens = house.panels.sirens
            house.panels.trigger(at: house.site.id, by: .hub)
            #expect(sirens.leave(siren.gateway) && last(siren, house) == .off)
            sirens.sound(false, at: house.site.id)
            sirens.sound(true, at: house.site.id)
            #expect(last(siren, house) == .off)
            sirens.hasLeft(siren.gateway)
            sirens.sound(false, at: house.site.id)
            sirens.sound(true, at: house.site.id)
            #expect(last(siren, house) == .on)
        }
    }

    @Test func `A siren that cannot be told the end of an exercise is told again`() async throws {
        try await TestHouse.run { house in
            let siren = try await house.actuator("siren", .siren)
            let sirens = house.panels.sirens
            await sirens.drill(at: house.site.id, for: .zero).value
            #expect(last(siren, house) == .off)
            // There is no bus: it sounds on, and what it was told last does not say so.
            #expect(throws: ActuationRefusal.notReachable) { try house.parts.actuation.set(siren, to: .on) }
            sirens.repeatWhatWasNotHeard()
            #expect(last(siren, house) == .off)
        }
    }

    @Test func `A real alarm that begins during an exercise keeps its siren`() async throws {
        try await TestHouse.run { house in
            let siren = try await house.actuator("siren", .siren)
            let exercise = house.panels.sirens.drill(at: house.site.id, for: .milliseconds(50))
            house.panels.trigger(at: house.site.id, by: .hub)
            await exercise.value
            #expect(last(siren, house) == .on)
            house.panels.disarm(house.site.id, by: .hub)
            #expect(last(siren, house) == .off)
        }
    }

    @Test(arguments: [false, true])
    func `An alarm that begins while the sirens are being told to be still has them sound`(isExercise: Bool)
        async throws
    {
        try await TestHouse.run { house in
            let siren = try await house.actuator("siren", .siren)
            let (registry, site) = (house.parts.registry, house.site.id)
            // The clock is asked before a siren is told to be still: then the alarm begins, once.
            let alarmed = Mutex<Sirens?>(nil)
            let clock = WallClock {
                let sirens = alarmed.withLock { alarmed in
                    defer { alarmed = nil }
                    return alarmed
                }
                sirens?.sound(true, at: site)
                return noon
            }
            let actuation = Actuation(registry, HomeBus(), clock: clock)
            let sirens = Sirens(registry, actuation)
            if isExercise {
                alarmed.withLock { $0 = sirens }
                await sirens.drill(at: site, for: .zero).value
            } else {
                sirens.sound(true, at: site)
                alarmed.withLock { $0 = sirens }
                sirens.sound(false, at: site)
            }
            #expect(alarmed.withLock { $0 == nil } && actuation.last(toldTo: siren.id) == .on)
        }
    }

    @Test func `A siren that is described twice sounds on by its other name`() async throws {
        try await TestHouse.run { house in
            let siren = try await house.actuator("siren", .siren)
            let twin = Actuator(
                id: .new(at: noon), device: house.device.id, site: house.site.id, gateway: house.gateway.id,
                key: "twin", name: "Twin", kind: .siren, binding: siren.binding)
            try await house.parts.registry.change(at: house.site.id) { try HomeRecords.put(twin, in: $0) }
            house.panels.trigger(at: house.site.id, by: .hub)
            try await takeOut(siren, .siren, house)
            #expect([siren, twin].map { last($0, house) } == [.on, .on])
            try await takeOut(twin, .siren, house)
            #expect(last(twin, house) == .off)
        }
    }

    @Test func `Who may not end an alarm takes no siren out of use that sounds for it`() async throws {
        try await TestHouse.run { house in
            let siren = try await house.actuator("siren", .siren)
            let people = [
                (try await house.principal("Ivo", .installer), false),
                (try await house.principal("Mia", .manager), true),
            ]
            let smoke = try await house.sensor("smoke", .smoke)
            house.tell(smoke, .truth(true))
            try #require(house.panel.isSounding && house.panel.mode == nil)
            for (principal, may) in people {
                var refusal: String?
                do {
                    _ = try await house.parts.access.weakensNow(.devices).run(principal, at: house.site.id) {
                        try await takeOut(siren, .siren, house)
                        return .empty()
                    }
                } catch let problem as Problem { refusal = problem.type }
                #expect(refusal == (may ? nil : "in-alarm"))
                #expect(last(siren, house) == (may ? .off : .on))
            }
        }
    }

    @Test(arguments: [true, false])
    func `Who may not end an alarm takes no detector out of use for which it is on, also where the panel was reset`(
        isSmoke: Bool
    ) async throws {
        try await TestHouse.run { house in
            let (ivo, mia) = (
                try await house.principal("Ivo", .installer), try await house.principal("Mia", .member)
            )
            let sensor =
                isSmoke
                ? try await house.sensor("smoke", .smoke)
                : try await house.sensor("level", .number, unit: "ppm")
            if isSmoke {
                house.tell(sensor, .truth(true))
            } else {
                try await house.parts.care.change(Threshold(level: 300), of: sensor, by: mia.person.id)
                house.tell(sensor, .number(900))
            }
            house.panels.reset(house.site.id, by: .person(mia.person.id))
            #expect(!house.panel.isDisturbed && house.panel.mode == nil)
            #expect(house.fires.count == 1)
            for (principal, refusal) in [(ivo, "in-alarm"), (mia, nil)] {
                var found: String?
                do {
                    _ = try await house.parts.access.weakensNow(.devices).run(principal, at: house.site.id) {
                        try await house.parts.devicesDesk.change(
                            sensor.id, at: house.site.id, isInUse: false, by: principal.person.id)
                        return .empty()
                    }
                } catch let problem as Problem { found = problem.type }
                #expect(found == refusal)
                // Nor does who may: nothing says that it is over.
                #expect(house.fires.count == 1)
            }
        }
    }

    @Test(arguments: [("homeassistant/light/w/s/config", told()), (topic, told("x/set")), (topic, "")])
    func `A siren that sounds is described as nothing else until the house is still, armed or not`(
        other: String, text: String
    ) async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(Self.topic, Self.told())
            let siren = try #require(speaker.catalog.actuators.values.first)
            house.panels.trigger(at: house.site.id, by: .hub)
            try #require(house.panel.isSounding && house.panel.mode == nil)
            if other != Self.topic { try await speaker.say(Self.topic, #"{"migrate_discovery":true}"#) }
            try await speaker.say(other, text)
            #expect(speaker.catalog.actuators[siren.id] == siren)
            let faults = speaker.faults().map { $0.text[.en] }
            #expect(faults.map { $0.title.hasPrefix("Horn") } == [true])
            #expect(faults.first?.body.contains("armed") == false)
            speaker.discoverer.look()
            try await speaker.settle()
            #expect(speaker.catalog.actuators[siren.id] == siren)
            house.panels.silence(house.site.id, by: .hub)
            #expect(last(siren, house) == .off)
            speaker.discoverer.look()
            try await speaker.settle()
            #expect(speaker.catalog.actuators[siren.id] != siren)
            #expect(speaker.faults().isEmpty)
        }
    }

    @Test func `A siren that a person switched on is told to be still when its device calls it a lamp`() async throws {
        try await TestHouse.run { house in
            let speaker = try Speaker(house)
            try await speaker.say(Self.topic, Self.told())
            let siren = try #require(speaker.catalog.actuators.values.first)
            #expect(throws: ActuationRefusal.notReachable) { try house.parts.actuation.set(siren, to: .on) }
            try await speaker.say(Self.topic, #"{"migrate_discovery":true}"#)
            try await speaker.say("homeassistant/light/w/s/config", Self.told())
            #expect(speaker.catalog.actuators[siren.id]?.kind == .light)
            #expect(last(siren, house) == .off)
        }
    }
}
