import Ledger

extension GateRecords {
    /// What gates tell somebody of themselves: where they went through, what they asked for, which passes their phones hold.
    public static let tellers = [
        Teller(
            "transits", of: "transits",
            sql: """
                SELECT g.site, g.name, t.at, t.opened, t.intent, t.intent_reason, t.reason
                FROM transits t JOIN gates g ON g.id = t.gate WHERE t.person = ? ORDER BY t.at
                """,
            columns: [
                "site": .site, "gate": .text, "at": .moment, "opened": .truth, "intent": .text, "intentReason": .number,
                "reason": .number,
            ]),
        Teller(
            "openings", of: "openings",
            sql: """
                SELECT o.site, g.name, o.at, o.outcome FROM openings o JOIN gates g ON g.id = o.gate
                WHERE o.person = ? ORDER BY o.at
                """, columns: ["site": .site, "gate": .text, "at": .moment, "outcome": .text]),
        Teller(
            "repeatedRefusals", of: "refusals",
            sql: """
                SELECT r.site, g.name, r.code, r.first, r.last, r.count FROM refusals r JOIN gates g ON g.id = r.gate
                WHERE r.person = ? ORDER BY r.last
                """,
            columns: [
                "site": .site, "gate": .text, "reason": .text, "first": .moment, "last": .moment, "count": .number,
            ]),
        Teller(
            "passes", of: "passes",
            sql: """
                SELECT g.site, g.name, p.not_after FROM passes p JOIN gates g ON g.id = p.gate
                WHERE p.person = ? ORDER BY p.not_after
                """, columns: ["site": .site, "gate": .text, "until": .moment]),
        Teller(silentAbout: "pairing_codes", why: "codes for pairing that were made in the last ten minutes"),
    ]
}
