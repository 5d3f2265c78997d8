import Accounts
import Gates
import HTTPServer
import Identity
import Ledger
import Notices
import Pages

extension Doors {
    /// The screens of opening gates from notifications.
    func register(checkIn pages: inout PageRoutes) {
        let given = given
        given.gates.addPanel(aboutGate: { gate, site, _, language in try checkInPanel(gate, site, language) })
        given.gates.addPanel(onBadge: { gate, _, _, language in
            gate.policy == "doors" ? CheckInView.trial(gate.id, CheckInWords.in(language)) : .empty
        })
        pages.on(.post, "/sites/{site}/gates/{gate}/check-in", for: Permission.managing) { request, principal, _ in
            let gate = try self.checkInGate(request)
            guard let proof = ActionProof(rawValue: try request.form().require("proof")) else {
                throw Problem.unprocessable("what a gate asks for is none, unlocked or passkey")
            }
            try await self.setCheckIn(proof, of: gate.id, at: gate.site, by: principal)
            return .redirect(to: "/sites/\(gate.site.text)/gates/\(gate.id.text)#check-in")
        }
        pages.on(.post, "/gates/{gate}/check-in-notice") { request, principal, language in
            try given.accounts.admit(.checkIn, of: principal)
            let (gate, site) = try self.ownCheckInGate(request, principal)
            _ = try await self.sendCheckIn(for: gate, at: site, to: principal.person.id)
            let navigation = given.navigation.items(
                for: principal, at: site.id, now: given.clock.now, language, current: "/sites/\(site.id.text)/gates")
            return .html(
                CheckInView.sent(gate, site, principal.person.name, navigation, CheckInWords.in(language)).bytes)
        }
    }

    private func checkInPanel(_ gate: Gate, _ site: Site, _ language: Language) throws -> HTML {
        guard gate.policy == "doors", gate.retired == nil else { return .empty }
        let proof = try given.store.read { try CheckInRecords.proof(of: gate.id, in: $0) }
        return CheckInView.setting(proof, of: gate.id, at: site.id, CheckInWords.in(language))
    }
}

/// The parts of pages about opening a gate from a notification.
enum CheckInView {
    /// What a gate asks for, for whoever looks after it. A form `POST /sites/{site}/gates/{gate}/check-in` with `proof`.
    static func setting(_ proof: ActionProof, of gate: GateID, at site: SiteID, _ words: CheckInWords) -> HTML {
        let names: [(ActionProof, String)] = [
            (.none, words.atOnce), (.unlocked, words.unlocked), (.passkey, words.passkey),
        ]
        return section(.css("plate"), .id("check-in"), .aria("labelledby", "check-in-title")) {
            h2(.id("check-in-title")) { words.title }
            p(.css("soft")) { words.about }
            if proof == .none { Part.notice(.wait, words.atOnceWarning) }
            form(.css("stack"), .method(.post), .action("/sites/\(site.text)/gates/\(gate.text)/check-in")) {
                Part.choice(
                    words.choice, name: "proof", options: names.map { ($0.0.rawValue, $0.1) }, chosen: proof.rawValue)
                div(.css("actions")) { button(.css("quiet"), .type(.submit)) { words.save } }
            }
        }
    }

    /// Under the badge: a notice to try it with. A form `POST /gates/{gate}/check-in-notice`.
    static func trial(_ gate: GateID, _ words: CheckInWords) -> HTML {
        details {
            summary { words.tryTitle }
            div(.css("pile")) {
                p(.css("soft")) { words.tryAbout }
                form(.css("actions"), .method(.post), .action("/gates/\(gate.text)/check-in-notice")) {
                    button(.css("quiet"), .type(.submit)) { words.send }
                }
            }
        }
    }

    /// That it was sent.
    static func sent(
        _ gate: Gate, _ site: Site, _ person: String, _ navigation: [NavItem], _ words: CheckInWords
    ) -> HTML {
        let badge: LocalPath = "/gates/\(gate.id.text)"
        return Frame.page(
            title: words.tryTitle, place: site.name, language: words.language, navigation: navigation, person: person,
            path: badge, back: (badge, gate.name),
            content: div(.css("pile")) {
                Part.notice(.go, words.sent)
                p { words.sentDetail }
                p { a(.href("/account/sessions")) { words.devices } }
                p { a(.css("button quiet"), .href(badge)) { words.backToGate } }
            })
    }
}
