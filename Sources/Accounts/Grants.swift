import Ledger
import Store

// What lets people in, for a restore to tell what of it becomes valid again. Sessions are not among it: a restore ends them.

extension AccountRecords {
    /// Passwords, other ways in, memberships, links in letters, sites that ask for no passkey, time zones, and registration that is open.
    public static let grants = [
        GrantKind("passwords") { _, database in
            try database.rows("SELECT id, name, email, password FROM people WHERE password <> '' ORDER BY name, email")
            {
                let (name, email, password) = ($0[1] as String, $0[2] as String, $0[3] as String)
                return Grant($0[0], value: Array(password.utf8), label: "\(name) <\(email)>")
            }
        },
        // Ways in are chosen anew by a letter to it; where nobody has shown that it is theirs, past a passkey.
        GrantKind("addresses of accounts") { _, database in
            try database.rows(
                "SELECT id, name, email, confirmed IS NOT NULL FROM people WHERE invited IS NULL ORDER BY name, email"
            ) {
                let (name, email, isConfirmed) = ($0[1] as String, $0[2] as String, $0[3] as Bool)
                return Grant(
                    $0[0], value: Array("\(email) \(isConfirmed)".utf8),
                    label: "\(name) <\(email)>\(isConfirmed ? "" : ", not confirmed")")
            }
        },
        GrantKind("passkeys") { _, database in
            try database.rows(
                """
                SELECT k.id, p.name, p.email, k.name, k.person, k.public_key FROM passkeys k
                JOIN people p ON p.id = k.person ORDER BY p.name, k.name
                """
            ) {
                Grant(
                    $0[0], value: $0[4] + $0[5], label: "\($0[3] as String) of \($0[1] as String) <\($0[2] as String)>")
            }
        },
        GrantKind("accounts at other services") { _, database in
            try database.rows(
                """
                SELECT i.issuer, i.subject, p.name, p.email, p.id FROM identities i JOIN people p ON p.id = i.person
                ORDER BY p.name, i.issuer
                """
            ) {
                let (issuer, subject) = ($0[0] as String, $0[1] as String)
                return Grant(
                    Array((issuer + " " + subject).utf8), value: $0[4],
                    label: "\(issuer) for \($0[2] as String) <\($0[3] as String)>")
            }
        },
        GrantKind("memberships") { now, database in
            // Days are of the site's zone: what ended yesterday somewhere counts as ended everywhere.
            let yesterday = now.milliseconds / 86_400_000 - 1
            return try database.rows(
                """
                SELECT m.id, p.name, s.name, m.permission, coalesce(m.role, x''), coalesce(m.last_day, 0),
                    coalesce(m.first_day, 0), m.person, m.site
                FROM memberships m JOIN people p ON p.id = m.person JOIN sites s ON s.id = m.site
                WHERE m.revoked IS NULL AND (m.last_day IS NULL OR m.last_day >= ?) ORDER BY s.name, p.name
                """, yesterday
            ) {
                let (permission, role) = ($0[3] as String, $0[4] as [UInt8])
                let (firstDay, lastDay) = ($0[6] as Int64, $0[5] as Int64)
                return Grant(
                    $0[0], value: $0[7] + $0[8] + role + Array("\(permission) \(firstDay) \(lastDay)".utf8),
                    label: "\($0[1] as String) at \($0[2] as String) (\(permission))")
            }
        },
        GrantKind("invitations") { now, database in
            try database.rows(
                """
                SELECT i.hash, p.name, s.name, i.way, i.person, i.site FROM invitations i JOIN people p ON p.id = i.person
                JOIN sites s ON s.id = i.site WHERE i.expires > ? ORDER BY s.name, p.name, i.way
                """, now.milliseconds
            ) {
                Grant(
                    $0[0], value: $0[4] + $0[5],
                    label: "\($0[1] as String) at \($0[2] as String) (\($0[3] as String))")
            }
        },
        GrantKind("links in letters") { now, database in
            try database.rows(
                """
                SELECT hash, purpose, address, coalesce(person, x'') FROM links WHERE expires > ? ORDER BY address, purpose
                """, now.milliseconds
            ) {
                let label = "\($0[1] as String) for \($0[2] as String)"
                return Grant($0[0], value: Array(label.utf8) + ($0[3] as [UInt8]), label: label)
            }
        },
        GrantKind("sites that ask for no passkey") { _, database in
            try database.rows("SELECT id, name FROM sites WHERE second_factor = 0 ORDER BY name") {
                Grant($0[0], label: $0[1])
            }
        },
        // Hours of roles, and first and last days of memberships, go by it.
        GrantKind("time zones of sites") { _, database in
            try database.rows("SELECT id, name, zone FROM sites ORDER BY name") {
                let zone = $0[2] as String
                return Grant($0[0], value: Array(zone.utf8), label: "\($0[1] as String) (\(zone))")
            }
        },
        GrantKind("registration") { _, database in
            try isRegistrationOpen(in: database)
                ? [Grant([], label: "open: strangers may make themselves an account")] : []
        },
    ]
}
