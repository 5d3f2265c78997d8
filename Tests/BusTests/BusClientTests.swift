import Bus
import Glibc
import System
import Testing

@Suite("A client of the bus")
struct BusClientTests {
    @Test("What one publishes, another hears, once and unchanged")
    func hears() async throws {
        try await House.run { house in
            let gate = try await house.client("gate", subscribe: ["soglia/s1/gate/#"])
            try gate.subscribe("soglia/s1/gate/#", quality: .atLeastOnce)
            gate.start()
            try await gate.expect(.connected)
            try house.hub.publish("soglia/s1/gate/open", [0, 1, 255], quality: .atLeastOnce)
            try house.hub.publish("soglia/s1/gate/end", [])
            let heard = try await gate.read(upTo: "soglia/s1/gate/end")
            #expect(
                heard == [
                    BusMessage(topic: "soglia/s1/gate/open", payload: [0, 1, 255], isRetained: false),
                    BusMessage(topic: "soglia/s1/gate/end", payload: [], isRetained: false),
                ])
            await gate.stop()
        }
    }

    @Test("Who need not hear itself hears others there, and what was kept of its own words when it asks")
    func hearsOthers() async throws {
        try await House.run { house in
            // The guard lets no others speak version 5.
            let part = try await house.client(
                "hub-part", publish: ["soglia/s1/#"], subscribe: ["soglia/s1/#"], version: .five)
            part.start()
            try await part.expect(.connected)
            try part.subscribeOnce("soglia/s1/quiet/#", hearsItself: false)
            try part.subscribeOnce("soglia/s1/loud/#")
            try part.publish("soglia/s1/quiet/state", [1], quality: .atLeastOnce, retain: true)
            try part.publish("soglia/s1/loud/state", [2], quality: .atLeastOnce, retain: true)
            #expect(try await part.settle(within: patience))
            try house.hub.publish("soglia/s1/quiet/end", [3], quality: .atLeastOnce)
            #expect(
                try await part.read(upTo: "soglia/s1/quiet/end") == [
                    BusMessage(topic: "soglia/s1/loud/state", payload: [2], isRetained: false),
                    BusMessage(topic: "soglia/s1/quiet/end", payload: [3], isRetained: false),
                ])
            try part.subscribeOnce("soglia/s1/quiet/#", hearsItself: false)
            #expect(
                try await part.read(upTo: "soglia/s1/quiet/state") == [
                    BusMessage(topic: "soglia/s1/quiet/state", payload: [1], isRetained: true)
                ])
            await part.stop()
        }
    }

    @Test("A retained state reaches who subscribes later, and says that it is retained")
    func retained() async throws {
        try await House.run { house in
            try house.hub.publish("soglia/s1/state", [7], quality: .atLeastOnce, retain: true)
            let gate = try await house.client("gate", subscribe: ["soglia/s1/#"])
            try gate.subscribe("soglia/s1/#")
            gate.start()
            let heard = try await gate.read(upTo: "soglia/s1/state")
            #expect(heard == [BusMessage(topic: "soglia/s1/state", payload: [7], isRetained: true)])
            await gate.stop()
        }
    }

    @Test(
        "Who notes what arrives, and who converses with the broker, is called as directly for the last message as for the first"
    )
    func depth() async throws {
        try await House.run { house in
            let depths = Shared<[UInt]>([])
            let gate = try await house.client("gate", subscribe: ["soglia/s1/gate/#"])
            gate.note { _, _, _ in
                // Where the stack stands.
                var here: UInt8 = 0
                let depth = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
                depths.change { $0.append(depth) }
            }
            try gate.subscribe("soglia/s1/gate/#", quality: .atLeastOnce)
            gate.start()
            try await gate.expect(.connected)
            for number in 1...2_000 {
                try house.hub.publish("soglia/s1/gate/open", [1], quality: .atLeastOnce)
                // The broker drops what a subscriber has not taken.
                if number % 50 == 0 { #expect(await eventually { depths.value.count >= number }) }
            }
            let all = depths.value
            let (highest, lowest) = (try #require(all.max()), try #require(all.min()))
            #expect(highest - lowest < 4_096, "each call stands deeper in the stack than the one before")
            await gate.stop()
        }
    }

    @Test("20,000 messages arrive in batches, in order, none dropped")
    func batches() async throws {
        try await House.run { house in
            // No device says so much: a part of the hub does.
            let sender = try await house.client("hub-sender", publish: ["soglia/s1/#"])
            sender.start()
            try await sender.expect(.connected)
            try await house.hub.listen(to: "soglia/s1/#")
            let (hub, heard) = (house.hub, Shared(0))
            let reader = Task {
                try await within("20,000 messages") {
                    var (numbers, batchCount): ([Int], Int) = ([], 0)
                    for await batch in hub.batches {
                        batchCount += 1
                        numbers += batch.filter { $0.payload.count == 4 }.map { message in
                            message.payload.reduce(0) { $0 << 8 | Int($1) }
                        }
                        let count = numbers.count
                        heard.change { $0 = count }
                        if batch.last?.topic == "soglia/s1/end" { break }
                    }
                    return (numbers, batchCount)
                }
            }
            for number in 0..<20_000 {
                try sender.publish("soglia/s1/reading", withUnsafeBytes(of: UInt32(number).bigEndian, Array.init))
                // The broker drops at QoS 0 what a subscriber's socket does not take at once: never more than a few on their way.
                if number % 500 == 499 { #expect(await eventually { heard.value > number - 500 }) }
            }
            try sender.publish("soglia/s1/end", [])
            let (numbers, batchCount) = try await reader.value
            #expect(numbers == Array(0..<20_000))
            #expect(batchCount < 20_000)
            #expect(house.hub.dropped == 0)
            await sender.stop()
        }
    }

    @Test(
        "A wrong password is refused in words, and the client goes on trying",
        arguments: [BusClient.Version.three, .five])
    func wrongPassword(_ version: BusClient.Version) async throws {
        try await House.run { house in
            _ = try await house.client("gate")
            let liar = try BusClient(
                address: house.broker.address, credentials: BusCredentials(username: "gate", password: "guess"),
                version: version,
                backoff: .milliseconds(20) ... .milliseconds(50))
            liar.start()
            try await liar.expect(.disconnected(reason: "the broker refused the user name or the password"))
            try await liar.expect(.connecting)
            #expect(throws: BusError.notConnected) { try liar.publish("soglia/s1/x", []) }
            await liar.stop()
        }
    }

    @Test("A broker that is not there is told in words")
    func nobodyThere() async throws {
        let client = try BusClient(
            address: BusAddress(host: "127.0.0.1", port: 1), credentials: .random(username: "gate"))
        client.start()
        try await client.expect(.disconnected(reason: "Connection refused"))
        await client.stop()
    }

    @Test("After the broker is killed and started again, the client reconnects, subscribes again and hears again")
    func reconnects() async throws {
        try await House.run { house in
            let gate = try await house.client("gate", publish: ["soglia/s1/#"], subscribe: ["soglia/s1/#"])
            try gate.subscribe("soglia/s1/open")
            gate.start()
            try await gate.expect(.connected)
            let address = house.broker.address
            kill(try #require(await house.broker.processID), SIGKILL)
            #expect(await house.broker.waitForEnd() == .killed(SIGKILL))
            for client in [gate, house.hub] {
                _ = try await client.expectState("loss") { $0 != .connected }
            }
            #expect(throws: BusError.notConnected) { try house.hub.publish("soglia/s1/open", [1]) }
            try await house.broker.start()
            #expect(house.broker.address == address)
            for client in [gate, house.hub] { try await client.expect(.connected) }
            try house.hub.publish("soglia/s1/open", [2])
            #expect(try await gate.read(upTo: "soglia/s1/open").map(\.payload) == [[2]])
            await gate.stop()
        }
    }

    @Test("A will is published when the client vanishes, and not when it says farewell")
    func will() async throws {
        try await House.run { house in
            try await house.hub.listen(to: "soglia/s1/#")
            for (name, isPolite) in [("polite", true), ("rude", false)] {
                let credentials = BusCredentials.random(username: name)
                try await house.control.addClient(
                    username: name, password: credentials.password, publish: ["soglia/s1/#"], subscribe: [])
                let client = try BusClient(
                    address: house.broker.address, credentials: credentials,
                    will: BusClient.Will(topic: "soglia/s1/\(name)", payload: [0], retain: false))
                client.start()
                try await client.expect(.connected)
                if isPolite {
                    await client.stop()
                } else {
                    // A second connection of the same name: the broker throws the first out.
                    let second = try BusClient(address: house.broker.address, credentials: credentials)
                    second.start()
                    try await second.expect(.connected)
                    await client.stop()
                    await second.stop()
                }
            }
            // Perhaps twice: the first comes back and throws out the second.
            #expect(Set(try await house.hub.read(upTo: "soglia/s1/rude").map(\.topic)) == ["soglia/s1/rude"])
        }
    }

    @Test("All that was published before a client stops arrives, more than may be on its way at a time, too")
    func lastWords() async throws {
        try await House.run { house in
            try await house.hub.listen(to: "soglia/s1/#")
            let gate = try await house.client("gate", publish: ["soglia/s1/#"])
            gate.start()
            try await gate.expect(.connected)
            for number in 1...200 {
                try gate.publish("soglia/s1/gate/\(number)", [1], quality: .atLeastOnce, retain: true)
            }
            await gate.stop()
            #expect(throws: BusError.notConnected) {
                try gate.publish("soglia/s1/gate/201", [1], quality: .atLeastOnce)
            }
            try house.hub.publish("soglia/s1/end", [])
            let heard = try await house.hub.read(upTo: "soglia/s1/end").dropLast().map(\.topic)
            #expect(heard.count == 200)
            #expect(heard == (1...200).map { "soglia/s1/gate/\($0)" })
        }
    }

    @Test("What was published before it settled is heard by who is shut out by somebody else afterwards")
    func settles() async throws {
        try await House.run { house in
            let speaker = try await house.client("speaker", publish: ["soglia/s1/#"])
            speaker.start()
            try await speaker.expect(.connected)
            for round in 0..<10 {
                let gate = try await house.client("gate\(round)", subscribe: ["soglia/s1/#"])
                gate.start()
                try await gate.expect(.connected)
                // Kept by the broker, it comes with the subscription.
                try speaker.publish("soglia/s1/here", [1], quality: .atLeastOnce, retain: true)
                #expect(try await speaker.settle(within: .seconds(60)))
                try gate.subscribe("soglia/s1/#")
                _ = try await gate.read(upTo: "soglia/s1/here")
                try speaker.publish("soglia/s1/\(round)", [], quality: .atLeastOnce)
                #expect(try await speaker.settle(within: .seconds(60)))
                try await house.control.removeClient(username: "gate\(round)")
                _ = try await gate.read(upTo: "soglia/s1/\(round)")
                await gate.stop()
            }
            await speaker.stop()
        }
    }

    @Test("A payload of the longest length passes, one byte more is refused before it is sent")
    func longPayloads() async throws {
        try await House.run { house in
            let longest = [UInt8](repeating: 1, count: BusClient.payloadLimit)
            try await house.hub.listen(to: "soglia/s1/#")
            try house.hub.publish("soglia/s1/long", longest)
            #expect(throws: BusError.payloadTooLong) { try house.hub.publish("soglia/s1/long", longest + [1]) }
            #expect(try await house.hub.read(upTo: "soglia/s1/long").last?.payload.count == longest.count)
        }
    }

    @Test("A longer payload that somebody else sends is dropped and counted")
    func longPayloadArrives() async throws {
        try await House.run { house in
            let credentials = BusCredentials.random(username: "other")
            try await house.control.addClient(
                username: "other", password: credentials.password, publish: ["soglia/s1/#"], subscribe: [])
            try await house.hub.listen(to: "soglia/s1/#")
            let path = house.folder + "/long"
            try Files.replace(path, with: [UInt8](repeating: 1, count: BusClient.payloadLimit + 1))
            let other = try await Child.start(
                "/usr/bin/mosquitto_pub",
                [
                    "-h", house.broker.address.host, "-p", "\(house.broker.address.port)", "-u", "other", "-i", "other",
                    "-P", credentials.password, "-t", "soglia/s1/long", "-f", path,
                ])
            #expect(await other.wait() == .exited(0))
            try house.hub.publish("soglia/s1/end", [])
            let heard = try await house.hub.read(upTo: "soglia/s1/end")
            #expect(heard.map(\.topic) == ["soglia/s1/end"])
            #expect(house.hub.dropped == 1)
        }
    }

    @Test("A slow broker does not fill the memory: beyond the limit publishing is refused")
    func slowBroker() async throws {
        try await House.run { house in
            let process = try #require(await house.broker.processID)
            kill(process, SIGSTOP)
            defer { kill(process, SIGCONT) }
            let payload = [UInt8](repeating: 1, count: BusClient.payloadLimit)
            #expect(throws: BusError.tooManyWaiting) {
                // What the sockets' buffers hold comes on top of the limit.
                for _ in 0...(4 * BusClient.outgoingLimit / payload.count) {
                    try house.hub.publish("soglia/s1/x", payload)
                }
            }
        }
    }

    @Test(
        "A topic with wildcards, of the broker's own, empty or too long is refused",
        arguments: [
            "soglia/+/x", "soglia/#", "$SYS/x", "$CONTROL/dynamic-security/v1", "", "a\0b",
            String(repeating: "x", count: 513),
        ])
    func badTopics(topic: String) async throws {
        let client = try BusClient(address: BusAddress(host: "127.0.0.1"), credentials: .random(username: "gate"))
        #expect(throws: BusError.badTopic) { try client.publish(topic, []) }
        #expect(throws: BusError.badTopic) {
            try BusClient(
                address: client.address, credentials: .random(username: "gate"),
                will: BusClient.Will(topic: topic, payload: [], retain: false))
        }
    }

    @Test("A filter whose wildcards are not whole levels is refused", arguments: ["a/b+", "a/#/b", "a#", "$SYS/#", ""])
    func badFilters(filter: String) throws {
        let client = try BusClient(address: BusAddress(host: "127.0.0.1"), credentials: .random(username: "gate"))
        #expect(throws: BusError.badFilter) { try client.subscribe(filter) }
        try client.subscribe("+/a/+/#")
    }

    @Test("A client that never started can be stopped, and its streams end")
    func neverStarted() async throws {
        let client = try BusClient(address: BusAddress(host: "127.0.0.1"), credentials: .random(username: "gate"))
        let states = client.states
        await client.stop()
        await client.stop()
        for await batch in client.batches { Issue.record("unexpected \(batch)") }
        var last: BusState?
        for await state in states { last = state }
        #expect(last == .disconnected(reason: "stopped"))
    }
}
