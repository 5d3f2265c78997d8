import Accounts
import Household
import HTTPServer
import Identity
import Ledger
import Notices
import Pages
import Store
import System

/// The screens of alarms: the log, one of them, what one does about it.
struct AlarmPages: HouseFeature {
    let access: HouseAccess
    let acts: AlarmActs
    let registry: Registry

    private var alarms: AlarmDesk { acts.alarms }
    private var response: any AlarmResponse { acts.response }

    /// So long after it was raised an alarm of which nothing is known yet may still be being told, in milliseconds.
    private static let telling: Int64 = 60_000
    /// So many alarms on a page.
    static let alarmsOnAPage = 30

    func register(_ pages: inout PageRoutes) {
        pages.on(.get, "/houses/{site}/alarms", for: Permission.inHouse) { request, principal, language in
            let frame = try access.frame(request, principal, language)
            let before = try request.query.get("before", as: String.self).flatMap { HouseAlarmID($0) }
            let kind = try request.query.get("kind", as: String.self).flatMap { HouseAlarm.Kind(rawValue: $0) }
            let found = try alarmLog(frame.site, before: before, kind: kind, Self.alarmsOnAPage, language)
            let own = HouseTab.alarms.path(frame.site.id).adding("kind", kind?.rawValue ?? "")
            let model = AlarmLogView.Model(
                items: frame.may(Permission.atHome) ? found.items : found.items.map(\.withoutPeople), kind: kind,
                older: found.next.map { own.adding("before", $0.text) }, isNewest: before == nil,
                maySet: frame.may(Permission.managing))
            let words = AlarmPageWords.in(language)
            return frame.page(
                .alarms, title: words.title, isLive: before == nil,
                actions: AlarmLogView.actions(
                    frame.site.id, mayTest: frame.may(SelfTestPages.testing), maySet: model.maySet, words)
            ) { AlarmLogView.content(model, frame.site.id, language) }
        }
        pages.on(.get, "/houses/{site}/alarms/{alarm}", for: Permission.inHouse) { request, principal, language in
            let frame = try access.frame(request, principal, language)
            let model = try alarmModel(request, frame)
            return frame.page(
                .alarms, title: model.sheet.alarm.title(language), path: model.sheet.path,
                back: (HouseTab.alarms.path(frame.site.id), AlarmPageWords.in(language).title)
            ) { AlarmView.content(model) }
        }
        on(&pages, "silence") { _ = await response.silence($0.site, by: $1) }
        on(&pages, "take") { alarms.settle($0.id, by: $1) }
        on(&pages, "end") { try acts.end($0, by: $1) }
    }

    /// A button of an alarm's page.
    private func on(
        _ pages: inout PageRoutes, _ name: String,
        _ act: @escaping @Sendable (HouseAlarm, PersonID) async throws -> Void
    ) {
        pages.on(.post, "/houses/{site}/alarms/{alarm}/\(name)", for: Permission.atHome, access.keeps, counted: .urgent)
        {
            request, principal, _ in
            let alarm = try acts.alarm(request).alarm
            try await act(alarm, principal.person.id)
            await acts.written()
            return .redirect(to: "/houses/\(alarm.site.text)/alarms/\(alarm.id.text)?done=1")
        }
    }

    /// A page of the log.
    func alarmLog(
        _ site: Site, before: HouseAlarmID?, kind: HouseAlarm.Kind?, _ limit: Int, _ language: Language
    ) throws -> (items: [AlarmSheet], next: HouseAlarmID?) {
        let page = try acts.log(of: site.id, before: before, kind: kind, limit: limit)
        let names = try acts.store.read { try Self.names(in: page.items, $0) }
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
            zone: zone, now: access.clock.now, language: language,
            sirenDoubt: logged.alarm.kind == .fault ? nil : response.sirenDoubt(at: logged.alarm.site))
    }

    private func alarmModel(_ request: Request, _ frame: HomeFrame) throws -> AlarmView.Model {
        let logged = try acts.alarm(request)
        let mayAct = frame.may(Permission.atHome)
        let (names, settings, people, told, delivery) = try acts.store.read { database in
            let told = try AlarmRecords.notices(of: logged.alarm.id, in: database)
            return (
                try Self.names(in: [logged], database),
                try AlarmCallRecords.settings(of: frame.site.id, in: database),
                try AlarmCallRecords.call(of: frame.site.id, at: frame.now, in: database)?.people ?? [], told,
                mayAct ? try told.last.flatMap { try NoticeRecords.delivery(of: $0.notice, in: database) } : nil
            )
        }
        let sheet = sheet(logged, names, frame.site.zone, frame.language)
        return AlarmView.Model(
            sheet: sheet, settings: settings, delivery: delivery,
            rounds: told.count,
            isBeingTold: !people.isEmpty && logged.ended == nil
                && frame.now.milliseconds - logged.alarm.raised.milliseconds < Self.telling,
            mayAct: mayAct,
            canBeEnded: acts.canBeEnded(logged.alarm), street: registry.catalog.houses[frame.site.id]?.street ?? "",
            isSounding: response.isSounding(at: frame.site.id),
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
