import Accounts
import Bus
import Crypto
import Glibc
import HTTPServer
import Identity
import Ledger
import System
import TestSupport
import Testing
import Wire

@testable import Gates
@testable import Home
@testable import Household

/// The broker's list of whom it lets in, and what the house says of that.
struct BrokerListTests {
    /// Whether a client is cut off from now on, until it is stopped.
    private func watch(_ client: BusClient) -> Shared<Bool> {
        let (wasCut, states) = (Shared(false), client.states)
        Task { for await state in states { if case .disconnected = state { wasCut.change { $0 = true } } } }
        return wasCut
    }

    @Test func `A device that the broker removes after all comes back, since it is still in use`() async throws {
        try await TestHouse.runWithBroker { house, bus in
            let (parts, gateway) = (house.parts, house.gateway)
            parts.given.pairing!.use(PairedGateways(desk: parts.gatewayDesk))
            try await bus.begin(parts.makeIntake())
            try await parts.given.pairing!.admit(gateway.way, gateway.key!)
            let device = try await bus.connect(
                BusCredentials(username: gateway.username, password: BusNames.password(key: gateway.key!)))
            let wasCut = watch(device)
            let broker = try #require(await bus.broker.processID)
            kill(broker, SIGSTOP)
            defer { kill(broker, SIGCONT) }
            let desk = parts.gatewayDesk
            let refusal = await #expect(throws: Problem.self) {
                try await desk.retire(gateway.id, at: house.site.id, by: .new(at: noon))
            }
            #expect(refusal?.status == 503)
            #expect(parts.registry.catalog.gateways[gateway.id] != nil)
            kill(broker, SIGCONT)
            #expect(await eventually { wasCut.value && device.state == .connected })
        }
    }

    @Test func `Whatever was cut off between the house and the broker, its list says in the end what the house says`()
        async throws
    {
        try await TestHouse.runWithBroker { house, bus in
            let (parts, gateway) = (house.parts, house.gateway)
            let (client, control) = (parts.given.bus!.client, parts.given.bus!.control)
            // A desk of its own: the hub's looks at the list when it connects, which may be at any moment of the test.
            let pairing = PairingDesk(
                gates: parts.given.gates, bus: client, control: control, address: bus.broker.address,
                identity: Random.bytes(32))
            pairing.use(PairedGateways(desk: parts.gatewayDesk))
            try await bus.begin(parts.makeIntake())
            func credentials(_ key: Key) -> BusCredentials {
                BusCredentials(username: gateway.username, password: BusNames.password(key: key))
            }
            // Renewed, and the hub was killed before the broker was told; taken out of use, the same; and one that is not ours.
            let old = Key([UInt8](repeating: 9, count: 32))!
            try await pairing.admit(gateway.way, old)
            let stranger = BusNames.username(gateway: ID16(Random.bytes(16))!)
            for name in [stranger, "another"] {
                try await control.addClient(username: name, password: "x", publish: [], subscribe: [])
            }
            let device = try await bus.connect(credentials(old))
            try await pairing.restore()
            #expect(await eventually { device.state != .connected && device.isUnknown })
            let comesIn = try await bus.connect(credentials(gateway.key!))
            let wasCut = watch(comesIn)
            let listed = try await control.clients()
            #expect(listed[stranger] == nil && listed["another"] != nil && listed["hub-home"] != nil)
            // Who is in by what the house says is not cut off by a look at the list.
            try await pairing.restore()
            try await pairing.restore()
            #expect(comesIn.state == .connected && !wasCut.value)
        }
    }

    /// Takes a box out of use as soon as its key is written, before the broker lets it in.
    private struct Retiring: Pairable {
        let boxes: PairedGateways
        let person: PersonID
        let isOn: Bool
        let hasAccepted = Shared(false)

        var kind: String { boxes.kind }
        var usernamePrefix: String { boxes.usernamePrefix }

        func accept(_ key: Key, for subject: ID16, by maker: PersonID?, at now: Timestamp) async throws -> BusWay? {
            let way = try await boxes.accept(key, for: subject, by: maker, at: now)
            if isOn, let box = boxes.desk.registry.catalog.gateways[GatewayID(subject)] {
                try await boxes.desk.retire(box.id, at: box.site, by: person)
            }
            hasAccepted.change { $0 = true }
            return way
        }

        func ways() throws -> [(way: BusWay, key: Key)] { try boxes.ways() }

        func cameIn(_ subject: ID16) { boxes.cameIn(subject) }
    }

    /// Brings a code, as a box does.
    private func bring(_ code: PairingCode, by client: BusClient) async throws {
        let (way, own) = (BusNames.PairingWay(code), KeyAgreement())
        try client.subscribe(way.down, quality: .atLeastOnce)
        try client.publish(way.up, PairingFrame.gateKey(publicKey: own.publicKey).encoded(), quality: .atLeastOnce)
        for await batch in client.batches {
            for message in batch {
                guard case .hubKey(let box, let hub, let publicKey, _) = try PairingFrame(decoding: message.payload),
                    let shared = own.shared(with: publicKey)
                else { continue }
                let key = Pairing.gateKey(
                    shared: shared, code: code.bytes, hubIdentity: hub, gatePublicKey: own.publicKey,
                    hubPublicKey: publicKey, gateID: box)
                let tag = Pairing.gateConfirmation(
                    gateKey: key, hubIdentity: hub, gatePublicKey: own.publicKey, hubPublicKey: publicKey, gateID: box)
                try client.publish(way.up, PairingFrame.gateConfirmation(tag).encoded(), quality: .atLeastOnce)
            }
        }
    }

    @Test(arguments: [false, true])
    func `A box that is taken out of use while it pairs does not come in`(isRetired: Bool) async throws {
        try await TestHouse.runWithBroker { house, bus in
            let (parts, site) = (house.parts, house.site.id)
            try await bus.begin(parts.makeIntake())
            let anna = try await house.principal("Anna", .owner)
            let pairable = Retiring(
                boxes: PairedGateways(desk: parts.gatewayDesk), person: anna.person.id, isOn: isRetired)
            parts.given.pairing!.use(pairable)
            let desk = parts.gatewayDesk
            let box = try await desk.add(.box, name: "Box", at: site, by: anna.person.id)
            let code = try await desk.code(for: box.id, at: site, by: anna).code
            let way = BusNames.PairingWay(code)
            let client = try await bus.connect(BusCredentials(username: way.username, password: way.password))
            let bringing = Task { try await bring(code, by: client) }
            defer { bringing.cancel() }
            #expect(await eventually { pairable.hasAccepted.value })
            let control = parts.given.bus!.control
            // The way of the code ends at once, so that nothing is said by it any more; or the box is let in.
            let name = isRetired ? way.username : box.username
            #expect(try await eventually { try await (control.clients()[name] == nil) == isRetired })
            #expect(try await (control.clients()[box.username] == nil) == isRetired)
        }
    }

    @Test func `After a start a code that is over pairs nothing, and goes with its name on the bus ten minutes later`()
        async throws
    {
        try await TestHouse.runWithBroker { house, bus in
            let (given, site) = (house.parts.given, house.site.id)
            let control = given.bus!.control
            // The hub's own desk goes by the hub's clock, for which the code is open all the time.
            let time = Shared(noon)
            func desk(_ clock: WallClock) -> PairingDesk {
                PairingDesk(
                    gates: Gates(accounts: given.accounts, carrier: given.gates.carrier, clock: clock),
                    bus: given.bus!.client, control: control, address: bus.broker.address, identity: Random.bytes(32))
            }
            func codes() throws -> Set<String> {
                Set(try given.store.read { try PairingRecords.all(in: $0) }.map(\.username))
            }
            let anna = try await house.principal("Anna", .owner).person.id
            let boxes = house.parts.gatewayDesk
            let (box, other) = (
                try await boxes.add(.box, name: "Box", at: site, by: anna),
                try await boxes.add(.box, name: "Other", at: site, by: anna)
            )
            let code = try await desk(WallClock { time.value }).begin(Gateway.pairingKind, box.id.raw, by: anna).code
            let way = BusNames.PairingWay(code)

            let start = noon.adding(milliseconds: PairingDesk.lifetime)
            time.change { $0 = start }
            let clock = CheckedClock(
                CheckedClock.Source(
                    machine: { time.value }, steady: { UInt64(time.value.milliseconds - start.milliseconds) },
                    isKept: { false }, boot: [UInt8](repeating: 3, count: 16)), mark: nil, newest: nil)
            let pairing = desk(WallClock(clock))
            try await pairing.restore()
            let frame = PairingFrame.gateKey(publicKey: KeyAgreement().publicKey)
            try await pairing.receive(frame.encoded(), from: way.username)
            #expect(try await control.clients()[way.username] != nil)
            let kept = try given.store.read { try PairingRecords.pending(username: way.username, in: $0) }
            #expect(try kept?.tries == 0 && codes() == [way.username])

            time.change { $0 = start.adding(milliseconds: Int64(ClockCheck.firstMinutes)) }
            let next = try await pairing.begin(Gateway.pairingKind, other.id.raw, by: anna).code
            #expect(try codes() == [BusNames.PairingWay(next).username])
            #expect(try await eventually { try await control.clients()[way.username] == nil })
        }
    }
}
