/// The names by which clients may call a server: what its Host field may say.
///
/// Without this check a page of another site, whose name an attacker lets point here (DNS rebinding), could talk to us.
struct HostNames: Sendable {
    private let names: [[UInt8]]

    /// localhost, the address and the configured names, each with the port. Port 80 or 443 may be left out, and behind a
    /// proxy any: there the client saw another port.
    init(_ settings: ServerSettings, port: UInt16) {
        let address = settings.address.contains(":") ? "[\(settings.address)]" : settings.address
        var names = Set<String>()
        // "Every address" is where we listen, and nobody's name.
        let own = settings.address == "0.0.0.0" || settings.address == "::" ? [] : [address]
        for name in settings.hosts.union(["localhost", "127.0.0.1", "[::1]"] + own) {
            names.insert("\(name):\(port)")
            let isDefaultPort = port == (settings.certificate == nil ? 80 : 443)
            if settings.hosts.contains(name) || isDefaultPort { names.insert(name) }
        }
        self.names = names.map { Array($0.utf8) }
    }

    func contains(_ host: UnsafeRawBufferPointer) -> Bool {
        names.contains { name in name.withUnsafeBytes { $0.equalsIgnoringCase(host) } }
    }

    /// The same for a name that a proxy told us.
    func contains(_ host: String) -> Bool {
        var host = host
        return host.withUTF8 { contains(UnsafeRawBufferPointer($0)) }
    }
}
