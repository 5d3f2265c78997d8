import Identity
import Ledger

/// Whose changes are told as many: at once, and once more when a minute is over in which there were others. So the last of them is heard of,
/// unless the hub is stopped within that minute: the log has each.
struct ManyChanges: Sendable {
    private var more: [String: Set<PersonID>?] = [:]

    /// Counts one.
    /// - Parameters:
    ///   - key: whose, of which kind, and where.
    ///   - former: whose ownership it was about; nil: nobody's.
    /// - Returns: whether it is told now; false: when the minute is over.
    mutating func begins(_ key: String, about former: PersonID?) -> Bool {
        guard let waiting = more[key] else {
            more[key] = .some(nil)
            return true
        }
        more[key] = (waiting ?? []).union([former].compactMap(\.self))
        return false
    }

    /// The minute is over.
    /// - Returns: whose ownership there was among what came meanwhile; nil: nothing came.
    mutating func ends(_ key: String) -> Set<PersonID>? { more.removeValue(forKey: key) ?? nil }
}
