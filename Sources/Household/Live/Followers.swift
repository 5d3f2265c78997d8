import Synchronization

/// Those who follow the changes of something, in the order in which they came. Each is called on the thread that made the change, and returns at
/// once.
package final class Followers<Change>: Sendable {
    private let all = Mutex<[@Sendable (Change) -> Void]>([])

    package init() {}
}

package extension Followers {
    /// One more; before anything runs.
    func add(_ follower: @escaping @Sendable (Change) -> Void) { all.withLock { $0.append(follower) } }

    /// Calls all of them, one after the other; a follower may change something again.
    func tell(_ change: Change) { for follower in all.withLock({ $0 }) { follower(change) } }
}
