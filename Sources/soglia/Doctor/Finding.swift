/// What `soglia doctor` found out about one thing.
struct Finding: Sendable {
    /// How it stands.
    enum Verdict: String, Sendable, Comparable {
        /// Well.
        case ok
        /// The hub runs, but not as it should.
        case warn
        /// The hub does not run, or must not.
        case fail

        static func < (a: Verdict, b: Verdict) -> Bool { a.rank < b.rank }

        private var rank: Int {
            switch self {
            case .ok: 0
            case .warn: 1
            case .fail: 2
            }
        }
    }

    /// What was looked at, in one or two words.
    let name: String
    let verdict: Verdict
    /// What was found, in a sentence.
    let words: String
    /// What to do about it; nil when there is nothing to do, or another finding says it.
    let advice: String?

    static func ok(_ name: String, _ words: String) -> Finding {
        Finding(name: name, verdict: .ok, words: words, advice: nil)
    }

    static func warn(_ name: String, _ words: String, _ advice: String) -> Finding {
        Finding(name: name, verdict: .warn, words: words, advice: advice)
    }

    /// What cannot be known before another finding is put right.
    static func unchecked(_ name: String, because cause: String) -> Finding {
        Finding(name: name, verdict: .warn, words: "not checked: see \(cause) above", advice: nil)
    }

    static func fail(_ name: String, _ words: String, _ advice: String) -> Finding {
        Finding(name: name, verdict: .fail, words: words, advice: advice)
    }
}
