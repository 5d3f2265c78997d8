import Glibc
import System

/// An HAProxy of our own in front of the broker, where other machines come in: TLS, and what Mosquitto does not know, shares of the
/// connections. Who has not come in by credentials within some seconds makes room for others, and one network opens only so many at a time.
///
/// What it hands to Mosquitto comes to its listener on loopback. It looks at the first bytes of either side alone, and keeps nothing.
public actor BusProxy: BusProcess {
    /// What brings it, on Debian.
    public static let package = "haproxy"
    /// Where it is on this machine; nil when it is not there.
    public static var program: String? { Program.find("haproxy") }

    /// How many connections from other machines are open at a time. When there are so many, others wait until those without credentials
    /// have had their seconds.
    /// - Key: hub
    private static let connectionLimit = 2_000

    /// So many of those are one network's.
    /// - Key: network
    private static let perNetwork = 500
    /// So many connections are taken from one address in `window`; others are closed at once, and count nothing.
    /// - Key: address
    private static let newPerAddress = 60
    /// The same of one network: of IPv6, where it has more than one address.
    /// - Key: network
    private static let newPerNetwork = 120
    /// Seconds.
    private static let window = 10
    /// So many addresses, and so many networks, are remembered; the oldest are forgotten.
    /// - Key: hub
    private static let networkLimit = 100_000

    /// Seconds for TLS, which takes small controllers some.
    private static let handshake = 15
    /// Seconds for the client's CONNECT, and for the broker's answer.
    private static let patience = 5
    /// Seconds after which a client is cut off that takes nothing of what it is sent: the broker may have let go of it long ago.
    private static let stillness = 20

    /// Bytes that the kernel holds of what goes to a client: what it does not take is the broker's to bound.
    private static let socketBuffer = 64 << 10

    private let address: String
    private let port: UInt16
    private let identity: String
    private let broker: BusAddress
    private let folder: String
    private var child: Child?

    /// Prepares it; nothing runs yet.
    /// - Parameters:
    ///   - address: an IP address of this machine, `0.0.0.0` or `::` for all of them.
    ///   - port: of that address.
    ///   - identity: a file with the certificate and its key in PEM form, of mode 0600.
    ///   - broker: where Mosquitto listens, on loopback.
    ///   - folder: where its configuration and what it says lie; made when it is missing.
    /// - Throws: when the folder cannot be made.
    public init(
        address: String, port: UInt16, identity: String, broker: BusAddress, folder: String
    ) throws(BrokerError) {
        (self.address, self.port, self.broker) = (address, port, broker)
        do throws(SystemError) {
            try Files.makeFolder(folder)
            (self.folder, self.identity) = (try Files.absolute(folder), try Files.absolute(identity))
        } catch {
            throw .failed(error.description)
        }
    }

    // MARK: Life

    /// See `BusProcess`.
    public func start() async throws(BrokerError) {
        if let child, child.end == nil { return }
        // Looked for each time: it may be installed while the hub runs.
        guard let executable = Self.program else { throw .missing("HAProxy", Self.package) }
        do throws(SystemError) {
            try Files.replace(folder + "/haproxy.cfg", with: Array(configuration.utf8))
        } catch {
            throw .failed(error.description)
        }
        child = try await Program.startListening(
            executable, ["-db", "-f", folder + "/haproxy.cfg"], environment: [:], port: port,
            log: folder + "/haproxy.log")
    }

    /// See `BusProcess`.
    public func stop() async {
        await child?.stop()
        child = nil
    }

    /// See `BusProcess`.
    public var processID: Int32? { child.flatMap { $0.end == nil ? $0.id : nil } }

    /// See `BusProcess`.
    public func waitForEnd() async -> Child.End? { await child?.wait() }

    // MARK: Configuration

    /// HAProxy 2.6 Configuration Manual, sections 3, 4.2, 7.3.5 and 11.1. A CONNECT begins with the byte 10, and one
    /// of 16 kB or more, which nobody needs, has the highest bits of the next two set (MQTT 3.1.1, section 2.2.3). A CONNACK begins with 20,
    /// and its fourth byte is zero when the client is in (section 3.2).
    private var configuration: String {
        """
        # Written by Soglia at each start: changes made here are lost.
        global
            maxconn \(Self.connectionLimit + 100)
            nbthread 1
            noreuseport
            no strict-limits
            tune.sndbuf.client \(Self.socketBuffer)
            tune.rcvbuf.server \(Self.socketBuffer)
        defaults
            mode tcp
            backlog 4096
            option clitcpka
            timeout connect \(Self.patience)s
            timeout client \(Self.handshake)s
            timeout server \(Self.patience)s
            timeout client-fin 1s
            timeout server-fin 1s
            timeout tunnel \(Self.tunnelDays)d
        backend addresses
            stick-table type ipv6 size \(Self.networkLimit) expire 1m store conn_rate(\(Self.window)s)
        backend networks
            stick-table type ipv6 size \(Self.networkLimit) expire 1m store conn_rate(\(Self.window)s),conn_cur
        frontend bus
        \(binds)
            maxconn \(Self.connectionLimit)
            tcp-request connection reject if { src,table_conn_rate(addresses) ge \(Self.newPerAddress) }
            tcp-request connection reject if { src,ipmask(32,64),table_conn_rate(networks) ge \(Self.newPerNetwork) }
            tcp-request connection reject if { src,ipmask(32,64),table_conn_cur(networks) ge \(Self.perNetwork) }
            tcp-request connection track-sc0 src table addresses
            tcp-request connection track-sc1 src,ipmask(32,64) table networks
            tcp-request inspect-delay \(Self.patience)s
            tcp-request content reject if { req.len ge 1 } !{ req.payload(0,1) -m bin 10 }
            tcp-request content reject if { req.payload(1,2),hex -m reg ^[89A-F].[89A-F] }
            tcp-request content accept if { req.len ge 3 }
            tcp-request content reject if WAIT_END
            default_backend broker
        backend broker
            tcp-response inspect-delay \(Self.patience)s
            tcp-response content accept if { res.payload(0,1) -m bin 20 } { res.payload(3,1) -m bin 00 }
            tcp-response content close if WAIT_END
            server mosquitto \(broker.host):\(broker.port)

        """
    }

    /// Longer than the longest that MQTT lets a client be silent, which is 18.2 hours.
    private static let tunnelDays = 7

    /// IPv4 and IPv6 apart: a network of the one is not counted as one of the other.
    private var binds: String {
        let tls = "ssl crt \(Self.word(identity)) ssl-min-ver TLSv1.2 tcp-ut \(Self.stillness)s"
        let four = { (address: String) in "    bind ipv4@\(address):\(self.port) \(tls)" }
        guard address.utf8.contains(UInt8(ascii: ":")) else { return four(address) }
        let six = "    bind ipv6@\(address):\(port) v6only \(tls)"
        return address == "::" ? four("0.0.0.0") + "\n" + six : six
    }

    /// As its configuration reads a word (section 2.2): each byte that might mean something else by its number.
    private static func word(_ path: String) -> String {
        path.utf8.map { byte in
            let isPlain =
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/._-".utf8.contains(byte)
            let digits = String(byte, radix: 16)
            return isPlain ? String(UnicodeScalar(byte)) : "\\x" + (digits.utf8.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
