import Accounts
import Identity
import JSON
import Ledger
import Store
import System

// The JSON interface of a company's hours and special days.

extension Doors {
    private static let hoursFields: [(String, Schema)] = [
        ("name", .text("1 to 80 characters")),
        (
            "week",
            .list(.list(.text("a stretch of a day, 08:00-12:30; an end at or before its start is on the next day")))
        ),
        ("keepsSpecialDays", .truth("whether special days count in it")),
    ]
    private static let hoursSchema = Schema.object([("id", .text("the id of these hours"))] + hoursFields)

    func registerHours(_ routes: inout Routes) {
        let given = given
        struct Body: Decodable {
            let name: String
            let week: [[String]]
            let keepsSpecialDays: Bool

            var entry: HoursEntry {
                HoursEntry(name: name, week: week.map { $0.joined(separator: " ") }, keepsSpecialDays: keepsSpecialDays)
            }
        }
        routes.on(
            .get, "/api/sites/{site}/hours", for: Permission.managing,
            RouteDescription(
                "The site's hours, by name; each has seven days, Monday first.",
                answer: .object([("items", .list(Self.hoursSchema))]))
        ) { request, _ in
            let site = try request.parameter("site", as: SiteID.self)
            return Self.list(try given.store.read { try DoorsRecords.timetables(of: site, in: $0) }) {
                Self.write($0, &$1)
            }
        }
        routes.on(
            .post, "/api/sites/{site}/hours", for: Permission.managing,
            RouteDescription("Adds hours.", body: .object(Self.hoursFields), answer: Self.hoursSchema, status: 201)
        ) { request, principal in
            let site = try request.parameter("site", as: SiteID.self)
            let entry = try request.json(Body.self).entry
            return Self.answer(
                try await putHours(nil, entry, at: site, by: principal.person.id), 201
            ) { Self.write($0, &$1) }
        }
        routes.on(
            .put, "/api/sites/{site}/hours/{id}", for: Permission.managing,
            RouteDescription(
                "Changes hours. Passes that allow more than them are denied at once.", body: .object(Self.hoursFields),
                answer: Self.hoursSchema)
        ) { request, principal in
            let site = try request.parameter("site", as: SiteID.self)
            let id = try request.parameter("id", as: TimetableID.self)
            let entry = try request.json(Body.self).entry
            return Self.answer(
                try await putHours(id, entry, at: site, by: principal.person.id)
            ) { Self.write($0, &$1) }
        }
        routes.on(
            .delete, "/api/sites/{site}/hours/{id}", for: Permission.managing,
            RouteDescription("Removes hours that no role keeps.", status: 204)
        ) { request, principal in
            let site = try request.parameter("site", as: SiteID.self)
            let id = try request.parameter("id", as: TimetableID.self)
            try await removeHours(id, at: site, by: principal.person.id)
            return .empty()
        }
    }

    private static func write(_ hours: Timetable, _ json: inout JSONWriter) {
        json.object { json in
            json.field("id", hours.id.text)
            json.field("name", hours.name)
            json.array("week") { json in
                for day in hours.week { json.array { json in for span in day { json.value(span.text) } } }
            }
            json.field("keepsSpecialDays", hours.keepsSpecialDays)
        }
    }

    // MARK: special days

    private static let specialFields: [(String, Schema)] = [
        ("name", .text("1 to 80 characters")), ("firstDay", .text("YYYY-MM-DD")),
        ("lastDay", .text("YYYY-MM-DD, inclusive; at most a year later")),
        ("hours", .list(.text("a stretch of each of these days, 08:00-12:30; none: closed"))),
    ]
    private static let specialSchema = Schema.object([("id", .text("the id of these days"))] + specialFields)

    func registerSpecialDays(_ routes: inout Routes) {
        let given = given
        struct Body: Decodable {
            let name: String
            let firstDay: String
            let lastDay: String
            let hours: [String]

            var entry: SpecialDayEntry {
                SpecialDayEntry(
                    name: name, firstDay: firstDay, lastDay: lastDay, hours: hours.joined(separator: " "))
            }
        }
        routes.on(
            .get, "/api/sites/{site}/special-days", for: Permission.managing,
            RouteDescription(
                "The days on which the site keeps other hours, earliest first.",
                answer: .object([("items", .list(Self.specialSchema))]))
        ) { request, _ in
            let site = try request.parameter("site", as: SiteID.self)
            return Self.list(try given.store.read { try DoorsRecords.specialDays(of: site, in: $0) }) {
                Self.write($0, &$1)
            }
        }
        routes.on(
            .post, "/api/sites/{site}/special-days", for: Permission.managing,
            RouteDescription(
                "Adds special days.", body: .object(Self.specialFields), answer: Self.specialSchema, status: 201)
        ) { request, principal in
            let site = try request.parameter("site", as: SiteID.self)
            let entry = try request.json(Body.self).entry
            return Self.answer(
                try await putSpecialDay(nil, entry, at: site, by: principal.person.id), 201
            ) { Self.write($0, &$1) }
        }
        routes.on(
            .put, "/api/sites/{site}/special-days/{id}", for: Permission.managing,
            RouteDescription("Changes special days.", body: .object(Self.specialFields), answer: Self.specialSchema)
        ) { request, principal in
            let site = try request.parameter("site", as: SiteID.self)
            let id = try request.parameter("id", as: SpecialDayID.self)
            let entry = try request.json(Body.self).entry
            return Self.answer(
                try await putSpecialDay(id, entry, at: site, by: principal.person.id)
            ) { Self.write($0, &$1) }
        }
        routes.on(
            .delete, "/api/sites/{site}/special-days/{id}", for: Permission.managing,
            RouteDescription("Removes special days.", status: 204)
        ) { request, principal in
            let site = try request.parameter("site", as: SiteID.self)
            let id = try request.parameter("id", as: SpecialDayID.self)
            try await removeSpecialDay(id, at: site, by: principal.person.id)
            return .empty()
        }
    }

    private static func write(_ special: SpecialDay, _ json: inout JSONWriter) {
        json.object { json in
            json.field("id", special.id.text)
            json.field("name", special.name)
            json.field("firstDay", special.firstDay.iso8601)
            json.field("lastDay", special.lastDay.iso8601)
            json.array("hours") { json in for span in special.spans { json.value(span.text) } }
        }
    }
}
