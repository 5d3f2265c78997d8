import Synchronization

/// In which order changes were written: of two at once the later one counts in memory as it does in the table, whoever comes back first.
package final class WriteOrder<Key: Hashable & Sendable>: Sendable {
    private let number = Atomic<UInt64>(0)
    private let kept = Mutex<[Key: UInt64]>([:])

    package init() {}
}

package extension WriteOrder {
    /// The number of a change; taken in the transaction that writes it.
    func next() -> UInt64 { number.add(1, ordering: .relaxed).newValue }

    /// Does what follows a change, unless that of a later one was done already. One after the other: whoever is called writes nothing.
    func follow(_ number: UInt64, of key: Key, _ body: () -> Void) {
        kept.withLock { kept in
            guard number > kept[key] ?? 0 else { return }
            kept[key] = number
            body()
        }
    }
}
