import Box
import HTTPServer
import JSON
import Pages
import System

/// The page on which a person makes something happen in a simulated home. On this machine alone.
struct SimulatedHomeServer {
    private let server: Server

    /// Where it listens.
    var port: UInt16 { server.port }

    private struct Wish: Decodable { let act: String }

    init(_ home: SimulatedHome, port: UInt16) throws {
        var router = Router()
        var files = StaticFiles()
        try files.add(folder: StaticFolder.path)
        let statics = files
        router.on(.get, "/static/{file...}") { try statics.respond(to: $0, file: "file") }
        router.on(.get, "/") { _ in .html(SimulatedHomePage.page(await home.view()).bytes) }
        router.on(.get, "/state") { _ in .json(Self.json(await home.view())) }
        router.on(.post, "/act") { request in
            try RequestRules.check(request, sessionCookie: "none")
            let wish = try request.json(Wish.self).act
            guard let act = SimulatedRoom.Act(rawValue: wish) else { throw Problem.notFound("there is no act \(wish)") }
            await home.act(act)
            return .json(Self.json(await home.view()))
        }
        router.on(.post, "/act/{act}") { request in
            try RequestRules.check(request, sessionCookie: "none")
            let wish = try request.parameter("act", as: String.self)
            guard let act = SimulatedRoom.Act(rawValue: wish) else { throw Problem.notFound("there is no act \(wish)") }
            await home.act(act)
            return .redirect(to: "/")
        }
        var settings = ServerSettings()
        settings.port = port
        settings.onError = { Log.failure("box", $0) }
        server = try Server(on: EventLoop(), settings: settings, router: router)
    }

    func close() async { await server.stop(within: .seconds(1)) }

    private static func json(_ view: SimulatedHome.View) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("name", view.name)
            json.field("power", view.hasPower)
            json.field("network", view.hasNetwork)
            json.field("hub", view.hasHub)
            json.field("state", view.state)
            json.field("left", view.left.map { Int($0) })
            json.object("sensors") { json in
                for (sensor, value) in view.values {
                    json.key(sensor.rawValue)
                    json.value(value)
                }
            }
            json.field("warming", view.isWarming)
            json.field("siren", view.isSounding)
            json.field("fan", Int(view.fan))
            json.field("valve", view.isValveOpen ? "open" : "closed")
            json.field("plug", view.isPlugOn)
            json.array("display") { json in for line in view.lines { json.value(line) } }
            json.field("waiting", view.waiting)
            json.field("settings", view.settings)
        }
        return json.bytes
    }
}
