import Accounts
import Household
import HTTPServer
import Identity
import Ledger
import Safeguard
import Store
import System

/// Why somebody is not obeyed at the panel of a house.
enum SafetyRefusal: Error, Sendable, Equatable {
    /// A code of the house is wanted, or a proof of who asks that is minutes old at most.
    case codeNeeded
    /// What was typed is no code of the house.
    case wrongCode
    /// Too many wrong ones: again after so many seconds. Another way of disarming stays open.
    case wait(seconds: Int)
}

/// What people do to panels: the same for pages, programs and commands.
struct SafetyDesk: Sendable {
    let safety: Safety
    let owners: OwnerNotices
    /// So long a person waits for a box's answer.
    var patience = Duration.seconds(2)

    private var panels: HousePanels { safety.panels }

    /// Arms a house. One that is armed and would be armed less takes what disarming takes, and its owners are told.
    /// - Parameters:
    ///   - code: what they typed; nil: nothing.
    ///   - principal: in which session; nil: none, a part of the hub asks.
    /// - Throws: `PanelRefusal`, `SafetyRefusal`, `Problem`; `AccountRefusal.busy`.
    func arm(
        _ mode: ArmMode, at site: SiteID, by actor: PanelActor, bypassing: Set<SensorID> = [], code: String? = nil,
        in principal: Principal? = nil
    ) async throws {
        func arm(by actor: PanelActor, mayWeaken: Bool) throws(PanelRefusal) -> Bool {
            try panels.arm(
                mode, at: site, by: actor, bypassing: bypassing, open: safety.watch.obstacles(at: site, to: mode),
                silent: safety.watch.silent(at: site, for: mode), mayWeaken: mayWeaken)
        }
        do { _ = try arm(by: actor, mayWeaken: false) } catch PanelRefusal.weakens {
            guard let person = actor.person else { throw PanelRefusal.weakens }
            let proven = try await prove(person, at: site, code: code, principal)
            if try arm(by: proven, mayWeaken: true) { await owners.tell(of: .arming, at: site, by: person) }
        }
        await panels.writeSoon()
    }

    /// Disarms a house for somebody with an account.
    /// - Parameters:
    ///   - code: what they typed; nil: nothing.
    ///   - principal: in which session; nil: none, a part of the hub asks.
    /// - Throws: `SafetyRefusal`, `Problem`; `AccountRefusal.busy`.
    func disarm(_ site: SiteID, by person: PersonID, code: String?, in principal: Principal? = nil) async throws {
        panels.disarm(site, by: try await prove(person, at: site, code: code, principal))
        await panels.writeSoon()
    }

    /// What disarming takes.
    /// - Throws: `SafetyRefusal`, `Problem`; `AccountRefusal.busy`.
    private func prove(
        _ person: PersonID, at site: SiteID, code: String?, _ principal: Principal?
    ) async throws -> PanelActor {
        guard let code, !code.isEmpty else {
            let isProven = principal?.proof.isFresh(at: safety.clock.now) ?? false
            if safety.settings.rules(of: site).asksCode, !isProven { throw SafetyRefusal.codeNeeded }
            return .person(person)
        }
        let known = try await safety.codes.check(code, at: site, by: person).id
        // A hash waits for others; meanwhile somebody may have been thrown out, or their session ended.
        let now = safety.clock.now
        try safety.store.read { database in
            if let principal { return try Routes.judge(principal, (site, Permission.atHome), at: now, in: database) }
            guard try AccountRecords.may(person, Permission.atHome, at: site, now: now, in: database) else {
                throw Problem.forbidden("your membership at this house does not allow it")
            }
        }
        return .code(known, person)
    }

    /// Ends the noise.
    func silence(_ site: SiteID, by person: PersonID) async {
        panels.silence(site, by: .person(person))
        await panels.writeSoon()
    }

    /// Ends the alarm; the house stands as it did before.
    /// - Parameter isProven: whether they have proven who they are in the last minutes; asked again at the panel itself, where no arming
    ///   comes in between.
    func reset(_ site: SiteID, by person: PersonID, isProven: Bool) async {
        panels.reset(
            site, by: .person(person), mayDisarm: isProven || !safety.settings.rules(of: site).asksCode)
        await panels.writeSoon()
    }

