import System

/// A JSON request through router, session and policy, beside bare libmicrohttpd in C and node's own server.
struct BenchHTTP {
    let seconds: Int
    private static let rounds = 5
    private static let body =
        #"{"id":7,"name":"gate north","device":"reader-12-entrance","value":21.5,"ok":true,"tags":["door","north","indoor"],"#
        + #""ts":"2026-11-21T10:11:12.345Z","note":"0123456789012345678901234567890"}"#

    func run() async throws -> [BenchCommand.Row] {
        let place = try await BenchPlace(gates: 1)
        let hello = try await place.build("hello", ["microhttpd"])
        let hub = try await place.hubWithStubs()
        let c = try await Measured.start("C libmicrohttpd", hello, ["18471"]) { "http://127.0.0.1:\($0)" }
        let node = try await Measured.start("node http", try Self.node(), ["Bench/hello.mjs", "18472"]) {
            "http://127.0.0.1:\($0)"
        }
        let session = try await place.authorization(hub.url)
        func load(_ headers: [String], post: String? = nil) -> Load {
            Load(seconds: seconds, headers: headers, post: post.map { (Self.body, [$0]) })
        }
        let cookie = ["Cookie: session=bench"]
        var get: (own: [Round], c: [Round], node: [Round]) = ([], [], [])
        var post: (own: [Round], c: [Round], node: [Round]) = ([], [], [])
        for _ in 0..<Self.rounds {
            get.own.append(try await load([session]).run(hub, path: "/api/gates"))
            get.c.append(try await load([]).run(c, path: "/hello"))
            get.node.append(try await load(cookie).run(node, path: "/api/gates/5"))
            post.own.append(try await load([session], post: "/api/bench/message").run(hub, path: "/"))
            post.c.append(try await load([], post: "/json").run(c, path: "/"))
            post.node.append(try await load(cookie, post: "/json").run(node, path: "/"))
        }
        for server in [hub, c, node] { await server.child.stop() }
        try await place.remove()
        let all = get.own + get.c + get.node + post.own + post.c + post.node
        guard all.allSatisfy({ $0.failures == 0 }) else {
            throw SystemError("a server refused requests: nothing was measured")
        }
        return [
            .init("GET JSON", "soglia", get.own, beside: [("C", get.c), ("node", get.node)]),
            .init("GET JSON", "C libmicrohttpd", get.c), .init("GET JSON", "node http", get.node),
            .init("POST JSON, 187 bytes", "soglia", post.own, beside: [("C", post.c), ("node", post.node)]),
            .init("POST JSON, 187 bytes", "C libmicrohttpd", post.c),
            .init("POST JSON, 187 bytes", "node http", post.node),
        ]
    }

    private static func node() throws -> String {
        for path in ["/usr/bin/node", "/usr/local/bin/node"] where Files.exists(path) { return path }
        throw SystemError("node is not here")
    }
}
