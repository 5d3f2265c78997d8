import Accounts
import Identity
import OpenID
import System

/// The services that are linked with an account, each with a way to unlink it, and those that can be.
struct IdentitiesSection: Sendable {
    /// One identity.
    struct Row: Sendable {
        /// Its name in paths.
        var handle: String
        /// What people call the service.
        var service: String
        /// What they are called there.
        var label: String
        /// When it was last used: exact, and in words; nil: never.
        var used: (iso: String, text: String)?
    }

    var rows: [Row] = []
    /// Those that can be linked.
    var services: [ServiceButton] = []

    /// As it is for somebody now.
    init(_ ways: WaysIn, _ services: SignInServices, _ language: Language, in zone: Zone, now: Timestamp) {
        rows = ways.identities.map { identity in
            Row(
                handle: identity.handle, service: services.name(of: identity.issuer), label: identity.label,
                used: identity.used.map { ($0.iso8601, PagesWords.in(language).moment($0, in: zone, now: now)) })
        }
        self.services = services.buttons
    }

    /// Forms `POST /account/ways/identities/{identity}/remove` and `POST /account/ways/identities/by/{id}`.
    func html(_ language: Language) -> HTML {
        let words = SignInByWords.in(language)
        if rows.isEmpty && services.isEmpty { return .empty }
        return section(.css("pile")) {
            h2 { words.linked }
            if rows.isEmpty { p(.css("soft")) { words.noneLinked } }
            ul(.css("cards")) {
                for row in rows { li(.css("card")) { card(row, words) } }
            }
            div(.css("actions")) {
                for service in services {
                    ServiceButton.form("/account/ways/identities/by/\(service.id)", words.link(service.name))
                }
            }
        }
    }

    private func card(_ row: Row, _ words: SignInByWords) -> HTML {
        HTMLBuilder.buildArray([
            div(.css("card-words")) {
                h3 { bdi { row.service } }
                if !row.label.isEmpty { p(.css("soft")) { bdi { row.label } } }
                p(.css("soft")) {
                    if let used = row.used { Part.moment(used.iso, words.lastUsed(used.text)) } else { words.neverUsed }
                }
            },
            form(.method(.post), .action("/account/ways/identities/\(row.handle)/remove")) {
                button(.css("quiet"), .type(.submit), .aria("label", "\(words.unlink): \(row.service) \(row.label)")) {
                    words.unlink
                }
            },
        ])
    }
}
