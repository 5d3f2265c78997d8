import Accounts
import Gates
import Household
import HTTPServer
import Identity
import JSON
import Ledger
import Platform
import Store
import Synchronization
import System
import Wire

/// Why a gateway as it was asked for will not do.
enum GatewayRefusal: String, Error {
    case name = "a device's name has 1 to 80 characters"
    case kind = "it is a box, a device or a bridge"
    case tooMany = "a house has at most 64 of them"
    case tooManyEver = "a house has at most 1024 of them with those that are out of use"
    case unknown = "there is no such device here"
    case notABox = "only a box is paired by a code: others are given a user name and a password"
    case noBroker = "this hub has no broker, so nothing can be connected"

    /// As forms call it.
    var field: String {
        switch self {
        case .name: "name"
        case .kind: "kind"
        case .tooMany, .tooManyEver, .unknown, .notABox, .noBroker: "gateway"
        }
    }
}

/// Lets gateways in, and shuts them out.
struct GatewayDesk: Sendable {
    /// The most of a house, those out of use left out.
    /// - Key: house
    static let most = 64
    /// The most of a house with those out of use, whose history stays.
    /// - Key: house
    static let mostEver = 1_024
    let given: Given
    let registry: Registry
    let panels: HousePanels
    let replacing: Replacing
    let bus: HomeBus
    let owners: OwnerNotices

    /// Adds one. A box waits for its code to be brought; the others have a key, and so a password, at once.
    func add(_ kind: Gateway.Kind, name: String, at site: SiteID, by person: PersonID) async throws -> Gateway {
        guard let name = GivenName.parse(name) else { throw GatewayRefusal.name }
        guard let pairing = given.pairing else { throw GatewayRefusal.noBroker }
        let now = given.clock.now
        let gateway = Gateway(
            id: .new(at: now), site: site, kind: kind, name: name, key: kind == .box ? nil : Key(Random.bytes(32)))
        try await registry.change(at: site) { database in
            let known = try HomeRecords.gateways(at: site, in: database)
            if known.count >= Self.mostEver { throw GatewayRefusal.tooManyEver }
            if known.count(where: { $0.retired == nil }) >= Self.most { throw GatewayRefusal.tooMany }
            try HomeRecords.put(gateway, in: database)
            try Self.audit("home.gateway.added", gateway, at: now, by: person, in: database)
        }
        if let key = gateway.key {
            do { try await pairing.admit(gateway.way, key) } catch { Self.noteLate(gateway, error) }
        }
        return gateway
    }

    /// A code for a box that is not paired, or is to be paired anew: another one takes its place then, so it takes a fresh proof.
    /// - Throws: `GatewayRefusal`; 403 without a fresh proof.
    func code(
        for id: GatewayID, at site: SiteID, by principal: Principal
    ) async throws -> (code: PairingCode, expires: Timestamp) {
        let gateway = try find(id, at: site)
        guard gateway.kind == .box else { throw GatewayRefusal.notABox }
        guard let pairing = given.pairing else { throw GatewayRefusal.noBroker }
        if gateway.key != nil { try Routes.requireFreshProof(principal, at: given.clock.now) }
        let isArmed = panels.panel(of: site).mode != nil
        replacing.note(id, isArmed: false)
        let made = try await pairing.begin(Gateway.pairingKind, id.raw, by: principal.person.id)
        // Not before it is written: what is refused leaves an older code as it was, or worth less.
        replacing.note(id, isArmed: isArmed)
        return made
    }

