import Bus
import Crypto
import HTTPServer
import Platform
import System

/// How far a hub reaches: on loopback alone, or on the network over TLS or behind a proxy.
struct Reach {
    static let options: Set<String> = [
        "port", "listen", "certificate", "key", "behind-proxy", "bus-listen", "trust-port",
    ]

    static let usage = """
          --listen ADDRESS         127.0.0.1 unless told. Beyond 127.0.0.1 and ::1 the hub speaks TLS, or stands behind a proxy
          --tls                    over TLS, with the certificate of the hub's own authority (soglia admin ca)
          --certificate FILE       with this one instead: PEM, with those that lead to its authority
          --key FILE               its key: PEM, without a passphrase. Both files are looked at again while the hub runs
          --behind-proxy ADDRESS   believe this address, and no other, what Forwarded or X-Forwarded-For, -Proto and -Host
                                   say; the proxy has to set them itself. Without --tls, beyond loopback, others get 403
          --host NAME              a name by which clients call the hub, as often as there are; other names get 421. The names
                                   of the certificate count too
          --trust-port N           where phones learn to trust the hub's own authority, without TLS: only the page and the
                                   certificate. 80 when the port is 443, else the next one after the hub's
          --bus-listen ADDRESS:PORT
                                   where gates on other machines reach the hub's bus, over TLS. With --listen beyond loopback
                                   it is that address and port 8883; `none` keeps the bus on this machine

        """

    private(set) var server = ServerSettings()
    private(set) var certificate: CertificateSource?
    private(set) var trust: Trust?
    /// Where other machines reach the bus; nil: nowhere.
    private(set) var bus: BusAddress?
    private var authority: X509Certificate?
    private var names: [String] = []
    private let trustPort: UInt16?

    init(_ arguments: Arguments, folder: String) throws {
        trustPort = arguments["trust-port"] == nil ? nil : try arguments.port("trust-port", default: 0)
        server.port = try arguments.port("port", default: 8080)
        server.address = arguments["listen"] ?? "127.0.0.1"
        for name in arguments.all("host") {
            // One without a dot is a name in a local network, too: nothing is vouched for here.
            guard let known = ServedName(name)?.urlHost ?? ServedName(name + ".local").map({ _ in name.lowercased() })
            else { throw UsageError("--host is a name or an address, without a port: not \(name)") }
            names.append(known)
        }
        try readCertificate(arguments, folder)
        try readProxy(arguments)
        let isLoopback = server.address == "127.0.0.1" || server.address == "::1"
        guard isLoopback || certificate != nil || !server.proxies.isEmpty else {
            throw UsageError(
                "beyond this machine the hub speaks TLS: --tls, or --behind-proxy ADDRESS where a proxy does it")
        }
        server.isForProxiesOnly = !isLoopback && certificate == nil
        server.hosts = Set(names)
        bus = try Self.busAddress(arguments, isLoopback ? nil : server.address)
    }

    private mutating func readCertificate(_ arguments: Arguments, _ folder: String) throws {
        let own = TLSFolder(data: folder)
        if let path = arguments["certificate"] {
            certificate = CertificateSource(
                certificate: path, key: try arguments.require("key"), renewal: "put a new one in its place")
        } else if arguments["key"] != nil {
            throw UsageError("--key is the key of a --certificate")
        } else if arguments.has("tls") {
            authority = try own.authority()
            guard let authority else {
                throw UsageError(
                    "there is no certificate yet: soglia admin ca --data \(folder) --names NAME,ADDRESS makes one, or give "
                        + "--certificate and --key")
            }
            trust = Trust(authority: authority)
            certificate = CertificateSource(
                certificate: own.servedPath, key: own.servedPath, renewal: "soglia admin ca --data \(folder) --renew")
        }
        guard let certificate else { return }
        let served = try certificate.load()
        server.certificate = served.certificate
        names += served.leaf.names.map(\.urlHost).filter { !names.contains($0) }
    }

    private mutating func readProxy(_ arguments: Arguments) throws {
        guard let text = arguments["behind-proxy"] else { return }
        guard case .address? = ServedName(text) else {
            throw UsageError("--behind-proxy is the address from which the proxy connects, not \(text)")
        }
        server.proxies = [ServedName(text)!.description]
    }

    private static func busAddress(_ arguments: Arguments, _ outside: String?) throws -> BusAddress? {
        guard let text = arguments["bus-listen"] else {
            let isOwnBroker = arguments["mqtt"] == nil && arguments["stub-gates"] == nil
            return isOwnBroker ? outside.map { BusAddress(host: $0, port: BusAddress.securePort, isSecure: true) } : nil
        }
        if text == "none" { return nil }
        if arguments["mqtt"] != nil { throw UsageError("--bus-listen is for the hub's own broker, not with --mqtt") }
        guard let address = BusAddress(hostAndPort: text, usual: BusAddress.securePort, isSecure: true),
            case .address? = ServedName(address.host)
        else { throw UsageError("--bus-listen is ADDRESS:PORT, or none") }
        return address
    }

    /// How the hub is called by whoever reads our lines.
    func url(port: UInt16) -> String {
        let scheme = server.certificate == nil ? "http" : "https"
        return "\(scheme)://\(publicName):\(port)"
    }

    private static let every = ["0.0.0.0", "::"]

    /// Loopback by its usual name; an address that the certificate names, else its first name.
    private var publicName: String {
        let loopback = ["127.0.0.1", "::1"]
        if loopback.contains(server.address) { return "localhost" }
        let address = ServedName(server.address)?.urlHost ?? server.address
        if !Self.every.contains(server.address), names.isEmpty || names.contains(address) { return address }
        return names.first ?? "localhost"
    }

    /// How the bus is called by whoever is shown where to connect; nil: nobody on another machine can.
    var busForOthers: BusAddress? {
        // The pages may be on loopback, or called by a name that leads elsewhere: the bus listens where it was told.
        bus.map { BusAddress(host: Self.every.contains($0.host) ? publicName : $0.host, port: $0.port, isSecure: true) }
    }

    /// Opens the listener for phones that do not trust the hub yet, where it has an authority of its own.
    func startTrust(securePort: UInt16) throws -> TrustServer? {
        guard let trust else { return nil }
        var settings = server
        settings.port = trustPort ?? (server.port == 0 ? 0 : securePort == 443 ? 80 : securePort &+ 1)
        return try TrustServer(trust, settings: settings, securePort: securePort)
    }

    /// Says how phones come to trust the hub, and what of the certificate is not as it should be.
    func tell(_ listener: TrustServer?) {
        if let bus {
            Output.line(
                "gates on other machines reach the bus at \(bus.host.utf8.contains(UInt8(ascii: ":")) ? "[\(bus.host)]" : bus.host):\(bus.port)"
            )
        }
        if let listener, let authority {
            Output.line("phones learn to trust this hub at http://\(publicName):\(listener.port)")
            Output.line("its authority's SHA-256 fingerprint: \(authority.fingerprintText)")
        }
        guard server.certificate != nil, let address = ServedName(server.address)?.urlHost else { return }
        if !["0.0.0.0", "[::]"].contains(address), !names.contains(address) {
            Log.warning("hub", "the certificate does not name the address", ["address": address])
        }
    }
}
