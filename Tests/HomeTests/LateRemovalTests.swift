import Bus
import Glibc
import System
import TestSupport
import Testing
import Wire

@testable import Home

/// What the broker does after the hub has given up on its answer.
struct LateRemovalTests {
    @Test func `A device that the broker removes after all comes back, since it is still in use`() async throws {
        try await TestHouse.runWithBroker { house, bus in
            let (household, gateway) = (house.household, house.gateway)
            household.given.pairing!.use(PairedGateways(household: household))
            try await bus.begin(Intake(household))
            try await household.given.pairing!.admit(gateway.way, gateway.key!)
            let device = try await bus.connect(
                BusCredentials(username: gateway.username, password: BusNames.password(key: gateway.key!)))
            let wasCut = Shared(false)
            let watching = Task {
                for await state in device.states { if case .disconnected = state { wasCut.change { $0 = true } } }
            }
            defer { watching.cancel() }
            let broker = try #require(await bus.broker.processID)
            kill(broker, SIGSTOP)
            defer { kill(broker, SIGCONT) }
            let desk = GatewayDesk(household: household)
            await #expect(throws: BrokerError.noAnswer) {
                try await desk.retire(gateway.id, at: house.site.id, by: .new(at: noon))
            }
            #expect(household.registry.catalog.gateways[gateway.id] != nil)
            kill(broker, SIGCONT)
            #expect(await eventually { wasCut.value && device.state == .connected })
        }
    }
}
