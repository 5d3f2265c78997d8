import HTTPServer
import Testing

@Suite("Routing")
struct RoutingTests {
    private static let router: Router = {
        var router = Router()
        func name(_ name: String) -> Handler { { _ in .text(name) } }
        router.on(.get, "/", name("root"))
        router.on(.get, "/gates", name("gates"))
        router.on(.get, "/gates/", name("gates with a slash"))
        router.on(.get, "/gates/{id}") { .text("gate \(try $0.parameter("id", as: Int.self))") }
        router.on(.delete, "/gates/{id}", name("removed"))
        router.on(.post, "/gates/{id}/open") { .text("open \(try $0.parameter("id") as String)") }
        router.on(.get, "/gates/main", name("the main gate"))
        router.on(.get, "/gates/main/log", name("log of main"))
        router.on(.get, "/sites/{site}/people/{person}") {
            .text(try $0.parameter("site") + "+" + $0.parameter("person"))
        }
        router.on(.get, "/files/{rest...}") { .text(try $0.rest("rest")) }
        return router
    }()

    @Test(
        "finds the most exact route",
        arguments: [
            ("/", "root"), ("/gates", "gates"), ("/gates/", "gates with a slash"), ("/gates/7", "gate 7"),
            ("/gates/main", "the main gate"), ("/gates/main/log", "log of main"), ("/sites/a/people/b", "a+b"),
            ("/sites/a%20b/people/%C3%A8", "a b+\u{e8}"), ("/files/a/b.txt", "a/b.txt"), ("/files/a", "a"),
            ("/gates/7?x=/y", "gate 7"),
        ])
    func finds(_ target: String, _ answer: String) async throws {
        #expect(await body(.get, target) == answer)
    }

    @Test("goes back to a parameter when a literal leads nowhere")
    func goesBack() async throws {
        #expect(await body(.post, "/gates/main/open") == "open main")
    }

    @Test(
        "finds nothing",
        arguments: [
            "/nothing", "/Gates", "/gates//", "//gates", "/gates/7/", "/%67ates", "/gates/007", "/gates/+7", "/gates/x",
            "/gates/..", "/gates/.", "/gates/%2e%2e", "/sites//people/b", "/sites/a%2Fb/people/c",
            "/sites/a/people/%ff", "/files/", "/files", "/files/..", "/files/a/../b", "/files/a//b",
            "/files/%2e%2e/b", "/files/a%2fb", "/files/a%00",
        ])
    func findsNothing(_ target: String) async throws {
        #expect(await Self.router.respond(to: Request(.get, target)).status == 404)
    }

    @Test("answers 405 with what is allowed, HEAD where there is GET")
    func notAllowed() async throws {
        let answer = await Self.router.respond(to: Request(.put, "/gates/7"))
        #expect(answer.status == 405)
        #expect(answer.headers.contains { $0 == ("Allow", "GET, HEAD, DELETE") })
        #expect(await Self.router.respond(to: Request(.get, "/gates/7/open")).status == 405)
    }

    @Test("lists what was registered")
    func lists() {
        #expect(Self.router.routes.count == 10)
        #expect(Self.router.routes[5] == (.post, "/gates/{id}/open"))
    }

    @Test("runs the middleware of nested groups from the outside in, and back")
    func middleware() async throws {
        let notes = Notes()
        func note(_ name: String) -> Middleware {
            { request, next in
                notes.add(name)
                var request = request
                request.context = name
                let response = try await next(request)
                notes.add(name + " after")
                return response
            }
        }
        var router = Router()
        router.group("/api", middleware: [note("first"), note("second")]) { api in
            api.group("/gates", middleware: [note("third")]) { gates in
                gates.on(.get, "/{id}") { .text($0.context(as: String.self) ?? "none") }
            }
            api.on(.get, "/other") { _ in throw Problem.conflict("Not now.") }
        }
        router.on(.get, "/free") { .text($0.context(as: String.self) ?? "none") }
        #expect(await text(router.respond(to: Request(.get, "/api/gates/1"))) == "third")
        #expect(notes.all == ["first", "second", "third", "third after", "second after", "first after"])
        #expect(await text(router.respond(to: Request(.get, "/free"))) == "none")
        #expect(await router.respond(to: Request(.get, "/api/other")).status == 409)
    }

    @Test("Two routes of one shape trap")
    func duplicates() async {
        await #expect(processExitsWith: .failure) {
            var router = Router()
            router.on(.get, "/gates/{id}") { _ in .empty() }
            router.on(.get, "/gates/{name}") { _ in .empty() }
        }
    }

    @Test("A server answers 404, 405 and HEAD as the router says")
    func overTheWire() async throws {
        try await withServer { server in
            let missing = await server.ask("GET /nothing HTTP/1.1")
            #expect(missing.status == 404)
            #expect(missing["content-type"] == "application/problem+json")
            #expect(missing.text.contains("\"type\":\"/problems/not-found\""))
            let wrong = await server.ask("PATCH /hello HTTP/1.1")
            #expect(wrong.status == 405)
            #expect(wrong["allow"] == "GET, HEAD")
            let invented = await server.ask("FROB /hello HTTP/1.1")
            #expect(invented.status == 405)
            let head = await server.ask("HEAD /hello HTTP/1.1")
            #expect(head.status == 200)
            #expect(head["content-length"] == "5")
            #expect(head.body.isEmpty)
        }
    }

    @Test("A body of another media type than the route's is refused before it is read")
    func mediaType() async throws {
        let routes = { (router: inout Router) in
            router.on(.post, "/json", options: .json()) { _ in .empty() }
        }
        try await withServer(routes: routes) { server in
            let wrong = await server.ask("POST /json HTTP/1.1", "Content-Type: text/plain", body: "{}")
            #expect(wrong.status == 415)
            let none = await server.ask("POST /json HTTP/1.1", body: "{}")
            #expect(none.status == 415)
            let right = await server.ask(
                "POST /json HTTP/1.1", "Content-Type: Application/JSON; charset=utf-8", body: "{}")
            #expect(right.status == 204)
        }
    }

    private func body(_ method: Method, _ target: String) async -> String {
        text(await Self.router.respond(to: Request(method, target)))
    }

    private func text(_ response: Response) -> String {
        if case .bytes(let bytes) = response.body { String(decoding: bytes, as: UTF8.self) } else { "" }
    }
}
