import Household
import Identity
import Ledger

/// How a house is protected at this moment, as far as what changes something of it has to know.
protocol HouseProtection: Sendable {
    /// Whether its panel is armed, in any mode.
    func isArmed(at site: SiteID) -> Bool
    /// Whether an alarm is on, armed or not: at its panel, or of the air where the panel was reset.
    func isAlarmed(at site: SiteID) -> Bool
    /// Whether disarming takes a fresh proof.
    func asksCode(at site: SiteID) -> Bool
    /// The house of a sensor; nil: there is none such.
    func site(of sensor: SensorID) -> SiteID?
    /// Looks at what protects a house at any time.
    /// - Returns: looks once more, and says what is lost since; nil: nothing.
    func lookAtWhatProtects(at site: SiteID) -> @Sendable () -> LostProtection?
}
