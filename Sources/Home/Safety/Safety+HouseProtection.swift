import Household
import Identity
import Ledger

extension Safety: HouseProtection {
    func isArmed(at site: SiteID) -> Bool { panels.panel(of: site).mode != nil }

    func isAlarmed(at site: SiteID) -> Bool { panels.panel(of: site).isDisturbed || care.hasAirAlarm(at: site) }

    func asksCode(at site: SiteID) -> Bool { settings.rules(of: site).asksCode }

    func site(of sensor: SensorID) -> SiteID? { registry.catalog.sensors[sensor]?.site }

    func lookAtWhatProtects(at site: SiteID) -> @Sendable () -> LostProtection? {
        let before = care.alwaysOn(at: site)
        return { [care] in before.lost(in: care.alwaysOn(at: site)) }
    }
}
