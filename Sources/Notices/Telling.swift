import Ledger

extension Notices {
    /// What this room tells somebody of themselves: what was sent to them and what became of it. Not what it said: a letter may hold a
    /// link that opens the account.
    public static let tellers = [
        Teller(
            "sent", of: "outbox",
            sql: "SELECT channel, created, state, finished FROM outbox WHERE person = ? ORDER BY created",
            columns: ["channel": .text, "created": .moment, "state": .text, "finished": .moment])
    ]
}
