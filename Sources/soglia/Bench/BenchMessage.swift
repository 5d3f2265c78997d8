import Accounts
import Commands
import JSON
import Pages
import Platform
import Store

/// The route that is measured against node's and the bare library's `POST /json`: the same body, behind a session.
///
/// Only a hub that `soglia bench` started has it.
struct BenchMessage: Feature {
    static let migrations: [Migration] = []

    init(_ given: Given) {}
    func register(pages: inout PageRoutes) {}
    func register(commands: Commands) {}
    func run() async throws {}

    func register(routes: inout Routes) {
        routes.on(
            .post, "/api/bench/message",
            RouteDescription("Takes a message of a benchmark.", body: .anything("see Bench/README.md"))
        ) {
            request, _ in
            let message = try request.jsonFields()
            let (id, name): (Int, String) = (try message.require("id"), try message.require("name"))
            let (device, time): (String, String) = (try message.require("device"), try message.require("ts"))
            let (value, isWell): (Double, Bool) = (try message.require("value"), try message.require("ok"))
            var json = JSONWriter(capacity: 128)
            json.object { json in
                json.field("id", id)
                json.field("greeting", "hello " + name)
                json.field("sum", isWell ? value * 2 : 0)
                json.field("n", device.utf8.count + time.utf8.count)
            }
            return .json(json.bytes)
        }
    }
}
