import Glibc

/// Whoever started this program and wants to know how it is: systemd, by datagrams to the socket that it names.
/// https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html
public struct ServiceManager: Sendable, Equatable {
    /// What it is told.
    public enum Message: Sendable, Equatable {
        /// Everything is up.
        case ready
        /// The end has begun.
        case stopping
        /// All is well; due within the watchdog's time.
        case alive

        var text: String {
            switch self {
            case .ready: "READY=1"
            case .stopping: "STOPPING=1"
            case .alive: "WATCHDOG=1"
            }
        }
    }

    private let path: String

    /// The one that started this process, if any; once, at the start, before there are other threads that look at the environment.
    ///
    /// Its variables are taken away: a child (Mosquitto speaks to systemd, too) must not answer in our name.
    public static func take() -> ServiceManager? {
        defer { for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) } }
        return ServiceManager()
    }

    /// Within how long it wants to hear `alive`, again and again; nil: never.
    public let watchdog: Duration?

    /// Nil when nobody wants to know.
    /// - Parameters:
    ///   - environment: asked for `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    ///   - process: this process.
    public init?(environment: (String) -> String? = Self.environment, process: Int32 = getpid()) {
        // A path, or a name in Linux's abstract space behind an @; the address has room for 107 bytes.
        guard let path = environment("NOTIFY_SOCKET"), path.hasPrefix("/") || path.hasPrefix("@"),
            (2...107).contains(path.utf8.count)
        else { return nil }
        self.path = path
        let isOurs = environment("WATCHDOG_PID").map { $0 == String(process) } ?? true
        let microseconds = environment("WATCHDOG_USEC").flatMap(Int64.init) ?? 0
        watchdog = isOurs && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// A variable of this process's environment.
    public static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Tells it. Whether the datagram left; who does not listen must not keep us from working.
    @discardableResult
    public func tell(_ message: Message) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let isAbstract = name[0] == 0
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count + (isAbstract ? 0 : 1))
        let bytes = Array(message.text.utf8)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), $0, length)
                    == bytes.count
            }
        }
    }
}