    /// A new password for a device or a bridge; whoever has the old one is cut off, so where devices hang on it, it takes a fresh proof.
    /// - Throws: `GatewayRefusal`; 403 without a fresh proof.
    func renew(_ id: GatewayID, at site: SiteID, by principal: Principal) async throws -> Gateway {
        let (person, now) = (principal.person.id, given.clock.now)
        let gateway = try find(id, at: site)
        /// Also one that is out of use: it may be taken back.
        @Sendable func requireProof(in database: Database) throws {
            guard try HomeRecords.devices(at: site, in: database).contains(where: { $0.gateway == id }) else { return }
            try Routes.requireFreshProof(principal, at: now)
        }
        try given.store.read { try requireProof(in: $0) }
        guard gateway.kind != .box, let key = Key(Random.bytes(32)) else { throw GatewayRefusal.unknown }
        guard given.pairing != nil else { throw GatewayRefusal.noBroker }
        let changed = try await change(gateway, "home.gateway.renewed", by: person) { gateway, _, database in
            // Once more: a device may have come meanwhile.
            try requireProof(in: database)
            gateway.key = key
        }
        bus.retained.letIn(changed)
        return changed
    }

    /// Takes it out of use with all that hangs on it, and shuts it out. What it told stays.
    func retire(_ id: GatewayID, at site: SiteID, by person: PersonID) async throws {
        let gateway = try find(id, at: site)
        defer { panels.sirens.hasLeft(id) }
        if panels.sirens.leave(id), try await !bus.settle() { throw Problem.busAway }
        let retired = try await change(gateway, "home.gateway.retired", by: person) { gateway, now, _ in
            gateway.retired = now
        }
        bus.clear(retired)
    }

    /// Changes by what somebody comes in, or that they do. They are shut out first: where the broker is away nothing is changed, and no old password
    /// outlives what was written.
    /// - Throws: `Problem`: 503 where the broker is away; `GatewayRefusal`.
    private func change(
        _ gateway: Gateway, _ event: String, by person: PersonID,
        _ body: @escaping @Sendable (inout Gateway, Timestamp, Database) throws -> Void
    ) async throws -> Gateway {
        let now = given.clock.now
        try await given.pairing?.shutOut(gateway.username)
        let outcome: Result<Gateway, any Error>
        do {
            outcome = .success(
                try await registry.change(at: gateway.site) { database in
                    guard
                        let changed = try HomeRecords.change(gateway.id, in: database, { try body(&$0, now, database) })
                    else {
                        throw GatewayRefusal.unknown
                    }
                    try Self.audit(event, changed, at: now, by: person, in: database)
                    return changed
                })
        } catch { outcome = .failure(error) }
        // Also where it could not be written.
        do { try await letIn(gateway) } catch { Self.noteLate(gateway, error) }
        return try outcome.get()
    }

    /// Lets a gateway in as the house has it now: by its key, or not at all. Looked at again, since others may change it meanwhile.
    private func letIn(_ gateway: Gateway) async throws {
        func key() -> [UInt8]? { registry.catalog.gateways[gateway.id]?.key?.bytes }
        var seen: [UInt8]?
        repeat {
            let known = registry.catalog.gateways[gateway.id]
            seen = known?.key?.bytes
            if let known, let key = known.key {
                try await given.pairing?.admit(known.way, key)
            } else {
                try await given.pairing?.shutOut(gateway.username)
            }
        } while key() != seen
    }

    /// What is written holds: once the broker answers again, its list is brought in line with it (`PairingDesk.restore`).
    private static func noteLate(_ gateway: Gateway, _ error: any Error) {
        Log.warning(
            "home", "the broker does not let a device in yet", ["gateway": gateway.id.text, "why": "\(error)"])
    }

    /// Of that house, in use.
    func find(_ id: GatewayID, at site: SiteID) throws -> Gateway {
        guard let gateway = registry.catalog.gateways[id], gateway.site == site else {
            throw GatewayRefusal.unknown
        }
        return gateway
    }

    private static func audit(
        _ kind: String, _ gateway: Gateway, at now: Timestamp, by person: PersonID?, in database: Database
    ) throws {
        try Audit(
            kind, ("gateway", gateway.id.text), after: [("name", gateway.name), ("kind", gateway.kind.rawValue)]
        ).append(at: now, site: gateway.site, by: person, in: database)
    }
}

/// Whose place another box may take while its house is armed.
///
/// Whoever may not disarm a house, an installer say, makes codes while it is disarmed. Such a code, brought after it was armed, would put
/// another box in the place of the one that watches. Kept in memory: after a start the code is made again.
final class Replacing: Sendable {
    private let gateways = Mutex<Set<GatewayID>>([])

