import Pages

extension GatesView {
    /// How a gate is for the person who looks at it.
    public enum State: Sendable, Hashable {
        /// It can be asked.
        case ready
        /// Its controller is not connected.
        case notReachable
        /// This person may not open it; the reason in words, beginning in lower case.
        case denied(String)
        /// It has no controller yet.
        case notPaired
        /// The page is a saved one: how the gate is, nobody knows, and the hub cannot be asked.
        case offline

        /// As the live stream and the islands call it.
        var name: String {
            switch self {
            case .ready: "ready"
            case .notReachable: "notReachable"
            case .denied: "denied"
            case .notPaired: "notPaired"
            case .offline: "offline"
            }
        }

        var tone: Tone {
            switch self {
            case .ready: .go
            case .notReachable: .wait
            case .denied: .no
            case .notPaired, .offline: .idle
            }
        }

        func chip(_ words: GatesWords) -> String {
            switch self {
            case .ready: words.ready
            case .notReachable: words.stateNotReachable
            case .denied(let reason): reason
            case .notPaired: words.stateNotPaired
            case .offline: words.stateOffline
            }
        }

        func headline(_ words: GatesWords) -> String {
            switch self {
            case .ready: words.headlineReady
            case .notReachable: words.headlineNotReachable
            case .denied: words.headlineDenied
            case .notPaired: words.headlineNotPaired
            case .offline: words.headlineOffline
            }
        }

        func detail(_ words: GatesWords) -> String {
            switch self {
            case .ready: words.readyDetail
            case .notReachable: words.notReachableDetail
            case .denied(let reason): reason
            case .notPaired: words.notPairedDetail
            case .offline: words.offlineDetail
            }
        }
    }
}

extension GatesWords {
    /// What the island `open-gate` says, once a page.
    var forIsland: HTML {
        data(
            id: "gate-words",
            [
                "ready": ready, "notReachable": stateNotReachable, "notPaired": stateNotPaired,
                "headlineReady": headlineReady, "headlineNotReachable": headlineNotReachable,
                "headlineNotPaired": headlineNotPaired, "headlineDenied": headlineDenied,
                "headlineAsking": headlineAsking,
                "headlineOpened": headlineOpened, "headlineRefused": headlineRefused,
                "headlineUnconfirmed": headlineUnconfirmed, "readyDetail": readyDetail,
                "notReachableDetail": notReachableDetail, "notPairedDetail": notPairedDetail, "askingHub": askingHub,
                "waitingForGate": waitingForGate, "confirmed": confirmed, "confirmedIn": confirmedIn("{s}"),
                "noAnswer": noAnswer, "noHub": noHub, "noHubAnswer": noHubAnswer, "notAccepted": notAccepted,
            ])
    }
}
