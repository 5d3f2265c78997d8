import Identity
import Ledger

/// What a house does about its alarms beyond writing them down and telling people: its panel, its boxes and what watches its air.
protocol AlarmResponse: Sendable {
    /// Somebody calls for help: the panel is in alarm at once.
    /// - Parameter person: nil: the hub.
    func trigger(at site: SiteID, by person: PersonID?)
    /// Whether its siren sounds.
    func isSounding(at site: SiteID) -> Bool
    /// Why a siren may still sound that was silenced; nil: none may.
    func sirenDoubt(at site: SiteID) -> SirenDoubt?
    /// Ends the noise of a house; its alarms go on.
    /// - Returns: why a siren may still sound; nil: none does.
    func silence(_ site: SiteID, by person: PersonID) async -> SirenDoubt?
    /// Whether nothing looks any more at what an alarm began with, so that nothing says that it is over.
    func hasLostCause(_ alarm: HouseAlarm) -> Bool
    /// Ends such an alarm.
    func endLostCause(_ alarm: HouseAlarm, by person: PersonID)
}
