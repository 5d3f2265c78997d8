import Bus
import Glibc
import System
import Testing

@Suite("The private broker")
struct BrokerTests {
    @Test("A stranger without credentials, or with those of nobody, does not enter")
    func strangers() async throws {
        try await House.run { house in
            let (host, port) = (house.broker.address.host, "\(house.broker.address.port)")
            for login in [[], ["-u", "nobody", "-P", "guess"], ["-u", Broker.hubName]] {
                let stranger = try await Child.start(
                    "/usr/bin/mosquitto_pub", ["-h", host, "-p", port, "-t", "soglia/s1/x", "-m", "x"] + login,
                    output: .none, errors: .none)
                #expect(await stranger.wait() != .exited(0))
            }
        }
    }

    @Test("A client says nothing outside its access list: nobody hears it")
    func cannotPublishElsewhere() async throws {
        try await House.run { house in
            let gate = try await house.client("gate", publish: ["soglia/s1/gate/+"])
            try await house.hub.listen(to: "soglia/+/#")
            gate.start()
            try await gate.expect(.connected)
            for topic in ["soglia/s1/other", "soglia/s2/gate/x", "soglia/s1/gate/x/y", "soglia/s1/gate", "elsewhere"] {
                try gate.publish(topic, [1], quality: .atLeastOnce)
            }
            try gate.publish("soglia/s1/gate/end", [])
            #expect(try await house.hub.read(upTo: "soglia/s1/gate/end").map(\.topic) == ["soglia/s1/gate/end"])
            await gate.stop()
        }
    }

    @Test("A client hears nothing outside its access list, whatever it subscribes to")
    func cannotHearElsewhere() async throws {
        try await House.run { house in
            let gate = try await house.client("gate", subscribe: ["soglia/s1/gate/#"])
            for filter in [
                "#", "+/#", "soglia/#", "soglia/s1/+/open", "soglia/s1/other", "soglia/+/gate/end",
                "soglia/s1/gate/end",
            ] {
                try gate.subscribe(filter)
            }
            gate.start()
            try await gate.expect(.connected)
            for topic in ["soglia/s1/other", "soglia/s2/gate/end", "soglia/s1/other/open", "soglia/s1"] {
                try house.hub.publish(topic, [1])
            }
            try house.hub.publish("soglia/s1/gate/end", [])
            #expect(Set(try await gate.read(upTo: "soglia/s1/gate/end").map(\.topic)) == ["soglia/s1/gate/end"])
            await gate.stop()
        }
    }

    @Test("A client may hear any filter that its access list covers")
    func hearsWithin() async throws {
        try await House.run { house in
            let gate = try await house.client("gate", subscribe: ["soglia/s1/#"])
            try gate.subscribe("soglia/s1/+/open")
            gate.start()
            try await gate.expect(.connected)
            try house.hub.publish("soglia/s1/gate/open", [1])
            #expect(try await gate.read(upTo: "soglia/s1/gate/open").count == 1)
            await gate.stop()
        }
    }

    @Test("A client cannot name clients: the broker's own topics are the hub's")
    func cannotControl() async throws {
        try await House.run { house in
            let gate = try await house.client("gate", publish: ["#"], subscribe: ["#"])
            let control = BrokerControl(client: gate)
            gate.start()
            try await gate.expect(.connected)
            // The broker acknowledges and ignores: so the answer never comes. That it was ignored is what matters.
            let attempt = Task {
                try? await control.addClient(username: "thief", password: "x", publish: ["#"], subscribe: ["#"])
            }
            try await Task.sleep(for: .milliseconds(200))
            #expect(try await house.control.clients() == ["gate": ""])
            attempt.cancel()
            await gate.stop()
        }
    }

    @Test("A client that is removed is cut off at once and does not come back")
    func removed() async throws {
        try await House.run { house in
            let gate = try await house.client("gate", publish: ["soglia/s1/#"])
            gate.start()
            try await gate.expect(.connected)
            let states = gate.states
            try await house.control.removeClient(username: "gate")
            _ = try await within("the cut") {
                for await state in states where state != .connected { return }
            }
            try await gate.expect(.disconnected(reason: "the broker refused the user name or the password"))
            #expect(try await house.control.clients() == [:])
            try await house.control.removeClient(username: "gate")
            await gate.stop()
        }
    }

    @Test("To add a client again replaces its password and its rights")
    func addedAgain() async throws {
        try await House.run { house in
            let old = try await house.client("gate", publish: ["soglia/s1/old"])
            old.start()
            try await old.expect(.connected)
            let new = try await house.client("gate", publish: ["soglia/s1/new"])
            try await old.expect(.disconnected(reason: "the broker refused the user name or the password"))
            try await house.hub.listen(to: "soglia/+/#")
            new.start()
            try await new.expect(.connected)
            try new.publish("soglia/s1/old", [])
            try new.publish("soglia/s1/new", [])
            #expect(try await house.hub.read(upTo: "soglia/s1/new").map(\.topic) == ["soglia/s1/new"])
            #expect(try await house.control.clients() == ["gate": ""])
            await old.stop()
            await new.stop()
        }
    }

