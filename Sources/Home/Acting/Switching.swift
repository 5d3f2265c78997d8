import Accounts
import Household
import Identity
import Ledger
import Safeguard
import System

/// What switching something by hand takes from a house: a siren that is off warns nobody, and a detector that was switched off sees nobody.
struct Switching: Sendable {
    let access: HouseAccess
    let registry: Registry
    let panels: HousePanels
    let care: Care

    /// Whether telling an actuator something lowers what protects a house that is armed, or that has an alarm: a siren that ends, a valve
    /// that opens, a switch or a number of a device whose sensors count now. What is added by hand hangs on one device with everything
    /// else that is: nobody knows to which sensor it belongs.
    ///
    /// It goes by what hears it, and not by what its device calls it alone: a lamp with the topic of a siren is a siren.
    func lowers(_ actuator: Actuator, to value: ActuatorValue) -> Bool {
        let panel = panels.panel(of: actuator.site)
        guard panel.mode != nil || access.protection.isAlarmed(at: actuator.site) else { return false }
        let (catalog, topics) = (registry.catalog, actuator.binding.topics)
        let others = catalog.others(hearing: value, toldTo: actuator)
        if others.contains(where: \.kind.protects)
            || catalog.protectors(reportingOn: topics, at: actuator.gateway, butFor: actuator.id)
                .contains(where: { $0.kind != actuator.kind })
            || (catalog.actuators(on: topics, at: actuator.gateway)
                + catalog.unusedProtectors(hearing: actuator))
                .contains(where: { isOfDetector($0, in: panel.mode) })
            || catalog.hearers(of: topics, at: actuator.gateway).contains(where: { $0.counts(for: panel.mode) })
        {
            return true
        }
        switch actuator.kind {
        case .siren: return value != .on
        case .valve: return Actuation.opens(actuator, value)
        case .fan:
            // It carries away what its sensor warns of, as fast as its rule wants.
            if case .percent(let percent) = value { return percent < 100 }
            return value == .off
        case .plug, .number, .other, .light, .display: return false
        }
    }

    /// Whether it is a switch or a number of a device whose sensors count now.
    private func isOfDetector(_ actuator: Actuator, in mode: ArmMode?) -> Bool {
        guard actuator.kind.isSwitch else { return false }
        let catalog = registry.catalog
        guard catalog.devices[actuator.device]?.isByHand == false else { return false }
        return catalog.sensors(of: actuator.device).contains { $0.counts(for: mode) }
    }

    /// Whether it opens a valve, by whatever name.
    private func opens(_ actuator: Actuator, _ value: ActuatorValue) -> Bool {
        Actuation.opens(actuator, value)
            || registry.catalog.others(hearing: value, toldTo: actuator).contains { $0.kind == .valve }
    }

    /// Tells an actuator something for somebody who is asked for what that takes: opening a valve a fresh proof; lowering what protects a
    /// house that is armed what disarming takes, and one that has an alarm the right to end it.
    ///
    /// No valve opens while there is smoke, gas or water.
    /// - Throws: `Problem`, `ActuationRefusal.inAirAlarm`, and what the body throws.
    func apply(
        _ actuator: Actuator, to value: ActuatorValue, by principal: Principal, _ tell: () throws -> Void
    ) async throws {
        if opens(actuator, value) {
            guard !care.hasAirAlarm(at: actuator.site) else { throw ActuationRefusal.inAirAlarm }
            try Routes.requireFreshProof(principal, at: access.clock.now)
        }
        guard lowers(actuator, to: value) else { return try tell() }
        let isArmed = try access.weakensNow(.switches).lowers(principal, at: actuator.site)
        guard principal.may(Permission.atHome, at: actuator.site, access.clock.now) else { throw HouseGuard.inAlarm }
        try tell()
        if isArmed { await access.owners.tell(of: .switches, at: actuator.site, by: principal.person.id) }
    }
}
