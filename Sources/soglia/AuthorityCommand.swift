import Crypto
import Platform
import System

/// `soglia admin ca`: the hub's own authority, for a network without names of the web.
enum AuthorityCommand {
    static let usage = """
        soglia admin ca --data DIR --names NAME,ADDRESS,…   makes an authority for these names alone, and a certificate
        soglia admin ca --data DIR --renew                  a new certificate, good for \(CertificateAuthority.leafLifetime) days; a running hub takes it up by itself
        soglia admin ca --data DIR                          what there is, and until when

        The authority's key lies in DIR/tls under a passphrase, which is asked for at the terminal or read from standard
        input: the hub itself cannot issue anything. Its names are fixed; a new authority has to be trusted anew.
        """

    static func run(_ words: [String]) async throws {
        let arguments = try Arguments(words, options: ["data", "names"], flags: ["renew"])
        guard arguments.words.isEmpty else { throw UsageError("\(arguments.words[0]) has no meaning here") }
        let folder = try arguments.require("data")
        let own = TLSFolder(data: folder)
        let now = WallClock.system.now
        if let text = arguments["names"] {
            if arguments.has("renew") {
                throw UsageError("the names of an authority are fixed: --renew goes without --names")
            }
            let names = try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
                guard let name = ServedName(String(word)) else {
                    throw UsageError(
                        "not a name that an authority may vouch for: \(word). It is an address, or a name with a dot in it, "
                            + "as hub.local")
                }
                return name
            }
            if let known = try own.authority() {
                throw UsageError(
                    "there is an authority already, for \(list(known.permitted)): move \(folder)/tls away to make another one"
                )
            }
            try Files.makeFolder(folder)
            let passphrase = try newPassphrase()
            _ = try own.makeAuthority(names: names, passphrase: passphrase, now: now)
        } else if arguments.has("renew") {
            guard try own.authority() != nil else { throw UsageError("there is no authority yet: --names makes one") }
            try own.renew(passphrase: secret("passphrase of the authority's key: "), now: now)
        }
        try tell(own, now)
    }

    /// Asked twice where somebody types it.
    private static func newPassphrase() throws -> String {
        let least = CertificateAuthority.shortestPassphrase
        let first = try secret("passphrase for the authority's key, of \(least) characters or more: ")
        guard first.count >= least else { throw CertificateError.passphraseTooShort(least) }
        if Terminal.isThere, try secret("once more: ") != first { throw UsageError("the two passphrases differ") }
        return first
    }

    private static func secret(_ question: String) throws -> String {
        guard let text = Terminal.readSecret(question) else {
            throw UsageError("the passphrase is read from the terminal or from standard input: there was none")
        }
        return text
    }

    private static func tell(_ own: TLSFolder, _ now: Timestamp) throws {
        guard let authority = try own.authority() else {
            throw UsageError("there is no authority yet: --names makes one")
        }
        Output.line(
            "authority    \(authority.subject), until \(day(authority.notAfter)), for \(list(authority.permitted))")
        Output.line("fingerprint  \(authority.fingerprintText)")
        guard let served = try own.served() else {
            return Output.line("certificate  none: --renew makes one")
        }
        Output.line("certificate  until \(day(served.leaf.notAfter))")
        if let words = served.warning(at: now) { Output.line("note         \(words): --renew makes a new one") }
    }

    private static func list(_ names: [ServedName]) -> String { names.map { "\($0)" }.joined(separator: ", ") }

    private static func day(_ time: Timestamp) -> String { String(time.iso8601.prefix(10)) }
}
