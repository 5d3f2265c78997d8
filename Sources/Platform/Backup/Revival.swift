import Accounts
import Ledger
import Store
import System

/// What a restore makes valid again: grants of the backup that were changed or ended since.
public struct Revival: Sendable {
    /// Those of one kind, in words.
    public struct Kind: Sendable, Equatable {
        /// What they are: `passwords`.
        public let name: String
        /// Each of them: `Ada Rossi <ada@example.com>`.
        public let labels: [String]
    }

    /// When the backup was made.
    public let made: String
    /// The kinds of which there is one at least; nil: there is nothing to compare the backup with.
    public let kinds: [Kind]?

    /// - Parameters:
    ///   - database: the restored one.
    ///   - present: the path of the one that it replaces.
    ///   - erased: who is erased again.
    init(
        made: String, of database: Database, replacing present: String, _ kinds: [GrantKind], erased: Set<PersonID>,
        at now: Timestamp
    ) throws {
        self.made = made
        // Of another Soglia, damaged, or not there: then nothing of it is known.
        let known = try? Store.look(at: present) { database in
            try kinds.map { kind in
                Dictionary(
                    try kind.valid(now, database).map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
            }
        }
        guard let known else {
            self.kinds = nil
            return
        }
        self.kinds = try zip(kinds, known).compactMap { kind, known in
            let back = try kind.valid(now, database).filter { grant in
                known[grant.key] != grant.value && grant.person.map { !erased.contains($0) } ?? true
            }
            return back.isEmpty ? nil : Kind(name: kind.name, labels: back.map(\.label))
        }
    }
}
