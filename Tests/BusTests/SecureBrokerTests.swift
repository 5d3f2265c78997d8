import Bus
import Glibc
import System
import Testing

private let hasOpenSSL = access("/usr/bin/openssl", X_OK) == 0

/// A broker with its proxy, which speaks TLS on another address of loopback that stands for the network.
private struct Outdoors {
    let folder: String
    let broker: Broker
    let proxy: BusProxy
    let hub: BusClient
    let control: BrokerControl
    let outside: BusAddress
    let fingerprint: [UInt8]

    static func run(_ test: (Outdoors) async throws -> Void) async throws {
        let folder = "/tmp/sgb-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try Files.makeFolder(folder)
        let fingerprint = try await makeIdentity(folder + "/identity.pem")
        let outside = try BusAddress(host: "127.0.0.2", port: TestPort.free(), isSecure: true)
        let broker = try Broker(folder: folder)
        try await broker.start()
        let proxy = try BusProxy(
            address: outside.host, port: outside.port, identity: folder + "/identity.pem", broker: broker.address,
            folder: folder)
        try await proxy.start()
        let hub = try BusClient(address: broker.address, credentials: broker.hubCredentials)
        let outdoors = Outdoors(
            folder: folder, broker: broker, proxy: proxy, hub: hub, control: BrokerControl(client: hub),
            outside: outside,
            fingerprint: fingerprint)
        let outcome: Result<Void, any Error>
        do {
            hub.start()
            try await hub.expect(.connected)
            try await test(outdoors)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await hub.stop()
        await proxy.stop()
        await broker.stop()
        for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
        rmdir(folder)
        try outcome.get()
    }

    /// By the real `openssl`; answers SHA-256 of the certificate.
    static func makeIdentity(_ path: String) async throws -> [UInt8] {
        let made = try await Child.start(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=bus", "-keyout", path + ".key", "-out", path + ".crt",
            ], output: .none, errors: .none)
        #expect(await made.wait() == .exited(0))
        try Files.replace(path, with: Files.read(path + ".key") + Files.read(path + ".crt"))
        let der = try await Child.start(
            "/usr/bin/openssl", ["x509", "-in", path, "-noout", "-fingerprint", "-sha256", "-out", path + ".print"],
            output: .none, errors: .none)
        #expect(await der.wait() == .exited(0))
        let digits = String(decoding: try Files.read(path + ".print"), as: UTF8.self).drop { $0 != "=" }.dropFirst()
        return digits.split { ":\n".contains($0) }.compactMap { UInt8($0, radix: 16) }
    }

    func client(_ name: String, known: BusClient.Acquaintance) async throws -> BusClient {
        let credentials = BusCredentials.random(username: name)
        try await control.addClient(
            username: name, password: credentials.password, publish: ["soglia/s1/\(name)"],
            subscribe: ["soglia/s1/\(name)/#"])
        return try BusClient(
            address: outside, credentials: credentials, known: known, backoff: .milliseconds(20) ... .seconds(1))
    }
}

extension BusClient {
    /// Waits until an attempt to connect has failed.
    fileprivate func expectLoss() async throws -> BusState {
        try await expectState("a refusal") {
            if case .disconnected(let reason) = $0 { reason != "not started" } else { false }
        }
    }
}

@Suite("The private broker over TLS", .enabled(if: hasOpenSSL, "needs openssl"))
struct SecureBrokerTests {
    @Test("A client that knows the broker's certificate is let in, and has the rights that it has on loopback")
    func known() async throws {
        try await Outdoors.run { house in
            let gate = try await house.client("gate", known: .fingerprint(house.fingerprint))
            try await house.hub.listen(to: "soglia/+/#")
            gate.start()
            try await gate.expect(.connected)
            #expect(gate.brokerFingerprint == house.fingerprint)
            try gate.publish("soglia/s1/other", [1], quality: .atLeastOnce)
            try gate.publish("soglia/s1/gate", [2], quality: .atLeastOnce)
            #expect(try await house.hub.read(upTo: "soglia/s1/gate").map(\.topic) == ["soglia/s1/gate"])
            await gate.stop()
        }
    }