    /// Notes that a code was made; an older one of that box ends.
    /// - Parameter isArmed: whether the house was armed then, so that who made it has shown that they may disarm it.
    func note(_ gateway: GatewayID, isArmed: Bool) {
        gateways.withLock { gateways in
            if isArmed { gateways.insert(gateway) } else { gateways.remove(gateway) }
        }
    }

    /// Their house was armed: codes of before are worth nothing there.
    func end(_ armed: some Sequence<GatewayID>) { gateways.withLock { $0.subtract(armed) } }

    /// Whether the code of now was made since the house was armed.
    func mayReplace(_ gateway: GatewayID) -> Bool { gateways.withLock { $0.contains(gateway) } }
}

/// Boxes, as the hub's desk pairs them; and everybody else who has a key.
struct PairedGateways: Pairable {
    let desk: GatewayDesk

    private var given: Given { desk.given }
    private var registry: Registry { desk.registry }

    var kind: String { Gateway.pairingKind }
    var usernamePrefix: String { BusNames.gatewayNamePrefix }

    func accept(_ key: Key, for subject: ID16, by maker: PersonID?, at now: Timestamp) async throws -> BusWay? {
        guard let gateway = registry.catalog.gateways[GatewayID(subject)] else { return nil }
        let paired = try await registry.change(at: gateway.site) { [desk] database -> Gateway? in
            // Judged where it is written: the house may have been armed since the code was made, its maker have left.
            if let maker,
                try !AccountRecords.may(maker, Self.looking, at: gateway.site, now: now, in: database)
            {
                return nil
            }
            if desk.panels.panel(of: gateway.site).mode != nil {
                guard desk.replacing.mayReplace(gateway.id) else { return nil }
                // A box can disarm: so only by who still may.
                if let maker,
                    try !AccountRecords.may(maker, Permission.atHome, at: gateway.site, now: now, in: database)
                {
                    return nil
                }
            }
            guard let paired = try HomeRecords.change(gateway.id, in: database, { $0.key = key }) else { return nil }
            try Audit(
                "home.gateway.paired", ("gateway", paired.id.text),
                after: [("name", paired.name), ("kind", paired.kind.rawValue)]
            ).append(at: now, site: paired.site, by: nil, in: database)
            return paired
        }
        guard let paired else {
            Log.warning(
                "home",
                "a code pairs no box: its maker may not any more, its house was armed since, or it is out of use",
                ["gateway": gateway.id.text])
            return nil
        }
        await desk.owners.tell(of: .box, at: paired.site, by: maker)
        return paired.way
    }

    func ways() throws -> [(way: BusWay, key: Key)] {
        registry.catalog.gateways.values.compactMap { gateway in gateway.key.map { (gateway.way, $0) } }
    }

    /// Tells the pages that wait for it.
    func cameIn(_ subject: ID16) {
        guard let gateway = registry.catalog.gateways[GatewayID(subject)] else { return }
        var json = JSONWriter()
        json.object { $0.field("id", gateway.id.text) }
        let (data, now) = (json.bytes, given.clock.now)
        given.live.publish { principal, _ in
            principal.may(Self.looking, at: gateway.site, now) ? .init(event: "gateway", id: nil, data: data) : nil
        }
    }

    /// Those who look after devices.
    static let looking: Set<Permission> = [.owner, .manager, .installer]
}

extension Gateway {
    /// As the codes of boxes are kept.
    public static let pairingKind = "gateway"

    /// What it may say and hear: what lies below its own topics, and of that a box only what boxes say.
    var way: BusWay {
        let own = kind == .box
        // `#` alone would let it say something on its prefix without the last stroke, which nobody reads, counts or clears.
        return BusWay(
            site: site.raw, name: name, username: username,
            publish: own
                ? ["hello", "up", "availability", "+/state", "homeassistant/#"].map { prefix + $0 } : [prefix + "+/#"],
            subscribe: own ? ["down", "+/set", "homeassistant/status"].map { prefix + $0 } : [prefix + "#"])
    }
}
