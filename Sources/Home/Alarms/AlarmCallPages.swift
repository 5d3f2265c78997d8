import Accounts
import HTTPServer
import JSON
import Ledger
import Pages
import System

/// How people are called: the screen and the JSON interface.
struct AlarmCallPages: HouseFeature {
    let access: HouseAccess
    let desk: AlarmCallDesk

    func register(_ pages: inout PageRoutes) {
        pages.on(.get, "/houses/{site}/alarms/call", for: Permission.managing) { request, principal, language in
            let frame = try access.frame(request, principal, language)
            let settings = try desk.store.read { try AlarmCallRecords.settings(of: frame.site.id, in: $0) }
            let isSaved = try request.query.get("saved", as: String.self) != nil
            return try callPage(frame, AlarmCallForm(settings), isSaved: isSaved)
        }
        pages.on(.post, "/houses/{site}/alarms/call", for: Permission.managing, access.weakensLater(.contacts)) {
            request, principal, language in
            let frame = try access.frame(request, principal, language)
            let form = try AlarmCallForm(request.form())
            do {
                try await desk.setCall(form, frame.site, by: principal.person.id)
            } catch let fault as AlarmCallForm.Fault {
                return try callPage(frame, form, refused: fault.field)
            }
            return .redirect(to: "/houses/\(frame.site.id.text)/alarms/call?saved=1")
        }
    }

    private func callPage(
        _ frame: HomeFrame, _ form: AlarmCallForm, isSaved: Bool = false, refused: String? = nil
    ) throws -> Response {
        let words = AlarmPageWords.in(frame.language)
        let people = try desk.callable(frame.site)
        let own = HouseTab.alarms.path(frame.site.id).under("call")
        return frame.page(
            .alarms, title: words.call, path: own, back: (HouseTab.alarms.path(frame.site.id), words.title),
            isLive: false, status: refused == nil ? 200 : 422
        ) {
            AlarmCallView.content(
                form, people.map { ($0.id.text, $0.name) }, own, words, isSaved: isSaved, refused: refused)
        }
    }

    func register(_ routes: inout Routes) {
        routes.on(
            .get, "/api/sites/{site}/alarm-call", for: Permission.atHome,
            RouteDescription(
                "How the people of a house are called when there is an alarm.", answer: AlarmCallRow.schema)
        ) { request, principal in
            let site = try access.house(request, principal)
            return .json(AlarmCallRow(try desk.store.read { try AlarmCallRecords.settings(of: site.id, in: $0) }))
        }
        routes.on(
            .put, "/api/sites/{site}/alarm-call", for: Permission.managing, access.weakensLater(.contacts),
            RouteDescription(
                "Says how the people of a house are called when there is an alarm.", body: AlarmCallRow.schema,
                answer: AlarmCallRow.schema)
        ) { request, principal in
            let site = try access.house(request, principal)
            let form = try AlarmCallRow(request).form
            do {
                try await desk.setCall(form, site, by: principal.person.id)
            } catch let fault as AlarmCallForm.Fault {
                throw Problem(
                    status: 422, type: "call-refused", title: "The content does not fit",
                    detail: "\(fault.field) will not do", extra: [("field", fault.field)])
            }
            return .json(AlarmCallRow(try desk.store.read { try AlarmCallRecords.settings(of: site.id, in: $0) }))
        }
    }
}

extension AlarmCallForm {
    /// As it is kept.
    init(_ settings: AlarmSettings) {
        minutes = settings.minutesBetween
        first = settings.first.map(\.text)
        emergency = settings.emergency.text
        contacts = settings.contacts.map { ($0.name, $0.number.text) }
        test = settings.weeklyTest.map { ($0.weekday, Self.text(ofMinute: $0.minute)) }
    }

    /// As it was typed: fields `how`, `minutes`, `first`, `emergency`, `name` and `number` as often as there are contacts, `day`, `time`.
    init(_ form: Form) throws {
        func text(_ name: String) throws -> String { try form.get(name) ?? "" }
        if try text("how") == "turn" { minutes = Int(try text("minutes")) ?? 0 }
        // Nobody in particular is an empty one.
        first = form.all("first").filter { !$0.isEmpty }
        emergency = try text("emergency")
        contacts = zip(form.all("name"), form.all("number")).map { ($0, $1) }.filter { !$0.0.isEmpty || !$0.1.isEmpty }
        let day = try text("day")
        if !day.isEmpty { test = (Int(day) ?? 0, try text("time")) }
    }
}

/// A form `POST` to its own page.
enum AlarmCallView {
    static func content(
        _ typed: AlarmCallForm, _ people: [(id: String, name: String)], _ own: LocalPath, _ words: AlarmPageWords,
        isSaved: Bool, refused: String?
    ) -> HTML {
        func refusal(_ field: String) -> String? { refused == field ? words.refused[field] : nil }
        return div(.css("pile narrow")) {
            if isSaved { Part.notice(.go, words.saved) }
            p(.css("soft")) { words.callIntro }
            form(.css("stack"), .method(.post), .action(own)) { fields(typed, people, words, refusal) }
        }
    }

    @HTMLBuilder private static func fields(
        _ form: AlarmCallForm, _ people: [(id: String, name: String)], _ words: AlarmPageWords,
        _ refusal: (String) -> String?
    ) -> HTML {
        Part.choice(
            words.how, name: "how", options: [("all", words.atOnce), ("turn", words.inTurn)],
            chosen: form.minutes == nil ? "all" : "turn")
        Part.field(
            words.minutesBetween, name: "minutes", kind: .number, value: form.minutes.map(String.init) ?? "3",
            hint: words.minutesHint, refused: refusal("minutes"), longest: 2)
        Part.choice(
            words.first, name: "first", options: [("", words.anybody)] + people.map { ($0.id, $0.name) },
            chosen: form.first.first ?? "", hint: words.firstHint, refused: refusal("first"))
        Part.field(
            words.emergency, name: "emergency", value: form.emergency, hint: words.emergencyHint,
            refused: refusal("emergency"), verbatim: true, longest: PhoneNumber.longest)
        fieldset {
            legend { words.contacts }
            p(.css("hint")) { words.contactsHint }
            if let refused = refusal("contacts") { p(.css("refused")) { refused } }
            for index in 0..<min(max(form.contacts.count + 1, 3), AlarmSettings.mostContacts) {
                contact(index, index < form.contacts.count ? form.contacts[index] : ("", ""), words)
            }
        }
        fieldset {
            legend { words.weekly }
            Part.choice(
                words.weekly, name: "day",
                options: [("", words.never)] + words.weekdays.enumerated().map { (String($0.offset + 1), $0.element) },
                chosen: form.test.map { String($0.weekday) } ?? "", hint: words.weeklyHint, refused: refusal("test"))
            Part.field(words.hour, name: "time", kind: .time, value: form.test?.time ?? "10:00", optional: "")
        }
        div(.css("row")) { button(.type(.submit)) { words.save } }
    }

    private static func contact(
        _ index: Int, _ one: (name: String, number: String), _ words: AlarmPageWords
    ) -> HTML {
        div(.css("pair")) {
            div(.css("row-field")) {
                label(.for("name-\(index)")) { words.name }
                input(
                    .css("field"), .id("name-\(index)"), .name("name"), .value(one.name), .maxlength(60),
                    .autocomplete("off"))
            }
            div(.css("row-field")) {
                label(.for("number-\(index)")) { words.number }
                input(
                    .css("field"), .id("number-\(index)"), .name("number"), .value(one.number),
                    .maxlength(PhoneNumber.longest), .autocomplete("off"), also: Attribute.verbatim)
            }
        }
    }
}
