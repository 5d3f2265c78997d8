import Accounts
import Identity
import JSON
import Ledger
import Store
import System

/// A site's own server, which is told of the site's notices.
public struct Webhook: Sendable, Equatable {
    /// The longest address, in bytes.
    public static let longestAddress = 1_000
    /// A secret has so many bytes.
    static let secretLength = 32

    /// Where it is told.
    public let address: String
    /// What signs each call: shown once.
    let secret: [UInt8]
    /// Since when.
    public let changed: Timestamp

    /// Whether an address can be one: `https`, printable ASCII, without credentials and fragment; `http` only where a private network
    /// may be called. Where its name leads is looked at when the connection is made.
    static func isAddress(_ text: String, allowingPlain: Bool) -> Bool {
        let prefix = text.hasPrefix("https://") ? 8 : (allowingPlain && text.hasPrefix("http://") ? 7 : 0)
        guard prefix > 0, text.utf8.count <= longestAddress, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            return false
        }
        let host = text.dropFirst(prefix).prefix { !"/?#".contains($0) }
        return !host.isEmpty && !host.contains("@") && !text.contains("\\") && !text.contains("#")
    }
}

/// The sites' own servers as they are kept. Every function runs inside the caller's transaction.
public enum WebhookRecords {
    static let migration = Migration(
        "notices.webhooks.1",
        """
        CREATE TABLE notice_webhooks (
            site BLOB NOT NULL PRIMARY KEY, address TEXT NOT NULL, secret BLOB NOT NULL, changed INTEGER NOT NULL,
            changed_by BLOB
        ) STRICT;
        """)

    /// For a restore to tell which servers are told of notices again.
    public static let grants = [
        GrantKind("servers that are told of notices") { _, database in
            try database.rows(
                """
                SELECT w.site, s.name, w.address, w.secret FROM notice_webhooks w JOIN sites s ON s.id = w.site
                ORDER BY s.name
                """
            ) { Grant($0[0], value: Array(($0[2] as String).utf8) + ($0[3] as [UInt8]), label: $0[1]) }
        }
    ]

    /// The server of a site.
    public static func webhook(of site: SiteID, in database: Database) throws -> Webhook? {
        try database.row("SELECT address, secret, changed FROM notice_webhooks WHERE site = ?", site) {
            Webhook(address: $0[0], secret: $0[1], changed: $0[2])
        }
    }

    static func put(
        _ webhook: Webhook, of site: SiteID, by person: PersonID, in database: Database
    ) throws {
        try audit(site, from: try self.webhook(of: site, in: database), to: webhook, by: person, in: database)
        try database.execute(
            """
            INSERT INTO notice_webhooks (site, address, secret, changed, changed_by) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (site) DO UPDATE SET address = excluded.address, secret = excluded.secret,
                changed = excluded.changed, changed_by = excluded.changed_by
            """, site, webhook.address, webhook.secret, webhook.changed, person)
    }

    /// - Returns: whether there was one.
    static func remove(of site: SiteID, by person: PersonID, at now: Timestamp, in database: Database) throws -> Bool {
        guard let webhook = try webhook(of: site, in: database) else { return false }
        try audit(site, from: webhook, to: nil, by: person, at: now, in: database)
        return try database.execute("DELETE FROM notice_webhooks WHERE site = ?", site) == 1
    }

    /// The host alone: an address may hold a secret of the other side's.
    private static func audit(
        _ site: SiteID, from before: Webhook?, to after: Webhook?, by person: PersonID, at now: Timestamp? = nil,
        in database: Database
    ) throws {
        func fields(_ webhook: Webhook) -> [(name: StaticString, value: String)] {
            [("host", webhook.host), ("changed", webhook.changed.iso8601)]
        }
        guard let time = now ?? after?.changed else { return }
        try Audit("webhook.changed", ("site", site.text), before: before.map(fields), after: after.map(fields))
            .append(at: time, site: site, by: person, in: database)
    }

    static func erase(_ person: PersonID, at site: SiteID, isLast: Bool, in database: Database) throws {
        try database.execute(
            "UPDATE notice_webhooks SET changed_by = NULL WHERE changed_by = ?1 AND (site = ?2 OR ?3)", person, site,
            isLast)
    }

    // MARK: what leaves

    /// What tells a site's server of a notice; nil when it has none.
    static func parcel(for notice: Notice, in database: Database) throws -> Parcel? {
        guard let site = notice.site, try webhook(of: site, in: database) != nil else { return nil }
        return Parcel(
            id: .new(at: notice.created), channel: .webhook, person: nil, subject: notice.id.raw.bytes,
            payload: site.raw.bytes + body(of: notice, at: site), created: notice.created, expires: notice.expires,
            share: ShareID(site.raw))
    }

    /// What the other side gets.
    static func body(of notice: Notice, at site: SiteID) -> [UInt8] {
        WebhookBody(notice: notice, site: site).document(capacity: 512)
    }
}

extension Webhook {
    /// Its host, for people and for the ledger.
    public var host: String {
        String(address.drop { $0 != ":" }.dropFirst(3).prefix { !"/?".contains($0) })
    }
}
