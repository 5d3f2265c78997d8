import Accounts
import Household
import Identity
import Ledger
import Notices
import Platform
import Store
import Synchronization
import System

/// Where alarms are raised and ended: it tells people first, and writes down second.
final class AlarmDesk: HouseWork {
    /// An alarm that comes back so soon after it ended by itself is the same one, in milliseconds: a flapping sensor wakes people once.
    ///
    /// It is another one when somebody did something about it, or it was told `mostRounds` times: who turned away from it must hear that
    /// it is back.
    static let reopening: Int64 = 120_000
    /// How often the log has it that the fault of a sensor, siren or valve ended and came back. Beyond that it is one that stands until it has been over for
    /// `reopening`: what a device does without end is not written without end. When it comes back later it is another one, and told.
    /// - Key: sensor or actuator
    static let mostReturns = 3
    /// Everybody is told at most so often, while nobody takes care.
    static let mostRounds = 6
    /// How often it is looked whether somebody takes care.
    static let beat = Duration.seconds(2)

    /// An alarm that has not ended.
    struct Standing: Sendable {
        var alarm: HouseAlarm
        var isSilenced = false
        /// Whether anybody says that they take care.
        var isTaken = false
        /// How often it came back a moment after its end.
        var returns = 0
        /// How often people were told, and when last.
        var rounds = 0
        var told: Timestamp
        /// The connection with whose absence people were told of it.
        var isToldWith: GatewayID?
        /// When it ended by itself; it is kept for a moment then. Nil: it stands.
        var ended: Timestamp?
        /// Whether people are told that it is over.
        var isTellingEnd = true

        /// Whether it comes back so often that the log has one line for all of it.
        var isFolded: Bool {
            let hasThing = alarm.sensor != nil || alarm.actuator != nil
            return alarm.kind == .fault && hasThing && returns >= AlarmDesk.mostReturns
        }

        /// Whether people turned away from it: somebody has done something about it since it was told last, or nobody is told any more.
        /// What comes back then is another one.
        /// - Parameter attended: when somebody last did something at the panel of its house.
        func isLeft(attended: Timestamp?) -> Bool {
            isTaken || isSilenced || rounds >= AlarmDesk.mostRounds || attended.map { $0 >= told } ?? false
        }
    }

    private struct State {
        var standing: [HouseAlarmID: Standing] = [:]
        var byIdentity: [HouseAlarm.Identity: HouseAlarmID] = [:]
        /// When somebody last did something at the panel of a house.
        var attended: [SiteID: Timestamp] = [:]
        /// As they were read last, for when they cannot be.
        var calls: [SiteID: AlarmCall] = [:]
        /// What somebody took care of elsewhere than on the notice.
        var unsettled: [NoticeID: (by: PersonID, at: Timestamp)] = [:]
        /// Connections of which people were told that they are gone; since when each is there again.
        var gone: [GatewayID: Timestamp?] = [:]
    }
    private let state = Mutex(State())
    private let followers = Followers<SiteID>()
    private let registry: Registry
    private let live: LiveReadings
    let given: Given
    let journal: AlarmJournal

    /// What stood when the hub stopped stands again.
    init(_ given: Given, _ registry: Registry, _ live: LiveReadings) throws {
        (self.given, self.registry, self.live) = (given, registry, live)
        journal = AlarmJournal(given.store)
        let found = try given.store.read { database in
            try AlarmRecords.standing(in: database).map { logged in
                (logged, try AlarmRecords.notices(of: logged.alarm.id, in: database))
            }
        }
        state.withLock { state in
            for (logged, notices) in found {
                state.standing[logged.alarm.id] = Standing(
                    alarm: logged.alarm, isSilenced: logged.silenced != nil, rounds: notices.count,
                    told: notices.last?.at ?? logged.alarm.raised)
                state.byIdentity[logged.alarm.identity] = logged.alarm.id
                // Of what people were not told, they were told with its connection.
                guard notices.isEmpty, let gateway = connection(of: logged.alarm) else { continue }
                state.standing[logged.alarm.id]?.isToldWith = gateway
                state.gone.updateValue(nil, forKey: gateway)
            }
        }
    }

    /// One more follows the changes of houses, on whatever thread made them.
    func follow(_ follower: @escaping @Sendable (SiteID) -> Void) { followers.add(follower) }

    private func changed(_ site: SiteID) { followers.tell(site) }

    // MARK: raising and ending

