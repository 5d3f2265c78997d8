import Ledger

extension Notices {
    /// What this room tells somebody of themselves: what was sent to them and what became of it. Not what it said: a letter may hold a
    /// link that opens the account.
    public static let tellers = [
        Teller(
            "sent", of: "outbox",
            sql: "SELECT channel, created, state, finished FROM outbox WHERE person = ? ORDER BY created",
            columns: ["channel": .text, "created": .moment, "state": .text, "finished": .moment]),
        Teller(
            "notices", of: "notices", "notice_recipients",
            sql: """
                SELECT n.id, n.site, n.kind, n.urgency, n.content, r.told, r.held, r.read, r.acknowledged
                FROM notice_recipients r JOIN notices n ON n.id = r.notice
                WHERE r.person = ? AND r.told IS NOT NULL ORDER BY r.told
                """,
            columns: [
                "id": .id, "site": .site, "kind": .text, "urgency": .text, "content": .json, "told": .moment,
                "held": .text, "read": .moment, "acknowledged": .moment,
            ]),
        Teller(
            "noticeActs", of: "notice_acts",
            sql: """
                SELECT a.notice, n.site, a.action, a.at, a.outcome FROM notice_acts a LEFT JOIN notices n ON n.id = a.notice
                WHERE a.person = ? ORDER BY a.at
                """,
            columns: ["notice": .id, "site": .site, "action": .text, "at": .moment, "outcome": .text]),
        Teller(
            "shown", of: "notice_receipts",
            sql: """
                SELECT r.notice, n.site, r.shown FROM notice_receipts r LEFT JOIN notices n ON n.id = r.notice
                WHERE r.person = ? ORDER BY r.shown
                """,
            columns: ["notice": .id, "site": .site, "shown": .moment]),
        Teller(
            "noticePreferences", of: "notice_preferences",
            sql: """
                SELECT push, mail, quiet_from, quiet_to, quiet_days, shows_details FROM notice_preferences WHERE person = ?
                """,
            columns: [
                "push": .text, "mail": .text, "quietFromMinute": .number, "quietToMinute": .number,
                "quietDays": .number, "showsDetails": .truth,
            ]),
        Teller(
            "devices", of: "push_devices",
            sql: "SELECT created, reached, failures FROM push_devices WHERE person = ? ORDER BY created",
            columns: ["created": .moment, "reached": .moment, "failures": .number]),
        Teller(
            silentAbout: "notice_webhooks",
            why: "It is a place's own server; that you set it is in the place's log."),
    ]
}
