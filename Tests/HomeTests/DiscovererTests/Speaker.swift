import Ledger
import System
import TestSupport
import Testing

@testable import Home
@testable import Household

/// A gateway that says what its devices are.
struct Speaker {
    let house: TestHouse
    let discoverer: Discoverer

    /// - Parameter longestWrite: in milliseconds; a test of what is written together waits for no clock.
    init(_ house: TestHouse, news: Int = DiscoveryLimit.news, longestWrite: UInt64 = 100) throws {
        self.house = house
        discoverer = try house.parts.makeDiscoverer(news: news, longestWrite: longestWrite)
    }

    func say(_ topic: String, _ json: String, from gateway: Gateway? = nil) async throws {
        _ = discoverer.receive(Substring(topic), Array(json.utf8), isRetained: true, from: gateway ?? house.gateway)
        try await settle()
    }

    func settle() async throws { #expect(await eventually { discoverer.isIdle }) }

    var catalog: Catalog { house.parts.registry.catalog }
    var found: [Device] { catalog.devices(of: house.site.id).filter { $0.origin == .discovered } }

    func events() throws -> [String] {
        try house.parts.given.ledger.events(of: house.site.id, after: 0, limit: 500).map(\.kind).filter {
            $0.hasPrefix("home.device.")
        }
    }

    func faults() -> [HouseAlarm] { house.parts.alarms.standing(at: house.site.id).filter { $0.kind == .fault } }

    func pass(_ milliseconds: Int64) { house.time.change { $0 = $0.adding(milliseconds: milliseconds) } }
}

/// What a sensor of gas says of itself, and where.
func gasDescription(_ topic: String = "mq/state", name: String = "Gas", unit: String = "V", device: String = "mq")
    -> String
{
    #"{"dev":{"ids":"\#(device)","name":"Kitchen box","sa":"Kitchen"},"uniq_id":"mq_gas","name":"\#(name)","stat_t":"\#(topic)","#
        + #""unit_of_meas":"\#(unit)","stat_cla":"measurement"}"#
}
let gasTopic = "homeassistant/sensor/mq/gas/config"