    /// Whether so many milliseconds have passed, also where the clock was put back since: what cannot be known is told rather than not.
    private static func isOver(since earlier: Timestamp, _ length: Int64, at now: Timestamp) -> Bool {
        now < earlier || now.milliseconds - earlier.milliseconds >= length
    }

    /// Raises an alarm, now: waits for nothing. What stands already, or ended by itself a moment ago with nobody there, is the same
    /// alarm.
    /// - Parameters:
    ///   - aspect: see `HouseAlarm`.
    ///   - isPast: whether it is over already, and is only told.
    ///   - happened: when; nil: now.
    ///   - mayBeAnew: whether one that stands may have ended and begun again unheard. It is another one then, once somebody has done
    ///     something about it or nobody is told of it any more: they turned away.
    ///   - person: who raises it; nil: no person does.
    @discardableResult
    func raise(
        _ kind: HouseAlarm.Kind, at site: SiteID, sensor: SensorID? = nil, actuator: ActuatorID? = nil,
        value: Double? = nil, _ message: AlarmMessage, aspect: String = "",
        isDrill: Bool = false, isPast: Bool = false, happened: Timestamp? = nil, mayBeAnew: Bool = false,
        by person: PersonID? = nil
    ) -> HouseAlarmID {
        let now = given.clock.now
        let alarm = HouseAlarm(
            id: .new(at: now), site: site, kind: kind, sensor: sensor, message: message, value: value, isDrill: isDrill,
            at: happened ?? now, raised: now, raisedBy: person, isPast: isPast, actuator: actuator, aspect: aspect)
        noteWhoTookCare(of: alarm.identity, mayBeAnew: mayBeAnew)
        if mayBeAnew, let same = turnedAwayFrom(alarm.identity) { end(same) }
        let (known, left) = state.withLock { state -> (Standing?, Standing?) in
            let same = state.byIdentity[alarm.identity].flatMap { state.standing[$0] }
            if let same {
                guard let ended = same.ended else { return (same, nil) }
                if !same.isLeft(attended: state.attended[site]),
                    !Self.isOver(since: ended, Self.reopening, at: now)
                {
                    state.standing[same.alarm.id]?.ended = nil
                    state.standing[same.alarm.id]?.returns += 1
                    return (same, nil)
                }
                // That it was over is no news any more.
                Self.forget(same.alarm.id, &state)
            }
            state.standing[alarm.id] = Standing(alarm: alarm, told: now)
            state.byIdentity[alarm.identity] = alarm.id
            return (nil, same)
        }
        if let known {
            if known.ended != nil {
                if !known.isFolded { journal.append(.reopened(known.alarm.id, site, at: now), of: known.alarm) }
                changed(site)
            }
            return known.alarm.id
        }
        if let left { writeEnd(ofFolded: left) }
        defer { changed(site) }
        if kind == .fault {
            journal.append(.raised(alarm), of: alarm)
            tellFault(alarm)
        } else {
            let notice = tellAtOnce(alarm, in: 0, at: now)
            journal.append(.raised(alarm), of: alarm)
            if let notice { journal.append(.told(alarm.id, notice, round: 0, at: now), of: alarm) }
        }
        return alarm.id
    }

    /// An alarm says something else from now on, which makes it no other one (see `HouseAlarm.Identity`). Nobody is told again.
    /// - Returns: whether it stands.
    @discardableResult
    func reword(_ id: HouseAlarmID, _ message: AlarmMessage) -> Bool {
        let known = state.withLock { state -> HouseAlarm? in
            guard let one = state.standing[id], one.ended == nil else { return nil }
            state.standing[id]?.alarm = one.alarm.saying(message)
            return one.alarm
        }
        guard let known else { return false }
        if known.message != message {
            journal.append(.reworded(id, message), of: known)
            changed(known.site)
        }
        return true
    }

    /// Who takes care says so on a notice, and the desk asks only while it tells again.
    private func noteWhoTookCare(of identity: HouseAlarm.Identity, mayBeAnew: Bool) {
        let last = state.withLock { state in state.byIdentity[identity].flatMap { state.standing[$0] } }
        guard let last, mayBeAnew || last.ended != nil, !last.isTaken, isTaken(last.alarm.id) else { return }
        state.withLock { $0.standing[last.alarm.id]?.isTaken = true }
    }

