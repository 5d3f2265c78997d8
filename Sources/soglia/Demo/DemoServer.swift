import HTTPServer
import Pages
import System

/// The demo's own page, on the port after the hub's: what runs, who can sign in, what to try. It stays when the hub is stopped.
struct DemoServer {
    private let server: Server

    init(
        _ supervisor: Supervisor, port: UInt16, hub: String, accounts: [DemoFile.Account], mailbox: String,
        door: DemoDoor
    ) throws {
        var router = Router()
        var files = StaticFiles()
        try files.add(folder: StaticFolder.path)
        let statics = files
        router.on(.get, "/static/{file...}") { try statics.respond(to: $0, file: "file") }
        router.on(.get, "/") { request in
            guard door.admits(request) else { return .html(DemoEntrance.page(isRefused: false).bytes) }
            let processes = await supervisor.faces().map { face in
                DemoPage.Process(
                    name: face.name, state: face.processID != nil ? .running : face.isWanted ? .restarting : .stopped,
                    pid: face.processID.map { Int($0) }, about: face.about, page: face.page)
            }
            let people = accounts.map {
                DemoPage.Account(name: $0.name, email: $0.email, password: $0.password, tryThis: $0.tryThis)
            }
            return .html(DemoPage.page(.init(processes: processes, accounts: people, hubURL: hub)).bytes)
        }
        router.on(.post, "/enter") { request in
            try RequestRules.check(request, sessionCookie: DemoDoor.cookie)
            guard let cookie = door.enter(try request.form().require("token")) else {
                return .html(DemoEntrance.page(isRefused: true).bytes, status: 403)
            }
            return .redirect(to: "/").with(cookie)
        }
        router.on(.get, "/letters") { request in
            guard door.admits(request) else { return .redirect(to: "/") }
            return .html(LettersPage.page(MailboxLetter.last(30, in: mailbox), hub: hub).bytes)
        }
        for (verb, act) in [("stop", Self.stop), ("start", Self.start)] {
            router.on(.post, "/processes/{name}/\(verb)") { request in
                try door.check(request)
                let name = try request.parameter("name", as: String.self)
                do { try await act(supervisor, name) } catch let unknown as Supervisor.Unknown {
                    throw Problem.notFound("\(unknown)")
                }
                return request.headers["accept"]?.utf8.contains("text/html".utf8) == true
                    ? .redirect(to: "/") : .empty()
            }
        }
        var settings = ServerSettings()
        settings.port = port
        settings.onError = { Log.failure("demo", $0) }
        server = try Server(on: EventLoop(), settings: settings, router: router)
    }

    private static let stop: @Sendable (Supervisor, String) async throws -> Void = { try await $0.stop($1) }
    private static let start: @Sendable (Supervisor, String) async throws -> Void = { try await $0.start($1) }

    func close() async { await server.stop(within: .seconds(1)) }
}
