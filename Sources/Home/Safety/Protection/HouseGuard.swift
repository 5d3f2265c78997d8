import Accounts
import HTTPServer
import Ledger
import Pages
import Synchronization
import System

/// Stands before a route that changes something of a house: asks for the proof that its protection takes, and tells the owners afterwards.
struct HouseGuard: Sendable {
    let household: Household
    let protection: Protection

    /// Refuses who may not lower the protection of a house.
    /// - Parameter site: the house; somebody without a part in it is left to the route, which knows nothing of it for them.
    /// - Returns: what the owners are told when it was done; nil: nothing.
    /// - Throws: `Problem`.
    func check(_ principal: Principal, at site: SiteID?) throws(Problem) -> Pending? {
        let now = household.clock.now
        guard let change = protection.change, let site, !principal.current(at: site, now).isEmpty else { return nil }
        switch protection {
        case .keeps: return nil
        case .weakensLater: try Routes.requireFreshProof(principal, at: now)
        case .weakensNow:
            guard household.panels.panel(of: site).mode != nil else { return nil }
            guard principal.may(Permission.atHome, at: site, now) else { throw Self.armed }
            if household.safety.settings.rules(of: site).asksCode { try Routes.requireFreshProof(principal, at: now) }
        }
        return Pending(change: change, site: site)
    }

    /// Something that is to be told once it is done.
    struct Pending {
        let change: ProtectionChange
        let site: SiteID
    }

    /// Tells the owners of what was done.
    func done(_ pending: Pending?, _ response: Response, by principal: Principal) {
        guard let pending, response.status < 400 else { return }
        household.tellOwners(of: pending.change, at: pending.site, by: principal.person.id)
    }

    /// The house that a request is about: its path names it.
    func site(of request: Request) throws -> SiteID { try request.parameter("site", as: SiteID.self) }

    /// The house of the sensor that a request's path names; nil: there is no such sensor, or it is about nothing that protects.
    func site(ofSensorOf request: Request) throws -> SiteID? {
        guard protection != .keeps else { return nil }
        return household.registry.catalog.sensors[try request.parameter("id", as: SensorID.self)]?.site
    }

    private static let armed = Problem.forbidden(
        "The house is armed. Disarm it first, or ask a member who may disarm it.", type: "armed")
}

extension Household {
    /// For a route that lowers no protection.
    var keeps: HouseGuard { HouseGuard(household: self, protection: .keeps) }

    /// For a route that lowers the protection of a house that is armed.
    func weakensNow(_ change: ProtectionChange) -> HouseGuard {
        HouseGuard(household: self, protection: .weakensNow(change))
    }

    /// For a route that changes how a house can be disarmed, or whom its alarm calls.
    func weakensLater(_ change: ProtectionChange) -> HouseGuard {
        HouseGuard(household: self, protection: .weakensLater(change))
    }

    /// Stops the hub when a route that changes something has not said what it does to the protection.
    func requireProtection(of routes: some Sequence<(method: HTTPServer.Method, pattern: String)>) {
        for route in routes where !route.method.isSafe {
            precondition(
                guarded.contains(route.method, route.pattern),
                "\(route.method) \(route.pattern) does not say what it does to the protection of a house")
        }
    }
}

/// The routes that have said what they do to the protection of a house, while they are registered.
final class GuardedRoutes: Sendable {
    private let names = Mutex<Set<String>>([])

    func insert(_ method: HTTPServer.Method, _ path: String) {
        names.withLock { _ = $0.insert("\(method) \(path)") }
    }

    func contains(_ method: HTTPServer.Method, _ path: String) -> Bool {
        names.withLock { $0.contains("\(method) \(path)") }
    }
}

extension Routes {
    /// Registers a route that changes something of a house, for those with one of the permissions there.
    mutating func on(
        _ method: HTTPServer.Method, _ path: String, for permissions: Set<Permission>, _ rule: HouseGuard,
        _ description: RouteDescription, bodyLimit: Int = 16 << 10, _ handler: @escaping PersonHandler
    ) {
        rule.household.guarded.insert(method, path)
        on(method, path, for: permissions, description.with(rule.protection), bodyLimit: bodyLimit) {
            request, principal in
            let pending = try rule.check(principal, at: rule.site(of: request))
            let response = try await handler(request, principal)
            rule.done(pending, response, by: principal)
            return response
        }
    }

    /// Registers a route that changes something of a house which its path does not name; the handler looks who may.
    mutating func on(
        _ method: HTTPServer.Method, _ path: String, _ rule: HouseGuard, _ description: RouteDescription,
        bodyLimit: Int = 16 << 10, _ handler: @escaping PersonHandler
    ) {
        rule.household.guarded.insert(method, path)
        on(method, path, description.with(rule.protection), bodyLimit: bodyLimit) { request, principal in
            let pending = try rule.check(principal, at: rule.site(ofSensorOf: request))
            let response = try await handler(request, principal)
            rule.done(pending, response, by: principal)
            return response
        }
    }
}

extension RouteDescription {
    fileprivate func with(_ protection: Protection) -> RouteDescription {
        var description = self
        if let words = protection.words { description.summary += " " + words }
        return description
    }
}

extension PageRoutes {
    /// Registers a form that changes something of a house, for those with one of the permissions there.
    mutating func on(
        _ method: HTTPServer.Method, _ path: String, for permissions: Set<Permission>, _ rule: HouseGuard,
        _ handler: @escaping PageHandler
    ) {
        rule.household.guarded.insert(method, path)
        on(method, path, for: permissions) { request, principal, language in
            let pending = try rule.check(principal, at: rule.site(of: request))
            let response = try await handler(request, principal, language)
            rule.done(pending, response, by: principal)
            return response
        }
    }

    /// Registers a form whose path names no house.
    mutating func on(
        _ method: HTTPServer.Method, _ path: String, _ rule: HouseGuard, _ handler: @escaping PageHandler
    ) {
        rule.household.guarded.insert(method, path)
        on(method, path, handler)
    }
}
