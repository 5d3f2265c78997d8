import Accounts
import Household
import HTTPServer
import Identity
import Ledger
import Pages
import Store
import Synchronization
import System

/// Stands before a route that changes something of a house: asks for the proof that its protection takes, and tells the owners afterwards.
struct HouseGuard: Sendable {
    let access: HouseAccess
    let protection: Protection

    private var house: any HouseProtection { access.protection }
    private var clock: WallClock { access.clock }

    /// Runs what changes something of a house, if whoever asks may lower its protection, and tells the owners afterwards.
    ///
    /// What lowers the protection at once is judged where it is written, in the same transaction: a house that is armed between the look
    /// and the write is armed when it is judged.
    /// - Parameter site: the house; somebody without a part in it is left to the route, which knows nothing of it for them.
    /// - Throws: `Problem`, and what the body throws.
    func run(
        _ principal: Principal, at site: SiteID?, _ body: nonisolated(nonsending) () async throws -> Response
    ) async throws -> Response {
        guard let change = protection.change, let site, !principal.current(at: site, clock.now).isEmpty else {
            return try await body()
        }
        var isLowered = try lowers(principal, at: site)
        let response: Response
        if case .weakensNow = protection {
            let (judged, findLost) = (Judged(), house.lookAtWhatProtects(at: site))
            response = try await Store.writing(only: { _ in try judged.note(lowers(principal, at: site)) }, body)
            isLowered = isLowered || judged.isLowered
            // What warns of smoke is missed in a house that is not armed, too.
            if response.status < 400, let lost = findLost() {
                await access.owners.tell(of: lost, at: site, by: principal.person.id)
            }
        } else {
            response = try await body()
        }
        if isLowered, response.status < 400, !change.isInLedger {
            await access.owners.tell(of: change, at: site, by: principal.person.id)
        }
        return response
    }

    /// What was found where something was written, on the thread of the writer.
    private final class Judged: Sendable {
        private let found = Atomic(false)
        var isLowered: Bool { found.load(ordering: .acquiring) }

        func note(_ isLowered: Bool) { if isLowered { found.store(true, ordering: .releasing) } }
    }

    /// Refuses who may not lower the protection of a house as it is now.
    /// - Returns: whether it is lowered.
    /// - Throws: `Problem`.
    func lowers(_ principal: Principal, at site: SiteID) throws(Problem) -> Bool {
        let now = clock.now
        switch protection {
        case .keeps: return false
        case .weakensLater: try Routes.requireFreshProof(principal, at: now)
        case .weakensNow:
            guard house.isArmed(at: site) else {
                // Gas and smoke sound in a house that is not armed, too.
                if house.isAlarmed(at: site), !principal.may(Permission.atHome, at: site, now) {
                    throw Self.inAlarm
                }
                return false
            }
            guard principal.may(Permission.atHome, at: site, now) else { throw Self.armed }
            if house.asksCode(at: site) { try Routes.requireFreshProof(principal, at: now) }
        }
        return true
    }

    /// The house that a request is about: its path names it.
    func site(of request: Request) throws -> SiteID { try request.parameter("site", as: SiteID.self) }

    /// The house of the sensor that a request's path names; nil: there is no such sensor, or it is about nothing that protects.
    func site(ofSensorOf request: Request) throws -> SiteID? {
        guard protection != .keeps else { return nil }
        return house.site(of: try request.parameter("id", as: SensorID.self))
    }

    private static let armed = Problem.forbidden(
        "The house is armed. Disarm it first, or ask a member who may disarm it.", type: "armed")
    static let inAirAlarm = Problem.conflict(
        "An alarm for gas, smoke or water is on: valves stay closed until it is over.", type: "air-alarm")
    static let inAlarm = Problem.forbidden(
        "An alarm is on. Ask an owner or a manager of the house, or wait until it is over.", type: "in-alarm")
}

/// The routes that have said what they do to the protection of a house, while they are registered.
final class GuardedRoutes: Sendable {
    private let names = Mutex<Set<String>>([])

    func insert(_ method: HTTPServer.Method, _ path: String) {
        names.withLock { _ = $0.insert("\(method) \(path)") }
    }

    /// Stops the hub when a route that changes something has not said what it does to the protection.
    func require(_ routes: some Sequence<(method: HTTPServer.Method, pattern: String)>) {
        let names = names.withLock(\.self)
        for route in routes where !route.method.isSafe {
            precondition(
                names.contains("\(route.method) \(route.pattern)"),
                "\(route.method) \(route.pattern) does not say what it does to the protection of a house")
        }
    }
}

extension Routes {
    /// Registers a route that changes something of a house, for those with one of the permissions there.
    mutating func on(
        _ method: HTTPServer.Method, _ path: String, for permissions: Set<Permission>, _ rule: HouseGuard,
        _ description: RouteDescription, bodyLimit: Int = 16 << 10, _ handler: @escaping PersonHandler
    ) {
        rule.access.guarded.insert(method, path)
        on(method, path, for: permissions, description.with(rule.protection), bodyLimit: bodyLimit) {
            request, principal in
            try await rule.run(principal, at: rule.site(of: request)) { try await handler(request, principal) }
        }
    }

    /// Registers a route that changes something of a house which its path does not name; the handler looks who may.
    mutating func on(
        _ method: HTTPServer.Method, _ path: String, _ rule: HouseGuard, _ description: RouteDescription,
        bodyLimit: Int = 16 << 10, _ handler: @escaping PersonHandler
    ) {
        rule.access.guarded.insert(method, path)
        on(method, path, description.with(rule.protection), bodyLimit: bodyLimit) { request, principal in
            try await rule.run(principal, at: rule.site(ofSensorOf: request)) { try await handler(request, principal) }
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
        counted: Counted = .change, _ handler: @escaping PageHandler
    ) {
        rule.access.guarded.insert(method, path)
        on(method, path, for: permissions, counted: counted) { request, principal, language in
            try await rule.run(principal, at: rule.site(of: request)) {
                try await handler(request, principal, language)
            }
        }
    }

    /// Registers a form whose path names no house.
    mutating func on(
        _ method: HTTPServer.Method, _ path: String, _ rule: HouseGuard, _ handler: @escaping PageHandler
    ) {
        precondition(rule.protection == .keeps, "a form that lowers the protection of a house names it: \(path)")
        rule.access.guarded.insert(method, path)
        on(method, path, handler)
    }
}
