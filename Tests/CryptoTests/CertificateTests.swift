import Crypto
import Glibc
import System
import Testing

private let hasOpenSSL = access("/usr/bin/openssl", X_OK) == 0
private let passphrase = "a long walk by the river"

/// A folder with an authority and what it issued, and the real `openssl` to judge them.
private struct Bench {
    let folder: String
    let authority: CertificateAuthority

    static func with<T>(_ names: [String], now: Timestamp = WallClock.system.now, _ body: (Bench) async throws -> T)
        async throws -> T
    {
        let folder = "/tmp/sgc-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try Files.makeFolder(folder)
        defer {
            for name in Files.names(in: folder) { Files.remove(folder + "/" + name) }
            rmdir(folder)
        }
        let authority = try CertificateAuthority(names: names.map { ServedName($0)! }, now: now)
        let bench = Bench(folder: folder, authority: authority)
        try bench.write("ca.pem", authority.certificate.pem())
        try bench.write("ca-key.pem", authority.keyPEM(passphrase: passphrase))
        let (leaf, key) = try authority.issue(now: now)
        try bench.write("leaf.pem", leaf.pem())
        try bench.write("leaf-key.pem", key.pem())
        return try await body(bench)
    }

    func write(_ name: String, _ bytes: [UInt8]) throws { try Files.replace(folder + "/" + name, with: bytes) }

    func read(_ name: String) throws -> [UInt8] { try Files.read(folder + "/" + name) }

    /// What `openssl` says, and whether it was content.
    func openssl(_ arguments: String...) async throws -> (isWell: Bool, text: String) {
        let log = folder + "/said"
        Files.remove(log)
        let paths = arguments.map { $0.hasPrefix("@") ? folder + "/" + $0.dropFirst() : $0 }
        let child = try await Child.start("/usr/bin/openssl", paths, output: .file(log), errors: .file(log))
        let end = await child.wait()
        return (end == .exited(0), String(decoding: (try? Files.read(log)) ?? [], as: UTF8.self))
    }

    /// What somebody with the authority's key makes for another name.
    func forge(_ name: String) async throws {
        try write("ext", Array("subjectAltName=\(name)\nextendedKeyUsage=serverAuth\n".utf8))
        try write("pass", Array(passphrase.utf8))
        let asked = try await openssl(
            "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
            "@f-key.pem",
            "-subj", "/CN=forged", "-out", "@f.csr")
        #expect(asked.isWell, "\(asked.text)")
        let made = try await openssl(
            "x509", "-req", "-in", "@f.csr", "-CA", "@ca.pem", "-CAkey", "@ca-key.pem", "-passin",
            "file:\(folder)/pass",
            "-CAcreateserial", "-days", "30", "-extfile", "@ext", "-out", "@forged.pem")
        #expect(made.isWell, "\(made.text)")
    }
}

@Suite("The hub's own authority")
struct CertificateTests {
    @Test(
        "What it issues is good for each of its names, by openssl's own judgement", .enabled(if: hasOpenSSL),
        arguments: [
            ("-verify_hostname", "hub.local"), ("-verify_ip", "192.168.1.10"), ("-verify_ip", "fd00::10"),
            ("-verify_hostname", "localhost"),
        ])
    func issued(option: String, name: String) async throws {
        try await Bench.with(["hub.local", "192.168.1.10", "fd00::10"]) { bench in
            let verdict = try await bench.openssl(
                "verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", "@ca.pem", option, name, "@leaf.pem")
            #expect(verdict.isWell, "\(verdict.text)")
        }
    }

    @Test("It is not good for another name", .enabled(if: hasOpenSSL))
    func otherName() async throws {
        try await Bench.with(["hub.local"]) { bench in
            let verdict = try await bench.openssl(
                "verify", "-CAfile", "@ca.pem", "-verify_hostname", "bank.example", "@leaf.pem")
            #expect(!verdict.isWell)
        }
    }

    @Test(
        "Whoever steals the authority's key cannot impersonate the web", .enabled(if: hasOpenSSL),
        arguments: [
            "DNS:bank.example", "DNS:local", "DNS:*.example", "IP:192.168.1.11", "IP:8.8.8.8", "IP:2001:db8::1",
            "DNS:hub.local,DNS:bank.example",
        ])
    func stolenKey(name: String) async throws {
        try await Bench.with(["hub.local", "192.168.1.10"]) { bench in
            try await bench.forge(name)
            let verdict = try await bench.openssl(
                "verify", "-purpose", "sslserver", "-CAfile", "@ca.pem", "@forged.pem")
            #expect(!verdict.isWell && verdict.text.contains("permitted subtree violation"), "\(verdict.text)")
        }
    }

    @Test(
        "An authority without an address vouches for none, and one without a name for none", .enabled(if: hasOpenSSL),
        arguments: [("hub.local", "IP:8.8.8.8"), ("192.168.1.10", "DNS:bank.example")])
    func otherKind(own: String, forged: String) async throws {
        try await Bench.with([own]) { bench in
            try await bench.forge(forged)
            let verdict = try await bench.openssl("verify", "-CAfile", "@ca.pem", "@forged.pem")
            #expect(!verdict.isWell && verdict.text.contains("permitted subtree violation"), "\(verdict.text)")
        }
    }

    @Test("No authority below it, and no other use than serving", .enabled(if: hasOpenSSL))
    func uses() async throws {
        try await Bench.with(["hub.local"]) { bench in
            let text = try await bench.openssl("x509", "-in", "@ca.pem", "-noout", "-text").text
            #expect(text.contains("CA:TRUE, pathlen:0"))
            #expect(text.contains("X509v3 Name Constraints: critical"))
            #expect(text.contains("X509v3 Key Usage: critical\n                Certificate Sign, CRL Sign"))
            let asClient = try await bench.openssl("verify", "-purpose", "sslclient", "-CAfile", "@ca.pem", "@leaf.pem")
            #expect(!asClient.isWell)
        }
    }

