import Glibc
import Radio
import System
import Testing

@Suite("An air of sockets")
struct SocketAirTests {
    /// A central that says whatever it likes, byte by byte.
    private struct Raw {
        let fd: Int32
        /// Hearing blocks: never on one of the few threads that the peripheral answers on.
        private static let ear = ThreadExecutor(name: "raw central")

        init(_ path: String) throws {
            fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            let status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(fd, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            if status != 0 { throw SystemError("cannot connect", errno: errno) }
            var time = timeval(tv_sec: Int(patience.components.seconds), tv_usec: 0)
            setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        }

        func say(_ bytes: [UInt8]) { _ = send(fd, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

        /// A frame; nil at the end.
        func hear() async -> (kind: UInt8, payload: [UInt8])? {
            await Task(executorPreference: Self.ear) { frame() }.value
        }

        private func frame() -> (kind: UInt8, payload: [UInt8])? {
            guard let head = take(3), let payload = take(Int(head[1]) << 8 | Int(head[2])) else { return nil }
            return (head[0], payload)
        }

        private func take(_ count: Int) -> [UInt8]? {
            var bytes: [UInt8] = []
            var byte = UInt8(0)
            while bytes.count < count {
                if recv(fd, &byte, 1, 0) <= 0 { return nil }
                bytes.append(byte)
            }
            return bytes
        }

        func leave() { close(fd) }
    }

    private func withGate(_ test: (any Radio, Echo, String) async throws -> Void) async throws {
        try await withFolder { folder in
            let (air, echo) = (patientSockets(folder), Echo())
            try await advertising(air, advertisement("gate"), echo) { try await test(air, echo, folder + "/gate.sock") }
        }
    }

    @Test("A frame cut into single bytes is understood")
    func pieces() async throws {
        try await withGate { _, _, path in
            let raw = try Raw(path)
            #expect(await raw.hear()?.kind == 1)
            for byte in [4, 0, 16] + GateProfile.key.bytes { raw.say([byte]) }
            let answer = await raw.hear()
            #expect(answer?.kind == 5)
            #expect(answer?.payload == GateProfile.key.bytes)
            raw.leave()
        }
    }

    @Test("Requests that ask for nothing that is there are refused with an ATT error, and the link goes on")
    func refused() async throws {
        try await withGate { _, _, path in
            let raw = try Raw(path)
            #expect(await raw.hear()?.kind == 1)
            // Too short for a characteristic; an unknown one; a kind that only a peripheral sends.
            for (frame, code) in [
                ([4, 0, 2, 1, 2], 0x0a), ([4, 0, 16] + [UInt8](repeating: 1, count: 16), 0x0a), ([7, 0, 0], 0x0a),
                ([5, 0, 16] + GateProfile.key.bytes, 0x06), ([7, 0, 16] + GateProfile.badge.bytes, 0x0e),
            ] as [([UInt8], UInt8)] {
                raw.say(frame)
                let answer = await raw.hear()
                #expect(answer?.kind == 6)
                #expect(answer?.payload == [code])
            }
            raw.say([2, 0, 0])
            #expect(await raw.hear()?.kind == 3)
            raw.leave()
        }
    }

    @Test(
        "Bytes that are no frame end that link, and only that one",
        arguments: [
            [0, 0, 0], [9, 0, 0], [255, 255, 255], [7, 4, 1], [7, 255, 255] + [UInt8](repeating: 65, count: 2000),
            [4, 0], [4, 0, 16, 1, 2],
            Array("GET / HTTP/1.1\r\n\r\n".utf8), [],
        ] as [[UInt8]])
    func malformed(bytes: [UInt8]) async throws {
        try await withGate { air, echo, path in
            let gone = echo.gone.count
            let raw = try Raw(path)
            #expect(await raw.hear()?.kind == 1)
            raw.say(bytes)
            shutdown(raw.fd, Int32(SHUT_WR))
            while await raw.hear() != nil {}
            raw.leave()
            #expect(await eventually { echo.gone.count > gone })
            let connection = try await air.connect(to: advertisement("gate"))
            #expect(try await connection.read(GateProfile.key) == GateProfile.key.bytes)
            await connection.disconnect()
        }
    }

    @Test("A central that goes without reading its answers does no harm")
    func abrupt() async throws {
        try await withGate { air, echo, path in
            for _ in 0..<30 {
                let raw = try Raw(path)
                raw.say([2, 0, 0, 2, 0, 0, 2, 0])
                raw.leave()
            }
            #expect(await eventually { echo.gone.count >= 30 })
            let connection = try await air.connect(to: advertisement("gate"))
            #expect(try await connection.discover().count == 2)
            await connection.disconnect()
        }
    }

    @Test("A central hears that the other side speaks no such language")
    func strangePeripheral() async throws {
        try await withFolder { folder in
            // Names of sockets that are none, and addresses that would leave the folder.
            try Files.replace(folder + "/dead.sock", with: [])
            let air = patientSockets(folder)
            #expect(try await air.scan(for: GateProfile.service).isEmpty)
            await #expect(throws: RadioError.unreachable) { _ = try await air.connect(to: advertisement("dead")) }
            await #expect(throws: RadioError.unreachable) { _ = try await air.connect(to: advertisement("../gate")) }
        }
    }

    @Test("A path too long for a socket is refused in words; a write too long for a frame by its ATT error")
    func tooLong() async throws {
        try await withGate { air, _, _ in
            let connection = try await air.connect(to: advertisement("gate"))
            await #expect(throws: RadioError.attribute(0x0d)) {
                _ = try await connection.write([UInt8](repeating: 1, count: 1009), to: GateProfile.badge)
            }
            #expect(try await connection.discover().count == 2)
            await connection.disconnect()
        }
        let air = SocketAir(folder: "/tmp/" + String(repeating: "x", count: 120))
        await #expect(throws: RadioError.self) { try await air.advertise(advertisement("gate"), Echo()) }
    }

    @Test("The socket is for its owner alone, takes the place of one left behind, and is gone with its peripheral")
    func file() async throws {
        try await withFolder { folder in
            let path = folder + "/gate.sock"
            try Files.replace(path, with: [])
            try await advertising(patientSockets(folder), advertisement("gate"), Echo()) {
                var info = stat()
                #expect(stat(path, &info) == 0)
                #expect(info.st_mode & 0o777 == 0o600)
            }
            #expect(!Files.exists(path))
        }
    }
}
