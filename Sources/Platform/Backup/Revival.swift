import Accounts
import Ledger
import Store
import System

/// What a restore makes valid again: grants of the backup, in its database or its files, that were changed or ended since.
public struct Revival: Sendable {
    /// Those of one kind, in words.
    public struct Kind: Sendable, Equatable {
        /// What they are: `passwords`.
        public let name: String
        /// Each of them, `Ada Rossi <ada@example.com>`; where several are called the same, with their number.
        public let labels: [String]
    }

    /// When the backup was made.
    public let made: String
    /// The kinds of which there is one at least; nil: there is nothing to compare the backup with.
    public let kinds: [Kind]?

    /// - Parameters:
    ///   - database: the restored one, from which everybody is erased who was since.
    ///   - restored: the folder of the restored files.
    ///   - present: the folder of data that they replace.
    init(
        made: String, of database: Database, in restored: String, replacing present: String, _ kinds: [GrantKind],
        at now: Timestamp
    ) throws {
        self.made = made
        // Of another Soglia, damaged, or not there: then nothing of it is known.
        let known = try? Store.look(at: present + "/soglia.sqlite") { database in
            try kinds.map { try $0.valid(now, database) }
        }
        guard let known else {
            self.kinds = nil
            return
        }
        let fromTables = try zip(kinds, known).compactMap { kind, known in
            Self.kind(kind.name, try kind.valid(now, database), unlike: known)
        }
        let fromFiles = FileGrantKind.all.compactMap { kind in
            Self.kind(kind.name, kind.valid(restored), unlike: kind.valid(present))
        }
        self.kinds = fromTables + fromFiles
    }

    /// Those that are not known as they are; nil: all are.
    private static func kind(_ name: String, _ valid: [Grant], unlike known: [Grant]) -> Kind? {
        let known = Dictionary(known.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        let back = valid.filter { known[$0.key] != $0.value }
        // People choose their own names: of two that are called the same there are two.
        let counts = Dictionary(back.map { ($0.label, 1) }, uniquingKeysWith: +)
        var seen: Set<String> = []
        let labels = back.map(\.label).filter { seen.insert($0).inserted }.map { label in
            counts[label].map { $0 > 1 ? "\(label) (\($0) of them)" : label } ?? label
        }
        return back.isEmpty ? nil : Kind(name: name, labels: labels)
    }
}
