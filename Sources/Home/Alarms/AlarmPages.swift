import Accounts
import HTTPServer
import Identity
import Ledger
import Notices
import Pages
import Store
import System

// The screens of alarms: the log, one of them, what one does about it.

extension Household {
    /// So many alarms on a page.
    static let alarmsOnAPage = 30

    func register(alarmPages pages: inout PageRoutes) {
        pages.on(.get, "/houses/{site}/alarms", for: Permission.inHouse) { request, principal, language in
            let frame = try self.frame(request, principal, language)
            let before = try request.query.get("before", as: String.self).flatMap { HouseAlarmID($0) }
            let kind = try request.query.get("kind", as: String.self).flatMap { HouseAlarm.Kind(rawValue: $0) }
            let found = try self.alarmLog(frame.site, before: before, kind: kind, Self.alarmsOnAPage, language)
            let own = HouseTab.alarms.path(frame.site.id).adding("kind", kind?.rawValue ?? "")
            let model = AlarmLogView.Model(
                items: frame.may(Permission.atHome) ? found.items : found.items.map(\.withoutPeople), kind: kind,
                older: found.next.map { own.adding("before", $0.text) }, isNewest: before == nil,
                maySet: frame.may(Permission.managing))
            let words = AlarmPageWords.in(language)
            return frame.page(
                .alarms, title: words.title, isLive: before == nil,
                actions: AlarmLogView.actions(frame.site.id, maySet: model.maySet, words)
            ) { AlarmLogView.content(model, frame.site.id, language) }
        }
        pages.on(.get, "/houses/{site}/alarms/{alarm}", for: Permission.inHouse) { request, principal, language in
            let frame = try self.frame(request, principal, language)
            let model = try self.alarmModel(request, frame)
            return frame.page(
                .alarms, title: model.sheet.alarm.title(language), path: model.sheet.path,
                back: (HouseTab.alarms.path(frame.site.id), AlarmPageWords.in(language).title)
            ) { AlarmView.content(model) }
        }
        on(&pages, "silence") { _ = try await self.silence($0.site, by: $1) }
        on(&pages, "take") { self.alarms.settle($0.id, by: $1) }
        on(&pages, "end") { try self.end($0, by: $1) }
    }

    /// A button of an alarm's page.
    private func on(
        _ pages: inout PageRoutes, _ name: String,
        _ act: @escaping @Sendable (HouseAlarm, PersonID) async throws -> Void
    ) {
        pages.on(.post, "/houses/{site}/alarms/{alarm}/\(name)", for: Permission.atHome, keeps, counted: .urgent) {
            request, principal, _ in
            let alarm = try self.alarm(request).alarm
            try await act(alarm, principal.person.id)
            await self.written()
            return .redirect(to: "/houses/\(alarm.site.text)/alarms/\(alarm.id.text)?done=1")
        }
    }

    /// Whether somebody says that an alarm is over; all else ends when its cause does, or at the panel.
    private func canBeEnded(_ alarm: HouseAlarm) -> Bool {
        switch alarm.message {
        // A device that is dead describes itself no more, and a box that is gone obeys nothing.
        case .refusedDetector, .refusedDetectors, .orderRefused: true
        default: alarm.kind == .help || alarm.isDrill || registry.catalog.hasLostCause(alarm)
        }
    }

    /// Somebody says that an alarm is over that has no cause of its own, or none that anything looks at.
    func end(_ alarm: HouseAlarm, by person: PersonID) throws {
        guard canBeEnded(alarm) else {
            throw Problem.conflict("this alarm ends when its cause does", type: "alarm-has-cause")
        }
        if registry.catalog.hasLostCause(alarm) {
            care.endLostCause(alarm, by: person)
        } else {
            alarms.end(alarm.id, by: person)
        }
    }

    /// So long a box has to say that it does not silence its siren.
    private static let silencePatience = Duration.seconds(1)

    /// Ends the noise of a house; its alarms go on.
    /// - Returns: why a siren may still sound; nil: none does.
    func silence(_ site: SiteID, by person: PersonID) async throws -> SirenDoubt? {
        let isAgain = safety.boxes.sirenDoubt(at: site) != nil
        panels.silence(site, by: .person(person))
        alarms.silenced(site, by: person)
        if isAgain { safety.boxes.silenceAgain(at: site) }
        await safety.boxes.silenceAnswered(at: site, within: Self.silencePatience)
        return safety.boxes.sirenDoubt(at: site)
    }

