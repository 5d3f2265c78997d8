import Pages

/// All gates of a place, for those who look after them.
enum GateListView {
    /// How a gate is, as whoever looks after it needs to know.
    enum State: Sendable {
        case connected, notConnected, waiting, notPaired, outOfUse

        var tone: Tone {
            switch self {
            case .connected: .go
            case .notConnected, .waiting: .wait
            case .notPaired, .outOfUse: .idle
            }
        }

        func text(_ words: GateAdminWords) -> String {
            switch self {
            case .connected: words.connected
            case .notConnected: words.notConnected
            case .waiting: words.waiting
            case .notPaired: words.notPaired
            case .outOfUse: words.outOfUse
            }
        }
    }

    /// A gate.
    struct Row: Sendable {
        var id: String
        var name: String
        var pulse: String
        var state: State
    }

    static func page(_ around: Surroundings, rows: [Row]) -> HTML {
        let words = GateAdminWords.in(around.language)
        let base: LocalPath = "/sites/\(around.siteID)/gates"
        let add: LocalPath = "/sites/\(around.siteID)/gates/new"
        return around.page(
            title: words.title, path: "/sites/\(around.siteID)/gates/manage",
            back: (base, GatesWords.in(around.language).gates),
            actions: rows.isEmpty ? .empty : a(.css("button"), .href(add)) { words.add }
        ) {
            if rows.isEmpty {
                Part.empty(title: words.none, detail: words.noneDetail, action: (add, words.add))
            } else {
                table(.css("sheet rules"), .role("table")) {
                    caption(.css("unseen")) { words.title }
                    thead(.role("rowgroup")) {
                        tr(.role("row")) {
                            for title in [words.gate, words.pulse, words.state] {
                                th(.scope("col"), .role("columnheader")) { title }
                            }
                        }
                    }
                    tbody(.role("rowgroup")) { for one in rows { row(one, around.siteID, words) } }
                }
            }
        }
    }

    private static func row(_ one: Row, _ site: String, _ words: GateAdminWords) -> HTML {
        tr(.role("row"), .data("gate", one.id)) {
            td(.css("name"), .role("cell")) {
                a(.css("whole"), .href("/sites/\(site)/gates/\(one.id)")) { bdi { one.name } }
            }
            td(.css("soft"), .role("cell")) { words.opensFor(one.pulse) }
            td(.css("status"), .role("cell")) { Part.chip(one.state.tone, one.state.text(words)) }
        }
    }
}