    @Test("A certificate holds 397 days, from an hour ago, and never longer than its authority")
    func times() throws {
        let now = Timestamp(iso8601: "2026-11-21T12:00:00.000Z")!
        let authority = try CertificateAuthority(names: [ServedName("hub.local")!], now: now)
        #expect(authority.certificate.notBefore.iso8601 == "2026-11-21T11:00:00.000Z")
        let leaf = try authority.issue(now: now).certificate
        #expect(leaf.notBefore.iso8601 == "2026-11-21T11:00:00.000Z")
        #expect(leaf.notAfter.milliseconds - leaf.notBefore.milliseconds == 397 * 86_400_000)
        let late = try authority.issue(now: authority.certificate.notAfter.adding(milliseconds: -86_400_000))
        #expect(late.certificate.notAfter == authority.certificate.notAfter)
        #expect(late.certificate.isSigned(by: authority.certificate))
    }

    @Test("Its key is under the passphrase, and opens with no other")
    func passphrases() async throws {
        try await Bench.with(["hub.local"]) { bench in
            let key = try bench.read("ca-key.pem")
            #expect(String(decoding: key, as: UTF8.self).hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----"))
            let certificate = try bench.read("ca.pem")
            let again = try CertificateAuthority(certificatePEM: certificate, keyPEM: key, passphrase: passphrase)
            #expect(again.certificate == bench.authority.certificate)
            #expect(
                try again.issue(now: WallClock.system.now).certificate.names == bench.authority.certificate.permitted)
            for wrong in ["", "a long walk by the sea", passphrase + " "] {
                #expect(throws: CertificateError.wrongPassphrase) {
                    try CertificateAuthority(certificatePEM: certificate, keyPEM: key, passphrase: wrong)
                }
            }
            #expect(throws: CertificateError.wrongPassphrase) { try PrivateKey(pem: key) }
            #expect(throws: CertificateError.passphraseTooShort(12)) {
                try bench.authority.keyPEM(passphrase: "eleven char")
            }
            #expect(throws: CertificateError.notAPair) {
                let other = try CertificateAuthority(names: [ServedName("hub.local")!], now: WallClock.system.now)
                return try CertificateAuthority(
                    certificatePEM: other.certificate.pem(), keyPEM: key, passphrase: passphrase)
            }
        }
    }

    @Test("The key is guessed slowly: scrypt, not a plain hash", .enabled(if: hasOpenSSL))
    func slowGuess() async throws {
        try await Bench.with(["hub.local"]) { bench in
            let text = try await bench.openssl("asn1parse", "-in", "@ca-key.pem").text
            #expect(text.contains("scrypt") && text.contains("aes-256-cbc"), "\(text)")
        }
    }

    @Test("A certificate is read with its names, its times and its fingerprint", .enabled(if: hasOpenSSL))
    func reading() async throws {
        try await Bench.with(["hub.local", "192.168.1.10"]) { bench in
            let leaf = try X509Certificate(pem: bench.read("leaf.pem"))
            #expect(leaf.names.map { "\($0)" } == ["hub.local", "192.168.1.10", "localhost", "127.0.0.1", "::1"])
            #expect(leaf.subject == "hub.local" && leaf.permitted.isEmpty)
            let said = try await bench.openssl("x509", "-in", "@leaf.pem", "-noout", "-fingerprint", "-sha256").text
            let digits = said.drop { $0 != "=" }.dropFirst().filter { $0 != ":" && $0 != "\n" }
            #expect(leaf.fingerprintText.filter { $0 != " " } == digits)
            #expect(leaf.belongs(to: try PrivateKey(pem: bench.read("leaf-key.pem"))))
        }
    }

    @Test(
        "What is not PEM is refused",
        arguments: ["", "hello", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func notPEM(text: String) {
        #expect(throws: CertificateError.notACertificate) { try X509Certificate(pem: Array(text.utf8)) }
        #expect(throws: CertificateError.notAKey) { try PrivateKey(pem: Array(text.utf8)) }
    }

    @Test("A key is in no description")
    func hidden() throws {
        let key = try PrivateKey.generate()
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key)" == "PrivateKey(hidden)" && dumped.utf8.count < 60)
    }

    @Test("A certificate that signs itself vouches for nobody and never ends")
    func selfSigned() throws {
        let (certificate, key) = try CertificateAuthority.selfSigned(subject: "broker", now: WallClock.system.now)
        #expect(certificate.notAfter.iso8601.hasPrefix("9999-12-31"))
        #expect(certificate.belongs(to: key) && certificate.isSigned(by: certificate) && certificate.names.isEmpty)
    }

    @Test(
        "A name of a hub is a host's name with a dot, localhost, or an address",
        arguments: ["hub.local", "Hub.Local", "a-b.example.org", "localhost", "192.168.1.10", "::1", "fd00::10"])
    func goodNames(name: String) throws {
        #expect(try #require(ServedName(name)).description == name.lowercased())
    }

    @Test(
        "Anything else is none, above all what would be a whole domain",
        arguments: [
            "", "com", "hub", "*.local", "hub..local", ".local", "hub.local.", "-hub.local", "hub_1.local", "192.168.1",
            "192.168.1.300", "hub.local/24", "hub local", "hub.local,DNS:x.org", "hüb.local", "[::1]",
            "hub.local\n", String(repeating: "a", count: 64) + ".local",
        ])
    func badNames(name: String) { #expect(ServedName(name) == nil) }
}
