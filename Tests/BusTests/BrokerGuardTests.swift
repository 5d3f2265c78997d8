import Bus
import Glibc
import System
import Testing

/// What one client can make the broker keep: by real MQTT packets, as a device would send them that means harm.
@Suite("What the broker keeps for a client")
struct BrokerGuardTests {
    /// MQTT as bytes on a connection of its own, for what no library sends.
    private struct Raw {
        let socket: Int32

        init(_ address: BusAddress, as name: String, _ password: String, version: UInt8 = 4, isClean: Bool = true)
            throws
        {
            socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var to = sockaddr_in()
            to.sin_family = sa_family_t(AF_INET)
            to.sin_port = address.port.bigEndian
            inet_pton(AF_INET, address.host, &to.sin_addr)
            let isConnected = withUnsafePointer(to: &to) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            try #require(isConnected)
            // Whatever goes wrong, no test hangs.
            var longest = timeval(tv_sec: 60, tv_usec: 0)
            for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                setsockopt(socket, SOL_SOCKET, option, &longest, socklen_t(MemoryLayout<timeval>.size))
            }
            let name = Self.text(name)
            let properties: [UInt8] = version == 5 ? [0] : []
            let head = Self.text("MQTT") + [version, isClean ? 0xc2 : 0xc0, 0, 60] + properties
            send(0x10, head + (isClean ? Self.text("") : Self.text("x")) + name + Self.text(password))
        }

        func close() { _ = Glibc.close(socket) }

        static func text(_ text: String) -> [UInt8] {
            [UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 0xff)] + Array(text.utf8)
        }

        func send(_ type: UInt8, _ body: [UInt8]) {
            var (packet, left) = ([type], body.count)
            repeat {
                packet.append(UInt8(left & 0x7f) | (left > 0x7f ? 0x80 : 0))
                left >>= 7
            } while left > 0
            packet += body
            var sent = 0
            while sent < packet.count {
                let count = packet[sent...].withUnsafeBytes {
                    Glibc.send(socket, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                sent += count
            }
        }

        /// The next packet; nil when there is none any more.
        func receive() -> (type: UInt8, body: [UInt8])? {
            guard let type = read(1)?.first else { return nil }
            var (length, shift) = (0, 0)
            while let byte = read(1)?.first {
                length |= Int(byte & 0x7f) << shift
                shift += 7
                if byte & 0x80 == 0 { return read(length).map { (type, $0) } }
            }
            return nil
        }

        private func read(_ count: Int) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: count)
            var got = 0
            while got < count {
                let more = bytes[got...].withUnsafeMutableBytes { recv(socket, $0.baseAddress!, $0.count, 0) }
                guard more > 0 else { return nil }
                got += more
            }
            return bytes
        }

        /// Subscribes to all of them at once, and answers which were let.
        func subscribe(_ filters: [String]) -> [Bool] {
            send(0x82, [0, 1] + filters.flatMap { Self.text($0) + [0] })
            while let packet = receive() {
                if packet.type == 0x90 { return packet.body.dropFirst(2).map { $0 != 0x80 } }
            }
            return []
        }

        func publish(_ topic: String, _ payload: [UInt8], isRetained: Bool = false) {
            send(isRetained ? 0x31 : 0x30, Self.text(topic) + payload)
        }

        /// Waits until the broker has taken all that came before.
        func ping() {
            send(0xc0, [])
            while let packet = receive(), packet.type != 0xd0 {}
        }
    }

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
            #expect(try await memory(house) < before + (90 << 20))
            try await house.hub.listen(to: Self.own + "#")
            let (hub, known) = (house.hub, Self.own + "0/" + deep)
            let (reader, isHeard) = (Task { try await hub.read(upTo: known).map(\.topic) }, Shared(false))
            let ending = Task {
                defer { isHeard.change { $0 = true } }
                return try await reader.value
            }
            // It has said more than it may for now.
            while !isHeard.value, !Task.isCancelled {
                for topic in [Self.own + "20001", known] { raw.publish(topic, [1], isRetained: true) }
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(
                try await ending.value.allSatisfy { $0 == known }, "what it has it may change, but have nothing new")
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

    @Test("The hub is told whose messages are dropped, and no other client is")
    func cut() async throws {
        try await run { house, connect in
            let other = try await house.client(
                "other", publish: ["soglia/s1/other/#"], subscribe: ["soglia/s1/other/#"])
            try other.subscribe("soglia/guard/#")
            try other.subscribe("soglia/s1/other/#")
            other.start()
            try await other.expect(.connected)
            // What it says itself there is heard by nobody.
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
            #expect(try heard.get().map { String(decoding: $0.payload, as: UTF8.self) } == ["device"])
            try house.hub.publish("soglia/s1/other/end", [], quality: .atLeastOnce)
            #expect(try await other.read(upTo: "soglia/s1/other/end").map(\.topic) == ["soglia/s1/other/end"])
            await other.stop()
        }
    }

    @Test("A client that does not read has no long messages of its own wait for it, and hears its short ones")
    func echo() async throws {
        try await run { house, connect in
            let raw = try connect(4, true)
            defer { raw.close() }
            #expect(raw.subscribe([Self.own + "#"]) == [true])
            let before = try await memory(house)
            for number in 0..<300 { raw.publish(Self.own + "\(number)", [UInt8](repeating: 1, count: 400_000)) }
            for size in [4_096, 4_097, 1] { raw.publish(Self.own + "size", [UInt8](repeating: 1, count: size)) }
            var sizes: [Int] = []
            while sizes.last != 1, let packet = raw.receive() {
                if packet.type == 0x30 { sizes.append(packet.body.count - 2 - (Self.own + "size").utf8.count) }
            }
            #expect(sizes == [4_096, 1])
            #expect(try await memory(house) < before + (60 << 20))
            // Others who may hear it do.
            try await house.hub.listen(to: Self.own + "#")
            raw.publish(Self.own + "long", [UInt8](repeating: 1, count: 100_000))
            #expect(try await house.hub.read(upTo: Self.own + "long").last?.payload.count == 100_000)
        }
    }
}