    /// A moment for the disk, so that the next page shows what was done; a full one keeps nobody waiting.
    func written() async {
        for _ in 0..<20 where alarms.journal.waiting > 0 { try? await Task.sleep(for: .milliseconds(25)) }
    }

    /// The alarm that a path names.
    func alarm(_ request: Request) throws -> AlarmRecords.Logged {
        let site = try request.parameter("site", as: SiteID.self)
        let id = try request.parameter("alarm", as: HouseAlarmID.self)
        if let logged = try store.read({ try AlarmRecords.alarm(id, in: $0) }), logged.alarm.site == site {
            return logged
        }
        // One that is not on the disk yet has its page already: the push led there.
        guard let standing = alarms.standing(at: site).first(where: { $0.id == id }) else { throw Problem.notFound() }
        return AlarmRecords.Logged(unwritten: standing)
    }

    /// A page of the log.
    func alarmLog(
        _ site: Site, before: HouseAlarmID?, kind: HouseAlarm.Kind?, _ limit: Int, _ language: Language
    ) throws -> (items: [AlarmSheet], next: HouseAlarmID?) {
        let standing = alarms.standing(at: site.id)
        let (page, names) = try store.read { database in
            let page = try AlarmRecords.log(
                of: site.id, standing: standing, before: before, kind: kind, limit: limit, in: database)
            return (page, try Self.names(in: page.items, database))
        }
        return (page.items.map { sheet($0, names, site.zone, language) }, page.next)
    }

    private static func names(
        in logged: [AlarmRecords.Logged], _ database: Database
    ) throws -> [PersonID: String] {
        let people = Set(
            logged.flatMap { [$0.alarm.raisedBy, $0.takenBy, $0.silencedBy, $0.endedBy].compactMap { $0 } })
        return try people.reduce(into: [:]) { $0[$1] = try AccountRecords.person($1, in: database)?.name }
    }

    private func sheet(
        _ logged: AlarmRecords.Logged, _ names: [PersonID: String], _ zone: Zone, _ language: Language
    ) -> AlarmSheet {
        let catalog = registry.catalog
        let sensor = logged.alarm.sensor.flatMap { catalog.sensors[$0] }
        return AlarmSheet(
            logged: logged, names: names, sensor: sensor, device: sensor.flatMap { catalog.devices[$0.device] },
            zone: zone, now: clock.now, language: language,
            sirenDoubt: logged.alarm.kind == .fault ? nil : safety.boxes.sirenDoubt(at: logged.alarm.site))
    }

    private func alarmModel(_ request: Request, _ frame: HomeFrame) throws -> AlarmView.Model {
        let logged = try alarm(request)
        let mayAct = frame.may(Permission.atHome)
        let (names, settings, told, delivery) = try store.read { database in
            let told = try AlarmRecords.notices(of: logged.alarm.id, in: database)
            return (
                try Self.names(in: [logged], database),
                try AlarmCallRecords.settings(of: frame.site.id, in: database), told,
                mayAct ? try told.last.flatMap { try NoticeRecords.delivery(of: $0.notice, in: database) } : nil
            )
        }
        let sheet = sheet(logged, names, frame.site.zone, frame.language)
        return AlarmView.Model(
            sheet: sheet, settings: settings, delivery: delivery,
            rounds: told.count, mayAct: mayAct,
            canBeEnded: canBeEnded(logged.alarm), street: registry.catalog.houses[frame.site.id]?.street ?? "",
            isSounding: panels.panel(of: frame.site.id).isSounding,
            isDone: try request.query.get("done", as: String.self) != nil)
    }
}

extension AlarmSheet {
    /// For whoever sees the house and is not of it.
    var withoutPeople: AlarmSheet {
        let bare = AlarmRecords.Logged(
            alarm: alarm, ended: logged.ended, endedBy: nil, silenced: logged.silenced, silencedBy: nil,
            taken: logged.taken, takenBy: nil)
        return AlarmSheet(
            logged: bare, names: [:], sensor: sensor, device: device, zone: zone, now: now, language: language,
            sirenDoubt: sirenDoubt)
    }
}
