import Ledger

// What accounts tell somebody of themselves. Of what opens an account, that it is there, and never what it is.

extension AccountRecords {
    /// The account, its photo, memberships, sessions and ways in.
    public static let tellers = [
        Teller(
            "account", of: "people",
            sql: """
                SELECT name, email, language, zone, created, confirmed, password <> '' FROM people WHERE id = ?
                """,
            columns: [
                "name": .text, "email": .text, "language": .text, "zone": .text, "created": .moment,
                "confirmed": .moment, "hasPassword": .truth,
            ]),
        Teller(
            "photo", of: "photos", sql: "SELECT changed, large FROM photos WHERE person = ?",
            columns: ["changed": .moment, "jpeg": .bytes]),
        Teller(
            "memberships", of: "memberships",
            sql: """
                SELECT s.id, s.name, s.kind, m.permission, r.name, m.first_day, m.last_day, m.revoked
                FROM memberships m JOIN sites s ON s.id = m.site LEFT JOIN roles r ON r.id = m.role
                WHERE m.person = ? ORDER BY s.name, m.id
                """,
            columns: [
                "site": .site, "name": .text, "kind": .text, "permission": .text, "role": .text, "firstDay": .day,
                "lastDay": .day, "revoked": .moment,
            ]),
        Teller(
            "sessions", of: "sessions",
            sql: """
                SELECT id, is_program, created, seen, expires, address, client, proven FROM sessions
                WHERE person = ? ORDER BY created
                """,
            columns: [
                "id": .id, "isProgram": .truth, "created": .moment, "seen": .moment, "expires": .moment,
                "address": .text, "client": .text, "proven": .moment,
            ]),
        Teller(
            "identities", of: "identities",
            sql: "SELECT issuer, subject, label, added, used FROM identities WHERE person = ? ORDER BY added",
            columns: ["issuer": .text, "subject": .text, "label": .text, "added": .moment, "used": .moment]),
        Teller(
            "passkeys", of: "passkeys",
            sql: "SELECT name, party, added, used, is_backed_up FROM passkeys WHERE person = ? ORDER BY added",
            columns: ["name": .text, "site": .text, "added": .moment, "used": .moment, "isBackedUp": .truth]),
        Teller(
            silentAbout: "links",
            why: "Links in letters that you have not opened yet. They open your account, and end by themselves."),
        Teller(
            silentAbout: "invitations",
            why:
                "Codes of invitations. They belong to no account until a person joins with one, and they expire."
        ),
        Teller(
            silentAbout: "renewals",
            why: "which session took the place of which: the sessions themselves are told"),
    ]
}
