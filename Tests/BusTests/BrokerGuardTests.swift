import Bus
import Glibc
import System
import Testing

/// What one client can make the broker keep: by real MQTT packets, as a device would send them that means harm.
@Suite("What the broker keeps for a client")
struct BrokerGuardTests {
    private static let own = "soglia/s1/device/"

    private func run(_ test: (House, _ connect: (UInt8, Bool) throws -> Raw) async throws -> Void) async throws {
        try await House.run { house in
            let credentials = BusCredentials.random(username: "device")
            try await house.control.addClient(
                username: "device", password: credentials.password, publish: [Self.own + "#"],
                subscribe: [Self.own + "#"])
            try await test(house) { version, isClean in
                try Raw(
                    house.broker.address, as: "device", credentials.password, version: version, isClean: isClean)
            }
        }
    }

    private func memory(_ house: House) async throws -> Int {
        let process = try #require(await house.broker.processID)
        let status = String(decoding: try Files.read("/proc/\(process)/status"), as: UTF8.self)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) }) << 10
    }

    @Test("MQTT 3.1.1 comes in, and 5 does not: its properties would not be counted", arguments: [4, 5] as [UInt8])
    func versions(version: UInt8) async throws {
        try await run { _, connect in
            let raw = try connect(version, true)
            defer { raw.close() }
            let answer = try #require(raw.receive())
            #expect(answer.type == 0x20 && (answer.body[1] == 0) == (version == 4))
        }
    }

    @Test("A filter or topic of 16 levels is let, one of 17 is not, nor one of 513 bytes")
    func depth() async throws {
        try await run { house, connect in
            let raw = try connect(4, true)
            defer { raw.close() }
            func levels(_ count: Int) -> String {
                Self.own + Array(repeating: "a", count: count - 3).joined(separator: "/")
            }
            func bytes(_ count: Int) -> String { Self.own + String(repeating: "b", count: count - Self.own.utf8.count) }
            #expect(raw.subscribe([levels(16), levels(17), bytes(512), bytes(513)]) == [true, false, true, false])
            try await house.hub.listen(to: Self.own + "#")
            for topic in [levels(17), bytes(513), levels(16), bytes(512)] { raw.publish(topic, [1]) }
            raw.publish(Self.own + "end", [1])
            let heard = try await house.hub.read(upTo: Self.own + "end").map(\.topic)
            #expect(heard == [levels(16), bytes(512), Self.own + "end"])
        }
    }

    @Test("Five hundred filters are let, and kept filters count over connections", arguments: [true, false])
    func filters(isClean: Bool) async throws {
        try await run { _, connect in
            var granted = 0
            for round in 0..<4 {
                let raw = try connect(4, isClean)
                defer { raw.close() }
                let filters = (0..<200).map { Self.own + "\(round)/\($0)" }
                granted += raw.subscribe(filters).count { $0 }
            }
            #expect(granted == (isClean ? 800 : 512))
        }
    }

    @Test("A hub that asks again and again what is kept, of more than all others may, is heard")
    func hub() async throws {
        try await House.run { house in
            for part in ["hub", "hub-home"] {
                let client =
                    part == "hub"
                    ? house.hub : try await house.client(part, publish: ["soglia/#"], subscribe: ["soglia/#"])
                if part != "hub" {
                    client.start()
                    try await client.expect(.connected)
                }
                for _ in 0..<2 { for number in 0..<600 { try client.subscribe("soglia/s1/\(number)/#") } }
                try await client.listen(to: "soglia/s2/#")
                #expect(client.state == .connected)
                if part != "hub" { await client.stop() }
            }
        }
    }

    @Test("Twenty long lists of deep filters leave the broker as it was")
    func deepFilters() async throws {
        try await run { house, connect in
            let before = try await memory(house)
            let raw = try connect(4, true)
            defer { raw.close() }
            for round in 0..<20 {
                let deep = String(repeating: "a/", count: 190)
                #expect(raw.subscribe((0..<1_000).map { Self.own + "\(round)-\($0)/" + deep }).allSatisfy { !$0 })
            }
            #expect(try await memory(house) < before + (20 << 20))
        }
    }

    @Test("Topics on which something is retained, and cleared, are counted for good")
    func retained() async throws {
        try await run { house, connect in
            let before = try await memory(house)
            let raw = try connect(4, true)
            defer { raw.close() }
            let deep = Array(repeating: "a", count: 12).joined(separator: "/")
            for number in 0..<20_000 { raw.publish(Self.own + "\(number)/" + deep, [], isRetained: true) }
            raw.ping()
            #expect(try await memory(house) < before + (30 << 20))
            // A new one is told, for it may be an alarm, and not kept; what is known may change.
            let (new, known) = (Self.own + "20001/" + deep, Self.own + "0/" + deep)
            try await house.hub.listen(to: Self.own + "#")
            let (hub, isHeard) = (house.hub, Shared(false))
            let reader = Task {
                defer { isHeard.change { $0 = true } }
                return try await hub.read(upTo: known).map(\.topic)
            }
            // It has said more than it may for now.
            while !isHeard.value {
                for topic in [new, known] { raw.publish(topic, [1], isRetained: true) }
                try await Task.sleep(for: .milliseconds(10))
            }
            raw.ping()
            #expect(try await Set(reader.value).isSubset(of: [new, known]))
            let later = try await house.client("hub-later", subscribe: [Self.own + "#"])
            later.start()
            try await later.expect(.connected)
            try later.subscribe(known)
            try later.subscribe(Self.own + "20001/#")
            try house.hub.publish(Self.own + "20001/end", [1], quality: .atLeastOnce, retain: true)
            let kept = try await later.read(upTo: Self.own + "20001/end").map(\.topic)
            #expect(kept.contains(known) && !kept.contains(new))
            await later.stop()
        }
    }

    @Test("What a client retained is told again and again without being counted as its words")
    func toldAgain() async throws {
        try await run { house, connect in
            let raw = try connect(4, true)
            defer { raw.close() }
            for number in 0..<3_000 { raw.publish(Self.own + "\(number)", [1], isRetained: true) }
            raw.ping()
            for round in 0..<4 {
                let part = try await house.client("hub-\(round)", subscribe: [Self.own + "#"])
                part.start()
                try await part.expect(.connected)
                try part.subscribe(Self.own + "#")
                let batches = part.batches
                let heard = try await within("what is kept") {
                    var heard: Set<String> = []
                    for await batch in batches {
                        heard.formUnion(batch.map(\.topic))
                        if heard.count == 3_000 { break }
                    }
                    return heard.count
                }
                #expect(heard == 3_000)
                await part.stop()
            }
            try await house.hub.listen(to: Self.own + "now")
            raw.publish(Self.own + "now", [1])
            #expect(try await house.hub.read(upTo: Self.own + "now").count == 1)
        }
    }

    @Test("A client that says as much as it can keeps no other client's word from the hub")
    func flood() async throws {
        try await run { house, connect in
            let calm = try await house.client("calm", publish: ["soglia/s1/calm/#"])
            calm.start()
            try await calm.expect(.connected)
            let raw = try connect(4, true)
            defer { raw.close() }
            try await house.hub.listen(to: "soglia/#")
            let (hub, isOver) = (house.hub, Shared(false))
            let isStill = Shared(false)
            Thread.start(name: "flood") {
                while !isOver.value { for _ in 0..<1_000 { raw.publish(Self.own + "x", [1]) } }
                isStill.change { $0 = true }
            }
            for number in 0..<200 {
                try calm.publish("soglia/s1/calm/\(number)", [1], quality: .atLeastOnce)
                try await Task.sleep(for: .milliseconds(2))
            }
            try calm.publish("soglia/s1/calm/end", [1], quality: .atLeastOnce)
            let reading = Task { try await hub.read(upTo: "soglia/s1/calm/end").map(\.topic) }
            let heard = await reading.result
            isOver.change { $0 = true }
            try #require(await eventually { isStill.value })
            #expect(try heard.get().filter { $0.hasPrefix("soglia/s1/calm/") }.count == 201)
            await calm.stop()
        }
    }

    @Test("The broker names a client whose messages it drops to the hub, and to no other client")
    func cut() async throws {
        try await run { house, connect in
            let other = try await house.client(
                "other", publish: ["soglia/s1/other/#"], subscribe: ["soglia/s1/other/#"])
            try other.subscribe("soglia/guard/#")
            try other.subscribe("soglia/s1/other/#")
            other.start()
            try await other.expect(.connected)
            // The hub does not hear what this client says there.
            try other.publish(Broker.cutTopic, Array("other".utf8), quality: .atLeastOnce)
            try await house.hub.listen(to: "soglia/guard/#")
            let raw = try connect(4, true)
            defer { raw.close() }
            let isOver = Shared(false)
            let isStill = Shared(false)
            Thread.start(name: "flood") {
                while !isOver.value { for _ in 0..<1_000 { raw.publish(Self.own + "x", [1]) } }
                isStill.change { $0 = true }
            }
            let reading = Task { [hub = house.hub] in try await hub.read(upTo: Broker.cutTopic) }
            let heard = await reading.result
            isOver.change { $0 = true }
            try #require(await eventually { isStill.value })
            #expect(try Set(heard.get().map { String(decoding: $0.payload, as: UTF8.self) }) == ["device"])
            try house.hub.publish("soglia/s1/other/end", [], quality: .atLeastOnce)
            #expect(try await other.read(upTo: "soglia/s1/other/end").map(\.topic) == ["soglia/s1/other/end"])
            await other.stop()
        }
    }

    @Test(
        "A client that does not read has no long messages of its own wait for it, and hears its short ones",
        arguments: [false, true])
    func echo(isRetained: Bool) async throws {
        try await run { house, connect in
            let raw = try connect(4, true)
            defer { raw.close() }
            #expect(raw.subscribe([Self.own + "#"]) == [true])
            let before = try await memory(house)
            let size = Self.own + "size"
            for _ in 0..<300 { raw.publish(size, [UInt8](repeating: 1, count: 400_000), isRetained: isRetained) }
            for length in [4_096, 4_097, 1] {
                raw.publish(size, [UInt8](repeating: 1, count: length), isRetained: isRetained)
            }
            #expect(sizes(heardBy: raw, on: size, upTo: 1) == [4_096, 1])
            #expect(try await memory(house) < before + (60 << 20))
            // Others that may hear it do, and so does the client what was kept, when it asks.
            try await house.hub.listen(to: Self.own + "#")
            raw.publish(Self.own + "long", [UInt8](repeating: 1, count: 100_000), isRetained: true)
            #expect(try await house.hub.read(upTo: Self.own + "long").last?.payload.count == 100_000)
            #expect(raw.subscribe([Self.own + "long"]) == [true])
            #expect(sizes(heardBy: raw, on: Self.own + "long", upTo: 100_000) == [100_000])
        }
    }

    @Test("A long message of QoS 2, which waits between two packets, is refused, and the broker names its client")
    func exactlyOnce() async throws {
        try await run { house, connect in
            let raw = try connect(4, true)
            defer { raw.close() }
            #expect(raw.subscribe([Self.own + "#"]) == [true])
            try await house.hub.listen(to: Broker.cutTopic)
            let size = Self.own + "size"
            for (id, length) in [4_097, 4_096].enumerated() {
                raw.send(0x34, Raw.text(size) + [0, UInt8(id + 1)] + [UInt8](repeating: 1, count: length))
            }
            raw.ping()
            // Another word in between.
            #expect(try await house.hub.read(upTo: Broker.cutTopic).map(\.payload) == [Array("device".utf8)])
            for id in 1...2 { raw.send(0x62, [0, UInt8(id)]) }
            raw.ping { packet in
                #expect(packet.type != 0x30 || packet.body.count == 2 + size.utf8.count + 4_096)
            }
            raw.publish(size, [1])
            #expect(sizes(heardBy: raw, on: size, upTo: 1).last == 1)
        }
    }

    private func sizes(heardBy raw: Raw, on topic: String, upTo last: Int) -> [Int] {
        var sizes: [Int] = []
        while sizes.last != last, let packet = raw.receive() {
            if packet.type & 0xf0 == 0x30 { sizes.append(packet.body.count - 2 - topic.utf8.count) }
        }
        return sizes
    }
}
