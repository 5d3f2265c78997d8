import Household
import Ledger
import System

/// What changes without a message: silence, expiry, quiet after a storm.
extension Intake {
    /// Looks at the clock, once a second.
    func look() {
        let now = clock.now
        follow(at: now)
        passJump(now)
        for index in table.sensors.indices {
            if table.sensors[index].look(at: now, limits), table.sensors[index].status == .live {
                readings.observe(Reading(.truth(false), at: now), of: table.sensors[index].sensor)
            }
            refresh(sensor: index)
        }
        for index in table.actuators.indices { refresh(actuator: index) }
        for place in table.gateways.indices { look(at: place, now) }
    }

    private func look(at place: Int, _ now: Timestamp) {
        let gateway = table.gateways[place]
        (table.gateways[place].recent, table.gateways[place].frames) = (0, 0)
        if let since = gateway.isolatedAt {
            if gateway.isShutOut {
                let retained = bus.retained
                let isDue =
                    now.milliseconds - since.milliseconds >= limits.shutOut
                    || gateway.isWantedBack && !retained.isClearing(gateway.gateway)
                if isDue || !retained.isShutOut(gateway.gateway) { release(at: place) }
            } else if gateway.recent > gateway.meter.perSecond {
                table.gateways[place].loudAt = now
            } else if now.milliseconds - gateway.loudAt.milliseconds >= limits.quiet {
                release(at: place)
            }
        }
        for (trouble, standing) in gateway.troubles
        where trouble != .storm && now.milliseconds - standing.seen.milliseconds >= limits.troubleTime {
            end(trouble, of: place)
        }
        let spoke = max(gateway.heard ?? gateway.since, gateway.since)
        if gateway.gateway.kind == .box, gateway.presence == .there,
            now.milliseconds - spoke.milliseconds > limits.boxSilence
        {
            leave(place)
        }
        if table.gateways[place].wantsLook {
            table.gateways[place].wantsLook = false
            bus.ask(for: gateway.gateway.prefix + "#")
        }
    }

    /// A clock that was set, or a machine that slept, makes nobody silent.
    private func passJump(_ now: Timestamp) {
        defer { lastLook = now }
        guard let lastLook else { return }
        let passed = now.milliseconds - lastLook.milliseconds
        guard passed < 0 || passed > limits.jump else { return }
        for index in table.sensors.indices { table.sensors[index].shift(by: passed) }
        for place in table.gateways.indices {
            table.gateways[place].heard = table.gateways[place].heard?.adding(milliseconds: passed)
            table.gateways[place].since = table.gateways[place].since.adding(milliseconds: passed)
            table.gateways[place].loudAt = table.gateways[place].loudAt.adding(milliseconds: passed)
        }
    }
}
