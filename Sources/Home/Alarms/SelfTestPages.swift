import Accounts
import HTTPServer
import Identity
import JSON
import Ledger
import Notices
import Pages
import Store
import System

/// The test of the way and the exercise: screens and the JSON interface.
struct SelfTestPages: HouseFeature {
    let access: HouseAccess
    let selfTests: SelfTests
    let drills: Drills
    let notices: Notices
    let store: Store

    /// So many tests are shown.
    private static let testsShown = 20
    /// Those who try the way.
    static let testing: Set<Permission> = [.owner, .manager, .member, .installer]

    func register(_ pages: inout PageRoutes) {
        pages.on(.get, "/houses/{site}/alarms/test", for: Self.testing) { request, principal, language in
            let frame = try access.frame(request, principal, language)
            let wait = try request.query.get("wait", as: Int.self)
            return try testPage(frame, wait: wait.map { min(max($0, 1), 60) })
        }
        pages.on(.post, "/houses/{site}/alarms/test", for: Self.testing, access.keeps) { request, principal, _ in
            let site = try access.house(request, principal)
            let own = "/houses/\(site.id.text)/alarms/test"
            do {
                try await selfTests.begin(at: site.id, by: principal.person.id)
            } catch SelfTests.Refusal.tooSoon(let seconds) {
                return .redirect(to: own + "?wait=\(seconds)")
            } catch SelfTests.Refusal.nobody {}
            return .redirect(to: own)
        }
        pages.on(.get, "/houses/{site}/alarms/drill", for: Permission.managing) { request, principal, language in
            let frame = try access.frame(request, principal, language)
            let words = AlarmPageWords.in(language)
            let own = HouseTab.alarms.path(frame.site.id).under("drill")
            let drill = drills.drill(at: frame.site.id)
            return frame.page(
                .alarms, title: words.drill, path: own, back: (HouseTab.alarms.path(frame.site.id), words.title),
                isLive: false
            ) { DrillView.content(drill, own, frame.site.zone, words) }
        }
        pages.on(.post, "/houses/{site}/alarms/drill", for: Permission.managing, access.weakensNow(.exercise)) {
            request, principal, _ in
            let site = try access.house(request, principal)
            let form = try request.form()
            let minutes = try form.get("minutes", as: Int.self) ?? 10
            try await drills.begin(
                at: site.id, minutes: minutes, sounds: try form.get("sounds", as: String.self) != nil,
                by: principal.person.id)
            return .redirect(to: "/houses/\(site.id.text)/alarms/drill")
        }
        pages.on(.post, "/houses/{site}/alarms/drill/end", for: Permission.managing, access.keeps) {
            request, principal, _ in
            let site = try access.house(request, principal)
            try await drills.end(at: site.id, by: principal.person.id)
            return .redirect(to: "/houses/\(site.id.text)/alarms/drill")
        }
        pages.on(.post, "/houses/{site}/alarms/drill/raise", for: Permission.managing, access.keeps) {
            request, principal, _ in
            let site = try access.house(request, principal)
            guard let kind = HouseAlarm.Kind(rawValue: try request.form().require("kind")),
                let id = drills.raise(kind, at: site.id, by: principal.person.id)
            else { return .redirect(to: "/houses/\(site.id.text)/alarms/drill") }
            return .redirect(to: "/houses/\(site.id.text)/alarms/\(id.text)")
        }
    }