    /// The alarm that stands and from which people turned away.
    private func turnedAwayFrom(_ identity: HouseAlarm.Identity) -> HouseAlarmID? {
        state.withLock { state in
            guard let one = state.byIdentity[identity].flatMap({ state.standing[$0] }), one.ended == nil else {
                return nil
            }
            return one.isLeft(attended: state.attended[one.alarm.site]) ? one.alarm.id : nil
        }
    }

    private func isTaken(_ id: HouseAlarmID) -> Bool {
        ((try? given.store.read { try AlarmRecords.alarm(id, in: $0)?.taken }) ?? nil) != nil
    }

    /// Somebody did something at the panel of a house, with it or with a tag at its box: what comes back from now on is news.
    /// - Parameter moment: when; nil: now.
    func attended(_ site: SiteID, at moment: Timestamp? = nil) {
        let now = moment ?? given.clock.now
        state.withLock { $0.attended[site] = now }
    }

    /// Its cause is over, or somebody ended it.
    /// - Parameters:
    ///   - person: who; nil: it ended by itself, and comes back when its cause does within `reopening`.
    ///   - isOver: whether its cause is known to be over; if not, people are not told that it is.
    func end(_ id: HouseAlarmID, by person: PersonID? = nil, isOver: Bool = true) {
        let now = given.clock.now
        let ended = state.withLock { state -> Standing? in
            guard let one = state.standing[id], one.ended == nil else { return nil }
            if person == nil, one.alarm.kind != .help {
                state.standing[id]?.ended = now
                state.standing[id]?.isTellingEnd = isOver
            } else {
                Self.forget(id, &state)
            }
            return one
        }
        guard let ended else { return }
        if !ended.isFolded || person != nil {
            journal.append(.ended(id, ended.alarm.site, at: now, by: person), of: ended.alarm)
        }
        changed(ended.alarm.site)
        guard let person else { return }
        settle(id, by: person)
        if !ended.alarm.isDrill, ended.alarm.kind != .fault { tellOver(ended.alarm) }
    }

    /// Writes down when one that came back often was over, once it is not the same any more.
    private func writeEnd(ofFolded one: Standing) {
        guard one.isFolded, let ended = one.ended else { return }
        journal.append(.ended(one.alarm.id, one.alarm.site, at: ended, by: nil), of: one.alarm)
    }

    private static func forget(_ id: HouseAlarmID, _ state: inout State) {
        guard let one = state.standing.removeValue(forKey: id) else { return }
        if state.byIdentity[one.alarm.identity] == id { state.byIdentity[one.alarm.identity] = nil }
    }

    /// Those of all houses that have not ended.
    var standing: [HouseAlarm] { state.withLock { $0.standing.values.filter { $0.ended == nil }.map(\.alarm) } }

    /// Those of a house that have not ended.
    func standing(at site: SiteID) -> [HouseAlarm] {
        state.withLock { $0.standing.values.filter { $0.alarm.site == site && $0.ended == nil }.map(\.alarm) }
            .sorted { $0.id < $1.id }
    }

    /// Those of a house that have not ended in the log: also one that comes back so often that its end waits until it stays away.
    func standingInLog(at site: SiteID) -> [HouseAlarm] {
        state.withLock { state in
            state.standing.values.filter { $0.alarm.site == site && ($0.ended == nil || $0.isFolded) }.map(\.alarm)
        }
    }

    /// Whether an alarm of the air stands because of a sensor.
    func isAlarmed(by sensor: SensorID) -> Bool {
        state.withLock { state in
            state.standing.values.contains {
                $0.alarm.sensor == sensor && $0.ended == nil && $0.alarm.kind == .environmental
            }
        }
    }

    /// Whether the siren of an alarm that stands was silenced.
    func isSilenced(_ id: HouseAlarmID) -> Bool { state.withLock { $0.standing[id]?.isSilenced } ?? false }

    // MARK: silence

    /// A house was silenced, on its panel or by a tag.
    /// - Parameter person: who; nil: nobody known.
    func silenced(_ site: SiteID, by person: PersonID?) {
        let now = given.clock.now
        let alarms = state.withLock { state in
            let found = state.standing.values.filter { $0.alarm.site == site && $0.ended == nil && !$0.isSilenced }
            for one in found { state.standing[one.alarm.id]?.isSilenced = true }
            return found.map(\.alarm)
        }
        for alarm in alarms where alarm.kind != .fault {
            journal.append(.silenced(alarm.id, site, at: now, by: person), of: alarm)
            if let person { settle(alarm.id, by: person) }
        }
        if !alarms.isEmpty { changed(site) }
    }

