import Household
import Store
import Synchronization

/// The messages that were refused whole, since the hub started: of them nothing is in the store.
final class RefusedMessages: Sendable {
    private let refused = Mutex<[GatewayID: [String: DiscoveryRefusal]]>([:])
    private let found = Mutex<[GatewayID: [String: Detectors]]>([:])
    private let store: Store

    /// - Parameter store: where the parts are that are not taken of messages which otherwise are.
    init(_ store: Store) { self.store = store }

    /// The detectors that save lives of a message that was refused whole.
    struct Detectors: Sendable, Equatable {
        /// What the device calls itself.
        let device: String
        /// The same of each of them, and why it is not taken.
        let refused: [DiscoveredDevice.Refused]
    }

    /// Keeps why the last message of a topic was refused; nil: it was not.
    func set(_ refusal: DiscoveryRefusal?, _ topic: String, of gateway: GatewayID, _ detectors: Detectors? = nil) {
        found.withLock { found in
            let isFull = found[gateway]?[topic] == nil && found[gateway, default: [:]].count >= Untaken.most
            if detectors != nil, isFull { return }
            found[gateway, default: [:]][topic] = detectors
        }
        refused.withLock { refused in
            // A device that keeps inventing topics hides no other's, and fills nothing.
            if refusal != nil, refused[gateway]?[topic] == nil, refused[gateway, default: [:]].count >= Untaken.most {
                return
            }
            refused[gateway, default: [:]][topic] = refusal
        }
    }

    /// Forgets the gateways that are no more.
    func keep(where isThere: (GatewayID) -> Bool) {
        refused.withLock { refused in refused = refused.filter { isThere($0.key) && !$0.value.isEmpty } }
        found.withLock { found in found = found.filter { isThere($0.key) && !$0.value.isEmpty } }
    }

    /// The detectors of messages of a gateway that were refused whole, by topic.
    func detectors(of gateway: GatewayID) -> [String: Detectors] { found.withLock { $0[gateway] ?? [:] } }

    /// Where there are such.
    var gatewaysWithDetectors: [GatewayID] { found.withLock { $0.filter { !$0.value.isEmpty }.map(\.key) } }

    /// What a gateway's devices say of themselves and the hub does not take, `Untaken.most` at most.
    func untaken(of gateway: GatewayID) throws -> [Untaken] {
        let parts = try store.read { try AnnouncementRecords.refused(of: gateway, limit: Untaken.most, in: $0) }
        return Array((self[gateway] + parts).prefix(Untaken.most))
    }

    /// What was refused whole of a gateway, by topic.
    subscript(_ gateway: GatewayID) -> [Untaken] {
        refused.withLock { $0[gateway] ?? [:] }.sorted { $0.key < $1.key }.map { Untaken(topic: $0.key, why: $0.value) }
    }
}
