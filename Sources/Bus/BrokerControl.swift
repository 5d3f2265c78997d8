import FoundationEssentials
import Synchronization
import System

/// Names who may enter a `Broker` and what each may say and hear, while it runs.
///
/// It shares the hub's own client: its answers do not appear among that client's `batches`.
public actor BrokerControl {
    private static let topic = "$CONTROL/dynamic-security/v1"

    private let client: BusClient
    private let patience: Duration
    private let pending = Pending()

    /// - Parameters:
    ///   - client: connected, or about to be, with `Broker.hubCredentials`.
    ///   - patience: how long the broker may take to answer.
    public init(client: BusClient, patience: Duration = .seconds(5)) {
        (self.client, self.patience) = (client, patience)
        let pending = pending
        client.converse(answers: Self.topic + "/response") { pending.answer($0) }
    }

    /// Lets a client in. When there is one of that name, its password and rights are replaced, and it is cut off, to
    /// come back with the new ones.
    /// - Parameters:
    ///   - username: 1 to 64 letters, digits, `-`, `_` and `.`; also its client id. Not `Broker.hubName`.
    ///   - password: not empty.
    ///   - publish: the topics it may publish on, wildcards allowed.
    ///   - subscribe: those it may hear. A subscription is accepted when one of these covers it.
    ///   - mark: kept with it, for `clients`. No secret.
    public func addClient(
        username: String, password: String, publish: [String], subscribe: [String], mark: String = ""
    ) async throws(BrokerError) {
        try check(username)
        guard !password.isEmpty, !password.utf8.contains(0) else { throw .refused("an empty password") }
        // The plugin would put the client's name in the place of %u and %c.
        guard (publish + subscribe).allSatisfy({ Topic.isFilter($0) && !$0.utf8.contains(UInt8(ascii: "%")) }) else {
            throw .refused("an access list with something that is not a filter")
        }
        let rules = AccessRules.rules(publish: publish, subscribe: subscribe)
        let answers = try await ask([
            Wish(command: "deleteClient", username: username),
            Wish(command: "deleteRole", rolename: username),
            Wish(command: "createRole", rolename: username, acls: rules),
            Wish(
                command: "createClient", username: username, password: password,
                textdescription: mark.isEmpty ? nil : mark,
                roles: [AccessRules.RoleName(rolename: username)]),
        ])
        try demand(answers, except: ["deleteClient", "deleteRole"])
    }

    /// Shuts a client out and cuts off its connection at once; its will is not published. When there is none of that
    /// name, nothing happens.
    public func removeClient(username: String) async throws(BrokerError) {
        try check(username)
        let answers = try await ask([
            Wish(command: "deleteClient", username: username), Wish(command: "deleteRole", rolename: username),
        ])
        try demand(answers.filter { $0.error?.hasSuffix("not found") != true }, except: [])
    }

    /// All clients by name, with their marks; the hub itself is left out. Asked for in parts, as one answer would be too long for the bus: who is added
    /// or removed meanwhile may be missing.
    /// - Parameter count: how many at once.
    public func clients(atOnce count: Int = 200) async throws(BrokerError) -> [String: String] {
        var (found, offset, total) = ([String: String](), 0, 1)
        while offset < total {
            let answers = try await ask([Wish(command: "listClients", verbose: true, count: count, offset: offset)])
            try demand(answers, except: [])
            guard let data = answers.first?.data else { throw .refused("listClients: no list") }
            for client in data.clients ?? [] where client.username != Broker.hubName {
                found[client.username] = client.textdescription ?? ""
            }
            (offset, total) = (offset + count, data.totalCount ?? 0)
        }
        return found
    }

    // MARK: The conversation

    private struct Wish: Encodable {
        let command: String
        var username: String?
        var password: String?
        var textdescription: String?
        var rolename: String?
        var acls: [AccessRules.Rule]?
        var roles: [AccessRules.RoleName]?
        var verbose: Bool?
        var count: Int?
        var offset: Int?
        var correlationData: String?
    }

    private struct Wishes: Encodable {
        let commands: [Wish]
    }

    fileprivate struct Answer: Decodable {
        struct Content: Decodable {
            struct Client: Decodable {
                let username: String
                let textdescription: String?
            }

            let clients: [Client]?
            let totalCount: Int?
        }

        let command: String
        let correlationData: String?
        let error: String?
        let data: Content?
    }

    fileprivate struct Answers: Decodable {
        let responses: [Answer]
    }

    private func check(_ username: String) throws(BrokerError) {
        let isName =
            (1...64).contains(username.utf8.count)
            && username.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
        guard isName, username != Broker.hubName else { throw .refused("a client cannot have this name") }
    }

    private func demand(_ answers: [Answer], except tolerated: Set<String>) throws(BrokerError) {
        for answer in answers where !tolerated.contains(answer.command) {
            if let error = answer.error { throw .refused("\(answer.command): \(error)") }
        }
    }

    /// The broker obeys the wishes of one message in order, and answers all of them in one.
    private func ask(_ wishes: [Wish]) async throws(BrokerError) -> [Answer] {
        let id = BusCredentials.random(username: "").password
        let message = Wishes(
            commands: wishes.map { wish in
                var wish = wish
                wish.correlationData = id
                return wish
            })
        guard let bytes = try? JSONEncoder().encode(message) else { throw .refused("a wish that is not text") }
        let answers = await withCheckedContinuation { continuation in
            pending.add(id, continuation)
            do throws(BusError) {
                try client.ask(Self.topic, Array(bytes))
            } catch {
                pending.close(id, with: .failure(error == .notConnected ? .notConnected : .refused(error.description)))
                return
            }
            let (pending, patience) = (pending, patience)
            Task {
                try? await Task.sleep(for: patience)
                pending.close(id, with: .failure(.noAnswer))
            }
        }
        return try answers.get()
    }

    /// The wishes that wait for their answer, by correlation data.
    private final class Pending: Sendable {
        typealias Waiter = CheckedContinuation<Result<[Answer], BrokerError>, Never>
        private let waiters = Mutex<[String: Waiter]>([:])

        func add(_ id: String, _ waiter: Waiter) { waiters.withLock { $0[id] = waiter } }

        func close(_ id: String, with result: Result<[Answer], BrokerError>) {
            waiters.withLock { $0.removeValue(forKey: id) }?.resume(returning: result)
        }

        /// On the connection's thread.
        func answer(_ payload: [UInt8]) {
            guard let answers = try? JSONDecoder().decode(Answers.self, from: Data(payload)).responses,
                let id = answers.first?.correlationData
            else { return Log.warning("bus", "the broker answered something else than expected") }
            close(id, with: .success(answers))
        }
    }
}