    // MARK: telling

    /// Whom to tell, as the house has it now; as it was known last when that cannot be read.
    private func call(of site: SiteID) -> AlarmCall? {
        let now = given.clock.now
        guard let read = try? given.store.read({ try AlarmCallRecords.call(of: site, at: now, in: $0) }) else {
            return state.withLock { $0.calls[site] }
        }
        state.withLock { $0.calls[site] = read }
        return read
    }

    /// What a house is called.
    private func house(_ site: SiteID) -> String { call(of: site)?.house ?? "" }

    func hazard(_ alarm: HouseAlarm) -> Hazard {
        alarm.hazard(alarm.sensor.flatMap { registry.catalog.sensors[$0]?.kind })
    }

    private func tellAtOnce(_ alarm: HouseAlarm, in round: Int, at now: Timestamp) -> NoticeID? {
        guard let call = call(of: alarm.site), !call.people.isEmpty else {
            Log.failure("home", "an alarm has nobody to tell", ["site": alarm.site.text])
            return nil
        }
        let notice = given.notices.notifyAtOnce(
            Notify(
                site: alarm.site, content: AlarmNotice.content(of: alarm, hazard(alarm), at: call.house),
                to: call.minutesBetween.map { .inTurn(call.people, minutes: $0) } ?? .all(call.people),
                about: alarm.raisedBy, key: "\(alarm.id.text)/\(round)", lifetime: AlarmNotice.lifetime))
        state.withLock { state in
            state.standing[alarm.id]?.rounds = round + 1
            state.standing[alarm.id]?.told = now
        }
        return notice
    }

    /// Tells what can wait for the disk, and does so once it is written down.
    private func tellCalmly(_ content: NoticeContent, of alarm: HouseAlarm, in round: Int) async {
        guard let call = call(of: alarm.site), !call.people.isEmpty else { return }
        let notify = Notify(
            site: alarm.site, content: content, to: .all(call.people), about: alarm.raisedBy,
            key: "\(alarm.id.text)/\(content.kind.text)/\(round)", lifetime: AlarmNotice.lifetime)
        for pause in [1, 5, 25, 125, 600] {
            do {
                let notice = try await given.notices.send(notify)
                if content.kind == AlarmNotice.faultKind {
                    journal.append(.told(alarm.id, notice, round: round, at: given.clock.now), of: alarm)
                }
                return
            } catch {
                Log.warning("home", "people could not be told yet", ["why": "\(error)"])
                try? await Task.sleep(for: .seconds(pause))
            }
        }
    }

    // MARK: connections that are gone

    /// A connection that is there again for so long, in milliseconds, explains no fault any more.
    static let settling: Int64 = 60_000

    /// The connection whose absence explains that something cannot be heard or reached; nil: nothing explains it.
    func explanation(of alarm: HouseAlarm) -> Gateway? {
        guard let gateway = connection(of: alarm), live.isGone(gateway) else { return nil }
        return registry.catalog.gateways[gateway]
    }

    /// The connection of what cannot be heard or reached; nil: the alarm is about something else.
    private func connection(of alarm: HouseAlarm) -> GatewayID? {
        guard alarm.kind == .fault, alarm.message.isAboutConnection else { return nil }
        let catalog = registry.catalog
        return alarm.sensor.flatMap { catalog.sensors[$0] }.flatMap { catalog.gateway(of: $0)?.id }
            ?? alarm.actuator.flatMap { catalog.actuators[$0]?.gateway }
    }

    /// As people read them in a list: of what is behind a connection that is gone, that it is gone, once.
    func folded(_ alarms: [HouseAlarm]) -> [HouseAlarm] {
        var seen: Set<GatewayID> = []
        return alarms.compactMap { alarm in
            guard let gateway = explanation(of: alarm) else { return alarm }
            return seen.insert(gateway.id).inserted ? alarm.saying(.gone(connection: gateway.name)) : nil
        }
    }

    /// Tells of a fault; of what is behind a connection that is gone, once of all.
    private func tellFault(_ alarm: HouseAlarm) {
        var told = alarm
        if let gateway = explanation(of: alarm) {
            let isFirst = state.withLock { state in
                state.standing[alarm.id]?.isToldWith = gateway.id
                return state.gone.updateValue(nil, forKey: gateway.id) == nil
            }
            guard isFirst else { return }
            told = alarm.saying(.gone(connection: gateway.name))
        }
        Task { [told] in await self.tellCalmly(AlarmNotice.fault(told, at: house(alarm.site)), of: alarm, in: 0) }
    }

