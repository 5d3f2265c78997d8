import Accounts
import Bus
import Identity
import Pages

/// One gate, for those who look after it: its name, its controller, who opens it.
enum GateAdminView {
    /// What the page shows.
    struct Model: Sendable {
        /// Nil for a new gate.
        var id: String?
        var name = ""
        var pulse = "3"
        /// Those who could decide, where there are several.
        var policies: [String] = []
        var policy = ""
        var state = GateListView.State.notPaired
        /// When it was taken out of use, in words.
        var retired: String?
        var code: PairingCodeView.Code?
        /// What its controller last said of itself.
        var health = HTML.empty
        /// Where its controller reaches the bus; nil: there is none.
        var hub: BusAddress?
        var saved = false
        var refused: [String: String] = [:]
        /// What features say of it.
        var panel = HTML.empty
    }

    /// Forms `POST /sites/{site}/gates/{gate or new}` with `name`, `pulse` and perhaps `policy`; `…/pairing`; `…/reinstate`.
    static func page(_ around: Surroundings, _ model: Model) -> HTML {
        let words = GateAdminWords.in(around.language)
        let list: LocalPath = "/sites/\(around.siteID)/gates/manage"
        let own: LocalPath = "/sites/\(around.siteID)/gates/\(model.id ?? "new")"
        let title = model.id == nil || model.name.isEmpty ? words.newGate : model.name
        return around.page(
            title: title, path: own, back: (list, words.title), live: model.code != nil,
            modules: model.code == nil ? [] : ["pairing-code"]
        ) {
            div(.css("pile narrow")) {
                if model.saved { Part.notice(.go, words.saved) }
                if !model.refused.isEmpty {
                    Part.notice(.no, model.refused["gate"] ?? PagesWords.in(around.language).checkFields)
                }
                if let retired = model.retired { outOfUse(retired, own, words) }
                if model.id != nil, model.retired == nil { controller(model, own, around.language) }
                what(model, own, words)
                model.panel
                if model.id != nil, model.retired == nil {
                    p { a(.css("button quiet"), .href(own.under("retire"))) { words.retire } }
                }
            }
        }
    }

    private static func what(_ model: Model, _ own: LocalPath, _ words: GateAdminWords) -> HTML {
        form(.css("stack plate"), .method(.post), .action(own)) {
            Part.field(
                words.name, name: "name", value: model.name, hint: words.nameHint, refused: model.refused["name"],
                longest: 80)
            Part.field(
                words.pulse, name: "pulse", value: model.pulse, hint: words.pulseHint, refused: model.refused["pulse"],
                verbatim: true, longest: 6)
            if model.id == nil, model.policies.count > 1 {
                Part.choice(
                    words.policy, name: "policy", options: model.policies.map { ($0, $0) }, chosen: model.policy,
                    refused: model.refused["policy"])
            }
            div(.css("thumb")) { button(.type(.submit)) { model.id == nil ? words.add : words.save } }
        }
    }

    private static func outOfUse(_ since: String, _ own: LocalPath, _ words: GateAdminWords) -> HTML {
        section(.css("plate"), .aria("label", words.state)) {
            p { Part.chip(.idle, words.outOfUse) }
            p(.css("soft")) { "\(since) \(words.retiredDetail)" }
            form(.method(.post), .action(own.under("reinstate"))) {
                button(.type(.submit)) { words.reinstate }
            }
        }
    }

    /// Its controller: how it is, and the code that pairs one.
    private static func controller(_ model: Model, _ own: LocalPath, _ language: Language) -> HTML {
        let words = GateAdminWords.in(language)
        return section(.css("plate"), .id("controller"), .aria("labelledby", "controller-title")) {
            h2(.id("controller-title")) { words.controller }
            p { Part.chip(model.state.tone, model.state.text(words)) }
            model.health
            switch model.state {
            case .connected: p(.css("soft")) { words.connectedDetail }
            case .notConnected: p(.css("soft")) { words.notConnectedDetail }
            case .notPaired: p(.css("soft")) { words.notPairedDetail }
            case .waiting: p(.css("soft")) { words.waitingDetail }
            case .outOfUse: HTML.empty
            }
            if model.hub == nil {
                p(.css("soft")) { words.noBus }
            } else if let hub = model.hub, let code = model.code, let id = model.id {
                PairingCodeView.part(
                    code, event: "gate", id: id, path: own, command: "soglia gate --data FOLDER --hub \(hub) --pair",
                    of: hub, language)
            } else if model.state == .notPaired {
                PairingCodeView.ask(own, words.pair)
            } else {
                details {
                    summary { words.pairAnother }
                    div(.css("pile")) {
                        p(.css("soft")) { words.pairAnotherDetail }
                        PairingCodeView.ask(own, words.pair, isQuiet: true)
                    }
                }
            }
        }
    }

    /// The page that asks before a gate is taken out of use.
    static func retirement(_ around: Surroundings, id: String, name: String, panel: HTML) -> HTML {
        let words = GateAdminWords.in(around.language)
        let own: LocalPath = "/sites/\(around.siteID)/gates/\(id)"
        return around.page(title: words.retireTitle(name), path: own.under("retire"), back: (own, name)) {
            div(.css("pile narrow")) {
                p { words.retireDetail }
                p { words.retireUndo }
                panel
                form(.css("row"), .method(.post), .action(own.under("retire"))) {
                    button(.type(.submit)) { words.retire }
                    a(.css("button quiet"), .href(own)) { words.keep }
                }
            }
        }
    }
}
