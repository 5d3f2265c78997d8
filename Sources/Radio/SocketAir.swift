import Dispatch
import Glibc
import Synchronization
import System

/// An air between processes of one machine: every peripheral is a Unix socket in a folder.
///
/// A connection begins with the peripheral's advertisement, so that scanning is connecting to each and leaving again. Then frames:
/// kind u8 · length u16 · payload, one answer for each request. Kinds: 1 advertisement, 2 discover, 3 characteristics, 4 read, 5 value,
/// 6 refused, 7 write, 8 written (with what was notified).
public final class SocketAir: Radio {
    private let folder: String
    private let patience: Int
    private let central = ThreadExecutor(name: "air")

    /// - Parameters:
    ///   - folder: exists; 0700, since who can reach the sockets is in the air.
    ///   - patience: after how many seconds of silence the other side counts as gone.
    public init(folder: String, patience: Int = 30) { (self.folder, self.patience) = (folder, patience) }

    // MARK: peripheral

    /// Offers a service until the task is cancelled.
    public func advertise(_ advertisement: Advertisement, _ service: any PeripheralService) async throws(RadioError) {
        let path = folder + "/" + advertisement.address + ".sock"
        let listener = try Socket.listen(path)
        let serving = Serving(advertisement, service, patience)
        Thread.start(name: "air listener") { serving.accept(on: listener) }
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
        shutdown(listener.fd, Int32(SHUT_RDWR))
        unlink(path)
    }

    /// The peripheral's side: a thread for each central, since each asks one thing after the other.
    private final class Serving: Sendable {
        private let advertisement: Advertisement
        private let service: any PeripheralService
        private let patience: Int
        private let links = Mutex<UInt64>(0)

        init(_ advertisement: Advertisement, _ service: any PeripheralService, _ patience: Int) {
            (self.advertisement, self.service, self.patience) = (advertisement, service, patience)
        }

        func accept(on listener: Socket) {
            while let socket = listener.accept(patience: patience) {
                let link = links.withLock { number -> Link in
                    number += 1
                    return Link(number: number)
                }
                Thread.start(name: "air link") { [self] in
                    serve(socket, link)
                    wait { [service] in await service.disconnected(link) }
                }
            }
        }

        private func serve(_ socket: Socket, _ link: Link) {
            let hello =
                advertisement.service.bytes + [UInt8(advertisement.serviceData.count)] + advertisement.serviceData
            do throws(RadioError) {
                try socket.send(.advertisement, hello + Array(advertisement.name.utf8))
                while true {
                    let (kind, payload) = try socket.receive()
                    let (answer, bytes) = wait { [self] in await self.answer(kind, payload, link) }
                    try socket.send(answer, bytes)
                }
            } catch { return }  // the central has gone, or says things that nobody says: either way it is over
        }

        private func answer(_ kind: Socket.Kind, _ payload: [UInt8], _ link: Link) async -> (Socket.Kind, [UInt8]) {
            do throws(RadioError) {
                if kind == .discover { return (.characteristics, service.characteristics.flatMap(\.bytes)) }
                guard payload.count >= 16, let characteristic = UUID128(Array(payload[..<16])),
                    service.characteristics.contains(characteristic)
                else { throw .attribute(0x0a) }  // attribute not found
                switch kind {
                case .read: return (.value, try await service.read(characteristic, link))
                case .write:
                    return (.written, try await service.write(Array(payload[16...]), to: characteristic, link) ?? [])
                default: throw .attribute(0x06)  // request not supported
                }
            } catch {
                if case .attribute(let code) = error { return (.refused, [code]) }
                return (.refused, [0x0e])  // unlikely error
            }
        }

        /// Waits on this thread, which is our own, for something that is asynchronous.
        private func wait<T: Sendable>(_ body: @escaping @Sendable () async -> T) -> T {
            let done = DispatchSemaphore(value: 0)
            let box = Box<T>()
            Task {
                let value = await body()
                box.value.withLock { $0 = value }
                done.signal()
            }
            done.wait()
            return box.value.withLock { $0! }
        }

        private final class Box<T: Sendable>: Sendable { let value = Mutex<T?>(nil) }
    }

    // MARK: central

    /// Who offers a service at this moment.
    public func scan(for service: UUID128) async throws(RadioError) -> [Advertisement] {
        let (folder, patience) = (folder, patience)
        return await onThread { () -> [Advertisement] in
            Files.names(in: folder).filter { $0.hasSuffix(".sock") }.compactMap { name -> Advertisement? in
                // Who does not answer has left its socket behind: it is not in the air.
                guard let (_, found) = try? Self.open(folder, String(name.dropLast(5)), patience),
                    found.service == service
                else { return nil }
                return found
            }
        }
    }

    /// Connects to one of them.
    public func connect(to advertisement: Advertisement) async throws(RadioError) -> any CentralConnection {
        let (folder, patience) = (folder, patience)
        let result = await onThread { () -> Result<Socket, RadioError> in
            do throws(RadioError) { return .success(try Self.open(folder, advertisement.address, patience).0) } catch {
                return .failure(error)
            }
        }
        return Connection(socket: try result.get(), thread: central)
    }

    private static func open(
        _ folder: String, _ address: String, _ patience: Int
    ) throws(RadioError) -> (Socket, Advertisement) {
        guard !address.contains("/") else { throw .unreachable }
        let socket = try Socket.connect(folder + "/" + address + ".sock", patience: patience)
        let (kind, payload) = try socket.receive()
        guard kind == .advertisement, payload.count >= 17, payload.count >= 17 + Int(payload[16]),
            let service = UUID128(Array(payload[..<16]))
        else { throw .malformed }
        let end = 17 + Int(payload[16])
        let heard = Advertisement(
            address: address, service: service, serviceData: Array(payload[17..<end]),
            name: String(decoding: payload[end...], as: UTF8.self))
        return (socket, heard)
    }

    private func onThread<T: Sendable>(_ body: @escaping @Sendable () -> T) async -> T {
        await Task(executorPreference: central) { body() }.value
    }

    private struct Connection: CentralConnection {
        let socket: Socket
        let thread: ThreadExecutor

        private func ask(_ kind: Socket.Kind, _ payload: [UInt8], _ expected: Socket.Kind) async throws(RadioError)
            -> [UInt8]
        {
            let socket = socket
            let result = await Task(executorPreference: thread) { () -> Result<[UInt8], RadioError> in
                do throws(RadioError) {
                    try socket.send(kind, payload)
                    let (answer, bytes) = try socket.receive()
                    if answer == .refused { throw .attribute(bytes.first ?? 0x0e) }
                    if answer != expected { throw .malformed }
                    return .success(bytes)
                } catch { return .failure(error) }
            }.value
            return try result.get()
        }

        func discover() async throws(RadioError) -> [UUID128] {
            let bytes = try await ask(.discover, [], .characteristics)
            guard bytes.count % 16 == 0 else { throw .malformed }
            return stride(from: 0, to: bytes.count, by: 16).compactMap { UUID128(Array(bytes[$0..<$0 + 16])) }
        }
        func read(_ characteristic: UUID128) async throws(RadioError) -> [UInt8] {
            try await ask(.read, characteristic.bytes, .value)
        }
        func write(_ bytes: [UInt8], to characteristic: UUID128) async throws(RadioError) -> [UInt8]? {
            let notified = try await ask(.write, characteristic.bytes + bytes, .written)
            return notified.isEmpty ? nil : notified
        }
        func disconnect() async { shutdown(socket.fd, Int32(SHUT_RDWR)) }
    }
}
