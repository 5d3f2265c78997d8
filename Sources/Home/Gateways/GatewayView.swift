import Accounts
import Bus
import Gates
import Household
import Identity
import Pages

/// Connecting something to a house: what kind it is, and how it gets in.
enum GatewayView {
    /// What the form for a new one shows.
    struct Entry: Sendable {
        var kind = Gateway.Kind.box
        var name = ""
        var refused: [String: String] = [:]
    }

    /// The fields `kind` and `name`.
    static func new(_ around: Surroundings, _ entry: Entry) -> HTML {
        let words = GatewayWords.in(around.language)
        let list: LocalPath = "/houses/\(around.siteID)/devices"
        let own = list.under("new")
        return around.page(title: words.connect, path: own, back: (list, words.devices)) {
            div(.css("pile narrow")) {
                if !entry.refused.isEmpty {
                    Part.notice(.no, entry.refused["gateway"] ?? PagesWords.in(around.language).checkFields)
                }
                form(.css("stack plate"), .method(.post), .action(own)) {
                    fieldset(.css("options")) {
                        legend { words.what }
                        for kind in Gateway.Kind.allCases {
                            label(.css("option")) {
                                input(
                                    .type(.radio), .name("kind"), .value(kind.rawValue), .checked(kind == entry.kind))
                                span {
                                    strong { words.kind(kind) }
                                    span(.css("soft")) { words.kindDetail(kind) }
                                }
                            }
                        }
                    }
                    Part.field(
                        words.name, name: "name", value: entry.name, hint: words.nameHint,
                        refused: entry.refused["name"], longest: 80)
                    div(.css("thumb")) { button(.type(.submit)) { words.add } }
                }
            }
        }
    }

    /// What the page of one shows.
    struct Model: Sendable {
        var gateway: Gateway
        var isThere: Bool
        /// Whether nothing that it says is listened to.
        var isIsolated = false
        /// A code that waits for a box.
        var code: PairingCodeView.Code?
        /// Where a box reaches the bus; nil: there is none.
        var hub: BusAddress?
        /// Only in answer to having asked for a password.
        var connection: GatewayConnection?
        /// What its devices say of themselves and the hub does not take.
        var untaken: [Untaken] = []
        var refused: String?
    }

    /// Forms `POST …/pairing`, `…/credentials`, `…/retire`.
    static func page(_ around: Surroundings, _ model: Model) -> HTML {
        let words = GatewayWords.in(around.language)
        let gateway = model.gateway
        let own: LocalPath = "/houses/\(around.siteID)/gateways/\(gateway.id.text)"
        return around.page(
            title: gateway.name, path: own, back: ("/houses/\(around.siteID)/devices", words.devices),
            live: model.code != nil, modules: model.code != nil ? ["pairing-code"] : ["copy-text"]
        ) {
            div(.css("pile narrow")) {
                if let refused = model.refused { Part.notice(.no, refused) }
                section(.css("plate pile"), .aria("labelledby", "connection")) {
                    h2(.id("connection")) { words.kind(gateway.kind) }
                    p { state(model, words) }
                    if model.isIsolated { isolated(own, around.language) }
                    if gateway.kind == .box { box(model, own, around.language) } else { others(model, own, words) }
                }
                if !model.untaken.isEmpty { untaken(model.untaken, around.language) }
                section(.css("plate pile"), .aria("labelledby", "retire")) {
                    h2(.id("retire")) { words.retire }
                    p(.css("soft")) { words.retireDetail }
                    form(.method(.post), .action(own.under("retire"))) {
                        button(.css("quiet"), .type(.submit)) { words.retire }
                    }
                }
            }
        }
    }

    @HTMLBuilder
    private static func isolated(_ own: LocalPath, _ language: Language) -> HTML {
        let words = HomeDevicesWords.in(language)
        Part.notice(.wait, words.isolatedDetail)
        form(.method(.post), .action(own.under("release"))) {
            button(.css("quiet"), .type(.submit)) { words.release }
        }
    }

    private static func untaken(_ all: [Untaken], _ language: Language) -> HTML {
        let words = GatewayWords.in(language)
        return section(.css("plate pile"), .id("untaken"), .aria("labelledby", "untaken-title")) {
            h2(.id("untaken-title")) { words.untaken }
            p(.css("soft")) { words.untakenDetail }
            ul(.css("rows")) {
                for one in all {
                    li {
                        div(.css("card-words")) {
                            span(.css("strong")) {
                                bdi { [one.device, one.component].compactMap(\.self).joined(separator: " · ") }
                            }
                            p { one.why.text(language) }
                            p(.css("soft")) { code { one.topic } }
                        }
                    }
                }
            }
            if all.count == Untaken.most { p(.css("soft")) { words.untakenMore(all.count) } }
        }
    }

    private static func state(_ model: Model, _ words: GatewayWords) -> HTML {
        if model.isThere { return Part.chip(.go, words.connected) }
        return model.gateway.key == nil ? Part.chip(.idle, words.notPaired) : Part.chip(.wait, words.notConnected)
    }

    @HTMLBuilder
    private static func box(_ model: Model, _ own: LocalPath, _ language: Language) -> HTML {
        let words = GatewayWords.in(language)
        if let code = model.code, let hub = model.hub {
            PairingCodeView.part(
                code, event: "gateway", id: model.gateway.id.text, path: own,
                command: "soglia simulate home --data FOLDER --mqtt \(hub) --pair", of: hub, language)
        } else if model.gateway.key == nil {
            p(.css("soft")) { words.codeDetail }
            PairingCodeView.ask(own, words.pair)
        } else {
            details {
                summary { words.pairAgain }
                div(.css("pile")) {
                    p(.css("soft")) { words.pairAgainDetail }
                    PairingCodeView.ask(own, words.pair, isQuiet: true)
                }
            }
        }
    }

    @HTMLBuilder
    private static func others(_ model: Model, _ own: LocalPath, _ words: GatewayWords) -> HTML {
        if let connection = model.connection {
            Part.notice(.wait, words.onlyNow)
            for recipe in GatewayRecipe.all(for: model.gateway.kind) {
                details(.open(recipe == GatewayRecipe.all(for: model.gateway.kind).first)) {
                    summary { recipe.name }
                    island("copy-text", .css("recipe"), .data("label", words.copy), .data("name", recipe.name)) {
                        pre(.tabindex(0), .role("region"), .aria("label", recipe.name)) {
                            code { recipe.text(model.gateway, connection) }
                        }
                    }
                }
            }
            p(.css("soft")) { words.discoveryDetail }
        } else {
            p(.css("soft")) { words.passwordDetail }
            form(.method(.post), .action(own.under("credentials"))) {
                button(.type(.submit)) { words.makePassword }
            }
        }
    }
}
