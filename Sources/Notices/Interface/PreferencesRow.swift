import HTTPServer
import JSON

/// How a person wants to be told, as programs read and write it.
struct PreferencesRow: JSONObject {
    private static let pushKey = JSONKey<[NoticeGroup]>("push")
    private static let mailKey = JSONKey<[NoticeGroup]>("mail")
    private static let quietKey = JSONKey<QuietRow?>("quiet")
    private static let detailsKey = JSONKey<Bool>("showsDetails", "whether a lock screen may show names and places")
    private static let body = JSONBody(pushKey, mailKey, quietKey, detailsKey)

    let push: [NoticeGroup]
    let mail: [NoticeGroup]
    let quiet: QuietRow?
    let showsDetails: Bool

    static let shape = Shape<PreferencesRow> {
        JSONField(pushKey) { $0.push }
        JSONField(mailKey) { $0.mail }
        JSONField(quietKey) { $0.quiet }
        JSONField(detailsKey) { $0.showsDetails }
    }

    /// Throws `NoticeRefusal` where the quiet hours are none.
    func preferences() throws(NoticeRefusal) -> NoticePreferences {
        var preferences = NoticePreferences()
        (preferences.push, preferences.mail) = (Set(push), Set(mail))
        preferences.showsDetails = showsDetails
        preferences.quiet = try quiet?.hours()
        return preferences
    }
}

extension PreferencesRow {
    init(_ preferences: NoticePreferences) {
        push = NoticeGroup.allCases.filter(preferences.push.contains)
        mail = NoticeGroup.allCases.filter(preferences.mail.contains)
        (quiet, showsDetails) = (preferences.quiet.map { QuietRow($0) }, preferences.showsDetails)
    }

    /// From the body of a request.
    init(_ request: Request) throws(Problem) {
        (push, mail, quiet, showsDetails) = try request.json(Self.body)
    }
}

/// When nothing but what is critical is told.
struct QuietRow: JSONObject, JSONReadable {
    private static let fromKey = JSONKey<String>("from", "when it begins, 22:00")
    private static let toKey = JSONKey<String>("to", "when it ends, 07:00")
    private static let daysKey = JSONKey<[Int]>("days", "a day on which it begins; 1 is Monday")
    private static let body = JSONBody(fromKey, toKey, daysKey)

    let from: String
    let to: String
    let days: [Int]

    static let shape = Shape<QuietRow> {
        JSONField(fromKey) { $0.from }
        JSONField(toKey) { $0.to }
        JSONField(daysKey) { $0.days }
    }

    static func read(_ json: UnsafeRawBufferPointer, at path: String) throws(JSONError) -> QuietRow {
        let (from, to, days) = try body.read(json, at: path)
        return QuietRow(from: from, to: to, days: days)
    }

    fileprivate func hours() throws(NoticeRefusal) -> QuietHours {
        guard let from = MinuteOfDay.parse(from), let to = MinuteOfDay.parse(to),
            let hours = QuietHours(from: from, to: to, days: Set(days))
        else { throw .invalid(field: "quiet") }
        return hours
    }
}

extension QuietRow {
    init(_ hours: QuietHours) {
        (from, to, days) = (MinuteOfDay.text(hours.from), MinuteOfDay.text(hours.to), hours.days.sorted())
    }
}