    @Test("A broker with another certificate is left before it is told anything")
    func other() async throws {
        try await Outdoors.run { house in
            let wrong = [UInt8](repeating: 7, count: 32)
            let gate = try await house.client("gate", known: .fingerprint(wrong))
            gate.start()
            let state = try await gate.expectLoss()
            #expect("\(state)".contains("another certificate"), "\(state)")
            #expect(gate.brokerFingerprint == house.fingerprint)
            // The broker knows nobody of that name by now: it was never asked.
            try await house.hub.listen(to: "soglia/+/#")
            #expect(gate.state != .connected)
            await gate.stop()
        }
    }

    @Test("A stranger may look at the certificate first, and is let in with credentials alone")
    func stranger() async throws {
        try await Outdoors.run { house in
            let pairing = try await house.client("pair-1", known: .stranger)
            pairing.start()
            try await pairing.expect(.connected)
            #expect(pairing.brokerFingerprint == house.fingerprint)
            await pairing.stop()
            let thief = try BusClient(
                address: house.outside, credentials: BusCredentials(username: "pair-1", password: "guess"),
                known: .stranger)
            thief.start()
            try await thief.expect(.disconnected(reason: "the broker refused the user name or the password"))
            await thief.stop()
        }
    }

    @Test("Nobody talks TLS without saying to whom, and nobody comes in without TLS")
    func plain() async throws {
        try await Outdoors.run { house in
            #expect(throws: BusError.refused("nothing says which broker that is")) {
                try BusClient(address: house.outside, credentials: house.broker.hubCredentials)
            }
            let plain = try BusClient(
                address: BusAddress(host: house.outside.host, port: house.outside.port),
                credentials: house.broker.hubCredentials)
            plain.start()
            _ = try await plain.expectLoss()
            #expect(plain.brokerFingerprint == nil)
            await plain.stop()
            let indoors = try BusClient(
                address: BusAddress(host: house.outside.host, port: house.broker.address.port),
                credentials: BusCredentials(username: "x", password: "x"))
            indoors.start()
            let state = try await indoors.expectLoss()
            #expect("\(state)".contains("refused"), "\(state)")
            await indoors.stop()
        }
    }

    @Test("Killed and started again, the broker is found over TLS by those who know it, and what was retained is there")
    func comesBack() async throws {
        try await Outdoors.run { house in
            let gate = try await house.client("gate", known: .fingerprint(house.fingerprint))
            gate.start()
            try await gate.expect(.connected)
            try gate.publish("soglia/s1/gate", [5], quality: .atLeastOnce, retain: true)
            try await house.hub.listen(to: "soglia/s1/gate")
            let states = gate.states
            await house.broker.stop()
            _ = try await within("the loss") { for await state in states where state != .connected { return } }
            try await house.broker.start()
            try await gate.expect(.connected)
            try await house.hub.expect(.connected)
            let kept = try await house.hub.read(upTo: "soglia/s1/gate")
            #expect(kept.contains { $0.payload == [5] })
            await gate.stop()
        }
    }

    @Test("The proxy killed and started again is found by those who know it")
    func proxyComesBack() async throws {
        try await Outdoors.run { house in
            let gate = try await house.client("gate", known: .fingerprint(house.fingerprint))
            gate.start()
            try await gate.expect(.connected)
            let states = gate.states
            let old = try #require(await house.proxy.processID)
            kill(old, SIGKILL)
            #expect(await house.proxy.waitForEnd() == .killed(SIGKILL))
            _ = try await within("the loss") { for await state in states where state != .connected { return } }
            try await house.proxy.start()
            try await gate.expect(.connected)
            #expect(await house.proxy.processID != old)
            await gate.stop()
        }
    }

    @Test("Where nobody listens it is said at once, over TLS too")
    func nobody() async throws {
        try await Outdoors.run { house in
            await house.proxy.stop()
            let gate = try await house.client("gate", known: .fingerprint(house.fingerprint))
            gate.start()
            for _ in 0..<3 {
                guard case .disconnected(let reason) = try await gate.expectLoss() else { continue }
                #expect(reason != "the broker did not answer in time")
                try await gate.expect(.connecting)
            }
            await gate.stop()
        }
    }

    @Test("A port outside that another program holds is told in words, and nothing runs")
    func portTaken() async throws {
        try await Outdoors.run { house in
            let folder = house.folder + "-second"
            defer {
                for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
                rmdir(folder)
            }
            let second = try BusProxy(
                address: house.outside.host, port: house.outside.port, identity: house.folder + "/identity.pem",
                broker: house.broker.address, folder: folder)
            let error = await #expect(throws: BrokerError.self) { try await second.start() }
            #expect("\(String(describing: error))".contains("in use"), "\(String(describing: error))")
            #expect(await second.processID == nil)
        }
    }

    @Test("A folder of any name, and every address of the machine", arguments: ["it's #1 $HOME \\ \"x\"", "città"])
    func names(name: String) async throws {
        try await Outdoors.run { house in
            let folder = house.folder + "-" + name
            defer {
                for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
                rmdir(folder)
            }
            try Files.makeFolder(folder)
            try Files.replace(folder + "/identity.pem", with: Files.read(house.folder + "/identity.pem"))
            let port = try TestPort.free()
            let proxy = try BusProxy(
                address: "::", port: port, identity: folder + "/identity.pem", broker: house.broker.address,
                folder: folder)
            try await proxy.start()
            let credentials = BusCredentials.random(username: "gate")
            try await house.control.addClient(
                username: "gate", password: credentials.password, publish: [], subscribe: [])
            for host in ["127.0.0.3", "::1"] {
                let gate = try BusClient(
                    address: BusAddress(host: host, port: port, isSecure: true), credentials: credentials,
                    known: .fingerprint(house.fingerprint))
                gate.start()
                try await gate.expect(.connected)
                await gate.stop()
            }
            await proxy.stop()
        }
    }

    @Test("One network that holds all the connections it can get keeps out itself alone")
    func shares() async throws {
        try await Outdoors.run { house in
            var held: [Int32] = []
            defer { held.forEach { close($0) } }
            // As many as are open at a time, and what the kernel lets wait.
            for _ in 0..<600 {
                if let socket = Self.connect(from: "127.0.0.9", to: house.outside) { held.append(socket) }
            }
            let gate = try await house.client("gate", known: .fingerprint(house.fingerprint))
            gate.start()
            try await gate.expect(.connected)
            var byte: UInt8 = 0
            let open = held.filter { recv($0, &byte, 1, Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN }
            #expect(open.count <= 120, "two windows' worth at the most")
            await gate.stop()
        }
    }

    /// A connection that says nothing, from another address of loopback; nil when there is none.
    private static func connect(from: String, to: BusAddress) -> Int32? {
        func with(_ host: String, _ port: UInt16, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Bool {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            inet_pton(AF_INET, host, &address.sin_addr)
            return withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    call($0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if with(from, 0, { bind(socket, $0, $1) }), with(to.host, to.port, { Glibc.connect(socket, $0, $1) }) {
            return socket
        }
        close(socket)
        return nil
    }

    @Test("An address over TLS has a scheme and a port of its own")
    func addresses() {
        #expect(BusAddress(url: "mqtts://hub.local") == BusAddress(host: "hub.local", port: 8883, isSecure: true))
        #expect(BusAddress(url: "mqtts://[fd00::1]:99")?.description == "mqtts://[fd00::1]:99")
        #expect(
            BusAddress(hostAndPort: "10.0.0.2", usual: 8883, isSecure: true)?.description == "mqtts://10.0.0.2:8883")
        for bad in ["", ":1", "a b", "u@h", "h:0", "h:x", "[::1", "h/x"] {
            #expect(BusAddress(hostAndPort: bad, usual: 8883, isSecure: true) == nil, "\(bad)")
        }
    }
}
