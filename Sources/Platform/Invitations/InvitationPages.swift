import Accounts
import HTTPServer
import Identity
import Ledger
import Pages
import Store
import System
import Wire

// The manager's page of one invitation.

extension Invitations {
    /// Where a site's manager invites the person of a membership.
    public static func path(_ membership: MembershipID, at site: SiteID) -> LocalPath {
        "/sites/\(site.text)/people/\(membership.text)/invitation"
    }

    func register(pages: inout PageRoutes) {
        register(joining: &pages)
        pages.on(.get, "/sites/{site}/people/{membership}/invitation", for: Permission.managing) {
            request, principal, language in
            let site = try Self.site(request, principal)
            let membership = try request.parameter("membership", as: MembershipID.self)
            let sent = try request.query.get("sent", as: String.self) != nil
            let isNew = try request.query.get("added", as: String.self) != nil
            return try show(membership, site, principal, language, sent: sent, isNew: isNew)
        }
        pages.on(.post, "/sites/{site}/people/{membership}/invitation", for: Permission.managing) {
            request, principal, language in
            let site = try Self.site(request, principal)
            let membership = try request.parameter("membership", as: MembershipID.self)
            let own = Self.path(membership, at: site.id)
            do {
                if try request.form().get("way", as: String.self) == InvitationWay.paper.rawValue {
                    let paper = try await paper(for: membership, at: site, by: principal)
                    let address = (request.isSecure ? "https://" : "http://") + (request.host ?? "localhost") + "/join"
                    return try show(
                        membership, site, principal, language, paper: (paper.code, paper.expires, address))
                }
                guard given.letters.isSetUp else { throw Problem.notFound() }
                try await letter(for: membership, at: site, by: principal)
                return .redirect(to: own.adding("sent", "1").description)
            } catch is InvitingRefusal {
                return .redirect(to: own.description)
            } catch AccountRefusal.tooManyAttempts(let seconds) {
                return try show(membership, site, principal, language, isTooMany: true).retrying(after: seconds)
            }
        }
    }

    private func show(
        _ membership: MembershipID, _ site: Site, _ principal: Principal, _ language: Language, sent: Bool = false,
        isNew: Bool = false, isTooMany: Bool = false,
        paper: (code: PairingCode, expires: Timestamp, address: String)? = nil
    ) throws -> Response {
        let own = Self.path(membership, at: site.id)
        let words = JoinWords.in(language)
        let name = try given.store.read { database in
            try AccountRecords.membership(membership, in: database).flatMap {
                $0.site == site.id ? try AccountRecords.person($0.person, in: database)?.name : nil
            }
        }
        guard let name else { throw Problem.notFound() }
        let awaited = try awaited(membership, at: site.id)
        let (inviter, now) = (principal.person.id, given.clock.now)
        let isOver =
            try awaited.map { awaited in
                try given.store.read {
                    try !InvitationRecords.isExpected(awaited.person.id, at: site.id, now: now, in: $0)
                }
            } ?? false
        let mayInvite =
            try awaited.map { awaited in
                try given.store.read {
                    try InvitationRecords.mayInvite(awaited.person.id, at: site.id, by: inviter, now: now, in: $0)
                }
            } ?? false
        func moment(_ time: Timestamp) -> String {
            site.zone.day(at: time).text(language) + " " + site.zone.clockText(at: time)
        }
        let around = Surroundings(
            language: language, person: principal.person.name, siteID: site.id.text, siteName: site.name,
            navigation: given.navigation.items(
                for: principal, at: site.id, now: given.clock.now, language, current: own))
        let back: LocalPath =
            site.kind == .home ? "/houses/\(site.id.text)/settings" : "/sites/\(site.id.text)/people/\(membership.text)"
        let html = around.page(
            title: paper == nil ? words.invitation : words.paperTitle(name), path: own,
            back: (back, site.kind == .home ? words.house : words.back)
        ) {
            div(.css("pile narrow")) {
                if let paper {
                    self.paper(paper.code, paper.address, until: moment(paper.expires), words)
                } else if let awaited {
                    if isNew { Part.notice(.go, words.added(name)) }
                    if sent { Part.notice(.go, words.letterSent(awaited.person.shownAddress)) }
                    if isTooMany { Part.notice(.no, words.tooMany) }
                    p { words.invited(name) }
                    self.state(awaited, moment, language)
                    if isOver {
                        p { words.accessEnded(name) }
                    } else if mayInvite {
                        self.forms(awaited.person, own, words)
                    } else {
                        p { words.ownersInvite }
                    }
                } else {
                    p { words.hasJoined(name) }
                }
            }
        }
        return Response.html(html.bytes, status: isTooMany ? 429 : 200).with("Cache-Control", "no-store")
    }

    private func state(
        _ awaited: (person: Person, open: [Invitation]), _ moment: (Timestamp) -> String, _ language: Language
    ) -> HTML {
        let words = JoinWords.in(language)
        return div(.css("pile")) {
            for invitation in awaited.open {
                if let trouble = Self.trouble(of: invitation, to: awaited.person, language) {
                    Part.notice(trouble.tone, trouble.words)
                }
            }
            for invitation in awaited.open where invitation.trouble != .refused {
                p {
                    invitation.way == .letter
                        ? words.letterIsOut(moment(invitation.expires))
                        : words.paperIsOut(moment(invitation.expires))
                }
            }
            if awaited.open.isEmpty { p { words.nothingIsOut } }
        }
    }

    /// What keeps the letter of an invitation, and what to do, in a sentence; nil: nothing.
    public static func trouble(
        of invitation: Invitation, to person: Person, _ language: Language
    ) -> (tone: Tone, words: String)? {
        let words = JoinWords.in(language)
        return switch invitation.trouble {
        case .held: (.wait, words.letterIsHeld(person.shownAddress))
        case .refused: (.no, words.letterIsRefused(person.shownAddress))
        case nil: nil
        }
    }

    private func forms(_ person: Person, _ own: LocalPath, _ words: JoinWords) -> HTML {
        div(.css("pile")) {
            if given.letters.isSetUp {
                form(.css("stack"), .method(.post), .action(own)) {
                    input(.type(.hidden), .name("way"), .value(InvitationWay.letter.rawValue))
                    p(.css("hint")) { words.letterHint(person.shownAddress) }
                    div(.css("thumb")) { button(.type(.submit)) { words.sendLetter } }
                }
            }
            form(.css("stack"), .method(.post), .action(own)) {
                input(.type(.hidden), .name("way"), .value(InvitationWay.paper.rawValue))
                p(.css("hint")) { words.paperHint }
                div(.css("thumb")) {
                    button(.css(given.letters.isSetUp ? "quiet" : ""), .type(.submit)) { words.makePaper }
                }
            }
            if person.invited == nil { p(.css("hint")) { words.passwordEnds } }
        }
    }

    private func paper(_ code: PairingCode, _ address: String, until: String, _ words: JoinWords) -> HTML {
        let letters = Array(code.text)
        let groups = stride(from: 0, to: letters.count, by: 4).map {
            String(letters[$0..<min($0 + 4, letters.count)])
        }
        return section(.css("pile")) {
            p { words.paperSteps(address) }
            p(.css("letters"), .aria("label", groups.joined(separator: " "))) {
                for group in groups { Pages.code { group } }
            }
            p(.css("soft")) { words.paperEnds(until) }
            p(.css("soft")) { words.paperOnce }
        }
    }
}
