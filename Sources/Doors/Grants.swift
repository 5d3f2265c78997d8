import Ledger
import Store

/// The codes of badges, for a restore to tell which of them become valid again.
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
                    label: "\($0[3] as String) at \($0[4] as String)", person: $0[0])
            }
        },
        GrantKind("codes of legacy badges") { _, database in
            try database.rows(
                """
                SELECT b.code, p.name, s.name, p.id FROM legacy_badges b JOIN people p ON p.id = b.person
                JOIN sites s ON s.id = b.site WHERE b.revoked IS NULL ORDER BY s.name, p.name
                """
            ) {
                Grant(
                    Array(($0[0] as String).utf8), label: "\($0[1] as String) at \($0[2] as String)", person: $0[3])
            }
        },
    ]
}