    /// A sensor of a house, in use.
    func sensor(_ id: SensorID, at site: SiteID) throws -> Sensor {
        guard let sensor = safety.registry.catalog.sensors[id], sensor.site == site else { throw Problem.notFound() }
        return sensor
    }

    /// Says what tripping a sensor means, and how.
    /// - Throws: `Problem`.
    func change(
        _ id: SensorID, at site: SiteID, to kind: SensorClass?, _ guarding: SensorGuard, by person: PersonID
    ) async throws {
        let (sensor, now) = (try sensor(id, at: site), safety.clock.now)
        guard SensorGuard.distances.contains(guarding.distance) else {
            throw Problem.unprocessable("A distance is between 5 and 400 cm.", type: "distance")
        }
        let number = try await safety.registry.change(at: site) { [settings = safety.settings] database in
            guard var changed = try HomeRecords.sensors(at: site, in: database).first(where: { $0.id == id }) else {
                throw Problem.notFound()
            }
            let old = changed.alarmClass
            if old != kind {
                changed.alarmClass = kind
                let new = changed
                do {
                    try Muting.refused(at: site, in: database) { try HomeRecords.change(new, in: database) }
                } catch is Muting {
                    throw Problem.unprocessable(
                        "With it, a siren, a valve or a fan could not be told any more.", type: "mutes")
                }
                try Audit(
                    "home.class.changed", ("sensor", id.text), before: [("class", old?.name ?? "")],
                    after: [("class", kind?.name ?? "")]
                ).append(at: now, site: site, by: person, in: database)
            }
            return try settings.write(guarding, of: sensor, by: person, at: now, in: database)
        }
        safety.settings.take(guarding, of: sensor, number)
    }

    /// A box of a house.
    func box(_ id: GatewayID, at site: SiteID) throws -> Gateway {
        guard let gateway = safety.registry.catalog.gateways[id], gateway.site == site, gateway.kind == .box else {
            throw Problem.notFound()
        }
        return gateway
    }

    /// Opens the gas valve of a box, unless there is smoke, gas or water in its house. Whoever calls this has seen a fresh proof.
    /// - Returns: what the box says to it within `patience`.
    /// - Throws: `ActuationRefusal.inAirAlarm`; what the store throws.
    func openValve(of box: Gateway, by person: PersonID) async throws -> BoxAnswer {
        guard !safety.care.hasAirAlarm(at: box.site) else { throw ActuationRefusal.inAirAlarm }
        guard safety.boxes.isThere(box.id) else { return .away }
        try await record("home.valve.opened", of: box, by: person)
        // While it was written down an alarm may have closed the valve.
        guard !safety.care.hasAirAlarm(at: box.site) else {
            await recordRefusal(of: box, by: person)
            throw ActuationRefusal.inAirAlarm
        }
        let answer = await safety.boxes.openValve(of: box, within: patience)
        switch answer {
        case .refused, .away: await recordRefusal(of: box, by: person)
        case .taken, .none: safety.care.closeValvesInAirAlarm(at: box.site)
        }
        return answer
    }

    /// The person hears why the valve stays closed, written down or not.
    private func recordRefusal(of box: Gateway, by person: PersonID) async {
        do { try await record("home.valve.refused", of: box, by: person) } catch {
            Log.failure("home", "that a valve stays closed was not written down", ["why": "\(error)"])
        }
    }

    private func record(_ event: String, of box: Gateway, by person: PersonID) async throws {
        let now = safety.clock.now
        try await safety.store.write(.vital) { database in
            try Audit(event, ("box", box.id.text)).append(at: now, site: box.site, by: person, in: database)
        }
    }

    /// What people call whoever did something.
    func name(of actor: PanelActor, at site: SiteID) -> String? {
        func person(_ id: PersonID) -> String? {
            ((try? safety.store.read { try AccountRecords.person(id, in: $0) }) ?? nil)?.name
        }
        switch actor {
        case .person(let id): return person(id)
        case .code(let code, let id):
            let codes = (try? safety.codes.codes(of: site)) ?? []
            return codes.first { $0.id == code }.map(\.name) ?? person(id)
        case .tag(let tag): return (try? safety.boxes.tag(tag))?.name
        case .box(let gateway): return safety.registry.catalog.gateways[gateway]?.name
        case .button(let sensor):
            let catalog = safety.registry.catalog
            return catalog.sensors[sensor].map { $0.name(at: catalog.devices[$0.device]) }
        case .hub: return nil
        }
    }
}
