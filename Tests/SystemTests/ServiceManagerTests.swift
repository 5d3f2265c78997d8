import Glibc
import System
import Testing

@Suite("Whoever started the program")
struct ServiceManagerTests {
    /// A datagram socket at a path, or at a name in the abstract space.
    private func listener(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        let isAbstract = name[0] == UInt8(ascii: "@")
        if isAbstract { name[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(2 + name.count + (isAbstract ? 0 : 1))
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        try #require(status == 0)
        return descriptor
    }

    private func heard(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    @Test("It is told in datagrams, at a path or at an abstract name", arguments: ["/tmp/sgn-", "@sgn-"])
    func told(_ prefix: String) throws {
        let path = prefix + "\(getpid())"
        unlink(path)
        let descriptor = try listener(path)
        defer {
            close(descriptor)
            unlink(path)
        }
        let manager = try #require(ServiceManager { $0 == "NOTIFY_SOCKET" ? path : nil })
        #expect(manager.watchdog == nil)
        for (message, text) in [
            (ServiceManager.Message.ready, "READY=1"), (.alive, "WATCHDOG=1"), (.stopping, "STOPPING=1"),
        ] {
            #expect(manager.tell(message))
            #expect(heard(descriptor) == text)
        }
    }

    @Test(
        "The watchdog's time is taken when it is meant for this process",
        arguments: [
            (["WATCHDOG_USEC": "30000000"], 30), (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"], 30),
            (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"], nil), (["WATCHDOG_USEC": "0"], nil),
            (["WATCHDOG_USEC": "-1"], nil), (["WATCHDOG_USEC": "soon"], nil), ([:], nil),
        ] as [([String: String], Int?)])
    func watchdog(_ environment: [String: String], _ seconds: Int?) throws {
        let manager = try #require(
            ServiceManager(environment: { $0 == "NOTIFY_SOCKET" ? "/run/x" : environment[$0] }, process: 7))
        #expect(manager.watchdog == seconds.map { .seconds($0) })
    }

    @Test("Without a socket, or with one that cannot be, nobody is told")
    func nobody() {
        func manager(_ path: String?) -> ServiceManager? { ServiceManager { $0 == "NOTIFY_SOCKET" ? path : nil } }
        for path in [nil, "", "relative", "@", "/" + String(repeating: "x", count: 200), "vsock:2:1"] {
            let found = manager(path)
            #expect(found == nil, "\(path ?? "none")")
        }
        #expect(manager("/tmp/nobody-listens-here")?.tell(.ready) == false)
    }
}