    /// What is still not heard once its connection is there again is a fault of its own.
    private func lookAfterConnections(at now: Timestamp) {
        let alone = state.withLock { state -> [HouseAlarm] in
            var settled: Set<GatewayID> = []
            for (gateway, back) in state.gone {
                if live.isGone(gateway) {
                    state.gone.updateValue(nil, forKey: gateway)
                    continue
                }
                let since = back ?? now
                state.gone.updateValue(since, forKey: gateway)
                if Self.isOver(since: since, Self.settling, at: now) { settled.insert(gateway) }
            }
            for gateway in settled { state.gone.removeValue(forKey: gateway) }
            var alone: [HouseAlarm] = []
            for (id, one) in state.standing {
                guard let gateway = one.isToldWith, settled.contains(gateway) else { continue }
                state.standing[id]?.isToldWith = nil
                if one.ended == nil { alone.append(one.alarm) }
            }
            return alone
        }
        for alarm in alone.sorted(by: { $0.id < $1.id }) { tellFault(alarm) }
    }

    private func tellOver(_ alarm: HouseAlarm) {
        Task { await tellCalmly(AlarmNotice.over(alarm, hazard(alarm), at: house(alarm.site)), of: alarm, in: 0) }
    }

    // MARK: until somebody takes care

    /// Somebody did something about an alarm elsewhere than on its notice: nobody else is told any more.
    func settle(_ id: HouseAlarmID, by person: PersonID) {
        let now = given.clock.now
        state.withLock { $0.standing[id]?.isTaken = true }
        Task { [journal, given] in
            // What was told is written down in a moment; it is asked for again when it is not yet.
            while journal.isWaiting(for: id) { try? await Task.sleep(for: .milliseconds(50)) }
            let notices = try? given.store.read { try AlarmRecords.notices(of: id, in: $0) }
            self.state.withLock { state in
                for one in notices ?? [] { state.unsettled[one.notice] = (person, now) }
            }
            await self.settleNotices()
        }
    }

    private func settleNotices() async {
        let now = given.clock.now
        for (notice, who) in state.withLock({ $0.unsettled }) {
            let isDone = (try? await given.notices.settle(notice, by: who.by)) ?? false
            let isOld = now.milliseconds - who.at.milliseconds > AlarmNotice.lifetime
            if isDone || isOld { state.withLock { $0.unsettled[notice] = nil } }
        }
    }

    /// Tells everybody again while nobody takes care, and that what ended by itself is over. Runs until it is cancelled.
    func run() async throws {
        while !Task.isCancelled {
            await look()
            try await Task.sleep(for: Self.beat)
        }
    }

    /// One look at what stands.
    func look() async {
        let now = given.clock.now
        for one in state.withLock({ Array($0.standing.values) }) {
            if let ended = one.ended {
                if Self.isOver(since: ended, Self.reopening, at: now) { close(one) }
            } else if one.alarm.kind != .fault, !one.alarm.isDrill, !one.isTaken {
                tellAgain(one, at: now)
            }
        }
        lookAfterConnections(at: now)
        await settleNotices()
    }

    /// It did not come back.
    private func close(_ one: Standing) {
        let isOver = state.withLock { state in
            guard state.standing[one.alarm.id]?.ended == one.ended else { return false }
            Self.forget(one.alarm.id, &state)
            return true
        }
        if isOver { writeEnd(ofFolded: one) }
        // Whoever heard of what had been was told with the same words that it was over.
        let isTold = !one.alarm.isDrill && !one.alarm.isPast && one.alarm.kind != .fault && one.isTellingEnd
        if isOver, isTold { tellOver(one.alarm) }
    }

    private func tellAgain(_ one: Standing, at now: Timestamp) {
        let id = one.alarm.id
        guard one.rounds < Self.mostRounds, let call = call(of: one.alarm.site),
            Self.isOver(since: one.told, call.round, at: now)
        else { return }
        guard !isTaken(id) else {
            state.withLock { $0.standing[id]?.isTaken = true }
            return
        }
        if let notice = tellAtOnce(one.alarm, in: one.rounds, at: now) {
            journal.append(.told(id, notice, round: one.rounds, at: now), of: one.alarm)
        }
    }
}
