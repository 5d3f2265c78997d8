import FoundationEssentials
import System

/// Who a client is to the broker. The password is shown by no description.
public struct BusCredentials: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The client's name, and its MQTT client id.
    public let username: String
    /// The secret. Pass it on, never print it.
    public let password: String

    /// - Parameters:
    ///   - username: the client's name.
    ///   - password: the secret.
    public init(username: String, password: String) { (self.username, self.password) = (username, password) }

    /// Credentials with a new password of 192 random bits.
    public static func random(username: String) -> BusCredentials {
        let digits = Array("0123456789abcdef".utf8)
        let password = Random.bytes(24).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return BusCredentials(username: username, password: String(decoding: password, as: UTF8.self))
    }

    /// `name (password hidden)`
    public var description: String { "\(username) (password hidden)" }
    /// The same.
    public var debugDescription: String { description }
    /// The name alone.
    public var customMirror: Mirror { Mirror(self, children: ["username": username]) }

    /// The file's form. Not the type itself: being `Encodable` it would slip into answers and logs.
    private struct Stored: Codable {
        let username: String
        let password: String
    }

    /// Reads what `save` wrote.
    public static func load(_ path: String) throws(SystemError) -> BusCredentials {
        let bytes = try Files.read(path, limit: 4096)
        guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(bytes)) else {
            throw SystemError("\(path) does not hold credentials: expected {\"username\": …, \"password\": …}")
        }
        return BusCredentials(username: stored.username, password: stored.password)
    }

    /// Writes them as JSON, readable by this user alone.
    public func save(to path: String) throws(SystemError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        guard let data = try? encoder.encode(Stored(username: username, password: password)) else {
            throw SystemError("cannot write \(path): the credentials are not text")
        }
        try Files.replace(path, with: Array(data), mode: 0o600)
    }
}