    @Test(
        "A client can neither take the hub's name nor hide wildcards in its own",
        arguments: ["hub", "", "a/b", "+", "#", "%u", "è"])
    func badNames(name: String) async throws {
        try await House.run { house in
            await #expect(throws: BrokerError.refused("a client cannot have this name")) {
                try await house.control.addClient(username: name, password: "x", publish: [], subscribe: [])
            }
        }
    }

    @Test("Killed and started again it is the same broker: same port, same clients")
    func survivesKill() async throws {
        try await House.run { house in
            let gate = try await house.client("gate", publish: ["soglia/s1/#"])
            kill(try #require(await house.broker.processID), SIGKILL)
            _ = await house.broker.waitForEnd()
            try await house.broker.start()
            gate.start()
            try await gate.expect(.connected)
            await gate.stop()
            // Also in the hands of another program that opens the folder later.
            await house.broker.stop()
            let again = try Broker(folder: house.folder)
            #expect(again.address == house.broker.address)
            #expect(again.hubCredentials == house.broker.hubCredentials)
        }
    }

    @Test(
        "Where its list was left empty or half written, it is made anew, and a client that is added comes in",
        arguments: [0, 1, 2])
    func halfWritten(half: Int) async throws {
        try await House.run { house in
            let path = house.folder + "/" + Broker.clientsFile
            _ = try await house.client("gate", publish: ["soglia/s1/#"])
            let process = try #require(await house.broker.processID)
            kill(process, SIGKILL)
            _ = await house.broker.waitForEnd()
            // Asked before it knows of the loss, the hub would ask in vain.
            _ = try await house.hub.expectState("the loss of the broker") { $0 != .connected }
            let whole = try Files.read(path)
            #expect(String(decoding: whole, as: UTF8.self).contains("gate"))
            try Files.replace(
                path, with: Array(whole.prefix(whole.count * half / 2 - (half == 2 ? 1 : 0))), mode: 0o600)
            try await house.broker.start()
            try await house.hub.expect(.connected)
            #expect(try await house.control.clients() == [:])
            let gate = try await house.client("gate", publish: ["soglia/s1/#"])
            gate.start()
            try await gate.expect(.connected)
            await gate.stop()
        }
    }

    @Test("The list is asked for in parts, and says by which mark each was let in")
    func marks() async throws {
        try await House.run { house in
            for number in 1...7 {
                try await house.control.addClient(
                    username: "gate-\(number)", password: "x", publish: [], subscribe: [], mark: "mark \(number)")
            }
            try await house.control.addClient(
                username: "gate-3", password: "y", publish: [], subscribe: [], mark: "new")
            try await house.control.addClient(username: "gate-4", password: "y", publish: [], subscribe: [])
            let expected = [
                "gate-1": "mark 1", "gate-2": "mark 2", "gate-3": "new", "gate-4": "", "gate-5": "mark 5",
                "gate-6": "mark 6", "gate-7": "mark 7",
            ]
            for count in [1, 3, 8, 200] { #expect(try await house.control.clients(atOnce: count) == expected) }
        }
    }

    @Test("Stopped, it leaves no process behind, and its secrets are readable by nobody else")
    func leavesNothing() async throws {
        try await House.run { house in
            let process = try #require(await house.broker.processID)
            var status = stat()
            for file in ["hub.json", "dynamic-security.json", "mosquitto.conf"] {
                #expect(stat(house.folder + "/" + file, &status) == 0)
                #expect(status.st_mode & 0o077 == 0, "\(file)")
            }
            #expect(!Files.names(in: house.folder).contains("hub.hash"))
            await house.hub.stop()
            await house.broker.stop()
            #expect(kill(process, 0) == -1)
            #expect(await house.broker.processID == nil)
        }
    }

    @Test("A port that another program holds is told in words")
    func portTaken() async throws {
        try await House.run { house in
            let folder = house.folder + "-second"
            let port = house.broker.address.port
            #expect(throws: BrokerError.failed("another program listens on port \(port)")) {
                try Broker(folder: folder, port: port)
            }
            for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
            rmdir(folder)
        }
    }

    @Test("A password is in no description")
    func hidden() {
        let credentials = BusCredentials.random(username: "gate")
        #expect(credentials.password.utf8.count == 48)
        var dumped = ""
        dump(credentials, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), dumped] {
            #expect(!text.contains(credentials.password) && text.contains("gate"))
        }
    }

    @Test("An address is read from a URL, which holds no credentials")
    func addresses() {
        #expect(BusAddress(url: "mqtt://localhost") == BusAddress(host: "localhost", port: 1883))
        #expect(BusAddress(url: "mqtt://10.0.0.2:1884/") == BusAddress(host: "10.0.0.2", port: 1884))
        #expect(BusAddress(url: "mqtt://[::1]:1884")?.description == "mqtt://[::1]:1884")
        for bad in [
            "localhost", "http://x", "mqtt://", "mqtt://u:p@host", "mqtt://host:0", "mqtt://host:65536", "mqtt://host:",
            "mqtt://host:+1", "mqtt://host/x", "mqtt://[::1", "mqtt://a b", "mqtt://[[::1]:1884", "mqtt://[host]",
            "mqtt://ho]st", "mqtt://host:000001",
        ] {
            #expect(BusAddress(url: bad) == nil, "\(bad)")
        }
    }

    @Test("What is read is read again from its own text, also where a host is as long as it may be")
    func longAddresses() throws {
        for host in [
            String(repeating: "h", count: BusAddress.hostLimit), "[" + String(repeating: "1", count: 253) + "]",
        ] {
            let address = try #require(BusAddress(url: "mqtts://" + host))
            #expect(BusAddress(url: address.description) == address)
        }
        #expect(BusAddress(url: "mqtt://" + String(repeating: "h", count: BusAddress.hostLimit + 1)) == nil)
    }
}
