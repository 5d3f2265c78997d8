import Ledger
import System
import Testing

@testable import Home

/// Whose descriptions are read next.
struct DiscoveryQueueTests {
    private func gateway(of site: SiteID) -> Gateway {
        Gateway(id: .new(at: noon), site: site, kind: .device, name: "Gateway")
    }

    private func say(_ count: Int, _ gateway: Gateway, _ queue: inout DiscoveryQueue) throws {
        for number in 0..<count {
            let topic = "homeassistant/sensor/s\(number)/config"
            try queue.take(.init(gateway: gateway, topic: topic, payload: [1]), digest: [UInt8(number % 256)], at: noon)
        }
    }

    @Test func `Houses take turns, and in a house its gateways, however much one of them says`() throws {
        var queue = DiscoveryQueue()
        let (loud, other) = (SiteID.new(at: noon), SiteID.new(at: noon))
        let (first, second, third) = (gateway(of: loud), gateway(of: loud), gateway(of: other))
        try say(1_000, first, &queue)
        try say(30, second, &queue)
        try say(1, third, &queue)
        var turns: [(GatewayID, Int)] = []
        while !queue.isEmpty {
            let batch = queue.next(128)
            #expect(Set(batch.map(\.gateway.id)).count == 1, "one transaction is about one house")
            turns.append((batch[0].gateway.id, batch.count))
        }
        #expect(turns.prefix(4).map(\.0) == [first.id, third.id, second.id, first.id])
        #expect(turns.prefix(4).map(\.1) == [128, 1, 30, 128])
        #expect(turns.reduce(0) { $0 + $1.1 } == 1_031)
        #expect(!queue.waits(for: first.id) && queue.next(128).isEmpty)
    }

    @Test func `What there was no time for comes before what came after it, and what was said anew stays`() throws {
        var queue = DiscoveryQueue()
        let gateway = gateway(of: .new(at: noon))
        try say(5, gateway, &queue)
        let batch = queue.next(3)
        let anew = DiscoveryQueue.Message(gateway: gateway, topic: batch[1].topic, payload: [2])
        try queue.take(anew, digest: [99], at: noon)
        queue.putBack(Array(batch.dropFirst()))
        let next = queue.next(10)
        #expect(next.map(\.topic).first == batch[2].topic)
        #expect(next.count == 4 && next.last?.payload == [2])
        queue.putBack([next[0]])
        #expect(queue.waits(for: gateway.id))
        #expect(queue.next(10).map(\.topic) == [batch[2].topic])
        #expect(queue.isEmpty)
    }
}
