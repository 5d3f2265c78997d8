import Accounts
import Gates
import HTTPServer
import Identity
import Ledger
import Notices
import System

/// Opening a gate from a notification: what is asked for, and what came of it in words.
enum CheckIn {
    static let kind: NoticeKind = "doors.checkIn"
    static let action = "check-in"
    /// The notice is about standing in front of a gate now: two minutes, in milliseconds.
    static let lifetime: Int64 = 120_000
    /// Where nobody has chosen: whoever finds a phone must not walk in with it.
    static let usual = ActionProof.unlocked

    /// Whether a session has to show a passkey before it opens a gate that asks for this. That a phone is unlocked only the phone knows:
    /// its notice leads to a page that a locked one does not show.
    static func needsPasskey(_ asked: ActionProof, _ shown: Proof, at now: Timestamp) -> Bool {
        asked == .passkey && !shown.isFreshlyStrong(at: now)
    }

    /// The notice that asks somebody in front of a gate whether to open it.
    static func notice(for gate: Gate, at place: String, asking proof: ActionProof) -> NoticeContent {
        NoticeContent(
            kind: kind, urgency: .high,
            text: CheckInWords.text { NoticeWords($0.question(gate.name), $0.from(place)) },
            publicText: CheckInWords.text { NoticeWords($0.publicQuestion) },
            actions: [
                NoticeAction(name: action, words: CheckInWords.text { NoticeWords($0.checkIn) }, proof: proof)
            ], link: link(to: gate.id), topic: action)
    }

    /// The gate's page: where the notice leads, and how it names its gate.
    static func link(to gate: GateID) -> String { "/gates/\(gate.text)" }

    /// The gate of a notice.
    static func gate(of notice: Notice) -> GateID? {
        notice.content.link.flatMap { $0.hasPrefix("/gates/") ? GateID(String($0.dropFirst("/gates/".count))) : nil }
    }

    /// What came of it, without the names of people and places: it may be told on a lock screen.
    /// - Parameter reason: the words of the reason, in a language.
    static func outcome(of result: OpeningResult, _ reason: (Language) -> String) -> ActOutcome {
        switch result.outcome {
        case .opened:
            ActOutcome("opened", CheckInWords.text { NoticeWords($0.opened, $0.openedDetail) })
        case .unconfirmed:
            ActOutcome("unconfirmed", CheckInWords.text { NoticeWords($0.unconfirmed, reason($0.language)) })
        case .refused, nil:
            // Whoever stands there may be let in a moment later: the hours begin, or a manager sees to it.
            ActOutcome("refused", CheckInWords.text { NoticeWords($0.refused, reason($0.language)) }, isDone: false)
        }
    }
}

extension Doors {
    /// Says what "check in now" does.
    func registerCheckIn() {
        given.notices.onAction(kind: CheckIn.kind, name: CheckIn.action) { act in try await checkIn(act) }
    }

    /// Asks somebody by every way they want to be told whether to open a gate for them.
    func sendCheckIn(for gate: Gate, at site: Site, to person: PersonID) async throws -> NoticeID {
        let proof = try given.store.read { try CheckInRecords.proof(of: gate.id, in: $0) }
        return try await given.commands.send(
            Notify(
                site: site.id, content: CheckIn.notice(for: gate, at: site.name, asking: proof), to: .all([person]),
                about: person, lifetime: CheckIn.lifetime),
            by: .hub)
    }

    /// Somebody tapped it: decided now, by the rights of now, like any opening.
    /// - Throws: `Problem`.
    func checkIn(_ act: NoticeAct) async throws -> ActOutcome {
        let principal = act.principal
        guard let id = CheckIn.gate(of: act.notice),
            let (gate, asked) = try given.store.read({ database in
                try GateRecords.gate(id, in: database).map {
                    ($0, try CheckInRecords.proof(of: id, in: database))
                }
            })
        else { throw Problem.notFound() }
        if principal.locked.contains(where: { $0.id == gate.site }) { throw Problem.secondFactorNeeded }
        guard principal.memberships.contains(where: { $0.site.id == gate.site }) else { throw Problem.notFound() }
        // Also what was asked for when the notice was sent, unless the engine has looked already: the stricter one counts.
        if CheckIn.needsPasskey(asked, principal.proof, at: act.at) { throw Problem.passkeyFirst }
        let result: OpeningResult
        do {
            result = try await given.commands.send(OpenGate(gate: id), by: .person(principal.person.id))
        } catch is Gates.Unknown {
            throw Problem.notFound()
        } catch let refusal as Gates.TooOften {
            throw refusal.problem(in: principal.person.language.flatMap { Language(rawValue: $0) } ?? .en)
        }
        return CheckIn.outcome(of: result) { language in
            result.reason.map { given.gates.words(for: $0, policy: gate.policy, language) } ?? ""
        }
    }

    /// Says what a gate asks for before it opens from a notification. Less than before takes a fresh proof.
    /// - Throws: `Gates.Unknown` when there is no such gate at that site, or Doors does not decide for it.
    func setCheckIn(_ proof: ActionProof, of id: GateID, at site: SiteID, by principal: Principal) async throws {
        let now = given.clock.now
        try await given.store.write { database in
            guard let gate = try GateRecords.gate(id, in: database), gate.site == site, gate.retired == nil,
                gate.policy == "doors"
            else { throw Gates.Unknown() }
            let before = try CheckInRecords.proof(of: id, in: database)
            if proof < before { try Routes.requireFreshProof(principal, at: now) }
            try CheckInRecords.setProof(proof, of: id, in: database)
            func fields(_ proof: ActionProof) -> [(name: StaticString, value: String)] {
                [("checkIn", proof.rawValue)]
            }
            try Audit("gate.checkIn.changed", ("gate", id.text), before: fields(before), after: fields(proof)).append(
                at: now, site: site, by: principal.person.id, in: database)
        }
    }
}

extension Problem {
    /// The gate asks for a passkey, which this session has not shown in the last minutes. Pages lead to where it is shown.
    static let passkeyFirst = Problem.forbidden(
        "this gate opens from a notification only after you have shown your passkey", type: "second-factor-needed")
}
