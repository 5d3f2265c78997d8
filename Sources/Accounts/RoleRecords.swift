import Store

extension AccountRecords {
    /// Adds a role, or changes the one of that id. What the ledger tells of it, is told by whoever knows what a role gives.
    public static func put(_ role: Role, in database: Database) throws {
        try database.execute(
            """
            INSERT INTO roles (id, site, name, level) VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, level = excluded.level
            """, role.id, role.site, role.name, role.level)
    }

    /// Removes a role that no membership names.
    public static func remove(_ role: RoleID, in database: Database) throws {
        try database.execute("DELETE FROM roles WHERE id = ?", role)
    }
}
