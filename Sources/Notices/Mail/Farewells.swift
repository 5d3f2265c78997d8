import System

/// The letters that tell of a deletion and have not arrived yet: nothing of them is written down.
struct Farewells {
    /// So many wait; of more, nobody is told.
    /// - Key: hub
    static let capacity = 5_000
    /// Of those, the ones to addresses of one domain: one that takes no mail does not take all places.
    /// - Key: domain of an address
    static let mostOfDomain = 500
    /// So long one waits for its turn until it is tried later. One at a time is on its way: of the lanes to the mail server they take one.
    static let patience: Duration = .seconds(600)

    private var waiting: [String: Int] = [:]

    /// Counts one more.
    /// - Returns: false: there are too many.
    mutating func admits(_ address: String) -> Bool {
        let domain = Self.domain(of: address)
        let own = waiting[domain, default: 0]
        guard own < Self.mostOfDomain, waiting.values.reduce(0, +) < Self.capacity else { return false }
        waiting[domain] = own + 1
        return true
    }

    /// One has arrived, or is tried no more.
    mutating func leave(_ address: String) {
        let domain = Self.domain(of: address)
        let left = waiting[domain, default: 1] - 1
        waiting[domain] = left == 0 ? nil : left
    }

    /// The last two parts of what stands behind the `@`: who has a domain has as many hosts in it as they like. Of `a.co.uk` it is `co.uk`,
    /// which all of its neighbours share.
    static func domain(of address: String) -> String {
        let host = address[(address.lastIndex(of: "@").map(address.index(after:)) ?? address.startIndex)...]
        return host.split(separator: ".").suffix(2).joined(separator: ".").lowercased()
    }
}
