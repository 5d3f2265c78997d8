import Identity
import Ledger
import Safeguard
import Store
import System
import Testing

@testable import Home
@testable import Household

struct RegistryTests {
    @Test func `A sensor comes back from the tables as it went in`() async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas, unit: "ppm", range: 0...1023, period: 5)
            let again = try Registry(house.parts.store).catalog.sensors[gas.id]
            #expect(again == gas)
            #expect(gas.number > 0)
            #expect(house.parts.registry.catalog.gateway(of: gas)?.id == house.gateway.id)
        }
    }

    @Test func `Two doors of one house are told apart by what they hang on; the only window is a window`() async throws
    {
        try await TestHouse.run { house in
            let (_, stick) = try await house.gateway("Stick")
            let doors = [
                try await house.sensor("door", .contact), try await house.sensor("door", .contact, of: stick),
            ]
            let window = try await house.sensor("window", .contact)
            let catalog = house.parts.registry.catalog
            #expect(doors.map { catalog.distinct($0).name } == ["Door (\(house.device.name))", "Door (Stick)"])
            #expect(catalog.distinct(window) == window)
        }
    }

    @Test func `What a house has is the same by house and among all, whichever house changes`() async throws {
        try await TestHouse.run { house in
            let (_, stick) = try await house.gateway("Stick")
            for (name, device) in [("gas", nil), ("door", stick), ("smoke", nil)] as [(String, Device?)] {
                _ = try await house.sensor(name, name == "gas" ? .gas : name == "door" ? .contact : .smoke, of: device)
            }
            let other = SiteID.new(at: noon)
            for catalog in [
                house.parts.registry.catalog, try Registry(house.parts.store).catalog,
                house.parts.registry.catalog.replacing(other, by: Catalog()),
            ] {
                #expect(catalog.sensors(at: house.site.id).map(\.key) == ["gas", "door", "smoke"])
                #expect(Set(catalog.sensors(at: house.site.id).map(\.id)) == Set(catalog.sensors.keys))
                #expect(catalog.devices(of: house.site.id).map(\.name) == catalog.devices.values.map(\.name).sorted())
                #expect(Set(catalog.gateways(of: house.site.id).map(\.id)) == Set(catalog.gateways.keys))
                #expect(catalog.sensors(at: other).isEmpty)
            }
            let emptied = house.parts.registry.catalog.replacing(house.site.id, by: Catalog())
            #expect(emptied.sensors(at: house.site.id).isEmpty && emptied.sensors.isEmpty)
        }
    }

    @Test func `What is out of use takes what hangs on it along`() async throws {
        try await TestHouse.run { house in
            _ = try await house.sensor("gas", .gas)
            try await house.parts.registry.change(at: house.site.id) { database in
                var device = house.device
                device.retired = noon
                try HomeRecords.put(device, in: database)
            }
            #expect(house.parts.registry.catalog.sensors(at: house.site.id).isEmpty)
        }
    }

    @Test func `A chart gets the threshold that counted when it begins, and each that came after`() async throws {
        try await TestHouse.run { house in
            let gas = try await house.sensor("gas", .gas)
            let hours = [0, 2, 4].map { noon.adding(milliseconds: $0 * 3_600_000) }
            try await house.parts.store.write { database in
                for (at, level) in zip(hours, [300.0, 250, 200]) {
                    try ThresholdRecords.set(Threshold(level: level), of: gas.id, at: at, in: database)
                }
            }
            let (steps, current) = try house.parts.store.read { database in
                (
                    try ThresholdRecords.steps(
                        of: gas.id, from: noon.adding(milliseconds: 3 * 3_600_000),
                        to: noon.adding(milliseconds: 5 * 3_600_000), in: database),
                    try ThresholdRecords.current(in: database)
                )
            }
            #expect(steps.map { $0.threshold?.level } == [250, 200])
            #expect(current.map(\.threshold.level) == [200])
        }
    }
}
