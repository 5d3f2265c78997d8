import Accounts
import HTTPServer
import Identity
import JSON
import Ledger
import Notices
import Pages
import Store
import System

// The JSON interface of alarms.

extension Household {
    private static let alarmSchema = Schema.object([
        ("id", .text("the alarm's id")), ("kind", .choice(HouseAlarm.Kind.allCases.map(\.rawValue))),
        ("sensor", .optional(.text("the sensor's id; null: a person, or another system"))),
        ("title", .text("what it is, in the language of whoever asks")),
        ("value", .optional(.number("the reading, in the sensor's unit"))),
        ("isExercise", .truth("whether it is none")), ("at", .text("when it began")),
        ("ended", .optional(.text("when it was over; null: it stands"))),
        ("silenced", .optional(.text("when the siren was silenced"))),
        ("taken", .optional(.text("when somebody first said that they take care"))),
        ("takenBy", .optional(.text("that person's id, for people of the house"))),
    ])

    func register(alarmRoutes routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/alarms", for: Permission.inHouse,
            RouteDescription(
                "The alarms of a house, the newest first.",
                answer: .object([
                    ("items", .list(Self.alarmSchema)),
                    ("next", .optional(.text("pass it as after to go on; null at the end"))),
                ]),
                query: [
                    ("after", false, "where the answer before said to go on"), ("kind", false, "only of this kind"),
                    ("limit", false, "1 to 100; 50"),
                ])
        ) { request, principal in
            let site = try self.house(request, principal)
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
            let standing = self.alarms.standing(at: site.id)
            let page = try self.store.read {
                try AlarmRecords.log(
                    of: site.id, standing: standing, before: after, kind: kind, limit: limit, in: $0)
            }
            let isOfHouse = principal.may(Permission.atHome, at: site.id, self.clock.now)
            let language = Language.of(principal, request)
            var json = JSONWriter(capacity: 4096)
            json.object { json in
                json.array("items") { json in
                    for one in page.items { Self.write(one, isOfHouse, language, to: &json) }
                }
                json.field("next", page.next?.text)
            }
            return .json(json.bytes)
        }
        routes.on(
            .get, "/api/sites/{site}/alarms/{alarm}", for: Permission.inHouse,
            RouteDescription("An alarm of a house.", answer: Self.alarmSchema)
        ) { request, principal in
            let logged = try self.alarm(request)
            var json = JSONWriter()
            Self.write(
                logged, principal.may(Permission.atHome, at: logged.alarm.site, self.clock.now),
                Language.of(principal, request), to: &json)
            return .json(json.bytes)
        }
        on(&routes, "silence", "Silences the siren of the house. The alarm stands until its cause is over.") {
            if let doubt = try await self.silence($0.site, by: $1) {
                throw Problem.conflict(doubt.text(.en), type: "siren-may-sound")
            }
        }
        on(&routes, "take", "Says that one takes care of an alarm: nobody else is told any more.") {
            self.alarms.settle($0.id, by: $1)
        }
        on(
            &routes, "end",
            "Says that a call for help or an exercise is over, or an alarm of the air whose sensor is out of use by now. Other alarms end when their cause does."
        ) {
            try self.end($0, by: $1)
        }
    }

    private func on(
        _ routes: inout Routes, _ name: String, _ summary: String,
        _ act: @escaping @Sendable (HouseAlarm, PersonID) async throws -> Void
    ) {
        routes.on(
            .post, "/api/sites/{site}/alarms/{alarm}/\(name)", for: Permission.atHome, keeps,
            RouteDescription(summary, body: .anything("nothing yet: {}"), status: 204).counted(.urgent),
            bodyLimit: 4_096
        ) { request, principal in
            guard try request.jsonFields().isEmpty else {
                throw Problem.unprocessable("nothing can be said here yet: send {}")
            }
            let alarm = try self.alarm(request).alarm
            guard self.alarms.standing(at: alarm.site).contains(where: { $0.id == alarm.id }) else {
                throw Problem.conflict("this alarm is over", type: "alarm-over")
            }
            try await act(alarm, principal.person.id)
            await self.written()
            return .empty()
        }
    }

    private static func write(
        _ logged: AlarmRecords.Logged, _ isOfHouse: Bool, _ language: Language, to json: inout JSONWriter
    ) {
        let alarm = logged.alarm
        json.object { json in
            json.field("id", alarm.id.text)
            json.field("kind", alarm.kind.rawValue)
            json.field("sensor", alarm.sensor?.text)
            json.field("title", alarm.text[language].title)
            json.field("value", alarm.value)
            json.field("isExercise", alarm.isDrill)
            json.field("at", alarm.at.iso8601)
            json.field("ended", logged.ended?.iso8601)
            json.field("silenced", logged.silenced?.iso8601)
            json.field("taken", logged.taken?.iso8601)
            json.field("takenBy", isOfHouse ? logged.takenBy?.text : nil)
        }
    }
}
