import Courier
import Identity
import Ledger
import Store
import System
import Wire

/// Calls the sites' own servers. Each call is signed under the site's secret:
///
///     Soglia-Signature: t=1795257120,v1=<HMAC-SHA256 of "1795257120." and the body, in hexadecimal>
///
/// Whoever receives it computes the same, compares in constant time, and refuses what is older than five minutes.
final class WebhookCarrier: Carrier {
    /// Calls at a time of the outbox, and of tests. `Shares` says how many of them one site holds.
    /// - Key: hub
    static let lanes = 8
    /// Calls of alarms at a time. `FairLanes` says how many of them one site holds.
    /// - Key: hub
    static let lanesAtOnce = 64
    /// A server that does not answer an alarm's call in this time is called again by the outbox.
    static let urgentTimeout = Duration.seconds(4)

    var lanes: Int { Self.lanes }
    var lanesAtOnce: Int { Self.lanesAtOnce }
    private let client = HTTPClient(name: "webhooks", lanes: WebhookCarrier.lanes, limit: 16 << 10)
    private let urgent = HTTPClient(name: "hooks now", lanes: WebhookCarrier.lanesAtOnce, limit: 16 << 10)
    private let trials = HTTPClient(name: "hook tests", lanes: WebhookCarrier.lanes, limit: 16 << 10)
    let store: Store
    let clock: WallClock
    /// Whether servers inside the hub's own network may be called: in the demo and in tests.
    let isOpen: Bool

    init(store: Store, clock: WallClock, isOpen: Bool) {
        (self.store, self.clock, self.isOpen) = (store, clock, isOpen)
    }

    func carry(_ parcel: Parcel) async -> Carried { await carry(parcel, in: .ordinary) }

    func carry(_ parcel: Parcel, in kind: LaneKind) async -> Carried {
        switch kind {
        case .ordinary: await carry(parcel, by: client)
        case .atOnce: await carry(parcel, by: urgent, within: Self.urgentTimeout)
        case .trial: await carry(parcel, by: trials)
        }
    }

    private static func site(of parcel: Parcel) -> SiteID? { ID16(Array(parcel.payload.prefix(16))).map { SiteID($0) } }

    private func carry(
        _ parcel: Parcel, by client: HTTPClient, within timeout: Duration = .seconds(10)
    ) async -> Carried {
        guard let site = Self.site(of: parcel) else { return .refused(why: "nothing to send") }
        let found: Webhook?
        do { found = try store.read { try WebhookRecords.webhook(of: site, in: $0) } } catch {
            return .again(afterSeconds: nil, why: "the hub could not look up where to send it")
        }
        guard let webhook = found else { return .refused(why: "the site has no server of its own any more") }
        let body = Array(parcel.payload.dropFirst(16))
        let time = "\(clock.now.seconds)"
        let request = HTTPClientRequest(
            method: "POST", url: webhook.address,
            headers: [
                ("Content-Type", "application/json"), ("User-Agent", "Soglia"),
                ("Soglia-Delivery", parcel.id.text),
                ("Soglia-Signature", "t=\(time),v1=\(Self.signature(body, at: time, under: webhook.secret))"),
            ], body: body, timeout: timeout, reach: isOpen ? .anywhere : .publicOnly)
        do { return Self.outcome(of: try await client.send(request)) } catch {
            return [.badURL, .badRequest, .notPublic].contains(error)
                ? .refused(why: error.description) : .again(afterSeconds: nil, why: error.description)
        }
    }

    static func signature(_ body: [UInt8], at time: String, under secret: [UInt8]) -> String {
        let tag = HMACSHA256(key: secret).authenticate(Array((time + ".").utf8), body)
        return Hex.text(tag.bytes)
    }

    private static func outcome(of response: HTTPClientResponse) -> Carried {
        switch response.status {
        case 200..<300: return .delivered
        case 408, 425, 429, 500...:
            let seconds = response.header("retry-after").flatMap { Int($0) }.map { max(0, $0) }
            return .again(afterSeconds: seconds, why: "the server answered \(response.status)")
        default: return .refused(why: "the server answered \(response.status)")
        }
    }
}
