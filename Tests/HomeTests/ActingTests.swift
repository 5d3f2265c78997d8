import Accounts
import Commands
import HTTPServer
import Ledger
import Store
import System
import Testing

@testable import Home
@testable import Household

struct ActingTests {
    private func plug(_ house: TestHouse, _ kind: ActuatorKind = .plug) async throws -> Actuator {
        let one = Actuator(
            id: .new(at: noon), device: house.device.id, site: house.site.id, gateway: house.gateway.id, key: "a",
            name: "A",
            kind: kind, binding: ActuatorBinding(commandTopic: "a/set"))
        try await house.parts.registry.change(at: house.site.id) { try HomeRecords.put(one, in: $0) }
        return one
    }

    @Test func `Members switch things, guests only see, and a house of others is not there`() async throws {
        try await TestHouse.run { house in
            let commands = Commands()
            house.parts.acting.register(commands)
            let (plug, gas) = (try await plug(house), try await house.sensor("gas", .gas, unit: "V"))
            house.parts.readings.observe(Reading(.number(2), at: noon), of: gas)
            let (member, guest) = (try await house.principal("Ada", .member), try await house.principal("Bo", .guest))
            // There is no bus: whoever gets that far was let through.
            await #expect(throws: HomeRefusal.notReachable) {
                try await commands.send(SetActuator(actuator: plug.id, value: .on), by: .person(member.person.id))
            }
            await #expect(throws: HomeRefusal.notReachable) {
                try await commands.send(SetActuator(actuator: plug.id, value: .on), by: .hub)
            }
            await #expect(throws: HomeRefusal.notAllowed) {
                try await commands.send(SetActuator(actuator: plug.id, value: .on), by: .person(guest.person.id))
            }
            await #expect(throws: HomeRefusal.unknown) {
                try await commands.send(SetActuator(actuator: plug.id, value: .on), by: .person(.new(at: noon)))
            }
            let report = try await commands.send(ReadSensor(sensor: gas.id), by: .person(guest.person.id))
            #expect(report.state == SensorState(value: .number(2), at: noon, status: .live))
            await #expect(throws: HomeRefusal.unknown) {
                try await commands.send(ReadSensor(sensor: gas.id), by: .person(.new(at: noon)))
            }
        }
    }

    @Test func `No command ends a siren or switches a detector of a house that is armed or has an alarm`() async throws
    {
        try await TestHouse.run { house in
            let (commands, site) = (Commands(), house.site.id)
            house.parts.acting.register(commands)
            let owner = try await house.principal("Ada", .owner)
            let (siren, detection) = (try await plug(house, .siren), try await house.actuator("detection", .plug))
            let lamp = try await house.actuator("lamp", .light)
            let window = try await house.sensor("window", .contact)
            house.rest(window)
            func send(_ actuator: Actuator, _ value: ActuatorValue, by caller: Caller) async -> HomeRefusal? {
                do {
                    try await commands.send(SetActuator(actuator: actuator.id, value: value), by: caller)
                    return nil
                } catch { return error as? HomeRefusal }
            }
            for caller in [Caller.hub, .person(owner.person.id)] {
                house.panels.disarm(site, by: .hub)
                #expect(await send(detection, .off, by: caller) == .notReachable)
                try house.panels.arm(.home, at: site, by: .hub)
                for value in [ActuatorValue.off, .on, .number(0)] {
                    #expect(await send(detection, value, by: caller) == .protects)
                }
                #expect(await send(siren, .off, by: caller) == .protects)
                #expect(await send(siren, .on, by: caller) == .notReachable)
                #expect(await send(lamp, .off, by: caller) == .notReachable)
                house.panels.disarm(site, by: .hub)
                house.panels.trigger(at: site, by: .hub)
                #expect(await send(siren, .off, by: caller) == .protects)
                house.panels.reset(site, by: .hub)
            }
        }
    }

    @Test(arguments: [ActuatorKind.siren, .valve, .fan, .plug])
    func `What a device calls a lamp and another thing hears is asked for what that one is asked for`(
        kind: ActuatorKind
    ) async throws {
        try await TestHouse.run { house in
            let window = try await house.sensor("window", .contact)
            house.rest(window)
            let real = try await house.actuator("real", kind)
            // One that only the detector's own readings hear, and one of the same kind and words as the switch.
            func alias(_ name: String, _ kind: ActuatorKind, _ topic: String) -> Actuator {
                Actuator(
                    id: .new(at: noon), device: house.device.id, site: house.site.id, gateway: house.gateway.id,
                    key: name, name: name, kind: kind, binding: ActuatorBinding(commandTopic: topic, valueTopic: topic))
            }
            let lamp = Actuator(
                id: .new(at: noon), device: house.device.id, site: house.site.id, gateway: house.gateway.id,
                key: "lamp",
                name: "Lamp", kind: .light, binding: ActuatorBinding(commandTopic: "real/set"))
            try await house.parts.registry.change(at: house.site.id) { try HomeRecords.put(lamp, in: $0) }
            let other = try await house.actuator("other", .light)
            let (elsewhere, _) = try await house.gateway("Elsewhere")
            if kind == .plug {
                let twin = Actuator(
                    id: .new(at: noon), device: DeviceID.new(at: noon), site: house.site.id, gateway: house.gateway.id,
                    key: "twin", name: "Twin", kind: .plug, binding: real.binding)
                let far = Actuator(
                    id: .new(at: noon), device: DeviceID.new(at: noon), site: house.site.id, gateway: elsewhere.id,
                    key: "far", name: "Far", kind: .plug, binding: real.binding)
                let voice = alias("voice", .light, window.binding.topic)
                try house.panels.arm(.home, at: house.site.id, by: .hub)
                for value in [ActuatorValue.on, .off] {
                    #expect(
                        house.parts.switching.lowers(twin, to: value) && house.parts.switching.lowers(voice, to: value))
                    #expect(!house.parts.switching.lowers(far, to: value))
                }
                house.panels.disarm(house.site.id, by: .hub)
            }
            let (desk, ada) = (house.parts.devicesDesk, try await house.principal("Ada", .owner))
            // What is out of use hears on.
            for isUsed in [true, false] {
                try await desk.change(real.id, at: house.site.id, name: nil, isInUse: isUsed, by: ada.person.id)
                for value in [ActuatorValue.on, .off] {
                    #expect(!house.parts.switching.lowers(lamp, to: value))
                    try house.panels.arm(.home, at: house.site.id, by: .hub)
                    #expect(house.parts.switching.lowers(lamp, to: value))
                    #expect(!house.parts.switching.lowers(other, to: value))
                    house.panels.disarm(house.site.id, by: .hub)
                    // A valve takes a fresh proof at any time.
                    var refusal: ActuationRefusal?
                    do throws(ActuationRefusal) { try house.parts.actuation.set(lamp, to: value) } catch {
                        refusal = error
                    }
                    #expect(refusal == (kind == .valve ? .opens : .notReachable))
                }
                // The valve itself is closed in any case: what protects does not wait for what else hears it.
                if kind == .valve, isUsed {
                    #expect(throws: ActuationRefusal.notReachable) { try house.parts.actuation.set(real, to: .off) }
                }
            }
        }
    }

    @Test(arguments: [ActuatorKind.siren, .valve, .fan])
    func `What is told where a siren, a valve or a fan is heard is asked for what that one is asked for`(
        kind: ActuatorKind
    ) async throws {
        try await TestHouse.run { house in
            let installer = try await house.principal("Ines", .installer)
            func put(_ name: String, _ kind: ActuatorKind, _ binding: ActuatorBinding) async throws -> Actuator {
                let one = Actuator(
                    id: .new(at: noon), device: house.device.id, site: house.site.id, gateway: house.gateway.id,
                    key: name, name: name, kind: kind, binding: binding)
                try await house.parts.registry.change(at: house.site.id) { try HomeRecords.put(one, in: $0) }
                return one
            }
            func add(_ topic: String) async throws -> Actuator {
                try await house.parts.devicesDesk.add(
                    actuator: ActuatorEntry(
                        name: topic, kind: "light", gateway: house.gateway.id.text, topic: topic), at: house.site.id,
                    by: installer)
            }
            let early = try await add("real/there")
            let real = ActuatorBinding(
                commandTopic: "real/set", state: SensorBinding(topic: "real/does"),
                availability: [Availability(topic: "real/there")])
            _ = try await put("real", kind, real)
            let twin = try await put("twin", kind, real)
            let lamps = [
                try await put("does", .light, ActuatorBinding(commandTopic: "real/does")),
                try await put("there", .light, ActuatorBinding(commandTopic: "real/there")),
            ]
            let other = try await put("other", .light, ActuatorBinding(commandTopic: "other/set"))
            try house.panels.arm(.home, at: house.site.id, by: .hub)
            for value in [ActuatorValue.on, .off] {
                for lamp in lamps { #expect(house.parts.switching.lowers(lamp, to: value), "\(lamp.name)") }
                #expect(!house.parts.switching.lowers(other, to: value))
            }
            let keeping: ActuatorValue = kind == .valve ? .off : .on
            #expect(!house.parts.switching.lowers(twin, to: keeping), "described twice")
            #expect(throws: ActuationRefusal.anothers) { try house.parts.actuation.set(early, to: .on) }
            await #expect(throws: DeviceFault.duplicate) { _ = try await add("real/does") }
        }
    }

    @Test func `A siren that is switched on by another name of its output is not told to be still when it is back`()
        async throws
    {
        try await TestHouse.run { house in
            let actuation = house.parts.actuation
            func tell(_ actuator: Actuator, _ value: ActuatorValue) {
                #expect(throws: ActuationRefusal.notReachable) { try actuation.set(actuator, to: value) }
            }
            let (siren, far) = (try await house.actuator("siren", .siren), try await house.actuator("far", .siren))
            let output = Actuator(
                id: .new(at: noon), device: house.device.id, site: house.site.id, gateway: house.gateway.id,
                key: "out", name: "Output", kind: .plug, binding: ActuatorBinding(commandTopic: "siren/set"))
            try await house.parts.registry.change(at: house.site.id) { try HomeRecords.put(output, in: $0) }
            for one in [siren, far] { tell(one, .off) }
            tell(output, .off)
            #expect([siren, far].map { actuation.last(toldTo: $0.id) } == [.off, .off])
            tell(output, .on)
            #expect([siren, far].map { actuation.last(toldTo: $0.id) } == [nil, .off])
        }
    }

    @Test(arguments: [ActuatorKind.siren, .valve, .plug])
    func `What was added by hand for the topic of something else tells it nothing, whichever came first`(
        kind: ActuatorKind
    ) async throws {
        try await TestHouse.run { house in
            let (desk, site) = (house.parts.devicesDesk, house.site.id)
            let installer = try await house.principal("Ines", .installer)
            func alias(_ topic: String) async throws -> Actuator {
                try await desk.add(
                    actuator: ActuatorEntry(
                        name: "Lamp", kind: "light", gateway: house.gateway.id.text, topic: topic),
                    at: site, by: installer)
            }
            func told(_ actuator: Actuator, _ value: ActuatorValue) -> ActuationRefusal? {
                do throws(ActuationRefusal) {
                    try house.parts.actuation.set(actuator, to: value, mayOpen: true)
                    return nil
                } catch { return error }
            }
            // The device describes its own only afterwards.
            let early = try await alias("early/set")
            #expect(told(early, .off) == .notReachable, "there is no bus: it was let through")
            _ = try await house.actuator("early", kind)
            #expect(told(early, .off) == .anothers)
            // It was out of use while the other one was added, and comes back.
            let late = try await house.actuator("late", kind)
            await #expect(throws: DeviceFault.duplicate) { _ = try await alias("late/set") }
            try await desk.change(late.id, at: site, name: nil, isInUse: false, by: installer.person.id)
            guard kind == .plug else {
                // What protects hears on meanwhile.
                await #expect(throws: DeviceFault.outOfUse) { _ = try await alias("late/set") }
                return
            }
            let other = try await alias("late/set")
            try await desk.change(late.id, at: site, name: nil, isInUse: true, by: installer.person.id)
            #expect(told(other, .off) == .anothers)
            #expect(told(late, .off) == .notReachable)
            // Nor is it put back beside it.
            try await desk.change(other.id, at: site, name: nil, isInUse: false, by: installer.person.id)
            await #expect(throws: DeviceFault.duplicate) {
                try await desk.change(other.id, at: site, name: nil, isInUse: true, by: installer.person.id)
            }
        }
    }

    @Test(arguments: [ActuatorKind.siren, .valve, .fan, .plug], [false, true])
    func `What was added by hand for the topic of something that protects and is out of use tells it nothing`(
        kind: ActuatorKind, isWithDevice: Bool
    ) async throws {
        try await TestHouse.run { house in
            let (desk, site) = (house.parts.devicesDesk, house.site.id)
            // The plug is that of a detector.
            if kind == .plug { house.rest(try await house.sensor("window", .contact)) }
            let installer = try await house.principal("Ines", .installer)
            let lamp = ActuatorEntry(
                name: "Lamp", kind: "light", gateway: house.gateway.id.text, topic: "real/set")
            let early = try await desk.add(actuator: lamp, at: site, by: installer)
            let real = try await house.actuator("real", kind)
            func take(_ isInUse: Bool) async throws {
                if isWithDevice {
                    try await desk.change(
                        real.device, at: site, name: nil, area: nil, isInUse: isInUse, by: installer.person.id)
                } else {
                    try await desk.change(real.id, at: site, name: nil, isInUse: isInUse, by: installer.person.id)
                }
            }
            try await take(false)
            // A detector that is out of use watches over nothing, and so its plug does not either.
            let isFree = kind == .plug && isWithDevice
            #expect(throws: isFree ? ActuationRefusal.notReachable : .anothers) {
                try house.parts.actuation.set(early, to: .on, mayOpen: true)
            }
            try await desk.change(early.id, at: site, name: nil, isInUse: false, by: installer.person.id)
            if !isFree {
                await #expect(throws: DeviceFault.duplicate) {
                    try await desk.change(early.id, at: site, name: nil, isInUse: true, by: installer.person.id)
                }
                await #expect(throws: DeviceFault.outOfUse) {
                    try await desk.add(actuator: lamp, at: site, by: installer)
                }
            }
            try await take(true)
            #expect(throws: ActuationRefusal.notReachable) { try house.parts.actuation.set(real, to: .off) }
        }
    }

    @Test(arguments: [ActuatorKind.siren, .valve, .fan])
    func `What protects and was added by hand is something else, or hears other words, with a fresh proof alone`(
        kind: ActuatorKind
    ) async throws {
        try await TestHouse.run { house in
            let (desk, site) = (house.parts.devicesDesk, house.site.id)
            let stale = try await house.principal("Ines", .installer)
            house.pass(3600)
            let fresh = try await house.principal("Ada", .owner)
            func add(_ kind: ActuatorKind, on: String = "", off: String = "", by principal: Principal) async throws
                -> Actuator
            {
                try await desk.add(
                    actuator: ActuatorEntry(
                        name: "One", kind: kind.rawValue, gateway: house.gateway.id.text, topic: "one/set", on: on,
                        off: off), at: site, by: principal)
            }
            let one = try await add(kind, by: stale)
            func retire() async throws {
                try await desk.change(one.id, at: site, name: nil, isInUse: false, by: stale.person.id)
            }
            try await retire()
            // The same again is what it was.
            #expect(try await add(kind, by: stale).id == one.id)
            try await retire()
            for (other, on, off) in [(ActuatorKind.light, "", ""), (.plug, "", ""), (kind, "OFF", "ON")] {
                let before = try desk.actuator(one.id, at: site)
                let refusal = await #expect(throws: Problem.self) { try await add(other, on: on, off: off, by: stale) }
                #expect(refusal?.type == Problem.freshProofNeeded.type)
                #expect(try desk.actuator(one.id, at: site) == before)
            }
            let lamp = try await add(.light, by: fresh)
            #expect(lamp.id == one.id && lamp.kind == .light)
            #expect(throws: ActuationRefusal.notReachable) { try house.parts.actuation.set(lamp, to: .on) }
        }
    }

    @Test(arguments: [ActuatorKind.siren, .valve])
    func `What a device described and is out of use is described by hand in its own words alone`(kind: ActuatorKind)
        async throws
    {
        try await TestHouse.run { house in
            let (desk, site) = (house.parts.devicesDesk, house.site.id)
            let ada = try await house.principal("Ada", .owner)
            let real = try await house.actuator("real", kind, binding: ActuatorBinding(commandTopic: "real/set"))
            try await desk.change(real.id, at: site, name: nil, isInUse: false, by: ada.person.id)
            func add(_ on: String, _ off: String) async throws -> Actuator {
                try await desk.add(
                    actuator: ActuatorEntry(
                        name: "Own", kind: kind.rawValue, gateway: house.gateway.id.text, topic: "real/set", on: on,
                        off: off), at: site, by: ada)
            }
            await #expect(throws: DeviceFault.outOfUse) { try await add("OFF", "ON") }
            let own = try await add("ON", "OFF")
            #expect(house.parts.registry.catalog.muted(at: house.gateway.id).isEmpty)
            #expect(throws: ActuationRefusal.notReachable) { try house.parts.actuation.set(own, to: .off) }
            try await desk.change(own.id, at: site, name: nil, isInUse: false, by: ada.person.id)
            try await desk.change(own.id, at: site, name: nil, isInUse: true, by: ada.person.id)
            #expect(house.parts.registry.catalog.actuators[own.id] != nil)
        }
    }

    @Test func `Nothing is added by hand where a valve that is out of use says what it does`() async throws {
        try await TestHouse.run { house in
            let (desk, site) = (house.parts.devicesDesk, house.site.id)
            let ada = try await house.principal("Ada", .owner)
            let real = try await house.actuator(
                "real", .valve,
                binding: ActuatorBinding(commandTopic: "real/set", state: SensorBinding(topic: "real/does")))
            try await desk.change(real.id, at: site, name: nil, isInUse: false, by: ada.person.id)
            for kind in ["siren", "fan", "light"] {
                let entry = ActuatorEntry(
                    name: "Own", kind: kind, gateway: house.gateway.id.text, topic: "real/does")
                await #expect(throws: DeviceFault.outOfUse) { try await desk.add(actuator: entry, at: site, by: ada) }
            }
            try await desk.change(real.id, at: site, name: nil, isInUse: true, by: ada.person.id)
            #expect(house.parts.registry.catalog.muted(at: house.gateway.id).isEmpty)
        }
    }

    /// How the device on which things that were added by hand hang comes back.
    enum Return: CaseIterable { case device, anotherThing }

    @Test(arguments: [ActuatorKind.siren, .valve, .fan, .light], Return.allCases)
    func `What was added by hand comes back with its device unless something that protects has come to its topic`(
        kind: ActuatorKind, way: Return
    ) async throws {
        try await TestHouse.run { house in
            let (desk, site, catalog) = (
                house.parts.devicesDesk, house.site.id, { house.parts.registry.catalog }
            )
            let installer = try await house.principal("Ines", .installer)
            func add(_ kind: ActuatorKind, _ topic: String) async throws -> Actuator {
                // Told to close, or to sound, it would say the word for open.
                let words = kind == .valve ? ("CLOSE", "OPEN") : ("OPEN", "CLOSE")
                return try await desk.add(
                    actuator: ActuatorEntry(
                        name: topic, kind: kind.rawValue, gateway: house.gateway.id.text, topic: topic, on: words.0,
                        off: words.1), at: site, by: installer)
            }
            let (early, other) = (try await add(kind, "real/set"), try await add(.siren, "other/set"))
            func take(_ isInUse: Bool) async throws {
                try await desk.change(
                    early.device, at: site, name: nil, area: nil, isInUse: isInUse, by: installer.person.id)
            }
            try await take(false)
            let real = try await house.actuator(
                "real", .valve, binding: ActuatorBinding(commandTopic: "real/set", on: "OPEN", off: "CLOSE"))
            try await desk.change(real.id, at: site, name: nil, isInUse: false, by: installer.person.id)
            switch way {
            case .device: try await take(true)
            case .anotherThing: _ = try await add(.light, "third/set")
            }
            #expect(catalog().actuators[early.id] == nil && catalog().actuators[other.id] != nil)
            #expect(catalog().muted(at: house.gateway.id).isEmpty)
            for value in [ActuatorValue.on, .off] {
                #expect(throws: ActuationRefusal.self) {
                    try house.parts.actuation.set(early, to: value, mayOpen: true)
                }
            }
            await #expect(throws: DeviceFault.duplicate) {
                try await desk.change(early.id, at: site, name: nil, isInUse: true, by: installer.person.id)
            }
            try await desk.change(real.id, at: site, name: nil, isInUse: true, by: installer.person.id)
            #expect(throws: ActuationRefusal.notReachable) { try house.parts.actuation.set(real, to: .off) }
        }
    }

    @Test func `Not even the hub warns by something added by hand whose words are another thing's the other way round`()
        async throws
    {
        try await TestHouse.run { house in
            let (desk, site) = (house.parts.devicesDesk, house.site.id)
            _ = try await house.sensor("window", .contact)
            let installer = try await house.principal("Ines", .installer)
            func told(_ kind: ActuatorKind, _ topic: String, _ on: String, _ off: String, _ value: ActuatorValue)
                async throws -> (before: ActuationRefusal?, after: ActuationRefusal?)
            {
                let alias = try await desk.add(
                    actuator: ActuatorEntry(
                        name: "\(topic) \(kind)", kind: kind.rawValue, gateway: house.gateway.id.text, topic: topic,
                        on: on, off: off), at: site, by: installer)
                func refusal() -> ActuationRefusal? {
                    do throws(ActuationRefusal) {
                        try house.parts.actuation.set(alias, to: value, mayOpen: true)
                        return nil
                    } catch { return error }
                }
                let before = refusal()
                let key = String(topic.prefix { $0 != "/" })
                if topic.hasSuffix("/set") {
                    _ = try await house.actuator(key, key == "valve" ? .valve : key == "siren" ? .siren : .plug)
                } else {
                    let gas = try await house.sensor(key, .gas)
                    #expect(gas.binding.topic == topic)
                }
                return (before, refusal())
            }
            for (kind, topic, on, off, value) in [
                (.siren, "detection/set", "OFF", "ON", .on), (.valve, "siren/set", "x", "OFF", .off),
                (.valve, "valve/set", "x", "ON", .off), (.valve, "gas/state", "x", "10", .off),
            ] as [(ActuatorKind, String, String, String, ActuatorValue)] {
                let refusals = try await told(kind, topic, on, off, value)
                #expect(refusals.before == .notReachable, "there is no bus: it was let through")
                #expect(refusals.after == .anothers, "\(kind) on \(topic)")
            }
        }
    }

    @Test func `A siren that is described twice warns twice`() async throws {
        try await TestHouse.run { house in
            let installer = try await house.principal("Ines", .installer)
            let own = try await house.parts.devicesDesk.add(
                actuator: ActuatorEntry(
                    name: "Siren", kind: "siren", gateway: house.gateway.id.text, topic: "siren/set"),
                at: house.site.id, by: installer)
            _ = try await house.actuator("siren", .siren)
            #expect(throws: ActuationRefusal.notReachable) { try house.parts.actuation.set(own, to: .on) }
            // A bridge that describes it as a switch, too, keeps it neither from sounding nor from ending; a detector's switch does.
            let bridged = Actuator(
                id: .new(at: noon), device: house.device.id, site: house.site.id, gateway: house.gateway.id, key: "out",
                name: "Output", kind: .plug, binding: ActuatorBinding(commandTopic: "siren/set"))
            // Or as a lamp, or with other words for it.
            let lamp = Actuator(
                id: .new(at: noon), device: house.device.id, site: house.site.id, gateway: house.gateway.id,
                key: "lamp", name: "Lamp", kind: .light,
                binding: ActuatorBinding(commandTopic: "siren/set", on: "1", off: "0"))
            try await house.parts.registry.change(at: house.site.id) {
                try HomeRecords.put(bridged, in: $0)
                try HomeRecords.put(lamp, in: $0)
            }
            for value in [ActuatorValue.on, .off] {
                #expect(throws: ActuationRefusal.notReachable) { try house.parts.actuation.set(own, to: value) }
            }
            _ = try await house.sensor("window", .contact)
            for value in [ActuatorValue.on, .off] {
                #expect(throws: ActuationRefusal.anothers) { try house.parts.actuation.set(own, to: value) }
            }
        }
    }

    @Test func `No command opens a valve, whoever sends it`() async throws {
        try await TestHouse.run { house in
            let (commands, valve) = (Commands(), try await plug(house, .valve))
            house.parts.acting.register(commands)
            let owner = try await house.principal("Ada", .owner)
            for caller in [Caller.hub, .person(owner.person.id)] {
                for value in [ActuatorValue.on, .percent(1), .number(5)] {
                    await #expect(throws: HomeRefusal.opens) {
                        try await commands.send(SetActuator(actuator: valve.id, value: value), by: caller)
                    }
                }
                await #expect(throws: HomeRefusal.notReachable) {
                    try await commands.send(SetActuator(actuator: valve.id, value: .off), by: caller)
                }
            }
            #expect(SetActuator.manifest.effect == .idempotent)
            #expect(ReadSensor.manifest.effect == .read)
        }
    }
}
