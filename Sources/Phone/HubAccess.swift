import Courier
import FoundationEssentials
import System

/// What a phone asks of the hub, over the network, while there is one.
public struct HubAccess: Sendable {
    private let base: String
    private let client = HTTPClient()

    /// - Parameter base: `http://localhost:8080`
    public init(_ base: String) { self.base = base }

    /// What the hub refused, in its own words.
    public struct Refusal: Error, CustomStringConvertible, Sendable {
        /// A sentence.
        public let description: String
    }

    private struct Items<Item: Decodable>: Decodable { let items: [Item] }
    private struct Problem: Decodable {
        let title: String
        let detail: String?
    }

    private func ask<T: Decodable>(
        _ method: String, _ path: String, token: String?, _ body: [String: String]?, as type: T.Type
    ) async throws -> T {
        var headers = [(name: "Accept", value: "application/json")]
        if let token { headers.append((name: "Authorization", value: "Bearer \(token)")) }
        var bytes: [UInt8]?
        if let body {
            headers.append((name: "Content-Type", value: "application/json"))
            bytes = Array(try JSONEncoder().encode(body))
        }
        let response = try await client.send(
            HTTPClientRequest(method: method, url: base + path, headers: headers, body: bytes))
        guard (200..<300).contains(response.status) else {
            let problem = try? JSONDecoder().decode(Problem.self, from: Data(response.body))
            throw Refusal(description: problem.map { $0.detail ?? $0.title } ?? "the hub answered \(response.status)")
        }
        return try JSONDecoder().decode(type, from: Data(response.body))
    }

    /// Signs in as a program. Answers the bearer token.
    public func signIn(email: String, password: String) async throws -> String {
        struct Body: Encodable {
            let email: String
            let password: String
            let program = true
        }
        struct Answer: Decodable { let token: String }
        let body = Array(try JSONEncoder().encode(Body(email: email, password: password)))
        let response = try await client.send(
            HTTPClientRequest(
                method: "POST", url: base + "/api/session",
                headers: [(name: "Content-Type", value: "application/json")], body: body))
        guard response.status == 201 else {
            let problem = try? JSONDecoder().decode(Problem.self, from: Data(response.body))
            throw Refusal(description: problem.map { $0.detail ?? $0.title } ?? "the hub answered \(response.status)")
        }
        return try JSONDecoder().decode(Answer.self, from: Data(response.body)).token
    }

    /// A gate as the hub tells of it.
    public struct Gate: Decodable, Sendable {
        public let id: String
        /// What people call it.
        public let name: String
        /// `ready`, `notReachable`, `notPaired`.
        public let state: String
    }

    /// The gates that one may see.
    public func gates(token: String) async throws -> [Gate] {
        try await ask("GET", "/api/gates", token: token, nil, as: Items<Gate>.self).items
    }

    /// What is connected to a house.
    public struct Gateway: Decodable, Sendable {
        /// As the hub calls it.
        public let id: String
        /// Whether it is connected.
        public let isThere: Bool
    }

    /// What is connected to houses that one looks after.
    public func gateways(of sites: [String], token: String) async throws -> [Gateway] {
        var all: [Gateway] = []
        for site in sites {
            all += try await ask(
                "GET", "/api/sites/\(site)/gateways", token: token, nil, as: Items<Gateway>.self
            ).items
        }
        return all
    }

    /// Fresh passes for every gate that is granted now, at every site.
    public func passes(token: String) async throws -> [Wallet.Entry] {
        struct Site: Decodable { let id: String }
        var all: [Wallet.Entry] = []
        for site in try await ask("GET", "/api/sites", token: token, nil, as: Items<Site>.self).items {
            all += try await ask(
                "POST", "/api/sites/\(site.id)/passes", token: token, [:], as: Items<Wallet.Entry>.self
            ).items
        }
        return all
    }

    /// Whether the hub answers.
    public func isThere() async -> Bool {
        let answer = try? await client.send(HTTPClientRequest(url: base + "/api/health", timeout: .seconds(2)))
        return answer?.status == 200
    }
}
