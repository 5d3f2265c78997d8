import FoundationEssentials
import System

/// `DIR/demo.json`: everything that somebody needs to try the demo, and tests to drive it. Mode 0600: it holds passwords.
struct DemoFile: Codable, Sendable {
    struct Account: Codable, Sendable {
        var name: String
        var email: String
        var password: String
        var permission: String
        /// The site's id.
        var site: String
        /// What to try as this person.
        var tryThis: String
    }
    struct Broker: Codable, Sendable {
        var host: String
        var port: Int
        var username: String
        var password: String
        /// What every topic begins with.
        var prefix: String
    }
    struct Site: Codable, Sendable {
        var id: String
        var kind: String
        var name: String
    }

    var accounts: [Account]
    var broker: Broker
    var sites: [Site]
    /// The ids of the processes that run, by name.
    var processes: [String: Int]
    /// Where the hub is, `http://localhost:8080`.
    var hub: String
    /// Where the demo's own page is.
    var page: String
    /// What opens it; nil in a folder that was made before there was one.
    var token: String?

    /// What is known as soon as the people are made; the rest follows at every start.
    init(accounts: [Account], sites: [Site]) {
        (self.accounts, self.sites, processes) = (accounts, sites, [:])
        broker = Broker(host: "", port: 0, username: "", password: "", prefix: "soglia/")
        (hub, page) = ("", "")
    }

    static func load(_ folder: String) throws -> DemoFile {
        try JSONDecoder().decode(DemoFile.self, from: Data(Files.read(folder + "/demo.json")))
    }

    func save(_ folder: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        try Files.replace(folder + "/demo.json", with: Array(encoder.encode(self)))
    }
}
