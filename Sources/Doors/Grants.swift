import Identity
import Ledger
import Notices
import Store

/// What opens gates, for a restore to tell what of it becomes valid again.
extension Doors {
    /// See `GrantKind`.
    public static let grants = [
        GrantKind("codes of badges") { _, database in
            try database.rows(
                """
                SELECT b.person, b.site, b.code, p.name, s.name FROM badges b JOIN people p ON p.id = b.person
                JOIN sites s ON s.id = b.site ORDER BY s.name, p.name
                """
            ) {
                Grant(
                    $0[0] + $0[1], value: Array(($0[2] as String).utf8),
                    label: "\($0[3] as String) at \($0[4] as String)")
            }
        },
        GrantKind("codes of legacy badges") { _, database in
            try database.rows(
                """
                SELECT b.code, p.name, s.name, b.person, b.site FROM legacy_badges b JOIN people p ON p.id = b.person
                JOIN sites s ON s.id = b.site WHERE b.revoked IS NULL ORDER BY s.name, p.name
                """
            ) {
                Grant(
                    Array(($0[0] as String).utf8), value: $0[3] + $0[4],
                    label: "\($0[1] as String) at \($0[2] as String)")
            }
        },
        GrantKind("passwords of the old app") { _, database in
            try database.rows(
                """
                SELECT l.person, l.site, l.username, l.password, p.name, s.name FROM legacy_accounts l
                JOIN people p ON p.id = l.person JOIN sites s ON s.id = l.site WHERE l.revoked IS NULL
                ORDER BY s.name, p.name
                """
            ) {
                Grant(
                    $0[0] + $0[1], value: Array("\($0[2] as String) \($0[3] as String)".utf8),
                    label: "\($0[4] as String) at \($0[5] as String)")
            }
        },
        GrantKind("sites that take the old app’s sign-in in addresses") { _, database in
            try database.rows(
                """
                SELECT l.site, s.name FROM legacy_sites l JOIN sites s ON s.id = l.site WHERE l.allows_get = 1
                ORDER BY s.name
                """
            ) { Grant($0[0], label: $0[1]) }
        },
        GrantKind("gates in use, and the keys of their controllers") { _, database in
            try database.rows(
                """
                SELECT g.id, g.name, s.name, l.gate IS NOT NULL, g.key FROM gates g JOIN sites s ON s.id = g.site
                LEFT JOIN legacy_gates l ON l.gate = g.id WHERE g.retired IS NULL ORDER BY s.name, g.name
                """
            ) {
                let isOld = $0[3] as Bool
                // With the key of the controller that it had then, also where another has taken its place since.
                return Grant(
                    $0[0], value: [isOld ? 1 : 0] + ($0[4] as [UInt8]? ?? []),
                    label: "\($0[1] as String) at \($0[2] as String)\(isOld ? " (for the old app)" : "")")
            }
        },
        GrantKind("gates of roles") { _, database in
            try database.rows(
                """
                SELECT t.role, t.gate, r.name, g.name, s.name FROM (
                    SELECT role, gate FROM role_gates
                    UNION SELECT rg.role, gg.gate FROM role_gate_groups rg
                        JOIN gate_group_gates gg ON gg.gate_group = rg.gate_group
                ) t JOIN roles r ON r.id = t.role JOIN gates g ON g.id = t.gate JOIN sites s ON s.id = r.site
                ORDER BY s.name, r.name, g.name
                """
            ) { Grant($0[0] + $0[1], label: "\($0[3] as String) for \($0[2] as String) at \($0[4] as String)") }
        },
        GrantKind("hours of roles") { _, database in
            try database.rows(
                """
                SELECT r.id, r.name, s.name, coalesce(t.week, ''), coalesce(t.keeps_special_days, 0) FROM roles r
                JOIN sites s ON s.id = r.site LEFT JOIN role_hours h ON h.role = r.id
                LEFT JOIN timetables t ON t.id = h.timetable ORDER BY s.name, r.name
                """
            ) {
                Grant(
                    $0[0], value: Array("\($0[3] as String) \($0[4] as Int64)".utf8),
                    label: "\($0[1] as String) at \($0[2] as String)")
            }
        },
        GrantKind("special days") { _, database in
            var days: [SiteID: (name: String, text: String)] = [:]
            _ = try database.rows(
                """
                SELECT s.id, s.name, coalesce(d.first_day, 0), coalesce(d.last_day, 0), coalesce(d.spans, '')
                FROM sites s LEFT JOIN special_days d ON d.site = s.id ORDER BY s.name, d.first_day, d.id
                """
            ) {
                let line = "\($0[2] as Int64) \($0[3] as Int64) \($0[4] as String);"
                days[$0[0], default: ($0[1], "")].text += line
            }
            return days.map { Grant($0.key.raw.bytes, value: Array($0.value.text.utf8), label: $0.value.name) }
        },
        GrantKind("gates that open from a notification without a passkey") { _, database in
            try database.rows(
                """
                SELECT g.id, g.name, s.name, coalesce(c.proof, ?1) FROM gates g JOIN sites s ON s.id = g.site
                LEFT JOIN check_in_gates c ON c.gate = g.id
                WHERE g.retired IS NULL AND coalesce(c.proof, ?1) <> ?2 ORDER BY s.name, g.name
                """, CheckIn.usual.rawValue, ActionProof.passkey.rawValue
            ) {
                Grant(
                    $0[0], value: Array(($0[3] as String).utf8),
                    label: "\($0[1] as String) at \($0[2] as String) (\($0[3] as String))")
            }
        },
    ]
}
