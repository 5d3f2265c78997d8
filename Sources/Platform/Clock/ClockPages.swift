import Accounts
import HTTPServer
import Identity
import JSON
import Pages
import System

/// The page of the hub's clock, and the same for programs.
enum ClockPages {
    static let path: LocalPath = "/clock"

    private static let schema = Schema.object([
        ("time", .text("what time it is by the hub's own count")), ("machine", .text("what the machine's clock says")),
        ("doubt", .optional(.choice(ClockDoubt.Cause.allCases.map(\.rawValue)))),
        ("ahead", .integer("seconds that the machine's clock is ahead of the hub's own count")),
    ])

    private static func answer(_ keeper: ClockKeeper) -> Response {
        let doubt = keeper.given.clock.doubt
        let now = doubt?.own ?? keeper.given.clock.now
        var json = JSONWriter()
        json.object { json in
            json.field("time", now.iso8601)
            json.field("machine", (doubt?.machine ?? now).iso8601)
            json.field("doubt", doubt?.cause.rawValue)
            json.field("ahead", doubt?.ahead ?? 0)
        }
        return .json(json.bytes)
    }

    private static let moved = Problem.conflict("The machine's clock shows another time by now.", type: "clock-moved")

    /// Why the page is shown.
    private enum State { case asked, confirmed, moved }

    private static func requireHand(_ keeper: ClockKeeper, _ principal: Principal) throws {
        guard try keeper.mayConfirm(principal) else {
            throw Problem.forbidden("the owners of the first place of this hub confirm its clock")
        }
        try Routes.requireFreshProof(principal, at: keeper.given.clock.now)
    }

    static func register(_ keeper: ClockKeeper, routes: inout Routes) {
        routes.on(
            .get, "/api/clock",
            RouteDescription(
                "What time it is for the hub, and whether the machine's clock is believed.", answer: schema)
        ) { _, _ in answer(keeper) }
        routes.on(
            .post, "/api/clock/confirm",
            RouteDescription(
                "Says that the machine's clock is right as it is: the hub takes its time over. For the owners of the place that was made first; takes a fresh proof.",
                body: .object([("ahead", .integer("as the hub told it, so that no other time is confirmed"))]),
                answer: schema)
        ) { request, principal in
            struct Body: Decodable { let ahead: Int }
            let body = try request.json(Body.self)
            try requireHand(keeper, principal)
            guard try await keeper.confirm(by: principal, ahead: body.ahead) else { throw moved }
            return answer(keeper)
        }
    }

    static func register(_ keeper: ClockKeeper, pages: inout PageRoutes) {
        pages.on(.get, path.description) { request, principal, language in
            let isConfirmed = try request.query.get("confirmed", as: String.self) != nil
            return .html(
                page(
                    keeper, try keeper.mayConfirm(principal), isConfirmed ? .confirmed : .asked, principal, language
                ).bytes)
        }
        pages.on(.post, path.description) { request, principal, language in
            try requireHand(keeper, principal)
            guard let ahead = Int(try request.form().get("ahead") ?? "") else { throw Problem.unprocessable("ahead") }
            guard try await keeper.confirm(by: principal, ahead: ahead) else {
                return .html(page(keeper, true, .moved, principal, language).bytes, status: 409)
            }
            return .redirect(to: path.adding("confirmed", "1").description)
        }
    }

    private static func page(
        _ keeper: ClockKeeper, _ mayConfirm: Bool, _ state: State, _ principal: Principal, _ language: Language
    ) -> HTML {
        let (words, clock) = (ClockWords.in(language), keeper.given.clock)
        let doubt = clock.doubt
        let zone = principal.zone(at: clock.now)
        func moment(_ time: Timestamp) -> HTML {
            Part.moment(time.iso8601, ClockWords.text(time, zone, language))
        }
        return Frame.page(
            title: words.title, language: language, person: principal.person.name, path: path,
            back: ("/", PagesWords.in(language).places),
            content: div(.css("pile narrow")) {
                if state == .moved { Part.notice(.no, words.moved) }
                if let doubt {
                    Part.notice(.wait, words.why[doubt.cause] ?? "")
                    dl(.css("pairs")) {
                        dt { words.machine }
                        dd { moment(doubt.machine) }
                        dt { words.own }
                        dd { moment(doubt.own) }
                    }
                    section(.css("pile"), .aria("labelledby", "what-to-do")) {
                        h2(.id("what-to-do")) { words.whatToDo }
                        p { words.setIt }
                        p { words.isRightAsItIs }
                        if mayConfirm {
                            form(.css("stack"), .method(.post), .action(path)) {
                                input(.type(.hidden), .name("ahead"), .value("\(doubt.ahead)"))
                                div(.css("thumb")) {
                                    button(.type(.submit)) {
                                        words.confirm(ClockWords.text(doubt.machine, zone, language))
                                    }
                                }
                            }
                        } else {
                            p(.css("soft")) { words.onlyFirst }
                        }
                    }
                    section(.css("pile"), .aria("labelledby", "meanwhile")) {
                        h2(.id("meanwhile")) { words.meanwhile }
                        ul(.css("marked")) { for line in words.stopped { li { line } } }
                        p { words.goesOn }
                    }
                } else {
                    Part.notice(.go, state == .confirmed ? words.confirmed : words.isRight)
                    dl(.css("pairs")) {
                        dt { words.own }
                        dd { moment(clock.now) }
                    }
                }
            })
    }
}