    private func testPage(_ frame: HomeFrame, wait: Int?) throws -> Response {
        let words = AlarmPageWords.in(frame.language)
        let (tests, names, call) = try store.read { database in
            let tests = try SelfTestRecords.tests(of: frame.site.id, limit: Self.testsShown, in: database)
            let people = Set(tests.compactMap(\.by))
            return (
                tests,
                try people.reduce(into: [PersonID: String]()) {
                    $0[$1] = try AccountRecords.person($1, in: database)?.name
                }, try AlarmCallRecords.call(of: frame.site.id, at: frame.now, in: database)
            )
        }
        let model = SelfTestView.Model(
            tests: tests, names: names, zone: frame.site.zone, now: frame.now, language: frame.language,
            hasPhones: try !notices.phones(of: call?.people ?? []).isEmpty, wait: wait)
        let own = HouseTab.alarms.path(frame.site.id).under("test")
        return frame.page(
            .alarms, title: words.test, path: own, back: (HouseTab.alarms.path(frame.site.id), words.title),
            isLive: false, modules: ["alarm-test"]
        ) { SelfTestView.content(model, own) }
    }

    func register(_ routes: inout Routes) {
        routes.on(
            .post, "/api/sites/{site}/alarm-tests", for: Self.testing, access.keeps,
            RouteDescription(
                "Tries the way of alarms at a house: every device of its people shows a notice, and says so.",
                body: .anything("nothing yet: {}"), answer: BegunTest.schema, status: 201),
            bodyLimit: 4_096
        ) { request, principal in
            guard try request.jsonFields().isEmpty else {
                throw Problem.unprocessable("nothing can be said here yet: send {}")
            }
            let site = try access.house(request, principal)
            do {
                let id = try await selfTests.begin(at: site.id, by: principal.person.id)
                return .json(BegunTest(id: id), status: 201)
            } catch SelfTests.Refusal.tooSoon(let seconds) {
                throw Problem.tooManyRequests(retryAfter: seconds)
            } catch SelfTests.Refusal.nobody {
                throw Problem.conflict("nobody would be told", type: "nobody-to-tell")
            }
        }
        routes.on(
            .get, "/api/sites/{site}/alarm-tests", for: Self.testing,
            RouteDescription(
                "The last twenty tests of a house, the newest first.",
                answer: JSONItems<SelfTest>.schema)
        ) { request, principal in
            let site = try access.house(request, principal)
            let tests = try store.read {
                try SelfTestRecords.tests(of: site.id, limit: Self.testsShown, in: $0)
            }
            return .json(JSONItems(tests), capacity: 2048)
        }
        routes.on(
            .get, "/api/sites/{site}/alarm-tests/{test}", for: Self.testing,
            RouteDescription("A test, as far as it has come.", answer: SelfTest.schema)
        ) { request, principal in
            let site = try access.house(request, principal)
            let id = try request.parameter("test", as: SelfTestID.self)
            guard let test = try store.read({ try SelfTestRecords.test(id, in: $0) }), test.site == site.id
            else { throw Problem.notFound() }
            return .json(test, capacity: 1024)
        }
    }
}

/// An exercise: before it, a form with `minutes` and `sounds`; in it, a button for each kind.
enum DrillView {
    static func content(_ drill: Drill?, _ own: LocalPath, _ zone: Zone, _ words: AlarmPageWords) -> HTML {
        div(.css("pile narrow")) {
            p(.css("soft")) { words.drillIntro }
            p(.css("soft")) { words.drillReal }
            if let drill {
                Part.notice(.wait, words.drillRuns(zone.clockText(at: drill.until)))
                for kind in HouseAlarm.Kind.allCases where kind != .fault {
                    form(.method(.post), .action(own.under("raise"))) {
                        input(.type(.hidden), .name("kind"), .value(kind.rawValue))
                        button(.type(.submit)) {
                            words.drillRaise(AlarmWords.in(words.language).name(Hazard(kind, nil)))
                        }
                    }
                }
                form(.method(.post), .action(own.under("end"))) {
                    button(.css("quiet"), .type(.submit)) { words.drillEnd }
                }
            } else {
                form(.css("stack"), .method(.post), .action(own)) {
                    Part.field(words.drillMinutes, name: "minutes", kind: .number, value: "10", longest: 2)
                    Part.check(words.drillSounds, name: "sounds", value: "1", isChecked: false)
                    div(.css("row")) { button(.type(.submit)) { words.drillBegin } }
                }
            }
        }
    }
}
