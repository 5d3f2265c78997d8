import Ledger

extension Doors {
    /// What Doors tells somebody of themselves: their badges, their old app, the files of people that they brought.
    public static let tellers = [
        Teller(
            "badges", of: "badges", sql: "SELECT site, code FROM badges WHERE person = ?",
            columns: ["site": .site, "code": .text]),
        Teller(
            "oldApp", of: "legacy_accounts",
            sql: "SELECT site, username, created, last_used, revoked FROM legacy_accounts WHERE person = ?",
            columns: ["site": .site, "username": .text, "created": .moment, "lastUsed": .moment, "revoked": .moment]),
        Teller(
            // Without the code: it opens gates, and a session that was left open would give it away for good.
            "oldBadges", of: "legacy_badges",
            sql: "SELECT site, created, revoked FROM legacy_badges WHERE person = ? ORDER BY created",
            columns: ["site": .site, "created": .moment, "revoked": .moment]),
        Teller(
            "oldNumbers", of: "legacy_numbers", sql: "SELECT number FROM legacy_numbers WHERE thing = ?",
            columns: ["number": .number]),
        Teller(
            "imports", of: "people_imports",
            sql: "SELECT site, at, people, memberships, undone FROM people_imports WHERE author = ? ORDER BY at",
            columns: ["site": .site, "at": .moment, "people": .number, "memberships": .number, "undone": .moment]),
        Teller(
            silentAbout: "people_import_items",
            why: "how an import can be taken back: what it made of you is told with your memberships and events"),
        Teller(
            silentAbout: "membership_steps",
            why: "how a change of several people can be taken back: what it changed of you is told with your events"),
    ]
}
