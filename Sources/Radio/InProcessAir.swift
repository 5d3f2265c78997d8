import Synchronization

/// An air inside one process: for tests of what a gate and a phone say to one another.
public final class InProcessAir: Radio {
    private struct State {
        var services: [String: (Advertisement, any PeripheralService)] = [:]
        var links: UInt64 = 0
    }
    private let state = Mutex(State())

    /// An empty air.
    public init() {}

    /// Offers a service until the task is cancelled.
    public func advertise(_ advertisement: Advertisement, _ service: any PeripheralService) async throws(RadioError) {
        state.withLock { $0.services[advertisement.address] = (advertisement, service) }
        // Ends with the task: a sleep that is cancelled is how that is heard.
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
        state.withLock { $0.services[advertisement.address] = nil }
    }

    /// Who offers a service at this moment.
    public func scan(for service: UUID128) async throws(RadioError) -> [Advertisement] {
        state.withLock { state in
            state.services.values.map(\.0).filter { $0.service == service }.sorted { $0.address < $1.address }
        }
    }

    /// Connects to one of them.
    public func connect(to advertisement: Advertisement) async throws(RadioError) -> any CentralConnection {
        let found = state.withLock { state -> ((any PeripheralService), UInt64)? in
            guard let (_, service) = state.services[advertisement.address] else { return nil }
            state.links += 1
            return (service, state.links)
        }
        guard let (service, number) = found else { throw .unreachable }
        return Connection(service: service, link: Link(number: number))
    }

    private struct Connection: CentralConnection {
        let service: any PeripheralService
        let link: Link

        func discover() async throws(RadioError) -> [UUID128] { service.characteristics }
        func read(_ characteristic: UUID128) async throws(RadioError) -> [UInt8] {
            try await service.read(characteristic, link)
        }
        func write(_ bytes: [UInt8], to characteristic: UUID128) async throws(RadioError) -> [UInt8]? {
            try await service.write(bytes, to: characteristic, link)
        }
        func disconnect() async { await service.disconnected(link) }
    }
}
