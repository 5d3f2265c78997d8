import Courier
import Doors
import Ledger
import Phone
import Platform
import System

/// How a company's hub grows: people, gates and events, each from few to many while the others stay few. Flat is good.
struct BenchGrowth {
    private struct Size {
        var people = 100
        var gates = 10
        var events = 1_000
    }

    private static let sizes: [(what: String, sizes: [(Int, Size)])] = [
        ("people", [100, 1_000, 10_000].map { ($0, Size(people: $0)) }),
        ("gates", [10, 100, 1_000].map { ($0, Size(gates: $0)) }),
        ("events", [1_000, 10_000, 100_000, 1_000_000].map { ($0, Size(events: $0)) }),
    ]

    func run() async throws -> [Figure] {
        var figures: [Figure] = []
        for (what, sizes) in Self.sizes {
            for (number, size) in sizes { figures += try await measure("\(what): ", number, size) }
        }
        return figures
    }

    private func measure(_ what: String, _ number: Int, _ size: Size) async throws -> [Figure] {
        let place = try await GrowthPlace(people: size.people, gates: size.gates)
        let store = try place.open()
        for _ in 0..<max(1, size.events / 5_000) { try await place.addEvents(min(size.events, 5_000), to: store) }
        await store.close()
        let began = Uptime.milliseconds
        let hub = try await Measured.start(
            "soglia", ThisProcess.executable,
            ["serve", "--data", place.folder, "--port", "0", "--demo", "--stub-gates", "\(size.gates)"]
        ) { $0 }
        var figures = [Figure(what + "start until ready", size: number, Double(Uptime.milliseconds - began) * 1000)]
        let token = try await HubAccess(hub.url).signIn(email: GrowthPlace.email, password: place.password)
        let client = HTTPClient(limit: 8 << 20)
        func ask(_ method: String, _ path: String) async throws {
            var headers = [(name: "Authorization", value: "Bearer \(token)")]
            if method == "POST" { headers.append((name: "Content-Type", value: "application/json")) }
            let answer = try await client.send(
                HTTPClientRequest(
                    method: method, url: hub.url + path, headers: headers,
                    body: method == "POST" ? Array("{}".utf8) : nil))
            guard answer.status == 200 else { throw SystemError("\(path) answered \(answer.status)") }
        }
        let pages = [
            ("page of people", "GET", "/sites/\(place.site.text)/people"),
            ("page of the log", "GET", "/sites/\(place.site.text)/log"),
            ("list of gates", "GET", "/api/gates"),
            ("opening", "POST", "/api/gates/\(place.gates[0].text)/open"),
        ]
        for (name, method, path) in pages {
            try await ask(method, path)
            figures.append(
                Figure(what + name, size: number, try await Stopwatch.middle(of: 21) { try await ask(method, path) }))
        }
        await hub.child.stop()
        try await place.remove()
        return figures
    }
}
