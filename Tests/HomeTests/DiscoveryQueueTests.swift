import Identity
import Ledger
import System
import Testing

@testable import Home
@testable import Household

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

    @Test func `A gateway may change so much at once, and one sensor more a second, whatever the clock does`() throws {
        var queue = DiscoveryQueue(news: 10)
        let (loud, other) = (gateway(of: .new(at: noon)), gateway(of: .new(at: noon)))
        for gateway in [loud, other] { try say(2, gateway, &queue) }
        let (first, next) = (queue.next(2), queue.next(2)[0])
        #expect(first[0].gateway.id == loud.id && next.gateway.id == other.id)
        func holds(_ message: DiscoveryQueue.Message, after milliseconds: Int64 = 0) -> Bool {
            queue.holds(message, at: noon.adding(milliseconds: milliseconds))
        }
        queue.read(first[0].place, 9, at: noon)
        #expect(!holds(first[1]))
        queue.read(first[0].place, 64, at: noon)
        #expect(holds(first[0]) && holds(first[1]))
        #expect(!holds(next), "of another gateway")
        #expect(holds(first[1], after: 63_000))
        #expect(!holds(first[1], after: 63_001))
        // Set back by a day, the clock has nobody wait for a day.
        queue.read(first[0].place, 1, at: noon.adding(milliseconds: -86_400_000))
        #expect(!holds(first[1], after: 2_001 - 86_400_000))
    }

    @Test func `What there was no room for is read again once it may fit, and not before`() throws {
        var queue = DiscoveryQueue()
        let gateway = gateway(of: .new(at: noon))
        try say(2, gateway, &queue)
        let places = queue.next(2).map(\.place)
        for (place, time) in zip(places, [1, 0] as [Int64]) {
            queue.lack(.init(parts: 3, isDevice: false), place, at: noon.adding(milliseconds: time))
        }
        func later(_ time: Int64) -> Timestamp { noon.adding(milliseconds: DiscoveryQueue.calm + time) }
        #expect(queue.lacking(at: later(-1)).isEmpty)
        #expect(queue.lacking(at: later(0)).map(\.place) == [places[1]])
        #expect(queue.lacking(at: later(1)).map(\.place) == [places[1], places[0]], "what waits longest first")
        try say(2, gateway, &queue)
        #expect(queue.isEmpty, "said again it is not read in vain")
        queue.offer(places[0])
        #expect(queue.lacking(at: later(1)).map(\.place) == [places[1]])
        try say(2, gateway, &queue)
        #expect(queue.next(2).map(\.place) == [places[0]])
        queue.lack(nil, places[0], at: later(1))
        try say(2, gateway, &queue)
        #expect(queue.isEmpty, "what is withheld meanwhile is not read without end")
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
