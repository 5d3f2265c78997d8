import Bus
import Crypto
import Ledger
import Notices
import OpenID
import System

/// What lies beside the database and lets somebody in, or says where letters go: the grants of one kind, as files keep them.
///
/// Not among it is `broker/dynamic-security.json`, whom the broker lets in: it is made anew out of the database, where what gates and devices come
/// in by are grants of their own.
struct FileGrantKind: Sendable {
    /// What they are, in the plural.
    let name: String
    /// Those in a folder of data.
    let valid: @Sendable (_ folder: String) -> [Grant]

    /// Every kind, in the order in which a restore lists them.
    static let all = [
        FileGrantKind(name: "services that people sign in by") { folder in
            guard let file = try? ProviderFile.load(folder: folder) else {
                return whole([ProviderFile.file], of: folder) { "\(ProviderFile.file), which cannot be read" }
            }
            return file.providers.map { service in
                let value = [service.kind.rawValue, service.issuer, service.clientID, service.clientSecret]
                return Grant(
                    Array(service.id.utf8), value: Digest.sha256(Array(value.joined(separator: "\n").utf8)),
                    label: "\(service.id) at \(service.issuer), client \(service.clientID)")
            }
        },
        FileGrantKind(name: "mail servers that letters leave by") { folder in
            whole([MailSettings.file], of: folder) {
                guard let mail = try? MailSettings.load(folder) else { return nil }
                return "\(mail.url), from \(mail.sender.address); links begin with \(mail.origin)"
            }
        },
        FileGrantKind(name: "authorities that phones trust") { folder in
            whole([TLSFolder.authorityFile, TLSFolder.authorityKeyFile], of: folder) {
                guard let authority = try? TLSFolder(data: folder).authority() else { return nil }
                return
                    "\(authority.subject), until \(day(authority.notAfter)), fingerprint \(authority.fingerprintText)"
            }
        },
        FileGrantKind(name: "certificates of this hub") { folder in
            whole([TLSFolder.servedFile], of: folder) {
                guard let leaf = try? TLSFolder(data: folder).served()?.leaf else { return nil }
                return "\(leaf.names.map { "\($0)" }.joined(separator: ", ")), until \(day(leaf.notAfter))"
            }
        },
        FileGrantKind(name: "tokens for the figures") { whole([MetricsDoor.file], of: $0) { MetricsDoor.file } },
        FileGrantKind(name: "keys of this hub") { folder in
            let keys = [
                (Hub.identityFile, "the hub’s own key"),
                ("broker/\(BrokerIdentity.file)", "the certificate by which gates and devices know the hub"),
                ("broker/\(Broker.credentialsFile)", "the hub’s own way onto the bus"),
            ]
            return keys.flatMap { file, what in whole([file], of: folder) { "\(file): \(what)" } }
        },
    ]

    /// Files that count as one; none, when the first is not there. One that cannot be read or understood is told as that, and is like no
    /// other.
    /// - Parameter label: nil: they cannot be understood.
    private static func whole(_ files: [String], of folder: String, label: () -> String?) -> [Grant] {
        guard let first = files.first, Files.exists("\(folder)/\(first)") else { return [] }
        let value = files.flatMap { Digest.sha256((try? Files.read("\(folder)/\($0)")) ?? []) }
        return [Grant(Array(first.utf8), value: value, label: label() ?? "\(first), which cannot be read")]
    }

    private static func day(_ time: Timestamp) -> Substring { time.iso8601.prefix(10) }
}
