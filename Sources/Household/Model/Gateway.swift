import Identity
import Ledger
import Store
import System
import Wire

/// What came in by a credential of its own: a box, a device, or a home's own broker with many devices behind it. Everything that it
/// says lies below its own topics, and so is known to be its.
package struct Gateway: Sendable {
    /// Its name in tables and topics; whose, and what it is.
    package let (id, site, kind): (GatewayID, SiteID, Kind)
    /// What people call it.
    package var name: String
    /// From it the password on the bus is made, and a box's MACs; nil: a box that is not paired yet.
    package var key: Key?
    /// When it was taken out of use.
    package var retired: Timestamp?

    /// See the properties.
    package init(
        id: GatewayID, site: SiteID, kind: Kind, name: String, key: Key? = nil, retired: Timestamp? = nil
    ) {
        (self.id, self.site, self.kind, self.name, self.key) = (id, site, kind, name, key)
        self.retired = retired
    }
}

package extension Gateway {
    /// The kind of id that names gateways.
    enum Name {}

    /// What it is.
    enum Kind: String, Sendable, CaseIterable {
        /// Our box: it keeps a panel of its own, and speaks with the hub in frames that carry MACs.
        case box
        /// One device, or several, that describe themselves by Home Assistant's discovery, or are described in the app.
        case device
        /// A home's own broker, bridged.
        case bridge
    }

    /// What every topic of it begins with, `soglia/<site>/<gateway>/`; topics that it names are relative to this.
    var prefix: String { BusNames.gatewayPrefix(site: site.raw, gateway: id.raw) }

    /// What follows the prefix in topics on which a home's own broker is told something. They are apart from its own, so that everything
    /// there goes in, however its things name their topics, and nothing that came out of it comes back.
    static let downOfBridge = "from-soglia/"

    /// What topics begin with on which it is told something.
    var down: String { kind == .bridge ? prefix + Self.downOfBridge : prefix }

    /// The prefix that a topic may have, and what follows; nil when it is too short for one.
    static func split(_ topic: String) -> (prefix: Substring, rest: Substring)? {
        // soglia/, and twice 32 digits with a stroke.
        topic.utf8.index(topic.startIndex, offsetBy: 73, limitedBy: topic.endIndex).map { (topic[..<$0], topic[$0...]) }
    }

    /// Its name on the bus.
    var username: String { BusNames.username(gateway: id.raw) }
}

/// The name of a gateway in tables and topics.
package typealias GatewayID = ID<Gateway.Name>
