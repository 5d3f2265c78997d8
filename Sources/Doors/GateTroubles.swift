import Accounts
import Gates
import Identity
import JSON
import Ledger
import Notices
import Platform
import Store
import System

/// Tells the managers of a site when something begins not to work at one of its gates.
struct GateTroubles: Sendable {
    /// What the ledger calls it.
    static let kind = "gate.troubles"
    /// What happened before is no news when a hub comes back, in milliseconds: a day.
    static let newsFor: Int64 = 86_400_000

    let given: Given

    /// Follows the ledger. Returns when the task is cancelled.
    func follow() async throws {
        try await given.ledger.follow(as: "doors.gateTroubles") { events in
            for event in events where event.kind == Self.kind {
                guard let notify = try notify(event) else { continue }
                // Keyed by the event: an event that comes twice is one notice.
                try await given.notices.send(notify)
            }
        }
    }

    /// Nil when nothing began, when it is old, or when there is nobody to tell.
    func notify(_ event: Event) throws -> Notify? {
        let now = given.clock.now
        guard now.milliseconds - event.at.milliseconds < Self.newsFor, let payload = event.payload,
            let fact = try? JSONReader.decode(Fact.self, from: payload), let id = GateID(fact.gate)
        else { return nil }
        let began = fact.began.compactMap { GateTrouble(rawValue: $0) }
        guard !began.isEmpty else { return nil }
        let found = try given.store.read { database in
            (
                try GateRecords.gate(id, in: database),
                try Notices.present(at: event.site, now, Permission.managing, in: database)
            )
        }
        guard let gate = found.0, !found.1.isEmpty else { return nil }
        return Notify(
            site: event.site,
            content: Self.content(of: gate, began, offset: try given.gates.health(of: id)?.clockOffset ?? 0),
            to: .all(found.1.sorted()), key: event.id.text,
            window: Self.newsFor)
    }

    private struct Fact: Decodable {
        let gate: String
        let began: [String]
    }

    static func content(of gate: Gate, _ began: [GateTrouble], offset: Int) -> NoticeContent {
        func words(_ language: Language) -> NoticeWords {
            let title: String =
                switch language {
                case .en: "\(gate.name) needs you"
                case .it: "\(gate.name) ha bisogno di te"
                case .es: "\(gate.name) te necesita"
                }
            return NoticeWords(title, began.map { $0.text(language, offset: offset) }.joined(separator: " "))
        }
        return NoticeContent(
            kind: "doors.gateTrouble", urgency: began.contains(.journalFull) ? .high : .normal,
            text: LocalizedText(en: words(.en), it: words(.it), es: words(.es)),
            publicText: LocalizedText(
                en: NoticeWords("A gate needs you"), it: NoticeWords("Un varco ha bisogno di te"),
                es: NoticeWords("Un acceso te necesita")),
            link: "/sites/\(gate.site.text)/gates/\(gate.id.text)")
    }
}
