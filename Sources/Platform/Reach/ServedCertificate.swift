import Crypto
import Glibc
import HTTPServer
import System

/// A certificate with its key, read and found to belong together.
public struct ServedCertificate: Sendable {
    /// So many days before a certificate ends the hub begins to say so.
    public static let warningDays: Int64 = 30

    /// The certificate itself.
    public let leaf: X509Certificate
    /// What the server takes.
    public let certificate: Certificate

    /// Reads PEM files: the certificate with those that lead to its authority, and the key; they may be one file.
    public init(certificate path: String, key keyPath: String) throws {
        let chain = try Files.read(path)
        let key = keyPath == path ? chain : try Files.read(keyPath)
        var status = stat()
        if stat(keyPath, &status) == 0, status.st_mode & 0o007 != 0 {
            throw SystemError("\(keyPath) can be read by everybody on this machine: chmod o= \(keyPath)")
        }
        leaf = try X509Certificate(pem: chain)
        guard leaf.belongs(to: try PrivateKey(pem: key)) else { throw CertificateError.notAPair }
        certificate = Certificate(
            chain: String(decoding: chain, as: UTF8.self), key: String(decoding: key, as: UTF8.self))
    }

    /// What is to be said about its end, in words; nil while it is far.
    public func warning(at now: Timestamp) -> String? {
        let days = (leaf.notAfter.milliseconds - now.milliseconds) / 86_400_000
        if leaf.notAfter <= now { return "the certificate has ended: browsers refuse it" }
        if now < leaf.notBefore { return "the certificate does not hold yet: is the clock right?" }
        return days < Self.warningDays ? "the certificate ends in \(days) days" : nil
    }
}

/// Where the certificate that a hub serves with comes from.
public struct CertificateSource: Sendable {
    /// How often the files are looked at.
    private static let interval = Duration.seconds(5)
    /// How often an end that is near is told.
    private static let warningInterval: Int64 = 86_400_000

    private let path: String
    private let keyPath: String
    private let renewal: String

    /// - Parameters:
    ///   - certificate: a PEM file.
    ///   - key: a PEM file; may be the same.
    ///   - renewal: how a new one is had, in words.
    public init(certificate: String, key: String, renewal: String) {
        (path, keyPath, self.renewal) = (certificate, key, renewal)
    }

    /// Reads the files.
    public func load() throws -> ServedCertificate { try ServedCertificate(certificate: path, key: keyPath) }

    /// Hands over each new certificate that is put in the place of the old one, and warns once a day before the end.
    ///
    /// Returns when cancelled. What cannot be read or does not belong together is told, and the old one stays.
    func watch(_ clock: WallClock, _ replace: (Certificate) async throws -> Void) async throws {
        var current = try load()
        var seen = stamps
        var warned: Timestamp?
        while true {
            let now = clock.now
            if let words = current.warning(at: now),
                warned.map({ now.milliseconds - $0.milliseconds >= Self.warningInterval }) ?? true
            {
                Log.warning("hub", words, ["renewal": renewal])
                warned = now
            }
            try await Task.sleep(for: Self.interval)
            guard stamps != seen else { continue }
            seen = stamps
            do {
                let found = try load()
                guard found.leaf != current.leaf else { continue }
                try await replace(found.certificate)
                (current, warned) = (found, nil)
                Log.info("hub", "a new certificate is served", ["until": found.leaf.notAfter.iso8601])
            } catch {
                Log.failure("hub", "the new certificate cannot be used, the old one stays", ["why": "\(error)"])
            }
        }
    }

    /// What changes when a file is replaced.
    private var stamps: [Int] {
        [path, keyPath].flatMap { path -> [Int] in
            var status = stat()
            guard stat(path, &status) == 0 else { return [] }
            return [Int(status.st_ino), status.st_mtim.tv_sec, status.st_mtim.tv_nsec, Int(status.st_size)]
        }
    }
}
