import Commands
import Foundation
import HTTPServer
import Identity
import Ledger
import Pages
import Platform
import Store
import System
import TestSupport
import Testing

@testable import Accounts

/// A feature with one route and nothing else: that a feature's routes are described too must not depend on which features there are.
private struct Sundial: Feature {
    static let migrations: [Migration] = []

    init(_ given: Given) {}
    func register(pages: inout PageRoutes) {}
    func register(commands: Commands) {}
    func run() async throws {}
    func register(routes: inout Routes) {
        routes.on(
            .get, "/api/sundial",
            RouteDescription("Tells the time by the sun.", answer: .object([("hour", .integer("0 to 23"))]))
        ) {
            _, _ in .json(Array(#"{"hour":12}"#.utf8))
        }
    }
}

/// A hub on loopback with an owner, and what a program sends to it.
private struct RunningHub: Sendable {
    let hub: Hub
    let base: String
    let folder: String

    static func with<T>(pageLimit: Int? = nil, _ body: (RunningHub) async throws -> T) async throws -> T {
        let folder = NSTemporaryDirectory() + "soglia-hub-\(UInt32.random(in: 0 ... .max))"
        var settings = Hub.Settings(folder: folder, server: ServerSettings())
        settings.passwordMemory = 64 << 10
        settings.pageLimit = pageLimit
        let hub = try Hub(settings, features: [Sundial.self])
        let port = try await hub.start()
        let running = RunningHub(hub: hub, base: "http://127.0.0.1:\(port)", folder: folder)
        do {
            let result = try await body(running)
            await hub.stop()
            Files.removeTree(folder)
            return result
        } catch {
            await hub.stop()
            throw error
        }
    }

    func ask(_ method: String, _ path: String, json: String? = nil, token: String? = nil) async throws -> (
        status: Int, body: [UInt8]
    ) {
        // curl rather than Foundation's own client, which is a program of its own size.
        var arguments = ["-s", "-o", "-", "-w", "\n%{http_code}", "-X", method, base + path]
        if let json { arguments += ["-H", "Content-Type: application/json", "-d", json] }
        if let token { arguments += ["-H", "Authorization: Bearer \(token)"] }
        let curl = try await Child.start("/usr/bin/curl", arguments, output: .pipe)
        let output = curl.standardOutput
        let text = await onThread {
            let file = FileHandle(fileDescriptor: output, closeOnDealloc: true)
            return String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
        }
        _ = await curl.wait()
        let cut = try #require(text.lastIndex(of: "\n"))
        return (try #require(Int(text[text.index(after: cut)...])), Array(text[..<cut].utf8))
    }

    /// Makes the owner with the set-up code, and signs in as a program.
    func ownerToken() async throws -> String {
        let code = String(decoding: try Files.read(folder + "/setup-code"), as: UTF8.self).split(separator: "\n")[0]
        let now = WallClock.system.now
        let person = Person(id: .new(at: now), name: "Olga", email: "olga@example.com", language: nil)
        let site = Site(id: .new(at: now), name: "Works", kind: .company, zone: .utc)
        try await hub.given.accounts.firstRun(
            code: String(code), person: person, password: "a long password", site: site, folder: folder)
        let answer = try await ask(
            "POST", "/api/session", json: #"{"email":"olga@example.com","password":"a long password","program":true}"#)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
        return try #require(object["token"] as? String)
    }
}

@Suite("The JSON interface", .serialized)
struct InterfaceTests {
    @Test("Every route of the interface is in the OpenAPI document, and nothing else is")
    func everyRouteIsDescribed() async throws {
        try await RunningHub.with { running in
            let answer = try await running.ask("GET", "/api/openapi.json")
            let document = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
            let paths = try #require(document["paths"] as? [String: [String: Any]])
            let described = Set(paths.flatMap { path, methods in methods.keys.map { "\($0) \(path)" } })
            let registered = Set(
                running.hub.routes.router.routes.map { "\($0.method.rawValue.lowercased()) \($0.pattern)" })
            #expect(registered.subtracting(described).isEmpty)
            #expect(described.subtracting(registered).isEmpty)
            #expect(described.contains("get /api/sundial"))
            #expect(described.contains("post /api/gates/{id}/open"))
        }
    }

    @Test("Every route but those that say why refuses whoever is not signed in")
    func everyRouteIsGuarded() async throws {
        try await RunningHub.with { running in
            let open: Set = [
                "/api/health", "/api/session", "/api/openapi.json", "/api/session/passkey",
                "/api/session/passkey/options", "/api/providers/{id}/deletion",
            ]
            var asked = 0
            for (method, pattern) in running.hub.routes.router.routes where !open.contains(pattern) {
                let path = pattern.split(separator: "/").map {
                    $0.hasPrefix("{") ? String(repeating: "0", count: 32) : String($0)
                }
                let answer = try await running.ask(
                    method.rawValue, "/" + path.joined(separator: "/"), json: method.isSafe ? nil : "{}")
                #expect(answer.status == 401, "\(method.rawValue) \(pattern)")
                asked += 1
            }
            #expect(asked > 8)
        }
    }

    @Test("What a list answers has every member that the document promises")
    func answersKeepTheirPromise() async throws {
        try await RunningHub.with { running in
            let token = try await running.ownerToken()
            let document = try await running.ask("GET", "/api/openapi.json")
            let root = try #require(try JSONSerialization.jsonObject(with: Data(document.body)) as? [String: Any])
            let paths = try #require(root["paths"] as? [String: [String: [String: Any]]])
            let sites = try await running.ask("GET", "/api/sites", token: token)
            let site = try #require(
                String(decoding: sites.body, as: UTF8.self).firstMatch(of: /"id":"([0-9a-f]{32})"/)?.1)
            var checked = 0
            for (path, methods) in paths where !path.contains("{") && path != "/api/live" {
                guard let get = methods["get"], let responses = get["responses"] as? [String: [String: Any]] else {
                    continue
                }
                let answer = try await running.ask("GET", path + "?site=\(site)", token: token)
                #expect(answer.status == 200, "\(path)")
                let content = try #require(responses["200"]?["content"] as? [String: [String: Any]])
                let schema = try #require(content["application/json"]?["schema"] as? [String: Any])
                let value = try JSONSerialization.jsonObject(with: Data(answer.body))
                #expect(missing(in: value, schema) == [], "\(path)")
                checked += 1
            }
            #expect(checked >= 5)
        }
    }

    @Test("A hub that stopped can be started again on the same folder, and nobody has to sign in anew")
    func restarts() async throws {
        let folder = NSTemporaryDirectory() + "soglia-hub-\(UInt32.random(in: 0 ... .max))"
        var settings = Hub.Settings(folder: folder, server: ServerSettings())
        settings.passwordMemory = 64 << 10
        var token = ""
        for _ in 0..<2 {
            let hub = try Hub(settings, features: [Sundial.self])
            let port = try await hub.start()
            let running = RunningHub(hub: hub, base: "http://127.0.0.1:\(port)", folder: folder)
            if token.isEmpty { token = try await running.ownerToken() }
            let answer = try await running.ask("GET", "/api/sundial", token: token)
            #expect(answer.status == 200)
            await hub.stop()
        }
        Files.removeTree(folder)
    }

    /// The members that a schema requires and a value lacks, by their path.
    private func missing(in value: Any, _ schema: [String: Any], at path: String = "") -> [String] {
        if let items = schema["items"] as? [String: Any], let list = value as? [Any] {
            return list.enumerated().flatMap { missing(in: $0.element, items, at: "\(path)[\($0.offset)]") }
        }
        guard let required = schema["required"] as? [String] else { return [] }
        guard let object = value as? [String: Any] else { return ["\(path): no object"] }
        let members = schema["properties"] as? [String: [String: Any]] ?? [:]
        return required.flatMap { name -> [String] in
            guard let member = object[name] else { return ["\(path).\(name)"] }
            return missing(in: member, members[name] ?? [:], at: "\(path).\(name)")
        }
    }

    @Test("On a full disk whoever wants to change something is told so, nothing is half done, and reading goes on")
    func fullDisk() async throws {
        try await RunningHub.with(pageLimit: 400) { running in
            let token = try await running.ownerToken()
            let store = running.hub.given.store
            let found = try store.read {
                try $0.row("SELECT site FROM memberships LIMIT 1") { $0[0] as SiteID }
            }
            let site = try #require(found)
            let now = WallClock.system.now
            let bruno = Person(id: .new(at: now), name: "Bruno", email: "bruno@example.com", language: nil)
            try await running.hub.given.accounts.change { database in
                try AccountRecords.add(bruno, passwordHash: nil, at: now, in: database)
                try AccountRecords.add(
                    Membership(
                        id: .new(at: now), person: bruno.id, site: site, permission: .member, role: nil, firstDay: nil,
                        lastDay: nil), at: now, by: nil, in: database)
            }
            var size = 100_000
            while size > 10 {
                let filler = [UInt8](repeating: 0x20, count: size)
                do {
                    try await store.write {
                        _ = try Ledger.append(
                            NewEvent(
                                id: .new(at: WallClock.system.now), site: site, kind: "test.filler",
                                at: WallClock.system.now, payload: filler), to: $0)
                    }
                } catch let error as StoreError where error.isFull { size /= 4 }
            }
            var status = 200
            var changed = 0
            for n in 0..<200 where status == 200 {
                let body = #"{"openings":\#(100 + n),"signIns":90,"changes":0}"#
                status = try await running.ask("PUT", "/api/sites/\(site)/retention", json: body, token: token).status
                if status == 200 { changed = 100 + n }
            }
            #expect(status == 507)
            #expect(try await running.ask("GET", "/api/sites", token: token).status == 200)
            // An erasure takes away more than it adds, so there may be room for it: then it is whole. Else nothing is erased, and nothing
            // carries it out later.
            let erasure = try await running.ask(
                "POST", "/api/sites/\(site)/people/\(bruno.id)/erase", json: #"{"name":"Bruno"}"#, token: token)
            let isDone = erasure.status == 200
            #expect(isDone || erasure.status == 507)
            #expect(try store.read { try AccountRecords.person(bruno.id, in: $0) } == (isDone ? nil : bruno))
            let memberships = try store.read { try AccountRecords.memberships(of: bruno.id, at: site, in: $0) }
            #expect(memberships.count == (isDone ? 0 : 1))
            #expect(try ErasedFile(folder: running.folder).read().count == (isDone ? 1 : 0))
            let kept = try store.read { try Ledger.retention(of: site, in: $0) }
            #expect(kept[.openings] == (changed == 0 ? RetentionGroup.openings.usualDays : changed))
            #expect(try running.hub.given.ledger.verify().firstBad == nil)
        }
    }
}
