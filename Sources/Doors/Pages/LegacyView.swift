import Accounts
import Identity
import Pages

/// The old app of a site: one's own account; for managers the gates that take old badges, how the app signs in, and who has it.
enum LegacyView {
    /// A gate, for managers.
    struct Gate: Sendable {
        var id: String
        var name: String
        var isLegacy: Bool
    }

    /// Somebody who has the old app, for managers.
    struct Holder: Sendable {
        var name: String
        var username: String
        /// When it was last used, in words; nil: never.
        var lastUsed: String?
        var isTakenAway: Bool
    }

    /// What only managers see.
    struct Management: Sendable {
        var gates: [Gate]
        var allowsGET: Bool
        var holders: [Holder]
    }

    /// What the page shows.
    struct Model: Sendable {
        var language: Language
        var person: String
        var siteID: String
        var siteName: String
        /// Nil for whoever has no part in the site today.
        var own: LegacyAccountView.Model?
        /// Nil for whoever may not manage the site.
        var management: Management?
        var navigation: [NavItem]
    }

    /// Forms `POST /sites/{site}/old-app/gates/{gate}` with `mode`, and `POST /sites/{site}/old-app/get` with `allows`.
    static func page(_ model: Model) -> HTML {
        let words = LegacyWords.in(model.language)
        return Frame.page(
            title: words.oldApp, place: model.siteName, language: model.language, navigation: model.navigation,
            person: model.person, style: model.management == nil ? .phone : .desk,
            path: "/sites/\(model.siteID)/old-app",
            back: model.management == nil
                ? nil : ("/sites/\(model.siteID)/people", DoorsWords.in(model.language).allPeople),
            content: div(.css("pile narrow")) {
                p(.css("lead")) { words.about }
                if let management = model.management {
                    gates(management.gates, model, words)
                    signIn(management.allowsGET, model, words)
                    holders(management.holders, words)
                }
                if let own = model.own { LegacyAccountView.part(own) }
            })
    }

    private static func gates(_ gates: [Gate], _ model: Model, _ words: LegacyWords) -> HTML {
        section(.css("part"), .aria("label", words.gates)) {
            h2 { words.gates }
            Part.notice(.wait, words.warning)
            if gates.isEmpty { p(.css("soft")) { words.noGates } }
            ul(.css("pile")) {
                for gate in gates {
                    li(.css("card"), .data("gate", gate.id)) {
                        div(.css("card-words")) {
                            h3 { bdi { gate.name } }
                            p {
                                Part.chip(
                                    gate.isLegacy ? .wait : .go,
                                    gate.isLegacy ? words.takesOldBadges : words.takesPasses)
                            }
                        }
                        form(.method(.post), .action("/sites/\(model.siteID)/old-app/gates/\(gate.id)")) {
                            button(
                                .css("quiet"), .type(.submit), .name("mode"),
                                .value(gate.isLegacy ? "pass" : "legacy"),
                                .aria(
                                    "label",
                                    gate.isLegacy ? words.toPassesAt(gate.name) : words.toOldBadgesAt(gate.name))
                            ) { gate.isLegacy ? words.toPasses : words.toOldBadges }
                        }
                    }
                }
            }
        }
    }

    private static func signIn(_ allowsGET: Bool, _ model: Model, _ words: LegacyWords) -> HTML {
        section(.css("part"), .aria("label", words.signIn)) {
            h2 { words.signIn }
            p(.css("soft")) { words.getAbout }
            p { Part.chip(allowsGET ? .wait : .go, allowsGET ? words.getOn : words.getOff) }
            form(.css("actions"), .method(.post), .action("/sites/\(model.siteID)/old-app/get")) {
                button(.css("quiet"), .type(.submit), .name("allows"), .value(allowsGET ? "no" : "yes")) {
                    allowsGET ? words.turnGetOff : words.turnGetOn
                }
            }
        }
    }

    private static func holders(_ holders: [Holder], _ words: LegacyWords) -> HTML {
        section(.css("part"), .aria("label", words.accounts)) {
            h2 { words.accounts }
            if holders.isEmpty { p(.css("soft")) { words.noAccounts } }
            ul(.css("pile")) {
                for holder in holders {
                    li(.css("card")) {
                        div(.css("card-words")) {
                            h3 { bdi { holder.name } }
                            p { code { holder.username } }
                            p(.css("soft")) { "\(words.lastUsed): \(holder.lastUsed ?? words.never)" }
                        }
                        if holder.isTakenAway { Part.chip(.idle, words.takenAway) }
                    }
                }
            }
        }
    }
}
