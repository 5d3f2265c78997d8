import Accounts
import HTTPServer
import JSON
import Ledger
import System

// The JSON interface: how one wants to be told.

extension Notices {
    private static let groups = NoticeGroup.allCases.map(\.rawValue)
    private static let preferenceSchema = Schema.object([
        ("push", .list(.choice(groups))), ("mail", .list(.choice(groups))),
        (
            "quiet",
            .optional(
                .object([
                    ("from", .text("when it begins, 22:00")), ("to", .text("when it ends, 07:00")),
                    ("days", .list(.integer("a day on which it begins; 1 is Monday"))),
                ]))
        ), ("showsDetails", .truth("whether a lock screen may show names and places")),
    ])

    func registerPreferences(_ routes: inout Routes) {
        routes.on(
            .get, "/api/account/notices",
            RouteDescription("How one wants to be told.", answer: Self.preferenceSchema)
        ) { _, principal in
            Self.answer(try self.preferences(of: principal.person.id))
        }
        routes.on(
            .put, "/api/account/notices",
            RouteDescription(
                "Says how one wants to be told. The inbox holds everything all the same; what is critical passes quiet hours and every switch. Takes a passkey where a site of theirs asks for one.",
                body: Self.preferenceSchema, answer: Self.preferenceSchema)
        ) { request, principal in
            let preferences = try request.json(PreferencesBody.self).parsed()
            try await self.setPreferences(preferences, by: principal)
            return Self.answer(preferences)
        }
    }

    private static func answer(_ preferences: NoticePreferences) -> Response {
        var json = JSONWriter()
        json.object { json in
            for (name, groups) in [("push", preferences.push), ("mail", preferences.mail)]
                as [(StaticString, Set<NoticeGroup>)]
            {
                json.array(name) { json in
                    for group in NoticeGroup.allCases where groups.contains(group) { json.value(group.rawValue) }
                }
            }
            json.key("quiet")
            if let quiet = preferences.quiet {
                json.object { json in
                    json.field("from", MinuteOfDay.text(quiet.from))
                    json.field("to", MinuteOfDay.text(quiet.to))
                    json.array("days") { json in for day in quiet.days.sorted() { json.value(day) } }
                }
            } else {
                json.null()
            }
            json.field("showsDetails", preferences.showsDetails)
        }
        return .json(json.bytes)
    }
}

private struct PreferencesBody: Decodable {
    struct Quiet: Decodable {
        let from: String
        let to: String
        let days: [Int]
    }
    let push: [String]
    let mail: [String]
    let quiet: Quiet?
    let showsDetails: Bool

    func parsed() throws(NoticeRefusal) -> NoticePreferences {
        var preferences = NoticePreferences()
        preferences.push = try Self.groups(push, "push")
        preferences.mail = try Self.groups(mail, "mail")
        preferences.showsDetails = showsDetails
        if let quiet {
            guard let from = MinuteOfDay.parse(quiet.from), let to = MinuteOfDay.parse(quiet.to),
                let hours = QuietHours(from: from, to: to, days: Set(quiet.days))
            else { throw .invalid(field: "quiet") }
            preferences.quiet = hours
        }
        return preferences
    }

    private static func groups(_ names: [String], _ field: String) throws(NoticeRefusal) -> Set<NoticeGroup> {
        var groups: Set<NoticeGroup> = []
        for name in names {
            guard let group = NoticeGroup(rawValue: name) else { throw .invalid(field: field) }
            groups.insert(group)
        }
        return groups
    }
}

/// A minute of the day as `22:05`.
public enum MinuteOfDay {
    /// Always five characters.
    public static func text(_ minute: Int) -> String {
        let (hours, minutes) = minute.quotientAndRemainder(dividingBy: 60)
        return (hours < 10 ? "0" : "") + "\(hours)" + (minutes < 10 ? ":0" : ":") + "\(minutes)"
    }

    /// Nil unless the text is two digits, a colon, two digits, and such a minute exists.
    public static func parse(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"), let hours = Int(text.prefix(2)),
            let minutes = Int(text.suffix(2)), (0..<24).contains(hours), (0..<60).contains(minutes),
            self.text(hours * 60 + minutes) == text
        else { return nil }
        return hours * 60 + minutes
    }
}
