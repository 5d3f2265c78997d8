import Accounts
import JSON
import Synchronization

/// What keeps the hub from some of its work.
public enum HubTrouble: String, Sendable, CaseIterable {
    /// Its disk is full, or nearly: what can wait is refused.
    case diskFull
    /// Its disk has little room.
    case diskLow
    /// It does not believe its machine's clock: it signs no time, makes no pass and removes nothing by its age.
    case clockInDoubt
}

/// How the hub is, as `/api/health` says it. Whoever finds a trouble, or its end, sets it.
public final class HubHealth: Sendable {
    private let state = Mutex<Set<HubTrouble>>([])

    /// Without troubles.
    public init() {}

    /// Begins or ends a trouble.
    public func set(_ trouble: HubTrouble, _ isThere: Bool) {
        state.withLock { troubles in
            if isThere { troubles.insert(trouble) } else { troubles.remove(trouble) }
        }
    }

    /// What there is, in the order in which they are listed.
    public var troubles: [HubTrouble] { state.withLock { known in HubTrouble.allCases.filter(known.contains) } }

    func register(routes: inout Routes) {
        routes.onPublic(
            .get, "/api/health", why: "it says only that the hub answers, and whether something is wrong with it",
            RouteDescription(
                "Whether the hub answers, and what keeps it from some of its work. The status is always 200.",
                answer: .object([
                    ("ok", .truth("whether there is no trouble")),
                    ("troubles", .list(.choice(HubTrouble.allCases.map(\.rawValue)))),
                ]))
        ) { _ in
            let troubles = self.troubles
            var json = JSONWriter(capacity: 64)
            json.object { json in
                json.field("ok", troubles.isEmpty)
                json.array("troubles") { json in for trouble in troubles { json.value(trouble.rawValue) } }
            }
            return .json(json.bytes)
        }
    }
}
