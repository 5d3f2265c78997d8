import Accounts
import HTTPServer
import Identity
import JSON
import Ledger
import Notices
import Pages
import Store
import System

/// The JSON interface of alarms.
struct AlarmRoutes: HouseFeature {
    let access: HouseAccess
    let acts: AlarmActs

    private var alarms: AlarmDesk { acts.alarms }

    func register(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/alarms", for: Permission.inHouse,
            RouteDescription(
                "The alarms of a house, the newest first.",
                answer: AlarmPage.schema,
                query: [
                    ("after", false, "where the answer before said to go on"), ("kind", false, "only of this kind"),
                    ("limit", false, "1 to 100; 50"),
                ])
        ) { request, principal in
            let site = try access.house(request, principal)
            let limit = min(max(try request.query.get("limit", as: Int.self) ?? 50, 1), 100)
            let after = try request.query.get("after", as: String.self).map { text in
                guard let id = HouseAlarmID(text) else {
                    throw Problem.badRequest("after is what an answer before said")
                }
                return id
            }
            let kind = try request.query.get("kind", as: String.self).map { text in
                guard let kind = HouseAlarm.Kind(rawValue: text) else {
                    throw Problem.badRequest("kind is what an alarm said that it is")
                }
                return kind
            }
            let page = try acts.log(of: site.id, before: after, kind: kind, limit: limit)
            let isOfHouse = principal.may(Permission.atHome, at: site.id, access.clock.now)
            let language = Language.of(principal, request)
            let rows = page.items.map { AlarmRow(logged: $0, isOfHouse: isOfHouse, language: language) }
            return .json(AlarmPage(items: rows, next: page.next), capacity: 4096)
        }
        routes.on(
            .get, "/api/sites/{site}/alarms/{alarm}", for: Permission.inHouse,
            RouteDescription("An alarm of a house.", answer: AlarmRow.schema)
        ) { request, principal in
            let logged = try acts.alarm(request)
            return .json(
                AlarmRow(
                    logged: logged,
                    isOfHouse: principal.may(Permission.atHome, at: logged.alarm.site, access.clock.now),
                    language: Language.of(principal, request)))
        }
        on(&routes, "silence", "Silences the siren of the house. The alarm stands until its cause is over.") {
            if let doubt = await acts.response.silence($0.site, by: $1) {
                throw Problem.conflict(doubt.text(.en), type: "siren-may-sound")
            }
        }
        on(&routes, "take", "Says that one takes care of an alarm: others are no longer told of it.") {
            alarms.settle($0.id, by: $1)
        }
        on(
            &routes, "end",
            "Says that a call for help or an exercise is over, or an alarm of the air whose sensor is out of use by now. Other alarms end when their cause does."
        ) {
            try acts.end($0, by: $1)
        }
    }

    private func on(
        _ routes: inout Routes, _ name: String, _ summary: String,
        _ act: @escaping @Sendable (HouseAlarm, PersonID) async throws -> Void
    ) {
        routes.on(
            .post, "/api/sites/{site}/alarms/{alarm}/\(name)", for: Permission.atHome, access.keeps,
            RouteDescription(summary, body: .anything("nothing yet: {}"), status: 204).counted(.urgent),
            bodyLimit: 4_096
        ) { request, principal in
            guard try request.jsonFields().isEmpty else {
                throw Problem.unprocessable("nothing can be said here yet: send {}")
            }
            let alarm = try acts.alarm(request).alarm
            guard alarms.standing(at: alarm.site).contains(where: { $0.id == alarm.id }) else {
                throw Problem.conflict("this alarm is over", type: "alarm-over")
            }
            try await act(alarm, principal.person.id)
            await acts.written()
            return .empty()
        }
    }
}
