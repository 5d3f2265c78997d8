import Accounts
import Gates
import Identity
import JSON
import Ledger
import Pages
import Store
import System

extension Doors {
    /// The kinds that the log shows: how openings ended, and what was done to the ledger itself.
    static let logKinds =
        OpeningKind.endings + [RemovalKind.erased, Ledger.restoredKind, GateRecords.comparedKind]

    /// A line of the log about the ledger itself; nil for any other event.
    func ledgerEntry(_ event: Event, _ site: Site, _ language: Language) -> LogView.Entry? {
        struct Payload: Decodable {
            let by: String?
            let gate: String?
            let lost: Int?
        }
        guard let bytes = event.payload, let payload = try? JSONReader.decode(Payload.self, from: bytes) else {
            return nil
        }
        let words = LedgerWords.in(language)
        let text: String
        switch event.kind {
        case RemovalKind.erased: text = words.wasErased
        case Ledger.restoredKind: text = words.wasRestored
        case GateRecords.comparedKind: text = words.wasCompared(payload.lost ?? 0)
        default: return nil
        }
        let names = try? given.store.read { database in
            (
                by: try payload.by.flatMap { PersonID($0) }.flatMap {
                    try AccountRecords.person($0, in: database)?.name
                },
                gate: try payload.gate.flatMap { GateID($0) }.flatMap { try GateRecords.gate($0, in: database)?.name }
            )
        }
        let (day, clock) = (site.zone.day(at: event.at), site.zone.clockText(at: event.at))
        return LogView.Entry(
            eventID: event.id.text, sequence: Int(event.sequence), time: event.at.iso8601,
            timeText: day == site.zone.day(at: given.clock.now) ? clock : "\(day.text(language)), \(clock)",
            person: names?.by ?? "", gate: names?.gate ?? "", how: "", outcome: .other(text))
    }
}
