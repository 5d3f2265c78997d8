import Household
import Ledger
import Store

/// Modes of the panel in which motion does not count.
private let weakModes: Set<String> = ["home", "night"]

/// What disarms a house, what comes onto its bus and who draws its map, for a restore to tell what of it becomes valid again.
extension Home {
    /// See `GrantKind`.
    public static let grants: [GrantKind] = [
        GrantKind("codes of houses") { _, database in
            try database.rows(
                "SELECT c.id, c.hash, c.name, s.name, c.site FROM home_codes c JOIN sites s ON s.id = c.site ORDER BY s.name, c.name"
            ) {
                Grant(
                    $0[0], value: $0[4] + Array(($0[1] as String).utf8),
                    label: "\($0[2] as String) at \($0[3] as String)")
            }
        },
        GrantKind("tags of houses") { _, database in
            try database.rows(
                """
                SELECT t.gateway, t.digest, t.name, s.name FROM home_tags t JOIN sites s ON s.id = t.site
                ORDER BY s.name, t.name
                """
            ) { Grant($0[0] + $0[1], label: "\($0[2] as String) at \($0[3] as String)") }
        },
        GrantKind("credentials of devices") { _, database in
            try database.rows(
                """
                SELECT g.id, g.key, g.name, s.name, g.site FROM home_gateways g JOIN sites s ON s.id = g.site
                WHERE g.key IS NOT NULL AND g.retired IS NULL ORDER BY s.name, g.name
                """
            ) { Grant($0[0], value: $0[4] + $0[1], label: "\($0[2] as String) at \($0[3] as String)") }
        },
        // Of each house what it is not armed for: what the backup has more of than the present is weaker.
        GrantKind("houses that are armed less") { _, database in
            try database.rows(
                """
                SELECT s.id, s.name, coalesce(p.mode, '') FROM sites s LEFT JOIN home_panels p ON p.site = s.id
                WHERE s.kind = 'home' ORDER BY s.name
                """
            ) { row -> [Grant] in
                let (id, name, mode) = (row[0] as [UInt8], row[1] as String, row[2] as String)
                let level = mode.isEmpty ? 0 : weakModes.contains(mode) ? 1 : 2
                return (level..<2).map {
                    Grant(id + [UInt8($0)], label: "\(name) (\(mode.isEmpty ? "not armed" : mode))")
                }
            }.flatMap(\.self)
        },
        GrantKind("sensors that are bypassed in an armed house") { _, database in
            let names = Dictionary(
                uniqueKeysWithValues: try database.rows(
                    """
                    SELECT n.id, n.name, s.name FROM home_sensors n
                    JOIN home_devices d ON d.id = n.device JOIN sites s ON s.id = d.site
                    """
                ) { ($0[0] as SensorID, "\($0[1] as String) at \($0[2] as String)") })
            return try SafetyRecords.panels(in: database).filter { $0.panel.panel.mode != nil }
                .flatMap { $0.panel.bypassed }.compactMap { sensor in
                    names[sensor].map { Grant(sensor.raw.bytes, label: $0) }
                }.sorted { $0.label < $1.label }
        },
        GrantKind("houses that are disarmed without a code") { _, database in
            try database.rows(
                """
                SELECT s.id, s.name FROM sites s LEFT JOIN home_panel_rules r ON r.site = s.id
                WHERE s.kind = 'home' AND coalesce(r.code, 0) = 0 ORDER BY s.name
                """
            ) { Grant($0[0], label: $0[1]) }
        },
        GrantKind("servers of map tiles") { _, database in
            // The server alone: the rest of the address may hold a key.
            try Tiles.load(in: database).map { [Grant([], value: Array($0.address.utf8), label: $0.origin)] } ?? []
        },
    ]
}
