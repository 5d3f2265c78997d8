import Identity
import Ledger

extension Safety: AlarmResponse {
    /// So long a box has to say that it does not silence its siren.
    private static let silencePatience = Duration.seconds(1)

    func trigger(at site: SiteID, by person: PersonID?) {
        panels.trigger(at: site, by: person.map { .person($0) } ?? .hub)
    }

    func isSounding(at site: SiteID) -> Bool { panels.panel(of: site).isSounding }

    func sirenDoubt(at site: SiteID) -> SirenDoubt? { boxes.sirenDoubt(at: site) }

    func silence(_ site: SiteID, by person: PersonID) async -> SirenDoubt? {
        let isAgain = boxes.sirenDoubt(at: site) != nil
        panels.silence(site, by: .person(person))
        alarms.silenced(site, by: person)
        if isAgain { boxes.silenceAgain(at: site) }
        await boxes.silenceAnswered(at: site, within: Self.silencePatience)
        return boxes.sirenDoubt(at: site)
    }

    func hasLostCause(_ alarm: HouseAlarm) -> Bool { registry.catalog.hasLostCause(alarm) }

    func endLostCause(_ alarm: HouseAlarm, by person: PersonID) { care.endLostCause(alarm, by: person) }
}
