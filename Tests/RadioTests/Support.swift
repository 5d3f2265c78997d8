import Glibc
import Radio
import Synchronization
import System
// Exported: every file of these tests sees it.
@_exported import TestSupport

/// The kinds of air, each of which must behave as the other.
enum Air: String, CaseIterable, Sendable {
    case inProcess, sockets

    func make(_ folder: String) -> any Radio {
        switch self {
        case .inProcess: InProcessAir()
        case .sockets: patientSockets(folder)
        }
    }
}

/// An air of sockets that counts nobody as gone because the machine is slow.
func patientSockets(_ folder: String) -> SocketAir { SocketAir(folder: folder, patience: 600) }

/// A folder of its own for one test, gone after it, also when the test fails.
func withFolder<T>(_ test: (String) async throws -> T) async throws -> T {
    let folder = "/tmp/soglia-radio-\(getpid())-\(Random.bytes(8).map { String($0, radix: 16) }.joined(separator: "-"))"
    try Files.makeFolder(folder)
    let outcome: Result<T, any Error>
    do { outcome = .success(try await test(folder)) } catch { outcome = .failure(error) }
    for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
    rmdir(folder)
    return try outcome.get()
}

/// A peripheral that keeps what was written to it, per link, and gives it back reversed; notifies how long it was.
final class Echo: PeripheralService {
    let characteristics = [GateProfile.key, GateProfile.badge]
    private let state = Mutex((written: [Link: [UInt8]](), gone: Set<Link>()))

    /// The links that have gone.
    var gone: Set<Link> { state.withLock { $0.gone } }

    func read(_ characteristic: UUID128, _ link: Link) async throws(RadioError) -> [UInt8] {
        if characteristic == GateProfile.key { return GateProfile.key.bytes }
        guard let written = state.withLock({ $0.written[link] }) else { throw .attribute(0x02) }
        return written.reversed()
    }

    func write(_ bytes: [UInt8], to characteristic: UUID128, _ link: Link) async throws(RadioError) -> [UInt8]? {
        guard characteristic == GateProfile.badge else { throw .attribute(0x03) }
        if bytes.isEmpty { throw .malformed }
        state.withLock { $0.written[link] = bytes }
        return bytes.count == 1 ? nil : [UInt8(truncatingIfNeeded: bytes.count), 0]
    }

    func disconnected(_ link: Link) async { state.withLock { _ = $0.gone.insert(link) } }
}

/// What a gate called `name` sends for everybody to hear.
func advertisement(_ name: String, service: UUID128 = GateProfile.service) -> Advertisement {
    Advertisement(address: name, service: service, serviceData: Array(name.utf8), name: "The gate \(name) é")
}

/// Runs a test while a peripheral is in the air.
func advertising(
    _ air: any Radio, _ advertisement: Advertisement, _ service: any PeripheralService, _ test: () async throws -> Void
) async throws {
    let offering = Task { try await air.advertise(advertisement, service) }
    let outcome: Result<Void, any Error>
    do {
        _ = await eventually { (try? await air.scan(for: advertisement.service).contains(advertisement)) ?? false }
        outcome = .success(try await test())
    } catch { outcome = .failure(error) }
    offering.cancel()
    try await offering.value
    try outcome.get()
}
