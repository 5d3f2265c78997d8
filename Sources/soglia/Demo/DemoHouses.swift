import Accounts
import Crypto
import Gates
import Home
import Household
import Ledger
import Store
import System
import Wire

/// The demo's household: a flat in town and a house by the sea, each with a box, and a stick that speaks Zigbee in the flat.
struct DemoHouses {
    /// A box or a device of the demo.
    struct ToRun: Sendable {
        /// As the hub calls it.
        let id: String
        /// The name of its process.
        let process: String
        /// What people call it.
        let name: String
        let kind: Gateway.Kind
        /// Where it keeps its things.
        let folder: String
        /// The code that a box needs, when it is not paired yet.
        let code: String?
        /// What a device gets in by; a box makes its own.
        let credentials: (username: String, password: String, prefix: String)?
    }

    let store: Store
    let clock: WallClock

    /// Makes the two houses. Answers their sites.
    func make() async throws -> (town: Site, sea: Site) {
        let town = try await house(
            "Casa Ferri", "Via Tortona 12, Milano", MapPlace(latitude: 45.4517, longitude: 9.1635), box: "Kitchen box")
        let sea = try await house(
            "Casa al mare", "Via al Mare 3, Camogli", MapPlace(latitude: 44.3489, longitude: 9.1551), box: "Hall box")
        let stick = Gateway(
            id: .new(at: clock.now), site: town.id, kind: .device, name: "Zigbee stick", key: Key(Random.bytes(32)))
        try await store.write { try HomeRecords.put(stick, in: $0) }
        return (town, sea)
    }

    private func house(_ name: String, _ street: String, _ place: MapPlace?, box: String) async throws -> Site {
        let now = clock.now
        let site = Site(id: .new(at: now), name: name, kind: .home, zone: Zone(name: "Europe/Rome") ?? .utc)
        let gateway = Gateway(id: .new(at: now), site: site.id, kind: .box, name: box)
        try await store.write { database in
            try AccountRecords.add(site, at: now, by: nil, in: database)
            try HomeRecords.put(House(site: site.id, street: street, place: place), in: database)
            try HomeRecords.put(gateway, in: database)
        }
        return site
    }

    /// What has to run, with fresh codes for boxes that were never paired.
    func toRun(folder: String) async throws -> [ToRun] {
        let (gateways, sites) = try store.read { database in
            (try HomeRecords.gateways(in: database), try AccountRecords.sites(in: database))
        }
        var found: [ToRun] = []
        for gateway in gateways where gateway.retired == nil {
            let place = sites.first { $0.id == gateway.site }?.name ?? ""
            let process = "\(gateway.kind == .box ? "box" : "zigbee")-\(Self.processName(place))"
            let own = "\(folder)/homes/\(process)"
            var code: String?
            if gateway.kind == .box, gateway.key == nil {
                // A box that has a key that the hub does not know was cut off while pairing: it needs its reset.
                for file in Files.names(in: own) { Files.remove("\(own)/\(file)") }
                code = try await PairingDesk.prepare(Gateway.pairingKind, gateway.id.raw, by: nil, store, clock).code
                    .text
            }
            found.append(
                ToRun(
                    id: gateway.id.text, process: process, name: "\(gateway.name), \(place)", kind: gateway.kind,
                    folder: own, code: code,
                    credentials: gateway.kind == .box
                        ? nil
                        : gateway.key.map { (gateway.username, BusNames.password(key: $0), gateway.prefix) }))
        }
        return found
    }

    private static func processName(_ name: String) -> String {
        name.lowercased().split(separator: " ").joined(separator: "-")
    }
}
