import FoundationEssentials

/// The language of Mosquitto's dynamic-security plugin: https://mosquitto.org/documentation/dynamic-security/
enum AccessRules {
    /// One line of an access list.
    struct Rule: Codable, Equatable {
        let acltype: String
        let topic: String
        var allow = true
    }

    /// Whom a client is allowed to tell and to hear, as rules. All that has no rule is refused.
    static func rules(publish: [String], subscribe: [String]) -> [Rule] {
        // The same topic twice would be two entries under one key for the plugin.
        Set(publish).sorted().map { Rule(acltype: "publishClientSend", topic: $0) }
            + Set(subscribe).sorted().flatMap { filter in
                ["publishClientReceive", "subscribePattern", "unsubscribePattern"].map {
                    Rule(acltype: $0, topic: filter)
                }
            }
    }

    struct Role: Codable {
        let rolename: String
        let acls: [Rule]
    }

    struct RoleName: Codable {
        let rolename: String
    }

    /// The plugin's file as it is before the first client: the hub alone.
    struct File: Codable {
        struct Client: Codable {
            let username: String
            let password: String
            let salt: String
            let iterations: Int
            let roles: [RoleName]
        }

        struct Defaults: Codable {
            var publishClientSend = false
            var publishClientReceive = false
            var subscribe = false
            var unsubscribe = false
        }

        let clients: [Client]
        let roles: [Role]
        var defaultACLAccess = Defaults()
    }

    /// Whether it is such a file, whole, in which the hub is.
    static func isWhole(_ file: [UInt8], hub username: String) -> Bool {
        struct Names: Decodable {
            struct Client: Decodable {
                let username: String
            }

            let clients: [Client]
        }
        let names = try? JSONDecoder().decode(Names.self, from: Data(file))
        return names?.clients.contains { $0.username == username } ?? false
    }

    /// - Parameter passwordLine: a line of a Mosquitto password file, `name:$7$iterations$salt$hash`: PBKDF2 with
    ///   HMAC-SHA512, salt and hash in base64.
    /// - Returns: nil when the line is not of that form.
    static func file(hub username: String, passwordLine: String) -> [UInt8]? {
        let fields = passwordLine.prefix { $0 != "\n" }.split(separator: "$", omittingEmptySubsequences: false)
        guard fields.count == 5, fields[0] == "\(username):", fields[1] == "7", let iterations = Int(fields[2]) else {
            return nil
        }
        let client = File.Client(
            username: username, password: String(fields[4]), salt: String(fields[3]), iterations: iterations,
            roles: [RoleName(rolename: username)])
        let everything = ["soglia/#", "$CONTROL/dynamic-security/#"]
        let role = Role(rolename: username, acls: rules(publish: everything, subscribe: everything))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return (try? encoder.encode(File(clients: [client], roles: [role]))).map(Array.init)
    }
}
