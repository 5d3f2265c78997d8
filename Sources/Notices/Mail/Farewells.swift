/// The letters that tell of a deletion and have not arrived yet: nothing of them is written down.
struct Farewells {
    /// So many wait; of more, nobody is told.
    /// - Key: hub
    static let capacity = 1_000
    /// Of those, the ones to addresses at one host: one that takes no mail does not take all places.
    /// - Key: host of an address
    static let mostOfHost = 20

    private var waiting: [Substring: Int] = [:]
    /// The one that is carried last. They go one after another, so that of the lanes to the mail server they take one.
    var last: Task<Void, Never>?

    /// Counts one more.
    /// - Returns: false: there are too many.
    mutating func admits(_ address: String) -> Bool {
        let own = waiting[Self.host(of: address), default: 0]
        guard own < Self.mostOfHost, waiting.values.reduce(0, +) < Self.capacity else { return false }
        waiting[Self.host(of: address)] = own + 1
        return true
    }

    /// One has arrived, or is tried no more.
    mutating func leave(_ address: String) {
        let left = waiting[Self.host(of: address), default: 1] - 1
        waiting[Self.host(of: address)] = left == 0 ? nil : left
    }

    private static func host(of address: String) -> Substring {
        address[(address.lastIndex(of: "@") ?? address.startIndex)...]
    }
}
