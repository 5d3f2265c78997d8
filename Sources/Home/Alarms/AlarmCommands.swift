import Accounts
import Commands
import HTTPServer
import Identity
import Ledger
import Notices
import Platform
import Store
import Synchronization
import System

/// What others may ask of alarms, and what the buttons of their notices do.
struct AlarmCommands: HouseFeature {
    /// For so long the same key is the same alarm, in milliseconds.
    static let window: Int64 = 600_000
    /// At most so many keys are remembered.
    /// - Key: hub
    static let mostKeys = 1_024

    private let acts: AlarmActs
    private let notices: Notices
    private let clock: WallClock
    private let keys = Keys()

    private final class Keys: Sendable {
        let used = Mutex<[String: (alarm: HouseAlarmID, at: Timestamp)]>([:])
    }

    init(_ acts: AlarmActs, _ notices: Notices, _ clock: WallClock) {
        (self.acts, self.notices, self.clock) = (acts, notices, clock)
    }

    /// Says who answers.
    func register(_ commands: Commands) {
        commands.register(RaiseAlarm.self) { command, caller in try raise(command, by: caller) }
        for kind in [AlarmNotice.kind, AlarmNotice.faultKind, AlarmNotice.overKind, AlarmNotice.testKind] {
            notices.concern(AlarmCall.permissions, kind: kind)
        }
        notices.onAction(kind: AlarmNotice.kind, name: AlarmNotice.silence) { act in
            try await silence(act)
        }
    }

    /// Somebody, or something, raises an alarm: a call for help.
    /// - Throws: `RaiseAlarmRefusal.unknown`.
    func raise(_ command: RaiseAlarm, by caller: Caller) throws -> RaisedAlarm {
        let now = clock.now
        let person: PersonID? = if case .person(let person) = caller { person } else { nil }
        let mayRaise = try acts.store.read { database in
            guard let site = try AccountRecords.site(command.site, in: database), site.kind == .home else {
                return false
            }
            guard let person else { return true }
            return try AccountRecords.may(person, AlarmCall.permissions, at: site.id, now: now, in: database)
        }
        guard mayRaise else { throw RaiseAlarmRefusal.unknown }
        func raised() -> HouseAlarmID {
            // Sirens and boxes first; people are told why.
            acts.response.trigger(at: command.site, by: person)
            return acts.alarms.raise(.help, at: command.site, AlarmMessage(command.text), mayBeAnew: true, by: person)
        }
        guard let key = command.key else { return RaisedAlarm(id: raised().text) }
        let id = keys.used.withLock { used in
            let name = command.site.text + key
            // One of a later time than now is of a clock that was ahead, and no hindrance.
            if let known = used[name], known.at <= now, now.milliseconds - known.at.milliseconds < Self.window {
                return known.alarm
            }
            if used.count >= Self.mostKeys, let oldest = used.min(by: { $0.value.at < $1.value.at })?.key {
                used[oldest] = nil
            }
            let id = raised()
            used[name] = (id, now)
            return id
        }
        return RaisedAlarm(id: id.text)
    }

    /// Somebody tapped *Silence*: by the rights of now, and for an alarm that is on now. The siren is one for all alarms of a house, so a
    /// notice that is answered from a locked screen silences none that asks for more.
    func silence(_ act: NoticeAct) async throws -> ActOutcome {
        guard let site = act.notice.site, let alarm = AlarmNotice.alarm(of: act.notice) else {
            throw Problem.notFound()
        }
        try act.principal.requireUnlocked(site)
        guard act.principal.may(AlarmCall.permissions, at: site, act.at) else { throw Problem.notFound() }
        let standing = acts.alarms.standing(at: site)
        guard standing.contains(where: { $0.id == alarm }) else { throw NoticeRefusal.over }
        let asked = standing.filter { !acts.alarms.isSilenced($0.id) && $0.kind != .fault }
            .map { AlarmNotice.proof(for: acts.alarms.hazard($0)) }
        if let most = asked.max(), act.action.proof < most {
            throw Problem.forbidden(
                "Another alarm is on in this house. Silence it on its own page.", type: "another-alarm")
        }
        if let doubt = await acts.response.silence(site, by: act.principal.person.id) {
            func words(_ language: Language) -> NoticeWords { NoticeWords(doubt.text(language)) }
            return ActOutcome(
                "sirenMaySound", LocalizedText(en: words(.en), it: words(.it), es: words(.es)), isDone: false)
        }
        return ActOutcome("silenced", AlarmNotice.each { NoticeWords($0.silenced, $0.silencedDetail) })
    }
}
