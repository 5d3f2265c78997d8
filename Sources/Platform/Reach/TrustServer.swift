import Accounts
import HTTPServer
import Identity
import Pages
import System

/// A listener without TLS, for phones that do not trust the hub yet: the page, the certificate, the profile, what the page
/// looks like, and nothing else. Whatever else is asked for, it names the same address over TLS.
public struct TrustServer: Sendable {
    private let server: Server
    /// Where it listens.
    public var port: UInt16 { server.port }

    /// - Parameters:
    ///   - settings: address, port and names; what they say of TLS and proxies does not count here.
    ///   - securePort: the hub's own.
    public init(_ trust: Trust, settings: ServerSettings, securePort: UInt16) throws {
        var settings = settings
        settings.certificate = nil
        settings.proxies = []
        settings.isForProxiesOnly = false
        settings.perAddress = 32
        settings.connections = 256
        settings.onError = { Log.failure("trust", $0) }
        var router = Router()
        let page: Handler = { request in
            let language =
                (try? request.query.get("language", as: String.self)).flatMap { Language(rawValue: $0) }
                ?? Language.preferred(from: request.headers["accept-language"])
            return trust.page(language, request, hub: HubOrigin(Self.origin(request, securePort)))
        }
        router.on(.get, "/", page)
        router.on(.get, TrustView.path.description, page)
        router.on(.get, TrustView.certificatePath.description) { _ in trust.certificate }
        router.on(.get, TrustView.profilePath.description) { _ in trust.profile }
        var files = StaticFiles()
        for name in ["soglia.css", "icon.svg"] { try files.add(file: StaticFolder.path + "/" + name, as: name) }
        let statics = files
        router.on(.get, "/static/{file...}") { try statics.respond(to: $0, file: "file") }
        settings.problemPage = { problem, request in
            guard problem.status == 404 || problem.status == 405 else { return nil }
            // Not for good: the hub may have another port tomorrow.
            let target = Self.origin(request, securePort) + request.path + (request.query.raw.map { "?" + $0 } ?? "")
            return Response(status: 307, headers: [("Location", target)])
        }
        server = try Server(on: EventLoop(), settings: settings, router: router)
    }

    /// The hub over TLS, by the name by which the visitor came: one of ours, or the request would not be here.
    private static func origin(_ request: Request, _ port: UInt16) -> String {
        let host = request.host ?? "localhost"
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        return "https://" + name + (port == 443 ? "" : ":\(port)")
    }

    /// Ends it.
    public func stop() async { await server.stop(within: .seconds(1)) }
}
